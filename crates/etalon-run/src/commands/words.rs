//! A command's words, as a POSIX shell would split them without expanding anything.
//!
//! Owns: splitting (`shlex` does the work, on bytes, so that no file name is out of reach),
//! and finding what only a shell gives a meaning to. Refuses: to give it that meaning.

use std::fmt;
use std::ops::Range;

/// The quotes of a command do not close.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Unclosed;

impl fmt::Display for Unclosed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a quote is not closed, or a backslash ends it: close it, or quote it")
    }
}

/// The words of a command.
///
/// # Errors
/// If a quote is not closed or the command ends in a backslash.
pub fn split(command: &[u8]) -> Result<Vec<Vec<u8>>, Unclosed> {
    shlex::bytes::split(command).ok_or(Unclosed)
}

/// A meaning that something in a command has to a POSIX shell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Meaning {
    /// A pipe, a redirection, a list or a subshell.
    Operator,
    /// The end of one command and the beginning of another.
    LineBreak,
    /// The value of a parameter or the output of a command.
    Value,
    /// A value within double quotes, which do not prevent it.
    QuotedValue,
    /// Names of files.
    Pattern,
    /// Somebody's home directory.
    Home,
    /// `#` and what follows.
    Comment,
    /// A variable of the program that follows.
    Assignment,
}

/// Something in a command that only a shell gives a meaning to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShellSyntax {
    /// Its meaning there.
    pub meaning: Meaning,
    /// How it is written.
    pub text: String,
    /// Its place in the command, in characters from 1.
    pub character: usize,
}

impl ShellSyntax {
    /// The problem, without a remedy.
    pub(crate) fn problem(&self) -> String {
        let ShellSyntax { meaning, text, character } = self;
        let what = match meaning {
            Meaning::LineBreak => "the line break".to_owned(),
            _ => format!("`{text}`"),
        };
        let would = match meaning {
            Meaning::Operator => "is an operator of one",
            Meaning::LineBreak => "would begin another command in one",
            Meaning::Value => "would be replaced by a value in one",
            Meaning::QuotedValue => {
                "would be replaced by a value in one, within double quotes as well"
            }
            Meaning::Pattern => "would be replaced by file names in one",
            Meaning::Home => "would be replaced by a home directory in one",
            Meaning::Comment => "would begin a comment in one",
            Meaning::Assignment => "would set a variable in one",
        };
        format!("no shell is used, and {what} at character {character} {would}")
    }
}

impl fmt::Display for ShellSyntax {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ShellSyntax { meaning, text, .. } = self;
        write!(f, "{}: ", self.problem())?;
        if *meaning == Meaning::Assignment {
            f.write_str("set it apart (--env, in a file `env`), ")?;
        }
        write!(f, "write sh -c 'COMMAND' to have a shell execute it, or quote it")?;
        match meaning {
            Meaning::Operator | Meaning::Value | Meaning::QuotedValue | Meaning::Pattern => {
                write!(f, " ('{text}') to pass it on as it is")
            }
            _ => f.write_str(" to pass it on as it is"),
        }
    }
}

/// The first unquoted thing in a command that a POSIX shell would take as an operator or expand.
/// Braces, history and whatever else only some shells know is left alone. Linear.
#[must_use]
pub(crate) fn shell_syntax(command: &[u8]) -> Option<ShellSyntax> {
    let mut scan = Scan { command, at: 0, word: None, program_came: false };
    let (meaning, range) = scan.first()?;
    let text = |range: Range<usize>| String::from_utf8_lossy(&command[range]).into_owned();
    let character = text(0..range.start).chars().count() + 1;
    Some(ShellSyntax { meaning, text: text(range), character })
}

/// A scan from left to right.
struct Scan<'a> {
    command: &'a [u8],
    at: usize,
    /// Where the word under way began.
    word: Option<usize>,
    /// Whether a word has ended that is no assignment; assignments end the scan.
    program_came: bool,
}

