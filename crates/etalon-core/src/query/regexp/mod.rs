//! Regular expressions in Go's syntax (RE2), compiled by the `regex` crate.
//!
//! The two syntaxes agree on most of what people write. Where the same text would mean something
//! else (`\w` is ASCII in Go, `[[]` is a bracket, `{` may stand for itself, `\<` is no word
//! boundary) it is rewritten; what Go refuses is refused. Matching takes time linear in the text.
//!
//! Source: the documentation of Go's `regexp/syntax`, and its parser's behaviour; compared with it
//! in `tests/public/query`.

mod class;

use std::str::Chars;

use regex::Regex;

use super::error::one_line;

/// Go's limit for the counts of `{n,m}`.
const MAX_REPEAT: u32 = 1000;

/// Compiles a pattern.
///
/// # Errors
/// With the reason, in one line.
pub(super) fn compile(pattern: &str) -> Result<Regex, String> {
    let translated = Translator::new(pattern).translate().map_err(|why| one_line(&why))?;
    Regex::new(&translated).map_err(|error| one_line(&reason(&translated, &error)))
}

/// The regex crate draws its errors over several lines; the parser below it has the bare reason.
fn reason(translated: &str, error: &regex::Error) -> String {
    match (regex_syntax::parse(translated), error) {
        (Err(regex_syntax::Error::Parse(error)), _) => error.kind().to_string(),
        (Err(regex_syntax::Error::Translate(error)), _) => error.kind().to_string(),
        (_, regex::Error::CompiledTooBig(bytes)) => {
            format!("it compiles to more than {bytes} bytes")
        }
        (_, error) => error.to_string(),
    }
}

/// The kind of what was read last: repetitions do not repeat.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Last {
    Repetition,
    Other,
}

struct Translator<'p> {
    rest: Chars<'p>,
    out: String,
    /// Flag groups just read. In Go a repetition behind `(?i)` belongs to what stands before it.
    flags: String,
    last: Last,
}

