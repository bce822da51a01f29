//! The analysis as one JSON document: base units, full precision, explicit `null` for what is
//! absent. Specified in `docs/json.md`; fields are only ever added.

mod cases;

use std::io::{self, Write};

use serde::Serialize;
use serde_json::{Map, Value, json};

use etalon_core::analysis::{
    Analysis, Comparison, Distribution, Execution, MetricSummary, ShapeFound, Summary,
};
use etalon_core::compare::{Design, Scale};
use etalon_core::estimate::Estimate;
use etalon_core::model::{Look, OutcomeCounts};
use etalon_core::plan::{Correction, Margin};
use etalon_core::stats::Lacking;

use crate::terminal::reason_text;

/// Writes the document, indented, with a final newline.
///
/// # Errors
/// What the writer returns.
pub fn write(analysis: &Analysis, out: &mut dyn Write) -> io::Result<()> {
    let formatter = serde_json::ser::PrettyFormatter::with_indent(b" ");
    let mut serializer = serde_json::Serializer::with_formatter(&mut *out, formatter);
    document(analysis).serialize(&mut serializer)?;
    writeln!(out)?;
    out.flush()
}

fn document(analysis: &Analysis) -> Value {
    let first = analysis.executions.first();
    let settings = &analysis.settings;
    json!({
        "version": 1,
        "metric": settings.metric,
        "headline": analysis.headline,
        "benchmarks": analysis.benchmarks.iter().map(|b| benchmark(b, analysis)).collect::<Vec<_>>(),
        "comparisons": analysis.rankings.iter().flat_map(|r| &r.comparisons)
            .map(|c| comparison(c, analysis)).collect::<Vec<_>>(),
        "suites": analysis.suites.iter().map(cases::suite).collect::<Vec<_>>(),
        "notes": analysis.notes_about(|_| true).iter()
            .map(|n| json!({"about": n.about, "text": n.text})).collect::<Vec<_>>(),
        "context": first.map(|e| &e.context),
        "stopped_by": first.and_then(|e| e.stopped_by.as_ref()).map(ToString::to_string),
        // A string: a 64-bit seed does not survive readers that hold numbers as doubles.
        "seed": first.and_then(|e| e.plan.as_ref()).map(|p| p.seed.to_string()),
        "executions": analysis.executions.iter().map(execution).collect::<Vec<_>>(),
        "settings": {
            "metric": settings.metric,
            "reference": settings.reference,
            "margin": margin(settings.margin),
            "at_least": settings.at_least,
            "alpha": settings.alpha,
            "confidence": settings.confidence,
            "epsilon": settings.conditions.epsilon,
            "superiority": settings.conditions.superiority,
            "correction": analysis.rankings.first().map(|r| correction(r.correction)),
        },
    })
}

fn benchmark(summary: &Summary, analysis: &Analysis) -> Value {
    let metrics: Map<String, Value> = summary
        .metrics
        .iter()
        .map(|m| (m.metric.name.clone(), metric(m, level(summary, analysis))))
        .collect();
    let params: Map<String, Value> =
        summary.benchmark.key.params.iter().map(|(k, v)| (k.clone(), json!(v))).collect();
    let place = analysis.benchmarks.iter().position(|b| std::ptr::eq(b, summary));
    let mut rows = analysis.rankings.iter().flat_map(|ranking| &ranking.rows);
    let row = rows.find(|row| Some(row.benchmark) == place);
    let letters = row.filter(|row| !row.letters.is_empty()).map(|row| &row.letters);
    json!({
        "name": summary.benchmark.key.name,
        "params": params,
        "file": summary.source,
        "command": summary.benchmark.command,
        "shell": summary.benchmark.shell,
        "letters": letters,
        "metrics": metrics,
        "distribution": summary.distribution.as_ref().map(|d| distribution(d, analysis)),
        "outcomes": outcomes(summary.outcomes),
        "warmup_outcomes": outcomes(summary.warmup_outcomes),
        "leftovers": summary.leftovers,
        "case": cases::case(summary),
    })
}

/// The level of a benchmark's intervals, also of those that there are not: its case's, or everybody's.
fn level(summary: &Summary, analysis: &Analysis) -> f64 {
    let case = summary.benchmark.case.as_ref();
    case.map_or(analysis.settings.confidence, |case| case.sampling.confidence)
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
    let value = |shape: &Result<ShapeFound, Lacking>| shape.as_ref().ok().map(|f| f.shape.value);
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

fn comparison(c: &Comparison, analysis: &Analysis) -> Value {
    let evidence = &c.evidence;
    let name = |i: usize| analysis.benchmarks[i].benchmark.key.name.as_str();
    let ratio = evidence.ratio.as_ref();
    let interval = ratio.and_then(|r| r.interval.as_ref().ok());
    let test = evidence.test.as_ref().ok();
    json!({
        "metric": analysis.settings.metric,
        "base": name(c.base),
        "candidate": name(c.candidate),
        "base_index": c.base,
        "candidate_index": c.candidate,
        "verdict": c.decision.verdict.word(),
        "ratio": ratio.map(|r| r.value),
        "lo": interval.map(|i| i.lo),
        "hi": interval.map(|i| i.hi),
        "level": interval.map_or_else(
            || level(&analysis.benchmarks[c.candidate], analysis),
            |i| i.level,
        ),
        "method": evidence.difference.method.name(),
        "difference": estimate(&evidence.difference),
        "scale": match evidence.scale { Scale::Ratio => "ratio", Scale::Difference => "difference" },
        "p": test.map(|t| t.p),
        "p_adjusted": c.adjusted.p,
        "p_same": evidence.same_p,
        "p_same_adjusted": c.adjusted.same_p,
        "correction": correction(c.adjusted.correction),
        "family": c.adjusted.family,
        "superiority": evidence.superiority,
        "ratio_of_medians": evidence.ratio_of_medians,
        "n": [evidence.n.0, evidence.n.1],
        "paired": evidence.design == Design::Blocks,
        "dropped_blocks": evidence.dropped,
        "margin": margin(analysis.settings.margin),
        "reasons": c.decision.reasons.iter().filter_map(|r| reason_text(r, c)).collect::<Vec<_>>(),
        "more_blocks": c.decision.more_blocks,
    })
}

fn estimate(e: &Estimate) -> Value {
    let interval = e.interval.as_ref().ok();
    json!({"value": e.value, "lo": interval.map(|i| i.lo), "hi": interval.map(|i| i.hi)})
}

fn margin(margin: Margin) -> Value {
    match margin {
        Margin::Relative(share) => json!({"relative": share}),
        Margin::Absolute(size) => json!({"absolute": size}),
    }
}

fn correction(correction: Correction) -> &'static str {
    match correction {
        Correction::Holm => "holm",
        Correction::BenjaminiHochberg => "bh",
        Correction::None => "none",
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
        "context": e.context,
    })
}
