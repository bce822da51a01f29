//! Problems of sources: lines that could not be used, or not as they stand there.
//!
//! Owns the reasons and their wording; a bad line is a record, never an exit. Refuses to decide what is
//! fatal: [`Reason::leaves_out`] says what was lost, the caller does the rest.

use std::fmt;

use super::ending::{Ended, Ending};
use super::excerpt::clipped;
use super::ids::{BenchmarkId, RunSetId};

/// Problems kept one by one. Because: enough for any report to name them, and a damaged file of a
/// million lines must not fill the memory.
const KEPT: usize = 1000;
/// Problems told one by one. Because: as many as fit a screen beside what was asked for.
const TOLD: usize = 20;

/// A problem and its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// Whose it is.
    pub run_set: RunSetId,
    /// The line, counted from 1; absent for a source without lines.
    pub line: Option<u64>,
    /// The reason.
    pub reason: Reason,
}

/// The reason of a problem.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reason {
    /// A benchmark's name without the numbers of its result, here or below.
    NoResult {
        /// As it stands in the source.
        name: String,
        /// The text behind it.
        found: String,
    },
    /// Several lines of numbers that could be the result of one name.
    Ambiguous {
        /// As it stands in the source.
        name: String,
        /// Where it stands, counted from 1.
        lines: Vec<u64>,
    },
    /// Numbers of a result without a name; holds their text.
    NoName(String),
    /// Numbers behind several names that could be theirs; holds their text.
    SeveralNames(String),
    /// An iteration count that does not fit 64 bits.
    Iterations(String),
    /// A result without a value.
    NoValues,
    /// Something else in place of a number.
    NotANumber(String),
    /// A number that no double can hold.
    TooLarge(String),
    /// A number without a unit behind it.
    NoUnit(String),
    /// A value that is a NaN or an infinity: typed absent.
    NotFinite {
        /// The text as written.
        text: String,
        /// As it was declared.
        unit: String,
    },
    /// A `Unit` line without a unit.
    MetadataWithoutUnit,
    /// Something else in place of `key=value` on a `Unit` line.
    NotKeyValue(String),
    /// A unit declared in two ways; the first holds.
    Conflict {
        /// As it was declared.
        unit: String,
        /// The key that is declared.
        key: String,
        /// As what it was declared first.
        first: String,
        /// As what it is declared here.
        second: String,
    },
    /// A value that a known key of a `Unit` line does not have.
    UnknownValue {
        /// As it was declared.
        key: String,
        /// The declared value.
        value: String,
    },
    /// A line that is not UTF-8, read with U+FFFD.
    NotUtf8,
    /// A line longer than is read.
    TooLong,
    /// More rows, values or names than a dataset holds; the rest is left out.
    Full,
    /// A remark of the reader of a format that is not read row by row.
    Remark(String),
    /// A package or a benchmark that did not pass.
    Ended(Ended),
    /// The source breaks off, or parts of it could not be used: what was remarked of that.
    Damaged(String),
    /// Executions that are no rows, because how they ended is not accepted.
    NotCounted {
        /// The benchmark as reports name it.
        name: String,
        /// The benchmark; absent if no execution of it counts.
        benchmark: Option<BenchmarkId>,
        /// How many.
        failed: usize,
        /// Of how many.
        of: usize,
    },
    /// Executions that are rows although they failed: their exit code is accepted, or their source does
    /// not say which are.
    Failed {
        /// The benchmark as reports name it.
        name: String,
        /// How many.
        failed: usize,
        /// Of how many.
        of: usize,
    },
}

impl Reason {
    /// Whether something written there is not used at all. What a reader of another format remarks is
    /// no loss here: it has judged that itself.
    #[must_use]
    pub fn leaves_out(&self) -> bool {
        !matches!(
            self,
            Reason::NotUtf8
                | Reason::NotFinite { .. }
                | Reason::UnknownValue { .. }
                | Reason::Remark(_)
                | Reason::Damaged(_)
                | Reason::Ended(Ended { how: Ending::Cut, .. })
                | Reason::NotCounted { .. }
                | Reason::Failed { .. }
        )
    }
}

