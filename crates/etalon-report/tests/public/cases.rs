//! Goldens of the report of cases, on terminals and as Markdown, from run sets made here with fixed
//! seeds; and what must hold of any: no line beyond the width, no case left out, the same numbers in
//! every rendering.

mod noted;

use crate::columns::{Column, RunSet, Series, data};
use crate::compare::{SCREEN, between, same_in_json};
use etalon_core::analysis::{Analysis, analyse};
use etalon_core::criteria::Criteria;
use etalon_core::model::{
    Accept, Benchmark, Case, Collector, Context, Direction, EMPTY_LOOP, Kind, Metric, Note,
    Outcome, Per, Sampling, Warmup,
};
use etalon_core::notes::NoteKind;
use etalon_core::plan::{Order, Plan, Settings, Stopping};
use etalon_core::random::Random;
use etalon_core::run_set::{End, Printed, StoppedBy};
use etalon_core::tables::{Arrangement, natural};
use etalon_core::units::Unit;
use etalon_report::compare::{Contents, Remarks, terminal as compared};
use etalon_report::terminal;
use etalon_report::view::{Colour, Detail, Explanation, Section, Statistics, Style, View};
use etalon_report::{json, markdown, text};
use noted::noted;

const PLAIN: View = View { style: Style::LuaMeasure, statistics: Statistics::Full, ..View::SCREEN };

const METRICS: [(&str, &str, Per); 11] = [
    ("wall", "ns", Per::Iteration),
    ("gc_time", "ns", Per::Iteration),
    ("alloc", "B", Per::Iteration),
    ("allocs", "count", Per::Iteration),
    ("peak", "B", Per::Observation),
    ("heap", "B", Per::Observation),
    ("uncollected", "B", Per::Observation),
    ("rss", "B", Per::Observation),
    ("empty_loop", "ns", Per::Observation),
    ("gc_cycles", "count", Per::Observation),
    ("encoded", "B", Per::Observation),
];
const TURNS: u32 = 20;

fn metrics() -> Vec<Metric> {
    let metric = |(name, unit, per): (&str, &str, Per)| Metric {
        name: name.to_owned(),
        unit: Unit::new(unit),
        direction: Direction::Lower,
        kind: if name == "encoded" { Kind::Exact } else { Kind::Noisy },
        resolution: (name == "wall").then_some(30e-9),
        per,
    };
    METRICS.into_iter().map(metric).collect()
}

/// The cost of a call: seconds, bytes, allocations; what stays behind of a block.
#[derive(Clone, Copy)]
pub(crate) struct Cost {
    call: f64,
    alloc: f64,
    allocs: f64,
    kept: f64,
    gc: f64,
    noise: f64,
}

pub(crate) const fn cost(call: f64, alloc: f64) -> Cost {
    let allocs = if alloc > 0.0 { 3.0 } else { 0.0 };
    Cost { call, alloc, allocs, kept: 0.0, gc: call * 0.1, noise: 0.02 }
}

pub(crate) fn case(file: &str, group: Option<&str>) -> Case {
    let collector = Collector::Full;
    let sampling =
        Sampling { warmup: Warmup::For(0.05), collector, confidence: 0.95, target: Some(0.05) };
    Case { line: Some(12), group: group.map(str::to_owned), ..Case::new(file, sampling) }
}

fn benchmark(name: &str, case: Case) -> Benchmark {
    Benchmark { case: Some(case), ..Benchmark::new(name) }
}

