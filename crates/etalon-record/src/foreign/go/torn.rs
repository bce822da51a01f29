//! Results that `go test` tore apart.
//!
//! `go test` prints a benchmark's name, executes it, and prints its numbers; what the benchmark prints
//! itself comes in between: behind the name, in lines of its own, before the numbers. Owns which numbers
//! belong to which name: the only ones before the next thing that `go test` prints; and where a name stands behind
//! output without an end of line, or results stand in one line. Refuses to choose:
//! two lines that could be it are both reported and not used. Facts that seem to stand in between were
//! printed by the benchmark and hold for nothing.
//!
//! An example of such output: golang/go issue 25241.

use etalon_core::dataset::Reason;

use super::line::{Broken, Ends, Line, Measurement, PREFIX, field, is_go_name, read, result};

/// The most facts kept until it is known whose they are. Because: benchmarks print whatever they want.
const MOST_FACTS: usize = 100;

/// A name whose numbers have not come.
#[derive(Debug)]
pub(super) struct Torn {
    pub(super) name: String,
    pub(super) line: u64,
    /// The complaint if they do not come.
    pub(super) reason: Reason,
    /// Numbers that may be its own.
    pub(super) numbers: Option<Numbers>,
    /// Lines of further candidates.
    pub(super) others: Vec<u64>,
    /// Lines since the name that look like facts.
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
    pub(super) fn from_broken(broken: &Broken<'_>, text: &str, line: u64) -> Option<Torn> {
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
    const OF_TESTS: [&str; 8] = [
        "--- FAIL: ",
        "--- BENCH: ",
        "--- SKIP: ",
        "--- PASS: ",
        "=== RUN",
        "=== PAUSE",
        "=== CONT",
        "=== NAME",
    ];
    const OTHERS: [&str; 6] = ["FAIL\t", "ok  \t", "goos: ", "goarch: ", "pkg: ", "cpu: "];
    let starts = || OF_TESTS.iter().chain(&OTHERS);
    matches!(line, "PASS" | "FAIL") || starts().any(|start| line.starts_with(start))
}

/// The numbers of a result at the end of a line, whatever stands before them. `go test` writes an
/// iteration count, filled up to eight places with spaces, a tab and the first value; that tab is asked
/// for, and a unit per operation or second.
pub(super) fn numbers_in(line: &str, number: u64) -> Option<Numbers> {
    counts(line).find_map(|from| {
        let mut measurements = Vec::new();
        let iterations = result(line, from, &mut measurements).ok()?;
        let per = |m: &Measurement| m.unit(line).contains('/');
        let text = line.to_owned();
        let numbers =
            || Numbers { line: number, text, iterations, measurements: measurements.clone() };
        measurements.iter().any(per).then(numbers)
    })
}

/// Where something stands that may be an iteration count: digits before a tab.
fn counts(line: &str) -> impl Iterator<Item = usize> {
    // Most lines that are no results have no tab behind a digit.
    let bytes = line.as_bytes();
    let tabs = bytes.windows(2).enumerate().filter(|(_, w)| w[0].is_ascii_digit() && w[1] == b'\t');
    tabs.filter_map(|(digit, _)| {
        let count = bytes[..=digit].iter().rev().take_while(|b| b.is_ascii_digit()).count();
        let from = digit + 1 - count;
        (from == 0 || matches!(bytes[from - 1], b' ' | b'\t')).then_some(from)
    })
}

/// The text that begins like the numbers of a result, however it goes on.
pub(super) fn like_numbers(line: &str) -> Option<&str> {
    let from = counts(line).find(|from| {
        let value = field(line, field(line, *from).end);
        let unit = field(line, value.end);
        line[value].parse::<f64>().is_ok() && line[unit].contains('/')
    })?;
    Some(line[from..].trim_end())
}

/// The text from an iteration count on of a result whose tabs were replaced with spaces, as terminals and web pages do.
/// It is told, never read: words of a program may look like it.
pub(super) fn like_numbers_without_tabs(line: &str) -> Option<&str> {
    let start = line.find(PREFIX).filter(|_| !line.contains('\t'))?;
    let name = field(line, start);
    if !is_go_name(&line[start + PREFIX.len()..name.end]) {
        return None;
    }
    let mut count = field(line, name.end);
    while !count.is_empty() {
        let value = field(line, count.end);
        let unit = field(line, value.end);
        let is_count = line[count.clone()].bytes().all(|b| b.is_ascii_digit());
        if is_count && line[value].parse::<f64>().is_ok() && line[unit].contains('/') {
            return Some(line[count.start..].trim_end());
        }
        count = field(line, count.end);
    }
    None
}

/// The contents of a line besides text that was printed without an end of line.
pub(super) enum Within<'a> {
    /// Results, each from its `Benchmark` on; the last may be a name whose numbers are further on, or cannot be read.
    Pieces {
        /// The text before them.
        before: &'a str,
        pieces: Vec<&'a str>,
    },
    /// Names, and it cannot be told whose numbers there are; from the last one on.
    Several(&'a str),
}

/// Takes a line apart at the names in it: what `go test` could have printed, so that a tab follows.
pub(super) fn within(line: &str) -> Option<Within<'_>> {
    let (mut starts, mut mentions, mut either, mut from) = (Vec::new(), Vec::new(), None, 0);
    while let Some(found) = line[from..].find(PREFIX) {
        let start = from + found;
        let end = field(line, start).end;
        let gap = &line[end..field(line, end).start];
        let name = &line[start + PREFIX.len()..end];
        let is_printed = is_go_name(name) && gap.contains('\t');
        match is_printed {
            // Where a line begins with it, the name may hold the word itself; elsewhere it may be two.
            true if start > 0 && name.contains(PREFIX) => either = Some(start),
            true => starts.push(start),
            false => mentions.push(start),
        }
        from = end;
    }
    let last = starts.last().copied();
    let end = either.max(last)?;
    if either.is_some() || mentions.iter().any(|at| *at < end) {
        return Some(Within::Several(&line[end..]));
    }
    let ends = starts.iter().skip(1).copied().chain([line.len()]);
    let pieces: Vec<&str> = starts.iter().zip(ends).map(|(from, to)| &line[*from..to]).collect();
    let (_, others) = pieces.split_last()?;
    Some(match are_whole(others) {
        true => Within::Pieces { before: &line[..starts[0]], pieces },
        false => Within::Several(&line[end..]),
    })
}

/// Whether every piece is a whole result.
pub(super) fn are_whole(pieces: &[&str]) -> bool {
    pieces.iter().all(|piece| matches!(read(piece, &mut Vec::new()), Line::Result { .. }))
}

/// Whether an iteration count stands behind the name that a piece begins with, as `go test` writes it.
pub(super) fn is_counted(piece: &str) -> bool {
    let count = field(piece, field(piece, 0).end);
    let is_number = !count.is_empty() && piece[count.clone()].bytes().all(|b| b.is_ascii_digit());
    is_number && piece[count.end..].starts_with('\t')
}
