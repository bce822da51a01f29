//! Data files as they come: unreadable, empty, cut off, binary, huge, newer, without spread, with
//! values nothing can be divided by. Named with file, line and reason; never a crash or silence.

use std::io::Write;

use crate::support::{Lab, Record, hand_written, has, tame, with_peak};
use serde_json::{Value, json};

/// Blocks of two benchmarks, six of them.
fn blocks(row: impl Fn(i64) -> [(Value, Value); 2]) -> String {
    let rows: Vec<[(Value, Value); 2]> = (0..6).map(row).collect();
    let rows: Vec<&[(Value, Value)]> = rows.iter().map(|row| &row[..]).collect();
    hand_written(&rows)
}

/// A record in which `b` is slower than `a`.
fn ordinary() -> String {
    blocks(|i| [(json!(2_000_000 + i), json!(1000 + i)), (json!(4_000_000 + i), json!(2000 + i))])
}

/// A report of this content, which has to be refused.
#[track_caller]
fn refused(content: impl AsRef<[u8]>, parts: &[&str]) {
    let lab = Lab::new();
    lab.write("data.jsonl", content);
    let ended = lab.run(["report", "data.jsonl"]).expect(2);
    assert_eq!(ended.stdout, "");
    has(&ended.stderr, &["etalon: ", "data.jsonl"]);
    has(&ended.stderr, parts);
}

/// A report of this content, which has to be given.
#[track_caller]
fn reported(content: impl AsRef<[u8]>, parts: &[&str]) -> Value {
    let lab = Lab::new();
    lab.write("data.jsonl", content);
    let ended = lab.run(["report", "--metric", "cpu", "data.jsonl"]).expect(0);
    assert_eq!(ended.stderr, "");
    tame(&ended.stdout);
    let unwrapped = ended.stdout.replace("\n    ", " ");
    has(&unwrapped, parts);
    lab.json(["report", "--json", "--metric", "cpu", "data.jsonl"])
}

/// The comparison by wall clock of a record in which all is well.
fn by_wall(content: &str) -> Value {
    let lab = Lab::new();
    lab.write("data.jsonl", content);
    lab.json(["report", "--json", "--metric", "wall", "data.jsonl"])["comparisons"][0].clone()
}

/// Would catch a crash, exit 0 or a nameless message for what cannot be read at all.
#[test]
fn what_cannot_be_read() {
    let lab = Lab::new();
    std::os::unix::fs::symlink("nowhere", lab.path("dangling")).expect("a link");
    std::fs::create_dir(lab.path("directory")).expect("a directory");
    let cases = [
        ("missing", "No such file"),
        ("dangling", "No such file"),
        ("directory", "is a directory"),
        ("/proc/self/mem", "/proc/self/mem"),
        ("/dev/null", "is empty"),
        ("@nowhere", "no saved run `@nowhere`"),
        ("@last", "no saved run `@last`"),
        ("@", "no saved run"),
        ("", "cannot open"),
    ];
    for (name, why) in cases {
        let ended = lab.run(["report", name]).expect(2);
        has(&ended.stderr, &["etalon: ", name, why]);
        assert_eq!(ended.stdout, "");
    }
}

/// Would catch a bad file among good ones that is passed over.
#[test]
fn one_bad_file_of_two() {
    let lab = Lab::new();
    lab.write("good.jsonl", ordinary());
    lab.write("empty.jsonl", "");
    let ended = lab.run(["report", "good.jsonl", "empty.jsonl"]).expect(2);
    has(&ended.stderr, &["empty.jsonl is empty"]);
    assert_eq!(ended.stdout, "");
}

/// Would catch nonsense taken for data.
#[test]
fn what_is_no_record() {
    refused("", &["is empty"]);
    refused("name,value\na,1\n", &["not an etalon record", "name,value"]);
    refused([0x7f, b'E', b'L', b'F', 2, 0, 0xff, 0xfe], &["binary", "7f 45 4c 46"]);
    refused("{}\n", &["not an etalon record"]);
    refused("{\"type\":\"observation\",\"benchmark\":0}\n", &["not an etalon record"]);
    refused(
        "{\"type\":\"header\",\"format\":\"etalon\",\"version\":99}\n",
        &["version 99", "up to 1"],
    );
    refused("{\"type\":\"header\",\"format\":\"etalon\",\"version\":1}\n", &["nothing to report"]);
    refused("\x1b[31mred\x1b[0m\n", &["not an etalon record"]);
    refused("{".repeat(100_000), &["not an etalon record"]);
    refused("[".repeat(100_000), &["not an etalon record"]);
}

