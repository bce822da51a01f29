//! An answer of a node: whether it is what was asked for, line by line.

use etalon_core::model::{Metric, Phase};
use etalon_record::raw::{ToldLine, read_told};

use super::protocol::{Completion, Request, Work, hash};
use crate::experiment::Experiment;

/// An answer of a node.
pub(super) struct Answer {
    pub(super) member: usize,
    pub(super) request: Request,
    pub(super) since_ns: u64,
    pub(super) done: Completion,
    pub(super) lines: Vec<ToldLine>,
    pub(super) bytes: Vec<u8>,
}

/// The lines of an answer, if they are what was asked for. Metrics that it adds are known from then on.
pub(super) fn understood(
    request: &Request,
    done: &Completion,
    bytes: &[u8],
    (experiment, metrics): (&Experiment, &mut Vec<Metric>),
) -> Result<Vec<ToldLine>, String> {
    let lines: Vec<&[u8]> =
        bytes.split(|byte| *byte == b'\n').filter(|it| !it.is_empty()).collect();
    if hash(bytes) != done.hash || lines.len() as u64 != done.lines {
        return Err(format!(
            "{} lines came of {}, or not as they were sent",
            lines.len(),
            done.lines
        ));
    }
    let asked = match request {
        Request::Execute(work) => Some(work),
        _ => None,
    };
    if done.first != asked.map(|work| work.first) {
        return Err("it is of another block".to_owned());
    }
    let checked = |line: &[u8]| {
        let told = read_told(line, metrics)?;
        if let ToldLine::Declared(metric) = &told {
            match metrics.iter().find(|known| known.name == metric.name) {
                None => metrics.push(metric.clone()),
                Some(known) if known.unit == metric.unit => {}
                Some(known) => {
                    let (name, here, there) = (&metric.name, &metric.unit, &known.unit);
                    let (here, there) = (here.symbol(), there.symbol());
                    return Err(format!(
                        "its metric {name} is in {here}, and in {there} elsewhere"
                    ));
                }
            }
        }
        if let ToldLine::Observed(observation, _) = &told {
            let block = observation.coordinates.block;
            let is_of = |work: &Work| {
                let of = block.and_then(|block| block.checked_sub(work.first));
                let is_asked = of.is_some_and(|place| (place as usize) < work.orders.len());
                // A block may warm up by itself.
                let is_phase =
                    observation.phase == work.phase() || observation.phase == Phase::Warmup;
                is_asked && is_phase && observation.benchmark < experiment.benchmarks.len()
            };
            if !asked.is_some_and(is_of) {
                return Err("an observation is of another block".to_owned());
            }
        }
        Ok(told)
    };
    lines.into_iter().map(checked).collect()
}

#[cfg(test)]
mod tests {
    use etalon_core::model::{Context, Metric};
    use etalon_core::plan::{Order, Plan, Settings, Stopping};
    use etalon_record::BenchmarkLine;

    use super::super::protocol::End;
    use super::*;
    use crate::experiment::Naming;

    fn experiment() -> Experiment {
        Experiment {
            benchmarks: vec![BenchmarkLine::default(); 2],
            naming: Naming::Subjects,
            stages: Vec::new(),
            metrics: vec![Metric::new("wall", "ns")],
            plan: Plan::new(Order::Blocks, Stopping::Runs(9), 1),
            settings: Settings::default(),
            context: Context::default(),
            tool: String::new(),
            argv: Vec::new(),
            file: None,
            checks: None,
            sides: None,
            printed: Vec::new(),
            notes: Vec::new(),
            resumed: None,
        }
    }

    fn line(benchmark: usize, block: u32) -> String {
        format!(
            "{{\"type\":\"observation\",\"benchmark\":{benchmark},\"block\":{block},\"values\":{{\"wall\":5}}}}\n"
        )
    }

    /// Would catch a torn line, one that is not what was sent, somebody else's block, a benchmark that nobody has, and a
    /// line that would make a record another one.
    #[test]
    fn what_was_not_asked_for_is_no_answer() {
        let orders = vec![vec![1, 0]];
        let work =
            Work { is_warmup: false, first: 7, orders, padding: Vec::new(), is_first: false };
        let request = Request::Execute(work);
        let done = |lines: &str, first| Completion {
            blocks: 1,
            first: Some(first),
            lines: lines.lines().count() as u64,
            hash: hash(lines.as_bytes()),
            given_up: Vec::new(),
            end: End::Whole,
        };
        let experiment = experiment();
        let read = |lines: &str, done: &Completion| {
            let metrics = &mut experiment.metrics.clone();
            understood(&request, done, lines.as_bytes(), (&experiment, metrics))
        };
        let whole = line(1, 7) + &line(0, 7);
        assert_eq!(read(&whole, &done(&whole, 7)).map(|lines| lines.len()), Ok(2));
        assert!(read(&whole[..whole.len() - 9], &done(&whole, 7)).is_err());
        assert!(read(&whole.replace(":5", ":6"), &done(&whole, 7)).is_err());
        assert!(read(&whole, &done(&whole, 8)).is_err());
        let added = |unit: &str| {
            format!(
                "{{\"type\":\"metric\",\"name\":\"own\",\"unit\":\"{unit}\",\"direction\":\"lower\",\"kind\":\"exact\"}}\n"
            )
        };
        let own = |unit| added(unit) + &line(1, 7).replace("wall", "own");
        assert_eq!(read(&own("B"), &done(&own("B"), 7)).map(|lines| lines.len()), Ok(2));
        let twice = own("B") + &added("s");
        assert!(read(&twice, &done(&twice, 7)).is_err());
        for other in
            [line(1, 8), line(2, 7), "{\"type\":\"end\"}\n".to_owned(), "hello\n".to_owned()]
        {
            assert!(read(&other, &done(&other, 7)).is_err(), "{other}");
        }
    }
}
