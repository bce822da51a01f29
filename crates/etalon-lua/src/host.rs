//! Which Lua a worker is.

use std::path::PathBuf;

/// A Lua, as it is started.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Host {
    /// What reports call it.
    pub name: String,
    /// What is executed.
    pub interpreter: Interpreter,
    /// What its JIT compiler does.
    pub jit: Jit,
}

/// What a worker executes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Interpreter {
    /// The LuaJIT inside this binary.
    Embedded,
    /// Another program: an interpreter of Lua 5.1 to 5.4.
    Program(PathBuf),
}

/// What a JIT compiler does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Jit {
    /// What the host does by itself.
    #[default]
    AsItIs,
    /// Nothing, from the first instruction. Only a LuaJIT can be started like that.
    Off,
}

impl Host {
    /// The LuaJIT inside this binary.
    #[must_use]
    pub fn embedded() -> Host {
        Host { name: "embedded".to_owned(), interpreter: Interpreter::Embedded, jit: Jit::AsItIs }
    }
}
