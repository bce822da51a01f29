//! The ranking: a row per benchmark, best first, each against the first.

use etalon_core::analysis::{Analysis, Comparison, Ranked, Ranking};
use etalon_core::compare::{Design, Scale};
use etalon_core::verdict::Verdict;

use super::{Explanation, View, explain, style, words};
use crate::number::{Shown, percent};
use crate::text::{left, right, width, wrap};

/// Width of mark and letters before the name, with their spaces.
const MARGIN: usize = 2;
const MARK: usize = 2;
/// Width of the median with its unit.
const MEDIAN: usize = 12;
/// Width of the verdict.
const VERDICT: usize = 10;
/// Where the lines under a row start.
const INDENT: usize = 10;

/// The ranking's lines.
pub(super) fn lines(analysis: &Analysis, ranking: &Ranking, view: View) -> Vec<String> {
    let letters = ranking.rows.iter().map(|row| width(&row.letters)).max().unwrap_or(0).min(8);
    let layout = Layout { letters, width: view.width - 2 };
    let mut lines = vec![title(ranking), String::new(), layout.header(ranking)];
    for (place, row) in ranking.rows.iter().enumerate() {
        lines.extend(layout.row(analysis, ranking, row, view));
        if place == 0 && view.explanation == Explanation::Brief {
            lines.push(layout.rule());
        }
        if let Some(comparison) = row.comparison.map(|i| &ranking.comparisons[i]) {
            lines.extend(details(analysis, ranking, comparison, view));
        }
    }
    lines.push(layout.rule());
    lines.extend(legend(analysis, ranking, view));
    lines
}

fn title(ranking: &Ranking) -> String {
    let metric = words::metric_title(&ranking.metric.name);
    let same = ranking
        .rows
        .iter()
        .filter_map(|row| row.comparison)
        .take_while(|&i| ranking.comparisons[i].decision.verdict == Verdict::Same)
        .count();
    match same {
        0 => format!("Ranking by {}:", lower_first(&metric)),
        n => format!("Ranking by {}: the top {} performed the same", lower_first(&metric), n + 1),
    }
}

fn lower_first(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |c| c.to_lowercase().chain(chars).collect())
}

/// The columns of the table.
struct Layout {
    letters: usize,
    width: usize,
}

impl Layout {
    fn name_width(&self) -> usize {
        self.width - MARK - self.letters - 1 - MEDIAN - VERDICT
    }

    fn rule(&self) -> String {
        format!("{}{}", " ".repeat(MARGIN), "═".repeat(self.width))
    }

    /// The rule with the column titles let into it.
    fn header(&self, ranking: &Ranking) -> String {
        let titled = |text: &str, columns: usize| {
            let text = format!(" {text} ");
            let bars = columns.saturating_sub(width(&text) + 1);
            format!("{}{text}═", "═".repeat(bars))
        };
        let title = words::metric_title(&ranking.metric.name);
        let median = titled(&title, MEDIAN.max(width(&title) + 3));
        let verdict = titled("Verdict", VERDICT);
        let name = self.width - width(&median) - width(&verdict);
        let start = format!("{} Command ", "═".repeat(MARK + self.letters + 1));
        let bars = name.saturating_sub(width(&start));
        format!("{}{start}{}{median}{verdict}", " ".repeat(MARGIN), "═".repeat(bars))
    }

    fn row(&self, analysis: &Analysis, ranking: &Ranking, row: &Ranked, view: View) -> Vec<String> {
        let verdict = row.comparison.map(|i| ranking.comparisons[i].decision.verdict);
        let first = ranking.rows.first().is_some_and(|r| r.benchmark == row.benchmark);
        let mark = if first || verdict == Some(Verdict::Same) { "✻" } else { " " };
        let number = right(&(row.benchmark + 1).to_string(), 3);
        let name = format!("{number}: {}", words::name(analysis, row.benchmark));
        let mut names = wrapped_name(&name, self.name_width()).into_iter();
        let median = row.median.map_or_else(
            || "no value".to_owned(),
            |m| {
                let shown = Shown::fitting(&ranking.metric, m);
                format!("{} {}", shown.plain(m), shown.symbol())
            },
        );
        let word = verdict.map_or("", Verdict::word);
        let word = right(word, VERDICT);
        let word = verdict.map_or(word.clone(), |v| style::verdict(&word, v, view.colour));
        let mut lines = vec![format!(
            "{}{}{} {}{}{word}",
            " ".repeat(MARGIN),
            left(mark, MARK),
            left(&row.letters, self.letters),
            left(&names.next().unwrap_or_default(), self.name_width()),
            right(&median, MEDIAN),
        )];
        let indent = " ".repeat(MARGIN + MARK + self.letters + 1 + 5);
        lines.extend(names.map(|rest| format!("{indent}{rest}")));
        lines
    }
}

