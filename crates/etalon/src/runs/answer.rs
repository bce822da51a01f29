//! The answer of a saved run: kept when it ends, and found out once for a record that came without.

use etalon_core::analysis::{Analysis, analyse};
use etalon_core::dataset::Dataset;
use etalon_core::model::Answer;
use etalon_core::run_set::StoppedBy;
use etalon_record::Strictness;
use etalon_record::store::{AnswerOf, Saved, State, Store};
use etalon_report::answer::{alone, brief, failed};

use crate::{bisected, compare, experiments, settings};

/// The largest record that is read for a line of a list, in bytes. Because: reading and analysing so much takes
/// about 0.1 s, and a list shows 20.
const READ_UP_TO: u64 = 4 * 1024 * 1024;

/// Shown where nothing is known.
const UNKNOWN: &str = "-";

/// How many records a list reads for their answers. Because: so many are listed unless more are asked for.
const READ: usize = 20;

/// The work that an answer may take that was not kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Effort {
    /// Reading its file, or the record.
    Read,
    /// Nothing: it is what the index has.
    None,
}

impl Effort {
    /// The work allowed for the run at this place of a list.
    pub(super) fn at(place: usize) -> Effort {
        if place < READ { Effort::Read } else { Effort::None }
    }
}

/// Keeps the answer of a run whose ranking was shown. A listing that has none finds it out again.
pub(crate) fn keep(id: &str, analysis: &Analysis) {
    if let Ok(store) = crate::saved::store() {
        let _found_out_again = store.keep_answer(id, AnswerOf::Ranking, &brief(analysis));
    }
}

/// The answer of a run: what it came to, or why it did not come to its end.
pub(super) fn answer(store: &Store, run: &Saved, effort: Effort) -> Answer {
    match (&run.state, run.end.as_ref().map(|end| &end.stopped_by)) {
        (State::Running, _) => Answer::about_all("running"),
        (State::Unreadable { .. }, _) => Answer::about_all("unreadable"),
        (State::Interrupted, _) | (_, None) => Answer::about_all("unfinished"),
        (_, Some(StoppedBy::Interrupt)) => Answer::about_all("interrupted"),
        (_, Some(StoppedBy::Failure)) => Answer::about_all("stopped: failed"),
        (_, Some(StoppedBy::Error)) => Answer::about_all("stopped: error"),
        _ => match (&run.answer, effort) {
            (_, Effort::Read) => {
                store.answer(&run.id, made_of(run)).unwrap_or_else(|| found_out(store, run))
            }
            (Some((of, kept)), Effort::None) if *of == made_of(run) => kept.clone(),
            (_, Effort::None) => Answer::about_all(UNKNOWN),
        },
    }
}

/// Reads a record for its answer, which is kept.
fn found_out(store: &Store, run: &Saved) -> Answer {
    let unknown = Answer::about_all(UNKNOWN);
    if run.bytes.is_none_or(|bytes| bytes > READ_UP_TO) {
        return unknown;
    }
    let Ok(data) = crate::saved::read(&run.path, Strictness::Lenient) else { return unknown };
    let found = match made_of(run) {
        AnswerOf::Tables => outcome_of_tables(&data),
        AnswerOf::Ranking => analysed(&data).map(|analysis| brief(&analysis)),
    };
    let answer = found.unwrap_or(unknown);
    let _found_out_again = store.keep_answer(&run.id, made_of(run), &answer);
    answer
}

/// The kind of the report of a run.
fn made_of(run: &Saved) -> AnswerOf {
    run.summary.as_ref().map_or(AnswerOf::Ranking, |run| run.report)
}

/// The outcome of the tables of a run.
fn outcome_of_tables(data: &Dataset) -> Option<Answer> {
    let [set] = &data.run_sets[..] else { return None };
    if set.bisection.is_some() {
        return bisected::in_brief(data);
    }
    // Cells of an experiment file fail one by one, as its tables say.
    let of_failures = analysed(data).filter(|_| set.experiment.is_none());
    if let Some(failed) = of_failures.as_ref().and_then(failed) {
        return Some(failed);
    }
    match (set.sides, &set.experiment) {
        (Some(sides), _) => compare::in_brief(data, sides),
        (None, Some(file)) => experiments::in_brief(file, data),
        // Benchmarks of Go on one side are compared with nothing.
        (None, None) => of_failures.map(|analysis| alone(&analysis)),
    }
}

fn analysed(data: &Dataset) -> Option<Analysis> {
    analyse(data, &settings::recorded(data)).ok()
}
