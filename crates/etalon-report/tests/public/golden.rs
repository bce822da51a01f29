//! Goldens of every rendering, from data made here with fixed seeds. Would catch any change of a
//! number, a width, a word or a note that nobody meant; `INSTA_UPDATE=always cargo test` remakes
//! them after one that somebody did.

use crate::columns::{Column, RunSet, Series, data};
use crate::notes::notes;
use etalon_core::analysis::{Analysis, analyse};
use etalon_core::criteria::{Criteria, Margin};
use etalon_core::metrics;
use etalon_core::model::{Accept, Benchmark, Context, Metric, Outcome};
use etalon_core::notes::MetricNote;
use etalon_core::plan::{Order, Plan, Settings, Stopping};
use etalon_core::random::Random;
use etalon_core::run_set::{End, Look, StoppedBy};
use etalon_core::units::Dimension;
use etalon_report::terminal;
use etalon_report::view::{Colour, Explanation, Statistics, Style, View};
use etalon_report::{json, text};

const PLAIN: View = View { statistics: Statistics::Full, ..View::SCREEN };

fn metric(name: &str, unit: &str, resolution: f64) -> Metric {
    Metric { resolution: Some(resolution), ..Metric::new(name, unit) }
}

/// The cost of a command: seconds of CPU, bytes of memory.
pub(crate) struct Cost {
    name: &'static str,
    cpu: f64,
    rss: f64,
}

pub(crate) const fn cost(name: &'static str, cpu: f64, rss: f64) -> Cost {
    Cost { name, cpu, rss }
}

fn benchmark(name: &str) -> Benchmark {
    Benchmark { command: Some(name.to_owned()), ..Benchmark::new(name) }
}

/// A series of `n` rows with 2 % of noise, values as the launcher's metrics have them.
fn series(cost: &Cost, n: u32, first_block: u32, random: &mut Random) -> Series {
    let mut columns = vec![Column::default(); 9];
    for row in 0..n {
        let noise = 1.0 + 0.04 * (random.uniform() - 0.5);
        let cpu = (cost.cpu * noise * 1e6).round() / 1e6;
        let values = [
            cpu * 1.1 + 20e-6,
            (cpu * 0.6e6).round() / 1e6,
            cpu - (cpu * 0.6e6).round() / 1e6,
            cpu,
            cost.rss,
            100.0 + f64::from(row % 3),
            0.0,
            1.0,
            f64::from(row % 2),
        ];
        for (column, value) in columns.iter_mut().zip(values) {
            column.rows.push(row);
            column.values.push(value);
        }
    }
    Series {
        blocks: (first_block..first_block + n).collect(),
        rows: n,
        columns,
        ..Series::default()
    }
}

pub(crate) fn run_set(costs: &[Cost], n: u32, order: Order) -> RunSet {
    let mut random = Random::new(11);
    let first = |i: usize| if order == Order::Blocks { 0 } else { u32::try_from(i).unwrap() * n };
    let all: Vec<Series> =
        costs.iter().enumerate().map(|(i, cost)| series(cost, n, first(i), &mut random)).collect();
    RunSet {
        started: Some("2026-11-21T03:00:00Z".to_owned()),
        context: Context::from([("launcher.rss".to_owned(), "1700000".to_owned())]),
        plan: Some(Plan { warmup: 1, ..Plan::new(order, Stopping::Runs(n), 42) }),
        metrics: vec![
            metric("wall", "ns", 3e-8),
            metric("user", "us", 1e-6),
            metric("sys", "us", 1e-6),
            metric("cpu", "us", 1e-6),
            metric("rss", "B", 4096.0),
            metric("minflt", "count", 1.0),
            metric("majflt", "count", 1.0),
            metric("vcsw", "count", 1.0),
            metric("ivcsw", "count", 1.0),
        ],
        benchmarks: costs.iter().map(|cost| benchmark(cost.name)).collect(),
        series: all,
        end: Some(End { stopped_by: StoppedBy::Runs, at: "2026-11-21T03:00:09Z".to_owned() }),
        ..RunSet::empty("example.jsonl")
    }
}

/// The settings that BestGuess's listings come with.
fn by_cpu() -> Settings {
    Settings { metric: metrics::CPU.to_owned(), ..Settings::default() }
}

fn analysed(set: RunSet) -> Analysis {
    analyse(&data(&[set]), &by_cpu()).unwrap()
}

pub(crate) fn terminal(analysis: &Analysis, view: View) -> String {
    let mut out = Vec::new();
    terminal::write(analysis, view, &mut out).unwrap();
    let report = String::from_utf8(out).unwrap();
    if view.colour == Colour::Never {
        for line in report.lines() {
            assert!(text::width(line) <= view.width, "{line:?}");
            assert!(!line.contains('\x1b'), "{line:?}");
        }
    }
    report
}

