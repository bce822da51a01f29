//! git, asked one thing after the other.
//!
//! Owns: that nothing is executed that the user's settings name, and what its failures mean.

use std::ffi::{OsStr, OsString};
use std::io;
use std::path::Path;

use etalon_probe::untimed::{self, Program};

use super::SidesError;

/// Nothing that the user's settings name is executed, or written to the user's index.
const UNTOUCHED: [&str; 5] =
    ["--no-optional-locks", "-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null"];

/// git.
pub(super) struct Git<'a> {
    pub(super) environment: Vec<(OsString, OsString)>,
    pub(super) interrupted: &'a mut dyn FnMut() -> bool,
}

impl Git<'_> {
    /// The commit that a revision is.
    pub(super) fn commit(
        &mut self,
        directory: &Path,
        revision: &str,
    ) -> Result<String, SidesError> {
        let named = format!("{revision}^{{commit}}");
        let words = ["rev-parse", "--verify", "--quiet", "--end-of-options", &named];
        match self.line(directory, &words) {
            Err(SidesError::Git { .. }) => {
                let shallow = self.line(directory, &["rev-parse", "--is-shallow-repository"]);
                let shallow = shallow.is_ok_and(|said| said == "true");
                Err(SidesError::NoRevision { revision: revision.to_owned(), shallow })
            }
            commit => commit,
        }
    }

    /// What it prints, without the end of its line.
    pub(super) fn line(&mut self, directory: &Path, words: &[&str]) -> Result<String, SidesError> {
        let printed = self.printed(directory, words)?;
        let printed = String::from_utf8_lossy(&printed);
        Ok(printed.strip_suffix('\n').unwrap_or(&printed).to_owned())
    }

    pub(super) fn printed(
        &mut self,
        directory: &Path,
        words: &[&str],
    ) -> Result<Vec<u8>, SidesError> {
        let arguments: Vec<OsString> = UNTOUCHED.iter().chain(words).map(Into::into).collect();
        let program = Program {
            program: OsStr::new("git"),
            arguments: &arguments,
            environment: &self.environment,
            input: None,
            directory,
            inherits: None,
        };
        let failed = |why: String| SidesError::Git { command: words.join(" "), why };
        let executed = match untimed::execute(&program, self.interrupted) {
            Ok(Some(executed)) => executed,
            Ok(None) => return Err(SidesError::Interrupted),
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Err(SidesError::NoGit),
            Err(error) => return Err(failed(error.to_string())),
        };
        if !executed.is_ok() {
            let said = String::from_utf8_lossy(&executed.stderr);
            let last = said.trim_end().lines().next_back().unwrap_or_default();
            return Err(failed(last.to_owned()));
        }
        Ok(executed.stdout)
    }
}
