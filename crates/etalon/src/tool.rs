//! This program as records know it: its name and version, where it was started, its environment, a seed, how fine its
//! clock is.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use etalon_core::random::Random;
use etalon_probe::clock::ClockFacts;
use etalon_record::Text;

use crate::failure::Failure;

/// The tool and its version, as records name it.
pub(crate) fn name() -> String {
    format!("etalon {}", env!("CARGO_PKG_VERSION"))
}

/// The directory that etalon was started in.
///
/// # Errors
/// If it is gone.
pub(crate) fn here() -> Result<PathBuf, Failure> {
    std::env::current_dir().map_err(|error| Failure::about("the current directory", error))
}

/// A seed nobody chose: from the clock and the process. It is recorded, so nothing is lost by it
/// being short enough to type.
pub(crate) fn new_seed() -> u64 {
    let now = etalon_run::now().as_nanosecond().unsigned_abs();
    let random = Random::new(u64::try_from(now & u128::from(u64::MAX)).unwrap_or_default());
    random.stream(std::process::id().into()).next_u64() % 1_000_000_000
}

/// Where Go has its temporary files while it builds: in a directory of etalon's, which goes with what an interrupt leaves in
/// it; nothing where the user has chosen another one.
pub(crate) fn temporary_of_go(room: &Path) -> Option<PathBuf> {
    std::env::var_os("GOTMPDIR").filter(|it| !it.is_empty()).is_none().then(|| room.to_owned())
}

/// The environment as `NAME=VALUE`.
pub(crate) fn assignments(environment: impl Iterator<Item = (OsString, OsString)>) -> Vec<Text> {
    let assignment = |(mut name, value): (OsString, OsString)| {
        name.push("=");
        name.push(value);
        Text::from(name)
    };
    environment.map(assignment).collect()
}

/// The clock's resolution in seconds.
#[allow(clippy::cast_precision_loss)] // some tens of ns
pub(crate) fn resolution(clock: Option<&ClockFacts>) -> Option<f64> {
    clock.map(|facts| facts.resolution_ns as f64 / 1e9)
}
