//! Filling a dataset from the lines of a record, one at a time.
//!
//! Owns what becomes of an observation: those of the measured phase are rows; warm-ups are counted, and times of those
//! with calls are kept apart from all rows; what does not count leaves no values. A line is applied whole or not at
//! all. Refuses to parse bytes.

use std::collections::HashSet;
use std::sync::Arc;

use etalon_core::dataset::{
    Dataset, Full, Name, ProcessOutput, RunSetId, SpellingId, Symbol, TraceAborts,
};
use etalon_core::metrics;
use etalon_core::model::{Metric, Note, Phase};
use etalon_core::plan::{Plan, Settings};
use etalon_core::run_set::{End, Printed, RunSet};

use super::case::{AbortWire, OutputWire, Printer};
use super::node::{self, NodeWire};
use super::notes::Remarks;
use super::observation::{self, LineValues, Measured, ObservationLine, Values};
use super::plain::Keys;
use super::refused::Refused;
use super::remark::NoteWire;
use super::row::{RecordedBenchmark, divisible, entries, possible, warmup_batch};
use super::service::ServiceWire;
use super::settings::SettingsWire;
use super::wire::{EndWire, LookWire, MarkWire, MetricWire, PlanWire, RunWire, UnitWire};
use crate::inputs::Input;
use crate::raw::benchmark::BenchmarkLine;
use crate::raw::header::HeaderLine;
use crate::text::Text;
use crate::time::seconds_since_1970;

/// Different texts that are kept of what a benchmark's processes printed. Because a line each is at most 64 KiB, and
/// whoever prints a time or an address prints another text in every process: more than a few say nothing new.
const MOST_OUTPUTS: usize = 10;

/// So many different reasons and places of aborts are kept of each benchmark.
const MOST_ABORTS: usize = 50;

/// Why an observation that follows the end line is not used.
const BEHIND_THE_END: &str = "it is behind the end of the run, so that somebody else appended it";

/// A run set in the making.
pub(super) struct Builder {
    run_set: RunSetId,
    /// The context, which every benchmark is measured under that names nothing else.
    context: Vec<(Symbol, Symbol)>,
    metrics: Vec<Metric>,
    names: HashSet<String>,
    /// The metrics as they stand in lines; shared with those who read ahead.
    keys: Arc<Keys>,
    spellings: Vec<SpellingId>,
    /// Whether values cannot be negative.
    amounts: Vec<bool>,
    benchmarks: Vec<RecordedBenchmark>,
    values: Values,
    /// Whether some observation was taken, warm-ups included.
    observed: bool,
    /// Metrics whose values are kept, where not all are.
    kept: Option<Vec<String>>,
    /// The values of a line that are kept, where not all are.
    kept_values: Vec<Measured>,
}

impl Builder {
    /// Starts with what the header says.
    pub(super) fn new(
        data: &mut Dataset,
        input: &Input,
        header: HeaderLine,
    ) -> Result<Builder, Full> {
        let (sides, harness) = (header.sides(), header.harness());
        let run_set = data.add_run_set(RunSet {
            sides,
            bisection: header.bisection,
            harness,
            label: input.label.clone(),
            id: header.id,
            began: header.started.as_deref().and_then(seconds_since_1970),
            started: header.started,
            argv: header.argv.iter().map(|a| a.to_string_lossy().into_owned()).collect(),
            context: header.context,
            experiment: header.experiment,
            checks: header.checks,
            lost: header.lost,
            ..RunSet::from_source(&input.path)
        })?;
        let context = data.context_entries(run_set)?;
        Ok(Builder {
            run_set,
            context,
            metrics: Vec::new(),
            names: HashSet::new(),
            keys: Arc::default(),
            spellings: Vec::new(),
            amounts: Vec::new(),
            benchmarks: Vec::new(),
            values: Values::default(),
            observed: false,
            kept: None,
            kept_values: Vec::new(),
        })
    }

    /// Keeps only the values of these metrics.
    pub(super) fn keeping(self, kept: Vec<String>) -> Builder {
        Builder { kept: Some(kept), ..self }
    }

    /// Whether lines of this type go to [`Builder::declaration`].
    pub(super) fn declares(&self, kind: &str) -> bool {
        matches!(
            kind,
            "metric"
                | "unit"
                | "benchmark"
                | "node"
                | "plan"
                | "settings"
                | "look"
                | "note"
                | "output"
                | "abort"
                | "service"
                | "mark"
                | "run"
                | "end"
        )
    }

