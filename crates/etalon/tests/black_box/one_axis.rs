//! Only what makes columns is compared: what varies within a file makes tables, a group and a file are part of every key,
//! benchmarks are what was declared and not what they are shown as, and nothing to show is an error.

use std::fs;

use serde_json::{Value, json};

use crate::ab::{git, lab};
use crate::support::{Lab, Running, has, joined};

/// Readings of one benchmark on two processors, a level in ns each.
fn on_two(levels: [u32; 2]) -> String {
    let part = |(cpu, level): (&str, u32)| {
        let line = |at: u32| {
            format!("BenchmarkE-8 100 {} ns/op\n", level + [2, 4, 1, 3, 0, 2, 4, 1][at as usize])
        };
        let lines: String = (0..8).map(line).collect();
        format!("goos: linux\npkg: ex/p\ncpu: {cpu}\n{lines}PASS\nok  \tex/p\t1.000s\n")
    };
    ["Slow", "Fast"].into_iter().zip(levels).map(part).collect()
}

/// Would catch a change on one of two processors that hides behind the other, and processors that are compared with each
/// other: either by a check, on a screen, or in a document.
#[test]
fn old_against_new_on_each_of_two_processors() {
    let lab = Lab::new();
    for (name, levels) in [
        ("old", [1400, 700]),
        ("worse", [1400, 1100]),
        ("turned", [700, 1400]),
        ("same", [702, 1402]),
    ] {
        lab.write(&format!("{name}.txt"), on_two(levels));
    }
    let check = ["compare", "--fail-on", "sec/op:worse:5%"];
    let worse = lab.run([&check[..], &["old.txt", "worse.txt"]].concat()).expect(1);
    has(&worse.stderr, &["ex/p Fast, E-8, sec/op, worse.txt: ratio 1.570"]);
    assert!(!worse.stderr.contains("Slow"), "{}", worse.stderr);
    lab.run([&check[..], &["turned.txt", "same.txt"]].concat()).expect(0);
    // What the base has and another lacks fails, and is not compared with anything.
    lab.write(
        "half.txt",
        on_two([1400, 1100]).split_once("PASS").unwrap().0.to_owned()
            + "PASS\nok  \tex/p\t1.000s\n",
    );
    has(
        &lab.run([&check[..], &["old.txt", "half.txt"]].concat()).expect(1).stderr,
        &["missing: ex/p Fast"],
    );
    let new = lab.run([&check[..], &["half.txt", "old.txt", "worse.txt"]].concat()).expect(0);
    has(&new.stdout, &["new: ex/p Fast"]);
    let document = lab.json(["compare", "--json", "old.txt", "worse.txt"]);
    let tables = document["tables"].as_array().unwrap();
    let shown: Vec<(&Value, &Value)> = tables
        .iter()
        .map(|it| (&it["labels"]["cpu"], &it["rows"][0]["cells"][1]["comparison"]["verdict"]))
        .collect();
    assert_eq!(shown, [(&json!("Slow"), &json!("unclear")), (&json!("Fast"), &json!("slower"))]);
}

