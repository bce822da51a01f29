//! BestGuess's listings: a box per command with its shapes, and a ranking in its own columns.
//!
//! One file per section. Owns the boxes and the ranking's layout, which nothing else has.

mod boxed;
mod columns;
mod distribution;
mod explain;
mod frame;
mod ranking;
mod summary;
mod tail;

use etalon_core::analysis::{Analysis, Ranking};

use crate::drawn;
use crate::view::{Explanation, Section, Statistics, View};

pub(crate) use summary::heading;
pub(crate) use summary::table as summary_table;

/// A box per command, then the ranking.
pub(super) fn sections(analysis: &Analysis, view: View) -> Vec<Vec<String>> {
    let mut sections = each(analysis, view);
    for ranking in analysis.rankings.iter().filter(|ranking| ranking.scope.is_none()) {
        sections.extend(ranked(analysis, ranking, view));
    }
    if let [one] = &analysis.benchmarks[..]
        && one.case.is_none()
    {
        sections.push(vec!["Only one command.  No ranking to show.".to_owned()]);
    }
    sections
}

/// A block of lines for each command by itself, and the box plots of all.
fn each(analysis: &Analysis, view: View) -> Vec<Vec<String>> {
    let all = 0..analysis.benchmarks.len();
    let commands: Vec<usize> =
        all.filter(|&index| analysis.benchmarks[index].case.is_none()).collect();
    let mut sections: Vec<Vec<String>> =
        commands.iter().flat_map(|&index| benchmark(analysis, index, view)).collect();
    sections.push(boxplots(analysis, &commands, view));
    sections
}

/// A ranking and, where that is asked for, the settings of its tests.
pub(crate) fn ranked(analysis: &Analysis, ranking: &Ranking, view: View) -> Vec<Vec<String>> {
    if ranking.rows.len() < 2 {
        return Vec::new();
    }
    let settings = match view.explanation {
        Explanation::Full => explain::settings(analysis, ranking),
        Explanation::Brief => Vec::new(),
    };
    vec![settings, ranking::lines(analysis, ranking, view)]
}

/// The graph, the distribution and the tail of one benchmark, as far as they are asked for.
pub(crate) fn shapes(analysis: &Analysis, index: usize, view: View) -> Vec<Vec<String>> {
    let asked = |section| view.sections.has(section);
    let mut parts = Vec::new();
    if asked(Section::Graph) {
        parts.push(drawn::graph(analysis, index, view));
    }
    if asked(Section::Distribution) {
        parts.push(distribution::lines(analysis, index));
    }
    if asked(Section::Tail) {
        parts.push(tail::lines(analysis, index));
    }
    parts
}

/// The box plots of some benchmarks, where they are asked for.
pub(crate) fn boxplots(analysis: &Analysis, benchmarks: &[usize], view: View) -> Vec<String> {
    if view.sections.has(Section::Boxplot) {
        drawn::boxplots(analysis, benchmarks, view)
    } else {
        Vec::new()
    }
}

/// The table of one benchmark and the sections about it. The heading stands on what comes first.
fn benchmark(analysis: &Analysis, index: usize, view: View) -> Vec<Vec<String>> {
    let mut parts = vec![summary::boxed(analysis, index, view)];
    parts.extend(shapes(analysis, index, view));
    if view.statistics == Statistics::None && parts.len() == 1 {
        return Vec::new();
    }
    parts.retain(|lines| !lines.is_empty());
    let mut first = heading(analysis, index, view);
    if !parts.is_empty() {
        first.extend(parts.remove(0));
    }
    parts.insert(0, first);
    parts
}
