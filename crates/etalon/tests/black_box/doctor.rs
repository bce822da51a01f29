//! `etalon doctor` on planted trees, each with one fault, and on this machine.

use std::fs;
use std::path::PathBuf;

use serde_json::Value;

use crate::support::{Ended, Lab, Running, has, tame};

const CPU: &str = "sys/devices/system/cpu";

/// A whole machine that nothing is wrong with.
const GOOD: [(&str, &str); 23] = [
    ("proc/cpuinfo", "processor : 0\nmodel name : A\nflags : fpu tsc\n"),
    ("proc/loadavg", "0.00 0.01 0.05 1/100 200\n"),
    ("proc/stat", "cpu  100 0 100 9800 0 0 0 0 0 0\n"),
    ("proc/meminfo", "MemTotal: 8000000 kB\nSwapTotal: 0 kB\nSwapFree: 0 kB\n"),
    ("proc/self/cgroup", "0::/user.slice\n"),
    ("proc/1/cgroup", "0::/init.scope\n"),
    ("proc/self/personality", "00000000\n"),
    ("proc/self/timerslack_ns", "50000\n"),
    ("proc/sys/kernel/randomize_va_space", "0\n"),
    ("proc/sys/kernel/perf_event_paranoid", "2\n"),
    ("proc/sys/kernel/numa_balancing", "0\n"),
    ("sys/fs/cgroup/cgroup.controllers", "cpu memory\n"),
    ("sys/class/dmi/id/sys_vendor", "LENOVO\n"),
    ("sys/class/thermal/thermal_zone0/type", "x86_pkg_temp\n"),
    ("sys/class/thermal/thermal_zone0/temp", "45000\n"),
    ("sys/devices/system/clocksource/clocksource0/current_clocksource", "tsc\n"),
    ("sys/devices/system/clocksource/clocksource0/available_clocksource", "tsc hpet\n"),
    ("sys/devices/system/cpu/cpufreq/policy0/scaling_min_freq", "800000\n"),
    ("sys/devices/system/cpu/cpufreq/policy0/scaling_max_freq", "3000000\n"),
    ("sys/devices/system/cpu/cpufreq/policy0/scaling_governor", "performance\n"),
    ("sys/devices/system/cpu/intel_pstate/no_turbo", "1\n"),
    ("sys/devices/system/cpu/online", "0-3\n"),
    ("sys/devices/system/node/node0/cpulist", "0-3\n"),
];

/// What has to be there besides, because a text constant cannot name it twice.
const ALSO: [(&str, &str); 4] = [
    ("sys/devices/system/cpu/isolated", "\n"),
    ("sys/devices/system/cpu/smt/active", "0\n"),
    ("sys/devices/system/cpu/smt/control", "off\n"),
    ("sys/kernel/mm/transparent_hugepage/enabled", "always [madvise] never\n"),
];

/// A tree in a laboratory.
struct Planted {
    lab: Lab,
    root: PathBuf,
}

impl Planted {
    fn good() -> Planted {
        let lab = Lab::new();
        let planted = Planted { root: lab.path("system"), lab };
        GOOD.iter().chain(&ALSO).for_each(|(name, text)| planted.plant(name, text));
        planted
    }

    fn plant(&self, name: &str, text: &str) {
        let path = self.root.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn run(&self, words: &[&str]) -> Ended {
        let mut command = self.lab.etalon(words);
        command.env("ETALON_SYSROOT", &self.root);
        Running::start(command).end()
    }

    /// The document of `--quick --json`.
    fn document(&self) -> Value {
        let ended = self.run(&["doctor", "--quick", "--json"]);
        serde_json::from_str(&ended.stdout).unwrap()
    }
}

/// Keys of what matters.
fn mattering(document: &Value) -> Vec<&str> {
    let all = document["findings"].as_array().unwrap().iter();
    let matters = all.filter(|finding| finding["state"] == "matters");
    matters.map(|finding| finding["key"].as_str().unwrap()).collect()
}

fn finding<'d>(document: &'d Value, key: &str) -> &'d Value {
    let mut all = document["findings"].as_array().unwrap().iter();
    all.find(|finding| finding["key"] == key).unwrap_or_else(|| panic!("{key}"))
}

