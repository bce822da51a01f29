//! Which Lua a worker is.

use std::ffi::OsString;
use std::path::PathBuf;

/// A Lua: it finds its channel to etalon as standard input, adopts it with the native module, and
/// calls the driver.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Host {
    /// What reports call it.
    pub name: String,
    /// What is executed.
    pub interpreter: Interpreter,
}

/// What a worker executes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Interpreter {
    /// The LuaJIT inside this binary.
    Embedded,
    /// Another program.
    Program {
        /// Its path, or a name to be found in `PATH`.
        path: PathBuf,
        /// Its `argv[0]`.
        arg0: OsString,
        /// The arguments after that.
        args: Vec<OsString>,
    },
}

impl Host {
    /// The LuaJIT inside this binary.
    #[must_use]
    pub fn embedded() -> Host {
        Host { name: "embedded".to_owned(), interpreter: Interpreter::Embedded }
    }
}
