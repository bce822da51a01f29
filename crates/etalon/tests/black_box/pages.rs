//! Pages of several machines: machines, results, what follows from them, and the inventory.

use crate::support::{Lab, has};

const PUBLISHED: &str =
    concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/object-store/published.toml");

/// Rows of the published page, letter for letter.
const ROWS: &str = "\
| Machine | CPU | Cores | Sampling | Notes |
| Workstation | AMD Ryzen 9 5900XT | 16C/32T | `-count=10`, benchstat median | Bare metal, high single-thread clock |
| CI | AMD EPYC 7763 | 4 vCPU | `-count=10`, benchstat median | GitHub Actions shared runner |
| Benchmark | Machine | ns/op | B/op | allocs/op |
| `BenchmarkDataset_SequentialWrites` | Workstation | 135,400 ± 1% | 97,864 ± 0% | 680 |
| | CI | 177,600 ± 4% | 99,702 ± 0% | 680 |
| `BenchmarkDataset_SequentialWrites_StoreCallCount` | Workstation | 138,200 ± 2% | 100,016 ± 1% | 687 |
| | CI | 188,000 ± 3% | 101,881 ± 0% | 687 |
| Benchmark | Machine | ns/op | B/op | allocs/op |
| `BenchmarkS3_WriteRoundTrip/LocalStack` | Workstation | 5,621,000 ± 15% | 376,832 ± 2% | 2,973 |
| | CI | 8,247,000 ± 3% | 355,202 ± 1% | 2,965 |
| `BenchmarkS3_WriteRoundTrip/MinIO` | Workstation | 11,340,000 ± 1% | 380,659 ± 1% | 3,045 |
| | CI | 6,838,000 ± 5% | 364,071 ± 1% | 3,039 |
| Benchmark | Location | Backend | Status |
| `BenchmarkDataset_SequentialWrites` | `lode/dataset_bench_test.go` | In-memory (latency-injected) | Done |
| `BenchmarkDataset_SequentialWrites_StoreCallCount` | `lode/dataset_bench_test.go` | In-memory (fault store) | Done |
| `BenchmarkS3_WriteRoundTrip/LocalStack` | `lode/s3/bench_integration_test.go` | LocalStack | Done |
| `BenchmarkS3_WriteRoundTrip/MinIO` | `lode/s3/bench_integration_test.go` | MinIO | Done |
| Benchmark | Backend | Notes |
| Streaming record write round-trip | S3 (LocalStack/MinIO) | `StreamWriteRecords` path |
| Compressed write round-trip | S3 (LocalStack/MinIO) | gzip/zstd codec variants |
| Volume commit round-trip | S3 (LocalStack/MinIO) | Multi-block Volume write path |";

/// The rows of all tables of a page, without the lines that say how columns stand.
fn rows(page: &str) -> String {
    let rows = page.lines().filter(|line| line.starts_with('|') && !line.starts_with("| ---"));
    rows.map(|row| row.replace("|  ", "| ").replace("|  ", "| ")).collect::<Vec<_>>().join("\n")
}

/// Would catch a figure, a spread or a name that is another one's, a benchmark that is named twice, and notes that do not
/// follow from the figures, or are missing.
#[test]
fn published_figures_give_the_published_tables() {
    let page = Lab::new().done(["report", PUBLISHED]);
    assert_eq!(rows(&page), ROWS);
    let notes: Vec<&str> = page.lines().filter(|line| line.starts_with("> ")).collect();
    assert_eq!(
        notes,
        [
            "> allocs/op are the same on all machines.",
            "> In-memory benchmarks inject 10 µs of store latency.",
            "> The order of `BenchmarkS3_WriteRoundTrip/LocalStack` and `BenchmarkS3_WriteRoundTrip/MinIO` reverses: the \
             first has less ns/op on Workstation, the second on CI.",
            "> On Workstation, ns/op of `BenchmarkS3_WriteRoundTrip/LocalStack` scatter: ± 15%, beside ± 1% of \
             `BenchmarkS3_WriteRoundTrip/MinIO`.",
            "> allocs/op hardly differ between machines: by 0.3 % at most.",
            "> Round trips on the same machine are no latency of production S3: compare, and take no number for a target.",
        ]
    );
}

/// Two benchmarks that are measured here, one of which fails; another machine's are in two files of Go, a group each.
const FILE: &str = r#"
title = "two"
[axes]
benchmark = ["Join", "Broken/x"]
[[subject]]
command = "sh print.sh {benchmark}"
[metric.time]
unit = "ns"
go = "ns/op"
[metric.calls]
unit = "count"
kind = "exact"
go = "calls/op"
[measure]
runs = 6
[[machine]]
name = "here"
[[machine]]
name = "there"
cpu = "a|b"
data = ["memory.txt", "disk.txt"]
[[inventory]]
benchmark = "BenchmarkJoin"
group = "g"
[[inventory]]
benchmark = "BenchmarkBroken/x"
group = "g"
[[inventory]]
benchmark = "BenchmarkGone"
group = "g"
[[inventory]]
benchmark = "BenchmarkEarly"
planned = true
group = "g"
[[inventory]]
benchmark = "BenchmarkLate"
planned = true
notes = "next year"
[[page.section]]
machines = true
[[page.section]]
results = "g"
notes = ["A note."]
[[page.section]]
inventory = "all"
"#;

