//! The tables of a comparison on standard output, in the style and format asked for.
//!
//! Owns what goes together; refuses what would be taken and ignored.

use std::io::{self, Write};
use std::path::Path;

use etalon_core::analysis::Execution;
use etalon_core::compare::Scales;
use etalon_core::criteria::Criteria;
use etalon_core::notes::Note;
use etalon_core::tables::{Arrangement, By, Centre, Tables, Threshold, Which, arranged};
use etalon_core::visible::Escapes;
use etalon_record::inputs::inputs;
use etalon_report::compare::{self, CellView, Contents, Frame, Look, Remarks, SummaryRow};
use etalon_report::html::{Data, comparison};
use etalon_report::json::{self, CheckOutcome, Kind, TableReport, Titled};
use etalon_report::listings::benchstat;
use etalon_report::note_sentence;
use etalon_report::svg::{Compared, changes};

use super::checks::{self, Checked};
use crate::cli::{
    self, Comparison, OnlyArg, OutputArg, RowSortArg, Show, StyleArg, SummaryArg, ViewArg,
};
use crate::failure::Failure;
use crate::output;
use crate::pages::Page;

/// Whether what is asked for exists.
///
/// # Errors
/// In words, with what to do.
pub(super) fn check(options: &Comparison) -> Result<(), Failure> {
    page(options)?;
    match options.show.style {
        StyleArg::Etalon => check_own(options),
        StyleArg::Benchstat => check_benchstat(options),
    }
}

/// The page that is asked for.
fn page(options: &Comparison) -> Result<Option<Page>, Failure> {
    let data = inputs(&options.data);
    let in_use: Vec<&Path> = data.iter().map(|input| Path::new(&input.path)).collect();
    Page::check(&options.show.page, &in_use)
}

/// Whether what is shown has a place for remarks.
pub(super) fn has_remarks(options: &Comparison) -> bool {
    let show = &options.show;
    let has_place = match format(show) {
        OutputArg::Terminal => !show.rows.summary,
        OutputArg::Markdown => !show.rows.summary,
        OutputArg::Comment => true,
        OutputArg::Csv | OutputArg::Json | OutputArg::Github | OutputArg::Junit => false,
    };
    show.style == StyleArg::Etalon && has_place
}

/// On which scales what is shown has estimates: differences beside ratios are in data alone.
pub(super) fn scales(options: &Comparison) -> Scales {
    match format(&options.show) {
        OutputArg::Json | OutputArg::Csv => Scales::Both,
        OutputArg::Terminal
        | OutputArg::Markdown
        | OutputArg::Comment
        | OutputArg::Github
        | OutputArg::Junit => Scales::OfVerdict,
    }
}

/// Whether what is shown has the means of cells, or rests on them.
pub(super) fn has_means(options: &Comparison) -> bool {
    match format(&options.show) {
        OutputArg::Json | OutputArg::Csv | OutputArg::Github => true,
        OutputArg::Comment | OutputArg::Junit => false,
        OutputArg::Terminal | OutputArg::Markdown => {
            options.show.view == ViewArg::Mean || options.look.centre() == Some(Centre::Mean)
        }
    }
}

fn check_own(options: &Comparison) -> Result<(), Failure> {
    let Comparison { show, look, .. } = options;
    let row = look.summary_row.filter(|row| *row != SummaryArg::None);
    if show.view == ViewArg::Mean && row.is_some() {
        return Err(Failure::new(
            "--summary-row with --view mean: it is made of medians; leave one of the two out",
        ));
    }
    let asked = [
        (show.rows.summary, "--summary"),
        (show.full, "--full"),
        (show.view != ViewArg::Delta, "--view"),
        (look.summary_row.is_some(), "--summary-row"),
    ];
    let is_comment = format(show) == OutputArg::Comment;
    let title = show.framing.title.is_some() && !is_comment;
    let look = title.then_some("--title").or(look.given());
    let asked = asked.into_iter().find_map(|(asked, what)| asked.then_some(what)).or(look);
    check_whole(show, asked)?;
    let program = matches!(
        format(show),
        OutputArg::Csv | OutputArg::Json | OutputArg::Github | OutputArg::Junit
    );
    if let Some(what) = asked.filter(|_| program) {
        return Err(Failure::new(format!(
            "{what} has no effect in a format for programs, which has every cell: leave it out, or \
             choose --format terminal or markdown"
        )));
    }
    match look {
        Some(what) if show.rows.summary => Err(Failure::new(format!(
            "{what} has no effect with --summary, which has no cells: leave one of them out"
        ))),
        Some("--centre") if show.view == ViewArg::Delta => Err(Failure::new(
            "--centre has no effect with --view delta, whose changes are of the samples: choose --view ratio, \
             of-max or of-min, or --view mean for means beside the changes",
        )),
        Some(what) if !is_relative(show.view) => Err(Failure::new(format!(
            "{what} is for tables that are relative to a row or the first column: add --view ratio, of-max or \
             of-min"
        ))),
        _ => Ok(()),
    }
}

