//! An experiment file on two sides of a project: that of the working tree, laid over every copy of both; what its commands
//! execute is the copy's own.
//!
//! Owns: where cells are executed then, and what has to hold of them. Refuses: suites, which `etalon run --base` measures
//! without a file, and an order that has no blocks. How the sides compare is shown by [`super::shown`].

use std::path::Path;

use etalon_core::plan::Order;

use super::generated::Generated;
use super::kinds::{Kind, kind};
use super::plan;
use super::schedule::order;
use super::subjects::Site;
use crate::cli;
use crate::experiments::file::File;
use crate::failure::Failure;
use crate::progress::Watch;
use crate::sides::{self, Copy, OnSides, SidesRequest, copies};
use crate::toml_text::Source;
use crate::tool;

/// The copies, built, with the file in them; nothing where no other revision is asked for.
///
/// # Errors
/// If there is no such revision, a side does not build, or the file lies outside the project or is not of commands.
pub(super) fn prepare(
    source: Source<'_>,
    file: &File,
    options: &cli::Run,
    watch: &Watch<'_>,
) -> Result<Option<OnSides>, Failure> {
    if options.sides.base.is_none() {
        return Ok(None);
    }
    check(source, file, options)?;
    let path = copies::inside(Path::new(source.path), &tool::here()?)?;
    let checks = options.based.checks.file.as_deref();
    let laid = std::slice::from_ref(&path);
    let request = SidesRequest::with_files(&options.sides, checks, laid, &options.nodes);
    let before_building = |copies: &[Copy]| {
        let places = places(source, Some(copies))?;
        let files = Generated::write(source, file, &places)?;
        let (experiment, setup) = plan::check_commands(source, file, (options, &places), watch)?;
        sides::refuse_absent(&experiment, copies)?;
        // Without a service, or where results are to be written, nothing is to be tried yet.
        let tried = match file.service.0.is_empty() && file.measure.results.is_none() {
            true => sides::refuse_nowhere((&experiment, &setup), copies, watch),
            false => Ok(()),
        };
        drop(files);
        tried
    };
    OnSides::prepare(&request, watch, &before_building).map(Some)
}

/// Refuses a file that has no sides.
fn check(source: Source<'_>, file: &File, options: &cli::Run) -> Result<(), Failure> {
    if kind(source, file)? == Kind::Suites {
        let why = "is of commands and packages of Go in an experiment file: `etalon run --base REV SUITE` measures a suite";
        return Err(Failure::about("--base", why));
    }
    if order(file, options) == Order::Sequential {
        let why =
            "compares sides within blocks, which the order `sequential` has none of: leave it out";
        return Err(Failure::about("--base", why));
    }
    Ok(())
}

/// Where cells are executed: where the file is, or in each of these copies.
///
/// # Errors
/// If the directory that etalon was started in is gone, or the file lies outside the project.
pub(super) fn places(source: Source<'_>, copies: Option<&[Copy]>) -> Result<Vec<Site>, Failure> {
    let Some(copies) = copies else { return Ok(vec![Site::of_file(source)?]) };
    let path = copies::inside(Path::new(source.path), &tool::here()?)?;
    let inside = path.parent().unwrap_or(Path::new(""));
    let place =
        |copy: &Copy| Site { directory: copy.directory.join(inside), copy: Some(copy.clone()) };
    Ok(copies.iter().map(place).collect())
}

/// The copies there would be of a file that is only told; nothing where no other revision is asked for.
///
/// # Errors
/// If the file has no sides.
pub(super) fn pretended(
    source: Source<'_>,
    file: &File,
    options: &cli::Run,
) -> Result<Option<Vec<Copy>>, Failure> {
    if options.sides.base.is_none() {
        return Ok(None);
    }
    check(source, file, options)?;
    Ok(Some(sides::pretended(&options.sides.copying, &tool::here()?)))
}
