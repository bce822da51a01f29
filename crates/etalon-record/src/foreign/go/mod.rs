//! The Go benchmark format: what `go test -bench` writes and benchstat reads.
//!
//! Read line by line into records ([`read_records`]), those into a dataset ([`read`], [`read_into`] for
//! one of several files); written from a dataset ([`fn@write`]).
//! The reference is golang.org/x/perf/benchfmt; where etalon differs (a 0 stays in its neighbours' unit,
//! what `go test` tore apart is put together, NaN is typed absent) `docs/format.md` says so. Refuses to
//! open files: [`crate::inputs`] says which there are.

mod detect;
mod ends;
mod escape;
pub(crate) mod events;
mod execution;
mod line;
mod live;
mod packages;
mod piece;
mod read;
mod record;
mod records;
mod side_facts;
mod status;
mod torn;
mod write;

pub use detect::recognise;
pub use execution::{Execution, is_without_results};
pub use line::Measurement;
pub use live::{Live, Seen};
pub use read::{read, read_into};
pub use record::{Continuity, Record, ResultLine};
pub use records::read_records;
pub use status::Status;
pub use write::{FactSelection, write, write_any};
