//! A run on one line: what was typed, what came out, its label, its size.

use etalon_core::model::Answer;
use etalon_core::shell::copied;
use etalon_record::store::Saved;

/// The answer in words.
pub(super) fn in_words(answer: &Answer) -> String {
    match &answer.about {
        Some(about) => format!("{about} {}", answer.text),
        None => answer.text.clone(),
    }
}

/// Its names and tags, as they are typed.
pub(super) fn label(run: &Saved) -> String {
    let names = run.names.iter().map(|name| format!("@{name}"));
    let tags = run.labels.tags.iter().map(|tag| format!("#{tag}"));
    names.chain(tags).collect::<Vec<_>>().join(" ")
}

/// The command line, as far as the header has it.
pub(super) fn command_line(run: &Saved) -> String {
    let Some(header) = &run.header else { return String::new() };
    let words: Vec<String> = header
        .argv
        .iter()
        .skip(1)
        .map(|word| copied(&word.to_string_lossy()).into_owned())
        .collect();
    words.join(" ")
}

/// A size with a unit that fits, in at most seven columns.
pub(super) fn size(bytes: u64) -> String {
    let units = [("GB", 1e9), ("MB", 1e6), ("kB", 1e3)];
    #[allow(clippy::cast_precision_loss)] // three digits are shown
    let bytes_shown = bytes as f64;
    let unit = units.into_iter().find(|(_, one)| bytes_shown >= *one);
    unit.map_or_else(
        || format!("{bytes} B"),
        |(name, one)| {
            let value = bytes_shown / one;
            format!("{value:.*} {name}", usize::from(value < 9.95))
        },
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_short() {
        let shown = [0, 999, 1000, 9949, 9951, 12_345, 3_400_000, 1_200_000_000].map(size);
        assert_eq!(
            shown,
            ["0 B", "999 B", "1.0 kB", "9.9 kB", "10 kB", "12 kB", "3.4 MB", "1.2 GB"]
        );
    }
}