impl Scan<'_> {
    fn first(&mut self) -> Option<(Meaning, Range<usize>)> {
        while let Some(&byte) = self.command.get(self.at) {
            if let Some(meaning) = self.meaning(byte) {
                let start = match meaning {
                    Meaning::Assignment => self.word.unwrap_or(self.at),
                    _ => self.at,
                };
                return Some((meaning, start..self.end(meaning)));
            }
            match byte {
                b' ' | b'\t' | b'\n' => {
                    self.program_came |= self.word.take().is_some();
                    self.at += 1;
                }
                b'\\' if self.next() == Some(b'\n') => self.at += 2, // a line that goes on
                _ => {
                    self.word.get_or_insert(self.at);
                    if let Some(found) = self.pass(byte) {
                        return Some((Meaning::QuotedValue, found..found + 1));
                    }
                }
            }
        }
        None
    }

    /// The meaning of an unquoted byte.
    fn meaning(&self, byte: u8) -> Option<Meaning> {
        match byte {
            b'|' | b'&' | b';' | b'<' | b'>' | b'(' | b')' => Some(Meaning::Operator),
            b'\n' => self.between_commands().then_some(Meaning::LineBreak),
            b'$' => begins_value(self.next(), Quoting::None).then_some(Meaning::Value),
            b'`' => Some(Meaning::Value),
            b'*' | b'?' => Some(Meaning::Pattern),
            b'[' => self.closes().then_some(Meaning::Pattern),
            b'~' => self.word.is_none().then_some(Meaning::Home),
            b'#' => self.word.is_none().then_some(Meaning::Comment),
            b'=' => self.assigns().then_some(Meaning::Assignment),
            _ => None,
        }
    }

    /// Goes behind a byte, or behind all of what it quotes. Where in double quotes something would
    /// be expanded all the same, that place.
    fn pass(&mut self, byte: u8) -> Option<usize> {
        let rest = &self.command[self.at + 1..];
        let length = match byte {
            b'\\' => 1,
            b'\'' => rest.iter().position(|b| *b == b'\'').map_or(rest.len(), |end| end + 1),
            b'"' => match double_quoted(rest) {
                Ok(length) => length,
                Err(value) => return Some(self.at + 1 + value),
            },
            _ => 0,
        };
        self.at += 1 + length;
        None
    }

    fn next(&self) -> Option<u8> {
        self.command.get(self.at + 1).copied()
    }

    /// Whether there is something on both sides.
    fn between_commands(&self) -> bool {
        let came = self.program_came || self.word.is_some();
        came && !self.command[self.at..].trim_ascii().is_empty()
    }

    /// Whether a bracket is closed within its word, around something.
    fn closes(&self) -> bool {
        let mut rest = self.command[self.at + 1..].iter();
        let blank = |b: &u8| matches!(b, b' ' | b'\t' | b'\n');
        rest.next().is_some_and(|first| !blank(first))
            && rest.take_while(|b| !blank(b)).any(|b| *b == b']')
    }

    /// Whether what is before an equals sign is a variable's name, and a program may still come.
    fn assigns(&self) -> bool {
        let Some(start) = self.word.filter(|_| !self.program_came) else { return false };
        let name = &self.command[start..self.at];
        let of_name = |b: &u8| b.is_ascii_alphanumeric() || *b == b'_';
        name.iter().all(of_name) && !name[0].is_ascii_digit()
    }

    /// Where the writing of it ends: operators may have two characters.
    fn end(&self, meaning: Meaning) -> usize {
        let two = |first: u8, second: Option<u8>| match second {
            Some(b'&' | b'|') => matches!(first, b'&' | b'|' | b'<' | b'>'),
            Some(b'<' | b'>') => matches!(first, b'<' | b'>'),
            _ => false,
        };
        let is_two = meaning == Meaning::Operator && two(self.command[self.at], self.next());
        self.at + 1 + usize::from(is_two)
    }
}

/// The quotation marks around a dollar sign.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Quoting {
    None,
    Double,
}

/// Whether a dollar sign before this byte means anything. Before others it is itself.
fn begins_value(next: Option<u8>, quoting: Quoting) -> bool {
    match next {
        Some(b'{' | b'(' | b'@' | b'*' | b'#' | b'?' | b'-' | b'$' | b'!' | b'_') => true,
        Some(b'\'' | b'"') => quoting == Quoting::None,
        next => next.is_some_and(|b| b.is_ascii_alphanumeric()),
    }
}

