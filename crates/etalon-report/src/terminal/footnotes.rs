//! Footnotes: every note about what is shown, once; what is said of several is said together.

use etalon_core::analysis::Analysis;

use super::{View, summary};
use crate::text::{clean, wrap};

/// The footnotes' lines; none without notes.
pub(super) fn lines(analysis: &Analysis, view: View) -> Vec<String> {
    let shown = summary::metrics_shown(view.statistics);
    let ranked = &analysis.settings.metric;
    let notes = analysis
        .notes_about(|metric| metric.name == *ranked || shown.contains(&metric.name.as_str()));
    let mut grouped: Vec<(Vec<String>, String)> = Vec::new();
    for note in notes {
        let (about, text) = (clean(&note.about), clean(&note.text));
        match grouped.iter_mut().find(|(_, known)| *known == text) {
            Some((subjects, _)) if !subjects.contains(&about) => subjects.push(about),
            Some(_) => {}
            None => grouped.push((vec![about], text)),
        }
    }
    let mut lines = Vec::new();
    for (subjects, text) in grouped {
        let all = subjects.len() > 1 && subjects.len() == analysis.benchmarks.len();
        let subjects = if all { "all commands".to_owned() } else { subjects.join(", ") };
        let text = format!("{subjects}: {text}.");
        for (i, line) in wrap(&text, view.width - 4).into_iter().enumerate() {
            lines.push(format!("{}{line}", if i == 0 { "  · " } else { "    " }));
        }
    }
    if !lines.is_empty() {
        lines.insert(0, "Notes:".to_owned());
    }
    lines
}
