//! Other machines, on this one: real OpenSSH servers and a real Slurm, for a test to start.
//!
//! Owns a node: a process tree in namespaces of its own (processes, mounts, a host name), so that a node can be killed
//! as a power cut does it, and nothing that was started on it outlives it. A node ends with the test that started it,
//! however that ends. Refuses mocks, the user's own `~/.ssh` and the services of this machine.

mod cluster;
mod files;
mod network;
mod on;
mod packages;
mod results;
mod sides;
mod slow;
mod slurm;
mod ssh;
mod suites;
mod threads;
mod unfit;

use std::ffi::OsStr;
use std::fs;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};

use crate::support::{exclusively, signal, skip, until, wait_for_end};

/// The namespaces of a node. `unshare` takes its child with it, and that takes everything else in it.
const APART: [&str; 8] =
    ["--pdeathsig", "KILL", "unshare", "--fork", "--pid", "--kill-child", "--mount-proc", "--uts"];

/// Whether these programs are installed and nodes can be made of them; says so if not.
fn can_have(what: &str, programs: &[&str]) -> bool {
    let lacks = |program: &&&str| {
        let found = Command::new("sh").args(["-c", "command -v \"$0\"", program]).output();
        !found.is_ok_and(|it| it.status.success())
    };
    let missing: Vec<&str> = programs.iter().filter(lacks).copied().collect();
    if !missing.is_empty() {
        skip(&format!("{what}: without {}", missing.join(", ")));
        return false;
    }
    let is_permitted = are_permitted();
    if !is_permitted {
        skip(&format!("{what}: namespaces for its nodes need root"));
    }
    is_permitted
}

fn are_permitted() -> bool {
    let mut apart = Command::new("setpriv");
    apart.args(APART).args(["mount", "-t", "tmpfs", "none", "/run"]);
    // SAFETY: geteuid has no preconditions.
    let is_root = unsafe { libc::geteuid() } == 0;
    is_root && apart.output().is_ok_and(|it| it.status.success())
}

/// Ports that are free, each another one than any that a test has: below those that the system gives to whoever asks for
/// some, as a client does or another test.
fn free_ports(count: usize) -> Vec<u16> {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let free = || {
        let next = NEXT.fetch_add(1, Ordering::Relaxed);
        let at = std::process::id().wrapping_mul(97).wrapping_add(next) % 20_000;
        let port = 10_000 + u16::try_from(at).expect("a small number");
        TcpListener::bind(("127.0.0.1", port)).is_ok().then_some(port)
    };
    std::iter::repeat_with(free).flatten().take(count).collect()
}

/// A directory that is removed when this goes, or when the process of the tests does.
pub(crate) struct Place {
    directory: PathBuf,
    guard: Child,
    /// Open as long as this process lives.
    held: Option<ChildStdin>,
}

/// Nodes are dying while it is removed, and write their last lines.
const GUARD: &str =
    "cat >/dev/null; for i in 1 2 3 4 5 6 7 8 9; do rm -rf -- \"$0\" && exit; sleep 1; done";

impl Place {
    /// A new directory below this one.
    pub(crate) fn below(parent: &Path) -> Place {
        let directory = tempfile::Builder::new().prefix("etalon-nodes-").tempdir_in(parent);
        let directory = directory.expect("a directory").keep();
        let mut command = Command::new("setsid");
        command.args(["sh", "-c", GUARD]).arg(&directory);
        command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
        let mut guard = exclusively(|| command.spawn().expect("a guard"));
        let held = guard.stdin.take();
        Place { directory, guard, held }
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.directory.join(name)
    }

    pub(crate) fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.path(name);
        exclusively(|| fs::write(&path, text).expect("a file to be written"));
        path
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        drop(self.held.take());
        let _status = self.guard.wait();
    }
}

/// A process tree in namespaces of its own. Start it on the thread of the test: it ends with that.
struct Node {
    child: Child,
}

impl Node {
    /// Starts a shell script as the first process of a node, with these arguments; it ends when the script does.
    fn start<S: AsRef<OsStr>>(script: &str, arguments: impl IntoIterator<Item = S>) -> Node {
        let mut command = Command::new("setpriv");
        command.args(APART).args(["sh", "-euc", script]).args(arguments);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        let child = exclusively(|| command.spawn().expect("a node"));
        Node { child }
    }

    /// Processes of the node, by the names of this machine.
    fn processes(&self) -> Vec<i32> {
        let own = format!("/proc/{}/ns/pid_for_children", self.child.id());
        let Ok(own) = fs::read_link(own) else { return Vec::new() };
        let entries = fs::read_dir("/proc").expect("/proc").flatten();
        let pids = entries.filter_map(|entry| entry.file_name().to_str()?.parse::<i32>().ok());
        let is_in = |pid: &i32| {
            fs::read_link(format!("/proc/{pid}/ns/pid")).is_ok_and(|namespace| namespace == own)
        };
        pids.filter(is_in).collect()
    }

    /// Executes a command of the shell in it, which sees its files.
    fn inside(&self, script: &str) {
        let pid = self.processes().first().expect("its first process").to_string();
        // A process that has no files of its own yet would have this machine's changed, for every program on it.
        let files = |pid: &str| fs::read_link(format!("/proc/{pid}/ns/mnt")).ok();
        until("a node with files of its own", || {
            files(&pid).is_some_and(|of| Some(of) != files("self"))
        });
        let mut command = Command::new("nsenter");
        command.args(["--mount", "--target", &pid, "sh", "-euc", script]);
        let done = exclusively(|| command.output().expect("nsenter"));
        assert!(done.status.success(), "{done:?}");
    }

    /// Cuts the power: all its processes are killed at once. Returns when they are gone.
    fn cut(&mut self) {
        let processes = self.processes();
        signal(self.child.id().cast_signed(), libc::SIGKILL);
        let _status = self.child.wait();
        processes.into_iter().for_each(wait_for_end);
    }
}

impl Drop for Node {
    fn drop(&mut self) {
        self.cut();
    }
}

/// Waits until somebody listens on a port of this machine.
fn wait_for(port: u16) {
    until(&format!("a server on port {port}"), || {
        std::net::TcpStream::connect(("127.0.0.1", port)).is_ok()
    });
}

/// Would catch nodes and directories that outlive a test that is killed: this very program is, while it holds some.
#[test]
fn nothing_outlives_a_killed_test() {
    const ROLE: &str = "ETALON_TEST_HOLDS_NODE";
    if let Some(at) = std::env::var_os(ROLE) {
        let place = Place::below(Path::new(&at));
        let _node = Node::start("sleep 1000 & sleep 1000", [] as [&str; 0]);
        place.write("there", "");
        loop {
            std::thread::park();
        }
    }
    if !can_have("nodes of a killed test", &["setpriv", "unshare"]) {
        return;
    }
    let lab = crate::support::Lab::new();
    let mut command = Command::new(std::env::current_exe().expect("this program"));
    command.args(["--exact", "nodes::nothing_outlives_a_killed_test", "--test-threads=1"]);
    command.env(ROLE, lab.path(".")).env(crate::support::MARK, lab.mark());
    let running = crate::support::Running::start(command);
    let entries = || fs::read_dir(lab.path(".")).expect("the laboratory").flatten();
    until("a node", || {
        entries().any(|entry| entry.path().join("there").exists())
            && crate::support::marked(&lab.mark()).len() >= 5
    });
    signal(running.pid(), libc::SIGKILL);
    running.end();
    lab.assert_nothing_left();
    assert_eq!(entries().count(), 0);
}
