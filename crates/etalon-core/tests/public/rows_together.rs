//! Figures for pictures of a table's rows together: each column against the first, every column sorted, rows over
//! the sizes in their names; and of an analysis what grows.

use crate::support::normal;
use crate::tables::Rows;
use etalon_core::analysis::{Analysis, analyse};
use etalon_core::plan::Settings;
use etalon_core::plots::{Axis, Growing, growing};
use etalon_core::random::Random;
use etalon_core::tables::{Table, Tables, growing_rows, scatters, sorted_rows};

/// Rows of ten readings in each of some columns, the first a level from 1 µs to 1 ms, the others by a factor apart.
fn rows(count: u32, columns: &[&str], factor: impl Fn(u32, u32) -> f64) -> Tables {
    let mut rows = Rows::new(columns);
    let mut random = Random::new(5);
    for row in 0..count {
        let level = 1e3 * 1e3_f64.powf(f64::from(row * 7919 % count) / f64::from(count));
        for column in 0..u32::try_from(columns.len()).unwrap() {
            for _ in 0..10 {
                let value = level * factor(row, column) * (0.005 * normal(&mut random)).exp();
                rows.add(column, &[], &format!("B{row}"), &[(value, "ns/op")]);
            }
        }
    }
    rows.interleaved()
}

fn centres(table: &Table, column: usize) -> Vec<f64> {
    let cells = table.rows.iter().filter_map(|row| row.cells[column].as_ref());
    cells.map(|cell| cell.centre.value).collect()
}

/// Would catch a row that is left out or held against another column, and ends that do not hold all.
#[test]
fn every_row_is_a_dot() {
    let tables = rows(20, &["old", "new", "newer"], |row, column| {
        if row % 3 == 0 { 1.0 } else { 1.0 + 0.2 * f64::from(column) }
    });
    let table = &tables.tables[0];
    let found = scatters(table);
    assert_eq!(found.iter().map(|it| it.column).collect::<Vec<_>>(), [1, 2]);
    for scatter in &found {
        let (base, other) = (centres(table, 0), centres(table, scatter.column));
        assert_eq!((scatter.dots.len(), scatter.of), (20, 20));
        for (at, dot) in scatter.dots.iter().enumerate() {
            assert_eq!((dot.row, dot.base, dot.other), (at, base[at], other[at]));
        }
        let all = || base.iter().chain(&other).copied();
        let ends = (all().fold(f64::INFINITY, f64::min), all().fold(0.0, f64::max));
        assert_eq!((scatter.ends, scatter.axis), (ends, Axis::Logarithmic));
        let bounds = scatter.bounds.unwrap();
        assert_eq!((bounds.lo, bounds.hi), (1.0 / 1.01, 1.01));
    }
}

/// Would catch a change, or a row far out, that is not among the dots of many rows, and a picture that grows with them.
#[test]
fn the_clearest_of_many_rows_and_some_of_the_others_are_dots() {
    let changed = |row: u32| row % 31 == 5;
    let tables = rows(
        1_000,
        &["old", "new"],
        |row, column| {
            if column == 1 && changed(row) { 1.5 } else { 1.0 }
        },
    );
    let table = &tables.tables[0];
    let scatter = &scatters(table)[0];
    assert_eq!((scatter.dots.len(), scatter.of), (400, 1_000));
    assert!(scatter.dots.windows(2).all(|two| two[0].row < two[1].row));
    let base = centres(table, 0);
    let is_far = |at: usize| centres(table, 1)[at] / base[at] > 1.2;
    let far: Vec<usize> = (0..1_000).filter(|at| is_far(*at)).collect();
    assert_eq!(far.len(), (0..1_000).filter(|row| changed(*row)).count());
    for row in far {
        assert!(scatter.dots.iter().any(|it| it.row == row), "{row}");
    }
    // What is left out lies nowhere in a heap: a tenth of the rows between two dots would be one.
    let mut dots: Vec<f64> = scatter.dots.iter().map(|it| it.base).collect();
    dots.sort_by(f64::total_cmp);
    for two in dots.windows(2) {
        assert!(base.iter().filter(|it| **it > two[0] && **it < two[1]).count() < 20);
    }
}

/// Would catch lines that are not sorted, lose an end, or have a row that the column lacks.
#[test]
fn rows_of_a_column_ascend() {
    for (count, drawn) in [(20, 20), (1_000, 480)] {
        let tables = rows(count, &["old", "new"], |_, column| 1.0 + f64::from(column));
        let table = &tables.tables[0];
        let sorted = sorted_rows(table).unwrap();
        assert_eq!((sorted.columns.len(), sorted.of, sorted.axis), (2, 2, Axis::Logarithmic));
        for column in &sorted.columns {
            let mut slow = centres(table, column.column);
            slow.sort_by(f64::total_cmp);
            assert_eq!((column.rows, column.values.len()), (slow.len(), drawn));
            assert!(column.values.iter().all(|(rank, value)| slow[rank - 1] == *value));
            assert!(column.values.windows(2).all(|two| two[0].0 < two[1].0));
            assert_eq!((column.values[0].0, column.values[drawn - 1].0), (1, slow.len()));
            let middle = f64::midpoint(slow[slow.len() / 2 - 1], slow[slow.len() / 2]);
            assert!((column.median / middle - 1.0).abs() < 1e-12);
        }
    }
}

/// Would catch pictures of what a reader sees at a glance.
#[test]
fn few_rows_and_a_single_column_have_no_such_pictures() {
    for (count, columns) in [(7, &["old", "new"][..]), (20, &["only"])] {
        let tables = rows(count, columns, |_, _| 1.0);
        assert_eq!(scatters(&tables.tables[0]), []);
        assert_eq!(sorted_rows(&tables.tables[0]), None);
    }
    assert!(sorted_rows(&rows(8, &["old", "new"], |_, _| 1.0).tables[0]).is_some());
}

