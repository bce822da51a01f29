//! Why readings of a benchmark differ: what was seen, strongest first, each with what would cure it; and how much each
//! level of the experiment adds.

use etalon_core::analysis::{Analysis, Summary};
use etalon_core::units::Base;
use etalon_core::variation::{CauseKind, Mode};

use crate::figures::Figures;
use crate::number::{counted, p_value};
use crate::text::{clean, hanging, wrap};
use crate::words;

/// The lines of all benchmarks.
pub(super) fn lines(analysis: &Analysis, width: usize) -> Vec<String> {
    let metric = &analysis.settings.metric;
    let title = format!("Why readings differ ({metric}): shares of the variance, strongest first");
    let mut lines = wrap(&title, width);
    for (index, summary) in analysis.benchmarks.iter().enumerate() {
        let base = summary.metric(metric).map(|it| it.metric.unit.base());
        let Some(base) = base else { continue };
        lines.extend(wrap(&clean(&words::case_name(analysis, index)), width));
        lines.extend(of_benchmark(summary, base, width));
    }
    lines
}

fn of_benchmark(summary: &Summary, base: &Base, width: usize) -> Vec<String> {
    let mut lines = Vec::new();
    let Some(variation) = &summary.variation else {
        return hanging("  ", "not looked for among so many benchmarks", width);
    };
    for cause in &variation.causes {
        let share = (100.0 * cause.share).round();
        let lead = format!("  {share:>3} %  ");
        let text = format!("{} (p {})", seen(&cause.kind, base), p_value(cause.p));
        lines.extend(hanging(&lead, &text, width));
        lines.extend(hanging("         cure: ", cure(&cause.kind), width));
    }
    if variation.causes.is_empty() {
        let few = variation.readings < 10;
        let readings = counted(variation.readings, "reading", "readings");
        let text = match few {
            true => format!("{readings}: ten are needed"),
            false => format!("nothing stands out in {readings}"),
        };
        lines.extend(hanging("  ", &text, width));
    }
    let shares = variation.levels.iter().map(|level| {
        let below = if level.below_zero { " (estimate below 0)" } else { "" };
        format!("between {}s {:.0} %{below}", level.level, 100.0 * level.share)
    });
    let shares: Vec<String> = shares.collect();
    if !shares.is_empty() {
        lines.extend(hanging("  by level: ", &shares.join(", "), width));
    }
    lines
}

/// What was seen.
fn seen(kind: &CauseKind, base: &Base) -> String {
    let show = |values: &[f64]| -> Vec<String> {
        let figures = Figures::of(base, values.iter().copied());
        values.iter().map(|value| figures.show(*value)).collect()
    };
    match kind {
        CauseKind::Waiting => "slow readings waited for a CPU".to_owned(),
        CauseKind::Faults => "slow readings have more page faults".to_owned(),
        CauseKind::Switches => "slow readings have more context switches".to_owned(),
        CauseKind::First { value, others } => {
            let shown = show(&[*value, *others]);
            format!("the first reading: {}, the others around {}", shown[0], shown[1])
        }
        CauseKind::Step { after, before, behind } => {
            let shown = show(&[*before, *behind]);
            let after = counted(*after, "reading", "readings");
            format!("a step after {after}: from {} to {}", shown[0], shown[1])
        }
        CauseKind::Drift { change } => {
            let way = if *change < 0.0 { "down" } else { "up" };
            format!("a drift: {way} by {} from first to last", show(&[change.abs()])[0])
        }
        CauseKind::Modes(modes) => {
            let shown = show(&modes.iter().map(|mode| mode.at).collect::<Vec<f64>>());
            let mode =
                |(at, mode): (&String, &Mode)| format!("{:.0} % around {at}", 100.0 * mode.share);
            let modes: Vec<String> = shown.iter().zip(modes).map(mode).collect();
            format!("{} modes: {}", modes.len(), modes.join(", "))
        }
    }
}

/// What it takes to be rid of it.
fn cure(kind: &CauseKind) -> &'static str {
    match kind {
        CauseKind::Waiting => "stop what else runs, or keep a CPU free of it",
        CauseKind::Faults => {
            "free memory; warm-up executions, where files are read for the first time"
        }
        CauseKind::Switches => "stop what else runs, and what it waits for or writes to",
        CauseKind::First { .. } => "one warm-up execution, if later ones are what matters",
        CauseKind::Step { .. } => "what began or ended then; compare within the same blocks",
        CauseKind::Drift { .. } => "a longer warm-up, or pauses where the machine gets warm",
        CauseKind::Modes(_) => {
            "what differs between executions (addresses, CPUs, caches); more blocks average over it"
        }
    }
}
