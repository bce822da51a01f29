//! Lua suites over other machines.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use super::on::{NODES, nothing_left, run, start};
use super::sides::project;
use super::ssh::SshNodes;
use crate::support::{Lab, Record, Running, has, held, signal, until};

/// Two cases that need a module beside them and a file that is sent, one with a number of its own, which can be held, and
/// one that fails.
const SUITE: &str = "local measure = require('measure')
local work = require('parts.work')
assert(io.open('data.txt')):close()
measure.describe('sum')
    :setup(function() measure.metric('own', 7, 'B') end)
    :run(function() return work(100) end)
measure.describe('more'):run(function() return work(200) end)
measure.describe('fails'):run(function() error('on purpose') end)
";

fn suite(lab: &Lab) {
    fs::create_dir_all(lab.path("bench/parts")).unwrap();
    let setup = format!("setup(function() os.execute('{}') ", held("~"));
    lab.write("bench/sums_bench.lua", SUITE.replace("setup(function() ", &setup));
    lab.write("bench/data.txt", "");
    let work = "return function(n) local s = 0 for i = 1, n do s = s + i end return s end";
    lab.write("bench/parts/work.lua", work);
}

/// The nodes of blocks, each of which is of one, and whole: with these benchmarks.
#[track_caller]
fn nodes_of_blocks(record: &Record, whole: &[u64]) -> BTreeMap<u64, u64> {
    let mut of: BTreeMap<u64, (BTreeSet<u64>, BTreeSet<u64>)> = BTreeMap::new();
    for observation in record.measured() {
        // What failed in a first block is left out from then on.
        let Some(node) = observation["node"].as_u64() else { continue };
        let (nodes, benchmarks) = of.entry(observation["block"].as_u64().unwrap()).or_default();
        nodes.insert(node);
        benchmarks.insert(observation["benchmark"].as_u64().unwrap());
    }
    let one = |(block, (nodes, benchmarks)): (u64, (BTreeSet<u64>, BTreeSet<u64>))| {
        assert_eq!(nodes.len(), 1, "block {block}");
        assert!(whole.iter().all(|it| benchmarks.contains(it)), "block {block}: {benchmarks:?}");
        (block, nodes.into_iter().next().unwrap())
    };
    of.into_iter().map(one).collect()
}

/// Would catch a module that is not sent, a number of a suite's own that makes an answer useless, a block of two nodes or
/// of some cases only, a failure that ends the others, and a run that cannot be resumed.
#[test]
fn suites_are_measured_on_nodes() {
    let lab = Lab::new();
    let Some(nodes) = SshNodes::start(&lab, 3) else { return };
    suite(&lab);
    let words = ["run", "bench", "--send", "bench/data.txt", "-r", "30", "--budget", "2s"];
    let words = [&words[..], &["--on", "ssh:n1,n2,n3"]].concat();
    NODES.iter().for_each(|node| nodes.hold(node, 3));
    let running = start(&lab, &nodes, &words);
    until("some blocks", || NODES.iter().all(|node| nodes.executions(node) >= 3));
    signal(running.pid(), libc::SIGINT);
    running.end().expect(130);
    NODES.iter().for_each(|node| nodes.release(node));
    let ended = run(&lab, &nodes, &["run", "--resume", "@last"]).expect(1);
    has(&ended.stdout, &["on purpose"]);
    let record = lab.record();
    let of_blocks = nodes_of_blocks(&record, &[0, 1]);
    assert_eq!(of_blocks.len(), 30);
    assert_eq!(of_blocks.values().collect::<BTreeSet<_>>().len(), 3);
    let own: Vec<_> =
        record.measured().into_iter().filter(|it| it["values"]["own"].is_number()).collect();
    assert_eq!(own.len(), 30);
    assert_eq!(record.of_type("metric").iter().filter(|it| it["name"] == "own").count(), 1);
    assert!(record.measured().iter().any(|it| it["turn"].as_u64() > Some(1)));
    let document = lab.json(["report", "@last", "--json"]);
    assert_eq!(document["comparisons"][0]["nodes"]["each"].as_array().unwrap().len(), 3);
    nothing_left(&lab, nodes, &NODES);
}