/// Would catch pictures in which nothing can be seen: of memory that did not change.
#[test]
fn what_does_not_differ_at_all_has_no_such_pictures() {
    let mut rows = Rows::new(&["old", "new"]);
    let mut add = |file: u32, row: u32, bytes: u32| {
        let values = [(f64::from(bytes), "B/op"), (f64::from(bytes + file), "allocs/op")];
        rows.add(file, &[], &format!("B{row}"), &values);
    };
    for row in 0..9 {
        (0..2).for_each(|file| add(file, row, 10 * row));
    }
    let tables = rows.interleaved();
    let pictures = |unit: &str| {
        let table = tables.tables.iter().find(|it| it.unit == unit).unwrap();
        (scatters(table).len(), sorted_rows(table).is_some())
    };
    assert_eq!((pictures("B/op"), pictures("allocs/op")), ((0, false), (1, true)));
}

/// Two benchmarks of sizes whose time is a known power, and what is no size.
fn powers(files: &[&str]) -> Rows {
    let mut rows = Rows::new(files);
    for file in 0..u32::try_from(files.len()).unwrap() {
        for (n, bytes) in [(10_f64, 1e3), (100.0, 1e4), (1_000.0, 1e5)] {
            for _ in 0..10 {
                let factor = 1.0 + f64::from(file);
                let sort = factor * n.powf(1.5);
                let rate = 1e3 * bytes / sort;
                rows.add(file, &[], &format!("Sort/n={n}-8"), &[(sort, "ns/op"), (rate, "MB/s")]);
                rows.add(file, &[], &format!("Find/kind=b/n={n}-8"), &[(factor * n, "ns/op")]);
                rows.add(file, &[], &format!("Copy/size={n}kB-8"), &[(n, "ns/op")]);
            }
        }
    }
    rows
}

fn exponents(growing: &Growing) -> Vec<(String, Option<usize>, String)> {
    let exponent = |it: &etalon_core::plots::Grown| format!("{:.3}", it.law.unwrap().exponent);
    growing.curves.iter().map(|it| (it.name.clone(), it.column, exponent(it))).collect()
}

/// Would catch curves that fall apart or together, a power of something else, and a size that is none.
#[test]
fn names_of_rows_have_sizes() {
    let tables = powers(&["old", "new"]).interleaved();
    let curve = |name: &str, column: usize, exponent: &str| {
        (name.to_owned(), Some(column), exponent.to_owned())
    };
    let times = tables.tables.iter().find(|it| it.unit == "sec/op").unwrap();
    let found = growing_rows(&tables.row_keys, times);
    assert_eq!(found.iter().map(|it| it.param.as_str()).collect::<Vec<_>>(), ["n"]);
    assert_eq!(
        exponents(&found[0]),
        [
            curve("Sort/n={n}-8", 0, "1.500"),
            curve("Sort/n={n}-8", 1, "1.500"),
            curve("Find/kind=b/n={n}-8", 0, "1.000"),
            curve("Find/kind=b/n={n}-8", 1, "1.000"),
        ]
    );
    let (size, median) = found[0].curves[1].points[1];
    assert_eq!(size, 100.0);
    assert!((median.value / 2e-6 - 1.0).abs() < 1e-12, "{median:?}");
    let rates = tables.tables.iter().find(|it| it.unit == "B/s").unwrap();
    let found = growing_rows(&tables.row_keys, rates);
    assert_eq!(exponents(&found[0])[1], curve("Sort/n={n}-8", 1, "-0.500"));
}

fn ranked(rows: &Rows) -> Analysis {
    analyse(&rows.0, &Settings { metric: "sec/op".to_owned(), ..Settings::default() }).unwrap()
}

/// Would catch a report of Go benchmarks without what a comparison of them has.
#[test]
fn names_of_benchmarks_have_sizes() {
    let found = growing(&ranked(&powers(&["only"])));
    let named: Vec<(&str, &str)> =
        found.iter().map(|it| (it.metric.name.as_str(), it.param.as_str())).collect();
    assert_eq!(named, [("sec/op", "n"), ("B/s", "n")]);
    let curve = |name: &str, exponent: &str| (name.to_owned(), None, exponent.to_owned());
    let times = [curve("Sort/n={n}-8", "1.500"), curve("Find/kind=b/n={n}-8", "1.000")];
    assert_eq!(exponents(&found[0]), times);
    assert_eq!(exponents(&found[1]), [curve("Sort/n={n}-8", "-0.500")]);
}

/// Would catch a picture that grows with the sizes, one that loses an end, and a power of what is drawn instead of all.
#[test]
fn some_of_many_sizes_are_drawn() {
    let mut rows = Rows::new(&["only"]);
    for n in 1..=300 {
        let name = format!("Sum/n={n}");
        let value = if n == 2 { 100.0 } else { f64::from(n) };
        (0..10).for_each(|_| rows.add(0, &[], &name, &[(value, "ns/op")]));
    }
    let tables = rows.interleaved();
    let found = growing_rows(&tables.row_keys, &tables.tables[0]);
    let curve = &found[0].curves[0];
    assert_eq!((curve.points.len(), curve.of), (120, 300));
    assert_eq!((curve.points[0].0, curve.points[119].0), (1.0, 300.0));
    assert!(curve.points.iter().all(|it| it.0 != 2.0), "the power is of a point that is not drawn");
    assert!((curve.law.unwrap().exponent - 1.0).abs() > 0.01);
}