/// Would catch a crash or a changed value wherever a file may be cut, in the middle of a character
/// or a number; what is before the cut has to be there.
#[test]
fn cut_at_every_odd_place() {
    let lab = Lab::new();
    let whole = ordinary().replace("\"name\":\"a\"", "\"name\":\"ä\"").into_bytes();
    let observations = |bytes: &[u8]| {
        let text = String::from_utf8_lossy(bytes);
        text.matches("\"type\":\"observation\"").count()
    };
    let first = whole.windows(13).position(|w| w == b"\"observation\"").expect("observations");
    for cut in (1..40).map(|k| k * whole.len() / 40).chain(whole.len() - 3..whole.len()) {
        lab.write("cut", &whole[..cut]);
        let ended = lab.run(["report", "--json", "cut"]);
        if ended.code == Some(2) {
            has(&ended.stderr, &["etalon: ", "cut"]);
            assert!(cut < first, "cut at {cut}: {}", ended.stderr);
            continue;
        }
        assert_eq!(ended.code, Some(0), "cut at {cut}: {}", ended.stderr);
        let json: Value = serde_json::from_str(&ended.stdout).expect("a document");
        let counted = |i: usize| json["benchmarks"][i]["outcomes"]["ok"].as_u64().unwrap_or(0);
        let complete = observations(whole[..cut].rsplitn(2, |b| *b == b'\n').nth(1).unwrap_or(b""));
        let all = observations(&whole[..cut]);
        let found = usize::try_from(counted(0) + counted(1)).expect("a few");
        assert!((complete..=all).contains(&found), "cut at {cut}: {found} of {complete}");
        if whole[cut - 1] != b'\n' && found == complete {
            assert!(json["notes"].to_string().contains("the last one"), "cut at {cut}");
        }
    }
}

/// Would catch a bad line that is dropped in silence, or that drops what comes after it.
#[test]
fn bad_lines_are_named_and_the_rest_is_read() {
    let hostile: [(&[u8], &str); 7] = [
        (b"not json", ""),
        (b"{\"type\":\"observation\",\"benchmark\":7,\"values\":{}}", "benchmark 7"),
        (b"{\"type\":\"observation\",\"benchmark\":0,\"values\":{\"wall\":1e400}}", ""),
        (b"{\"type\":\"observation\",\"benchmark\":0,\"values\":{\"wall\":99999999999999999999}}", "64 bits"),
        (b"{\"type\":\"observation\",\"benchmark\":0,\"values\":{\"speed\":1}}", "speed"),
        (b"\xc3", "not UTF-8"),
        (b"\"", ""),
    ];
    for (line, why) in hostile {
        let text = ordinary();
        let mut lines: Vec<&[u8]> = text.lines().map(str::as_bytes).collect();
        lines.insert(5, line); // between the declarations and the observations
        let content = [&lines.join(&b'\n')[..], b"\n"].concat();
        let json = reported(&content, &["line 6 is left out", why]);
        assert_eq!(json["benchmarks"][0]["metrics"]["wall"]["n"], 6);

        let lab = Lab::new();
        lab.write("data.jsonl", &content);
        let ended = lab.run(["report", "--strict", "data.jsonl"]).expect(2);
        has(&ended.stderr, &["data.jsonl:6:", why]);
        assert_eq!(ended.stdout, "");
    }
    let lab = Lab::new();
    lab.write("data.jsonl", ordinary());
    lab.done(["report", "--strict", "data.jsonl"]);
}

/// Would catch a reader that stops at what a newer etalon writes, or hides that it did not
/// understand it.
#[test]
fn an_unknown_line_type_is_noted_and_the_rest_read() {
    let content = ordinary() + "{\"type\":\"weather\",\"sky\":\"grey\"}\n";
    let json = reported(content, &["1 line has a type this version does not know", "`weather`"]);
    assert_eq!(json["benchmarks"][1]["metrics"]["wall"]["n"], 6);
}