/// Would catch a machine that lacks a module and is said to make other benchmarks without a reason, a suite that cannot be
/// loaded and is measured elsewhere, and rows that would be of several calls.
#[test]
fn suites_that_cannot_be_loaded_are_told() {
    let lab = Lab::new();
    let Some(nodes) = SshNodes::start(&lab, 2) else { return };
    suite(&lab);
    let words = ["run", "bench", "-r", "3", "--budget", "0.2s", "--on", "ssh:n1"];
    let ended = run(&lab, &nodes, &words).expect(2);
    has(&ended.stderr, &["n1: it makes other benchmarks", "data.txt"]);
    let rows = [&words[..], &["-o", "x.csv"]].concat();
    has(&run(&lab, &nodes, &rows).expect(2).stderr, &["-o FILE.csv"]);
    lab.write("broken.lua", "error('broken here')");
    lab.write("plain.lua", "require('measure').describe('plain'):run(function() end)");
    let words = ["run", "broken.lua", "plain.lua", "-r", "3", "--budget", "0.2s", "--on"];
    let ended = run(&lab, &nodes, &[&words[..], &["ssh:n1,n2"]].concat()).expect(1);
    has(&ended.stdout, &["broken here", "plain"]);
    // Chunks need no file.
    let chunks = ["run", "-r", "3", "--budget", "0.2s", "-e", "return 1", "-e", "return {}"];
    run(&lab, &nodes, &[&chunks[..], &["--on", "ssh:n1,n2"]].concat()).expect(0);
    assert_eq!(nodes_of_blocks(&lab.record(), &[0, 1]).len(), 3);
    nothing_left(&lab, nodes, &["n1"]);
}

/// Would catch suites of two sides that load the same side's modules, and cells of a file that are not measured elsewhere.
#[test]
fn suites_of_two_sides_and_of_files_are_measured_on_nodes() {
    let lab = Lab::new();
    let Some(nodes) = SshNodes::start(&lab, 2) else { return };
    project(&lab);
    let git = "cd m && git init -q . && git add -A && git -c user.name=n -c user.email=e commit -qm lua && git tag lua";
    lab.write("m/side.lua", "return 1");
    Running::start(lab.shell(git)).end().expect(0);
    lab.write("m/side.lua", "return 2");
    lab.write(
        "m/x_bench.lua",
        "local measure, side = require('measure'), require('side')
         measure.describe('x'):setup(function() measure.metric('side', side, 'count') end):run(function() end)",
    );
    lab.write("m/x.toml", "[[subject]]\nsuite = \"x_bench.lua\"\n[measure]\nruns = 4\n");
    let etalon = |words: &str| {
        let mut command = lab.shell(&format!("cd m && exec \"$E\" {words} --on ssh:n1,n2"));
        nodes.reachable(&mut command);
        Running::start(command).end().expect(0)
    };
    etalon("run x_bench.lua --base lua -r 6 --budget 0.5s");
    let record = lab.record();
    assert_eq!(nodes_of_blocks(&record, &[0, 1, 2, 3]).len(), 6);
    let lines = record.of_type("benchmark");
    for observation in record.measured().iter().filter(|it| it["values"]["side"].is_number()) {
        let place = usize::try_from(observation["benchmark"].as_u64().unwrap()).unwrap();
        let side = if lines[place]["params"]["side"] == "base" { 1 } else { 2 };
        assert_eq!(observation["values"]["side"].as_f64(), Some(f64::from(side)));
    }
    etalon("run x.toml");
    assert_eq!(nodes_of_blocks(&lab.record(), &[0]).len(), 4);
    nothing_left(&lab, nodes, &["n1", "n2"]);
}
