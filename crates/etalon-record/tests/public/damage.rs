//! Damaged, foreign and hostile input: reported with file, line and reason; never a crash, never
//! unbounded memory, never silence.

use std::io::{BufReader, Read};
use std::path::Path;

use crate::columns::RunSet;
use crate::view::only;
use etalon_record::raw::{self, LONGEST_LINE, ReadError, Strictness};

const HEADER: &str = r#"{"type":"header","format":"etalon","version":1,"id":"i"}"#;
const WALL: &str =
    r#"{"type":"metric","name":"wall","unit":"ns","direction":"lower","kind":"noisy"}"#;
const LS: &str = r#"{"type":"benchmark","name":"ls"}"#;
const GOOD: &str = r#"{"type":"observation","benchmark":0,"block":0,"values":{"wall":1000}}"#;

/// A valid beginning, then these lines.
fn record(lines: &[&str]) -> Vec<u8> {
    let mut text = [HEADER, WALL, LS].join("\n") + "\n";
    for line in lines {
        text += line;
        text.push('\n');
    }
    text.into_bytes()
}

fn lenient(bytes: &[u8]) -> RunSet {
    only(&raw::read(bytes, "f.jsonl", Strictness::Lenient).unwrap())
}

fn texts(set: &RunSet) -> Vec<String> {
    assert!(set.notes.iter().all(|note| note.about == "f.jsonl" || note.about == "ls"));
    set.notes.iter().map(|note| note.text.clone()).collect()
}

/// The note about one bad line between two good ones; also that strict reading fails with it.
fn reason(line: &[u8]) -> String {
    let mut bytes = record(&[GOOD]);
    bytes.extend_from_slice(line);
    bytes.push(b'\n');
    bytes.extend_from_slice(GOOD.as_bytes());
    bytes.push(b'\n');
    let set = lenient(&bytes);
    assert_eq!(set.series[0].rows, 2, "the good lines around it count");
    assert_eq!(set.series[0].columns[0].values.len(), 2, "a bad line is not applied in part");
    let notes = texts(&set);
    assert_eq!(notes.len(), 1, "{notes:?}");
    let reason = notes[0].strip_prefix("line 5 is left out: ").unwrap().to_owned();
    let strict = raw::read(&bytes[..], "f.jsonl", Strictness::Strict).unwrap_err();
    let expected = format!("f.jsonl:5: {reason}; without --strict the line is left out and noted");
    assert_eq!(strict.to_string(), expected);
    reason
}

