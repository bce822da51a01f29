//! A column of a table against the first, a dot for each row: which rows differ, and where among small and large ones.

use etalon_core::model::Direction;
use etalon_core::tables::{Scatter, ScatterDot, Table};
use etalon_core::verdict::{Assessment, Verdict};

use super::legend::LINE;
use super::panel::{LEFT, Panel, RIGHT};
use super::{Scale, Still, WIDTH, along, said, top};
use crate::compare::words::label;
use crate::figures::Figures;
use crate::markup::escaped;
use crate::number::counted;
use crate::text::shortened;
use crate::tidied::under_title;
use crate::words::verdict_word;

/// The plot is a square.
const HEIGHT: f64 = RIGHT - LEFT;
/// Room for dots at its edges.
const EDGE: f64 = 8.0;
/// Rows of one verdict that are named in words, and columns of a name.
const NAMED: usize = 40;
const NAME: usize = 80;

/// How a dot looks, by its verdict; those that matter most are drawn last.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Shape {
    Unclear,
    Same,
    Differs,
    Better,
    Worse,
}

const SHAPES: [Shape; 5] =
    [Shape::Unclear, Shape::Same, Shape::Differs, Shape::Better, Shape::Worse];

impl Shape {
    fn from_assessment(assessment: &Assessment) -> Shape {
        match assessment.decision.verdict {
            Verdict::Faster => Shape::Better,
            Verdict::Slower => Shape::Worse,
            Verdict::Same => Shape::Same,
            Verdict::Unclear if assessment.decision.is_difference() => Shape::Differs,
            Verdict::Unclear => Shape::Unclear,
        }
    }

    fn class(self) -> &'static str {
        match self {
            Shape::Unclear => "open",
            Shape::Same => "alike",
            Shape::Differs => "other",
            Shape::Better => "cold",
            Shape::Worse => "hot",
        }
    }

    /// Its outline around a place: a circle, a diamond, a triangle that points to where its row went.
    fn around(self, (x, y): (f64, f64), direction: Direction) -> String {
        match self {
            Shape::Unclear | Shape::Same => {
                format!("M{:.1} {y:.1}a3 3 0 1 0 6 0a3 3 0 1 0 -6 0z", x - 3.0)
            }
            Shape::Differs => format!("M{x:.1} {:.1}l4 4l-4 4l-4 -4z", y - 4.0),
            Shape::Better | Shape::Worse => {
                let went_up = (self == Shape::Better) == (direction == Direction::Higher);
                let height = if went_up { 8 } else { -8 };
                format!("M{x:.1} {:.1}l-4.5 {height}h9z", y - 0.6 * f64::from(height))
            }
        }
    }
}

/// One plot; absent where nothing has an extent.
pub(super) fn still(
    table: &Table,
    scatter: &Scatter,
    title: &str,
    column: impl Fn(usize) -> String,
) -> Option<Still> {
    let (low, high) = scatter.ends;
    let (shown, unit) = along(&table.metric(), low.abs().max(high.abs()));
    let scale = || Scale::on(scatter.axis, shown.number(low), shown.number(high), &unit);
    let x = scale()?.between(LEFT + EDGE, RIGHT - EDGE);
    let y = scale()?.between(HEIGHT - EDGE, EDGE);
    let panel = Panel { x: &x, y: &y, top: 0.0, bottom: HEIGHT, across: "" };
    let ends = (shown.number(low), shown.number(high));
    let band = band(&panel, scatter, ends);
    let margin = if band.is_empty() { "" } else { "; shaded: what counts as the same" };
    let mut drawn = band + &panel.axes();
    drawn.push_str(&panel.line([(ends.0, ends.0), (ends.1, ends.1)].into_iter(), "one"));
    let (base, other) = (column(0), column(scatter.column));
    let mut entries = Vec::new();
    for shape in SHAPES {
        for dot in &scatter.dots {
            let assessment = assessment(table, dot.row, scatter.column);
            let Some(assessment) = assessment.filter(|it| Shape::from_assessment(it) == shape)
            else {
                continue;
            };
            let place = (x.at(shown.number(dot.base)), y.at(shown.number(dot.other)));
            drawn.push_str(&format!(
                "<path class=\"{}\" d=\"{}\"><title>{}</title></path>\n",
                shape.class(),
                shape.around(place, table.direction),
                escaped(&told(table, dot, assessment))
            ));
        }
        entries.extend(entry(table, scatter, shape));
    }
    entries.reverse();
    drawn.push_str(&legend(&entries, table.direction));
    Some(Still {
        name: "scatter",
        caption: format!(
            "{title}: {other} (upwards) against {base} (across), a dot for each row; dashed: no difference{margin}{}",
            some(scatter)
        ),
        said: entries.iter().map(|it| said(&it.word, &it.named)).collect(),
        height: HEIGHT + 34.0 + top(entries.len(), LINE),
        drawn,
    })
}

