//! Usual practice on the machines of `blocks`: all of one, then all of the other, and another program's rule.

use etalon_core::criteria::Criteria;
use etalon_core::random::Random;

use super::blocks::{NOISES, in_blocks};
use crate::figure::{Bound, Kind};
use crate::judge::{blocked, judge, metric};
use crate::noise::{Machine, Noise};
use crate::rivals::{NAMES, claims};
use crate::table::{Row, Table, Weight};

/// Equal subjects one after the other, under the rules of other programs.
#[must_use]
pub(super) fn table() -> Table {
    let share = |name: &str| (name.to_owned(), Kind::Share);
    let pairs = NOISES.into_iter().flat_map(|noise| [10, 30, 100].map(|n| (noise, n)));
    Table {
        title: "Other rules, equal subjects one after the other".to_owned(),
        about: "How often two equal subjects are called different: by etalon in blocks, and by the published rules of other \
                programs on readings of the same machine, all of one subject before all of the other. BestGuess asks for \
                0.5 ms, half a percent of the 100 ms here."
            .to_owned(),
        of: "noise, readings a side".to_owned(),
        columns: std::iter::once("etalon").chain(NAMES).map(share).collect(),
        rows: pairs.map(|(noise, n)| row(noise, n)).collect(),
    }
}

fn row(noise: Noise, n: usize) -> Row {
    let mut asked = vec![Bound::Shown; 1 + NAMES.len()];
    asked[0] = Bound::AtMost(noise.allowed(n));
    Row {
        title: format!("{}, {n}", noise.name()),
        asked,
        weight: Weight::Usual,
        replicate: Box::new(move |random| replicate(noise, n, random)),
    }
}

fn replicate(noise: Noise, n: usize, random: Random) -> Vec<Option<u32>> {
    let machine = Machine::new(noise, 2, random.stream(1));
    let interleaved = in_blocks(&mut machine.clone(), 2, n, &mut random.stream(2));
    let [base, candidate] = [0, 1].map(|subject| blocked(interleaved[subject].clone()));
    let judged = judge(&base, &candidate, &metric("s", noise.resolution()), &Criteria::default());
    let etalon = judged.map(|judged| u32::from(judged.decision.is_difference()));
    let mut machine = machine;
    let [a, b] =
        [0, 1].map(|subject| -> Vec<f64> { (0..n).map(|_| machine.reading(subject)).collect() });
    std::iter::once(etalon).chain(claims(&a, &b).map(|claim| Some(u32::from(claim)))).collect()
}
