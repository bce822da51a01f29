//! How data are shown where nothing else is asked for, as their records say.

use etalon_core::dataset::Dataset;
use etalon_core::run_set::ExperimentFile;

use crate::packages;

/// How data are shown.
pub(crate) enum Presentation {
    /// Two sides of a project beside each other, and below them what declares their subjects.
    Sides(Subjects),
    /// A search among commits.
    Bisection,
    /// The tables of an experiment file.
    File(ExperimentFile),
    /// The tables of a harness: packages of Go, results of commands.
    Packages,
    /// Numbers that somebody published: they are shown, never ranked, because a ranking is tests.
    Published,
    /// A ranking of everything.
    Ranking,
}

/// Subjects of two sides.
pub(crate) enum Subjects {
    /// Commands or cases.
    Plain,
    /// The cells of an experiment file.
    File(ExperimentFile),
    /// Benchmarks of a harness.
    Packages,
}

impl Presentation {
    /// How data are shown. What holds of one run holds of no several.
    pub(crate) fn of(data: &Dataset) -> Presentation {
        if data.run_sets.iter().any(|set| set.bisection.is_some()) {
            return Presentation::Bisection;
        }
        let is_of_packages = packages::is_run(data);
        let file = match &data.run_sets[..] {
            [run_set] => run_set.experiment.clone(),
            _ => None,
        };
        let has_sides = data.run_sets.iter().any(|set| set.sides.is_some());
        let is_published = data.run_sets.iter().any(|set| set.published);
        match (has_sides, file) {
            (true, Some(file)) => Presentation::Sides(Subjects::File(file)),
            (true, None) if is_of_packages => Presentation::Sides(Subjects::Packages),
            (true, None) => Presentation::Sides(Subjects::Plain),
            (false, Some(file)) => Presentation::File(file),
            (false, None) if is_of_packages => Presentation::Packages,
            (false, None) if is_published => Presentation::Published,
            (false, None) => Presentation::Ranking,
        }
    }
}
