//! A stream of the Go benchmark format as a run set of a dataset.
//!
//! Owns the configuration that holds at each line, and the counts of what was read. A name, configuration
//! or unit that was there the line before costs no look-up. Refuses to decide what a problem means, except
//! with [`Strictness::Strict`].

use std::collections::HashMap;
use std::io::BufRead;

use etalon_core::dataset::{
    BenchmarkId, ConfigurationId, Dataset, Ended, Ending, Entry, Execution, Full, Name, Parsed,
    Problem, Reason, RunSetId, SpellingId, Symbol,
};
use etalon_core::run_set::RunSet;

use super::ends;
use super::escape;
use super::packages::{At, Packages};
use super::record::{Continuity, Record, ResultLine};
use super::records::read_records;
use crate::foreign::decode::Decoded;
use crate::inputs::Input;
use crate::raw::{ReadError, Strictness, os_reason};

/// Reads one stream into a dataset of its own. `source` names it.
///
/// # Errors
/// As [`read_into`].
pub fn read(
    reader: impl BufRead + Send,
    source: &str,
    strictness: Strictness,
) -> Result<Dataset, ReadError> {
    let mut data = Dataset::default();
    read_into(&mut data, reader, &Input::unlabelled(source), strictness)?;
    Ok(data)
}

/// Adds a stream to a dataset as its next run set; its index. UTF-16 with a byte order mark is read as
/// the text it is. Unit metadata hold for all files, configuration for its own. That nothing was read is
/// no error here: the file then has 0 rows.
///
/// Linear in the input; holds one line besides the dataset.
///
/// # Errors
/// If the stream cannot be read, or, with [`Strictness::Strict`], something written there is not used.
pub fn read_into(
    data: &mut Dataset,
    reader: impl BufRead + Send,
    input: &Input,
    strictness: Strictness,
) -> Result<RunSetId, ReadError> {
    let source = || input.path.clone();
    let failed = |line: u64, error: &std::io::Error| match error.kind() {
        std::io::ErrorKind::IsADirectory => ReadError::Directory { source: source() },
        _ => ReadError::Io { source: source(), line, why: os_reason(error) },
    };
    let set = RunSet { label: input.label.clone(), ..RunSet::from_source(&input.path) };
    let run_set = data.add_run_set(set).map_err(|Full| ReadError::full(&input.path))?;
    let had_losses = data.problems.first_loss.is_some();
    let mut text = Decoded::new(reader).map_err(|error| failed(1, &error))?;
    let mut collector = Collector::new(data, run_set);
    let lines = read_records(&mut text, |line, record| collector.take(line, record))
        .map_err(|(line, error)| failed(line + 1, &error))?;
    collector.end();
    if text.replaced() > 0 {
        data.problems.add(Problem { run_set, line: None, reason: Reason::NotUtf8 });
    }
    data.run_sets[run_set.at()].lines = lines;
    ends::finish(data, run_set).map_err(|Full| ReadError::full(&input.path))?;
    match &data.problems.first_loss {
        Some(loss) if strictness == Strictness::Strict && !had_losses => Err(ReadError::BadLine {
            source: source(),
            line: loss.line.unwrap_or(0),
            reason: loss.reason.to_string(),
        }),
        _ => Ok(run_set),
    }
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
    run_set: RunSetId,
    /// The facts that hold now, in the order in which the reference keeps them.
    facts: Vec<(Symbol, Symbol)>,
    /// Its index, unless it changed since.
    configuration: Option<ConfigurationId>,
    names: Names,
    /// The name read last as written, and its index.
    last: Option<(String, BenchmarkId)>,
    by_text: HashMap<Box<str>, BenchmarkId>,
    /// The units of the row before, place by place.
    units: Vec<SpellingId>,
    packages: Packages,
    runs: Runs,
    /// The first row of this file.
    first_row: usize,
    ended: bool,
}

/// The header that `go test` prints before the results of a package: where it is there again, the benchmarks were
/// run again.
#[derive(Debug, Default)]
struct Runs {
    /// How many headers each package has had that results stand below.
    headers: HashMap<Option<Symbol>, u32>,
    /// Whether a header stands before the next result.
    begins: bool,
    /// Whether a result stands below it already.
    has_results: bool,
}

impl Runs {
    /// The lines of a header.
    const KEYS: [&str; 4] = ["goos", "goarch", "pkg", "cpu"];

    /// A configuration line.
    fn fact(&mut self, key: &str) {
        if Runs::KEYS.contains(&key) && (self.has_results || self.headers.is_empty()) {
            (self.begins, self.has_results) = (true, false);
        }
    }

    /// A result: whether a run begins with it.
    fn begins(&mut self) -> bool {
        self.has_results = true;
        std::mem::take(&mut self.begins) || self.headers.is_empty()
    }

