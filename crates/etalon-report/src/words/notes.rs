//! Notes in words: on the experiment, benchmarks and comparisons; those on cases are in [`cases`].

mod cases;

use std::collections::HashSet;

use etalon_core::analysis::{
    Analysis, ComparisonNote, DesignNote, ExecutionNote, Failing, Headline, MeansTest, MetricNote,
    NoteKind, OtherView, RuntimeNote,
};
use etalon_core::compare::Remark;
use etalon_core::dataset::ChangingLoad;
use etalon_core::model::{self, Metric};
use etalon_core::run_set::StoppedBy;
use etalon_core::stats::Widening;
use etalon_core::verdict::Verdict;

use super::amounts::ratio_text;
use super::metric::{lower_first, metric_title};
use super::names::case_name;
use super::variation::seen;
use super::verdicts::more_often_beside;
use crate::number::{counted, duration, fixed, share};
use crate::text::clean;
use crate::view::Style;

/// The notes that are kept, in words: those about the experiment, then those about single metrics for which `shown`
/// holds; each once. Columns have the names of that style.
pub(crate) fn notes(
    analysis: &Analysis,
    shown: impl Fn(&Metric) -> bool,
    kept: impl Fn(&NoteKind) -> bool,
    style: Style,
) -> Vec<model::Note> {
    let mut seen = HashSet::new();
    let ranked = analysis.rankings.first().map(|ranking| &ranking.metric);
    let worded = |note: etalon_core::analysis::Note| {
        let text = text(&note.what, ranked, style);
        model::Note::new(note.about, text)
    };
    let all = analysis.notes_about(shown).filter(|note| kept(&note.what)).map(worded);
    all.filter(|note| seen.insert((note.about.clone(), note.text.clone()))).collect()
}

/// The headline about the metric that is ranked, as a sentence.
pub(crate) fn headline(analysis: &Analysis, headline: Headline) -> String {
    match headline {
        Headline::Parallel { ratio } => format!(
            "CPU time, which is ranked here, is up to {ratio:.1} × wall clock: work ran in parallel; \
             --metric wall ranks by wall clock."
        ),
        Headline::WallRanksDifferently(view) => format!(
            "By wall clock {}; CPU time is ranked here, --metric wall ranks by wall clock.",
            pair(analysis, view)
        ),
        Headline::CpuRanksDifferently(view) => {
            format!("By CPU time {}; --metric cpu ranks by it.", pair(analysis, view))
        }
        Headline::CpuIsNarrower(view) => {
            let ranking = analysis.rankings.first();
            let own = ranking.and_then(|ranking| ranking.versus(view.of, view.base));
            let what = match view.ratio {
                // The answer has said who they are.
                Some(ratio) if own.is_some_and(|own| own.verdict() == view.verdict) => {
                    ratio_text(&ratio)
                }
                _ => pair(analysis, view),
            };
            format!("More narrowly by CPU time: {what}; --metric cpu ranks by it.")
        }
    }
}

/// A pair by the other metric: `gzip -1 is faster than gzip -9, 1.05 × (1.03 … 1.07)`.
fn pair(analysis: &Analysis, view: OtherView) -> String {
    let (of, base) = (case_name(analysis, view.of), case_name(analysis, view.base));
    let said = match view.verdict {
        Verdict::Faster | Verdict::Slower => {
            format!("{of} is {} than {base}", view.verdict.name())
        }
        Verdict::Same => format!("{of} and {base} are the same"),
        Verdict::Unclear => format!("{of} against {base} is unclear"),
    };
    view.ratio.map_or(said.clone(), |ratio| format!("{said}, {}", ratio_text(&ratio)))
}

/// A remark on evidence besides the verdict.
pub(crate) fn remark(remark: Remark) -> String {
    remark_of(remark, None)
}

/// A remark on evidence, with its metric where that has to be said.
fn remark_of(remark: Remark, metric: Option<&Metric>) -> String {
    match remark {
        Remark::Dropped { blocks } => {
            format!("{} with a side missing dropped out", counted(blocks, "block", "blocks"))
        }
        Remark::RatioOfMediansOutside { ratio } => {
            format!("the ratio of medians, {ratio:.3}, lies outside the interval")
        }
        Remark::Unseen { share } => {
            format!("a slow share up to {:.0} % could be unseen", 100.0 * share)
        }
        Remark::MoreOftenWorse(tail) => {
            let [said, readings] = more_often_beside(&tail);
            format!("{said} ({readings})")
        }
        Remark::SerialDependence(widening) => dependent(widening, metric, "the interval"),
        Remark::Waited { base, candidate } => format!(
            "waited for a CPU {:.0} % of its time, the base {:.0} %: the interval holds both, with that time and without",
            100.0 * candidate,
            100.0 * base
        ),
    }
}

fn dependent(Widening { r1, factor }: Widening, metric: Option<&Metric>, interval: &str) -> String {
    let of = metric.map(metric_phrase).unwrap_or_default();
    format!(
        "neighbouring readings{of} resemble each other (lag-1 rank autocorrelation {r1:.2}): {interval} is \
         {factor:.1} times as wide for it"
    )
}

