//! A network that is gone for a while, and blocks that two nodes execute for it: whatever is held is under way as long as a
//! test wants, so that nothing here depends on time.

use std::fs;

use super::on::{blocks_of_nodes, commands, nothing_left};
use super::ssh::SshNodes;
use crate::support::{Lab, Running, has, held, joined, until};

/// Two nodes that are held from their fourth execution on, and an experiment that has come so far.
fn held_on_both(wait: &str) -> Option<(Lab, SshNodes, Running)> {
    let lab = Lab::new();
    let nodes = SshNodes::start(&lab, 2)?;
    commands(&lab, "~");
    let both = ["n1", "n2"];
    both.iter().for_each(|node| nodes.hold(node, 4));
    let on = ["cmd", "-r", "20", "--on", "ssh:n1,n2", "--send", "below", "./one", "./two"];
    let mut command = lab.etalon(on);
    command.env("ETALON_NODE_WAIT", wait);
    nodes.reachable(&mut command);
    let running = Running::start(command);
    until("some blocks", || both.iter().all(|node| nodes.executions(node) >= 4));
    Some((lab, nodes, running))
}

/// Would catch blocks that are lost, or executed by another node, because their answer comes late, and a node that gets no
/// more blocks then.
#[test]
fn a_network_that_comes_back_costs_nothing() {
    let Some((lab, nodes, running)) = held_on_both("60") else { return };
    nodes.signal_server("n2", libc::SIGSTOP);
    // Beside the block that was held it has one that waited.
    nodes.release("n2");
    until("all that it was asked for", || nodes.executions("n2") == 5);
    nodes.hold("n2", 8);
    nodes.signal_server("n2", libc::SIGCONT);
    until("blocks after that", || nodes.executions("n2") == 8);
    ["n1", "n2"].iter().for_each(|node| nodes.release(node));
    let ended = running.end().expect(0);
    assert!(!ended.stderr.contains("left out"), "{}", ended.stderr);
    blocks_of_nodes(&lab.record(), 20);
    nothing_left(&lab, nodes, &["n1", "n2"]);
}

/// Would catch a machine that is waited for without an end because nobody says that its network is gone, its blocks lost,
/// and a worker that stays there for ever.
#[test]
fn a_network_that_does_not_come_back_costs_its_node() {
    let Some((lab, nodes, running)) = held_on_both("20") else { return };
    nodes.signal_server("n2", libc::SIGSTOP);
    let record = || fs::read_to_string(lab.saved().last().expect("a record")).unwrap_or_default();
    until("a node that is given up", || record().contains("n2 is left out from here on"));
    nodes.release("n1");
    let ended = running.end().expect(0);
    has(&ended.stderr, &["n2 is left out from here on: the connection was lost", "silent for 6 s"]);
    blocks_of_nodes(&lab.record(), 20);
    has(&joined(&lab.done(["report", "@last"])), &["n2isleftoutfromhereon"]);
    // It comes back when nobody wants it any more.
    nodes.signal_server("n2", libc::SIGCONT);
    until("an empty node", || {
        nodes.work("n2").is_empty() && fs::read_dir(nodes.path("n2", "tmp")).unwrap().count() == 0
    });
    nothing_left(&lab, nodes, &["n1", "n2"]);
}

/// Would catch a block that counts twice because two nodes deliver it, and one that is not told of.
#[test]
fn blocks_that_are_delivered_twice_count_once() {
    let lab = Lab::new();
    let Some(nodes) = SshNodes::start(&lab, 2) else { return };
    lab.script("one", &format!("{}; printf x >> ~/ended", held("~")));
    // Both have their share by then.
    let both = ["n1", "n2"];
    both.iter().for_each(|node| nodes.hold(node, 12));
    let mut command = lab.etalon(["cmd", "-r", "220", "--on", "ssh:n1,n2", "./one"]);
    command.env("ETALON_NODE_WAIT", "600");
    nodes.reachable(&mut command);
    let running = Running::start(command);
    until("some blocks", || both.iter().all(|node| nodes.executions(node) >= 12));
    // One executes the block that it has, and one that may wait, and its answers do not come.
    nodes.signal_server("n1", libc::SIGSTOP);
    nodes.release("n1");
    let ended = || fs::read(nodes.path("n1", "home/ended")).map_or(0, |ended| ended.len());
    until("all that it was asked for", || ended() >= 12);
    // The other one executes the rest of those that were handed out with it, these, and some more.
    nodes.hold("n2", 12 + 130);
    until("other blocks", || nodes.executions("n2") >= 12 + 130);
    nodes.signal_server("n1", libc::SIGCONT);
    until("blocks after that", || ended() > 14);
    nodes.release("n2");
    let ended = running.end().expect(0);
    assert!(!ended.stderr.contains("left out"), "{}", ended.stderr);
    let record = lab.record();
    blocks_of_nodes(&record, 220);
    let told = "blocks that were executed twice, because a node was slow or gone: ";
    has(&format!("{:?}", record.of_type("note")), &[told]);
    has(&joined(&lab.done(["report", "@last"])), &[&joined(told)]);
    nothing_left(&lab, nodes, &both);
}