    /// Takes a line that is neither header nor observation.
    pub(super) fn declaration(
        &mut self,
        data: &mut Dataset,
        kind: &str,
        line: &str,
    ) -> Result<(), Refused> {
        let set = &mut data.run_sets[self.run_set.at()];
        match kind {
            "metric" => self.metric(data, serde_json::from_str(line)?)?,
            "unit" => {
                let UnitWire { unit, key, value } = serde_json::from_str(line)?;
                data.declare(self.run_set, None, &unit, &key, &value);
            }
            "benchmark" => self.benchmark(data, &serde_json::from_str(line)?)?,
            "node" => {
                let node = serde_json::from_str::<NodeWire>(line)?;
                Arc::make_mut(&mut set.nodes).declare(node.into());
            }
            "plan" => {
                let plan = Plan::try_from(serde_json::from_str::<PlanWire>(line)?)?;
                first(&mut set.plan, plan, "plan")?;
            }
            "settings" => {
                let wire: SettingsWire = serde_json::from_str(line)?;
                let ranked = self.metrics.iter().find(|m| m.name == wire.metric());
                let unit = ranked.map(|metric| metric.unit.clone());
                let settings: Settings = wire.into_settings(unit.as_ref())?;
                first(&mut set.settings, settings, "settings line")?;
            }
            "look" => set.looks.push(serde_json::from_str::<LookWire>(line)?.into()),
            "output" => {
                let output: OutputWire = serde_json::from_str(line)?;
                match output.of {
                    Printer::File(file) => {
                        let text = output.text.to_string_lossy().into_owned();
                        set.outputs.push(Printed { file, text });
                    }
                    Printer::Benchmark(index) => self.printed(data, index, &output.text),
                }
            }
            "abort" => self.aborted(data, serde_json::from_str(line)?),
            "service" => set.services.push(serde_json::from_str::<ServiceWire>(line)?.into()),
            "note" => set.notes.push(serde_json::from_str::<NoteWire>(line)?.into()),
            "run" => data.begin_run(self.run_set, serde_json::from_str::<RunWire>(line)?.number),
            "mark" => data.mark(&serde_json::from_str::<MarkWire>(line)?.text),
            _ => {
                let end: End = serde_json::from_str::<EndWire>(line)?.into();
                first(&mut set.end, end, "end")?;
            }
        }
        Ok(())
    }

    fn metric(&mut self, data: &mut Dataset, wire: MetricWire) -> Result<(), Refused> {
        let spelling = wire.spelling().map(str::to_owned);
        let metric = Metric::from(wire);
        if self.names.contains(&metric.name) {
            return Err(Refused::Line(format!("a second metric called `{}`", metric.name)));
        }
        // A unit of a foreign source may be called the same, and may be anything.
        let is_amount =
            spelling.is_none() && metrics::NEVER_NEGATIVE.contains(&metric.name.as_str());
        let at = match spelling {
            Some(text) => data.spelling(&text)?,
            None => data.add_metric(self.run_set, metric.clone())?,
        };
        self.names.insert(metric.name.clone());
        Arc::make_mut(&mut self.keys).declare(&metric);
        self.metrics.push(metric);
        self.amounts.push(is_amount);
        self.spellings.push(at);
        Ok(())
    }

    fn benchmark(&mut self, data: &mut Dataset, line: &BenchmarkLine) -> Result<(), Refused> {
        let declared = line.to_benchmark();
        let name =
            line.pieces.as_ref().map(|all| Name::from_pieces(all.iter().map(String::as_str)));
        let whole = Name::from_benchmark(&declared);
        if name.as_ref().is_some_and(|name| name.full() != whole.full()) {
            return Err(Refused::Line("its pieces are not its name".to_owned()));
        }
        let benchmark = data.add_benchmark(self.run_set, declared)?;
        data.benchmarks[benchmark.at()].name = name.unwrap_or(whole);
        let own = match &line.configuration {
            None => None,
            Some(facts) => {
                let strings = &mut data.strings;
                let fact = |(key, value): &(String, String)| {
                    Some((strings.intern(key)?, strings.intern(value)?))
                };
                Some(facts.iter().map(fact).collect::<Option<Vec<_>>>().ok_or(Full)?)
            }
        };
        let entries = own.as_ref().unwrap_or(&self.context);
        let configuration = data.configuration(self.run_set, entries)?;
        let (last_block, without_block) = (None, false);
        self.benchmarks.push(RecordedBenchmark {
            benchmark,
            configuration,
            last_block,
            without_block,
        });
        Ok(())
    }

    /// Keeps what a process of a benchmark printed; that of a benchmark which is not declared is nobody's.
    fn printed(&self, data: &mut Dataset, index: usize, text: &Text) {
        let Some(declared) = self.benchmarks.get(index) else { return };
        let printed = &mut data.tally(declared.benchmark).printed;
        let text = text.to_string_lossy();
        match printed.iter().position(|known| text == known.text) {
            Some(at) => printed[at].processes += 1,
            None if printed.len() < MOST_OUTPUTS => {
                printed.push(ProcessOutput { text: text.into_owned(), processes: 1 });
            }
            None => {}
        }
    }

    /// Keeps what a JIT compiler gave up in a benchmark's processes; that of a benchmark which is not declared is
    /// nobody's.
    fn aborted(&self, data: &mut Dataset, line: AbortWire) {
        let Some(declared) = self.benchmarks.get(line.benchmark) else { return };
        let aborts = &mut data.tally(declared.benchmark).aborts;
        let AbortWire { reason, at, count, processes, .. } = line;
        match aborts.iter().position(|known| known.reason == reason && known.at == at) {
            Some(known) => {
                let known = &mut aborts[known];
                known.count = known.count.saturating_add(count);
                known.processes = known.processes.saturating_add(processes);
            }
            None if aborts.len() < MOST_ABORTS => {
                aborts.push(TraceAborts { reason, at, count, processes });
            }
            None => {}
        }
    }

