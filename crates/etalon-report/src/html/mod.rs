//! `--html`: the whole report as one page that needs nothing else: no network, no script.
//!
//! Says what the terminal says, in the same words (`screen`), with pictures of it (`svg`). Text becomes markup in
//! `markup`, Markdown of experiment files in `prose`, and nowhere else; besides, the page's policy admits its own style sheet and nothing else.

mod comparison;
mod document;
mod experiment;
mod prose;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use etalon_core::analysis::Analysis;
use sha2::{Digest, Sha256};

use crate::document::{Document, Part};
use crate::markup::escaped;
use crate::svg;
use crate::text::clean;
use crate::view::{Detail, Explanation, Statistics, View};
use crate::{cases, screen, words};

pub use comparison::comparison;
pub use experiment::{Piece, experiment, tables};

const STYLE: &str = include_str!("style.css");

/// Everything; the lines that are laid out already are as wide as a narrow terminal.
const WHOLE: View = View {
    detail: Detail::Full,
    statistics: Statistics::Full,
    explanation: Explanation::Full,
    ..View::SCREEN
};

/// The page.
#[must_use]
pub fn page(analysis: &Analysis) -> String {
    let mut body = document::html(&screen::opening(analysis, WHOLE));
    body.extend(svg::stills(analysis));
    let sections = [
        ("Notes", screen::closing(analysis, WHOLE)),
        ("Figures and tests", screen::asked(analysis, WHOLE)),
        ("Where it was measured", surroundings(analysis)),
    ];
    body.extend(sections.iter().map(|(heading, document)| section(heading, document)));
    framed(&title(analysis), &body.concat())
}

/// A part of a page.
pub(crate) fn of_document(document: &Document) -> String {
    document::html(document).concat()
}

/// A part of a page under a heading; nothing without content.
fn section(heading: &str, document: &Document) -> String {
    match of_document(document) {
        body if body.is_empty() => String::new(),
        body => format!("<section><h2>{}</h2>\n{body}</section>\n", escaped(heading)),
    }
}

/// A page: `body` is markup already.
fn framed(title: &str, body: &str) -> String {
    let title = escaped(title);
    let policy = format!(
        "default-src 'none'; style-src 'sha256-{}'; base-uri 'none'; form-action 'none'",
        STANDARD.encode(Sha256::digest(STYLE))
    );
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{title}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<main>\n<h1>{title}</h1>\n{body}</main>\n</body>\n</html>\n"
    )
}

/// The data, and when they were measured.
fn title(analysis: &Analysis) -> String {
    let of = |execution: &etalon_core::analysis::Execution| {
        let source = words::short_source(&execution.source);
        match &execution.started {
            Some(started) => format!("{source} ({})", clean(started)),
            None => source,
        }
    };
    let sources: Vec<String> = analysis.executions.iter().map(of).collect();
    format!("etalon: {}", sources.join(", "))
}

/// Facts about machine and tools; of Lua cases they stand among the figures.
fn surroundings(analysis: &Analysis) -> Document {
    let shown = |execution| {
        let rows = cases::environment(execution);
        let line = |(label, value): (&str, String)| format!("{label:8}  {value}");
        Part::Lines(rows.into_iter().map(line).collect())
    };
    let parts = match cases::any(analysis) {
        true => Vec::new(),
        false => analysis.executions.iter().map(shown).collect(),
    };
    Document { parts }
}
