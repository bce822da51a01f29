//! Every rendering of a comparison, held against goldens.
//!
//! The data sets are the Go format as a user would have it, so what is shown of them can be added up by hand.

use etalon_core::dataset::Dataset;
use etalon_core::tables::{Method, Query, QuerySpec, Style, Tables, natural, tabulate};
use etalon_record::foreign::go::read_into;
use etalon_record::{Input, Strictness};
use etalon_report::compare::{
    CellView, Detail, Remarks, SummaryRow, Terminal, View, csv, github, markdown, tally, terminal,
};
use etalon_report::json;
use etalon_report::view::Colour;

const TERMINAL: Terminal = Terminal { columns: 80, colour: Colour::Never };

/// A file of twelve lines for each benchmark, which scatter by ± 1 % in a fixed way.
fn file(cpu: &str, procs: u32, benchmarks: &[(&str, f64, f64, u64)]) -> String {
    let mut text = format!("goos: linux\ngoarch: amd64\npkg: example.org/lode\ncpu: {cpu}\n");
    for (name, ns, bytes, allocs) in benchmarks {
        for i in 0..12_u32 {
            let wobble = 1.0 + f64::from(i * 7 % 12) / 600.0 - 0.01;
            let ns = ns * wobble;
            let bytes = (bytes * (1.0 + (wobble - 1.0) / 4.0)).round();
            text.push_str(&format!(
                "Benchmark{name}-{procs}\t{}\t{ns:.1} ns/op\t{bytes} B/op\t{allocs} allocs/op\n",
                1000 + i
            ));
        }
    }
    text
}

const OLD: [(&str, f64, f64, u64); 4] = [
    ("Dataset_SequentialWrites", 135_400.0, 97_864.0, 680),
    ("Dataset_SequentialWrites_StoreCallCount", 138_200.0, 100_016.0, 687),
    ("S3_WriteRoundTrip/LocalStack", 5_621_000.0, 376_832.0, 2973),
    ("S3_WriteRoundTrip/MinIO", 11_340_000.0, 380_659.0, 3045),
];

/// One faster, one slower, one the same, one that is gone, one that is new.
const NEW: [(&str, f64, f64, u64); 4] = [
    ("Dataset_SequentialWrites", 121_900.0, 90_864.0, 641),
    ("Dataset_SequentialWrites_StoreCallCount", 138_300.0, 100_016.0, 687),
    ("S3_WriteRoundTrip/LocalStack", 6_010_000.0, 376_832.0, 2973),
    ("S3_WriteRoundTrip/Garage", 4_100_000.0, 380_659.0, 0),
];

fn dataset(files: &[(&str, String)]) -> Dataset {
    let mut data = Dataset::default();
    for (label, text) in files {
        let input = Input { path: (*label).to_owned(), label: (*label).to_owned() };
        read_into(&mut data, text.as_bytes(), &input, Strictness::Lenient).unwrap();
    }
    data
}

fn before_and_after() -> Dataset {
    dataset(&[
        ("results/2026/old.txt", file("Example 9000", 8, &OLD)),
        ("results/2026/new.txt", file("Example 9000", 8, &NEW)),
    ])
}

fn two_machines() -> Dataset {
    let elsewhere = OLD.map(|(name, ns, bytes, allocs)| (name, ns * 1.3, bytes, allocs));
    dataset(&[
        ("Workstation", file("Example 9000", 32, &OLD)),
        ("CI", file("Example 7000", 4, &elsewhere)),
    ])
}

fn asked(data: &Dataset, asked: &QuerySpec) -> Tables {
    let query = Query::parse(asked).unwrap();
    query.check(data).unwrap();
    tabulate(data, query, &Method::of(Style::Etalon))
}

fn tables(data: &Dataset) -> Tables {
    asked(data, &natural(data))
}

fn view(cells: CellView, summary: SummaryRow) -> View {
    View { cells, summary, detail: Detail::Rows }
}

const DEFAULT: View =
    View { cells: CellView::Delta, summary: SummaryRow::GeometricMean, detail: Detail::Rows };

fn shown(tables: &Tables, view: View, columns: usize) -> String {
    let said = Remarks { tally: &tally(tables), ..Remarks::default() };
    let lines = terminal(tables, view, said, Terminal { columns, colour: Colour::Never });
    for line in &lines {
        assert!(unicode_width::UnicodeWidthStr::width(line.as_str()) <= columns, "{line}");
    }
    lines.join("\n")
}

/// Names that do not fit beside their rows stand above them; wide enough, all stands side by side.
#[test]
fn before_and_after_on_a_terminal() {
    let tables = tables(&before_and_after());
    insta::assert_snapshot!("compare_80", shown(&tables, DEFAULT, 80));
    insta::assert_snapshot!("compare_200", shown(&tables, DEFAULT, 200));
}

#[test]
fn summaries_below_the_rows() {
    let tables = tables(&before_and_after());
    let total = view(CellView::Delta, SummaryRow::Total);
    insta::assert_snapshot!("compare_total", shown(&tables, total, 120));
    let none = shown(&tables, view(CellView::Delta, SummaryRow::None), 120);
    assert!(!none.contains("geometric") && !none.contains("total"), "{none}");
}