/// Behind "readings": of which metric they are.
fn metric_phrase(metric: &Metric) -> String {
    format!(" of {}", lower_first(&metric_title(metric)))
}

/// [`Remark::SerialDependence`] in several intervals of a metric, in one clause; `only` says that there is no other.
pub(crate) fn widened(factors: &[f64], metric: Option<&Metric>, only: bool) -> Option<String> {
    let most = factors.iter().copied().reduce(f64::max)?;
    let most = fixed(most, usize::from(most < 9.95));
    let intervals = match factors.len() {
        1 if only => "the interval is".to_owned(),
        1 => "1 interval is".to_owned(),
        n => format!("{n} intervals are up to"),
    };
    let of = metric.map(metric_phrase).unwrap_or_default();
    Some(format!("readings{of} resemble their neighbours: {intervals} {most} × as wide"))
}

/// [`Remark::RatioOfMediansOutside`] in several comparisons, in one clause.
pub(crate) fn medians_outside(comparisons: usize) -> Option<String> {
    let of = counted(comparisons, "comparison", "comparisons");
    (comparisons > 0).then(|| format!("the ratio of medians lies outside the interval of {of}"))
}

/// A note, as a sentence without its full stop; comparisons are of the ranked metric.
fn text(note: &NoteKind, ranked: Option<&Metric>, style: Style) -> String {
    match note {
        NoteKind::Recorded(text) => text.clone(),
        NoteKind::Executions(note) => executions(note),
        NoteKind::Metric(note) => metric(note),
        NoteKind::Design(note) => design(note),
        NoteKind::Comparison(note) => comparison(note, ranked),
        NoteKind::Runtime(note) => runtime(note).to_owned(),
        NoteKind::Case(note) => cases::case(note, style),
    }
}

/// A note on a benchmark's executions.
pub(crate) fn executions(note: &ExecutionNote) -> String {
    match note {
        ExecutionNote::Failures { how, count, of } => {
            format!("{count} of {of} executions {}", ended(*how))
        }
        ExecutionNote::Orphans { with, of: None, all } => {
            format!("{with} of its processes left others running ({all} in all); they were killed")
        }
        ExecutionNote::Orphans { with, of: Some(of), all } => format!(
            "{with} of {of} executions left processes running ({all} in all); they were killed"
        ),
        ExecutionNote::Waited { disturbed, of } => format!(
            "{disturbed} of {of} executions waited for a CPU for more than 10 % of their time"
        ),
        ExecutionNote::SharedCounters { percent } => format!(
            "events shared the CPU's counters (each was counted at least {percent:.0} % of the time), \
             so their counts are scaled"
        ),
    }
}

/// A note on a metric.
fn metric(note: &MetricNote) -> String {
    match note {
        MetricNote::SplitByTicks => {
            "below some tens of ms the kernel's tick decides how CPU time splits into user and \
             system; only the sum is sound"
                .to_owned()
        }
        MetricNote::NearResolution => {
            "readings are shorter than 100 × the clock's resolution".to_owned()
        }
        MetricNote::LauncherFloor { bytes } => format!(
            "peak memory is at most about what is shown: every command starts with the \
             launcher's {:.1} MB, and less is not seen",
            bytes / 1e6
        ),
        MetricNote::Widened { metric, widening } => {
            dependent(*widening, Some(metric), "the interval of the median")
        }
        MetricNote::Varies { cause, base } => format!(
            "{} ({} of the variance; --explain-noise says more)",
            seen(&cause.kind, base),
            share(cause.share)
        ),
    }
}

/// The remark on commands of one file in hyperfine's or BestGuess's format: they are compared as if one had been
/// executed after the other.
pub(crate) const ORDER_UNSAID: &str = "hyperfine's JSON and BestGuess's CSV do not say whether commands took turns; \
                                       where they did, --between 0 leaves the scatter between runs out";

/// A note on the design.
fn design(note: &DesignNote) -> String {
    match note {
        DesignNote::Sequential => {
            "executed one after the other: the interval allows for how much runs differ, and --order \
             blocks would cancel that"
                .to_owned()
        }
        DesignNote::OrderUnsaid => ORDER_UNSAID.to_owned(),
        DesignNote::DifferentExecutions => {
            "data of different runs: the interval allows for how much runs differ, and one interleaved \
             run of both would cancel that"
                .to_owned()
        }
        DesignNote::LoadChanged(load) => load_changed(*load),
        DesignNote::Copies { runs } => copies(*runs),
        DesignNote::NoiseMeasured { before, runs, scatter, visible } => {
            let when = if *before < 0.0 { "later" } else { "before" };
            let ago = duration(before.abs());
            let visible = visible.map_or_else(String::new, |change| {
                format!(", and one run a side shows changes from {} on", share(change))
            });
            format!("noise measured {ago} {when}: {runs} runs scatter by {}{visible}", share(*scatter))
        }
        DesignNote::Machines { keys } => {
            let keys: Vec<String> = keys.iter().map(|key| clean(key)).collect();
            format!(
                "results differ in {}: only those of one machine are compared; --col {} compares machines",
                keys.join(", "),
                keys.join(",")
            )
        }
        DesignNote::OtherMachines { keys } => {
            let keys: Vec<String> = keys.iter().map(|key| clean(key)).collect();
            format!(
                "data sets are of machines that differ in {}: what is slower may be the machine",
                keys.join(", ")
            )
        }
        DesignNote::FirstOnly { all, first } => format!(
            "each of {all} benchmarks is compared with the first only, {first}: all pairs are compared \
             up to {}, and --reference names another one",
            etalon_core::analysis::ALL_PAIRS_TO
        ),
    }
}