/// Would catch a line that is kept in memory whatever its length.
#[test]
fn a_huge_line_costs_little() {
    let lab = Lab::new();
    let mut file = std::fs::File::create(lab.path("data.jsonl")).expect("a file");
    let mut put = |bytes: &[u8]| file.write_all(bytes).expect("written");
    put(ordinary().as_bytes());
    put(b"{\"type\":\"note\",\"about\":\"x\",\"text\":\"");
    (0..1600).for_each(|_| put(&[b'x'; 1 << 16]));
    put(b"\"}\n{\"type\":\"end\",\"stopped_by\":\"runs\",\"at\":\"t\"}\n");
    let (ended, peak) = with_peak(&lab.etalon(["report", "data.jsonl"]));
    has(&ended.expect(0).stdout, &["is longer than", "b takes 2.00 × as long"]);
    assert!(peak < 64 << 20, "{peak} bytes");
}

/// Would catch a division by n − 1, an interval from nothing, a verdict from one block.
#[test]
fn one_observation() {
    let lab = Lab::new();
    lab.write("one", hand_written(&[&[(json!(10_000), json!(100)), (json!(20_000), json!(200))]]));
    let json = lab.json(["report", "--json", "one"]);
    let wall = &json["benchmarks"][0]["metrics"]["wall"];
    assert_eq!(wall["n"], 1);
    assert_eq!(wall["median"], 1e-5);
    for absent in ["lo", "hi", "stddev", "mode"] {
        assert_eq!(wall[absent], Value::Null, "{absent}");
        assert!(wall.as_object().is_some_and(|o| o.contains_key(absent)), "{absent}");
    }
    assert_eq!(json["comparisons"][0]["verdict"], "unclear");
    tame(&lab.done(["report", "-E", "one"]));
}

/// Would catch p = 1 for 10 against 1000, constant times that never decide, or a crash.
#[test]
fn no_spread_is_decided_by_the_resolution() {
    let content = blocks(|_| [(json!(10), json!(1000)), (json!(1000), json!(1000))]);
    assert_eq!(by_wall(&content)["verdict"], "slower");
    let equal = blocks(|_| std::array::from_fn(|_| (json!(10), json!(1000))));
    assert_eq!(by_wall(&equal)["ratio"], 1.0);
}

/// Would catch a ratio with zero, in any of the places that show one.
#[test]
fn no_cpu_time_at_all() {
    let json = reported(
        blocks(|i| [(json!(2_000_000 + i), json!(0)), (json!(4_000_000 + i), json!(0))]),
        &["Total CPU time: cannot tell b from a yet"],
    );
    let comparison = &json["comparisons"][0];
    for absent in ["ratio", "lo", "hi"] {
        assert_eq!(comparison[absent], Value::Null, "{absent}");
    }
    assert_eq!(comparison["difference"]["value"], 0.0);
    assert_eq!(comparison["verdict"], "unclear");
}

/// Would catch a logarithm of what is not above zero; only the difference can be told.
#[test]
fn values_at_and_below_zero() {
    let only_differs = |json: &Value| {
        let comparison = &json["comparisons"][0];
        assert_eq!(comparison["ratio"], Value::Null);
        assert!(
            comparison["difference"]["value"].as_f64().is_some_and(|d| d > 0.0),
            "{comparison}"
        );
        assert_eq!(comparison["scale"], "difference");
    };
    let content = blocks(|i| [(json!(0), json!(0)), (json!(4_000_000 + i), json!(2000 + i))]);
    only_differs(&reported(content, &["Total CPU time: a is faster: b takes 2.0"]));
    // Times are not below zero; quantities of Go's benchmarks may be.
    let lab = Lab::new();
    let line = |i: i32| format!("BenchmarkA 1 {} skew\nBenchmarkB 1 {} skew\n", -5 - i, 2000 + i);
    lab.write("go.txt", (0..6).map(line).collect::<String>());
    only_differs(&lab.json(["report", "--json", "go.txt"]));
}

/// Would catch NaN read as 0, as null, or as a number at all; and typed absence without a note.
#[test]
fn absent_values_stay_absent() {
    let content = blocks(|i| {
        let cpu = if i == 2 { json!({"absent": "NaN"}) } else { json!(1000 + i) };
        [(json!(2_000_000 + i), cpu), (json!(4_000_000 + i), json!(2000 + i))]
    });
    let json = reported(content, &["NaN", "1 block with a side missing dropped out"]);
    let cpu = &json["benchmarks"][0]["metrics"]["cpu"];
    assert_eq!(cpu["n"], 5);
    assert_eq!(cpu["min"], 0.001);
    assert_eq!(json["benchmarks"][0]["metrics"]["wall"]["n"], 6);
    assert_eq!(json["comparisons"][0]["n"], json!([5, 5]));
}