/// Would catch a report of one file that ranks a processor against another, which nobody asked; an option with which it does;
/// and processors that are not compared where somebody asks it.
#[test]
fn a_report_compares_no_processors() {
    let lab = Lab::new();
    lab.write("old.txt", on_two([1400, 700]));
    // Two benchmarks, one of which takes twice as long, on each of two processors.
    let other = on_two([2800, 1400]).replace("BenchmarkE", "BenchmarkF");
    lab.write("four.txt", on_two([1400, 700]) + &other);
    let asked = "|--metric sec/op|-E|-M|-N|-G|-B|-D|-T|--full|--style bestguess|--style bestguess -E|--style lua-measure|\
                 --format markdown|--format markdown --style bestguess|--explain-noise|--confidence 99%|--html o.html";
    for options in asked.split('|').map(|options| options.split_whitespace()) {
        let options: Vec<&str> = options.collect();
        let report = |file| lab.done([&["report", file][..], &options].concat());
        let (of_one, of_two) = (report("old.txt"), report("four.txt"));
        for text in [&of_one, &of_two] {
            has(&joined(text), &["resultsdifferincpu", "--colcpucomparesmachines"]);
        }
        assert!(!of_one.contains("faster") && !of_one.contains("slower"), "{options:?}: {of_one}");
        // No line has both processors, and no ratio is that of processors of one benchmark.
        let mixed = |line: &str| line.contains("cpu=Slow") && line.contains("cpu=Fast");
        assert!(!of_two.lines().any(mixed), "{options:?}: {of_two}");
    }
    let screen = lab.done(["report", "four.txt", "--reference", "E-8"]);
    has(
        &joined(&screen),
        &["cpu=Slow:sec/op:E-8isfaster:F-8takes2.00×", "cpu=Fast:sec/op:E-8isfaster:F-8takes2.00×"],
    );
    for arguments in [&["report", "four.txt", "--json"][..], &["report", "old.txt", "--json"]] {
        let document = lab.json(arguments);
        let compared: Vec<[&str; 2]> = document["comparisons"]
            .as_array()
            .unwrap()
            .iter()
            .map(|it| ["base_name", "candidate_name"].map(|side| it[side].as_str().unwrap()))
            .collect();
        let expected: &[[&str; 2]] = match arguments[1] {
            "four.txt" => {
                &[["E-8 [cpu=Slow]", "F-8 [cpu=Slow]"], ["E-8 [cpu=Fast]", "F-8 [cpu=Fast]"]]
            }
            _ => &[],
        };
        assert_eq!(compared, expected);
    }
    has(
        &lab.run(["report", "old.txt", "--col", "cpu"]).expect(0).stdout,
        &["Slow → Fast", "faster"],
    );
    // Each processor of two files, as `compare` has it.
    lab.write("worse.txt", on_two([1400, 1100]));
    let both = joined(&lab.done(["report", "old.txt", "worse.txt", "--metric", "sec/op"]));
    has(&both, &["cpu=Slow:sec/op:nodifferenceseen", "cpu=Fast:sec/op:E-8(old.txt)isfaster"]);
}

/// Would catch a machine that is called slow by the name of a data set, and nobody is told that there are two.
#[test]
fn data_sets_of_other_machines_are_told() {
    let lab = Lab::new();
    let both = on_two([1400, 700]);
    let (slow, fast) = both.split_at(both.rfind("goos").unwrap());
    lab.write("slow.txt", slow);
    lab.write("fast.txt", fast);
    lab.write("silent.txt", fast.replace("cpu: Fast\n", ""));
    let shown = joined(&lab.done(["report", "slow.txt", "fast.txt"]));
    has(&shown, &["E-8(fast.txt)isfaster", "datasetsareofmachinesthatdifferincpu"]);
    let document = lab.json(["report", "slow.txt", "fast.txt", "--json"]);
    assert!(document.to_string().contains("machines that differ in cpu"), "{document}");
    // What is not said is no other machine.
    let shown = lab.done(["report", "slow.txt", "silent.txt"]);
    assert!(!shown.contains("machines"), "{shown}");
}

/// Would catch a filter that leaves one of two data sets, of which nothing is compared, and advice that changes nothing.
#[test]
fn what_leaves_one_data_set_compares_nothing() {
    let lab = Lab::new();
    lab.write("old.txt", on_two([1400, 700]));
    lab.write("new.txt", on_two([1400, 700]).replace("BenchmarkE", "BenchmarkF"));
    let filtered = ["compare", "old.txt", "new.txt", "--filter", ".name:E"];
    let ended = lab.run(filtered).expect(2);
    has(&ended.stderr, &["nothing is compared: only old.txt has something that passes --filter"]);
    has(&ended.stdout, &["E-8"]);
    lab.done(["compare", "old.txt", "--filter", ".name:E"]);
    lab.done(["compare", "A=old.txt", "A=new.txt"]);
    lab.write(
        "one.txt",
        on_two([1400, 700]).replace("cpu: Slow", "cpu: One").replace("cpu: Fast", "cpu: Two"),
    );
    let ended = lab.run(["compare", "old.txt", "one.txt", "--table", "cpu"]).expect(2);
    has(&ended.stderr, &["--table without cpu has them in one table"]);
}

