//! Remarks about the data: what was seen, never advice to drop any of it.

use std::collections::{BTreeSet, HashMap};

use super::{ALL_PAIRS_TO, Ranking, Subject, Suite, Summary, case_notes, ranking};
use crate::compare::Design;
use crate::model::{Metric, Note, RunSet};
use crate::plan::{Order, Settings};
use crate::stats::{self, Quartiles};
use crate::verdict::{Reason, Verdict};

/// Below this, the kernel's tick accounting decides how CPU time splits into user and system
/// (4 ms ticks: ten of them keep the split within about 10 %).
const SPLIT_IS_TICKS_BELOW: f64 = 0.04;

/// A reading shorter than this many clock steps carries a note.
const STEPS_A_READING_NEEDS: f64 = 100.0;

/// CPU time beyond this multiple of the wall time means that the command ran in parallel.
const PARALLEL_BEYOND: f64 = 1.2;

/// The kernel counts resident pages in batches of 64 a CPU: sizes closer than this are not told
/// apart.
const RESIDENT_BATCH: f64 = 64.0 * 4096.0;

/// Waiting for a CPU longer than this share of the wall time disturbs a reading.
const LONG_WAIT: f64 = 0.1;

/// A share of disturbed readings that is worth a note; a few happen on any machine.
const OFTEN: f64 = 0.1;

/// What must not be overlooked about ranking by CPU time.
pub(super) fn headline(
    subjects: &[Subject],
    rankings: &[Ranking],
    settings: &Settings,
) -> Option<String> {
    let [by_cpu] = rankings else { return None };
    if settings.metric != "cpu" {
        return None;
    }
    let by_wall = Settings { metric: "wall".to_owned(), ..settings.clone() };
    let by_wall = ranking::rank(subjects, &by_wall).ok()?.into_iter().next()?;
    if let Some(sentence) = parallel(subjects) {
        return Some(sentence);
    }
    // By pair, because a thousand benchmarks make half a million of them.
    let pair = |c: &super::Comparison| (c.base.min(c.candidate), c.base.max(c.candidate));
    let by_cpu: HashMap<_, _> = by_cpu.comparisons.iter().map(|c| (pair(c), c)).collect();
    let differs = by_wall.comparisons.iter().any(|wall| {
        wall.assessment.decision.verdict.is_difference()
            && by_cpu.get(&pair(wall)).is_some_and(|cpu| !agrees(wall, cpu))
    });
    differs.then(|| {
        "Wall clock ranks these differently from CPU time, which is ranked here; \
         --metric wall ranks by wall clock."
            .to_owned()
    })
}

/// Whether two decided comparisons of the same pair say the same, whichever side is the base.
fn agrees(a: &super::Comparison, b: &super::Comparison) -> bool {
    let (x, y) = (a.assessment.decision.verdict, b.assessment.decision.verdict);
    if a.base == b.base {
        return x == y;
    }
    matches!((x, y), (Verdict::Faster, Verdict::Slower) | (Verdict::Slower, Verdict::Faster))
}

fn parallel(subjects: &[Subject]) -> Option<String> {
    let ratio = |subject: &Subject| {
        let median = |name| stats::median(subject.sample(name)?.1.sorted());
        let (cpu, wall) = (median("cpu")?, median("wall")?);
        (wall > 0.0 && cpu > PARALLEL_BEYOND * wall).then(|| cpu / wall)
    };
    let most = subjects.iter().filter_map(ratio).max_by(f64::total_cmp)?;
    Some(format!(
        "CPU time, which is ranked here, is up to {most:.1} × wall clock: work ran in parallel; \
         --metric wall ranks by wall clock."
    ))
}

/// Remarks in their order, each where it stands first.
pub(super) fn once(notes: impl IntoIterator<Item = Note>) -> Vec<Note> {
    let mut seen = BTreeSet::new();
    notes.into_iter().filter(|note| seen.insert(note.clone())).collect()
}

/// All remarks, in order, each once.
pub(super) fn notes(
    sets: &[RunSet],
    subjects: &[Subject],
    benchmarks: &[Summary],
    (rankings, suites): (&[Ranking], &[Suite]),
) -> Vec<Note> {
    let mut notes: Vec<Note> = sets.iter().flat_map(|set| set.notes.clone()).collect();
    for (summary, subject) in benchmarks.iter().zip(subjects) {
        let about = &summary.label;
        let texts = execution_notes(summary)
            .into_iter()
            .chain(waiting_note(subject))
            .chain(shared_counters_note(subject));
        notes.extend(texts.map(move |text| Note { about: about.clone(), text }));
    }
    notes.extend(case_notes::notes(sets, subjects, benchmarks, suites));
    for ranking in rankings {
        notes.extend(design_notes(sets, subjects, ranking));
        notes.extend(comparison_notes(benchmarks, ranking));
    }
    once(notes)
}

fn execution_notes(summary: &Summary) -> Vec<String> {
    let mut texts = Vec::new();
    let o = summary.outcomes;
    let failures = [
        (o.failed, "exited non-zero"),
        (o.killed, "ended by a signal"),
        (o.timed_out, "timed out"),
        (o.suspended, "suspended (stopped and continued on the way): no measurement"),
        (o.not_started, "not started"),
    ];
    let total = o.ok + o.not_ok();
    // How a case failed is with the case.
    let failures = failures.into_iter().filter(|(count, _)| *count > 0 && summary.case.is_none());
    for (count, what) in failures {
        texts.push(format!("{count} of {total} executions {what}"));
    }
    let (with, all) = (summary.with_leftovers, summary.leftovers);
    if with > 0 && summary.case.is_some() {
        texts.push(format!(
            "{with} of its processes left others running ({all} in all); they were killed"
        ));
    } else if with > 0 {
        texts.push(format!(
            "{with} of {total} executions left processes running ({all} in all); they were killed"
        ));
    }
    texts
}

