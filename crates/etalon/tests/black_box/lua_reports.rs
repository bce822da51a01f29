//! Reports and exports of Lua records: every option works as for commands, on a record with
//! everything in it that may be missing.

use crate::suites::{fixture, plain, run};
use crate::support::{Lab, has, joined, tame};
use serde_json::Value;

/// Two files: cases in groups and with params, throughput, own numbers, skipped, broken, printed.
fn measure(lab: &Lab) -> String {
    lab.write(
        "s.lua",
        "local measure = require('measure')
         print('Loaded nothing')
         measure.describe('concat', { n = { 2, 20 } }):bytes(7):tags('string')
             :setup(function() measure.metric('size', 3, 'B') end)
             :run(function(_, p) measure.sink(('x'):rep(p.n) .. p.n) end)
         measure.describe('größer | \"quoted\" `x`'):items(3):run(function() measure.sink({}) end)
         measure.describe('missing'):skip('the module x is not installed')
         measure.describe('errs'):run(function() error('no') end)
         measure.describe('timed'):group('alone'):run_with_timer(function(m) return m(function() end) end)",
    );
    plain(lab, "t.lua", &["one", "two"]);
    lab.write("u.lua", "error('not to be loaded')");
    let list = ["run", "-r", "12", "--budget", "0.1s", "-w", "0", "--show-overhead", "--seed", "5"];
    lab.run([&list[..], &["s.lua", "t.lua", "u.lua"]].concat()).expect(1).stdout
}

/// Would catch a report option that fails on Lua records, shows nothing, leaves the terminal's width
/// or hides a case; and a report of the record other than the one first shown.
#[test]
fn every_report_option_works() {
    let lab = Lab::new();
    let first = measure(&lab);
    let report = |options: &[&str]| {
        let ended = lab.run([&["report", "@last"][..], options].concat());
        assert!(matches!(ended.code, Some(0 | 1)), "{options:?}: {}", ended.stderr);
        assert!(!ended.stderr.contains("panicked"), "{}", ended.stderr);
        ended.stdout
    };
    assert_eq!(report(&[]), first);
    tame(&first);
    let explained = report(&["--explain-noise"]);
    assert!(
        explained.contains("Why readings differ") && !explained.contains("\n  0 readings"),
        "{explained}"
    );
    has(
        &first,
        &[
            "concat [n=2]",
            "größer",
            "missing",
            "errs",
            "timed",
            "one",
            "two",
            "u.lua",
            "(empty loop)",
        ],
    );
    let plain = report(&["-N"]);
    for option in ["-G", "-B", "-D", "-T", "-E", "-M"] {
        let shown = report(&[option]);
        tame(&shown);
        assert!(shown != plain, "{option} shows nothing");
        has(&shown, &["concat [n=2]", "two"]);
    }
    tame(&report(&["-G", "-B", "-D", "-T", "-E"]));
    for metric in ["wall", "alloc", "allocs", "gc_time", "rss", "peak", "heap", "size"] {
        has(&report(&["--metric", metric]), &["concat [n=2]"]);
    }
}

/// Would catch formats that are another report, no tables, or a document a reader cannot parse.
#[test]
fn every_format_is_what_it_says() {
    let lab = Lab::new();
    measure(&lab);
    let report = |format: &str| lab.run(["report", "@last", "--full", "--format", format]).stdout;
    let markdown = report("markdown");
    has(
        &markdown,
        &["### s.lua: Sampling", "### t.lua: Memory", "Loaded nothing", "| calls", "|:--"],
    );
    let cells = |line: &str| line.replace("\\|", "").matches('|').count();
    let tables: Vec<&str> = markdown.lines().filter(|line| line.starts_with('|')).collect();
    for pair in tables.windows(2).filter(|pair| pair[1].starts_with("|:")) {
        assert_eq!(cells(pair[0]), cells(pair[1]), "{pair:?}");
    }
    has(&markdown, &["größer \\| "]);

    let csv = report("csv");
    let mut reader = csv::Reader::from_reader(csv.as_bytes());
    let rows: Vec<_> =
        reader.records().map(|row| row.expect("a row as long as the header")).collect();
    assert!(rows.len() >= 7, "{csv}");

    let json: Value = serde_json::from_str(&report("json")).expect("a document");
    assert_eq!(json, lab.json(["report", "@last", "--json"]));
    let all = json["benchmarks"].as_array().expect("benchmarks");
    let case = |name: &str| all.iter().find(|b| b["name"] == name).expect("the case");
    for metric in ["wall", "alloc", "allocs", "peak", "rss", "size"] {
        assert!(case("concat")["metrics"][metric]["median"].is_number(), "{metric}");
    }
    assert_eq!([&case("timed")["case"]["timer"], &case("errs")["case"]["timer"]], [true, false]);
    assert_eq!(case("errs")["outcomes"]["failed"], 1);
    assert_eq!(case("u.lua")["outcomes"]["failed"], 1);
    assert_eq!(case("missing")["metrics"]["wall"], Value::Null);
}

