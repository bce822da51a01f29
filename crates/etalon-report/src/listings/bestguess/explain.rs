//! `-E`: the settings of every test, and every test's numbers under its row.

use etalon_core::analysis::{Analysis, Comparison, Ranking};

use super::frame::{INSIDE, framed};
use crate::screen;
use crate::text::{clean, hanging, left};
use crate::view::View;

/// The box with the settings.
pub(super) fn settings(analysis: &Analysis, ranking: &Ranking) -> Vec<String> {
    let mut inside = vec!["  Parameter                         Option        Setting".to_owned()];
    for (what, option, value) in screen::settings(analysis, ranking) {
        let lead = format!("    {}{}", left(what, 32), left(option, 14));
        inside.extend(hanging(&lead, &clean(&value), INSIDE - 1));
    }
    let mut lines = vec!["Inferential statistics:".to_owned(), String::new()];
    lines.extend(framed(&inside));
    lines
}

/// Every test behind one row.
pub(super) fn tests(ranking: &Ranking, c: &Comparison, view: View) -> Vec<String> {
    let mut lines = vec![String::new()];
    for (what, value) in screen::evidence(ranking, c) {
        let lead = format!("          {}", left(what, 24));
        lines.extend(hanging(&lead, &value, view.width));
    }
    lines.push(String::new());
    lines
}