/// Would catch a bare NaN that stops reading or is taken for a value.
#[test]
fn a_bare_nan_is_a_bad_line() {
    for text in ["NaN", "nan", "Infinity", "null", "\"1\"", "true"] {
        let content = ordinary().replace("\"wall\":2000002", &format!("\"wall\":{text}"));
        let json = reported(content, &["is left out"]);
        assert_eq!(json["benchmarks"][0]["metrics"]["wall"]["n"], 5, "{text}");
    }
}

/// Would catch a float changed by its last bit, and an integer that went through one.
#[test]
fn values_survive_to_the_last_bit() {
    let exact: [f64; 4] =
        [0.1 + 0.2, 5e-324, 1.797_693_134_862_315_7e308 / 1e3, 123_456.789_012_345_67];
    for value in exact {
        let mut content = hand_written(&[&[(json!(value), json!(1))]]);
        content = content.replace("\"unit\":\"ns\"", "\"unit\":\"s\"");
        let json = reported(content, &[]);
        let read = json["benchmarks"][0]["metrics"]["wall"]["median"].as_f64().expect("a number");
        assert_eq!(read.to_bits(), value.to_bits(), "{value}");
    }
}

/// Would catch a second record in one file credited to the first one's benchmarks.
#[test]
fn two_records_in_one_file() {
    refused(ordinary() + &ordinary(), &["a second header", "data.jsonl:18"]);
}

/// Would catch data of different executions paired by block number.
#[test]
fn blocks_of_different_files_do_not_pair() {
    let lab = Lab::new();
    let one = |shift: i64| {
        let rows: Vec<[(Value, Value); 1]> =
            (0..6).map(|i| [(json!(2_000_000 + shift + i), json!(1000 + shift + i))]).collect();
        let rows: Vec<&[(Value, Value)]> = rows.iter().map(|row| &row[..]).collect();
        hand_written(&rows)
    };
    lab.write("old.jsonl", one(0));
    lab.write("new.jsonl", one(500));
    let json = lab.json(["report", "--json", "old.jsonl", "new.jsonl"]);
    assert_eq!(json["comparisons"][0]["paired"], false);
    has(&lab.done(["report", "old.jsonl", "new.jsonl"]), &["(old)", "(new)", "One run a side"]);
}

/// Would catch a report that goes wrong on the record of a real execution written to a file.
#[test]
fn the_second_file_is_as_good_as_the_record() {
    let lab = Lab::new();
    lab.done(["cmd", "-r", "6", "-w", "1", "-o", "raw.jsonl", "true", "sh -c :"]);
    let (saved, second) = (lab.record(), Record::read(&lab.path("raw.jsonl")));
    assert_eq!(saved.lines, second.lines);
    let without_path = |text: String| {
        let json: Value = serde_json::from_str(&text).expect("a document");
        json["comparisons"].clone()
    };
    assert_eq!(
        without_path(lab.done(["report", "--json", "raw.jsonl"])),
        without_path(lab.done(["report", "--json", "@last"]))
    );
    lab.done(["report", "--strict", "raw.jsonl"]);
}

/// Would catch tables torn by values no layout expects.
#[test]
fn extreme_values_fit_the_page() {
    let values = [
        json!(1e-300),
        json!(1),
        json!(999_999),
        json!(9_999_999_999_i64),
        json!(i64::MAX),
        json!(1e300),
        json!(-1e300),
        json!(-123_456_789_012_i64),
        json!(0.1),
    ];
    for (value, other) in values.iter().zip(values.iter().rev()) {
        let rows: Vec<[(Value, Value); 2]> = (0..12)
            .map(|_| [(value.clone(), value.clone()), (other.clone(), other.clone())])
            .collect();
        let rows: Vec<&[(Value, Value)]> = rows.iter().map(|row| &row[..]).collect();
        let lab = Lab::new();
        lab.write("data", hand_written(&rows));
        for view in [&[][..], &["-M"], &["-E"], &["--metric", "wall", "--margin", "1us"]] {
            tame(&lab.done([&["report", "data"], view].concat()));
        }
    }
}

