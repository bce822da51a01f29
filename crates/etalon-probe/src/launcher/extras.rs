//! Readings besides the clock and rusage, if they are asked for: events, bytes, control groups.
//!
//! Owns: reading it around an execution of a command; of a hook nothing is read, and its processes are in none of it.
//! Its availability and its cost are found out in [`super::available`].

use super::cgroup::Groups;
use super::counters::{Counting, Scope};
use super::exited::ExitedProcess;
use super::metrics::{Origin, Source, Values};
use super::protocol::{Cgroup, Counters, Setup};
use super::spawn::{Child, Joining};

/// Readings besides the usual ones. By default nothing, at no cost.
#[derive(Default)]
pub(super) struct Extras {
    pub(super) counting: Option<Counting>,
    pub(super) groups: Option<Groups>,
    /// Where bytes are read.
    pub(super) bytes: Option<ExitedProcess>,
}

/// A part of it that has a price of its own.
#[derive(Debug, Clone, Copy)]
pub(super) enum Part {
    /// Events and bytes.
    Counters,
    /// Control groups.
    Groups,
}

/// A part that was taken away for an execution without it.
pub(super) enum Aside {
    Counters { counted: bool, bytes: Option<ExitedProcess> },
    Groups(Option<Groups>),
}

impl Extras {
    pub(super) fn set_aside(&mut self, part: Part) -> Aside {
        match part {
            Part::Counters => Aside::Counters {
                counted: self.counting.take().is_some(),
                bytes: self.bytes.take(),
            },
            Part::Groups => Aside::Groups(self.groups.take()),
        }
    }

    pub(super) fn put_back(&mut self, aside: Aside, wanted: &[Option<Source>]) {
        match aside {
            Aside::Counters { counted, bytes } => {
                self.counting = counted.then(|| Counting::open(wanted, Scope::Whole).counting);
                self.bytes = bytes;
            }
            Aside::Groups(groups) => self.groups = groups,
        }
    }

    /// Before an execution: how it gets into its group.
    pub(super) fn begin(&mut self) -> Joining {
        self.groups.as_mut().map_or(Joining::None, Groups::begin)
    }

    /// When nothing was started after all: no group is left behind.
    pub(super) fn called_off(&mut self) {
        if let Some(groups) = &mut self.groups {
            groups.end(None);
        }
    }

    /// When the child has exited and is not reaped.
    pub(super) fn exited(&self, child: Child, values: &mut Values) {
        if let Some(bytes) = &self.bytes {
            bytes.moved(child.pid, values);
        }
    }

    /// When nothing of the execution is left.
    pub(super) fn ended(&mut self, child: Child, values: &mut Values) {
        if let Some(counting) = &mut self.counting {
            counting.look(values);
        }
        if let Some(groups) = &mut self.groups {
            groups.end((!child.outside).then_some(values));
        }
    }
}

/// The sources of a setup's metrics, as far as they are asked for.
pub(super) fn wanted(setup: &Setup) -> Vec<Option<Source>> {
    let asked = |source: &Source| match source.origin() {
        Origin::Always => true,
        Origin::Event => match setup.counters {
            Counters::Off => false,
            Counters::On => true,
            Counters::Instructions => *source == Source::Instructions,
        },
        Origin::Io => setup.counters == Counters::On,
        Origin::Group => setup.cgroup == Cgroup::On,
    };
    setup.metrics.iter().map(|name| Source::named(name).filter(asked)).collect()
}
