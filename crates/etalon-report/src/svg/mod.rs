//! Still pictures of a report: what a page shows without a script.
//!
//! A row for each benchmark, its name and figures above what is drawn, so that a picture can be narrow. Colours are
//! classes of the page's style sheet. Refuses to compute: what is drawn is in the analysis.

mod boxes;
mod changes;
mod forest;
mod scale;

use etalon_core::analysis::Analysis;
use etalon_core::tables::Tables;

use crate::markup::escaped;
use crate::text::shortened;
use scale::Scale;

/// Width of a picture in its own units, which are pixels where there is room.
const WIDTH: f64 = 480.0;
/// From the name of a row to that of the next.
const ROW: f64 = 42.0;
/// Below the rows: ticks and their labels.
const FOOT: f64 = 22.0;
/// Columns of a name beside its figures.
const NAME: usize = 36;

/// The pictures, each a figure with its caption.
pub(crate) fn stills(analysis: &Analysis) -> Vec<String> {
    let commands: Vec<usize> = (0..analysis.benchmarks.len())
        .filter(|at| analysis.benchmarks[*at].case.is_none())
        .collect();
    let is_ranked = analysis.rankings.iter().any(|it| it.scope.is_none());
    let mut stills = Vec::new();
    if !is_ranked {
        stills.extend(boxes::still(analysis, &analysis.settings.metric, &commands));
    }
    for ranking in &analysis.rankings {
        let members: Vec<usize> = ranking.by_value().iter().map(|row| row.benchmark).collect();
        stills.extend(forest::still(analysis, ranking));
        stills.extend(boxes::still(analysis, &ranking.metric.name, &members));
    }
    stills
}

/// The changes of a comparison: a picture for each unit and each data set but the first.
pub(crate) fn changes(tables: &Tables) -> Vec<String> {
    changes::stills(tables)
}

/// A row: what it is called, what is said of it, and what is drawn around a height.
struct Row {
    name: String,
    figures: String,
    drawn: String,
}

/// The height around which a row is drawn.
fn middle(at: usize) -> f64 {
    #[allow(clippy::cast_precision_loss, reason = "rows are few")]
    let at = at as f64;
    at * ROW + 28.0
}

/// A picture of rows over a scale; `behind` is drawn first, over the height that it is given.
fn figure(caption: &str, rows: &[Row], scale: &Scale, behind: impl Fn(f64) -> String) -> String {
    let bottom = middle(rows.len()) - 14.0;
    let mut drawn = behind(bottom);
    for (at, label) in scale.ticks() {
        drawn.push_str(&format!(
            "<line class=\"rule\" x1=\"{at:.1}\" x2=\"{at:.1}\" y1=\"18\" y2=\"{bottom}\"/>\
             <text class=\"quiet middle\" x=\"{at:.1}\" y=\"{}\">{}</text>\n",
            bottom + 15.0,
            escaped(&label)
        ));
    }
    for (at, row) in rows.iter().enumerate() {
        let base = middle(at) - 14.0;
        drawn.push_str(&format!(
            "<text x=\"0\" y=\"{base}\">{}<title>{}</title></text>\
             <text class=\"quiet end\" x=\"{WIDTH}\" y=\"{base}\">{}</text>\n{}\n",
            escaped(&shortened(&row.name, NAME, "…")),
            escaped(&row.name),
            escaped(&row.figures),
            row.drawn
        ));
    }
    let caption = escaped(caption);
    format!(
        "<figure><figcaption>{caption}</figcaption>\n\
         <svg role=\"img\" aria-label=\"{caption}\" viewBox=\"0 0 {WIDTH} {}\">\n{drawn}</svg></figure>\n",
        bottom + FOOT
    )
}
