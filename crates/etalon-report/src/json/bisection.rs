//! A bisection, as its document has it.

use etalon_core::analysis::Bisected;
use etalon_core::bisect::{self, Answer, Culprit, Ending};
use serde::Serialize;

use crate::words::outcome;

/// A search among commits.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct Bisection<'a> {
    /// The good end as it was typed.
    good: &'a str,
    /// The bad end as it was typed.
    bad: &'a str,
    /// The chance that naming a commit takes.
    confidence: f64,
    /// How it ended: `named`, `spread`, `not_seen`, `undermined`, `too_small`, `alike`, `end_lacks`; `unfinished` if it has not.
    outcome: &'static str,
    /// Whole blocks.
    blocks: usize,
    /// Executions in them.
    executions: usize,
    /// How many counts of instructions, where commits were searched by them: `against_good` and `against_bad` are of these then.
    counts: Option<usize>,
    /// The bad end over the good one, in blocks or counts; `null` before somebody looked.
    whole: Option<Ratio>,
    /// The ends, measured alone; `null` before somebody looked.
    ends: Option<Ends>,
    /// The commits that were named, in the order in which they were found.
    steps: Vec<NamedStep<'a>>,
    /// The place of the last commit that is as the good end and that of the first one that is as the bad end, of a change that is spread.
    spread: Option<[usize; 2]>,
    /// The largest change that a single commit may have made, as a share; of a change that is spread.
    largest: Option<f64>,
    /// All commits in their order, the ends among them.
    commits: Vec<Commit<'a>>,
}

/// The ends, measured alone.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Ends {
    /// The number of blocks.
    blocks: usize,
    /// The bad end over the good one.
    ratio: Ratio,
    /// The p of no change.
    p: f64,
    /// The p that the last look could call significant.
    alpha: f64,
    /// The smallest change that so many blocks show, as a share.
    visible: f64,
    /// The scatter of an execution, of logarithms.
    scatter: Option<f64>,
    /// Each end against its own second build.
    controls: Vec<SecondBuild>,
}

/// A ratio with its interval.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Ratio {
    /// The ratio.
    value: f64,
    /// The lower end of its interval.
    lo: f64,
    /// The upper end.
    hi: f64,
}

/// A commit against its own second build.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct SecondBuild {
    /// Its place.
    place: usize,
    /// The second build over the first.
    ratio: Ratio,
    /// Whether they differ.
    moved: bool,
}

/// A step that was named.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct NamedStep<'a> {
    /// The commit; of several, the last of those one of which did it.
    commit: &'a str,
    /// The first line of its message.
    subject: &'a str,
    /// Its place.
    place: usize,
    /// The place of the last commit before that could be measured.
    before: usize,
    /// The commit over the one before, as blocks have measured it.
    ratio: Option<Ratio>,
    /// The commit over the one before as counts have it, where commits were searched by them.
    count: Option<Ratio>,
    /// Its share of the change between the ends.
    share: Ratio,
    /// Both against their own second builds.
    controls: Vec<SecondBuild>,
    /// Whether a second build differs by half of the step.
    undermined: bool,
}

/// A commit of the range.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Commit<'a> {
    /// Its name.
    commit: &'a str,
    /// The first line of its message.
    subject: &'a str,
    /// Blocks between the ends that it was measured in, or counts of it.
    blocks: usize,
    /// It over the good end.
    against_good: Option<Ratio>,
    /// It over the bad end.
    against_bad: Option<Ratio>,
    /// Why it was left out; `null` if it was not.
    left_out: Option<String>,
    /// The last words of what failed.
    said: Option<&'a str>,
}

impl<'a> Bisection<'a> {
    pub(super) fn new(found: &'a Bisected, step: &bisect::Step) -> Bisection<'a> {
        let (asked, course) = (found.asked(), found.course());
        let (blocks, executions) = course.done();
        let (outcome, steps, spread) = match step {
            bisect::Step::Block(_) | bisect::Step::Count(_) => ("unfinished", &[][..], None),
            bisect::Step::Over(ending) => match ending {
                Ending::EndLacks(_) => ("end_lacks", &[][..], None),
                Ending::NotSeen => ("not_seen", &[][..], None),
                Ending::Undermined => ("undermined", &[][..], None),
                Ending::TooSmall => ("too_small", &[][..], None),
                Ending::Found(Answer::Steps(steps)) => ("named", &steps[..], None),
                Ending::Found(Answer::Spread { from, to, steps }) => {
                    ("spread", &steps[..], Some([*from, *to]))
                }
                Ending::Found(Answer::Alike) => ("alike", &[][..], None),
            },
        };
        Bisection {
            good: &asked.asked[0],
            bad: &asked.asked[1],
            confidence: asked.confidence,
            outcome,
            blocks,
            executions,
            counts: course.counted(),
            whole: course.whole().map(|(_, change)| Ratio::new(&change)),
            ends: course.ends().map(Ends::new),
            steps: steps.iter().map(|step| NamedStep::new(found, *step)).collect(),
            largest: spread.and_then(|_| course.largest_step()).map(f64::exp_m1),
            spread,
            commits: Commit::all(found),
        }
    }
}

impl Ends {
    fn new(of: &bisect::Ends) -> Ends {
        Ends {
            blocks: of.blocks,
            ratio: Ratio::new(&of.change),
            p: of.p,
            alpha: of.alpha,
            visible: of.visible.exp_m1(),
            scatter: of.scatter,
            controls: of.controls.iter().map(SecondBuild::new).collect(),
        }
    }
}

impl Ratio {
    fn new(of: &bisect::Change) -> Ratio {
        Ratio { value: of.estimate.exp(), lo: of.lo.exp(), hi: of.hi.exp() }
    }
}

impl SecondBuild {
    fn new(of: &bisect::Control) -> SecondBuild {
        SecondBuild { place: of.commit, ratio: Ratio::new(&of.change), moved: of.moved }
    }
}

impl<'a> NamedStep<'a> {
    fn new(found: &'a Bisected, culprit: Culprit) -> NamedStep<'a> {
        let named = found.course().named(culprit);
        let commit = &found.asked().commits[culprit.at];
        let bisect::Share { estimate, lo, hi } = culprit.share;
        NamedStep {
            commit: &commit.id,
            subject: &commit.subject,
            place: culprit.at,
            before: culprit.before,
            ratio: named.change.as_ref().map(Ratio::new),
            count: named.count.as_ref().map(Ratio::new),
            share: Ratio { value: estimate, lo, hi },
            undermined: named.undermined().is_some(),
            controls: named.controls.iter().map(SecondBuild::new).collect(),
        }
    }
}

impl<'a> Commit<'a> {
    fn all(found: &'a Bisected) -> Vec<Commit<'a>> {
        let candidates = found.course().candidates();
        let commit = |(place, of): (usize, &'a etalon_core::model::Commit)| {
            let candidate = candidates.iter().find(|it| it.commit == place);
            let skipped = found.skipped().get(&place);
            Commit {
                commit: &of.id,
                subject: &of.subject,
                blocks: candidate.map_or(0, |it| it.blocks),
                against_good: candidate.and_then(|it| it.good.as_ref()).map(Ratio::new),
                against_bad: candidate.and_then(|it| it.bad.as_ref()).map(Ratio::new),
                left_out: skipped.map(|it| outcome(&it.outcome)),
                said: skipped.and_then(|it| it.said.as_deref()),
            }
        };
        found.asked().commits.iter().enumerate().map(commit).collect()
    }
}
