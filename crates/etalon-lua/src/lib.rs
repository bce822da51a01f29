//! Lua workers: processes that load a benchmark suite and time its cases when told to.
//!
//! Owns: the process above each worker (`supervisor`, and `surroundings` for the words to it and from it), the embedded
//! LuaJIT (`embedded`), other interpreters (`foreign`) and nginx (`nginx`), the driver and the module `measure`
//! (`lua/`), the protocol between etalon and a worker ([`protocol`]), and etalon's side of it ([`worker`]). Refuses: to
//! decide what is measured, how often and in which order (`etalon-run`), and to write records: it hands on the lines
//! workers speak. With `etalon-probe` and `etalon-lua-native` the only crates with `unsafe` code; every block says why
//! it is sound.
//!
//! A worker is a process of its own, because one function changes what a JIT compiler does with
//! the next one in the same state, and because a case that exits, crashes or never ends is then an
//! outcome of that case alone. How one is started is data ([`Host`]): the driver runs unchanged in
//! any Lua from 5.1 to 5.4.

mod embedded;
mod foreign;
pub mod host;
mod jit;
pub mod metrics;
mod nginx;
mod parts;
pub mod protocol;
mod script;
mod supervisor;
mod surroundings;
pub mod worker;

pub use host::{Host, Interpreter};
pub use jit::Jit;
pub use nginx::{Nginx, NginxError};
pub use protocol::{
    AbortLine, Answer, Case, CaseIdentity, Clock, Count, Failed, Finished, Load, Loaded,
    MetricLine, Once, Options, Place, Prepare, Prepared, Reading, Request, Runtime, Source, Stage,
    WorkerNote,
};
pub use script::{Script, execute};
pub use supervisor::run_if_asked;
pub use worker::{End, Limits, MemoryLimit, MemoryOrigin, Output, Worker, WorkerError, WorkerSpec};
