//! The ranking: a row per benchmark, best first, each against the first; in BestGuess's words, or with every test.

use etalon_core::analysis::{Analysis, Comparison, Ranked, Ranking};
use etalon_core::compare::Scale;
use etalon_core::metrics;
use etalon_core::verdict::Verdict;

use super::columns::RankingColumns;
use super::explain;
use crate::number::{DisplayUnit, fixed, within};
use crate::table::{Align, Cell, Column, Table};
use crate::text::{right, width, wrap};
use crate::view::{Explanation, Style, View};
use crate::words;

/// The longest metric whose name stands over its column; of others it is in the title.
const LONGEST_TITLE: usize = 24;
/// The longest unit that stands beside every median; others stand in the title.
const LONGEST_UNIT: usize = 8;
/// The longest number under "Slower by".
const NUMBER: usize = 9;
/// Where the lines under a row start.
const INDENT: usize = 10;

/// The ranking's lines.
pub(super) fn lines(analysis: &Analysis, ranking: &Ranking, view: View) -> Vec<String> {
    let table = table(analysis, ranking, view.style);
    let layout = RankingColumns::new(&table, view.width);
    let title = match view.style {
        Style::BestGuess => best_guess(analysis, ranking),
        _ => title(analysis, ranking),
    };
    let mut lines = wrap(&title, view.width);
    lines.extend([String::new(), layout.header()]);
    for (place, row) in ranking.rows.iter().enumerate() {
        lines.extend(layout.row(place, view.colour));
        if place == 0 && ranking.rows.len() > 1 {
            lines.extend(match view.explanation {
                Explanation::Brief => vec![layout.rule()],
                Explanation::Full => vec![String::new(), layout.header()],
            });
        }
        let explained = view.explanation == Explanation::Full;
        if let Some(at) = row.comparison.filter(|_| explained) {
            lines.extend(details(ranking, &ranking.comparisons[at], view));
        }
    }
    lines.push(layout.rule());
    if view.explanation == Explanation::Full {
        lines.extend(legend(ranking, view));
    }
    lines
}

/// BestGuess's title: with how many are the same as the first, each as every other.
fn best_guess(analysis: &Analysis, ranking: &Ranking) -> String {
    let (_, many) = words::benchmark_words(analysis);
    let machine = words::machine(ranking).map_or(String::new(), |machine| format!(", {machine}"));
    match ranking.identical() {
        0 | 1 => format!("Best guess ranking{machine}:"),
        n => format!("Best guess ranking{machine}: The top {n} {many} performed identically"),
    }
}

/// "Identically" is said of commands that are `same`, each as every other, and within what.
fn title(analysis: &Analysis, ranking: &Ranking) -> String {
    let metric = words::lower_first(&words::metric_title(&ranking.metric));
    let unit = DisplayUnit::fitting(&ranking.metric, 1.0);
    let metric = match unit.symbol() {
        short if short_unit(short) == short => metric,
        long => format!("{metric} in {long}"),
    };
    let metric = match words::part(analysis, ranking) {
        Some(part) => format!("{metric}, {part}"),
        None => metric,
    };
    let within = words::margin_text(ranking.criteria.margin, ranking.metric.unit.base());
    let whom = if ranking.scope.is_some() { "the baseline" } else { "the reference" };
    match (ranking.identical(), ranking.reference) {
        (0 | 1, _) => format!("Ranking by {metric}:"),
        (n, None) => {
            format!("Ranking by {metric}: the top {n} performed identically (within {within})")
        }
        (n, Some(_)) => format!(
            "Ranking by {metric}: {} performed identically to {whom} (within {within})",
            n - 1
        ),
    }
}

