//! Cases that do different jobs: nobody asks whether one codec on one job is faster than another on another.

use serde_json::{Value, json};

use crate::support::{Lab, has};

/// Two names over two jobs, and a third parameter that only tells cases of one name apart.
const SUITE: &str = "local measure = require('measure')
    for _, name in ipairs({ 'buffer', 'plain' }) do
        measure.describe(name, { job = { 'list', 'tree' } }):run(function() measure.sink({ name }) end)
    end";

const RUN: [&str; 6] = ["run", "-r", "2", "--budget", "0.1s", "s.lua"];

/// Whether two cases were executed in the same block, by their positions.
fn share_a_block(lab: &Lab, one: usize, other: usize) -> bool {
    let record = lab.record();
    let blocks = |at| record.of(at).iter().map(|o| o["block"].to_string()).collect::<Vec<_>>();
    blocks(one).iter().any(|block| blocks(other).contains(block))
}

/// The cases of every suite, with its baseline and its job.
fn suites(document: &Value) -> Vec<(Value, Value, Value)> {
    let suites = document["suites"].as_array().unwrap().iter();
    suites.map(|it| (it["job"].clone(), it["benchmarks"].clone(), it["baseline"].clone())).collect()
}

/// Would catch cases that are all held against the first one, `plain [job=tree]` against `buffer [job=list]`.
#[test]
fn cases_are_compared_within_the_job_that_all_names_share() {
    let lab = Lab::new();
    lab.write("s.lua", SUITE);
    let said = lab.done(RUN);
    has(&said, &["s.lua (job=list)", "s.lua (job=tree)"]);
    // Notes, which a busy machine adds to, name cases in full.
    let tables = said.split("\nNote:").next().unwrap();
    assert!(!tables.contains("[job="), "{said}");
    assert!(share_a_block(&lab, 0, 2) && share_a_block(&lab, 1, 3) && !share_a_block(&lab, 0, 1));
    let document = lab.json(["report", "@last", "--json"]);
    let (list, tree) = (json!({"job": "list"}), json!({"job": "tree"}));
    assert_eq!(
        suites(&document),
        [(list, json!([0, 2]), json!(0)), (tree, json!([1, 3]), json!(1))]
    );
    let compared = document["comparisons"].as_array().unwrap().iter();
    let pairs: Vec<_> = compared.map(|it| (it["base"].clone(), it["candidate"].clone())).collect();
    assert_eq!(pairs, [(json!(0), json!(2)), (json!(1), json!(3))]);
}

/// Would catch a reference that holds for one combination only, and one that is not measured in their blocks.
#[test]
fn a_reference_holds_in_every_job() {
    let lab = Lab::new();
    lab.write("s.lua", SUITE);
    lab.done([&RUN[..], &["--reference", "plain"]].concat());
    let document = lab.json(["report", "@last", "--json"]);
    let baselines: Vec<_> = suites(&document).into_iter().map(|(_, _, base)| base).collect();
    assert_eq!(baselines, [json!(2), json!(3)]);
}

/// Would catch a choice that is not recorded, that acts on reports only, or that cannot be taken back.
#[test]
fn parameters_are_jobs_as_asked() {
    let lab = Lab::new();
    lab.write("s.lua", SUITE);
    lab.done([&RUN[..], &["--by", "none"]].concat());
    assert!(share_a_block(&lab, 0, 1) && share_a_block(&lab, 0, 3));
    let of =
        |more: &[&str]| suites(&lab.json([&["report", "@last", "--json"], more].concat())).len();
    assert_eq!([of(&[]), of(&["--by", "job"]), of(&["--by", "/job"])], [1, 2, 2]);
    lab.write(
        "s.lua",
        "local measure = require('measure')
         measure.describe('sort', { n = { 1, 2 }, way = { 'up', 'down' } }):run(function() measure.sink({}) end)",
    );
    lab.done(RUN);
    assert_eq!([of(&[]), of(&["--by", "n"]), of(&["--by", "n,way"])], [1, 2, 4]);
}

/// Would catch a misspelt parameter that changes nothing, or is noticed after minutes of measuring.
#[test]
fn a_parameter_that_no_case_has_is_refused_before_measuring() {
    let lab = Lab::new();
    lab.write("s.lua", SUITE);
    let refused = lab.run([&RUN[..], &["--by", "jbo"]].concat()).expect(2);
    has(&refused.stderr, &["--by jbo: no case has a parameter of that name: there are job"]);
    assert!(lab.saved().is_empty());
    lab.done(RUN);
    let refused = lab.run(["report", "@last", "--by", "jbo"]).expect(2);
    has(&refused.stderr, &["--by jbo", "there are job"]);
    let refused = lab.run(["cmd", "-r", "1", "--by", "n", "true"]).expect(2);
    has(&refused.stderr, &["--by: functions of suites are compared by it", "--row /PARAM"]);
}

/// Would catch a screen of many jobs that names neither the baseline nor the file.
#[test]
fn what_many_jobs_have_in_common_is_named_once() {
    let lab = Lab::new();
    let suite = SUITE.replace("{ 'list', 'tree' }", "{ 'a', 'b', 'c', 'd', 'e', 'f', 'g', 'h' }");
    lab.write("s.lua", &suite);
    let said = lab.run(["run", "-r", "1", "--budget", "0.05s", "s.lua"]).expect(0).stdout;
    has(&said, &["8 groups of cases, each against buffer: ", "s.lua · Lua 5.1"]);
}

/// Would catch blocks of cases that are measured apart from others, counted as blocks in which a side is missing.
#[test]
fn blocks_of_other_groups_of_cases_are_not_missing() {
    let lab = Lab::new();
    lab.write(
        "s.lua",
        "local measure = require('measure')
        for i = 1, 30 do measure.describe('c' .. i):run(function() measure.sink({ i }) end) end",
    );
    let said = lab.run(["run", "-r", "2", "--budget", "0.05s", "s.lua"]).expect(0).stdout;
    has(&said, &["more cases than are measured side by side"]);
    assert!(!said.contains("dropped out"), "{said}");
    let document = lab.json(["report", "@last", "--json"]);
    for comparison in document["comparisons"].as_array().unwrap() {
        assert_eq!(comparison["dropped_blocks"], 0, "{comparison}");
    }
}
