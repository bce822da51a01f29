//! `--html`: the whole report as one page that needs nothing else: no network, and no script to be read.
//!
//! Says what the terminal says, in the same words (`screen`), with pictures of it (`svg`). Scripts of its own
//! (`script`) draw the observations that it carries (`observations`), sort and filter tables. Text becomes markup in
//! `markup`, Markdown of experiment files in `prose`, and nowhere else; besides, the page's policy admits its own style
//! sheet and script and nothing else.

mod bisection;
mod column;
mod columns;
mod comparison;
mod document;
mod drawn;
mod experiment;
mod history;
mod observations;
mod origins;
mod prose;
mod script;
mod warmups;

use etalon_core::analysis::{Analysis, Execution};
use etalon_core::dataset::Dataset;

use crate::document::Document;
use crate::markup::escaped;
use crate::svg::{self, Drawn};
use crate::view::{Detail, Explanation, Section, Statistics, View};
use crate::{cases, screen, words};

pub use bisection::bisection;
pub use comparison::comparison;
pub use experiment::{Piece, experiment, tables};
pub use history::{PagePoint, PagePoints, history};
pub use observations::Observations;
pub use origins::Origins;

/// The data of a page beside the figures that were computed of them.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Data {
    /// The observations that its scripts draw.
    pub observations: Observations,
    /// Where they come from.
    pub origins: Origins,
}

impl Data {
    /// Of these, scripts looking at a metric first.
    #[must_use]
    pub fn new(data: &Dataset, metric: &str) -> Data {
        Data { observations: Observations::new(data, metric), origins: Origins::of(data) }
    }
}

/// Everything; the lines that are laid out already are as wide as a narrow terminal.
const WHOLE: View = View {
    detail: Detail::Full,
    statistics: Statistics::Full,
    explanation: Explanation::Full,
    ..View::SCREEN
};

/// The page, with the observations that its scripts draw.
#[must_use]
pub fn page(analysis: &Analysis, drawn: Drawn<'_>, data: &Data) -> String {
    let Data { observations, origins } = data;
    let mut body = document::html(&screen::opening(analysis, WHOLE));
    // Those that change how the answer is read stand beside it, as on a terminal.
    let notes = document_markup(&screen::closing(analysis, View::SCREEN));
    let every_note =
        Some(screen::closing(analysis, WHOLE)).filter(|it| document_markup(it) != notes);
    body.push(notes);
    body.push(svg::figures(&svg::stills(analysis, drawn)));
    body.push(script::place(observations));
    let is_explained = analysis.benchmarks.iter().any(|it| it.variation.is_some());
    let asked = if is_explained { WHOLE.sections.with(Section::Variation) } else { WHOLE.sections };
    let whole = View { sections: asked, ..WHOLE };
    let sections = [
        ("Every note", every_note.unwrap_or_default()),
        ("Figures and tests", screen::asked(analysis, whole)),
    ];
    body.extend(sections.iter().map(|(heading, document)| section(heading, document)));
    body.push(origins.sections());
    framed(&Head::Data(&titled(&analysis.executions)), &body.concat(), observations)
}

/// A part of a page.
pub(crate) fn document_markup(document: &Document) -> String {
    document::html(document).concat()
}

/// A part of a page under a heading; nothing without content.
fn section(heading: &str, document: &Document) -> String {
    under(heading, document_markup(document))
}

/// A section of markup under its heading.
fn under(heading: &str, body: String) -> String {
    match body.is_empty() {
        true => body,
        false => format!("<section><h2>{}</h2>\n{body}</section>\n", escaped(heading)),
    }
}

/// The head of a page.
enum Head<'a> {
    /// The data that it is of: the answer below says more.
    Data(&'a str),
    /// The title that its author gave it.
    Title(&'a str),
}

/// A page: `body` is markup already.
fn framed(head: &Head<'_>, body: &str, observations: &Observations) -> String {
    let (class, title) = match head {
        Head::Data(data) => (" class=\"data\"", escaped(data)),
        Head::Title(title) => ("", escaped(title)),
    };
    let (policy, style) = (script::policy(), script::style());
    let (foot, script) = (script::foot(), script::element());
    let data = &observations.markup;
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{title}</title>\n<style>{style}</style>\n</head>\n<body>\n<main>\n<h1{class}>{title}</h1>\n{body}{foot}</main>\n\
         {data}{script}</body>\n</html>\n"
    )
}

/// The data, and when they were measured.
fn titled(executions: &[Execution]) -> String {
    let of = |execution: &Execution| {
        let source = words::short_source(&execution.source);
        match &execution.started {
            Some(started) => format!("{source} ({})", cases::seconds(started)),
            None => source,
        }
    };
    let sources: Vec<String> = executions.iter().map(of).collect();
    format!("etalon: {}", sources.join(", "))
}
