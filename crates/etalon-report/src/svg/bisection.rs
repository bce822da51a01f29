//! Commits of a bisection in their order, each against both ends: where the change is, one interval leaves 0 and the
//! other one comes to it.
//!
//! Owns which commits are drawn: all that were measured, and of very many those around what was named.

use etalon_core::bisect::Change;

use super::{BENCHMARKS, Row, Scale, Still, rows_of, top};
use crate::number::counted;
use crate::tidied::in_percent;

/// From one commit to the next.
const LINE: f64 = 44.0;

/// A commit of a picture.
pub(crate) struct Commit {
    /// Its name.
    pub(crate) name: String,
    /// Whether it was named.
    pub(crate) is_named: bool,
    /// It over the good end, and over the bad one; one is absent of the ends themselves.
    pub(crate) against: [Option<Change>; 2],
    /// The change against the good end in words.
    pub(crate) figures: String,
}

/// The picture of commits in their order; `ends` are the ends as typed, `what` is what changes.
pub(crate) fn still(commits: &[Commit], ends: &[String; 2], what: &str) -> Option<Still> {
    let named = commits.iter().position(|it| it.is_named).unwrap_or(0);
    let from = named.saturating_sub(BENCHMARKS / 2).min(commits.len().saturating_sub(BENCHMARKS));
    let shown = &commits[from..commits.len().min(from + BENCHMARKS)];
    let values = shown.iter().flat_map(|it| it.against).flatten().flat_map(|it| percents(&it));
    let scale = Scale::over(values.chain([0.0]), "%")?;
    let rows: Vec<Row> = shown.iter().enumerate().map(|it| drawn(&scale, it)).collect();
    let [good, bad] = ends;
    let more = match shown.len() < commits.len() {
        true => {
            format!("; {} of {}", shown.len(), counted(commits.len(), "commit", "commits"))
        }
        false => String::new(),
    };
    let caption = format!(
        "{what} of each measured commit, in their order: against {good} (blue, solid) and against {bad} (orange, dashed), \
         with intervals of 95 %{more}"
    );
    let zero = scale.at(0.0);
    let behind = |bottom: f64| {
        format!(
            "<line class=\"one\" x1=\"{zero:.1}\" x2=\"{zero:.1}\" y1=\"18\" y2=\"{bottom}\"/>\n"
        )
    };
    Some(rows_of(LINE, ("bisection", &caption), &rows, &scale, behind))
}

fn percents(change: &Change) -> [f64; 3] {
    [change.lo, change.estimate, change.hi].map(|it| in_percent(it.exp()))
}

fn drawn(scale: &Scale, (at, commit): (usize, &Commit)) -> Row {
    let mark = |(style, change): (usize, &Option<Change>)| {
        let Some(change) = change else { return String::new() };
        let y = top(at, LINE) + 24.0 + if style == 0 { 0.0 } else { 9.0 };
        let [lo, value, hi] = percents(change).map(|end| scale.at(end));
        let dashes = if style == 0 { "" } else { " stroke-dasharray=\"4 3\"" };
        format!(
            "<line class=\"interval s{style}\" x1=\"{lo:.1}\" x2=\"{hi:.1}\" y1=\"{y}\" y2=\"{y}\"{dashes}/>\
             <circle class=\"fill{style}\" cx=\"{value:.1}\" cy=\"{y}\" r=\"3.5\"/>"
        )
    };
    let marks: String = commit.against.iter().enumerate().map(mark).collect();
    let band = match commit.is_named {
        true => format!(
            "<rect class=\"band\" x=\"0\" width=\"{}\" y=\"{}\" height=\"{}\"/>",
            super::WIDTH,
            top(at, LINE),
            LINE - 4.0
        ),
        false => String::new(),
    };
    Row { name: commit.name.clone(), figures: commit.figures.clone(), drawn: band + &marks }
}