/// A long name over several lines, the later ones without the number's column.
fn wrapped_name(name: &str, columns: usize) -> Vec<String> {
    let lead: String = name.chars().take(5).collect();
    let rest: String = name.chars().skip(5).collect();
    let mut lines = wrap(&rest, columns - 6);
    if let Some(first) = lines.first_mut() {
        *first = format!("{lead}{first}");
    }
    lines
}

fn details(analysis: &Analysis, ranking: &Ranking, c: &Comparison, view: View) -> Vec<String> {
    let indent = " ".repeat(INDENT);
    let mut lines = Vec::new();
    match view.explanation {
        Explanation::Brief => lines.push(format!("{indent}{}", numbers(ranking, c))),
        Explanation::Full => lines.extend(explain::tests(analysis, ranking, c)),
    }
    if let Some(why) = words::why(c) {
        let why = match c.decision.verdict {
            Verdict::Unclear => format!("unclear: {why}"),
            _ => why,
        };
        lines.extend(wrap(&why, view.width - INDENT).iter().map(|l| format!("{indent}{l}")));
    }
    lines
}

/// Ratio, difference and probability of superiority in one line of at most 70 columns.
fn numbers(ranking: &Ranking, comparison: &Comparison) -> String {
    let evidence = &comparison.evidence;
    let ratio = evidence.ratio.as_ref();
    let ratio = ratio.map_or_else(|| "no ratio: values ≤ 0".to_owned(), words::ratio_text);
    format!("{ratio}   {}   P {:.2}", difference(ranking, comparison), evidence.superiority)
}

/// The difference with its interval, one unit for all three numbers.
pub(super) fn difference(ranking: &Ranking, comparison: &Comparison) -> String {
    let estimate = &comparison.evidence.difference;
    let magnitude = match &estimate.interval {
        Ok(i) => estimate.value.abs().max(i.half_width()),
        Err(_) => estimate.value.abs(),
    };
    let shown = Shown::fitting(&ranking.metric, magnitude);
    let sign = if estimate.value > 0.0 { "+" } else { "" };
    match &estimate.interval {
        Ok(i) => {
            let digits = shown.digits(estimate.value, shown.decimals(i));
            format!("{sign}{digits} {} ({})", shown.symbol(), shown.interval(i))
        }
        Err(_) => format!("{sign}{} {}", shown.plain(estimate.value), shown.symbol()),
    }
}

fn legend(analysis: &Analysis, ranking: &Ranking, view: View) -> Vec<String> {
    let shown: Vec<&Comparison> =
        ranking.rows.iter().filter_map(|r| r.comparison).map(|i| &ranking.comparisons[i]).collect();
    if shown.is_empty() {
        return Vec::new();
    }
    let settings = &analysis.settings;
    let against = if ranking.reference.is_some() { "the reference" } else { "the first row" };
    let blocked = shown.iter().all(|c| c.evidence.design == Design::Blocks);
    let better = if blocked { "in the same block" } else { "over all pairs of runs" };
    let mixed = !blocked && shown.iter().any(|c| c.evidence.design == Design::Blocks);
    let better =
        if mixed { "within blocks where there are any, else over all pairs" } else { better };
    let mut text = format!(
        "Against {against}: ratio and difference with {} intervals; P: probability of a lower \
         reading, {better}.",
        percent(settings.confidence)
    );
    let margin = words::margin_text(settings.margin, ranking.metric.unit.base());
    text.push_str(&format!(" Same: within {margin}."));
    if ranking.rows.iter().any(|row| !row.letters.is_empty()) && ranking.rows.len() > 2 {
        text.push_str(&format!(
            " Rows without a common letter differ ({} over {} comparisons).",
            words::correction_text(ranking.correction),
            ranking.comparisons.len()
        ));
    }
    if shown.iter().any(|c| c.evidence.scale == Scale::Difference) {
        text.push_str(
            " Judged by the difference where there is no ratio or the margin is absolute.",
        );
    }
    wrap(&text, view.width - 2).into_iter().map(|line| format!("  {line}")).collect()
}
