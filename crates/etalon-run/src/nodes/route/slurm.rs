//! The way over files that a node of a cluster shares: its scheduler starts the worker there.

use std::io::{BufRead, BufReader, Error, empty};
use std::path::{Path, PathBuf};

use etalon_probe::batch::{Arrival, Task};
use etalon_probe::far::{FarError, Ground};
use etalon_probe::shared::Outgoing;

use super::{Input, Route};

/// A task of a job.
#[derive(Debug)]
pub(in crate::nodes) struct ByFiles {
    task: Task,
    /// Once it has a node, with where its worker is asked. Dropped, that ends the worker.
    arrival: Option<Arrival>,
    requests: Option<Outgoing>,
}

impl ByFiles {
    /// Nothing is waited for yet.
    pub(in crate::nodes) fn new(task: Task) -> ByFiles {
        ByFiles { task, arrival: None, requests: None }
    }
}

impl Route for ByFiles {
    fn name(&self) -> String {
        self.task.name()
    }

    fn reach(&mut self, is_unwanted: &dyn Fn() -> bool) -> Result<(String, Ground), FarError> {
        let arrival = self.task.arrive(is_unwanted)?;
        let reached = (arrival.node.clone(), arrival.ground.clone());
        self.requests = Some(arrival.life.requests());
        self.arrival = Some(arrival);
        Ok(reached)
    }

    /// The job has started it: the program was in the directory before the job was asked for.
    fn start(&mut self, _: &Path, _: &dyn Fn() -> bool) -> Result<Input, FarError> {
        let nowhere = || FarError::Ssh(Error::other("it has no node"));
        Ok(Box::new(self.requests.take().ok_or_else(nowhere)?))
    }

    fn common(&self) -> Option<PathBuf> {
        Some(self.task.common())
    }

    fn answers<'a>(&'a mut self, is_unwanted: &'a dyn Fn() -> bool) -> Box<dyn BufRead + 'a> {
        let ByFiles { task, arrival, .. } = self;
        match arrival {
            Some(arrival) => {
                let arrival = &*arrival;
                let is_gone = Box::new(move || task.is_gone(arrival));
                Box::new(BufReader::new(arrival.life.answers(is_gone, is_unwanted)))
            }
            None => Box::new(empty()),
        }
    }

    fn why_ended(&mut self) -> (String, Option<Box<dyn Route>>) {
        let Some(arrival) = &self.arrival else { return ("it has no node".to_owned(), None) };
        let (why, again) = self.task.why_ended(arrival);
        let again = again.map(|task| -> Box<dyn Route> { Box::new(ByFiles::new(task)) });
        (why, again)
    }
}
