//! The launcher: a small process that starts the measured programs and records what they cost.
//!
//! Owns: everything from etalon's request to execute some blocks to the line in the record.
//! Refuses: deciding what to execute and when enough is measured (`etalon-run`), and anything that
//! would make it large or stand between a program and its clock.
//!
//! Why a process of its own: a program's peak resident size starts at that of the process that
//! started it, with every way of starting one. So etalon, which may grow to any size, splits the
//! launcher off while it is small itself ([`Launcher::split_off`]), or re-executes itself once
//! ([`run_if_asked`], first thing in `main`), and hands whole blocks over; the launcher
//! runs ahead, appends each observation itself and answers once per batch.
//!
//! Where to go: messages are in [`protocol`], etalon's side in [`client`]; the launcher's own is `serve` → `batch` (a
//! block) → `execute` (one execution) → `spawn` (clone and wait), with `keeper` (whose hooks are, and what they leave),
//! `signals` (timeout, stop), `orphans`, `streams`, `drain`, `terminal`, `outputs`, `exited` and `release` around it;
//! `control` comes before everything, and `available` finds out what of the `extras` that are asked for (`counters`,
//! `cgroup`) is there and what it costs.

mod available;
mod batch;
mod cgroup;
pub mod client;
pub mod control;
mod counters;
mod drain;
mod execute;
mod execution;
mod exited;
mod extras;
mod keeper;
pub mod metrics;
pub mod orphans;
mod outputs;
mod overseer;
mod parent;
mod printed;
pub mod protocol;
mod release;
pub mod resolve;
pub(crate) mod serve;
pub(crate) mod signals;
pub(crate) mod spawn;
mod streams;
mod terminal;
pub(crate) mod wire;

pub use client::{
    Destination, Finished, Launcher, LauncherError, Lines, Second, awake_ns, paused_ns,
};
pub use counters::counts_instructions;
pub use metrics::metrics;
pub use resolve::{ResolveError, installed, resolve};
pub use serve::run_if_asked;
