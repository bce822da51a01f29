//! A dataset as a record.
//!
//! Owns the lines of a run set that came from elsewhere, rows in their order, values as they were written:
//! a number is followed by its text where JSON would not give that back. Refuses to invent what a dataset
//! does not keep: notes say it.

use std::collections::{HashMap, HashSet};
use std::io::{self, Write};
use std::sync::Arc;

use etalon_core::dataset::{
    BenchmarkId, ConfigurationId, Dataset, Field, Group, Name, Quantity, RunSetId, Series,
    SpellingId, State, Value,
};
use etalon_core::model::{Coordinates, Level, Note, Observation, OutcomeCounts, Phase};
use etalon_core::run_set::RunSet;

use super::spelled::{UnitMetrics, WrittenNumber, number_as_written};
use super::write;
use crate::raw::benchmark::BenchmarkLine;
use crate::raw::header::HeaderLine;
use crate::text::Text;

/// Bytes collected before they are handed on.
const CHUNK: usize = 64 * 1024;

/// Writes the only run set of a dataset as a record; `tool` is what writes it. What is not kept of
/// its source is said in note lines, which are returned as well. Linear.
///
/// # Errors
/// If `out` does not take it, or the dataset has not one run set.
pub fn write_record(data: &Dataset, tool: &str, out: &mut impl Write) -> io::Result<Vec<Note>> {
    let ([set], Ok(run_set)) = (&data.run_sets[..], RunSetId::new(0)) else {
        return Err(io::Error::other("a record holds one run set"));
    };
    let groups = data.groups();
    let mut writer = Writer::new(data, run_set);
    let lines = writer.declarations(set, tool);
    let mut marks = data.marks.iter().peekable();
    let mut runs = data.run_starts.iter().peekable();
    for row in 0..data.len() {
        while let Some(run) = runs.next_if(|run| run.row as usize <= row) {
            write::run(&mut writer.buffer, run.number);
        }
        while let Some(mark) = marks.next_if(|mark| mark.rows_before as usize <= row) {
            write::mark(&mut writer.buffer, &mark.text);
        }
        writer.row(row, &lines);
        if writer.buffer.len() >= CHUNK {
            out.write_all(&writer.buffer)?;
            writer.buffer.clear();
        }
    }
    let mut buffer = writer.buffer;
    marks.for_each(|mark| write::mark(&mut buffer, &mark.text));
    for printed in &set.outputs {
        write::printed(&mut buffer, &printed.file, Text::from(printed.text.as_str()));
    }
    set.looks.iter().for_each(|look| write::look(&mut buffer, look));
    set.services.iter().for_each(|service| write::service(&mut buffer, service));
    let mut lost = lost(data, &groups, "their values are not in the converted data");
    // A record that was made by a conversion has said it.
    lost.retain(|note| !set.notes.contains(note));
    set.notes.iter().chain(&lost).for_each(|note| write::note(&mut buffer, note));
    if let Some(end) = &set.end {
        write::end(&mut buffer, end);
    }
    out.write_all(&buffer)?;
    out.flush()?;
    Ok(lost)
}

struct Writer<'d> {
    data: &'d Dataset,
    run_set: RunSetId,
    names: UnitMetrics,
    /// The number of the benchmark line of a benchmark under a configuration.
    lines: HashMap<(BenchmarkId, ConfigurationId), usize>,
    buffer: Vec<u8>,
}

/// The things that rows refer to, looked up once: of a million rows it is most of the work.
struct Referents {
    /// Per series: the number of its benchmark line.
    benchmarks: Vec<usize>,
    /// Per schema and field: the name of its metric as JSON, with the colon.
    keys: Vec<Vec<Vec<u8>>>,
}

