//! BestGuess's raw files: every version is read for what it says, and bad input is named.

use std::path::Path;

use crate::columns::RunSet;
use crate::view::{column, only, texts};
use etalon_core::model::Accept;
use etalon_record::Strictness;
use etalon_record::open::{Opened, SourceFormat, detect, file, read_bytes};

const HEADER: &str = "Command,Shell,Name,Batch,Exit code,User time (us),System time (us),\
    Max RSS (Bytes),Page Reclaims,Page Faults,Voluntary Context Switches,\
    Involuntary Context Switches,Wall clock (us),Total time (us),Total Context Switches\n";
const GOOD: &str = "\"ls\",\"\",\"\",1,0,100,200,3000,4,5,6,7,800\n";

fn fixture(name: &str, from: SourceFormat) -> RunSet {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(name);
    let mut set = only(&file(&path, from).unwrap().read(Strictness::Lenient).unwrap());
    assert!(set.notes.iter().all(|note| note.about == set.source));
    name.clone_into(&mut set.source);
    set
}

fn commands(set: &RunSet) -> Vec<(&str, &str, Option<&str>)> {
    set.benchmarks
        .iter()
        .map(|b| (b.key.name.as_str(), b.command.as_deref().unwrap(), b.shell.as_deref()))
        .collect()
}

const KIB: &str = "rss is read in bytes, as its column says; BestGuess on Linux writes KiB there, \
                   1024 times too small: `--from bestguess-linux` reads them as KiB";

/// Would catch 13 fields read under the wrong of 15 names, escapes kept, and two uses of a command
/// pooled.
#[test]
fn version_0_7() {
    let set = fixture("bestguess-0.7.csv", SourceFormat::Auto);
    assert_eq!(
        commands(&set),
        [
            ("ls -l", "ls -l", None),
            ("two, quoted", "printf \"%s\\n\" \"a,b\"\n", Some("/bin/bash -c")),
            ("ls -l (2)", "ls -l", None),
        ]
    );
    assert!(set.benchmarks.iter().all(|b| b.accept == Accept::Any && b.key.params.is_empty()));
    assert!(set.series.iter().all(|series| series.blocks.is_empty()));
    let metrics: Vec<_> = set.metrics.iter().map(|m| (m.name.as_str(), m.unit.symbol())).collect();
    assert_eq!(
        metrics,
        [
            ("user", "us"),
            ("sys", "us"),
            ("rss", "B"),
            ("minflt", "count"),
            ("majflt", "count"),
            ("vcsw", "count"),
            ("ivcsw", "count"),
            ("wall", "us"),
        ]
    );
    assert_eq!(column(&set, 0, "wall"), (&[0, 1][..], &[0.008_208, 0.006_604][..]));
    assert_eq!(column(&set, 1, "majflt"), (&[0][..], &[1.0][..]));
    assert_eq!(column(&set, 0, "rss").1, [1776.0, 1888.0]);
    let outcomes = set.series[1].outcomes();
    assert_eq!((set.series[1].rows, outcomes.failed, outcomes.ok), (1, 1, 0));
    assert_eq!(texts(&set), [KIB]);
}

#[test]
fn on_linux_peak_memory_is_kib() {
    let set = fixture("bestguess-0.7.csv", SourceFormat::BestguessLinux);
    assert_eq!(column(&set, 0, "rss").1, [1776.0 * 1024.0, 1888.0 * 1024.0]);
    assert_eq!(set.metrics[2].unit.symbol(), "KiB");
    assert_eq!(texts(&set), [""; 0]);
}

/// Would catch columns read by position, and `\"` that ends a field.
#[test]
fn the_first_version() {
    let set = fixture("bestguess-0.1.csv", SourceFormat::Auto);
    assert_eq!(
        commands(&set),
        [("find . \"*.rs\"", "find . \"*.rs\"", Some("/bin/bash -c")), ("ls -l", "ls -l", None)]
    );
    assert_eq!(column(&set, 0, "sys").1, [0.123_604, 0.123_733]);
    assert_eq!(set.series[0].outcomes().failed, 2);
    assert_eq!(texts(&set), ["no column for wall: not available", KIB]);
}

