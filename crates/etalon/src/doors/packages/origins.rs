//! Files that both sides of a module are compiled from.

use std::path::Path;

use etalon_core::model::Context;
use etalon_run::Origins;
use etalon_run::go::{GoBuild, Source};
use etalon_run::sides::{self, Sides};

use super::request::{Request, build_flags, failure};
use crate::failure::Failure;
use crate::progress::Watch;

/// Facts for the record about the files that both sides are compiled from, where some differ.
///
/// # Errors
/// If a side is compiled from a file of another place in place of its own, which differs.
pub(super) fn compiled(
    asked: &Request<'_>,
    (room, directories): (&Sides, &[&Path]),
    watch: &Watch<'_>,
    go: &mut GoBuild<'_>,
) -> Result<Context, Failure> {
    let flags = build_flags(asked.building);
    let mut of_side = |directory| {
        let source = Source { directory, packages: asked.packages, flags: &flags };
        go.compiled(&source).map_err(failure)
    };
    let [base, head] = *directories else { return Ok(Context::new()) };
    let files = [of_side(base)?, of_side(head)?];
    let root = |of: &sides::Side| of.copies.first().map(|it| it.root.clone()).unwrap_or_default();
    let roots = [root(&room.base), root(&room.head)];
    let interrupts = watch.interrupts();
    let origins = Origins {
        pairs: Vec::new(),
        project: room.top.file_name().unwrap_or_default().to_owned(),
        elsewhere: roots.iter().cloned().chain([room.top.clone()]).collect(),
        roots,
        others: 0,
        interrupted: Box::new(move || interrupts.come()),
    };
    let name = format!("go {}", asked.packages.join(" "));
    let mut facts = origins.compiled(&name, [&files[0], &files[1]]).map_err(Failure::new)?;
    // Where none differs, binaries that are the same say it.
    facts.retain(|_, value| !value.ends_with(" 0 differ") && value != "yes");
    Ok(facts)
}
