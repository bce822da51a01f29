//! Lua suites: from files to a record.
//!
//! First every suite is loaded once to see what is in it ([`discover`]), which gives an experiment
//! ([`cases`], [`stages`]); then its blocks are executed ([`execute`]). In a block every case of a
//! stage has a fresh process; all are made ready, then they take turns. Refuses to print and to
//! know any Lua: what happens inside a process is the driver's business (`etalon-lua`).

mod block;
mod discover;
mod execute;
mod experiment;
mod lines;
mod listen;

pub use discover::{Broken, Suite, WantedSuite, discover};
pub use execute::execute;
pub use experiment::{
    DEFAULT_WARMUP, LuaCase, LuaExperiment, LuaStage, Overrides, broken, cases, empty_loop,
    expected_seconds, narrowest_target, stages,
};
pub use lines::printed_text;
