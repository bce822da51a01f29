//! The beginning of a source's own text, as messages quote it. Refuses to word messages: whoever quotes it does.

/// The first 40 characters, control characters escaped, so that a message stays one line.
pub(super) fn clipped(text: &str) -> String {
    let mut shown = String::new();
    for c in text.chars().take(40) {
        if c.is_control() { shown.extend(c.escape_default()) } else { shown.push(c) }
    }
    if text.chars().nth(40).is_some() {
        shown.push('…');
    }
    shown
}
