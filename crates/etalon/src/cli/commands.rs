//! From the command line and command files to declared commands: text and name.
//!
//! One rule for both: a name after a command names it; if a name comes before the first command,
//! names name the commands in order. Splitting a command into words is `etalon-run`'s business.

use std::ffi::OsString;
use std::os::unix::ffi::{OsStrExt, OsStringExt};

use clap::ArgMatches;
use etalon_core::dataset::{numbers, with_number};
use etalon_report::text::{clean, named};

/// A command as declared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct DeclaredCommand {
    /// What is executed, as typed.
    pub text: Vec<u8>,
    /// Its display name, if it was given one.
    pub name: Option<String>,
    /// File and line it is from, if it is not from the command line; for messages.
    pub place: Option<String>,
}

impl DeclaredCommand {
    /// What it is shown as.
    pub(crate) fn shown_name(&self) -> String {
        shown_name(self.name.as_ref(), &self.text)
    }
}

/// A command's name, or else its text.
pub(crate) fn shown_name(name: Option<&String>, text: &[u8]) -> String {
    name.cloned().unwrap_or_else(|| shown(text))
}

/// One item of a command list, in order.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Item {
    Command {
        text: Vec<u8>,
        place: Option<String>,
    },
    Name {
        name: String,
        /// Its line in a file, from 1.
        line: Option<usize>,
    },
}

/// Why a list of commands cannot be taken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum ListError {
    /// A command was given two names.
    NamedTwice {
        /// The second name.
        name: String,
        /// Its line, from 1, in a file.
        line: Option<usize>,
        /// The first name.
        before: String,
        /// The command.
        command: String,
    },
    /// More names than commands.
    NoCommandFor {
        /// The name left over.
        name: String,
        /// Its line, from 1, in a file.
        line: Option<usize>,
        /// How many commands there are.
        commands: usize,
    },
    /// A `-n` line that names nothing, or more than one word.
    BadNameLine {
        /// The line's number, from 1.
        line: usize,
    },
}

impl ListError {
    /// The mistake and its remedy.
    pub(crate) fn message(&self) -> String {
        match self {
            ListError::NamedTwice { name, line, before, command } => format!(
                "{}-n {} names `{}`, which has a name already, {}: give each command one",
                place(*line),
                named(name),
                clean(command),
                named(before)
            ),
            ListError::NoCommandFor { name, line, commands } => {
                let where_looked =
                    if line.is_some() { "in the file" } else { "on the command line" };
                let line = place(*line);
                let why = match commands {
                    0 => format!("there is none {where_looked}"),
                    n => format!(
                        "there are more names than commands ({n}), which names before the first one name in order"
                    ),
                };
                format!("{line}-n {} names no command: {why}", named(name))
            }
            ListError::BadNameLine { line } => {
                format!("line {line}: write -n \"name\", one name in quotes")
            }
        }
    }
}

fn place(line: Option<usize>) -> String {
    line.map_or_else(String::new, |line| format!("line {line}: "))
}

/// The message about a file of commands that has none, and what it takes.
pub(crate) const EMPTY: &str = "there is no command in it: a line is a command, such as `ls -l`; a line -n \"name\" \
                                names the one above it";

/// Commands of the command line with their names, in order.
pub(crate) fn from_arguments(
    matches: &ArgMatches,
    commands: &[OsString],
    names: &[String],
) -> Result<Vec<DeclaredCommand>, ListError> {
    let at = |id: &str| matches.indices_of(id).map(Iterator::collect).unwrap_or_default();
    let (command_at, name_at): (Vec<usize>, Vec<usize>) = (at("commands"), at("names"));
    let typed = |text: &OsString| Item::Command { text: text.as_bytes().to_vec(), place: None };
    let commands = commands.iter().zip(command_at).map(|(text, at)| (at, typed(text)));
    let names = names
        .iter()
        .zip(name_at)
        .map(|(name, at)| (at, Item::Name { name: name.clone(), line: None }));
    let mut items: Vec<(usize, Item)> = commands.chain(names).collect();
    items.sort_by_key(|(at, _)| *at);
    declare(items.into_iter().map(|(_, item)| item).collect())
}

/// Commands of a file: one a line, `#` comments and blank lines skipped, `-n "name"` lines.
/// A line `""` is the empty command. The last line counts with or without a newline.
pub(crate) fn from_file(content: &[u8], file: &str) -> Result<Vec<DeclaredCommand>, ListError> {
    let mut items = Vec::new();
    let listed = |text: &[u8], number| {
        let place = Some(format!("{file}, line {}", number + 1));
        Item::Command { text: text.to_vec(), place }
    };
    for (number, line) in content.split(|b| *b == b'\n').enumerate() {
        let line = line.strip_suffix(b"\r").unwrap_or(line).trim_ascii();
        if line.is_empty() || line.starts_with(b"#") {
            continue;
        }
        items.push(match name_line(line) {
            Some(words) => match words.as_deref() {
                Some([name]) => Item::Name {
                    name: String::from_utf8_lossy(name).into_owned(),
                    line: Some(number + 1),
                },
                _ => return Err(ListError::BadNameLine { line: number + 1 }),
            },
            None if matches!(line, b"\"\"" | b"''") => listed(b"", number),
            None => listed(line, number),
        });
    }
    declare(items)
}

/// If the line is a `-n` line: the words after it, or nothing if its quotes do not close.
#[allow(clippy::option_option)] // not a name line / a broken one
fn name_line(line: &[u8]) -> Option<Option<Vec<Vec<u8>>>> {
    let rest = line.strip_prefix(b"--name").or_else(|| line.strip_prefix(b"-n"))?;
    let rest = match rest.first() {
        None => rest,
        Some(b' ' | b'\t' | b'=') => &rest[1..],
        Some(b'"' | b'\'') => rest,
        Some(_) => return None,
    };
    Some(etalon_run::words::split(rest).ok())
}

