//! Run sets as tables: what counts as one value, what is told apart, and that a table says of a record what
//! its report says.

use crate::by_cpu;
use crate::support::{Layout, RunSet, Series, cpu, labelled_data, normal, run_set};
use etalon_core::analysis::analyse;
use etalon_core::criteria::Criteria;
use etalon_core::dataset::Dataset;
use etalon_core::model::{Benchmark, Case, Collector, Per, Sampling, Warmup};
use etalon_core::notes::{ComparisonNote, NoteKind};
use etalon_core::plan::Settings;
use etalon_core::random::Random;
use etalon_core::stats::Correction;
use etalon_core::tables::{Method, Query, QuerySpec, Style, Table, Tables, natural, tabulate};
use etalon_core::units::Unit;

fn tables(data: &Dataset, asked: &QuerySpec) -> Tables {
    let query = Query::new(asked.clone());
    query.check(data).unwrap();
    // One comparison a table is its own family; p is the raw one.
    tabulate(data, query, &uncorrected())
}

fn uncorrected() -> Method {
    // Values that count as interleaved: what is tested is the table.
    let criteria =
        Criteria { correction: Some(Correction::None), between: Some(0.0), ..Criteria::default() };
    Method { criteria, ..Method::new(Style::Etalon) }
}

fn case(file: &str, group: Option<&str>) -> Option<Case> {
    let collector = Collector::Off;
    let sampling = Sampling { warmup: Warmup::For(0.0), collector, confidence: 0.95, target: None };
    Some(Case { group: group.map(str::to_owned), ..Case::new(file, sampling) })
}

/// One case measured in blocks of ten turns: blocks scatter by `between`, turns by `within`, as shares.
fn by_turns(random: &mut Random, name: &str, (between, within): (f64, f64)) -> RunSet {
    const BLOCKS: u32 = 12;
    const TURNS: u32 = 10;
    let mut values = Vec::new();
    for _ in 0..BLOCKS {
        let level = 1e-6 * (between * normal(random)).exp();
        values.extend((0..TURNS).map(|_| level * (within * normal(random)).exp()));
    }
    let mut metric = cpu(1e-9);
    metric.name = "wall".to_owned();
    metric.per = Per::Iteration;
    let mut set = run_set(metric, &[values], Layout::Independent);
    set.benchmarks[0].key.name = name.to_owned();
    set.benchmarks[0].case = case("a_bench.lua", None);
    let series: &mut Series = &mut set.series[0];
    series.blocks = (0..BLOCKS).flat_map(|block| [block; TURNS as usize]).collect();
    series.turns = (0..BLOCKS).flat_map(|_| 0..TURNS).collect();
    series.iterations = vec![1000; values_len(series)];
    set
}

fn values_len(series: &Series) -> usize {
    series.columns[0].values.len()
}

fn only(tables: &Tables) -> &Table {
    assert_eq!(tables.tables.len(), 1, "{tables:?}");
    &tables.tables[0]
}

/// Several executions pooled into a column: each block of each is one value. Would catch turns that count as
/// values of their own, which finds differences between equals in every seventh table.
#[test]
fn turns_of_a_pooled_cell_are_no_values_of_their_own() {
    let mut random = Random::new(11);
    let (trials, mut wrong) = (200, 0);
    for _ in 0..trials {
        let mut set = || by_turns(&mut random, "same", (0.02, 0.03));
        let sets = [set(), set(), set(), set()];
        let labels = ["old", "old", "new", "new"];
        let labelled: Vec<(&str, &RunSet)> = labels.into_iter().zip(&sets).collect();
        let data = labelled_data(&labelled);
        let tables = tables(&data, &natural(&data));
        let table = only(&tables);
        let cell = table.rows[0].cells[1].as_ref().unwrap();
        assert_eq!((cell.n, cell.comparison.as_ref().unwrap().n), (24, (24, 24)));
        wrong += usize::from(cell.comparison.as_ref().unwrap().significant);
    }
    // Binomial: more than 19 of 200 happen in less than 1 % of series at 5 %.
    assert!(wrong <= 19, "{wrong} of {trials}");
}

/// Cases that are compared apart in a report are in tables of their own.
#[test]
fn cases_of_different_files_and_groups_are_told_apart() {
    let mut random = Random::new(5);
    let mut all = by_turns(&mut random, "parse", (0.01, 0.01));
    for (file, group) in [("b_bench.lua", None), ("b_bench.lua", Some("g"))] {
        let more = by_turns(&mut random, "parse", (0.01, 0.01));
        let benchmark = Benchmark { case: case(file, group), ..more.benchmarks[0].clone() };
        all.benchmarks.push(benchmark);
        all.series.push(more.series[0].clone());
    }
    let data = labelled_data(&[("x", &all)]);
    let asked = natural(&data);
    let tables = tables(&data, &asked);
    assert_eq!(tables.table_keys, ["suite", "group"]);
    assert_eq!(tables.tables.len(), 3);
    assert!(tables.tables.iter().all(|table| table.rows[0].cells[0].as_ref().unwrap().n == 12));
}

