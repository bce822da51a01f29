//! States of an execution: what it starts with, where it stands, how it ended.
//!
//! Plain data for the loop, the executors and the record alike. Refuses to bring them about.

use etalon_core::model::{Context, Node, Note, NoteCode, Observation, Phase};
use etalon_core::pace::Pace;
use etalon_core::run_set::StoppedBy;
use etalon_probe::launcher::protocol::Failure;
use etalon_record::Text;
use etalon_record::altered::Altered;

use crate::error::RunError;

/// Findings of an executor's start.
#[derive(Debug, Default)]
pub struct Started {
    /// Facts for the record.
    pub facts: Context,
    /// Remarks for the record.
    pub notes: Vec<Note>,
    /// The machines that it is executed on, where these are others, and not declared yet.
    pub nodes: Vec<Node>,
    /// Subjects that are known not to work before anything is executed, with what they said.
    pub failed: Vec<FailedSubject>,
}

/// A subject that did not work.
#[derive(Debug)]
pub struct FailedSubject {
    /// How it ended.
    pub observation: Observation,
    /// Its last words.
    pub stderr: Text,
}

/// Where the loop stands, for whoever watches.
#[derive(Debug, Clone)]
pub(crate) struct Position {
    /// The subjects of the stage.
    pub(crate) subjects: Vec<usize>,
    /// The number of subjects in the stages before it, and after it.
    pub(crate) before: usize,
    pub(crate) after: usize,
    pub(crate) phase: Phase,
    /// Measured blocks finished in the stage, and the number of the next.
    pub(crate) done: u32,
    pub(crate) next: u32,
    /// Time spent in the stage when this was written, in s, and when that was.
    pub(crate) elapsed: f64,
    pub(crate) at_ns: u64,
}

impl Position {
    /// Before the first stage.
    pub(crate) fn at_the_start() -> Position {
        Position {
            subjects: Vec::new(),
            before: 0,
            after: 0,
            phase: Phase::Measured,
            done: 0,
            next: 0,
            elapsed: 0.0,
            at_ns: 0,
        }
    }
}

/// Where the time begins that all stages share.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Beginning {
    /// The first stage that was not finished by earlier sittings.
    pub(crate) stage: usize,
    /// When it began, had there been one sitting and no pause, see [`Executor::now_ns`].
    pub(crate) at_ns: u64,
}

/// How an execution ended.
#[derive(Debug)]
pub struct Finished {
    /// Why it ended.
    pub stopped_by: StoppedBy,
    /// The failure that stopped it, or that of a cleanup after everything was done.
    pub failure: Option<Failure>,
    /// The error around it, if there was one; the record holds everything up to there.
    pub error: Option<RunError>,
    /// Damage to its files meanwhile.
    pub damage: Damage,
    /// How long its blocks took.
    pub pace: Pace,
}

/// Damage that somebody else did to the files of an execution.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Damage {
    /// To the record.
    pub record: Option<Altered>,
    /// To the second file.
    pub second: Option<Altered>,
}

/// The note that separates two sittings; the record before it has this id.
pub(crate) fn resumed_note(id: &str) -> Note {
    Note::new("execution", format!("resumed from {id}")).with_code(NoteCode::Resumed)
}
