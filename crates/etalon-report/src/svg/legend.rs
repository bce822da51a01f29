//! Which line is whose: by its style's number, its name, and what is said of it.

use super::{WIDTH, beside};
use crate::markup::escaped;

/// From one line to the next.
pub(super) const LINE: f64 = 18.0;

/// Where names begin, behind the line of their style.
const NAMES: f64 = 34.0;

/// Styles that lines are told apart by; `style.css` has so many.
pub(super) const STYLES: usize = 8;

/// A line for each, the first at a height.
pub(super) fn legend(entries: &[(usize, String, String)], from: f64) -> String {
    let entry = |(at, (style, name, figures)): (u32, &(usize, String, String))| {
        let y = from + f64::from(at) * LINE;
        format!(
            "<line class=\"key s{style}\" x1=\"0\" x2=\"26\" y1=\"{:.1}\" y2=\"{:.1}\"/>\
             <text x=\"{NAMES}\" y=\"{y}\">{}<title>{}</title></text>\
             <text class=\"quiet end\" x=\"{WIDTH}\" y=\"{y}\">{}</text>\n",
            y - 4.0,
            y - 4.0,
            escaped(&beside(name, figures, NAMES)),
            escaped(name),
            escaped(figures)
        )
    };
    (0..).zip(entries).map(entry).collect()
}
