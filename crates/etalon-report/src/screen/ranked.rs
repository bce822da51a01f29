//! The table of compared benchmarks: names or parameters, the judged quantity, what else is known of them, and the
//! verdict of each against the first.

use etalon_core::analysis::{Analysis, MetricSummary, Ranked, Ranking, Versus};
use etalon_core::metrics;
use etalon_core::model::{Metric, Per};
use etalon_core::verdict::Verdict;

use super::{ROWS, foremost, verdicts};
use crate::figures::{self, Figures};
use crate::table::{ABSENT, Align, Cell, Column, INTERVAL, Table, names};
use crate::text::clean;
use crate::view::{Detail, View};
use crate::words;

/// The longest name in the title of a column.
const SHORT_NAME: usize = 16;

/// Quantities shown beside the judged one; the last has to go first where room is short, and counts were asked for.
const OF_COMMANDS: [&str; 4] = [metrics::WALL, metrics::INSTRUCTIONS, metrics::CPU, metrics::RSS];
const OF_CASES: [&str; 2] = [metrics::WALL, metrics::ALLOC];

/// The table, in the order of the judged quantity: on a screen of the rows that say most.
pub(super) fn table(analysis: &Analysis, ranking: &Ranking, view: View) -> Table {
    let room = if view.detail == Detail::Full { ranking.rows.len() } else { ROWS };
    table_of(analysis, ranking, room)
}

/// The table of so many rows: those that say most.
pub(super) fn table_of(analysis: &Analysis, ranking: &Ranking, room: usize) -> Table {
    let rows = &foremost::rows(ranking, room)[..];
    let left_out = ranking.rows.len() - rows.len();
    let mut columns = Columns::for_height(rows.len());
    names(analysis, ranking, rows, &mut columns);
    let judged = ranking.metric.name.as_str();
    columns.add(metric_column(analysis, rows, judged, figures::median));
    let beside: &[&str] = if ranking.scope.is_some() { &OF_CASES } else { &OF_COMMANDS };
    for name in beside.iter().copied().filter(|name| *name != judged) {
        let value = |it: &MetricSummary, figures: &Figures| {
            format!("{}{}", words::at_most(it), figures.show(it.median.value))
        };
        let (column, cells) = metric_column(analysis, rows, name, value);
        // Tables under one another have the same columns.
        if analysis.suites.len() > 1 || cells.iter().any(|cell| cell.text != ABSENT) {
            columns.add((column.if_room(), cells));
        }
    }
    against(analysis, ranking, rows, &mut columns);
    let mut table = columns.table();
    table.remarks.extend(foremost::more(left_out));
    table
}

/// One table of rows of several rankings, in the order given; each says which one it is of.
pub(super) fn together(
    analysis: &Analysis,
    rows: &[(&Ranking, &Ranked)],
    called: impl Fn(&Ranking, usize) -> String,
) -> Table {
    let mut columns = Columns::for_height(rows.len());
    let name = |(ranking, row): &(&Ranking, &Ranked)| Cell::words(called(ranking, row.benchmark));
    columns.add((Column::new("", Align::Left), rows.iter().map(name).collect()));
    let ranked: Vec<&Ranked> = rows.iter().map(|(_, row)| *row).collect();
    let judged = rows.first().map_or("", |(ranking, _)| ranking.metric.name.as_str());
    columns.add(metric_column(analysis, &ranked, judged, figures::median));
    let versus = |(ranking, row): &(&Ranking, &Ranked)| {
        if row.idle {
            return Cell::words(words::DOES_NOTHING);
        }
        let versus = ranking.first().and_then(|first| ranking.versus(row.benchmark, first));
        versus.map_or(Cell::words(""), |it| verdicts::cell_alone(&it, ranking))
    };
    let verdicts = rows.iter().map(versus).collect();
    columns.add((Column::new("against the baseline", Align::Left), verdicts));
    columns.table()
}

