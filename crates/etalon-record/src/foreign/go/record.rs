//! The records that a stream of Go's lines is read as.

use etalon_core::dataset::Reason;

use super::line::Measurement;
use super::status::Status;

/// A line, or several that belong together.
#[derive(Debug, PartialEq)]
pub enum Record<'a> {
    /// From here on this holds; without a value, the key is removed.
    Configuration {
        /// Before the colon.
        key: &'a str,
        /// Behind it; absent where the line takes the key back.
        value: Option<&'a str>,
    },
    /// A benchmark's result line, joined if output tore it.
    Result(ResultLine<'a>),
    /// Something declared about a unit.
    Metadata {
        /// The unit as written.
        unit: &'a str,
        /// The key.
        key: &'a str,
        /// As what.
        value: &'a str,
    },
    /// Something that cannot be used, or not as it stands there.
    Problem(Reason),
    /// How something went, as `go test` says.
    Status {
        /// Its meaning.
        status: Status<'a>,
        /// As it stands there, without its end.
        text: &'a str,
    },
    /// The result before stands in a line that has no end, the last one.
    Unended,
    /// A note of etalon's own: names from here on are percent-encoded.
    EncodedNames,
}

/// A benchmark's result line, joined if output tore it.
#[derive(Debug, PartialEq)]
pub struct ResultLine<'a> {
    /// The name as written, without `Benchmark`.
    pub name: &'a str,
    /// The iteration count.
    pub iterations: i64,
    /// The line that measurements stand in.
    pub text: &'a str,
    /// Its numbers with their units, in the order written.
    pub measurements: &'a [Measurement],
    /// Whether it stood there as one.
    pub origin: Continuity,
}

/// How a result stood there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Continuity {
    /// As a line.
    Whole,
    /// Torn apart, or behind something else; put together.
    Joined,
}
