//! Footnotes: every note about what is shown, once; what is said of several is said together.

use std::collections::{HashMap, HashSet};

use etalon_core::analysis::Analysis;
use etalon_core::metrics;

use super::summary;
use crate::text::{clean, wrap};
use crate::view::View;
use crate::words;

/// The footnotes' lines; none without notes.
pub(super) fn lines(analysis: &Analysis, view: View) -> Vec<String> {
    let mut lines = Vec::new();
    for text in footnotes(analysis, view) {
        for (i, line) in wrap(&text, view.width - 4).into_iter().enumerate() {
            lines.push(format!("{}{line}", if i == 0 { "  · " } else { "    " }));
        }
    }
    if !lines.is_empty() {
        lines.insert(0, "Notes:".to_owned());
    }
    lines
}

/// A sentence per note about what is shown.
pub(crate) fn footnotes(analysis: &Analysis, view: View) -> Vec<String> {
    let shown = summary::metrics_shown(view.statistics);
    let ranked = &analysis.settings.metric;
    // Of a case its time is shown whatever is ranked.
    let notes = words::notes(analysis, |metric| {
        metric.name == *ranked
            || shown.contains(&metric.name.as_str())
            || (metric.name == metrics::WALL && !analysis.suites.is_empty())
    });
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
        let all = subjects.len() > 1 && subjects.len() == measured;
        let subjects = if all { format!("all {many}") } else { subjects.join(", ") };
        format!("{subjects}: {text}.")
    };
    grouped.into_iter().map(sentence).collect()
}
