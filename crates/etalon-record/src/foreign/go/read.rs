//! A stream of the Go benchmark format as rows of a dataset.
//!
//! Owns the configuration that holds at each line, and the counts of what was read. A name, configuration
//! or unit that was there the line before costs no look-up. Refuses to decide what a problem means, except
//! with [`Strictness::Strict`].

use std::collections::HashMap;
use std::io::BufRead;

use etalon_core::dataset::{
    Dataset, Ended, Ending, Entry, Full, Name, Parsed, Problem, Reason, Symbol,
};

use super::escape;
use super::inputs::Input;
use super::packages::{At, Packages};
use super::records::{Origin, Record, ResultLine, read_records};
use crate::foreign::decode::Decoded;
use crate::raw::{ReadError, Strictness, os_reason};

/// Reads one stream into a dataset of its own. `source` names it.
///
/// # Errors
/// As [`read_into`].
pub fn read(
    reader: impl BufRead,
    source: &str,
    strictness: Strictness,
) -> Result<Dataset, ReadError> {
    let mut data = Dataset::default();
    let input = Input { path: source.to_owned(), label: source.to_owned() };
    read_into(&mut data, reader, &input, strictness)?;
    Ok(data)
}

/// Adds a stream to a dataset as its next file; the file's index. UTF-16 with a byte order mark is read as
/// the text it is. Unit metadata hold for all files, configuration for its own. That nothing was read is
/// no error here: the file then has 0 rows.
///
/// Linear in the input; holds one line besides the dataset.
///
/// # Errors
/// If the stream cannot be read, or, with [`Strictness::Strict`], something written there is not used.
pub fn read_into(
    data: &mut Dataset,
    reader: impl BufRead,
    input: &Input,
    strictness: Strictness,
) -> Result<u32, ReadError> {
    let source = || input.path.clone();
    let failed = |line: u64, error: &std::io::Error| match error.kind() {
        std::io::ErrorKind::IsADirectory => ReadError::Directory { source: source() },
        _ => ReadError::Io { source: source(), line, why: os_reason(error) },
    };
    let file = data.add_file(&input.path, &input.label).map_err(|Full| full(&input.path))?;
    let had_losses = data.problems.first_loss.is_some();
    let mut text = Decoded::new(reader).map_err(|error| failed(1, &error))?;
    let mut collector = Collector::new(data, file);
    let lines = read_records(&mut text, |line, record| collector.take(line, record))
        .map_err(|(line, error)| failed(line + 1, &error))?;
    collector.end();
    if text.replaced() > 0 {
        data.problems.add(Problem { file, line: None, reason: Reason::NotUtf8 });
    }
    data.files[file as usize].lines = lines;
    match &data.problems.first_loss {
        Some(loss) if strictness == Strictness::Strict && !had_losses => Err(ReadError::BadLine {
            source: source(),
            line: loss.line.unwrap_or(0),
            reason: loss.reason.to_string(),
        }),
        _ => Ok(file),
    }
}

fn full(source: &str) -> ReadError {
    let reason = Reason::Full.to_string();
    ReadError::BadLine { source: source.to_owned(), line: 0, reason }
}

/// How names are to be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Names {
    /// As they are.
    Plain,
    /// As etalon encodes what is no Go name.
    Encoded,
}

struct Collector<'d> {
    data: &'d mut Dataset,
    file: u32,
    /// What holds now, in the order in which the reference keeps it.
    facts: Vec<(Symbol, Symbol)>,
    /// Its index, unless it changed since.
    configuration: Option<u32>,
    names: Names,
    /// The name read last as written, and its index.
    last: Option<(String, u32)>,
    by_text: HashMap<Box<str>, u32>,
    packages: Packages,
    /// The first row of this file.
    first_row: usize,
    ended: bool,
}

