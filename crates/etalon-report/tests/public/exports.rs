//! Goldens of every export, and names read back from each by another reader. Would catch a cell
//! under the wrong title, a name that breaks a table or comes back changed, a unit that follows the
//! order of the rows, and a number that is not the analysis's.

use crate::columns::{Column, RunSet, Series, data};
use etalon_core::analysis::{Analysis, analyse};
use etalon_core::model::{Accept, Benchmark, Case, Collector, Metric, Outcome, Sampling, Warmup};
use etalon_core::plan::Settings;
use etalon_report::export::{
    NoTimes, Sort, TimeUnit, asciidoc, bestguess_hyperfine_csv, hyperfine_csv, markdown, orgmode,
    summary_csv, times,
};
use etalon_report::table::{Cell, Table};
use etalon_report::text::clean;
use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

/// Names with everything that means something to some format.
const HOSTILE: [&str; 22] = [
    "plain",
    "a,b;c",
    "say \"hi\", 'you'",
    "two\nlines\r\nor three",
    "ls | wc -l || true",
    "a\\|b",
    "ends with \\",
    "`tick` ``tock``",
    "`",
    "=a= b=~c~",
    "=a= | ~b~ \\alpha",
    "*bold* _it_ **x** #m# ^u^ +p+",
    "<b>&amp;</b> {attr} pass:[x] -- a--b ... (C) -> =>",
    "https://example.org/ me@example.org",
    " leading and trailing ",
    " ",
    "",
    "größer → 測試 ✻ \u{1f600}",
    "\u{1b}[31mred\u{7}\0\t",
    "\u{202e}desrever",
    "$HOME/*.{a,b} 2>&1 & %1 !x",
    "[link](x) ![i](y) ~~gone~~",
];

/// A benchmark's `n` rows; each metric is `cost` times a fixed share, and grows with the row.
fn series(cost: f64, n: u32) -> Series {
    let rows: Vec<u32> = (0..n).collect();
    let column = |share: f64, unit: f64| Column {
        rows: rows.clone(),
        values: rows.iter().map(|r| (cost * share + f64::from(r % 7)).round() / unit).collect(),
    };
    Series {
        blocks: rows.clone(),
        rows: n,
        columns: vec![
            column(1.0, 1e6),
            column(0.5, 1e6),
            column(0.25, 1e6),
            column(1024.0, 1.0),
            column(0.001, 1.0),
            column(0.002, 1.0),
        ],
        ..Series::default()
    }
}

fn benchmark(name: &str) -> Benchmark {
    Benchmark { command: Some(name.to_owned()), ..Benchmark::new(name) }
}

fn run_set(benchmarks: Vec<Benchmark>, series: Vec<Series>) -> RunSet {
    RunSet {
        metrics: vec![
            Metric::new("wall", "us"),
            Metric::new("user", "us"),
            Metric::new("sys", "us"),
            Metric::new("rss", "B"),
            Metric::new("vcsw", "count"),
            Metric::new("ivcsw", "count"),
        ],
        benchmarks,
        series,
        ..RunSet::empty("example.jsonl")
    }
}

fn analysed(set: RunSet) -> Analysis {
    let settings = Settings { metric: "wall".to_owned(), ..Settings::default() };
    analyse(&data(&[set]), &settings).unwrap()
}

fn named(names: &[&str]) -> Analysis {
    let cost = |at: usize| 1000.0 + 250.0 * f64::from(u32::try_from(at).unwrap());
    let all = (0..names.len()).map(|at| series(cost(at), 12)).collect();
    analysed(run_set(names.iter().map(|name| benchmark(name)).collect(), all))
}