/// Blocks of turns; then two readings of memory and a last one, as a worker gives them.
fn series(cost: &Cost, blocks: u32, random: &mut Random) -> Series {
    let mut series =
        Series { columns: vec![Column::default(); METRICS.len()], ..Series::default() };
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // a few millions
    let calls = ((3e-3 / cost.call) as u64).max(1);
    for block in 0..blocks {
        let level = 1.0 + cost.noise * (random.uniform() - 0.5);
        for turn in 0..TURNS {
            let tail = if random.below(25) == 0 { 1.15 } else { 1.0 };
            let wall = cost.call * level * tail * (1.0 + cost.noise * (random.uniform() - 0.5));
            let values = [(0, wall), (1, cost.gc * (1.0 + 0.1 * random.uniform()))];
            row(&mut series, (block, turn), calls, &values);
        }
        for reading in 0..2 {
            let alloc = cost.alloc + f64::from((block + reading) % 3);
            let alloc = if cost.alloc > 0.0 { alloc } else { 0.0 };
            let peak = 1_250_000.0 + cost.alloc * 10.0;
            row(&mut series, (block, reading), 1000, &[(2, alloc), (3, cost.allocs), (4, peak)]);
        }
        let kept = cost.kept * (1.0 + f64::from(block % 2));
        let heap = if cost.gc > cost.call { 15e6 } else { 1.1e6 };
        let last = [(5, heap), (6, kept), (7, 9e6), (8, 0.35e-9)];
        row(&mut series, (block, 0), 1, &last);
    }
    series
}

fn row(series: &mut Series, (block, turn): (u32, u32), calls: u64, values: &[(usize, f64)]) {
    let row = series.add(&Accept::Zero, Outcome::Ok, Some(block)).unwrap();
    series.turns.push(turn);
    series.iterations.push(calls);
    for (metric, value) in values {
        series.columns[*metric].rows.push(row);
        series.columns[*metric].values.push(*value);
    }
}

/// Blocks in order, with the turns of a block together: what a reader makes of a record.
fn in_order(series: Series) -> Series {
    let places: Vec<(u32, u32)> =
        series.blocks.iter().copied().zip(series.turns.iter().copied()).collect();
    for column in &series.columns {
        assert!(column.rows.windows(2).all(|w| places[w[0] as usize] < places[w[1] as usize]));
    }
    series
}

pub(crate) fn run_set(cases: &[(&str, Case, Cost)], blocks: u32) -> RunSet {
    let mut random = Random::new(5);
    let context = [
        ("runtime.version", "LuaJIT 2.1.1744317938"),
        ("runtime.language", "Lua 5.1"),
        ("runtime.jit", "on"),
        ("runtime.clock", "native"),
        ("runtime.memory", "allocator"),
        ("cpu.model", "Example 9000"),
        ("cpu.cores", "16"),
        ("cpu.cores_physical", "8"),
        ("memory.total", "33554432000"),
        ("kernel.name", "Linux"),
        ("kernel.release", "6.12.1"),
        ("machine.arch", "x86_64"),
        ("os", "Debian GNU/Linux 13"),
    ];
    let series: Vec<Series> =
        cases.iter().map(|(_, _, cost)| in_order(series(cost, blocks, &mut random))).collect();
    RunSet {
        started: Some("2026-11-21T03:00:00.123456789Z".to_owned()),
        context: context.map(|(key, value)| (key.to_owned(), value.to_owned())).into(),
        plan: Some(Plan::new(
            Order::Blocks,
            Stopping::Precision { target: 0.025, budget: 3.0 },
            42,
        )),
        metrics: metrics(),
        benchmarks: cases.iter().map(|(name, case, _)| benchmark(name, case.clone())).collect(),
        series,
        end: Some(End { stopped_by: StoppedBy::Precision, at: "2026-11-21T03:00:09Z".to_owned() }),
        ..RunSet::empty("example.jsonl")
    }
}

fn analysed(set: RunSet) -> Analysis {
    let settings = Settings { metric: "wall".to_owned(), ..Settings::default() };
    analyse(&data(&[set]), &settings).unwrap()
}

fn on_terminal(analysis: &Analysis, view: View) -> String {
    let mut out = Vec::new();
    terminal::write(analysis, view, &mut out).unwrap();
    let report = String::from_utf8(out).unwrap();
    for line in report.lines() {
        let plain = line.replace(['\x1b'], "");
        assert!(view.colour == Colour::Ansi || text::width(&plain) <= view.width, "{line:?}");
    }
    report
}

