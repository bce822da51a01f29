//! What one execution can say about its cost, and in which unit.
//!
//! Owns: the names, units and order of the launcher's metrics, and which of them an observation
//! may lack. Refuses: conversions (values are recorded as the kernel gives them) and stand-ins for
//! what could not be read. The values are read in `execute`.

use etalon_core::model::{Direction, Kind, Metric, Number};
use etalon_core::units::Unit;

/// One quantity the launcher reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Source {
    /// From before the start to after the end, on the monotonic clock.
    Wall,
    /// CPU time in user mode. Its share of [`Source::Cpu`] is counted by clock tick.
    User,
    /// CPU time in the kernel. Its share of [`Source::Cpu`] is counted by clock tick.
    Sys,
    /// CPU time, user and kernel, of the command and all descendants it waited for.
    Cpu,
    /// The largest resident size any of those processes had.
    Rss,
    /// Page faults served without reading a disk.
    Minflt,
    /// Page faults that read a disk.
    Majflt,
    /// Times it gave up the CPU itself.
    Vcsw,
    /// Times the CPU was taken from it.
    Ivcsw,
    /// Time it was ready and waited for a CPU. Absent where it would not cover the execution.
    CpuWait,
}

/// All of them, in the order they are recorded in.
pub const SOURCES: [Source; 10] = [
    Source::Wall,
    Source::User,
    Source::Sys,
    Source::Cpu,
    Source::Rss,
    Source::Minflt,
    Source::Majflt,
    Source::Vcsw,
    Source::Ivcsw,
    Source::CpuWait,
];

impl Source {
    /// The metric's name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Source::Wall => "wall",
            Source::User => "user",
            Source::Sys => "sys",
            Source::Cpu => "cpu",
            Source::Rss => "rss",
            Source::Minflt => "minflt",
            Source::Majflt => "majflt",
            Source::Vcsw => "vcsw",
            Source::Ivcsw => "ivcsw",
            Source::CpuWait => "cpu_wait",
        }
    }

    /// The source of the metric of that name, if it is one of the launcher's.
    #[must_use]
    pub fn named(name: &str) -> Option<Source> {
        SOURCES.into_iter().find(|source| source.name() == name)
    }

    fn unit(self) -> &'static str {
        match self {
            Source::Wall | Source::CpuWait => "ns",
            Source::User | Source::Sys | Source::Cpu => "us",
            Source::Rss => "B",
            Source::Minflt | Source::Majflt | Source::Vcsw | Source::Ivcsw => "count",
        }
    }
}

/// The launcher's metrics, in the order of [`SOURCES`]. `clock_resolution` is that of the
/// monotonic clock, in seconds, as measured on this machine.
#[must_use]
pub fn metrics(clock_resolution: Option<f64>) -> Vec<Metric> {
    SOURCES
        .into_iter()
        .map(|source| Metric {
            name: source.name().to_owned(),
            unit: Unit::new(source.unit()),
            // Waiting for a CPU says something about the machine, not about the command.
            direction: match source {
                Source::CpuWait => Direction::Neither,
                _ => Direction::Lower,
            },
            kind: Kind::Noisy,
            resolution: match source {
                Source::Wall | Source::CpuWait => clock_resolution,
                Source::User | Source::Sys | Source::Cpu => Some(1e-6), // rusage counts µs
                Source::Rss => page_size(),
                _ => Some(1.0),
            },
        })
        .collect()
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
pub(super) struct Values([Option<i64>; SOURCES.len()]);

impl Values {
    pub(super) fn set(&mut self, source: Source, value: i64) {
        self.0[source as usize] = Some(value);
    }

    /// Every value there can be, for a rehearsal.
    pub(super) fn full() -> Values {
        Values([Some(0); SOURCES.len()])
    }

    #[cfg(test)]
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
    fn names_lead_back_to_their_source_and_list_in_order() {
        for (index, (source, metric)) in SOURCES.into_iter().zip(metrics(None)).enumerate() {
            assert_eq!(Source::named(&metric.name), Some(source));
            assert_eq!(source as usize, index);
        }
        assert_eq!(Source::named("instructions"), None);
    }
}
