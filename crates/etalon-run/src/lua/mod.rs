//! Lua suites: from files to subjects, and their executor.
//!
//! First every suite is loaded once to see what is in it ([`discover()`]), which gives subjects ([`cases`],
//! [`stages`]); then the loop has their blocks executed ([`LuaCases`]). In a block every case of a
//! stage has a fresh process; all are made ready, then they take turns. Refuses to print and to
//! know any Lua: what happens inside a process is the driver's business (`etalon-lua`).

mod block;
mod cases;
mod counts;
mod discover;
mod executor;
mod failure;
mod hooks;
mod hosts;
mod lines;
mod listen;
mod script;
mod suite;
mod turns;
mod variant;

pub use cases::{
    LuaCase, Overrides, cases, empty_loop, expected_seconds, families, narrowest_target,
    not_loaded, rows, stages,
};
pub use discover::discover;
pub use executor::{CaseSetup, LuaCases};
pub use failure::CaseFailure;
pub use hooks::CaseHooks;
pub use hosts::ask;
pub use lines::printed_text;
pub use suite::{Discovery, Suite, SuiteSpec};
pub use turns::BLOCK_SHARE;
pub use variant::{Variant, program_of};
