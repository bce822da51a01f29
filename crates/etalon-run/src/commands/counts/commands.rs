//! One execution of a command that is counted.

use std::ffi::OsString;
use std::fs;
use std::os::fd::AsRawFd;
use std::path::PathBuf;

use etalon_core::metrics;
use etalon_core::model::Number;
use etalon_probe::launcher::protocol::{Counters, Execute, Over, Setup};
use etalon_probe::memory_file;
use etalon_record::Text;
use etalon_record::raw::read_reading;

use super::{Count, CountSpec, Countable, Ended, LONGER, Seeds, Task, Tool, fix_seeds};
use crate::commands::executor::Commands;
use crate::commands::once::Once;
use crate::error::{RunError, how};
use crate::monitor::Monitor;

impl Countable for Commands {
    /// It is executed as a whole.
    fn calls(&self, _: usize, _: &[usize]) -> Option<u64> {
        None
    }

    fn program(&self, subject: usize) -> Option<PathBuf> {
        let command = self.setup.commands.get(subject)?;
        Some(PathBuf::from(command.execute.path.as_os_str()))
    }

    fn count(&self, task: Task<'_>, monitor: &mut Monitor<'_>) -> Result<Ended, RunError> {
        let spec = task.spec;
        let slot = spec.placed(task.subject)?;
        let Some(mut setup) = self.setup.alone(task.subject) else { return Ok(Ended::Interrupted) };
        for command in &mut setup.commands {
            slot.relocate(command);
            if spec.seeds == Seeds::Fixed {
                let environment = &mut command.execute.environment;
                let fixed = fix_seeds(&spec.room.path, &setup.environment, environment);
                fixed.map_err(|error| spec.refused(&error))?;
            }
            command.execute = under(&spec.words(), &command.execute);
        }
        match spec.tool {
            Tool::Cachegrind(_) => {
                setup.timeout_ns = setup.timeout_ns.map(|it| it.saturating_mul(LONGER));
            }
            Tool::Perf => {
                setup.counters = Counters::Instructions;
                setup.metrics = vec![metrics::INSTRUCTIONS.to_owned()];
            }
        }
        executed(spec, &setup, monitor)
    }
}

/// Executes the one command of a setup.
fn executed(spec: &CountSpec, setup: &Setup, monitor: &mut Monitor<'_>) -> Result<Ended, RunError> {
    let refused = |error| spec.refused(&error);
    let record = memory_file::create().map_err(refused)?;
    let over = Once::new(setup, &record, &mut || monitor.interrupted())?.execute()?;
    Ok(match over {
        Over::Done => {
            let count = match spec.tool {
                Tool::Cachegrind(_) => spec.left()?,
                Tool::Perf => {
                    let path = format!("/proc/self/fd/{}", record.as_raw_fd());
                    retired(&fs::read_to_string(path).map_err(refused)?)
                }
            };
            let without = || Ended::Not(spec.without_count("left no count", ""));
            count.map_or_else(without, Ended::Counted)
        }
        Over::Stopped(failure) => {
            let stderr = failure.stderr.to_string_lossy();
            Ended::Not(spec.without_count(&how(&failure.outcome), &stderr))
        }
        _ => Ended::Interrupted,
    })
}

/// The instructions of an execution as the launcher has recorded them; of functions it knows nothing.
fn retired(record: &str) -> Option<Count> {
    let observed = read_reading(record.lines().next()?, &[CountSpec::metric()]).ok()?;
    match observed.values.first()?.1 {
        Number::Integer(total) => {
            Some(Count { total: u64::try_from(total).ok()?, ..Count::default() })
        }
        Number::Float(_) => None,
    }
}

/// The execution of a program by what these words call; as it is without any.
fn under(words: &[OsString], execute: &Execute) -> Execute {
    let Some(program) = words.first() else { return execute.clone() };
    let program_and = std::iter::once(execute.path.clone());
    let words = words.iter().map(|word| Text::from(word.clone()));
    let argv = words.chain(program_and).chain(execute.argv.iter().skip(1).cloned()).collect();
    Execute { path: Text::from(program.clone()), argv, ..execute.clone() }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Would catch a count that perf gave and that is not found in what the launcher records.
    #[test]
    fn instructions_of_a_record() {
        let line = r#"{"type":"observation","benchmark":0,"block":0,"turn":0,"values":{"instructions":1234}}"#;
        assert_eq!(retired(line).map(|count| count.total), Some(1234));
        assert_eq!(retired(&line.replace(r#""instructions":1234"#, "")), None);
    }
}
