//! The output of a Go test binary that is measured, as lines of a record.
//!
//! Owns: a benchmark line for each name under its facts and a metric line for each unit, when they come for the first
//! time; an observation for each result, with its numbers as they were written; one for each benchmark that failed,
//! with what was said of it; everything else that was printed. Refuses: to execute anything, and to guess which numbers
//! are whose, which is [`super::torn`]'s.

use std::collections::{HashMap, HashSet};

use etalon_core::dataset::{Dataset, Ending, Full, Parsed, Reason, SpellingId};
use etalon_core::model::{Coordinates, Note, Observation, Outcome, Phase};

use super::execution::{Execution, failed, rest, said};
use super::line::Measurement;
use super::packages::Packages;
use super::record::{Continuity, Record, ResultLine};
use super::records::read_records;
use super::status::Status;
use crate::raw::benchmark::BenchmarkLine;
use crate::raw::{UnitMetrics, WrittenNumber, number_as_written, write};
use crate::text::Text;

/// The unit that every whole result has, unless its benchmark took it away.
const TIME: &str = "ns/op";

/// Units that Go itself adds beside the time.
const ADDED: [&str; 2] = ["B/op", "allocs/op"];

/// The facts that hold for something, in order.
type Facts = Vec<(String, String)>;

/// Counts of an execution's output.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Seen {
    /// Results.
    pub results: usize,
    /// Benchmarks that failed, without `Benchmark`; what was asked for, where none is named.
    pub failed: Vec<String>,
}

/// A record of executions under way.
#[derive(Debug, Default)]
pub struct Live {
    /// Knows units; has no rows.
    units: Dataset,
    metrics: UnitMetrics,
    benchmarks: HashMap<(String, Facts), usize>,
    /// The facts that were printed last, which an execution that printed none was under, too.
    last: Facts,
    /// Facts that are left out.
    left_out: &'static [&'static str],
}

/// A result of the execution that is read.
struct LiveResult {
    name: String,
    facts: Facts,
    iterations: i64,
    values: Vec<u8>,
    /// Whether it says how long an iteration took.
    has_time: bool,
    /// Whether it says something that its benchmark reported.
    has_own: bool,
}

/// The output of an execution as it is read.
#[derive(Default)]
struct Reading {
    found: Vec<LiveResult>,
    /// Metric lines that come before.
    lines: Vec<u8>,
    facts: Facts,
    packages: Packages,
    /// Names and outcomes of what failed.
    ended: Vec<(Option<String>, Ending)>,
    passed: bool,
    /// Lines that say no more than what is recorded of them.
    used: HashSet<u64>,
    /// Printed results that are none.
    lost: Vec<(u64, Reason)>,
}

