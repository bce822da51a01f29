//! OpenSSH servers on ports of this machine, each a node with a home, a `/tmp` and a host name of its own.

use std::ffi::OsString;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::{Node, Place, can_have, free_ports, wait_for};
use crate::support::{Lab, MARK, Running, exclusively, has, signal, until};

/// The first process of a node. What is bound is seen by this node only: its directory at a place that no home and no
/// `/tmp` hides, a root that is not locked, and both directories that a job is sent to.
const BOOT: &str = r#"mount -t tmpfs none /run
mkdir -m 755 /run/node /run/sshd
mount --bind "$0" /run/node
mount --bind /run/node/shadow /etc/shadow
mount --bind /run/node/home ~root
mount --bind /run/node/tmp /tmp
cat /run/node/name >/proc/sys/kernel/hostname
cd /
"$(command -v sshd || echo /usr/sbin/sshd)" -D -f /run/node/sshd_config -E /run/node/log &
wait"#;

/// Servers `n1`, `n2`, … and a client that knows them: a configuration, a key, the servers' keys.
pub(crate) struct SshNodes {
    /// `None` where the power is cut.
    nodes: Vec<Option<Node>>,
    ports: Vec<u16>,
    /// Below the directory of the build, because every node has a `/tmp` of its own.
    far: Place,
    near: Place,
}

impl SshNodes {
    /// Starts so many; what they start belongs to the laboratory. Without what they need, there is a reason instead.
    pub(crate) fn start(lab: &Lab, count: usize) -> Option<SshNodes> {
        if !can_have("experiments over ssh", &["ssh", "ssh-keygen", "/usr/sbin/sshd", "setpriv"]) {
            return None;
        }
        let far = Place::below(Path::new(env!("CARGO_TARGET_TMPDIR")));
        let near = Place::below(&std::env::temp_dir());
        let ports = free_ports(count);
        let mut nodes = SshNodes { nodes: Vec::new(), ports, far, near };
        make_key(&nodes.near.path("key"));
        let mark = lab.mark().into_string().expect("a plain path");
        for index in 0..count {
            nodes.furnish(index, &mark);
            nodes.nodes.push(None);
            nodes.power_on(&name(index));
        }
        nodes.furnish_client();
        Some(nodes)
    }

    /// What is in the directory of a node before it starts.
    fn furnish(&self, index: usize, mark: &str) {
        let name = name(index);
        for (directory, mode) in [("", 0o755), ("/home", 0o700), ("/tmp", 0o1777)] {
            let path = self.far.path(&format!("{name}{directory}"));
            fs::create_dir(&path).expect("a directory of a node");
            fs::set_permissions(&path, fs::Permissions::from_mode(mode)).expect("its mode");
        }
        make_key(&self.far.path(&format!("{name}/host_key")));
        let key = fs::read_to_string(self.near.path("key.pub")).expect("the client's key");
        let port = self.ports[index];
        let configuration = format!(
            "Port {port}\nListenAddress 127.0.0.1\nHostKey /run/node/host_key\nPidFile none\n\
             AuthorizedKeysFile /run/node/authorized_keys\nStrictModes no\nUsePAM no\nUseDNS no\n\
             PasswordAuthentication no\nPermitRootLogin prohibit-password\nMaxSessions 20\n\
             MaxStartups 100\nSubsystem sftp internal-sftp\nSetEnv {MARK}={mark} ETALON_NODE={name}\n"
        );
        let files = [
            ("name", name.as_str()),
            ("shadow", "root:*:19000:0:99999:7:::\n"),
            ("authorized_keys", &key),
            ("sshd_config", &configuration),
        ];
        for (file, text) in files {
            self.far.write(&format!("{name}/{file}"), text);
        }
    }

