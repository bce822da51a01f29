//! Words shared by the sections: metric titles, verdicts, reasons, benchmark names.

use etalon_core::analysis::{Analysis, MetricSummary, Scope, Summary};
use etalon_core::compare::{Design, Evidence, Scale};
use etalon_core::criteria::Margin;
use etalon_core::estimate::{Estimate, Method};
use etalon_core::model::{Metric, Per};
use etalon_core::stats::Correction;
use etalon_core::units::{Base, Unit};
use etalon_core::verdict::{Assessment, Reason};

use crate::number::{Shown, counted, decimals_for, fixed, p_value, percent};
use crate::text::clean;

/// The title of a metric; what is said of a call says so.
pub(crate) fn metric_title(metric: &Metric) -> String {
    let title = title(&metric.name);
    if metric.per == Per::Iteration { format!("{title} per call") } else { title }
}

fn title(name: &str) -> String {
    let title = match name {
        "cpu" => "Total CPU time",
        "user" => "User time",
        "sys" => "System time",
        "wall" => "Wall clock",
        "rss" => "Max RSS",
        "faults" => "Page faults",
        "csw" => "Context sw",
        "minflt" => "Minor faults",
        "majflt" => "Major faults",
        "vcsw" => "Voluntary sw",
        "ivcsw" => "Involuntary sw",
        "cpu_wait" => "Wait for a CPU",
        "gc_time" => "Collection",
        "gc_cycles" => "Collections",
        "alloc" => "Allocated",
        "allocs" => "Allocations",
        "reallocs" => "Reallocations",
        "frees" => "Frees",
        "peak" => "Peak of the heap",
        "heap" => "Heap before",
        "uncollected" => "Uncollected",
        "empty_loop" => "Empty loop",
        other => return clean(other),
    };
    title.to_owned()
}

/// The unit that all values of a table row are shown in: the one that fits the median.
pub(crate) fn unit_of(summary: &MetricSummary) -> Shown {
    let q = &summary.quartiles;
    let fitting = |magnitude| Shown::fitting(&summary.metric, magnitude);
    let shown = fitting(if q.median == 0.0 { q.max } else { q.median });
    // An extreme may be too large to be a number in the median's unit.
    let extreme = q.min.abs().max(q.max.abs());
    if shown.number(extreme).is_finite() { shown } else { fitting(extreme) }
}

/// What a benchmark is: what has no command line, such as a function of Go, is no command.
pub(super) fn kind(benchmark: &Summary) -> &'static str {
    match (&benchmark.case, &benchmark.benchmark.command) {
        (Some(_), _) => "Case",
        (None, Some(_)) => "Command",
        (None, None) => "Benchmark",
    }
}

/// The name a benchmark is shown under; with its source where there are several.
pub(crate) fn name(analysis: &Analysis, index: usize) -> String {
    let benchmark = &analysis.benchmarks[index];
    with_source(analysis, index, &benchmark.label)
}

/// The same where the file of a case and its group are known.
pub(crate) fn case_name(analysis: &Analysis, index: usize) -> String {
    with_source(analysis, index, &analysis.benchmarks[index].benchmark.label())
}

fn with_source(analysis: &Analysis, index: usize, label: &str) -> String {
    let name = clean(label);
    match several_sources(analysis) {
        true => format!("{name} ({})", short_source(&analysis.benchmarks[index].source)),
        false => name,
    }
}

/// What the benchmarks are, one and several: cases, if all of them are.
pub(super) fn of_what(analysis: &Analysis) -> (&'static str, &'static str) {
    if analysis.benchmarks.iter().all(|b| b.case.is_some()) {
        ("case", "cases")
    } else {
        ("command", "commands")
    }
}

/// What cases are compared within: their file, and their group of it.
pub(super) fn scope(scope: &Scope) -> String {
    match &scope.group {
        None => clean(&scope.file),
        Some(group) => format!("{} ({})", clean(&scope.file), clean(group)),
    }
}

/// A source without its directories and without a record's ending.
pub(super) fn short_source(source: &str) -> String {
    let name = source.rsplit('/').next().unwrap_or(source);
    let name = name.strip_suffix(".partial").unwrap_or(name);
    clean(name.strip_suffix(".jsonl").unwrap_or(name))
}

/// Whether a benchmark's source has to be named beside it.
pub(super) fn several_sources(analysis: &Analysis) -> bool {
    analysis.executions.len() > 1
}

/// The margin as the user writes it.
pub(crate) fn margin_text(margin: Margin, base: &Base) -> String {
    match margin {
        Margin::Relative(share) => percent(share),
        Margin::Absolute(size, _) => amount(size, base),
    }
}

