//! The document of an analysis: every benchmark, every pair, every suite.

use std::collections::HashMap;
use std::io::{self, Write};

use etalon_core::analysis::{self, Analysis, Headline, Ranking};

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
    let benchmark = |id: usize| {
        let rank = ranks.get(&id).copied().unwrap_or_default();
        Benchmark::declared((id, labels[id]), &analysis.benchmarks[id], rank, analysis)
    };
    let comparison = |id: usize| {
        let (ranking, pair): (&Ranking, &analysis::Comparison) = pairs[id];
        let benchmarks = [pair.base, pair.candidate];
        let names = benchmarks.map(|at| labels[at]);
        let compared = Compared { id, metric: &asked.metric, benchmarks, names };
        let unit = ranking.metric.unit.base();
        Comparison::new(compared, &pair.assessment, &ranking.criteria, unit)
    };
    let document = Document {
        headline: Some(screen::headline(analysis)),
        notes: notes(analysis),
        benchmarks: Each::new(analysis.benchmarks.len(), benchmark),
        comparisons: Each::new(pairs.len(), comparison),
        suites: analysis.suites.iter().map(Suite::new).collect(),
        ..Document::new(Kind::Ranking, &analysis.executions, settings)
    };
    write_document(&document, out)
}

fn pairs(analysis: &Analysis) -> Vec<(&Ranking, &analysis::Comparison)> {
    let rankings = analysis.rankings.iter();
    rankings
        .flat_map(|ranking| ranking.comparisons.iter().map(move |pair| (ranking, pair)))
        .collect()
}

/// The name of each benchmark in comparisons: with what tells it apart where others have that name.
fn labels(analysis: &Analysis) -> Vec<&str> {
    let mut count: HashMap<&str, usize> = HashMap::new();
    for summary in &analysis.benchmarks {
        *count.entry(&summary.benchmark.key.name).or_default() += 1;
    }
    let labels = analysis.benchmarks.iter().map(|summary| {
        let name = summary.benchmark.key.name.as_str();
        if count[name] > 1 { summary.label.as_str() } else { name }
    });
    labels.collect()
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

/// All notes, with the benchmark that a name stands for where it stands for one.
fn notes(analysis: &Analysis) -> Vec<Note> {
    let mut ids: HashMap<&str, Option<usize>> = HashMap::new();
    for (id, summary) in analysis.benchmarks.iter().enumerate() {
        ids.entry(&summary.label).and_modify(|known| *known = None).or_insert(Some(id));
    }
    let of_metric = analysis.headline.map(|headline| {
        Note::new(headline_code(headline), String::new(), words::headline(analysis, headline))
    });
    let others = words::notes(analysis, |_| true, |_| true, Style::Etalon).into_iter();
    let others = others.map(Note::from_words);
    let with_id = |note: Note| {
        let benchmark = note.about().and_then(|about| ids.get(about).copied().flatten());
        note.on_benchmark(benchmark)
    };
    of_metric.into_iter().chain(others).map(with_id).collect()
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