pub(crate) fn three() -> RunSet {
    let costs = [
        cost("ls -lR", 5.9e-3, 1.86e6),
        cost("ls -l", 2.7e-3, 1.73e6),
        cost("ps aux", 34e-3, 2.9e6),
    ];
    run_set(&costs, 20, Order::Blocks)
}

#[test]
fn default_report() {
    insta::assert_snapshot!("default", terminal(&analysed(three()), PLAIN));
}

#[test]
fn mini_and_coloured() {
    let view = View { statistics: Statistics::Mini, colour: Colour::Ansi, ..PLAIN };
    insta::assert_snapshot!("mini_coloured", terminal(&analysed(three()), view));
}

#[test]
fn explained_and_wide() {
    let view =
        View { statistics: Statistics::None, explanation: Explanation::Full, width: 120, ..PLAIN };
    insta::assert_snapshot!("explained_wide", terminal(&analysed(three()), view));
}

/// The listings of BestGuess's README: six quantities in a box each, the ranking with differences and ratios.
#[test]
fn listings_of_bestguess() {
    let listing = View { style: Style::BestGuess, ..PLAIN };
    insta::assert_snapshot!("bestguess", terminal(&analysed(three()), listing));
    let same = [cost("a", 1e-3, 2e6), cost("b", 1.001e-3, 2e6)];
    let set = run_set(&same, 200, Order::Blocks);
    let mini = View { statistics: Statistics::Mini, ..listing };
    insta::assert_snapshot!("bestguess_identical", terminal(&analysed(set), mini));
}

#[test]
fn json_document() {
    let data = data(&[three()]);
    let mut analysis = analyse(&data, &by_cpu()).unwrap();
    analysis.explain(&data);
    let mut out = Vec::new();
    json::ranking(&analysis, &mut out).unwrap();
    insta::assert_snapshot!("json", String::from_utf8(out).unwrap());
}

#[test]
fn same_and_unclear_share_letters() {
    let costs = [
        cost("a", 10e-3, 2e6),
        cost("b", 10.01e-3, 2e6),
        cost("c", 10.12e-3, 2e6),
        cost("d", 10.3e-3, 2e6),
        cost("e", 12e-3, 2e6),
    ];
    let view = View { statistics: Statistics::None, ..PLAIN };
    insta::assert_snapshot!(
        "letters",
        terminal(&analysed(run_set(&costs, 51, Order::Blocks)), view)
    );
}

#[test]
fn one_after_the_other() {
    let costs = [cost("a", 10e-3, 2e6), cost("b", 10.5e-3, 2e6)];
    let view = View { statistics: Statistics::None, explanation: Explanation::Full, ..PLAIN };
    insta::assert_snapshot!(
        "sequential",
        terminal(&analysed(run_set(&costs, 15, Order::Sequential)), view)
    );
}

#[test]
fn names_from_outside_cannot_break_the_report() {
    let costs = [
        cost("a | b \"c\" 'd'\n\x1b[31mred\x1b[0m\t\u{202e}evil", 1e-3, 2e6),
        cost(
            "漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字",
            2e-3,
            2e6,
        ),
        cost(
            "a-very-long-name-without-any-space-that-goes-on-and-on-and-on-beyond-what-eighty-columns-hold",
            3e-3,
            2e6,
        ),
        cost("", 4e-3, 2e6),
    ];
    let report = terminal(&analysed(run_set(&costs, 10, Order::Blocks)), PLAIN);
    insta::assert_snapshot!("hostile_names", report);
    let listing = View { style: Style::BestGuess, ..PLAIN };
    let report = terminal(&analysed(run_set(&costs, 10, Order::Blocks)), listing);
    insta::assert_snapshot!("hostile_names_bestguess", report);
}

#[test]
fn failures_orphans_and_missing_sides_are_counted() {
    let mut set = three();
    let (failed, killed) = (Outcome::Failed { code: 1 }, Outcome::Killed { signal: 9 });
    for outcome in [failed.clone(), killed, Outcome::TimedOut, failed] {
        set.series[1].add(&Accept::Zero, outcome, None);
    }
    set.series[2].orphans = 5;
    set.series[2].with_orphans = 3;
    for column in &mut set.series[0].columns {
        column.rows.truncate(18);
        column.values.truncate(18);
    }
    set.series[0].blocks.truncate(18);
    set.series[0].rows = 18;
    let view = View { statistics: Statistics::Mini, ..PLAIN };
    insta::assert_snapshot!("failures", terminal(&analysed(set), view));
}

