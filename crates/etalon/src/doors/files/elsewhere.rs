//! An experiment file over other machines: who may ask for that, what is refused of it there, and what travels.
//!
//! Owns that a file alone starts nothing elsewhere, because it may be somebody else's. Refuses to execute.

use std::path::Path;

use etalon_core::shell::copied;
use etalon_record::Text;
use etalon_run::Experiment;

use super::kinds::{Kind, kind};
use super::plan::Setup;
use super::sent;
use super::subjects::Binaries;
use crate::cli::{self, On};
use crate::experiments::file::{File, Placed};
use crate::failure::Failure;
use crate::nodes::luggage::Luggage;
use crate::sides::OnSides;
use crate::toml_text::Source;
use crate::{nodes, tool};

/// Refuses machines that the file names and nobody typed, and what is not measured on others.
///
/// # Errors
/// With place and remedy.
pub(super) fn check(source: Source<'_>, file: &File, options: &cli::Run) -> Result<(), Failure> {
    let cli::Nodes { on: typed, .. } = &options.nodes;
    if options.nodes.is_node() {
        return Ok(());
    }
    if let Some(placed) = &file.measure.on {
        let asked = On::parse(placed.get_ref()).map_err(|why| source.at(placed.span(), why))?;
        if typed.as_ref() != Some(&asked) {
            let words = copied(placed.get_ref());
            let why = format!(
                "a file starts nothing on other machines unless who executes it says the same: type `--on {words}`, or \
                 leave it out here"
            );
            return Err(source.at(placed.span(), why));
        }
    }
    if typed.is_none() {
        return Ok(());
    }
    if kind(source, file)? == Kind::Suites {
        nodes::refuse_rows(&options.recording)?;
    }
    Ok(())
}

/// Paths that travel besides copies of sides: the file, and what its commands and hooks name below this directory.
///
/// # Errors
/// If the file is elsewhere, or one cannot be read.
pub(super) fn luggage(
    source: Source<'_>,
    file: &File,
    options: &cli::Run,
    (experiment, setup): (&Experiment, &Setup),
    (binaries, on_sides): (&[Binaries], Option<&OnSides>),
) -> Result<Luggage, Failure> {
    let mut luggage = Luggage::default();
    if options.nodes.on.is_none() {
        return Ok(luggage);
    }
    luggage.asked("--on with", &[source.path.into()])?;
    luggage.asked("--service", &options.services)?;
    luggage.asked("--send", &options.nodes.send)?;
    if let Setup::Cases(_) = setup {
        luggage.add_lua()?;
        let directory = tool::here()?.join(source.directory());
        let subjects = || file.subject.iter().map(Placed::get_ref);
        for suite in subjects().filter_map(|subject| subject.suite.as_ref()) {
            // As a word: a suite may be called in any way.
            luggage.texts(std::iter::once(suite.get_ref().as_bytes()), &directory)?;
        }
        let requires = subjects().filter_map(|subject| subject.requires.as_ref());
        let around = [&file.setup, &file.cleanup].into_iter().flatten();
        let texts = requires.chain(around).map(|text| text.get_ref().as_bytes());
        luggage.texts(texts, &directory)?;
    }
    if let Setup::Commands(setup) = setup {
        luggage.named(&experiment.benchmarks, &setup.cwd)?;
        let around = [&setup.around_all.setup, &setup.around_all.cleanup];
        let requires = setup.hooks.iter().filter_map(|hooks| hooks.requires.as_ref());
        let executed = around.into_iter().flatten().chain(requires);
        // What a shell executes is its last word.
        let texts = executed.filter_map(|it| it.argv.last()).map(Text::as_bytes);
        luggage.texts(texts, Path::new(&setup.cwd))?;
    }
    let copies = on_sides.map_or(Vec::new(), OnSides::places_elsewhere);
    sent::send(binaries, &copies, &mut luggage)?;
    Ok(luggage)
}
