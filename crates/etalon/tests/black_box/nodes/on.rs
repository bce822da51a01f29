//! `--on ssh:…`: an experiment on real servers, and what goes wrong with them.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use super::ssh::SshNodes;
use super::unfit::before_all;
use crate::support::{Ended, Lab, Record, Running, has, held, joined, signal, tame, until};

pub(super) const NODES: [&str; 3] = ["n1", "n2", "n3"];

/// Two commands that are no programs of the nodes, the first of which can be held by a file in this directory.
pub(super) fn commands(lab: &Lab, at: &str) {
    lab.script("one", &format!("cat below/data >/dev/null; sleep 0.02; {}", held(at)));
    lab.script("two", "sleep 0.02");
    fs::create_dir_all(lab.path("below")).unwrap();
    lab.write("below/data", "data");
}

pub(super) fn start(lab: &Lab, nodes: &SshNodes, arguments: &[&str]) -> Running {
    let mut command = lab.etalon(arguments);
    nodes.reachable(&mut command);
    Running::start(command)
}

pub(super) fn run(lab: &Lab, nodes: &SshNodes, arguments: &[&str]) -> Ended {
    start(lab, nodes, arguments).end()
}

/// Each block once, with all benchmarks, and on one node; the blocks of each node.
#[track_caller]
pub(super) fn blocks_of_nodes(record: &Record, blocks: usize) -> Vec<usize> {
    let mut seen: BTreeMap<u64, Vec<(u64, u64)>> = BTreeMap::new();
    for observation in record.measured() {
        let number = |key: &str| observation[key].as_u64().expect(key);
        seen.entry(number("block")).or_default().push((number("benchmark"), number("node")));
    }
    assert_eq!(seen.len(), blocks);
    let benchmarks = record.of_type("benchmark").len() as u64;
    let mut of_nodes = vec![0; record.of_type("node").len()];
    for (block, mut of_block) in seen {
        of_block.sort_unstable();
        let node = of_block[0].1;
        let whole: Vec<_> = (0..benchmarks).map(|benchmark| (benchmark, node)).collect();
        assert_eq!(of_block, whole, "block {block}");
        of_nodes[usize::try_from(node).unwrap()] += 1;
    }
    of_nodes
}

#[track_caller]
pub(super) fn nothing_left_on(nodes: &SshNodes, node: &str) {
    let entries = |path: &Path| -> Vec<String> {
        let entries = fs::read_dir(path).unwrap().flatten();
        entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect()
    };
    assert_eq!(nodes.work(node), [] as [i32; 0], "{node}");
    assert_eq!(entries(&nodes.path(node, "tmp")), [] as [&str; 0], "{node}");
}

/// Looks at these nodes, ends all, and looks at what was started here.
#[track_caller]
pub(super) fn nothing_left(lab: &Lab, nodes: SshNodes, of: &[&str]) {
    of.iter().for_each(|node| nothing_left_on(&nodes, node));
    drop(nodes);
    lab.assert_nothing_left();
}

/// Would catch a block that is executed twice or never, a file that is not sent, a node without a block, a login script
/// that is taken for a worker, and anything left behind.
#[test]
fn blocks_are_shared_by_nodes() {
    let lab = Lab::new();
    let Some(nodes) = SshNodes::start(&lab, 3) else { return };
    commands(&lab, "~");
    fs::write(nodes.path("n2", "home/.bashrc"), "echo welcome; echo to all >&2\n").unwrap();
    let on = ["cmd", "-r", "12", "-w", "1", "--on", "ssh:n1,n2,n3", "--send", "below"];
    let ended = run(&lab, &nodes, &[&on[..], &["--same", "cpu", "./one", "./two"]].concat());
    let ended = ended.expect(0);
    has(&ended.stdout, &["one", "two"]);
    has(&ended.stderr, &["12 blocks on 3 machines: one counts from 10 blocks on"]);
    let record = lab.record();
    let of_nodes = blocks_of_nodes(&record, 12);
    assert!(of_nodes.len() == 3 && !of_nodes.contains(&0), "{of_nodes:?}");
    let names: Vec<_> = record.of_type("node").iter().map(|node| node["name"].clone()).collect();
    assert_eq!(names, NODES);
    assert_eq!(record.warm_ups().len(), 6);
    for node in NODES {
        nothing_left_on(&nodes, node);
    }
    // Any report is of all of it.
    has(&lab.done(["report", "@last"]), &["one", "two"]);
    drop(nodes);
    lab.assert_nothing_left();
}

