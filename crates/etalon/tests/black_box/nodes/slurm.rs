//! A Slurm on this machine: munge, a controller, a daemon for each node; all with keys, ports and files of their own.

use std::fs::{self, File};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::{Node, Place, can_have, free_ports};
use crate::support::{Lab, Running, has, until};

const PROGRAMS: [&str; 7] =
    ["slurmctld", "slurmd", "munged", "sbatch", "squeue", "sinfo", "setpriv"];

/// Executes the rest of the arguments as a daemon below a shell that reaps whatever it leaves.
const DAEMON: &str = "cd /; exec >>\"$0\" 2>&1; \"$@\" & wait";

/// [`DAEMON`] on a machine of its own name, which is the last part of that of its log.
const NODE: &str =
    "echo \"${0##*/}\" >/proc/sys/kernel/hostname; cd /; exec >>\"$0\" 2>&1; \"$@\" & wait";

/// A cluster with nodes `n1`, `n2`, … and the partitions `main`, which is the default, `short`, whose jobs end after two
/// minutes, and `urgent`, whose jobs take nodes from those of others. One of them at a time: another test waits.
pub(crate) struct Slurm {
    /// `None` where the power is cut.
    nodes: Vec<Option<Node>>,
    _controller: Node,
    _munge: Node,
    place: Place,
    _one: File,
}

impl Slurm {
    /// Starts it; returns when every node is idle. Without what it needs, there is a reason instead.
    pub(crate) fn start(count: usize) -> Option<Slurm> {
        if !can_have("experiments with Slurm", &PROGRAMS) {
            return None;
        }
        let one = File::create(std::env::temp_dir().join("etalon-test-slurm.lock"));
        let one = one.expect("a file to be locked");
        one.lock().expect("the lock");
        let place = Place::below(&std::env::temp_dir());
        furnish(&place, count);
        let munge = start_munge(&place);
        let controller =
            start(&place, "slurmctld", &["slurmctld", "-D", "-c", "-f"], &["slurm.conf"]);
        let mut slurm =
            Slurm { nodes: Vec::new(), _controller: controller, _munge: munge, place, _one: one };
        for index in 1..=count {
            slurm.nodes.push(None);
            slurm.boot(&format!("n{index}"));
        }
        until("a Slurm whose nodes are idle", || slurm.idle() == count);
        Some(slurm)
    }

    /// The command finds this cluster by then, whose nodes are machines.
    pub(crate) fn reachable(&self, command: &mut Command) {
        command.env("SLURM_CONF", self.place.path("slurm.conf")).env("ETALON_NODE", "test");
    }

    /// Executes a command of the shell in a node, which sees its files.
    pub(crate) fn inside(&self, node: &str, script: &str) {
        self.nodes[index(node)].as_ref().expect("a node with power").inside(script);
    }

    /// A directory that all nodes see.
    pub(crate) fn shared(&self) -> PathBuf {
        self.place.path("shared")
    }

    /// Cuts the power of a node. The controller is told: it would take minutes to be sure of it.
    pub(crate) fn cut(&mut self, node: &str) {
        self.nodes[index(node)] = None;
        self.ask(&["scontrol", "update", &format!("nodename={node}"), "state=down", "reason=cut"]);
    }

    /// Starts a node whose power was cut.
    pub(crate) fn power_on(&mut self, node: &str) {
        self.boot(node);
        self.ask(&["scontrol", "update", &format!("nodename={node}"), "state=resume"]);
    }

    fn boot(&mut self, node: &str) {
        let words = ["slurmd", "-D", "-N", node, "-f"];
        let started = start_as(NODE, &self.place, (node, &words, &["slurm.conf"]));
        self.nodes[index(node)] = Some(started);
    }

    /// How many nodes wait for work.
    pub(crate) fn idle(&self) -> usize {
        let counts = self.ask(&["sinfo", "-h", "-p", "main", "-t", "idle", "-o", "%D"]);
        counts.lines().filter_map(|line| line.trim().parse::<usize>().ok()).sum()
    }

    /// What a program of Slurm prints.
    pub(crate) fn ask(&self, words: &[&str]) -> String {
        let mut command = Command::new(words[0]);
        command.args(&words[1..]);
        self.reachable(&mut command);
        Running::start(command).end().stdout
    }
}

fn index(node: &str) -> usize {
    node.strip_prefix('n').and_then(|it| it.parse::<usize>().ok()).expect("a name of a node") - 1
}

/// Starts a daemon with options, then paths of the cluster's files.
fn start(place: &Place, log: &str, words: &[&str], files: &[&str]) -> Node {
    start_as(DAEMON, place, (log, words, files))
}

fn start_as(script: &str, place: &Place, (log, words, files): (&str, &[&str], &[&str])) -> Node {
    let mut arguments = vec![place.path(&format!("log/{log}"))];
    arguments.extend(words.iter().map(PathBuf::from));
    arguments.extend(files.iter().map(|file| place.path(file)));
    Node::start(script, arguments)
}

fn start_munge(place: &Place) -> Node {
    let at = |option: &str, file: &str| format!("--{option}={}", place.path(file).display());
    let socket = at("socket", "munge/socket");
    let others = [
        at("key-file", "key"),
        at("pid-file", "munge/pid"),
        at("log-file", "log/munged"),
        at("seed-file", "munge/seed"),
    ];
    let mut words = vec!["munged", "--foreground", "--force", &socket];
    words.extend(others.iter().map(String::as_str));
    let munge = start(place, "munge", &words, &[]);
    until("munge", || place.path("munge/socket").exists());
    munge
}

