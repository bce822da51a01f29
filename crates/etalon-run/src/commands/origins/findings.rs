//! Findings about commands on two sides: why these are not to be compared, or facts for the record.
//!
//! Refuses to find it out.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use etalon_core::model::Context;

use super::{Named, Pair};
use crate::error::{OriginError, RunError};
use crate::sides::origin::{Origin, Outside, Reading};

/// Files that a record names; others are counted.
const NAMED: usize = 3;

/// Facts of a record.
pub mod facts {
    /// That both sides execute the same bytes, as far as every file that was opened says, and every name, link and right.
    pub const IDENTICAL: &str = "sides.identical";
    /// How many files of their own the sides have read, and which of them differ.
    pub const READ: &str = "sides.read";
    /// How many names and directories of their own the sides have seen without opening them, and which of them differ:
    /// where some do, or nothing was opened.
    pub const SEEN: &str = "sides.seen";
    /// Sockets of other programs that were asked.
    pub const ASKED: &str = "sides.asked";
    /// Why it is not known which files are read.
    pub const UNTRACED: &str = "sides.untraced";
}

/// Why it is not known what a command reads, in words.
pub(super) enum Untraced {
    /// It cannot be traced here.
    Gap(String),
    /// It did not come to a good end, as it may not where it is measured.
    Ended(String),
}

impl Untraced {
    pub(super) fn not_executed() -> Untraced {
        Untraced::Ended("it was not executed".to_owned())
    }
}

/// Findings about all commands.
#[derive(Debug, Default)]
pub(super) struct Findings {
    reading: Reading,
    /// Names that were seen and differ.
    seen_to_differ: BTreeSet<PathBuf>,
    pub(super) peers: BTreeSet<String>,
    untraced: Option<String>,
    /// Commands of which nothing is found out.
    others: usize,
    /// Whether names, links or rights of files differ, which commands see without opening one.
    pub(super) are_named_otherwise: bool,
}

impl Findings {
    /// Nothing yet; so many commands are not looked at.
    pub(super) fn beside(others: usize) -> Findings {
        Findings { others, ..Findings::default() }
    }

    /// Adds that a command could not be traced. Where that will stay so, what its words name decides.
    pub(super) fn lack(&mut self, untraced: Untraced, pair: &Pair) -> Result<(), RunError> {
        let why = match untraced {
            Untraced::Gap(why) => {
                refuse_named(pair)?;
                why
            }
            Untraced::Ended(why) => why,
        };
        self.untraced.get_or_insert(format!("{}: {why}", pair.name));
        Ok(())
    }

    /// Adds where the files of something come from; `program` is what is executed, `look_alike` says whether a name is
    /// the same on both sides to whoever does not open it.
    pub(super) fn add(
        &mut self,
        found: Origin,
        name: &str,
        program: &str,
        look_alike: impl Fn(&Path) -> bool,
    ) -> Result<(), OriginError> {
        let command = name.to_owned();
        match found {
            Origin::Elsewhere { side, own, instead } => Err(OriginError::Elsewhere {
                command,
                side,
                own: own.display().to_string(),
                instead: instead.display().to_string(),
            }),
            Origin::Nowhere { side } => {
                Err(OriginError::Nowhere { command, side: Some(side), program: program.to_owned() })
            }
            Origin::Own(Reading { files, differing, seen, outside }) => {
                self.seen_to_differ.extend(seen.iter().filter(|it| !look_alike(it)).cloned());
                self.reading.seen.extend(seen);
                self.reading.files.extend(files);
                self.reading.differing.extend(differing);
                if outside == Outside::Other {
                    self.reading.outside = outside;
                }
                Ok(())
            }
        }
    }

    /// Facts for the record.
    pub(super) fn facts(&self) -> Context {
        let Findings { reading, seen_to_differ, peers, untraced, others, are_named_otherwise } =
            self;
        let Reading { files, differing, seen, outside } = reading;
        let mut facts = Context::new();
        let mut say = |key: &str, value: String| drop(facts.insert(key.to_owned(), value));
        if let Some(why) = untraced {
            say(facts::UNTRACED, why.clone());
        }
        if !files.is_empty() {
            say(facts::READ, told(files, "read", differing));
        }
        if !seen.is_empty() && (files.is_empty() || !seen_to_differ.is_empty()) {
            say(facts::SEEN, told(seen, "seen", seen_to_differ));
        }
        let is_traced = untraced.is_none() && *others == 0 && peers.is_empty();
        let is_all = is_traced && *outside == Outside::Same && !are_named_otherwise;
        let differs = !differing.is_empty() || !seen_to_differ.is_empty();
        if is_all && !differs && !(files.is_empty() && seen.is_empty()) {
            say(facts::IDENTICAL, "yes".to_owned());
        }
        if !peers.is_empty() {
            let named: Vec<&str> = peers.iter().take(NAMED).map(String::as_str).collect();
            say(facts::ASKED, named.join(", "));
        }
        facts
    }
}

/// How many there are and differ, with the first of these.
fn told(all: &BTreeSet<PathBuf>, how: &str, differing: &BTreeSet<PathBuf>) -> String {
    let name = |path: &PathBuf| match path.as_os_str().is_empty() {
        true => ".".to_owned(),
        false => path.display().to_string(),
    };
    let named: Vec<String> = differing.iter().take(NAMED).map(name).collect();
    let named = if named.is_empty() { String::new() } else { format!(": {}", named.join(", ")) };
    format!("{} {how}, {} differ{named}", all.len(), differing.len())
}

/// Refuses a command that names nothing of a side, where nothing more is known of it.
fn refuse_named(pair: &Pair) -> Result<(), RunError> {
    match &pair.named {
        Named::Own => Ok(()),
        Named::Outside(program) => Err(RunError::Origin(OriginError::Nowhere {
            command: pair.name.clone(),
            side: None,
            program: program.display().to_string(),
        })),
    }
}