impl Live {
    /// Nothing was measured yet; facts of these keys are left out, which tell of the machine.
    #[must_use]
    pub fn without(left_out: &'static [&'static str]) -> Live {
        Live { left_out, ..Live::default() }
    }

    /// Appends the lines of one execution.
    pub fn add(&mut self, execution: &Execution<'_>, lines: &mut Vec<u8>) -> Seen {
        let mut reading = self.read(execution);
        lines.append(&mut reading.lines);
        for (line, reason) in &reading.lost {
            let place = format!("block {}, line {line} of what it printed", execution.block);
            let text = format!("{place} is left out: {reason}");
            write::note(lines, &Note::new(execution.name, text));
        }
        let mut seen = Seen { results: reading.found.len(), failed: Vec::new() };
        let mut turns: HashMap<usize, (u32, u32)> = HashMap::new();
        let found = std::mem::take(&mut reading.found);
        let found: Vec<(usize, LiveResult)> = found
            .into_iter()
            .map(|found| (self.benchmark(&found.name, found.facts.clone(), lines), found))
            .collect();
        found.iter().for_each(|(at, _)| turns.entry(*at).or_default().1 += 1);
        for (benchmark, found) in &found {
            let turn = turns.entry(*benchmark).or_default();
            let number = (turn.1 > 1).then_some(turn.0);
            turn.0 += 1;
            let observation = Observation {
                iterations: Some(found.iterations),
                ..observation(*benchmark, execution, number, Outcome::Ok)
            };
            write::observation_with(lines, &observation, None, |buffer| {
                buffer.extend_from_slice(&found.values);
            });
        }
        self.failures(execution, reading, &found, lines, &mut seen);
        seen
    }

    /// Reads what it printed. Facts of the execution's own follow those that it printed.
    fn read(&mut self, execution: &Execution<'_>) -> Reading {
        let mut reading = Reading::default();
        let bytes = execution.stdout;
        // Reading from memory does not fail.
        let _lines = read_records(bytes, |line, record| self.take(line, record, &mut reading));
        // One that crashes while it is executed prints what it has so far: a line without a time, which is no result.
        let is_crash = !matches!(execution.outcome, Outcome::Ok | Outcome::Failed { code: 1 });
        let is_whole = |found: &LiveResult| found.has_time;
        if is_crash && reading.found.last().is_some_and(|last| !is_whole(last)) {
            reading.found.pop();
        }
        let ended = reading.packages.end();
        reading.ended.extend(ended.into_iter().map(|(_, ended)| (ended.benchmark, ended.how)));
        // Go may come to its `PASS` before a panic ends the program: it was measured for no time at all.
        let unended = reading.found.extract_if(.., |found| !found.has_time && !found.has_own);
        let failed = |found: LiveResult| (Some(bare(&found.name).to_owned()), Ending::Failed);
        reading.ended.extend(unended.map(failed));
        if !reading.facts.is_empty() {
            self.last.clone_from(&reading.facts);
        }
        for found in &mut reading.found {
            hold(&mut found.facts, execution.facts);
        }
        reading
    }

    fn take(&mut self, line: u64, record: Record<'_>, reading: &mut Reading) {
        match record {
            Record::Configuration { key, .. } if self.left_out.contains(&key) => {
                reading.used.insert(line);
            }
            Record::Configuration { key, value } => {
                if let ("pkg", Some(package)) = (key, value) {
                    reading.packages.header(line, package);
                }
                reading.facts.retain(|(known, _)| known != key);
                reading.facts.extend(value.map(|value| (key.to_owned(), value.to_owned())));
                reading.used.insert(line);
            }
            Record::Result(result) => {
                reading.packages.result(line);
                // One that was torn apart stays beside what tore it.
                if result.origin == Continuity::Whole {
                    reading.used.insert(line);
                }
                match self.values(&result, &mut reading.lines) {
                    Ok(values) => {
                        let units = || result.measurements.iter().map(|it| it.unit(result.text));
                        reading.found.push(LiveResult {
                            name: result.name.to_owned(),
                            facts: reading.facts.clone(),
                            iterations: result.iterations,
                            values,
                            has_time: units().any(|unit| unit == TIME),
                            has_own: units().any(|unit| unit != TIME && !ADDED.contains(&unit)),
                        });
                    }
                    // There are 2³² units: this one is among what was printed.
                    Err(Full) => _ = reading.used.remove(&line),
                }
            }
            Record::Status { status, .. } => {
                reading.passed |= matches!(status, Status::Passed);
                let ended = reading.packages.status(line, &status);
                let ended = ended.into_iter().map(|(_, ended)| (ended.benchmark, ended.how));
                reading.ended.extend(ended);
            }
            Record::Metadata { unit, key, value } => {
                write::unit(&mut reading.lines, unit, key, value);
                reading.used.insert(line);
            }
            Record::Problem(reason) if reason.loses_readings() => {
                reading.lost.push((line, reason));
            }
            Record::Problem(_) | Record::Unended | Record::EncodedNames => {}
        }
    }

    /// The values of a result, each behind its metric.
    fn values(&mut self, result: &ResultLine<'_>, lines: &mut Vec<u8>) -> Result<Vec<u8>, Full> {
        let mut buffer = Vec::new();
        let mut seen: Vec<SpellingId> = Vec::new();
        for measurement in result.measurements {
            let spelling = self.units.spelling(measurement.unit(result.text))?;
            let before = seen.iter().filter(|known| **known == spelling).count();
            let place = (spelling, before);
            seen.push(spelling);
            self.metrics.declare(&self.units, place, lines);
            if !buffer.is_empty() {
                buffer.push(b',');
            }
            write::json(&mut buffer, self.metrics.name(place));
            buffer.push(b':');
            let power = self.units.spellings[spelling.at()].power;
            value(&mut buffer, measurement, result.text, power);
        }
        Ok(buffer)
    }

    /// The number of a benchmark's line, which is appended if it is new.
    fn benchmark(&mut self, name: &str, facts: Facts, lines: &mut Vec<u8>) -> usize {
        let next = self.benchmarks.len();
        let key = (name.to_owned(), facts);
        if let Some(known) = self.benchmarks.get(&key) {
            return *known;
        }
        let (name, configuration) = key.clone();
        let line =
            BenchmarkLine { name, configuration: Some(configuration), ..BenchmarkLine::default() };
        write::benchmark(lines, &line);
        self.benchmarks.insert(key, next);
        next
    }

    /// Appends what failed, and what was printed beside results.
    fn failures(
        &mut self,
        execution: &Execution<'_>,
        reading: Reading,
        found: &[(usize, LiveResult)],
        lines: &mut Vec<u8>,
        seen: &mut Seen,
    ) {
        let mut facts = if reading.facts.is_empty() { self.last.clone() } else { reading.facts };
        hold(&mut facts, execution.facts);
        let said = said(execution);
        for (name, outcome) in failed(execution, &reading.ended, reading.passed, found.len()) {
            let measured = self.measured(&name, &facts);
            let benchmark = measured.unwrap_or_else(|| self.benchmark(&name, facts.clone(), lines));
            let observation = observation(benchmark, execution, None, outcome);
            write::observation_with(lines, &observation, Some(&said), |_| {});
            seen.failed.push(name);
        }
        let rest = rest(execution, &reading.used);
        if seen.failed.is_empty()
            && !rest.is_empty()
            && let Some((benchmark, _)) = found.first()
        {
            write::printed_by(lines, *benchmark, Text(rest));
        }
    }

    /// The benchmark that was measured before under a name without its number of processors.
    fn measured(&self, name: &str, facts: &Facts) -> Option<usize> {
        let mut all = self.benchmarks.iter();
        let is_it = |((known, under), _): &(&(String, Facts), &usize)| {
            under == facts && (known == name || bare(known) == name)
        };
        all.find(is_it).map(|(_, at)| *at)
    }
}

