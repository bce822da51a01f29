//! Why readings of a benchmark differ: what was seen, strongest first, each with what would cure it; and how much each
//! level of the experiment adds.

use etalon_core::analysis::{Analysis, Repetitions, Summary};
use etalon_core::units::Base;
use etalon_core::variation::{CauseKind, FEWEST};

use crate::figures::Figures;
use crate::number::{counted, p_value};
use crate::text::{clean, hanging, wrap};
use crate::words;

/// The lines of all benchmarks.
pub(crate) fn lines(analysis: &Analysis, width: usize) -> Vec<String> {
    let metric = &analysis.settings.metric;
    let title = format!("Why readings differ ({metric}): shares of the variance, strongest first");
    let mut lines = wrap(&title, width);
    for (index, summary) in analysis.benchmarks.iter().enumerate() {
        let base = summary.metric(metric).map(|it| it.metric.unit.base());
        let Some(base) = base else { continue };
        lines.extend(wrap(&clean(&words::case_name(analysis, index)), width));
        lines.extend(benchmark_lines(summary, base, width));
    }
    lines
}

fn benchmark_lines(summary: &Summary, base: &Base, width: usize) -> Vec<String> {
    let mut lines = Vec::new();
    let Some(variation) = &summary.variation else {
        return hanging("  ", "not looked for among so many benchmarks", width);
    };
    for cause in &variation.causes {
        let share = (100.0 * cause.share).round();
        let lead = format!("  {share:>3} %  ");
        let text = format!("{} (p {})", words::seen(&cause.kind, base), p_value(cause.p));
        lines.extend(hanging(&lead, &text, width));
        lines.extend(hanging("         cure: ", cure(&cause.kind), width));
    }
    if variation.causes.is_empty() {
        let readings = counted(variation.readings, "reading", "readings");
        let text = match (variation.points < FEWEST, variation.points == variation.readings) {
            (false, _) => format!("nothing stands out in {readings}"),
            (true, true) => format!("{readings}: ten are needed"),
            (true, false) => {
                let blocks = counted(variation.points, "block", "blocks");
                format!("{readings} in {blocks}: ten blocks are needed")
            }
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
    let best = variation.repetitions.as_ref().map(best);
    lines.extend(best.iter().flat_map(|best| hanging("  samples: ", best, width)));
    lines
}

/// How many samples are best taken in a block.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // at least 1, and shown
fn best(repetitions: &Repetitions) -> String {
    let both = [repetitions.block, repetitions.sample];
    let figures = Figures::new(&Base::Seconds, both);
    let [block, sample] = both.map(|seconds| figures.show(seconds));
    let costs = format!("another block costs {block} of warm-up, another sample {sample}");
    match repetitions.best {
        Some(best) => {
            let best = counted(best.round() as usize, "sample", "samples");
            format!("{best} a block give the narrowest median in a given time ({costs})")
        }
        None => format!("blocks do not differ: many samples in few blocks pay ({costs})"),
    }
}

/// The remedy against a cause.
fn cure(kind: &CauseKind) -> &'static str {
    match kind {
        CauseKind::Waiting => "stop what else runs, or keep a CPU free of it",
        CauseKind::Faults => {
            "free memory; warm-up executions, where files are read for the first time"
        }
        CauseKind::Switches => "stop what else runs, and what it waits for or writes to",
        CauseKind::Together => {
            "none is needed for comparisons within blocks, which it does not touch; the machine changes, so stop what else runs"
        }
        CauseKind::First { .. } => "one warm-up execution, if later ones are what matters",
        CauseKind::Step { .. } => "what began or ended then; compare within the same blocks",
        CauseKind::Drift { .. } => "a longer warm-up, or pauses where the machine gets warm",
        CauseKind::Modes(_) => {
            "what differs between executions (addresses, CPUs, caches); more blocks average over it"
        }
    }
}
