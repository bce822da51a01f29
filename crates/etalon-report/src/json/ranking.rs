//! The document of an analysis: every benchmark, every pair, every suite.

use std::borrow::Cow;
use std::collections::HashMap;
use std::io::{self, Write};

use etalon_core::analysis::{self, Analysis, Headline, Ranking, Summary};
use etalon_core::verdict::Moved;

use super::about::Subjects;
use super::benchmark::{Benchmark, Rank};
use super::comparison::{Compared, Comparison};
use super::document::{Document, Kind};
use super::executions::Settings;
use super::note::Note;
use super::parts::Each;
use super::suites::Suite;
use super::visible::write_document;
use crate::screen;
use crate::view::Style;
use crate::words;

/// Writes the document of an analysis.
///
/// # Errors
/// Errors of the writer.
pub fn ranking(analysis: &Analysis, out: &mut dyn Write) -> io::Result<()> {
    let asked = &analysis.settings;
    let correction = analysis.rankings.first().map(|it| it.criteria.correction());
    let settings = Settings::new(&asked.criteria)
        .for_metric(&asked.metric, asked.reference.as_deref())
        .corrected(correction);
    let labels = labels(analysis);
    let ranks = ranks(analysis);
    let pairs = pairs(analysis);
    let ranked = analysis.rankings.iter().map(|ranking| ranking.comparisons.len()).sum();
    let benchmark = |id: usize| {
        let rank = ranks.get(&id).copied().unwrap_or_default();
        Benchmark::declared((id, &labels[id]), &analysis.benchmarks[id], rank, analysis)
    };
    let comparison = |id: usize| {
        let (ranking, pair): (&Ranking, &analysis::Comparison) = pairs[id];
        let benchmarks = [pair.base, pair.candidate];
        let names = benchmarks.map(|at| &*labels[at]);
        let moved = moved(analysis, ranking, pair);
        let compared = Compared { id, metric: &ranking.metric.name, benchmarks, names, moved };
        let unit = ranking.metric.unit.base();
        Comparison::new(compared, &pair.assessment, &ranking.criteria, unit)
    };
    let document = Document {
        headline: Some(screen::headline(analysis)),
        notes: notes(analysis, &pairs[..ranked]),
        benchmarks: Each::new(analysis.benchmarks.len(), benchmark),
        comparisons: Each::new(pairs.len(), comparison),
        suites: analysis.suites.iter().map(Suite::new).collect(),
        ..Document::new(Kind::Ranking, &analysis.executions, settings)
    };
    write_document(&document, out)
}

/// Whether count or time moved of a pair of which work was counted.
fn moved(analysis: &Analysis, work: &Ranking, pair: &analysis::Comparison) -> Option<Moved> {
    let is_it = |it: &&Ranking| it.scope == work.scope && it.machine == work.machine;
    let ranking = analysis.rankings.iter().find(is_it).filter(|_| work.metric.is_of_work())?;
    let time = ranking.versus(pair.candidate, pair.base)?;
    Moved::by_verdicts(pair.assessment.decision.verdict, ranking.time(&time))
}

fn pairs(analysis: &Analysis) -> Vec<(&Ranking, &analysis::Comparison)> {
    // Work stands behind, so that what is ranked is counted from 0.
    let rankings = analysis.rankings.iter().chain(&analysis.works);
    rankings
        .flat_map(|ranking| ranking.comparisons.iter().map(move |pair| (ranking, pair)))
        .collect()
}

/// The name of each benchmark in comparisons: with what tells it apart where others have that name.
fn labels(analysis: &Analysis) -> Vec<Cow<'_, str>> {
    let names = || analysis.benchmarks.iter().map(|it| it.benchmark.key.name.as_str());
    let labels = || analysis.benchmarks.iter().map(|it| it.label.as_str());
    let (of_name, of_label) = (counts(names()), counts(labels()));
    let has_sources = words::several_sources(analysis);
    let label = |((name, label), summary): ((_, _), &Summary)| match of_name[name] {
        1 => Cow::Borrowed(name),
        // On several machines, `machine` tells those of one source apart.
        _ if of_label[label] == 1 || !has_sources => Cow::Borrowed(label),
        _ => Cow::Owned(format!("{label} ({})", words::short_source(&summary.source))),
    };
    names().zip(labels()).zip(&analysis.benchmarks).map(label).collect()
}

fn counts<'a>(names: impl Iterator<Item = &'a str>) -> HashMap<&'a str, usize> {
    let mut counts = HashMap::new();
    for name in names {
        *counts.entry(name).or_default() += 1;
    }
    counts
}

/// The letters and machines of benchmarks.
fn ranks(analysis: &Analysis) -> HashMap<usize, Rank<'_>> {
    let mut ranks = HashMap::new();
    for ranking in &analysis.rankings {
        let machine = (!ranking.machine.is_empty()).then_some(&ranking.machine);
        for row in &ranking.rows {
            let letters = (!row.letters.is_empty()).then_some(row.letters.as_str());
            if letters.is_some() || machine.is_some() {
                ranks.insert(row.benchmark, Rank { letters, machine });
            }
        }
    }
    ranks
}

/// All notes, with the ids of what they are about.
fn notes(analysis: &Analysis, pairs: &[(&Ranking, &analysis::Comparison)]) -> Vec<Note> {
    let subjects = Subjects::new(analysis, pairs);
    let of_metric = analysis.headline.map(|headline| {
        Note::new(headline_code(headline), String::new(), words::headline(analysis, headline))
    });
    let others = words::notes(analysis, |_| true, |_| true, Style::Etalon).into_iter();
    let others = others.map(Note::from_words);
    of_metric.into_iter().chain(others).map(|note| subjects.placed(note)).collect()
}

/// The code of a remark on the metric that is ranked.
fn headline_code(headline: Headline) -> &'static str {
    match headline {
        Headline::Parallel { .. } => "work_in_parallel",
        Headline::WallRanksDifferently(_) => "wall_ranks_differently",
        Headline::CpuRanksDifferently(_) => "cpu_ranks_differently",
        Headline::CpuIsNarrower(_) => "cpu_is_narrower",
    }
}