/// Columns as they come, each with its cells.
struct Columns {
    height: usize,
    caption: String,
    columns: Vec<Column>,
    cells: Vec<Vec<Cell>>,
}

impl Columns {
    fn for_height(height: usize) -> Columns {
        Columns { height, caption: String::new(), columns: Vec::new(), cells: Vec::new() }
    }

    fn add(&mut self, (column, cells): (Column, Vec<Cell>)) {
        debug_assert_eq!(cells.len(), self.height);
        self.columns.push(column);
        self.cells.push(cells);
    }

    fn table(self) -> Table {
        let row = |at: usize| self.cells.iter().map(|cells| cells[at].clone()).collect();
        let rows = (0..self.height).map(row).collect();
        Table { caption: self.caption, columns: self.columns, rows, ..Table::default() }
    }
}

/// The columns that tell rows apart: their names, or a column for each parameter of one template.
fn names(analysis: &Analysis, ranking: &Ranking, rows: &[&Ranked], columns: &mut Columns) {
    match template(analysis, rows) {
        Some((template, params)) => {
            columns.caption = template;
            for (at, name) in params.iter().enumerate() {
                let cell = |row: &&Ranked| {
                    let params = &analysis.benchmarks[row.benchmark].benchmark.key.params;
                    Cell::words(params.get(at).map_or_else(String::new, |param| clean(&param.1)))
                };
                let align = if at == 0 { Align::Left } else { Align::Right };
                columns.add((Column::new(name, align), rows.iter().map(cell).collect()));
            }
        }
        None => {
            let cell =
                |row: &&Ranked| Cell::words(words::ranked_name(analysis, ranking, row.benchmark));
            columns.add((Column::new("", Align::Left), rows.iter().map(cell).collect()));
        }
    }
}

/// The command line that all rows come from with their parameters filled in, and the parameters' names.
fn template(analysis: &Analysis, rows: &[&Ranked]) -> Option<(String, Vec<String>)> {
    let keys: Vec<_> =
        rows.iter().map(|row| &analysis.benchmarks[row.benchmark].benchmark.key).collect();
    let first = keys.first()?;
    let names: Vec<String> = first.params.iter().map(|param| clean(&param.0)).collect();
    if names.is_empty() || words::several_sources(analysis) {
        return None;
    }
    let unfilled = |key: &etalon_core::model::BenchmarkKey| {
        let fill = |text: String, (name, value): &(String, String)| {
            if value.is_empty() {
                text
            } else {
                text.replace(value.as_str(), &format!("{{{name}}}"))
            }
        };
        key.params.iter().fold(key.name.clone(), fill)
    };
    let text = unfilled(first);
    let same = |key: &&etalon_core::model::BenchmarkKey| {
        key.params.len() == first.params.len()
            && key.params.iter().zip(&first.params).all(|(a, b)| a.0 == b.0)
            && unfilled(key) == text
    };
    keys.iter().all(same).then(|| (clean(&text), names))
}

/// Whether the unit says what the metric is, and stands in the title: `B/call`. Tables under one title have units of
/// their own.
fn in_title(analysis: &Analysis, metric: &Metric) -> bool {
    analysis.suites.len() == 1 && metric.name == metrics::ALLOC && metric.per == Per::Iteration
}

