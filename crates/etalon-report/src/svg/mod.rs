//! Still pictures of a report: what a page shows without a script, and what `--svg` writes.
//!
//! A picture is as wide as a column of text and can be narrow: names and figures stand above what is drawn. Colours
//! are classes of `style.css`, light and dark. Refuses to compute: what is drawn is in the analysis, in tables, or
//! in `etalon_core::plots`.

mod bisection;
mod boxes;
mod changes;
mod controls;
mod cumulative;
mod density;
mod differences;
mod forest;
mod growth;
mod heat;
mod legend;
mod noise_shares;
mod over_time;
mod panel;
mod quantiles;
mod rows;
mod scale;
mod scatter;
mod sorted_rows;
mod still;

use std::collections::HashSet;

use etalon_core::analysis::Analysis;
use etalon_core::model::Metric;
use etalon_core::plots::{Group, Growing};
use etalon_core::tables::{Arrangement, Beside, By, Controls, Tables, Which, arranged};
use etalon_core::units::{Base, Unit, is_rate};

use crate::compare::presented::{Presentation, titled};
use crate::compare::words::{Columns, title};
use crate::markup::escaped;
use crate::number::DisplayUnit;
use crate::table::names;
use crate::text::{clean, shortened};
pub(crate) use bisection::{Commit, still as bisection};
use scale::Scale;
pub(crate) use still::figures;
pub use still::{Still, standing_alone};

/// Width of a picture in its own units, which are pixels where there is room. Because: a telephone is 360 wide, and
/// makes letters of a wider picture too small to be read.
const WIDTH: f64 = 400.0;
/// Benchmarks that a picture has a row for: a picture of 100,000 is read by nobody, and takes 30 MB.
const BENCHMARKS: usize = 100;
/// From the name of a row to that of the next.
const ROW: f64 = 42.0;
/// Below the rows: ticks and their labels.
const FOOT: f64 = 22.0;
/// Columns of a name beside its figures.
const NAME: usize = 36;
/// Width of a letter of a name, and of one of its figures, as most fonts have them.
const LETTER: f64 = 7.4;
const FIGURE: f64 = 6.5;

/// Material for the pictures of an analysis, beside the analysis itself.
#[derive(Debug, Clone, Copy, Default)]
pub struct Drawn<'a> {
    /// Readings, of every ranking.
    pub groups: &'a [Group],
    /// Metrics that grow over a size.
    pub growing: &'a [Growing],
}

/// The pictures of an analysis, in the order in which they are read.
#[must_use]
pub fn stills(analysis: &Analysis, drawn: Drawn<'_>) -> Vec<Still> {
    let commands: Vec<usize> = (0..analysis.benchmarks.len())
        .filter(|at| analysis.benchmarks[*at].case.is_none())
        .collect();
    let is_ranked = analysis.rankings.iter().any(|it| it.scope.is_none());
    let mut stills = Vec::new();
    if !is_ranked {
        let group = drawn.groups.iter().find(|it| it.ranking.is_none());
        stills.extend(spread(analysis, group, &analysis.settings.metric, &commands));
    }
    for (at, ranking) in analysis.rankings.iter().enumerate() {
        let members: Vec<usize> = ranking.by_value().iter().map(|row| row.benchmark).collect();
        let group = drawn.groups.iter().find(|it| it.ranking == Some(at));
        let mut of_ranking: Vec<Still> = forest::still(analysis, ranking).into_iter().collect();
        of_ranking.extend(spread(analysis, group, &ranking.metric.name, &members));
        // What is called the same elsewhere is of other cases here.
        if let Some(part) = crate::words::part(analysis, ranking) {
            of_ranking.iter_mut().for_each(|it| it.caption = format!("{part}: {}", it.caption));
        }
        stills.append(&mut of_ranking);
    }
    let of_size = |it: &Growing| {
        growth::still(it, &crate::words::metric_title(&it.metric), |_| String::new())
    };
    stills.extend(drawn.growing.iter().filter_map(of_size));
    stills.extend(noise_shares::still(analysis));
    stills
}

/// The readings of some benchmarks: how they spread, how they went, and each beside what it is compared with.
fn spread(
    analysis: &Analysis,
    group: Option<&Group>,
    metric: &str,
    members: &[usize],
) -> Vec<Still> {
    let boxes = || boxes::still(analysis, metric, members);
    let Some(group) = group else { return boxes().into_iter().collect() };
    let name = |at: usize| crate::words::case_name(analysis, at);
    let mut stills = Vec::new();
    // All of many as boxes, some of them in detail.
    stills.extend(if group.of > group.benchmarks.len() { boxes() } else { None });
    stills.extend(density::still(analysis, group));
    stills.extend(cumulative::still(analysis, group));
    stills.extend(over_time::still(analysis, group));
    let of_some =
        |it: Still| Still { caption: it.caption + &some_of(it.said.len(), group.of_pairs), ..it };
    stills.extend(differences::still(&group.metric, &group.pairs, name).map(of_some));
    stills.extend(quantiles::still(&group.metric, &group.pairs, name, "readings").map(of_some));
    stills
}

