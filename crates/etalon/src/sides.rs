//! Runs of two sides of a project: what their records say, and how they are shown.

use etalon_core::dataset::Dataset;
use etalon_core::model::{SaidBy, Sides};
use etalon_core::query::{Key, Order, Projection};
use etalon_core::run_set::StoppedBy;
use etalon_core::shell::copied;

use crate::cli::Compare;
use crate::failure::{Exit, Failure};
use crate::progress::Foresight;
use crate::session::{self, Executed};
use crate::{compare, output};

/// Facts of a run of two sides.
pub(crate) mod facts {
    /// Its sides, the base first, for versions that do not know what the header says.
    pub(crate) const SIDES: &str = "sides";
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
    pub(crate) use etalon_run::origins::facts::{ASKED, IDENTICAL, READ, UNTRACED};
}

/// What a run of commands or cases on two sides is: a parameter of each says which it is of.
pub(crate) const OF_PARAMETERS: Sides = Sides { said_by: SaidBy::Parameter };

/// The sides of data that are one run of two.
pub(crate) fn of(data: &Dataset) -> Option<Sides> {
    match &data.run_sets[..] {
        [set] => set.sides,
        _ => None,
    }
}

/// Says after the first blocks what so many will show.
pub(crate) fn foresight(options: &Compare, sides: Sides, runs: u32) -> Foresight {
    let mut options = options.clone();
    options.queries.columns = Some(columns(sides));
    Box::new(move |data, blocks| {
        let visible = compare::foreseen(&options, data, blocks)?;
        Some(match blocks < runs {
            true => format!("the time allows {blocks} blocks: {visible}"),
            false => format!("{runs} blocks will show {visible}"),
        })
    })
}

/// The sides as columns, the base first.
pub(crate) fn columns(sides: Sides) -> Projection {
    let order = Order::Fixed(Sides::ORDER.map(str::to_owned).to_vec());
    Projection::from_keys([(Key::from_word(sides.key()), order)])
}

/// The comparison of its sides, by the rules that were recorded where nothing else is asked for.
pub(crate) fn compared(options: &Compare, data: Dataset) -> Result<Exit, Failure> {
    let recorded = data.run_sets.iter().find_map(|set| set.settings.as_ref());
    let recorded = recorded.map(|settings| settings.criteria);
    compare::of_report(options, data, recorded)
}

/// Why two sides are not compared of which no execution failed.
pub(crate) const NOTHING: &str = "no block has a reading of every build of a side: there is nothing to compare; measure \
                                  again with a larger --budget, or with each side built once (--no-control)";

/// Whether a side has a reading: of one that was built twice, all builds in one block.
fn has_readings(data: &Dataset) -> Result<bool, Failure> {
    let counts = |data: &Dataset| (0..data.len()).any(|row| data.counts(row));
    match counts(data) && data.has_builds() {
        true => Ok(counts(&data.with_builds_joined().map_err(Failure::new)?)),
        false => Ok(counts(data)),
    }
}

/// Shows what was measured.
pub(crate) fn shown(executed: &Executed, options: &Compare) -> Result<Exit, Failure> {
    let data = match executed.kept.read() {
        Ok(data) => data,
        Err(error) => return session::failure(executed).and(Err(Failure::new(error))),
    };
    let is_silent = options.show.quiet || options.show.json;
    let checked = match has_readings(&data)? {
        true => compared(options, data)?,
        // What stopped it was told.
        false if session::exit(executed, None) != Exit::Done => Exit::Done,
        false => return Err(Failure::new(NOTHING)),
    };
    if let Some(reference) = executed.kept.reference.as_ref().filter(|_| !is_silent) {
        let saved = if executed.kept.is_saved() { "saved; " } else { "" };
        let reference = copied(reference);
        output::remark(&format!("{saved}`etalon report {reference}` shows this again"));
    }
    Ok(match executed.finished.stopped_by {
        StoppedBy::Interrupt => Exit::Interrupted,
        _ => match session::exit(executed, None) {
            Exit::Done => checked,
            exit => exit,
        },
    })
}
