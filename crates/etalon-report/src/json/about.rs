//! The ids of the benchmark or the comparison of a ranking that a note is about.
//!
//! Owns how the subject of a note in words is found among the labels. Refuses to choose: of several of one name, none has
//! the note.

use std::collections::HashMap;

use etalon_core::analysis::{Analysis, Comparison as Pair, Ranking};

use super::note::Note;

/// Between candidate and base in the subject of a note.
const AGAINST: &str = " against ";
/// The note on a comparison of mean times, whatever metric is ranked.
const OF_MEANS: &str = "test_of_means_disagrees";

/// Ids by label; absent of several.
pub(super) struct Subjects<'a> {
    benchmarks: HashMap<&'a str, Option<usize>>,
    /// By candidate and base.
    comparisons: HashMap<[&'a str; 2], Option<usize>>,
    /// Whether comparisons are of the times that means are tested of.
    are_of_times: bool,
}

impl<'a> Subjects<'a> {
    pub(super) fn new(analysis: &'a Analysis, pairs: &[(&Ranking, &Pair)]) -> Subjects<'a> {
        let label = |id: usize| analysis.benchmarks[id].label.as_str();
        let of_pairs = pairs.iter().map(|(_, pair)| [label(pair.candidate), label(pair.base)]);
        let mut times = analysis.suites.iter().filter_map(|suite| suite.times.as_ref());
        Subjects {
            benchmarks: by_label((0..analysis.benchmarks.len()).map(label)),
            comparisons: by_label(of_pairs),
            are_of_times: times.all(|of| of.metric.name == analysis.settings.metric),
        }
    }

    /// The note with the id of its subject.
    pub(super) fn placed(&self, note: Note) -> Note {
        let Some(about) = note.about() else { return note };
        let benchmark = self.benchmarks.get(about).copied().flatten();
        let is_compared = benchmark.is_none() && (self.are_of_times || note.code() != OF_MEANS);
        let comparison = is_compared.then(|| self.comparison(about)).flatten();
        note.on_benchmark(benchmark).on_comparison(comparison)
    }

    /// A label may have the word between candidate and base in it, too.
    fn comparison(&self, about: &str) -> Option<usize> {
        let split = |(at, _): (usize, &str)| [&about[..at], &about[at + AGAINST.len()..]];
        let mut found =
            about.match_indices(AGAINST).map(split).filter_map(|it| self.comparisons.get(&it));
        let first = found.next().copied().flatten();
        first.filter(|_| found.next().is_none())
    }
}

fn by_label<K: std::hash::Hash + Eq>(labels: impl Iterator<Item = K>) -> HashMap<K, Option<usize>> {
    let mut ids = HashMap::new();
    for (id, label) in labels.enumerate() {
        ids.entry(label).and_modify(|known| *known = None).or_insert(Some(id));
    }
    ids
}