/// Directories, the key of munge and the configuration.
fn furnish(place: &Place, count: usize) {
    let directory = |path: &Path, mode| {
        fs::create_dir(path).expect("a directory of the cluster");
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).expect("its mode");
    };
    fs::set_permissions(&place.directory, fs::Permissions::from_mode(0o755)).expect("its mode");
    for name in ["state", "spool", "log", "munge", "shared"] {
        directory(&place.path(name), 0o755);
    }
    let key = fs::read("/proc/sys/kernel/random/uuid").expect("something random");
    fs::write(place.path("key"), key.repeat(4)).expect("the key");
    fs::set_permissions(place.path("key"), fs::Permissions::from_mode(0o400)).expect("its mode");

    let host = fs::read_to_string("/proc/sys/kernel/hostname").expect("the name of this machine");
    let host = host.trim().split('.').next().unwrap_or_default();
    let ports = free_ports(count + 1);
    let mut text = format!(
        "ClusterName=etalon\nSlurmctldHost={host}(127.0.0.1)\nSlurmctldPort={}\n\
         SlurmUser=root\nSlurmdUser=root\nAuthType=auth/munge\nAuthInfo=socket={at}/munge/socket\n\
         StateSaveLocation={at}/state\nSlurmdSpoolDir={at}/spool/%n\n\
         SlurmctldPidFile={at}/state/pid\nSlurmdPidFile={at}/spool/%n.pid\n\
         ProctrackType=proctrack/linuxproc\nTaskPlugin=task/none\nMpiDefault=none\n\
         SelectType=select/cons_tres\nSelectTypeParameters=CR_Core\nReturnToService=2\n\
         EnforcePartLimits=ALL\nSlurmdTimeout=10\nKillWait=3\nMinJobAge=300\n\
         PreemptType=preempt/partition_prio\nPreemptMode=REQUEUE\n\
         SchedulerParameters=sched_min_interval=100000,batch_sched_delay=0\n",
        ports[0],
        at = place.directory.display(),
    );
    for (index, port) in ports[1..].iter().enumerate() {
        let name = format!("n{}", index + 1);
        directory(&place.path(&format!("spool/{name}")), 0o755);
        text += &format!(
            "NodeName={name} NodeHostname={name} NodeAddr=127.0.0.1 Port={port} CPUs=1 RealMemory=100\n"
        );
    }
    let all = format!("Nodes=n[1-{count}] State=UP OverSubscribe=EXCLUSIVE");
    text += &format!("PartitionName=main {all} Default=YES MaxTime=INFINITE\n");
    text += &format!("PartitionName=short {all} MaxTime=2\n");
    text += &format!("PartitionName=urgent {all} PriorityTier=9\n");
    place.write("slurm.conf", &text);
}

/// Would catch a cluster that takes no jobs, that executes two tasks of an array on one node, a node whose power cut
/// leaves its job alive or its work undone, a second cluster beside the first, and daemons that outlive the test.
#[test]
fn jobs_are_executed_on_every_node() {
    let lab = Lab::new();
    let Some(mut slurm) = Slurm::start(3) else { return };
    let shared = slurm.shared();
    lab.script(
        "job.sh",
        &format!(
            "cd '{}' && echo $SLURM_ARRAY_TASK_ID $SLURMD_NODENAME $SLURM_RESTART_COUNT >>started
             until [ -e go ]; do sleep 0.01; done; echo $SLURM_ARRAY_TASK_ID >>done",
            shared.display()
        ),
    );
    let submit = |options: &[&str]| {
        let mut command = lab.program("sbatch", options);
        slurm.reachable(&mut command);
        Running::start(command).end()
    };
    let job =
        ["--parsable", "--array=1-3", "--exclusive", "--requeue", "-o", "/dev/null", "./job.sh"];
    let id = submit(&job).expect(0).stdout.trim().to_owned();
    let lines = |file: &str| {
        let text = fs::read_to_string(shared.join(file)).unwrap_or_default();
        text.lines().map(str::to_owned).collect::<Vec<String>>()
    };
    until("three tasks", || lines("started").len() == 3);
    let mut nodes: Vec<String> = lines("started")
        .iter()
        .filter_map(|line| Some(line.split(' ').nth(1)?.to_owned()))
        .collect();
    nodes.sort();
    assert_eq!(nodes, ["n1", "n2", "n3"]);
    has(&slurm.ask(&["squeue", "-h", "-o", "%P %T"]), &["main RUNNING\n"]);
    let refused = submit(&["-p", "none", "./job.sh"]).expect(1);
    has(&refused.stderr, &["invalid partition"]);
    let refused = submit(&["-p", "short", "-t", "60", "./job.sh"]).expect(1);
    has(&refused.stderr, &["time limit"]);

    // A node goes; its task is executed again, on the same node when that is back.
    slurm.cut("n2");
    slurm.power_on("n2");
    let pending = || slurm.ask(&["squeue", "-h", "-r", "-t", "PD", "-o", "%i"]);
    until("the lost task in the queue", || pending().starts_with(&format!("{id}_")));
    let start_now = |task: &str| {
        slurm.ask(&["scontrol", "update", &format!("jobid={task}"), "StartTime=now"]);
    };
    pending().lines().for_each(start_now);
    until("the task again", || lines("started").len() == 4);
    fs::write(shared.join("go"), "").unwrap();
    until("all of them", || lines("done").len() == 3);
    until("an empty queue", || slurm.ask(&["squeue", "-h"]).is_empty());
    until("idle nodes", || slurm.idle() == 3);
    let place = shared.parent().unwrap().to_owned();
    drop(slurm);
    assert!(!place.exists());
}