/// A shell, a name beside the command, parameters, failures; 5, 40 and 120 observations.
fn ordinary() -> Analysis {
    let mut benchmarks =
        vec![benchmark("sleep 1"), benchmark("fast, \"quoted\""), benchmark("gzip -9 x")];
    benchmarks[0].shell = Some("/bin/sh -c".to_owned());
    benchmarks[1].command = Some("gzip -1 x".to_owned());
    benchmarks[1].key.params = vec![("level".to_owned(), "1".to_owned())];
    benchmarks[2].key.params =
        vec![("file".to_owned(), "a|b".to_owned()), ("level".to_owned(), "9".to_owned())];
    let mut all = vec![series(2_000_000.0, 5), series(1500.0, 40), series(4000.0, 120)];
    let ended = [Outcome::Failed { code: 1 }, Outcome::Failed { code: 1 }];
    for outcome in ended.into_iter().chain([Outcome::Killed { signal: 9 }]) {
        all[2].add(&Accept::Zero, outcome, None);
    }
    analysed(run_set(benchmarks, all))
}

fn table(analysis: &Analysis) -> Table {
    times(analysis, None, Sort::Command).unwrap()
}

fn text(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap()
}

/// CSV as another reader has it: header, then rows.
fn parsed(bytes: &[u8]) -> Vec<Vec<String>> {
    let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(bytes);
    reader.records().map(|row| row.unwrap().iter().map(str::to_owned).collect()).collect()
}

#[test]
fn goldens_of_csv() {
    insta::assert_snapshot!("summary_csv", text(summary_csv(&ordinary())));
    insta::assert_snapshot!("hyperfine_csv", text(hyperfine_csv(&ordinary())));
    insta::assert_snapshot!("bestguess_hyperfine_csv", text(bestguess_hyperfine_csv(&ordinary())));
}

#[test]
fn goldens_of_tables() {
    let table = table(&ordinary());
    insta::assert_snapshot!("markdown", markdown(&table));
    insta::assert_snapshot!("asciidoc", asciidoc(&table));
    insta::assert_snapshot!("orgmode", orgmode(&table));
}

#[test]
fn goldens_of_hostile_names() {
    let table = table(&named(&HOSTILE));
    insta::assert_snapshot!("hostile_markdown", markdown(&table));
    insta::assert_snapshot!("hostile_asciidoc", asciidoc(&table));
    insta::assert_snapshot!("hostile_orgmode", orgmode(&table));
}

/// The list of columns, spelt as BestGuess spells them.
#[test]
fn the_summary_has_bestguess_columns() {
    let header = parsed(&summary_csv(&ordinary())).remove(0);
    assert_eq!(
        header[..6].join(","),
        "Command,Shell,Runs (ct),Failed (ct),Total mode (μs),Total min (μs)"
    );
    let measures = [
        ("Total", "μs"),
        ("User", "μs"),
        ("System", "μs"),
        ("Max RSS", "bytes"),
        ("Vol Ctx Sw", "ct"),
        ("Invol Ctx Sw", "ct"),
        ("Total Ctx Sw", "ct"),
        ("Wall", "μs"),
    ];
    let mut expected = Vec::new();
    for (title, unit) in measures {
        for of in ["mode", "min", "Q1", "median", "Q3", "p95", "p99", "max"] {
            expected.push(format!("{title} {of} ({unit})"));
        }
    }
    assert_eq!(header[4..68], expected[..]);
    assert_eq!(header[68..], ["Name", "parameter_level", "parameter_file"]);
}

