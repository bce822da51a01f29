//! Any door on two sides of a project: its subjects in every copy, and what that adds to its job.
//!
//! A door says which sides are asked for, and what one copy becomes: commands, cases, cells or test binaries. Everything
//! else about sides is here: copies with their builds, what the record says of them, what is looked at before anything
//! is measured, what the first blocks foretell. Refuses to know what is measured.

use std::path::{Path, PathBuf};

use etalon_core::dataset::Dataset;
use etalon_core::model::Sides;
use etalon_core::plan::Stopping;
use etalon_run::{Experiment, Naming, Origins};

use super::builds::BeforeBuilding;
use super::copies::{Checkouts, SidesRequest, arrived, checked_out, described, in_turn, number};
use super::{Copy, origins};
use crate::cli::{Comparison, CopyArgs};
use crate::compare::sides::facts;
use crate::compare::{self, families};
use crate::course::Job;
use crate::enough::{self, AfterFirst};
use crate::failure::Failure;
use crate::progress::Watch;
use crate::{nodes, tool};

/// Copies of two sides. They go with it, but for builds that are kept.
pub(crate) struct OnSides {
    checkouts: Checkouts,
    /// How they are told apart.
    sides: Sides,
    /// Whether both are the directory that the user works in.
    are_in_place: bool,
}

impl OnSides {
    /// The copies, built where a command builds them, after a check of what they are before, and of the machines that are
    /// to execute what is in them.
    ///
    /// # Errors
    /// If no machine can be reached, there is no such revision or directory, the check says so, a side does not build, or one build changes what
    /// another one made.
    pub(crate) fn prepare(
        request: &SidesRequest<'_>,
        watch: &Watch<'_>,
        check: BeforeBuilding<'_>,
    ) -> Result<OnSides, Failure> {
        let here = tool::here()?;
        let checkouts = match &request.nodes.copies[..] {
            [] => {
                nodes::reach(request.nodes, watch)?;
                checked_out(request, &here, watch, check)?
            }
            sent => arrived(sent, &here),
        };
        Ok(OnSides { checkouts, sides: request.sides, are_in_place: false })
    }

    /// The working tree as the head, beside a base of that name which was built before.
    pub(crate) fn in_place(base: &str, here: &Path, sides: Sides) -> OnSides {
        let mut facts = described(base, "the working tree");
        facts.insert(facts::BUILDS.to_owned(), "1".to_owned());
        let copies = in_turn(1).map(|side| Copy::in_directory(side, here)).collect();
        let checkouts = Checkouts { copies, room: None, facts, checks: None };
        OnSides { checkouts, sides, are_in_place: true }
    }

    /// The copies, in the order in which they are built.
    pub(crate) fn copies(&self) -> &[Copy] {
        &self.checkouts.copies
    }

    /// The copies that are sent to other machines as a whole.
    pub(crate) fn travelling(&self) -> &[Copy] {
        if self.are_in_place { &[] } else { self.copies() }
    }

    /// The tops of these copies, and their places there.
    pub(crate) fn places_elsewhere(&self) -> Vec<(PathBuf, PathBuf)> {
        let place =
            |copy: &Copy| (copy.root.clone(), nodes::luggage::place_of_copy(copy.side, copy.build));
        self.travelling().iter().map(place).collect()
    }

    /// The files of the base, laid over by those of the working tree, that were others before.
    pub(crate) fn laid_over(&self) -> &[PathBuf] {
        self.checkouts.room.as_ref().map_or(&[], |room| &room.laid_over)
    }

    /// Keeps the copies as a door has built them, by that command, in so many seconds.
    pub(crate) fn keep(&mut self, command: String, seconds: f64) {
        let Checkouts { room, facts, .. } = &mut self.checkouts;
        if let Some(room) = room {
            room.keep();
        }
        facts.insert(facts::BUILD_COMMAND.to_owned(), command);
        facts.insert(facts::BUILD_SECONDS.to_owned(), format!("{seconds:.1}"));
    }

    /// Says in the record that an experiment is on these sides.
    pub(crate) fn declare(&self, experiment: &mut Experiment) {
        experiment.context.extend(self.checkouts.facts.clone());
        experiment.sides = Some(self.sides);
        experiment.checks.clone_from(&self.checkouts.checks);
    }

    /// The look at the files that commands read on each side, before they are measured.
    ///
    /// # Errors
    /// If a command names files of one side only.
    pub(crate) fn origins(
        &self,
        experiment: &Experiment,
        watch: &Watch<'_>,
    ) -> Result<Origins, Failure> {
        origins::origins(experiment, self.copies(), self.unobserved(watch))
    }

    /// Where the sides and everything else of the project are, with no command yet.
    pub(crate) fn unobserved(&self, watch: &Watch<'_>) -> Origins {
        let top = self.checkouts.room.as_ref().map(|room| room.top.as_path());
        origins::unobserved(self.copies(), top, watch)
    }
}

/// The job of a door whose subjects are on these sides, if it is: copies are there until everything is executed, and
/// after the first blocks it is said what all of them will show.
///
/// # Errors
/// If a check is of something that is known not to be there, or copies cannot be sent to the machines that measure.
pub(crate) fn around<'a>(
    mut job: Job<'a>,
    on_sides: Option<OnSides>,
    compare: &Comparison,
) -> Result<Job<'a>, Failure> {
    let Some(on_sides) = on_sides else { return Ok(job) };
    let names = job.experiment.benchmarks.iter().map(|benchmark| benchmark.name.as_str());
    compare::refuse_names(compare, &names)?;
    job.refusal = job.refusal.or_else(|| families::refusal(compare, Some(on_sides.sides)));
    let rows = enough::rows_of_sides(&job.experiment.benchmarks);
    let Experiment { metrics, plan, .. } = &mut job.experiment;
    if let Some(family) = families::declared(compare, rows, metrics) {
        plan.limits = plan.limits.for_family(plan.stopping, family.comparisons, &family.criteria);
        job.family = family;
    }
    if let Naming::Behind(_) = job.experiment.naming {
        let (compare, sides) = (compare.clone(), on_sides.sides);
        let of = Box::new(move |data: &Dataset| families::measured(&compare, data, sides));
        job.after_first = Some(AfterFirst { of, is_fixed: true });
    }
    if let Stopping::Runs(runs) = job.experiment.plan.stopping {
        job.foresight = Some(compare::foresight(compare, on_sides.sides, runs));
    }
    if job.nodes.on.is_some() {
        let copies = on_sides.travelling().iter();
        let copies = copies.map(|it| ((it.side, it.build), (&*it.root, &*it.directory)));
        job.luggage.sides(copies)?;
    }
    job.holds.push(Box::new(on_sides));
    Ok(job)
}

/// The copies there would be of a directory, for who tells what would be measured.
pub(crate) fn pretended(copying: &CopyArgs, directory: &Path) -> Vec<Copy> {
    in_turn(number(copying)).map(|side| Copy::in_directory(side, directory)).collect()
}
