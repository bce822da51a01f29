//! One task of a job, from its place in the queue to its end, and again where Slurm puts it back into the queue.

use std::fs;
use std::path::PathBuf;
use std::sync::Arc;
use std::thread::sleep;
use std::time::{Duration, Instant};

use super::array::Array;
use super::queue::Fate;
use crate::far::{FarError, Ground};
use crate::shared::{GROUND, Life};

/// How often is looked whether it has a node.
const PATIENCE: Duration = Duration::from_millis(50);

/// How long Slurm may take to say what became of a task that has ended.
const LONG: Duration = Duration::from_secs(15);

/// Looks at the queue after which what they say is newer than what the task itself did.
const NEWER: u64 = 2;

/// A task.
#[derive(Debug, Clone)]
pub struct Task {
    array: Arc<Array>,
    number: u32,
    /// The first life that is waited for.
    life: u32,
}

/// A task that has a node.
#[derive(Debug)]
pub struct Arrival {
    /// The node's name in Slurm.
    pub node: String,
    /// The node.
    pub ground: Ground,
    /// The files of its worker.
    pub life: Life,
    /// Its place among the lives of the task.
    number: u32,
    /// Looks at the queue when it came.
    looks: u64,
}

impl Task {
    /// The task of this number, from 1 on.
    #[must_use]
    pub fn new(array: Arc<Array>, number: u32) -> Task {
        Task { array, number, life: 0 }
    }

    /// As Slurm calls it.
    #[must_use]
    pub fn name(&self) -> String {
        format!("job {}_{}", self.array.id(), self.number)
    }

    /// Waits until it has a node, as long as nobody `is_unwanted`.
    ///
    /// # Errors
    /// If it will not have one, or the node is of no use.
    pub fn arrive(&self, is_unwanted: &dyn Fn() -> bool) -> Result<Arrival, FarError> {
        let (first, _) = self.array.fate(self.number);
        loop {
            let (looks, fate) = self.array.fate(self.number);
            if let Some((number, told)) = self.newest() {
                let node = told.lines().find_map(|line| line.strip_prefix("node="));
                let node = node.unwrap_or_default().to_owned();
                let ground = Ground::read(&told).map_err(FarError::Unfit)?;
                let life = Life::at(self.path(number));
                return Ok(Arrival { node, ground, life, number, looks });
            }
            if is_unwanted() {
                return Err(FarError::Interrupted);
            }
            let is_over = match &fate {
                Some(Fate::Waits(_) | Fate::Runs) => false,
                Some(Fate::Ended(_)) | None => looks >= first + NEWER,
            };
            if is_over {
                let state = self.ended().unwrap_or_default();
                return Err(FarError::Unfit(self.array.reason(self.number, &state)));
            }
            sleep(PATIENCE);
        }
    }

    fn path(&self, life: u32) -> PathBuf {
        self.array.room().join(format!("{}.{life}", self.number))
    }

    /// The last life that has begun, and what it told.
    fn newest(&self) -> Option<(u32, String)> {
        let entries = fs::read_dir(self.array.room()).ok()?;
        let of_name = |name: &str| {
            let (task, life) = name.split_once('.')?;
            (task.parse() == Ok(self.number)).then(|| life.parse::<u32>().ok())?
        };
        let lives = entries.flatten().filter_map(|entry| of_name(entry.file_name().to_str()?));
        let last = lives.filter(|life| *life >= self.life).max()?;
        Some((last, fs::read_to_string(self.path(last).join(GROUND)).ok()?))
    }

    /// The word for its end, if it is over.
    fn ended(&self) -> Option<String> {
        match self.array.fate(self.number).1 {
            Some(Fate::Waits(_) | Fate::Runs) => None,
            Some(Fate::Ended(state)) => Some(state),
            None => Some("unknown".to_owned()),
        }
    }

    /// Whether the process of this life is gone, by what Slurm says.
    #[must_use]
    pub fn is_gone(&self, arrival: &Arrival) -> bool {
        let (looks, fate) = self.array.fate(self.number);
        let is_newer = looks >= arrival.looks + NEWER;
        let is_later = || self.newest().is_some_and(|(number, _)| number > arrival.number);
        is_newer && fate != Some(Fate::Runs) || is_newer && is_later()
    }

    /// Why a life ended that nobody has ended, and the task as it goes on, if Slurm has put it back into its queue.
    #[must_use]
    pub fn why_ended(&self, arrival: &Arrival) -> (String, Option<Task>) {
        let said = arrival.life.last_words();
        let (first, _) = self.array.fate(self.number);
        let since = Instant::now();
        let fate = loop {
            let (looks, fate) = self.array.fate(self.number);
            let is_told = looks >= first + NEWER && fate != Some(Fate::Runs);
            if is_told || since.elapsed() > LONG {
                break fate;
            }
            sleep(PATIENCE);
        };
        let next = || Some(Task { life: arrival.number + 1, ..self.clone() });
        let name = self.name();
        let said = said.filter(|said| !said.is_empty());
        match (fate, said) {
            (Some(Fate::Waits(_)), _) => {
                (format!("Slurm took its node away, and {name} waits for another"), next())
            }
            (Some(Fate::Runs), None) => {
                (format!("{name} was silent for half a minute, or began anew"), next())
            }
            (Some(Fate::Ended(state)), None) => (self.array.reason(self.number, &state), None),
            (Some(Fate::Ended(state)), Some(said)) if state == "COMPLETED" || state == "FAILED" => {
                (said, None)
            }
            (Some(Fate::Ended(state)), Some(_)) => (self.array.reason(self.number, &state), None),
            (_, Some(said)) => (said, None),
            (None, None) => (format!("Slurm knows nothing of {name} any more"), None),
        }
    }
}
