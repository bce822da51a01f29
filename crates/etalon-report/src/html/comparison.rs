//! The page of a comparison: `etalon compare`, `go` and `ab`.

use etalon_core::tables::Tables;

use super::{Data, Head, framed, of_document, script, section, under};
use crate::compare::words::Columns;
use crate::compare::{Contents, Remarks, of_page};
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
    let (screen, rest) = of_page(tables, contents, said);
    let names = Columns::of(tables);
    let columns: Vec<String> = tables.columns.iter().map(|column| names.label(column)).collect();
    let title = format!("etalon: {}", columns.join(" → "));
    let (leading, parts) = svg::of_changes(tables, compared);
    let body = [
        of_document(&screen),
        svg::figures(&leading),
        script::place(observations),
        section("Every row", &rest),
        under("Parts and side effects", svg::figures(&parts)),
        origins.sections(),
    ];
    framed(&Head::Data(&title), &body.concat(), observations)
}