/// Would catch a cell under another title, another unit, a percentile from too few observations and
/// failures that are not counted.
#[test]
fn cells_are_the_values_of_the_analysis() {
    let analysis = ordinary();
    let rows = parsed(&summary_csv(&analysis));
    let cell = |row: usize, title: &str| {
        rows[row + 1][rows[0].iter().position(|t| t == title).unwrap()].clone()
    };
    let number = |row, title: &str| cell(row, title).parse::<f64>().unwrap();
    for (row, metric, title, unit) in [
        (0, "cpu", "Total median (μs)", 1e6),
        (1, "user", "User median (μs)", 1e6),
        (1, "sys", "System median (μs)", 1e6),
        (2, "rss", "Max RSS median (bytes)", 1.0),
        (2, "vcsw", "Vol Ctx Sw median (ct)", 1.0),
        (0, "ivcsw", "Invol Ctx Sw median (ct)", 1.0),
        (1, "csw", "Total Ctx Sw median (ct)", 1.0),
        (2, "wall", "Wall median (μs)", 1e6),
    ] {
        let median = analysis.benchmarks[row].metric(metric).unwrap().median.value;
        let shown = number(row, title);
        assert!((shown / unit - median).abs() <= median * 1e-14, "{title}: {shown}");
    }
    assert_eq!([cell(0, "Wall mode (μs)"), cell(0, "Wall p95 (μs)")], ["", ""]);
    assert_eq!(cell(1, "Wall p99 (μs)"), "");
    assert!(number(1, "Wall p95 (μs)") <= number(1, "Wall max (μs)"));
    assert!(number(2, "Wall p99 (μs)") >= number(2, "Wall p95 (μs)"));
    assert_eq!([cell(2, "Runs (ct)"), cell(2, "Failed (ct)")], ["123", "3"]);
    assert_eq!([cell(0, "Shell"), cell(0, "Name")], ["/bin/sh -c", ""]);
    assert_eq!([cell(1, "Command"), cell(1, "Name")], ["gzip -1 x", "fast, \"quoted\""]);
    assert_eq!([cell(1, "parameter_file"), cell(2, "parameter_file")], ["", "a|b"]);
}

/// The seed's three changes, and nothing but them.
#[test]
fn hyperfine_columns_with_three_changes() {
    let analysis = ordinary();
    let rows = parsed(&bestguess_hyperfine_csv(&analysis));
    let header = "command,mode,iqr,median,user,system,min,max,parameter_level,parameter_file";
    assert_eq!(rows[0].join(","), header);
    let cpu = analysis.benchmarks[1].metric("cpu").unwrap();
    let user = analysis.benchmarks[1].metric("user").unwrap();
    let q = &cpu.quartiles;
    let expected = [cpu.mode.unwrap(), q.q3 - q.q1, q.median, user.quartiles.median];
    let found: Vec<f64> = rows[2][1..5].iter().map(|cell| cell.parse().unwrap()).collect();
    for (found, expected) in found.iter().zip(expected) {
        assert!((found - expected).abs() < 5e-13, "{found} for {expected}");
    }
    assert_eq!(rows[1][1], "", "no mode of five");
}

/// Commas, quotes and ends of line in names, through both summaries and back.
#[test]
fn names_come_back_from_csv() {
    let analysis = named(&HOSTILE);
    for export in [summary_csv(&analysis), bestguess_hyperfine_csv(&analysis)] {
        let names: Vec<String> =
            parsed(&export).into_iter().skip(1).map(|row| row[0].clone()).collect();
        assert_eq!(names, HOSTILE);
    }
}

/// First cells of a Markdown table, read by somebody else's parser.
fn first_cells(markdown: &str) -> Vec<String> {
    let mut cells = Vec::new();
    let mut cell = 0;
    for event in Parser::new_ext(markdown, Options::ENABLE_TABLES) {
        match event {
            Event::Start(Tag::TableRow | Tag::TableHead) => cell = 0,
            Event::Start(Tag::TableCell) => {
                cell += 1;
                assert!(cell <= 5, "a cell too many in\n{markdown}");
                if cell == 1 {
                    cells.push(String::new());
                }
            }
            Event::End(TagEnd::TableRow) => assert_eq!(cell, 5, "{markdown}"),
            Event::Code(text) | Event::Text(text) if cell == 1 => {
                cells.last_mut().unwrap().push_str(&text);
            }
            Event::InlineHtml(tag) => assert!(matches!(&*tag, "<code>" | "</code>"), "{tag}"),
            Event::Start(Tag::Table(_)) | Event::End(_) | Event::Code(_) | Event::Text(_) => {}
            other => panic!("{other:?} in\n{markdown}"),
        }
    }
    cells
}