/// Would catch a file that drives the terminal of who reads a report on it.
#[test]
fn a_hostile_record_is_shown_safely() {
    let evil = "\u{1b}]0;title\u{7}\u{1b}[2J\nnew\u{9b}31m\r";
    let row =
        |i: i64| [(json!(2_000_000 + i), json!(1000 + i)), (json!(4_000_000 + i), json!(2000 + i))];
    let rows: Vec<_> = (0..6).map(row).collect();
    let rows: Vec<&[_]> = rows.iter().map(|row| &row[..]).collect();
    let mut lines: Vec<Value> = hand_written(&rows)
        .lines()
        .map(|line| serde_json::from_str(line).expect("a line"))
        .collect();
    lines[0] = json!({"type": "header", "format": "etalon", "version": 1, "id": evil, "tool": evil,
        "started": evil, "argv": [evil], "context": {evil: evil, "launcher.rss": evil}});
    lines[3]["name"] = json!(evil);
    lines[4]["params"] = json!({evil: evil});
    lines[4]["command"] = json!(evil);
    lines.push(json!({"type": evil}));
    lines.push(json!({"type": "note", "about": evil, "text": evil}));
    lines.push(json!({"type": "observation", "benchmark": 0, "values": {evil: 1}}));
    lines.push(json!({"type": "observation", "benchmark": 0, "outcome": {"not_started": evil}, "values": {}}));
    lines.push(json!({"type": "observation", "benchmark": 0, "values": {"cpu": {"absent": evil}}}));
    lines.push(json!({"type": "end", "stopped_by": "runs", "at": evil}));
    let content: String = lines.iter().map(|line| format!("{line}\n")).collect();
    let lab = Lab::new();
    lab.done(["cmd", "-N", "-r", "1", "true"]); // makes the store
    std::fs::write(lab.home().join("runs/99991231T235959.000000Z-evil.jsonl"), &content)
        .expect("written");
    for view in [&[][..], &["-M"], &["-E"]] {
        tame(&lab.done([&["report", "@last"], view].concat()));
        tame(&lab.done([&["report", "@last", "@-2"], view].concat()));
    }
    for shown in [lab.done(["runs"]), lab.done(["runs", "show", "@last"])] {
        assert!(shown.lines().all(|line| !line.chars().any(char::is_control)), "{shown:?}");
    }
    let strict = lab.run(["report", "--strict", "@last"]).expect(2);
    let ended = lab.run(["report", "@last", "--reference", evil, "--metric", "cpu"]);
    for stderr in [strict.stderr, ended.stderr] {
        assert!(!stderr.contains(['\u{1b}', '\u{7}', '\u{9b}', '\r']), "{stderr:?}");
    }
}

/// Would catch a file's name doing what its content cannot.
#[test]
fn a_hostile_file_name_is_shown_safely() {
    let lab = Lab::new();
    let name = "evil\u{1b}[2J\nname";
    lab.write(name, ordinary());
    lab.write("other", ordinary());
    tame(&lab.done(["report", name, "other"]));
    for missing in ["no\u{1b}[2Jsuch", "@no\u{1b}[2Jsuch"] {
        let ended = lab.run(["report", missing]).expect(2);
        assert!(!ended.stderr.contains('\u{1b}'), "{:?}", ended.stderr);
    }
}

/// The header of BestGuess's raw data.
const CSV: &str = "Command,Shell,Name,Batch,Exit code,User time (us),System time (us),\
    Max RSS (KiByte),Page reclaims,Page faults,Vol ctx sw,Invol ctx sw,Wall clock (us)";

