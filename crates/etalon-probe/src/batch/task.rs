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

use etalon_record::entries::entries;

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

    /// A file that the nodes of all tasks see, for what each of them is sent.
    #[must_use]
    pub fn common(&self) -> PathBuf {
        self.array.room().join("contents")
    }

    fn path(&self, life: u32) -> PathBuf {
        self.array.room().join(format!("{}.{life}", self.number))
    }

    /// The last life that has begun, and what it told.
    fn newest(&self) -> Option<(u32, String)> {
        let entries = entries(self.array.room()).ok()?;
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
        is_newer && (fate != Some(Fate::Runs) || is_later())
    }

    /// Why a life ended that nobody has ended, and the task as it goes on, if Slurm has put it back into its queue.
    #[must_use]
    pub fn why_ended(&self, arrival: &Arrival) -> (String, Option<Task>) {
        let said = arrival.life.last_words().filter(|said| !said.is_empty());
        let again = || Some(Task { life: arrival.number + 1, ..self.clone() });
        match self.verdict(arrival, said.is_some()) {
            Verdict::Again => {
                (format!("Slurm took its node away; {} waits for another", self.name()), again())
            }
            // A node that is only silent may be given up by Slurm, too, in its own time.
            Verdict::Open => match said {
                Some(said) => (said, None),
                None => ("it was silent for half a minute".to_owned(), again()),
            },
            Verdict::Over(state) => match said {
                Some(said) if ["COMPLETED", "FAILED", "unknown"].contains(&&*state) => (said, None),
                _ => (self.array.reason(self.number, &state), None),
            },
        }
    }

    /// The state of the task after the end of a life, which Slurm takes some seconds to know.
    fn verdict(&self, arrival: &Arrival, has_said: bool) -> Verdict {
        let (first, _) = self.array.fate(self.number);
        let since = Instant::now();
        while since.elapsed() < LONG {
            if self.newest().is_some_and(|(number, _)| number > arrival.number) {
                return Verdict::Again;
            }
            let (looks, fate) = self.array.fate(self.number);
            match fate {
                _ if looks < first + NEWER => {}
                Some(Fate::Waits(_)) => return Verdict::Again,
                // One that was lost with its node may be called completed before it is put back.
                Some(Fate::Ended(state)) if has_said || state != "COMPLETED" => {
                    return Verdict::Over(state);
                }
                None => return Verdict::Over("unknown".to_owned()),
                Some(_) => {}
            }
            sleep(PATIENCE);
        }
        Verdict::Open
    }
}

/// The state of a task after a life.
enum Verdict {
    /// It is executed once more, or will be.
    Again,
    /// It is over, in Slurm's word.
    Over(String),
    /// Slurm says nothing of an end.
    Open,
}
