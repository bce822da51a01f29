//! `--count` of functions and scripts through the real binary, Lua 5.4 and valgrind. A process under it takes about a second,
//! so these are few.

use std::fs;
use std::process::Command;

use serde_json::Value;

use crate::ab;
use crate::counts::{comparison, says};
use crate::support::{Lab, Running, has, signal, skip, until};

/// A library whose work takes as many rounds as it is asked for.
const WORK: &str = "local lib = {}
function lib.work(rounds)
    local sum = 0
    for at = 1, rounds do sum = sum + at % 7 end
    return sum
end
return lib
";

/// A suite of one case that has it work for so many rounds.
fn suite(cases: &[(&str, u32)]) -> String {
    let case = |(name, rounds): &(&str, u32)| {
        format!("measure.describe('{name}').run(function() measure.sink(lib.work({rounds})) end)\n")
    };
    let cases: String = cases.iter().map(case).collect();
    format!("local measure = require('measure')\nlocal lib = require('lib')\n{cases}")
}

/// Whether all that it takes is installed.
fn is_there() -> bool {
    let there = |words: &[&str]| Command::new(words[0]).arg(words[1]).output().is_ok();
    let all = [["valgrind", "--version"], ["lua5.4", "-v"], ["git", "--version"]];
    let missing = all.iter().find(|words| !there(&words[..]));
    if let Some([missing, _]) = missing {
        skip(&format!("--count of functions: {missing} is not installed"));
    }
    missing.is_none()
}

/// The counts of a benchmark in the newest record, and the calls that each is of.
fn counts(lab: &Lab, benchmark: usize) -> Vec<(u64, u64)> {
    let record = lab.record();
    let of = record.measured().into_iter().filter(|it| it["benchmark"] == benchmark);
    let count =
        |it: &Value| Some((it["values"]["instructions"].as_u64()?, it["iterations"].as_u64()?));
    of.filter_map(count).collect()
}

/// Would catch counts that hold loading, that are of so many calls and taken for one, that differ from process to process,
/// and a case that times a part of its calls and is counted as a whole.
#[test]
fn cases_are_counted_apart_from_timing() {
    if !is_there() {
        return;
    }
    let lab = Lab::new();
    lab.write("lib.lua", WORK);
    lab.write("s.lua", suite(&[("less", 20_000), ("more", 20_020)]));
    let words =
        ["run", "--lua", "lua5.4", "-r", "6", "--budget", "300ms", "--count", "--json", "s.lua"];
    let document = lab.json(words);
    let of = comparison(&document, "instructions");
    assert_eq!((&of["word"], &of["n"]), (&"more".into(), &serde_json::json!([5, 5])), "{of}");
    let ratio = of["ratio"].as_f64().unwrap();
    assert!(ratio > 1.0008 && ratio < 1.0011, "{ratio}");
    let [less, more] = [0, 1].map(|at| counts(&lab, at));
    assert!(less.len() == 5 && less.iter().all(|it| *it == less[0]), "{less:?}");
    assert!(more.len() == 5 && more.iter().all(|it| it.1 >= 1), "{more:?}");
    // A round is a handful of instructions of the interpreter's, each some of the machine's.
    let of_round = less[0].0 / less[0].1 / 20_000;
    assert!((20..500).contains(&of_round), "{of_round}");
    let said = lab.done(["report", "@last"]);
    says(&said, &["more executes 0.", "more instructions than less"]);
    let header = &lab.record().of_type("header")[0]["context"]["count.by"].clone();
    assert!(header.as_str().unwrap().starts_with("cachegrind of valgrind-3."), "{header}");
    let timer = "measure.describe('part').run_with_timer(function(m) return m(function() end) end)";
    lab.write("p.lua", suite(&[]) + timer);
    let said =
        lab.done(["run", "--lua", "lua5.4", "-r", "5", "--budget", "100ms", "--count", "p.lua"]);
    says(&said, &["run_with_timer times a part of a call"]);
    assert_eq!(counts(&lab, 0), []);
}

/// Would catch a comment that is taken for work, work that a check does not see, and sides that are loaded at different paths.
#[test]
fn two_sides_of_a_library_are_counted() {
    if !is_there() {
        return;
    }
    let Some(lab) = ab::lab() else { return };
    lab.write("m/lib.lua", WORK);
    lab.write("m/s.lua", suite(&[("work", 20_000)]));
    ab::git(&lab, "add -A && git COMMIT three && git tag three");
    let run = |code: i32| {
        let words = "run --base three --lua lua5.4 -r 6 --budget 300ms --count --fail-on instructions:worse:0.05% s.lua";
        let mut command = lab.shell(&format!("cd m && exec \"$E\" {words}"));
        command.env("TMPDIR", lab.path("tmp"));
        Running::start(command).end().expect(code).stdout
    };
    lab.write("m/lib.lua", format!("-- {}\n{WORK}", "a longer comment ".repeat(20)));
    let said = run(0);
    says(&said, &["instructions: 1 same"]);
    let [base, head] = [0, 1].map(|at| counts(&lab, at));
    assert!(base.len() == 2 && base == head, "{base:?} {head:?}");
    lab.write("m/lib.lua", WORK.replace("1, rounds", "1, rounds * 1.001"));
    let said = run(1);
    says(&said, &["instructions: 1 more", "the count moved", "where the count moved:"]);
    let [base, head] = [0, 1].map(|at| counts(&lab, at));
    assert!(base.len() == 5 && head.iter().all(|it| it.1 == base[0].1), "{base:?} {head:?}");
}

