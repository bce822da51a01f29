//! Remarks on counts: that they are not exact and why, and where they moved.

use std::collections::{BTreeMap, BTreeSet};

use etalon_core::model::Note;
use etalon_probe::travel;

use super::cachegrind::Count;
use super::{CountSpec, Countable, Seeds};
use crate::error::RunError;
use crate::monitor::Monitor;

/// The name that Cachegrind has for code of which no symbol is known, as in interpreters of distributions.
const UNNAMED: &str = "???";

/// Counts that differ by more than this share may be of work that goes on until some time is over.
const BY_TIME: f64 = 0.01;

/// Functions that are named at most.
const NAMED: usize = 10;

/// Says of counts what is to be known: that they are not exact and why, and where they differ.
pub(super) fn remark(
    spec: &CountSpec,
    executor: &impl Countable,
    (members, counts): (&[usize], &BTreeMap<usize, Vec<Count>>),
    monitor: &Monitor<'_>,
) -> Result<(), RunError> {
    for (subject, of) in counts {
        let about = monitor.experiment.label(*subject);
        let is_static = executor.program(*subject).is_some_and(|it| travel::is_static(&it));
        let totals = of.iter().map(|count| count.total);
        let least = totals.clone().min().unwrap_or(0);
        let spread = share(totals.max().unwrap_or(0), least);
        let cause = match (is_static, spec.seeds) {
            (true, Seeds::Fixed) => "entropy not fixed, because it is linked statically",
            (false, Seeds::Fixed) if spread > BY_TIME => {
                "work that repeats until some time is over (a fixed number of iterations repeats as often), threads, \
                 time-outs, or entropy that is not fixed"
            }
            (false, Seeds::Fixed) => "threads, time-outs, or entropy that is not fixed",
            (_, Seeds::Raw) => "seeds are not fixed",
        };
        let text = match (spread > spec.margin, is_static && spec.seeds == Seeds::Fixed) {
            (true, _) => format!(
                "its counts differ among themselves by {}, so they are not exact: {cause}",
                percent(spread)
            ),
            (false, true) => cause.to_owned(),
            (false, false) => continue,
        };
        monitor.records.note(&Note::new(about, text))?;
    }
    if let [base, head] = members
        && let (Some(one), Some(other)) = (counts.get(base), counts.get(head))
        && differ(counts, spec.margin)
        && let Some(text) = one.last().zip(other.last()).and_then(|(a, b)| moved(a, b))
    {
        let about = monitor.experiment.benchmarks.get(*head).map(|line| line.name.clone());
        monitor.records.note(&Note::new(about.unwrap_or_default(), text))?;
    }
    Ok(())
}

/// Whether any two counts differ by more than a share.
pub(super) fn differ(counts: &BTreeMap<usize, Vec<Count>>, margin: f64) -> bool {
    let totals = || counts.values().flatten().map(|count| count.total);
    let (least, most) = (totals().min().unwrap_or(0), totals().max().unwrap_or(0));
    share(most, least) > margin
}

/// By which share of the one the other is larger.
#[allow(clippy::cast_precision_loss)] // instructions below 2⁵³
fn share(more: u64, less: u64) -> f64 {
    (more as f64 - less as f64) / (less as f64).max(1.0)
}

fn percent(share: f64) -> String {
    format!("{:.2} %", 100.0 * share)
}

/// Where a count moved: the functions whose own instructions changed most, as shares of all of the base's.
#[allow(clippy::cast_precision_loss)] // instructions below 2⁵³
fn moved(base: &Count, head: &Count) -> Option<String> {
    let names: BTreeSet<&String> = base.functions.keys().chain(head.functions.keys()).collect();
    let own = |count: &Count, name: &String| count.functions.get(name).copied().unwrap_or(0) as f64;
    let change = |name: &String| own(head, name) - own(base, name);
    let mut changed: Vec<(&String, f64)> = names.into_iter().map(|it| (it, change(it))).collect();
    changed.retain(|(_, change)| *change != 0.0);
    changed.sort_by(|(_, a), (_, b)| b.abs().total_cmp(&a.abs()));
    let said = changed.iter().take(NAMED).map(|(name, change)| {
        let name = if *name == UNNAMED { "code without symbols" } else { name };
        format!("{name} {:+.3} %", 100.0 * change / (base.total as f64).max(1.0))
    });
    let said: Vec<String> = said.collect();
    (!said.is_empty()).then(|| format!("where the count moved: {}", said.join("; ")))
}
