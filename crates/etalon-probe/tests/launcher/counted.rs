//! What is read besides the clock and rusage: events, bytes, control groups.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use etalon_probe::launcher::metrics;
use etalon_probe::launcher::protocol::{Cgroup, Counters, Events, Groups, Ready};
use serde_json::Value;

use crate::Test;
use crate::lab::{Lab, eventually, execute, finish, own};

pub(crate) const TESTS: &[Test] = &[
    ("nothing_is_read_that_is_not_asked_for", nothing_is_read_that_is_not_asked_for),
    ("every_metric_is_there_or_said_not_to_be", every_metric_is_there_or_said_not_to_be),
    ("events_agree_with_usage", events_agree_with_usage),
    ("events_of_one_execution_are_not_the_nexts", events_of_one_execution_are_not_the_nexts),
    ("a_tree_is_seen_whole", a_tree_is_seen_whole),
    ("bytes_are_the_commands", bytes_are_the_commands),
    ("what_cannot_be_started_counts_nothing", what_cannot_be_started_counts_nothing),
    ("groups_are_removed", groups_are_removed),
    ("groups_of_the_killed_are_removed", groups_of_the_killed_are_removed),
];

/// These commands with everything asked for.
fn counted(commands: &[&[&str]]) -> Lab {
    let mut lab = Lab::new(commands);
    (lab.setup.counters, lab.setup.cgroup) = (Counters::On, Cgroup::On);
    let all = metrics(None, Counters::On, Cgroup::On);
    lab.setup.metrics = all.into_iter().map(|metric| metric.name).collect();
    lab
}

fn value(observation: &Value, name: &str) -> Option<i64> {
    observation["values"][name].as_i64()
}

fn has(ready: &Ready, name: &str) -> bool {
    ready.unavailable.iter().all(|u| u.metric != name)
}

/// The setup that a launcher with everything asked for is ready for.
fn ready() -> Ready {
    counted(&[&["true"]]).start().ready().clone()
}

/// Would catch a price paid by those who did not ask, and values without their metric.
fn nothing_is_read_that_is_not_asked_for() {
    let mut lab = counted(&[&["true"]]);
    (lab.setup.counters, lab.setup.cgroup) = (Counters::Off, Cgroup::Off);
    let launcher = lab.start();
    let floor_rss = launcher.ready().floor_rss;
    assert_eq!(launcher.ready(), &Ready { floor_rss, ..Ready::default() });
    let open = std::fs::read_dir(format!("/proc/{}/fd", launcher.process())).unwrap();
    let files = open.flatten().filter_map(|entry| std::fs::read_link(entry.path()).ok());
    let files: Vec<PathBuf> = files.collect();
    let costly = |file: &PathBuf| {
        let name = file.to_string_lossy();
        name.contains("perf_event") || name.contains("cgroup")
    };
    assert!(!files.iter().any(costly), "{files:?}");
    drop(launcher);
    assert_eq!(lab.run(1).only()["values"].as_object().unwrap().len(), 10); // one of the two on waiting
}

/// Would catch a metric that is promised and never recorded, and 0 in place of not available.
fn every_metric_is_there_or_said_not_to_be() {
    let lab = counted(&[&["true"]]);
    let ready = ready();
    assert!(ready.unavailable.iter().all(|u| !u.why.is_empty()), "{ready:?}");
    let ran = lab.run(3);
    for (observation, name) in
        ran.observations.iter().flat_map(|o| lab.setup.metrics.iter().map(move |name| (o, name)))
    {
        let there = value(observation, name).is_some();
        // Its waiting is known or bounded; see `Waited`.
        let of_waiting = name.starts_with("cpu_wait");
        assert!(there == has(&ready, name) || of_waiting, "{name}: {observation}");
    }
    if let Groups::None { why } = &ready.cgroup {
        assert!(!why.is_empty() && !has(&ready, "tree_cpu"));
    }
    assert_ne!(ready.events, Events::NotAsked);
    assert!(ready.counters_cost.is_some(), "{ready:?}");
    let cgroup = matches!(ready.cgroup, Groups::V1 | Groups::V2);
    assert_eq!(ready.cgroup_cost.is_some(), cgroup, "{ready:?}");
}

/// Would catch events that count the launcher, that miss the children, or do not count at all.
fn events_agree_with_usage() {
    let (ready, own) = (ready(), own());
    let children = format!("for i in 1 2 3 4; do {own} role-fat 20; done");
    for arguments in [&[own.as_str(), "role-fat", "50"][..], &["sh", "-c", &children]] {
        let ran = counted(&[arguments]).run(2);
        for observation in &ran.observations {
            let value = |name| value(observation, name).unwrap();
            if has(&ready, "page_faults") {
                let all = value("minflt") + value("majflt");
                // A few happen between the clone and the program's first instruction.
                assert!((all - 100..=all).contains(&value("page_faults")), "{observation}");
            }
            if has(&ready, "task_clock") {
                assert!(value("task_clock") > 0, "{observation}");
            }
        }
    }
}

