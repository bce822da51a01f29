//! Suites in experiment files: their cases are cells, on any Lua; and mistakes about them.

use std::collections::BTreeSet;

use serde_json::json;

use crate::support::{Lab, has, joined};

/// Cases with a param that is an axis; how much they do comes from the environment.
const SUITE: &str = r#"
local measure = require('measure')
local scale = assert(tonumber(os.getenv('SCALE')), 'SCALE is missing')
for _, name in ipairs({ 'one', 'other' }) do
    measure.describe(name, { job = { 'few', 'many', 'unused' } }):run(function(_, params)
        local made = {}
        for i = 1, (params.job == 'few' and 2 or 20) * scale do made[i] = i end
        measure.sink(made)
    end)
end
"#;

const SUITES: &str = r#"
[axes]
job = ["few", "many"]
lua = ["embedded", "lua5.1", "nowhere"]
scale = [1, 4]

[[subject]]
suite = "made_bench.lua"
lua = "{lua}"
env = { SCALE = "{scale}" }
requires = "test {lua} != nowhere"

[measure]
runs = 3
# No budget: that would leave blocks out where the machine is busy.
seed = 5

[[table]]
title = "Memory"
metric = "alloc"
rows = ["name", "job"]
columns = ["lua", "scale"]
view = "plain"
summary = "none"

[[table]]
title = "Time"
metric = "wall"
rows = ["job", "scale"]
columns = "name"
only = { lua = "embedded" }
fastest = true
"#;

/// Would catch values of axes that do not reach a suite, cases that a cell does not ask for, a Lua that is missing and stops
/// everything, and rows that are measured apart.
#[test]
fn suites_are_subjects_on_any_lua() {
    let lab = Lab::new();
    lab.write("made_bench.lua", SUITE);
    lab.write("made.toml", SUITES);
    let told = lab.done(["run", "--dry-run", "made.toml"]);
    has(&told, &["24 cells in 2 stages", "stage 1: 8 cells", "stage 2: 8 cells"]);
    has(&told, &["one [job=few, lua=embedded, scale=1]: made_bench.lua"]);
    let ended = lab.run(["run", "made.toml"]).expect(0);
    let lines: Vec<String> = ended.stdout.lines().map(joined).collect();
    assert!(
        lines.iter().any(|line| line == "embedded1embedded4lua5.11lua5.14nowhere1"),
        "{lines:?}"
    );
    has(
        &joined(&ended.stdout),
        &["Memory", "onefew", "othermany", "nowhere4onefewnotinstalled", "Time"],
    );
    assert!(!ended.stdout.contains("unused"));
    let record = lab.record();
    let benchmarks = record.of_type("benchmark");
    assert_eq!(benchmarks.len(), 24);
    assert_eq!(benchmarks[0]["env"], json!(["SCALE=1"]));
    for benchmark in 0..16 {
        let lines = record.of(benchmark);
        let blocks: BTreeSet<_> = lines.iter().filter_map(|line| line["block"].as_u64()).collect();
        assert_eq!(blocks.len(), 3, "benchmark {benchmark}: {blocks:?}");
    }
    // Four times as much is allocated where the environment says so.
    let shown = lab.done(["report", "@last", "--format", "markdown"]);
    let row = shown.lines().find(|line| line.starts_with("| one many")).expect("a row");
    let number = |cell: &str| cell.split_whitespace().next()?.replace(',', "").parse::<f64>().ok();
    let cells: Vec<f64> = row.split('|').filter_map(number).collect();
    assert_eq!(cells.len(), 4, "{row}");
    assert!(cells[1] > 2.0 * cells[0] && cells[3] > 2.0 * cells[2], "{row}");
}

/// Would catch a mistake about a suite that is measured, or told without its place and its remedy.
#[test]
fn mistakes_about_suites_are_named() {
    let lab = Lab::new();
    lab.write("made_bench.lua", SUITE);
    let env = "env = { SCALE = \"{scale}\" }";
    let mistakes = [
        (env, "env = { SCALE = \"1\" }", ":8:9", "`scale` changes nothing here, 1 and 4"),
        ("made_bench.lua", "x_bench.lua", ":8:9", "there is no file x_bench.lua"),
        (env, "", ":8:9", "it cannot be loaded: made_bench.lua:3: SCALE is missing"),
        (
            "requires = \"test {lua} != nowhere\"",
            "",
            ":9:7",
            "the Lua `nowhere`: not found in PATH",
        ),
        ("requires = ", "jit = \"off\"\nrequires = ", ":11:7", "lua5.1 has no JIT compiler"),
        ("requires = ", "jit = \"of\"\nrequires = ", ":11:7", "`on` or `off`"),
        ("requires = ", "prepare = \"true\"\nrequires = ", ":11:11", "hooks of its own"),
        ("requires = ", "name = \"x\"\nrequires = ", ":11:8", "gives its cases names"),
        ("runs = 3", "runs = 3\nwarmup = 2", ":15:10", "leave it out"),
        ("[measure]", "[metric.x]\nunit = \"s\"\n[measure]", ":13:9", "measure.metric"),
        ("metric = \"alloc\"", "metric = \"size of it\"", ":20:10", "no metric `size of it`"),
        ("columns = \"name\"", "columns = \"nam\"", ":30:11", "no axis `nam` is declared"),
    ];
    for (from, to, at, said) in mistakes {
        assert!(SUITES.contains(from), "{from}");
        lab.write("made.toml", SUITES.replacen(from, to, 1));
        let ended = lab.run(["run", "made.toml"]).expect(2);
        assert!(ended.stderr.contains(&format!("made.toml{at}")), "{to}: {}", ended.stderr);
        has(&ended.stderr, &[said]);
    }
    assert_eq!(lab.saved(), Vec::<std::path::PathBuf>::new());
}