impl Reason {
    /// Whether a reading is lost by it that its source was made for: what somebody printed between the
    /// results, or declared of a unit, is none.
    #[must_use]
    pub fn loses_readings(&self) -> bool {
        match self {
            // `go test` prints such names, and says so of one that was skipped.
            Reason::NoResult { name, found } => {
                name.starts_with(|c: char| !c.is_lowercase()) && !found.starts_with("--- ")
            }
            Reason::Ambiguous { .. }
            | Reason::SeveralNames(_)
            | Reason::Iterations(_)
            | Reason::NoValues
            | Reason::NotANumber(_)
            | Reason::TooLarge(_)
            | Reason::NoUnit(_)
            | Reason::Full
            | Reason::Damaged(_) => true,
            _ => false,
        }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let cut = |text: &String| clipped(text);
        match self {
            Reason::NoResult { name, found } => no_result(f, &cut(name), found),
            Reason::Ambiguous { name, lines } => {
                let lines: Vec<String> = lines.iter().map(u64::to_string).collect();
                write!(
                    f,
                    "any of the lines {} can be the result of Benchmark{}, and none is used; keep \
                     the benchmark's own output apart from its results",
                    lines.join(", "),
                    cut(name)
                )
            }
            Reason::NoName(text) => {
                write!(f, "`{}` are numbers of a result without a benchmark's name", cut(text))
            }
            Reason::SeveralNames(text) => write!(
                f,
                "`{}` are numbers of a result behind more than one benchmark's name; keep the \
                 benchmark's own output apart from its results",
                cut(text)
            ),
            Reason::Iterations(text) => {
                write!(f, "the iteration count `{}` does not fit 64 bits", cut(text))
            }
            Reason::NoValues => f.write_str("a result without a value and its unit"),
            Reason::NotANumber(text) => write!(f, "`{}` is not a number", cut(text)),
            Reason::TooLarge(text) => write!(f, "`{}` is larger than any number", cut(text)),
            Reason::NoUnit(text) => write!(f, "no unit behind `{}`", cut(text)),
            Reason::NotFinite { text, unit } => {
                write!(f, "`{}` {}: not available", cut(text), cut(unit))
            }
            Reason::MetadataWithoutUnit
            | Reason::NotKeyValue(_)
            | Reason::Conflict { .. }
            | Reason::UnknownValue { .. } => self.fmt_metadata(f),
            Reason::NotUtf8 => f.write_str("not UTF-8; what is not text is read as U+FFFD"),
            Reason::TooLong => f.write_str("longer than any line that is read"),
            Reason::Full => f.write_str("more than a dataset holds; the rest is left out"),
            Reason::Remark(text) | Reason::Damaged(text) => f.write_str(text),
            Reason::Ended(ended) => ended.fmt(f),
            Reason::NotCounted { name, failed, of, .. } => {
                write!(f, "{name}: {failed} of {of} executions failed and do not count")
            }
            Reason::Failed { name, failed, of } => write!(
                f,
                "{name}: {failed} of {of} executions ended with another exit code than 0, and count"
            ),
        }
    }
}

impl Reason {
    /// Words a line about a unit that says nothing.
    fn fmt_metadata(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let cut = |text: &String| clipped(text);
        match self {
            Reason::MetadataWithoutUnit => f.write_str("`Unit` without the unit it is about"),
            Reason::NotKeyValue(text) => {
                write!(f, "`{}` is not of the form key=value", cut(text))
            }
            Reason::Conflict { unit, key, first, second } => write!(
                f,
                "{} of {} is {} already and stays that: {} is ignored",
                cut(key),
                cut(unit),
                cut(first),
                cut(second)
            ),
            Reason::UnknownValue { key, value } => {
                let known =
                    if key == "better" { "lower, higher or neither" } else { "nothing or exact" };
                write!(f, "{}={} means nothing; it can be {known}", cut(key), cut(value))
            }
            _ => Ok(()),
        }
    }
}

/// Words a name without numbers by what stands in their place.
fn no_result(f: &mut fmt::Formatter<'_>, name: &str, found: &str) -> fmt::Result {
    if found.is_empty() {
        return write!(
            f,
            "no numbers follow Benchmark{name}: its execution was ended, or they are torn off"
        );
    }
    let found_cut = clipped(found);
    if found.starts_with("--- ") {
        return write!(f, "Benchmark{name} has no result: `{found_cut}`");
    }
    write!(
        f,
        "in place of Benchmark{name}'s iteration count stands `{found_cut}`, and its numbers do not \
         follow; keep the benchmark's own output apart from its results"
    )
}

/// Problems in the order met, the first thousand, all failed benchmarks and the first thousand endings one by
/// one.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Problems {
    /// The first ones, every [`Reason::NotCounted`], and the first of [`Reason::Ended`].
    pub listed: Vec<Problem>,
    /// How many of those are endings.
    ended: usize,
    /// How many more there were.
    pub unlisted: u64,
    /// The first that leaves something out, listed or not.
    pub first_loss: Option<Problem>,
}

impl Problems {
    /// Adds one.
    pub fn add(&mut self, problem: Problem) {
        if self.first_loss.is_none() && problem.reason.leaves_out() {
            self.first_loss = Some(problem.clone());
        }
        // A check has to see every benchmark that failed, whatever came before.
        let is_ending = matches!(problem.reason, Reason::Ended(_));
        let always = matches!(problem.reason, Reason::NotCounted { .. } | Reason::Damaged(_))
            || (is_ending && self.ended < KEPT);
        self.ended += usize::from(is_ending);
        if self.listed.len() < KEPT || always {
            self.listed.push(problem);
        } else {
            self.unlisted += 1;
        }
    }

    /// Those that are told one by one.
    #[must_use]
    pub fn told(&self) -> &[Problem] {
        &self.listed[..self.listed.len().min(TOLD)]
    }

    /// That there are more; nothing if all are told.
    #[must_use]
    pub fn untold(&self) -> Option<String> {
        let more = (self.listed.len() - self.told().len()) as u64 + self.unlisted;
        (more > 0).then(|| format!("{more} more of this kind"))
    }

    /// The remark on so many results that were put together; nothing of none.
    #[must_use]
    pub fn put_together(joined: u64) -> Option<String> {
        let results = if joined == 1 { "result was" } else { "results were" };
        let text = || format!("{joined} {results} torn apart by other output, and put together");
        (joined > 0).then(text)
    }
}