    /// The metrics declared so far, as they stand in lines.
    pub(super) fn keys(&self) -> &Arc<Keys> {
        &self.keys
    }

    /// Takes an observation line.
    pub(super) fn observation(
        &mut self,
        data: &mut Dataset,
        line: &str,
        remarks: &mut Remarks,
    ) -> Result<(), Refused> {
        let mut values = std::mem::take(&mut self.values);
        let observed = match self.keys.parse(line.as_bytes(), values.cleared()) {
            Some((observed, _)) => Ok(observed),
            None => observation::parse(line, &self.metrics, &mut values),
        };
        let taken = observed
            .map_err(Refused::from)
            .and_then(|observed| self.observed(data, observed, values.line(), remarks));
        self.values = values;
        taken
    }

    /// Takes an observation whose line was read.
    pub(super) fn observed(
        &mut self,
        data: &mut Dataset,
        mut observed: ObservationLine,
        values: LineValues<'_>,
        remarks: &mut Remarks,
    ) -> Result<(), Refused> {
        if data.run_sets[self.run_set.at()].end.is_some() {
            return Err(Refused::Line(BEHIND_THE_END.to_owned()));
        }
        let Some(declared) = self.benchmarks.get_mut(observed.benchmark) else {
            return Err(Refused::Line(no_benchmark(observed.benchmark, self.benchmarks.len())));
        };
        possible(values, &self.metrics, &self.amounts)?;
        if observed.iterations.is_some_and(|iterations| iterations < 1) {
            divisible(&self.metrics)?;
        }
        // Work is counted apart from all blocks.
        let is_work = observed.block.is_none()
            && values.all.iter().any(|(metric, _)| self.metrics[*metric].is_of_work());
        let values = match &self.kept {
            None => values,
            Some(kept) => {
                let is_kept = |metric: usize| kept.contains(&self.metrics[metric].name);
                let all = values.all.iter();
                self.kept_values.clear();
                self.kept_values
                    .extend(all.filter(|(at, number)| number.is_some() && is_kept(*at)));
                LineValues { all: &self.kept_values, texts: &[] }
            }
        };
        let benchmark = declared.benchmark;
        node::placed(&mut data.run_sets[self.run_set.at()].nodes, &observed)?;
        match observed.phase {
            Phase::Warmup => {
                let tally = data.tally(benchmark);
                tally.warmup_outcomes.add(&observed.outcome);
                tally.warmups.extend(warmup_batch(&observed, values, &self.metrics));
            }
            Phase::Measured => {
                let entries = entries(values, &self.spellings);
                declared.measured(data, (&mut observed, is_work), entries)?;
            }
        }
        self.observed = true;
        if observed.orphans > 0 {
            let tally = data.tally(benchmark);
            tally.orphans += u64::from(observed.orphans);
            tally.with_orphans += 1;
        }
        for (place, (metric, number)) in values.all.iter().enumerate() {
            if number.is_none() {
                remarks.absent(&self.metrics[*metric].name, values.text(place));
            }
        }
        Ok(())
    }

    /// The block of the last row of all that counts.
    pub(super) fn last_block(&self) -> Option<u32> {
        self.benchmarks.iter().filter_map(|declared| declared.last_block).max()
    }

    /// Whether any observation was taken.
    pub(super) fn has_observations(&self) -> bool {
        self.observed
    }

    /// Ends the run set, with the reader's remarks after the record's own notes.
    pub(super) fn finish(self, data: &mut Dataset, remarks: Remarks) -> Result<RunSetId, Full> {
        let Builder { run_set, benchmarks, .. } = self;
        let set = &mut data.run_sets[run_set.at()];
        set.lost = remarks.lost().or(set.lost.take());
        let source = set.source.clone();
        set.notes.extend(remarks.into_notes(&source));
        for declared in benchmarks.iter().filter(|d| d.last_block.is_some() && d.without_block) {
            let benchmark = &data.benchmarks[declared.benchmark.at()].benchmark;
            let about = benchmark.as_ref().map_or(String::new(), |b| b.key.name.clone());
            let text = "some observations name no block, so none of them is paired".to_owned();
            data.run_sets[run_set.at()].notes.push(Note::new(about, text));
        }
        data.finish(run_set)?;
        Ok(run_set)
    }
}

/// Sets what a record has once.
fn first<T>(field: &mut Option<T>, value: T, name: &str) -> Result<(), Refused> {
    if field.is_some() {
        return Err(Refused::Line(format!("a second {name}")));
    }
    *field = Some(value);
    Ok(())
}

fn no_benchmark(asked: usize, known: usize) -> String {
    format!("it refers to benchmark {asked}, and {known} are declared before it")
}
