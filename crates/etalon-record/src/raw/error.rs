//! Why a source could not be read at all.
//!
//! Owns the wording: every error names the source, what was found there and what to do. Refuses
//! what does not stop reading: those are notes on the run set.

use std::fmt;

use super::VERSION;

/// Why a source could not be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ReadError {
    /// The file could not be opened.
    Open {
        /// The source.
        source: String,
        /// The operating system's reason.
        why: String,
    },
    /// The source is a directory.
    Directory {
        /// The source.
        source: String,
    },
    /// Reading failed on the way.
    Io {
        /// The source.
        source: String,
        /// The line being read, counted from 1.
        line: u64,
        /// The operating system's reason.
        why: String,
    },
    /// There is nothing in it.
    Empty {
        /// The source.
        source: String,
    },
    /// It is in no format etalon reads.
    NotARecord {
        /// The source.
        source: String,
        /// What its beginning looks like.
        found: String,
    },
    /// Its only line is a part of a header.
    TornHeader {
        /// The source.
        source: String,
    },
    /// The header lacks what a header must have.
    Header {
        /// The source.
        source: String,
        /// What is wrong with it.
        reason: String,
    },
    /// A newer version of the format.
    TooNew {
        /// The source.
        source: String,
        /// Its version.
        version: u64,
    },
    /// Several records in one file.
    SecondHeader {
        /// The source.
        source: String,
        /// Where the second one starts, counted from 1.
        line: u64,
    },
    /// The columns of a CSV file are not those of a raw file.
    Columns {
        /// The source.
        source: String,
        /// What is wrong with them.
        reason: String,
    },
    /// JSON of another tool that breaks off or holds something else.
    Json {
        /// The source.
        source: String,
        /// Where, counted from 1.
        line: u64,
        /// What is wrong there.
        reason: String,
    },
    /// Text in which no benchmark has a result.
    NoResults {
        /// The source.
        source: String,
        /// What there is instead.
        why: String,
    },
    /// Not one execution of it can be used.
    NothingUsable {
        /// The source.
        source: String,
        /// The first lines that cannot, and why.
        why: String,
    },
    /// Rows of a batch come back where rows of others stand together.
    BatchAgain {
        /// The source.
        source: String,
        /// Where, counted from 1.
        line: u64,
        /// The batch.
        batch: u64,
    },
    /// A part of a foreign file that cannot be used, where that was declared fatal.
    BadPart {
        /// The source.
        source: String,
        /// Which part, such as `result 2, run 5`.
        part: String,
        /// What is wrong with it.
        reason: String,
    },
    /// A line that cannot be used, where that was declared fatal.
    BadLine {
        /// The source.
        source: String,
        /// The line, counted from 1.
        line: u64,
        /// What is wrong with it.
        reason: String,
    },
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ReadError::Open { source, why } => write!(f, "cannot open {source}: {why}"),
            ReadError::Directory { source } => {
                write!(f, "{source} is a directory; name the files in it")
            }
            ReadError::Io { source, line, why } => {
                write!(f, "{source}:{line}: reading failed: {why}")
            }
            ReadError::Empty { source } => write!(
                f,
                "{source} is empty; a record has a header at least, so nothing was saved there"
            ),
            ReadError::NotARecord { source, found } => write!(
                f,
                "{source} is not an etalon record, nor a raw CSV of BestGuess, a JSON export of \
                 hyperfine or Go's benchmarks: {found}; give a file that `etalon` or `bestguess` \
                 wrote with -o, `hyperfine` with --export-json or `go test -bench` printed, or a \
                 saved run such as @last; --from says what a file is that does not begin like one"
            ),
            ReadError::TornHeader { source } => write!(
                f,
                "{source} ends within its header: it was interrupted before anything was \
                 measured, and can be deleted"
            ),
            ReadError::Header { source, reason } => write!(
                f,
                "{source}:1: the header cannot be used: {reason}; docs/format.md says what a \
                 header holds"
            ),
            ReadError::TooNew { source, version } => write!(
                f,
                "{source} has format version {version} and this etalon reads up to {VERSION}; \
                 read it with the etalon that wrote it (its header names it) or a later one"
            ),
            ReadError::SecondHeader { source, line } => write!(
                f,
                "{source}:{line}: a second header; a file holds one record, so split it here \
                 and give the files one by one"
            ),
            ReadError::Columns { source, reason } => write!(
                f,
                "{source}:1: {reason}; docs/format.md, \"Foreign formats\", lists the columns of \
                 BestGuess's raw files"
            ),
            ReadError::Json { source, line, reason } => write!(
                f,
                "{source}:{line}: {reason}; write the file again with `hyperfine --export-json`"
            ),
            ReadError::NoResults { source, why } => write!(
                f,
                "{source} has no benchmark result: {why}; give what `go test -bench` printed"
            ),
            ReadError::NothingUsable { source, why } => {
                write!(f, "{source}: nothing in it can be used: {why}")
            }
            ReadError::BatchAgain { source, line, batch } => write!(
                f,
                "{source}:{line}: rows of batch {batch} come back after those of others: two files \
                 put together? Split it here and give the files one by one"
            ),
            ReadError::BadPart { source, part, reason } => {
                write!(f, "{source}: {part}: {reason}; without --strict that is noted")
            }
            ReadError::BadLine { source, line, reason } => write!(
                f,
                "{source}:{line}: {reason}; without --strict the line is left out and noted"
            ),
        }
    }
}

impl std::error::Error for ReadError {}

/// The operating system's reason without the number at its end.
pub(crate) fn os_reason(error: &std::io::Error) -> String {
    let text = error.to_string();
    match text.find(" (os error ") {
        Some(end) => text[..end].to_owned(),
        None => text,
    }
}
