//! Findings around a program: the hypervisor, limits, memory, clock, heat, and what else there is to do.

use etalon_probe::clock::ClockFacts;
use etalon_probe::doctor::{MemoryLimit, Quota, System};
use etalon_report::doctor::Finding;

use super::cpus::{fact, is_guest};
use super::finding::{Thing, command};

pub(super) fn findings(system: &System, clock: Option<&ClockFacts>) -> Vec<Finding> {
    let mut all = vec![
        aslr(system),
        virtualisation(system),
        container(system),
        cpu_limit(system),
        memory_limit(system),
        huge_pages(system),
        numa(system),
        swap(system),
        clock_source(system),
        timer_slack(system),
        perf(system),
        heat(system),
    ];
    all.extend(clock.map(clock_reading));
    all
}

fn aslr(system: &System) -> Finding {
    let thing = Thing {
        key: "aslr",
        name: "ASLR",
        means: "Every execution has other addresses, and some are faster than others. Off for the commands of one \
                experiment, it leaves the machine as it is.",
    };
    match fact(system, "kernel.aslr") {
        None => thing.unknown("the kernel does not say"),
        Some("off") => thing.good("off"),
        Some(other) => thing.scatters(
            if other == "full" { "on" } else { other },
            command("etalon cmd --aslr off COMMAND..."),
        ),
    }
}

fn virtualisation(system: &System) -> Finding {
    let thing = Thing {
        key: "vm",
        name: "virtual machine",
        means: "Other guests of the host take CPU time, cache and memory bandwidth, which nothing here shows; a dedicated \
                host has none.",
    };
    match fact(system, "vm") {
        None => thing.unknown("nothing says whether there is a host below"),
        Some("none") => thing.good("none"),
        Some(kind) => thing.scatters(kind, None),
    }
}

fn container(system: &System) -> Finding {
    let thing = Thing {
        key: "container",
        name: "container",
        means: "A container does not slow down by itself; its limits do, and other containers share the machine.",
    };
    match fact(system, "container") {
        None => thing.unknown("nothing says whether this is one"),
        Some(kind) => thing.good(kind),
    }
}

/// As much CPU time as a program with one thread and etalon beside it never use up.
const SERIAL: f64 = 2.0;

fn cpu_limit(system: &System) -> Finding {
    let thing = Thing {
        key: "cpu_limit",
        name: "CPU limit",
        means: "Programs are stopped for the rest of every period, mostly 0.1 s, in which they have used it up; who has \
                fewer threads is not.",
    };
    let stopped = match system.limits.throttled {
        Some(times) if times > 0 => {
            format!(", stopped {times} × so far")
        }
        _ => String::new(),
    };
    match &system.limits.cpus {
        Quota::Unknown => thing.unknown("no control group can be looked at"),
        Quota::None => thing.good("none"),
        Quota::Cpus { cpus, file } => {
            let none = if file.ends_with("cpu.max") { "max" } else { "-1" };
            let change = match fact(system, "container") {
                Some("docker" | "podman") => {
                    "docker update --cpu-quota=-1 CONTAINER   # on the host".to_owned()
                }
                _ => format!("echo {none} |\n  sudo tee {file}"),
            };
            let value = format!("{cpus:.2} CPUs{stopped}");
            let cores = fact(system, "cpu.cores").and_then(|cores| cores.parse().ok());
            match *cpus {
                cpus if cores.is_some_and(|cores: f64| cpus >= cores) => thing.good(value),
                cpus if cpus >= SERIAL => thing.scatters(value, Some(change)),
                _ => thing.spoils(value, Some(change)),
            }
        }
    }
}

/// The share of a memory limit from which on it is felt. Because the kernel takes pages back before the limit.
const FULL: f64 = 0.8;

#[allow(clippy::cast_precision_loss)] // bytes of memory
fn memory_limit(system: &System) -> Finding {
    let thing = Thing {
        key: "memory_limit",
        name: "memory limit",
        means: "Near the limit of its group a program waits while pages are taken back, cached files included; a container \
                needs a higher one.",
    };
    match (&system.limits.cpus, system.limits.memory) {
        (_, Some(MemoryLimit { most, used: Some(used) })) => {
            let said = format!("{} of {} used", gigabytes(used), gigabytes(most));
            match used as f64 > FULL * most as f64 {
                true => thing.scatters(said, None),
                false => thing.good(said),
            }
        }
        (_, Some(MemoryLimit { most, used: None })) => {
            thing.unknown(format!("{}; what is used is not said", gigabytes(most)))
        }
        (Quota::Unknown, None) => thing.unknown("no control group can be looked at"),
        (_, None) => thing.good("none"),
    }
}

#[allow(clippy::cast_precision_loss)] // bytes of memory
fn gigabytes(bytes: u64) -> String {
    format!("{:.1} GB", bytes as f64 / 1e9)
}

fn huge_pages(system: &System) -> Finding {
    let thing = Thing {
        key: "huge_pages",
        name: "huge pages",
        means: "Whether a program gets huge pages depends on free memory at that moment; times and peaks of memory follow.",
    };
    match system.huge_pages.as_deref() {
        None => thing.unknown("the kernel does not say"),
        Some("always") => thing.scatters(
            "always",
            command("echo madvise |\n  sudo tee /sys/kernel/mm/transparent_hugepage/enabled"),
        ),
        Some(other) => thing.good(other),
    }
}

