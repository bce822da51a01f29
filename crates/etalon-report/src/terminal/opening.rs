//! The first lines: the answer, what must not be overlooked, what was asked for and what stopped it.

use etalon_core::analysis::{Analysis, Comparison, Execution, Ranking};
use etalon_core::model::{Metric, StoppedBy};
use etalon_core::plan::{Order, Plan, Stopping};
use etalon_core::verdict::{Assessment, Verdict};

use crate::number::{counted, p_value, percent};
use crate::text::wrap;
use crate::view::View;
use crate::words;

/// Opening lines of the report.
pub(super) fn lines(analysis: &Analysis, view: View) -> Vec<String> {
    sentences(analysis).iter().flat_map(|sentence| wrap(sentence, view.width)).collect()
}

/// The sentences a report opens with.
pub(crate) fn sentences(analysis: &Analysis) -> Vec<String> {
    let mut sentences = Vec::new();
    sentences.extend(analysis.headline.map(words::headline));
    for ranking in &analysis.rankings {
        let answer = answer(analysis, ranking);
        sentences.extend(match (&ranking.scope, &analysis.rankings[..]) {
            (Some(scope), [_, _, ..]) => answer.map(|a| format!("{}: {a}", words::scope(scope))),
            _ => answer,
        });
    }
    for execution in &analysis.executions {
        let what = executed(analysis, execution);
        sentences.push(if words::several_sources(analysis) {
            format!("{}: {what}", words::short_source(&execution.source))
        } else {
            what
        });
    }
    sentences
}

/// The answer to "which is faster", in a sentence.
fn answer(analysis: &Analysis, ranking: &Ranking) -> Option<String> {
    let metric = words::metric_title(&ranking.metric);
    let versus: Vec<&Comparison> =
        ranking.rows.iter().filter_map(|r| r.comparison).map(|i| &ranking.comparisons[i]).collect();
    let name = |i: usize| words::case_name(analysis, i);
    match versus[..] {
        [] => None,
        [one] => Some(of_two(one, &ranking.metric, &name(one.candidate), &name(one.base))),
        _ => {
            let assessments = versus.iter().map(|comparison| &comparison.assessment);
            let Metric { unit, direction, .. } = &ranking.metric;
            let counts = words::counts(assessments, *direction, unit.base());
            let said = counts.into_iter().filter(|(count, _)| *count > 0);
            let parts: Vec<String> = said.map(|(_, text)| text).collect();
            let role = match (&ranking.scope, ranking.reference) {
                (Some(_), _) => "baseline",
                (None, Some(_)) => "the reference",
                (None, None) => "lowest median",
            };
            Some(format!(
                "{metric}: {} ({role}); of the others {}.",
                name(versus[0].base),
                parts.join(", ")
            ))
        }
    }
}

fn of_two(comparison: &Comparison, of: &Metric, candidate: &str, base: &str) -> String {
    let Assessment { evidence, decision, .. } = &comparison.assessment;
    let metric = words::metric_title(of);
    let ratio = evidence.ratio.as_ref().map(words::ratio_text);
    let ratio = ratio.map_or_else(String::new, |ratio| format!(": {ratio}"));
    let word = words::verdict_word(&comparison.assessment, of.unit.base());
    match decision.verdict {
        Verdict::Same => {
            format!("{metric}: {candidate} and {base} are the same within the margin{ratio}.")
        }
        Verdict::Unclear if decision.is_difference() => {
            format!("{metric}: {candidate} differs from {base}{ratio}.")
        }
        Verdict::Unclear => {
            let why = words::why(&comparison.assessment)
                .map_or_else(String::new, |why| format!("; {why}"));
            format!("{metric}: cannot tell {candidate} from {base} yet{ratio}{why}.")
        }
        Verdict::Faster | Verdict::Slower => {
            format!("{metric}: {candidate} is {word} than {base}{ratio}.")
        }
    }
}

