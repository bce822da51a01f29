//! `etalon run --base REV FILE.toml`: an experiment file on two sides.

use std::fs;

use crate::ab::{git, lab};
use crate::go::{left, snapshot};
use crate::support::{Running, has, joined};

/// A suite, which is not for such a file.
const SUITE: &str = "require('measure').describe('p'):run(function() return 1 end)\n";

/// An experiment file of two commands, one of which prints another number in the working tree.
const EXPERIMENT: &str = r#"
title = "sums"
setup = "cd .. && make"
[axes]
how = ["often", "once"]
[[subject]]
command = "sh bench/{how}.sh"
cwd = ".."
[metric.filled]
unit = "count"
kind = "exact"
[[table]]
metric = "filled"
rows = "how"
columns = "side"
raw = true
"#;

/// Would catch a file of the base in place of the head's, cells that are executed where the file is, sides that are no
/// axis, tables of builds in place of sides, and a report that shows something else.
#[test]
fn an_experiment_file_is_measured_on_both_sides() {
    let Some(lab) = lab() else { return };
    fs::create_dir(lab.path("m/bench")).unwrap();
    lab.write("m/bench/often.sh", "./p; ./p; echo filled $(cat bytes) count\n");
    lab.write("m/bench/once.sh", "./p; echo filled 7 count\n");
    lab.write("m/bytes", "20000");
    git(&lab, "add -A && git COMMIT three && git tag -f old");
    // Head's alone, which both sides have then.
    lab.write("m/bench/sums.toml", EXPERIMENT);
    lab.write("m/bytes", "4000000");
    let before = snapshot(&lab);
    let run = |words: &str| {
        let mut command = lab.shell(&format!("cd m && exec \"$E\" run bench/sums.toml {words}"));
        command.env("TMPDIR", lab.path("tmp"));
        Running::start(command).end()
    };
    let said = joined(&run("--base old -r 8").expect(0).stdout);
    for part in [
        "base → head",
        "8 interleaved blocks",
        "filled",
        "+19,900 % more",
        "Sides: old (",
        "filled (filled/op)",
    ] {
        assert!(said.contains(&joined(part)), "no {part} in {said}");
    }
    assert!(snapshot(&lab) == before);
    assert_eq!(left(&lab), [""; 0]);
    let record = lab.record();
    let benchmarks = record.of_type("benchmark");
    assert_eq!(benchmarks.len(), 2 * 4);
    let sides: Vec<&str> =
        benchmarks.iter().map(|it| it["params"]["side"].as_str().unwrap()).collect();
    assert_eq!(sides, ["base", "head", "base", "head", "base", "head", "base", "head"]);
    let reported = joined(&lab.done(["report", "@last"]));
    has(&reported, &[&joined("base → head"), &joined("Sides: old (")]);
    let told = run("--base old --dry-run").expect(0).stdout;
    has(&joined(&told), &[&joined("8 cells"), &joined("side=head, build=2]: sh bench/often.sh")]);
    let refused = |words: &str, part: &str| {
        let ended = run(words).expect(2);
        assert!(joined(&ended.stderr).contains(&joined(part)), "no {part} in {}", ended.stderr);
        assert_eq!(left(&lab), [""; 0], "{words}");
    };
    refused("--base nope", "nope: no such revision");
    refused("--base old --order sequential", "within blocks");
    has(&run("--base old --build false").expect(1).stderr, &["base does not build"]);
    refused("-r 1", "no axis `side`");
    lab.write("m/bench/sums.toml", "[[subject]]\ncommand = \"true\"\n");
    refused("--base old", "the same artefact twice");
    lab.write("m/bench/sums.toml", "[[subject]]\ncommand = \"sh new.sh\"\ncwd = \"..\"\n");
    lab.write("m/new.sh", "true\n");
    has(&joined(&run("--base old").expect(1).stderr), &[&joined("on one side only")]);
    lab.write("m/s_bench.lua", SUITE);
    lab.write("m/bench/sums.toml", "[[subject]]\nsuite = \"../s_bench.lua\"\n");
    refused("--base old", "measures a suite");
}