/// How an experiment ended that did not come to the end it was asked for; absent of one that did.
pub(crate) fn how_cut_short(stopped_by: Option<&StoppedBy>) -> Option<&'static str> {
    Some(match stopped_by {
        None => "unfinished record",
        Some(StoppedBy::Interrupt) => "interrupted",
        Some(StoppedBy::Failure) => "stopped by a failure",
        Some(StoppedBy::Error) => "stopped by an error",
        Some(_) => return None,
    })
}

/// The remark on runs that repeat others, in words that fit every way to know it.
pub(crate) fn copies(runs: usize) -> String {
    match runs {
        1 => "one run repeats another one (its id, start or readings): they count once".to_owned(),
        _ => format!("{runs} runs repeat others (their ids, starts or readings): each counts once"),
    }
}

/// The remark on a run in which waiting for a CPU changed.
pub(crate) fn load_changed(load: ChangingLoad) -> String {
    let part = |share: f64| format!("{:.0}", 100.0 * share);
    format!(
        "waiting for a CPU came and went: tenth by tenth of the run, executions waited for between {} and {} % of \
         their time, as beside programs that start and end; small differences may come from that",
        part(load.least),
        part(load.most)
    )
}

/// A note on a comparison.
fn comparison(note: &ComparisonNote, ranked: Option<&Metric>) -> String {
    match note {
        ComparisonNote::Evidence(found) => remark_of(*found, ranked),
        ComparisonNote::RealButBelowMargin => {
            "the difference is real, but below the margin".to_owned()
        }
        ComparisonNote::NoCommonBlock => {
            "no block holds both: they are compared as runs one after the other".to_owned()
        }
        ComparisonNote::Disagreement { test, found, verdict, needs } => {
            disagreement(*test, *found, *verdict, *needs)
        }
    }
}

/// A note on a runtime.
fn runtime(note: &RuntimeNote) -> &'static str {
    match note {
        RuntimeNote::ClockThroughFfi => {
            "the native module is missing: the clock is read through the FFI"
        }
        RuntimeNote::ClockOfProcess => {
            "the native module is missing: times are os.clock's, CPU time of the process in steps of \
             a microsecond or more"
        }
        RuntimeNote::AllocatorUncounted => {
            "the allocator could not be counted: bytes are collectgarbage('count')'s, and there are \
             no numbers of allocations"
        }
    }
}

fn ended(how: Failing) -> &'static str {
    match how {
        Failing::Failed => "exited non-zero",
        Failing::Killed => "ended by a signal",
        Failing::TimedOut => "timed out",
        Failing::Suspended => "suspended (stopped and continued on the way): no measurement",
        Failing::NotStarted => "not started",
    }
}

/// Why two sound procedures may say different things.
fn disagreement(
    test: MeansTest,
    found: Option<Verdict>,
    verdict: Verdict,
    needs: Option<usize>,
) -> String {
    let test = match test {
        MeansTest::Welch => "Welch's test",
        MeansTest::ScottKnott => "Scott-Knott ESD",
    };
    match (found, verdict, needs) {
        (Some(_), Verdict::Same, _) => format!(
            "{test} finds a difference, etalon's verdict is same: the test has no margin, and the \
             verdict says that the whole interval lies within it"
        ),
        (Some(_), Verdict::Unclear, Some(at_least)) => format!(
            "{test} finds a difference, etalon's verdict is unclear: it needs at least {at_least} \
             blocks, whatever they say; the test takes means to be normally distributed"
        ),
        (Some(_), Verdict::Unclear, None) => format!(
            "{test} finds a difference, etalon's verdict is unclear: the test compares means over all \
             blocks as if they were independent, the verdict the ratios within blocks, by ranks, \
             corrected over the comparisons with the baseline"
        ),
        (Some(found), _, _) => format!(
            "{test} finds it {}, etalon's verdict is {}: a few blocks can move a mean the other way, \
             the verdict is on the ratios within blocks, by ranks",
            found.name(),
            verdict.name()
        ),
        (None, _, _) => format!(
            "{test} finds no difference, etalon's verdict is {}: the verdict compares within blocks, \
             where what changes from block to block cancels; the test has to tell the means apart in \
             spite of it",
            verdict.name()
        ),
    }
}
