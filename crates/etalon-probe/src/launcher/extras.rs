//! Setting up what is asked for and costs: events, bytes, control groups. And finding the price.
//!
//! Owns: choosing the control groups that really work, the list of what is not available, and
//! measuring what it all adds to an execution. Refuses: to leave a price to guessing; where it
//! cannot be measured it is absent.
//!
//! What is executed for that is this binary itself, which then ends at once: it is there, it needs
//! nothing, and it is never what the user measures.

use super::cgroup::{Groups, Layout};
use super::counters::Counting;
use super::execute::{Executed, Execution, Executor, Role};
use super::metrics::{Origin, Source, Values};
use super::protocol::{Cgroup, Counters, Overhead, Ready, Setup, Unavailable};
use super::protocol::Groups as Kind;
use super::spawn::Program;
use super::wire::IDLE;
use super::zombie::Zombie;
use crate::clock::now_ns;
use etalon_core::model::Outcome;

/// Executions with and without it all. Their medians scatter by some µs where an execution takes
/// half a millisecond; more pairs would make every start wait.
const PAIRS: usize = 25;

/// What the metrics of a setup are read from, as far as it is asked for.
pub(super) fn wanted(setup: &Setup) -> Vec<Option<Source>> {
    let asked = |source: &Source| match source.origin() {
        Origin::Always => true,
        Origin::Event | Origin::Io => setup.counters == Counters::On,
        Origin::Group => setup.cgroup == Cgroup::On,
    };
    setup.metrics.iter().map(|name| Source::named(name).filter(asked)).collect()
}

/// Sets up what is asked for; what came of it, the resident size excepted.
pub(super) fn set_up(
    setup: &Setup,
    wanted: &[Option<Source>],
    executor: &mut Executor,
) -> Ready {
    let mut ready = Ready::default();
    if setup.counters == Counters::Off && setup.cgroup == Cgroup::Off {
        return ready;
    }
    let Ok(idle) = Program::new(b"/proc/self/exe", &[IDLE.as_bytes().to_vec()]) else {
        return ready;
    };
    if setup.cgroup == Cgroup::On {
        ready.cgroup = choose_groups(executor, &idle);
        let has: Vec<Source> = executor.groups.iter().flat_map(sources).collect();
        let lost = wanted.iter().flatten().filter(|s| s.origin() == Origin::Group);
        let lost = lost.filter(|source| !has.contains(source));
        let why = match &ready.cgroup {
            Kind::None { why } => why.clone(),
            _ => "the groups that work here do not tell".to_owned(),
        };
        ready.unavailable.extend(lost.map(|source| unavailable(*source, &why)));
    }
    if setup.counters == Counters::On {
        let opened = Counting::open(wanted);
        ready.events = opened.events;
        ready.unavailable.extend(opened.unavailable);
        executor.counting = Some(opened.counting);
        if let Some(why) = Zombie::no_bytes(executor.zombie.as_ref()) {
            let lost = wanted.iter().flatten().filter(|s| s.origin() == Origin::Io);
            ready.unavailable.extend(lost.map(|source| unavailable(*source, &why)));
        }
    }
    ready.overhead = price(wanted, executor, &idle);
    ready
}

fn unavailable(source: Source, why: &str) -> Unavailable {
    Unavailable { metric: source.name().to_owned(), why: why.to_owned() }
}

fn sources(groups: &Groups) -> Vec<Source> {
    groups.gauges().flat_map(|gauge| gauge.sources().iter().copied()).collect()
}

/// Gives the executor the first groups of which an execution in them has something to say.
fn choose_groups(executor: &mut Executor, idle: &Program) -> Kind {
    let mut candidates = Layout::of_this_process().candidates();
    for groups in candidates.groups.drain(..) {
        let (kind, tells) = (groups.kind(), sources(&groups));
        executor.groups = Some(groups);
        let said = values(executor, idle);
        if said.is_some_and(|said| tells.iter().any(|source| said.get(*source).is_some())) {
            return kind;
        }
        candidates.obstacles.push(format!("{kind:?}: an execution in a group fails or says nothing"));
    }
    executor.groups = None;
    Kind::None { why: candidates.obstacles.join("; ") }
}

fn values(executor: &mut Executor, idle: &Program) -> Option<Values> {
    match executor.execute(idle, Role::Command) {
        Executed::Finished(Execution { outcome: Outcome::Ok, values, .. }) => Some(values),
        _ => None,
    }
}

/// What counters and groups add, from executions with and without them in turns. Events are opened
/// anew for each, because open ones are inherited, which is most of their price.
fn price(
    wanted: &[Option<Source>],
    executor: &mut Executor,
    idle: &Program,
) -> Option<Overhead> {
    let (counts, mut groups) = (executor.counting.is_some(), executor.groups.take());
    let reads = executor.zombie.take();
    let plain = Zombie::open(&[Some(Source::CpuWait)]).filter(|_| wanted.contains(&Some(Source::CpuWait)));
    todo!()
}