impl<'p> Translator<'p> {
    fn new(pattern: &'p str) -> Translator<'p> {
        let out = String::with_capacity(pattern.len());
        Translator { rest: pattern.chars(), out, flags: String::new(), last: Last::Other }
    }

    fn translate(mut self) -> Result<String, String> {
        while let Some(c) = self.rest.next() {
            let before = std::mem::replace(&mut self.last, Last::Other);
            match c {
                '\\' => self.escape()?,
                '[' => self.class()?,
                '(' => self.group()?,
                '*' | '+' | '?' => self.repetition(&c.to_string(), before)?,
                '{' => match self.count()? {
                    Some(count) => self.repetition(&count, before)?,
                    None => self.character('{'),
                },
                '.' | '^' | '$' | '|' | ')' => self.write(c.encode_utf8(&mut [0; 4])),
                _ => self.character(c),
            }
        }
        self.write("");
        Ok(self.out)
    }

    /// Writes part of the translation that is not a repetition.
    fn write(&mut self, text: &str) {
        self.out.push_str(&std::mem::take(&mut self.flags));
        self.out.push_str(text);
    }

    /// Writes a character that stands for itself.
    fn character(&mut self, c: char) {
        self.write("");
        literal(&mut self.out, c);
    }

    /// Takes what is ahead if it is `text`.
    fn take(&mut self, text: &str) -> bool {
        match self.rest.as_str().strip_prefix(text) {
            Some(rest) => {
                self.rest = rest.chars();
                true
            }
            None => false,
        }
    }

    fn repetition(&mut self, operator: &str, before: Last) -> Result<(), String> {
        if before == Last::Repetition {
            return Err(format!("the repetition {operator} follows another one"));
        }
        // Behind flags it may follow another repetition after all; in braces it is never taken for
        // that one's `?`.
        self.out.push_str(match operator {
            "*" if !self.flags.is_empty() => "{0,}",
            "+" if !self.flags.is_empty() => "{1,}",
            "?" if !self.flags.is_empty() => "{0,1}",
            _ => operator,
        });
        if self.take("?") {
            self.out.push('?');
        }
        self.last = Last::Repetition;
        Ok(())
    }

    /// `{n}`, `{n,}` or `{n,m}` whose brace was just read; none if it is a plain brace.
    fn count(&mut self) -> Result<Option<String>, String> {
        let Some((inside, rest)) = self.rest.as_str().split_once('}') else { return Ok(None) };
        let (lo, hi) = inside.split_once(',').unwrap_or((inside, inside));
        let is_number = |text: &str| {
            text == "0" || (!text.starts_with('0') && text.chars().all(|c| c.is_ascii_digit()))
        };
        if lo.is_empty() || !is_number(lo) || !is_number(hi) {
            return Ok(None);
        }
        // Too long for u32 is too large as well.
        let number = |text: &str| text.parse().unwrap_or(u32::MAX);
        let (from, to) = (number(lo), if hi.is_empty() { number(lo) } else { number(hi) });
        if from > MAX_REPEAT || to > MAX_REPEAT || from > to {
            return Err(format!(
                "the repeat count {{{inside}}} is not in order or above {MAX_REPEAT}"
            ));
        }
        let count = format!("{{{inside}}}");
        self.rest = rest.chars();
        Ok(Some(count))
    }

    /// A group whose parenthesis was just read. Names mean nothing to a filter and go.
    fn group(&mut self) -> Result<(), String> {
        if !self.take("?") {
            self.write("(?:");
            return Ok(());
        }
        if self.take("P<") || self.take("<") {
            let (name, rest) = self.rest.as_str().split_once('>').unwrap_or_default();
            let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
            if name.is_empty() || !name.chars().all(is_word) {
                return Err("a group name is letters, digits and _ between < and >".to_owned());
            }
            self.rest = rest.chars();
            self.write("(?:");
            return Ok(());
        }
        let ahead = self.rest.as_str();
        let end = ahead.find([')', ':']).ok_or("a group's flags do not end")?;
        let (flags, close) = (&ahead[..end], &ahead[end..=end]);
        let (on, off) = flags.split_once('-').unwrap_or((flags, "i"));
        if off.is_empty() || !(on.chars().chain(off.chars())).all(|c| "imsU".contains(c)) {
            return Err(format!("(?{flags} is not one of Go's groups; flags are i, m, s and U"));
        }
        self.rest = ahead[end + 1..].chars();
        let group = format!("(?{}{close}", without_twice(flags));
        match (flags, close) {
            ("", ")") => {}
            (_, ")") => self.flags.push_str(&group),
            _ => self.write(&group),
        }
        Ok(())
    }

    /// An escape outside brackets whose backslash was just read.
    fn escape(&mut self) -> Result<(), String> {
        match self.rest.as_str().chars().next() {
            Some(c @ ('A' | 'z')) => {
                self.rest.next();
                self.write(&format!("\\{c}"));
            }
            Some(c @ ('b' | 'B')) => {
                self.rest.next();
                self.write(&format!("(?-u:\\{c})"));
            }
            Some('Q') => {
                self.rest.next();
                let ahead = self.rest.as_str();
                let (text, rest) = ahead.split_once("\\E").unwrap_or((ahead, ""));
                text.chars().for_each(|c| self.character(c));
                self.rest = rest.chars();
            }
            _ => match self.class_escape()? {
                Some(class) => self.write(&class),
                None => {
                    let c = self.escaped_character()?;
                    self.character(c);
                }
            },
        }
        Ok(())
    }

    /// The one character that an escape stands for; its backslash was just read.
    fn escaped_character(&mut self) -> Result<char, String> {
        let c = self.rest.next().ok_or("it ends in a backslash")?;
        let refused = || format!("there is no escape \\{c}");
        Ok(match c {
            'a' => '\u{7}',
            'f' => '\u{c}',
            'n' => '\n',
            'r' => '\r',
            't' => '\t',
            'v' => '\u{b}',
            'x' => self.hexadecimal().ok_or_else(refused)?,
            '0'..='7' => {
                let digits: String =
                    self.rest.as_str().chars().take(2).take_while(|c| c.is_digit(8)).collect();
                if c != '0' && digits.is_empty() {
                    return Err(refused());
                }
                self.rest = self.rest.as_str()[digits.len()..].chars();
                let number = u32::from_str_radix(&format!("{c}{digits}"), 8);
                number.ok().and_then(char::from_u32).ok_or_else(refused)?
            }
            c if c.is_ascii() && !c.is_ascii_alphanumeric() => c,
            _ => return Err(refused()),
        })
    }

    /// `7F` or `{10FFFF}`.
    fn hexadecimal(&mut self) -> Option<char> {
        let ahead = self.rest.as_str();
        let (digits, rest) = match ahead.strip_prefix('{') {
            Some(braced) => braced.split_once('}')?,
            None => (ahead.get(..2)?, &ahead[2..]),
        };
        let digits = Some(digits).filter(|d| d.chars().all(|c| c.is_ascii_hexdigit()))?;
        let number = u32::from_str_radix(digits, 16).ok()?;
        self.rest = rest.chars();
        char::from_u32(number)
    }
}

/// Writes a character that stands for itself, anywhere in a pattern.
fn literal(out: &mut String, c: char) {
    if c.is_ascii_alphanumeric() || !c.is_ascii() {
        out.push(c);
    } else {
        out.push_str(&format!("\\x{{{:X}}}", u32::from(c)));
    }
}

/// Flags as the regex crate takes them: each once, on either side of the minus (Go lets the last
/// one win).
fn without_twice(flags: &str) -> String {
    let (on, off) = flags.split_once('-').unwrap_or((flags, ""));
    let off: String = "imsU".chars().filter(|c| off.contains(*c)).collect();
    let on: String = "imsU".chars().filter(|c| on.contains(*c) && !off.contains(*c)).collect();
    if off.is_empty() { on } else { format!("{on}-{off}") }
}