impl<'d> Collector<'d> {
    fn new(data: &'d mut Dataset, file: u32) -> Collector<'d> {
        Collector {
            first_row: data.len(),
            data,
            file,
            facts: Vec::new(),
            configuration: None,
            names: Names::Plain,
            last: None,
            by_text: HashMap::new(),
            packages: Packages::default(),
            ended: false,
        }
    }

    fn take(&mut self, line: u64, record: Record<'_>) {
        let taken = match record {
            Record::Result(result) => self.result(line, &result),
            Record::Configuration { key, value } => {
                if let ("pkg", Some(package)) = (key, value) {
                    let ended = self.packages.header(line, package);
                    self.endings(ended);
                }
                self.fact(key, value)
            }
            Record::Status { status, text } => {
                self.data.mark(text);
                let ended = self.packages.status(line, &status);
                self.endings(ended);
                Ok(())
            }
            Record::Unended => {
                self.unended(line);
                Ok(())
            }
            Record::Metadata { unit, key, value } => {
                self.data.declare((self.file, Some(line)), unit, key, value);
                Ok(())
            }
            Record::Problem(reason) => {
                self.problem(line, reason);
                Ok(())
            }
            Record::EncodedNames => {
                self.names = Names::Encoded;
                Ok(())
            }
        };
        if taken.is_err() && !self.ended {
            self.ended = true;
            self.problem(line, Reason::Full);
        }
    }

    /// Nothing follows.
    fn end(&mut self) {
        let ended = self.packages.end();
        self.endings(ended);
    }

    fn endings(&mut self, all: Vec<At>) {
        all.into_iter().for_each(|(line, ended)| self.problem(line, Reason::Ended(ended)));
    }

    /// The last result's line has no end: it is cut if no other result of the file has its units.
    fn unended(&mut self, line: u64) {
        let shapes = &self.data.rows.shape;
        let Some((last, others)) = shapes[self.first_row..].split_last() else { return };
        if others.is_empty() || others.contains(last) {
            return;
        }
        let name = &self.data.benchmarks[self.data.rows.benchmark[shapes.len() - 1] as usize];
        let benchmark = Some(name.full().to_owned());
        let ended = Ended { package: None, benchmark, how: Ending::Cut };
        self.problem(line, Reason::Ended(ended));
    }

    fn problem(&mut self, line: u64, reason: Reason) {
        self.data.problems.add(Problem { file: self.file, line: Some(line), reason });
    }

    fn fact(&mut self, key: &str, value: Option<&str>) -> Result<(), Full> {
        let key = self.data.strings.intern(key).ok_or(Full)?;
        let at = self.facts.iter().position(|(known, _)| *known == key);
        match (at, value) {
            (Some(at), Some(value)) => {
                self.facts[at].1 = self.data.strings.intern(value).ok_or(Full)?;
            }
            (None, Some(value)) => {
                self.facts.push((key, self.data.strings.intern(value).ok_or(Full)?));
            }
            // The reference moves the last one into its place, and shows facts in that order.
            (Some(at), None) => {
                self.facts.swap_remove(at);
            }
            (None, None) => return Ok(()),
        }
        self.configuration = None;
        Ok(())
    }

    fn result(&mut self, line: u64, result: &ResultLine<'_>) -> Result<(), Full> {
        self.packages.result(line);
        let benchmark = self.benchmark(result.name)?;
        let configuration = match self.configuration {
            Some(known) => known,
            None => self.data.configuration(self.file, &self.facts)?,
        };
        self.configuration = Some(configuration);
        let text = result.text;
        let entries = result.measurements.iter().map(|measurement| Entry {
            unit: &text[measurement.unit.clone()],
            text: &text[measurement.text.clone()],
            number: match measurement.number {
                Parsed::Finite(number, written) => Some((number, written)),
                Parsed::NotFinite => None,
            },
        });
        let of = (benchmark, configuration);
        self.data.add_row(of, (result.iterations, None), entries.clone())?;
        for absent in entries.filter(|entry| entry.number.is_none()) {
            let (text, unit) = (absent.text.to_owned(), absent.unit.to_owned());
            self.problem(line, Reason::NotFinite { text, unit });
        }
        if result.origin == Origin::Joined {
            self.data.files[self.file as usize].joined += 1;
        }
        Ok(())
    }

    /// The index of a name: that of the line before, or one looked up.
    fn benchmark(&mut self, written: &str) -> Result<u32, Full> {
        if let Some((_, index)) = self.last.as_ref().filter(|(last, _)| last == written) {
            return Ok(*index);
        }
        let index = match self.by_text.get(written) {
            Some(known) => *known,
            None => {
                let name = match self.names {
                    Names::Plain => Name::of_go(written),
                    Names::Encoded => escape::decoded(written),
                };
                let index = self.data.benchmark(name)?;
                self.by_text.insert(written.into(), index);
                index
            }
        };
        let (text, last) = self.last.get_or_insert_default();
        text.clear();
        text.push_str(written);
        *last = index;
        Ok(index)
    }
}
