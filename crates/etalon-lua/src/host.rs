//! Which Lua a worker is.

use std::path::{Path, PathBuf};

use crate::jit::Jit;
use crate::nginx::Nginx;

/// A Lua, as it is started.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Host {
    /// Its name in reports.
    pub name: String,
    /// The interpreter.
    pub interpreter: Interpreter,
    /// The setting of its JIT compiler.
    pub jit: Jit,
    /// Variables of its environment that etalon's own does not have, or with other values.
    pub environment: Vec<(String, String)>,
}

/// The interpreter of a worker.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Interpreter {
    /// The LuaJIT inside this binary.
    #[default]
    Embedded,
    /// Another program: an interpreter of Lua 5.1 to 5.4.
    Program(PathBuf),
    /// An nginx with the Lua module, as OpenResty is one.
    Nginx(Nginx),
}

impl Interpreter {
    /// The program that is executed, if it is another one than this.
    #[must_use]
    pub fn program(&self) -> Option<&Path> {
        match self {
            Interpreter::Embedded => None,
            Interpreter::Program(path) => Some(path),
            Interpreter::Nginx(nginx) => Some(&nginx.program),
        }
    }

    /// The files that are executed besides this binary: the program, and what it is told to load.
    #[must_use]
    pub fn files(&self) -> Vec<&Path> {
        let modules = match self {
            Interpreter::Nginx(nginx) => &nginx.modules[..],
            Interpreter::Embedded | Interpreter::Program(_) => &[],
        };
        self.program().into_iter().chain(modules.iter().map(PathBuf::as_path)).collect()
    }
}

impl Host {
    /// One that is started as it is.
    #[must_use]
    pub fn new(name: &str, interpreter: Interpreter) -> Host {
        Host { name: name.to_owned(), interpreter, jit: Jit::AsItIs, environment: Vec::new() }
    }

    /// The LuaJIT inside this binary.
    #[must_use]
    pub fn embedded() -> Host {
        Host::new("embedded", Interpreter::Embedded)
    }
}
