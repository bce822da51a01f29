//! Which keys make tables, and which are the columns' own: one rule, whatever varies, and wherever.

use crate::tables::Rows;
use etalon_core::dataset::Dataset;
use etalon_core::notes::{ColumnNote, NoteKind};
use etalon_core::query::{Key, Projection};
use etalon_core::tables::{
    Method, Query, QuerySpec, Style, Table, Tables, natural, natural_beside, tabulate,
};

/// Keys of Go's, and one of somebody's own.
const KEYS: [&str; 6] = ["cpu", "goos", "goarch", "commit", "note", "own key("];

/// A value of a key in a file, and how long its readings take.
type Part<'a> = (u32, &'a str, f64);

/// Readings of one benchmark in two files or three, told apart by a key.
fn data(key: &str, parts: &[Part<'_>]) -> Dataset {
    let mut rows = Rows::new(&["old", "new", "newer"]);
    for (file, value, level) in parts {
        for i in 0..8 {
            let reading = level * (100.0 + f64::from(i) / 10.0);
            rows.add(*file, &[("goversion", "1"), (key, value)], "A", &[(reading, "ns/op")]);
        }
    }
    rows.0
}

fn tables(data: &Dataset, asked: &QuerySpec) -> Tables {
    tabulate(data, Query::new(asked.clone()), &Method::new(Style::Etalon))
}

/// The values of the table's keys, and how many readings each column has.
fn shape(table: &Table) -> (Option<String>, Vec<(String, usize)>) {
    let cells = table.columns.iter().zip(&table.rows[0].cells);
    let cell = |(labels, cell): (&Vec<Option<String>>, &Option<_>)| {
        let n = cell.as_ref().map_or(0, |it: &etalon_core::tables::Cell| it.n);
        (labels[0].clone().unwrap_or_default(), n)
    };
    (table.labels.last().cloned().flatten(), cells.map(cell).collect())
}

fn is_compared(table: &Table) -> bool {
    table.rows[0].cells.iter().flatten().any(|cell| cell.comparison.is_some())
}

/// A key that varies within a file makes tables, old against new for each value. Would catch a value that becomes a
/// column, and one that is compared with another.
#[test]
fn what_varies_within_a_file_makes_tables() {
    for key in KEYS {
        let data =
            data(key, &[(0, "x", 2.0), (0, "y", 1.0), (1, "x", 2.0), (1, "y", 1.5), (1, "x", 2.0)]);
        let tables = tables(&data, &natural(&data));
        assert_eq!(
            (&*tables.table_keys, &*tables.col_keys),
            (&[key.to_owned()][..], &[".file".to_owned()][..])
        );
        let both = |x: usize| vec![("old".to_owned(), 8), ("new".to_owned(), x)];
        let shapes: Vec<_> = tables.tables.iter().map(shape).collect();
        assert_eq!(
            shapes,
            [(Some("x".to_owned()), both(16)), (Some("y".to_owned()), both(8))],
            "{key}"
        );
        let ratio = |table: &Table| {
            let cell = table.rows[0].cells[1].as_ref().unwrap();
            let assessment = cell.comparison.as_ref().unwrap().assessment.as_deref().unwrap();
            assessment.evidence.shown().ratio.unwrap().value
        };
        let ratios = [ratio(&tables.tables[0]), ratio(&tables.tables[1])];
        assert!(
            (ratios[0] - 1.0).abs() < 1e-9 && (ratios[1] - 1.5).abs() < 1e-9,
            "{key}: {ratios:?}"
        );
    }
}

/// A key that varies only between files is the column's: it keeps nothing from being compared, and what names a machine
/// is said. Packages are apart wherever they are.
#[test]
fn what_varies_between_files_is_the_columns() {
    for key in KEYS {
        let data = data(key, &[(0, "x", 1.0), (1, "y", 1.5)]);
        let tables = tables(&data, &natural(&data));
        assert_eq!((tables.table_keys.len(), tables.tables.len()), (0, 1), "{key}");
        assert!(is_compared(&tables.tables[0]), "{key}");
        let is_said = ["cpu", "goos", "goarch"].contains(&key);
        let notes = &tables.tables[0].summaries[1].notes;
        assert_eq!(
            notes.iter().any(|it| matches!(it, NoteKind::Column(ColumnNote::OtherMachine(_)))),
            is_said,
            "{key}"
        );
    }
    let data = data("pkg", &[(0, "x", 1.0), (1, "y", 1.5)]);
    let tables = tables(&data, &natural(&data));
    assert_eq!((tables.tables.len(), is_compared(&tables.tables[0])), (2, false));
}

/// A key that varies within one file and between both makes a table for each value: those of one side are compared with
/// nothing, and no side is the base because the base is not there. Would catch the second file held against the third.
#[test]
fn what_the_base_lacks_is_compared_with_nothing() {
    for key in KEYS {
        let parts = [
            (0, "x", 1.0),
            (1, "x", 1.0),
            (1, "y", 1.0),
            (2, "x", 1.0),
            (2, "y", 9.0),
            (2, "z", 1.0),
        ];
        let data = data(key, &parts);
        let tables = tables(&data, &natural(&data));
        let compared: Vec<bool> = tables.tables.iter().map(is_compared).collect();
        assert_eq!(compared, [true, false, false], "{key}");
        assert!(tables.tables[1].summaries.iter().all(|it| it.ratio.is_none()), "{key}");
    }
}

/// A query that would put into one cell what differs makes tables of it, unless it is ignored; several files of one
/// column are pooled over what varies between them, which is noted.
#[test]
fn a_cell_over_keys_that_differ_is_no_number() {
    let of_names = |names: &[&str]| {
        let mut rows = Rows::new(&["old", "new"]);
        for (file, name) in
            [0, 1].into_iter().flat_map(|file| names.iter().map(move |it| (file, it)))
        {
            for i in 0..8 {
                rows.add(file, &[], name, &[(100.0 + f64::from(i), "ns/op")]);
            }
        }
        rows.0
    };
    let data = of_names(&["A/n=1", "A/n=2", "B/n=1"]);
    let by = |row: &str, ignore: &str| {
        let asked = QuerySpec {
            table: Projection::default(),
            row: row.parse().unwrap(),
            ignore: ignore.parse().unwrap(),
            ..QuerySpec::default()
        };
        let tables = tables(&data, &asked);
        let n = |table: &Table| {
            table.rows.iter().flat_map(|row| &row.cells).flatten().all(|c| c.n == 8)
        };
        (tables.table_keys.clone(), tables.tables.len(), tables.tables.iter().all(n))
    };
    assert_eq!(by(".name", ""), (vec![".fullname".to_owned()], 2, true));
    assert_eq!(by("/n", ""), (vec![".fullname".to_owned()], 2, true));
    assert_eq!(by(".name", "/n"), (Vec::new(), 1, false));
    for key in KEYS {
        let data = self::data(key, &[(0, "x", 1.0), (0, "y", 2.0), (1, "x", 1.0), (1, "y", 2.0)]);
        let asked = |ignore: &Projection| QuerySpec {
            table: Projection::default(),
            ignore: ignore.clone(),
            ..QuerySpec::default()
        };
        assert_eq!(tables(&data, &asked(&Projection::default())).tables.len(), 2, "{key}");
        let quoted = Projection::keys([Key::from_word(key)]);
        assert_eq!(tables(&data, &asked(&quoted)).tables.len(), 1, "{key}");
        let ignored = natural_beside(&data, &[&quoted]);
        assert!(ignored.table.is_empty(), "{key}");
    }
}