fn as_markdown(analysis: &Analysis, view: View) -> String {
    let mut out = Vec::new();
    markdown::write(analysis, view, &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

/// Five cases of a file as those of the seed, one of which fails in a block, a skipped one, one that
/// never worked; a suite that prints.
fn base64() -> RunSet {
    let file = "examples/base64_bench.lua";
    let throughput = Case { bytes: Some(720_334.0), ..case(file, None) };
    let skipped =
        Case { skipped: Some("module 'basexx' not found".to_owned()), ..case(file, None) };
    let cases = [
        ("base64", throughput.clone(), Cost { kept: 320e3, ..cost(9.9e-3, 3.2e6) }),
        ("luabase64", throughput.clone(), cost(3.58e-3, 4.02e6)),
        ("base64mix", throughput.clone(), cost(378e-6, 1.92e6)),
        ("table_insert", throughput.clone(), cost(9.93e-3, 3.2e6)),
        ("basexx", skipped, cost(1.0, 0.0)),
        ("broken", throughput, cost(1.0, 0.0)),
    ];
    let mut set = run_set(&cases, 12);
    set.series[4] = Series { columns: vec![Column::default(); METRICS.len()], ..Series::default() };
    set.series[5] = set.series[4].clone();
    let failed = Outcome::Failed { code: 1 };
    for block in 0..3 {
        set.series[5].add(&Accept::Zero, failed.clone(), Some(block));
    }
    let said = format!("{file}:40: attempt to index a nil value (in setup)");
    set.series[5].said = Some((0, said));
    set.series[1].add(&Accept::Zero, Outcome::Killed { signal: 9 }, Some(12));
    set.outputs =
        vec![Printed { file: file.to_owned(), text: "Loaded data size: 0.720334 MB\n".to_owned() }];
    set.notes = vec![Note::new("base64mix", "a trace was started in every reading of memory")];
    set
}

#[test]
fn one_file() {
    let analysis = analysed(base64());
    insta::assert_snapshot!("one_file_80", on_terminal(&analysis, PLAIN));
    insta::assert_snapshot!("one_file_120", on_terminal(&analysis, View { width: 120, ..PLAIN }));
    insta::assert_snapshot!("one_file_markdown", as_markdown(&analysis, PLAIN));
}

/// Would catch a function that a compiler removed as the fastest, as a baseline, or without a mark; and an empty loop likewise.
#[test]
fn what_does_nothing_is_marked_and_never_named_best() {
    let file = "away_bench.lua";
    let cases = [
        ("nothing left", case(file, None), cost(0.36e-9, 0.0)),
        ("concat", case(file, None), cost(20e-9, 64.0)),
        ("insert", case(file, None), cost(30e-9, 64.0)),
        (EMPTY_LOOP, case(file, None), cost(0.35e-9, 0.0)),
    ];
    let analysis = analysed(run_set(&cases, 12));
    let screen = on_terminal(&analysis, View::SCREEN);
    assert!(screen.starts_with("concat is faster: insert takes 1.49 ×"), "{screen}");
    insta::assert_snapshot!("does_nothing", screen);
    noted(
        &analysis,
        "nothing left",
        "does nothing that can be seen: the others are held against concat",
    );
    // Nothing is said of comparisons that are not shown.
    let of_comparisons =
        analysis.notes.iter().filter(|it| matches!(it.what, NoteKind::Comparison(_)));
    let of_nothing = of_comparisons.filter(|it| !it.about.starts_with("insert against concat"));
    assert_eq!(of_nothing.count(), 0, "{:?}", analysis.notes);
    for style in [Style::Etalon, Style::LuaMeasure] {
        let report = on_terminal(&analysis, View { style, detail: Detail::Full, ..View::SCREEN });
        let rows = report.lines().filter(|line| line.trim_start().starts_with("nothing left "));
        assert!(rows.filter(|line| line.contains("does nothing")).count() > 0, "{report}");
    }
    let mut out = Vec::new();
    json::ranking(&analysis, &mut out).unwrap();
    let document: serde_json::Value = serde_json::from_slice(&out).unwrap();
    let comparisons = document["comparisons"].as_array().unwrap();
    let of_nothing = comparisons.iter().filter(|it| it["candidate_name"] != "insert");
    for comparison in of_nothing {
        assert_eq!(comparison["verdict"], "unclear", "{comparison}");
        assert_eq!(comparison["word"], "does nothing");
        assert_eq!(comparison["reasons"][0]["code"], "does_nothing");
    }
}

/// Would catch a machine that is so busy that nothing takes several times as long as nothing, and is named best.
#[test]
fn what_does_nothing_is_known_on_a_busy_machine() {
    let case = || case("away_bench.lua", None);
    let cases = [
        ("nothing left", case(), cost(0.36e-9, 0.0)),
        ("concat", case(), cost(20e-9, 64.0)),
        ("insert", case(), cost(30e-9, 64.0)),
    ];
    let mut set = run_set(&cases, 12);
    let walls = set.series[0].columns[0].values.iter_mut().enumerate();
    walls.filter(|(at, _)| at % 4 > 0).for_each(|(_, wall)| *wall *= 5.0);
    let screen = on_terminal(&analysed(set), View::SCREEN);
    assert!(screen.starts_with("concat is faster: insert takes 1.49 ×"), "{screen}");
}

/// Would catch a first line that counts as unclear what its row calls something else.
#[test]
fn what_does_nothing_is_counted_as_that_over_groups() {
    let groups = ["one", "two", "three", "four", "five"];
    let of_group = |(at, group): (usize, &&'static str)| {
        let call = if at == 0 { 0.36e-9 } else { 10e-9 };
        let case = || case("away_bench.lua", Some(group));
        [("concat", case(), cost(20e-9, 64.0)), ("format", case(), cost(call, 0.0))]
    };
    let cases: Vec<_> = groups.iter().enumerate().flat_map(of_group).collect();
    let screen = on_terminal(&analysed(run_set(&cases, 12)), View::SCREEN);
    let said = screen.replace('\n', " ");
    assert!(said.starts_with("5 groups of cases"), "{screen}");
    assert!(said.contains("format: 4 faster, 1 does nothing."), "{screen}");
}

/// The same in tables, whose base is another data set: would catch a function that is faster because nothing is left of it.
#[test]
fn tables_mark_what_does_nothing() {
    let set = |source: &str, call: f64| {
        let cases = [
            ("goes", case("away_bench.lua", None), cost(call, 0.0)),
            ("stays", case("away_bench.lua", None), cost(30e-9, 64.0)),
        ];
        RunSet { source: source.to_owned(), ..run_set(&cases, 12) }
    };
    let data = data(&[set("old", 20e-9), set("new", 0.36e-9)]);
    let tables = between(&data, &natural(&data), Some(0.0));
    same_in_json(&tables);
    let contents = Contents { rows: Arrangement::default(), ..SCREEN };
    for (detail, contents) in [(Detail::Screen, SCREEN), (Detail::Full, contents)] {
        let view = View { detail, ..View::SCREEN };
        let lines = compared(tables.clone(), contents, Remarks::default(), view);
        let report = lines.join("\n");
        assert!(lines[0].contains("unclear") && !report.contains("faster"), "{report}");
        let mut rows = lines.iter().filter(|line| line.starts_with("  goes "));
        assert!(rows.any(|row| row.contains("does nothing")), "{report}");
        assert!(report.contains("probably optimised away"), "{report}");
    }
}

/// Two files, one of them with groups and a name that the other has, too; times below 1 ns.
#[test]
fn two_files_and_groups() {
    let (tiny, large) = ("tiny_bench.lua", "large_bench.lua");
    let items = Case { items: Some(100.0), ..case(large, Some("sort")) };
    let off = |mut case: Case| {
        case.sampling.collector = Collector::Off;
        case.sampling.target = Some(0.002);
        case
    };
    let cases = [
        ("empty", case(tiny, None), Cost { gc: 4e-9, ..cost(0.41e-9, 0.0) }),
        ("x = x + 1", case(tiny, None), cost(0.52e-9, 0.0)),
        ("concat", case(large, Some("join")), cost(1.2e-6, 480.0)),
        ("loop", case(large, Some("join")), cost(9.4e-6, 25_600.0)),
        ("concat", items.clone(), cost(52e-6, 0.0)),
        ("a | b", off(items), cost(61e-3, 1.6e6)),
    ];
    let analysis = analysed(run_set(&cases, 10));
    insta::assert_snapshot!("two_files_80", on_terminal(&analysis, PLAIN));
    insta::assert_snapshot!("screen_two_files", on_terminal(&analysis, View::SCREEN));
    insta::assert_snapshot!("two_files_markdown", as_markdown(&analysis, PLAIN));
}

fn many(count: usize) -> RunSet {
    let names: Vec<String> = (1..=count).map(|i| format!("variant {i} of the parser")).collect();
    let step = |i: usize| [1.0, 1.002, 1.3, 1.31, 2.6, 1.3][i % 6];
    let cases: Vec<(&str, Case, Cost)> = names
        .iter()
        .enumerate()
        .map(|(i, name)| (name.as_str(), case("many_bench.lua", None), cost(20e-6 * step(i), 64.0)))
        .collect();
    run_set(&cases, 10)
}

#[test]
fn pairs_up_to_five_cases_and_clusters_from_six() {
    for count in [2, 5, 6, 17] {
        let analysis = analysed(many(count));
        let report = on_terminal(&analysis, View { width: 120, ..PLAIN });
        insta::assert_snapshot!(format!("cases_{count}"), report);
    }
}

/// Would catch numbers of the suite's own that no section shows, or that are rounded.
#[test]
fn own_metrics_have_a_table() {
    let file = "own_bench.lua";
    let cases = [
        ("a", case(file, None), cost(1e-6, 64.0)),
        ("b", case(file, None), cost(2e-6, 64.0)),
        ("none", case(file, None), cost(2e-6, 64.0)),
    ];
    let mut set = run_set(&cases, 10);
    for (series, given) in set.series.iter_mut().zip([[1_234_567.0; 2], [1500.5, 1501.5]]) {
        series.columns[10] = Column { rows: vec![0, 30], values: given.to_vec() };
    }
    let analysis = analysed(set);
    insta::assert_snapshot!(
        "metrics",
        on_terminal(&analysis, View { statistics: Statistics::Mini, ..PLAIN })
    );
    let none = on_terminal(&analysis, View { statistics: Statistics::None, ..PLAIN });
    assert!(!none.contains("Metrics"), "{none}");
}

/// Would catch ratios rounded to nothing, and "1.000× less" for about the same.
#[test]
fn ratios_can_be_read() {
    let file = "ratio_bench.lua";
    let noisy = |call| Cost { noise: 1.9, ..cost(call, 64_000.0) };
    let cases = [
        ("slow", case(file, None), noisy(1e-2)),
        ("quick", case(file, None), noisy(3e-7)),
        ("lean", case(file, None), Cost { alloc: 63_990.0, ..noisy(1e-2) }),
    ];
    let mut set = run_set(&cases, 4);
    set.plan = None;
    let report = on_terminal(&analysed(set), View { width: 120, ..PLAIN });
    assert!(!report.contains("0.00×") && !report.contains("0.0000×"), "{report}");
    assert!(report.contains("0.000030×") || report.contains("0.00003"), "{report}");
    assert!(!report.contains("1.000× "), "{report}");
}

/// The screen of a suite, of suites, of a metric that is asked for, and of more cases than a screen has room for.
#[test]
fn suites_on_a_screen() {
    for (name, set) in [("one_file", base64()), ("six", many(6)), ("seventeen", many(17))] {
        insta::assert_snapshot!(
            format!("screen_{name}"),
            on_terminal(&analysed(set), View::SCREEN)
        );
    }
}

/// Would catch a target that no file asked for, and one reached by measuring nothing.
#[test]
fn the_opening_says_what_was_asked_for() {
    let opening = |set: RunSet| {
        let report = on_terminal(&analysed(set), View { width: 120, ..View::SCREEN });
        report.lines().take(4).collect::<Vec<_>>().join(" ")
    };
    let mut set = many(2);
    for benchmark in &mut set.benchmarks {
        benchmark.case.as_mut().unwrap().sampling.target = Some(1.0);
    }
    let same = opening(set.clone());
    assert!(same.contains("10 interleaved blocks (± 50\u{a0}% reached)"), "{same}");
    set.benchmarks[1].case.as_mut().unwrap().sampling.target = Some(0.01);
    let own = opening(set.clone());
    assert!(own.contains("10 interleaved blocks (each file's own target reached)"), "{own}");
    for series in &mut set.series {
        *series = Series { columns: vec![Column::default(); METRICS.len()], ..Series::default() };
    }
    let nothing = opening(set);
    assert!(
        nothing.starts_with("Nothing was measured") && !nothing.contains("0 blocks"),
        "{nothing}"
    );
}

/// Without the native module: no clock but os.clock, no counts of allocations.
#[test]
fn fallbacks() {
    let mut set = many(2);
    set.context.insert("runtime.clock".to_owned(), "os".to_owned());
    set.context.insert("runtime.memory".to_owned(), "collectgarbage".to_owned());
    for series in &mut set.series {
        for gone in [1, 3, 4, 5, 6] {
            series.columns[gone] = Column::default();
        }
    }
    insta::assert_snapshot!("fallbacks", on_terminal(&analysed(set), PLAIN));
    let mut nothing = many(2);
    nothing.context = Context::new();
    for column in nothing.series.iter_mut().flat_map(|series| &mut series.columns[1..]) {
        *column = Column::default();
    }
    let report = on_terminal(&analysed(nothing), PLAIN);
    assert!(!report.contains("Memory Analysis") && !report.contains("Runtime"), "{report}");
}

/// Everything that can be asked for, of cases.
#[test]
fn sections_of_cases() {
    let sections = [Section::Graph, Section::Boxplot, Section::Distribution, Section::Tail];
    let mut set = many(2);
    for series in &mut set.series {
        for column in &mut series.columns {
            // Two turns a block, so that the graph can be read.
            let turns = &series.turns;
            let kept: Vec<(u32, f64)> = column
                .rows
                .iter()
                .copied()
                .zip(column.values.iter().copied())
                .filter(|(row, _)| turns[*row as usize] < 2)
                .collect();
            (column.rows, column.values) = kept.into_iter().unzip();
        }
    }
    let analysis = analysed(set);
    let all =
        View { sections: sections.into_iter().collect(), statistics: Statistics::None, ..PLAIN };
    insta::assert_snapshot!("sections", on_terminal(&analysis, all));
    let view = View { explanation: Explanation::Full, statistics: Statistics::Mini, ..PLAIN };
    insta::assert_snapshot!("explained", on_terminal(&analysis, view));
    let view = View { explanation: Explanation::Full, ..all };
    insta::assert_snapshot!("sections_markdown", as_markdown(&analysis, view));
}

/// Every table in etalon's own words, and no box or rule of another program's.
#[test]
fn all_that_etalon_says_of_cases() {
    let full = View {
        detail: Detail::Full,
        statistics: Statistics::Full,
        explanation: Explanation::Full,
        ..View::SCREEN
    };
    let analysis = analysed(base64());
    let report = on_terminal(&analysis, full);
    assert!(!report.contains('═') && !report.contains('│') && !report.contains("/Op"), "{report}");
    insta::assert_snapshot!("full_one_file", report);
    insta::assert_snapshot!("full_one_file_markdown", as_markdown(&analysis, full));
    let wide = View { width: 160, explanation: Explanation::Brief, ..full };
    insta::assert_snapshot!("full_six_160", on_terminal(&analysed(many(6)), wide));
}

#[test]
fn another_metric_is_ranked_beside_the_times() {
    let settings = Settings { metric: "alloc".to_owned(), ..Settings::default() };
    let analysis = analyse(&data(&[base64()]), &settings).unwrap();
    let view = View { statistics: Statistics::None, ..PLAIN };
    insta::assert_snapshot!("by_alloc", on_terminal(&analysis, view));
    insta::assert_snapshot!("by_alloc_markdown", as_markdown(&analysis, view));
}

#[test]
fn json_document_of_cases() {
    let mut set = base64();
    set.benchmarks.truncate(3);
    set.series.truncate(3);
    let document = |set: RunSet| {
        let mut out = Vec::new();
        json::ranking(&analysed(set), &mut out).unwrap();
        serde_json::from_slice::<serde_json::Value>(&out).unwrap()
    };
    let document_of_three = document(set);
    let of_case = &document_of_three["benchmarks"][1]["case"];
    insta::assert_snapshot!("json_case", serde_json::to_string_pretty(of_case).unwrap());
    let suites = &document_of_three["suites"];
    insta::assert_snapshot!("json_suites", serde_json::to_string_pretty(suites).unwrap());
    let clusters = document(many(6));
    let means = &clusters["suites"][0]["means"];
    insta::assert_snapshot!(
        "json_clusters",
        serde_json::to_string_pretty(&rounded(means)).unwrap()
    );
}

/// Numbers to twelve digits: the last ones of a p differ between builds.
fn rounded(value: &serde_json::Value) -> serde_json::Value {
    use serde_json::Value;
    match value {
        Value::Number(number) if number.is_f64() => {
            let number = number.as_f64().unwrap();
            serde_json::json!(format!("{number:.11e}").parse::<f64>().unwrap())
        }
        Value::Array(values) => values.iter().map(rounded).collect(),
        Value::Object(fields) => {
            Value::Object(fields.iter().map(|(key, value)| (key.clone(), rounded(value))).collect())
        }
        other => other.clone(),
    }
}

/// Every case is somewhere in every rendering, whatever is left out of it.
#[test]
fn nothing_measured_still_says_why() {
    let mut set = base64();
    for series in &mut set.series {
        series.columns = vec![Column::default(); METRICS.len()];
        series.rows = 0;
    }
    let analysis = analysed(set);
    for statistics in [Statistics::Full, Statistics::Mini, Statistics::None] {
        let view = View { statistics, ..PLAIN };
        for report in [on_terminal(&analysis, view), as_markdown(&analysis, view)] {
            for said in ["basexx: skipped: module", "broken: failed: ", "base64: not measured"] {
                assert!(report.contains(said), "{report}");
            }
        }
    }
}

#[test]
fn hostile_names_and_output_cannot_break_the_report() {
    let file = "x|`y`\x1b[31m_bench.lua";
    let name = "a|b `c` \\| <b>*d*</b>\n# no heading\x1b[2J";
    let cases =
        [(name, case(file, None), cost(1e-6, 0.0)), ("b", case(file, None), cost(2e-6, 0.0))];
    let mut set = run_set(&cases, 10);
    let text = "```\n# not a heading\x1b[2J\n".to_owned();
    set.outputs = vec![Printed { file: file.to_owned(), text }];
    let analysis = analysed(set);
    let (terminal, markdown) = (on_terminal(&analysis, PLAIN), as_markdown(&analysis, PLAIN));
    assert!(!terminal.contains('\x1b') && !markdown.contains('\x1b'));
    let mut headings = 0;
    let parsed = pulldown_cmark::Parser::new_ext(&markdown, pulldown_cmark::Options::ENABLE_TABLES);
    let mut cells = Vec::new();
    for event in parsed {
        use pulldown_cmark::{Event, Tag, TagEnd};
        match event {
            Event::Start(Tag::Heading { .. }) => headings += 1,
            Event::Start(Tag::TableRow) => cells.push(0),
            Event::End(TagEnd::TableCell) => {
                if let Some(last) = cells.last_mut() {
                    *last += 1;
                }
            }
            Event::Html(_) | Event::InlineHtml(_) => panic!("HTML in {markdown}"),
            _ => {}
        }
    }
    assert_eq!(headings, 8, "{markdown}");
    insta::assert_snapshot!("hostile_markdown", markdown);
}