/// A name without its number of processors.
fn bare(full: &str) -> &str {
    let digits = full.rsplit_once('-').filter(|(_, behind)| {
        !behind.is_empty() && behind.bytes().all(|byte| byte.is_ascii_digit())
    });
    digits.map_or(full, |(before, _)| before)
}

/// Lets facts hold in the place of those of their keys.
fn hold(facts: &mut Facts, own: &[(String, String)]) {
    for (key, value) in own {
        match facts.iter_mut().find(|(known, _)| known == key) {
            Some((_, known)) => known.clone_from(value),
            None => facts.push((key.clone(), value.clone())),
        }
    }
}

fn observation(
    benchmark: usize,
    execution: &Execution<'_>,
    turn: Option<u32>,
    outcome: Outcome,
) -> Observation {
    Observation {
        outcome,
        ..Observation::new(
            benchmark,
            Phase::Measured,
            Coordinates {
                node: None,
                block: Some(execution.block),
                turn,
                at_ns: Some(execution.at_ns),
            },
            Vec::new(),
        )
    }
}

fn value(buffer: &mut Vec<u8>, measurement: &Measurement, line: &str, power: i32) {
    let text = measurement.text(line);
    match measurement.number {
        Parsed::Finite(number, written) => {
            let kept = Some(text);
            number_as_written(buffer, WrittenNumber { number, written, kept, power });
        }
        Parsed::NotFinite => write::absent(buffer, text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: &str = "goos: linux\npkg: a/b\n";

    fn added(live: &mut Live, stdout: &str, stderr: &str, outcome: &Outcome) -> (String, Seen) {
        let mut lines = Vec::new();
        let execution = Execution {
            name: "X",
            facts: &[("side".to_owned(), "head".to_owned())],
            block: 3,
            at_ns: 7,
            outcome,
            stdout: stdout.as_bytes(),
            stderr: stderr.as_bytes(),
        };
        let seen = live.add(&execution, &mut lines);
        (String::from_utf8(lines).unwrap(), seen)
    }

    /// Would catch a number that changes on its way, a unit that is declared twice, and a result without its block.
    #[test]
    fn results_are_observations() {
        let mut live = Live::default();
        let text = format!("{HEAD}BenchmarkX/a-2 \t 100\t 12.50 ns/op\t 3 B/op\nPASS\n");
        let (lines, seen) = added(&mut live, &text, "", &Outcome::Ok);
        assert_eq!(
            lines,
            "{\"type\":\"metric\",\"name\":\"sec/op\",\"unit\":\"ns\",\"direction\":\"lower\",\"kind\":\"noisy\",\"spelling\":\"ns/op\"}\n\
             {\"type\":\"metric\",\"name\":\"B/op\",\"unit\":\"B\",\"direction\":\"lower\",\"kind\":\"noisy\",\"spelling\":\"B/op\"}\n\
             {\"type\":\"benchmark\",\"name\":\"X/a-2\",\"configuration\":{\"goos\":\"linux\",\"pkg\":\"a/b\",\"side\":\"head\"}}\n\
             {\"type\":\"observation\",\"benchmark\":0,\"block\":3,\"at\":7,\"iterations\":100,\"values\":{\"sec/op\":{\"value\":12.5,\"written\":\"12.50\"},\"B/op\":3}}\n"
        );
        assert_eq!(seen, Seen { results: 1, failed: Vec::new() });
        let (lines, _) = added(&mut live, &text, "", &Outcome::Ok);
        assert_eq!(lines.lines().count(), 1, "{lines}");
        let (lines, _) = added(&mut Live::without(&["goos"]), &text, "", &Outcome::Ok);
        assert!(lines.contains("\"configuration\":{\"pkg\":\"a/b\""), "{lines}");
        assert!(!lines.contains("output"), "{lines}");
    }

    /// Would catch readings of one execution that are taken for blocks, and output between a name and its numbers
    /// that loses either.
    #[test]
    fn several_results_are_turns_and_torn_ones_are_whole() {
        let text = format!(
            "{HEAD}BenchmarkX-2 \thello\n     100\t 5 ns/op\nBenchmarkX-2 \t 200\t 6 ns/op\nPASS\n"
        );
        let (lines, seen) = added(&mut Live::default(), &text, "warning\n", &Outcome::Ok);
        assert_eq!(seen.results, 2);
        for part in ["\"turn\":0", "\"turn\":1", "\"sec/op\":5", "\"sec/op\":6"] {
            assert!(lines.contains(part), "{part}\n{lines}");
        }
        let printed = lines.lines().find(|line| line.contains("\"output\"")).unwrap();
        assert!(printed.contains("hello") && printed.contains("warning"), "{printed}");
    }

    /// Would catch a result that output tore for good and that a record says nothing of.
    #[test]
    fn a_result_that_cannot_be_read_is_noted() {
        let text = format!(
            "{HEAD}BenchmarkX-2 \t 20\ttick 608.8 ns/op\nBenchmarkX-2 \t 200\t 6 ns/op\nPASS\n"
        );
        let (lines, seen) = added(&mut Live::default(), &text, "", &Outcome::Ok);
        assert_eq!(seen.results, 1);
        let note = lines.lines().find(|line| line.contains("\"note\"")).unwrap();
        assert!(note.contains("block 3, line 3 of what it printed is left out: `tick`"), "{note}");
    }

    /// Would catch a failure that is credited to another benchmark, or loses its message or the results beside it.
    #[test]
    fn failures_are_outcomes_with_their_messages() {
        let mut live = Live::default();
        let text = format!("{HEAD}BenchmarkX/a-2\t 1\t 5 ns/op\nPASS\n");
        let _ = added(&mut live, &text, "", &Outcome::Ok);
        let text = format!(
            "{HEAD}BenchmarkX/b-2\t 1\t 5 ns/op\n--- FAIL: BenchmarkX/a\n    x_test.go:3: no\nFAIL\n"
        );
        let (lines, seen) = added(&mut live, &text, "", &Outcome::Failed { code: 1 });
        assert_eq!(seen, Seen { results: 1, failed: vec!["X/a".to_owned()] });
        let failed = lines.lines().find(|line| line.contains("\"outcome\"")).unwrap();
        assert!(
            failed.contains("\"benchmark\":0,") && failed.contains("x_test.go:3: no"),
            "{failed}"
        );
        let torn = format!("{HEAD}BenchmarkX-2 \t 1\t 0 B/op\n");
        let (_, seen) = added(&mut live, &torn, "panic: boom\n", &Outcome::Failed { code: 2 });
        assert_eq!(seen, Seen { results: 0, failed: vec!["X".to_owned()] }, "no time: no result");
        let (lines, seen) =
            added(&mut live, HEAD, "panic: boom\n\ngoroutine 7\n", &Outcome::Failed { code: 2 });
        assert_eq!(seen.failed, ["X"]);
        assert!(lines.contains("panic: boom"), "{lines}");
        let early = format!("{HEAD}BenchmarkX-2 \t 1\t 0 B/op\t 0 allocs/op\nPASS\n");
        let (lines, seen) = added(&mut live, &early, "", &Outcome::Ok);
        assert_eq!(seen, Seen { results: 0, failed: vec!["X".to_owned()] }, "PASS before a panic");
        assert!(lines.contains("\"failed\":1") && !lines.contains("\"iterations\""), "{lines}");
        let own = format!("{HEAD}BenchmarkX-2 \t 1\t 3 probes\t 0 B/op\nPASS\n");
        let (_, seen) = added(&mut live, &own, "", &Outcome::Ok);
        assert_eq!(seen, Seen { results: 1, failed: Vec::new() }, "it took its time away");
        let late = "panic: test timed out after 1s\n";
        let (lines, _) = added(&mut live, HEAD, late, &Outcome::Failed { code: 2 });
        assert!(lines.contains("\"timed_out\""), "{lines}");
        let (_, seen) = added(&mut live, HEAD, "", &Outcome::Ok);
        assert_eq!(seen.failed, ["X"], "it exited without saying PASS");
    }
}