/// Names that begin before the first command name the commands in order; otherwise each names the
/// command before it.
fn declare(items: Vec<Item>) -> Result<Vec<DeclaredCommand>, ListError> {
    let in_order = matches!(items.first(), Some(Item::Name { .. }));
    let mut declared: Vec<DeclaredCommand> = Vec::new();
    let mut names = Vec::new();
    for item in items {
        match (item, declared.last_mut()) {
            (Item::Command { text, place }, _) => {
                declared.push(DeclaredCommand { text, name: None, place });
            }
            (Item::Name { name, line }, Some(last)) if !in_order => {
                if let Some(before) = last.name.take() {
                    let command = shown(&last.text);
                    return Err(ListError::NamedTwice { name, line, before, command });
                }
                last.name = Some(name);
            }
            (Item::Name { name, line }, _) => names.push((name, line)),
        }
    }
    let commands = declared.len();
    for (place, (name, line)) in names.into_iter().enumerate() {
        match declared.get_mut(place) {
            Some(command) => command.name = Some(name),
            None => return Err(ListError::NoCommandFor { name, line, commands }),
        }
    }
    Ok(declared)
}

/// Numbers commands that are called the same, from the second: reports and later runs name them by it.
pub(crate) fn tell_apart(declared: &mut [DeclaredCommand]) {
    let names: Vec<String> = declared.iter().map(DeclaredCommand::shown_name).collect();
    let numbers = numbers(&names, |name, number| with_number(name, number));
    for (command, number) in declared.iter_mut().zip(numbers) {
        if let Some(number) = number {
            command.name = Some(with_number(&command.shown_name(), number));
        }
    }
}

/// The declared text for display and for errors.
pub(crate) fn shown(text: &[u8]) -> String {
    OsString::from_vec(text.to_vec()).to_string_lossy().into_owned()
}

/// The words of a command line as one command, each as it has to be written to be that word.
pub(crate) fn joined(words: &[OsString]) -> Vec<u8> {
    let quoted = words.iter().map(|word| {
        let plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"-_./:=@%+,{}".contains(byte);
        let bytes = word.as_bytes();
        if !bytes.is_empty() && bytes.iter().all(plain) {
            return bytes.to_vec();
        }
        let mut text = vec![b'\''];
        for byte in bytes {
            match byte {
                b'\'' => text.extend_from_slice(br"'\''"),
                byte => text.push(*byte),
            }
        }
        text.push(b'\'');
        text
    });
    let all: Vec<Vec<u8>> = quoted.collect();
    OsString::from_vec(all.join(&b' ')).into_vec()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pairs(content: &str) -> Vec<(String, Option<String>)> {
        let declared = from_file(content.as_bytes(), "list").unwrap();
        declared.into_iter().map(|d| (shown(&d.text), d.name)).collect()
    }

    #[test]
    fn a_file_reads_like_the_command_line() {
        let content =
            "# sizes\n\nls -l\r\n-n \"long listing\"\n  ls -n x\n\"\"\n-n empty\nls \"a b\"";
        assert_eq!(
            pairs(content),
            [
                ("ls -l".into(), Some("long listing".into())),
                ("ls -n x".into(), None),
                (String::new(), Some("empty".into())),
                ("ls \"a b\"".into(), None)
            ]
        );
        assert_eq!(
            pairs("-n one\n-n two\na\nb\nc"),
            [
                ("a".into(), Some("one".into())),
                ("b".into(), Some("two".into())),
                ("c".into(), None)
            ]
        );
    }

    #[test]
    fn a_name_before_each_command_works_too() {
        // As users of hyperfine write it.
        let named = [("a".into(), Some("one".into())), ("b".into(), Some("two".into()))];
        assert_eq!(pairs("-n one\na\n-n two\nb"), named);
    }

    #[test]
    fn commands_of_one_name_are_numbered() {
        let names = |content: &str| -> Vec<String> {
            let mut declared = from_file(content.as_bytes(), "list").unwrap();
            tell_apart(&mut declared);
            declared.iter().map(DeclaredCommand::shown_name).collect()
        };
        assert_eq!(names("a\na\nb\na"), ["a", "a (2)", "b", "a (3)"]);
        assert_eq!(names("a\n-n x\nb\n-n x"), ["x", "x (2)"]);
        // A name that somebody gave stays.
        assert_eq!(names("a\na\nb\n-n \"a (2)\""), ["a", "a (3)", "a (2)"]);
    }

    #[test]
    fn misuse_is_named() {
        let error = |content: &str| from_file(content.as_bytes(), "list").unwrap_err();
        let said = |content: &str| error(content).message();
        assert_eq!(
            said("a 1\n-n x\n-n y"),
            "line 3: -n \"y\" names `a 1`, which has a name already, \"x\": give each command one"
        );
        assert_eq!(
            error("-n x\n\n-n y\na"),
            ListError::NoCommandFor { name: "y".into(), line: Some(3), commands: 1 }
        );
        assert!(
            said("-n x\n-n y\na").starts_with("line 2: -n \"y\" names no command: there are more")
        );
        assert_eq!(said("-n x"), "line 1: -n \"x\" names no command: there is none in the file");
        assert_eq!(error("a\n-n \"open"), ListError::BadNameLine { line: 2 });
        assert_eq!(error("a\n-n"), ListError::BadNameLine { line: 2 });
        assert_eq!(error("a\n-n x y"), ListError::BadNameLine { line: 2 });
    }

    #[test]
    fn a_command_that_only_starts_like_a_name_line_is_a_command() {
        assert_eq!(pairs("-nice"), [("-nice".into(), None)]);
    }
}
