//! Hooks: around each execution, and once around them all.

use std::path::PathBuf;

use etalon_core::model::Outcome;
use etalon_probe::launcher::Launcher;
use etalon_probe::launcher::protocol::{Extent, Hook, OnFailure, Over, Perform};
use serde_json::Value;

use crate::Test;
use crate::lab::{Lab, eventually, execute, finish, is_running, token};

pub(crate) const TESTS: &[Test] = &[
    ("hooks_run_around_and_are_not_recorded", hooks_run_around_and_are_not_recorded),
    ("a_failing_hook_stops", a_failing_hook_stops),
    ("conclude_follows_a_failure_which_is_told", conclude_follows_a_failure_which_is_told),
    ("conclude_follows_an_interrupt", conclude_follows_an_interrupt),
    ("a_second_interrupt_ends_conclude", a_second_interrupt_ends_conclude),
    ("conclude_does_not_follow_etalons_end", conclude_does_not_follow_etalons_end),
    ("nothing_is_concluded_that_was_not_begun", nothing_is_concluded_that_was_not_begun),
    ("a_setup_gets_what_commands_get", a_setup_gets_what_commands_get),
    ("a_failing_setup_says_so", a_failing_setup_says_so),
    ("an_interrupt_ends_a_setup", an_interrupt_ends_a_setup),
    ("a_cleanup_follows_an_interrupt", a_cleanup_follows_an_interrupt),
    ("a_second_interrupt_ends_a_cleanup", a_second_interrupt_ends_a_cleanup),
    ("what_was_not_set_up_is_not_performed", what_was_not_set_up_is_not_performed),
];

/// Would catch hooks that are accepted and never called, or in another order; an event log.
fn hooks_run_around_and_are_not_recorded() {
    let mut lab = Lab::new(&[]);
    let log = lab.path("log");
    let say = |word: &str| format!("echo {word} >> {}", log.display());
    let mut command = crate::lab::command(&["sh", "-c", &say("command")]);
    command.prepare = Some(execute(&["sh", "-c", &say("prepare")]));
    command.conclude = Some(execute(&["sh", "-c", &say("conclude")]));
    lab.setup.commands.push(command);
    assert_eq!(lab.run(2).observations.len(), 2);
    let once = "prepare\ncommand\nconclude\n";
    assert_eq!(std::fs::read_to_string(log).unwrap(), once.repeat(2));
}

/// Would catch measuring something that was not prepared.
fn a_failing_hook_stops() {
    let mut lab = Lab::shell("exit 0");
    lab.setup.commands[0].prepare = Some(execute(&["sh", "-c", "echo no >&2; exit 5"]));
    let ran = lab.run(2);
    let failure = ran.failure();
    assert_eq!(failure.hook, Some(Hook::Prepare));
    assert_eq!(failure.outcome, Outcome::Failed { code: 5 });
    assert_eq!(failure.stderr.to_string(), "no\n");
    assert!(ran.observations.is_empty());
}

/// A command, and a conclude that logs; and that log.
fn concluded(script: &str, conclude: &str) -> (Lab, PathBuf) {
    let mut lab = Lab::shell(script);
    let log = lab.path("log");
    let conclude = format!("{conclude}; echo concluded >> {}", log.display());
    lab.setup.commands[0].conclude = Some(execute(&["sh", "-c", &conclude]));
    (lab, log)
}

fn said(log: &PathBuf) -> usize {
    std::fs::read_to_string(log).unwrap_or_default().lines().count()
}

/// Would catch a command's surroundings left in disorder because it failed, and the failure of the
/// command hidden by that of its conclude.
fn conclude_follows_a_failure_which_is_told() {
    let (mut lab, log) = concluded("exit 7", "true");
    assert_eq!(lab.run(3).observations.len(), 3);
    assert_eq!(said(&log), 3);
    lab.on_failure = OnFailure::Stop;
    assert_eq!(lab.run(3).failure().hook, None);
    assert_eq!(said(&log), 4);
    lab.setup.commands[0].conclude = Some(execute(&["sh", "-c", "exit 8"]));
    assert_eq!(lab.run(1).failure().outcome, Outcome::Failed { code: 7 });
    lab.on_failure = OnFailure::Continue;
    let ran = lab.run(1);
    assert_eq!(
        (ran.failure().hook, &ran.failure().outcome),
        (Some(Hook::Conclude), &Outcome::Failed { code: 8 })
    );
}

