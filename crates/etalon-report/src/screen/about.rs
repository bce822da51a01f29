//! The basis of the answer: the quantity, how much was executed in which order, what ended it.

use etalon_core::analysis::{Analysis, Execution, Ranking};
use etalon_core::compare::Design;
use etalon_core::model::{Level, Metric};
use etalon_core::plan::{Order, Plan, Stopping};
use etalon_core::run_set::{Look, StoppedBy};
use etalon_core::verdict::Assessment;

use crate::number::{counted, counted_between, percent, significance};
use crate::words;

/// Data sets that have a sentence each; more are counted.
const NAMED: usize = 4;

/// The executions, and the base of a ranking's comparisons.
pub(super) fn sentences(analysis: &Analysis, ranking: Option<&Ranking>) -> Vec<String> {
    let mut sentences = executions(analysis, ranking.map(|ranking| &ranking.metric));
    sentences.extend(ranking.into_iter().flat_map(comparisons));
    sentences
}

/// The runs that a ranking's comparisons rest on, and how its letters are read.
pub(super) fn comparisons(ranking: &Ranking) -> Vec<String> {
    between_runs(ranking).into_iter().chain(letters(ranking)).collect()
}

/// A sentence for each run set; the first one names the quantity that is ranked.
pub(super) fn executions(analysis: &Analysis, metric: Option<&Metric>) -> Vec<String> {
    let several = words::several_sources(analysis);
    let metric = metric.map(words::metric_title);
    let mut sentences = Vec::new();
    sentences.extend(metric.clone().filter(|_| several).map(|metric| format!("{metric}.")));
    let sources = analysis.executions.len();
    let shown = if sources > NAMED { 0 } else { sources };
    if shown < sources {
        sentences.push(format!("{sources} data sets."));
    }
    for execution in &analysis.executions[..shown] {
        let mut said = vec![executed(analysis, execution)];
        said.extend(execution.plan.iter().flat_map(details));
        let said = said.join("; ");
        sentences.push(match (&metric, several) {
            (_, true) => format!("{}: {said}.", words::short_source(&execution.source)),
            (Some(metric), false) => format!("{metric}; {said}."),
            (None, false) => format!("{}.", capitalised(&said)),
        });
    }
    sentences
}

/// The basis without a ranking: only where something else ended the experiment than what was asked for.
pub(super) fn unusual(analysis: &Analysis) -> Vec<String> {
    use StoppedBy::{Precision, Runs};
    let as_asked = |execution: &Execution| match (&execution.stopped_by, &execution.plan) {
        (_, None) | (Some(Precision), _) => true,
        (Some(Runs), Some(plan)) => match plan.stopping {
            Stopping::Runs(n) => execution.blocks >= n as usize,
            Stopping::Precision { .. } | Stopping::Decided { .. } => false,
        },
        _ => false,
    };
    let others = analysis.executions.iter().filter(|execution| !as_asked(execution));
    others.map(|execution| format!("{}.", capitalised(&executed(analysis, execution)))).collect()
}

fn capitalised(text: &str) -> String {
    let mut chars = text.chars();
    let first = chars.next();
    first.map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}

/// The basis of comparisons between runs, and over nodes; how interleaved ones came about is said already.
fn between_runs(ranking: &Ranking) -> Option<String> {
    let is_of_runs = |it: &&Assessment| {
        !matches!(it.evidence.design, Design::Blocks | Design::Independent)
            && it.evidence.level == Level::Readings
    };
    let all = ranking.comparisons.iter().map(|comparison| &comparison.assessment);
    let of_runs: Vec<&Assessment> = all.filter(is_of_runs).collect();
    let said = words::rests_on(&of_runs, ranking.metric.unit.base(), None);
    said.filter(|_| !of_runs.is_empty()).map(|said| format!("{said}."))
}

/// How letters are read, where they stand in the table.
fn letters(ranking: &Ranking) -> Option<String> {
    let lettered = ranking.rows.iter().filter(|row| !row.letters.is_empty()).count();
    (lettered > 2).then(|| {
        format!(
            "Rows without a common letter differ ({} over {} comparisons).",
            words::correction_text(ranking.criteria.correction()),
            ranking.comparisons.len()
        )
    })
}