const PRINT: &str = "[ $1 = Join ] || exit 3; echo 'BenchmarkJoin-4 100 2000 ns/op 3 calls/op'";

fn lab() -> Lab {
    let lab = Lab::new();
    lab.write("two.toml", FILE);
    lab.write("print.sh", PRINT);
    let go = |lines: &[&str]| -> String {
        (0..6).flat_map(|_| lines).fold("goos: linux\n".to_owned(), |text, line| text + line + "\n")
    };
    lab.write("memory.txt", go(&["BenchmarkJoin-8 100 1500 ns/op 3 calls/op"]));
    lab.write(
        "disk.txt",
        go(&[
            "BenchmarkBroken/x-8 10 70 ns/op",
            "BenchmarkEarly-8 10 9 ns/op",
            "BenchmarkExtra-8 1 5 ns/op",
        ]),
    );
    lab
}

/// Would catch a status that does not look at the data, a failure that is shown as missing, figures of another machine or
/// file, and a report that needs the files once more.
#[test]
fn the_inventory_is_checked_against_what_every_machine_measured() {
    let lab = lab();
    lab.run(["run", "two.toml"]).expect(1);
    for file in ["memory.txt", "disk.txt", "two.toml"] {
        std::fs::remove_file(lab.path(file)).expect("a file");
    }
    let page = lab.done(["report", "@last", "--format", "markdown"]);
    has(
        &rows(&page),
        &[
            "| `BenchmarkJoin` | here | 2,000 | 3 |\n| | there | 1,500 | 3 |\n",
            "| `BenchmarkBroken/x` | there | 70 |",
            "| `BenchmarkEarly` | there | 9 |",
            "| here | ",
            "| there | a\\|b | 8 (GOMAXPROCS) | median of 6 readings |",
            "| `BenchmarkJoin` | | | Done | |",
            "| `BenchmarkBroken/x` | | | Done | |",
            "| `BenchmarkGone` | | | declared, but not in the data | |",
            "| `BenchmarkEarly` | | | Done (declared as planned) | |",
            "| `BenchmarkLate` | | | Planned | next year |",
        ],
    );
    has(
        &page,
        &[
            "> Without figures: `BenchmarkBroken/x` on here (failed (3)), `BenchmarkGone` on here, `BenchmarkGone` on \
             there, `BenchmarkEarly` on here.",
            "> calls/op are the same on all machines.",
            "> A note.",
            "> Measured, but not in the inventory: `Extra-8`.",
        ],
    );
    assert!(!page.contains("reverses"), "{page}");
}

/// Would catch a failure of the only machine that is told as if nobody had tried.
#[test]
fn a_benchmark_that_fails_says_so_in_the_inventory() {
    let lab = lab();
    let alone = FILE.replace("data = [\"memory.txt\", \"disk.txt\"]", "data = [\"memory.txt\"]");
    lab.write("two.toml", alone);
    lab.run(["run", "two.toml"]).expect(1);
    let page = lab.done(["report", "@last", "--format", "markdown"]);
    has(
        &rows(&page),
        &["| `BenchmarkBroken/x` | | | failed (3) | |", "| `BenchmarkEarly` | | | Planned | |"],
    );
}

/// Would catch files that cannot be shown and are measured all the same, and errors without place or remedy.
#[test]
fn a_page_that_cannot_be_made_is_refused_before_anything_is_measured() {
    for (from, to, told) in [
        (
            "data = [\"memory.txt\", \"disk.txt\"]",
            "",
            "two.toml:18:1: the machine \"there\" has no `data`, as \"here\" has none",
        ),
        ("name = \"there\"", "name = \"here\"", "two.toml:18:1: a second machine called \"here\""),
        ("disk.txt", "disc.txt", "two.toml:21:23: cannot open disc.txt"),
        (
            "cpu = \"a|b\"",
            "from = \"tables\"",
            "two.toml:20:8: no format `tables`: did you mean `table`?",
        ),
        (
            "results = \"g\"",
            "results = \"h\"",
            "no benchmark of the [[inventory]] is of the group \"h\"",
        ),
        (
            "results = \"g\"",
            "results = \"g\"\nmetrics = [\"tine\"]",
            "no metric `tine` is declared: did you mean `time`?",
        ),
        (
            "machines = true",
            "machines = true\nmetrics = [\"time\"]",
            "`metrics` are columns of `results`",
        ),
        ("machines = true", "machines = false", "has to say one of"),
        ("[[subject]]", "size = [1]\n[[subject]]", "`benchmark` is the only axis"),
    ] {
        let lab = lab();
        assert!(FILE.contains(from), "{from}");
        lab.write("two.toml", FILE.replacen(from, to, 1));
        let ended = lab.run(["run", "two.toml"]).expect(2);
        has(&ended.stderr, &[told]);
        assert!(lab.saved().is_empty(), "{to}: something was measured");
    }
}

/// Would catch a page of nothing where a file has to be measured first.
#[test]
fn a_page_without_data_says_what_measures() {
    let lab = lab();
    lab.write("own.toml", "[axes]\nbenchmark = [\"a\"]\n[[subject]]\ncommand = \"true\"\n");
    let ended = lab.run(["report", "own.toml"]).expect(2);
    has(&ended.stderr, &["names no data of machines", "`etalon run own.toml`"]);
}
