//! Findings about CPUs: their clock rate, their threads, and who is let onto them.

use etalon_probe::doctor::{Frequency, System, TurboSwitch};
use etalon_report::doctor::Finding;

use super::finding::{Thing, command};

pub(super) fn findings(system: &System) -> Vec<Finding> {
    vec![governor(system), turbo(system), frequency(system), smt(system), isolated(system)]
}

/// A fact that every record has; `unknown` is none.
pub(super) fn fact<'s>(system: &'s System, key: &str) -> Option<&'s str> {
    system.facts.get(key).map(String::as_str).filter(|value| *value != "unknown")
}

/// Whether this is a guest of a hypervisor, as far as is known.
pub(super) fn is_guest(system: &System) -> bool {
    fact(system, "vm").is_some_and(|vm| vm != "none")
}

/// Why nothing is known of clock rates.
fn without_cpufreq(system: &System) -> &'static str {
    if is_guest(system) { "no cpufreq here: the host decides" } else { "no cpufreq here" }
}

fn governor(system: &System) -> Finding {
    let thing = Thing {
        key: "governor",
        name: "governor",
        means: "Other governors than performance change the clock rate with the load, so a program is timed at several.",
    };
    match fact(system, "cpu.governor") {
        None => thing.unknown(without_cpufreq(system)),
        Some("performance") => thing.good("performance"),
        Some(other) if system.frequency.is_some_and(|range| range.is_fixed) => {
            thing.good(format!("{other}, with a fixed clock rate"))
        }
        Some(other) => thing.spoils(
            other,
            command(
                "echo performance |\n  sudo tee /sys/devices/system/cpu/cpufreq/policy*/scaling_governor",
            ),
        ),
    }
}

fn turbo(system: &System) -> Finding {
    let thing = Thing {
        key: "turbo",
        name: "turbo",
        means: "The clock rate rises and falls with heat and with what other cores do.",
    };
    let change = system.turbo_switch.map(|switch| {
        let (value, file) = match switch {
            TurboSwitch::IntelPstate => (1, "intel_pstate/no_turbo"),
            TurboSwitch::Boost => (0, "cpufreq/boost"),
            TurboSwitch::Domains => (0, "cpufreq/policy*/boost"),
        };
        format!("echo {value} | sudo tee /sys/devices/system/cpu/{file}")
    });
    match fact(system, "cpu.turbo") {
        Some("off") => thing.good("off"),
        Some(other) => thing.scatters(other, change),
        None => thing.unknown(without_cpufreq(system)),
    }
}

fn frequency(system: &System) -> Finding {
    let thing = Thing {
        key: "frequency",
        name: "clock rate",
        means: "Where a CPU may have several clock rates, the same work takes several times.",
    };
    let Some(Frequency { lowest, highest, is_fixed }) = system.frequency else {
        return thing.unknown(without_cpufreq(system));
    };
    if is_fixed && lowest == highest {
        return thing.good(format!("{} GHz, fixed", gigahertz(lowest)));
    }
    let range = format!("{} to {} GHz", gigahertz(lowest), gigahertz(highest));
    let stays = is_fixed || fact(system, "cpu.governor") == Some("performance");
    match stays {
        true => thing.good(range),
        false => thing.scatters(
            range,
            command(
                "cd /sys/devices/system/cpu/cpufreq\n\
                 for p in policy*; do\n  sudo cp $p/scaling_max_freq $p/scaling_min_freq\ndone",
            ),
        ),
    }
}

#[allow(clippy::cast_precision_loss)] // some 10⁹
fn gigahertz(hertz: u64) -> String {
    format!("{:.2}", hertz as f64 / 1e9)
}

fn smt(system: &System) -> Finding {
    let thing = Thing {
        key: "smt",
        name: "SMT",
        means: "While the other thread of a core is busy, this one is up to twice as slow.",
    };
    let change = "echo off | sudo tee /sys/devices/system/cpu/smt/control";
    match fact(system, "cpu.smt") {
        // What a guest is shown says nothing about the cores below.
        Some("off" | "unsupported") | None if is_guest(system) => {
            thing.unknown("the host does not show whose threads share a core")
        }
        Some("on") => thing.scatters("on", command(change)),
        Some("unsupported") => thing.good("none"),
        Some(other) => thing.good(other),
        None => thing.unknown("the kernel does not say"),
    }
}

fn isolated(system: &System) -> Finding {
    let thing = Thing {
        key: "isolated",
        name: "isolated CPUs",
        means: "The scheduler puts other programs on every CPU that is not isolated (isolcpus= at boot).",
    };
    match system.isolated.as_deref() {
        None => thing.unknown("the kernel does not say"),
        // No fault by itself: whether others are executed is looked at directly.
        Some("") => thing.good("none"),
        Some(list) => thing.good(format!("{list}, used with --cpu {list}")),
    }
}
