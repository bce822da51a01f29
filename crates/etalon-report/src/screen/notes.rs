//! Notes: on a screen those that change how the answer is read; what is said of several is said once.

use std::collections::{HashMap, HashSet};

use etalon_core::analysis::Analysis;
use etalon_core::model::Metric;
use etalon_core::notes::{CaseNote, ComparisonNote, ExecutionNote, MetricNote, NoteKind};

use super::verdicts;
use crate::table::names::shortened;
use crate::text::clean;
use crate::view::{Detail, Style, View};
use crate::words;

/// Benchmarks that a note names before it counts the rest.
const NAMED: usize = 3;

/// A sentence for each note.
pub(crate) fn sentences(analysis: &Analysis, view: View) -> Vec<String> {
    let all = view.detail == Detail::Full || view.style != Style::Etalon;
    let shown = |metric: &Metric| all || metric.name == analysis.settings.metric;
    let kept = |note: &NoteKind| all || note.changes_reading() && !is_summed(note);
    let notes = words::notes(analysis, shown, kept, view.style);
    let mut grouped: Vec<(Vec<String>, String)> = Vec::new();
    let (mut of_text, mut seen) = (HashMap::new(), HashSet::new());
    for note in notes {
        let (about, text) = (clean(&note.about), clean(&note.text));
        let at = *of_text.entry(text.clone()).or_insert_with(|| {
            grouped.push((Vec::new(), text));
            grouped.len() - 1
        });
        if seen.insert((at, about.clone())) {
            grouped[at].0.push(about);
        }
    }
    let sentence = |(subjects, text): (Vec<String>, String)| {
        format!("{}: {text}.", named(analysis, &subjects))
    };
    let sums = if all { Vec::new() } else { sums(analysis) };
    sums.into_iter().chain(grouped.into_iter().map(sentence)).collect()
}

/// The subjects of a note: few by their names, the first of many, or all.
fn named(analysis: &Analysis, subjects: &[String]) -> String {
    match subjects.len() {
        n if n > 1 && n == measured(analysis).count() && are_measured(analysis, subjects) => {
            format!("all {}", words::benchmark_words(analysis).1)
        }
        n if n > NAMED + 1 => {
            format!("{} and {} more", listed(&subjects[..NAMED]), n - NAMED)
        }
        _ => listed(subjects),
    }
}

/// Names side by side.
fn listed(subjects: &[String]) -> String {
    let subjects: Vec<&String> = subjects.iter().collect();
    let short = shortened(&subjects, verdicts::OF_SENTENCE, "…");
    short.iter().map(|name| words::apart(name)).collect::<Vec<_>>().join(", ")
}

/// Benchmarks that have readings.
fn measured(analysis: &Analysis) -> impl Iterator<Item = usize> {
    let has_readings = |at: &usize| {
        let benchmark = &analysis.benchmarks[*at];
        benchmark.case.is_none() || benchmark.counted > 0
    };
    (0..analysis.benchmarks.len()).filter(has_readings)
}

/// Whether all subjects are benchmarks that have readings: a note may be about a machine, or a benchmark on one.
fn are_measured(analysis: &Analysis, subjects: &[String]) -> bool {
    let names = |at| [words::name(analysis, at), words::case_name(analysis, at)];
    let names: HashSet<String> = measured(analysis).flat_map(names).collect();
    subjects.iter().all(|subject| names.contains(subject))
}

/// Whether a note has numbers of its own for each of many, and a screen says their sum.
fn is_summed(note: &NoteKind) -> bool {
    use ComparisonNote::{RatioOfMediansOutside, SerialDependence};
    matches!(
        note,
        NoteKind::Executions(ExecutionNote::Waited { .. })
            | NoteKind::Case(CaseNote::FindsStrings { .. } | CaseNote::GivesBack { .. })
            | NoteKind::Metric(MetricNote::Widened { .. })
            | NoteKind::Comparison(SerialDependence(_) | RatioOfMediansOutside { .. })
    )
}

/// A sentence for all notes of a kind.
fn sums(analysis: &Analysis) -> Vec<String> {
    let (mut waits, mut waiting): (Option<(usize, usize)>, Vec<String>) = (None, Vec::new());
    let (mut widened, mut outside) = (Vec::new(), 0);
    let (mut strings, mut finding): (Vec<(f64, f64)>, Vec<String>) = (Vec::new(), Vec::new());
    let (mut tables, mut growing): (Vec<(f64, f64)>, Vec<String>) = (Vec::new(), Vec::new());
    let mut seen = HashSet::new();
    let ranked = &analysis.settings.metric;
    let only = measured(analysis).count() == 1;
    for note in analysis.notes_about(|metric| metric.name == *ranked) {
        match note.what {
            NoteKind::Executions(ExecutionNote::Waited { disturbed, of }) => {
                let (some, all) = waits.unwrap_or_default();
                waits = Some((some + disturbed, all + of));
                waiting.push(clean(&note.about));
            }
            NoteKind::Case(CaseNote::FindsStrings { alloc, bytes }) => {
                strings.push((alloc, bytes));
                finding.push(clean(&note.about));
            }
            NoteKind::Case(CaseNote::GivesBack { alloc, bytes }) => {
                tables.push((alloc, bytes));
                growing.push(clean(&note.about));
            }
            NoteKind::Comparison(ComparisonNote::SerialDependence(found))
            | NoteKind::Metric(MetricNote::Widened { widening: found, .. })
                if seen.insert((note.about.clone(), found.factor.to_bits())) =>
            {
                widened.push(found.factor);
            }
            NoteKind::Comparison(ComparisonNote::RatioOfMediansOutside { ratio })
                if seen.insert((note.about.clone(), ratio.to_bits())) =>
            {
                outside += 1
            }
            _ => {}
        }
    }
    let waits = waits.map(|(disturbed, of)| {
        let said = words::executions(&ExecutionNote::Waited { disturbed, of });
        if only { said } else { format!("{said} ({})", named(analysis, &waiting)) }
    });
    let strings = words::finds_strings(&strings, "alloc/call");
    let strings = strings.map(|said| format!("{}: {said}", named(analysis, &finding)));
    let tables = words::gives_back(&tables, "alloc/call");
    let tables = tables.map(|said| format!("{}: {said}", named(analysis, &growing)));
    let metric = analysis.benchmarks.iter().find_map(|it| Some(&it.metric(ranked)?.metric));
    let said = [
        waits,
        words::widened(&widened, metric.map(|it| &**it), only),
        words::medians_outside(outside),
        strings,
        tables,
    ];
    said.into_iter().flatten().map(|text| format!("{text}.")).collect()
}
