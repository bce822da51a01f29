//! Stopped and continued: Ctrl-Z and `fg`, a launcher that somebody stops, a terminal that is closed.
//! Nothing goes on behind the prompt, a pause is no reading, and what was measured is kept.

use std::io::Write;

use crate::support::{
    Lab, Running, at_terminal, closed_terminal, has, marked, outcome, signal, skip, until,
};

/// The first execution says that it is there, and goes on until `go` is written. It starts nothing
/// then: a parent that waits for a child just started (vfork) does not stop with its group.
fn lab() -> Lab {
    let lab = Lab::new();
    lab.script("waits", "if [ ! -e there ]; then : > there; exec cat go; fi");
    let made = std::process::Command::new("mkfifo").arg(lab.path("go")).status().unwrap();
    assert!(made.success());
    lab
}

fn wait_for(lab: &Lab, name: &str) {
    until(name, || lab.path(name).exists());
}

/// Lets the first execution end.
fn go(lab: &Lab) {
    std::fs::write(lab.path("go"), "").unwrap();
}

/// The state of a process, as one letter, and its parent.
fn state(pid: i32) -> Option<(char, i32)> {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    let mut words = stat[stat.rfind(')')? + 1..].split_whitespace();
    Some((words.next()?.chars().next()?, words.next()?.parse().ok()?))
}

fn is_stopped(pid: i32) -> bool {
    state(pid).is_some_and(|(state, _)| state == 'T')
}

/// Everything of a laboratory but what the test itself started.
fn inner(lab: &Lab) -> Vec<i32> {
    let all = marked(&lab.mark());
    let is_inner = |pid: &i32| state(*pid).is_some_and(|(_, parent)| all.contains(&parent));
    all.iter().copied().filter(is_inner).collect()
}

/// The launcher: etalon's only child.
fn launcher(etalon: i32) -> i32 {
    let children = format!("/proc/{etalon}/task/{etalon}/children");
    let list = std::fs::read_to_string(children).expect("the list of children");
    list.trim().parse().expect("one child, the launcher")
}

fn outcomes(lab: &Lab) -> Vec<Option<String>> {
    lab.record().measured().iter().map(|o| outcome(o)).collect()
}

fn suspended() -> Option<String> {
    Some("suspended".to_owned())
}

/// A shell with job control, as people have: the job stops, the shell goes on, a line is typed, `fg`.
fn job(lab: &Lab, arguments: &str) -> std::process::Command {
    let shell = "; : > prompt; read -r _; fg > /dev/null; echo \"exit $?\"";
    lab.shell(&format!("set -m; \"$E\" {arguments}{shell}"))
}

/// Would catch a launcher or command that goes on behind the prompt, a job that `fg` does not
/// resume, and a pause that is recorded as a reading; also while the command has the terminal.
#[test]
fn ctrl_z_stops_all_of_it_and_fg_goes_on() {
    for shown in ["--quiet", "--show-output", "--quiet --timeout 20s"] {
        let lab = lab();
        let job = job(&lab, &format!("cmd -N -r 3 {shown} ./waits"));
        let ended = at_terminal(job, |keyboard| {
            wait_for(&lab, "there");
            keyboard.write_all(b"\x1a").expect("the terminal takes a Ctrl-Z");
            wait_for(&lab, "prompt");
            // `cat` is not there while it is being executed: a stop waits for that, the shell does not.
            let all_of_it = || inner(&lab).len() >= 3;
            until(&format!("{shown}: etalon, launcher and command"), all_of_it);
            for pid in inner(&lab) {
                let name = std::fs::read_to_string(format!("/proc/{pid}/comm")).unwrap();
                // What is told to stop does so when it next gets a CPU.
                until(&format!("{shown}: {} to stop", name.trim()), || is_stopped(pid));
            }
            keyboard.write_all(b"\n").expect("the terminal takes a line");
            go(&lab);
        });
        let Some((_, seen)) = ended else { return skip("no pseudo-terminal: Ctrl-Z") };
        has(&seen, &["exit 0"]);
        lab.assert_nothing_left();
        assert_eq!(outcomes(&lab), [suspended(), None, None], "{shown}: {seen}");
    }
}