/// A column of a metric in one unit.
fn metric_column(
    analysis: &Analysis,
    rows: &[&Ranked],
    name: &str,
    shown: impl Fn(&MetricSummary, &Figures) -> String,
) -> (Column, Vec<Cell>) {
    let summaries: Vec<Option<&MetricSummary>> =
        rows.iter().map(|row| analysis.benchmarks[row.benchmark].metric(name)).collect();
    let known: Vec<&MetricSummary> = summaries.iter().copied().flatten().collect();
    let Some(metric) = known.first().map(|it| &it.metric) else {
        let absent = summaries.iter().map(|_| Cell::words_or_absent(None)).collect();
        return (Column::new("", Align::Right), absent);
    };
    let medians: Vec<Vec<f64>> =
        summaries.iter().map(|it| it.iter().map(|it| it.median.value).collect()).collect();
    let figures = Figures::for_rows(metric.unit.base(), &medians);
    let titled = in_title(analysis, metric) && figures.windows(2).all(|it| it[0] == it[1]);
    let title = match titled {
        true => format!("{}/call", figures[0].symbol()),
        false => words::column_title(metric),
    };
    let text = |it: &MetricSummary, figures: &Figures| match titled {
        true => shown(it, figures).replacen(&format!(" {}", figures.symbol()), "", 1),
        false => shown(it, figures),
    };
    let cell = |(it, figures): (&Option<&MetricSummary>, &Figures)| {
        Cell::words_or_absent(it.map(|it| text(it, figures)))
    };
    (Column::new(&title, Align::Right), summaries.iter().zip(&figures).map(cell).collect())
}

/// The verdict of each row against the first; its interval where the answer does not say it; letters where all
/// pairs were compared.
fn against(analysis: &Analysis, ranking: &Ranking, rows: &[&Ranked], columns: &mut Columns) {
    let versus = ranking.against_first();
    if versus.is_empty() && analysis.suites.len() < 2 {
        return;
    }
    // Rows are sorted, and the first that was declared may stand anywhere.
    let moved =
        ranking.first().filter(|first| rows.first().is_some_and(|it| it.benchmark != *first));
    let title = match (&ranking.scope, ranking.reference, moved) {
        (Some(_), ..) => "against the baseline".to_owned(),
        (None, Some(_), _) => "against the reference".to_owned(),
        (None, None, None) => "against the first".to_owned(),
        (None, None, Some(first)) => {
            let name = |it: usize| words::ranked_name(analysis, ranking, it);
            // The first stands among the rows, and is to be told from the others.
            let others = rows.iter().map(|row| row.benchmark).filter(|it| *it != first);
            let all: Vec<String> = std::iter::once(first).chain(others).map(name).collect();
            let short = names::shortened(&all.iter().collect::<Vec<_>>(), SHORT_NAME, "…");
            format!("against {}", short.first().map_or("", String::as_str))
        }
    };
    let of = |row: &&Ranked| versus.get(row.benchmark);
    let suites = analysis.suites.len() > 1;
    let verdict = |row: &&Ranked| match of(row) {
        None if row.idle => Cell::words(format!("baseline, {}", words::DOES_NOTHING)),
        _ if row.idle => Cell::words(words::DOES_NOTHING),
        Some(versus) if suites => verdicts::cell_alone(versus, ranking),
        Some(versus) => verdicts::cell(versus, ranking),
        None if Some(row.benchmark) != ranking.reference => Cell::words(""),
        None => Cell::words(if ranking.scope.is_some() { "baseline" } else { "reference" }),
    };
    columns.add((Column::new(&title, Align::Left), rows.iter().map(verdict).collect()));
    let several = rows.len() > 2;
    if several && rows.iter().any(|row| !row.letters.is_empty()) {
        let letters = |row: &&Ranked| Cell::words(row.letters.clone());
        columns.add((Column::untitled("letters", Align::Left), rows.iter().map(letters).collect()));
    }
    if suites {
        // What is unclear has its interval beside the word; that of a difference gives way to memory.
        let differs = |it: &&Versus<'_>| it.verdict() != Verdict::Unclear;
        let interval = |row: &&Ranked| {
            of(row).filter(differs).map_or(Cell::words(""), |it| verdicts::interval(it, ranking))
        };
        let column = Column::untitled(INTERVAL, Align::Left).if_room();
        columns.add((column, rows.iter().map(interval).collect()));
    } else if several {
        let interval = |row: &&Ranked| {
            of(row)
                .filter(|_| !row.idle)
                .map_or(Cell::words(""), |it| verdicts::interval(it, ranking))
        };
        let column = Column::untitled(INTERVAL, Align::Left);
        columns.add((column, rows.iter().map(interval).collect()));
    }
}