/// Would catch anything blamed that is as it should be, or called unknown that the tree says.
#[test]
fn a_good_machine_is_good() {
    let planted = Planted::good();
    let document = planted.document();
    let all = document["findings"].as_array().unwrap();
    for finding in all {
        assert_eq!(finding["state"], "good", "{finding}");
        assert_eq!(finding["change"], Value::Null);
    }
    assert_eq!(document["fit"], true);
    assert_eq!((&document["spin"], &document["smallest_difference"]), (&Value::Null, &Value::Null));
    let ended = planted.run(&["doctor", "--quick"]).expect(0);
    has(&ended.stdout, &["Nothing is known to be in the way"]);
}

/// A fault: the file that has it, the finding, whether it spoils small differences, and a part of what changes it.
type Fault = (&'static str, &'static str, &'static str, bool, &'static str);

const FAULTS: [Fault; 16] = [
    ("cpufreq/policy0/scaling_governor", "powersave\n", "governor", true, "echo performance"),
    ("intel_pstate/no_turbo", "0\n", "turbo", false, "echo 1 | sudo tee /sys/devices"),
    ("smt/active", "1\n", "smt", false, "smt/control"),
    ("/proc/sys/kernel/randomize_va_space", "2\n", "aslr", false, "--aslr off"),
    ("/proc/loadavg", "2.50 2.00 1.00 3/100 200\n", "load", true, "top"),
    ("/proc/stat", "cpu  100 0 100 9000 0 0 0 800 0 0\n", "steal", true, ""),
    ("/sys/fs/cgroup/user.slice/cpu.max", "150000 100000\n", "cpu_limit", true, "cpu.max"),
    ("/sys/fs/cgroup/cpu.max", "300000 100000\n", "cpu_limit", false, "cpu.max"),
    (
        "/sys/kernel/mm/transparent_hugepage/enabled",
        "[always] never\n",
        "huge_pages",
        false,
        "madvise",
    ),
    ("/sys/devices/system/node/node1/cpulist", "4\n", "numa", false, "numactl"),
    ("/proc/meminfo", "SwapTotal: 2000000 kB\nSwapFree: 1000000 kB\n", "swap", false, "swapoff"),
    ("/proc/sys/kernel/perf_event_paranoid", "3\n", "perf", false, "perf_event_paranoid=2"),
    (
        "/sys/devices/system/clocksource/clocksource0/current_clocksource",
        "hpet\n",
        "clock_source",
        true,
        "echo tsc",
    ),
    ("/proc/self/timerslack_ns", "5000000\n", "timer_slack", false, "timerslack_ns"),
    ("cpu0/thermal_throttle/core_throttle_count", "7\n", "heat", false, ""),
    ("/proc/cpuinfo", "processor : 0\nflags : fpu hypervisor\n", "vm", false, ""),
];

/// Would catch each fault that is not found, found as something else, without its cure, or with the wrong weight.
#[test]
fn every_planted_fault_is_found_alone() {
    for (file, text, key, spoils, change) in FAULTS {
        let planted = Planted::good();
        let file = match file.strip_prefix('/') {
            Some(whole) => whole.to_owned(),
            None => format!("{CPU}/{file}"),
        };
        planted.plant(&file, text);
        if key == "vm" {
            // Only a hypervisor that gives its name is one for certain.
            planted.plant("sys/class/dmi/id/sys_vendor", "VMware, Inc.\n");
        }
        let document = planted.document();
        let also = if key == "governor" { vec!["governor", "frequency"] } else { vec![key] };
        assert_eq!(mattering(&document), also, "{file}");
        let found = finding(&document, key);
        assert_eq!(found["spoils"], spoils, "{found}");
        assert_eq!(document["fit"], !spoils, "{file}");
        let command = found["change"].as_str().unwrap_or_default();
        assert!(command.contains(change) && command.is_empty() == change.is_empty(), "{found}");
        let ended = planted.run(&["doctor", "--quick"]).expect(i32::from(spoils));
        tame(&ended.stdout);
        let (_, section) = ended.stdout.split_once("\n\nWhat ").unwrap();
        has(section, &[found["name"].as_str().unwrap()]);
        let lines: Vec<&str> = command.lines().collect();
        lines.iter().for_each(|line| has(&ended.stdout, &[&format!("\n    {line}\n")]));
    }
}

