//! A benchmark with its figures by metric: of a ranking one that was declared, of tables what stands in a row and a column.

use std::borrow::Cow;

use etalon_core::analysis::{Analysis, Machine, MetricSummary, Summary};
use etalon_core::model::OutcomeCounts;
use etalon_core::tables;
use etalon_core::units::Base;
use serde::Serialize;

use super::cases::Case;
use super::parts::Ordered;
use super::shape::{Distribution, Variation};

/// The prefix of keys of parameters.
const PARAMETER: char = '/';

/// A benchmark. In tables it is what stands in one row and one column, with a metric for each unit.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct Benchmark<'a> {
    /// Its place in `benchmarks`, to which everything else refers.
    id: usize,
    /// Its name.
    name: Cow<'a, str>,
    /// Its name with what tells it from others of that name: the one that comparisons use.
    label: &'a str,
    /// Its parameters, by name.
    params: Ordered<'a, &'a str>,
    /// In tables, the values of all keys that tell it apart, by key: `null` where it has none. Empty in a ranking.
    labels: Ordered<'a, Option<&'a str>>,
    /// The source of its data; `null` in tables whose keys do not tell sources apart.
    file: Option<&'a str>,
    /// The group of a function.
    group: Option<&'a str>,
    /// The machine that it was measured on, by the keys that tell machines apart; `null` in data of one. Letters begin
    /// anew on each.
    machine: Option<Ordered<'a, &'a str>>,
    /// The command as typed.
    command: Option<&'a str>,
    /// The shell that it was given to.
    shell: Option<&'a str>,
    /// Benchmarks of one machine without a difference share a letter; `null` with a reference, and in tables, whose rows
    /// have `ranks`.
    letters: Option<&'a str>,
    /// Figures by metric; in tables by unit.
    metrics: Ordered<'a, Metric>,
    /// The shape of the ranked metric; `null` without values, and in tables.
    distribution: Option<Distribution<'a>>,
    /// Why its readings differ; `null` without `--explain-noise`, without values and among more than 1,000 benchmarks.
    variation: Option<Variation<'a>>,
    /// How its executions ended; `null` in tables.
    outcomes: Option<Outcomes>,
    /// How its warm-up ended; `null` in tables.
    warmup_outcomes: Option<Outcomes>,
    /// Processes that executions left running and etalon killed; `null` in tables.
    orphans: Option<u64>,
    /// Its facts as a function; `null` of a command, and in tables.
    case: Option<Case<'a>>,
}

/// The place of a benchmark in a ranking.
#[derive(Default, Clone, Copy)]
pub(super) struct Rank<'a> {
    pub(super) letters: Option<&'a str>,
    pub(super) machine: Option<&'a Machine>,
}

/// Where a benchmark of tables stands, and its cells.
pub(super) struct Placed<'a> {
    pub(super) label: String,
    /// The name, where a key says it; else the row in words.
    pub(super) name: String,
    /// The values of all keys.
    pub(super) labels: Vec<(&'a str, Option<&'a str>)>,
    /// By unit.
    pub(super) cells: Vec<(&'a tables::Table, &'a tables::Cell)>,
}

impl<'a> Placed<'a> {
    /// One without cells yet: its row, with what tells it from others, and its column in words.
    pub(super) fn new(
        row: String,
        column: &str,
        labels: Vec<(&'a str, Option<&'a str>)>,
    ) -> Placed<'a> {
        let value = |wanted: &str| labels.iter().find(|(key, _)| *key == wanted)?.1;
        let name = value(".fullname").or_else(|| value(".name")).unwrap_or(&row).to_owned();
        let label = match (row.is_empty(), column.is_empty()) {
            (true, _) => column.to_owned(),
            (false, true) => row,
            (false, false) => format!("{row} ({column})"),
        };
        Placed { label, name, labels, cells: Vec::new() }
    }

    /// Whether a cell may be its cell of that unit.
    pub(super) fn takes(&self, table: &tables::Table, cell: &tables::Cell) -> bool {
        let is_it =
            |of: &tables::Cell| (of.n, &of.centre, &of.mean) == (cell.n, &cell.centre, &cell.mean);
        self.cell(table).is_none_or(is_it)
    }

    /// Adds a cell; whether it is a new one.
    pub(super) fn add(&mut self, table: &'a tables::Table, cell: &'a tables::Cell) -> bool {
        let is_new = self.cell(table).is_none();
        self.cells.extend(is_new.then_some((table, cell)));
        is_new
    }

    fn cell(&self, table: &tables::Table) -> Option<&'a tables::Cell> {
        self.cells.iter().find(|(of, _)| of.unit == table.unit).map(|(_, cell)| *cell)
    }
}