/// Would catch an export that fails on Lua records or leaves its measured cases out.
#[test]
fn every_export_has_the_cases() {
    let lab = Lab::new();
    measure(&lab);
    for (option, file) in [
        ("--html", "page.html"),
        ("--export-csv", "summary.csv"),
        ("--hyperfine-csv", "hyperfine.csv"),
        ("--export-json", "hyperfine.json"),
        ("--export-markdown", "table.md"),
        ("--export-asciidoc", "table.adoc"),
        ("--export-orgmode", "table.org"),
    ] {
        let ended = lab.run(["report", "@last", option, file]);
        assert!(matches!(ended.code, Some(0 | 1)), "{option}: {}", ended.stderr);
        let text = String::from_utf8(lab.read(file)).expect("UTF-8");
        has(&text, &["concat", "größer", "one", "two"]);
    }
    // The same while measuring.
    run(&lab, &["--export-csv", "at_once.csv", "t.lua"]).expect(0);
    has(&String::from_utf8_lossy(&lab.read("at_once.csv")), &["one", "two"]);
}

/// Would catch stdout with anything but the report, or a report without what it has to say first.
#[test]
fn streams_are_kept_apart() {
    let lab = Lab::new();
    plain(&lab, "s.lua", &["a", "b"]);
    let ended = run(&lab, &["s.lua"]).expect(0);
    has(&ended.stderr, &["2 cases, 2 blocks, about "]);
    assert!(!ended.stdout.contains("about "), "{}", ended.stdout);
    let ended = run(&lab, &["--quiet", "s.lua"]).expect(0);
    assert_eq!(ended.stderr, "");
    let ended = run(&lab, &["--quiet", "--json", "s.lua"]).expect(0);
    serde_json::from_str::<Value>(&ended.stdout).expect("one document and nothing else");
    assert_eq!(ended.stderr, "");
}

/// Would catch two runs of one suite that cannot be reported together.
#[test]
fn two_records_are_reported_together() {
    let lab = Lab::new();
    plain(&lab, "s.lua", &["a", "b"]);
    fixture(&lab, "seed_template_bench.lua");
    run(&lab, &["s.lua"]).expect(0);
    run(&lab, &["s.lua", "seed_template_bench.lua"]).expect(0);
    let ended = lab.run(["report", "@last", "@-2"]);
    assert!(matches!(ended.code, Some(0)), "{}", ended.stderr);
    has(&ended.stdout, &["a", "my function"]);
}

/// Would catch CPU time of calls that is recorded and not shown, or shown in lua-measure's listing, which has none.
#[test]
fn cpu_time_of_calls_stands_beside_the_wall_clock() {
    let lab = Lab::new();
    plain(&lab, "s.lua", &["a", "b"]);
    let ended = run(&lab, &["--json", "s.lua"]).expect(0);
    let report: Value = serde_json::from_str(&ended.stdout).expect("JSON");
    let cpu = &report["benchmarks"][0]["metrics"]["cpu"];
    assert!(
        cpu["unit"] == "s" && cpu["median"].as_f64().is_some_and(|median| median > 0.0),
        "{cpu}"
    );
    let title = |options: &[&str]| {
        let shown = lab.done([&["report", "@last"][..], options].concat());
        let line = shown.lines().find(|line| line.contains("std dev") || line.contains("StdDev"));
        line.expect("a table of times").to_owned()
    };
    has(&title(&["--full"]), &["median", "CPU", "std dev"]);
    assert!(!title(&["--style", "lua-measure"]).contains("CPU"));
    lab.done(["report", "@last", "--metric", "cpu"]);
}

/// Would catch 0 B for a function that makes a string which its last call made, too, and no word on how that was
/// counted.
#[test]
fn strings_that_calls_find_in_memory_are_counted_and_noted() {
    let lab = Lab::new();
    lab.write(
        "s.lua",
        "local measure = require('measure')
         local t, n = { a = 'a', b = 'b' }, 1000000
         measure.describe('finds'):run(function() measure.sink(t.a .. t.b) end)
         measure.describe('makes'):run(function() n = n + 1 measure.sink(n .. t.b) end)",
    );
    let ended = run(&lab, &["--json", "s.lua"]);
    let report: Value = serde_json::from_str(&ended.expect(0).stdout).expect("JSON");
    let memory = |case: usize| &report["benchmarks"][case]["case"]["memory"];
    // A string of two bytes is 28 B.
    assert_eq!((&memory(0)["alloc"], &memory(0)["interned"]), (&28.0.into(), &28.0.into()));
    assert_eq!((&memory(1)["allocs"], &memory(1)["interned"]), (&1.0.into(), &Value::Null));
    let full = lab.done(["report", "@last", "--full"]);
    has(
        &full.split_whitespace().collect::<Vec<_>>().join(" "),
        &["finds: alloc/call is of calls whose results are new, 28 B;", "a call allocates 0 B,"],
    );
    assert!(!full.contains("makes: alloc/call is of"), "{full}");
}

