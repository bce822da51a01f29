//! Differences that medians hide: `same` where one side is slow more often; and differences that dependence must not hide.

use etalon_core::criteria::Criteria;
use etalon_core::random::Random;
use etalon_core::verdict::Verdict;

use super::blocks::in_blocks;
use crate::figure::{Bound, Kind};
use crate::judge::{blocked, is, judge, metric};
use crate::noise::{Machine, Noise};
use crate::table::{Row, Table, Weight};

/// Which share of the readings of base and candidate takes twice as long.
const SHARES: [(f64, f64); 6] =
    [(0.0, 0.0), (0.03, 0.03), (0.1, 0.1), (0.0, 0.03), (0.0, 0.05), (0.0, 0.1)];

/// The guard of `same`.
#[must_use]
pub(super) fn guard() -> Table {
    let all =
        SHARES.into_iter().flat_map(|shares| [30, 60, 100, 200].map(|blocks| (shares, blocks)));
    let row = |((base, candidate), blocks): ((f64, f64), usize)| {
        let asked = match blocks {
            60.. if base == candidate => Bound::AtLeast(0.85),
            60.. if candidate - base > 0.09 => Bound::AtMost(0.06),
            _ => Bound::Shown,
        };
        // Other shares are a difference, if a small one.
        let differs = if base == candidate { Bound::AtMost(0.05) } else { Bound::Shown };
        let weight = if blocks == 60 { Weight::Headline } else { Weight::Usual };
        Row {
            title: format!("{} / {} %, {blocks}", base * 100.0, candidate * 100.0),
            asked: vec![asked, differs],
            weight,
            replicate: Box::new(move |random| slow((base, candidate), blocks, random)),
        }
    };
    Table {
        title: "`same` and slow readings".to_owned(),
        about: "Equal subjects with normal noise of 0.5 %, but a share of the readings of each takes twice as long: how often \
                they are `same`, and how often called different."
            .to_owned(),
        of: "slow share of base / candidate, blocks".to_owned(),
        columns: ["`same`", "called different"].map(|name| (name.to_owned(), Kind::Share)).to_vec(),
        rows: all.map(row).collect(),
    }
}

fn slow(shares: (f64, f64), blocks: usize, random: Random) -> Vec<Option<u32>> {
    let metric = metric("s", 1e-6);
    let mut machine = Machine::new(Noise::Sd(0.005), 2, random.stream(1));
    let values = in_blocks(&mut machine, 2, blocks, &mut random.stream(2));
    let mut slow = random.stream(3);
    let mut with = |values: &[f64], share: f64| {
        let times = |value: &f64| if slow.uniform() < share { 2.0 * value } else { *value };
        blocked(values.iter().map(times).collect())
    };
    let (base, candidate) = (with(&values[0], shares.0), with(&values[1], shares.1));
    let judged = judge(&base, &candidate, &metric, &Criteria::default());
    let of = |verdict: bool| Some(u32::from(verdict));
    judged.map_or_else(Vec::new, |judged| {
        vec![of(is(&judged, Verdict::Same)), of(judged.decision.is_difference())]
    })
}

/// Differences that are found whatever the dependence.
#[must_use]
pub(super) fn large() -> Table {
    let row = |(phi, blocks): (f64, usize)| Row {
        title: format!("own AR(1) {phi}, {blocks}"),
        asked: vec![Bound::AtLeast(1.0)],
        weight: Weight::Large,
        replicate: Box::new(move |random| {
            let metric = metric("s", 1e-6);
            let mut machine = Machine::new(Noise::Own(phi), 2, random.stream(1));
            let values = in_blocks(&mut machine, 2, blocks, &mut random.stream(2));
            let slower = values[1].iter().map(|value| value * 18.0).collect();
            let judged =
                judge(&blocked(values[0].clone()), &blocked(slower), &metric, &Criteria::default());
            vec![judged.map(|judged| u32::from(is(&judged, Verdict::Slower)))]
        }),
    };
    let all = [0.5, 0.9].into_iter().flat_map(|phi| [10, 15, 20, 30, 60, 100].map(|n| (phi, n)));
    Table {
        title: "An 18 × difference under dependence".to_owned(),
        about: "Dependence stretches intervals and silences nothing: every replicate has to say `slower`.".to_owned(),
        of: "noise, blocks".to_owned(),
        columns: vec![("`slower`".to_owned(), Kind::Share)],
        rows: all.map(row).collect(),
    }
}
