//! Records of functions: turns, iterations, cases, what files printed.

use crate::columns::RunSet;
use crate::view::only;
use etalon_core::model::{Case, CaseHost, Collector, Per, Sampling, Warmup};
use etalon_core::run_set::Printed;
use etalon_record::raw::{self, Strictness, write_record};

const RECORD: &str = concat!(
    r#"{"type":"header","format":"etalon","version":1,"tool":"t","argv":[],"context":{}}"#,
    "\n",
    r#"{"type":"metric","name":"wall","unit":"ns","direction":"lower","kind":"noisy","resolution":1e-9,"per":"iteration"}"#,
    "\n",
    r#"{"type":"metric","name":"peak","unit":"B","direction":"lower","kind":"noisy"}"#,
    "\n",
    r#"{"type":"benchmark","name":"f","case":{"file":"a_bench.lua","directory":"/home/me/d","line":7,"group":"g","tags":["x"],"bytes":512.0,"timer":true,"host":{"name":"lua5.4","path":"/usr/bin/lua5.4","hash":"0123456789abcdef","version":"Lua 5.4","language":"Lua 5.4","jit":"none","clock":"native","memory":"allocator"},"warmup":0.15,"until_level":true,"gc_step":64,"confidence":0.99,"target":0.05}}"#,
    "\n",
    r#"{"type":"output","file":"a_bench.lua","text":"loaded\n"}"#,
    "\n",
    r#"{"type":"output","benchmark":0,"text":"noise\n"}"#,
    "\n",
    r#"{"type":"observation","benchmark":0,"phase":"warmup","block":0,"iterations":3,"values":{"wall":9}}"#,
    "\n",
    r#"{"type":"observation","benchmark":0,"block":0,"turn":0,"iterations":1000,"values":{"wall":3000}}"#,
    "\n",
    r#"{"type":"observation","benchmark":0,"block":0,"turn":1,"iterations":7,"values":{"wall":10}}"#,
    "\n",
    r#"{"type":"observation","benchmark":0,"block":0,"turn":0,"values":{"peak":4096}}"#,
    "\n",
    r#"{"type":"observation","benchmark":0,"block":1,"turn":0,"iterations":2,"values":{"wall":5}}"#,
    "\n",
);

fn read(record: &str) -> RunSet {
    only(&raw::read(record.as_bytes(), "r", Strictness::Strict).unwrap())
}

/// Would catch a batch taken for a call, and rows that lose their turn or their block.
#[test]
fn a_reading_is_per_iteration_and_has_its_place() {
    let set = read(RECORD);
    assert_eq!(set.metrics[0].per, Per::Iteration);
    let series = &set.series[0];
    assert_eq!(series.columns[0].values, [3e-9, 1e-8 / 7.0, 2.5e-9]);
    assert_eq!(series.columns[0].rows, [0, 1, 3]);
    assert_eq!(series.columns[1].values, [4096.0]);
    assert_eq!((&series.blocks[..], &series.turns[..]), (&[0, 0, 0, 1][..], &[0, 1, 0, 0][..]));
    assert_eq!(series.iterations, [1000, 7, 1, 2]);
    assert_eq!(series.warmup_outcomes.ok, 1);
    assert!(set.notes.is_empty(), "{:?}", set.notes);
}

#[test]
fn a_case_is_what_its_line_says() {
    let set = read(RECORD);
    let case = Case {
        file: "a_bench.lua".to_owned(),
        directory: Some("/home/me/d".to_owned()),
        line: Some(7),
        group: Some("g".to_owned()),
        tags: vec!["x".to_owned()],
        bytes: Some(512.0),
        items: None,
        skipped: None,
        timer: true,
        host: Some(Box::new(CaseHost {
            name: "lua5.4".to_owned(),
            path: Some("/usr/bin/lua5.4".to_owned()),
            hash: Some("0123456789abcdef".into()),
            version: "Lua 5.4".to_owned(),
            language: "Lua 5.4".to_owned(),
            jit: "none".to_owned(),
            clock: "native".to_owned(),
            memory: "allocator".to_owned(),
        })),
        sampling: Sampling {
            warmup: Warmup::UntilLevel { at_most: 0.15 },
            collector: Collector::Step(64),
            confidence: 0.99,
            target: Some(0.05),
        },
    };
    assert_eq!(set.benchmarks[0].case, Some(case));
    let printed = Printed { file: "a_bench.lua".to_owned(), text: "loaded\n".to_owned() };
    assert_eq!(set.outputs, [printed]);
}

