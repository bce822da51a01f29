//! An answer of a node: whether it is what was asked for, line by line.

use etalon_core::model::{Observation, Phase};
use etalon_record::raw::{ToldLine, read_told};

use super::protocol::{Completion, Request, Work, hash};
use super::register::Register;

/// An answer of a node.
pub(super) struct Answer {
    pub(super) member: usize,
    pub(super) request: Request,
    pub(super) since_ns: u64,
    pub(super) done: Completion,
    pub(super) lines: Vec<ToldLine>,
    pub(super) bytes: Vec<u8>,
}

/// The lines of an answer, if they are what was asked for, about the benchmarks as the record numbers them. `numbers` are
/// those that the record has for the benchmarks of this worker; what it adds is in the register and there from then on.
pub(super) fn understood(
    request: &Request,
    done: &Completion,
    bytes: &[u8],
    (register, numbers): (&mut Register, &mut Vec<usize>),
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
        let mut told = read_told(line, register.metrics())?;
        let number = |of: usize| {
            let number = numbers.get(of).copied();
            number.ok_or_else(|| format!("it has no benchmark {of}"))
        };
        match &mut told {
            ToldLine::Declared(metric) => register.metric(metric, line)?,
            ToldLine::Benchmark => {
                let named = register.benchmark(line);
                numbers.push(named.ok_or("it names a benchmark, and has none of its own")?);
            }
            ToldLine::Observed(observation, _) => {
                if !asked.is_some_and(|work| is_of(observation, work)) {
                    return Err("an observation is of another block".to_owned());
                }
                observation.benchmark = number(observation.benchmark)?;
            }
            ToldLine::Other(Some(about)) => *about = number(*about)?,
            ToldLine::Noted(_) | ToldLine::Other(None) => {}
        }
        Ok(told)
    };
    lines.into_iter().map(checked).collect()
}

/// Whether an observation is of blocks that were asked for.
fn is_of(observation: &Observation, work: &Work) -> bool {
    let block = observation.coordinates.block;
    let of = block.and_then(|block| block.checked_sub(work.first));
    let is_asked = of.is_some_and(|place| (place as usize) < work.orders.len());
    // A block may warm up by itself.
    is_asked && (observation.phase == work.phase() || observation.phase == Phase::Warmup)
}

#[cfg(test)]
mod tests {
    use etalon_core::model::{Context, Harness, Metric};
    use etalon_core::plan::{Order, Plan, Settings, Stopping};
    use etalon_record::BenchmarkLine;

    use super::super::protocol::End;
    use super::*;
    use crate::experiment::{Experiment, Naming};

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
            bisection: None,
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
            let mut register = Register::new(&experiment);
            let mut numbers = register.first_numbers();
            understood(&request, done, lines.as_bytes(), (&mut register, &mut numbers))
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
    /// Would catch benchmarks that are the other machine's, one that is written twice, and one that a record of subjects
    /// would get.
    #[test]
    fn what_workers_name_alike_is_one() {
        let named = |name: &str| format!("{{\"type\":\"benchmark\",\"name\":\"{name}\"}}\n");
        let answered = |register: &mut Register, numbers: &mut Vec<usize>, lines: &str| {
            let orders = vec![vec![0]];
            let work =
                Work { is_warmup: false, first: 7, orders, padding: Vec::new(), is_first: false };
            let done = Completion {
                blocks: 1,
                first: Some(7),
                lines: lines.lines().count() as u64,
                hash: hash(lines.as_bytes()),
                given_up: Vec::new(),
                end: End::Whole,
            };
            let lines =
                understood(&Request::Execute(work), &done, lines.as_bytes(), (register, numbers))?;
            let of = |line: &ToldLine| match line {
                ToldLine::Observed(observation, _) => Some(observation.benchmark),
                _ => None,
            };
            Ok::<_, String>(lines.iter().filter_map(of).collect::<Vec<usize>>())
        };
        for (naming, before) in
            [(Naming::Harness(Harness::Go), 0), (Naming::Behind(Harness::Results), 2)]
        {
            let mut register = Register::new(&Experiment { naming, ..experiment() });
            let (mut one, mut two) = (register.first_numbers(), register.first_numbers());
            assert_eq!(one.len(), before);
            let first = named("x") + &line(before, 7) + &named("y") + &line(before + 1, 7);
            assert_eq!(answered(&mut register, &mut one, &first), Ok(vec![before, before + 1]));
            let second = named("y") + &line(before, 7) + &named("z") + &line(before + 1, 7);
            let found = answered(&mut register, &mut two, &second);
            assert_eq!(found, Ok(vec![before + 1, before + 2]));
            let written = (named("x") + &named("y") + &named("z")).into_bytes();
            assert_eq!((register.unwritten(), register.unwritten()), (Some(written), None));
        }
        let mut register = Register::new(&experiment());
        let mut numbers = register.first_numbers();
        assert!(answered(&mut register, &mut numbers, &named("x")).is_err());
    }
}
