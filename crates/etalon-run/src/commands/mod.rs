//! Whole commands: executed, timed and recorded by the launcher of `etalon-probe`, which runs ahead over
//! batches of blocks.

pub(crate) mod counts;
mod executor;
mod extras;
mod hooks;
pub mod once;
pub mod origins;
mod requests;
mod resolve;
mod setup;
pub mod words;

pub use executor::Commands;
pub(crate) use hooks::Leftovers;
pub use hooks::{AroundAll, StageHooks};
pub(crate) use requests::{perform, set_up, wait_until_ready};
pub use resolve::{CommandError, CommandSpec, Resolver, resolve, resolve_hook, without_detours};
pub use setup::{CommandSetup, Failing};
