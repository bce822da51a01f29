//! Which saved runs are meant: words in what is known of them, and when they started.

use etalon_record::store::Saved;
use jiff::Timestamp;

/// Whether a run started since then and has all the words, in any case, in what is known of it. One that does
/// not say when it started is no newer than anything.
pub(super) fn is_meant(run: &Saved, words: &[String], since: Option<Timestamp>) -> bool {
    let is_new = since.is_none_or(|since| run.started().is_some_and(|at| at >= since));
    is_new && {
        let text = known(run).to_lowercase();
        words.iter().all(|word| text.contains(&word.to_lowercase()))
    }
}

/// All that is known of a run without reading what was measured.
fn known(run: &Saved) -> String {
    let mut parts = vec![run.id.clone()];
    parts.extend(run.names.iter().map(|name| format!("@{name}")));
    parts.extend(run.labels.tags.iter().map(|tag| format!("#{tag}")));
    parts.extend(run.labels.note.clone());
    let argv = run.header.iter().flat_map(|header| &header.argv);
    parts.extend(argv.map(|word| word.to_string_lossy().into_owned()));
    for line in &run.benchmarks {
        parts.push(line.to_benchmark().label());
        parts.extend(line.command.iter().map(|text| text.to_string_lossy().into_owned()));
        parts.extend(line.case.iter().map(|case| case.file.clone()));
    }
    parts.join("\n")
}
