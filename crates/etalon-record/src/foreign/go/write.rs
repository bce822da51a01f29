//! A dataset in the Go benchmark format.
//!
//! Owns the lines: unit metadata, facts where they change, results with numbers and units as they were written, the
//! base of two sides before the head. What the format cannot hold is made fit and said: names are percent-encoded (and
//! read back), facts lose what is no key. Refuses to round.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::io::{self, Write};

use etalon_core::dataset::{
    ConfigurationId, Dataset, DeclaredBenchmark, Group, Name, SpellingId, State, Symbol, Value,
    Written, write_number,
};
use etalon_core::model::{Harness, Note};
use etalon_core::run_set::{RunSet, StoppedBy};
use etalon_core::stats::{Sorted, median};

use super::records::ENCODED;
use super::{escape, side_facts};

/// The fact that names a package.
const PACKAGE: &str = "pkg";

/// Bytes collected before they are handed on.
const CHUNK: usize = 64 * 1024;

/// Which facts become configuration. benchstat makes a table of its own of every configuration, so that a
/// fact that differs from one execution to the next, such as the load, would leave nothing to compare.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FactSelection {
    /// All.
    All,
    /// Those that say which machine and system it was; the others become comments.
    Machine,
}

impl FactSelection {
    fn include(self, key: &str) -> bool {
        let machine = ["machine.", "kernel.", "cpu.", "memory.total"];
        self == FactSelection::All
            || matches!(key, "os" | "vm" | "container" | "goos" | "goarch" | "cpu")
            || machine.iter().any(|start| key.starts_with(start))
    }
}

/// Writes any dataset. What was read from Go's benchmarks comes out as it was; of anything else there is a
/// line per measured execution that counts, one benchmark after the other (of functions, per block: the
/// medians of its readings, which are not independent), metrics in base units, `wall` as `sec/op`. Returns
/// what the format cannot hold. Linear.
///
/// # Errors
/// If `out` does not take it.
pub fn write_any(data: &Dataset, out: &mut impl Write) -> io::Result<Vec<Note>> {
    let is_declared = |declared: &DeclaredBenchmark| {
        let benchmark = declared.benchmark.as_ref();
        benchmark.is_some_and(|b| b.command.is_some() || b.case.is_some())
    };
    if !data.benchmarks.iter().any(is_declared) {
        return write(data, FactSelection::All, out);
    }
    let groups = data.groups();
    let mut notes = crate::raw::lost(data, &groups, "left out");
    let mut writer = Writer::new(data, FactSelection::Machine);
    writer.declarations();
    let mut turned = false;
    for group in &groups {
        let blocks = group.by_block(data);
        turned |= blocks.is_some();
        match blocks {
            Some(blocks) => writer.blocks(group, &blocks),
            None => group.rows.iter().for_each(|row| writer.row(*row as usize)),
        }
        writer.flush(out, CHUNK)?;
    }
    notes.append(&mut writer.notes);
    writer.flush(out, 0)?;
    if data.rows.have_places() {
        let text = match turned {
            true => "the Go format has no turns: a row is a block, the median over its readings",
            false => "the Go format has no blocks: the rows are independent",
        };
        let sources: Vec<&str> = data.run_sets.iter().map(|set| set.source.as_str()).collect();
        notes.push(Note::new(sources.join(", "), text));
    }
    Ok(notes)
}

/// Writes a dataset. Returns what the format cannot hold. Linear.
///
/// # Errors
/// If `out` does not take it.
pub fn write(data: &Dataset, facts: FactSelection, out: &mut impl Write) -> io::Result<Vec<Note>> {
    let mut writer = Writer::new(data, facts);
    writer.declarations();
    let base_first = side_facts::base_first(data);
    for at in 0..data.len() {
        let row = base_first.as_ref().map_or(at, |rows| rows[at]);
        writer.marks(at);
        // What ended without passing is in the marks.
        if data.counts(row) {
            writer.row(row);
        }
        writer.flush(out, CHUNK)?;
    }
    writer.marks(data.len());
    writer.close(None);
    writer.flush(out, 0)?;
    out.flush()?;
    Ok(writer.notes)
}

/// Packages of runs of Go that came to their end, with the benchmarks in them that failed: they are closed as `go test`
/// closes them, so that whoever reads the lines learns what failed, and not that something is missing.
fn ended(data: &Dataset) -> BTreeMap<String, BTreeSet<usize>> {
    let came_to_its_end = |set: &RunSet| {
        let cut = [StoppedBy::Interrupt, StoppedBy::Error, StoppedBy::Failure];
        set.end.as_ref().is_some_and(|end| !cut.contains(&end.stopped_by))
    };
    let is_whole = |set: &RunSet| set.harness == Some(Harness::Go) && came_to_its_end(set);
    if !data.marks.is_empty() || !data.run_sets.iter().all(is_whole) {
        return BTreeMap::new();
    }
    let mut ended: BTreeMap<String, BTreeSet<usize>> = BTreeMap::new();
    for row in 0..data.len() {
        let series = data.series_of(row);
        let Some(package) = data.fact(series.configuration, PACKAGE) else { continue };
        let failed = ended.entry(package.to_owned()).or_default();
        if data.rows.outcome(row).fails_its_run() {
            failed.insert(series.benchmark.at());
        }
    }
    ended
}