/// Would catch a stopped launcher and command that stay for ever when etalon is killed.
#[test]
fn killed_while_it_is_stopped() {
    let lab = lab();
    let ended = at_terminal(job(&lab, "cmd -N -r 3 --quiet ./waits"), |keyboard| {
        wait_for(&lab, "there");
        keyboard.write_all(b"\x1a").expect("the terminal takes a Ctrl-Z");
        wait_for(&lab, "prompt");
        let inner = inner(&lab);
        let of_shell = |pid: &&i32| state(**pid).is_some_and(|(_, p)| !inner.contains(&p));
        let etalon = inner.iter().find(of_shell).expect("etalon");
        signal(*etalon, libc::SIGKILL);
        keyboard.write_all(b"\n").expect("the terminal takes a line");
    });
    if ended.is_none() {
        return skip("no pseudo-terminal: killed while stopped");
    }
    lab.assert_nothing_left();
}

/// Would catch the pause of a launcher that was stopped recorded as a reading, the execution lost, or
/// counted as a failure.
#[test]
fn an_execution_during_which_the_launcher_was_stopped_is_suspended() {
    let lab = lab();
    let exports = ["--export-json", "h.json", "-o", "raw.csv"];
    let command = [&["cmd", "-r", "12", "--order", "abba"], &exports[..], &["./waits", "true"]];
    let running = Running::start(lab.etalon(command.concat()));
    wait_for(&lab, "there");
    let launcher = launcher(running.pid());
    signal(launcher, libc::SIGSTOP);
    until("the launcher to stop", || is_stopped(launcher));
    signal(launcher, libc::SIGCONT);
    until("the launcher to go on", || !is_stopped(launcher));
    go(&lab);
    let ended = running.end().expect(0);
    let first = &lab.record().measured()[0].clone();
    assert_eq!(first["outcome"], "suspended");
    assert!(first["values"]["wall"].is_number(), "its values are kept: {first}");
    assert_eq!(outcomes(&lab).iter().flatten().count(), 1);
    has(&ended.stdout, &["1 of 12 executions suspended"]);
    let json = lab.json(["report", "@last", "--json"]);
    assert_eq!(json["benchmarks"][0]["outcomes"]["suspended"], 1);
    assert_eq!(json["benchmarks"][0]["outcomes"]["ok"], 11);
    assert_eq!(json["benchmarks"][0]["metrics"]["wall"]["n"], 11);
    assert_eq!(json["comparisons"][0]["n"], serde_json::json!([11, 11]), "its block is in a pair");
    // Foreign formats have a shell's code for it, and read it back.
    let text = |name| String::from_utf8(lab.read(name)).unwrap();
    has(&text("raw.csv"), &[",148,"]);
    let json = lab.json(["report", "raw.csv", "--json"]);
    assert_eq!(json["benchmarks"][0]["outcomes"]["suspended"], 1);
    lab.done(["convert", "@last", "--to", "hyperfine", "-o", "converted.json"]);
    let converted: serde_json::Value = serde_json::from_str(&text("converted.json")).unwrap();
    let times =
        |result: usize| converted["results"][result]["measurements"].as_array().map(Vec::len);
    assert_eq!((times(0), times(1)), (Some(11), Some(12)), "{converted}");
}

/// Would catch a command that stops its parent, after which neither its timeout nor the user can end it.
#[test]
fn a_command_that_stops_the_launcher_is_ended() {
    let lab = Lab::new();
    lab.script("stops", "kill -STOP $PPID; : > there; exec sleep 1000");
    let timed = lab.run(["cmd", "-r", "1", "--timeout", "0.3", "./stops"]).expect(1);
    lab.assert_nothing_left();
    has(&timed.stderr, &["./stops", "took longer than"]);
    let told = lab.record().of_type("note").iter().any(|note| {
        note["text"].as_str().is_some_and(|text| text.contains("was stopped by another process"))
    });
    assert!(told, "{:?}", lab.record().lines);
    for stop in [libc::SIGINT, libc::SIGTERM] {
        std::fs::remove_file(lab.path("there")).unwrap();
        let running = Running::start(lab.etalon(["cmd", "-r", "1", "./stops"]));
        wait_for(&lab, "there");
        let launcher = launcher(running.pid());
        until("the launcher to stop", || is_stopped(launcher));
        signal(running.pid(), stop);
        running.end().expect(130);
        lab.assert_nothing_left();
    }
}

