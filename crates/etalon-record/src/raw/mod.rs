//! The raw record: JSON Lines, one record a line, specified in `docs/format.md`.
//!
//! Owns the format's name and version and, below it, one file per line type that core does not
//! know ([`header`], [`benchmark`]), the writer ([`mod@write`]) and the reader ([`mod@read`]). Refuses to
//! touch files: the writer appends to a `Vec<u8>`, the reader takes any `BufRead`.

pub mod benchmark;
mod builder;
mod case;
mod cause;
mod copy;
mod dataset;
mod error;
pub mod header;
mod json;
mod node;
mod notes;
pub mod observation;
mod ordered;
mod piece;
mod plain;
pub mod read;
mod refused;
mod remark;
mod row;
mod service;
mod settings;
mod spelled;
mod tail;
mod told;
mod unfinished;
mod value;
mod wire;
pub mod write;

pub use copy::{CopyError, copy};
pub(crate) use dataset::lost;
pub use dataset::write_record;
pub use error::ReadError;
pub(crate) use error::os_reason;
pub use header::HeaderLine;
pub(crate) use json::json_reason;
pub(crate) use notes::{Remarks, clipped};
pub use observation::read_reading;
pub(crate) use read::{describe, parse_benchmark, parse_end, parse_header};
pub use read::{read, read_into};
pub(crate) use spelled::{UnitMetrics, WrittenNumber, number_as_written};
pub use tail::Tail;
pub use told::{ToldLine, read_told, renumbered};
pub use unfinished::{Event, Unfinished, read_unfinished};
pub(crate) use value::TOO_LARGE;
pub(crate) use wire::EndWire;

/// The format's name in a header.
pub(crate) const FORMAT: &str = "etalon";

/// The beginning of every record that etalon wrote.
pub(crate) const BEGINNING: &[u8] = br#"{"type":"header","format":"etalon","#;

/// The version written, and the highest one read. Additive changes keep it.
pub(crate) const VERSION: u32 = 1;

/// The longest line that is read, in bytes. Because: an observation takes some hundred bytes, a
/// header or benchmark at most what one `execve` takes (2 MiB of arguments, six times that when
/// written as `\u00XX`); a longer line is a damaged file, and memory has to stay bounded.
pub const LONGEST_LINE: u64 = 16 * 1024 * 1024;

/// The consequence of a bad line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Strictness {
    /// It is reported as a note, and reading goes on.
    Lenient,
    /// It ends reading with an error.
    Strict,
}
