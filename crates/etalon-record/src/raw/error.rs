//! Why a source could not be read at all.
//!
//! Owns the wording: every error names the source, what was found there and what to do. Refuses
//! what does not stop reading: those are notes on the run set.

use std::io;
use std::path::Path;

use etalon_core::dataset::Full;

use super::VERSION;

/// Why a source could not be read.
// `r#source` is the name of what was read; a plain `source` would be an error beneath this one.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ReadError {
    /// The file could not be opened.
    #[error("cannot open {source}: {why}")]
    Open {
        /// The file or stream that was read, as the user named it.
        r#source: String,
        /// The operating system's reason.
        why: String,
    },
    /// The source is a directory.
    #[error("{source} is a directory; name the files in it")]
    Directory {
        /// The file or stream that was read, as the user named it.
        r#source: String,
    },
    /// Reading failed on the way.
    #[error("{source}:{line}: reading failed: {why}")]
    Io {
        /// The file or stream that was read, as the user named it.
        r#source: String,
        /// The line being read, counted from 1.
        line: u64,
        /// The operating system's reason.
        why: String,
    },
    /// There is nothing in it.
    #[error("{source} is empty; a record has a header at least, so nothing was saved there")]
    Empty {
        /// The file or stream that was read, as the user named it.
        r#source: String,
    },
    /// It is in no format etalon reads.
    #[error(
        "{source} is not an etalon record, nor a raw CSV of BestGuess, a JSON export of \
         hyperfine, Go's benchmarks or results of a harness that etalon reads: {found}; give a file that `etalon` or `bestguess` \
         wrote with -o, `hyperfine` with --export-json or `go test -bench` printed, or a \
         saved run such as @last; --from says what a file is that does not begin like one"
    )]
    NotARecord {
        /// The file or stream that was read, as the user named it.
        r#source: String,
        /// A description of its beginning.
        found: String,
    },
    /// Text in UTF-16 that does not say so.
    #[error(
        "{source} is {encoding} without a byte order mark, by which it would be read as such: convert it first, \
         `iconv -f {encoding} -t UTF-8`, or write it again as UTF-8"
    )]
    Utf16 {
        /// The file or stream that was read, as the user named it.
        r#source: String,
        /// Its name for `iconv`.
        encoding: &'static str,
    },
    /// Its only line is a part of a header.
    #[error(
        "{source} ends within its header: it was interrupted before anything was \
         measured, and can be deleted"
    )]
    TornHeader {
        /// The file or stream that was read, as the user named it.
        r#source: String,
    },
    /// The header lacks what a header must have.
    #[error(
        "{source}:1: the header cannot be used: {reason}; docs/format.md says what a \
         header holds"
    )]
    Header {
        /// The file or stream that was read, as the user named it.
        r#source: String,
        /// The complaint about it.
        reason: String,
    },
    /// A newer version of the format.
    #[error(
        "{source} has format version {version} and this etalon reads up to {VERSION}; \
         read it with the etalon that wrote it (its header names it) or a later one"
    )]
    TooNew {
        /// The file or stream that was read, as the user named it.
        r#source: String,
        /// The version of the format that it says it has.
        version: u64,
    },
    /// Several records in one file.
    #[error(
        "{source}:{line}: a second header; a file holds one record, so split it here \
         and give the files one by one"
    )]
    SecondHeader {
        /// The file or stream that was read, as the user named it.
        r#source: String,
        /// Where the second one starts, counted from 1.
        line: u64,
    },
    /// A block that two nodes claim: whom its readings may be compared with is not known.
    #[error(
        "{source}:{line}: block {block} is of node `{second}`, and of node `{first}` before: blocks are numbered over all \
         nodes; records of several machines are given one by one, not as one file"
    )]
    BlockOfTwo {
        /// The file or stream that was read, as the user named it.
        r#source: String,
        /// Where it is claimed again, counted from 1.
        line: u64,
        /// Its number.
        block: u32,
        /// The name of the node that it was of before.
        first: String,
        /// The name of the node that claims it.
        second: String,
    },
    /// A bundle that is not as it was written.
    #[error(
        "{source}: not the bundle that was written: {reason}; ask for the file again, or write it \
         again with `etalon runs bundle`"
    )]
    Bundle {
        /// The file or stream that was read, as the user named it.
        r#source: String,
        /// The complaint about it.
        reason: String,
    },
    /// The columns of a CSV file are not those of a raw file.
    #[error(
        "{source}:1: {reason}; docs/format.md, \"Foreign formats\", lists the columns of \
         BestGuess's raw files"
    )]
    Columns {
        /// The file or stream that was read, as the user named it.
        r#source: String,
        /// The complaint about them.
        reason: String,
    },
    /// JSON of another tool that breaks off or holds something else.
    #[error("{source}:{line}: {reason}; write the file again with `hyperfine --export-json`")]
    Json {
        /// The file or stream that was read, as the user named it.
        r#source: String,
        /// Where, counted from 1.
        line: u64,
        /// The complaint.
        reason: String,
    },
    /// Results of a harness that break off or hold something else.
    #[error(
        "{source}:{line}: {reason}; read as results of {format}: write the file again with that, or say with --from \
         what it is"
    )]
    Harness {
        /// The file or stream that was read, as the user named it.
        r#source: String,
        /// Where, counted from 1.
        line: u64,
        /// The format, by its name for `--from`.
        format: &'static str,
        /// The complaint.
        reason: String,
    },
    /// A file that is larger than what is read at once.
    #[error(
        "{source} has more than {limit} bytes, and its format has to be read at once: split it"
    )]
    TooLarge {
        /// The file or stream that was read, as the user named it.
        r#source: String,
        /// The most that is read.
        limit: u64,
    },
    /// Text in which no benchmark has a result.
    #[error("{source} has no benchmark result: {why}; give what `go test -bench` printed")]
    NoResults {
        /// The file or stream that was read, as the user named it.
        r#source: String,
        /// The thing that is there instead.
        why: String,
    },
    /// Not one execution of it can be used.
    #[error("{source}: nothing in it can be used: {why}")]
    NothingUsable {
        /// The file or stream that was read, as the user named it.
        r#source: String,
        /// The first lines that cannot, and why.
        why: String,
    },
    /// Rows of a batch come back where rows of others stand together.
    #[error(
        "{source}:{line}: rows of batch {batch} come back after those of others: two files \
         put together? Split it here and give the files one by one"
    )]
    BatchAgain {
        /// The file or stream that was read, as the user named it.
        r#source: String,
        /// Where, counted from 1.
        line: u64,
        /// The number that is used again.
        batch: u64,
    },
    /// A part of a foreign file that cannot be used, where that was declared fatal.
    #[error("{source}: {part}: {reason}; without --strict that is noted")]
    BadPart {
        /// The file or stream that was read, as the user named it.
        r#source: String,
        /// Which part, such as `result 2, run 5`.
        part: String,
        /// The complaint about it.
        reason: String,
    },
    /// A plain table that cannot be used.
    #[error("{source}:{line}: {reason}")]
    Table {
        /// The file or stream that was read, as the user named it.
        r#source: String,
        /// The line, counted from 1.
        line: u64,
        /// The complaint about it, and the remedy.
        reason: String,
    },
    /// More of something than there can be.
    #[error("{source}: {reason}: split it, or read less of it at once")]
    TooMuch {
        /// The file or stream that was read, as the user named it.
        r#source: String,
        /// Of what.
        reason: String,
    },
    /// A line that cannot be used, where that was declared fatal.
    #[error("{source}:{line}: {reason}; without --strict the line is left out and noted")]
    BadLine {
        /// The file or stream that was read, as the user named it.
        r#source: String,
        /// The line, counted from 1.
        line: u64,
        /// The complaint about it.
        reason: String,
    },
}

impl ReadError {
    /// Of a file that could not be opened.
    #[must_use]
    pub fn open(path: &Path, error: &io::Error) -> ReadError {
        ReadError::Open { r#source: path.display().to_string(), why: os_reason(error) }
    }

    /// Of a source with more in it than a dataset holds.
    pub(crate) fn full(source: &str) -> ReadError {
        ReadError::TooMuch { source: source.to_owned(), reason: Full.to_string() }
    }
}

/// The operating system's reason without the number at its end.
pub(crate) fn os_reason(error: &io::Error) -> String {
    let text = error.to_string();
    match text.find(" (os error ") {
        Some(end) => text[..end].to_owned(),
        None => text,
    }
}
