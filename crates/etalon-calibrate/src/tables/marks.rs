//! Quantiles of equal subjects beside each other: how often any mark of a picture is off.

use etalon_core::criteria::Criteria;
use etalon_core::plots::{JointLevel, Pair, pair};
use etalon_core::random::Random;
use etalon_core::sample::Sample;

use super::blocks::in_blocks;
use crate::figure::{Bound, Kind};
use crate::judge::{blocked, evidence, metric};
use crate::noise::{Machine, Noise};
use crate::table::{Row, Table, Weight};

const NOISES: [Noise; 9] = [
    Noise::Normal,
    Noise::Lognormal(0.25),
    Noise::Spiked,
    Noise::Bimodal,
    Noise::Disturbed(0.2),
    Noise::Ticks(0.001),
    Noise::Ticks(0.01),
    Noise::Drift,
    Noise::Own(0.5),
];
/// With as many readings more and more quantiles are drawn: from 10, 40, 200.
const BLOCKS: [usize; 5] = [10, 30, 60, 200, 400];
/// Rows of a table, and those of a picture: the largest changes.
const ROWS: usize = 20;
const DRAWN: usize = 4;

/// Pictures of quantiles, by noise and number of blocks.
#[must_use]
pub(super) fn table() -> Table {
    let columns = ["one comparison".to_owned(), format!("{DRAWN} largest of {ROWS}")];
    let rows = NOISES.into_iter().flat_map(|noise| BLOCKS.map(|blocks| row(noise, blocks)));
    Table {
        title: "Quantile marks".to_owned(),
        about: format!(
            "How often a picture of equal subjects has any quantile whose interval misses the line: of one comparison, and of the \
             {DRAWN} rows of {ROWS} that changed most, which are the ones that a page draws."
        ),
        of: "noise, blocks".to_owned(),
        columns: columns.map(|name| (name, Kind::Share)).to_vec(),
        rows: rows.collect(),
    }
}

fn row(noise: Noise, blocks: usize) -> Row {
    Row {
        title: format!("{}, {blocks}", noise.name()),
        asked: vec![Bound::AtMost(noise.allowed(blocks)); 2],
        weight: Weight::Usual,
        replicate: Box::new(move |random| {
            vec![one(noise, blocks, random.stream(1)), largest(noise, blocks, random.stream(2))]
        }),
    }
}

/// Two equal subjects.
fn one(noise: Noise, blocks: usize, random: Random) -> Option<u32> {
    Some(u32::from(is_off(&drawn(noise, blocks, 1, random)?)))
}

/// The rows with the largest changes of many that did not change.
fn largest(noise: Noise, blocks: usize, random: Random) -> Option<u32> {
    let all = (0..ROWS as u64).map(|row| drawn(noise, blocks, ROWS, random.stream(row)));
    let mut all = all.collect::<Option<Vec<Pair>>>()?;
    let change = |it: &Pair| it.evidence.differing.ratio.map_or(0.0, |of| of.value.ln().abs());
    all.sort_by(|a, b| change(b).total_cmp(&change(a)));
    Some(u32::from(all[..DRAWN].iter().any(is_off)))
}

fn drawn(noise: Noise, blocks: usize, pairs: usize, random: Random) -> Option<Pair> {
    let criteria = Criteria::default();
    let mut machine = Machine::new(noise, 2, random.stream(1));
    let values = in_blocks(&mut machine, 2, blocks, &mut random.stream(2));
    let [base, other]: [Sample; 2] =
        values.into_iter().map(blocked).collect::<Vec<_>>().try_into().ok()?;
    let found = evidence(&base, &other, &metric("s", noise.resolution()), &criteria, None)?;
    let joint = JointLevel { level: criteria.confidence, pairs };
    Some(pair((0, 1), (&base, &other), true, (&found, joint)))
}

/// Whether an interval misses that nothing changed, by more than logarithms round off.
fn is_off(pair: &Pair) -> bool {
    let misses = |lo: f64, hi: f64| lo > 1.0 + 1e-12 || hi < 1.0 - 1e-12;
    pair.quantiles.iter().filter_map(|it| it.interval).any(|it| misses(it.lo, it.hi))
}
