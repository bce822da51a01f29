//! The page of a bisection: its answer, every commit against both ends as a picture and as a table.

use super::{Data, Head, document_markup, framed, script, titled};
use crate::bisection::{Report, page_parts, stills};
use crate::svg;

/// The page.
#[must_use]
pub fn bisection(report: &Report<'_>, data: &Data) -> String {
    let Data { observations, origins } = data;
    let (opening, rest) = page_parts(report);
    let body = [
        document_markup(&opening),
        svg::figures(&stills(report)),
        document_markup(&rest),
        script::place(observations),
        origins.sections(),
    ];
    framed(&Head::Data(&titled(report.executions)), &body.concat(), observations)
}
