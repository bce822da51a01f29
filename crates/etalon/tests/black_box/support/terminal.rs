//! A terminal: etalon leads a session on the slave side, the test types and reads on the other.

use std::fs::File;
use std::io::{ErrorKind, Read, Write};
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
use std::os::unix::process::CommandExt;
use std::process::{Child, Command};

use super::process::{exclusively, wait_for_end};

/// Runs a command on a new terminal of 100 columns with `typed` waiting to be read. Its exit code
/// and all that was shown; nothing if this machine gives no terminals.
pub(crate) fn on_terminal(command: Command, typed: &str) -> Option<(Option<i32>, String)> {
    at_terminal(command, |keyboard| {
        keyboard.write_all(typed.as_bytes()).expect("the terminal takes what is typed");
    })
}

/// The same with somebody typing.
pub(crate) fn at_terminal(
    command: Command,
    type_in: impl FnOnce(&mut File),
) -> Option<(Option<i32>, String)> {
    let (mut child, mut master) = started(command)?;
    let mut keyboard = master.try_clone().expect("a second hold on it");
    let mut shown = Vec::new();
    let reader = std::thread::spawn(move || {
        let mut chunk = [0; 4096];
        loop {
            match master.read(&mut chunk) {
                Ok(0) => return shown,
                Ok(n) => shown.extend_from_slice(&chunk[..n]),
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(_) => return shown, // EIO: the last process on it has gone
            }
        }
    });
    type_in(&mut keyboard);
    wait_for_end(child.id().cast_signed());
    let status = child.wait().expect("its status");
    let shown = reader.join().expect("what was shown");
    Some((status.code(), String::from_utf8_lossy(&shown).into_owned()))
}

/// The same with somebody who looks: `attend` is told everything that was shown so far, whenever there is more.
pub(crate) fn attended(
    command: Command,
    mut attend: impl FnMut(&str, &mut File),
) -> Option<(Option<i32>, String)> {
    let (mut child, mut master) = started(command)?;
    let mut shown = Vec::new();
    let mut chunk = [0; 4096];
    // EIO: the last process on it has gone.
    while let Ok(read) = master.read(&mut chunk) {
        shown.extend_from_slice(&chunk[..read]);
        attend(&String::from_utf8_lossy(&shown), &mut master);
    }
    wait_for_end(child.id().cast_signed());
    let status = child.wait().expect("its status");
    Some((status.code(), String::from_utf8_lossy(&shown).into_owned()))
}

/// Runs a command on a terminal that is closed when `meanwhile` is over. Its exit code.
pub(crate) fn closed_terminal(command: Command, meanwhile: impl FnOnce()) -> Option<Option<i32>> {
    let (mut child, master) = started(command)?;
    meanwhile();
    drop(master);
    wait_for_end(child.id().cast_signed());
    Some(child.wait().expect("its status").code())
}

/// Gives a terminal so many columns; whoever is in its foreground is told.
pub(crate) fn resize(terminal: &File, columns: u16) {
    let size = libc::winsize { ws_row: 50, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0 };
    // SAFETY: the size is valid and outlives the call.
    let resized = unsafe { libc::ioctl(terminal.as_raw_fd(), libc::TIOCSWINSZ, &raw const size) };
    assert_eq!(resized, 0, "the terminal resized");
}

/// Has a command leave the terminal that the tests were started at, so that nobody can type a Ctrl-C for it.
pub(crate) fn leaves_terminal(mut command: Command) -> Command {
    // SAFETY: between fork and exec only setsid is called, which is async-signal-safe.
    unsafe {
        command.pre_exec(|| match libc::setsid() {
            -1 => Err(std::io::Error::last_os_error()),
            _ => Ok(()),
        });
    }
    command
}

/// Starts a command as the leader of a session on a new terminal; the other side of that.
fn started(mut command: Command) -> Option<(Child, File)> {
    let (master, slave) = exclusively(open)?;
    let stream = || slave.try_clone().expect("a copy of the terminal");
    command.stdin(stream()).stdout(stream()).stderr(stream());
    // SAFETY: between fork and exec only setsid, ioctl and signal are called, all async-signal-safe; 0 is
    // the terminal by then.
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
    let child = exclusively(|| command.spawn().expect("the program started"));
    // Here its copies of the slave side go: with them open the reading would not end.
    Some((child, File::from(master)))
}

fn open() -> Option<(OwnedFd, OwnedFd)> {
    let (mut master, mut slave) = (-1, -1);
    let mut size = libc::winsize { ws_row: 50, ws_col: 100, ws_xpixel: 0, ws_ypixel: 0 };
    // SAFETY: the two descriptors are written; name and attributes may be null; the size is valid.
    let opened = unsafe {
        libc::openpty(
            &raw mut master,
            &raw mut slave,
            std::ptr::null_mut(),
            std::ptr::null_mut(),
            &raw mut size,
        )
    };
    if opened != 0 {
        return None;
    }
    // SAFETY: both were just opened and belong to nobody else; the flag is set on our own.
    unsafe {
        libc::fcntl(master.as_raw_fd(), libc::F_SETFD, libc::FD_CLOEXEC);
        libc::fcntl(slave.as_raw_fd(), libc::F_SETFD, libc::FD_CLOEXEC);
        Some((OwnedFd::from_raw_fd(master), OwnedFd::from_raw_fd(slave)))
    }
}