/// Would catch a Ctrl-C that leaves behind what conclude is there to remove.
fn conclude_follows_an_interrupt() {
    let token = token(20);
    let (lab, log) = concluded(&format!("sleep {token}"), "true");
    let mut launcher = running(&lab, &format!("sleep\0{token}"));
    launcher.interrupt();
    assert_eq!(finish(&mut launcher).why, Over::Interrupted);
    assert_eq!((said(&log), lab.observations().len()), (1, 0));
    eventually("all of it to end", || !is_running(&token));
}

/// Would catch a conclude that cannot be got rid of.
fn a_second_interrupt_ends_conclude() {
    let (first, second) = (token(21), token(22));
    let (lab, log) = concluded(&format!("sleep {first}"), &format!("sleep {second}"));
    let mut launcher = running(&lab, &format!("sleep\0{first}"));
    launcher.interrupt();
    eventually("conclude to run", || is_running(&format!("sleep\0{second}")));
    launcher.interrupt();
    assert_eq!(finish(&mut launcher).why, Over::Interrupted);
    assert_eq!(said(&log), 0);
    eventually("all of it to end", || !is_running(&second));
}

/// Would catch something executed after etalon has gone, which nobody would end.
fn conclude_does_not_follow_etalons_end() {
    let token = token(23);
    let (lab, log) = concluded(&format!("sleep {token}"), "true");
    drop(running(&lab, &format!("sleep\0{token}")));
    assert_eq!(said(&log), 0);
    eventually("all of it to end", || !is_running(&token));
}

/// Would catch a conclude for a command that was never started.
fn nothing_is_concluded_that_was_not_begun() {
    let (lab, log) = concluded("exit 0", "true");
    let mut launcher = lab.start();
    launcher.interrupt();
    launcher.begin(&lab.batch(vec![vec![0]])).unwrap();
    assert_eq!(finish(&mut launcher).why, Over::Interrupted);
    assert_eq!(said(&log), 0);
}

fn running(lab: &Lab, what: &str) -> Launcher {
    let mut launcher = lab.start();
    launcher.begin(&lab.batch(vec![vec![0]])).unwrap();
    eventually("the command to run", || is_running(what));
    launcher
}

/// A command, and hooks that are shell scripts.
fn lab(hooks: &[&str]) -> Lab {
    let mut lab = Lab::shell("exit 0");
    lab.setup.hooks = hooks.iter().map(|script| execute(&["sh", "-c", script])).collect();
    lab
}

fn perform(launcher: &mut Launcher, hook: usize, role: Hook) -> Over {
    launcher.perform(Perform { hook, role, command: 0, extent: Extent::Stage }).unwrap();
    let finished = finish(launcher);
    assert_eq!(finished.blocks, 0);
    finished.why
}

/// Would catch a setup in another directory, environment or process group, or with the command's
/// input, and one that is recorded.
fn a_setup_gets_what_commands_get() {
    let mut lab = lab(&[
        "test \"$PWD $ONLY\" = \"$HERE this\" && test -z \"$(cat)\" && set -- $(cat /proc/$$/stat) && test $1 = $5",
        "sleep 60",
    ]);
    let here = lab.directory.path().canonicalize().unwrap();
    let path = std::env::var("PATH").unwrap();
    let pairs =
        [format!("PATH={path}"), "ONLY=this".to_owned(), format!("HERE={}", here.display())];
    lab.setup.environment = pairs.into_iter().map(Into::into).collect();
    lab.setup.directory = Some(here.as_os_str().into());
    lab.setup.timeout_ns = Some(10_000_000_000);
    let mut launcher = lab.start();
    assert_eq!(perform(&mut launcher, 0, Hook::Setup), Over::Done);
    launcher.begin(&lab.batch(vec![vec![0]; 2])).unwrap();
    assert_eq!(finish(&mut launcher).why, Over::Done);
    assert_eq!(perform(&mut launcher, 0, Hook::Cleanup), Over::Done);
    assert_eq!(lab.observations().len(), 2);
    lab.setup.timeout_ns = Some(50_000_000);
    let Over::Stopped(failure) = perform(&mut lab.start(), 1, Hook::Setup) else { panic!() };
    assert_eq!(failure.outcome, Outcome::TimedOut);
}

