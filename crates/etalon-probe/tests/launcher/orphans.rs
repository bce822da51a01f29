//! What executions leave behind.

use etalon_probe::launcher::protocol::{Extent, Hook, Leftover, Over, Perform};
use serde_json::Value;

use crate::Test;
use crate::lab::{Lab, eventually, execute, finish, is_running, own, token};

pub(crate) const TESTS: &[Test] = &[
    ("background_jobs_are_ended_and_counted", background_jobs_are_ended_and_counted),
    ("daemons_are_ended_and_counted", daemons_are_ended_and_counted),
    ("the_dead_are_not_counted", the_dead_are_not_counted),
    ("an_orphan_that_holds_the_pipe_does_not_hang", an_orphan_that_holds_the_pipe_does_not_hang),
    ("what_a_hook_leaves_is_not_the_commands", what_a_hook_leaves_is_not_the_commands),
    ("what_hooks_leave_lives_until_its_stage_ends", what_hooks_leave_lives_until_its_stage_ends),
    ("what_hooks_leave_ends_with_the_launcher", what_hooks_leave_ends_with_the_launcher),
];

/// Would catch jobs that go on and disturb what is measured next.
fn background_jobs_are_ended_and_counted() {
    let token = token(2);
    let ran = Lab::shell(&format!("sleep {token} & sleep {token} & exit 0")).run(3);
    for observation in &ran.observations {
        assert_eq!((&observation["leftovers"], &observation["outcome"]), (&2.into(), &Value::Null));
    }
    assert!(!is_running(&token));
}

/// Would catch killing the group only: a daemon has left it.
fn daemons_are_ended_and_counted() {
    let (token, own) = (token(3), own());
    let ran = Lab::new(&[&[&own, "role-daemon", &token]]).run(2);
    for observation in &ran.observations {
        assert_eq!(observation["leftovers"], 1, "{observation}");
    }
    assert!(!is_running(&token));
}

/// Would catch orphans that had ended by themselves being counted.
fn the_dead_are_not_counted() {
    // The job ends before the shell does, and nobody waits for it.
    let ran = Lab::shell("sh -c 'exit 0' & while kill -0 $! 2>/dev/null && ! grep -q '^State:.Z' /proc/$!/status; do :; done; exit 0").run(3);
    for observation in &ran.observations {
        assert_eq!(observation["leftovers"], Value::Null, "{observation}");
    }
}

/// Would catch a read until the end of a pipe that somebody still holds.
fn an_orphan_that_holds_the_pipe_does_not_hang() {
    let token = token(4);
    let ran = Lab::shell(&format!("echo last words >&2; setsid sleep {token} & exit 6")).run(2);
    for observation in &ran.observations {
        assert_eq!(observation["stderr"], "last words\n");
    }
    assert!(!is_running(&token));
}

/// Would catch a hook's background process charged to the command.
fn what_a_hook_leaves_is_not_the_commands() {
    let token = token(5);
    let mut lab = Lab::shell("exit 0");
    lab.setup.commands[0].prepare =
        Some(execute(&["sh", "-c", &format!("sleep {token} & exit 0")]));
    assert_eq!(lab.run(1).only()["leftovers"], Value::Null);
    assert!(!is_running(&token));
}

/// Would catch an end of everything with the stage, or of nothing; a count of another hook's.
fn what_hooks_leave_lives_until_its_stage_ends() {
    let (all, each) = (token(6), token(7));
    let mut lab = Lab::shell("sleep 0.001 & exit 0");
    let background =
        |token: &str| execute(&["sh", "-c", &format!("setsid sleep {token} & exit 0")]);
    lab.setup.hooks = vec![background(&all)];
    lab.setup.commands[0].prepare = Some(background(&each));
    let mut launcher = lab.start();
    let setup = Perform { hook: 0, role: Hook::Setup, command: 0, extent: Extent::All };
    launcher.perform(setup).unwrap();
    assert_eq!(finish(&mut launcher).why, Over::Done);
    launcher.begin(&lab.batch(vec![vec![0]; 2])).unwrap();
    finish(&mut launcher);
    assert!(is_running(&all) && is_running(&each));
    launcher.end(Extent::Stage).unwrap();
    let of_stage = finish(&mut launcher).leftovers;
    assert_eq!(of_stage, [Leftover { hook: Hook::Prepare, processes: 2 }]);
    assert!(is_running(&all) && !is_running(&each));
    launcher.end(Extent::All).unwrap();
    assert_eq!(finish(&mut launcher).leftovers, [Leftover { hook: Hook::Setup, processes: 1 }]);
    assert!(!is_running(&all));
    launcher.end(Extent::All).unwrap();
    assert_eq!(finish(&mut launcher).leftovers, []);
}

/// Would catch a keeper that does not see its launcher go, because another keeper holds its socket.
fn what_hooks_leave_ends_with_the_launcher() {
    let tokens = [token(8), token(9)];
    let mut lab = Lab::shell("exit 0");
    let background = |token: &str| execute(&["sh", "-c", &format!("sleep {token} & exit 0")]);
    lab.setup.hooks = tokens.iter().map(|token| background(token)).collect();
    let mut launcher = lab.start();
    for (hook, role) in [(0, Hook::Setup), (1, Hook::Requires)] {
        let perform = Perform { hook, role, command: 0, extent: Extent::Stage };
        launcher.perform(perform).unwrap();
        assert_eq!(finish(&mut launcher).why, Over::Done);
    }
    // SAFETY: no memory preconditions; the launcher is not reaped.
    unsafe { libc::kill(launcher.process().cast_signed(), libc::SIGKILL) };
    eventually("both to end", || tokens.iter().all(|token| !is_running(token)));
}
