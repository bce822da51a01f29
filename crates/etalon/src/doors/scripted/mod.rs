//! A door of the tests: words become subjects, and their letters are counted. It is all that a new door takes.
//!
//! Refuses to start a program: what it measures is there.

#[cfg(test)]
mod tests;

use std::ops::ControlFlow;

use etalon_core::model::{Coordinates, Kind, Metric, Number, Observation, Phase};
use etalon_core::plan::{Order, Plan, Settings, Stage, Stopping};
use etalon_record::BenchmarkLine;
use etalon_run::{Batch, Executed, Executor, Experiment, Monitor, Records, RunError, Started};

use crate::course::Job;
use crate::recorded;

const LETTERS: &str = "letters";

/// Turns words into a job that counts the letters of each, so many times.
pub(crate) fn job(words: &[&str], runs: u32) -> Job<'static> {
    let line = |word: &&str| BenchmarkLine { name: (*word).into(), ..BenchmarkLine::default() };
    let plan = Plan::new(Order::Blocks, Stopping::Runs(runs), 1);
    let settings = Settings { metric: LETTERS.into(), ..Settings::default() };
    let benchmarks = words.iter().map(line).collect();
    let mut experiment = recorded::experiment(benchmarks, plan, settings);
    experiment.metrics.push(Metric { kind: Kind::Exact, ..Metric::new(LETTERS, "letters") });
    Job::new(experiment, Box::new(Letters))
}

/// Counts the letters of a subject's name.
struct Letters;

impl Executor for Letters {
    fn start(&mut self, _: &Experiment, _: &Records<'_>, _: u64) -> Result<Started, RunError> {
        Ok(Started::default())
    }

    fn batch_size(&self, _: &Stage) -> u32 {
        2
    }

    fn execute(&mut self, batch: &Batch, monitor: &mut Monitor<'_>) -> Result<Executed, RunError> {
        let mut executed =
            Executed { blocks: 0, given_up: vec![], flow: ControlFlow::Continue(()) };
        for (block, order) in (batch.first..).zip(&batch.orders) {
            for &benchmark in order {
                let word = &monitor.experiment.benchmarks[benchmark].name;
                let letters = word.chars().map(|_| 1).sum();
                let observation = Observation::new(
                    benchmark,
                    Phase::Measured,
                    Coordinates { node: None, block: Some(block), turn: None, at_ns: None },
                    vec![(0, Number::Integer(letters))],
                );
                monitor.records.observation(&observation, None)?;
            }
            executed.blocks += 1;
        }
        Ok(executed)
    }
}