fn numa(system: &System) -> Finding {
    let thing = Thing {
        key: "numa",
        name: "NUMA",
        means: "Memory of another node is slower; which node a program gets changes from execution to execution.",
    };
    match system.nodes {
        None => thing.unknown("the kernel does not say"),
        Some(1) => thing.good("one node"),
        Some(nodes) => {
            let moved = match system.numa_balancing {
                Some(true) => ", pages are moved",
                _ => "",
            };
            let change = command("numactl --cpunodebind=0 --membind=0 etalon cmd COMMAND...");
            thing.scatters(format!("{nodes} nodes{moved}"), change)
        }
    }
}

fn swap(system: &System) -> Finding {
    let thing = Thing {
        key: "swap",
        name: "swap",
        means: "Pages that were swapped out are read from a disk in the middle of what is measured.",
    };
    match system.swap {
        None => thing.unknown("the kernel does not say"),
        Some(swap) if swap.total == 0 => thing.good("none"),
        Some(swap) if swap.used == 0 => thing.good("unused"),
        Some(swap) => {
            thing.scatters(format!("{} used", gigabytes(swap.used)), command("sudo swapoff -a"))
        }
    }
}

/// Sources that a program can read without a system call.
pub(super) const FAST: [&str; 4] =
    ["tsc", "kvm-clock", "arch_sys_counter", "hyperv_clocksource_tsc_page"];
/// Sources that are read over a bus or through the kernel.
const SLOW: [&str; 5] = ["hpet", "acpi_pm", "jiffies", "refined-jiffies", "xen"];

fn clock_source(system: &System) -> Finding {
    let thing = Thing {
        key: "clock_source",
        name: "clock source",
        means: "A slow source makes every reading of the clock cost a microsecond, and short functions look longer.",
    };
    let Some(clock) = &system.clock else { return thing.unknown("the kernel does not say") };
    let name = clock.current.as_str();
    if FAST.contains(&name) {
        return thing.good(name);
    }
    if !SLOW.contains(&name) {
        return thing.unknown(format!("{name}, of which etalon knows nothing"));
    }
    let better = clock.available.iter().find(|source| FAST.contains(&source.as_str()));
    let change = better.map(|source| {
        format!(
            "echo {source} |\n  sudo tee \
             /sys/devices/system/clocksource/clocksource0/current_clocksource"
        )
    });
    // Without a better one, the kernel has found a reason against it (`dmesg | grep -i tsc`).
    thing.spoils(name, change.or_else(|| command("dmesg | grep -i tsc")))
}

/// From where on a read of the clock is too dear, in ns. Because every good source takes a tenth.
const DEAR: f64 = 500.0;

fn clock_reading(facts: &ClockFacts) -> Finding {
    let thing = Thing {
        key: "clock",
        name: "clock",
        means: "A reading shorter than a hundred times the resolution says little; functions are called in batches.",
    };
    let value =
        format!("resolution {} ns, a reading costs {:.0} ns", facts.resolution_ns, facts.cost_ns);
    if facts.cost_ns < DEAR { thing.good(value) } else { thing.scatters(value, None) }
}

/// Timer slack that Linux gives every process.
const SLACK_NS: u64 = 50_000;

fn timer_slack(system: &System) -> Finding {
    let thing = Thing {
        key: "timer_slack",
        name: "timer slack",
        means: "Sleeps and timeouts of programs end so much later than asked.",
    };
    match system.timer_slack_ns {
        None => thing.unknown("the kernel does not say"),
        Some(slack) => {
            let value = format!("{} µs", slack / 1000);
            let change = format!("echo {SLACK_NS} > /proc/$$/timerslack_ns");
            if slack <= SLACK_NS { thing.good(value) } else { thing.scatters(value, Some(change)) }
        }
    }
}

/// Above this, only who may do everything can count events of processes.
const OWN_COUNTERS: i32 = 2;

fn perf(system: &System) -> Finding {
    let thing = Thing {
        key: "perf",
        name: "perf counters",
        means: "`etalon cmd --counters` needs them; nothing else does.",
    };
    match system.perf_paranoid {
        None => thing.unknown("the kernel does not say"),
        Some(level) if level <= OWN_COUNTERS => {
            thing.good(format!("permitted (perf_event_paranoid {level})"))
        }
        Some(level) => thing.scatters(
            format!("for root only (perf_event_paranoid {level})"),
            command("sudo sysctl kernel.perf_event_paranoid=2"),
        ),
    }
}

/// How near to the point at which a CPU is slowed down its temperature may be, in degrees.
const NEAR: f64 = 10.0;

fn heat(system: &System) -> Finding {
    let thing = Thing {
        key: "heat",
        name: "heat",
        means: "A hot CPU is slowed down until it has cooled, for seconds; a lower scaling_max_freq keeps it cool.",
    };
    let slowed = match system.heat.throttled {
        Some(times) if times > 0 => {
            format!(", slowed down {times} × since boot")
        }
        _ => String::new(),
    };
    let hottest = system.heat.zones.iter().max_by(|a, b| a.celsius.total_cmp(&b.celsius));
    let Some(hottest) = hottest else {
        return match system.heat.throttled {
            Some(times) if times > 0 => thing.scatters(slowed.trim_start_matches(", "), None),
            Some(_) => thing.good("never slowed down since boot"),
            None if is_guest(system) => thing.unknown("no sensor here: the host decides"),
            None => thing.unknown("no sensor here"),
        };
    };
    let value = format!("{:.0} °C ({}){slowed}", hottest.celsius, hottest.kind);
    let near = |zone: &etalon_probe::doctor::Zone| {
        zone.slowed_at.is_some_and(|point| zone.celsius > point - NEAR)
    };
    match system.heat.zones.iter().any(near) {
        true => thing.spoils(value, None),
        false if !slowed.is_empty() => thing.scatters(value, None),
        false => thing.good(value),
    }
}
