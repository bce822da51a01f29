//! What commands are executed under: CPUs, niceness, addresses, the size of their environment.

use etalon_probe::launcher::protocol::{Aslr, Control};
use etalon_probe::launcher::{Destination, LauncherError};
use serde_json::Value;
use std::os::fd::AsFd;

use crate::Test;
use crate::lab::{Lab, execute, finish, started};

pub(crate) const TESTS: &[Test] = &[
    ("commands_run_where_they_are_told", commands_run_where_they_are_told),
    ("commands_have_the_niceness_given", commands_have_the_niceness_given),
    ("addresses_can_be_fixed", addresses_can_be_fixed),
    ("without_being_asked_nothing_changes", without_being_asked_nothing_changes),
    ("what_cannot_be_taken_on_is_refused", what_cannot_be_taken_on_is_refused),
    ("the_environment_is_padded_by_block", the_environment_is_padded_by_block),
];

/// Every outcome is a success, of the command and of a hook that does the same.
fn succeeds(script: &str, control: &Control) {
    let mut lab = Lab::shell(script);
    lab.setup.commands[0].prepare = Some(execute(&["sh", "-c", script]));
    lab.setup.control = control.clone();
    let ran = lab.run(2);
    assert_eq!(ran.observations.len(), 2, "{script}: {:?}", ran.finished);
    for observation in ran.observations {
        assert_eq!(observation["outcome"], Value::Null, "{script}: {observation}");
    }
}

/// The CPUs this process may use, as a list that takes no ranges.
fn cpus() -> Vec<usize> {
    let list = std::process::Command::new("sh")
        .args(["-c", "sed -n 's/^Cpus_allowed_list:.//p' /proc/self/status"])
        .output()
        .unwrap();
    let list = String::from_utf8(list.stdout).unwrap();
    let numbers = |part: &str| {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        first.parse::<usize>().unwrap()..=last.parse::<usize>().unwrap()
    };
    list.trim().split(',').flat_map(numbers).collect()
}

/// Would catch an affinity that only the launcher has, or only its first child.
fn commands_run_where_they_are_told() {
    for cpu in cpus().into_iter().take(3) {
        let script = format!("grep -q '^Cpus_allowed_list:.{cpu}$' /proc/self/status");
        succeeds(&script, &Control { cpus: Some(vec![cpu]), ..Control::default() });
    }
    let all = Control { cpus: Some(cpus()), ..Control::default() };
    let list = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = list.lines().find(|line| line.starts_with("Cpus_allowed_list")).unwrap();
    succeeds(&format!("grep -q '^{line}$' /proc/self/status"), &all);
}

/// Would catch a niceness that is added instead of set, or forgotten.
fn commands_have_the_niceness_given() {
    for nice in [5, 19] {
        let control = Control { nice: Some(nice), ..Control::default() };
        succeeds(&format!("test $(nice) = {nice}"), &control);
    }
}

/// Would catch randomised addresses under `--aslr off`.
fn addresses_can_be_fixed() {
    let off = Control { aslr: Aslr::Off, ..Control::default() };
    succeeds("test $(( 0x$(cat /proc/self/personality) & 0x40000 )) != 0", &off);
    let mut lab = Lab::shell("grep stack /proc/self/maps >> stacks");
    lab.setup.directory = Some(lab.directory.path().as_os_str().into());
    lab.setup.control = off;
    lab.run(3);
    let stacks = std::fs::read_to_string(lab.path("stacks")).unwrap();
    let lines: Vec<&str> = stacks.lines().collect();
    assert!(lines.len() == 3 && lines.iter().all(|line| *line == lines[0]), "{stacks}");
}

/// Would catch a control nobody asked for: those of this process are expected.
fn without_being_asked_nothing_changes() {
    let here = |script: &str| {
        let output = std::process::Command::new("sh").args(["-c", script]).output().unwrap();
        String::from_utf8(output.stdout).unwrap().trim().to_owned()
    };
    for fact in [
        "sed -n 's/^Cpus_allowed_list:.//p' /proc/self/status",
        "nice",
        "cat /proc/self/personality",
    ] {
        let expected = here(fact);
        succeeds(&format!("test \"$({fact})\" = '{expected}'"), &Control::default());
    }
}

/// Would catch an experiment that runs under other conditions than its record says.
fn what_cannot_be_taken_on_is_refused() {
    let refused = |control: Control| {
        let mut lab = Lab::shell("exit 0");
        lab.setup.control = control;
        let record = lab.record();
        let record = Destination { file: record.as_fd(), path: "record".into() };
        match started(&lab.setup, &record, None) {
            Err(LauncherError::Refused(refusal)) => format!("{}: {}", refusal.subject, refusal.why),
            other => panic!("{other:?}"),
        }
    };
    let text = refused(Control { cpus: Some(vec![cpus()[0], 1023]), ..Control::default() });
    assert!(
        text.starts_with("--cpu: CPU 1023 does not exist or may not be used here: give some of"),
        "{text}"
    );
    let text = refused(Control { cpus: Some(vec![70_000]), ..Control::default() });
    assert!(text.starts_with("--cpu: CPU 70000"), "{text}");
    let text = refused(Control { cpus: Some(vec![]), ..Control::default() });
    assert!(text.contains("give at least one"), "{text}");
    let text = refused(Control { nice: Some(-21), ..Control::default() });
    assert!(text.starts_with("--nice: -21 is not"), "{text}");
    // SAFETY: geteuid has no preconditions.
    if unsafe { libc::geteuid() } != 0 {
        let text = refused(Control { nice: Some(-20), ..Control::default() });
        assert!(text.contains("CAP_SYS_NICE"), "{text}");
    }
}

/// Would catch one size for all blocks, a size that is one off, and a variable nobody asked for.
fn the_environment_is_padded_by_block() {
    let mut lab = Lab::shell("echo ${ETALON_PAD-none} | wc -c >> lengths");
    lab.setup.directory = Some(lab.directory.path().as_os_str().into());
    lab.setup.commands.push(lab.setup.commands[0].clone());
    lab.setup.commands[0].prepare = Some(execute(&["sh", "-c", "echo ${#ETALON_PAD} >> prepared"]));
    let mut launcher = lab.start();
    let blocks = vec![vec![0, 1]; 5];
    let padding = vec![7, 4096, 0, 4095, 60_000];
    let batch = etalon_probe::launcher::protocol::Batch { padding, ..lab.batch(blocks.clone()) };
    launcher.begin(&batch).unwrap();
    finish(&mut launcher);
    launcher.begin(&lab.batch(blocks)).unwrap();
    finish(&mut launcher);
    // One more for the end of the line.
    let mut expected = String::new();
    for length in [8, 4097, 1, 4096, 60_001].into_iter().chain(["none\n".len(); 5]) {
        expected.push_str(&format!("{length}\n{length}\n"));
    }
    assert_eq!(std::fs::read_to_string(lab.path("lengths")).unwrap(), expected);
    let prepared = std::fs::read_to_string(lab.path("prepared")).unwrap();
    assert!(prepared.starts_with("7\n4096\n0\n4095\n60000\n0\n"), "{prepared}");
}
