//! How a worker is started.

use std::ffi::OsString;
use std::path::PathBuf;

use crate::embedded::MARKER;

/// A program that becomes a worker: it finds its channel to etalon as standard input, adopts it
/// with the native module, and calls the driver.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Host {
    /// What reports call it.
    pub name: String,
    /// The program.
    pub program: PathBuf,
    /// Its `argv[0]`.
    pub arg0: OsString,
    /// The arguments after that.
    pub args: Vec<OsString>,
}

impl Host {
    /// The LuaJIT inside this binary, which has to call [`crate::run_if_asked`] first thing in
    /// `main`.
    #[must_use]
    pub fn embedded() -> Host {
        Host {
            name: "embedded".to_owned(),
            // Valid even if the file is replaced meanwhile.
            program: PathBuf::from("/proc/self/exe"),
            arg0: OsString::from(MARKER),
            args: Vec::new(),
        }
    }
}
