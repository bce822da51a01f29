//! The course of a job, from its door to its record.

use etalon_core::analysis::analyse;
use etalon_core::dataset::Dataset;
use etalon_core::verdict::Verdict;
use etalon_record::Strictness;

use super::{LETTERS, job};
use crate::cli::Recording;
use crate::course;
use crate::executed::Executed;
use crate::failure::{Exit, Failure};
use crate::interim::Interim;
use crate::saved;
use crate::showing::Show;

/// Lines that a door takes with an executor of its own.
const DOOR: usize = 80;

/// Keeps the data that it is to show.
#[derive(Default)]
struct LastShown(Option<Dataset>);

impl Show for LastShown {
    fn show(&mut self, _: &Executed, data: Dataset) -> Result<Exit, Failure> {
        self.0 = Some(data);
        Ok(Exit::Done)
    }

    fn is_silent(&self) -> bool {
        true
    }
}

fn verdicts(data: &Dataset) -> Vec<Verdict> {
    let settings = data.run_sets[0].settings.clone().expect("recorded settings");
    assert_eq!(settings.metric, LETTERS);
    let analysis = analyse(data, &settings).expect("an analysis");
    let rankings = analysis.rankings.iter();
    rankings.flat_map(|it| &it.comparisons).map(|it| it.assessment.decision.verdict).collect()
}

/// Would catch a course that knows what the doors of today measure, and a job whose record is not what it is shown.
#[test]
fn a_job_of_a_new_door_is_executed_recorded_shown_and_judged() {
    let room = tempfile::tempdir().expect("a directory");
    let file = room.path().join("letters.jsonl");
    let recording =
        Recording { output: Some(file.clone().into()), no_save: true, ..Recording::default() };
    let mut watch = course::watch(&recording, true, Interim::none()).expect("a watch");
    let mut shown = LastShown::default();
    let exit = course::run(job(&["short", "longest"], 5), &recording, &mut watch, &mut shown);
    assert_eq!(exit.expect("to be executed"), Exit::Done);
    let shown = shown.0.expect("to be shown");
    let read = saved::read(&file, Strictness::Strict).expect("a record");
    for data in [&shown, &read] {
        assert_eq!(data.len(), 10);
        assert_eq!(verdicts(data), [Verdict::Slower]);
    }
}

/// Would catch a course that asks more and more of every door.
#[test]
fn a_door_is_a_short_file() {
    let lines = include_str!("mod.rs").lines().count();
    assert!(lines <= DOOR, "{lines} lines, {DOOR} may be");
}
