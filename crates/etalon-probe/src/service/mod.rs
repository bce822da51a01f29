//! Services: programs that are there while something is measured, and never longer.
//!
//! Owns: starting a service, knowing when it has ended, stopping it with everything that it started, its log, and
//! asking whether it answers ([`Address`], [`Request`]). Refuses: to decide when that is done (`etalon-run`'s
//! `services`), and to take part in what is timed.
//!
//! Every service has a parent process of its own, the *guard*: this binary, re-executed ([`run_if_asked`], at the
//! beginning of `main`). The guard is a child subreaper, so that what a service leaves behind becomes its child, even
//! what has left the service's process group. It stops the service when etalon says so, and when etalon is gone,
//! by whatever death. Of several services the one that was started last is stopped first, then, too: a guard
//! holds the end of a pipe that the guard before it waits for.
//!
//! Where to go: messages are in `protocol`, etalon's side in `client`, the guard's own in `guard` with `children`.

mod children;
mod client;
mod guard;
mod log;
mod protocol;
mod ready;

pub use client::{Guard, GuardError, Line};
pub use guard::run_if_asked;
pub use log::Log;
pub use protocol::{Ended, Executed, Reply, Setup, Stopped};
pub use ready::{Address, AddressError, Request};
