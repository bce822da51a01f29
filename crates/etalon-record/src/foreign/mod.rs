//! Formats of other harnesses, read and written.
//!
//! Owns one module per format, each with a reader (`read_into`: bytes become a run set of a dataset) and a writer
//! (`write`: a dataset becomes bytes, and notes on what the format cannot hold). `docs/format.md`,
//! "Foreign formats", specifies both. Refuses to touch files and to choose a format: that is
//! [`mod@crate::open`]'s.
//!
//! A foreign value is never changed: it is converted from its decimal text with one rounding, so that
//! data written here and read back have the same doubles. What cannot be used is reported with
//! file, place and reason, as in the raw record.

pub mod bestguess;
mod decimal;
pub(crate) mod decode;
pub mod go;
pub mod harness;
pub mod hyperfine;
mod import;
pub(crate) mod plain;
pub(crate) mod table;
mod wire;

pub use bestguess::{holds as bestguess_holds, write as write_bestguess};
pub use go::write_any as write_go;
pub use hyperfine::{Schema, holds as hyperfine_holds, write as write_hyperfine};
