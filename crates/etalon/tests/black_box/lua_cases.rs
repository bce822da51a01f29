//! What a case may be: skipped, one of many combinations, in a group, tagged, with throughput and
//! numbers of its own; and more of them than fit side by side.

use std::collections::BTreeSet;

use crate::suites::{names, number, plain, run, samples};
use crate::support::{Lab, has};
use serde_json::{Value, json};

/// Would catch a skipped case that is measured, hidden, taken for a failure, or needs a `run`.
#[test]
fn a_skipped_case_is_shown_with_its_reason() {
    let lab = Lab::new();
    lab.write(
        "s.lua",
        "local measure = require('measure')
         measure.describe('there'):run(function() end)
         measure.describe('not there'):skip('the module cjson is not installed')
         measure.describe('sometimes', { n = { 1, 2 } }):skip(function(p) return p.n == 2 end, 'too many')
             :run(function() end)",
    );
    let ended = run(&lab, &["s.lua"]).expect(0);
    let record = lab.record();
    let skipped: Vec<&Value> =
        record.of_type("benchmark").iter().map(|b| &b["case"]["skipped"]).collect();
    let reason = json!("the module cjson is not installed");
    assert_eq!(skipped, [&Value::Null, &reason, &Value::Null, &json!("too many")]);
    assert!(record.of(1).is_empty() && record.of(3).is_empty() && !record.of(2).is_empty());
    has(&ended.stdout, &["not there"]);
    has(&crate::support::joined(&ended.stdout), &["themodulecjsonisnotinstalled"]);
}

/// Would catch only skipped cases taken for success without data, or for a failure.
#[test]
fn nothing_but_skipped_cases_is_no_failure() {
    let lab = Lab::new();
    lab.write("s.lua", "require('measure').describe('a'):skip('not here')");
    for amount in [&["-r", "2"][..], &[]] {
        let ended = lab.run([&["run"][..], amount, &["s.lua"]].concat()).expect(0);
        has(&ended.stdout, &["not here"]);
    }
}