#[test]
fn views_of_a_cell() {
    let tables = tables(&before_and_after());
    let mut all = String::new();
    for (cells, summary) in [
        (CellView::Mean, SummaryRow::GeometricMean),
        (CellView::Ratio, SummaryRow::GeometricMean),
        (CellView::OfMax, SummaryRow::GeometricMean),
        (CellView::OfMin, SummaryRow::Total),
    ] {
        all.push_str(&format!("# {cells:?}, {summary:?}\n\n"));
        all.push_str(&shown(&tables, view(cells, summary), 120));
        all.push_str("\n\n");
    }
    insta::assert_snapshot!("compare_views", all);
}

/// The fourth seed's page: a benchmark, a machine, and a column for each unit.
#[test]
fn a_page_for_reading() {
    let tables = tables(&two_machines());
    let page = view(CellView::Plain, SummaryRow::None);
    insta::assert_snapshot!("compare_page_120", shown(&tables, page, 120));
    insta::assert_snapshot!("compare_page_80", shown(&tables, page, 80));
    let said = Remarks { tally: &tally(&tables), ..Remarks::default() };
    insta::assert_snapshot!("compare_page_markdown", markdown(&tables, page, said));
    let total = view(CellView::Plain, SummaryRow::Total);
    let old = asked(
        &two_machines(),
        &QuerySpec { filter: ".file:CI".to_owned(), ..QuerySpec::default() },
    );
    insta::assert_snapshot!("compare_page_total", shown(&old, total, 120));
}

/// Machines are columns of their own, rows match although Go puts their processors behind the names, and
/// what differs is said.
#[test]
fn two_machines_are_compared_and_told_apart() {
    let data = two_machines();
    let named = tables(&data);
    insta::assert_snapshot!("compare_machines", shown(&named, DEFAULT, 120));
    // In one column of a query they would be pooled: they are not.
    let pooled =
        QuerySpec { col: "pkg".to_owned(), ignore: "/gomaxprocs".to_owned(), ..natural(&data) };
    let tables = asked(&data, &QuerySpec { table: String::new(), ..pooled });
    assert_eq!(tables.col_keys, ["pkg", "cpu"]);
    assert_eq!(tables.tables[0].columns.len(), 2);
}

#[test]
fn for_other_programs() {
    let tables = tables(&before_and_after());
    let said = Remarks {
        failed: &["--fail-on slower: a reason".to_owned()],
        tally: &tally(&tables),
        remarks: &["A remark.".to_owned()],
    };
    insta::assert_snapshot!("compare_markdown", markdown(&tables, DEFAULT, said));
    let mut rows = Vec::new();
    csv(&tables, &mut rows).unwrap();
    insta::assert_snapshot!("compare_csv", rounded(&String::from_utf8(rows).unwrap()));
    let document =
        format!("{:#}", json::tables(&tables, &["a reason".to_owned()], &["a note".to_owned()]));
    insta::assert_snapshot!("compare_json", rounded(&document));
    insta::assert_snapshot!("compare_github", github(&tables, &["a reason".to_owned()]));
    let line = View { detail: Detail::Summary, ..DEFAULT };
    // One line for each table, however long.
    let lines = terminal(&tables, line, said, TERMINAL);
    insta::assert_snapshot!("compare_summary", lines.join("\n"));
}

/// Numbers to twelve digits: the last ones are the mathematical library's.
fn rounded(text: &str) -> String {
    let is_number = |c: char| c.is_ascii_digit() || matches!(c, '.' | '-' | 'e');
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(is_number) {
        let end = rest[at..].find(|c| !is_number(c)).map_or(rest.len(), |end| at + end);
        let (before, word) = (&rest[..at], &rest[at..end]);
        out.push_str(before);
        match word.parse::<f64>() {
            Ok(number) if word.len() > 12 => {
                out.push_str(&format!("{number:.11e}").parse::<f64>().unwrap().to_string());
            }
            _ => out.push_str(word),
        }
        rest = &rest[end..];
    }
    out + rest
}

/// What has to be said of a cell or a column is said whatever is shown of it. Would catch a view that
/// drops footnotes.
#[test]
fn every_view_has_every_note() {
    let data = two_machines();
    let pooled = QuerySpec { row: ".name".to_owned(), ..natural(&data) };
    let tables = asked(&data, &pooled);
    let (varies, machine) = ("values of one cell differ in .fullname", "under other circumstances");
    for cells in [
        CellView::Delta,
        CellView::Mean,
        CellView::Plain,
        CellView::OfMax,
        CellView::OfMin,
        CellView::Ratio,
    ] {
        let shown = shown(&tables, view(cells, SummaryRow::None), 200);
        assert!(shown.contains(varies) && shown.contains(machine), "{cells:?}:\n{shown}");
    }
    let line = View { detail: Detail::Summary, ..DEFAULT };
    let lines = terminal(&tables, line, Remarks::default(), TERMINAL);
    let expected = "CI: measured under other circumstances than the base: cpu Example 9000 → Example \
                    7000; gomaxprocs 32 → 4";
    assert_eq!(lines, [expected]);
}