#[test]
fn names_come_back_from_markdown() {
    let shown: Vec<String> = HOSTILE
        .iter()
        .map(|name| if name.is_empty() { "(empty)".to_owned() } else { clean(name) })
        .collect();
    assert_eq!(first_cells(&markdown(&table(&named(&HOSTILE))))[1..], shown);
}

/// A cell written here as Asciidoctor reads it: references become characters, `\|` a pipe.
fn undone(monospaced: &str) -> String {
    let inner = monospaced.strip_prefix('`').unwrap().strip_suffix('`').unwrap();
    let mut out = String::new();
    for (at, part) in inner.replace("\\|", "|").split("&#").enumerate() {
        match part.split_once(';').filter(|_| at > 0) {
            Some((code, rest)) => {
                out.push(char::from_u32(code.parse().unwrap()).unwrap());
                out.push_str(rest);
            }
            None => out.push_str(part),
        }
    }
    out
}

/// Five cells a row whatever the names, which come back; nothing that is syntax is left bare.
#[test]
fn names_come_back_from_asciidoc() {
    let page = asciidoc(&table(&named(&HOSTILE)));
    let rows: Vec<&str> = page.split("\n\n").skip(1).collect();
    assert_eq!(rows.len(), HOSTILE.len());
    for (row, name) in rows.iter().zip(HOSTILE) {
        let cells: Vec<&str> = row
            .lines()
            .filter(|line| *line != "|===")
            .map(|l| l.strip_prefix("| ").unwrap())
            .collect();
        assert_eq!(cells.len(), 5, "{row}");
        let first = cells[0].strip_suffix(' ').unwrap();
        let shown = if name.is_empty() { "(empty)".to_owned() } else { clean(name) };
        assert_eq!(undone(first), shown);
        let bare = first[1..first.len() - 1].replace("\\|", "");
        assert!(
            !bare.contains(['|', '`', '*', '_', '+', '{', '[', '<', '"', '\'', '(', '\\']),
            "{first}"
        );
    }
}

#[test]
fn org_rows_have_five_cells() {
    let page = orgmode(&table(&named(&HOSTILE)));
    for line in page.lines().filter(|line| !line.starts_with("|--")) {
        assert_eq!(line.matches('|').count(), 6, "{line}");
    }
    assert_eq!(page.lines().count(), HOSTILE.len() + 2);
}

#[test]
fn one_unit_a_table_whatever_the_order() {
    let of = |costs: &[f64], unit| {
        let names: Vec<String> = (0..costs.len()).map(|at| format!("c{at}")).collect();
        let all = costs.iter().map(|cost| series(*cost, 8)).collect();
        let set = run_set(names.iter().map(|name| benchmark(name)).collect(), all);
        times(&analysed(set), unit, Sort::Command).unwrap()
    };
    let unit = |costs: &[f64]| of(costs, None).columns[1].title.clone();
    assert_eq!(unit(&[3e6, 2e6]), "Mean [s]");
    assert_eq!([unit(&[3e6, 2e3]), unit(&[2e3, 3e6])], ["Mean [ms]", "Mean [ms]"]);
    assert_eq!(unit(&[3e6, 200.0]), "Mean [ms]");
    for (asked, header, min) in [
        (TimeUnit::Nanosecond, "Min [ns]", "2000000.000"),
        (TimeUnit::Microsecond, "Min [µs]", "2000.0"),
        (TimeUnit::Millisecond, "Min [ms]", "2.0"),
        (TimeUnit::Second, "Min [s]", "0.002"),
    ] {
        let table = of(&[2e3], Some(asked));
        assert_eq!([&table.columns[2].title, &table.rows[0][2].text], [header, min]);
    }
}