/// Material for the pictures of a comparison, beside its tables.
#[derive(Debug, Clone, Copy, Default)]
pub struct Compared<'a> {
    /// Rows in detail.
    pub beside: &'a [Beside],
    /// The controls: second builds of two sides.
    pub controls: Option<&'a Controls>,
}

/// The changes of a comparison: those of what leads with their rows together and the largest changes in detail, then
/// those of its parts and side effects.
#[must_use]
pub fn changes(tables: &Tables, compared: Compared<'_>) -> Vec<Still> {
    let (mut leading, parts) = change_pictures(tables, compared);
    leading.extend(parts);
    leading
}

/// Pictures of changes one by one: of each unit one for each data set but the first, or one with their controls.
pub(crate) fn change_pictures(
    tables: &Tables,
    Compared { beside, controls }: Compared<'_>,
) -> (Vec<Still>, Vec<Still>) {
    let names = Columns::new(tables);
    let by_weight = arranged(tables.clone(), Arrangement { which: Which::All, by: By::Weight });
    let (mut leading, mut parts) = (Vec::new(), Vec::new());
    for table in &by_weight.tables {
        let title = title(tables, table);
        let beside = controls.and_then(|it| controls::still(table, it, &title, &names));
        let has_all = controls.is_some_and(|it| controls::has_all(table, it));
        let stills = if has_all { Vec::new() } else { changes::stills(table, &title, &names) };
        let to = if tables.leads(table) { &mut leading } else { &mut parts };
        to.extend(beside.into_iter().chain(stills));
    }
    leading.extend(rows::stills(tables, |table| title(tables, table)));
    leading.extend(changes::in_detail(tables, beside, controls.is_some()));
    (leading, parts)
}

/// The tables of an experiment file as colours, and their rows together.
#[must_use]
pub fn heat(tables: &Tables, wanted: &Presentation<'_>) -> Vec<Still> {
    let mut stills = heat::stills(tables, wanted);
    stills.extend(rows::stills(tables, |table| titled(wanted.look.title, tables, table)));
    stills
}

/// How values of a metric stand along an axis, and the unit there: bytes and items per second have a prefix, too. What
/// is counted is in the caption.
fn along(metric: &Metric, largest: f64) -> (DisplayUnit, String) {
    let as_bytes = |unit: &dyn Fn(&str) -> String| {
        let bytes = Metric { unit: Unit::new("B"), ..metric.clone() };
        let shown = DisplayUnit::fitting(&bytes, largest);
        let unit = unit(shown.symbol());
        (shown, unit)
    };
    match metric.unit.base() {
        Base::Other(rate) if is_rate(rate) => match rate.split_once('/') {
            Some(("B", per)) => return as_bytes(&|symbol| format!("{symbol}/{}", clean(per))),
            Some(("items", per)) => {
                return as_bytes(&|symbol| {
                    format!("{}/{}", symbol.strip_suffix('B').unwrap_or(symbol), clean(per))
                });
            }
            _ => {}
        },
        _ => {}
    }
    let shown = DisplayUnit::fitting(metric, largest);
    let unit = shown.symbol().to_owned();
    (shown, unit)
}

/// The least and the greatest of some values; the infinities, the greater one first, of none.
fn extent(values: impl Iterator<Item = f64>) -> (f64, f64) {
    values.fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), it| (a.min(it), b.max(it)))
}

/// A row: what it is called, what is said of it, and what is drawn around a height.
struct Row {
    name: String,
    figures: String,
    drawn: String,
}

/// The height around which a row is drawn.
fn middle(at: usize) -> f64 {
    top(at, ROW) + 28.0
}

/// Where a row begins, of rows of a height.
fn top(at: usize, height: f64) -> f64 {
    #[allow(clippy::cast_precision_loss, reason = "rows are few")]
    let at = at as f64;
    at * height
}