/// An amount as the user writes it.
pub(super) fn amount(size: f64, base: &Base) -> String {
    let unit = Unit::for_display(base, size);
    format!("{} {}", trimmed(unit.from_base(size)), unit.symbol())
}

fn trimmed(value: f64) -> String {
    let text = format!("{value:.6}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// A ratio with its interval: `1.326 × (1.305 … 1.345)`; that of exact values is a point and says nothing more.
pub(crate) fn ratio_text(ratio: &Estimate) -> String {
    match &ratio.interval {
        Ok(i) if ratio.method != Method::Exact => {
            let d = decimals_for(i.half_width());
            format!("{} × ({} … {})", fixed(ratio.value, d), fixed(i.lo, d), fixed(i.hi, d))
        }
        _ => format!("{} ×", fixed(ratio.value, 2)),
    }
}

/// The correction's name.
pub(crate) fn correction_text(correction: Correction) -> &'static str {
    match correction {
        Correction::Holm => "Holm",
        Correction::BenjaminiHochberg => "BH",
        Correction::None => "no correction",
    }
}

/// What a value of the comparison is called: blocks pair, independent values stand alone.
fn unit_of_replication(evidence: &Evidence) -> (&'static str, &'static str) {
    match evidence.design {
        Design::Blocks => ("block", "blocks"),
        Design::Independent => ("execution a side", "executions a side"),
    }
}

/// What stands in the way of a verdict (or behind one), in one clause; absent where the verdict
/// needs no words.
#[must_use]
pub fn reason_text(reason: &Reason, evidence: &Evidence) -> Option<String> {
    let (one, many) = unit_of_replication(evidence);
    Some(match reason {
        Reason::WithinMargin | Reason::BeyondChance => return None,
        Reason::RealButBelowMargin => "real, but below the margin".to_owned(),
        Reason::Needs { at_least } => format!("needs at least {}", counted(*at_least, one, many)),
        Reason::FamilyNeeds { at_least, family } => {
            format!(
                "needs at least {at_least} {many} for {}",
                counted(*family, "comparison", "comparisons")
            )
        }
        Reason::IntervalIncludesNone => match evidence.scale {
            Scale::Ratio => "the interval includes 1".to_owned(),
            Scale::Difference => "the interval includes 0".to_owned(),
        },
        Reason::IntervalBeyondMargin => "and reaches beyond the margin".to_owned(),
        Reason::NotSignificant { p, adjusted, correction, family } => {
            if *family > 1 && *correction != Correction::None {
                format!(
                    "p {}, {} after {} over {family}",
                    p_value(*p),
                    p_value(*adjusted),
                    correction_text(*correction)
                )
            } else {
                format!("p {}", p_value(*p))
            }
        }
        Reason::SamenessNotSignificant { p, adjusted } => format!(
            "inside the margin, but p of sameness is {}, {} after the correction",
            p_value(*p),
            p_value(*adjusted)
        ),
        Reason::NotBeyond { at_least } => {
            format!("not wholly beyond 1 ± {}", percent(*at_least))
        }
        Reason::WithinEpsilon { epsilon } => {
            format!(
                "the difference's interval includes 0 when moved by ± {}",
                amount(*epsilon, &Base::Seconds)
            )
        }
        Reason::TooOftenBetter { probability, at_most } => {
            format!(
                "the slower one has the better reading with P {probability:.2}, above {at_most}"
            )
        }
        Reason::BelowTheClock => "below the clock".to_owned(),
        Reason::SerialDependence { .. } => "serial dependence".to_owned(),
    })
}

/// All that is to be said about an open verdict: reasons and what would settle it.
pub(crate) fn why(assessment: &Assessment) -> Option<String> {
    let Assessment { evidence, decision, .. } = assessment;
    let reasons: Vec<String> =
        decision.reasons.iter().filter_map(|r| reason_text(r, evidence)).collect();
    if reasons.is_empty() {
        return None;
    }
    let mut text = joined(&reasons);
    let says_itself = decision.reasons.iter().any(|r| matches!(r, Reason::Needs { .. }));
    if let Some(more) = decision.more_blocks.filter(|_| !says_itself) {
        let (one, many) = unit_of_replication(evidence);
        let more = counted(more, &format!("more {one}"), &format!("more {many}"));
        text.push_str(&format!("; about {more} would settle it"));
    }
    Some(text)
}

/// Clauses joined with commas; one that begins with "and" continues the one before.
fn joined(reasons: &[String]) -> String {
    let mut text = String::new();
    for reason in reasons {
        if !text.is_empty() {
            text.push_str(if reason.starts_with("and ") { " " } else { ", " });
        }
        text.push_str(reason);
    }
    text
}
