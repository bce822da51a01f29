//! Where no thread can be started: whoever needs one says so, and nothing is lost or left.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::on::{blocks_of_nodes, nothing_left};
use super::slurm::Slurm;
use super::ssh::SshNodes;
use crate::support::{Ended, Lab, Running, has, joined, until};

/// Threads of the standard library's size; those of launchers are smaller.
const LARGE: usize = 1 << 20;

/// How the limit is called.
const LIMIT: &str = "no more processes or threads may be started here: see ulimit -u";

/// A library that has threads refused, where there is a compiler.
fn refusal(lab: &Lab) -> Option<PathBuf> {
    lab.library("no_threads", include_str!("../support/no_threads.c"))
}

/// Executes a command where threads of these processes are refused.
fn without(
    (library, of): (&Path, &str),
    mut command: Command,
    reached: impl Fn(&mut Command),
) -> Ended {
    reached(&mut command);
    command.env("LD_PRELOAD", library).env("NO_THREADS", of);
    let ended = Running::start(command).end();
    assert!(!ended.stderr.contains("panicked"), "{}", ended.stderr);
    ended
}

/// Would catch a panic where the launcher, or whoever reads on several threads, has none.
#[test]
fn without_threads_it_is_said_or_done_without() {
    let lab = Lab::new();
    let Some(library) = refusal(&lab) else { return };
    let alone = |word: &str, arguments: &[&str]| {
        without((&library, &format!("{word} 0 0")), lab.etalon(arguments), |_| {})
    };
    has(&alone("cmd", &["cmd", "-r", "2", "true"]).expect(2).stderr, &[LIMIT]);
    assert!(lab.saved().is_empty());
    lab.done(["cmd", "-N", "-r", "12", "true", "false", "-i"]);
    for words in [&["report", "@last"][..], &["compare", "@last", "@last"]] {
        let shown = alone(words[0], words).expect(0).stdout;
        assert_eq!(shown, lab.done(words));
    }
    // Its client looks up names on a thread.
    let url = "postgres://nobody@localhost:1/none";
    let words = ["history", "export", "--to", "postgres", url];
    has(&alone("history", &words).expect(2).stderr, &[LIMIT]);
}

/// Would catch nodes whose thread, here or there, cannot be started: a panic here, a worker that is waited for there.
#[test]
fn nodes_without_threads_are_left_out() {
    let lab = Lab::new();
    let Some(library) = refusal(&lab) else { return };
    let Some(nodes) = SshNodes::start(&lab, 2) else { return };
    let large = format!("cmd 0 {LARGE}");
    let on = ["cmd", "-r", "6", "--on", "ssh:n1,n2", "true", "false", "-i"];
    let ended = without((&library, &large), lab.etalon(on), |it| nodes.reachable(it)).expect(2);
    has(&ended.stderr, &["no node can be measured on", "n1: ", "n2: ", LIMIT]);
    assert!(lab.saved().is_empty());

    let there = nodes.path("n1", "home/no_threads.so");
    fs::copy(&library, &there).unwrap();
    let set = format!("export LD_PRELOAD=$HOME/no_threads.so NO_THREADS='worker 1 {LARGE}'\n");
    fs::write(nodes.path("n1", "home/.bashrc"), set).unwrap();
    let ended = without((&library, ""), lab.etalon(on), |it| nodes.reachable(it)).expect(0);
    has(&ended.stderr, &["n1: ", LIMIT, "the others go on without it"]);
    assert_eq!(blocks_of_nodes(&lab.record(), 6), [6]);
    fs::remove_file(there).unwrap();
    nothing_left(&lab, nodes, &["n1", "n2"]);
}

/// Would catch a job that nobody looks after, or cancels, and a relay that takes its worker with it without a word.
#[test]
fn jobs_without_threads_are_ended() {
    let lab = Lab::new();
    let Some(library) = refusal(&lab) else { return };
    let Some(slurm) = Slurm::start(1) else { return };
    let shared = slurm.shared().display().to_string();
    let on = ["cmd", "-r", "3", "--on", "slurm", "--nodes", "1", "--shared", &shared, "true"];
    for of in ["cmd 0", "worker 2", "worker 1"] {
        let of = format!("{of} {LARGE}");
        let ended = without((&library, &of), lab.etalon(on), |it| slurm.reachable(it)).expect(2);
        has(&joined(&ended.stderr), &[&joined(LIMIT)]);
        assert!(lab.saved().is_empty(), "{of}");
        until("an empty queue", || slurm.ask(&["squeue", "-h"]).is_empty());
        assert_eq!(fs::read_dir(slurm.shared()).unwrap().count(), 0, "{of}");
    }
    lab.assert_nothing_left();
}