/// Would catch measuring on what was not set up, and a failure without its reason.
fn a_failing_setup_says_so() {
    let lab = lab(&["echo no >&2; exit 5"]);
    let mut launcher = lab.start();
    for role in [Hook::Setup, Hook::Cleanup] {
        let Over::Stopped(failure) = perform(&mut launcher, 0, role) else { panic!() };
        assert_eq!((failure.hook, failure.outcome), (Some(role), Outcome::Failed { code: 5 }));
        assert_eq!(failure.stderr.to_string(), "no\n");
    }
}

/// Would catch a setup that a Ctrl-C does not reach, before it or in it.
fn an_interrupt_ends_a_setup() {
    let token = token(24);
    let lab = lab(&[&format!("sleep {token}")]);
    let mut launcher = lab.start();
    launcher.interrupt();
    assert_eq!(perform(&mut launcher, 0, Hook::Setup), Over::Interrupted);
    let mut launcher = lab.start();
    launcher
        .perform(Perform { hook: 0, role: Hook::Setup, command: 0, extent: Extent::Stage })
        .unwrap();
    eventually("the setup to run", || is_running(&format!("sleep\0{token}")));
    launcher.interrupt();
    assert_eq!(finish(&mut launcher).why, Over::Interrupted);
    eventually("all of it to end", || !is_running(&token));
}

/// Would catch a cleanup that a Ctrl-C before it forbids: in a batch, and between two.
fn a_cleanup_follows_an_interrupt() {
    let token = token(25);
    let mut lab = lab(&["echo x >> log"]);
    lab.setup.directory = Some(lab.directory.path().as_os_str().into());
    lab.setup.commands[0].execute = execute(&["sleep", &token]);
    let mut launcher = running(&lab, &format!("sleep\0{token}"));
    launcher.interrupt();
    assert_eq!(finish(&mut launcher).why, Over::Interrupted);
    assert_eq!(perform(&mut launcher, 0, Hook::Cleanup), Over::Done);
    for _ in 0..50 {
        launcher.interrupt(); // may come before, or while it waits for its next request
        assert_eq!(perform(&mut launcher, 0, Hook::Cleanup), Over::Done);
    }
    assert_eq!(said(&lab.path("log")), 51);
}

/// Would catch a cleanup that hangs for ever.
fn a_second_interrupt_ends_a_cleanup() {
    let token = token(26);
    let lab = lab(&[&format!("sleep {token}"), "true"]);
    let mut launcher = lab.start();
    for _ in 0..20 {
        launcher.interrupt();
        launcher
            .perform(Perform { hook: 0, role: Hook::Cleanup, command: 0, extent: Extent::Stage })
            .unwrap();
        launcher.interrupt(); // at any instant from its beginning on
        assert_eq!(finish(&mut launcher).why, Over::Interrupted);
        eventually("all of it to end", || !is_running(&token));
    }
    assert_eq!(perform(&mut launcher, 1, Hook::Cleanup), Over::Done, "and the next is executed");
}

/// Would catch a launcher that dies of a number.
fn what_was_not_set_up_is_not_performed() {
    let lab = lab(&["exit 0"]);
    let mut launcher = lab.start();
    assert!(
        launcher
            .perform(Perform { hook: 1, role: Hook::Setup, command: 0, extent: Extent::Stage })
            .is_err()
    );
    // The command is whose hook it is, for what is told of it: subjects may be others than commands.
    let perform = Perform { hook: 0, role: Hook::Setup, command: 1, extent: Extent::Stage };
    launcher.perform(perform).unwrap();
    assert_eq!(finish(&mut launcher).why, Over::Done);
    let mut batch = lab.batch(vec![vec![0]; 2]);
    batch.padding = vec![1];
    assert!(launcher.begin(&batch).is_err());
    assert_eq!(lab.run(1).only()["outcome"], Value::Null);
}