#[test]
fn no_ratio_without_positive_values() {
    let mut set = run_set(&[cost("idle", 1e-3, 2e6), cost("busy", 2e-3, 2e6)], 12, Order::Blocks);
    for metric in 1..4 {
        set.series[0].columns[metric].values.fill(0.0);
    }
    insta::assert_snapshot!("all_zero_cpu", terminal(&analysed(set), PLAIN));
}

#[test]
fn five_blocks_are_too_few_for_a_verdict() {
    let set = run_set(&[cost("a", 1e-3, 2e6), cost("b", 2e-3, 2e6)], 5, Order::Blocks);
    insta::assert_snapshot!("five_blocks", terminal(&analysed(set), PLAIN));
}

#[test]
fn one_observation() {
    let set = run_set(&[cost("a", 1e-3, 2e6)], 1, Order::Blocks);
    insta::assert_snapshot!("one_observation", terminal(&analysed(set), PLAIN));
}

#[test]
fn precision_budget_interrupt_and_no_end() {
    let mut openings = String::new();
    let precision = Stopping::Precision { target: 0.02, budget: 10.0 };
    let looks = vec![
        Look { blocks: 10, widest: Some(0.031), alpha: None },
        Look { blocks: 15, widest: Some(0.024), alpha: None },
    ];
    for stopped_by in [
        Some(StoppedBy::Precision),
        Some(StoppedBy::Budget),
        Some(StoppedBy::Interrupt),
        Some(StoppedBy::Failure),
        Some(StoppedBy::Error),
        None,
    ] {
        let mut set = run_set(&[cost("a", 1e-3, 2e6)], 15, Order::Blocks);
        set.plan = set.plan.map(|plan| Plan { stopping: precision, warmup: 0, ..plan });
        set.looks.clone_from(&looks);
        set.end = stopped_by.map(|stopped_by| End { stopped_by, at: String::new() });
        let view = View { statistics: Statistics::None, ..PLAIN };
        openings.push_str(&terminal(&analysed(set), view));
        openings.push('\n');
    }
    insta::assert_snapshot!("openings", openings);
}

#[test]
fn an_absolute_margin_and_a_reference() {
    let criteria = Criteria {
        margin: Margin::Absolute(500e-6, Dimension::Time),
        at_least: Some(0.05),
        ..Criteria::default()
    };
    let reference = Some("ls -lR".to_owned());
    let settings = Settings { reference, criteria, ..by_cpu() };
    let analysis = analyse(&data(&[three()]), &settings).unwrap();
    let view = View { statistics: Statistics::None, explanation: Explanation::Full, ..PLAIN };
    insta::assert_snapshot!("reference", terminal(&analysis, view));
}

#[test]
fn several_run_sets_are_independent_and_named() {
    let mut other = three();
    other.source = "other.jsonl".to_owned();
    let analysis = analyse(&data(&[three(), other]), &by_cpu()).unwrap();
    let view = View { statistics: Statistics::Mini, ..PLAIN };
    insta::assert_snapshot!("several_run_sets", terminal(&analysis, view));
}

#[test]
fn wall_clock_that_disagrees_is_said_first() {
    let mut set =
        run_set(&[cost("sleeps", 1e-3, 2e6), cost("works", 2e-3, 2e6)], 20, Order::Blocks);
    set.series[0].columns[0].values.iter_mut().for_each(|wall| *wall += 0.1);
    let view = View { statistics: Statistics::Mini, ..PLAIN };
    insta::assert_snapshot!("wall_disagrees", terminal(&analysed(set), view));
    let mut set = run_set(&[cost("parallel", 8e-3, 2e6)], 20, Order::Blocks);
    set.series[0].columns[0].values.iter_mut().for_each(|wall| *wall /= 4.0);
    insta::assert_snapshot!("parallel", terminal(&analysed(set), view));
}

/// Would catch the same remark on several metrics of a benchmark said as often.
#[test]
fn notes_stand_once_in_the_document() {
    let mut analysis = analysed(three());
    for benchmark in &mut analysis.benchmarks {
        let notes = vec![MetricNote::NearResolution];
        benchmark.metrics.iter_mut().for_each(|metric| metric.notes = notes.clone());
    }
    let notes = notes(&analysis);
    let is_seen = |text: &str| text == "readings are shorter than 100 × the clock's resolution";
    let seen = |about: &str| notes.iter().filter(|(of, text)| of == about && is_seen(text)).count();
    for benchmark in &analysis.benchmarks {
        assert!(benchmark.metrics.len() > 1);
        assert_eq!(seen(&benchmark.label), 1, "{notes:?}");
    }
    let first = notes.iter().position(|(_, text)| is_seen(text)).unwrap();
    let order = |about: &str| analysis.notes.iter().position(|note| note.about == about);
    assert!(notes[..first].iter().map(|(about, _)| order(about)).is_sorted(), "in their order");
}
