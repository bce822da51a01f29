//! A run in words as they were typed: its label, its command line.

use etalon_core::shell::copied;
use etalon_record::store::Saved;

/// Its names and tags, as they are typed.
pub(super) fn label(run: &Saved) -> String {
    let names = run.names.iter().map(|name| format!("@{name}"));
    let tags = run.labels.tags.iter().map(|tag| format!("#{tag}"));
    names.chain(tags).collect::<Vec<_>>().join(" ")
}

/// The command line, as far as its record has it.
pub(super) fn command_line(run: &Saved) -> String {
    let Some(summary) = &run.summary else { return String::new() };
    let words: Vec<String> = summary
        .argv
        .iter()
        .skip(1)
        .map(|word| copied(&word.to_string_lossy()).into_owned())
        .collect();
    words.join(" ")
}
