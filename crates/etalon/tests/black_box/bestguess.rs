//! Rows for BestGuess: what its reader takes, and what is said of files that are not what they seem.

use crate::support::{Lab, column, has};

/// The cells of a CSV file, its header left out.
fn rows(bytes: &[u8]) -> Vec<csv::StringRecord> {
    csv::Reader::from_reader(bytes).records().map(|row| row.expect("a row")).collect()
}

/// The column that holds the batch.
const BATCH: usize = 3;

/// Asserts what BestGuess's reader needs: whole numbers, rows of a batch beside each other.
#[track_caller]
fn fit_for_bestguess(bytes: &[u8]) {
    let rows = rows(bytes);
    for row in &rows {
        for cell in (4..15).map(|at| &row[at]) {
            assert!(cell.bytes().all(|byte| byte.is_ascii_digit()), "{cell:?} in {row:?}");
        }
    }
    let batches: Vec<u64> = rows.iter().map(|row| row[BATCH].parse().expect("a batch")).collect();
    assert!(batches.is_sorted(), "{batches:?}");
}

/// Would catch fractions of microseconds, which BestGuess cannot read, rows of blocks as they came,
/// and rounding that is not to the nearest.
#[test]
fn rows_are_whole_microseconds_in_the_order_of_batches() {
    let lab = Lab::new();
    let commands = ["true", "-n", "one\ntwo", "sh -c :", "sleep 0.001"];
    lab.done([&["cmd", "-N", "-r", "7", "-o", "raw.csv", "--seed", "3"], &commands[..]].concat());
    let raw = lab.read("raw.csv");
    fit_for_bestguess(&raw);
    let rows = rows(&raw);
    assert_eq!(rows.len(), 21);
    let record = lab.record();
    for benchmark in 0..3 {
        let of: Vec<_> =
            rows.iter().filter(|row| row[BATCH] == (benchmark + 1).to_string()).collect();
        let written = |at: usize| -> Vec<i64> {
            of.iter().map(|row| row[at].parse().expect("µs")).collect()
        };
        let walls = column(&record.of(benchmark), "wall");
        let nearest: Vec<i64> = walls.iter().map(|ns| (ns + 500) / 1000).collect();
        assert_eq!(written(12), nearest, "in the order they were measured in, to the nearest");
        // A short process on a busy machine may have used no CPU time that the kernel saw.
        assert_eq!(written(5), column(&record.of(benchmark), "user"));
        assert_eq!(written(6), column(&record.of(benchmark), "sys"));
        assert!(of.iter().all(|row| {
            let number = |at: usize| row[at].parse::<u64>().expect("µs");
            number(13) == number(5) + number(6)
        }));
    }
}

/// Would catch the rows of an interrupted run left as they came, or lost.
#[test]
fn rows_of_a_failed_run_are_in_order_too() {
    let lab = Lab::new();
    lab.script("sometimes", "printf x >> n; [ $(wc -c < n) -ne 4 ]");
    let list = ["cmd", "-N", "-r", "9", "-o", "raw.csv", "./sometimes", "true"];
    lab.run(list).expect(1);
    fit_for_bestguess(&lab.read("raw.csv"));
    assert_eq!(rows(&lab.read("raw.csv")).len(), 18);
    // Its permissions, and the link that leads to it, stay what they are.
    std::os::unix::fs::symlink("raw.csv", lab.path("link.csv")).expect("a link");
    lab.done(["cmd", "-N", "-r", "9", "--force", "-o", "link.csv", "sh -c :", "true"]);
    fit_for_bestguess(&lab.read("raw.csv"));
    assert!(lab.path("link.csv").is_symlink());
}

/// Would catch a conversion BestGuess cannot read, or one that changes when it is read back.
#[test]
fn converted_rows_come_back_as_they_were() {
    let lab = Lab::new();
    lab.done(["cmd", "-N", "-r", "5", "-o", "raw.csv", "true", "sh -c :"]);
    let ended = lab.run(["convert", "@last", "--to", "bestguess", "-o", "one.csv"]).expect(0);
    has(&ended.stderr, &["whole microseconds"]);
    fit_for_bestguess(&lab.read("one.csv"));
    assert_eq!(rows(&lab.read("one.csv")), rows(&lab.read("raw.csv")));
    let ended = lab.run(["convert", "one.csv", "--to", "bestguess", "-o", "two.csv"]).expect(0);
    assert!(!ended.stderr.contains("whole microseconds"), "{}", ended.stderr);
    assert_eq!(lab.read("two.csv"), lab.read("one.csv"));
    lab.done(["convert", "one.csv", "--to", "etalon", "-o", "one.jsonl"]);
    lab.done(["convert", "one.jsonl", "--to", "bestguess", "-o", "three.csv"]);
    assert_eq!(lab.read("three.csv"), lab.read("one.csv"));
}

