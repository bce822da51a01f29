//! The table engine by etalon's own rules: what a verdict in a table is worth, and what is never pooled.
//! benchstat's rules are compared with benchstat itself (`crates/etalon/tests/benchstat.rs`).

use crate::support::normal;
use etalon_core::criteria::Criteria;
use etalon_core::dataset::{Dataset, Entry, Execution, Name, RunSetId, Written};
use etalon_core::notes::{CellNote, NoteKind};
use etalon_core::random::Random;
use etalon_core::run_set::RunSet;
use etalon_core::stats::{Correction, InsufficientData};
use etalon_core::tables::{
    LeftOut, Method, Query, QuerySpec, Style, Table, Tables, natural, tabulate,
};
use etalon_core::verdict::Verdict;

/// Rows as they are read: file, facts, name, values with units.
pub(crate) struct Rows(pub Dataset);

impl Rows {
    pub(crate) fn new(files: &[&str]) -> Rows {
        let mut data = Dataset::default();
        for file in files {
            data.add_run_set(RunSet::from_source(file)).unwrap();
        }
        Rows(data)
    }

    pub(crate) fn add(
        &mut self,
        file: u32,
        facts: &[(&str, &str)],
        name: &str,
        values: &[(f64, &str)],
    ) {
        let data = &mut self.0;
        let run_set = RunSetId::new(file as usize).unwrap();
        let symbols: Vec<_> = facts
            .iter()
            .map(|(k, v)| (data.strings.intern(k).unwrap(), data.strings.intern(v).unwrap()))
            .collect();
        let configuration = data.configuration(run_set, &symbols).unwrap();
        let benchmark = data.named_benchmark(run_set, Name::from_go(name)).unwrap();
        let entry = |(value, unit): &(f64, &str)| Entry {
            spelling: data.spelling(unit).unwrap(),
            number: Some((*value, Written::Computed)),
            text: "",
        };
        let entries: Vec<Entry<'_>> = values.iter().map(entry).collect();
        let execution = Execution { iterations: Some(1), ..Execution::default() };
        data.add_row((benchmark, configuration), execution, entries.into_iter()).unwrap();
    }

    fn tables(&self, asked: &QuerySpec, method: &Method) -> Tables {
        let query = Query::new(asked.clone());
        query.check(&self.0).unwrap();
        tabulate(&self.0, query, method)
    }

    /// The tables of values that count as interleaved.
    pub(crate) fn interleaved(&self) -> Tables {
        let usual = Method::new(Style::Etalon);
        let criteria = Criteria { between: Some(0.0), ..usual.criteria };
        self.tables(&natural(&self.0), &Method { criteria, ..usual })
    }

    fn natural(&self) -> Tables {
        self.tables(&natural(&self.0), &Method::new(Style::Etalon))
    }
}

fn verdicts(table: &Table) -> Vec<Verdict> {
    let comparisons = table.rows.iter().flat_map(|row| row.cells.iter().flatten());
    let judged = comparisons.filter_map(|cell| cell.comparison.as_ref()?.assessment.as_deref());
    judged.map(|judged| judged.decision.verdict).collect()
}

/// 100 tables of 50 rows, two columns of 10 values: nothing differs in any of them.
fn without_change(seed: u64) -> Rows {
    let mut rows = Rows::new(&["old", "new"]);
    let mut random = Random::new(seed);
    for benchmark in 0..50 {
        let level = 100.0 * 1.3_f64.powi(benchmark);
        for file in 0..2 {
            for _ in 0..10 {
                let value = level * (0.02 * normal(&mut random)).exp();
                rows.add(file, &[], &format!("B{benchmark}"), &[(value, "ns/op")]);
            }
        }
    }
    rows
}

/// The 99 % point of Binomial(100, 0.05), from SciPy: `binom.ppf(0.99, 100, 0.05)`.
const MOST: usize = 11;

/// At most 5 % of tables without a change may hold a false verdict; without the correction nearly all do.
/// Would catch a family that is a row instead of a table, or a correction that is not applied.
#[test]
fn tables_without_a_change_show_none() {
    let wrong = |correction| {
        let method = Method {
            criteria: Criteria {
                correction: Some(correction),
                between: Some(0.0),
                ..Criteria::default()
            },
            ..Method::new(Style::Etalon)
        };
        let is_wrong = |seed: &u64| {
            let tables = without_change(seed * 31 + 7).tables(&QuerySpec::default(), &method);
            verdicts(&tables.tables[0]).iter().any(|verdict| verdict.is_difference())
        };
        (0..100).filter(is_wrong).count()
    };
    let corrected = wrong(Correction::BenjaminiHochberg);
    let raw = wrong(Correction::None);
    println!(
        "5,000 rows without a change: false verdicts in {corrected} of 100 tables, {raw} by raw p"
    );
    assert!(corrected <= MOST, "{corrected}");
    assert!(raw > 50, "{raw}: nothing would be corrected");
}