/// Would catch anything called fine of which the machine says nothing.
#[test]
fn nothing_known_is_unknown() {
    let planted = Planted::good();
    fs::remove_dir_all(&planted.root).unwrap();
    let document = planted.document();
    for finding in document["findings"].as_array().unwrap() {
        // The clock itself was asked.
        let state = if finding["key"] == "clock" { "good" } else { "unknown" };
        assert_eq!(finding["state"], state, "{finding}");
    }
    let ended = planted.run(&["doctor", "--quick"]).expect(0);
    has(&ended.stdout, &["\nUnknown: ", "governor, turbo, clock rate (no cpufreq here)"]);
}

/// Would catch a guest whose cores are said to have no threads, and one that is said to have cpufreq.
#[test]
fn a_guest_does_not_know_its_host() {
    let planted = Planted::good();
    planted.plant("sys/class/dmi/id/sys_vendor", "VMware, Inc.\n");
    planted.plant(&format!("{CPU}/smt/control"), "notsupported\n");
    fs::remove_dir_all(planted.root.join(CPU).join("cpufreq")).unwrap();
    let document = planted.document();
    for key in ["smt", "governor", "frequency", "steal"] {
        assert_eq!(finding(&document, key)["state"], "unknown", "{key}");
    }
    assert_eq!(finding(&document, "vm")["value"], "vmware");
}

/// Would catch a record that does not say what it was measured on, a note on a machine that is fit, and one about what
/// has passed by the time somebody reads it.
#[test]
fn records_and_reports_say_what_was_measured_on() {
    let planted = Planted::good();
    let measured = |words: &[&str]| {
        planted.run(words).expect(0);
        planted.run(&["report", "@last"]).expect(0).stdout
    };
    let cmd = ["cmd", "-r", "2", "true"];
    let context = || planted.lab.record().of_type("header")[0]["context"]["doctor"].clone();
    planted.plant("proc/loadavg", "3.00 3.00 3.00 1/1 1\n");
    assert!(!measured(&cmd).contains("not fit"));
    assert_eq!(context(), "matters: other programs load 3.00 in the last minute");
    planted.plant("proc/loadavg", "0.00 0.00 0.00 1/1 1\n");
    planted.plant(&format!("{CPU}/cpufreq/policy0/scaling_governor"), "powersave\n");
    fs::remove_dir_all(planted.root.join("sys/class/thermal")).unwrap();
    let lua = ["run", "-r", "2", "--budget", "0.1s", "-e", "return 1"];
    for words in [&cmd[..], &lua[..]] {
        let reported = measured(words);
        let note = "it was not fit for small differences: governor powersave; etalon doctor";
        has(&reported.split_whitespace().collect::<Vec<_>>().join(" "), &[note]);
        let said = "matters: governor powersave, clock rate 0.80 to 3.00 GHz; unknown: heat";
        assert_eq!(context(), said);
    }
}

/// Would catch a busy program that is not found or not named, figures that are missing, and a page that is torn.
#[test]
fn a_spin_sees_who_is_busy() {
    let lab = Lab::new();
    let busy: Vec<Running> =
        (0..2).map(|_| Running::start(lab.shell("while :; do :; done"))).collect();
    let ended = lab.run(["doctor", "--json", "--spin", "1s"]).expect(1);
    let document: Value = serde_json::from_str(&ended.stdout).unwrap();
    let load = finding(&document, "load");
    assert_eq!((&load["state"], &load["spoils"]), (&"matters".into(), &true.into()), "{document}");
    let named = document["spin"]["busy"].as_array().unwrap();
    let pids: Vec<i64> = busy.iter().map(|busy| i64::from(busy.pid())).collect();
    assert!(named.iter().any(|busy| pids.contains(&busy["pid"].as_i64().unwrap())), "{document}");
    for figure in ["piece", "equal_within", "jitter", "drift", "waited", "slowed"] {
        assert!(document["spin"][figure].is_number(), "{figure}: {document}");
    }
    for page in [&["doctor", "--spin", "0.2s"][..], &["doctor", "--spin", "0.2s", "--full"]] {
        let ended = lab.run(page).expect(1);
        tame(&ended.stdout);
        assert!(ended.stdout.starts_with("Not fit"), "{}", ended.stdout);
    }
    for running in busy {
        crate::support::signal(running.pid(), libc::SIGKILL);
        running.end();
    }
}
