//! Hooks and the context: which is called when, by a log the suite writes; none inside a batch.

use std::collections::BTreeMap;

use crate::suites::{QUICK, fixture, run};
use crate::support::{Lab, has};

/// The events of each process that measured something, by the case it measured.
fn events(lab: &Lab) -> BTreeMap<String, Vec<Vec<String>>> {
    let log = String::from_utf8(lab.read("events")).expect("text");
    let mut processes: Vec<(String, String, Vec<String>)> = Vec::new();
    for line in log.lines() {
        let mut words = line.splitn(3, ' ').map(str::to_owned);
        let (pid, case, event) = (words.next(), words.next(), words.next());
        let (pid, case, event) = pid.zip(case).zip(event).map(|((p, c), e)| (p, c, e)).expect("3");
        match processes.iter_mut().find(|(known, ..)| *known == pid) {
            Some((_, of, events)) => {
                if case != "-" {
                    *of = case;
                }
                events.push(event);
            }
            None => processes.push((pid, case, vec![event])),
        }
    }
    let mut by_case: BTreeMap<String, Vec<Vec<String>>> = BTreeMap::new();
    for (_, case, events) in processes {
        by_case.entry(case).or_default().push(events);
    }
    by_case
}

/// Would catch hooks that are accepted and never called (lua-measure), called in another order, more
/// than once or in a process of another case; a context made twice; values that get lost on the way.
#[test]
fn hooks_are_called_in_order_once_per_process() {
    let lab = Lab::new();
    fixture(&lab, "hooks_bench.lua");
    let warm = ["-r", "2", "--budget", "0.1s", "-w", "1ms"];
    lab.run([&["run"][..], &warm, &["hooks_bench.lua"]].concat()).expect(0);
    let mut by_case = events(&lab);
    assert_eq!(by_case.remove("-"), Some(vec![vec!["load".to_owned()]]), "one process looked");
    for (case, key, run) in [("a", "7", "run true"), ("b", "nil", "run false")] {
        let setup = format!("setup context {key}");
        let teardown = format!("teardown context {key}");
        let expected = [
            "load",
            "before_all",
            "before_each",
            "context",
            &setup,
            run,
            &teardown,
            "after_each",
            "after_all value",
        ];
        let processes = by_case.remove(case).expect("processes");
        assert_eq!(processes.len(), 2, "one for each block");
        for process in processes {
            assert_eq!(process, expected, "{case}");
        }
    }
}

/// Would catch `is_warmup` that is always the same.
#[test]
fn without_warm_up_nothing_is_called_as_warm_up() {
    let lab = Lab::new();
    fixture(&lab, "hooks_bench.lua");
    run(&lab, &["hooks_bench.lua"]).expect(0);
    let by_case = events(&lab);
    assert!(by_case["a"].iter().flatten().any(|event| event == "run false"));
    assert!(by_case.values().flatten().flatten().all(|event| event != "run true"));
}

/// Would catch a hook among the calls that are measured: each of these allocates, the case does not,
/// and bytes are counted exactly over the same calls that are timed.
#[test]
fn no_hook_is_among_the_calls_measured() {
    let lab = Lab::new();
    lab.write(
        "s.lua",
        "local measure = require('measure')
         local kept
         local function allocate() kept = ('x'):rep(1e6) .. tostring(kept and #kept) end
         for _, name in ipairs({ 'before_all', 'after_all', 'before_each', 'after_each' }) do
             measure[name] = allocate
         end
         measure.options({ context = allocate })
         measure.describe('c'):setup(allocate):run(function() end):teardown(allocate)
         measure.describe('t'):setup(allocate):run_with_timer(function(m)
             allocate()
             return m(function() end)
         end):teardown(allocate)",
    );
    run(&lab, &["s.lua"]).expect(0);
    let record = lab.record();
    for case in [0, 1] {
        let observed = record.of(case);
        let bytes: Vec<i64> =
            observed.iter().filter_map(|o| o["values"]["alloc"].as_i64()).collect();
        assert!(!bytes.is_empty() && bytes.iter().all(|bytes| *bytes == 0), "{bytes:?}");
    }
}

/// Would catch a case whose processes do little but get ready, without a word on what changes that.
#[test]
fn getting_ready_that_costs_more_than_measuring_is_said() {
    let lab = Lab::new();
    // Measuring a call of nothing takes some milliseconds, also beside much else.
    let pause = "os.execute('sleep 1')";
    lab.write(
        "s.lua",
        format!(
            "local measure = require('measure')
             function measure.before_all() {pause} end
             measure.describe('c'):run(function() end)"
        ),
    );
    run(&lab, &["s.lua"]).expect(0);
    let record = lab.record();
    let said = record.of_type("note").into_iter().filter_map(|note| note["text"].as_str());
    let said: Vec<&str> = said.filter(|text| text.contains("--budget")).collect();
    assert_eq!(said.len(), 1, "{said:?}");
    has(said[0], &["loading", "hooks"]);
}

/// Would catch hooks of the end left out where a case fails: what `before_all` opened stays open.
#[test]
fn hooks_of_the_end_are_called_after_a_failure() {
    let lab = Lab::new();
    lab.write(
        "s.lua",
        "local measure = require('measure')
         local function log(what) local f = io.open('events', 'a') f:write(what, ' ') f:close() end
         for _, name in ipairs({ 'before_all', 'after_all', 'before_each', 'after_each' }) do
             measure[name] = function() log(name) end
         end
         measure.describe('c'):setup(function() log('setup') end)
             :run(function() error('no') end):teardown(function() log('teardown') end)",
    );
    run(&lab, &["s.lua"]).expect(1);
    let log = String::from_utf8(lab.read("events")).expect("text");
    assert_eq!(log, "before_all before_each setup teardown after_each after_all ");
}

/// Would catch a message that leaves open which hook it is about.
#[test]
fn what_a_hook_raises_names_the_hook() {
    let lab = Lab::new();
    for hook in ["before_all", "after_all", "before_each", "after_each"] {
        let name = format!("{hook}.lua");
        lab.write(
            &name,
            format!(
                "local measure = require('measure')
                 function measure.{hook}() error('no') end
                 measure.describe('c'):run(function() end)"
            ),
        );
        lab.run([&["run"][..], &QUICK, &[&name]].concat()).expect(1);
        let record = lab.record();
        let mut failed = record.measured().into_iter().filter_map(|o| o["stderr"].as_str());
        let said = failed.next_back().expect("a reason").to_owned();
        has(&said, &[&format!("{name}:2: no (in {hook})")]);
    }
}