/// Would catch counts carried over, from a command or from a hook.
fn events_of_one_execution_are_not_the_nexts() {
    let own = own();
    let mut lab = counted(&[&[&own, "role-fat", "50"], &["true"]]);
    lab.setup.commands[1].prepare = Some(execute(&[&own, "role-fat", "50"]));
    let ready = ready();
    for observation in lab.run(3).observations.iter().filter(|o| o["benchmark"] == 1) {
        assert!(!has(&ready, "page_faults") || value(observation, "page_faults") < Some(1_000));
        assert!(!has(&ready, "tree_peak") || value(observation, "tree_peak") < Some(20 << 20));
    }
}

/// Would catch what only sees processes that were waited for: a child whose parent has ended is
/// nobody's but the tree's.
fn a_tree_is_seen_whole() {
    let (ready, own) = (ready(), own());
    let mut lab = counted(&[]);
    let done = lab.path("done");
    let script = format!(
        "rm -f {0}; (({own} role-fat 50; echo > {0}) &); while ! test -e {0}; do sleep 0.01; done",
        done.display()
    );
    lab.setup.commands.push(crate::lab::command(&["sh", "-c", &script]));
    for observation in &lab.run(2).observations {
        let value = |name| value(observation, name);
        assert!(value("rss") < Some(20 << 20), "{observation}");
        assert!(!has(&ready, "page_faults") || value("page_faults") > value("minflt"));
        assert!(!has(&ready, "tree_peak") || value("tree_peak") >= Some(50 << 20), "{observation}");
        let cpu_ns = value("cpu").map(|us| us * 1000);
        assert!(!has(&ready, "tree_cpu") || value("tree_cpu") > cpu_ns, "{observation}");
    }
}

/// Would catch `/proc/PID/io` of somebody else, or of a hook.
fn bytes_are_the_commands() {
    let mut lab = counted(&[&["head", "-c", "300000", "/dev/zero"], &["true"]]);
    lab.setup.commands[1].prepare = Some(execute(&["head", "-c", "300000", "/dev/zero"]));
    let wrote = |o: &Value| value(o, "io_wchar");
    let ran = lab.run(2);
    let ready = ready();
    if has(&ready, "io_wchar") {
        // A child that writes itself into its groups writes one byte each.
        let seen: Vec<_> = ran.observations.iter().map(|o| wrote(o).unwrap() / 10 * 10).collect();
        assert_eq!(seen, [300_000, 0, 300_000, 0], "{ready:?}");
    }
}

/// Would catch the cost of a failed start recorded as that of a program.
fn what_cannot_be_started_counts_nothing() {
    let ran = counted(&[&["/no/such/program"], &["true"]]).run(2);
    assert_eq!(ran.observations[0]["values"], serde_json::json!({}));
    assert_eq!(ran.observations[1]["outcome"], Value::Null);
}

/// Groups anywhere that a launcher has made.
fn groups(launcher: u32) -> Vec<PathBuf> {
    let mut found = Vec::new();
    collect(Path::new("/sys/fs/cgroup"), &format!("etalon-{launcher}-"), &mut found);
    found
}

fn collect(directory: &Path, name: &str, found: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(directory) else { return };
    for entry in entries.flatten().filter(|e| e.file_type().is_ok_and(|t| t.is_dir())) {
        if entry.file_name().to_string_lossy().starts_with(name) {
            found.push(entry.path());
        }
        collect(&entry.path(), name, found);
    }
}

/// Would catch groups piling up: after an execution, a failure, an interrupt, the end.
fn groups_are_removed() {
    let lab = counted(&[&["true"], &["false"], &["sleep", "60"]]);
    let mut launcher = lab.start();
    let process = launcher.process();
    launcher.begin(&lab.batch(vec![vec![0, 1, 0]; 5])).unwrap();
    finish(&mut launcher);
    assert_eq!(groups(process), [] as [PathBuf; 0]);
    launcher.begin(&lab.batch(vec![vec![2]])).unwrap();
    if !matches!(launcher.ready().cgroup, Groups::None { .. }) {
        eventually("a group", || !groups(process).is_empty());
    }
    launcher.interrupt();
    finish(&mut launcher);
    assert_eq!(groups(process), [] as [PathBuf; 0]);
    launcher.begin(&lab.batch(vec![vec![2]])).unwrap();
    drop(launcher);
    assert_eq!(groups(process), [] as [PathBuf; 0]);
}

/// Would catch groups that outlive etalon's being killed, or both being killed and one more start.
fn groups_of_the_killed_are_removed() {
    let lab = counted(&[&["sleep", "60"]]);
    if matches!(ready().cgroup, Groups::None { .. }) {
        return;
    }
    for both in [false, true] {
        let mut victim = Command::new(own())
            .args(["role-victim", &serde_json::to_string(&lab.setup).unwrap()])
            .arg(lab.path("record"))
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(victim.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let launcher: i32 = line.trim().parse().unwrap();
        let made = || groups(launcher.cast_unsigned());
        eventually("a group", || !made().is_empty());
        if both {
            // SAFETY: no memory preconditions. The launcher is alive, as its group is, and its
            // number is not given away before etalon, which is alive too, has reaped it.
            unsafe { libc::kill(launcher, libc::SIGKILL) };
        }
        victim.kill().unwrap();
        victim.wait().unwrap();
        if both {
            eventually("another start to find it empty", || {
                drop(lab.start());
                made().is_empty()
            });
        } else {
            eventually("the launcher to remove it", || made().is_empty());
        }
    }
}
