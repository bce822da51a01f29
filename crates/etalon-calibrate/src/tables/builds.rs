//! Two sides of a project in blocks, each built twice: four executions a block, compared build by build.

use etalon_core::criteria::Criteria;
use etalon_core::random::Random;
use etalon_core::sample::Sample;
use etalon_core::verdict::Verdict;

use super::blocks::in_blocks;
use crate::figure::{Bound, Kind};
use crate::judge::{blocked, covers, is, judge, metric};
use crate::noise::{Machine, Noise};
use crate::table::{Row, Table, Weight};

const NOISES: [Noise; 5] =
    [Noise::Normal, Noise::Lognormal(0.25), Noise::Disturbed(0.2), Noise::Bimodal, Noise::Pareto];
const BLOCKS: [usize; 4] = [10, 15, 30, 60];
const BUILDS: usize = 2;
/// The change that is looked for.
const CHANGE: f64 = 0.05;

/// Sides that were built twice, by noise and number of blocks.
#[must_use]
pub(super) fn table() -> Table {
    let columns = ["false verdicts", "ratio covered", "`same`, equal", "found: 5 %", "by means"];
    let rows = NOISES.into_iter().flat_map(|noise| BLOCKS.map(|blocks| row(noise, blocks)));
    Table {
        title: "Sides built twice".to_owned(),
        about: "Equal sides, each built twice and executed four times a block in all, then the same readings with one \
                side slower by 5 %. The last column is what would be found if the mean of a side's builds were compared \
                instead of its builds: shown, and not used. Of 30 blocks in which a fifth of the executions is disturbed, \
                85 % have to find the change."
            .to_owned(),
        of: "noise, blocks".to_owned(),
        columns: columns.iter().map(|name| ((*name).to_owned(), Kind::Share)).collect(),
        rows: rows.collect(),
    }
}

fn row(noise: Noise, blocks: usize) -> Row {
    let is_promised = matches!(noise, Noise::Disturbed(_)) && blocks == 30;
    let found = if is_promised { Bound::AtLeast(0.85) } else { Bound::Shown };
    Row {
        title: format!("{}, {blocks}", noise.name()),
        asked: vec![Bound::AtMost(0.05), Bound::AtLeast(0.95), Bound::Shown, found, Bound::Shown],
        weight: Weight::Usual,
        replicate: Box::new(move |random| replicate(noise, blocks, random)),
    }
}

fn replicate(noise: Noise, blocks: usize, random: Random) -> Vec<Option<u32>> {
    let criteria = Criteria::default();
    let metric = metric("s", noise.resolution());
    let mut machine = Machine::new(noise, 2 * BUILDS, random.stream(1));
    let values = in_blocks(&mut machine, 2 * BUILDS, blocks, &mut random.stream(2));
    let (base, head) = values.split_at(BUILDS);
    let slower = |change: f64| -> Vec<Vec<f64>> {
        head.iter().map(|of| of.iter().map(|value| value * (1.0 + change)).collect()).collect()
    };
    let (same, slow) = (slower(0.0), slower(CHANGE));
    let Some(equal) = judge(&side(base), &side(&same), &metric, &criteria) else {
        return Vec::new();
    };
    let found = |base: Sample, head: Sample| {
        Some(u32::from(is(&judge(&base, &head, &metric, &criteria)?, Verdict::Slower)))
    };
    vec![
        Some(u32::from(equal.decision.is_difference())),
        covers(equal.evidence.differing.ratio, 1.0),
        Some(u32::from(is(&equal, Verdict::Same))),
        found(side(base), side(&slow)),
        found(blocked(means(base)), blocked(means(&slow))),
    ]
}

/// A side with its builds.
fn side(builds: &[Vec<f64>]) -> Sample {
    blocked(means(builds)).with_builds(builds.iter().cloned().map(blocked).collect())
}

/// The means of builds, on the scale of logarithms.
fn means(builds: &[Vec<f64>]) -> Vec<f64> {
    let count = builds.len() as f64;
    let mean = |block: usize| (builds.iter().map(|of| of[block].ln()).sum::<f64>() / count).exp();
    (0..builds[0].len()).map(mean).collect()
}