#[test]
fn unquoted_text() {
    let set = fixture("bestguess-0.3.csv", SourceFormat::Auto);
    let shown: Vec<&str> = commands(&set).into_iter().map(|(name, ..)| name).collect();
    assert_eq!(shown, ["bc -le \"scale=50;4*a(1)\"", "grep \\d notes"]);
    assert_eq!(texts(&set), ["line 4 is left out: it has 12 fields, and the header 11", KIB]);
}

/// Would catch backslashes of RFC 4180 rows taken for escapes, and an execution that did not end by
/// itself taken for a measurement.
#[test]
fn rows_of_etalon() {
    let set = fixture("etalon-rows.csv", SourceFormat::Auto);
    assert_eq!(
        commands(&set)[..2],
        [("ls -l", "ls -l", None), ("digits", "grep \"\\d,\" \\", Some("/bin/sh -c"))]
    );
    assert_eq!(column(&set, 0, "wall").1, [0.000_368_123]);
    assert_eq!(column(&set, 0, "cpu").1, [0.000_401]);
    assert_eq!(column(&set, 0, "csw").1, [5.0]);
    let rows: Vec<u32> = set.series.iter().map(|series| series.rows).collect();
    assert_eq!(rows, [1, 1, 0, 0]);
    assert_eq!((set.series[2].outcomes().timed_out, set.series[3].outcomes().killed), (1, 1));
    assert_eq!(
        texts(&set),
        [
            "1 execution has exit code 124, what a shell gives for a command that timed out: \
             counted, not measured",
            "1 execution has exit code 139, what a shell gives for a command that was killed by \
             signal 11: counted, not measured",
        ]
    );
}

fn lenient(text: &[u8]) -> RunSet {
    only(&read_bytes(text, "f.csv", SourceFormat::Auto, Strictness::Lenient).unwrap())
}

fn strict(text: &[u8]) -> String {
    read_bytes(text, "f.csv", SourceFormat::Auto, Strictness::Strict).unwrap_err().to_string()
}

/// The reason for which a line between two good ones is left out; also that it is fatal with
/// `--strict`.
fn reason(line: &[u8]) -> String {
    let bytes = [HEADER.as_bytes(), GOOD.as_bytes(), line, b"\n", GOOD.as_bytes()].concat();
    let set = lenient(&bytes);
    assert_eq!((set.series.len(), set.series[0].rows), (1, 2), "the good lines around it count");
    assert_eq!(column(&set, 0, "user").1.len(), 2, "a bad line is not used in part");
    let notes = texts(&set);
    assert_eq!(notes.len(), 2, "{notes:?}");
    let reason = notes[0].strip_prefix("line 3 is left out: ").unwrap().to_owned();
    let expected = format!("f.csv:3: {reason}; without --strict the line is left out and noted");
    assert_eq!(strict(&bytes), expected);
    reason
}

#[test]
fn every_kind_of_bad_line_has_its_reason() {
    let with =
        |cell: &str| reason(GOOD.trim_end().replace(",100,", &format!(",{cell},")).as_bytes());
    for (cell, expected) in [
        ("-100", "user: `-100` is negative"),
        ("-0.5", "user: `-0.5` is negative"),
        ("1e999", "user: `1e999` is larger than any number"),
        ("9223372036854775808", "user: an integer does not fit 64 bits"),
        ("-9223372036854775809", "user: an integer does not fit 64 bits"),
        ("1O0", "user: `1O0` is not a number"),
        ("0x10", "user: `0x10` is not a number"),
        ("1\0", "user: `1\\u{0}` is not a number"),
        ("\"1\"0", "a quote within a field is neither doubled nor escaped"),
        ("1,1", "it has 14 fields, and the header 15"),
    ] {
        assert_eq!(with(cell), expected, "{cell}");
    }
    for (line, expected) in [
        (&b""[..], "it is empty"),
        (b"\r", "it is empty"),
        (b"\"ls\",\"\"", "it has 2 fields, and the header 15"),
        (b"just text", "it has 1 field, and the header 15"),
        (
            b"\"ls,\"\",\"\",1,0,1,2,3,4,5,6,7,8",
            "a quote within a field is neither doubled nor escaped",
        ),
        (b"ls,,\",1,0,1,2,3,4,5,6,7,8", "a quote within a field is neither doubled nor escaped"),
        (b"x\0y,,,9,0,1,2,3,4,5,6,7,8", "Command: it holds a NUL byte, which no command can"),
        (b"ls,,,1,,,,,,,,,,", "it has 14 fields, and the header 15"),
        (b"ls,,,1,x,1,2,3,4,5,6,7,8", "Exit code: `x` is no exit code"),
        (b"ls,,,1,4294967296,1,2,3,4,5,6,7,8", "Exit code: `4294967296` is no exit code"),
        (b"\xff\xfe,,", "it has 3 fields, and the header 15"),
    ] {
        assert_eq!(reason(line), expected, "{}", String::from_utf8_lossy(line));
    }
    let many = reason(",".repeat(300).as_bytes());
    assert_eq!(many, "it has more than 64 fields");
}

