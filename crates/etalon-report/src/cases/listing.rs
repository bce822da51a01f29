//! A sentence per case: how many samples of what size, or why there are none.

use etalon_core::analysis::{Analysis, CaseFacts, Failures, Suite, Summary};
use etalon_core::model::{Case, Outcome};

use crate::number::counted;
use crate::terminal::{Statistics, case_name};
use crate::text::clean;

/// The sentences of a file's cases, in the order of the data. Those of skipped and failed cases are
/// always among them.
pub(super) fn lines(analysis: &Analysis, suites: &[&Suite], statistics: Statistics) -> Vec<String> {
    let mut members: Vec<usize> = suites.iter().flat_map(|suite| &suite.members).copied().collect();
    members.sort_unstable();
    let line = |index: usize| {
        let what = about(&analysis.benchmarks[index], statistics)?;
        Some(format!("{}: {what}", case_name(analysis, index)))
    };
    members.into_iter().filter_map(line).collect()
}

fn about(summary: &Summary, statistics: Statistics) -> Option<String> {
    let (case, facts) = (summary.benchmark.case.as_ref()?, summary.case.as_ref()?);
    if let Some(why) = &case.skipped {
        return Some(format!("skipped: {}", first_line(why)));
    }
    let samples = (facts.samples > 0).then(|| samples(case, facts));
    match (&facts.failures, samples) {
        (None, None) => Some("not measured".to_owned()),
        (None, Some(samples)) => (statistics == Statistics::Full).then_some(samples),
        (Some(failures), None) => Some(format!("failed: {}", reason(failures))),
        (Some(failures), Some(samples)) => Some(format!(
            "{samples}; failed in {} of {}: {}",
            failures.blocks,
            counted(failures.of, "block", "blocks"),
            reason(failures)
        )),
    }
}

fn samples(case: &Case, facts: &CaseFacts) -> String {
    let iterations = facts.iterations.map_or(String::new(), |n| format!("iterations {n}, "));
    format!(
        "{} in {} ({iterations}warm-up {} s)",
        counted(facts.samples, "sample", "samples"),
        counted(facts.blocks, "block", "blocks"),
        case.sampling.warmup
    )
}

/// What a failure had to say, else how it ended.
fn reason(failures: &Failures) -> String {
    if let Some(said) = failures.said.as_deref().map(first_line).filter(|said| !said.is_empty()) {
        return said;
    }
    match &failures.outcome {
        Outcome::Ok => "nothing was measured".to_owned(),
        Outcome::Failed { code } => format!("exit code {code}"),
        Outcome::Killed { signal } => format!("ended by signal {signal}"),
        Outcome::TimedOut => "timed out".to_owned(),
        Outcome::Suspended => "suspended".to_owned(),
        Outcome::NotStarted { why } => format!("not started: {}", first_line(why)),
    }
}

fn first_line(text: &str) -> String {
    clean(text.trim().lines().next().unwrap_or_default().trim())
}