/// Would catch foreign data that crash the command, are used in part, or change by their encoding;
/// the readers' own tests have every kind of damage.
#[test]
fn damaged_foreign_data() {
    let lab = Lab::new();
    let good = "ls,,,1,0,100,200,3000,4,5,6,7,800";
    let plain = format!("{CSV}\n{}", format!("{good}\n").repeat(6));
    let shown = |name: &str, bytes: &[u8]| -> Value {
        lab.write(name, bytes);
        lab.json(["report", "--strict", "--json", name])["benchmarks"][0]["metrics"].clone()
    };
    let expected = shown("plain.csv", plain.as_bytes());
    assert_eq!(expected["user"]["n"], 6);
    let utf_16: Vec<u8> =
        format!("\u{feff}{plain}").encode_utf16().flat_map(u16::to_le_bytes).collect();
    assert_eq!(shown("utf-16.csv", &utf_16), expected);
    assert_eq!(shown("crlf.csv", plain.replace('\n', "\r\n").as_bytes()), expected);

    let damage: [&[u8]; 6] = [
        b"l\0s,,,1,0,100,200,3000,4,5,6,7,800",
        b"\"ls,,,1,0,100,200,3000,4,5,6,7,800",
        b"ls,,,1,0,-100,200,3000,4,5,6,7,800",
        b"ls,,,1,0,9223372036854775808,200,3000,4,5,6,7,800",
        b"ls,,,1,0,100,200,3000,4,5,6,7",
        b"caf\xc3,,,1,0,100,200,3000,4,5,6,7,800",
    ];
    for line in damage {
        let bytes = [CSV.as_bytes(), b"\n", good.as_bytes(), b"\n", line, b"\n", good.as_bytes()];
        lab.write("bad.csv", bytes.concat());
        let json = lab.json(["report", "--json", "bad.csv"]);
        assert_eq!(json["benchmarks"][0]["metrics"]["user"]["n"], 2, "{json}");
        assert!(json["notes"].to_string().contains("line 3"), "{}", json["notes"]);
        let ended = lab.run(["report", "--strict", "bad.csv"]).expect(2);
        has(&ended.stderr, &["bad.csv:3: "]);
    }
}

/// Would catch a file descriptor or quadratic time for each of many files.
#[test]
fn many_files_together() {
    let lab = Lab::new();
    lab.write("data", hand_written(&[&[(json!(2_000_000), json!(1000))]]));
    let mut list = vec!["report", "-N", "--reference", "a"];
    list.extend(["data"; 450]);
    let ended = lab.run(&list).expect(2);
    has(&ended.stderr, &["450 benchmarks"]);
    // Five hundred of their own, with fewer descriptors than that; none is left out.
    for i in 0..500 {
        let name = format!("\"name\":\"number {i}\"");
        let row: (Value, Value) = (json!(2_000_000 + i), json!(1000 + i));
        lab.write(&format!("{i}.jsonl"), hand_written(&[&[row]]).replace("\"name\":\"a\"", &name));
    }
    let script = "ulimit -n 40; exec $E report -N --export-csv s.csv *.jsonl";
    let ended = crate::support::Running::start(lab.shell(script)).end().expect(0);
    tame(&ended.stdout);
    has(&ended.stdout, &["number 0", "500 data sets", "and 476 more: --full"]);
    assert_eq!(String::from_utf8(lab.read("s.csv")).expect("text").lines().count(), 501);
    let script = "ulimit -n 40; exec $E report -M $(yes data | head -n 60)";
    let ended = crate::support::Running::start(lab.shell(script)).end().expect(0);
    tame(&ended.stdout);
}

/// Would catch a row or a value of Go's benchmarks that takes more than it has to: at most 16 bytes a value.
#[test]
fn a_million_lines_of_go_with_three_units_take_48_mb() {
    let lab = Lab::new();
    let mut lines = String::new();
    for row in 0..1_000_000_u32 {
        let (name, ns, bytes) = (row % 5000, row % 977 + 100, row % 31 * 16);
        lines.push_str(&format!(
            "BenchmarkN{name}-8\t{row}\t{ns}.5 ns/op\t{bytes} B/op\t3 allocs/op\n"
        ));
    }
    lab.write(
        "few.txt",
        lines.lines().take(1000).map(|line| format!("{line}\n")).collect::<String>(),
    );
    lab.write("many.txt", lines);
    let peak = |name: &str| {
        let (ended, peak) =
            with_peak(&lab.etalon(["convert", name, "--to", "go", "-o", "out", "--force"]));
        ended.expect(0);
        peak
    };
    let (base, all) = (peak("few.txt"), peak("many.txt"));
    assert!(all - base <= 48_000_000, "{} bytes over {base}", all - base);
}

/// Would catch an export without the times of runs that is refused without saying that they are missing.
#[test]
fn an_export_of_means_alone_says_what_is_missing() {
    let lab = Lab::new();
    lab.write("m.json", r#"{"results":[{"command":"./a","mean":0.25,"user":0.01,"system":0.002,"min":0.2,"max":0.3}]}"#);
    let ended = lab.run(["report", "m.json"]).expect(2);
    has(&ended.stderr, &["m.json: nothing to report: ", "no times of single runs", "0.25 s"]);
    let out = lab.done(["convert", "--quiet", "m.json", "--to", "hyperfine"]);
    has(&out, &["\"mean\": 0.25", "\"time_user\""]);
}
