//! An experiment file on two sides of a project: that of the working tree, laid over every copy of both; what its commands
//! execute is the copy's own.
//!
//! Owns: where cells are executed then, what has to hold of them, and what is shown: how the sides compare, and below that
//! the file's tables of each side. Refuses: suites, which `etalon run --base` measures without a file, and an order that
//! has no blocks.

use std::path::Path;

use etalon_core::plan::Order;
use etalon_run::{Experiment, Origins};

use super::schedule::order;
use super::subjects::{Kind, Site, kind};
use crate::cli::{self, Compare};
use crate::experiments::file::File;
use crate::experiments::{Wanted, is_for_reading, of_each};
use crate::failure::{Exit, Failure};
use crate::progress::Watch;
use crate::session::{self, Executed};
use crate::sides::copies::{self, Laid, Made};
use crate::sides::{Copy, OF_PARAMETERS, origins};
use crate::toml_text::Source;

/// Copies of both sides, with the file in them. They go with it, but for builds that are kept.
pub(super) struct OnSides {
    /// Where cells are executed, a place in each copy.
    pub(super) places: Vec<Site>,
    copies: Vec<Copy>,
    made: Made,
}

impl OnSides {
    /// The copies, built; nothing where no other revision is asked for.
    ///
    /// # Errors
    /// If there is no such revision, a side does not build, or the file lies outside the project or is not of commands.
    pub(super) fn of(
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
        let here = std::env::current_dir();
        let here = here.map_err(|error| Failure::about("the current directory", error))?;
        let path = copies::inside(Path::new(source.path), &here)?;
        let laid = copies::laid(&options.sides, std::slice::from_ref(&path), watch)?;
        let Laid { made, copies } = laid.map_err(|unbuilt| told(&unbuilt))?;
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
        origins::origins(experiment, (&self.made, &self.copies), watch)
            .map_err(|one_sided| told(&one_sided))
    }
}

/// What is told with the name of this program.
fn told(text: &str) -> Failure {
    Failure::new(text.strip_prefix("etalon: ").unwrap_or(text).to_owned())
}

/// Shows how the sides compare, and the file's tables.
pub(super) fn shown(
    source: Source<'_>,
    file: &File,
    executed: &Executed,
    options: &cli::Run,
) -> Result<Exit, Failure> {
    let reporting = &options.reporting;
    let exit = session::shown_sides(executed, &Compare::of_reporting(reporting))?;
    session::failure(executed)?;
    let data = executed.kept.read().map_err(Failure::new)?;
    let has_failed = data.has_failures();
    if is_for_reading(&reporting.view) {
        let cli::Reporting { view, analysis, .. } = reporting;
        of_each(source, file, &data, &Wanted { view, analysis, page: None })?;
    }
    Ok(if has_failed && exit == Exit::Done { Exit::Failed } else { exit })
}