/// A comment, and tests, have their own rows and order; without a comment, nothing is said of how to repeat it.
fn check_whole(show: &Show, asked: Option<&str>) -> Result<(), Failure> {
    let is_comment = format(show) == OutputArg::Comment;
    let name = match format(show) {
        OutputArg::Comment => Some("comment"),
        OutputArg::Junit => Some("junit"),
        _ => None,
    };
    let rows = [(show.sort.is_some(), "--sort"), (show.rows.only.is_some(), "--only")];
    let rows = rows.into_iter().find_map(|(asked, what)| asked.then_some(what));
    match asked.or(rows).zip(name) {
        Some((what, name)) => Err(Failure::new(format!(
            "{what} has no effect with --format {name}, which has every row, what got worse first: leave it out"
        ))),
        None if show.framing.repeat.is_some() && !is_comment => {
            Err(Failure::new("--repeat is for comments: add --format comment, or leave it out"))
        }
        None => Ok(()),
    }
}

fn is_relative(view: ViewArg) -> bool {
    matches!(view, ViewArg::Ratio | ViewArg::OfMax | ViewArg::OfMin)
}

fn format(show: &Show) -> OutputArg {
    if show.json { OutputArg::Json } else { show.format }
}

fn check_benchstat(options: &Comparison) -> Result<(), Failure> {
    let show = &options.show;
    let text = matches!(format(show), OutputArg::Terminal | OutputArg::Csv);
    if !text {
        return Err(Failure::new(
            "--style benchstat prints text and CSV only: leave --style out for more",
        ));
    }
    let asked = [
        (show.rows.only.is_some(), "--only"),
        (show.sort.is_some(), "--sort"),
        (show.rows.summary, "--summary"),
        (show.full, "--full"),
        (show.page.html.is_some(), "--html"),
        (show.page.svg.is_some(), "--svg"),
        (options.checks.are_of_rows(), "--fail-on and --checks"),
        (show.view != ViewArg::Delta, "--view"),
        (options.look.summary_row.is_some(), "--summary-row"),
    ];
    let asked = asked.into_iter().find_map(|(asked, what)| asked.then_some(what));
    match asked.or(options.look.given()) {
        Some(what) => Err(Failure::new(format!(
            "{what} has no effect with --style benchstat: leave one of them out"
        ))),
        None => Ok(()),
    }
}

/// Facts for the document beside the tables.
pub(super) struct DocumentFacts<'a> {
    pub(super) checked: &'a Checked,
    pub(super) thresholds: &'a [Threshold],
    pub(super) kind: Kind,
    /// Empty unless a document is asked for.
    pub(super) executions: Vec<Execution>,
    pub(super) criteria: Criteria,
    /// The line to type to measure it again.
    pub(super) again: Option<String>,
}

/// Whether a JSON document is asked for.
pub(super) fn is_document(options: &Comparison) -> bool {
    format(&options.show) == OutputArg::Json
}