/// Would catch a script that is counted with what etalon does to load it, and the embedded Lua that is not counted.
#[test]
fn scripts_are_counted_and_the_embedded_lua_counts() {
    if !is_there() {
        return;
    }
    let lab = Lab::new();
    lab.write("s.lua", "local sum = 0 for at = 1, 100000 do sum = sum + at % 7 end os.exit(0)");
    lab.done(["run", "--lua", "lua5.4", "-r", "5", "--count", "--script", "s.lua"]);
    let of = counts(&lab, 0);
    assert!(of.len() == 2 && of[0] == of[1] && of[0].1 == 1, "{of:?}");
    assert!((5_000_000..30_000_000).contains(&of[0].0), "{of:?}");
    lab.done([
        "run",
        "-r",
        "5",
        "--budget",
        "100ms",
        "--count",
        "--jit",
        "off",
        "-e",
        "('x'):rep(99)",
    ]);
    let of = counts(&lab, 0);
    assert!(!of.is_empty() && of[0].0 / of[0].1 > 50, "{of:?}");
}

/// Would catch cells of suites that are refused or counted as commands.
#[test]
fn cells_of_a_file_of_suites_are_counted() {
    if !is_there() {
        return;
    }
    let lab = Lab::new();
    lab.write("lib.lua", WORK);
    let case = "measure.describe('work', { n = { 20000, 20100 } }).run(function(_, p) measure.sink(lib.work(p.n)) end)";
    lab.write("s.lua", suite(&[]) + case);
    lab.write(
        "e.toml",
        "[axes]\nn = [\"20000\", \"20100\"]\n[[subject]]\nsuite = \"s.lua\"\nlua = \"lua5.4\"\n[measure]\nruns = 6\n\
         count = \"fixed\"\n[[table]]\nmetric = \"instructions\"\nrows = \"name\"\ncolumns = \"n\"\n",
    );
    let document = lab.json(["run", "e.toml", "--json"]);
    let of = comparison(&document, "instructions/op");
    assert_eq!((&of["word"], &of["n"]), (&"more".into(), &serde_json::json!([5, 5])), "{of}");
}

/// Would catch what cannot be counted and is found after measuring.
#[test]
fn what_cannot_be_counted_of_functions_is_said_first() {
    let lab = Lab::new();
    lab.write(
        "s.lua",
        "local measure = require('measure') measure.describe('a').run(function() end)",
    );
    for (words, said) in [
        (&["--plan"][..], "--count with --plan"),
        (&["--metric", "instructions"], "--count with --metric instructions"),
        (&["--on", "ssh:localhost"], "--count with --on"),
    ] {
        let list = [&["run", "--count", "s.lua"], words].concat();
        has(&lab.run(list).expect(2).stderr, &[said]);
    }
    let mut command = lab.etalon(["run", "--count", "s.lua"]);
    command.env("PATH", lab.path(""));
    has(&Running::start(command).end().expect(2).stderr, &["--count: ", "apt install valgrind"]);
    let list = ["run", "--fail-on", "instructions:worse", "--base", "HEAD", "s.lua"];
    has(&lab.run(list).expect(2).stderr, &["instructions"]);
    assert!(lab.saved().is_empty());
}

/// Would catch processes and files that stay behind when the user does not wait for counts.
#[test]
fn an_interrupted_count_leaves_nothing() {
    if !is_there() {
        return;
    }
    let lab = Lab::new();
    fs::create_dir(lab.path("tmp")).unwrap();
    lab.write("s.lua", "local measure = require('measure')
        measure.describe('a').run(function() if os.getenv('LD_PRELOAD') then while true do end end end)");
    let mut command =
        lab.etalon(["run", "--lua", "lua5.4", "-r", "5", "--budget", "100ms", "--count", "s.lua"]);
    command.env("TMPDIR", lab.path("tmp"));
    let running = Running::start(command);
    let is_counting = || {
        let rooms = fs::read_dir(lab.path("tmp")).unwrap().filter_map(Result::ok);
        let files = rooms.filter_map(|it| fs::read_dir(it.path()).ok()).flatten().flatten();
        files.into_iter().any(|it| it.file_name().to_string_lossy().starts_with("log."))
    };
    until("a count", is_counting);
    signal(running.pid(), libc::SIGINT);
    running.end().expect(130);
    lab.assert_nothing_left();
    assert_eq!(fs::read_dir(lab.path("tmp")).unwrap().count(), 0);
    assert_eq!(counts(&lab, 0), []);
}
