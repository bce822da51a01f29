//! `--html`: the whole report as one page that needs nothing else: no network, and no script to be read.
//!
//! Says what the terminal says, in the same words (`screen`), with pictures of it (`svg`). Scripts of its own (`script`) draw
//! the observations that it carries (`observations`), sort and filter tables. Text becomes markup in
//! `markup`, Markdown of experiment files in `prose`, and nowhere else; besides, the page's policy admits its own style
//! sheet and script and nothing else.

mod column;
mod columns;
mod comparison;
mod document;
mod drawn;
mod experiment;
mod observations;
mod prose;
mod script;
mod warmups;

use etalon_core::analysis::{Analysis, Execution};
use etalon_core::shell::quoted;

use crate::document::{Document, Part};
use crate::markup::escaped;
use crate::svg::{self, Drawn};
use crate::text::clean;
use crate::view::{Detail, Explanation, Section, Statistics, View};
use crate::{cases, screen, words};

pub use comparison::comparison;
pub use experiment::{Piece, experiment, tables};
pub use observations::Observations;

/// Everything; the lines that are laid out already are as wide as a narrow terminal.
const WHOLE: View = View {
    detail: Detail::Full,
    statistics: Statistics::Full,
    explanation: Explanation::Full,
    ..View::SCREEN
};

/// The page, with the observations that its scripts draw.
#[must_use]
pub fn page(analysis: &Analysis, drawn: Drawn<'_>, observations: &Observations) -> String {
    let mut body = document::html(&screen::opening(analysis, WHOLE));
    body.push(svg::figures(&svg::stills(analysis, drawn)));
    body.push(script::place(observations));
    let is_explained = analysis.benchmarks.iter().any(|it| it.variation.is_some());
    let asked = if is_explained { WHOLE.sections.with(Section::Variation) } else { WHOLE.sections };
    let whole = View { sections: asked, ..WHOLE };
    let sections = [
        ("Notes", screen::closing(analysis, WHOLE)),
        ("Figures and tests", screen::asked(analysis, whole)),
        ("Where it was measured", surroundings(analysis)),
        ("To repeat it", repeated(analysis)),
    ];
    body.extend(sections.iter().map(|(heading, document)| section(heading, document)));
    framed(&title(analysis), &body.concat(), observations)
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
fn framed(title: &str, body: &str, observations: &Observations) -> String {
    let title = escaped(title);
    let (policy, style) = (script::policy(), script::style());
    let (foot, script) = (script::foot(), script::element());
    let data = &observations.markup;
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{title}</title>\n<style>{style}</style>\n</head>\n<body>\n<main>\n<h1>{title}</h1>\n{body}{foot}</main>\n\
         {data}{script}</body>\n</html>\n"
    )
}

/// The data, and when they were measured.
fn title(analysis: &Analysis) -> String {
    let of = |execution: &Execution| {
        let source = words::short_source(&execution.source);
        match &execution.started {
            Some(started) => format!("{source} ({})", cases::seconds(started)),
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

/// The commands that measured it, as somebody would type them; wherever etalon was then, it is `etalon` now.
fn repeated(analysis: &Analysis) -> Document {
    let line = |execution: &Execution| {
        let (_, words) = execution.argv.split_first()?;
        let words: Vec<String> =
            words.iter().map(|word| quoted(&clean(word)).into_owned()).collect();
        Some(format!("etalon {}", words.join(" ")))
    };
    Document { parts: vec![Part::Lines(analysis.executions.iter().filter_map(line).collect())] }
}
