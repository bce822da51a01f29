//! Valgrind's Cachegrind, which counts the instructions that a program executes, function by function.
//!
//! Owns how it is found and called, and what its files say. It counts one process a file; what a process did before it
//! executes another program goes with its place, and a child that executes none begins with what its parent had counted.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use etalon_probe::launcher::installed;
use etalon_probe::untimed::{self, Program};
use etalon_record::entries::entries;

use crate::error::RunError;

/// The program.
const NAME: &str = "valgrind";
/// The beginnings of the names of its files, one of each a process.
const COUNTS: &str = "out.";
const LOG: &str = "log.";

/// A Valgrind that is installed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Valgrind {
    program: PathBuf,
    /// As it says itself: `valgrind-3.19.0`.
    pub version: String,
}

impl Valgrind {
    /// The one in `path`, the value of PATH.
    ///
    /// # Errors
    /// If there is none, or it does not say its version.
    pub fn find(
        path: Option<&OsStr>,
        interrupted: &mut dyn FnMut() -> bool,
    ) -> Result<Valgrind, RunError> {
        let lacking = |why: String| RunError::NoValgrind { why };
        let program =
            installed(OsStr::new(NAME), path).map_err(|error| lacking(error.to_string()))?;
        let asked = Program {
            program: program.as_os_str(),
            arguments: &["--version".into()],
            environment: &[],
            input: None,
            directory: Path::new("/"),
            inherits: None,
        };
        let said = untimed::execute(&asked, interrupted);
        let said = said.map_err(|error| lacking(error.to_string()))?;
        let said = said.filter(untimed::Executed::is_ok).map(|it| it.stdout);
        let version = String::from_utf8_lossy(&said.unwrap_or_default()).trim().to_owned();
        if version.is_empty() {
            return Err(lacking(format!("{} does not say its version", program.display())));
        }
        Ok(Valgrind { program, version })
    }

    /// The words in front of those that a program is called with, which has its children counted, too, with files in
    /// `room`. Settings that it would take from the user's files, or from those of the directory, are none of it.
    pub(super) fn words(&self, room: &Path) -> Vec<OsString> {
        let file = |option: &str, name: &str| {
            let mut text = OsString::from(option);
            for byte in room.join(name).as_os_str().as_bytes() {
                text.push(OsStr::from_bytes(if *byte == b'%' {
                    b"%%"
                } else {
                    std::slice::from_ref(byte)
                }));
            }
            text.push("%p");
            text
        };
        let fixed = [
            "--command-line-only=yes",
            "--tool=cachegrind",
            "--cache-sim=no",
            "--trace-children=yes",
            "--vgdb=no",
        ];
        let program = std::iter::once(self.program.clone().into_os_string());
        let files = [file("--log-file=", LOG), file("--cachegrind-out-file=", COUNTS), "--".into()];
        program.chain(fixed.map(OsString::from)).chain(files).collect()
    }
}

/// The instructions of all processes of an execution.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Count {
    /// All of them.
    pub(super) total: u64,
    /// Those of each function, without what it calls.
    pub(super) functions: BTreeMap<String, u64>,
}

/// The count that an execution has left; absent without one.
pub(super) fn read(room: &Path) -> io::Result<Option<Count>> {
    let mut count = Count::default();
    for path in files(room, COUNTS)? {
        count.add(&String::from_utf8_lossy(&fs::read(path)?));
    }
    Ok((count.total > 0).then_some(count))
}

/// Its own messages about an execution: what it cannot execute.
pub(super) fn said(room: &Path) -> Vec<String> {
    let logs = files(room, LOG).unwrap_or_default();
    let texts = logs.into_iter().filter_map(|path| fs::read(path).ok());
    let text: String = texts.map(|text| String::from_utf8_lossy(&text).into_owned()).collect();
    let own = text.lines().filter_map(|line| line.strip_prefix("valgrind: "));
    own.map(str::to_owned).collect()
}

/// A line without the mark that valgrind puts before its own: `==1234== Warning: …`.
pub(super) fn own(line: &str) -> &str {
    let marked = line.strip_prefix("==").and_then(|rest| rest.split_once("=="));
    let marked = marked.filter(|(pid, _)| pid.bytes().all(|byte| byte.is_ascii_digit()));
    marked.map_or(line, |(_, text)| text.trim_start())
}

/// Removes what an execution has left.
pub(super) fn clear(room: &Path) -> io::Result<()> {
    [LOG, COUNTS]
        .into_iter()
        .try_for_each(|name| files(room, name)?.into_iter().try_for_each(fs::remove_file))
}

fn files(room: &Path, prefix: &str) -> io::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in entries(room)? {
        let entry = entry?;
        if entry.file_name().as_bytes().starts_with(prefix.as_bytes()) {
            found.push(entry.path());
        }
    }
    Ok(found)
}

impl Count {
    /// Instructions that were executed more than in another execution.
    pub(crate) fn beyond(mut self, other: &Count) -> Count {
        self.total = self.total.saturating_sub(other.total);
        for (name, own) in &mut self.functions {
            *own = own.saturating_sub(other.functions.get(name).copied().unwrap_or(0));
        }
        self
    }

    /// Adds the file of a process: `fn=` names the function that the lines below it are of, each a line of its source
    /// and the instructions there; `summary:` has all of them.
    fn add(&mut self, file: &str) {
        let mut function = "";
        for line in file.lines() {
            if let Some(name) = line.strip_prefix("fn=") {
                function = name;
            } else if let Some(total) = line.strip_prefix("summary:") {
                self.total += total.trim().parse::<u64>().unwrap_or(0);
            } else if let Some((source, executed)) = line.split_once(' ')
                && source.parse::<u64>().is_ok()
            {
                let executed = executed.trim().parse::<u64>().unwrap_or(0);
                match self.functions.get_mut(function) {
                    Some(known) => *known += executed,
                    None => _ = self.functions.insert(function.to_owned(), executed),
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Would catch a process that is not counted, a total that is taken for a function, and lines of one function in two
    /// files that are not of it.
    #[test]
    fn files_of_all_processes_are_added() {
        let mut count = Count::default();
        count.add("desc: I1 cache: 1\ncmd: ./a 5\nevents: Ir\nfl=a.c\nfn=main\n3 10\n4 2\nfl=b.h\nfn=inner(int, a<b>)\n0 7\nfn=main\n9 1\nsummary: 20\n");
        count.add("cmd: ./b\nevents: Ir\nfl=a.c\nfn=main\n3 5\nsummary: 5\n");
        assert_eq!(count.total, 25);
        let expected = [("inner(int, a<b>)".to_owned(), 7), ("main".to_owned(), 18)];
        assert_eq!(count.functions, expected.into_iter().collect());
    }
}
