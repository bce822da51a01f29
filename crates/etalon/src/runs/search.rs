//! Which saved runs are meant: words in what is known of them, and when they started.

use etalon_record::store::Saved;
use jiff::Timestamp;

/// Whether a run started since then and has all the words, in any case, in what is known of it. One that does
/// not say when it started is no newer than anything.
pub(super) fn is_meant(run: &Saved, words: &[String], since: Option<Timestamp>) -> bool {
    let is_new = since.is_none_or(|since| run.started().is_some_and(|at| at >= since));
    // Of all runs, nothing has to be put together.
    is_new
        && (words.is_empty() || {
            let text = known(run).to_lowercase();
            words.iter().all(|word| text.contains(&word.to_lowercase()))
        })
}

/// All that is known of a run without reading what was measured.
fn known(run: &Saved) -> String {
    let mut parts = vec![run.id.clone()];
    parts.extend(run.names.iter().map(|name| format!("@{name}")));
    parts.extend(run.labels.tags.iter().map(|tag| format!("#{tag}")));
    parts.extend(run.labels.note.clone());
    let argv = run.summary.iter().flat_map(|run| &run.argv);
    parts.extend(argv.map(|word| word.to_string_lossy().into_owned()));
    for subject in run.summary.iter().flat_map(|run| &run.subjects) {
        parts.extend([subject.label(), subject.command()].map(str::to_owned));
        parts.extend(subject.file.clone());
    }
    parts.join("\n")
}
