//! A dataset, or a run set, in the Go benchmark format.
//!
//! Owns the lines: unit metadata, facts where they change, results with numbers and units as they were
//! written. What the format cannot hold is made fit and said: names are percent-encoded (and read back),
//! facts lose what is no key. Refuses to round.

use std::collections::HashMap;
use std::io::{self, Write};

use etalon_core::dataset::{Dataset, Full, Name, State, Symbol, Written, write_number};
use etalon_core::model::{Note, RunSet, Series};

use super::escape;
use super::records::ENCODED;

/// Bytes collected before they are handed on.
const CHUNK: usize = 64 * 1024;

/// Which facts become configuration. benchstat makes a table of its own of every configuration, so that a
/// fact that differs from one execution to the next, such as the load, would leave nothing to compare.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Facts {
    /// All.
    All,
    /// Those that say which machine and system it was; the others become comments.
    Machine,
}

impl Facts {
    fn include(self, key: &str) -> bool {
        let machine = ["machine.", "kernel.", "cpu.", "memory.total"];
        self == Facts::All
            || matches!(key, "os" | "vm" | "container" | "goos" | "goarch" | "cpu")
            || machine.iter().any(|start| key.starts_with(start))
    }
}

/// Writes a run set: a line per measured execution that counts (of functions, per block: the medians of its
/// readings, which are not independent), metrics in base units, `wall` as `sec/op`. Returns what the format cannot hold. Linear.
///
/// # Errors
/// If `out` does not take it, or a dataset cannot hold that many rows.
pub fn write_run_set(set: &RunSet, out: &mut impl Write) -> io::Result<Vec<Note>> {
    let turned = set.series.iter().any(|series| !series.turns.is_empty());
    let series = set.series.iter().map(Series::by_block).collect();
    let blocks = if turned { &RunSet { series, ..set.clone() } } else { set };
    let data = Dataset::from_run_set(blocks).map_err(|Full| {
        io::Error::other("there are more values than the Go format is written for")
    })?;
    let mut notes = crate::raw::lost(set, "left out");
    notes.extend(write(&data, Facts::Machine, out)?);
    if !data.rows.places.is_empty() {
        let text = match turned {
            true => "the Go format has no turns: a row is a block, the median over its readings",
            false => "the Go format has no blocks: the rows are independent",
        };
        let text = text.to_owned();
        notes.push(Note { about: set.source.clone(), text });
    }
    Ok(notes)
}

/// Writes a dataset. Returns what the format cannot hold. Linear.
///
/// # Errors
/// If `out` does not take it.
pub fn write(data: &Dataset, facts: Facts, out: &mut impl Write) -> io::Result<Vec<Note>> {
    let mut writer = Writer::new(data, facts);
    writer.declarations();
    for row in 0..data.len() {
        writer.marks(row);
        writer.row(row);
        if writer.buffer.len() >= CHUNK {
            out.write_all(writer.buffer.as_bytes())?;
            writer.buffer.clear();
        }
    }
    writer.marks(data.len());
    out.write_all(writer.buffer.as_bytes())?;
    out.flush()?;
    Ok(writer.notes)
}

struct Writer<'a> {
    data: &'a Dataset,
    facts: Facts,
    buffer: String,
    /// Names as they are written.
    names: Vec<String>,
    units: Vec<String>,
    /// What holds where the next line stands, in order.
    holding: Vec<(String, String)>,
    configuration: Option<u32>,
    /// Marks that are written.
    marked: usize,
    /// Configurations made fit.
    fit: HashMap<u32, Vec<(String, String)>>,
    notes: Vec<Note>,
}