/// Would catch a case of one group that is held against one of another group in another data set: they are two benchmarks.
#[test]
fn cases_of_other_groups_are_never_compared() {
    let lab = Lab::new();
    for group in ["one", "two"] {
        let case = format!("measure.describe('x'):group('{group}'):run(function() return 1 end)");
        lab.write("a_bench.lua", format!("local measure = require('measure')\n{case}\n"));
        let record = format!("{group}.jsonl");
        lab.done(["run", "a_bench.lua", "-r", "2", "--budget", "100ms", "-o", &record]);
    }
    let ended = lab.run(["compare", "one.jsonl", "two.jsonl"]).expect(2);
    has(
        &ended.stderr,
        &["nothing is compared", "`etalon compare --ignore group` takes their values"],
    );
    lab.done(["compare", "one.jsonl", "two.jsonl", "--ignore", "group"]);
}

/// Would catch a table of one machine that is laid out as that of another, which has more rows or fewer.
#[test]
fn machines_may_have_other_benchmarks() {
    let lab = Lab::new();
    let named = |name: &str, levels| on_two(levels).replace("BenchmarkE", name);
    let two = on_two([1400, 700]) + &named("BenchmarkF", [2800, 1400]);
    for only in ["Slow", "Fast"] {
        let third = named("BenchmarkG", [4200, 2100]);
        let at = third.find("cpu: Fast").unwrap();
        let at = third[..at].rfind("goos").unwrap();
        let third = if only == "Slow" { &third[..at] } else { &third[at..] };
        lab.write("five.txt", two.clone() + third);
        for options in
            ["", "--full", "-E", "-M", "--reference E-8", "--html o.html", "--format markdown"]
        {
            let options: Vec<&str> = options.split_whitespace().collect();
            let shown = lab.done([&["report", "five.txt"][..], &options].concat());
            has(&joined(&shown), &["cpu=Slow", "cpu=Fast", "G-8"]);
        }
    }
}

/// Would catch old and new readings in one number of each processor, of which nobody is told.
#[test]
fn data_sets_in_one_cell_are_told() {
    let lab = Lab::new();
    lab.write("old.txt", on_two([1400, 700]));
    lab.write("new.txt", on_two([1400, 1100]));
    let shown = |arguments: &str| {
        let words = ["compare", "old.txt", "new.txt"].into_iter().chain(arguments.split(' '));
        joined(&lab.done(words.collect::<Vec<_>>()))
    };
    let told = "valuesofonecelldifferin.file:";
    has(&shown("--col cpu"), &[told]);
    has(&shown("--col cpu --json"), &[told]);
    for apart in ["--col cpu --table .file", "--col cpu,.file", "--col cpu --ignore .file"] {
        assert!(!shown(apart).contains(told), "{apart}");
    }
    // Runs of a side are in its column, which needs no word.
    for (name, commit) in [("a", "1"), ("b", "1"), ("c", "2"), ("d", "2")] {
        let text = on_two([1400, 700]).split("PASS").next().unwrap().to_owned();
        lab.write(&format!("{name}.txt"), format!("commit: {commit}\n{text}"));
    }
    let runs = lab.done(["compare", "a.txt", "b.txt", "c.txt", "d.txt", "--col", "commit"]);
    assert!(!joined(&runs).contains(told), "{runs}");
}

/// Results of one command text, told apart by nothing, or by a parameter in some other field.
fn results(levels: [f64; 2], fields: [&str; 2]) -> String {
    let one = |(level, field): (f64, &str)| {
        let times: Vec<String> = [0.98, 1.0, 0.99, 1.02, 1.01, 0.995, 1.005, 1.03]
            .map(|by| (level * by).to_string())
            .to_vec();
        format!("{{\"command\": \"make\", \"times\": [{}]{field}}}", times.join(", "))
    };
    let all: Vec<String> = levels.into_iter().zip(fields).map(one).collect();
    format!("{{\"results\": [{}]}}", all.join(", "))
}

