//! An experiment file on two sides of a project: that of the working tree, laid over every copy of both; what its commands
//! execute is the copy's own.
//!
//! Owns: where cells are executed then, and what has to hold of them. Refuses: suites, which `etalon run --base` measures
//! without a file, and an order that has no blocks. How the sides compare is shown by [`super::shown`].

use std::path::Path;

use etalon_core::plan::Order;
use etalon_run::{Experiment, Origins};

use super::kinds::{Kind, kind};
use super::schedule::order;
use super::subjects::Site;
use crate::cli;
use crate::experiments::file::File;
use crate::failure::Failure;
use crate::progress::Watch;
use crate::sides::copies::{self, Checkouts, Overlay};
use crate::sides::{Copy, OF_PARAMETERS, origins};
use crate::toml_text::Source;
use crate::tool;

/// Copies of both sides, with the file in them. They go with it, but for builds that are kept.
pub(super) struct OnSides {
    /// Where cells are executed, a place in each copy.
    pub(super) places: Vec<Site>,
    copies: Vec<Copy>,
    made: Checkouts,
}

impl OnSides {
    /// The copies, built; nothing where no other revision is asked for.
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
        if kind(source, file)? == Kind::Suites {
            let why = "is of commands and packages of Go in an experiment file: `etalon run --base REV SUITE` measures a suite";
            return Err(Failure::about("--base", why));
        }
        if order(file, options) == Order::Sequential {
            let why = "compares sides within blocks, which the order `sequential` has none of: leave it out";
            return Err(Failure::about("--base", why));
        }
        let here = tool::here()?;
        let path = copies::inside(Path::new(source.path), &here)?;
        let laid = copies::laid(&options.sides, std::slice::from_ref(&path), watch);
        let Overlay { made, copies } = laid.map_err(Failure::into_usage)?;
        let place = |copy: &Copy| Site {
            directory: copy.directory.join(path.parent().unwrap_or(Path::new(""))),
            copy: Some(copy.clone()),
        };
        let places = copies.iter().map(place).collect();
        Ok(Some(OnSides { places, copies, made }))
    }

    /// Adds what the record says of the sides; what is to be found out of the commands before they are measured.
    ///
    /// # Errors
    /// With the command that one side has alone.
    pub(super) fn origins(
        &self,
        experiment: &mut Experiment,
        watch: &Watch<'_>,
    ) -> Result<Origins, Failure> {
        experiment.context.extend(self.made.facts.clone());
        experiment.sides = Some(OF_PARAMETERS);
        origins::origins(experiment, (&self.made, &self.copies), watch).map_err(Failure::into_usage)
    }
}