/// Would catch what calls printed that is lost in reading, or in a conversion, and memory without end where every
/// process prints another text.
#[test]
fn texts_of_processes_are_kept_once_each() {
    let mut record = RECORD.to_owned();
    let line =
        |text: &str| format!("{{\"type\":\"output\",\"benchmark\":0,\"text\":\"{text}\"}}\n");
    record += &line("noise\\n");
    (0..30).for_each(|number| record += &line(&number.to_string()));
    let data = raw::read(record.as_bytes(), "r", Strictness::Strict).unwrap();
    let mut bytes = Vec::new();
    write_record(&data, "t", &mut bytes).unwrap();
    let again = raw::read(&bytes[..], "r", Strictness::Strict).unwrap();
    for data in [data, again] {
        let printed = &data.benchmarks[0].tally.as_ref().unwrap().printed;
        assert_eq!((printed[0].text.as_str(), printed[0].processes), ("noise\n", 2));
        assert_eq!((printed[9].text.as_str(), printed.len()), ("8", 10));
    }
}

/// Would catch aborts of several processes that are not added up, and a conversion that loses or doubles them.
#[test]
fn aborts_are_added_up() {
    let line = |reason: &str, count: u32| {
        format!(
            "{{\"type\":\"abort\",\"benchmark\":0,\"reason\":\"{reason}\",\"at\":\"a_bench.lua:7\",\"count\":{count}}}\n"
        )
    };
    let nobodys = line("x", 1).replace("\"benchmark\":0", "\"benchmark\":9");
    let record = [RECORD, &line("x", 3), &line("y", 1), &line("x", 4), &nobodys].concat();
    let data = raw::read(record.as_bytes(), "r", Strictness::Strict).unwrap();
    let mut bytes = Vec::new();
    write_record(&data, "t", &mut bytes).unwrap();
    let again = raw::read(&bytes[..], "r", Strictness::Strict).unwrap();
    for data in [data, again] {
        let aborts = &data.benchmarks[0].tally.as_ref().unwrap().aborts;
        let found: Vec<_> =
            aborts.iter().map(|it| (it.reason.as_str(), it.count, it.processes)).collect();
        assert_eq!(found, [("x", 7, 2), ("y", 1, 1)]);
        assert_eq!(aborts[0].at, "a_bench.lua:7");
    }
}

/// Would catch a conversion that loses a place, or that writes a call where a batch is meant.
#[test]
fn written_again_it_is_the_same() {
    let set = read(RECORD);
    let data = raw::read(RECORD.as_bytes(), "r", Strictness::Strict).unwrap();
    let mut bytes = Vec::new();
    write_record(&data, "t", &mut bytes).unwrap();
    let again = read(std::str::from_utf8(&bytes).unwrap());
    assert_eq!(again.series[0].columns, set.series[0].columns);
    assert_eq!(again.series[0].turns, set.series[0].turns);
    assert_eq!(again.series[0].iterations, set.series[0].iterations);
    assert_eq!(again.benchmarks, set.benchmarks);
    assert_eq!(again.outputs, set.outputs);
    assert_eq!(again.metrics, set.metrics);
    let text = String::from_utf8(bytes).unwrap();
    assert!(text.contains(r#""iterations":1000,"values":{"wall":3000}"#), "{text}");
}

/// Would catch a division by nothing, and a policy or level that does not exist.
#[test]
fn what_cannot_be_is_refused() {
    for (field, nonsense) in [
        (r#""iterations":2"#, r#""iterations":0"#),
        (r#""iterations":2"#, r#""iterations":-1"#),
        (r#""turn":1"#, r#""turn":4294967296"#),
        (r#""gc_step":64"#, r#""gc_step":-2"#),
        (r#""confidence":0.99"#, r#""confidence":1.5"#),
        (r#""confidence":0.99"#, r#""confidence":0.0"#),
        (r#""per":"iteration""#, r#""per":"day""#),
    ] {
        let record = RECORD.replace(field, nonsense);
        assert_ne!(record, RECORD);
        assert!(raw::read(record.as_bytes(), "r", Strictness::Strict).is_err(), "{nonsense}");
    }
}

/// Would catch a block that becomes two lines because another's reading stands within it, and the readings or
/// iterations of one block in the line of another.
#[test]
fn a_block_is_one_line_of_the_go_format_wherever_its_readings_stand() {
    let end = RECORD.match_indices("{\"type\":\"observation\"").nth(1).unwrap().0;
    let (head, observations) = RECORD.split_at(end);
    let shuffled: Vec<&str> = observations.lines().rev().collect();
    let in_go = |observations: &str| {
        let record = format!("{head}{observations}\n");
        let data = raw::read(record.as_bytes(), "r", Strictness::Strict).unwrap();
        let mut out = Vec::new();
        etalon_record::foreign::write_go(&data, &mut out).unwrap();
        String::from_utf8(out).unwrap()
    };
    let expected = in_go(observations.trim_end());
    let lines: Vec<&str> = expected.lines().filter(|l| l.starts_with("Benchmark")).collect();
    assert_eq!(lines.len(), 2, "{expected}");
    assert!(lines[0].starts_with("Benchmarkf\t1008\t"), "{expected}");
    assert!(lines[1].starts_with("Benchmarkf\t2\t"), "{expected}");
    assert_eq!(in_go(&shuffled.join("\n")), expected);
    let mut torn: Vec<&str> = observations.lines().collect();
    torn.swap(1, 3);
    assert_eq!(in_go(&torn.join("\n")), expected);
}