/// A number behind a hyphen is a number of processors in Go's names only.
#[test]
fn a_name_of_a_case_is_not_cut() {
    let mut random = Random::new(6);
    let [a, b] = ["sha-256", "sha-512"].map(|name| by_turns(&mut random, name, (0.01, 0.01)));
    let data = labelled_data(&[("old", &a), ("new", &b)]);
    let tables = tables(&data, &natural(&data));
    let table = only(&tables);
    assert_eq!(table.rows.len(), 2);
    assert_eq!(table.rows[0].labels, [Some("sha-256".to_owned())]);
    assert_eq!(table.left_out.incomplete, 2);
}

/// A metric that is not of an iteration is of no operation; of a command everything is.
#[test]
fn only_what_is_of_an_operation_says_so() {
    let mut random = Random::new(7);
    let mut set = by_turns(&mut random, "f", (0.01, 0.01));
    let mut heap = cpu(1.0);
    (heap.name, heap.unit) = ("heap".to_owned(), Unit::new("B"));
    set.metrics.push(heap);
    let column = set.series[0].columns[0].clone();
    set.series[0].columns.push(column);
    assert_eq!(labelled_data(&[("x", &set)]).units, ["sec/op", "heap-B"]);
    let command = run_set(cpu(1e-6), &[vec![1.0]], Layout::Independent);
    assert_eq!(labelled_data(&[("x", &command)]).units, ["cpu-sec/op"]);
}

/// A table and a report of the same two records have the same interval, which is never narrower than the clock's
/// resolution.
#[test]
fn a_table_knows_the_clock_as_a_report_does() {
    let readings = |level: f64| (0..20).map(|i| level + 1e-4 * f64::from(i % 5)).collect();
    let sets =
        [0.100, 0.1045].map(|level| run_set(cpu(0.010), &[readings(level)], Layout::Independent));
    let data = labelled_data(&[("old", &sets[0]), ("new", &sets[1])]);
    let both = tables(&data, &natural(&data));
    let cell = only(&both).rows[0].cells[1].as_ref().unwrap();
    let in_table = cell.comparison.as_ref().unwrap().assessment.as_deref().unwrap();
    let settings = Settings { metric: "cpu".to_owned(), ..by_cpu() };
    let report = analyse(&crate::support::data(&sets), &settings).unwrap();
    let in_report = &report.rankings[0].comparisons[0];
    let interval = in_report.assessment.evidence.shown().ratio.as_ref().unwrap().interval.unwrap();
    // The report may have them the other way round.
    let width = |lo: f64, hi: f64| (hi / lo).ln();
    let own = in_table.evidence.ratio_interval().unwrap();
    assert!((width(own.lo, own.hi) - width(interval.lo, interval.hi)).abs() < 0.02, "{own:?}");
    assert!(width(own.lo, own.hi) > 0.15, "{own:?}");
    // A step of twice the readings says nothing, and nothing absurd.
    let coarse = [0.1, 0.2].map(|level| {
        run_set(
            cpu(0.2),
            &[(0..20).map(|i| level + 1e-4 * f64::from(i % 5)).collect()],
            Layout::Independent,
        )
    });
    let data = labelled_data(&[("old", &coarse[0]), ("new", &coarse[1])]);
    let table = only(&tables(&data, &natural(&data))).rows[0].cells[1].clone().unwrap();
    let own = table.comparison.unwrap().assessment.unwrap().evidence.ratio_interval().unwrap();
    assert!(own.lo > 0.0 && own.lo < 1.0 && own.hi > 1.0, "{own:?}");
    assert_eq!(in_table.decision.verdict, in_report.assessment.decision.verdict);
}

/// A block that one side lacks is dropped, and that is said.
#[test]
fn dropped_blocks_are_said() {
    let mut set = run_set(cpu(1e-9), &[vec![1.0; 20], vec![2.0; 13]], Layout::Blocks);
    for (at, benchmark) in set.benchmarks.iter_mut().enumerate() {
        benchmark.key.name = format!("f/impl={at}");
    }
    for (series, value) in set.series.iter_mut().zip([1.0, 2.0]) {
        for (at, v) in series.columns[0].values.iter_mut().enumerate() {
            *v = value * (1.0 + 0.001 * (at % 7) as f64);
        }
    }
    let data = labelled_data(&[("x", &set)]);
    let asked = QuerySpec {
        row: ".name".parse().unwrap(),
        col: "/impl".parse().unwrap(),
        ..natural(&data)
    };
    let tables = tables(&data, &asked);
    let comparison = only(&tables).rows[0].cells[1].as_ref().unwrap().comparison.as_ref().unwrap();
    let said = ComparisonNote::Dropped { blocks: 7 };
    assert!(comparison.notes.contains(&NoteKind::Comparison(said)), "{:?}", comparison.notes);
    assert_eq!(comparison.n, (13, 13));
}