/// Writes the tables, and on standard error why a check failed.
///
/// # Errors
/// If standard output cannot be written.
pub(super) fn show(
    options: &Comparison,
    (tables, compared): (Tables, Compared<'_>),
    found: &DocumentFacts<'_>,
    (said, data): (Remarks<'_>, &Data),
) -> Result<(), Failure> {
    if let Some(page) = page(options)? {
        let screen =
            Show { format: OutputArg::Terminal, json: false, full: false, ..options.show.clone() };
        // Its first tables are those of a screen, whatever is printed.
        let first = contents(&screen, &options.look, &tables);
        let html = || Ok(comparison(&tables, compared, first, said, data));
        page.write(html, || changes(&tables, compared))?;
    }
    let text = match options.show.style {
        StyleArg::Benchstat => {
            let text = as_benchstat(options, &tables);
            // The program is about to end: giving back cell by cell would take a while.
            std::mem::forget(tables);
            text
        }
        StyleArg::Etalon => own(options, (tables, compared), found, said)?,
    };
    let is_clean =
        options.show.style == StyleArg::Etalon && format(&options.show) != OutputArg::Csv;
    let mut out: Box<dyn Write> = match is_clean {
        true => Box::new(io::stdout().lock()),
        false => output::data(Escapes::Text),
    };
    let written = out.write_all(text.as_bytes()).and_then(|()| out.flush());
    for reason in said.failed {
        output::remark(&note_sentence(reason));
    }
    written.map_err(|error| Failure::of_output(&error))
}

fn as_benchstat(options: &Comparison, tables: &Tables) -> String {
    if options.show.format != OutputArg::Csv {
        return benchstat::text(tables);
    }
    let benchstat::Csv { lines, warnings } = benchstat::csv(tables);
    if !options.show.quiet {
        warnings.lines().for_each(output::remark);
    }
    lines
}

fn own(
    options: &Comparison,
    (tables, compared): (Tables, Compared<'_>),
    found: &DocumentFacts<'_>,
    said: Remarks<'_>,
) -> Result<String, Failure> {
    let show = &options.show;
    // The lines are about all rows.
    match format(show) {
        OutputArg::Terminal if show.rows.summary => {
            return Ok(in_lines(&compare::summary(&tables)));
        }
        OutputArg::Markdown if show.rows.summary => {
            return Ok(compare::summary_markdown(&tables, said));
        }
        _ => {}
    }
    let contents = contents(show, &options.look, &tables);
    Ok(match format(show) {
        OutputArg::Terminal => {
            in_lines(&compare::terminal(tables, contents, said, output::table_view(show.full)))
        }
        OutputArg::Markdown => compare::markdown(tables, contents, said, output::detail(show.full)),
        OutputArg::Comment => {
            let again = show.framing.repeat.as_deref().or(found.again.as_deref());
            let frame = Frame { title: show.framing.title.as_deref(), again };
            compare::comment(&tables, said, frame)
        }
        OutputArg::Csv => {
            let mut out = Vec::new();
            let tables = arranged(tables, contents.rows);
            compare::csv(&tables, &mut out).map_err(|error| Failure::of_output(&error))?;
            String::from_utf8_lossy(&out).into_owned()
        }
        OutputArg::Json => {
            let tables = arranged(tables, contents.rows);
            document(options, (tables, compared), found, said)?
        }
        OutputArg::Github => compare::github(&arranged(tables, contents.rows), said.failed),
        OutputArg::Junit => compare::junit(&tables, said),
    })
}

/// The document of tables. What a check says nothing about stands there, and nowhere else.
fn document(
    options: &Comparison,
    (tables, compared): (Tables, Compared<'_>),
    found: &DocumentFacts<'_>,
    said: Remarks<'_>,
) -> Result<String, Failure> {
    let DocumentFacts { checked, thresholds, kind, executions, criteria, again: _ } = found;
    let of_check = checked.remarks();
    let notes: Vec<Note> =
        said.remarks.iter().filter(|note| !of_check.contains(note)).cloned().collect();
    let failed = checked.not_passed();
    let check = checks::are_asked(options).then(|| CheckOutcome {
        exit: checked.exit().code(),
        family: checked.family(),
        thresholds,
        waivers: checked.waivers(),
        failed: &failed,
        unchecked: checked.unchecked(),
    });
    let report = TableReport {
        kind: *kind,
        headline: compare::headline(&tables),
        executions,
        settings: json::Settings::new(criteria),
        tables: &[Titled::from_tables(tables)],
        controls: compared.controls,
        check,
        notes: &notes,
    };
    let mut out = Vec::new();
    json::tables(report, &mut out).map_err(|error| Failure::of_output(&error))?;
    Ok(String::from_utf8_lossy(&out).into_owned())
}

fn in_lines(lines: &[String]) -> String {
    let charset = output::charset();
    lines.iter().map(|line| format!("{}\n", charset.spell(line))).collect()
}

/// The contents of a report. A screen has the rows that changed or are unclear, differences first; everything else all
/// rows in the order of the data, unless something is typed.
fn contents<'a>(show: &'a Show, shape: &'a cli::Look, tables: &Tables) -> Contents<'a> {
    let cells = match show.view {
        ViewArg::Delta => CellView::Delta,
        ViewArg::Mean => CellView::Mean,
        ViewArg::Plain => CellView::Plain,
        ViewArg::OfMax => CellView::OfMax,
        ViewArg::OfMin => CellView::OfMin,
        ViewArg::Ratio => CellView::Ratio,
    };
    let for_readers = matches!(format(show), OutputArg::Terminal | OutputArg::Markdown);
    let is_screen = for_readers && cells == CellView::Delta && !show.full;
    let which = match show.rows.only {
        Some(OnlyArg::Changed) => Which::Changed,
        // A single data set has no rows that changed.
        None if is_screen && tables.columns.len() > 1 => Which::Open,
        None => Which::All,
    };
    let summary = match (shape.summary_row, cells) {
        (Some(SummaryArg::Geomean), _) => SummaryRow::GeometricMean,
        (Some(SummaryArg::Total), _) => SummaryRow::Total,
        (Some(SummaryArg::None), _) | (None, CellView::Plain | CellView::Mean) => SummaryRow::None,
        (None, _) => SummaryRow::GeometricMean,
    };
    let by = match show.sort {
        None if is_screen => By::Weight,
        None => By::Query,
        Some(RowSortArg::Delta) => By::Delta,
        Some(RowSortArg::Name) => By::Name,
        Some(RowSortArg::P) => By::P,
    };
    let rows = Arrangement { which, by };
    Contents { cells, summary, rows, look: look(show, shape) }
}

/// How tables look that are relative to something: percents are of a value that stands beside them.
fn look<'a>(show: &'a Show, asked: &'a cli::Look) -> Look<'a> {
    let of_row = matches!(show.view, ViewArg::OfMax | ViewArg::OfMin);
    Look {
        title: show.framing.title.as_deref(),
        centre: asked.centre(),
        raw: (asked.raw || of_row).then_some("raw value"),
        digits: asked.digits,
        fastest: asked.fastest,
        letters: asked.letters,
    }
}