    /// A configuration of ssh with all nodes, and programs `ssh`, `scp` and `sftp` that read it in place of the user's.
    fn furnish_client(&self) {
        let (mut hosts, mut known) = (String::new(), String::new());
        for (index, port) in self.ports.iter().enumerate() {
            let name = name(index);
            let key = self.far.path(&format!("{name}/host_key.pub"));
            let key = fs::read_to_string(key).expect("a server's key");
            known += &format!("{name} {key}");
            hosts += &format!("Host {name}\n  HostKeyAlias {name}\n  Port {port}\n");
        }
        let known = self.near.write("known_hosts", &known);
        let (key, known) = (self.near.path("key"), known.display());
        hosts += &format!(
            "Host *\n  HostName 127.0.0.1\n  User root\n  IdentityFile {}\n  IdentitiesOnly yes\n  \
             UserKnownHostsFile {known}\n  StrictHostKeyChecking yes\n  BatchMode yes\n",
            key.display()
        );
        let configuration = self.near.write("config", &hosts);
        fs::create_dir(self.near.path("bin")).expect("a directory for programs");
        for program in ["ssh", "scp", "sftp"] {
            let text = format!(
                "#!/bin/sh\nexec /usr/bin/{program} -F '{}' \"$@\"\n",
                configuration.display()
            );
            let path = self.near.write(&format!("bin/{program}"), &text);
            fs::set_permissions(path, fs::Permissions::from_mode(0o755)).expect("its mode");
        }
    }

    /// The command finds `ssh n1` by then.
    pub(crate) fn reachable(&self, command: &mut Command) {
        let set = command.get_envs().find(|(name, _)| *name == "PATH").and_then(|(_, value)| value);
        let others =
            set.map_or_else(|| std::env::var_os("PATH").unwrap_or_default(), OsString::from);
        let places = std::iter::once(self.near.path("bin")).chain(std::env::split_paths(&others));
        command.env("PATH", std::env::join_paths(places).expect("plain paths"));
    }

    /// Where a path of a node is on this machine: its home is `home`, its `/tmp` is `tmp`.
    pub(crate) fn path(&self, node: &str, path: &str) -> PathBuf {
        self.far.path(node).join(path)
    }

    /// Has what can be held there last from so many of its executions on (`held("~")`).
    pub(crate) fn hold(&self, node: &str, from: usize) {
        fs::write(self.path(node, "home/hold"), from.to_string()).expect("a file to be written");
    }

    /// Lets what is held there end, and what comes after it.
    pub(crate) fn release(&self, node: &str) {
        fs::remove_file(self.path(node, "home/hold")).expect("a file to be removed");
    }

    /// How many executions of what can be held were begun there.
    pub(crate) fn executions(&self, node: &str) -> usize {
        fs::read(self.path(node, "home/done")).map_or(0, |done| done.len())
    }

    /// All processes of a node but those of its server, which is its first process, the listener and connections.
    pub(crate) fn work(&self, node: &str) -> Vec<i32> {
        self.processes(node).into_iter().filter(|pid| is_work(*pid)).collect()
    }

    fn processes(&self, node: &str) -> Vec<i32> {
        self.nodes[index(node)].as_ref().map(Node::processes).unwrap_or_default()
    }

    /// Sends a signal to the server of a node and to its connections: `SIGSTOP` is a network that is gone, `SIGCONT`
    /// one that is back.
    pub(crate) fn signal_server(&self, node: &str, number: i32) {
        // Each process by itself: one that begins meanwhile is none of the server's.
        for pid in self.processes(node).into_iter().filter(|pid| !is_work(*pid)) {
            signal(pid, number);
        }
    }

    /// Executes a command of the shell in a node, which sees its files.
    pub(crate) fn inside(&self, node: &str, script: &str) {
        self.nodes[index(node)].as_ref().expect("a node with power").inside(script);
    }

    /// Cuts the power of a node.
    pub(crate) fn cut(&mut self, node: &str) {
        self.nodes[index(node)] = None;
    }

