//! Order, hooks and surroundings of functions: what `cmd` takes works in `run`, and means there what the
//! documentation says.

use crate::suites::plain;
use crate::support::{Lab, Record, Running, has, signal, until};

const QUICK: [&str; 6] = ["run", "-w", "0", "--budget", "0.1s", "s.lua"];

fn quick(lab: &Lab, more: &[&str]) -> Record {
    lab.done([&QUICK[..], more].concat());
    lab.record()
}

/// Block, turn and case of every sample, in time order.
fn samples(record: &Record) -> Vec<(i64, i64, i64)> {
    let sample = |o: &serde_json::Value| {
        o["values"].get("wall")?;
        Some((o["block"].as_i64()?, o["turn"].as_i64()?, o["benchmark"].as_i64()?))
    };
    record.measured().iter().filter_map(|o| sample(o)).collect()
}

/// Would catch an order that is taken and ignored, or said and not kept.
#[test]
fn the_order_asked_for_is_kept() {
    let lab = Lab::new();
    plain(&lab, "s.lua", &["a", "b"]);
    let record = quick(&lab, &["-r", "2", "--order", "abba"]);
    assert_eq!(record.of_type("plan")[0]["order"], "abba");
    for pair in samples(&record).chunks(2) {
        let [(block, turn, first), (_, _, second)] = pair else { panic!("{pair:?}") };
        let reversed = i64::from(block % 2 != turn % 2);
        assert_eq!((*first, *second), (reversed, 1 - reversed), "block {block}, turn {turn}");
    }
    let record = quick(&lab, &["-r", "2", "--order", "sequential"]);
    let blocks: Vec<(i64, i64)> = samples(&record).iter().map(|(b, _, case)| (*b, *case)).collect();
    assert!(blocks.iter().all(|(block, case)| *case == i64::from(*block > 1)), "{blocks:?}");
    let shown = lab.done(["report", "@last"]);
    has(&shown, &["2 executions each, one after the other"]);
    let refused = lab.run([&QUICK[..], &["--until", "decided", "--order", "sequential"]].concat());
    has(&refused.expect(2).stderr, &["--until decided", "--order sequential has none"]);
}

/// Would catch hooks that are not executed, too often, too late, or not after a failure.
#[test]
fn commands_surround_processes_and_what_is_measured_together() {
    let lab = Lab::new();
    plain(&lab, "s.lua", &["a", "b"]);
    let log = |what: &str| format!("echo {what} >> log");
    let [setup, prepare, conclude, cleanup] = ["s", "p", "c", "e"].map(log);
    let hooks = ["--setup", &setup, "-p", &prepare, "--conclude", &conclude, "--cleanup", &cleanup];
    quick(&lab, &[&["-r", "2"], &hooks[..]].concat());
    let logged = String::from_utf8(lab.read("log")).expect("text").replace('\n', " ");
    assert_eq!(logged, "s p p c c p p c c e ");
    assert_eq!(lab.record().of_type("benchmark")[1]["prepare"], prepare.as_str());
    let failing = ["-r", "2", "-p", "echo no room >&2; exit 3", "--cleanup", "echo cleaned >> end"];
    let ended = lab.run([&QUICK[..], &failing].concat()).expect(1);
    has(&ended.stderr, &["--prepare `echo no room >&2; exit 3` exited with code 3", "| no room"]);
    assert_eq!(lab.read("end"), b"cleaned\n");
    let unknown = lab.run([&QUICK[..], &["--setup", "no-such-program-here"]].concat());
    has(&unknown.expect(2).stderr, &["--setup", "no-such-program-here"]);
}

/// Would catch a hook that is left out because the user stopped.
#[test]
fn an_interrupt_concludes_and_cleans_up() {
    let lab = Lab::new();
    // An interrupt during a hook itself is another thing: this one comes while the case is called.
    lab.write(
        "s.lua",
        "require('measure').describe('a'):run(function() os.execute(': > there; sleep 1000') end)",
    );
    let hooks =
        ["-p", "echo p >> log", "--conclude", "echo c >> log", "--cleanup", "echo e >> log"];
    let running = Running::start(lab.etalon([&QUICK[..], &["-r", "100000"], &hooks[..]].concat()));
    until("a call", || lab.path("there").exists());
    signal(running.pid(), libc::SIGINT);
    running.end().expect(130);
    lab.assert_nothing_left();
    assert_eq!(lab.read("log"), b"p\nc\ne\n");
}

/// Would catch CPUs and niceness that reach nobody, or only some processes.
#[test]
fn surroundings_reach_cases_and_hooks() {
    let lab = Lab::new();
    let facts = "grep Cpus_allowed_list: /proc/self/status; nice";
    lab.script("facts", &format!("{{ {facts}; }} >> \"$1\""));
    lab.write(
        "s.lua",
        "os.execute('./facts case')
         require('measure').describe('a').run(function() return 1 end)",
    );
    let record = quick(&lab, &["-r", "1", "--cpu", "0", "--nice", "7", "--setup", "./facts hook"]);
    for who in ["case", "hook"] {
        let told = String::from_utf8(lab.read(who)).expect("text");
        let words: Vec<&str> = told.split_whitespace().collect();
        assert!(words.chunks(3).all(|w| w == ["Cpus_allowed_list:", "0", "7"]), "{who}: {told}");
        assert!(!words.is_empty(), "{who}");
    }
    let context = &record.lines[0]["context"];
    assert_eq!((&context["control.cpus"], &context["control.nice"]), (&"0".into(), &"7".into()));
    let refused = lab.run([&QUICK[..], &["--cpu", "1023"]].concat()).expect(2);
    has(&refused.stderr, &["--cpu", "CPU 1023 does not exist"]);
}

/// Would catch an environment that stays as it is, or is another for every process of a block.
#[test]
fn the_environment_has_another_size_in_every_block() {
    let lab = Lab::new();
    let suite = "os.execute('printf \"%s.\" ${#ETALON_PAD} >> sizes')
        local m = require('measure')
        m.describe('a').run(function() return 1 end)
        m.describe('b').run(function() return 2 end)";
    lab.write("s.lua", suite);
    quick(&lab, &["-r", "4", "--randomize-env", "--seed", "1"]);
    let sizes = String::from_utf8(lab.read("sizes")).expect("text");
    let sizes: Vec<&str> = sizes.trim_end_matches('.').split('.').skip(1).collect();
    assert_eq!(sizes.len(), 8, "{sizes:?}");
    assert!(sizes.chunks(2).all(|pair| pair[0] == pair[1]), "{sizes:?}");
    let mut distinct = sizes.clone();
    distinct.sort_unstable();
    distinct.dedup();
    assert!(distinct.len() > 1, "{sizes:?}");
}

/// Would catch a budget for all that each gets, in `run` and in `cmd`.
#[test]
fn the_total_budget_is_divided() {
    let lab = Lab::new();
    plain(&lab, "s.lua", &["a", "b", "c", "d"]);
    lab.done(["run", "-w", "0", "--total-budget", "0.4s", "s.lua"]);
    assert_eq!(lab.record().of_type("plan")[0]["budget"], 0.1);
    lab.done(["cmd", "-N", "--total-budget", "0.1s", "true", "true"]);
    assert_eq!(lab.record().of_type("plan")[0]["budget"], 0.05);
    for command in [&["cmd", "-r", "1", "true"][..], &["cmd", "--budget", "1s", "true"]] {
        let refused = lab.run([command, &["--total-budget", "1s"]].concat()).expect(2);
        has(&refused.stderr, &["--total-budget"]);
    }
}