/// What was asked for, and what stopped it.
fn executed(analysis: &Analysis, execution: &Execution) -> String {
    let what = words::of_what(analysis).0;
    let Some(plan) = &execution.plan else {
        return format!("{} each.", counted(execution.blocks, "observation", "observations"));
    };
    let unit = match plan.order {
        Order::Blocks | Order::Abba => ("block", "blocks"),
        Order::Sequential => ("execution each", "executions each"),
    };
    let done = counted(execution.blocks, unit.0, unit.1);
    let asked = asked_for(analysis, execution, plan, unit);
    let outcome = ended(execution, plan, &asked, (&done, what));
    let order = match plan.order {
        Order::Blocks => "randomised blocks",
        Order::Abba => "blocks alternating between the order given and its reverse",
        Order::Sequential if what == "case" => "one case after the other",
        Order::Sequential => "one command after the other",
    };
    let turns = match plan.order {
        Order::Blocks | Order::Abba if what == "case" => {
            ", all cases of a file interleaved in each"
        }
        _ => "",
    };
    let warmup = match plan.warmup {
        0 => String::new(),
        n => format!(", {} each before", counted(n as usize, "warm-up", "warm-ups")),
    };
    let environment = plan.padding.map_or("", |_| ", environment of another size in every block");
    format!("{outcome}; {order}{turns}, seed {}{warmup}{environment}.", plan.seed)
}

/// What stopped it, with what was asked for.
fn ended(execution: &Execution, plan: &Plan, asked: &str, (done, what): (&str, &str)) -> String {
    use StoppedBy::{Budget, Decided, Precision, Runs};
    match (&execution.stopped_by, plan.stopping) {
        (Some(Runs | Precision | Decided | Budget), _) if execution.blocks == 0 => {
            format!("Asked for {asked}; nothing was measured")
        }
        (Some(Runs), Stopping::Runs(n)) if execution.blocks < n as usize => {
            format!("Asked for {asked}; failures left {done}")
        }
        (Some(Runs), _) => format!("{done}, as asked"),
        (Some(Precision), Stopping::Precision { .. }) => {
            format!("Asked for {asked}; reached after {done}{}", looks(execution))
        }
        (Some(Budget), Stopping::Precision { budget, .. }) => format!(
            "Asked for {asked}; stopped by the budget of {budget} s per {what} after {done}{}",
            widest(execution)
        ),
        (Some(Decided), Stopping::Decided { .. }) => {
            format!("Asked for {asked}; reached after {done}{}", spent(execution))
        }
        (Some(Budget), Stopping::Decided { budget }) => format!(
            "Asked for {asked}; stopped by the budget of {budget} s per {what} after {done}{}",
            spent(execution)
        ),
        (Some(StoppedBy::Interrupt), _) => {
            format!("Interrupted after {done}{}", of_asked(asked, plan))
        }
        (Some(StoppedBy::Failure), _) => format!("Stopped by a failure after {done}"),
        (Some(StoppedBy::Error), _) => {
            format!("Stopped by an error after {done}{}", of_asked(asked, plan))
        }
        (None, _) => {
            format!("Unfinished record: stopped after {done}{}", of_asked(asked, plan))
        }
        (Some(other), _) => format!("{done}, stopped by {other}"),
    }
}

fn of_asked(asked: &str, plan: &Plan) -> String {
    match plan.stopping {
        Stopping::Runs(n) => format!(" of {n} asked for"),
        _ => format!(", {asked} asked for"),
    }
}

/// What was asked for, in words. Cases have targets of their own, which their files may give.
fn asked_for(
    analysis: &Analysis,
    execution: &Execution,
    plan: &Plan,
    unit: (&str, &str),
) -> String {
    match plan.stopping {
        Stopping::Runs(n) => counted(n as usize, unit.0, unit.1),
        Stopping::Decided { .. } => "a verdict on every comparison".to_owned(),
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

/// The looks at the verdicts and what they spent of alpha.
fn spent(execution: &Execution) -> String {
    let looks: Vec<String> = execution.looks.iter().map(|look| look.blocks.to_string()).collect();
    let shares: Vec<f64> = execution.looks.iter().filter_map(|look| look.alpha).collect();
    match shares.last() {
        None => String::new(),
        Some(last) => format!(
            " (looked at {}; alpha {} at the last look, {} spent in all)",
            looks.join(", "),
            p_value(*last),
            p_value(shares.iter().sum())
        ),
    }
}

fn looks(execution: &Execution) -> String {
    let looks: Vec<String> = execution.looks.iter().map(|look| look.blocks.to_string()).collect();
    match looks.len() {
        0 | 1 => String::new(),
        _ => format!(" (looked at {})", looks.join(", ")),
    }
}

fn widest(execution: &Execution) -> String {
    let widest = execution.looks.last().and_then(|look| look.widest);
    widest.map_or_else(String::new, |w| format!(", ± {:.1} % at the last look", w * 100.0))
}
