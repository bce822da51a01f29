//! Files that both sides of a module are compiled from.

use std::path::Path;

use etalon_core::model::Context;
use etalon_run::go::{GoBuild, Source};

use super::request::{Request, build_flags, failure};
use crate::failure::Failure;
use crate::progress::Watch;
use crate::sides::OnSides;

/// Facts for the record about the files that both sides are compiled from, where some differ. Where the benchmarks of one
/// are laid over those of the other, no test file differs.
///
/// # Errors
/// If a side is compiled from a file of another place in place of its own, which differs.
pub(super) fn compiled(
    asked: &Request<'_>,
    (on_sides, are_laid): (&OnSides, bool),
    watch: &Watch<'_>,
    go: &mut GoBuild<'_>,
) -> Result<Context, Failure> {
    let flags = build_flags(asked.building);
    let mut of_side = |directory: &Path| {
        let source = Source { directory, packages: asked.packages, flags: &flags };
        let mut files = go.compiled(&source).map_err(failure)?;
        files.retain(|file| !(are_laid && file.to_string_lossy().ends_with("_test.go")));
        Ok::<_, Failure>(files)
    };
    let [base, head, ..] = on_sides.copies() else { return Ok(Context::new()) };
    let files = [of_side(&base.directory)?, of_side(&head.directory)?];
    let name = format!("go {}", asked.packages.join(" "));
    let mut facts =
        on_sides.unobserved(watch).compiled(&name, [&files[0], &files[1]]).map_err(Failure::new)?;
    // Where none differs, binaries that are the same say it.
    facts.retain(|_, value| !value.ends_with(" 0 differ") && value != "yes");
    Ok(facts)
}
