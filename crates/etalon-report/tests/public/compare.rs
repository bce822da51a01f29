//! Every rendering of a comparison, held against goldens.
//!
//! The data sets are the Go format as a user would have it, so what is shown of them can be added up by hand.

use etalon_core::criteria::Criteria;
use etalon_core::dataset::Dataset;
use etalon_core::notes::{CheckNote, Note, NoteKind};
use etalon_core::tables::{
    Arrangement, By, Cell, Method, Query, QuerySpec, Style, Tables, Which, natural, tabulate,
};
use etalon_record::foreign::go::read_into;
use etalon_record::{Input, Strictness};
use etalon_report::compare::{
    CellView, Contents, Look, Remarks, SummaryRow, csv, github, headline, markdown, summary,
    summary_markdown, terminal,
};
use etalon_report::json::{self, CheckOutcome, Finding, Kind, Settings, TableReport, Titled};
use etalon_report::view::{Charset, Detail, View};
use serde_json::Value;
use unicode_width::UnicodeWidthStr;

/// A file of twelve lines for each benchmark, which scatter by ± 1 % in a fixed way.
pub(crate) fn file(cpu: &str, procs: u32, benchmarks: &[(&str, f64, f64, u64)]) -> String {
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

pub(crate) const OLD: [(&str, f64, f64, u64); 4] = [
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

pub(crate) fn dataset(files: &[(&str, String)]) -> Dataset {
    let mut data = Dataset::default();
    for (label, text) in files {
        let input = Input { path: (*label).to_owned(), label: (*label).to_owned() };
        read_into(&mut data, text.as_bytes(), &input, Strictness::Lenient).unwrap();
    }
    data
}

pub(crate) fn before_and_after() -> Dataset {
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

pub(crate) fn between(data: &Dataset, asked: &QuerySpec, between: Option<f64>) -> Tables {
    let query = Query::new(asked.clone());
    query.check(data).unwrap();
    let usual = Method::new(Style::Etalon);
    let criteria = Criteria { between, ..usual.criteria };
    tabulate(data, query, &Method { criteria, ..usual })
}

/// Compared as if they had been interleaved, for every word of a verdict to be there.
fn asked(data: &Dataset, asked: &QuerySpec) -> Tables {
    between(data, asked, Some(0.0))
}

fn tables(data: &Dataset) -> Tables {
    asked(data, &natural(data))
}

/// All rows of a view.
fn view(cells: CellView, summary: SummaryRow) -> Contents<'static> {
    let of_row = matches!(cells, CellView::OfMax | CellView::OfMin);
    let look = Look { raw: of_row.then_some("raw value"), ..Look::default() };
    Contents { cells, summary, rows: Arrangement::default(), look }
}

const LOOK: Look<'static> =
    Look { title: None, centre: None, raw: None, digits: None, fastest: false, letters: false };

pub(crate) const SCREEN: Contents<'static> = Contents {
    cells: CellView::Delta,
    summary: SummaryRow::GeometricMean,
    rows: Arrangement { which: Which::Open, by: By::Weight },
    look: LOOK,
};
const ALL: Contents<'static> =
    Contents { rows: Arrangement { which: Which::All, by: By::Query }, ..SCREEN };

pub(crate) fn shown(tables: &Tables, contents: Contents<'_>, width: usize) -> String {
    laid_out(tables, contents, View { width, ..View::SCREEN })
}

fn complete(tables: &Tables, contents: Contents<'_>, width: usize) -> String {
    laid_out(tables, contents, View { width, detail: Detail::Full, ..View::SCREEN })
}

/// Why a check failed.
fn reason() -> Note {
    let broken = CheckNote::Broken { reason: "a reason".to_owned() };
    Note { about: "--fail-on slower".to_owned(), what: NoteKind::Check(broken) }
}

fn remark() -> Note {
    let what = NoteKind::Recorded { text: "A remark".to_owned(), code: None };
    Note { about: String::new(), what }
}

/// The document of tables, with a failed check and a note.
fn document(tables: &Tables) -> Value {
    let finding = Finding { note: reason(), place: None };
    let report = TableReport {
        kind: Kind::Tables,
        headline: headline(tables),
        executions: &[],
        settings: Settings::new(&Criteria::default()),
        tables: &[Titled::from_tables(tables.clone())],
        controls: None,
        check: Some(CheckOutcome {
            exit: 1,
            family: 3,
            thresholds: &[],
            waivers: &[],
            failed: &[finding],
            unchecked: &[],
        }),
        notes: &[remark()],
    };
    let mut out = Vec::new();
    json::tables(report, &mut out).unwrap();
    serde_json::from_slice(&out).unwrap()
}

/// Would catch a document whose comparisons are not those of the table: other ones, more, fewer, or of another family; and
/// ids of other benchmarks than those that stand there.
pub(crate) fn same_in_json(tables: &Tables) {
    let document = document(tables);
    for (table, found) in tables.tables.iter().zip(document["tables"].as_array().unwrap()) {
        assert_eq!(found["rows"].as_array().unwrap().len(), table.rows.len());
        for (row, found) in table.rows.iter().zip(found["rows"].as_array().unwrap()) {
            let letters = row.ranks.as_ref().map(|ranks| serde_json::json!(ranks.letters));
            assert_eq!(found["ranks"].get("letters"), letters.as_ref());
            let cells = found["cells"].as_array().unwrap();
            assert_eq!(cells.len(), row.cells.len());
            for (cell, ids) in row.cells.iter().zip(cells) {
                let Some(cell) = cell else {
                    assert!(ids.is_null());
                    continue;
                };
                same_cell((&document, &table.unit), cell, ids);
            }
        }
    }
}

fn same_cell((document, unit): (&Value, &str), cell: &Cell, ids: &Value) {
    let at = |id: &Value| usize::try_from(id.as_u64()?).ok();
    let benchmark = &document["benchmarks"][at(&ids["benchmark"]).unwrap()];
    assert_eq!(benchmark["id"], ids["benchmark"]);
    assert_eq!(benchmark["metrics"][unit]["median"].as_f64(), Some(cell.centre.value));
    let comparison = cell.comparison.as_ref();
    let assessment = comparison.and_then(|comparison| comparison.assessment.as_deref());
    let id = at(&ids["comparison"]);
    let (Some(shown), Some(id)) = (assessment, id) else {
        assert!(assessment.is_none() && id.is_none());
        return;
    };
    let found = &document["comparisons"][id];
    assert_eq!([&found["candidate"], &found["id"]], [&ids["benchmark"], &ids["comparison"]]);
    assert_eq!(found["candidate_name"], benchmark["label"]);
    let shown_ratio = shown.evidence.shown().ratio.map(|ratio| ratio.value);
    assert_eq!(found["verdict"], shown.decision.name());
    assert_eq!(found["ratio"].as_f64(), shown_ratio);
    assert_eq!(found["p_adjusted"].as_f64(), shown.adjusted.p);
    let family = (!shown.evidence.exact).then_some(shown.adjusted.family as u64);
    assert_eq!(found["family"].as_u64(), family);
}

/// The lines, none of them wider than asked for.
fn laid_out(tables: &Tables, contents: Contents<'_>, view: View) -> String {
    same_in_json(tables);
    let lines = terminal(tables.clone(), contents, Remarks::default(), view);
    for line in &lines {
        assert!(line.width() <= view.width, "{line}");
    }
    lines.join("\n")
}

/// One screen at any width, in ASCII too; everything on `--full`.
#[test]
fn before_and_after_on_a_terminal() {
    let tables = tables(&before_and_after());
    for width in [80, 160] {
        let screen = shown(&tables, SCREEN, width);
        insta::assert_snapshot!(format!("compare_{width}"), screen);
        let ascii = View { width, charset: Charset::Ascii, ..View::SCREEN };
        let ascii = laid_out(&tables, SCREEN, ascii);
        assert!(ascii.is_ascii(), "{ascii}");
        insta::assert_snapshot!(format!("compare_ascii_{width}"), ascii);
        insta::assert_snapshot!(format!("compare_full_{width}"), complete(&tables, ALL, width));
    }
}

/// Each of several data sets against the first, in columns of its own.
#[test]
fn several_data_sets_on_a_terminal() {
    let scaled =
        |scale: f64| OLD.map(|(name, ns, bytes, allocs)| (name, ns * scale, bytes, allocs));
    let data = dataset(&[
        ("old.txt", file("Example 9000", 8, &OLD)),
        ("new.txt", file("Example 9000", 8, &NEW)),
        ("newer.txt", file("Example 9000", 8, &scaled(0.5))),
        ("newest.txt", file("Example 9000", 8, &scaled(1.005))),
    ]);
    let tables = tables(&data);
    insta::assert_snapshot!("compare_four_80", shown(&tables, SCREEN, 80));
    insta::assert_snapshot!("compare_four_160", shown(&tables, SCREEN, 160));
}

/// The changed ones, the largest change first, and a count of the rest. Would catch a report as long as its data.
#[test]
fn many_benchmarks_fit_on_a_screen() {
    let names: Vec<String> =
        (0..200).map(|at| format!("Case{at}/with/a/name/of/some/length")).collect();
    let scaled = |changed: usize| -> Vec<(&str, f64, f64, u64)> {
        let scale = |at: usize| if at < changed { 1.1 + 0.01 * at as f64 } else { 1.0 };
        names
            .iter()
            .enumerate()
            .map(|(at, name)| (name.as_str(), 1e4 * scale(at), 64.0, 3))
            .collect()
    };
    let with = |changed| {
        let data = dataset(&[
            ("old.txt", file("Example 9000", 8, &scaled(0))),
            ("new.txt", file("Example 9000", 8, &scaled(changed))),
        ]);
        shown(&tables(&data), SCREEN, 80)
    };
    let many = with(60);
    assert!(many.lines().count() <= 40, "{many}");
    insta::assert_snapshot!("compare_many", many);
    insta::assert_snapshot!("compare_few_of_many", with(3));
}

/// A change from nothing has no ratio; a metric without a direction only differs.
#[test]
fn changes_that_are_no_ratios() {
    let lines = |allocs: u32, widgets: f64| {
        let line = |i: u32| {
            let widgets = widgets + f64::from(i % 3);
            format!("BenchmarkA-8 10 100 ns/op {allocs} allocs/op {widgets} widgets/op\n")
        };
        (0..12).map(line).collect::<String>()
    };
    let data = dataset(&[("old.txt", lines(0, 10.0)), ("new.txt", lines(2, 20.0))]);
    let shown = shown(&tables(&data), SCREEN, 80);
    for expected in ["allocs/op: 1 more", "+2", "widgets/op: 1 differs", "differs"] {
        assert!(shown.contains(expected), "{expected} in\n{shown}");
    }
}

/// Would catch a Go benchmark of which a compiler left nothing, without a mark: nothing measures an empty loop beside it.
#[test]
fn an_operation_that_takes_no_longer_than_a_loop_is_marked() {
    let lines = |ns: f64| {
        let line =
            |i: u32| format!("BenchmarkA-8 10 {:.4} ns/op\n", ns * (1.0 + f64::from(i) / 1e3));
        (0..12).map(line).collect::<String>()
    };
    let said = "A-8: less than 0.5 ns an operation, as an empty loop takes";
    let marked = |old: f64, new: f64| {
        let data = dataset(&[("old.txt", lines(old)), ("new.txt", lines(new))]);
        let screen = shown(&tables(&data), SCREEN, 80);
        screen.split_whitespace().collect::<Vec<_>>().join(" ").contains(said)
    };
    assert!(marked(12.0, 0.25) && marked(0.25, 0.25) && !marked(12.0, 0.75));
}

#[test]
fn summaries_below_the_rows() {
    let tables = tables(&before_and_after());
    let total = view(CellView::Delta, SummaryRow::Total);
    insta::assert_snapshot!("compare_total", complete(&tables, total, 120));
    let none = complete(&tables, view(CellView::Delta, SummaryRow::None), 120);
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
    let said = Remarks::default();
    insta::assert_snapshot!("compare_page_markdown", markdown(tables, page, said, Detail::Screen));
    let total = view(CellView::Plain, SummaryRow::Total);
    let old = asked(
        &two_machines(),
        &QuerySpec { filter: ".file:CI".parse().unwrap(), ..QuerySpec::default() },
    );
    insta::assert_snapshot!("compare_page_total", shown(&old, total, 120));
}

/// Machines are columns of their own, rows match although Go puts their processors behind the names, and
/// what differs is said.
#[test]
fn two_machines_are_compared_and_told_apart() {
    let data = two_machines();
    let named = tables(&data);
    insta::assert_snapshot!("compare_machines", shown(&named, SCREEN, 120));
    // In one cell of a query they would be pooled, and are in two tables.
    let pooled = QuerySpec {
        col: "pkg".parse().unwrap(),
        ignore: "/gomaxprocs".parse().unwrap(),
        ..natural(&data)
    };
    let tables = asked(&data, &QuerySpec { table: "".parse().unwrap(), ..pooled });
    assert_eq!(
        (&*tables.table_keys, &*tables.col_keys),
        (&["cpu".into()][..], &["pkg".into()][..])
    );
    assert!(tables.tables.iter().all(|table| table.columns.len() == 1));
}

#[test]
fn for_other_programs() {
    let tables = tables(&before_and_after());
    let (failed, remarks) = ([reason()], [remark()]);
    let said =
        Remarks { failed: &failed, remarks: &remarks, interleaved_by: Some("etalon cmd OLD NEW") };
    let page = |contents, detail| markdown(tables.clone(), contents, said, detail);
    insta::assert_snapshot!("compare_markdown", page(SCREEN, Detail::Screen));
    insta::assert_snapshot!("compare_markdown_full", page(ALL, Detail::Full));
    let mut rows = Vec::new();
    csv(&tables, &mut rows).unwrap();
    insta::assert_snapshot!("compare_csv", rounded(&String::from_utf8(rows).unwrap()));
    insta::assert_snapshot!("compare_json", rounded(&format!("{:#}", document(&tables))));
    insta::assert_snapshot!("compare_github", github(&tables, &failed));
    // One line for each table, however long.
    insta::assert_snapshot!("compare_summary", summary(&tables).join("\n"));
    insta::assert_snapshot!("compare_summary_markdown", summary_markdown(&tables, said));
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

/// A note on a cell or a column is said whatever is shown of it. Would catch a view that
/// drops footnotes.
#[test]
fn every_view_has_every_note() {
    let old = |note: &str| format!("note: {note}\n{}", file("Example 9000", 32, &OLD));
    let data = dataset(&[
        ("Workstation", old("first")),
        ("Workstation", old("second")),
        ("CI", file("Example 7000", 4, &OLD)),
    ]);
    let tables = tables(&data);
    let (varies, machine) = ("values of one cell differ in note", "under other circumstances");
    for cells in [
        CellView::Delta,
        CellView::Mean,
        CellView::Plain,
        CellView::OfMax,
        CellView::OfMin,
        CellView::Ratio,
    ] {
        let shown = complete(&tables, view(cells, SummaryRow::None), 200);
        assert!(shown.contains(varies) && shown.contains(machine), "{cells:?}:\n{shown}");
    }
    let screen = shown(&tables, SCREEN, 80);
    assert!(screen.contains("values of one cell differ") && screen.contains(machine), "{screen}");
    let expected = "CI: measured under other circumstances than the base: cpu Example 9000 → Example \
                    7000; gomaxprocs 32 → 4";
    assert_eq!(summary(&tables).last().map(String::as_str), Some(expected));
}