/// Would catch a block that is lost with its node, or half recorded, and a machine on which something stays when it is
/// switched on again.
#[test]
fn a_node_that_dies_loses_nothing() {
    let lab = Lab::new();
    let Some(mut nodes) = SshNodes::start(&lab, 3) else { return };
    commands(&lab, "~");
    let on = ["cmd", "-r", "40", "--on", "ssh:n1,n2,n3", "--send", "below", "./one", "./two"];
    NODES.iter().for_each(|node| nodes.hold(node, 5));
    let running = start(&lab, &nodes, &on);
    until("some blocks", || NODES.iter().all(|node| nodes.executions(node) >= 5));
    nodes.cut("n2");
    ["n1", "n3"].iter().for_each(|node| nodes.release(node));
    let ended = running.end().expect(0);
    has(&ended.stderr, &["n2 is left out"]);
    let record = lab.record();
    blocks_of_nodes(&record, 40);
    nodes.power_on("n2");
    let again = ["cmd", "-r", "3", "--on", "ssh:n2", "true", "false", "-i"];
    run(&lab, &nodes, &again).expect(0);
    nothing_left(&lab, nodes, &NODES);
}

/// Would catch workers that outlive an interrupt, half a block, and a run that cannot be resumed.
#[test]
fn an_interrupt_ends_all_nodes_and_is_resumed() {
    let lab = Lab::new();
    let Some(nodes) = SshNodes::start(&lab, 2) else { return };
    commands(&lab, "~");
    let on = ["cmd", "-r", "20", "--on", "ssh:n1,n2", "--send", "below", "./one", "./two"];
    let both = ["n1", "n2"];
    both.iter().for_each(|node| nodes.hold(node, 4));
    let running = start(&lab, &nodes, &on);
    until("some blocks", || both.iter().all(|node| nodes.executions(node) >= 4));
    signal(running.pid(), libc::SIGINT);
    running.end().expect(130);
    for node in both {
        nothing_left_on(&nodes, node);
        nodes.release(node);
    }
    let there = lab.record();
    assert!(blocks_of_nodes(&there, there.measured().len() / 2).iter().all(|it| *it > 0));
    run(&lab, &nodes, &["cmd", "--resume", "@last"]).expect(0);
    blocks_of_nodes(&lab.record(), 20);
    drop(nodes);
    lab.assert_nothing_left();
}

