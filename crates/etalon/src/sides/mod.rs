//! Two sides of a project: their copies ([`copies`]), what these are compiled from and execute ([`origins`]), and what
//! records say of them.
//!
//! Refuses to know what is measured in the copies, and how it is compared.

mod builds;
pub(crate) mod copies;
pub(crate) mod origins;

use std::borrow::Cow;
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use etalon_core::dataset::{BUILD, Dataset, SIDE};
use etalon_core::model::{SaidBy, Sides};
use etalon_core::query::{Key, Order, Projection};
use etalon_run::sides::SidesError;

use crate::commands::scan;
use crate::failure::Failure;

/// Facts of a run of two sides.
pub(crate) mod facts {
    /// Its sides, the base first, for versions that do not know what the header says.
    pub(crate) const SIDES: &str = "sides";
    pub(crate) const BASE_ASKED: &str = "base.asked";
    pub(crate) const HEAD_ASKED: &str = "head.asked";
    pub(crate) const BASE_REVISION: &str = "base.revision";
    pub(crate) const HEAD_REVISION: &str = "head.revision";
    /// How often each side was built.
    pub(crate) const BUILDS: &str = "builds";
    pub(crate) const BUILD_COMMAND: &str = "build.command";
    /// How old builds from earlier are, and how many of how many.
    pub(crate) const BASE_AGE: &str = "base.build_age";
    pub(crate) const HEAD_AGE: &str = "head.build_age";
    /// All builds of now together.
    pub(crate) const BUILD_SECONDS: &str = "build.seconds";
    pub(crate) use etalon_run::origins::facts::{ASKED, IDENTICAL, READ, SEEN, UNTRACED};
}

/// How a run of commands or cases on two sides is told apart: a parameter of each says which it is of.
pub(crate) const OF_PARAMETERS: Sides = Sides { said_by: SaidBy::Parameter };

/// The sides of data that are one run of two.
pub(crate) fn of(data: &Dataset) -> Option<Sides> {
    match &data.run_sets[..] {
        [set] => set.sides,
        _ => None,
    }
}

/// The data with the builds of each side as one.
///
/// # Errors
/// If they cannot be joined.
pub(crate) fn joined(data: &Dataset) -> Result<Cow<'_, Dataset>, Failure> {
    Ok(match data.has_builds() {
        true => Cow::Owned(data.with_builds_joined().map_err(Failure::new)?),
        false => Cow::Borrowed(data),
    })
}

/// The sides as columns, the base first.
pub(crate) fn columns(sides: Sides) -> Projection {
    let order = Order::Fixed(Sides::ORDER.map(str::to_owned).to_vec());
    Projection::from_keys([(Key::from_word(sides.key()), order)])
}

/// Why two sides are not compared of which no execution failed.
pub(crate) const NOTHING: &str = "no block has a reading of every build of a side: there is nothing to compare; measure \
                                  again with a larger --budget, or with each side built once (--no-control)";

/// A copy of a side.
#[derive(Debug, Clone)]
pub(crate) struct Copy {
    /// [`etalon_core::dataset::BASE`] or `HEAD`.
    pub side: &'static str,
    /// Which of its builds, from 1; nothing where there is one.
    pub build: Option<usize>,
    /// Its top.
    pub root: PathBuf,
    /// Where commands are executed.
    pub directory: PathBuf,
    /// When an earlier etalon has built it.
    pub built: Option<SystemTime>,
}

impl Copy {
    /// Parameters that tell what is executed in it from the same in the other copies.
    pub(crate) fn params(&self) -> Vec<(String, String)> {
        let side = (SIDE.to_owned(), self.side.to_owned());
        let build = self.build.map(|build| (BUILD.to_owned(), build.to_string()));
        [Some(side), build].into_iter().flatten().collect()
    }
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
