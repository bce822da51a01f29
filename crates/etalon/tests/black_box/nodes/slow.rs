//! Nodes that are slow, stopped, or not to be had: none of them holds the others.

use std::fs;
use std::path::Path;

use super::on::{blocks_of_nodes, commands, nothing_left, run, start};
use super::ssh::SshNodes;
use crate::support::{Lab, Running, has, held, joined, signal, until};

/// Waits for seconds where others wait for a minute.
fn start_impatient(lab: &Lab, nodes: &SshNodes, arguments: &[&str]) -> Running {
    let mut command = lab.etalon(arguments);
    command.env("ETALON_NODE_WAIT", "10");
    nodes.reachable(&mut command);
    Running::start(command)
}

/// Stops this program on a node as a file system does that hangs: its connection lives. What was stopped.
fn freeze(nodes: &SshNodes, node: &str) -> Vec<i32> {
    let is_it = |pid: &i32| {
        fs::read_to_string(format!("/proc/{pid}/comm")).is_ok_and(|comm| comm == "etalon\n")
    };
    let frozen: Vec<i32> = nodes.work(node).into_iter().filter(is_it).collect();
    assert!(!frozen.is_empty());
    frozen.iter().for_each(|pid| signal(*pid, libc::SIGSTOP));
    frozen
}

/// Whatever was stopped goes on, and ends by itself.
fn thaw(nodes: &SshNodes, node: &str, frozen: &[i32]) {
    frozen.iter().for_each(|pid| signal(*pid, libc::SIGCONT));
    let tmp = nodes.path(node, "tmp");
    until("an empty node", || {
        nodes.work(node).is_empty() && fs::read_dir(&tmp).unwrap().count() == 0
    });
}

/// Would catch a run that waits without an end for a worker that is stopped: when all is done, when the user interrupts it,
/// and when its time is over.
#[test]
fn a_stopped_worker_is_given_up() {
    let lab = Lab::new();
    let Some(nodes) = SshNodes::start(&lab, 3) else { return };
    lab.script("one", &format!("sleep 0.02; {}", held("~")));
    // All that comes before the blocks is done then.
    nodes.hold("n2", 7);
    let on = ["cmd", "-r", "40", "--on", "ssh:n1,n2", "./one", "sleep 0.02"];
    let running = start(&lab, &nodes, &on);
    until("a block that does not end", || nodes.executions("n2") >= 7);
    let frozen = freeze(&nodes, "n2");
    let ended = running.end().expect(0);
    has(&ended.stderr, &["n2 is left out from here on: it was told to end what it does"]);
    blocks_of_nodes(&lab.record(), 40);
    nodes.release("n2");
    thaw(&nodes, "n2", &frozen);

    // Nobody else is there to do it.
    fs::remove_file(nodes.path("n1", "home/done")).unwrap();
    // A budget is no limit of the first ten blocks, and none is so precise that it ends sooner.
    let on = ["cmd", "--total-budget", "6s", "--precision", "0.001%", "--on", "ssh:n3", "./one"];
    nodes.hold("n3", 15);
    let timed = start_impatient(&lab, &nodes, &on);
    until("a block that does not end", || nodes.executions("n3") >= 15);
    let timed_out = freeze(&nodes, "n3");
    let on = ["cmd", "-r", "4000", "--on", "ssh:n1", "./one"];
    let interrupted = start_impatient(&lab, &nodes, &on);
    until("work", || nodes.executions("n1") > 0);
    let stopped = freeze(&nodes, "n1");
    signal(interrupted.pid(), libc::SIGINT);
    has(&interrupted.end().expect(130).stderr, &["n1 is left out from here on"]);
    has(&timed.end().stderr, &["n3 is left out from here on"]);
    thaw(&nodes, "n1", &stopped);
    nodes.release("n3");
    thaw(&nodes, "n3", &timed_out);
    nothing_left(&lab, nodes, &["n1", "n2", "n3"]);
}

/// Would catch login scripts that are waited for without an end, and words about them that do not say what is wrong.
#[test]
fn login_scripts_that_do_not_end_are_named() {
    let lab = Lab::new();
    let Some(nodes) = SshNodes::start(&lab, 4) else { return };
    let scripts = ["echo loading; sleep 1000", "echo no entry >&2; exit 3", "yes"];
    for (node, script) in ["n1", "n2", "n3"].into_iter().zip(scripts) {
        fs::write(nodes.path(node, "home/.bashrc"), format!("{script}\n")).unwrap();
    }
    let on = ["cmd", "-r", "3", "--on", "ssh:n1,n2,n3,n4", "true", "false", "-i"];
    let ended = start_impatient(&lab, &nodes, &on).end().expect(0);
    has(
        &ended.stderr,
        &[
            "n1: its login scripts have not ended after 10 s (`loading`)",
            "n2: its shell ended before it executed `sh`, exit status: 3 (`no entry`)",
            "n3: its login scripts print without an end (`y`)",
            "~/.bashrc",
        ],
    );
    assert_eq!(lab.record().of_type("node").len(), 1);
    let mut command = lab.etalon(["cmd", "--on", "ssh:n4", "true"]);
    command.env("ETALON_NODE_WAIT", "soon");
    has(&Running::start(command).end().expect(2).stderr, &["ETALON_NODE_WAIT"]);
    nothing_left(&lab, nodes, &["n4"]);
}

