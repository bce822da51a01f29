//! Findings of a spin: scatter, drift, waiting, time that the host took, and periods in which a piece of work took
//! longer although nothing kept it from its CPU.
//!
//! Owns the figures. They are of this spin, at this time, of arithmetic alone.

use etalon_core::stats::{Sorted, one_sample, quantile};
use etalon_probe::doctor::{Busy, Piece, Spin, System};
use etalon_report::doctor::{Finding, percent};
use etalon_report::number::counted;
use etalon_report::text::clean;

use super::cpus::is_guest;
use super::finding::Thing;

/// How many windows the spin is cut into: pairs of neighbours are what thirty blocks of two equal programs would be.
const WINDOWS: usize = 60;

/// Factor from the half-width of the interval of thirty pairs to a difference that is found in four of five experiments:
/// (t(0.975; 29) + t(0.8; 29)) / t(0.975; 29).
const FOUND: f64 = (2.045 + 0.854) / 2.045;

/// Differences as they are named: the next of these above the one found. No spin of some seconds shows less than the
/// first to be reliable.
const STEPS: [f64; 9] = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5];

/// How much longer than the fast ones a piece takes that counts as slow. Because two threads of a core get between half
/// and nine tenths of what one gets, and pieces that are not disturbed lie within a few percent.
const SLOW: f64 = 1.15;

/// How many slow pieces in a row are a period: a millisecond. Interrupts take one or two.
const PERIOD: usize = 10;

/// The figures of a spin.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Figures {
    /// A typical piece, in s of wall clock.
    pub piece: f64,
    /// A window, in s.
    pub window: f64,
    /// Half-width of the 95 % interval of thirty pairs of windows of the same work, as a share.
    pub equal_within: f64,
    /// By how much the slowest of a hundred pieces is above a typical one, as a share.
    pub jitter: f64,
    /// Change of CPU time per piece from the first to the last quarter, as a share.
    pub drift: f64,
    /// Share of the time in which the spin waited for a CPU.
    pub waited: f64,
    /// Periods of slow pieces: how many, and their share of the time.
    pub periods: usize,
    pub slowed: f64,
}

/// The figures; none of too few pieces.
#[allow(clippy::cast_precision_loss)] // ns of some seconds
pub(crate) fn figures(pieces: &[Piece]) -> Option<Figures> {
    let per_window = pieces.len() / WINDOWS;
    if per_window == 0 {
        return None;
    }
    let wall: Vec<f64> = pieces.iter().map(|piece| piece.wall_ns as f64 / 1e9).collect();
    let cpu: Vec<f64> = pieces.iter().map(|piece| piece.cpu_ns as f64 / 1e9).collect();
    let (all, all_cpu) = (wall.iter().sum::<f64>(), cpu.iter().sum::<f64>());
    let windows: Vec<f64> =
        wall.chunks_exact(per_window).take(WINDOWS).map(|window| window.iter().sum()).collect();
    let typical = at(&wall, 0.5)?;
    let quarter = pieces.len() / 4;
    let (first, last) = (at(&cpu[..quarter], 0.5)?, at(&cpu[pieces.len() - quarter..], 0.5)?);
    let slow = at(&cpu, 0.1)? * SLOW;
    let periods = periods(&cpu, slow);
    let slowed: f64 = periods.iter().map(|(from, to)| wall[*from..*to].iter().sum::<f64>()).sum();
    Some(Figures {
        piece: typical,
        window: all / pieces.len() as f64 * per_window as f64,
        equal_within: half_width(&windows)?,
        jitter: at(&wall, 0.99)? / typical - 1.0,
        drift: last / first - 1.0,
        waited: ((all - all_cpu) / all).max(0.0),
        periods: periods.len(),
        slowed: slowed / all,
    })
}

fn at(values: &[f64], share: f64) -> Option<f64> {
    quantile(&Sorted::new(values).ok()?, share).filter(|value| *value > 0.0)
}

/// Of the log ratio of neighbouring windows, by the statistics that compares programs within blocks.
fn half_width(windows: &[f64]) -> Option<f64> {
    let ratios: Vec<f64> = windows.chunks_exact(2).map(|pair| (pair[1] / pair[0]).ln()).collect();
    let interval = one_sample(&Sorted::new(&ratios).ok()?, 0.95)?.interval.ok()?;
    Some((interval.hi - interval.lo) / 2.0)
}

/// Where pieces are slow for at least a period: from, to.
fn periods(cpu: &[f64], slow: f64) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    let mut from = None;
    for (at, piece) in cpu.iter().copied().chain([0.0]).enumerate() {
        match (piece > slow, from) {
            (true, None) => from = Some(at),
            (false, Some(start)) => {
                if at - start >= PERIOD {
                    found.push((start, at));
                }
                from = None;
            }
            _ => {}
        }
    }
    found
}

/// The smallest difference that is called reliable, as a share: never less than was found.
pub(crate) fn reliable(figures: &Figures) -> Option<f64> {
    STEPS.iter().copied().find(|step| *step >= FOUND * figures.equal_within)
}

pub(super) fn findings(system: &System, spin: Option<(&Spin, &Figures)>) -> Vec<Finding> {
    let mut all = vec![load(system, spin.map(|spin| spin.0)), steal(system, spin)];
    if let Some((_, figures)) = spin {
        all.extend([waiting(figures), core(figures), jitter(figures), drift(figures)]);
    }
    all
}