impl<'d> Writer<'d> {
    fn new(data: &'d Dataset, run_set: RunSetId) -> Writer<'d> {
        let (names, lines) = (UnitMetrics::default(), HashMap::new());
        Writer { data, run_set, names, lines, buffer: Vec::new() }
    }

    /// Everything that comes before observations.
    fn declarations(&mut self, set: &RunSet, tool: &str) -> Referents {
        let header = HeaderLine {
            id: set.id.clone(),
            tool: tool.to_owned(),
            started: set.started.clone(),
            argv: set.argv.iter().map(|word| Text::from(word.as_str())).collect(),
            context: set.context.clone(),
            experiment: set.experiment.clone(),
            checks: set.checks.clone(),
            sides: set.sides,
            bisection: set.bisection.clone(),
            harness: set.harness,
            lost: set.lost.clone(),
        };
        write::header(&mut self.buffer, &header);
        self.metrics();
        self.benchmarks();
        set.nodes.all().iter().for_each(|node| write::node(&mut self.buffer, node));
        if let Some(plan) = &set.plan {
            write::plan(&mut self.buffer, plan);
        }
        if let Some(settings) = &set.settings {
            write::settings(&mut self.buffer, settings);
        }
        self.declared()
    }

    fn declared(&self) -> Referents {
        let data = self.data;
        let key = |place: (SpellingId, usize)| {
            let mut key = Vec::new();
            write::json(&mut key, self.names.name(place));
            key.push(b':');
            key
        };
        let keys = |schema: &Vec<Field>| {
            let fields = schema.iter().enumerate();
            fields.map(|(at, field)| key((field.spelling, occurrence(schema, at)))).collect()
        };
        let line = |of: &Series| self.lines[&(of.benchmark, of.configuration)];
        Referents {
            benchmarks: data.series.iter().map(line).collect(),
            keys: data.schemas.iter().map(keys).collect(),
        }
    }

    /// The metrics that are declared; then a metric for each unit that rows have values in.
    fn metrics(&mut self) {
        let data = self.data;
        for (spelling, declared) in data.declared_metrics(self.run_set) {
            self.names.declared(spelling, &declared.metric.name);
            write::metric(&mut self.buffer, &declared.metric);
        }
        for schema in &data.schemas {
            for (at, field) in schema.iter().enumerate() {
                let place = (field.spelling, occurrence(schema, at));
                self.names.declare(data, place, &mut self.buffer);
            }
        }
        let is_declared = |unit: &str| {
            data.declared_metrics(self.run_set)
                .any(|(spelling, _)| data.units[data.spellings[spelling.at()].unit.at()] == unit)
        };
        for declared in data.metadata.iter().filter(|declared| !is_declared(&declared.unit)) {
            write::unit(&mut self.buffer, &declared.written, &declared.key, &declared.value);
        }
    }

    /// A line for each benchmark; of one that is told apart by facts, for each configuration.
    fn benchmarks(&mut self) {
        let data = self.data;
        let context = data.run_sets[self.run_set.at()].context.iter();
        let context: Vec<(String, String)> =
            context.map(|(key, value)| (key.clone(), value.clone())).collect();
        let mut seen = HashSet::new();
        let of_rows = data.series.iter().map(|of| (of.benchmark, Some(of.configuration)));
        let mut all: Vec<(BenchmarkId, Option<ConfigurationId>)> =
            of_rows.filter(|of| seen.insert(*of)).collect();
        let with_rows: HashSet<BenchmarkId> = all.iter().map(|(benchmark, _)| *benchmark).collect();
        let ids = (0..data.benchmarks.len()).map_while(|at| BenchmarkId::new(at).ok());
        all.extend(ids.filter(|id| !with_rows.contains(id)).map(|id| (id, None)));
        // Names stand in the order in which they came, declarations in their own.
        if data.benchmarks.iter().all(|declared| declared.benchmark.is_some()) {
            all.sort_by_key(|(benchmark, _)| *benchmark);
        }
        for (count, (benchmark, configuration)) in all.into_iter().enumerate() {
            let entries = configuration.map(|at| self.entries(at));
            self.benchmark(benchmark, entries.filter(|entries| *entries != context));
            let tally = data.benchmarks[benchmark.at()].tally.as_ref();
            for output in tally.iter().flat_map(|tally| &tally.printed) {
                for _ in 0..output.processes {
                    write::printed_by(&mut self.buffer, count, Text::from(output.text.as_str()));
                }
            }
            for aborts in tally.iter().flat_map(|tally| &tally.aborts) {
                write::aborted(&mut self.buffer, count, aborts);
            }
            if let Some(configuration) = configuration {
                self.lines.insert((benchmark, configuration), count);
            }
        }
    }

    fn entries(&self, configuration: ConfigurationId) -> Vec<(String, String)> {
        let text = |symbol| self.data.strings.text(symbol).to_owned();
        let entries = &self.data.configurations[configuration.at()].entries;
        entries.iter().map(|(key, value)| (text(*key), text(*value))).collect()
    }

    fn benchmark(&mut self, id: BenchmarkId, configuration: Option<Vec<(String, String)>>) {
        let declared = &self.data.benchmarks[id.at()];
        let benchmark = Arc::unwrap_or_clone(declared.declared());
        let pieces =
            (Name::from_benchmark(&benchmark) != declared.name).then(|| declared.name.pieces());
        let text = |text: &Option<String>| text.as_deref().map(Text::from);
        let is_declared = benchmark.command.is_some() || benchmark.case.is_some();
        let line = BenchmarkLine {
            // What a command or a case was measured under is the context.
            configuration: configuration.filter(|_| !is_declared),
            pieces: pieces.map(|pieces| pieces.map(str::to_owned).collect()),
            command: text(&benchmark.command),
            shell: text(&benchmark.shell),
            hash: benchmark.hash,
            name: benchmark.key.name,
            params: benchmark.key.params,
            accept: benchmark.accept,
            summary: benchmark.level == Level::Summary,
            case: benchmark.case,
            ..BenchmarkLine::default()
        };
        write::benchmark(&mut self.buffer, &line);
    }

    fn row(&mut self, row: usize, declared: &Referents) {
        let data = self.data;
        let series = data.series_of(row);
        let place = data.rows.place(row);
        let nodes = &data.run_sets[self.run_set.at()].nodes;
        let observation = Observation {
            benchmark: declared.benchmarks[data.rows.series(row).at()],
            phase: Phase::Measured,
            coordinates: Coordinates {
                node: place.and_then(|place| nodes.of(place.block)),
                block: place.map(|place| place.block),
                turn: place.and_then(|place| place.turn),
                at_ns: None,
            },
            outcome: data.rows.outcome(row).clone(),
            orphans: 0,
            iterations: data.rows.iterations(row),
            values: Vec::new(),
        };
        let tally = data.benchmarks[series.benchmark.at()].tally.as_ref();
        let said = tally.and_then(|tally| tally.said.as_ref());
        let said = said.filter(|(of, _)| *of as usize == row);
        let said = said.map(|(_, text)| Text::from(text.as_str()));
        let keys = &declared.keys[series.schema.at()];
        write::observation_with(&mut self.buffer, &observation, said.as_ref(), |buffer| {
            values(data, row, keys, buffer);
        });
    }
}

/// How many fields of the same unit stand before a field.
fn occurrence(schema: &[Field], at: usize) -> usize {
    schema[..at].iter().filter(|before| before.spelling == schema[at].spelling).count()
}

/// Appends the values of a row, each behind its key.
fn values(data: &Dataset, row: usize, keys: &[Vec<u8>], buffer: &mut Vec<u8>) {
    let mut index = data.rows.first(row);
    for (at, (field, key)) in data.fields(row).iter().zip(keys).enumerate() {
        if at > 0 {
            buffer.push(b',');
        }
        buffer.extend_from_slice(key);
        if field.state == State::Present {
            value(data, Value { spelling: field.spelling, index }, buffer);
            index += 1;
        } else {
            let row = u32::try_from(row).unwrap_or(u32::MAX);
            let text = data.values.absent.get(&(row, u32::try_from(at).unwrap_or(u32::MAX)));
            write::absent(buffer, text.map_or("NaN", |text| text));
        }
    }
}

/// Appends a number as it was written: plainly where that says as much.
fn value(data: &Dataset, value: Value, buffer: &mut Vec<u8>) {
    let at = value.index as usize;
    let (number, written) = (data.values.number(at), data.values.written(at));
    let spelling = &data.spellings[value.spelling.at()];
    let power = match &spelling.quantity {
        Quantity::Unit(_) => spelling.power,
        Quantity::Metric(declared) => declared.metric.unit.power().unwrap_or(0),
    };
    let kept = data.values.texts.get(&value.index).map(|text| &**text);
    number_as_written(buffer, WrittenNumber { number, written, kept, power });
}

/// Notes on everything that a dataset does not keep of its sources: `uncounted` says what becomes of executions
/// that are no rows that count.
pub(crate) fn lost(data: &Dataset, groups: &[Group], uncounted: &str) -> Vec<Note> {
    let mut notes = Vec::new();
    for group in groups {
        let about = &group.benchmark.key.name;
        let mut note = |text: String| notes.push(Note::new(about.clone(), text));
        if !group.uncounted.is_empty() {
            note(format!("{} and did not count; {uncounted}", kinds(data, group)));
        }
        let warmups = group.tally(data).map(|tally| tally.warmup_outcomes).unwrap_or_default();
        let warmups = warmups.ok + warmups.not_ok();
        if warmups > 0 {
            note(format!("{warmups} warm-ups are not in the converted data"));
        }
    }
    notes
}

/// How many executions of which kind do not count.
fn kinds(data: &Dataset, group: &Group) -> String {
    let mut counts = OutcomeCounts::default();
    group.uncounted.iter().for_each(|row| counts.add(data.rows.outcome(*row as usize)));
    let stopped: usize = counts.stopped.iter().sum();
    let kinds = [
        (counts.failed, "exited with a non-zero code"),
        (counts.killed - stopped, "killed by a signal"),
        (stopped, "that stopped themselves"),
        (counts.timed_out, "timed out"),
        (counts.suspended, "suspended"),
        (counts.not_started, "not started"),
    ];
    let kinds = kinds.iter().filter(|(count, _)| *count > 0);
    kinds.map(|(count, what)| format!("{count} {what}")).collect::<Vec<_>>().join(", ")
}
