//! A box around lines of fixed width: settings, distributions, tails. As wide as the narrowest
//! layout whatever the terminal: its contents do not grow.

use crate::text::{centre, left, width, wrap};

/// Columns inside the box.
pub(super) const INSIDE: usize = 76;

/// The lines with a border around them. None of them may be wider than [`INSIDE`].
pub(super) fn framed(lines: &[String]) -> Vec<String> {
    let mut framed = vec![format!("  ╭{}╮", "─".repeat(INSIDE))];
    framed.extend(lines.iter().map(|line| format!("  │{}│", left(line, INSIDE))));
    framed.push(format!("  ╰{}╯", "─".repeat(INSIDE)));
    framed
}

/// A title and the unit beside the numbers; a unit of more than ten columns stands in the title
/// instead.
pub(super) fn with_unit(title: &str, unit: &str) -> (String, String) {
    if width(unit) <= 10 {
        (title.to_owned(), unit.to_owned())
    } else {
        (format!("{title} ({unit})"), String::new())
    }
}

/// A title in the middle of the box, over several lines if it must, and an empty line.
pub(super) fn titled(title: &str) -> Vec<String> {
    let mut lines: Vec<String> =
        wrap(title, INSIDE - 4).iter().map(|line| centre(line, INSIDE)).collect();
    lines.push(String::new());
    lines
}