    /// Starts a node whose power was cut; its files are as they were.
    pub(crate) fn power_on(&mut self, node: &str) {
        let started = Node::start(BOOT, [self.far.path(node)]);
        wait_for(self.ports[index(node)]);
        self.nodes[index(node)] = Some(started);
    }
}

fn name(index: usize) -> String {
    format!("n{}", index + 1)
}

fn index(node: &str) -> usize {
    node.strip_prefix('n').and_then(|it| it.parse::<usize>().ok()).expect("a name of a node") - 1
}

/// Whether a process is none of the server's. One that has ended and is not reaped has no words any more.
fn is_work(pid: i32) -> bool {
    let comm = fs::read_to_string(format!("/proc/{pid}/comm")).unwrap_or_default();
    let first = fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
    let is_boot = first.windows(BOOT.len()).any(|part| part == BOOT.as_bytes());
    !first.is_empty() && comm != "sshd\n" && !is_boot
}

fn make_key(path: &Path) {
    let mut command = Command::new("ssh-keygen");
    command.args(["-q", "-t", "ed25519", "-N", "", "-C", "etalon", "-f"]).arg(path);
    let made = exclusively(|| command.output().expect("ssh-keygen"));
    assert!(made.status.success(), "{made:?}");
}

/// Executes a command of the shell in the laboratory, where `ssh n1` works.
fn shell(nodes: &SshNodes, lab: &Lab, script: &str) -> Running {
    let mut command = lab.shell(script);
    nodes.reachable(&mut command);
    Running::start(command)
}

/// Would catch a client that reads the user's configuration, nodes that share a name, a home or a `/tmp`, a power cut
/// that leaves a process or another node's, and a node that does not come back.
#[test]
fn nodes_are_reached_by_plain_ssh() {
    let lab = Lab::new();
    let Some(mut nodes) = SshNodes::start(&lab, 3) else { return };
    for node in ["n1", "n2", "n3"] {
        let script =
            format!("ssh -- {node} 'hostname; cd; pwd -P; echo {node} >/tmp/own; ls /tmp ~'");
        let ended = shell(&nodes, &lab, &script).end().expect(0);
        has(&ended.stdout, &[&format!("{node}\n"), "own\n"]);
        assert_eq!(ended.stderr, "");
        assert_eq!(fs::read_to_string(nodes.path(node, "tmp/own")).unwrap(), format!("{node}\n"));
        assert_eq!(fs::read_dir(nodes.path(node, "home")).unwrap().count(), 0);
    }
    // A file goes there and back.
    lab.write("file", [0, 255, 10]);
    shell(&nodes, &lab, "scp -q file n2:/tmp/copy && scp -q n2:/tmp/copy back").end().expect(0);
    assert_eq!(lab.read("back"), [0, 255, 10]);

    let waiting = |node: &str| {
        let script = "until [ -e /tmp/go ]; do sleep 0.01; done; echo woken";
        shell(&nodes, &lab, &format!("ssh -- {node} '{script}'"))
    };
    let (lost, other) = (waiting("n2"), waiting("n3"));
    until("work", || ["n2", "n3"].iter().all(|node| !nodes.work(node).is_empty()));
    nodes.cut("n2");
    // ssh says 255 of a connection that broke.
    lost.end().expect(255);
    assert!(nodes.work("n2").is_empty());
    shell(&nodes, &lab, "ssh -- n2 true").end().expect(255);
    nodes.power_on("n2");
    let ended = shell(&nodes, &lab, "ssh -- n2 cat /tmp/own").end().expect(0);
    assert_eq!(ended.stdout, "n2\n");

    // A network that is gone for a while loses nothing of what was done meanwhile.
    nodes.signal_server("n3", libc::SIGSTOP);
    fs::write(nodes.path("n3", "tmp/go"), "").unwrap();
    until("the end of the work", || nodes.work("n3").is_empty());
    nodes.signal_server("n3", libc::SIGCONT);
    assert_eq!(other.end().expect(0).stdout, "woken\n");
    drop(nodes);
    lab.assert_nothing_left();
}
