//! The page of a comparison: `etalon compare`, `go` and `ab`.

use etalon_core::tables::Tables;

use super::{Observations, framed, of_document, script, section};
use crate::compare::words::Columns;
use crate::compare::{Contents, Remarks, of_page};
use crate::svg::{self, Compared};

/// The page: the screen that a terminal shows, the changes as pictures, every row.
#[must_use]
pub fn comparison(
    tables: &Tables,
    compared: Compared<'_>,
    contents: Contents<'_>,
    said: Remarks<'_>,
    observations: &Observations,
) -> String {
    let (screen, rest) = of_page(tables, contents, said);
    let names = Columns::of(tables);
    let columns: Vec<String> = tables.columns.iter().map(|column| names.label(column)).collect();
    let title = format!("etalon: {}", columns.join(" → "));
    let body = [
        of_document(&screen),
        svg::figures(&svg::changes(tables, compared)),
        script::place(observations),
        section("Every row", &rest),
    ];
    framed(&title, &body.concat(), observations)
}