/// Would catch an amount that nobody finds by hand, because every block of a table that grows counts, and no word on that; and
/// that word where a table grows in place.
#[test]
fn blocks_of_tables_that_grow_are_counted_and_noted() {
    let lab = Lab::new();
    lab.write(
        "s.lua",
        "local measure = require('measure')
         local keys = {}
         for i = 1, 500 do keys[i] = 'key ' .. i end
         local function hash() local t = {} for i = 1, 500 do t[keys[i]] = i end return t end
         local function array() local t = {} for i = 1, 500 do t[i] = i end return t end
         for name, fn in pairs({ hash = hash, array = array }) do
             measure.describe(name):setup(function()
                 fn() collectgarbage() collectgarbage('stop')
                 local before = collectgarbage('count')
                 fn()
                 measure.metric('hand', (collectgarbage('count') - before) * 1024, 'B')
                 collectgarbage('restart')
             end):run(function() measure.sink(fn()) end)
         end",
    );
    let ended = run(&lab, &["--jit", "off", "--json", "s.lua"]);
    let report: Value = serde_json::from_str(&ended.expect(0).stdout).expect("JSON");
    for case in report["benchmarks"].as_array().unwrap() {
        let memory = &case["case"]["memory"];
        let number = |value: &Value| value.as_f64().unwrap_or(0.0);
        let (alloc, returned) = (number(&memory["alloc"]), number(&memory["returned"]));
        let hand = number(&case["metrics"]["hand"]["median"]);
        assert!((alloc - returned - hand).abs() < 64.0, "{memory} {hand}");
        assert_eq!(case["name"] == "hash", returned > 0.3 * alloc, "{memory}");
    }
    for words in [&[][..], &["--full"]] {
        let shown = joined(&lab.done([&["report", "@last"], words].concat()));
        has(&shown, &[&joined("hash [jit=off]: alloc/call has every block of tables that grow")]);
        has(&shown, &[&joined("collectgarbage('count') after a call less before it is")]);
        assert!(!shown.contains(&joined("array [jit=off]: alloc/call has every")), "{shown}");
    }
}

/// Would catch a paragraph of the same words for each of several cases.
#[test]
fn what_several_cases_find_in_memory_is_one_note() {
    let lab = Lab::new();
    let case = |name: &str| {
        format!("measure.describe('{name}'):run(function() measure.sink('{name}' .. t.a) end)\n")
    };
    let cases = ["p", "longer", "longest of all"].map(case).concat();
    lab.write("s.lua", format!("local measure, t = require('measure'), {{ a = 'a' }}\n{cases}"));
    let shown = run(&lab, &["s.lua"]).expect(0).stdout.clone();
    let shown = shown.split_whitespace().collect::<Vec<_>>().join(" ");
    // A string of fifteen bytes is 40 B.
    has(
        &shown,
        &["alloc/call is of calls whose results are new; while equal strings", "up to 40 B less"],
    );
    assert_eq!(shown.matches("alloc/call is of calls").count(), 1, "{shown}");
    let full = lab.done(["report", "@last", "--full"]);
    let full = full.split_whitespace().collect::<Vec<_>>().join(" ");
    has(&full, &["longest of all: alloc/call is of calls whose results are new, 40 B;"]);
}

/// Would catch files of one case each of which no time is shown, because nothing compares them.
#[test]
fn files_of_one_case_each_show_its_time() {
    let lab = Lab::new();
    plain(&lab, "a.lua", &["first"]);
    plain(&lab, "b.lua", &["second"]);
    plain(&lab, "c.lua", &["third", "fourth"]);
    let line = |shown: &str, name: &str| {
        let starts = format!("{name}   ");
        shown.lines().any(|line| line.starts_with(&starts) && line.contains(" samples"))
    };
    let two = run(&lab, &["a.lua", "b.lua"]).expect(0).stdout;
    assert!(line(&two, "first") && line(&two, "second"), "{two}");
    let three = run(&lab, &["a.lua", "b.lua", "c.lua"]).expect(0).stdout;
    assert!(line(&three, "first") && line(&three, "second") && !line(&three, "third"), "{three}");
    has(&three, &["\nc.lua ", "\n  fourth "]);
    let one = run(&lab, &["a.lua"]).expect(0).stdout;
    assert!(line(&one, "first"), "{one}");
}