/// Would catch a hook that stops its parent, after which nothing goes on and neither a signal nor a second one ends it.
#[test]
fn a_hook_that_stops_its_parent_is_over_when_it_ends() {
    let lab = Lab::new();
    lab.script("stops", "kill -STOP $PPID; echo told >> told");
    for (at, hook) in ["--setup", "--prepare", "--conclude", "--cleanup"].iter().enumerate() {
        lab.run(["cmd", "-r", "1", hook, "exec ./stops", "true"]).expect(0);
        lab.assert_nothing_left();
        assert_eq!(lab.read("told").len(), 5 * (at + 1), "{hook}");
    }
    lab.script("stays", "kill -STOP $PPID; : > there; exec sleep 1000");
    let running =
        Running::start(lab.etalon(["cmd", "-r", "1", "--prepare", "exec ./stays", "true"]));
    wait_for(&lab, "there");
    signal(running.pid(), libc::SIGTERM);
    running.end().expect(130);
    lab.assert_nothing_left();
}

/// Would catch a hang-up that ends etalon as it stands: no cleanup, no exports, no end of the record.
#[test]
fn a_hang_up_is_an_interrupt() {
    let lab = lab();
    let around = ["--cleanup", "echo C >> told", "--export-json", "h.json"];
    let command = [&["cmd", "-r", "100000"], &around[..], &["./logs"]].concat();
    lab.script("logs", "printf x >> done");
    let running = Running::start(lab.etalon(command));
    until("executions", || lab.read("done").len() >= 8);
    // Shells and the kernel both send one; the second is no second wish.
    signal(running.pid(), libc::SIGHUP);
    signal(running.pid(), libc::SIGHUP);
    let ended = running.end().expect(130);
    lab.assert_nothing_left();
    assert_eq!(lab.record().stopped_by().as_deref(), Some("interrupt"));
    assert_eq!(lab.read("told"), b"C\n");
    assert!(!lab.read("h.json").is_empty(), "no export");
    has(&ended.stdout, &["Interrupted after"]);
}

/// Would catch `nohup` undone.
#[test]
fn a_hang_up_that_is_ignored_stays_ignored() {
    let lab = lab();
    let command = lab.shell("trap '' HUP; exec \"$E\" cmd -N -r 2 ./waits");
    let running = Running::start(command);
    wait_for(&lab, "there");
    signal(running.pid(), libc::SIGHUP);
    signal(launcher(running.pid()), libc::SIGHUP);
    go(&lab);
    running.end().expect(0);
    assert_eq!(outcomes(&lab), [None, None]);
}

/// Would catch a closed terminal that leaves something running, or loses what was measured, the
/// cleanup or the exports.
#[test]
fn a_closed_terminal_is_an_interrupt() {
    for shown in ["--quiet", "--show-output"] {
        let lab = lab();
        lab.script("logs", "printf x >> done");
        let around = ["--cleanup", "echo C >> told", "--export-json", "h.json"];
        let command = [&["cmd", "-r", "100000", shown], &around[..], &["./logs"]].concat();
        let ended = closed_terminal(lab.etalon(command), || {
            until("executions", || lab.read("done").len() >= 8);
        });
        let Some(code) = ended else { return skip("no pseudo-terminal: closed terminal") };
        assert_eq!(code, Some(130), "{shown}");
        lab.assert_nothing_left();
        assert_eq!(lab.record().stopped_by().as_deref(), Some("interrupt"), "{shown}");
        assert_eq!(lab.read("told"), b"C\n", "{shown}");
        assert!(!lab.read("h.json").is_empty(), "{shown}: no export");
    }
}