/// Would catch a lone quote that costs the rows after it, with and without other quotes in the file.
#[test]
fn a_lone_quote_costs_one_line() {
    let bare = "ls,,,1,0,100,200,3000,4,5,6,7,800\n";
    let expected = "line 3 is left out: a quote is not closed";
    let far = format!("{HEADER}{bare}\"sort,,,1,0,1,2,3,4,5,6,7,8\n{}", bare.repeat(200_000));
    let set = lenient(far.as_bytes());
    assert_eq!((set.series[0].rows, texts(&set)[0]), (200_001, expected));
    // Two of them, next to each other or with whole rows between: not one field.
    let next = format!("{HEADER}{bare}\"sort,,,1,0,1,2,3,4,5,6,7,8\nx\",,,1,0,1,2,3,4,5,6,7,8\n");
    assert_eq!(texts(&lenient(next.as_bytes()))[0], expected);
    let two = format!(
        "{HEADER}{bare}\"sort,,,1,0,1,2,3,4,5,6,7,8\n{bare}{bare}x\",,,1,0,1,2,3,4,5,6,7,8\n"
    );
    let set = lenient(two.as_bytes());
    assert_eq!((set.series.len(), set.series[0].rows, texts(&set)[0]), (2, 3, expected));
}

#[test]
fn values_that_are_not_finite_are_absent_and_named() {
    let text = format!("{HEADER}{}", GOOD.replace(",100,", ",NaN,").replace(",800", ",-inf"));
    let set = lenient(text.as_bytes());
    assert_eq!(set.series[0].rows, 1);
    assert_eq!(
        texts(&set)[..2],
        ["line 2: user is `NaN`, so not available", "line 2: wall is `-inf`, so not available"]
    );
    let expected = "f.csv:2: user is `NaN`, so not available; without --strict the line is left out \
                    and noted";
    assert_eq!(strict(text.as_bytes()), expected);
}

#[test]
fn fractions_and_huge_numbers_are_numbers() {
    let text = format!("{HEADER}{}", GOOD.replace(",100,", ",0.25,").replace(",800", ",1e300"));
    let set = lenient(text.as_bytes());
    assert_eq!(
        (column(&set, 0, "user").1, column(&set, 0, "wall").1),
        (&[2.5e-7][..], &[1e294][..])
    );
    assert_eq!(texts(&set), [KIB]);
}

/// Would catch a name that BestGuess cut within a character and that costs its rows.
#[test]
fn text_that_is_not_utf_8_is_read_with_a_note() {
    let mut bytes = HEADER.as_bytes().to_vec();
    bytes.extend_from_slice(b"\"caf\xc3\",\"\",\"\xff\",1,0,1,2,3,4,5,6,7,8\n");
    bytes.extend_from_slice(b"\"caf\xc3\",\"\",\"\xff\",1,0,1,2,3,4,5,6,7,8\n");
    let set = lenient(&bytes);
    assert_eq!(commands(&set), [("\u{fffd}", "caf\u{fffd}", None)]);
    assert_eq!(set.series[0].rows, 2);
    assert_eq!(
        texts(&set)[..2],
        [
            "line 2: Command: not UTF-8 at byte 4, which is read as U+FFFD",
            "line 2: Name: not UTF-8 at byte 1, which is read as U+FFFD",
        ]
    );
    assert!(strict(&bytes).starts_with("f.csv:2: Command: not UTF-8 at byte 4"));
}