impl<'a> Writer<'a> {
    fn new(data: &'a Dataset, facts: Facts) -> Writer<'a> {
        let plain = data.benchmarks.iter().all(escape::is_fit);
        let name = |name: &Name| match plain {
            true => name.full().to_owned(),
            false => escape::encoded(name),
        };
        let mut writer = Writer {
            data,
            facts,
            buffer: String::new(),
            names: data.benchmarks.iter().map(name).collect(),
            units: data.writings.iter().map(|writing| unit(&writing.text)).collect(),
            holding: Vec::new(),
            configuration: None,
            marked: 0,
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
        let sources = self.data.files.iter().filter(|file| file.rows > 0);
        if let [first, .., _] = &sources.collect::<Vec<_>>()[..] {
            let text = "written as one file: which row is from which is not kept".to_owned();
            self.notes.push(Note { about: first.label.clone(), text });
        }
    }

    /// Writes how packages ended, of what stands before a row. What follows is of a package opened anew.
    fn marks(&mut self, row: usize) {
        let marks = &self.data.marks[self.marked..];
        for mark in marks.iter().take_while(|mark| mark.rows_before as usize <= row) {
            self.buffer.push_str(&mark.text);
            self.buffer.push('\n');
            self.marked += 1;
            if self.holding.iter().any(|(key, _)| key == "pkg") {
                self.holding.retain(|(key, _)| key != "pkg");
                self.configuration = None;
            }
        }
    }

    fn row(&mut self, row: usize) {
        let data = self.data;
        let configuration = data.rows.configuration[row];
        if self.configuration != Some(configuration) {
            self.change_to(configuration);
        }
        self.buffer.push_str("Benchmark");
        self.buffer.push_str(&self.names[data.rows.benchmark[row] as usize]);
        self.buffer.push('\t');
        self.buffer.push_str(&data.iterations(row).to_string());
        let mut index = data.rows.first[row];
        for (place, slot) in (0..).zip(data.slots(row)) {
            self.buffer.push('\t');
            if slot.state == State::Present {
                let at = index as usize;
                let written = data.values.written(at);
                let text = match written {
                    Written::Text => data.values.texts.get(&index).map(|text| &**text),
                    _ => None,
                };
                write_number(&mut self.buffer, data.values.number[at], written, text);
                index += 1;
            } else {
                let text =
                    u32::try_from(row).ok().and_then(|row| data.values.absent.get(&(row, place)));
                self.buffer.push_str(text.map_or("NaN", |text| text));
            }
            self.buffer.push(' ');
            self.buffer.push_str(&self.units[slot.writing as usize]);
        }
        self.buffer.push('\n');
    }

    /// Writes what changes, keys that go first.
    fn change_to(&mut self, configuration: u32) {
        let wanted = self.facts_of(configuration);
        let first = self.configuration.is_none() && self.marked == 0;
        self.configuration = Some(configuration);
        if wanted == self.holding {
            return;
        }
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
    fn facts_of(&mut self, configuration: u32) -> Vec<(String, String)> {
        if let Some(known) = self.fit.get(&configuration) {
            return known.clone();
        }
        let mut facts = Vec::new();
        for &(key, value) in &self.data.configurations[configuration as usize].entries {
            self.fact((key, value), &mut facts);
        }
        self.fit.insert(configuration, facts.clone());
        facts
    }

    fn fact(&mut self, (key, value): (Symbol, Symbol), facts: &mut Vec<(String, String)>) {
        let data = self.data;
        let (key, value) = (data.strings.text(key), data.strings.text(value));
        let (name, text) = (fit_key(key), fit_value(value));
        let about = || data.files.first().map_or(String::new(), |file| file.label.clone());
        if !self.facts.include(key) {
            self.buffer.push_str(&format!("# {name}: {text}\n"));
            return;
        }
        let clash = facts.iter().any(|(known, _)| *known == name);
        if text.is_empty() || clash {
            let text = format!("the fact {key:?} is left out: the Go format has no place for it");
            self.notes.push(Note { about: about(), text });
            return;
        }
        if name != key || text != value {
            let text = format!("the fact {key:?} is written as `{name}: {text}`");
            self.notes.push(Note { about: about(), text });
        }
        facts.push((name, text));
    }
}

/// A unit without white space.
fn unit(text: &str) -> String {
    let fit: String = text.chars().map(|c| if is_gap(c) { '_' } else { c }).collect();
    if fit.is_empty() { "_".to_owned() } else { fit }
}

fn is_gap(c: char) -> bool {
    c.is_whitespace() || c.is_control()
}

/// A key: lower case, no space, no colon, a letter first.
fn fit_key(key: &str) -> String {
    let lower = key.to_lowercase();
    let one = |c: char| if is_gap(c) || c == ':' || c.is_uppercase() { '-' } else { c };
    let fit: String = lower.chars().map(one).collect();
    if fit.starts_with(char::is_lowercase) { fit } else { format!("x{fit}") }
}

/// A value: one line, no blank in front.
fn fit_value(value: &str) -> String {
    let line: String =
        value.chars().map(|c| if c == '\n' || c == '\r' { ' ' } else { c }).collect();
    line.trim_start_matches([' ', '\t']).to_owned()
}
