//! Experiments: what turns a plan into a record. One experiment type ([`Experiment`]), one loop
//! ([`execute()`]), and what knows a kind of subject ([`Executor`]): whole commands ([`Commands`]), through the
//! launcher of `etalon-probe`; cases of Lua suites ([`lua`]), through the workers of `etalon-lua`;
//! benchmarks of Go packages ([`go`]), of two revisions of a project ([`sides`]) where that is asked for; any of them on other machines ([`nodes`]). Around
//! any of them, [`bisection`] searches commits, [`services`] are there from the first execution to the last; of commands that are harnesses, [`harness`] reads the
//! results.
//!
//! Decides when enough has been measured and writes everything of a record but the observations,
//! which executors append. Refuses to print, to read the environment and to analyse;
//! who is watching is told through [`Watcher`].

#![forbid(unsafe_code)]

pub mod bisection;
mod commands;
mod error;
mod execute;
mod executor;
mod experiment;
pub mod go;
pub mod harness;
mod looks;
pub mod lua;
mod monitor;
pub mod nodes;
mod record;
mod resume;
pub mod services;
pub mod sides;
mod state;
mod times;
mod today;
mod watch;

pub use commands::counts::{
    Count, CountSpec, Countable, Counted, Ended, Seeds, Task, Tool, Valgrind,
};
pub use commands::once::{self, CommandOutput};
pub use commands::origins::{self, Origins};
pub use commands::{
    AroundAll, CommandError, CommandSetup, CommandSpec, Commands, Failing, Resolver, StageHooks,
    resolve, resolve_hook, without_detours, words,
};
pub use error::{NodesError, OriginError, RunError};
pub use execute::execute;
pub use executor::{Batch, Executed, Executor, Flow, Stop};
pub use experiment::{Experiment, Format, Naming, Output, Resumed};
pub use monitor::Monitor;
pub use record::{Files, Records, read};
pub use state::{Damage, FailedSubject, Finished, Started};
pub use today::now;
pub use watch::{Progress, Watcher};
