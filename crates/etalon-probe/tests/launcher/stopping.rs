//! Ends that come from outside: interrupts, the terminal, etalon's death.

use std::io::{BufRead, BufReader, Write};
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
use std::os::unix::process::CommandExt;
use std::process::{Command, Stdio};
use std::time::Duration;

use etalon_probe::launcher::LauncherError;
use etalon_probe::launcher::protocol::Over;

use crate::Test;
use crate::lab::{Lab, eventually, finish, is_running, own, token};

pub(crate) const TESTS: &[Test] = &[
    ("an_interrupt_ends_the_batch_and_the_command", an_interrupt_ends_the_batch_and_the_command),
    ("an_interrupt_between_batches_is_not_lost", an_interrupt_between_batches_is_not_lost),
    ("interrupts_at_any_instant_lose_nothing", interrupts_at_any_instant_lose_nothing),
    ("dropping_the_launcher_ends_everything", dropping_the_launcher_ends_everything),
    (
        "a_lost_launcher_is_noticed_and_takes_its_command",
        a_lost_launcher_is_noticed_and_takes_its_command,
    ),
    (
        "etalon_killed_at_any_instant_keeps_what_was_finished",
        etalon_killed_at_any_instant_keeps_what_was_finished,
    ),
    (
        "reading_the_terminal_from_the_background_is_an_end",
        reading_the_terminal_from_the_background_is_an_end,
    ),
    ("the_terminal_can_be_lent", the_terminal_can_be_lent),
    ("ctrl_c_in_the_foreground_ends_the_experiment", ctrl_c_in_the_foreground_ends_the_experiment),
];

/// Would catch a launcher that finishes its batch first, or records what was cut short.
fn an_interrupt_ends_the_batch_and_the_command() {
    let token = token(10);
    let lab = Lab::new(&[&["true"], &["sleep", &token]]);
    let mut launcher = lab.start();
    launcher.begin(&lab.batch(vec![vec![0, 1]; 5])).unwrap();
    eventually("the command to run", || is_running(&format!("sleep\0{token}")));
    launcher.interrupt();
    let finished = finish(&mut launcher);
    assert_eq!((finished.blocks, finished.why), (0, Over::Interrupted));
    assert_eq!(lab.observations().len(), 1);
    assert!(!is_running(&token));
}

/// Would catch a signal that only counts while something is executed.
fn an_interrupt_between_batches_is_not_lost() {
    let lab = Lab::shell("exit 0");
    let mut launcher = lab.start();
    launcher.interrupt();
    launcher.begin(&lab.batch(vec![vec![0]; 3])).unwrap();
    assert_eq!(finish(&mut launcher).why, Over::Interrupted);
}

/// Would catch a window between start and the handler knowing of it: the batch would hang, or
/// go on. A short command makes every instant likely.
fn interrupts_at_any_instant_lose_nothing() {
    let lab = Lab::shell("exit 0");
    for instant in 0..40_u64 {
        let mut launcher = lab.start();
        launcher.begin(&lab.batch(vec![vec![0]; 100_000])).unwrap();
        std::thread::sleep(Duration::from_micros(instant * 83));
        // While it is written, the end of a file may be seen in the middle of a line.
        let seen = std::fs::read(lab.path("record")).unwrap();
        let before = seen.iter().filter(|b| **b == b'\n').count();
        launcher.interrupt();
        let finished = finish(&mut launcher);
        assert_eq!(finished.why, Over::Interrupted);
        assert!(lab.observations().len() >= before);
        assert!(lab.observations().iter().all(|o| o["outcome"].is_null()));
    }
}

/// Would catch a command that outlives the experiment.
fn dropping_the_launcher_ends_everything() {
    let token = token(11);
    let lab = Lab::new(&[&["sleep", &token]]);
    let mut launcher = lab.start();
    launcher.begin(&lab.batch(vec![vec![0]])).unwrap();
    eventually("the command to run", || is_running(&format!("sleep\0{token}")));
    drop(launcher);
    assert!(!is_running(&token));
}

/// Would catch an etalon that waits for a launcher that is gone.
fn a_lost_launcher_is_noticed_and_takes_its_command() {
    let token = token(12);
    let lab = Lab::new(&[&["sleep", &token]]);
    let mut launcher = lab.start();
    launcher.begin(&lab.batch(vec![vec![0]])).unwrap();
    eventually("the command to run", || is_running(&format!("sleep\0{token}")));
    kill(launcher.process(), libc::SIGKILL);
    match launcher.wait(None) {
        Err(LauncherError::Lost(Some(_))) => {}
        other => panic!("{other:?}"),
    }
    eventually("the command to end", || !is_running(&token));
}