#[test]
fn embedded_newlines_crlf_and_utf_16() {
    let text = format!(
        "{HEADER}\"python -c '\nprint(\"\"1\"\")\n'\",,,1,0,1,2,3,4,5,6,7,8,3,13\n{GOOD}x\n"
    );
    let set = lenient(text.as_bytes());
    assert_eq!(commands(&set)[0].0, "python -c '\nprint(\"1\")\n'");
    assert_eq!(texts(&set)[0], "line 6 is left out: it has 1 field, and the header 15");
    let text = format!("{HEADER}{GOOD}{GOOD}");
    let plain = lenient(text.as_bytes());
    let same = |bytes: &[u8]| assert_eq!(lenient(bytes), plain);
    same(text.replace('\n', "\r\n").as_bytes());
    same(format!("\u{feff}{text}").as_bytes());
    let utf_16: Vec<u8> =
        format!("\u{feff}{text}").encode_utf16().flat_map(u16::to_le_bytes).collect();
    same(&utf_16);
    let utf_16: Vec<u8> =
        format!("\u{feff}{text}").encode_utf16().flat_map(u16::to_be_bytes).collect();
    same(&utf_16);
    let torn = lenient(&utf_16[..utf_16.len() - 1]);
    assert_eq!(*texts(&torn).last().unwrap(), "1 code units are no UTF-16 and are read as U+FFFD");
}

/// Would catch a last line that is used in part, or lost without a word.
#[test]
fn a_last_line_without_end() {
    let whole = format!("{HEADER}{GOOD}");
    let set = lenient(whole.trim_end().as_bytes());
    let note = "line 2: the last one, has no end of line; if the file was cut there, its last number \
                was, too";
    assert_eq!((set.series[0].rows, texts(&set)[0]), (1, note));
    let whole = format!("{whole}{GOOD}");
    for cut in HEADER.len() + GOOD.len()..whole.len() {
        let set =
            read_bytes(&whole.as_bytes()[..cut], "f.csv", SourceFormat::Auto, Strictness::Strict);
        let set = only(&set.unwrap());
        let complete = whole[..cut].rsplit(',').next().unwrap();
        let fields = whole[HEADER.len() + GOOD.len()..cut].matches(',').count();
        assert!(set.series[0].rows == 1 || (fields == 12), "{cut} {complete}");
        assert_eq!(set.notes.len(), if cut == HEADER.len() + GOOD.len() { 1 } else { 2 }, "{cut}");
    }
    let torn = format!("{HEADER}{GOOD}\"ls\",\"\",\"\",1,0,1");
    let torn = read_bytes(torn.as_bytes(), "f.csv", SourceFormat::Auto, Strictness::Strict);
    let torn = only(&torn.unwrap());
    let note =
        "line 3, the last one, was in flight when the record was interrupted, and is left out";
    assert_eq!(texts(&torn)[0], note);
}

#[test]
fn columns_missing_added_and_in_another_order() {
    let text = " wall clock (US) ,Mood,Command\n12,good,ls\n13,bad,ls\n";
    let set = lenient(text.as_bytes());
    assert_eq!(column(&set, 0, "wall").1, [12e-6, 13e-6]);
    assert_eq!(
        texts(&set),
        [
            "no column for user, sys, rss, minflt, majflt, vcsw, ivcsw: not available",
            "columns that are not known are ignored: `Mood`",
            "2 executions without an exit code count as completed",
        ]
    );
    let error = |text: &str, from| {
        read_bytes(text.as_bytes(), "f.csv", from, Strictness::Lenient).unwrap_err().to_string()
    };
    let lists = "docs/format.md, \"Foreign formats\", lists the columns of BestGuess's raw files";
    for (text, expected) in [
        ("Name,Wall clock (us)\n", "no column is called `Command`"),
        ("Command,Shell\n", "no column holds times or counts that BestGuess writes"),
        ("Command,Page Faults,command\n", "two columns are called `command`"),
    ] {
        assert_eq!(error(text, SourceFormat::Bestguess), format!("f.csv:1: {expected}; {lists}"));
        assert!(error(text, SourceFormat::Auto).starts_with("f.csv is not an etalon record, nor"));
    }
}

