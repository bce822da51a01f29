//! Runs of two sides of a project: what their records say, and how they are shown.

use etalon_core::dataset::{BASE, Dataset, HEAD, SIDE};

use crate::cli::Compare;
use crate::compare;
use crate::failure::{Exit, Failure};

/// Facts of a run of two sides.
pub(crate) mod facts {
    /// That it is one: its sides, the base first.
    pub(crate) const SIDES: &str = "sides";
    pub(crate) const BASE_ASKED: &str = "base.asked";
    pub(crate) const HEAD_ASKED: &str = "head.asked";
    pub(crate) const BASE_REVISION: &str = "base.revision";
    pub(crate) const HEAD_REVISION: &str = "head.revision";
    /// How often each side was built.
    pub(crate) const BUILDS: &str = "builds";
    pub(crate) const BUILD_COMMAND: &str = "build.command";
    /// All builds together.
    pub(crate) const BUILD_SECONDS: &str = "build.seconds";
    /// That both sides execute the same bytes.
    pub(crate) const IDENTICAL: &str = "sides.identical";
}

/// Whether data are one run of two sides.
pub(crate) fn is_run(data: &Dataset) -> bool {
    matches!(&data.run_sets[..], [set] if set.context.contains_key(facts::SIDES))
}

/// The comparison of its sides, by the rules that were recorded where nothing else is asked for.
pub(crate) fn compared(mut options: Compare, data: Dataset) -> Result<Exit, Failure> {
    let recorded = data.run_sets.iter().find_map(|set| set.settings.as_ref());
    let recorded = recorded.map(|settings| settings.criteria);
    if options.queries.col.is_none() {
        options.queries.col = Some(format!("/{SIDE}@({BASE} {HEAD})"));
    }
    compare::of_sides(&options, data, recorded)
}
