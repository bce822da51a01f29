//! The blocks that verdicts need: asked for, or said to lack, before anything is measured.

use std::fs;
use std::process::Command;

use serde_json::Value;

use crate::support::{Lab, Running, has, skip};

/// A record's plan.
fn plan(lab: &Lab) -> Value {
    lab.record().of_type("plan")[0].clone()
}

/// Would catch a number of blocks that is found to be too small once everything is measured.
#[test]
fn too_few_blocks_for_a_family_are_told_in_the_first_line() {
    let lab = Lab::new();
    let commands: Vec<String> = (0..20).map(|at| format!("sleep 0.000{at:02}")).collect();
    let of = |words: &[&str]| {
        let commands = commands.iter().map(String::as_str);
        let ended = lab.run([&["cmd", "-N"], words].concat().into_iter().chain(commands));
        ended.expect(0).stderr
    };
    let said = "cannot tell any apart: 190 comparisons together take 13; `-r 13` measures as many";
    let first = of(&["-r", "3"]);
    assert!(first.lines().next().is_some_and(|line| line.contains(said)), "{first}");
    has(&of(&["--max-blocks", "10", "--budget", "1ms"]), &[said]);
    for enough in
        [&["-r", "13"][..], &["--budget", "1ms"], &["-r", "10", "--reference", "sleep 0.00001"]]
    {
        let told = of(enough);
        assert!(!told.contains("apart"), "{told}");
    }
    assert!(first.contains("fewer subjects or a --reference take fewer"), "{first}");
    // One that is there is no cure.
    let held = of(&["-r", "3", "--reference", "sleep 0.00001"]);
    assert!(held.contains("cannot tell any apart") && !held.contains("or a --reference"), "{held}");
    assert!(!of(&["-r", "3", "--order", "sequential"]).contains("apart"));
    let two = lab.run(["cmd", "-r", "3", "true", "sleep 0"]).expect(0).stderr;
    has(&two, &["3 blocks cannot tell two apart: a comparison takes 6; `-r 6` measures as many"]);
    assert!(!lab.run(["cmd", "-r", "3", "true"]).expect(0).stderr.contains("apart"));
    assert!(
        !lab.run(["cmd", "--quiet", "-r", "3", "true", "sleep 0"])
            .expect(0)
            .stderr
            .contains("apart")
    );
}

/// Forty cases in one file, of which each takes longer than the one before, and has a size that is a fifth above that of the
/// one before: whatever else the machine does. It scatters by a hundredth from block to block, by where the process has its
/// memory.
const FORTY: &str = "local measure = require('measure')
    local function work(n) local t = {}; for i = 1, n do t[i] = i end; return #t end
    local scatter = tonumber(tostring({}):match('0x(%x+)'), 16) / 16 % 97 / 9700
    for at = 1, 40 do
        local n = math.floor(20 * 1.2 ^ at)
        measure.describe('c' .. at):setup(function()
            measure.metric('size', 1.2 ^ at * (1 + scatter), 'kB', 'lower')
        end):run(function() measure.sink(work(n)) end)
    end";

/// Would catch a family of which only those count that are measured side by side: 40 clearly different cases ended in 39
/// times `needs at least 11 blocks`.
#[test]
fn forty_cases_get_the_blocks_of_their_family() {
    let lab = Lab::new();
    lab.write("forty_bench.lua", FORTY);
    let words = ["run", "-w", "0", "--budget", "12ms", "--metric", "size", "forty_bench.lua"];
    let ended = lab.run(words).expect(0);
    assert!(!ended.stderr.contains("apart"), "{}", ended.stderr);
    assert_eq!(plan(&lab)["min_blocks"], 11);
    let document = lab.json(["report", "@last", "--json"]);
    let compared = document["comparisons"].as_array().expect("comparisons");
    assert_eq!(compared.len(), 39);
    let lacks = |it: &&Value| it["reasons"].to_string().contains("family_needs");
    assert_eq!(compared.iter().filter(lacks).count(), 0);
    let is_more = |it: &&Value| it["verdict"] == "slower" && it["family"] == 39;
    assert_eq!(compared.iter().filter(is_more).count(), 39, "{compared:?}");
}

