//! `etalon doctor` on planted trees, each with one fault, and on this machine.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde_json::Value;

use crate::support::{Ended, Lab, Running, has, on_terminal, signal, skip, tame, until};

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
    let file =
        "[axes]\nn = [\"1\", \"2\"]\n[[subject]]\ncommand = \"seq {n}\"\n[measure]\nruns = 2\n";
    planted.lab.write("e.toml", file);
    let table = measured(&["run", "e.toml"]);
    has(&table, &["\nNote: machine: it was not fit for small differences: governor powersave;"]);
    planted.run(&cmd).expect(0);
    let compared = planted.run(&["compare", "@-4", "@last"]).expect(0).stdout;
    has(&compared, &["machine: it was not fit for small differences"]);
}

/// A busy loop, which ends with this however the test ends.
struct Busy(i32, Option<Running>);

impl Busy {
    fn start(lab: &Lab) -> Busy {
        let running = Running::start(lab.shell("while :; do :; done"));
        Busy(running.pid(), Some(running))
    }
}

impl Drop for Busy {
    fn drop(&mut self) {
        signal(self.0, libc::SIGKILL);
        self.1.take().map(Running::end);
    }
}

/// Would catch a busy program that is not found or not named, figures that are missing, and a page that is torn.
#[test]
fn a_spin_sees_who_is_busy() {
    let lab = Lab::new();
    let busy: Vec<Busy> = (0..2).map(|_| Busy::start(&lab)).collect();
    let ended = lab.run(["doctor", "--json", "--spin", "1s"]).expect(1);
    let document: Value = serde_json::from_str(&ended.stdout).unwrap();
    let load = finding(&document, "load");
    assert_eq!((&load["state"], &load["spoils"]), (&"matters".into(), &true.into()), "{document}");
    let named = document["spin"]["busy"].as_array().unwrap();
    let pids: Vec<i64> = busy.iter().map(|busy| i64::from(busy.0)).collect();
    assert!(named.iter().any(|busy| pids.contains(&busy["pid"].as_i64().unwrap())), "{document}");
    for figure in ["piece", "equal_within", "jitter", "drift", "waited", "slowed"] {
        assert!(document["spin"][figure].is_number(), "{figure}: {document}");
    }
    let luas =
        document["findings"].as_array().unwrap().iter().filter(|found| found["key"] == "lua");
    let luas: Vec<&str> = luas.map(|found| found["value"].as_str().unwrap()).collect();
    assert!(luas[0].starts_with("embedded (LuaJIT 2.1") && luas[0].contains("JIT on"), "{luas:?}");
    for page in [&["doctor", "--spin", "0.2s"][..], &["doctor", "--spin", "0.2s", "--full"]] {
        let ended = lab.run(page).expect(1);
        tame(&ended.stdout);
        assert!(ended.stdout.starts_with("Not fit"), "{}", ended.stdout);
    }
}

/// Every file below a directory with its text.
fn files(root: &Path) -> BTreeMap<PathBuf, String> {
    let mut all = BTreeMap::new();
    for entry in fs::read_dir(root).unwrap() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true => all.extend(files(&path)),
            false => {
                all.insert(path.clone(), fs::read_to_string(&path).unwrap());
            }
        }
    }
    all
}

/// How many frequency domains the machine has whose settings are changed.
const DOMAINS: usize = 60;

/// A machine with everything in the way that can be changed.
fn planted_for_fix() -> Planted {
    let planted = Planted::good();
    for domain in 0..DOMAINS {
        planted.plant(&governor(domain), "powersave\n");
    }
    planted.plant(&format!("{CPU}/intel_pstate/no_turbo"), "0\n");
    planted.plant(&format!("{CPU}/smt/control"), "on\n");
    // A planted file holds what is written to it; the kernel's would go on listing its choices.
    planted.plant("sys/kernel/mm/transparent_hugepage/enabled", "always\n");
    planted.plant("proc/sys/kernel/numa_balancing", "1\n");
    planted.plant("run/another", "");
    planted
}

fn governor(domain: usize) -> String {
    format!("{CPU}/cpufreq/policy{domain}/scaling_governor")
}

/// Would catch a change that was not shown, one that is not made, one that is not put back, and a question that nobody
/// can answer.
#[test]
fn settings_are_shown_changed_and_put_back() {
    let planted = planted_for_fix();
    let before = files(&planted.root);
    let ended = planted.run(&["doctor", "--fix"]).expect(2);
    has(&ended.stderr, &["nobody can be asked", "--yes"]);
    let first =
        format!("    /{CPU}/cpufreq/policy0/scaling_governor\n    and {} more\n", DOMAINS - 1);
    has(&ended.stdout, &["powersave → performance\n", &first, "always → madvise\n"]);
    tame(&ended.stdout);
    assert_eq!(files(&planted.root), before);

    has(&planted.run(&["doctor", "--quick"]).expect(1).stdout, &["doctor --fix changes"]);
    let ended = planted.run(&["doctor", "--fix", "--yes"]).expect(0);
    has(&ended.stdout, &["Changed 64 settings.", "--restore"]);
    assert!(!planted.run(&["doctor", "--quick"]).expect(0).stdout.contains("--fix"));
    let value = |name: &str| fs::read_to_string(planted.root.join(name)).unwrap();
    (0..DOMAINS).for_each(|domain| assert_eq!(value(&governor(domain)), "performance\n"));
    assert_eq!(value(&format!("{CPU}/intel_pstate/no_turbo")), "1\n");
    assert_eq!(value(&format!("{CPU}/smt/control")), "off\n");
    assert_eq!(value("proc/sys/kernel/randomize_va_space"), "0\n");
    has(&planted.run(&["doctor", "--fix", "--yes"]).expect(0).stdout, &["Nothing to change"]);

    let ended = planted.run(&["doctor", "--restore"]).expect(0);
    has(&ended.stdout, &["64 settings are as they were."]);
    assert_eq!(files(&planted.root), before);
    has(&planted.run(&["doctor", "--restore"]).expect(0).stdout, &["Nothing to put back."]);
}

