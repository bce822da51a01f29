//! The terminal report: etalon's screen or another program's listings, what else is asked for, and notes.
//!
//! Every section fits the width it is given (80 columns and up); what is wider is wrapped, never cut. The same analysis
//! gives the same bytes.

use std::io::{self, Write};

use etalon_core::analysis::Analysis;

use crate::view::{Detail, NARROWEST, Style, View};
use crate::{document, listings, screen};

/// Writes the report.
///
/// # Errors
/// Errors of the writer.
pub fn write(analysis: &Analysis, view: View, out: &mut dyn Write) -> io::Result<()> {
    let view = View { width: view.width.max(NARROWEST), ..view };
    let sections = match view.style {
        Style::Etalon => own(analysis, view),
        Style::BestGuess | Style::LuaMeasure => listings::sections(analysis, view),
    };
    let closing = document::terminal(&screen::closing(analysis, view), view);
    let mut first = true;
    for lines in sections.iter().chain([&closing]).filter(|lines| !lines.is_empty()) {
        if !first {
            writeln!(out)?;
        }
        first = false;
        for line in lines {
            writeln!(out, "{}", view.charset.spell(line.trim_end()))?;
        }
    }
    out.flush()
}

/// The lines that `--explain-noise` adds, for reports that are tables of changes.
#[must_use]
pub fn why_readings_differ(analysis: &Analysis, width: usize) -> Vec<String> {
    screen::why_readings_differ(analysis, width.max(NARROWEST))
}

/// etalon's own report: a screen, and below it what was asked for.
fn own(analysis: &Analysis, view: View) -> Vec<Vec<String>> {
    // Whoever asks for figures wants to know whose they are: names are whole.
    let whole = View { detail: Detail::Full, ..view };
    vec![
        document::terminal(&screen::opening(analysis, view), view),
        document::terminal(&screen::surroundings(analysis, view), whole),
        document::terminal(&screen::asked(analysis, view), whole),
    ]
}
