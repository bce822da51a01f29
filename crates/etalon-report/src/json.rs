//! The analysis as one JSON document: base units, full precision, explicit `null` for what is
//! absent; and the tables of a comparison as another one. Specified in `docs/json.md`; fields are only ever added.

mod assessment;
mod cases;
mod tables;
mod variation;
mod visible;

pub use tables::{Titled, tables, titled};
pub use visible::write_document;

use std::collections::HashMap;
use std::io::{self, Write};

use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::{Map, Value, json};

use etalon_core::analysis::{
    Analysis, Comparison, Distribution, Execution, MetricSummary, Ranking, ShapeFinding, Summary,
};
use etalon_core::criteria::Margin;
use etalon_core::model::{Outcome, OutcomeCounts, Service, ServiceEnd};
use etalon_core::run_set::Look;
use etalon_core::stats::InsufficientData;

use assessment::assessment;
use variation::variation;

use crate::view::Style;
use crate::words::{headline, notes};

/// The version of both documents: another one means that a field has another meaning.
const VERSION: u32 = 2;

/// Writes the document, indented, with a final newline.
///
/// # Errors
/// Errors of the writer.
pub fn write(analysis: &Analysis, out: &mut dyn Write) -> io::Result<()> {
    write_document(&Document(analysis), out)
}

/// The document. Benchmarks and comparisons become values one by one while they are written: all at once, of
/// thousands, they would take several times the memory of the analysis.
struct Document<'a>(&'a Analysis);

impl Serialize for Document<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let analysis = self.0;
        let first = analysis.executions.first();
        let mut document = serializer.serialize_map(None)?;
        document.serialize_entry("version", &VERSION)?;
        document.serialize_entry("metric", &analysis.settings.metric)?;
        document
            .serialize_entry("headline", &analysis.headline.map(|it| headline(analysis, it)))?;
        document.serialize_entry("benchmarks", &Benchmarks(analysis))?;
        document.serialize_entry("comparisons", &Comparisons(analysis))?;
        let suites: Vec<Value> = analysis.suites.iter().map(cases::suite).collect();
        document.serialize_entry("suites", &suites)?;
        let notes = notes(analysis, |_| true, |_| true, Style::Etalon);
        let notes = notes.iter().map(|n| json!({"about": n.about, "text": n.text}));
        document.serialize_entry("notes", &notes.collect::<Vec<_>>())?;
        document.serialize_entry("context", &first.map(|e| &e.context))?;
        let stopped_by = first.and_then(|e| e.stopped_by.as_ref()).map(ToString::to_string);
        document.serialize_entry("stopped_by", &stopped_by)?;
        // A string: a 64-bit seed does not survive readers that hold numbers as doubles.
        let seed = first.and_then(|e| e.plan.as_ref()).map(|p| p.seed.to_string());
        document.serialize_entry("seed", &seed)?;
        let executions: Vec<Value> = analysis.executions.iter().map(execution).collect();
        document.serialize_entry("executions", &executions)?;
        document.serialize_entry("settings", &settings(analysis))?;
        document.end()
    }
}

struct Benchmarks<'a>(&'a Analysis);

impl Serialize for Benchmarks<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let analysis = self.0;
        let rows = analysis.rankings.iter().flat_map(|ranking| &ranking.rows);
        let lettered = rows.filter(|row| !row.letters.is_empty());
        let letters: HashMap<usize, &String> =
            lettered.map(|row| (row.benchmark, &row.letters)).collect();
        let benchmark = |(at, summary)| benchmark(summary, letters.get(&at).copied(), analysis);
        serializer.collect_seq(analysis.benchmarks.iter().enumerate().map(benchmark))
    }
}

struct Comparisons<'a>(&'a Analysis);

impl Serialize for Comparisons<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let analysis = self.0;
        let pairs = analysis.rankings.iter();
        let pairs = pairs.flat_map(|ranking| ranking.comparisons.iter().map(move |c| (ranking, c)));
        let names = names(analysis);
        serializer.collect_seq(pairs.map(|(ranking, c)| comparison(c, ranking, (analysis, &names))))
    }
}

/// The name of each benchmark in comparisons: with what tells it apart where others have that name.
fn names(analysis: &Analysis) -> Vec<&str> {
    let mut count: HashMap<&str, usize> = HashMap::new();
    for summary in &analysis.benchmarks {
        *count.entry(&summary.benchmark.key.name).or_default() += 1;
    }
    let names = analysis.benchmarks.iter().map(|summary| {
        let name = summary.benchmark.key.name.as_str();
        if count[name] > 1 { summary.label.as_str() } else { name }
    });
    names.collect()
}

fn settings(analysis: &Analysis) -> Value {
    let settings = &analysis.settings;
    let criteria = &settings.criteria;
    json!({
        "metric": settings.metric,
        "reference": settings.reference,
        "margin": margin(criteria.margin),
        "at_least": criteria.at_least,
        "alpha": criteria.alpha,
        "confidence": criteria.confidence,
        "between": criteria.between,
        "epsilon": criteria.conditions.epsilon,
        "superiority": criteria.conditions.superiority,
        "correction": analysis.rankings.first().map(|r| r.criteria.correction().name()),
    })
}