/// Would catch a child or a launcher that runs on, a torn record, or an observation that was
/// finished and is not in it (each command says so itself as its last act).
fn etalon_killed_at_any_instant_keeps_what_was_finished() {
    for instant in 0..12_u64 {
        let lab = Lab::new(&[]);
        let (log, token) = (lab.path("log"), token(100 + u32::try_from(instant).unwrap()));
        let script = format!(": {token}; echo x >> {}", log.display());
        let setup = &Lab::shell(&script).setup;
        let mut victim = Command::new(own())
            .args(["role-victim", &serde_json::to_string(setup).unwrap()])
            .arg(lab.path("record"))
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(victim.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let launcher = line.trim().to_owned();
        std::thread::sleep(Duration::from_micros(instant * 1_700));
        victim.kill().unwrap();
        victim.wait().unwrap();
        eventually("launcher and command to end", || !is_running(&token) && has_ended(&launcher));
        let said = std::fs::read_to_string(&log).unwrap_or_default().lines().count();
        let recorded = lab.observations().len();
        assert!(recorded <= said && said <= recorded + 1, "{recorded} of {said}");
    }
}

/// Would catch the endless wait for a program that has been stopped.
fn reading_the_terminal_from_the_background_is_an_end() {
    let said = with_terminal("keep", b"");
    assert!(said.contains("Done") && said.matches("killed").count() == 2, "{said}");
    assert!(said.contains("Number(21)") && said.contains("home true"), "{said}");
}

/// Would catch a terminal that is not lent, not for the second execution, or not given back.
fn the_terminal_can_be_lent() {
    let said = with_terminal("lend", b"hello\nhello\n");
    assert!(said.contains("Done [None, None] home true"), "{said}");
}

/// Would catch a Ctrl-C that ends one command and starts the next.
fn ctrl_c_in_the_foreground_ends_the_experiment() {
    let said = with_terminal("lend", b"hello\n\x03");
    assert!(said.contains("Interrupted [None] home true"), "{said}");
}

/// Plays the terminal role on a new terminal into which `typed` is typed; what it printed.
fn with_terminal(foreground: &str, typed: &[u8]) -> String {
    let (master, slave) = terminal();
    let mut command = Command::new(own());
    command.args(["role-terminal", foreground]).stdin(slave).stdout(Stdio::piped());
    // SAFETY: async-signal-safe calls only: a new session whose terminal is standard input.
    unsafe {
        command.pre_exec(|| {
            if libc::setsid() < 0 || libc::ioctl(0, libc::TIOCSCTTY, 0) < 0 {
                return Err(std::io::Error::last_os_error());
            }
            // Whoever started the tests may ignore it: a command would read an error then, and go on.
            libc::signal(libc::SIGTTIN, libc::SIG_DFL);
            Ok(())
        });
    }
    let child = command.spawn().unwrap();
    let mut master = std::fs::File::from(master);
    let mut seen = vec![child.id().cast_signed()];
    for part in typed.split_inclusive(|b| *b == b'\n') {
        seen.push(next_in_the_foreground(&master, &seen));
        master.write_all(part).unwrap();
    }
    let output = child.wait_with_output().unwrap();
    String::from_utf8(output.stdout).unwrap()
}

/// Waits until a group that was not seen before has the foreground: typing is for that command,
/// which reads before it ends.
fn next_in_the_foreground(master: &std::fs::File, seen: &[i32]) -> i32 {
    let mut group = 0;
    eventually("the next command to have the terminal", || {
        // SAFETY: no memory preconditions; the descriptor is open.
        group = unsafe { libc::tcgetpgrp(master.as_raw_fd()) };
        group > 0 && !seen.contains(&group)
    });
    group
}

fn terminal() -> (OwnedFd, OwnedFd) {
    let (mut master, mut slave) = (-1, -1);
    let (name, settings, size) = (std::ptr::null_mut(), std::ptr::null(), std::ptr::null());
    // SAFETY: both descriptors are writable; nothing else is asked for. They are new and ours.
    unsafe {
        let opened = libc::openpty(&raw mut master, &raw mut slave, name, settings, size);
        assert_eq!(opened, 0);
        for fd in [master, slave] {
            libc::fcntl(fd, libc::F_SETFD, libc::FD_CLOEXEC);
        }
        (OwnedFd::from_raw_fd(master), OwnedFd::from_raw_fd(slave))
    }
}

fn kill(process: u32, signal: i32) {
    // SAFETY: no memory preconditions; the process is a child of this test, not reaped yet.
    unsafe { libc::kill(process.cast_signed(), signal) };
}

/// Gone, or dead and not reaped by whoever adopted it.
fn has_ended(process: &str) -> bool {
    std::fs::read_to_string(format!("/proc/{process}/status"))
        .map_or(true, |status| status.contains("State:\tZ"))
}