#[test]
fn rows_are_in_the_order_asked_for_and_relative_to_the_fastest() {
    let all = vec![series(3e3, 12), series(1e3, 12), series(2e3, 12), Series::default()];
    let mut set = run_set(["c", "a", "b", "none"].map(benchmark).into(), all);
    set.series[3].columns = vec![Column::default(); 6];
    let analysis = analysed(set);
    let names = |sort| {
        let table = times(&analysis, None, sort).unwrap();
        table.rows.iter().map(|row| row[0].text.clone()).collect::<Vec<_>>()
    };
    assert_eq!(names(Sort::Command), ["c", "a", "b", "none"]);
    assert_eq!(names(Sort::MeanTime), ["a", "b", "c", "none"]);
    let table = table(&analysis);
    let relative = |row: usize| &table.rows[row][4].text;
    assert_eq!(relative(1), "1.00");
    assert!(relative(0).starts_with("2.99"), "{}", relative(0));
    assert!(relative(0).contains(" ± "), "{}", relative(0));
    assert_eq!(table.rows[3][1..], ["N/A"; 4].map(Cell::words));
}

/// A ranking by another metric says nothing about wall-clock ratios; without times there is no table.
#[test]
fn no_ratio_of_another_metric_and_no_table_without_times() {
    let mut set = run_set(["a", "b"].map(benchmark).into(), vec![series(1e3, 9), series(2e3, 9)]);
    let by_cpu = Settings { metric: etalon_core::metrics::CPU.to_owned(), ..Settings::default() };
    let by_cpu = analyse(&data(&[set.clone()]), &by_cpu).unwrap();
    assert_eq!(table(&by_cpu).rows[1][4].text, "N/A");
    for series in &mut set.series {
        series.columns[0] = Column::default();
    }
    let without = analyse(&data(&[set]), &Settings::default()).unwrap();
    assert_eq!(times(&without, None, Sort::Command), Err(NoTimes));
}

/// Functions of these times in µs, with a reading of memory after every sample.
fn functions(costs: &[f64]) -> Analysis {
    let collector = Collector::Full;
    let sampling =
        Sampling { warmup: Warmup::For(0.05), collector, confidence: 0.95, target: None };
    let case = Case::new("f.lua", sampling);
    let benchmark = |at: usize| Benchmark {
        command: None,
        case: Some(case.clone()),
        ..benchmark(&format!("f{at}"))
    };
    let series = |cost: &f64| Series {
        blocks: (0..24).collect(),
        rows: 24,
        columns: vec![
            Column { rows: (0..24).step_by(2).collect(), values: vec![cost / 1e6; 12] },
            Column { rows: (1..24).step_by(2).collect(), values: vec![1e6; 12] },
        ],
        ..Series::default()
    };
    let benchmarks = (0..costs.len()).map(benchmark).collect();
    let set = run_set(benchmarks, costs.iter().map(series).collect());
    analysed(RunSet { metrics: vec![Metric::new("wall", "us"), Metric::new("rss", "B")], ..set })
}

/// Would catch functions that all take 0.0 ms, and readings of memory counted as runs.
#[test]
fn functions_have_a_unit_they_can_be_read_in() {
    for (costs, title, mean) in [
        (&[0.000_366, 9e3][..], "Mean [ns]", "0.366 ± 0.000"),
        (&[0.25], "Mean [ns]", "250.000 ± 0.000"),
        (&[2.5, 9e6], "Mean [µs]", "2.5 ± 0.0"),
        (&[2.5e3], "Mean [ms]", "2.5 ± 0.0"),
        (&[2.5e6], "Mean [s]", "2.500 ± 0.000"),
    ] {
        let table = table(&functions(costs));
        assert_eq!([&table.columns[1].title, &table.rows[0][1].text], [title, mean]);
    }
    assert_eq!(parsed(&summary_csv(&functions(&[0.25])))[1][2..4], ["12", "0"]);
}
