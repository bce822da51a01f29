//! Records of several machines: what `report` and `compare` make of them.

use std::fmt::Write as _;

use serde_json::Value;

use crate::support::{Lab, has, joined};

/// A number that scatters about 0, and repeats.
fn scatter(at: u32) -> f64 {
    f64::from(at * 7919 % 101) / 50.0 - 1.0
}

/// A record of two commands in blocks that go to nodes in turn: `b` takes so much longer than `a` on each, where
/// everything takes so much longer.
fn record(nodes: &[(&str, f64, f64)], blocks: u32) -> String {
    let mut record = String::from(concat!(
        r#"{"type":"header","format":"etalon","version":1,"id":"by-hand","context":{}}"#,
        "\n",
        r#"{"type":"metric","name":"wall","unit":"ns","direction":"lower","kind":"noisy"}"#,
        "\n",
        r#"{"type":"benchmark","name":"a","command":"a"}"#,
        "\n",
        r#"{"type":"benchmark","name":"b","command":"b"}"#,
        "\n",
    ));
    for (name, ..) in nodes {
        let _ = writeln!(record, r#"{{"type":"node","name":"{name}"}}"#);
    }
    for block in 0..blocks {
        let node = block as usize % nodes.len();
        let (_, slower, ratio) = nodes[node];
        let [a, b] = [1.0, ratio].map(|times| 1e8 * slower * times);
        for (benchmark, value, at) in [(0, a, 3 * block), (1, b, 5 * block + 7)] {
            let wall = (value * (1.0 + 0.004 * scatter(at))).round();
            let _ = writeln!(
                record,
                r#"{{"type":"observation","benchmark":{benchmark},"node":{node},"block":{block},"values":{{"wall":{wall}}}}}"#
            );
        }
    }
    record
}

/// That record with times: a node is there after a second, and a block takes two.
fn timed(nodes: &[(&str, f64, f64)], blocks: u32) -> String {
    let line = |line: &str| {
        let Some((before, rest)) = line.split_once(",\"values\"") else { return line.to_owned() };
        let block: u64 = before.rsplit(':').next().and_then(|it| it.parse().ok()).unwrap();
        let at = 1_000_000_000 + block / nodes.len() as u64 * 2_000_000_000;
        format!("{before},\"at\":{at},\"values\"{rest}")
    };
    record(nodes, blocks).lines().map(line).collect::<Vec<String>>().join("\n") + "\n"
}

/// Would catch machines that are better used and nobody hears of, and time that is counted in another way than it was
/// spent.
#[test]
fn a_better_use_of_machines_is_said() {
    let lab = Lab::new();
    let apart = [("n1", 1.0, 1.07), ("n2", 1.07, 1.05), ("n3", 1.15, 1.03)];
    lab.write("apart.jsonl", timed(&apart, 60));
    has(&joined(&lab.done(["report", "apart.jsonl"])), &["inasmuchtime,5nodesof11blocksshow"]);
    let nodes = comparison(&lab, "apart.jsonl")["nodes"].clone();
    let better = nodes["better"].clone();
    assert_eq!((&better["of"], &better["nodes"]), (&"machines".into(), &5.into()));
    assert_eq!(better["blocks"], 11);
    assert!(better["readings"].is_null(), "a block has one: {better}");
    let shares: Vec<f64> =
        nodes["levels"].as_array().unwrap().iter().filter_map(|it| it["share"].as_f64()).collect();
    assert!(shares.len() == 2 && shares[0] > 0.9, "{nodes}");
    let odd = nodes["odd_from"].as_f64().unwrap();
    assert!((0.001..0.02).contains(&odd), "{odd}");
    let said = joined(&lab.done(["report", "apart.jsonl"]));
    has(
        &said,
        &["anodethatdiffersby", "isnamed;ofthevariance9", "%isofnodes,", "%ofblocks;inasmuch"],
    );
    let width = better["width"].as_f64().unwrap();
    assert!((0.45..0.55).contains(&width), "{width}");

    let alike = [("n1", 1.0, 1.05), ("n2", 1.07, 1.05), ("n3", 1.15, 1.05)];
    lab.write("alike.jsonl", timed(&alike, 60));
    let report = joined(&lab.done(["report", "alike.jsonl"]));
    has(&report, &["moreblocksonthesemachinesserveaswellasmoremachines"]);
    assert_eq!(comparison(&lab, "alike.jsonl")["nodes"]["better"]["of"], "blocks");
    // Without times nothing is known of it, nor about two machines.
    lab.write("untimed.jsonl", record(&apart, 60));
    assert!(comparison(&lab, "untimed.jsonl")["nodes"]["better"].is_null());
    lab.write("two.jsonl", timed(&apart[..2], 60));
    assert!(comparison(&lab, "two.jsonl")["nodes"]["better"].is_null());
}

/// The JSON comparison of the only pair.
fn comparison(lab: &Lab, file: &str) -> Value {
    let document = lab.json(["report", file, "--json"]);
    document["comparisons"][0].clone()
}

/// Would catch blocks of nodes pooled: with a slow machine they would still agree, so the interval and the words are
/// looked at, and that of two nodes nothing is said of others.
#[test]
fn nodes_are_the_unit_of_an_answer() {
    let lab = Lab::new();
    let three = [("n1", 1.0, 1.051), ("n2", 1.07, 1.05), ("n3", 1.15, 1.049)];
    lab.write("three.jsonl", record(&three, 45));
    let report = joined(&lab.done(["report", "three.jsonl"]));
    has(&report, &["3nodesof15blocks,aboutmachineslikethese"]);
    assert!(!report.contains("disagree"), "{report}");
    let found = comparison(&lab, "three.jsonl");
    assert_eq!(found["nodes"]["about"], "machines_like_these");
    assert_eq!(found["nodes"]["each"].as_array().unwrap().len(), 3);
    assert_eq!((&found["verdict"], &found["paired"]), (&"slower".into(), &true.into()));
    let ratio = found["ratio"].as_f64().unwrap();
    assert!((1.045..1.055).contains(&ratio), "{ratio}");

    lab.write("two.jsonl", record(&three[..2], 30));
    has(&joined(&lab.done(["report", "two.jsonl"])), &["aboutthesemachinesalone"]);
    assert_eq!(comparison(&lab, "two.jsonl")["nodes"]["about"], "these_machines");

    lab.write("few.jsonl", record(&three, 27));
    let few = lab.done(["report", "few.jsonl", "--full"]);
    has(&joined(&few), &["needsatleast10blocks"]);
    assert_eq!(comparison(&lab, "few.jsonl")["verdict"], "unclear");
}

/// Would catch an average over machines that say different things, and one that is said before that they do.
#[test]
fn nodes_that_disagree_come_first() {
    let lab = Lab::new();
    let nodes = [("n1", 1.0, 1.05), ("n2", 1.07, 1.05), ("n3", 1.15, 0.97)];
    lab.write("odd.jsonl", record(&nodes, 60));
    let report = lab.done(["report", "odd.jsonl"]);
    let first = report.lines().find(|line| !line.is_empty()).unwrap();
    has(first, &["against", "the nodes disagree (p "]);
    for node in ["n1 ", "n2 ", "n3 "] {
        assert!(report.lines().any(|line| line.trim_start().starts_with(node)), "{report}");
    }
    let found = comparison(&lab, "odd.jsonl");
    assert_eq!(found["nodes"]["disagree"], true);
    assert_eq!(found["verdict"], "unclear");
    let tables = lab.done(["compare", "odd.jsonl", "--col", ".name"]);
    has(&tables, &["the nodes disagree (p ", "n3 "]);
}

/// Would catch a record whose blocks are two machines' that is read all the same.
#[test]
fn a_block_of_two_nodes_is_refused() {
    let lab = Lab::new();
    let mut record = record(&[("n1", 1.0, 1.0), ("n2", 1.0, 1.0)], 4);
    record
        .push_str(r#"{"type":"observation","benchmark":0,"node":1,"block":0,"values":{"wall":5}}"#);
    record.push('\n');
    lab.write("torn.jsonl", record);
    let ended = lab.run(["report", "torn.jsonl"]).expect(2);
    has(&ended.stderr, &["torn.jsonl:15: block 0 is of node `n2`, and of node `n1` before"]);
}
