//! Which line is whose: by its style's number, its name, and what is said of it.

use super::{beside, line_of};

/// From one line to the next.
pub(super) const LINE: f64 = 18.0;

/// Where names begin, behind the line of their style.
const NAMES: f64 = 34.0;

/// Styles that lines are told apart by; `style.css` has so many.
pub(super) const STYLES: usize = 8;

/// A line for each, the first at a height.
pub(super) fn legend(entries: &[(usize, String, String)], from: f64) -> String {
    let short = beside(entries.iter().map(|(_, name, figures)| (name, figures.as_str())), NAMES);
    let entry = |(at, ((style, name, figures), short)): (
        u32,
        (&(usize, String, String), String),
    )| {
        let y = from + f64::from(at) * LINE;
        let line = y - 4.0;
        format!(
            "<line class=\"key s{style}\" x1=\"0\" x2=\"26\" y1=\"{line:.1}\" y2=\"{line:.1}\"/>"
        ) + &line_of((&short, name, figures), (NAMES, y))
    };
    (0..).zip(entries.iter().zip(short)).map(entry).collect()
}