/// Would catch a boot that cannot be told at one of two moments taken for a restart: settings would stay changed, and
/// their journal would be gone.
#[test]
fn settings_are_put_back_where_the_boot_is_not_known() {
    const BOOT: &str = "proc/sys/kernel/random/boot_id";
    for (then, now) in [(None, Some("one\n")), (Some("one\n"), None), (None, None)] {
        let planted = planted_for_fix();
        let before = files(&planted.root);
        let boot = |text: Option<&str>| match text {
            Some(text) => planted.plant(BOOT, text),
            None => drop(fs::remove_file(planted.root.join(BOOT))),
        };
        boot(then);
        planted.run(&["doctor", "--fix", "--yes"]).expect(0);
        boot(now);
        let ended = planted.run(&["doctor", "--restore"]).expect(0);
        has(&ended.stdout, &["64 settings are as they were."]);
        boot(None);
        assert_eq!(files(&planted.root), before, "{then:?}, then {now:?}");
    }
}

/// Would catch a change that nobody agreed to, and one that is not made although somebody did.
#[test]
fn a_person_is_asked() {
    let planted = planted_for_fix();
    let before = files(&planted.root);
    let answered = |typed: &str| {
        let mut command = planted.lab.etalon(["doctor", "--fix"]);
        command.env("ETALON_SYSROOT", &planted.root);
        on_terminal(command, typed)
    };
    for (typed, code, said) in [
        ("\n", 1, "Nothing was changed."),
        ("no\n", 1, "Nothing"),
        ("y\n", 0, "Changed 64 settings."),
    ] {
        assert_eq!(files(&planted.root), before);
        let Some((exit, shown)) = answered(typed) else { return skip("no terminals") };
        assert_eq!(exit, Some(code), "{shown}");
        has(&shown, &["Change them? [y/N]", said]);
    }
    assert_ne!(files(&planted.root), before);
}

/// Would catch a setting that a killed process had changed without having written down what it was, a journal that is
/// half written, and a file that stays. Kills come before, between and after single changes.
#[test]
fn what_a_killed_process_changed_is_put_back() {
    let planted = planted_for_fix();
    let before = files(&planted.root);
    let mut changed = 0;
    for instant in 0..50 {
        let mut command = planted.lab.etalon(["doctor", "--fix", "--yes"]);
        command.env("ETALON_SYSROOT", &planted.root);
        let running = Running::start(command);
        let is_done = |domain: usize| {
            fs::read_to_string(planted.root.join(governor(domain))).unwrap() == "performance\n"
        };
        match instant {
            // While it starts, reads, and writes its journal.
            0..15 => std::thread::sleep(Duration::from_micros(400 * instant)),
            15..20 => {
                until("a journal", || fs::read_dir(planted.root.join("run")).unwrap().count() > 1)
            }
            // When this setting is changed.
            _ => until("a change", || is_done(usize::try_from(instant - 20).unwrap() * 2)),
        }
        signal(running.pid(), libc::SIGKILL);
        running.end();
        changed += usize::from(files(&planted.root) != before);
        // Every other time, putting back is killed, too.
        if instant % 2 == 1 {
            let mut command = planted.lab.etalon(["doctor", "--restore"]);
            command.env("ETALON_SYSROOT", &planted.root);
            let running = Running::start(command);
            std::thread::sleep(Duration::from_micros(300 * instant));
            signal(running.pid(), libc::SIGKILL);
            running.end();
        }
        planted.run(&["doctor", "--restore"]).expect(0);
        assert_eq!(files(&planted.root), before, "instant {instant}");
    }
    assert!(changed >= 30, "{changed} of 50 were killed after something had been changed");
}

/// Would catch a refusal that does not say who refuses, a container that is not named, and anything changed in spite of it.
#[test]
fn what_may_not_be_changed_is_said() {
    let planted = planted_for_fix();
    planted.plant(".dockerenv", "");
    let before = files(&planted.root);
    let apart = "unshare --mount --map-root-user";
    let read_only = "mount --bind \"$ROOT\" \"$ROOT\" && mount -o remount,ro,bind \"$ROOT\"";
    let shell = |script: &str| {
        let mut command = planted.lab.shell(script);
        command.env("ROOT", &planted.root).env("ETALON_SYSROOT", &planted.root);
        Running::start(command).end()
    };
    if shell(&format!("exec {apart} sh -c '{read_only}'")).code != Some(0) {
        return skip("no mount namespace: no read-only tree");
    }
    let fix = format!("exec {apart} sh -c '{read_only}; exec \"$E\" doctor --fix --yes'");
    let ended = shell(&fix).expect(2);
    has(&ended.stdout, &["Not permitted here:", "powersave → performance"]);
    has(&ended.stderr, &["the container (docker) forbids", "on its host"]);
    assert_eq!(files(&planted.root), before);
}