/// Would catch combinations that are missing, in another order, or not given their params.
#[test]
fn params_make_a_case_of_each_combination() {
    let lab = Lab::new();
    lab.write(
        "s.lua",
        "local measure = require('measure')
         measure.describe('sort', { { 'size', { 3, 20 } }, { 'kind', { 'up', true } } })
             :items(function(p) return p.size end)
             :setup(function(_, p) measure.metric('product', p.size * (p.kind == true and -1 or 1), 'count') end)
             :run(function(_, p) assert(p.size and p.kind) end)",
    );
    run(&lab, &["s.lua"]).expect(0);
    let record = lab.record();
    let params: Vec<String> =
        record.of_type("benchmark").iter().map(|b| b["params"].to_string()).collect();
    let wanted = [("3", "up"), ("3", "true"), ("20", "up"), ("20", "true")];
    assert_eq!(
        params,
        wanted.map(|(size, kind)| format!(r#"{{"size":"{size}","kind":"{kind}"}}"#))
    );
    for (case, (product, items)) in [(3, 3), (-3, 3), (20, 20), (-20, 20)].into_iter().enumerate() {
        let own: Vec<f64> =
            record.of(case).iter().filter_map(|o| o["values"]["product"].as_f64()).collect();
        assert_eq!(own, [f64::from(product); 2]);
        assert_eq!(
            record.of_type("benchmark")[case]["case"]["items"].as_f64(),
            Some(f64::from(items))
        );
    }
    let json = lab.json(["report", "@last", "--json"]);
    assert_eq!(json["benchmarks"][1]["params"], json!({ "size": "3", "kind": "true" }));
}

/// Would catch cases of different groups, or files, compared with each other, and tags or throughput
/// that get lost.
#[test]
fn only_cases_of_one_group_are_compared() {
    let lab = Lab::new();
    lab.write(
        "s.lua",
        "local measure = require('measure')
         measure.group('decode').describe('d1'):tags('x', 'y'):bytes(7):run(function() end)
         measure.describe('d2'):run(function() end)
         measure.describe('e1'):group('encode'):items(3):run(function() end)
         measure.describe('e2'):group('encode'):run(function() end)",
    );
    plain(&lab, "t.lua", &["t1", "t2"]);
    run(&lab, &["s.lua", "t.lua"]).expect(0);
    let record = lab.record();
    let case = |name: &str| record.of_type("benchmark")[number(&record, name)]["case"].clone();
    assert_eq!(case("d1")["tags"], json!(["x", "y"]));
    assert_eq!(
        (case("d1")["bytes"].as_f64(), case("e1")["items"].as_f64()),
        (Some(7.0), Some(3.0))
    );
    assert_eq!([&case("d2")["group"], &case("e2")["group"]], [&json!("decode"), &json!("encode")]);
    // What is compared shares blocks; nothing else does.
    let blocks = |name: &str| -> BTreeSet<i64> {
        let observed = record.of(number(&record, name));
        observed.iter().map(|o| o["block"].as_i64().expect("a block")).collect()
    };
    let pairs = [["d1", "d2"], ["e1", "e2"], ["t1", "t2"]];
    for pair in pairs {
        assert_eq!(blocks(pair[0]), blocks(pair[1]));
        for other in pairs {
            assert!(other == pair || blocks(pair[0]).is_disjoint(&blocks(other[0])));
        }
    }
    let json = lab.json(["report", "@last", "--json"]);
    let index = |name: &str| number(&record, name) as u64;
    let compared: BTreeSet<BTreeSet<u64>> = json["comparisons"]
        .as_array()
        .expect("comparisons")
        .iter()
        .map(|c| [&c["base"], &c["candidate"]].map(|i| i.as_u64().expect("an index")).into())
        .collect();
    assert_eq!(compared, pairs.map(|pair| pair.map(index).into()).into());
}

/// Would catch numbers of the suite's own that are lost, sampled like times, credited to another
/// case, or silently put under another's unit.
#[test]
fn a_suites_own_metrics_are_exact_numbers() {
    let lab = Lab::new();
    lab.write(
        "s.lua",
        "local measure = require('measure')
         local function case(name, value, unit, direction)
             measure.describe(name):setup(function()
                 measure.metric('encoded', value, unit, direction)
             end):run(function() end):teardown(function() measure.metric('left', 0.1, 'parts') end)
         end
         case('a', 1500, 'B', 'lower') case('b', 3, 'kB', 'lower') case('c', 4, 'count', 'lower')
         case('d', 5, 'B', 'higher')",
    );
    run(&lab, &["s.lua"]).expect(0);
    let record = lab.record();
    let declared: Vec<&Value> =
        record.of_type("metric").into_iter().filter(|m| m["name"] == "encoded").collect();
    assert_eq!(declared.len(), 1);
    assert_eq!(declared[0]["kind"], "exact");
    let unit = declared[0]["unit"].as_str().expect("a unit");
    let json = lab.json(["report", "@last", "--json"]);
    let value = |case: usize| json["benchmarks"][case]["metrics"]["encoded"]["median"].as_f64();
    match unit {
        // Whichever came first; what is no size is left out then, with a note.
        "B" | "kB" => {
            assert_eq!([0, 1, 2, 3].map(value), [Some(1500.0), Some(3000.0), None, Some(5.0)])
        }
        _ => assert_eq!([0, 1, 2, 3].map(value), [None, None, Some(4.0), None]),
    }
    assert_eq!(json["benchmarks"][0]["metrics"]["left"]["median"], 0.1);
    let notes = record.of_type("note");
    let said = |name: &str| {
        notes.iter().any(|n| {
            n["about"] == name && n["text"].as_str().is_some_and(|t| t.contains("encoded"))
        })
    };
    assert!(["c", "d"].into_iter().any(said), "{notes:?}");
}

/// Would catch a process for each of fifty cases at once, groups without what they are compared
/// with, and a report that does not say that not all were measured side by side.
#[test]
fn many_cases_are_measured_in_groups_with_the_baseline() {
    let lab = Lab::new();
    let all: Vec<String> = (0..35).map(|n| format!("case{n:02}")).collect();
    let all: Vec<&str> = all.iter().map(String::as_str).collect();
    plain(&lab, "s.lua", &all);
    plain(&lab, "t.lua", &all[..17]);
    plain(&lab, "u.lua", &all[..16]);
    let list = ["run", "-r", "1", "--budget", "0.02s", "-w", "0", "s.lua", "t.lua", "u.lua"];
    lab.run(list).expect(0);
    let record = lab.record();
    let mut blocks: Vec<BTreeSet<i64>> = Vec::new();
    for observed in record.measured() {
        let block = usize::try_from(observed["block"].as_u64().expect("a block")).expect("small");
        blocks.resize_with(blocks.len().max(block + 1), BTreeSet::new);
        blocks[block].insert(observed["benchmark"].as_i64().expect("a number"));
    }
    assert!(blocks.iter().all(|block| block.len() <= 16), "{blocks:?}");
    let of = |range: std::ops::Range<i64>| -> Vec<&BTreeSet<i64>> {
        blocks.iter().filter(|block| block.iter().any(|case| range.contains(case))).collect()
    };
    for (range, least) in [(0..35, 3), (35..52, 2), (52..68, 1)] {
        let mine = of(range.clone());
        assert_eq!(mine.len(), least, "{range:?}");
        assert!(mine.iter().all(|block| block.contains(&range.start)), "without the baseline");
        let together: BTreeSet<i64> = mine.iter().flat_map(|block| block.iter().copied()).collect();
        assert_eq!(together, range.collect());
    }
    let notes = record.of_type("note");
    let about: Vec<&Value> = notes
        .iter()
        .filter(|n| n["text"].as_str().is_some_and(|t| t.contains("side by side")))
        .map(|n| &n["about"])
        .collect();
    assert_eq!(about, ["s.lua", "t.lua"]);
}

/// Would catch params that cannot be selected by because their values stand in the name by chance, a
/// reference that cannot be named because it has params, and a remedy that `etalon run` does not have.
#[test]
fn a_combination_is_named_as_it_is_shown() {
    let lab = Lab::new();
    lab.write(
        "s.lua",
        "require('measure').describe('sort 10 up', { size = { 10, 20 }, kind = { 'up', 'down' } })
             :run(function() end)",
    );
    let shown = lab.done(["run", "--list", "s.lua"]);
    has(&shown, &["sort 10 up [kind=up, size=10]", "sort 10 up [kind=down, size=20]"]);
    let listed = lab.done(["run", "--list", "--filter", "size=10", "s.lua"]);
    assert_eq!(listed.lines().count(), 2, "{listed}");
    let reference = "sort 10 up [kind=down, size=20]";
    run(&lab, &["--reference", reference, "s.lua"]).expect(0);
    let json = lab.json(["report", "@last", "--json"]);
    assert_eq!(json["suites"][0]["baseline"], 3);
    assert_eq!(json["benchmarks"][3]["params"], json!({ "kind": "down", "size": "20" }));
    let ended = lab.run(["report", "@last", "--reference", "sort 10 up"]);
    assert_eq!(ended.code, Some(2), "{ended:?}");
    has(&ended.stderr, &["4 benchmarks have that name", "with its params", reference]);
}

/// Would catch groups without the reference, groups that lose what they are compared with because it
/// breaks, and a baseline that moves without a word.
#[test]
fn groups_hold_what_they_are_compared_with() {
    let lab = Lab::new();
    let all: Vec<String> = (0..20).map(|n| format!("case{n:02}")).collect();
    let all: Vec<&str> = all.iter().map(String::as_str).collect();
    plain(&lab, "s.lua", &all);
    let quickly = ["run", "-r", "1", "--budget", "0.02s", "-w", "0"];
    let blocks = |record: &crate::support::Record, case: usize| -> BTreeSet<i64> {
        let observed = record.of(case);
        observed.iter().map(|o| o["block"].as_i64().expect("a block")).collect()
    };
    lab.run([&quickly[..], &["--reference", "case18", "s.lua"]].concat()).expect(0);
    let record = lab.record();
    assert_eq!(blocks(&record, 18), [0, 1].into());
    assert_eq!(blocks(&record, 0).len(), 1);

    let text = String::from_utf8(lab.read("s.lua")).expect("text");
    // A case that does nothing is no baseline, and on a busy machine some of empty ones seem to do something.
    let breaks = text.replacen("function() end", "function() error('no') end", 1);
    lab.write(
        "s.lua",
        breaks.replace("function() end", "function() measure.sink(tostring({})) end"),
    );
    let ended = lab.run([&quickly[..], &["s.lua"]].concat()).expect(1);
    let record = lab.record();
    assert_eq!(blocks(&record, 0), [0].into(), "it is not tried again");
    assert_eq!(blocks(&record, 1), [0, 1].into(), "the next takes its place");
    let said = crate::support::joined(&ended.stdout);
    has(&said, &["failed:theothersareheldagainstcase01", "orthenextcaseifthatbreaks"]);
    assert!(!said.contains("noblockholdsboth") && !said.contains("initsownblocks"), "{said}");
}

/// Would catch calls of a long function that are of no use: every one takes its time.
#[test]
fn a_long_call_is_made_three_times_a_block() {
    let lab = Lab::new();
    lab.write(
        "s.lua",
        "local measure, calls = require('measure'), 0
         measure.describe('long'):run(function()
             calls = calls + 1
             os.execute('sleep 0.07')
         end):teardown(function() measure.metric('calls', calls, 'count') end)",
    );
    lab.run(["run", "-r", "3", "--budget", "0.1s", "-w", "0", "s.lua"]).expect(0);
    let record = lab.record();
    let calls: Vec<f64> =
        record.of(0).iter().filter_map(|o| o["values"]["calls"].as_f64()).collect();
    // In the first, memory is read, after a call that does not count.
    assert_eq!(calls, [5.0, 3.0, 3.0]);
}

/// Would catch an overhead that is subtracted, measured elsewhere, or shown unasked.
#[test]
fn the_empty_loop_is_a_row_when_asked_for() {
    let lab = Lab::new();
    plain(&lab, "s.lua", &["a", "b"]);
    plain(&lab, "t.lua", &["c"]);
    run(&lab, &["s.lua", "t.lua"]).expect(0);
    assert_eq!(names(&lab.record()), ["a", "b", "c"]);
    let ended = run(&lab, &["--show-overhead", "s.lua", "t.lua"]).expect(0);
    let record = lab.record();
    assert_eq!(names(&record), ["a", "b", "c", "(empty loop)", "(empty loop)"]);
    assert!(samples(&record, "(empty loop)") >= 6);
    has(&ended.stdout, &["(empty loop)"]);
    // In the same blocks as the cases of its file, after which it is never the baseline.
    let block = |case: usize| record.of(case)[0]["block"].clone();
    assert_eq!([block(0), block(2)], [block(3), block(4)]);
}

/// Would catch readings of one case that count as another's, because a process registers cases in another order than the
/// process that listed them: a loop over `pairs` does.
#[test]
fn a_case_is_known_by_its_name_and_not_by_its_position() {
    let lab = Lab::new();
    lab.write(
        "s_bench.lua",
        "local measure = require('measure')
         local count = io.open('count', 'a+')
         local before = #count:read('*a')
         count:write('x')
         count:close()
         for _, size in ipairs(before % 2 == 0 and { 1, 100 } or { 100, 1 }) do
             measure.describe('size ' .. size):run(function()
                 local t = {}
                 for i = 1, size do t[i] = {} end
                 measure.sink(t)
             end)
         end",
    );
    run(&lab, &["s_bench.lua"]).expect(0);
    let document = lab.json(["report", "@last", "--json"]);
    let benchmarks = document["benchmarks"].as_array().unwrap();
    let figure = |name: &str, which: &str| {
        let found = benchmarks.iter().find(|it| it["name"] == name).unwrap();
        found["metrics"]["alloc"][which].as_f64().unwrap()
    };
    assert!(10.0 * figure("size 1", "max") < figure("size 100", "min"), "{document}");
}
