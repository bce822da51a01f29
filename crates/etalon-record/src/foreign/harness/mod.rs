//! Results of harnesses: programs that time benchmarks by themselves.
//!
//! Owns the one form of what they write (`results`), the table of their formats (`format`), a small
//! reader for each, and writers for services; results of a harness that is executed become lines of a record in
//! `live`. Refuses to touch files and to execute anything.

mod asv;
mod bencher;
mod cargo_criterion;
mod column;
mod criterion;
mod format;
mod github_action;
mod gnu_time;
mod google_benchmark;
mod import;
mod jmh;
pub mod live;
mod mitata;
mod nanobench;
mod openmetrics;
mod outline;
mod perf_stat;
mod pyperf;
mod pytest_benchmark;
pub mod results;
mod tinybench;
mod vitest;
mod wire;
mod write;

use etalon_core::dataset::{Dataset, RunSetId};

pub(super) use column::{size, time};
pub use format::HarnessFormat;
pub use openmetrics::write_openmetrics;
use results::{Refused, Results, Source};
pub use write::{holds, write_bencher, write_github_action};

use crate::inputs::Input;
use crate::raw::{ReadError, Strictness};

/// Reads a harness's results, for whoever executes it.
///
/// # Errors
/// If the file is not in that format from beginning to end.
pub fn read(format: HarnessFormat, source: &Source) -> Result<Results, ReadError> {
    let mut results = format.read(source).map_err(|Refused { part, line, reason }| {
        let path = source.parts.get(part).map_or("", |part| &part.path);
        ReadError::Harness { source: path.to_owned(), line, format: format.name(), reason }
    })?;
    results.leave_out_repeated();
    Ok(results)
}

/// Adds a harness's results to a dataset as its next run set; its index.
///
/// # Errors
/// As [`read`]; if nothing in it can be used, or, with [`Strictness::Strict`], something cannot.
pub(crate) fn read_into(
    data: &mut Dataset,
    format: HarnessFormat,
    source: &Source,
    (input, strictness): (&Input, Strictness),
) -> Result<RunSetId, ReadError> {
    import::import(data, read(format, source)?, (format.name(), input), strictness)
}