/// Would catch an option that is handed to ssh as a host, a machine that is waited for or silently left out, and one that
/// keeps the others from being measured.
#[test]
fn machines_of_no_use_are_named() {
    let lab = Lab::new();
    let Some(nodes) = SshNodes::start(&lab, 3) else { return };
    commands(&lab, "~");
    let ended = lab.run(["noise", "--on", "ssh:n1"]).expect(2);
    has(&ended.stderr, &["does not measure on other machines yet"]);
    for host in ["ssh:-oProxyCommand=x", "ssh:a b", "ssh:", "n1", "ssh:n1,n1"] {
        let ended = run(&lab, &nodes, &["cmd", "--on", host, "true"]).expect(2);
        has(&ended.stderr, &["--on"]);
    }
    // One refuses the key, one has no room, one has another name.
    fs::write(nodes.path("n1", "authorized_keys"), "").unwrap();
    fs::create_dir(nodes.path("n2", "home/bin")).unwrap();
    let df = nodes.path("n2", "home/bin/df");
    fs::write(&df, "#!/bin/sh\necho /dev/x 100 50 50 50% /\n").unwrap();
    fs::set_permissions(&df, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    fs::write(nodes.path("n2", "home/.bashrc"), "PATH=$HOME/bin:$PATH\n").unwrap();
    let on = ["cmd", "-r", "3", "--on", "ssh:n1,n2,n3,nowhere", "true", "false", "-i"];
    let ended = run(&lab, &nodes, &on).expect(0);
    has(&ended.stderr, &["n1: ", "Permission denied", "n2: ", "MB are needed", "nowhere: "]);
    assert_eq!(lab.record().of_type("node").len(), 1);
    let ended = run(&lab, &nodes, &["cmd", "-r", "3", "--on", "ssh:n1,n2", "true"]).expect(2);
    has(&ended.stderr, &["no node can be measured on"]);
    let ended = run(&lab, &nodes, &["cmd", "-r", "3", "--on", "ssh:n3,root@n3", "true"]).expect(0);
    has(&ended.stderr, &["root@n3: it is the same machine as n3"]);
    for what in [&["--stdout", "inherit"][..], &["--show-output"], &["-f", "-"]] {
        let ended = run(&lab, &nodes, &[&["cmd", "--on", "ssh:n3"], what, &["true"]].concat());
        has(&ended.expect(2).stderr, &[&format!("--on with {}: ", what.join(" "))]);
    }
    // A directory and a file of this one are there, too.
    fs::create_dir_all(lab.path("below/out")).unwrap();
    lab.script("below/in", "test -e data");
    let below = ["cmd", "-r", "3", "--on", "ssh:n3", "--cwd", "below", "--stdout", "below/out/x"];
    run(&lab, &nodes, &[&below[..], &["./in", "cat data"]].concat()).expect(0);
    // A program that a node has not, and one that fails there.
    lab.script("here", "exit 0");
    let absolute = lab.path("here").display().to_string();
    let ended = run(&lab, &nodes, &["cmd", "-r", "3", "--on", "ssh:n3", &absolute]);
    has(&ended.expect(2).stderr, &["n3: ", "here"]);
    let ended = run(&lab, &nodes, &["cmd", "-r", "3", "--on", "ssh:n3", "true", "false"]);
    has(&ended.expect(1).stderr, &["exited with code 1"]);
    nothing_left(&lab, nodes, &["n3"]);
}

/// Would catch a program that is executed although another one arrived, a line that was changed on its way and counts, and
/// a node that is given up because its `/tmp` is mounted `noexec`.
#[test]
fn what_arrives_is_checked() {
    let lab = Lab::new();
    let Some(nodes) = SshNodes::start(&lab, 3) else { return };
    commands(&lab, "~");
    nodes.inside("n3", "mount -t tmpfs -o noexec none /tmp");
    fs::create_dir(lab.path("bin")).unwrap();
    // The last byte of the program for n1 is another one, and so is each line that n2 sends.
    let wrapper = "PATH=${PATH#*:}\ncase \"$*\" in\n\
                   *'-- n1 '*'cat >'*) { head -c -1; printf x; } | ssh \"$@\" ;;\n\
                   *'-- n2 '*' worker'*) ssh \"$@\" | sed -u 's/\"user\"/\"USER\"/' ;;\n\
                   *) exec ssh \"$@\" ;;\nesac";
    lab.script("bin/ssh", wrapper);
    let mut command =
        lab.etalon(["cmd", "-r", "6", "--on", "ssh:n1,n2,n3", "--send", "below", "./one", "./two"]);
    nodes.reachable(&mut command);
    before_all(&lab, &mut command);
    let ended = Running::start(command).end().expect(0);
    has(&ended.stderr, &["n1: the program that arrived there is another one"]);
    has(&ended.stderr, &["n2 is left out", "what it delivered is not what it was asked for"]);
    let of_nodes = blocks_of_nodes(&lab.record(), 6);
    assert_eq!(of_nodes, [0, 6]);
    nothing_left(&lab, nodes, &["n1", "n2"]);
}

/// Would catch a finished block that is lost, or counts twice, or something that stays, whenever a node is killed.
#[test]
fn nodes_are_killed_at_any_moment() {
    let lab = Lab::new();
    let Some(mut nodes) = SshNodes::start(&lab, 2) else { return };
    commands(&lab, "~");
    for after in [1, 2, 3, 5, 8, 13] {
        let on = ["cmd", "-r", "30", "--on", "ssh:n1,n2", "--send", "below", "./one", "./two"];
        let held = ["n1", "n2"].map(|node| (node, nodes.executions(node) + after));
        held.iter().for_each(|(node, from)| nodes.hold(node, *from));
        let running = start(&lab, &nodes, &on);
        until("some blocks", || held.iter().all(|(node, from)| nodes.executions(node) >= *from));
        // It goes on for two executions, and is killed somewhere in these.
        nodes.hold("n1", held[0].1 + 2);
        nodes.cut("n1");
        nodes.release("n2");
        running.end().expect(0);
        blocks_of_nodes(&lab.record(), 30);
        nothing_left_on(&nodes, "n2");
        nodes.power_on("n1");
    }
    drop(nodes);
    lab.assert_nothing_left();
}

/// Would catch a run that is copied twice or not at all, a label that is lost, one that is being measured and is copied,
/// and a program that stays on the other machine.
#[test]
fn runs_of_another_machine_are_copied_once() {
    let lab = Lab::new();
    let Some(nodes) = SshNodes::start(&lab, 1) else { return };
    let there = nodes.path("n1", "home/.local/state/etalon");
    let measured = |name: &str| {
        for words in [&["cmd", "-r", "3", "true"][..], &["runs", "name", "@last", name]] {
            let mut command = lab.etalon(words);
            command.env("ETALON_HOME", &there);
            Running::start(command).end().expect(0);
        }
    };
    has(&run(&lab, &nodes, &["runs", "pull", "n1"]).expect(0).stderr, &["0 runs from n1"]);
    measured("first");
    measured("second");
    let ended = run(&lab, &nodes, &["runs", "pull", "n1"]).expect(0);
    has(&ended.stderr, &["2 runs from n1; none was there already"]);
    measured("third");
    let ended = run(&lab, &nodes, &["runs", "pull", "n1"]).expect(0);
    has(&ended.stderr, &["1 run from n1; 2 were there already"]);
    let names: Vec<_> = fs::read_dir(there.join("runs")).unwrap().flatten().collect();
    assert_eq!((lab.saved().len(), names.len()), (3, 3));
    for copy in lab.saved() {
        let original = there.join("runs").join(copy.file_name().unwrap());
        assert_eq!(fs::read(&copy).unwrap(), fs::read(original).unwrap());
    }
    has(&lab.done(["runs", "--all"]), &["first", "second", "third"]);
    for host in ["-oProxyCommand=x", "a b"] {
        run(&lab, &nodes, &["runs", "pull", "--", host]).expect(2);
    }
    let ended = run(&lab, &nodes, &["runs", "pull", "nowhere"]).expect(2);
    has(&ended.stderr, &["nowhere: "]);
    nothing_left(&lab, nodes, &["n1"]);
}

/// Would catch a machine that is not named, a difference that nobody hears of, an unfit one that passes, and an option
/// that is passed over.
#[test]
fn machines_stand_side_by_side() {
    let lab = Lab::new();
    let Some(nodes) = SshNodes::start(&lab, 3) else { return };
    fs::write(nodes.path("n3", "authorized_keys"), "").unwrap();
    // One has a setting that no other has, in a tree that is read in place of its own files.
    fs::create_dir_all(nodes.path("n2", "home/system/proc/self")).unwrap();
    fs::write(nodes.path("n2", "home/system/proc/self/timerslack_ns"), "1\n").unwrap();
    fs::write(nodes.path("n2", "home/.bashrc"), "export ETALON_SYSROOT=$HOME/system\n").unwrap();
    let ended = run(&lab, &nodes, &["doctor", "--quick", "--on", "ssh:n1,n2,n3"]).expect(1);
    tame(&ended.stdout);
    let said = joined(&ended.stdout);
    has(
        &said,
        &["n1", "n2", "Whatdiffers:", "timerslack:", "onn1", "Notlookedat:n3:", "Permissiondenied"],
    );
    for option in ["--json", "--full", "--fix", "--nodes=2"] {
        let ended = run(&lab, &nodes, &["doctor", "--on", "ssh:n1", option]).expect(2);
        has(&ended.stderr, &[option.split('=').next().unwrap()]);
    }
    let ended = run(&lab, &nodes, &["doctor", "--spin", "0.1s", "--on", "ssh:n3"]).expect(2);
    has(&ended.stderr, &["no node can be", "n3: "]);
    nothing_left(&lab, nodes, &["n1"]);
}