/// The length of what is behind an opening double quote, the closing one included; or where
/// something in it would be expanded.
fn double_quoted(rest: &[u8]) -> Result<usize, usize> {
    let mut at = 0;
    while let Some(&byte) = rest.get(at) {
        match byte {
            b'"' => return Ok(at + 1),
            b'\\' => at += 1,
            b'`' => return Err(at),
            b'$' if begins_value(rest.get(at + 1).copied(), Quoting::Double) => return Err(at),
            _ => {}
        }
        at += 1;
    }
    Ok(rest.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use etalon_core::random::Random;
    use etalon_core::shell::quoted;

    /// Would catch a word that is written in one way and read in another.
    #[test]
    fn a_quoted_word_is_one_word_and_itself() {
        let pool: Vec<char> =
            "a Z9\"'\\`$~#*?[]{}()<>|&;!=%\t\n\r\u{1b}é\u{301}हि\u{a0}\u{3000}\u{200d}\u{202e}👩-"
                .chars()
                .collect();
        let mut random = Random::new(11);
        for _ in 0..4000 {
            let length = random.below(8);
            let word: String = (0..length).map(|_| pool[random.below(pool.len())]).collect();
            let line = format!("x {} y", quoted(&word));
            let words = split(line.as_bytes()).unwrap();
            assert_eq!(words, [b"x".to_vec(), word.clone().into_bytes(), b"y".to_vec()], "{line}");
            assert_eq!(shell_syntax(line.as_bytes()), None, "{line}");
        }
    }

    fn words(command: &str) -> Vec<String> {
        let words = split(command.as_bytes()).unwrap();
        words.into_iter().map(|w| String::from_utf8(w).unwrap()).collect()
    }

    #[test]
    fn words_as_a_shell_splits_them() {
        assert_eq!(words(r#"a  'b c' "d \"e\"" f\ g"#), ["a", "b c", "d \"e\"", "f g"]);
        assert_eq!(words(r"a\\b '\n' x''y"), ["a\\b", "\\n", "xy"]);
        assert_eq!(words("''"), [""]);
        assert_eq!(words("$HOME `x` *"), ["$HOME", "`x`", "*"]);
        assert_eq!(words(" "), Vec::<String>::new());
    }

    #[test]
    fn what_does_not_close_is_an_error() {
        for bad in ["'", "a \"b", "a\\"] {
            assert_eq!(split(bad.as_bytes()), Err(Unclosed), "{bad}");
        }
    }

    #[test]
    fn bytes_that_are_not_text_survive() {
        assert_eq!(split(b"ls '\xff\xfe'").unwrap()[1], b"\xff\xfe");
    }

    #[test]
    fn what_a_shell_would_see_is_found_where_it_stands() {
        let found = |command: &str| {
            let ShellSyntax { meaning, text, character } = shell_syntax(command.as_bytes())?;
            Some((meaning, text, character))
        };
        let cases = [
            ("echo a > f", Meaning::Operator, ">", 8),
            ("a 2>&1", Meaning::Operator, ">&", 4),
            ("a|b", Meaning::Operator, "|", 2),
            ("a && b", Meaning::Operator, "&&", 3),
            ("a|| b", Meaning::Operator, "||", 2),
            ("true &", Meaning::Operator, "&", 6),
            ("a; b", Meaning::Operator, ";", 2),
            ("a << b", Meaning::Operator, "<<", 3),
            ("(a)", Meaning::Operator, "(", 1),
            ("find . )", Meaning::Operator, ")", 8),
            ("ä 'ö' >f", Meaning::Operator, ">", 7),
            ("a\nb", Meaning::LineBreak, "\n", 2),
            ("echo $HOME", Meaning::Value, "$", 6),
            ("echo ${x} $1", Meaning::Value, "$", 6),
            ("echo a$(b)", Meaning::Value, "$", 7),
            ("echo $'a'", Meaning::Value, "$", 6),
            ("echo `b`", Meaning::Value, "`", 6),
            ("echo 'a' \"b $HOME\"", Meaning::QuotedValue, "$", 13),
            ("echo \"`b`\"", Meaning::QuotedValue, "`", 7),
            ("echo \"\\\\$x\"", Meaning::QuotedValue, "$", 9),
            ("ls *.c", Meaning::Pattern, "*", 4),
            ("ls a?", Meaning::Pattern, "?", 5),
            ("ls [ab]c", Meaning::Pattern, "[", 4),
            ("~/bin/x", Meaning::Home, "~", 1),
            ("ls ~root", Meaning::Home, "~", 4),
            ("ls # all", Meaning::Comment, "#", 4),
            ("A=1 true", Meaning::Assignment, "A=", 1),
            (" _b2=x\\ y true", Meaning::Assignment, "_b2=", 2),
        ];
        for (command, meaning, text, character) in cases {
            assert_eq!(found(command), Some((meaning, text.to_owned(), character)), "{command}");
        }
    }

    #[test]
    fn what_means_nothing_to_a_shell_passes() {
        let quoted = [
            r"echo '$HOME `x` * > | ; & ~ # [a]'",
            r"echo \$HOME \> \* \~ \#",
            r#"echo "a > b; c | d & (e) * [f] ~ #""#,
            r#"echo "\$x \` costs 5$""#,
            "awk '{print $1}' file",
        ];
        let plain = [
            "gzip -1 -c a#b x~ a{1,2} {level} !x ^ % @ , : + -",
            "dd if=/dev/zero of=x",
            "env A=1 true",
            "1a=2 x",
            "'A'=1 x",
            "[ -f x ]",
            "grep foo$ x",
            "a []",
            "a [b c]",
            "  ls\n",
            "\nls",
            "ls \\\n -l",
            "",
            " ",
        ];
        for command in quoted.into_iter().chain(plain) {
            assert_eq!(shell_syntax(command.as_bytes()), None, "{command}");
        }
    }
}