struct Writer<'a> {
    data: &'a Dataset,
    facts: FactSelection,
    buffer: String,
    /// Names as they are written.
    names: Vec<String>,
    units: Vec<String>,
    /// The facts that hold where the next line stands, in order.
    holding: Vec<(String, String)>,
    configuration: Option<ConfigurationId>,
    /// Marks that are written.
    marked: usize,
    /// Packages that are closed, with what failed in them.
    ended: BTreeMap<String, BTreeSet<usize>>,
    /// Configurations made fit.
    fit: HashMap<ConfigurationId, Vec<(String, String)>>,
    notes: Vec<Note>,
}

impl<'a> Writer<'a> {
    fn new(data: &'a Dataset, facts: FactSelection) -> Writer<'a> {
        let plain = data.benchmarks.iter().all(|declared| escape::is_fit(&declared.name));
        let name = |name: &Name| match plain {
            true => name.full().to_owned(),
            false => escape::encoded(name),
        };
        let mut writer = Writer {
            data,
            facts,
            buffer: String::new(),
            names: data.benchmarks.iter().map(|declared| name(&declared.name)).collect(),
            units: data.spellings.iter().map(|spelling| unit(&spelling.text)).collect(),
            holding: Vec::new(),
            configuration: None,
            marked: 0,
            ended: ended(data),
            fit: HashMap::new(),
            notes: Vec::new(),
        };
        if !plain {
            writer.buffer.push_str(ENCODED);
            writer.buffer.push('\n');
        }
        writer
    }

    fn declarations(&mut self) {
        for declared in &self.data.metadata {
            let text = [unit(&declared.written), unit(&declared.key), unit(&declared.value)];
            let [unit, key, value] = text;
            self.buffer.push_str(&format!("Unit {unit} {key}={value}\n"));
        }
        let data = self.data;
        let of_rows = data.series.iter().map(|s| data.configurations[s.configuration.at()].run_set);
        let sources: BTreeSet<_> = of_rows.collect();
        let sources = sources.into_iter().map(|at| &data.run_sets[at.at()]);
        if let [first, .., _] = &sources.collect::<Vec<_>>()[..] {
            let text = "written as one file: which row is from which is not kept".to_owned();
            self.notes.push(Note::new(first.label.clone(), text));
        }
    }

    /// Writes how packages ended, of what stands before a row. What follows is of a package opened anew.
    fn marks(&mut self, row: usize) {
        let marks = &self.data.marks[self.marked..];
        for mark in marks.iter().take_while(|mark| mark.rows_before as usize <= row) {
            self.buffer.push_str(&mark.text);
            self.buffer.push('\n');
            self.marked += 1;
            if self.holding.iter().any(|(key, _)| key == PACKAGE) {
                self.holding.retain(|(key, _)| key != PACKAGE);
                self.configuration = None;
            }
        }
    }

    fn row(&mut self, row: usize) {
        let data = self.data;
        self.begin(row, data.rows.iterations(row).unwrap_or(1));
        let mut index = data.rows.first(row);
        for (place, field) in (0..).zip(data.fields(row)) {
            if field.state == State::Present {
                let value = Value { spelling: field.spelling, index };
                let (number, written) = data.written(value);
                let text = match written {
                    Written::Text => data.values.texts.get(&index).map(|text| &**text),
                    _ => None,
                };
                self.value(field.spelling, number, written, text);
                index += 1;
            } else {
                let text =
                    u32::try_from(row).ok().and_then(|row| data.values.absent.get(&(row, place)));
                self.buffer.push('\t');
                self.buffer.push_str(text.map_or("NaN", |text| text));
                self.buffer.push(' ');
                self.buffer.push_str(&self.units[field.spelling.at()]);
            }
        }
        self.buffer.push('\n');
    }

    /// Writes a line for each block of a benchmark whose readings are interleaved: the medians of its readings, and
    /// all their iterations.
    fn blocks(&mut self, group: &Group, blocks: &[Vec<u32>]) {
        let data = self.data;
        let metrics = data.metrics(group.run_set);
        let metrics: Vec<&[SpellingId]> = metrics.iter().map(|(_, all)| &all[..]).collect();
        for rows in blocks {
            let iterations =
                rows.iter().map(|row| data.rows.iterations(*row as usize).unwrap_or(1));
            self.begin(rows[0] as usize, iterations.fold(0, i64::saturating_add));
            for (spellings, column) in metrics.iter().zip(data.columns(rows, &metrics)) {
                let median = Sorted::new(&column.values).ok().and_then(|values| median(&values));
                if let (Some(median), [spelling, ..]) = (median, &spellings[..]) {
                    let number = data.in_spelling(*spelling, median);
                    self.value(*spelling, number, Written::Computed, None);
                }
            }
            self.buffer.push('\n');
        }
    }

    /// Begins the line of a row: what holds for it, its name, and its iterations.
    fn begin(&mut self, row: usize, iterations: i64) {
        let series = self.data.series_of(row);
        if self.configuration != Some(series.configuration) {
            self.change_to(series.configuration);
        }
        self.buffer.push_str("Benchmark");
        self.buffer.push_str(&self.names[series.benchmark.at()]);
        self.buffer.push('\t');
        self.buffer.push_str(&iterations.to_string());
    }

    fn value(&mut self, unit: SpellingId, number: f64, written: Written, text: Option<&str>) {
        self.buffer.push('\t');
        write_number(&mut self.buffer, number, written, text);
        self.buffer.push(' ');
        self.buffer.push_str(&self.units[unit.at()]);
    }

    /// Hands on what is written, if it is as much as this.
    fn flush(&mut self, out: &mut impl Write, least: usize) -> io::Result<()> {
        if self.buffer.len() >= least {
            out.write_all(self.buffer.as_bytes())?;
            self.buffer.clear();
        }
        Ok(())
    }

    /// Closes the package that is open, unless what follows is of it.
    fn close(&mut self, next: Option<&(String, String)>) {
        let open = self.holding.iter().find(|(key, _)| key == PACKAGE);
        let Some(open) = open.filter(|open| next != Some(*open)) else { return };
        match self.ended.get(&open.1) {
            None => {}
            Some(failed) if failed.is_empty() => self.buffer.push_str("PASS\n"),
            Some(failed) => {
                for benchmark in failed {
                    let name = &self.names[*benchmark];
                    self.buffer.push_str(&format!("--- FAIL: Benchmark{name}\n"));
                }
                self.buffer.push_str("FAIL\n");
            }
        }
    }

    /// Writes what changes, keys that go first.
    fn change_to(&mut self, configuration: ConfigurationId) {
        let wanted = self.facts_of(configuration);
        let first = self.configuration.is_none() && self.marked == 0;
        self.configuration = Some(configuration);
        if wanted == self.holding {
            return;
        }
        self.close(wanted.iter().find(|(key, _)| key == PACKAGE));
        if !first {
            self.buffer.push('\n');
        }
        let gone = self.holding.iter().filter(|(key, _)| wanted.iter().all(|(k, _)| k != key));
        for (key, _) in gone {
            self.buffer.push_str(&format!("{key}:\n"));
        }
        for fact in wanted.iter().filter(|fact| !self.holding.contains(fact)) {
            self.buffer.push_str(&format!("{}: {}\n", fact.0, fact.1));
        }
        self.holding = wanted;
    }

    /// The facts of a configuration as they can be written; the first time with a note on what changed.
    fn facts_of(&mut self, configuration: ConfigurationId) -> Vec<(String, String)> {
        if let Some(known) = self.fit.get(&configuration) {
            return known.clone();
        }
        let mut facts = Vec::new();
        for &(key, value) in &self.data.configurations[configuration.at()].entries {
            self.fact(key, value, &mut facts);
        }
        self.fit.insert(configuration, facts.clone());
        facts
    }

    fn fact(&mut self, key: Symbol, value: Symbol, facts: &mut Vec<(String, String)>) {
        let data = self.data;
        let (key, value) = (data.strings.text(key), data.strings.text(value));
        let (name, text) = (fit_key(key), fit_value(value));
        let about = || data.run_sets.first().map_or(String::new(), |set| set.label.clone());
        if !self.facts.include(key) {
            self.buffer.push_str(&format!("# {name}: {text}\n"));
            return;
        }
        let clash = facts.iter().any(|(known, _)| *known == name);
        if text.is_empty() || clash {
            let text = format!("the fact {key:?} is left out: the Go format has no place for it");
            self.notes.push(Note::new(about(), text));
            return;
        }
        if name != key || text != value {
            let text = format!("the fact {key:?} is written as `{name}: {text}`");
            self.notes.push(Note::new(about(), text));
        }
        facts.push((name, text));
    }
}

/// A unit without white space.
fn unit(text: &str) -> String {
    let fit: String = text.chars().map(|c| if c.is_whitespace() { '_' } else { c }).collect();
    if fit.is_empty() { "_".to_owned() } else { fit }
}

/// A key: lower case, no space, no colon, a letter first.
fn fit_key(key: &str) -> String {
    let lower = key.to_lowercase();
    let one = |c: char| if c.is_whitespace() || c == ':' || c.is_uppercase() { '-' } else { c };
    let fit: String = lower.chars().map(one).collect();
    if fit.starts_with(char::is_lowercase) { fit } else { format!("x{fit}") }
}

/// A value: one line, no blank in front.
fn fit_value(value: &str) -> String {
    let line: String =
        value.chars().map(|c| if c == '\n' || c == '\r' { ' ' } else { c }).collect();
    line.trim_start_matches([' ', '\t']).to_owned()
}
