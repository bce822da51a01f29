//! The smallest visible change: said of one experiment, looked for in another.

use etalon_core::compare::family_dependence;
use etalon_core::criteria::Criteria;
use etalon_core::random::Random;
use etalon_core::sample::Sample;
use etalon_core::verdict::{Assessment, assess_all};

use super::blocks::in_blocks;
use crate::figure::{Bound, Kind};
use crate::judge::{blocked, evidence, metric};
use crate::noise::{Machine, Noise};
use crate::table::{Row, Table, Weight};

/// Whose log ratios are near-normal: a change has to be found in 85 to 95 %.
const NEAR_NORMAL: [Noise; 2] = [Noise::Normal, Noise::Lognormal(0.25)];

/// Of others in at least 80 %.
const OTHERS: [Noise; 2] = [Noise::Doubled(0.2), Noise::Bimodal];

/// Few of them are far off: most pilots of ten blocks have none, and cannot know.
const RARE: Noise = Noise::Doubled(0.05);

/// A larger change counts as this one, which says as little.
const MOST: f64 = 10.0;

const BLOCKS: [usize; 5] = [10, 15, 20, 30, 60];
const SUBJECTS: [usize; 3] = [2, 3, 6];

/// Pairs of experiments.
#[must_use]
pub(super) fn table() -> Table {
    let noises = NEAR_NORMAL.into_iter().chain(OTHERS).chain([RARE]);
    let sizes = SUBJECTS.into_iter().flat_map(|subjects| BLOCKS.map(|blocks| (subjects, blocks)));
    let all = noises.flat_map(|noise| sizes.clone().map(move |of| (noise, of)));
    let row = |(noise, (subjects, blocks)): (Noise, (usize, usize))| Row {
        title: format!("{}, {subjects} × {blocks}", noise.name()),
        asked: asked(noise).to_vec(),
        weight: Weight::Usual,
        replicate: Box::new(move |random| replicate(noise, (subjects, blocks), random)),
    };
    let share = |name: &str| (name.to_owned(), Kind::Share);
    Table {
        title: "The smallest visible change".to_owned(),
        about: "\"Changes from x % on are visible\", said of two of several equal subjects, all pairs: how often another \
                experiment finds these two apart where one takes x % longer. That is to happen in 90 %; asked are 85 to 95 % of \
                near-normal log ratios, and 80 % of others. A twentieth of disturbed readings is not seen in most experiments \
                of ten blocks: nothing is asked there."
            .to_owned(),
        of: "noise, subjects × blocks".to_owned(),
        columns: vec![
            share("found"),
            share("missed"),
            share("x is given"),
            ("x, ‰, at most 10,000".to_owned(), Kind::Mean),
        ],
        rows: all.map(row).collect(),
    }
}

fn asked(noise: Noise) -> [Bound; 4] {
    let [found, missed] = match noise {
        RARE => [Bound::Shown; 2],
        _ if NEAR_NORMAL.contains(&noise) => [Bound::AtLeast(0.85), Bound::AtLeast(0.05)],
        _ => [Bound::AtLeast(0.8), Bound::Shown],
    };
    [found, missed, Bound::Shown, Bound::Shown]
}

fn replicate(noise: Noise, sizes: (usize, usize), random: Random) -> Vec<Option<u32>> {
    let said = first_pair(noise, sizes, 0.0, random.stream(1));
    let Some(change) = said.and_then(|assessment| assessment.smallest_visible) else {
        return vec![None, None, Some(0), None];
    };
    let found = first_pair(noise, sizes, change, random.stream(2));
    let found = found.map(|assessment| u32::from(assessment.decision.is_difference()));
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // above 0
    let permille = (change.min(MOST) * 1e3).round() as u32;
    vec![found, found.map(|found| 1 - found), Some(1), Some(permille)]
}

/// The comparison of the first two subjects of an experiment, of which the second takes so much longer.
fn first_pair(
    noise: Noise,
    (subjects, blocks): (usize, usize),
    change: f64,
    random: Random,
) -> Option<Assessment> {
    let criteria = Criteria::default();
    let metric = metric("s", noise.resolution());
    let mut machine = Machine::new(noise, subjects, random.stream(1));
    let mut values = in_blocks(&mut machine, subjects, blocks, &mut random.stream(2));
    values[1].iter_mut().for_each(|value| *value *= 1.0 + change);
    let samples: Vec<Sample> = values.into_iter().map(blocked).collect();
    let from = |at: usize| samples[at + 1..].iter().map(move |other| (at, other));
    let pairs: Vec<(&Sample, &Sample)> =
        (0..subjects).flat_map(from).map(|(at, other)| (&samples[at], other)).collect();
    let dependence = family_dependence(pairs.iter().copied(), subjects - 1);
    let all = pairs
        .into_iter()
        .filter_map(|(base, other)| evidence(base, other, &metric, &criteria, dependence));
    assess_all(all.collect(), &criteria).into_iter().next()
}