/// The ranking as a table: mark, letters, name, median, verdict.
fn table(analysis: &Analysis, ranking: &Ranking, style: Style) -> Table {
    let title = match (style, ranking.metric.name.as_str()) {
        (Style::BestGuess, metrics::CPU) => "Total time".to_owned(),
        _ => words::metric_title(&ranking.metric),
    };
    let title = if width(&title) <= LONGEST_TITLE { title } else { "Median".to_owned() };
    let last = if style == Style::BestGuess { "Slower by" } else { "Verdict" };
    let first = ranking.rows.first();
    let what = first.map_or("", |row| words::kind(&analysis.benchmarks[row.benchmark]));
    let columns = [
        Column::new("", Align::Left),
        Column::new("", Align::Left),
        Column::new(what, Align::Left),
        Column::new(&title, Align::Right),
        Column::new(last, Align::Right),
    ];
    let base = ranking.metric.unit.base();
    let row = |row: &Ranked| {
        let assessment = row.comparison.map(|i| &ranking.comparisons[i].assessment);
        let verdict = assessment.map(|it| it.decision.verdict);
        let is_first = first.is_some_and(|first| first.benchmark == row.benchmark);
        let mark = if is_first || verdict == Some(Verdict::Same) { "✻" } else { " " };
        let number = right(&(row.benchmark + 1).to_string(), 3);
        vec![
            Cell::words(mark),
            Cell::words(if style == Style::BestGuess { "" } else { &row.letters }),
            Cell::words(format!("{number}: {}", words::case_name(analysis, row.benchmark))),
            Cell::words(median(ranking, row)),
            match (style, row.comparison) {
                (Style::BestGuess, Some(at)) => slower_by(ranking, &ranking.comparisons[at]),
                _ => assessment.map_or(Cell::words(""), |it| {
                    Cell::verdict(words::verdict_word(it, base), it.decision.verdict)
                }),
            },
        ]
    };
    let rows = ranking.rows.iter().map(row).collect();
    Table { columns: columns.to_vec(), rows, ..Table::default() }
}

/// Difference and ratio of the medians, as BestGuess has them.
fn slower_by(ranking: &Ranking, comparison: &Comparison) -> Cell {
    let evidence = &comparison.assessment.evidence;
    let Some(ratio) = evidence.ratio_of_medians.filter(|it| it.is_finite()) else {
        return Cell::words("");
    };
    let difference = evidence.base_median * (ratio - 1.0);
    let shown = DisplayUnit::fitting(&ranking.metric, difference);
    let difference =
        format!("{} {}", shown.plain_within(difference, NUMBER), short_unit(shown.symbol()));
    let ratio = within(fixed(ratio, 2), ratio, NUMBER);
    Cell::words(format!("{}  {ratio:>6}x", difference.trim_end()))
}

/// A row's median with its unit.
fn median(ranking: &Ranking, row: &Ranked) -> String {
    let Some(median) = row.median else { return "no value".to_owned() };
    let shown = DisplayUnit::fitting(&ranking.metric, median);
    let text = format!("{} {}", shown.plain(median), short_unit(shown.symbol()));
    text.trim_end().to_owned()
}

/// A unit that stands in the title is left out of the rows.
fn short_unit(symbol: &str) -> &str {
    if width(symbol) <= LONGEST_UNIT { symbol } else { "" }
}

fn details(ranking: &Ranking, c: &Comparison, view: View) -> Vec<String> {
    let indent = " ".repeat(INDENT);
    let mut lines = explain::tests(ranking, c, view);
    if let Some(why) = words::why(&c.assessment) {
        let why = match c.assessment.decision.verdict {
            Verdict::Unclear => format!("unclear: {why}"),
            _ => why,
        };
        lines.extend(wrap(&why, view.width - INDENT).iter().map(|l| format!("{indent}{l}")));
    }
    lines
}

fn legend(ranking: &Ranking, view: View) -> Vec<String> {
    let shown: Vec<&Comparison> =
        ranking.rows.iter().filter_map(|r| r.comparison).map(|i| &ranking.comparisons[i]).collect();
    if shown.is_empty() {
        return Vec::new();
    }
    let against = match (&ranking.scope, ranking.reference) {
        (Some(_), _) => "the baseline",
        (None, Some(_)) => "the reference",
        (None, None) => "the first row",
    };
    let levels = words::levels_text(shown.iter().map(|c| &c.assessment));
    let mut text = format!("Against {against}; intervals at {levels}.");
    let margin = words::margin_text(ranking.criteria.margin, ranking.metric.unit.base());
    text.push_str(&format!(" Same: within {margin}."));
    let lettered = ranking.rows.iter().filter(|row| !row.letters.is_empty()).count();
    if view.style != Style::BestGuess && lettered > 2 {
        text.push_str(&format!(
            " Rows without a common letter differ ({} over {} comparisons).",
            words::correction_text(ranking.criteria.correction()),
            ranking.comparisons.len()
        ));
    }
    if shown.iter().any(|c| c.assessment.evidence.scale == Scale::Difference) {
        text.push_str(
            " Judged by the difference where there is no ratio or the margin is absolute.",
        );
    }
    wrap(&text, view.width - 2).into_iter().map(|line| format!("  {line}")).collect()
}
