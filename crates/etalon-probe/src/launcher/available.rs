//! Which of the extras are available on this machine, and what each adds to an execution.
//!
//! Owns: choosing the control groups that really work, the list of what is not available, and
//! measuring prices. Refuses: to leave a price to guessing; where it cannot be measured it is absent.
//!
//! The program of these executions is this binary itself, which then ends at once: it is there, it
//! needs nothing, and it is never what the user measures.

use etalon_core::model::Outcome;

use super::cgroup::{Groups, Layout};
use super::counters::{Counting, Scope};
use super::execute::Executor;
use super::execution::{Executed, Execution};
use super::exited::ExitedProcess;
use super::extras::Part;
use super::metrics::{Origin, Source, Values};
use super::protocol::Groups as Kind;
use super::protocol::{Cgroup, Counters, Overhead, Ready, Setup, Unavailable};
use super::spawn::Program;
use super::wire::IDLE;
use crate::clock::now_ns;

/// Pairs of executions with and without it all. The differences scatter by some 10 µs where an
/// execution takes half a millisecond; their median by a few. More would make every start wait.
const PAIRS: usize = 41;

/// Sets up what is asked for; what came of it, the resident size excepted.
pub(super) fn set_up(setup: &Setup, wanted: &[Option<Source>], executor: &mut Executor) -> Ready {
    let mut ready = Ready::default();
    if setup.counters == Counters::Off && setup.cgroup == Cgroup::Off {
        return ready;
    }
    let Ok(idle) = Program::new(b"/proc/self/exe", &[IDLE.as_bytes().to_vec()]) else {
        return ready;
    };
    if setup.cgroup == Cgroup::On {
        ready.cgroup = choose_groups(executor, &idle);
        let told: Vec<Source> = executor.extras.groups.iter().flat_map(Groups::sources).collect();
        let why = match &ready.cgroup {
            Kind::None { .. } => "no control group can be made here", // said once, with the reason
            _ => "the kind of group that works here does not tell",
        };
        ready.unavailable.extend(unavailable(wanted, Origin::Group, why, |s| !told.contains(&s)));
    }
    if setup.counters == Counters::On {
        let opened = Counting::open(wanted, Scope::Whole);
        executor.extras.counting = Some(opened.counting);
        ready.events = opened.events;
        ready.unavailable.extend(opened.unavailable);
        if let Err(why) = set_up_bytes(executor, &idle) {
            ready.unavailable.extend(unavailable(wanted, Origin::Io, &why, |_| true));
        }
    }
    if setup.counters == Counters::Instructions {
        let opened = Counting::open(wanted, Scope::User);
        executor.extras.counting = Some(opened.counting);
        ready.events = opened.events;
        ready.unavailable.extend(opened.unavailable);
    }
    // With all of it set up: what one adds to the other is in its price.
    if executor.extras.groups.is_some() {
        ready.cgroup_cost = price(Part::Groups, wanted, executor, &idle);
    }
    if setup.counters == Counters::On {
        ready.counters_cost = price(Part::Counters, wanted, executor, &idle);
    }
    ready
}

/// Gives the executor what bytes are read from, if a process that has ended shows its own.
fn set_up_bytes(executor: &mut Executor, idle: &Program) -> Result<(), String> {
    executor.extras.bytes = Some(ExitedProcess::open_for_bytes()?);
    let said = values(executor, idle).and_then(|said| said.get(Source::IoRchar));
    if said.is_some() {
        return Ok(());
    }
    // It belongs to root then (proc(5)); opening it earlier would be in the command's own time.
    executor.extras.bytes = None;
    Err("/proc/PID/io of a process that has ended is for root".to_owned())
}

/// The wanted metrics of this origin that are lost.
fn unavailable(
    wanted: &[Option<Source>],
    origin: Origin,
    why: &str,
    lost: impl Fn(Source) -> bool,
) -> Vec<Unavailable> {
    let wanted = wanted.iter().flatten().filter(|s| s.origin() == origin && lost(**s));
    wanted.map(|s| Unavailable { metric: s.name().to_owned(), why: why.to_owned() }).collect()
}

/// Gives the executor the first groups of which an execution in them has something to say.
fn choose_groups(executor: &mut Executor, idle: &Program) -> Kind {
    let mut candidates = Layout::read().candidates();
    for groups in candidates.groups {
        let (kind, told) = (groups.kind(), groups.sources());
        executor.extras.groups = Some(groups);
        let said = values(executor, idle);
        if said.is_some_and(|said| told.iter().any(|source| said.get(*source).is_some())) {
            return kind;
        }
        candidates.obstacles.push(format!("{kind:?}: nothing could be executed in a group"));
    }
    executor.extras.groups = None;
    Kind::None { why: candidates.obstacles.join("; ") }
}

fn values(executor: &mut Executor, idle: &Program) -> Option<Values> {
    match executor.execute(idle) {
        Executed::Finished(Execution { outcome: Outcome::Ok, values, .. }) => Some(values),
        _ => None,
    }
}

/// The price of a part: medians over pairs of executions without and with it, the second first in
/// every other pair. Events are opened anew for each, because open ones are inherited, which is
/// part of their price.
fn price(
    part: Part,
    wanted: &[Option<Source>],
    executor: &mut Executor,
    idle: &Program,
) -> Option<Overhead> {
    let (mut wall, mut whole) = (Vec::with_capacity(PAIRS), Vec::with_capacity(PAIRS));
    for pair in 0..PAIRS {
        let mut taken = [(0, 0); 2];
        for with in [pair % 2, 1 - pair % 2] {
            let aside = (with == 0).then(|| executor.extras.set_aside(part));
            let times = timed(executor, idle);
            if let Some(aside) = aside {
                executor.extras.put_back(aside, wanted);
            }
            taken[with] = times?;
        }
        wall.push(taken[1].0 - taken[0].0);
        whole.push(taken[1].1 - taken[0].1);
    }
    Some(Overhead { wall_ns: median(wall), whole_ns: median(whole) })
}

/// Wall time and the time until the next could begin, in ns.
fn timed(executor: &mut Executor, idle: &Program) -> Option<(i64, i64)> {
    let began = now_ns();
    let wall = values(executor, idle)?.get(Source::Wall)?;
    Some((wall, i64::try_from(now_ns() - began).ok()?))
}

/// Of an odd number of values.
fn median(mut values: Vec<i64>) -> i64 {
    values.sort_unstable();
    values[values.len() / 2]
}