/// How the blocks of a run are called in its order.
fn blocks(analysis: &Analysis, execution: &Execution, plan: &Plan) -> String {
    let n = execution.blocks;
    let own = analysis.benchmarks.iter().filter(|benchmark| benchmark.source == execution.source);
    if own.count() == 1 && words::benchmark_words(analysis).0 != "case" {
        return counted(n, "execution", "executions");
    }
    match plan.order {
        Order::Blocks => {
            let blocks = own_blocks(analysis, execution).unwrap_or((n, n));
            counted_between(blocks, "interleaved block", "interleaved blocks")
        }
        Order::Abba => {
            let blocks = counted(n, "block", "blocks");
            format!("{blocks} alternating between the order given and its reverse")
        }
        Order::Sequential => {
            let each = each(analysis, execution, ["execution", "executions"]);
            format!("{each}, one after the other")
        }
    }
}

/// The fewest and the most blocks of a run's cases: groups of them end when they are precise enough, each by itself. Absent
/// without cases.
fn own_blocks(analysis: &Analysis, execution: &Execution) -> Option<(usize, usize)> {
    let own = analysis.benchmarks.iter().filter(|it| it.source == execution.source);
    let blocks = own.filter_map(|it| it.case.as_ref()).map(|facts| facts.blocks);
    // A block that was cut off and executed again counts once.
    let blocks = blocks.filter(|blocks| *blocks > 0).map(|blocks| blocks.min(execution.blocks));
    blocks.clone().min().zip(blocks.max())
}

/// How many of something each benchmark of a run has: a number for all of them, or those there are.
fn each(analysis: &Analysis, execution: &Execution, [one, many]: [&str; 2]) -> String {
    let own = || analysis.benchmarks.iter().filter(|it| it.source == execution.source);
    let all = || own().map(|it| it.outcomes.ok + it.outcomes.not_ok());
    let (least, most) = (all().min(), all().max());
    // Of functions, outcomes are samples and readings of their memory.
    if least == most || own().any(|benchmark| benchmark.case.is_some()) {
        return format!("{} each", counted(execution.blocks, one, many));
    }
    match &all().map(|count| count.to_string()).collect::<Vec<_>>()[..] {
        [a, b] => format!("{a} and {b} {many}"),
        [a, b, c] => format!("{a}, {b} and {c} {many}"),
        _ => format!("{} to {} {many} each", least.unwrap_or(0), most.unwrap_or(0)),
    }
}

/// How much was executed, and what ended it where that was not what was asked for.
fn executed(analysis: &Analysis, execution: &Execution) -> String {
    use StoppedBy::{Budget, Decided, Precision, Runs};
    let Some(plan) = &execution.plan else {
        let mut own = analysis.benchmarks.iter().filter(|it| it.source == execution.source);
        return match own.all(|it| it.benchmark.level == Level::Summary) {
            true => "a centre each, no raw data".to_owned(),
            false => each(analysis, execution, ["observation", "observations"]),
        };
    };
    let done = blocks(analysis, execution, plan);
    let within = within_a_block(analysis, execution, plan);
    let after = |asked: String| within.clone().unwrap_or_else(|| format!("after {done}{asked}"));
    let what = words::benchmark_words(analysis).0;
    let how = words::how_cut_short(execution.stopped_by.as_ref()).unwrap_or_default();
    match (&execution.stopped_by, plan.stopping) {
        (Some(Runs | Precision | Decided | Budget), _) if execution.blocks == 0 => {
            format!("nothing was measured ({})", asked(analysis, execution, plan))
        }
        (Some(Runs), Stopping::Runs(n)) if execution.blocks < n as usize => {
            format!("{done} of {n} asked for, the others failed")
        }
        (Some(Runs), Stopping::Runs(_)) => done,
        (Some(Runs), Stopping::Decided { .. }) => {
            format!(
                "{done} (the most asked for, not decided; {})",
                spent(analysis, &execution.looks)
            )
        }
        (Some(Runs), Stopping::Precision { .. }) => {
            let (asked, reached) = (asked(analysis, execution, plan), reached(&execution.looks));
            format!("{done} (the most asked for; {asked} asked for{reached})")
        }
        (Some(Precision), _) => format!("{done} ({} reached)", asked(analysis, execution, plan)),
        (Some(Budget), Stopping::Precision { budget, .. }) => {
            let (asked, reached) = (asked(analysis, execution, plan), reached(&execution.looks));
            format!(
                "{done} (stopped by the budget of {budget} s a {what}; {asked} asked for{reached})"
            )
        }
        (Some(Decided), _) => {
            format!("{done} (until decided; {})", spent(analysis, &execution.looks))
        }
        (Some(Budget), Stopping::Decided { budget }) => {
            let spent = spent(analysis, &execution.looks);
            format!("{done} (stopped by the budget of {budget} s a {what}, not decided; {spent})")
        }
        (Some(StoppedBy::Interrupt | StoppedBy::Error), _) => {
            format!("{how} {}", after(size_text(plan)))
        }
        (Some(StoppedBy::Failure), _) => format!("{how} {}", after(String::new())),
        (None, _) => format!("{how}, {done}{}", size_text(plan)),
        (Some(other), _) => format!("{done}, stopped by {other}"),
    }
}

