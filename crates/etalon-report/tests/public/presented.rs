//! Tables as their author wants them, held against goldens.

use std::collections::BTreeMap;

use etalon_core::criteria::Criteria;
use etalon_core::tables::{Centre, Labels, Method, Query, QuerySpec, Style, Tables, tabulate};
use etalon_report::compare::presented::{Declared, Look, Presentation, markdown, terminal};
use etalon_report::compare::{CellView, SummaryRow};
use etalon_report::view::{Detail, View};
use unicode_width::UnicodeWidthStr;

use crate::compare::{dataset, file, same_in_json};

/// Three implementations of three jobs; the last did not end one of them.
fn tables(centre: Centre) -> Tables {
    let data = dataset(&[
        (
            "quick",
            file(
                "Example",
                1,
                &[("Array", 1e5, 100.0, 1), ("Map", 4e5, 100.0, 1), ("Text", 9e3, 100.0, 1)],
            ),
        ),
        (
            "plain",
            file(
                "Example",
                1,
                &[("Array", 2e5, 200.0, 2), ("Map", 4e5, 200.0, 2), ("Text", 3e4, 200.0, 2)],
            ),
        ),
        ("large", file("Example", 1, &[("Array", 3e5, 900.0, 9), ("Text", 6e3, 900.0, 9)])),
    ]);
    let spec = QuerySpec {
        filter: ".unit:sec/op".parse().unwrap(),
        table: "".parse().unwrap(),
        row: ".fullname".parse().unwrap(),
        col: ".file".parse().unwrap(),
        ignore: "pkg,goos,goarch,cpu".parse().unwrap(),
    };
    let usual = Method::new(Style::Etalon);
    // As if they had been interleaved, for every word of a verdict to be there.
    let criteria = Criteria { between: Some(0.0), ..usual.criteria };
    let method = Method { criteria, ranks: Some(centre), ..usual };
    tabulate(&data, Query::new(spec), &method)
}

fn labels(names: &[&str]) -> Vec<Labels> {
    names.iter().map(|name| vec![Some((*name).to_owned())]).collect()
}

/// Everything that can be said of a table, but how its cells look.
fn wanted(view: CellView, summary: SummaryRow) -> Presentation<'static> {
    let about = ["numbers", "names", "letters", "what nobody measured"];
    Presentation {
        look: Look {
            title: Some("Packing"),
            centre: Some(Centre::Median),
            raw: Some("raw value"),
            digits: Some(1),
            fastest: true,
            letters: true,
        },
        view,
        summary,
        verdicts: false,
        detail: Detail::Screen,
        only: None,
        brief: false,
        declared: Some(Declared {
            rows: labels(&["Array-1", "Map-1", "Text-1", "Date-1"]),
            columns: labels(&["plain", "quick", "large", "never"]),
            labels: vec![("about".to_owned(), about.map(str::to_owned).to_vec())],
            absent: BTreeMap::from([
                ((1, 2), "timed out".to_owned()),
                ((0, 3), "not installed".to_owned()),
                ((1, 3), "not installed".to_owned()),
                ((2, 3), "not installed".to_owned()),
            ]),
        }),
        below: vec!["Lower is better.".to_owned()],
    }
}

fn at_80(tables: &Tables, wanted: &Presentation<'_>) -> String {
    same_in_json(tables);
    let lines = terminal(tables, wanted, View { width: 80, ..View::SCREEN });
    for line in &lines {
        assert!(line.width() <= 80, "{line}");
    }
    lines.join("\n")
}

/// Would catch anything that was declared and is left out, in either rendering.
#[test]
fn everything_that_was_declared_is_there() {
    let tables = tables(Centre::Median);
    let of_max = wanted(CellView::OfMax, SummaryRow::GeometricMean);
    insta::assert_snapshot!("presented_80", at_80(&tables, &of_max));
    insta::assert_snapshot!("presented_markdown", markdown(&tables, &of_max));
}

/// Would catch a mean that is a median, and intervals that are missing where everything is asked for.
#[test]
fn means_with_intervals() {
    let tables = tables(Centre::Mean);
    let mut of_min = wanted(CellView::OfMin, SummaryRow::None);
    of_min.look = Look { centre: Some(Centre::Mean), raw: None, letters: false, ..of_min.look };
    of_min.detail = Detail::Full;
    insta::assert_snapshot!("presented_mean", at_80(&tables, &of_min));
}

/// The total of a table is relative to a total in the way in which its cells are to a cell. Would catch one that is
/// always relative to the largest.
#[test]
fn totals_are_relative_as_cells_are() {
    let tables = tables(Centre::Median);
    let total = |view| {
        let text = markdown(&tables, &wanted(view, SummaryRow::Total));
        let row = text.lines().find(|line| line.starts_with("| total"));
        row.unwrap().split('|').map(str::trim).map(str::to_owned).collect::<Vec<_>>()[3..7].to_vec()
    };
    // Over Array and Text: plain 230 µs, quick 109, large 306; nothing of the last column.
    assert_eq!(total(CellView::OfMax), ["75.2 %", "35.6 %", "100.0 %", "-"]);
    assert_eq!(total(CellView::OfMin), ["211.0 %", "100.0 %", "280.7 %", "-"]);
    assert_eq!(total(CellView::Ratio), ["1.0", "0.5", "1.3", "-"]);
}

/// Would catch a verdict that is taken for one against the column that stands first.
#[test]
fn verdicts_name_the_base_where_another_column_stands_first() {
    let tables = tables(Centre::Median);
    let mut delta = wanted(CellView::Delta, SummaryRow::None);
    delta.look = Look::default();
    let shown = markdown(&tables, &delta);
    let heading = shown.lines().find(|line| line.contains("plain")).unwrap();
    assert!(heading.contains("against quick") && !heading.contains("verdict"), "{shown}");
    assert!(
        shown.lines().any(|line| line.contains("Array-1") && line.contains("slower")),
        "{shown}"
    );
}
