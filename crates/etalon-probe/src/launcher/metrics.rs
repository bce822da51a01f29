//! Costs of one execution that can be read, and their units.
//!
//! Owns: the metrics of a record, and the values of one execution, any of which may be absent.
//! Refuses: conversions (values are recorded as the kernel gives them) and stand-ins for what could
//! not be read. The list of quantities is in `source`; `execute` and what it calls read them.

mod source;

use etalon_core::model::{Direction, Kind, Metric, Number, Per};
use etalon_core::units::Unit;

use super::protocol::{Cgroup, Counters};
use source::SOURCES;
pub use source::{Origin, Source};

/// The metrics of observations for which these things are asked for, in the order they are recorded
/// in. Which of them this machine does not have, [`super::protocol::Ready::unavailable`] tells.
/// `clock_resolution` is that of the monotonic clock, in seconds, as measured on this machine.
#[must_use]
pub fn metrics(clock_resolution: Option<f64>, counters: Counters, cgroup: Cgroup) -> Vec<Metric> {
    let asked = |source: &Source| match source.origin() {
        Origin::Always => true,
        Origin::Event | Origin::Io => counters == Counters::On,
        Origin::Group => cgroup == Cgroup::On,
    };
    let metric = |source| metric(source, clock_resolution);
    Source::all().filter(asked).map(metric).collect()
}

fn metric(source: Source, clock_resolution: Option<f64>) -> Metric {
    Metric {
        name: source.name().to_owned(),
        unit: Unit::new(source.unit()),
        direction: match source {
            // These say something about the machine, not about the command.
            Source::CpuWait | Source::CpuWaitMax | Source::Migrations | Source::Counted => {
                Direction::Neither
            }
            _ => Direction::Lower,
        },
        kind: Kind::Noisy,
        per: Per::Observation,
        resolution: match source {
            Source::Wall | Source::CpuWait => clock_resolution,
            Source::User | Source::Sys | Source::Cpu | Source::CpuWaitMax => Some(1e-6), // rusage counts µs
            Source::TaskClock => Some(1e-9),
            Source::TreeCpu => Some(1e-6), // version 2 counts µs
            Source::Rss | Source::TreePeak => page_size(),
            _ => Some(1.0),
        },
    }
}

/// Resident size is counted in pages.
#[allow(clippy::cast_precision_loss)] // a page size is a small power of two
fn page_size() -> Option<f64> {
    // SAFETY: sysconf has no preconditions.
    let size = unsafe { libc::sysconf(libc::_SC_PAGESIZE) };
    (size > 0).then_some(size as f64)
}

/// The values of one execution, by source.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Values([Option<i64>; SOURCES]);

impl Values {
    pub(super) fn set(&mut self, source: Source, value: i64) {
        self.0[source as usize] = Some(value);
    }

    /// Every value there can be, with all its digits, for a rehearsal.
    pub(super) fn full() -> Values {
        Values([Some(i64::MAX); SOURCES])
    }

    pub(super) fn get(&self, source: Source) -> Option<i64> {
        self.0[source as usize]
    }

    /// As an observation holds them: `order[i]` is what metric `i` of the run set is read from.
    pub(super) fn in_order(&self, order: &[Option<Source>], into: &mut Vec<(usize, Number)>) {
        into.clear();
        for (index, source) in order.iter().enumerate() {
            if let Some(value) = source.and_then(|source| self.0[source as usize]) {
                into.push((index, Number::Integer(value)));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn absent_values_and_foreign_metrics_take_no_place() {
        // Would catch a value recorded under its neighbour's metric.
        let mut values = Values::default();
        values.set(Source::Cpu, 7);
        values.set(Source::Wall, 9);
        let order = [Some(Source::Cpu), None, Some(Source::CpuWait), Some(Source::Wall)];
        let mut out = vec![(0, Number::Integer(0))];
        values.in_order(&order, &mut out);
        assert_eq!(out, [(0, Number::Integer(7)), (3, Number::Integer(9))]);
        assert_eq!(values.get(Source::CpuWait), None);
    }

    #[test]
    fn only_what_is_asked_for_is_listed() {
        // Would catch a column of nothing in every record.
        let names = |counters, cgroup| -> Vec<String> {
            metrics(None, counters, cgroup).into_iter().map(|metric| metric.name).collect()
        };
        let plain = names(Counters::Off, Cgroup::Off);
        assert_eq!((plain.len(), plain[9].as_str()), (11, "cpu_wait"));
        assert!(names(Counters::On, Cgroup::Off).iter().any(|name| name == "instructions"));
        assert!(names(Counters::On, Cgroup::Off).iter().all(|name| !name.starts_with("tree_")));
        assert_eq!(names(Counters::On, Cgroup::On).len(), SOURCES);
    }
}