/// Would catch two results of one command text in one row, or under one name.
#[test]
fn results_of_one_command_text_are_several_benchmarks() {
    let kinds = [
        [", \"parameter\": \"debug\"", ", \"parameter\": \"release\""],
        [", \"parameter\": 1", ", \"parameter\": 2"],
        [", \"parameters\": {\"mode\": \"debug\"}", ", \"parameters\": {\"mode\": \"release\"}"],
        ["", ""],
    ];
    let names = [
        ["make [parameter=debug]", "make [parameter=release]"],
        ["make [parameter=1]", "make [parameter=2]"],
        ["make [mode=debug]", "make [mode=release]"],
        ["make", "make (2)"],
    ];
    for (fields, names) in kinds.into_iter().zip(names) {
        let lab = Lab::new();
        lab.write("old.json", results([0.4, 0.1], fields));
        lab.write("new.json", results([0.4, 0.2], fields));
        let document = lab.json(["compare", "--json", "--between", "0", "old.json", "new.json"]);
        let rows = document["tables"][0]["rows"].as_array().unwrap().clone();
        let verdicts: Vec<&Value> =
            rows.iter().map(|it| &it["cells"][1]["comparison"]["verdict"]).collect();
        assert_eq!(verdicts, [&json!("unclear"), &json!("slower")], "{names:?}: {document}");
        let shown = lab.done(["report", "--between", "0", "old.json"]);
        has(&shown, &[&format!("{} is faster: {} takes", names[1], names[0])]);
        lab.run(["report", "--between", "0", "--reference", names[1], "old.json"]).expect(0);
        // They are as many in every other format, and in what is read of those again.
        for to in ["etalon", "hyperfine", "bestguess", "go"] {
            let again = format!("again.{to}");
            lab.run(["convert", "--quiet", "--to", to, "old.json", "-o", &again]).expect(0);
            let read = lab.json(["compare", "--json", "--filter", ".unit:sec/op", &again]);
            let rows = read["tables"][0]["rows"].as_array().map_or(0, Vec::len);
            assert_eq!(rows, 2, "{names:?} as {to}: {read}");
            let n = |at: usize| read["tables"][0]["rows"][at]["cells"][0]["n"].clone();
            assert_eq!([n(0), n(1)], [json!(8), json!(8)], "{names:?} as {to}");
        }
    }
}

/// Would catch parameters that a name hides: both are shown as `make 12`.
#[test]
fn keys_that_are_shown_alike_are_called_in_full() {
    let lab = Lab::new();
    let fields = [
        ", \"parameters\": {\"a\": \"1\", \"b\": \"2\"}",
        ", \"parameters\": {\"a\": \"2\", \"b\": \"1\"}",
    ];
    lab.write("both.json", results([0.4, 0.1], fields).replace("\"make\"", "\"make 12\""));
    let shown = lab.done(["report", "--between", "0", "both.json"]);
    has(&shown, &["make 12 [a=2, b=1] is faster: make 12 [a=1, b=2] takes"]);
    let pair = &lab.json(["report", "--json", "--between", "0", "both.json"])["comparisons"][0];
    assert_eq!(
        (&pair["base_name"], &pair["candidate_name"]),
        (&json!("make 12 [a=2, b=1]"), &json!("make 12 [a=1, b=2]"))
    );
}

/// Cases of one name in two groups: the ordinary suite.
const GROUPS: &str = "local measure = require('measure')
local function work(n) local t = {}; for i = 1, n do t[i] = i end; return #t end
for group, factor in pairs({ decode = 1, encode = 50 }) do
    measure.group(group)
    measure.describe('x'):run(function() measure.sink(work(20 * factor)) end)
    measure.describe('y'):run(function() measure.sink(work(40 * factor)) end)
end
";

/// Would catch cases of several groups or files in one row, rows that vanish for it, and a report of nothing that succeeds.
#[test]
fn sides_of_a_suite_have_rows_for_each_group_and_file() {
    let Some(lab) = lab() else { return };
    lab.write("m/a_bench.lua", GROUPS);
    lab.write("m/b_bench.lua", GROUPS);
    git(&lab, "add -A && git COMMIT three");
    let run = |words: &str| {
        let mut command = lab.shell(&format!("cd m && exec \"$E\" run --base HEAD {words}"));
        command.env("TMPDIR", lab.path("tmp"));
        Running::start(command).end()
    };
    let places = |files: &[&str]| -> Vec<Vec<Value>> {
        let document = lab.json(["report", "@last", "--json"]);
        let mut tables = document["tables"].as_array().unwrap().clone();
        tables.retain(|it| it["unit"] == "sec/op");
        let rows: Vec<usize> =
            tables.iter().map(|it| it["rows"].as_array().unwrap().len()).collect();
        assert_eq!(rows, vec![2; 2 * files.len()], "{document}");
        let verdict = |it: &Value| it["rows"][0]["cells"][1]["comparison"]["verdict"].is_string();
        assert!(tables.iter().all(verdict), "{document}");
        tables
            .iter()
            .map(|it| vec![it["labels"]["suite"].clone(), it["labels"]["group"].clone()])
            .collect()
    };
    let shown = run("-r 6 --budget .1s a_bench.lua").expect(0);
    has(&joined(&shown.stdout), &["base→head", "decode", "encode"]);
    let mut groups: Vec<String> = places(&["a"]).iter().map(|it| it[1].to_string()).collect();
    groups.sort();
    assert_eq!(groups, ["\"decode\"", "\"encode\""]);
    let shown = run("-r 6 --budget .1s a_bench.lua b_bench.lua").expect(0);
    has(&joined(&shown.stdout), &["a_bench.lua"]);
    has(&joined(&lab.done(["report", "@last", "--full"])), &["a_bench.lua", "b_bench.lua"]);
    assert_eq!(places(&["a", "b"]).len(), 4);
    let list = lab.done(["runs"]);
    assert!(list.lines().nth(1).is_some_and(|line| line.contains("time: ")), "{list}");
    fs::write(lab.path("m/a_bench.lua"), "require('measure').describe('a'):skip('not here')")
        .unwrap();
    has(&run("-r 6 a_bench.lua").expect(2).stderr, &["there is nothing to compare"]);
}