/// A change of 10 % at 2 % noise is found in every row.
#[test]
fn a_change_is_found() {
    let mut rows = Rows::new(&["old", "new"]);
    let mut random = Random::new(3);
    for file in 0..2_u32 {
        for _ in 0..12 {
            let level = if file == 0 { 110.0 } else { 100.0 };
            let value = level * (0.02 * normal(&mut random)).exp();
            rows.add(file, &[], "A/x=1", &[(value, "ns/op")]);
        }
    }
    // Twelve readings of one run cannot show 10 %, unless they were interleaved.
    assert_eq!(verdicts(&rows.natural().tables[0]), [Verdict::Unclear]);
    let tables = rows.interleaved();
    assert_eq!(verdicts(&tables.tables[0]), [Verdict::Faster]);
    let summary = &tables.tables[0].summaries[1];
    let interval = summary.interval.unwrap();
    assert!(interval.lo < 0.91 && 0.91 < interval.hi && interval.hi < 1.0, "{interval:?}");
}

/// Two machines within one file become two tables, whatever is asked for. Would catch readings of two machines in one
/// sample, and one machine compared with the other.
#[test]
fn machines_are_never_pooled() {
    let mut rows = Rows::new(&["both"]);
    for machine in ["Fast CPU", "Slow CPU"] {
        for i in 0..8 {
            let slow = if machine == "Slow CPU" { 3.0 } else { 1.0 };
            let value = slow * (100.0 + f64::from(i));
            let facts = [("goos", "linux"), ("cpu", machine), ("cpu.governor", "x")];
            rows.add(0, &facts, "A", &[(value, "ns/op")]);
        }
    }
    for asked in [
        natural(&rows.0),
        QuerySpec { table: "".parse().unwrap(), col: "".parse().unwrap(), ..QuerySpec::default() },
    ] {
        let tables = rows.tables(&asked, &Method::new(Style::Etalon));
        assert_eq!((tables.tables.len(), &*tables.table_keys), (2, &["cpu".to_owned()][..]));
        for table in &tables.tables {
            assert_eq!(table.columns.len(), 1, "{asked:?}");
            assert_eq!(table.rows[0].cells[0].as_ref().unwrap().n, 8);
        }
    }
}

/// A fact that differs between files but not within one does not keep them from being compared.
#[test]
fn a_fact_of_a_whole_file_is_its_columns() {
    let mut rows = Rows::new(&["a", "b"]);
    for i in 0..8 {
        for (file, commit) in [(0, "abc"), (1, "def")] {
            for branch in ["x", "y"] {
                let facts = [("commit", commit), ("odd key(", branch)];
                rows.add(file, &facts, "A", &[(100.0 + f64::from(i), "ns/op")]);
            }
        }
    }
    let tables = rows.natural();
    assert_eq!(tables.table_keys, ["odd key("]);
    assert_eq!(tables.tables.len(), 2);
    assert!(tables.tables.iter().all(|table| table.columns.len() == 2));
}

/// Values declared exact are compared as they are, one of them a side; within the margin they are the same.
#[test]
fn exact_units_need_no_test() {
    let mut rows = Rows::new(&["a", "b"]);
    rows.0.declare(RunSetId::new(0).unwrap(), None, "B/op", "assume", "exact");
    for (name, old, new) in
        [("A", 1000.0, 1000.0), ("B", 1000.0, 1001.0), ("C", 1000.0, 1200.0), ("D", 0.0, 8.0)]
    {
        rows.add(0, &[], name, &[(old, "B/op")]);
        rows.add(1, &[], name, &[(new, "B/op")]);
    }
    let tables = rows.natural();
    let table = &tables.tables[0];
    assert_eq!(verdicts(table), [Verdict::Same, Verdict::Same, Verdict::Slower, Verdict::Slower]);
    // The base's 0 has no logarithm, and with it no ratio; it can be added up.
    assert_eq!(
        table.left_out,
        LeftOut { rows: table.rows.len(), incomplete: 0, idle: 0, not_positive: 1 }
    );
    let ratio = (1.0_f64 * 1.001 * 1.2).powf(1.0 / 3.0);
    let summary = &table.summaries[1];
    assert!((summary.ratio.unwrap() - ratio).abs() < 1e-12, "{summary:?}");
    let means = summary.mean.unwrap() / table.summaries[0].mean.unwrap();
    assert!((means - ratio).abs() < 1e-12, "{summary:?}");
    assert_eq!(table.summaries[0].total, Some(3000.0));
    assert_eq!(summary.total, Some(3209.0));
}

/// Means and totals of all columns are over the same rows; the others are counted.
#[test]
fn rows_that_a_column_lacks_are_in_no_summary() {
    let mut rows = Rows::new(&["a", "b", "c"]);
    let all = [("A", [1.0, 2.0, 4.0]), ("B", [10.0, 20.0, 10.0]), ("C", [7.0, 0.0, 7.0])];
    for (name, values) in all {
        for (file, value) in (0_u32..).zip(values) {
            rows.add(file, &[], name, &[(value, "widgets")]);
        }
    }
    rows.add(0, &[], "D", &[(1e6, "widgets")]);
    rows.add(2, &[], "E", &[(1e6, "widgets")]);
    let tables = rows.natural();
    let table = &tables.tables[0];
    assert_eq!(
        table.left_out,
        LeftOut { rows: table.rows.len(), incomplete: 2, idle: 0, not_positive: 1 }
    );
    let totals: Vec<Option<f64>> = table.summaries.iter().map(|s| s.total).collect();
    assert_eq!(totals, [Some(18.0), Some(22.0), Some(21.0)]);
    let ratios: Vec<Option<f64>> = table.summaries.iter().map(|s| s.ratio).collect();
    assert_eq!((ratios[0], ratios[2]), (None, Some(2.0)));
    assert!((ratios[1].unwrap() - 2.0).abs() < 1e-12);
}

