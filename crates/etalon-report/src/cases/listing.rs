//! A sentence per case: how many samples of what size, or why there are none; and where that is asked
//! for, all that an error said.

use etalon_core::analysis::{Analysis, CaseFacts, Failures, Suite, Summary};
use etalon_core::model::{Case, Outcome, Warmup};

use crate::number::counted;
use crate::text::clean;
use crate::view::{Detail, Statistics, View};
use crate::words::case_name;

/// The lines of a case in a list.
pub(crate) struct CaseSentence {
    pub(crate) name: String,
    /// What is said of it.
    pub(crate) said: String,
    /// The lines of an error after the one that the sentence holds.
    pub(crate) rest: Vec<String>,
}

impl CaseSentence {
    /// The name, and what is said of it.
    pub(crate) fn text(&self) -> String {
        format!("{}: {}", self.name, self.said)
    }
}

/// The sentences of a file's cases, in the order of the data. Those of skipped and failed cases are
/// always among them.
pub(super) fn sentences(analysis: &Analysis, suites: &[&Suite], view: View) -> Vec<CaseSentence> {
    let mut members: Vec<usize> = suites.iter().flat_map(|suite| &suite.members).copied().collect();
    members.sort_unstable();
    let sentence = |index: usize| {
        let said = about(&analysis.benchmarks[index], view)?;
        Some(CaseSentence { name: case_name(analysis, index), ..said })
    };
    members.into_iter().filter_map(sentence).collect()
}

fn about(summary: &Summary, view: View) -> Option<CaseSentence> {
    let (case, facts) = (summary.benchmark.case.as_ref()?, summary.case.as_ref()?);
    let plain = |said: String| CaseSentence { name: String::new(), said, rest: Vec::new() };
    if let Some(why) = &case.skipped {
        return Some(plain(format!("skipped: {}", brief(&why.to_string()))));
    }
    let samples = (facts.samples > 0).then(|| samples(case, facts));
    let Some(failures) = &facts.failures else {
        return match samples {
            None => Some(plain("not measured".to_owned())),
            Some(samples) => (view.statistics == Statistics::Full).then(|| plain(samples)),
        };
    };
    let reason = reason(failures, view.detail);
    let said = match samples {
        None => format!("failed: {}", reason.said),
        Some(samples) => format!(
            "{samples}; failed in {} of {}: {}",
            failures.blocks,
            counted(failures.of, "block", "blocks"),
            reason.said
        ),
    };
    Some(CaseSentence { said, ..reason })
}

fn samples(case: &Case, facts: &CaseFacts) -> String {
    let iterations = facts.iterations.map_or(String::new(), |n| format!("iterations {n}, "));
    let warmup = match case.sampling.warmup {
        Warmup::For(seconds) => format!("{seconds} s"),
        Warmup::UntilLevel { .. } => "until level".to_owned(),
    };
    format!(
        "{} in {} ({iterations}warm-up {warmup})",
        counted(facts.samples, "sample", "samples"),
        counted(facts.blocks, "block", "blocks"),
    )
}

/// The message of a failure, else how it ended.
fn reason(failures: &Failures, detail: Detail) -> CaseSentence {
    let said = failures.said.as_deref().map(str::trim).filter(|said| !said.is_empty());
    let said = match (said, detail) {
        (Some(said), Detail::Full) => {
            let mut lines = said.lines().map(|line| clean(line.trim_end()));
            let said = lines.next().unwrap_or_default();
            return CaseSentence { name: String::new(), said, rest: lines.collect() };
        }
        (Some(said), Detail::Screen) => brief(said),
        (None, _) => ending(&failures.outcome),
    };
    CaseSentence { name: String::new(), said, rest: Vec::new() }
}

fn ending(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Ok => "nothing was measured".to_owned(),
        Outcome::Failed { code } => format!("exit code {code}"),
        Outcome::Killed { signal } => outcome
            .stopped_by()
            .map_or_else(|| format!("ended by signal {signal}"), |stopped| stopped.to_string()),
        Outcome::TimedOut => "timed out".to_owned(),
        Outcome::Suspended => "suspended".to_owned(),
        Outcome::NotStarted { why } => format!("not started: {}", brief(&why.to_string())),
    }
}

/// A text on one line: its first line and its last, which in Lua's errors hold what failed and why.
fn brief(text: &str) -> String {
    let lines: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    match lines[..] {
        [] => String::new(),
        [only] => clean(only),
        [first, last] => clean(&format!("{first} {last}")),
        [first, .., last] => {
            clean(&format!("{first} … {last} (--full shows all {} lines)", lines.len()))
        }
    }
}
