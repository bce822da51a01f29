//! Results of several machines: the answer of each, and a table of all its benchmarks.
//!
//! Refuses to compare one machine with another.

use std::collections::HashSet;

use etalon_core::analysis::{Analysis, Ranking};

use super::{about, alone, answer, ranked};
use crate::document::Part;
use crate::table::Table;
use crate::view::View;
use crate::words;

/// The parts of rankings of a machine each.
pub(super) fn parts(analysis: &Analysis, rankings: &[&Ranking], view: View) -> Vec<Part> {
    let is_compared = |ranking: &&&Ranking| ranking.by_value().len() > 1;
    let compared: Vec<&Ranking> = rankings.iter().filter(is_compared).copied().collect();
    let machine = |ranking: &Ranking| words::machine(ranking).unwrap_or_default();
    let behind = |ranking: &Ranking, said: &str| answer::behind(&machine(ranking), said);
    let mut parts: Vec<Part> = Vec::new();
    for ranking in &compared {
        let said = answer::sentence(analysis, ranking);
        parts.extend(said.map(|said| Part::Answer(behind(ranking, &said))));
    }
    let rows = compared.iter().flat_map(|ranking| &ranking.rows);
    let in_tables: HashSet<usize> = rows.map(|row| row.benchmark).collect();
    let is_alone = |at: &usize| analysis.benchmarks[*at].case.is_none() && !in_tables.contains(at);
    let alone = (0..analysis.benchmarks.len()).filter(is_alone);
    parts.extend(alone.flat_map(|at| alone::benchmark_parts(analysis, at)));
    if compared.is_empty() {
        parts.extend(about::unusual(analysis).into_iter().map(Part::Sentence));
        return parts;
    }
    let metric = compared.first().map(|ranking| &ranking.metric);
    parts.extend(about::executions(analysis, metric).into_iter().map(Part::Sentence));
    for ranking in &compared {
        let said = about::comparisons(ranking).into_iter();
        parts.extend(said.map(|said| Part::Sentence(behind(ranking, &said))));
    }
    let table = |ranking: &Ranking| Table {
        title: machine(ranking),
        ..ranked::table(analysis, ranking, view)
    };
    // Tables of one part have the columns of the first, and machines have as many rows as they like.
    parts.extend(compared.iter().map(|ranking| Part::Tables(vec![table(ranking)])));
    parts
}
