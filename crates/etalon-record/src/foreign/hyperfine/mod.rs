//! hyperfine's `--export-json`, schema 1 (up to 1.21) and 2 (from 2.0).
//!
//! Owns the format: `wire` is what may stand in it, tolerant of what is missing or new, `fields` its names for metrics,
//! `results` turns one result into a benchmark with rows, [`read_into`] walks the document, [`write()`] is the way back.
//! Refuses summaries as data: a mean over runs is no observation. Where it is all there is, it is a figure.

mod executions;
mod fields;
mod figures;
mod read;
mod results;
mod schema_1;
mod schema_2;
mod wire;
mod write;

pub use read::read_into;
pub use write::{Schema, holds, write};

/// Whether a JSON document that begins with this key (its quotes removed) can be an export.
pub(crate) fn is_first_key(key: &[u8]) -> bool {
    matches!(key, b"results" | b"schema_version" | b"metadata" | b"primary_metric")
}
