//! Notes: on a screen those that change how the answer is read; what is said of several is said once.

use std::collections::{HashMap, HashSet};

use etalon_core::analysis::{Analysis, ExecutionNote, NoteKind};
use etalon_core::model::Metric;

use crate::text::clean;
use crate::view::{Detail, Style, View};
use crate::words;

/// Benchmarks that a note names before it counts the rest.
const NAMED: usize = 3;

/// A sentence for each note.
pub(crate) fn sentences(analysis: &Analysis, view: View) -> Vec<String> {
    let all = view.detail == Detail::Full || view.style != Style::Etalon;
    let shown = |metric: &Metric| all || metric.name == analysis.settings.metric;
    let waits =
        |note: &NoteKind| matches!(note, NoteKind::Executions(ExecutionNote::Waited { .. }));
    let notes = words::notes(analysis, shown, |note| all || note.changes_reading() && !waits(note));
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
    let measured = analysis.benchmarks.iter().filter(|b| b.case.is_none() || b.counted > 0).count();
    let (_, many) = words::of_what(analysis);
    let sentence = |(subjects, text): (Vec<String>, String)| {
        let whole = subjects.len() > 1 && subjects.len() == measured;
        let subjects = match subjects.len() {
            _ if whole => format!("all {many}"),
            n if n > NAMED + 1 => {
                format!("{} and {} more", subjects[..NAMED].join(", "), n - NAMED)
            }
            _ => subjects.join(", "),
        };
        format!("{subjects}: {text}.")
    };
    let waited = waited(analysis).filter(|_| !all);
    waited.into_iter().chain(grouped.into_iter().map(sentence)).collect()
}

/// How many executions of all benchmarks waited for a CPU, in one line.
fn waited(analysis: &Analysis) -> Option<String> {
    let waits = analysis.notes_about(|_| true).filter_map(|note| match note.what {
        NoteKind::Executions(ExecutionNote::Waited { disturbed, of }) => Some((disturbed, of)),
        _ => None,
    });
    let (disturbed, of) = waits.reduce(|(a, b), (x, y)| (a + x, b + y))?;
    let text = words::executions(&ExecutionNote::Waited { disturbed, of });
    Some(format!("{text}."))
}