/// Would catch marks of a table's rows that are each a family: 30 rows of two columns need more than ten blocks.
#[test]
fn an_experiment_file_asks_for_what_its_marks_need() {
    let lab = Lab::new();
    let file = |rest: &str| {
        let rows: Vec<String> = (0..30).map(|row| row.to_string()).collect();
        format!(
            "[axes]\nrow = [{}]\nimpl = [\"a\", \"b\"]\n[[subject]]\ncommand = \"sleep {{row}} {{impl}}\"\n{rest}",
            rows.join(", ")
        )
    };
    lab.write("e.toml", file(""));
    has(&lab.done(["run", "--dry-run", "e.toml"]), &["60 cells, 11 blocks"]);
    let marked =
        "[[table]]\nmetric = \"wall\"\nrows = \"row\"\ncolumns = \"impl\"\nfastest = true\n";
    lab.write("e.toml", file(marked));
    has(&lab.done(["run", "--dry-run", "e.toml"]), &["60 cells, 11 blocks"]);
    lab.write("e.toml", file("[measure]\nruns = 4\n"));
    has(&lab.done(["run", "--dry-run", "e.toml"]), &["60 cells, 4 blocks"]);
}

/// Would catch a budget that makes blocks larger than so many of them have time for: "60s" took 94 s.
#[test]
fn a_budget_is_that_of_all_blocks() {
    let lab = Lab::new();
    lab.write("forty_bench.lua", FORTY);
    let file = |runs: u32, budget: &str| {
        format!(
            "[[subject]]\nsuite = \"forty_bench.lua\"\n[measure]\nruns = {runs}\nbudget = \"{budget}\"\n"
        )
    };
    // Warm-ups come on top of large blocks only. Calls as short as these fill no larger budget.
    for (runs, budget, times) in
        [(10, "60s", ["about 60 s", "about 61 s"]), (30, "150s", ["about 2 min", "about 3 min"])]
    {
        lab.write("e.toml", file(runs, budget));
        let told = lab.done(["run", "--dry-run", "e.toml"]);
        assert!(times.iter().any(|about| told.contains(about)), "{runs}, {budget}: {told}");
    }
}

/// Would catch sub-benchmarks, which only executing them shows, that end without a verdict because nobody counted them.
#[test]
fn go_asks_for_what_its_benchmarks_need() {
    let there = |program: &str| Command::new(program).arg("version").output().is_ok();
    if !there("go") || !there("git") {
        return skip("etalon go: Go or git is not installed");
    }
    let lab = Lab::new();
    fs::create_dir(lab.path("m")).unwrap();
    lab.write("m/go.mod", "module example.com/m\n\ngo 1.20\n");
    lab.write(
        "m/m_test.go",
        "package m\n\nimport (\n\t\"fmt\"\n\t\"testing\"\n)\n\nfunc BenchmarkMany(b *testing.B) {\n\
         \tfor i := 0; i < 40; i++ {\n\t\tb.Run(fmt.Sprint(i), func(b *testing.B) {\n\
         \t\t\tfor j := 0; j < b.N; j++ {\n\t\t\t}\n\t\t})\n\t}\n}\n",
    );
    let git = "cd m && git init -q . && git add -A && git -c user.name=n -c user.email=e commit -q -m one";
    Running::start(lab.shell(git)).end().expect(0);
    let go = |words: &str| {
        let line = format!("cd m && exec \"$E\" go --base HEAD --no-control -benchtime 1x {words}");
        Running::start(lab.shell(&line)).end()
    };
    let told = go("").expect(0).stderr;
    has(&told, &["11 blocks in place of 10: 40 comparisons together take as many"]);
    let record = lab.record();
    let last = record.of_type("observation").iter().filter_map(|it| it["block"].as_u64()).max();
    assert_eq!(last, Some(10), "eleven, from 0");
    let told = go("-r 10").expect(0).stderr;
    has(&told, &["10 blocks cannot tell any apart: 40 comparisons together take 11; `-r 11`"]);
    // There is no reference on two sides.
    assert!(!told.contains("--reference"), "{told}");
}

