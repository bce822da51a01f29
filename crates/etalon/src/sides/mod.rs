//! Two sides of a project, for any door ([`OnSides`]): their copies ([`copies`]) and builds, and what these are compiled
//! from and execute ([`origins`]).
//!
//! Refuses to know what is measured in the copies; what records say of them is [`crate::compare::sides`]'.

mod absent;
pub(crate) mod benches;
mod builds;
pub(crate) mod copies;
mod named;
mod nowhere;
mod on_sides;
pub(crate) mod origins;

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use etalon_core::model::{BUILD, SIDE};
use etalon_run::sides::SidesError;

use crate::commands::scan;
use crate::failure::Failure;
pub(crate) use absent::{leads_out, refuse_absent};
pub(crate) use builds::{Building, said};
pub(crate) use copies::{Build, SidesRequest, from_top, pairs};
pub(crate) use named::is_text;
pub(crate) use nowhere::refuse_nowhere;
pub(crate) use on_sides::{OnSides, around, pretended};

/// A copy of a side.
#[derive(Debug, Clone)]
pub(crate) struct Copy {
    /// [`etalon_core::model::BASE`] or `HEAD`.
    pub side: &'static str,
    /// Which of its builds, from 1; nothing where there is one.
    pub build: Option<usize>,
    /// Its top.
    pub root: PathBuf,
    /// Where commands are executed.
    pub directory: PathBuf,
    /// When an earlier etalon has built it.
    pub built: Option<SystemTime>,
    /// Whether what a build makes is not in it yet.
    pub is_to_be_built: bool,
}

impl Copy {
    /// A directory that is ready, as a side and one of its builds.
    fn in_directory((side, build): (&'static str, Option<usize>), directory: &Path) -> Copy {
        let (root, directory) = (directory.to_owned(), directory.to_owned());
        Copy { side, build, root, directory, built: None, is_to_be_built: false }
    }

    /// Parameters that tell what is executed in it from the same in the other copies.
    pub(crate) fn params(&self) -> Vec<(String, String)> {
        let side = (SIDE.to_owned(), self.side.to_owned());
        let build = self.build.map(|build| (BUILD.to_owned(), build.to_string()));
        [Some(side), build].into_iter().flatten().collect()
    }
}

/// Each of several things in every copy, then the next: the order of subjects, in which those of a thing follow each other.
pub(crate) fn in_each<'a, T>(
    things: &'a [T],
    copies: &'a [Copy],
) -> impl Iterator<Item = (&'a T, &'a Copy)> {
    things.iter().flat_map(|thing| copies.iter().map(move |copy| (thing, copy)))
}

/// Variables with the top of a copy for `{side}`.
pub(crate) fn variables(env: &[(OsString, OsString)], root: &Path) -> Vec<(OsString, OsString)> {
    let fill = |text: &OsString| OsString::from_vec(filled(text.as_bytes(), root));
    env.iter().map(|(name, value)| (fill(name), fill(value))).collect()
}

/// A text with the top of a copy for `{side}`.
pub(crate) fn filled(text: &[u8], root: &Path) -> Vec<u8> {
    scan::filled(text, SIDE, root.as_os_str().as_bytes())
}

/// A text for people.
fn shown_text(text: &OsStr) -> String {
    etalon_report::text::clean(&text.to_string_lossy())
}

/// Why there are no copies.
pub(crate) fn failure(error: SidesError) -> Failure {
    match error {
        SidesError::Interrupted => Failure::interrupted(error),
        error => Failure::new(error),
    }
}
