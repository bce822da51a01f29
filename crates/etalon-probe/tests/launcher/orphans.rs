//! What executions leave behind.

use serde_json::Value;

use crate::Test;
use crate::lab::{Lab, execute, is_running, own, token};

pub(crate) const TESTS: &[Test] = &[
    ("background_jobs_are_ended_and_counted", background_jobs_are_ended_and_counted),
    ("daemons_are_ended_and_counted", daemons_are_ended_and_counted),
    ("the_dead_are_not_counted", the_dead_are_not_counted),
    ("an_orphan_that_holds_the_pipe_does_not_hang", an_orphan_that_holds_the_pipe_does_not_hang),
    ("what_a_hook_leaves_is_not_the_commands", what_a_hook_leaves_is_not_the_commands),
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