/// CPUs' worth of other programs from which on they are felt, and from which on they spoil what is measured. Because
/// a desktop and its services that do nothing take a hundredth.
const FELT: f64 = 0.05;
const HEAVY: f64 = 0.25;

/// How many other programs are named; JSON has more.
const NAMED: usize = 3;

/// The load average from which on a program was being executed for half of the last minute.
const LOADED: f64 = 0.5;

fn load(system: &System, spin: Option<&Spin>) -> Finding {
    let thing = Thing {
        key: "load",
        name: "other programs",
        means: "What else is executed takes CPU time, cache and memory bandwidth, and lowers the clock rate.",
    };
    let average = super::cpus::fact(system, "load.1min");
    let Some((spin, others)) = spin.and_then(|spin| Some((spin, spin.others?))) else {
        let Some(average) = average else { return thing.unknown("the kernel does not say") };
        let value = format!("load {average} in the last minute");
        let loaded = average.parse().is_ok_and(|load: f64| load >= LOADED);
        return if loaded {
            thing.spoils(value, Some("top".to_owned()))
        } else {
            thing.good(value)
        };
    };
    let named = |busy: &Busy| format!("{} ({}) {:.2}", clean(&busy.name), busy.pid, busy.cpus);
    let names: Vec<String> = spin.busy.iter().take(NAMED).map(named).collect();
    let names = if names.is_empty() { String::new() } else { format!(": {}", names.join(", ")) };
    let value = format!("{others:.2} CPUs busy{names}");
    // Kernel threads and pid 1 cannot be stopped.
    let stopped = spin.busy.iter().find(|busy| !busy.is_kernel && busy.pid > 1);
    let change = stopped.filter(|busy| busy.cpus >= HEAVY).map_or_else(
        || "top".to_owned(),
        |Busy { pid, .. }| format!("kill -STOP {pid}   # kill -CONT {pid} lets it go on"),
    );
    match others {
        others if others >= HEAVY => thing.spoils(value, Some(change)),
        others if others >= FELT => thing.scatters(value, Some(change)),
        _ => thing.good(format!("{others:.2} CPUs busy")),
    }
}

/// Stolen shares from which on they are felt, and from which on they spoil what is measured.
const STOLEN: f64 = 0.001;
const ROBBED: f64 = 0.01;

fn steal(system: &System, spin: Option<(&Spin, &Figures)>) -> Finding {
    let thing = Thing {
        key: "steal",
        name: "steal",
        means: "The host executes something else while a program here believes it is being executed.",
    };
    let Some(boot) = system.stolen else { return thing.unknown("the kernel does not say") };
    let now = spin.and_then(|(spin, _)| spin.stolen);
    let value = match now {
        Some(now) => format!("{} while spinning, {} since boot", percent(now), percent(boot)),
        None => format!("{} since boot", percent(boot)),
    };
    match now.unwrap_or(boot) {
        share if share >= ROBBED => thing.spoils(value, None),
        share if share >= STOLEN => thing.scatters(value, None),
        // A guest that was never told of any may be one that is never told.
        _ if boot == 0.0 && is_guest(system) => {
            thing.unknown("none since boot; not every host tells")
        }
        _ => thing.good(value),
    }
}

fn waiting(figures: &Figures) -> Finding {
    let thing = Thing {
        key: "waiting",
        name: "waiting",
        means: "While more programs want to be executed than there are CPUs, each waits for its turn.",
    };
    let value = format!("{} of the time for a CPU", percent(figures.waited));
    match figures.waited {
        share if share >= 0.05 => thing.spoils(value, Some("top".to_owned())),
        share if share >= 0.01 => thing.scatters(value, Some("top".to_owned())),
        _ => thing.good(value),
    }
}

fn core(figures: &Figures) -> Finding {
    let thing = Thing {
        key: "core",
        name: "shared core",
        means: "With a CPU to itself the spin was slower for milliseconds: another thread of the core was busy, or the \
                clock rate was lower. One that is busy all the time does not show.",
    };
    let value = match figures.periods {
        0 => "no slow period seen".to_owned(),
        n => {
            let periods = counted(n, "slow period", "slow periods");
            format!("{periods}, {} of the time", percent(figures.slowed))
        }
    };
    match figures.slowed {
        share if share >= 0.1 => thing.spoils(value, None),
        share if share >= 0.01 => thing.scatters(value, None),
        _ => thing.good(value),
    }
}

fn jitter(figures: &Figures) -> Finding {
    let thing = Thing {
        key: "jitter",
        name: "jitter",
        means: "Single executions of something so short scatter at least as much.",
    };
    let value = format!(
        "1 of 100 pieces of {:.2} ms takes {} longer",
        figures.piece * 1e3,
        percent(figures.jitter)
    );
    if figures.jitter >= 0.1 { thing.scatters(value, None) } else { thing.good(value) }
}

fn drift(figures: &Figures) -> Finding {
    let thing = Thing {
        key: "drift",
        name: "drift",
        means: "What is measured later is measured on a slower or faster machine; interleaving evens that out.",
    };
    let value = format!("{} within the spin", percent(figures.drift));
    if figures.drift.abs() >= 0.02 { thing.scatters(value, None) } else { thing.good(value) }
}

#[cfg(test)]
mod tests;
