//! A script in a block: a fresh process that executes it once, as it is.
//!
//! Owns what is recorded of that besides the time of its chunk: the numbers that it prints, and what its process took
//! from start to end. Refuses to read more of its output than is kept of it.

use etalon_core::metrics;
use etalon_core::model::Kind;
use etalon_core::units::{Base, Unit};
use etalon_lua::{Answer, MetricLine, Once, Output, Request, Worker};
use etalon_probe::clock;
use etalon_record::printed::{self, Printed};

use super::block::{Block, LiveWorker};
use super::failure::CaseFailure;
use super::listen::Reply;
use crate::error::RunError;
use crate::monitor::Monitor;

/// The word before the name of a number that is called like one of etalon's.
const PRINTED: &str = "printed";

impl Block<'_> {
    /// Executes a script; there is nothing left to take turns with.
    pub(super) fn script(
        &self,
        case: usize,
        monitor: &mut Monitor<'_>,
    ) -> Result<Reply<Option<LiveWorker>>, RunError> {
        let began_ns = clock::now_ns();
        let (mut worker, loaded) = self.start(case, monitor)?;
        Ok(match loaded {
            Reply::Answer(_) => match self.execute_script(case, &mut worker, monitor)? {
                Reply::Answer(()) => self.ended_script(case, worker, began_ns)?,
                Reply::Failed(failure) => {
                    self.lines.printed(case, worker.output())?;
                    Reply::Failed(CaseFailure { orphans: worker.kill().orphans, ..failure })
                }
                Reply::Interrupted => Reply::Interrupted,
            },
            Reply::Failed(failure) => {
                Reply::Failed(CaseFailure { orphans: worker.kill().orphans, ..failure })
            }
            Reply::Interrupted => Reply::Interrupted,
        })
    }

    fn execute_script(
        &self,
        case: usize,
        worker: &mut Worker,
        monitor: &mut Monitor<'_>,
    ) -> Result<Reply<()>, RunError> {
        let at = self.place_of(case);
        let once = Once { benchmark: case, block: at.block, started_ns: self.cases.started_ns };
        let lines = self.lines;
        self.ask(monitor, worker, &Request::Once(once), |answer| match answer {
            Answer::Observation(reading) => lines.observed(&reading).map(|()| None),
            Answer::Finished(_) => Ok(Some(())),
            _ => Ok(None),
        })
    }

    /// Records what is known once the process is over.
    fn ended_script(
        &self,
        case: usize,
        mut worker: Worker,
        began_ns: u64,
    ) -> Result<Reply<Option<LiveWorker>>, RunError> {
        worker.wait_for_its_end().map_err(RunError::Worker)?;
        let process_ns = clock::now_ns() - began_ns;
        let at = self.place_of(case);
        let output = worker.output();
        self.lines.own_metrics(at, &own_metrics(process_ns, &output), Kind::Noisy)?;
        self.lines.printed(case, output)?;
        self.lines.left(at, worker.kill().orphans)?;
        Ok(Reply::Answer(None))
    }
}

/// The numbers of a script: what its process took, and what it printed; of several under one name the last.
#[allow(clippy::cast_precision_loss)] // some ms in ns
fn own_metrics(process_ns: u64, output: &Output) -> Vec<MetricLine> {
    let process = MetricLine {
        name: metrics::PROCESS.to_owned(),
        value: process_ns as f64,
        unit: "ns".to_owned(),
        direction: "lower".to_owned(),
    };
    let mut own = vec![process];
    for number in printed::numbers(&String::from_utf8_lossy(&output.text)) {
        let line = metric_line(number);
        match own.iter_mut().find(|known| known.name == line.name) {
            Some(known) => *known = line,
            None => own.push(line),
        }
    }
    own
}

/// A number as a metric; of a time and of a size, less is better.
fn metric_line(number: Printed) -> MetricLine {
    let Printed { name, value, unit } = number;
    let unit = unit.unwrap_or_else(|| Base::Count.to_string());
    let is_cost = matches!(Unit::new(&unit).base(), Base::Seconds | Base::Bytes);
    let is_free = etalon_lua::metrics::may_be_own(&name) && name != metrics::PROCESS;
    MetricLine {
        name: if is_free { name } else { format!("{PRINTED}.{name}") },
        value,
        unit,
        direction: if is_cost { "lower" } else { "neither" }.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Would catch a printed number that takes the place of one of etalon's, and one that is lost.
    #[test]
    fn numbers_of_a_script() {
        let text = b"wall: 3\nelapsed: 1\nelapsed: 4e-8\nused bytes: 10\nprocess: 1 s\n".to_vec();
        let own = own_metrics(7, &Output { text, lost: 0 });
        let shown = |line: &MetricLine| {
            format!("{} {} {} {}", line.name, line.value, line.unit, line.direction)
        };
        let expected = [
            "process 7 ns lower",
            "printed.wall 3 count neither",
            "elapsed 0.00000004 count neither",
            "used_bytes 10 B lower",
            "printed.process 1 s lower",
        ];
        assert_eq!(own.iter().map(shown).collect::<Vec<_>>(), expected);
    }
}