/// Remarks about one metric of one benchmark; `floor` is the launcher's own peak memory in bytes.
pub(super) fn of_metric(metric: &Metric, q: &Quartiles, floor: Option<f64>) -> Vec<String> {
    let mut texts = Vec::new();
    if ["user", "sys"].contains(&metric.name.as_str()) && q.median < SPLIT_IS_TICKS_BELOW {
        texts.push(
            "below some tens of ms the kernel's tick decides how CPU time splits into user and \
             system; only the sum is sound"
                .to_owned(),
        );
    }
    let short = |step: f64| q.median < STEPS_A_READING_NEEDS * step;
    if ["wall", "cpu"].contains(&metric.name.as_str()) && metric.resolution.is_some_and(short) {
        texts.push("readings are shorter than 100 × the clock's resolution".to_owned());
    }
    if let Some(floor) =
        floor.filter(|floor| metric.name == "rss" && q.median <= floor + RESIDENT_BATCH)
    {
        texts.push(format!(
            "peak memory is not told apart from the launcher's own ({:.1} MB), where every command \
             starts: the true value may be lower",
            floor / 1e6
        ));
    }
    texts
}

/// How often executions stood ready and had to wait for a CPU: somebody else was using it.
#[allow(clippy::cast_precision_loss)] // counts
fn waiting_note(subject: &Subject) -> Option<String> {
    let (wait, wall) = (subject.sample("cpu_wait")?.1, subject.sample("wall")?.1);
    if wait.len() != wall.len() {
        return None;
    }
    let long = |(wait, wall): (&f64, &f64)| *wait > LONG_WAIT * *wall;
    let disturbed = wait.values.iter().zip(&wall.values).filter(|pair| long(*pair)).count();
    (disturbed as f64 > OFTEN * wait.len() as f64).then(|| {
        format!(
            "{disturbed} of {} executions waited for a CPU for more than 10 % of their time",
            wait.len()
        )
    })
}

/// Whether there were more events than counters at any time.
fn shared_counters_note(subject: &Subject) -> Option<String> {
    let share = subject.sample("counted")?.1.sorted().min().filter(|share| *share < 100.0)?;
    Some(format!(
        "events shared the CPU's counters (each was counted at least {share:.0} % of the time), so \
         their counts are scaled"
    ))
}

fn design_notes(sets: &[RunSet], subjects: &[Subject], ranking: &Ranking) -> Vec<Note> {
    let mut notes = Vec::new();
    let independent =
        ranking.comparisons.iter().any(|c| c.assessment.evidence.design == Design::Independent);
    let several =
        |at: usize| subjects.iter().filter(|subject| subject.run_set.at() == at).count() > 1;
    let sequential =
        |set: &RunSet| set.plan.as_ref().is_some_and(|plan| plan.order == Order::Sequential);
    if independent && sets.iter().enumerate().any(|(at, set)| sequential(set) && several(at)) {
        notes.push(Note {
            about: "order".to_owned(),
            text: "executed one after the other: a drift of the machine looks like a difference; \
                   blocks would cancel it"
                .to_owned(),
        });
    }
    if independent && sets.len() > 1 {
        notes.push(Note {
            about: "comparison".to_owned(),
            text: "data of different executions are independent: what changed on the machine \
                   between them looks like a difference; one interleaved execution would cancel it"
                .to_owned(),
        });
    }
    notes
}

/// With whom each of many is compared, where nobody has said it.
pub(super) fn of_pairs(benchmarks: &[Summary], rankings: &[Ranking]) -> Vec<Note> {
    let note = |ranking: &Ranking| {
        let all = ranking.rows.len();
        let first = ranking.reference.filter(|_| ranking.scope.is_none() && all > ALL_PAIRS_TO)?;
        let name = &benchmarks[first].label;
        let text = format!(
            "each of {all} benchmarks is compared with the first only, {name}: all pairs are compared up \
             to {ALL_PAIRS_TO}, and --reference names another one"
        );
        Some(Note { about: "comparisons".to_owned(), text })
    };
    rankings.iter().filter_map(note).collect()
}

fn comparison_notes(benchmarks: &[Summary], ranking: &Ranking) -> Vec<Note> {
    let mut notes = Vec::new();
    let name = |i: usize| &benchmarks[i].label;
    let shown = ranking.rows.iter().filter_map(|row| row.comparison);
    for comparison in shown.map(|index| &ranking.comparisons[index]) {
        let about = format!("{} against {}", name(comparison.candidate), name(comparison.base));
        let mut note = |text: String| notes.push(Note { about: about.to_owned(), text });
        comparison.assessment.evidence.remarks().iter().for_each(|remark| note(remark.to_string()));
        for reason in &comparison.assessment.decision.reasons {
            match reason {
                Reason::RealButBelowMargin => {
                    note("the difference is real, but below the margin".to_owned())
                }
                Reason::SerialDependence { r1 } => note(format!(
                    "neighbouring readings resemble each other (lag-1 rank autocorrelation {r1:.2}): \
                     p and interval of independent data do not hold, so the verdict stays open"
                )),
                _ => {}
            }
        }
    }
    notes
}
