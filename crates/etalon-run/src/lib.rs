//! Executors: what turns a plan into a record. Whole commands, through the launcher of
//! `etalon-probe`; Lua suites ([`lua`]), through the workers of `etalon-lua`.
//!
//! Decides when enough has been measured and writes everything of a record but the observations,
//! which the launcher appends itself. Refuses to print, to read the environment and to analyse;
//! who is watching is told through [`Watcher`].

#![forbid(unsafe_code)]

mod batches;
mod command;
mod error;
mod execute;
mod experiment;
mod extras;
mod hooks;
mod looks;
pub mod lua;
mod record;
mod standing;
pub mod words;

pub use command::{CommandError, Wanted, resolve, resolve_hook};
pub use error::RunError;
pub use execute::{Damage, Finished, execute};
pub use experiment::{Around, Experiment, Format, Output, Progress, Resumed, Watcher};
pub use record::read;
