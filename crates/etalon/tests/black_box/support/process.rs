//! Processes: started with nothing inherited by accident, waited for with a limit, found again.

use std::ffi::OsStr;
use std::io::Read;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// After this a process is taken to hang. Far beyond what anything here takes on a busy machine.
const LIMIT: Duration = Duration::from_secs(300);

/// A file that one thread has open for writing must not be inherited by what another one is just
/// starting: executing it would fail with "text file busy".
static STARTING: Mutex<()> = Mutex::new(());

/// Does something while no process is being started.
pub(crate) fn exclusively<T>(action: impl FnOnce() -> T) -> T {
    let _held = STARTING.lock().unwrap_or_else(PoisonError::into_inner);
    action()
}

/// A started process whose output is being read.
pub(crate) struct Running {
    child: Child,
    stdout: Receiver<Vec<u8>>,
    stderr: Receiver<Vec<u8>>,
}

/// How a process ended.
#[derive(Debug)]
pub(crate) struct Ended {
    /// Its exit code, if it exited.
    pub code: Option<i32>,
    /// The signal that killed it, if one did.
    pub signal: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

impl Running {
    /// Starts it. Streams not set by the caller are read here; nothing is there to be read by it.
    pub(crate) fn start(mut command: Command) -> Running {
        command.stdin(Stdio::null());
        Running::start_with_input(command)
    }

    /// Starts it with the standard input the caller set.
    pub(crate) fn start_with_input(mut command: Command) -> Running {
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = exclusively(|| command.spawn().expect("the program started"));
        let stdout = read(child.stdout.take());
        let stderr = read(child.stderr.take());
        Running { child, stdout, stderr }
    }

    pub(crate) fn pid(&self) -> i32 {
        self.child.id().cast_signed()
    }

    /// Waits for its end and for that of everything it wrote.
    pub(crate) fn end(self) -> Ended {
        let pid = self.pid();
        wait_for_end(pid);
        let status = reap(pid);
        let text = |from: &Receiver<Vec<u8>>| {
            let bytes = from.recv_timeout(LIMIT).expect("its output closed: is something left?");
            String::from_utf8_lossy(&bytes).into_owned()
        };
        let (stdout, stderr) = (text(&self.stdout), text(&self.stderr));
        let exited = libc::WIFEXITED(status);
        Ended {
            code: exited.then(|| libc::WEXITSTATUS(status)),
            signal: (!exited).then(|| libc::WTERMSIG(status)),
            stdout,
            stderr,
        }
    }
}

/// Starts a program, waits for it and writes its peak in KiB to a file.
const APART: &str = "import os, sys
pid = os.posix_spawnp(sys.argv[2], sys.argv[2:], os.environ)
_, status, usage = os.wait4(pid, 0)
open(sys.argv[1], 'w').write(str(usage.ru_maxrss))
sys.exit(os.waitstatus_to_exitcode(status) % 256)";

/// Runs a program below a small process; how it ended, and the largest resident size of it and of all it
/// waited for, in bytes. Because: a child's peak starts at its parent's size, and the process of all tests
/// is large.
pub(crate) fn with_peak(command: &Command) -> (Ended, u64) {
    let to = tempfile::NamedTempFile::new().expect("a file for the peak");
    let mut apart = Command::new("python3");
    apart.args(["-c", APART]).arg(to.path()).arg(command.get_program()).args(command.get_args());
    for (name, value) in command.get_envs() {
        match value {
            Some(value) => apart.env(name, value),
            None => apart.env_remove(name),
        };
    }
    if let Some(directory) = command.get_current_dir() {
        apart.current_dir(directory);
    }
    let ended = Running::start(apart).end();
    let peak = std::fs::read_to_string(to.path()).expect("the peak");
    (ended, peak.parse::<u64>().expect("a number") * 1024)
}

impl Ended {
    /// Asserts the exit code.
    #[track_caller]
    pub(crate) fn expect(self, code: i32) -> Ended {
        let Ended { code: found, signal, stdout, stderr, .. } = &self;
        assert_eq!(*found, Some(code), "(signal {signal:?})\n{stdout}\n--- stderr\n{stderr}");
        self
    }
}

fn read(stream: Option<impl Read + Send + 'static>) -> Receiver<Vec<u8>> {
    let (sender, receiver) = channel();
    let mut stream = stream.expect("a piped stream");
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        let complete = stream.read_to_end(&mut bytes);
        // Nobody listening means that the test has failed already.
        let _unheard = complete.map(|_| sender.send(bytes));
    });
    receiver
}

/// Blocks until a process has ended; it may still have to be reaped.
pub(crate) fn wait_for_end(pid: i32) {
    // SAFETY: the call takes two integers and returns a new descriptor or an error.
    let fd = unsafe { libc::syscall(libc::SYS_pidfd_open, pid, 0) };
    let Some(fd) = i32::try_from(fd).ok().filter(|fd| *fd >= 0) else { return };
    // SAFETY: a descriptor just opened, owned by nobody else.
    let fd = unsafe { OwnedFd::from_raw_fd(fd) };
    let limit = i32::try_from(LIMIT.as_millis()).expect("a short limit");
    let mut polled = libc::pollfd { fd: fd.as_raw_fd(), events: libc::POLLIN, revents: 0 };
    // SAFETY: one writable pollfd of an open descriptor.
    let ready = unsafe { libc::poll(&raw mut polled, 1, limit) };
    if ready == 0 {
        signal(pid, libc::SIGKILL);
        panic!("process {pid} hangs");
    }
}

fn reap(pid: i32) -> i32 {
    let mut status = 0;
    // SAFETY: the pointer is writable; the process is an unreaped child of ours.
    let reaped = unsafe { libc::waitpid(pid, &raw mut status, 0) };
    assert_eq!(reaped, pid, "the child reaped");
    status
}

/// Sends a signal; a process that has gone cannot get it.
pub(crate) fn signal(pid: i32, signal: i32) {
    // SAFETY: kill has no memory preconditions.
    unsafe { libc::kill(pid, signal) };
}

/// Processes that have this value of [`super::MARK`] in their environment, zombies not included.
pub(crate) fn marked(mark: &OsStr) -> Vec<i32> {
    let wanted = [super::MARK.as_bytes(), b"=", mark.as_bytes()].concat();
    let entries = std::fs::read_dir("/proc").expect("/proc").flatten();
    let pids = entries.filter_map(|entry| entry.file_name().to_str()?.parse::<i32>().ok());
    let has_mark = |pid: &i32| {
        let environment = std::fs::read(format!("/proc/{pid}/environ")).unwrap_or_default();
        environment.split(|byte| *byte == 0).any(|variable| variable == wanted)
    };
    pids.filter(has_mark).collect()
}

/// Waits until something has come about.
#[track_caller]
pub(crate) fn until(what: &str, mut come_about: impl FnMut() -> bool) {
    let pause = Duration::from_micros(300);
    for _ in 0..LIMIT.as_micros() / pause.as_micros() {
        if come_about() {
            return;
        }
        std::thread::sleep(pause);
    }
    panic!("never: {what}");
}