/// Would catch benchmarks whose number is known before anything is measured, for which it is said that the default cannot
/// tell them apart, although it is made to; and one of the rows that ends in "needs at least".
#[test]
fn go_has_the_blocks_that_known_benchmarks_need() {
    let Some(lab) = crate::go::lab() else { return };
    let functions: Vec<String> = (0..30)
        .map(|i| {
            format!(
                "func BenchmarkNew{i}(b *testing.B) {{\n\tfor j := 0; j < b.N; j++ {{\n\t}}\n}}\n"
            )
        })
        .collect();
    let text = format!("package m\n\nimport \"testing\"\n\n{}", functions.concat());
    lab.write("m/new_test.go", text);
    let commit = "cd m && git add -A && git -c user.name=n -c user.email=e commit -q -m new";
    Running::start(lab.shell(commit)).end().expect(0);
    let ended = crate::go::go(&lab, "--base HEAD -benchtime 1x -bench New --no-control").expect(0);
    has(&ended.stderr, &["11 blocks in place of 10: 30 comparisons together take as many"]);
    assert!(!ended.stderr.contains("cannot tell any apart"), "{}", ended.stderr);
    assert!(!ended.stdout.contains("needs at least"), "{}", ended.stdout);
    let fixed = crate::go::go(&lab, "--base HEAD -r 10 -benchtime 1x -bench New --no-control");
    has(
        &fixed.stderr,
        &["10 blocks cannot tell any apart: 30 comparisons together take 11; `-r 11`"],
    );
}

/// Would catch a check of all units for which one counts: what it needs was said of each row, once all was measured.
#[test]
fn a_check_of_all_units_needs_the_blocks_of_all() {
    let lab = Lab::new();
    for side in ["old", "new"] {
        fs::create_dir(lab.path(side)).unwrap();
        lab.script(&format!("{side}/p"), &format!(": {side}"));
    }
    let words = "ab --dir old new --no-control -r 6 --fail-on worse:900%";
    let told = |more: &str| {
        let line = format!("exec \"$E\" {words} {more} -- ./p");
        Running::start(lab.shell(&line)).end().stderr
    };
    let all = told("");
    let first = all.lines().next().expect("a line");
    assert!(
        first.starts_with("6 blocks cannot tell any apart: 9 comparisons together take 8;"),
        "{all}"
    );
    // What it says is what the check says then.
    has(&all, &["needs at least 8 for 9 comparisons"]);
    assert!(!told("--metric cpu").contains("cannot tell any apart"));
}

/// Would catch what was said before anything was measured said again after the first block.
#[test]
fn what_go_needs_is_said_once() {
    let Some(lab) = crate::go::lab() else { return };
    let words = "-r 3 -benchtime 1x -bench Two|Torn --base HEAD --no-control";
    let told = crate::go::go(&lab, &words.replace('|', "\\|")).stderr;
    let first = "3 blocks cannot tell any apart: 2 comparisons together take 7";
    assert_eq!(told.matches(first).count(), 1, "{told}");
    let alone = crate::go::go(&lab, "-r 3 -benchtime 1x -bench Torn --base HEAD --no-control");
    assert_eq!(alone.stderr.matches("cannot tell").count(), 1, "{}", alone.stderr);
    // Benchmarks of one side are compared with nothing.
    let one_side = crate::go::go(&lab, "-r 2 -benchtime 1x -bench Two\\|Torn").stderr;
    assert!(!one_side.contains("cannot tell"), "{one_side}");
}