fn benchmark(summary: &Summary, letters: Option<&String>, analysis: &Analysis) -> Value {
    let metrics: Map<String, Value> = summary
        .metrics
        .iter()
        .map(|m| (m.metric.name.clone(), metric(m, level(summary, analysis))))
        .collect();
    let params: Map<String, Value> =
        summary.benchmark.key.params.iter().map(|(k, v)| (k.clone(), json!(v))).collect();
    json!({
        "name": summary.benchmark.key.name,
        "params": params,
        "file": summary.source,
        "command": summary.benchmark.command,
        "shell": summary.benchmark.shell,
        "letters": letters,
        "metrics": metrics,
        "distribution": summary.distribution.as_ref().map(|d| distribution(d, analysis)),
        "variation": summary.variation.as_ref().map(|it| variation(it, analysis)),
        "outcomes": outcomes(summary.outcomes),
        "warmup_outcomes": outcomes(summary.warmup_outcomes),
        "orphans": summary.orphans,
        "case": cases::case(summary),
    })
}

/// The level of a benchmark's intervals, also of those that there are not.
fn level(summary: &Summary, analysis: &Analysis) -> f64 {
    analysis.settings.criteria.level(summary.benchmark.asked_level())
}

fn metric(m: &MetricSummary, level: f64) -> Value {
    let interval = m.median.interval.as_ref().ok();
    json!({
        "unit": m.metric.unit.base().to_string(),
        "n": m.n,
        "readings": m.readings,
        "median": m.median.value,
        "lo": interval.map(|i| i.lo),
        "hi": interval.map(|i| i.hi),
        "level": interval.map_or(level, |i| i.level),
        "method": m.median.method.name(),
        "mean": m.mean,
        "stddev": m.stddev,
        "min": m.quartiles.min,
        "q1": m.quartiles.q1,
        "q3": m.quartiles.q3,
        "p95": m.p95,
        "p99": m.p99,
        "max": m.quartiles.max,
        "mode": m.mode,
    })
}

fn distribution(d: &Distribution, analysis: &Analysis) -> Value {
    let normality = d.normality.as_ref().ok().map(|found| found.test);
    let value =
        |shape: &Result<ShapeFinding, InsufficientData>| shape.as_ref().ok().map(|f| f.shape.value);
    json!({
        "metric": analysis.settings.metric,
        "anderson_darling": normality.map(|test| test.statistic),
        "p": normality.map(|test| test.p),
        "skewness": value(&d.skewness),
        "excess_kurtosis": value(&d.kurtosis),
    })
}

fn outcomes(counts: OutcomeCounts) -> Value {
    json!({
        "ok": counts.ok,
        "failed": counts.failed,
        "killed": counts.killed,
        "timed_out": counts.timed_out,
        "suspended": counts.suspended,
        "not_started": counts.not_started,
    })
}

fn comparison(c: &Comparison, ranking: &Ranking, (analysis, names): (&Analysis, &[&str])) -> Value {
    let mut fields = Map::new();
    fields.insert("metric".to_owned(), json!(analysis.settings.metric));
    fields.insert("base".to_owned(), json!(names[c.base]));
    fields.insert("candidate".to_owned(), json!(names[c.candidate]));
    fields.insert("base_index".to_owned(), json!(c.base));
    fields.insert("candidate_index".to_owned(), json!(c.candidate));
    fields.extend(assessment(&c.assessment, &ranking.criteria, ranking.metric.unit.base()));
    Value::Object(fields)
}

fn margin(margin: Margin) -> Value {
    match margin {
        Margin::Relative(share) => json!({"relative": share}),
        Margin::Absolute(size, of) => json!({"absolute": size, "unit": of.base().to_string()}),
    }
}

fn look(look: &Look) -> Value {
    json!({"blocks": look.blocks, "widest": look.widest, "alpha": look.alpha})
}

fn execution(e: &Execution) -> Value {
    json!({
        "source": e.source,
        "started": e.started,
        "seed": e.plan.as_ref().map(|p| p.seed.to_string()),
        "blocks": e.blocks,
        "stopped_by": e.stopped_by.as_ref().map(ToString::to_string),
        "looks": e.looks.iter().map(look).collect::<Vec<_>>(),
        "services": e.services.iter().map(service).collect::<Vec<_>>(),
        "context": e.context,
    })
}

fn service(service: &Service) -> Value {
    let (code, signal) = match service.outcome {
        Outcome::Ok => (Some(0), None),
        Outcome::Failed { code } => (Some(code), None),
        Outcome::Killed { signal } => (None, Some(signal)),
        Outcome::TimedOut | Outcome::Suspended | Outcome::NotStarted { .. } => (None, None),
    };
    json!({
        "name": service.name,
        "start": service.start,
        "version": service.version,
        "ended": match service.ended {
            ServiceEnd::Stopped => "stopped",
            ServiceEnd::Killed => "killed",
            ServiceEnd::Itself => "itself",
        },
        "code": code,
        "signal": signal,
        "killed": service.killed,
        "log_bytes": service.log_bytes,
    })
}