/// From a base of 0 any change is beyond every share that is asked for.
#[test]
fn a_share_of_nothing_is_nothing() {
    let method = Method {
        criteria: Criteria { at_least: Some(0.05), ..Method::new(Style::Etalon).criteria },
        ..Method::new(Style::Etalon)
    };
    let mut rows = Rows::new(&["a", "b"]);
    rows.0.declare(RunSetId::new(0).unwrap(), None, "B/op", "assume", "exact");
    for (name, old, new) in [("A", 0.0, 8.0), ("B", 8.0, 0.0), ("C", 100.0, 103.0)] {
        rows.add(0, &[], name, &[(old, "B/op")]);
        rows.add(1, &[], name, &[(new, "B/op")]);
    }
    let tables = rows.tables(&natural(&rows.0), &method);
    let expected = [Verdict::Slower, Verdict::Faster, Verdict::Unclear];
    assert_eq!(verdicts(&tables.tables[0]), expected);
    let mut rows = Rows::new(&["a", "b"]);
    for i in 0..10 {
        rows.add(0, &[], "A", &[(0.0, "B/op")]);
        rows.add(1, &[], "A", &[(16.0 + f64::from(i % 3), "B/op")]);
    }
    let tables = rows.tables(&natural(&rows.0), &method);
    assert_eq!(verdicts(&tables.tables[0]), [Verdict::Slower]);
}

/// The mean ratio is that of the ratios in the rows, and reaches as they do. Would catch a mean of other
/// ratios, which can exclude 1 where every row says "no difference".
#[test]
fn a_mean_agrees_with_its_rows() {
    let mut rows = Rows::new(&["a", "b"]);
    for name in ["A", "B", "C", "D"] {
        for i in 0..20 {
            let two = |low: i32| if i < low { 100.0 } else { 200.0 } + 0.1 * f64::from(i % 4);
            rows.add(0, &[], name, &[(two(12), "ns/op")]);
            rows.add(1, &[], name, &[(two(8), "ns/op")]);
        }
    }
    let tables = rows.interleaved();
    let table = &tables.tables[0];
    let judged = table.rows[0].cells[1].as_ref().unwrap().comparison.as_ref().unwrap();
    let (ratio, own) = {
        let judged = judged.assessment.as_deref().unwrap();
        (judged.evidence.shown().ratio.unwrap().value, judged.evidence.ratio_interval().unwrap())
    };
    assert!(own.lo <= 1.0 && own.hi > 1.5, "{own:?}");
    let (mean, interval) =
        (table.summaries[1].ratio.unwrap(), table.summaries[1].interval.unwrap());
    assert!((mean - ratio).abs() < 1e-12, "{mean} of four times {ratio}");
    // Four equal rows: half as wide to each side, in logarithms.
    assert!(((mean / interval.lo).ln() - (ratio / own.lo).ln() / 2.0).abs() < 1e-12);
    assert!(((interval.hi / mean).ln() - (own.hi / ratio).ln() / 2.0).abs() < 1e-12);
}

/// One value a side: no interval, no verdict, and what would be needed is said.
#[test]
fn too_few_values_say_so() {
    let mut rows = Rows::new(&["a", "b"]);
    rows.add(0, &[], "A", &[(1.0, "widgets")]);
    rows.add(1, &[], "A", &[(2.0, "widgets")]);
    let tables = rows.natural();
    let cell = tables.tables[0].rows[0].cells[1].as_ref().unwrap();
    assert_eq!(cell.centre.interval, Err(InsufficientData::TooFew { needs: 6 }));
    assert!(matches!(cell.notes.as_slice(), [NoteKind::Cell(CellNote::IntervalNeeds { .. })]));
    assert_eq!(verdicts(&tables.tables[0]), [Verdict::Unclear]);
}

/// The result does not depend on the number of threads.
#[test]
fn threads_change_nothing() {
    let rows = without_change(1);
    let method = Method::new(Style::Etalon);
    let several = Method { threads: std::num::NonZeroUsize::new(7).unwrap(), ..method };
    assert_eq!(
        rows.tables(&QuerySpec::default(), &method),
        rows.tables(&QuerySpec::default(), &several)
    );
}

/// A key that nothing has is refused with its place.
#[test]
fn unknown_keys_are_refused() {
    let rows = without_change(1);
    let asked = QuerySpec { row: ".name,/sise".parse().unwrap(), ..QuerySpec::default() };
    let error = Query::new(asked).check(&rows.0).unwrap_err();
    assert_eq!((error.option, error.error.at), ("row", 6));
}
