//! What this binary does as a measured program, or as an etalon to be killed.

use std::fs::OpenOptions;
use std::os::fd::AsFd;

use etalon_probe::launcher::Destination;
use etalon_probe::launcher::protocol::{Batch, Foreground, Setup};
use etalon_record::Text;

use crate::lab::{Lab, finish};

/// Plays the role named by the first argument, if it is one, and exits.
pub(crate) fn play_if_asked() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["role-fat", megabytes] => fat(megabytes.parse().unwrap()),
        ["role-daemon", seconds] => daemon(seconds),
        ["role-victim", setup, record] => victim(setup, record),
        ["role-terminal", foreground] => terminal(foreground),
        _ => return,
    }
    std::process::exit(0);
}

/// Touches that much memory.
fn fat(megabytes: usize) {
    std::hint::black_box(vec![1_u8; megabytes << 20]);
}

#[allow(clippy::zombie_processes, reason = "what this role is for")]
/// Leaves a process behind that has left session and group.
fn daemon(seconds: &str) {
    let mut command = std::process::Command::new("setsid");
    command.args(["sleep", seconds]).spawn().unwrap();
    // It has left the group once it leads one of its own: until then it would die with ours.
    crate::lab::eventually("the daemon to leave", || {
        crate::surroundings::group_leaders().iter().any(|line| line.contains(seconds))
    });
}

/// An etalon that executes a long batch and tells who its launcher is.
fn victim(setup: &str, record: &str) {
    let setup: Setup = serde_json::from_str(setup).unwrap();
    let file = OpenOptions::new().append(true).create(true).open(record).unwrap();
    let destination = Destination { file: file.as_fd(), path: Text::from(record) };
    let mut launcher = crate::lab::started(&setup, &destination, None).unwrap();
    let batch = Batch { blocks: vec![vec![0]; 5000], ..Batch::default() };
    launcher.begin(&batch).unwrap();
    println!("{}", launcher.process());
    finish(&mut launcher);
}

/// An etalon with a terminal; prints what it recorded of a program that reads it.
fn terminal(foreground: &str) {
    let mut lab = Lab::shell("read line < /dev/tty && test \"$line\" = hello");
    if foreground == "lend" {
        lab.setup.stdio.foreground = Foreground::Lend;
    }
    let ran = lab.run(2);
    // SAFETY: no memory preconditions; 0 is the terminal this role was given.
    let home = unsafe { libc::tcgetpgrp(0) == libc::getpgrp() };
    let outcomes: Vec<_> = ran.observations.iter().map(|o| o.get("outcome").cloned()).collect();
    println!("{:?} {:?} home {home}", ran.finished.why, outcomes);
}
