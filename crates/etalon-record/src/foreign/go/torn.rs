//! Results that `go test` tore apart.
//!
//! `go test` prints a benchmark's name, executes it, and prints its numbers; what the benchmark prints
//! itself comes in between: behind the name, in lines of its own, before the numbers. Owns which numbers
//! belong to which name: the only ones before the next thing that `go test` prints. Refuses to choose:
//! two lines that could be it are both reported and not used. Facts that seem to stand in between were
//! printed by the benchmark and hold for nothing.
//!
//! What such output looks like: golang/go issue 25241.

use etalon_core::dataset::Reason;

use super::line::{Broken, Ends, Line, Measurement, PREFIX, field, read, result};

/// The most facts kept until it is known whose they are. Because: benchmarks print whatever they want.
const MOST_FACTS: usize = 100;

/// A name whose numbers have not come.
#[derive(Debug)]
pub(super) struct Torn {
    pub(super) name: String,
    pub(super) line: u64,
    /// What is wrong if they do not come.
    pub(super) reason: Reason,
    /// What may be its numbers.
    pub(super) numbers: Option<Numbers>,
    /// Lines of further candidates.
    pub(super) others: Vec<u64>,
    /// What looks like facts since the name.
    pub(super) facts: Vec<(String, Option<String>)>,
}

/// Numbers apart from their name.
#[derive(Debug, Clone)]
pub(super) struct Numbers {
    pub(super) line: u64,
    pub(super) text: String,
    /// The iteration count.
    pub(super) iterations: i64,
    pub(super) measurements: Vec<Measurement>,
}

impl Torn {
    /// The name of a broken line, if its numbers may follow.
    pub(super) fn of(broken: &Broken<'_>, text: &str, line: u64) -> Option<Torn> {
        if broken.ends == Ends::Here || broken.rest.starts_with("--- ") {
            return None;
        }
        let mut torn = Torn {
            name: broken.name.to_owned(),
            line,
            reason: broken.reason.clone(),
            numbers: None,
            others: Vec::new(),
            facts: Vec::new(),
        };
        if let Some(numbers) = numbers_in(text, line) {
            torn.take(numbers);
        }
        Some(torn)
    }

    /// Numbers that may be its own.
    pub(super) fn take(&mut self, numbers: Numbers) {
        if self.numbers.is_none() {
            self.numbers = Some(numbers);
        } else {
            self.others.push(numbers.line);
        }
    }

    /// Something that looks like a fact. `go test` prints none between a name and its numbers.
    pub(super) fn keep(&mut self, key: &str, value: Option<&str>) {
        if self.facts.len() < MOST_FACTS {
            self.facts.push((key.to_owned(), value.map(str::to_owned)));
        }
    }
}

/// Whether `go test` wrote this line itself, other than a result.
pub(super) fn is_of_go_test(line: &str) -> bool {
    let starts = ["PASS", "FAIL", "ok  \t", "--- ", "=== ", "goos: ", "goarch: ", "pkg: ", "cpu: "];
    starts.iter().any(|start| line.starts_with(start))
}

/// The numbers of a result at the end of a line, whatever stands before them. `go test` writes an
/// iteration count, filled up to eight places with spaces, a tab and the first value; that tab is asked
/// for, and a unit per operation or second.
pub(super) fn numbers_in(line: &str, number: u64) -> Option<Numbers> {
    // Most lines that are no results have no tab behind a digit.
    let bytes = line.as_bytes();
    let tabs = bytes.windows(2).enumerate().filter(|(_, w)| w[0].is_ascii_digit() && w[1] == b'\t');
    for (digit, _) in tabs {
        let count = bytes[..=digit].iter().rev().take_while(|b| b.is_ascii_digit()).count();
        let from = digit + 1 - count;
        if from > 0 && !matches!(bytes[from - 1], b' ' | b'\t') {
            continue;
        }
        let mut measurements = Vec::new();
        if let Ok(iterations) = result(line, from, &mut measurements) {
            let per = |m: &Measurement| m.unit(line).contains('/');
            if measurements.iter().any(per) {
                return Some(Numbers {
                    line: number,
                    text: line.to_owned(),
                    iterations,
                    measurements,
                });
            }
        }
    }
    None
}

/// A whole result behind something else in its line, in the form in which `go test` writes it.
pub(super) enum Behind<'a> {
    /// Its text from `Benchmark` on.
    Result(&'a str),
    /// More than one name could be it.
    Several,
}

/// Looks for a result behind something that was printed without an end of line.
pub(super) fn behind(line: &str) -> Option<Behind<'_>> {
    let (first, at) = (line.find(PREFIX)?, line.rfind(PREFIX)?);
    let tail = &line[at..];
    let mut list = Vec::new();
    let Line::Result { name, .. } = read(tail, &mut list) else { return None };
    let from = PREFIX.len() + name.len();
    let count = field(tail, from);
    let per = list.iter().any(|m| m.unit(tail).contains('/'));
    let go = tail[from..count.start].contains('\t') && tail[count.end..].starts_with('\t');
    match per && go {
        false => None,
        true if first == at => Some(Behind::Result(tail)),
        true => Some(Behind::Several),
    }
}

impl Numbers {
    /// Where the iteration count stands in the text.
    pub(super) fn start(&self) -> usize {
        let before = self.measurements.first().map_or(0, Measurement::begin);
        let count = self.text[..before].trim_end();
        count.len() - count.bytes().rev().take_while(u8::is_ascii_digit).count()
    }
}