    /// The number of the run of a package that begins.
    fn number(&mut self, package: Option<Symbol>) -> u32 {
        let headers = self.headers.entry(package).or_default();
        *headers += 1;
        *headers - 1
    }
}

impl<'d> Collector<'d> {
    fn new(data: &'d mut Dataset, run_set: RunSetId) -> Collector<'d> {
        Collector {
            first_row: data.len(),
            data,
            run_set,
            facts: Vec::new(),
            units: Vec::new(),
            configuration: None,
            names: Names::Plain,
            last: None,
            by_text: HashMap::new(),
            packages: Packages::default(),
            runs: Runs::default(),
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
                self.data.declare(self.run_set, Some(line), unit, key, value);
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
        let data = &*self.data;
        let schema = |row: usize| data.series_of(row).schema;
        let Some(last) = data.len().checked_sub(1).filter(|last| *last > self.first_row) else {
            return;
        };
        if (self.first_row..last).any(|row| schema(row) == schema(last)) {
            return;
        }
        let benchmark = Some(data.name_of(last).full().to_owned());
        let ended = Ended { package: None, benchmark, how: Ending::Cut };
        self.problem(line, Reason::Ended(ended));
    }

    fn problem(&mut self, line: u64, reason: Reason) {
        self.data.problems.add(Problem { run_set: self.run_set, line: Some(line), reason });
    }

    fn fact(&mut self, key: &str, value: Option<&str>) -> Result<(), Full> {
        self.runs.fact(key);
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

    /// A result follows: perhaps the first of a run.
    fn run(&mut self) {
        if !self.runs.begins() {
            return;
        }
        let key = self.data.strings.find("pkg");
        let package = self.facts.iter().find(|(fact, _)| Some(*fact) == key);
        let number = self.runs.number(package.map(|(_, package)| *package));
        self.data.begin_run(self.run_set, number);
    }

    fn result(&mut self, line: u64, result: &ResultLine<'_>) -> Result<(), Full> {
        self.packages.result(line);
        self.run();
        let benchmark = self.benchmark(result.name)?;
        let configuration = match self.configuration {
            Some(known) => known,
            None => self.data.configuration(self.run_set, &self.facts)?,
        };
        self.configuration = Some(configuration);
        let text = result.text;
        self.units(result)?;
        let units = &self.units;
        let entries = result.measurements.iter().zip(units).map(|(measurement, unit)| Entry {
            spelling: *unit,
            text: measurement.text(text),
            number: match measurement.number {
                Parsed::Finite(number, written) => Some((number, written)),
                Parsed::NotFinite => None,
            },
        });
        let iterations = Some(result.iterations);
        let execution = Execution { iterations, ..Execution::default() };
        self.data.add_row((benchmark, configuration), execution, entries)?;
        for absent in result.measurements.iter().filter(|m| m.number == Parsed::NotFinite) {
            let (text, unit) = (absent.text(text).to_owned(), absent.unit(text).to_owned());
            self.problem(line, Reason::NotFinite { text, unit });
        }
        if result.origin == Continuity::Joined {
            self.data.run_sets[self.run_set.at()].joined += 1;
        }
        Ok(())
    }

    /// Looks up the units of a result: those of the line before, most often.
    fn units(&mut self, result: &ResultLine<'_>) -> Result<(), Full> {
        self.units.truncate(result.measurements.len());
        for (at, measurement) in result.measurements.iter().enumerate() {
            let unit = measurement.unit(result.text);
            let last = self.units.get(at).map(|last| &self.data.spellings[last.at()].text);
            if last.is_some_and(|last| last == unit) {
                continue;
            }
            let found = self.data.spelling(unit)?;
            match self.units.get_mut(at) {
                Some(last) => *last = found,
                None => self.units.push(found),
            }
        }
        Ok(())
    }

    /// The index of a name: that of the line before, or one looked up.
    fn benchmark(&mut self, written: &str) -> Result<BenchmarkId, Full> {
        if let Some((_, index)) = self.last.as_ref().filter(|(last, _)| last == written) {
            return Ok(*index);
        }
        let index = match self.by_text.get(written) {
            Some(known) => *known,
            None => {
                let name = match self.names {
                    Names::Plain => Name::from_go(written),
                    Names::Encoded => escape::decoded(written),
                };
                let index = self.data.named_benchmark(self.run_set, name)?;
                self.by_text.insert(written.into(), index);
                index
            }
        };
        match &mut self.last {
            Some((text, last)) => {
                text.clear();
                text.push_str(written);
                *last = index;
            }
            None => self.last = Some((written.to_owned(), index)),
        }
        Ok(index)
    }
}