/// Would catch a summary in fractions of microseconds, as BestGuess writes none.
#[test]
fn the_summary_is_in_whole_numbers() {
    let lab = Lab::new();
    lab.done(["cmd", "-N", "-r", "8", "--export-csv", "summary.csv", "true", "sh -c :"]);
    for row in rows(&lab.read("summary.csv")) {
        for cell in (2..row.len() - 1).map(|at| &row[at]) {
            assert!(cell.bytes().all(|byte| byte.is_ascii_digit()), "{cell:?} in {row:?}");
        }
    }
}

/// Would catch functions whose times become 0: they are no commands, and BestGuess cannot hold them.
#[test]
fn times_of_functions_keep_their_fractions() {
    let lab = Lab::new();
    lab.done(["run", "-r", "2", "-o", "raw.csv", "-e", "return 1"]);
    let times: Vec<f64> =
        rows(&lab.read("raw.csv")).iter().map(|row| row[12].parse().expect("µs")).collect();
    assert!(times.iter().all(|us| *us > 0.0 && us.fract() != 0.0), "{times:?}");
}

const HEADER: &str = "Command,Shell,Name,Batch,Exit code,User time (us),System time (us),\
                      Max RSS (Bytes),Page Reclaims,Page Faults,Voluntary Context Switches,\
                      Involuntary Context Switches,Wall clock (us),Total time (us),\
                      Total Context Switches\n";

fn row(command: &str, batch: u32, us: u32) -> String {
    format!("{command},,,{batch},0,{us},1,1024,1,0,1,0,{},{},1\n", us + 10, us + 1)
}

/// Would catch two files put together whose batches are pooled into samples nobody measured.
#[test]
fn batches_that_come_back_are_refused() {
    let lab = Lab::new();
    let file: String = (0..2)
        .flat_map(|half| (1..=2).map(move |batch| (half, batch)))
        .flat_map(|(half, batch)| {
            (0..5).map(move |i| row("ls", batch, 100 * half + 10 * batch + i))
        })
        .collect();
    lab.write("both.csv", format!("{HEADER}{file}"));
    for command in [&["report"][..], &["compare", "both.csv"], &["convert", "--to", "etalon"]] {
        let ended = lab.run([command, &["both.csv"]].concat()).expect(2);
        has(&ended.stderr, &["both.csv:12", "batch 1", "put together"]);
        assert_eq!(ended.stdout, "");
    }
}

/// Would catch rows of interleaved blocks refused, or pooled without a word.
#[test]
fn interleaved_rows_are_one_benchmark_each_and_said() {
    let lab = Lab::new();
    let file: String = (0..6)
        .flat_map(|block| [1 + block % 2, 2 - block % 2].map(|batch| row("ls", batch, 100 + block)))
        .collect();
    lab.write("blocks.csv", format!("{HEADER}{file}"));
    let report = lab.json(["report", "--json", "blocks.csv"]);
    let counted: Vec<u64> = report["benchmarks"]
        .as_array()
        .expect("benchmarks")
        .iter()
        .map(|b| b["outcomes"]["ok"].as_u64().expect("a count"))
        .collect();
    assert_eq!(counted, [6, 6]);
    has(&lab.done(["report", "blocks.csv"]), &["line 5", "batch 1"]);
}

/// Would catch a file of which nothing could be used called interrupted, its reason hidden.
#[test]
fn a_file_whose_rows_are_all_refused_says_why() {
    let lab = Lab::new();
    let bad: String = (1..=30).map(|_| row("ls", 1, 5).replace(",1024,", ",many,")).collect();
    lab.write("bad.csv", format!("{HEADER}{bad}"));
    for command in [&["report"][..], &["compare", "bad.csv"], &["convert", "--to", "hyperfine"]] {
        let ended = lab.run([command, &["bad.csv"]].concat()).expect(2);
        has(&ended.stderr, &["bad.csv", "line 2", "rss: `many` is not a number"]);
        assert!(!ended.stderr.contains("interrupted"), "{}", ended.stderr);
    }
    lab.write("header.csv", HEADER);
    let ended = lab.run(["report", "header.csv"]).expect(2);
    has(&ended.stderr, &["header.csv", "no row"]);
    let record = "{\"type\":\"header\",\"format\":\"etalon\",\"version\":1}\n{\"type\":1}\n[\n";
    lab.write("bad.jsonl", record);
    let ended = lab.run(["report", "bad.jsonl"]).expect(2);
    has(&ended.stderr, &["bad.jsonl", "line 2"]);
}

/// Would catch a file of nothing but failures that is refused for values that it does not have.
#[test]
fn failures_without_values_are_converted() {
    let lab = Lab::new();
    lab.run(["cmd", "-r", "2", "-i", "--", "sh -c 'kill -9 $$'"]);
    let rows = lab.done(["convert", "--to", "bestguess", "--quiet", "@last"]);
    assert_eq!(rows.lines().count(), 3, "{rows}");
    lab.write("failed.csv", rows.replace(",137,", ",1,"));
    let again = lab.done(["convert", "--to", "bestguess", "--quiet", "failed.csv"]);
    assert_eq!(again.as_bytes(), lab.read("failed.csv"));
}