/// Would catch groups of a suite in one cell, a group that is refused where axes are named, and values of another group.
#[test]
fn a_group_is_a_key_of_tables_of_suites() {
    let lab = Lab::new();
    lab.write("a_bench.lua", GROUPS);
    let table = |keys: &str| {
        format!("[[table]]\nmetric = \"wall\"\nview = \"plain\"\nsummary = \"none\"\n{keys}\n")
    };
    let file = |tables: &[&str]| {
        let tables: String = tables.iter().map(|keys| table(keys)).collect();
        format!(
            "[[subject]]\nsuite = \"a_bench.lua\"\n[measure]\nruns = 3\nbudget = \"1s\"\n{tables}"
        )
    };
    lab.write(
        "a.toml",
        file(&[
            "rows = \"name\"\ncolumns = []",
            "rows = [\"group\", \"name\"]\ncolumns = []",
            "rows = \"name\"\ncolumns = \"group\"",
            "rows = \"name\"\ncolumns = []\nonly = { group = \"encode\" }",
        ]),
    );
    let shown = lab.run(["run", "a.toml"]).expect(0).stdout;
    let lines: Vec<String> = shown.lines().map(joined).collect();
    for expected in ["wall(sec/op),groupdecode", "wall(sec/op),groupencode", "decodex", "encodey"] {
        assert!(lines.iter().any(|line| line.contains(expected)), "no {expected} in {shown}");
    }
    assert!(!shown.contains("differ in"), "{shown}");
    lab.write("none.toml", file(&["rows = \"name\"\ncolumns = []\nonly = { group = \"nosuch\" }"]));
    // Without tables and axes, rows are names, and a group is a key of its table.
    lab.write("usual.toml", file(&[]));
    lab.run(["run", "usual.toml"]).expect(0);
    let document = lab.json(["report", "@last", "--json"]);
    let keys: Vec<(Value, Vec<Value>)> = document["tables"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| {
            let rows = it["rows"].as_array().unwrap().iter().map(|row| row["labels"].clone());
            (it["labels"].clone(), rows.collect())
        })
        .collect();
    let names = vec![json!({".name": "x"}), json!({".name": "y"})];
    for group in ["decode", "encode"] {
        assert!(keys.contains(&(json!({"group": group}), names.clone())), "{document}");
    }
    has(
        &lab.run(["run", "none.toml"]).expect(2).stderr,
        &["none.toml:", "`only` asks for group nosuch"],
    );
    // Named by queries, and split where they are not.
    let by = |arguments: &[&str]| lab.json([&["report", "@last", "--json"], arguments].concat());
    let document = by(&["--row", "group,.name", "--filter", ".unit:sec/op"]);
    assert_eq!(document["tables"][0]["rows"].as_array().unwrap().len(), 4, "{document}");
    let document = by(&["--table", "", "--row", ".name", "--filter", ".unit:sec/op"]);
    let tables = document["tables"].as_array().unwrap();
    let groups: Vec<&Value> = tables.iter().map(|it| &it["labels"]["group"]).collect();
    assert_eq!(groups.len(), 2, "{document}");
}
