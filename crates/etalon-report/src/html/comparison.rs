//! The page of a comparison: `etalon compare`, `go` and `ab`.

use etalon_core::tables::Tables;

use super::{Data, Head, document_markup, framed, script, section, under};
use crate::compare::words::Columns;
use crate::compare::{Contents, Remarks, page_parts};
use crate::svg::{self, Compared};

/// The page: the screen that a terminal shows, the changes as pictures, every row, where the data come from.
#[must_use]
pub fn comparison(
    tables: &Tables,
    compared: Compared<'_>,
    contents: Contents<'_>,
    said: Remarks<'_>,
    Data { observations, origins }: &Data,
) -> String {
    let (screen, rest) = page_parts(tables, contents, said);
    let names = Columns::new(tables);
    let columns: Vec<String> = tables.columns.iter().map(|column| names.label(column)).collect();
    let title = format!("etalon: {}", columns.join(" → "));
    let (leading, parts) = svg::change_pictures(tables, compared);
    let body = [
        document_markup(&screen),
        svg::figures(&leading),
        script::place(observations),
        section("Every row", &rest),
        under("Parts and side effects", svg::figures(&parts)),
        origins.sections(),
    ];
    framed(&Head::Data(&title), &body.concat(), observations)
}