/// The band of sameness: all between two lines through the plot.
fn band(panel: &Panel<'_>, scatter: &Scatter, (low, high): (f64, f64)) -> String {
    let Some(bounds) = scatter.bounds.filter(|_| low >= 0.0) else { return String::new() };
    let (above, below) = (bounds.hi.min(high / low), bounds.lo.max(low / high));
    let corners = [
        (low, low),
        (low, low * above),
        (high / above, high),
        (high, high),
        (high, high * below),
        (low / below, low),
    ];
    panel.line(corners.into_iter(), "band")
}

fn assessment(table: &Table, row: usize, column: usize) -> Option<&Assessment> {
    table.rows.get(row)?.cells.get(column)?.as_ref()?.comparison.as_ref()?.assessment.as_deref()
}

/// `Sort: 1.20 ms → 1.31 ms, slower`.
fn told(table: &Table, dot: &ScatterDot, assessment: &Assessment) -> String {
    let values = [dot.base, dot.other];
    let figures = Figures::new(&under_title(&table.base), values);
    let [base, other] = values.map(|value| figures.show(value));
    let word = verdict_word(assessment, &table.base);
    format!("{}: {base} → {other}, {word}", name(table, dot.row))
}

/// A row's name, of which there are hundreds in a picture.
fn name(table: &Table, row: usize) -> String {
    shortened(&label(&table.rows[row].labels), NAME, "…")
}

/// A line of the legend: all rows of one verdict.
struct Entry {
    shape: Shape,
    word: String,
    count: String,
    /// How many, and which.
    named: String,
}

/// Absent without rows.
fn entry(table: &Table, scatter: &Scatter, shape: Shape) -> Option<Entry> {
    let found = |row: &usize| {
        assessment(table, *row, scatter.column)
            .is_some_and(|it| Shape::from_assessment(it) == shape)
    };
    let rows: Vec<usize> = (0..table.rows.len()).filter(found).collect();
    let word = verdict_word(assessment(table, *rows.first()?, scatter.column)?, &table.base);
    let names: Vec<String> = rows.iter().take(NAMED).map(|row| name(table, *row)).collect();
    let more = match rows.len() - names.len() {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let count = counted(rows.len(), "row", "rows");
    let named = format!("{count} ({}{more})", names.join(", "));
    Some(Entry { shape, word: word.to_owned(), count, named })
}

fn legend(entries: &[Entry], direction: Direction) -> String {
    let line = |(at, it): (usize, &Entry)| {
        let y = HEIGHT + 42.0 + top(at, LINE);
        format!(
            "<path class=\"{}\" d=\"{}\"/><text x=\"34\" y=\"{y}\">{}</text>\
             <text class=\"quiet end\" x=\"{WIDTH}\" y=\"{y}\">{}</text>\n",
            it.shape.class(),
            it.shape.around((13.0, y - 4.0), direction),
            it.word,
            it.count
        )
    };
    entries.iter().enumerate().map(line).collect()
}

/// Says that not all rows are drawn.
fn some(scatter: &Scatter) -> String {
    let (drawn, of) = (scatter.dots.len(), scatter.of);
    match drawn < of {
        true => format!(
            "; {drawn} of {of} rows: those with the clearest and largest changes, and some of the others"
        ),
        false => String::new(),
    }
}