/// Would catch every way of cutting a record that is refused, misread or silently shortened.
#[test]
fn a_record_cut_anywhere_is_readable_or_clearly_refused() {
    let second = GOOD.replace("\"block\":0", "\"block\":1,\"outcome\":{\"failed\":2}");
    let whole = record(&[GOOD, &second, GOOD, r#"{"type":"end","stopped_by":"runs","at":"t"}"#]);
    let ends = |line: &str, upto: usize| {
        let text = std::str::from_utf8(&whole).unwrap();
        let starts = text.match_indices(line).map(|(at, _)| at + line.len());
        starts.filter(|end| *end <= upto).count()
    };
    for cut in 0..=whole.len() {
        match raw::read(&whole[..cut], "f.jsonl", Strictness::Strict) {
            Ok(data) => {
                let set = only(&data);
                assert!(cut >= HEADER.len());
                // A line is there when its last byte is; the newline adds nothing to it.
                assert_eq!(set.metrics.len(), ends(WALL, cut), "cut at {cut}");
                assert_eq!(set.benchmarks.len(), ends(LS, cut), "cut at {cut}");
                let (rows, failed) =
                    set.series.first().map_or((0, 0), |s| (s.rows as usize, s.outcomes().failed));
                assert_eq!((rows, failed), (ends(GOOD, cut), ends(&second, cut)), "cut at {cut}");
                let torn = whole[..cut].rsplit(|b| *b == b'\n').next().unwrap();
                let complete = torn.is_empty() || whole.get(cut).is_none_or(|b| *b == b'\n');
                assert_eq!(set.notes.is_empty(), complete, "cut at {cut}: {:?}", set.notes);
            }
            Err(ReadError::Empty { .. }) => assert_eq!(cut, 0),
            Err(ReadError::TornHeader { .. }) => assert!(cut > 0 && cut < HEADER.len()),
            Err(other) => panic!("cut at {cut}: {other}"),
        }
    }
}

#[test]
fn a_torn_last_line_says_that_it_was_in_flight() {
    let mut bytes = record(&[GOOD]);
    bytes.extend_from_slice(&GOOD.as_bytes()[..30]);
    assert_eq!(
        texts(&lenient(&bytes)),
        ["line 5, the last one, was in flight when the record was interrupted, and is left out"]
    );
}

/// Would catch bad lines that are dropped silently, applied in part, or crash the reader.
#[test]
fn every_kind_of_bad_observation_has_its_reason() {
    let observation = |rest: &str| reason(format!(r#"{{"type":"observation",{rest}}}"#).as_bytes());
    for (rest, expected) in [
        (r#""benchmark":1,"values":{}"#, "it refers to benchmark 1, and 1 are declared before it"),
        (r#""benchmark":-1"#, "invalid value: integer `-1`, expected usize"),
        (r#""values":{}"#, "missing field `benchmark`"),
        (r#""benchmark":0,"values":{"cpu":1}"#, "no metric line before this one names `cpu`"),
        (r#""benchmark":0,"values":{"wall":1,"wall":2}"#, "a second value of `wall`"),
        (
            r#""benchmark":0,"values":{"wall":{"absent":"NaN"},"wall":2}"#,
            "a second value of `wall`",
        ),
        (r#""benchmark":0,"benchmark":0"#, "duplicate field `benchmark`"),
        (
            r#""benchmark":0,"values":{"wall":18446744073709551616}"#,
            "an integer does not fit 64 bits",
        ),
        (
            r#""benchmark":0,"values":{"wall":9223372036854775808}"#,
            "an integer does not fit 64 bits",
        ),
        (r#""benchmark":0,"values":{"wall":1e999}"#, "number out of range"),
        (
            r#""benchmark":0,"values":{"wall":null}"#,
            "invalid type: null, expected a number, {\"value\":…} or {\"absent\":…}",
        ),
        (
            r#""benchmark":0,"values":{"wall":{"value":1,"absent":"x"}}"#,
            "a value object has either `value` or `absent`",
        ),
        (r#""benchmark":0,"values":{"wall":NaN}"#, "expected value"),
        (
            r#""benchmark":0,"outcome":"exploded""#,
            "unknown variant `exploded`, expected one of `ok`, `failed`, `killed`, `timed_out`, \
             `suspended`, `not_started`",
        ),
        (r#""benchmark":0,"at":1.5"#, "invalid type: floating point `1.5`, expected u64"),
        (
            r#""benchmark":0,"block":4294967296"#,
            "invalid value: integer `4294967296`, expected u32",
        ),
    ] {
        assert_eq!(without_column(&observation(rest)), expected, "{rest}");
    }
}

/// Would catch a bad line of another kind whose reason is lost.
#[test]
fn every_kind_of_bad_line_has_its_reason() {
    for (line, expected) in [
        (&b"\""[..], "EOF while parsing a string"),
        (b"", "it is empty"),
        (b"   ", "it is empty"),
        (b"Command,Exit code", "expected value"),
        (b"{\"type\":\"observation\",\"benchmark\":0,\"stderr\":\"\xff\"}", "not UTF-8 at byte 47"),
        (b"{\"type\":\"note\",\"about\":\"a\0b\",\"text\":\"t\"}", "control character (\\u0000-\\u001F) found while parsing a string"),
        (b"\0\0\0\0", "expected value"),
        (b"{}", "missing field `type`"),
        (b"[]", "invalid length 0, expected struct Tag with 1 element"),
        (b"{\"type\":\"metric\",\"name\":\"wall\",\"unit\":\"ns\",\"direction\":\"lower\",\"kind\":\"noisy\"}", "a second metric called `wall`"),
        (b"{\"type\":\"plan\",\"warmup\":0,\"order\":\"blocks\",\"seed\":\"-1\",\"runs\":3}", "the seed `-1` is not a decimal number below 2^64"),
        (b"{\"type\":\"plan\",\"warmup\":0,\"order\":\"blocks\",\"seed\":\"1\"}", "a plan has either `runs`, or `precision` and `budget`, or `until` and `budget`"),
        (b"{\"type\":\"benchmark\",\"name\":\"x\",\"params\":{\"a\":\"1\",\"a\":\"2\"}}", "`a` is given twice"),
        (b"{\"type\":\"benchmark\",\"name\":\"x\",\"accept\":\"some\"}", "`accept` is neither \"any\" nor a list of exit codes"),
        (b"{\"type\":\"note\",\"about\":\"a\",\"text\":\"t\"} x", "trailing characters"),
    ] {
        let shown = String::from_utf8_lossy(line);
        assert_eq!(without_column(&reason(line)), expected, "{shown}");
    }
    // The column is that of the line, not of something inside it.
    assert_eq!(reason(b"{\"type\":\"note\"} x"), "trailing characters (column 17)");
}

/// A reason without the column at its end.
fn without_column(reason: &str) -> &str {
    reason.rsplit_once(" (column ").map_or(reason, |(text, _)| text)
}

/// Would catch a negative time that is taken without a word, and makes medians and ratios that nobody measured.
#[test]
fn less_than_no_time_is_left_out_with_its_line() {
    let own = r#"{"type":"metric","name":"own","unit":"B","direction":"lower","kind":"noisy"}"#;
    let line = |values: &str| {
        GOOD.replace(r#"{"wall":1000}"#, values).replace(r#""block":0"#, r#""block":1"#)
    };
    let lines = [line(r#"{"wall":-5}"#), line(r#"{"wall":-0.5}"#), line(r#"{"wall":7,"own":-3}"#)];
    let bytes = record(&[&[own], &lines.each_ref().map(|line| line.as_str())[..]].concat());
    let set = lenient(&bytes);
    let reason = "the value of wall is negative";
    assert_eq!(texts(&set), [5, 6].map(|line| format!("line {line} is left out: {reason}")));
    assert_eq!(set.series[0].rows, 1);
    let refused = raw::read(&bytes[..], "f.jsonl", Strictness::Strict).unwrap_err();
    assert!(refused.to_string().contains(&format!("f.jsonl:5: {reason}")), "{refused}");
}

/// Would catch an observation that somebody appended to a finished record, and that reports use.
#[test]
fn what_is_behind_the_end_is_left_out_with_its_line() {
    let end = r#"{"type":"end","stopped_by":"runs","at":"2026-11-21T03:11:22Z"}"#;
    let spaced = GOOD.replace(r#"{"type""#, r#"{ "type""#);
    let bytes = record(&[GOOD, end, GOOD, &spaced]);
    let set = lenient(&bytes);
    let reason = "it is behind the end of the run, so that somebody else appended it";
    assert_eq!(texts(&set), [6, 7].map(|line| format!("line {line} is left out: {reason}")));
    assert_eq!(set.series[0].rows, 1);
    let refused = raw::read(&bytes[..], "f.jsonl", Strictness::Strict).unwrap_err();
    assert!(refused.to_string().contains(&format!("f.jsonl:6: {reason}")), "{refused}");
}

/// Would catch a value that is finite as written and infinite in base units.
#[test]
fn a_value_that_overflows_on_conversion_is_a_bad_line() {
    let hours = r#"{"type":"metric","name":"long","unit":"h","direction":"lower","kind":"noisy"}"#;
    let line = r#"{"type":"observation","benchmark":0,"values":{"wall":1,"long":1e308}}"#;
    let good = r#"{"type":"observation","benchmark":0,"values":{"wall":1}}"#;
    let set = lenient(&record(&[hours, line, good]));
    assert_eq!(texts(&set), ["line 5 is left out: the value of long is infinite in s"]);
    assert_eq!(set.series[0].rows, 1);
}

/// Would catch recursion on nesting: a stack overflow is an abort, not an error.
#[test]
fn deep_nesting_does_no_harm() {
    let deep = "[".repeat(2_000_000);
    assert!(!reason(format!("{{\"type\":\"observation\",\"x\":{deep}").as_bytes()).is_empty());
    assert!(!reason(deep.as_bytes()).is_empty());
    let values =
        format!("{{\"type\":\"observation\",\"benchmark\":0,\"values\":{{\"wall\":{deep}}}}}");
    assert!(!reason(values.as_bytes()).is_empty());
}

/// Would catch a doubled integer check that takes digits in text or a large float for an integer.
#[test]
fn large_floats_and_digits_in_text_are_not_huge_integers() {
    let own = r#"{"type":"metric","name":"own","unit":"ns","direction":"lower","kind":"noisy"}"#;
    let lines = [
        own,
        r#"{"type":"observation","benchmark":0,"stderr":"\"99999999999999999999","values":{"own":1e19}}"#,
        r#"{"type":"observation","benchmark":0,"values":{"own":-9223372036854775808}}"#,
        r#"{"type":"observation","benchmark":0,"values":{"own":99999999999999999999.0}}"#,
    ];
    let set = lenient(&record(&lines));
    assert_eq!(texts(&set), [""; 0]);
    assert_eq!(
        set.series[0].columns[1].values[1].to_bits(),
        (-9_223_372_036.854_776_f64).to_bits()
    );
}

/// Would catch a screen full of notes, and lines that are not counted.
#[test]
fn after_twenty_bad_lines_the_rest_is_counted() {
    let mut bad = vec!["nonsense"; 57];
    bad.push(r#"{"type":"observation","benchmark":0,"values":{"wall":1}}"#);
    let notes = texts(&lenient(&record(&bad)));
    assert_eq!(notes.len(), 21);
    assert_eq!(notes[0], "line 4 is left out: expected ident (column 2)");
    assert_eq!(notes[20], "37 more lines are left out");
}

/// Would catch a file of which nothing could be used called empty, its reasons hidden.
#[test]
fn a_file_of_which_nothing_can_be_used_says_why() {
    let read = |lines: &[&str]| raw::read(&record(lines)[..], "f", Strictness::Lenient);
    assert_eq!(
        read(&["nonsense"; 57]).unwrap_err().to_string(),
        "f: nothing in it can be used: line 4: expected ident (column 2); line 5: expected ident \
         (column 2); line 6: expected ident (column 2); 54 more"
    );
    // What was warmed up, or only cut off, is no such file.
    let warmup = r#"{"type":"observation","benchmark":0,"phase":"warmup","values":{"wall":1}}"#;
    assert!(read(&["nonsense", warmup]).is_ok() && read(&[]).is_ok());
}

#[test]
fn unknown_types_and_fields_are_ignored_and_types_noted_once() {
    let lines = [
        r#"{"type":"gc","at":1}"#,
        r#"{"at":2,"type":"gc"}"#,
        r#"{"type":"\u0067c"}"#,
        r#"{"type":"power","watts":[1,{"x":2}]}"#,
        r#"{"values":{"wall":5},"future":{"a":[1]},"benchmark":0,"type":"observation"}"#,
    ];
    let set = lenient(&record(&lines));
    assert_eq!(
        texts(&set),
        ["4 lines have types this version does not know and ignores: 3 of `gc`, 1 of `power`"]
    );
    assert_eq!(set.series[0].columns[0].values, [5e-9]);
}

#[test]
fn absent_and_converted_values() {
    let lines = [
        r#"{"type":"observation","benchmark":0,"values":{"wall":{"absent":"NaN"}}}"#,
        r#"{"type":"observation","benchmark":0,"values":{"wall":{"absent":"NaN"}}}"#,
        r#"{"type":"observation","benchmark":0,"values":{"wall":{"value":500000,"written":"500","unit":"us"}}}"#,
    ];
    let set = lenient(&record(&lines));
    assert_eq!(texts(&set), ["2 values of wall not available: `NaN`"]);
    let series = &set.series[0];
    assert_eq!((series.rows, &series.columns[0].rows[..]), (3, &[2][..]));
    assert_eq!(series.columns[0].values, [0.0005]);
}

/// Would catch pairs made from rows that do not say which block they belong to.
#[test]
fn blocks_are_for_all_rows_or_for_none() {
    let none = r#"{"type":"observation","benchmark":0,"values":{"wall":5}}"#;
    for lines in [[GOOD, none], [none, GOOD]] {
        let set = lenient(&record(&lines));
        assert_eq!((set.series[0].rows, set.series[0].blocks.len()), (2, 0));
        assert_eq!(texts(&set), ["some observations name no block, so none of them is paired"]);
    }
    let set = lenient(&record(&[none, none]));
    assert_eq!((set.series[0].blocks.len(), set.notes.len()), (0, 0));
}

#[test]
fn a_metric_may_come_late() {
    let late = r#"{"type":"metric","name":"rss","unit":"KiB","direction":"lower","kind":"noisy"}"#;
    let both = r#"{"type":"observation","benchmark":0,"block":1,"values":{"rss":2,"wall":1000}}"#;
    let set = lenient(&record(&[GOOD, late, both]));
    assert_eq!(set.series[0].columns[1].rows, [1]);
    assert_eq!(set.series[0].columns[1].values, [2048.0]);
}

fn refused(bytes: &[u8]) -> String {
    raw::read(bytes, "f.jsonl", Strictness::Lenient).unwrap_err().to_string()
}

const NONE: &str = "not an etalon record, nor a raw CSV of BestGuess, a JSON export of hyperfine, \
                    Go's benchmarks or results of a harness that etalon reads";

#[test]
fn what_is_not_a_record_is_refused_with_what_it_is() {
    let remedy = "give a file that `etalon` or `bestguess` wrote with -o, `hyperfine` with \
                  --export-json or `go test -bench` printed, or a saved run such as @last; \
                  --from says what a file is that does not begin like one";
    for (bytes, found) in [
        (&b"\n"[..], "its first line is ``"),
        (b"{\"results\": []}\n", "its first line is `{\"results\": []}`"),
        (
            b"{\"type\":\"header\",\"format\":\"other\",\"version\":1}\n",
            "its first line is `{\"type\":\"header\",\"format\":\"other\",\"versi…`",
        ),
        (b"\x7fELF\x02\0\0", "it is binary (it starts with the bytes 7f 45 4c 46)"),
        (b"\xff\xfe{", "it is binary (it starts with the bytes ff fe 7b)"),
        (
            b"{\"type\":\"observation\",\"benchmark\":0}",
            "its first line is `{\"type\":\"observation\",\"benchmark\":0}`",
        ),
    ] {
        let expected = format!("f.jsonl is {NONE}: {found}; {remedy}");
        assert_eq!(refused(bytes), expected);
    }
    let version = |v: &str| refused(HEADER.replace("\"version\":1", v).as_bytes());
    assert_eq!(
        version("\"version\":2"),
        "f.jsonl has format version 2 and this etalon reads up to 1; read it with the etalon that \
         wrote it (its header names it) or a later one"
    );
    let reason = "f.jsonl:1: the header cannot be used: `version` is not a whole number from 1; \
                  docs/format.md says what a header holds";
    for odd in ["\"version\":0", "\"version\":1.5", "\"version\":-1", "\"other\":1"] {
        assert_eq!(version(odd), reason, "{odd}");
    }
    assert_eq!(
        version("\"version\":1,\"argv\":\"ls\""),
        "f.jsonl:1: the header cannot be used: invalid type: string \"ls\", expected a sequence \
         (column 58); docs/format.md says what a header holds"
    );
    assert_eq!(
        refused(b""),
        "f.jsonl is empty; a record has a header at least, so nothing was saved there"
    );
    assert_eq!(
        refused(&HEADER.as_bytes()[..20]),
        "f.jsonl ends within its header: it was interrupted before anything was measured, and can \
         be deleted"
    );
}

/// Would catch `cat a.jsonl b.jsonl`: b's observations credited to a's benchmarks.
#[test]
fn a_second_header_is_fatal() {
    assert_eq!(
        refused(&record(&[GOOD, HEADER, LS, GOOD])),
        "f.jsonl:5: a second header; a file holds one record, so split it here and give the files \
         one by one"
    );
}

fn open(path: &Path) -> String {
    etalon_record::open(path, Strictness::Lenient).unwrap_err().to_string()
}

#[test]
fn files_that_cannot_be_opened_or_are_something_else() {
    let directory = tempfile::tempdir().unwrap();
    let at = |name: &str| directory.path().join(name);
    let shown = |name: &str| at(name).display().to_string();
    assert_eq!(open(&at("no")), format!("cannot open {}: No such file or directory", shown("no")));
    let expected = format!("{} is a directory; name the files in it", directory.path().display());
    assert_eq!(open(directory.path()), expected);
    std::fs::write(at("empty"), "").unwrap();
    assert!(open(&at("empty")).starts_with(&format!("{} is empty;", shown("empty"))));
    std::fs::write(at("b.csv"), "Command,Shell\nls,\n").unwrap();
    let expected = format!("{} is {NONE}: its first line is `Command,Shell`;", shown("b.csv"));
    assert!(open(&at("b.csv")).starts_with(&expected), "{}", open(&at("b.csv")));
    std::fs::write(at("good"), record(&[GOOD])).unwrap();
    let set = etalon_record::open(&at("good"), Strictness::Strict).unwrap();
    let set = only(&set);
    assert_eq!((set.source, set.series[0].rows), (shown("good"), 1));
}

/// Would catch a reader that stores a line without end: the source is larger than the memory a
/// test should take, and is never stored.
#[test]
fn a_line_without_end_is_skipped_in_bounded_memory() {
    let endless = std::io::repeat(b'x').take(100 * 1024 * 1024);
    let end = format!("\n{GOOD}\n");
    let beginning = record(&[]);
    let stream = beginning.as_slice().chain(endless).chain(end.as_bytes());
    let before = peak();
    let set = only(&raw::read(BufReader::new(stream), "f.jsonl", Strictness::Lenient).unwrap());
    assert!(peak() - before < 64 * 1024 * 1024, "peak memory grew by {}", peak() - before);
    assert_eq!(
        texts(&set),
        [format!("line 4 is left out: it is longer than {LONGEST_LINE} bytes")]
    );
    assert_eq!(set.series[0].rows, 1);
    let endless = std::io::repeat(b'{').take(100 * 1024 * 1024);
    let error = raw::read(BufReader::new(endless), "f.jsonl", Strictness::Lenient).unwrap_err();
    assert!(error.to_string().contains("not an etalon record"), "{error}");
}

/// Largest resident set of this process so far, in bytes.
fn peak() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find(|line| line.starts_with("VmHWM:")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse::<u64>().unwrap() * 1024
}
