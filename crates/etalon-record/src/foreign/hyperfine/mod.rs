//! hyperfine's `--export-json`, schema 1 (up to 1.20) and 2 (from 2.0).
//!
//! Owns the format: `wire` is its fields, tolerant of what is missing or new, `results` turns one
//! result into a benchmark with rows, [`read_into`] walks the document, [`write()`] is the way back, in schema 1.
//! Refuses summaries as data: a mean over runs is no observation.

mod read;
mod results;
mod wire;
mod write;

pub use read::read_into;
pub use write::{holds, write};

/// Whether a JSON document that begins with this key (its quotes removed) can be an export.
pub(crate) fn is_first_key(key: &[u8]) -> bool {
    matches!(key, b"results" | b"schema_version" | b"metadata" | b"primary_metric")
}