#[test]
fn a_second_header_is_fatal() {
    let text = format!("{HEADER}{GOOD}{HEADER}{GOOD}");
    assert_eq!(
        read_bytes(text.as_bytes(), "f.csv", SourceFormat::Auto, Strictness::Lenient)
            .unwrap_err()
            .to_string(),
        "f.csv:3: a second header; a file holds one record, so split it here and give the files one \
         by one"
    );
}

/// Would catch rows of one benchmark that end up in several, or in another's.
#[test]
fn rows_may_be_interleaved_and_many() {
    let mut text = HEADER.to_owned();
    for block in 0..3 {
        for command in 0..1000 {
            text += &format!("\"c{command}\",\"\",\"\",1,0,{block},{command},3,4,5,6,7,8\n");
        }
    }
    let set = lenient(text.as_bytes());
    assert_eq!(set.series.len(), 1000);
    assert!(set.series.iter().all(|series| series.rows == 3));
    assert_eq!(column(&set, 999, "user").1, [0.0, 1e-6, 2e-6]);
    assert_eq!(column(&set, 999, "sys").1, [999e-6; 3]);
}

#[test]
fn a_record_without_end_is_skipped_in_bounded_memory() {
    use std::io::{BufReader, Read};
    let endless = std::io::repeat(b'x').take(200 * 1024 * 1024);
    let bytes = HEADER.as_bytes().chain(GOOD.as_bytes()).chain(endless).chain(&b"\n"[..]);
    let before = peak();
    let reader = BufReader::new(bytes.chain(GOOD.as_bytes()));
    let opened = Opened::new(reader, "f.csv", SourceFormat::Auto).unwrap();
    let set = only(&opened.read(Strictness::Lenient).unwrap());
    assert!(peak() - before < 64 * 1024 * 1024, "peak memory grew by {}", peak() - before);
    assert_eq!(texts(&set)[0], "line 3 is left out: it is longer than 4194304 bytes");
    assert_eq!(set.series[0].rows, 2);
}

/// This process's peak resident set in bytes.
fn peak() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find(|line| line.starts_with("VmHWM:")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse::<u64>().unwrap() * 1024
}

#[test]
fn recognised_by_content_and_not_by_name() {
    use etalon_record::open::Format;
    assert_eq!(detect(HEADER.as_bytes()), Format::Bestguess);
    assert_eq!(detect(b"{\n \"results\": ["), Format::Hyperfine);
    assert_eq!(detect(b"{\"schema_version\":2"), Format::Hyperfine);
    assert_eq!(detect(b"{\"type\":\"header\""), Format::Record);
    assert_eq!(detect(b"{"), Format::Record);
    assert_eq!(detect(b""), Format::Empty);
    let summary = "Command,Shell,Runs (ct)\n";
    assert!(matches!(detect(summary.as_bytes()), Format::Unknown { .. }));
    assert_eq!(SourceFormat::named("bestguess-linux"), Some(SourceFormat::BestguessLinux));
    assert_eq!(SourceFormat::named("x"), None);
}

/// Would catch a comma at the end of every row, as some writers have it, that costs every row.
#[test]
fn a_comma_at_the_end_of_rows() {
    let header = "Command,Exit code,Shell,User time (us),System time (us),Max RSS (Bytes)";
    let text = format!(
        "{header}\n\"tar x\",0,\"/bin/bash -c\",1064,2936,1785856,\n\"tar x\",3,\"/bin/bash -c\",944,1599,1785856,\n"
    );
    let set = lenient(text.as_bytes());
    assert_eq!(column(&set, 0, "user").1, [0.001_064, 0.000_944]);
    assert_eq!(set.series[0].outcomes().failed, 1);
    // A field too many that is not empty is one, and so are two.
    for more in [",7", ",,"] {
        let text = format!(
            "{header}\n\"tar x\",0,,1064,2936,1785856{more}\n\"tar x\",0,,1064,2936,1785856\n"
        );
        let set = lenient(text.as_bytes());
        assert_eq!((set.series[0].rows, texts(&set).is_empty()), (1, false), "{more}");
    }
}