impl<'a> Benchmark<'a> {
    /// That of a ranking.
    pub(super) fn declared(
        (id, label): (usize, &'a str),
        summary: &'a Summary,
        rank: Rank<'a>,
        analysis: &'a Analysis,
    ) -> Benchmark<'a> {
        let benchmark = &summary.benchmark;
        let level = analysis.settings.criteria.level(benchmark.asked_level());
        let metrics = summary.metrics.iter();
        let metrics = metrics.map(|it| (it.metric.name.as_str(), Metric::summarised(it, level)));
        let params = benchmark.key.params.iter();
        let machine = rank.machine.map(|keys| keys.iter());
        let pair = |(key, value): &'a (String, String)| (key.as_str(), value.as_str());
        Benchmark {
            id,
            name: Cow::Borrowed(&benchmark.key.name),
            label,
            params: Ordered::from_pairs(params.map(pair)),
            labels: Ordered(Vec::new()),
            file: Some(&summary.source),
            group: benchmark.case.as_ref().and_then(|case| case.group.as_deref()),
            machine: machine.map(|keys| Ordered::from_pairs(keys.map(pair))),
            command: benchmark.command.as_deref(),
            shell: benchmark.shell.as_deref(),
            letters: rank.letters,
            metrics: Ordered::from_pairs(metrics),
            distribution: summary.distribution.as_ref().map(|it| Distribution::new(it, analysis)),
            variation: summary.variation.as_ref().map(|it| Variation::new(it, analysis)),
            outcomes: Some(Outcomes::new(summary.outcomes)),
            warmup_outcomes: Some(Outcomes::new(summary.warmup_outcomes)),
            orphans: Some(summary.orphans),
            case: Case::new(summary),
        }
    }

    /// That of tables.
    pub(super) fn placed(id: usize, of: &'a Placed<'a>) -> Benchmark<'a> {
        let value = |wanted: &str| {
            of.labels.iter().find(|(key, _)| *key == wanted).and_then(|(_, value)| *value)
        };
        let params = of
            .labels
            .iter()
            .filter_map(|(key, value)| Some((key.strip_prefix(PARAMETER)?, (*value)?)));
        let cells = of.cells.iter();
        let metrics =
            cells.map(|(table, cell)| (table.unit.as_str(), Metric::from_cell(cell, &table.base)));
        Benchmark {
            id,
            name: Cow::Borrowed(&of.name),
            label: &of.label,
            params: Ordered::from_pairs(params),
            labels: Ordered::from_pairs(of.labels.iter().copied()),
            file: value(".file"),
            group: value("group"),
            machine: None,
            command: None,
            shell: None,
            letters: None,
            metrics: Ordered::from_pairs(metrics),
            distribution: None,
            variation: None,
            outcomes: None,
            warmup_outcomes: None,
            orphans: None,
            case: None,
        }
    }
}

/// A metric of a benchmark in figures, in its base unit.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Metric {
    /// The base unit: `s`, `B`, `count`, or the unit itself (of a rate, and of one that etalon does not know).
    unit: String,
    /// Values that the interval counts: executions of a command, blocks of a case.
    n: usize,
    /// Readings behind all fields but median and interval; `null` in tables.
    readings: Option<usize>,
    /// The median; of exact values the value.
    median: f64,
    /// The lower end of its interval; at 95 % `null` below 6 values.
    lo: Option<f64>,
    /// The upper end.
    hi: Option<f64>,
    /// The level of the interval, 0 to 1; in tables `null` without one.
    level: Option<f64>,
    /// How median and interval were made.
    method: &'static str,
    /// Arithmetic mean.
    mean: Option<f64>,
    /// Sample standard deviation; `null` below 2 values, and in tables.
    stddev: Option<f64>,
    /// The least; this and what follows is `null` in tables. Quantiles are by linear interpolation (type 7).
    min: Option<f64>,
    /// First quartile.
    q1: Option<f64>,
    /// Third quartile.
    q3: Option<f64>,
    /// 95th percentile; `null` below 20 values.
    p95: Option<f64>,
    /// 99th percentile; `null` below 100 values.
    p99: Option<f64>,
    /// The most.
    max: Option<f64>,
    /// Half-sample mode; `null` below 10 values.
    mode: Option<f64>,
}

impl Metric {
    fn summarised(of: &MetricSummary, level: f64) -> Metric {
        let interval = of.median.interval.as_ref().ok();
        Metric {
            unit: of.metric.unit.base().to_string(),
            n: of.n,
            readings: Some(of.readings),
            median: of.median.value,
            lo: interval.map(|i| i.lo),
            hi: interval.map(|i| i.hi),
            level: Some(interval.map_or(level, |i| i.level)),
            method: of.median.method.name(),
            mean: Some(of.mean),
            stddev: of.stddev,
            min: Some(of.quartiles.min),
            q1: Some(of.quartiles.q1),
            q3: Some(of.quartiles.q3),
            p95: of.p95,
            p99: of.p99,
            max: Some(of.quartiles.max),
            mode: of.mode,
        }
    }

    fn from_cell(cell: &tables::Cell, base: &Base) -> Metric {
        let interval = cell.centre.interval.ok();
        Metric {
            unit: base.to_string(),
            n: cell.n,
            readings: None,
            median: cell.centre.value,
            lo: interval.map(|i| i.lo),
            hi: interval.map(|i| i.hi),
            level: interval.map(|i| i.level),
            method: cell.centre.method.name(),
            mean: cell.mean.as_ref().map(|mean| mean.value),
            stddev: None,
            min: None,
            q1: None,
            q3: None,
            p95: None,
            p99: None,
            max: None,
            mode: None,
        }
    }
}

/// Numbers of executions by outcome.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Outcomes {
    /// Exit code 0.
    ok: usize,
    /// Other exit codes.
    failed: usize,
    /// Ended by a signal.
    killed: usize,
    /// Ended by the timeout.
    timed_out: usize,
    /// Stopped and continued on the way.
    suspended: usize,
    /// Could not be started.
    not_started: usize,
}

impl Outcomes {
    fn new(counts: OutcomeCounts) -> Outcomes {
        let OutcomeCounts { ok, failed, killed, timed_out, suspended, not_started, .. } = counts;
        Outcomes { ok, failed, killed, timed_out, suspended, not_started }
    }
}
