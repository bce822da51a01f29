//! Kinds of subjects: a file has commands, packages of Go among them, or suites.

use super::packages;
use crate::experiments::file::{File, Subject};
use crate::failure::Failure;
use crate::toml_text::Source;

/// The kind of subjects of a file.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Commands,
    Suites,
}

/// The kind of a file's subjects.
///
/// # Errors
/// If one is neither or both, if there are both, or a command has what only suites have.
pub(super) fn kind(source: Source<'_>, file: &File) -> Result<Kind, Failure> {
    let mut kinds = Vec::new();
    for placed in &file.subject {
        let Subject { command, suite, go, lua, jit, .. } = placed.get_ref();
        packages::check(source, placed.get_ref())?;
        kinds.push(match (command.as_ref().or(go.as_ref()), suite) {
            _ if let (Some(_), Some(go)) = (command, go) => {
                let why = "a subject is a `command` or a package of `go`: leave one of them out";
                return Err(source.at(go.span(), why));
            }
            (Some(_), None) => {
                if let Some(of_suites) = lua.as_ref().or(jit.as_ref()) {
                    let why = "is of suites: a command says what executes it, such as `etalon lua --jit off FILE`";
                    return Err(source.at(of_suites.span(), why));
                }
                Kind::Commands
            }
            (None, Some(_)) => Kind::Suites,
            (Some(_), Some(suite)) => {
                let why = "a subject is a command, a package of Go or a `suite`: leave one of them out";
                return Err(source.at(suite.span(), why));
            }
            (None, None) => {
                let why = "the subject has nothing to execute: write a `command`, a package of `go`, or a `suite` of Lua";
                return Err(source.at(placed.span(), why));
            }
        });
        if kinds.last() != kinds.first() {
            let why = "commands and suites in one file: a call cannot be compared with a process, so write two files";
            return Err(source.at(placed.span(), why));
        }
    }
    Ok(kinds.first().copied().unwrap_or(Kind::Commands))
}
