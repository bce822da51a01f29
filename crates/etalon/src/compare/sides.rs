//! Two sides of a project as records have them: facts of such a run, its columns, and builds of a side as one reading.
//!
//! Refuses to make copies of anything: that is [`crate::sides`]'.

use std::borrow::Cow;

use etalon_core::dataset::Dataset;
use etalon_core::model::Sides;
use etalon_core::query::{Key, Order, Projection};

use crate::failure::Failure;

/// Facts of a run of two sides.
pub(crate) mod facts {
    /// Its sides, the base first, for versions that do not know what the header says.
    pub(crate) const SIDES: &str = "sides";
    /// Where in a side etalon was started.
    pub(crate) const DIRECTORY: &str = "sides.directory";
    pub(crate) const BASE_ASKED: &str = "base.asked";
    pub(crate) const HEAD_ASKED: &str = "head.asked";
    pub(crate) const BASE_REVISION: &str = "base.revision";
    pub(crate) const HEAD_REVISION: &str = "head.revision";
    /// How often each side was built.
    pub(crate) const BUILDS: &str = "builds";
    pub(crate) const BUILD_COMMAND: &str = "build.command";
    /// How old builds from earlier are, and how many of how many.
    pub(crate) const BASE_AGE: &str = "base.build_age";
    pub(crate) const HEAD_AGE: &str = "head.build_age";
    /// All builds of now together.
    pub(crate) const BUILD_SECONDS: &str = "build.seconds";
    /// Benchmarks that differ between the sides, by those that were executed.
    pub(crate) const BENCHES: [(BenchmarksOf, &str); 3] = [
        (BenchmarksOf::Head, "benches.head"),
        (BenchmarksOf::Own, "benches.own"),
        (BenchmarksOf::OwnForWant, "benches.own_for_want"),
    ];
    /// The first words of these keys.
    const WORDS: [&str; 6] = ["sides", "base", "head", "builds", "build", "benches"];

    /// Whether a fact is one of two sides.
    pub(crate) fn is_of_sides(key: &str) -> bool {
        key.split('.').next().is_some_and(|word| WORDS.contains(&word))
    }

    use etalon_core::notes::BenchmarksOf;
    pub(crate) use etalon_run::origins::facts::{ASKED, IDENTICAL, READ, SEEN, UNTRACED};

    /// Whether a note of this subject says of files what a fact says, because it was found out after the record was begun.
    pub(crate) fn are_of_files(about: &str) -> bool {
        [ASKED, IDENTICAL, READ, SEEN, UNTRACED].contains(&about)
    }
}

/// Why two sides are not compared of which no execution failed.
pub(crate) const NOTHING: &str = "no block has a reading of every build of a side: there is nothing to compare; measure \
                                  again with more time or blocks, or with each side built once (--no-control)";

/// The sides of data that are one run of two.
pub(crate) fn of(data: &Dataset) -> Option<Sides> {
    match &data.run_sets[..] {
        [set] => set.sides,
        _ => None,
    }
}

/// The data with the builds of each side as one.
///
/// # Errors
/// If they cannot be joined.
pub(crate) fn joined(data: &Dataset) -> Result<Cow<'_, Dataset>, Failure> {
    Ok(match data.has_builds() {
        true => Cow::Owned(data.with_builds_joined().map_err(Failure::new)?),
        false => Cow::Borrowed(data),
    })
}

/// The sides as columns, the base first.
pub(crate) fn columns(sides: Sides) -> Projection {
    let order = Order::Fixed(Sides::ORDER.map(str::to_owned).to_vec());
    Projection::from_keys([(Key::from_word(sides.key()), order)])
}