/// A picture of rows over a scale; `behind` is drawn first, over the height that it is given.
fn figure(
    (name, caption): (&'static str, &str),
    rows: &[Row],
    scale: &Scale,
    behind: impl Fn(f64) -> String,
) -> Still {
    rows_of(ROW, (name, caption), rows, scale, behind)
}

/// Pictures of rows of another height.
fn rows_of(
    height: f64,
    (name, caption): (&'static str, &str),
    rows: &[Row],
    scale: &Scale,
    behind: impl Fn(f64) -> String,
) -> Still {
    let bottom = top(rows.len(), height) + 14.0;
    let mut drawn = behind(bottom);
    for (at, label) in scale.ticks() {
        drawn.push_str(&format!(
            "<line class=\"rule\" x1=\"{at:.1}\" x2=\"{at:.1}\" y1=\"18\" y2=\"{bottom}\"/>\
             <text class=\"quiet middle\" x=\"{at:.1}\" y=\"{}\">{}</text>\n",
            bottom + 15.0,
            escaped(&label)
        ));
    }
    let (names, pictures): (Vec<(String, String)>, Vec<&String>) =
        rows.iter().map(|row| ((row.name.clone(), row.figures.clone()), &row.drawn)).unzip();
    drawn.push_str(&headings(&names, height));
    for picture in pictures {
        drawn.push_str(picture);
        drawn.push('\n');
    }
    let said = rows.iter().map(|row| said(&row.name, &row.figures)).collect();
    Still { name, caption: caption.to_owned(), said, height: bottom + FOOT, drawn }
}

/// Of each row the name, and figures at the other end of the line, over rows of a height.
fn headings(rows: &[(String, String)], height: f64) -> String {
    let short = beside(rows.iter().map(|(name, figures)| (name, figures.as_str())), 0.0);
    let heading = |(at, (short, (name, figures))): (usize, (&String, &(String, String)))| {
        line_of((short, name, figures), (0.0, top(at, height) + 14.0))
    };
    short.iter().zip(rows).enumerate().map(heading).collect()
}

/// A name that may be short, with the whole one for who points at it, and figures.
fn line_of((short, name, figures): (&str, &str, &str), (x, y): (f64, f64)) -> String {
    format!(
        "<text x=\"{x}\" y=\"{y}\">{}<title>{}</title></text>\
         <text class=\"quiet end\" x=\"{WIDTH}\" y=\"{y}\">{}</text>\n",
        escaped(short),
        escaped(name),
        escaped(figures)
    )
}

/// Names from a place on, each as long as there is room beside its figures, which take theirs first. Where names become
/// alike by that, all have the room of the one with the least, and what tells them apart stays.
#[allow(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    clippy::cast_precision_loss,
    reason = "letters of a line"
)]
fn beside<'a>(rows: impl Iterator<Item = (&'a String, &'a str)>, from: f64) -> Vec<String> {
    let room = |figures: &str| {
        let taken = from + figures.chars().count() as f64 * FIGURE + ROW / 4.0;
        NAME.min(((WIDTH - taken) / LETTER).max(8.0) as usize)
    };
    let (names, rooms): (Vec<&String>, Vec<usize>) =
        rows.map(|(name, figures)| (name, room(figures))).unzip();
    let own: Vec<String> =
        names.iter().zip(&rooms).map(|(name, room)| shortened(name, *room, "…")).collect();
    let different = |all: &mut dyn Iterator<Item = &String>| all.collect::<HashSet<_>>().len();
    match different(&mut own.iter()) < different(&mut names.iter().copied()) {
        true => names::shortened(&names, rooms.into_iter().min().unwrap_or(NAME), "…"),
        false => own,
    }
}

/// Says that not all are drawn.
fn some_of(drawn: usize, of: usize) -> String {
    if drawn < of { format!("; the first {drawn} of {of}") } else { String::new() }
}

/// Says how points were chosen, where not all are drawn.
fn thinned(mut drawn_of: impl Iterator<Item = (usize, usize)>) -> &'static str {
    match drawn_of.any(|(drawn, of)| drawn < of) {
        true => "; of many readings the smallest and the largest of each column of the picture",
        false => "",
    }
}

/// A row in words.
fn said(name: &str, figures: &str) -> String {
    if figures.is_empty() { name.to_owned() } else { format!("{name}: {figures}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Would catch rows of a picture that cannot be told apart, and names that lose letters which have room.
    #[test]
    fn names_that_differ_stay_apart() {
        let rows: Vec<(String, &str)> = [
            ("head -n 2000 numbers | sort >/dev/null", "50 % 1.060 ×, 90 % 1.885 ×"),
            ("head -n 20000 numbers | sort >/dev/null", "50 % 1.060 ×, 90 % 1.885 ×"),
            ("head -n 2000 numbers | sort -g >/dev/null", "50 % 1.060 ×, 90 % 1.885 ×"),
            ("short", ""),
        ]
        .map(|(name, figures)| (name.to_owned(), figures))
        .to_vec();
        let short = beside(rows.iter().map(|(name, figures)| (name, *figures)), 0.0);
        assert_eq!(short.iter().collect::<HashSet<_>>().len(), 4, "{short:?}");
        assert_eq!(short[3], "short");
        let one = beside(rows.iter().take(1).map(|(name, _)| (name, "")), 0.0);
        assert!(one[0].chars().count() > 30, "{one:?}");
    }
}