/// Where it ended before every command, or case, was measured once: of blocks there is none yet. Which of them were
/// measured depends on the order that came first.
fn within_a_block(analysis: &Analysis, execution: &Execution, plan: &Plan) -> Option<String> {
    let own = analysis.benchmarks.iter().filter(|it| it.source == execution.source);
    let own: Vec<usize> = own.map(|it| it.counted).collect();
    let (all, measured) = (own.len(), own.iter().filter(|counted| **counted > 0).count());
    if all < 2 || measured == all {
        return None;
    }
    let place = match plan.order {
        Order::Sequential => "",
        Order::Blocks | Order::Abba if execution.blocks > 1 => return None,
        Order::Blocks | Order::Abba => "in the first block, ",
    };
    let (_, many) = words::benchmark_words(analysis);
    Some(format!("{place}with {measured} of {all} {many} measured"))
}

/// The precision that the last look found: of the blocks there were then, at the stricter level of looks.
fn reached(looks: &[Look]) -> String {
    let widest = looks.last().and_then(|look| look.widest);
    widest.map_or_else(String::new, |it| match it > 1.0 {
        true => ", wider than ± 100 % at the last look".to_owned(),
        false => format!(", ± {:.1} % at the last look", it * 100.0),
    })
}

/// The number that was asked for, behind the one that was reached.
fn size_text(plan: &Plan) -> String {
    match plan.stopping {
        Stopping::Runs(n) => format!(" of {n}"),
        _ => String::new(),
    }
}

/// The target of the experiment. Cases have targets of their own, which their files may give.
fn asked(analysis: &Analysis, execution: &Execution, plan: &Plan) -> String {
    match plan.stopping {
        Stopping::Runs(n) => format!("{n} asked for"),
        Stopping::Decided { .. } => "a verdict on every comparison asked for".to_owned(),
        Stopping::Precision { target, .. } => {
            // A file that could not be loaded did not ask for anything.
            let mine = analysis.benchmarks.iter().filter(|b| b.source == execution.source);
            let measured = mine.filter(|b| b.case.as_ref().is_some_and(|case| case.samples > 0));
            let mut targets =
                measured.filter_map(|b| Some(b.benchmark.case.as_ref()?.sampling.target? / 2.0));
            let first = targets.next().unwrap_or(target);
            match targets.all(|other| other == first) {
                true => format!("± {}", percent(first)),
                false => "each file's own target".to_owned(),
            }
        }
    }
}

/// The looks at the verdicts, and what they left.
fn spent(analysis: &Analysis, looks: &[Look]) -> String {
    let left = analysis.settings.criteria.alpha;
    format!("{}, alpha {} at the last", counted(looks.len(), "look", "looks"), significance(left))
}

/// Further settings of the plan: warm-ups, changing environments; the seed, which makes the order again.
fn details(plan: &Plan) -> Vec<String> {
    let mut said = Vec::new();
    if plan.warmup > 0 {
        said.push(format!("{} each", counted(plan.warmup as usize, "warm-up", "warm-ups")));
    }
    if plan.padding.is_some() {
        said.push("environment of another size in every block".to_owned());
    }
    if plan.order != Order::Sequential {
        said.push(format!("seed {}", plan.seed));
    }
    said
}

#[cfg(test)]
mod tests {
    use super::{Look, reached};

    #[test]
    fn what_is_wider_than_its_value_has_no_percentage() {
        let look = |widest| reached(&[Look { blocks: 3, widest, alpha: None }]);
        assert_eq!(look(Some(0.031)), ", ± 3.1 % at the last look");
        assert_eq!(look(Some(2.231)), ", wider than ± 100 % at the last look");
        assert_eq!(look(None), "");
    }
}
