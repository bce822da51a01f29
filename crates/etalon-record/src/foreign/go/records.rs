//! A stream as records.
//!
//! Owns the order in which they come, and the places of those that cannot be read. Refuses to collect
//! them: that is [`super::read()`]'s.

use std::io::{self, BufRead};
use std::sync::Arc;

use etalon_core::dataset::Reason;

use super::line::{self, Broken, Ends, Line, Measurement, field};
use super::piece::{Piece, Taken};
use super::record::{Continuity, Record, ResultLine};
use super::status::{self, Status};
use super::torn::{
    Torn, Within, are_whole, is_counted, is_of_go_test, like_numbers, like_numbers_without_tabs,
    numbers_in, within,
};
use crate::ahead::{self, Ahead};

/// The line that the writer puts before names that are percent-encoded.
pub(super) const ENCODED: &str = "# etalon: names are percent-encoded";

/// Calls `each` with every record and the number of its line, counted from 1. The stream is UTF-8.
/// Linear; holds some lines, or a name and its numbers. Returns the number of lines.
///
/// # Errors
/// If the stream cannot be read; with it, how many lines were.
pub fn read_records(
    reader: impl BufRead + Send,
    each: impl FnMut(u64, Record<'_>),
) -> Result<u64, (u64, io::Error)> {
    read_on(ahead::threads(), reader, each)
}

/// Reads on so many threads; the records do not depend on them.
fn read_on(
    threads: usize,
    reader: impl BufRead + Send,
    each: impl FnMut(u64, Record<'_>),
) -> Result<u64, (u64, io::Error)> {
    let mut records = Records { each, lines: 0, list: Vec::new(), torn: None };
    std::thread::scope(|scope| {
        let mut ahead = Ahead::new(scope, threads, reader, Arc::new(()));
        while let Some(mut piece) = ahead.next() {
            records.piece(&mut piece);
            if let Some(error) = piece.failed() {
                return Err((records.lines, error));
            }
            ahead.give_back(piece);
        }
        Ok(())
    })?;
    records.close();
    Ok(records.lines)
}

/// Who may have printed a line.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Printer {
    GoTest,
    Any,
}

impl Printer {
    fn of(line: &str) -> Printer {
        match is_of_go_test(line) || status::read(line).is_some() {
            true => Printer::GoTest,
            false => Printer::Any,
        }
    }
}

struct Records<F> {
    each: F,
    /// Lines taken.
    lines: u64,
    list: Vec<Measurement>,
    torn: Option<Torn>,
}

impl<F: FnMut(u64, Record<'_>)> Records<F> {
    /// Takes the lines of a piece.
    fn piece(&mut self, piece: &mut Piece) {
        let is_unended = piece.is_unended();
        let mut last_is_result = false;
        for line in piece.take() {
            self.lines += 1;
            let number = self.lines;
            last_is_result = match line {
                Taken::Result { text, name, iterations, measurements } => {
                    self.close();
                    let origin = Continuity::Whole;
                    let result = ResultLine { name, iterations, text, measurements, origin };
                    (self.each)(number, Record::Result(result));
                    true
                }
                Taken::Other(bytes) => {
                    self.bytes(number, bytes);
                    bytes.starts_with(line::PREFIX.as_bytes())
                }
                Taken::TooLong => {
                    (self.each)(number, Record::Problem(Reason::TooLong));
                    false
                }
            };
        }
        if is_unended && last_is_result {
            (self.each)(self.lines, Record::Unended);
        }
    }

    fn bytes(&mut self, number: u64, bytes: &[u8]) {
        match std::str::from_utf8(bytes) {
            Ok(text) => self.line(number, text),
            Err(_) => {
                (self.each)(number, Record::Problem(Reason::NotUtf8));
                self.line(number, &String::from_utf8_lossy(bytes));
            }
        }
    }

    fn line(&mut self, number: u64, text: &str) {
        self.list.clear();
        match line::read(text, &mut self.list) {
            Line::Result { name, iterations } => {
                self.close();
                let (measurements, origin) = (&self.list[..], Continuity::Whole);
                let result = ResultLine { name, iterations, text, measurements, origin };
                (self.each)(number, Record::Result(result));
            }
            Line::Broken(broken) => match within(text) {
                Some(Within::Pieces { pieces, .. }) if pieces.len() > 1 => {
                    self.pieces(number, &pieces);
                }
                Some(Within::Several(last)) => {
                    self.several(number, text, last);
                }
                _ => self.broken(number, text, broken),
            },
            Line::Started => self.close(),
            Line::Configuration { .. } if status::ending(text).is_some() => {
                self.status(number, text);
            }
            Line::Configuration { key, value } => self.configuration(number, text, (key, value)),
            Line::Metadata(rest) if !self.found(number, text, Printer::Any) => {
                self.metadata(number, rest);
            }
            Line::Metadata(_) => {}
            Line::Other => self.other(number, text),
        }
    }

    /// Takes a line that looks like a fact, unless output that looks like one stands before a result or its numbers.
    fn configuration(&mut self, number: u64, text: &str, (key, value): (&str, Option<&str>)) {
        if self.found(number, text, Printer::of(text)) {
            return;
        }
        match &mut self.torn {
            Some(torn) if !is_of_go_test(text) => match numbers_in(text, number) {
                Some(numbers) => torn.take(numbers),
                None if torn.numbers.is_none() => torn.keep(key, value),
                None => self.fact(number, key, value),
            },
            _ => self.fact(number, key, value),
        }
    }

    fn fact(&mut self, number: u64, key: &str, value: Option<&str>) {
        self.close();
        (self.each)(number, Record::Configuration { key, value });
    }

    /// A line that begins with `Benchmark`, or what of a line does.
    fn broken(&mut self, number: u64, text: &str, broken: Broken<'_>) {
        if broken.rest.starts_with("--- FAIL: ") {
            self.close();
            let name = &text[..line::PREFIX.len() + broken.name.len()];
            let status = Status::BenchmarkFailed(name);
            return (self.each)(number, Record::Status { status, text });
        }
        match Torn::from_broken(&broken, text, number) {
            Some(torn) => {
                self.close();
                self.torn = Some(torn);
            }
            None => {
                // A line of the benchmark's own may start like this, too.
                if broken.ends == Ends::Torn || within(text).is_some() {
                    self.close();
                }
                (self.each)(number, Record::Problem(broken.reason));
            }
        }
    }

    /// Results behind something else in their line, or several in one; the last may be a name alone.
    fn pieces(&mut self, number: u64, pieces: &[&str]) {
        for text in pieces {
            self.list.clear();
            match line::read(text, &mut self.list) {
                Line::Result { name, iterations } => {
                    self.close();
                    let (measurements, origin) = (&self.list[..], Continuity::Joined);
                    let result = ResultLine { name, iterations, text, measurements, origin };
                    (self.each)(number, Record::Result(result));
                }
                Line::Broken(broken) => self.broken(number, text, broken),
                _ => {}
            }
        }
    }

    fn other(&mut self, number: u64, text: &str) {
        if text == ENCODED {
            return (self.each)(number, Record::EncodedNames);
        }
        if self.found(number, text, Printer::of(text)) {
            return;
        }
        if is_of_go_test(text) {
            self.close();
            self.status(number, text);
        } else if !self.status(number, text) {
            self.numbers(number, text);
        }
    }

    /// Takes what a line holds behind something else; whether it does. Of what `go test` says itself, nothing less than
    /// numbers is taken for that.
    fn found(&mut self, number: u64, text: &str, printer: Printer) -> bool {
        match within(text) {
            Some(Within::Pieces { before, pieces })
                if printer == Printer::Any
                    || are_whole(&pieces)
                    || pieces.last().is_some_and(|last| is_counted(last))
                    || numbers_in(text, number).is_some() =>
            {
                self.numbers(number, before);
                self.pieces(number, &pieces);
                true
            }
            Some(Within::Several(last)) => self.several(number, text, last),
            // Something else begins; what is printed of it is no result.
            Some(Within::Pieces { .. }) => {
                self.close();
                false
            }
            None => false,
        }
    }

    /// A line that may say how something went; whether it does.
    fn status(&mut self, number: u64, text: &str) -> bool {
        let status = status::read(text);
        let is_one = status.is_some();
        if let Some(status) = status {
            (self.each)(number, Record::Status { status, text });
        }
        is_one
    }

    /// A line that may be the numbers of a name above.
    fn numbers(&mut self, number: u64, text: &str) {
        match (&mut self.torn, numbers_in(text, number)) {
            (Some(torn), Some(numbers)) => torn.take(numbers),
            // The name above is told.
            (Some(_), None) => {}
            (None, _) => _ = self.nameless(number, text, Reason::NoName),
        }
    }

    /// A line with numbers, or the beginning of a result, that could be of more than one name.
    fn several(&mut self, number: u64, text: &str, last: &str) -> bool {
        self.close();
        if !self.nameless(number, text, Reason::SeveralNames)
            && let Line::Broken(broken) = line::read(last, &mut self.list)
        {
            (self.each)(number, Record::Problem(broken.reason));
        }
        true
    }

    /// Numbers of a line that no name has; whether there are any.
    fn nameless(&mut self, number: u64, text: &str, reason: fn(String) -> Reason) -> bool {
        let like = like_numbers(text).or_else(|| like_numbers_without_tabs(text));
        let Some(numbers) = like else { return false };
        let written: Vec<&str> = numbers.split_whitespace().collect();
        (self.each)(number, Record::Problem(reason(written.join(" "))));
        true
    }

    /// Ends the search for numbers, as every line of `go test` does.
    fn close(&mut self) {
        let Some(torn) = self.torn.take() else { return };
        if let (Some(numbers), true) = (&torn.numbers, torn.others.is_empty()) {
            let result = ResultLine {
                name: &torn.name,
                iterations: numbers.iterations,
                text: &numbers.text,
                measurements: &numbers.measurements,
                origin: Continuity::Joined,
            };
            return (self.each)(torn.line, Record::Result(result));
        }
        for (key, value) in &torn.facts {
            let value = value.as_deref();
            (self.each)(torn.line, Record::Configuration { key, value });
        }
        if let (Reason::NoResult { found, .. }, None) = (&torn.reason, &torn.numbers)
            && let Some(how) = status::ending(found)
        {
            let status = Status::Ended { benchmark: Some(&torn.name), how };
            let text = &format!("{}{}\t{found}", line::PREFIX, torn.name);
            return (self.each)(torn.line, Record::Status { status, text });
        }
        let reason = match torn.numbers {
            Some(first) => {
                let lines = [first.line].into_iter().chain(torn.others).take(10).collect();
                Reason::Ambiguous { name: torn.name, lines }
            }
            None => torn.reason,
        };
        (self.each)(torn.line, Record::Problem(reason));
    }

    fn metadata(&mut self, number: u64, rest: &str) {
        let unit = field(rest, 0);
        if unit.is_empty() {
            return (self.each)(number, Record::Problem(Reason::MetadataWithoutUnit));
        }
        let mut at = unit.end;
        loop {
            let pair = field(rest, at);
            if pair.is_empty() {
                return;
            }
            at = pair.end;
            let text = &rest[pair];
            let record = match text.split_once('=') {
                Some((key, value)) if !key.is_empty() => {
                    Record::Metadata { unit: &rest[unit.clone()], key, value }
                }
                _ => Record::Problem(Reason::NotKeyValue(text.to_owned())),
            };
            (self.each)(number, record);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::piece::LONGEST;
    use super::*;

    /// All that is read of a text on so many threads beside this one.
    fn said(threads: usize, text: &[u8]) -> Vec<String> {
        let mut all = Vec::new();
        let lines = read_on(threads, text, |number, record| {
            all.push(match record {
                Record::Result(ResultLine { name, iterations, text, measurements, origin }) => {
                    let values =
                        measurements.iter().map(|m| (m.number, m.text(text), m.unit(text)));
                    let values: Vec<_> = values.collect();
                    format!("{number} {name} {iterations} {values:?} {origin:?}")
                }
                other => format!("{number} {other:?}"),
            });
        });
        all.push(format!("{lines:?}"));
        all
    }

    /// Would catch lines that change their order, their numbers or their meaning on the way through threads, and
    /// what belongs to a name in the piece before.
    #[test]
    fn results_are_the_same_however_many_threads_read_them() {
        let mut text = Vec::new();
        for number in 0..40_000 {
            let line = match number % 977 {
                0 => format!("pkg: p{number}\n"),
                1 => format!("BenchmarkTorn{number}-8 \tprinted by it\n"),
                2 => "     100\t  12.5 ns/op\t 3 B/op\r\n".to_owned(),
                3 => "printed BenchmarkBehind \t 7\t 1 ns/op\n".to_owned(),
                4 => "BenchmarkBad 1 x ns/op\n".to_owned(),
                5 => format!("{}\n", "y".repeat(LONGEST + 1).repeat(usize::from(number < 977))),
                6 => "Unit ns/op better=lower\n".to_owned(),
                _ => {
                    format!("BenchmarkCase/n={} \t{number}\t{}.5 ns/op\n", number % 7, number % 911)
                }
            };
            text.extend_from_slice(line.as_bytes());
            if number == 20_000 {
                text.extend_from_slice(b"not UTF-8: \xff\n");
            }
        }
        text.extend_from_slice(b"BenchmarkLast 1 2 ns/op");
        let alone = said(0, &text);
        assert_eq!(alone.last().map(String::as_str), Some("Ok(40002)"));
        assert_eq!(
            alone.iter().filter(|line| line.ends_with("Whole")).count(),
            40_000 - 40_000 / 977 * 7 - 7 + 1
        );
        assert!(alone.iter().any(|line| line.contains("Torn1955-8") && line.ends_with("Joined")));
        for threads in 1..4 {
            assert!(alone == said(threads, &text), "{threads} threads");
        }
    }
}