/// Would catch a share that is lost because blocks are short, and a node that delivers nothing and is not named.
#[test]
fn shares_hold_for_short_blocks() {
    let lab = Lab::new();
    let Some(nodes) = SshNodes::start(&lab, 3) else { return };
    lab.script("one", "! [ -e ~/slow ] || sleep 0.3; ! [ -e ~/slower ] || sleep 1000");
    fs::write(nodes.path("n2", "home/slow"), "").unwrap();
    let on = ["cmd", "-r", "30", "--on", "ssh:n1,n2,n3", "./one", "true"];
    let ended = run(&lab, &nodes, &on).expect(0);
    assert_eq!(blocks_of_nodes(&lab.record(), 30), [10, 10, 10]);
    assert!(!ended.stderr.contains("delivered no block"), "{}", ended.stderr);

    fs::write(nodes.path("n3", "home/slower"), "").unwrap();
    let ended = run(&lab, &nodes, &on).expect(0);
    has(&ended.stderr, &["n3 delivered no block: others were faster"]);
    assert_eq!(blocks_of_nodes(&lab.record(), 30)[2], 0);
    has(&joined(&lab.done(["report", "@last"])), &["n3deliverednoblock"]);
    nothing_left(&lab, nodes, &["n1", "n2", "n3"]);
}

/// Would catch machines that differ and nobody hears of, and `--same cpu` that passes them.
#[test]
fn machines_that_differ_are_told() {
    let lab = Lab::new();
    let Some(nodes) = SshNodes::start(&lab, 3) else { return };
    let another = "{ printf 'processor\\t: 0\\nmodel name\\t: Another CPU 9000\\n\\n'; cat /proc/cpuinfo; } \
                   >/run/node/cpuinfo; mount --bind /run/node/cpuinfo /proc/cpuinfo";
    nodes.inside("n1", another);
    let on = ["cmd", "-r", "3", "--on", "ssh:n1,n2,n3", "true", "true"];
    let ended = run(&lab, &nodes, &on).expect(0);
    let line = "the machines have different CPUs: Another CPU 9000 on n1; ";
    has(&ended.stderr, &[line, " on n2, n3"]);
    let told = lab.json(["report", "@last", "--json"])["notes"].to_string();
    has(&told, &[line]);
    has(&joined(&lab.done(["report", "@last"])), &["differentCPUs:AnotherCPU9000onn1;"]);
    let ended = run(&lab, &nodes, &[&on[..], &["--same", "cpu"]].concat()).expect(2);
    has(&ended.stderr, &["n2 has another CPU", "than n1 (Another CPU 9000"]);
    nothing_left(&lab, nodes, &["n1", "n2", "n3"]);
}

/// Would catch processes, files and connections that outlive this program when it is killed, and a run that cannot be
/// resumed then.
#[test]
fn nothing_outlives_a_killed_run() {
    let lab = Lab::new();
    let Some(nodes) = SshNodes::start(&lab, 2) else { return };
    commands(&lab, "~");
    let both = ["n1", "n2"];
    both.iter().for_each(|node| nodes.hold(node, 5));
    let on = ["cmd", "-r", "40", "--on", "ssh:n1,n2", "--send", "below", "./one", "./two"];
    let running = start(&lab, &nodes, &on);
    until("some blocks", || both.iter().all(|node| nodes.executions(node) >= 5));
    signal(running.pid(), libc::SIGKILL);
    running.end();
    both.iter().for_each(|node| nodes.release(node));
    let is_empty = |path: &Path| fs::read_dir(path).unwrap().count() == 0;
    for node in ["n1", "n2"] {
        until("an empty node", || {
            nodes.work(node).is_empty() && is_empty(&nodes.path(node, "tmp"))
        });
    }
    run(&lab, &nodes, &["cmd", "--resume", "@last"]).expect(0);
    blocks_of_nodes(&lab.record(), 40);
    nothing_left(&lab, nodes, &["n1", "n2"]);
}

/// Would catch a host that takes nothing but a password, and that is waited for or not named.
#[test]
fn a_password_is_asked_of_nobody() {
    let lab = Lab::new();
    let Some(mut nodes) = SshNodes::start(&lab, 2) else { return };
    nodes.cut("n1");
    let path = nodes.path("n1", "sshd_config");
    let other = "PasswordAuthentication yes\nPubkeyAuthentication no";
    let text = fs::read_to_string(&path).unwrap();
    fs::write(&path, text.replace("PasswordAuthentication no", other)).unwrap();
    nodes.power_on("n1");
    let on = ["cmd", "-r", "3", "--on", "ssh:n1,n2", "true", "false", "-i"];
    let ended = run(&lab, &nodes, &on).expect(0);
    has(&ended.stderr, &["n1: ", "Permission denied (password", "the others go on without it"]);
    assert_eq!(lab.record().of_type("node").len(), 1);
    nothing_left(&lab, nodes, &["n1", "n2"]);
}
