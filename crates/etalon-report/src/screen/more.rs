//! Where the rest is.

use etalon_core::analysis::Analysis;

use crate::view::{Again, Detail, Explanation, Style, View};

/// The last line; absent where everything is shown.
pub(super) fn sentence(analysis: &Analysis, view: View) -> Option<String> {
    let whole = view.detail == Detail::Full || view.style != Style::Etalon;
    if whole || analysis.benchmarks.is_empty() {
        return None;
    }
    let again = match view.again {
        Again::Saved => "etalon report @last ",
        Again::Options => "",
    };
    let tests = if view.explanation == Explanation::Full { "" } else { ", -E (tests)" };
    Some(format!("More: {again}--full (every table){tests}"))
}
