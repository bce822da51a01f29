//! Independent values without a scatter of runs: sizes and counts.

use etalon_core::criteria::Criteria;
use etalon_core::random::Random;
use etalon_core::verdict::Verdict;

use crate::figure::{Bound, Kind};
use crate::judge::{covers, is, judge, metric, unpaired};
use crate::noise::{Machine, Noise};
use crate::table::{Row, Table, Weight};

/// Values of base and candidate.
const SIZES: [(usize, usize); 9] =
    [(4, 4), (5, 5), (8, 8), (4, 20), (10, 10), (10, 30), (30, 30), (100, 20), (100, 100)];

const NOISES: [Noise; 7] = [
    Noise::Normal,
    Noise::Lognormal(1.0),
    Noise::Pareto,
    Noise::Ticks(0.004),
    Noise::Unequal(0.01, 0.05),
    Noise::Unequal(0.05, 0.01),
    Noise::Own(0.5),
];

/// Two subjects without blocks, by noise and numbers of values.
#[must_use]
pub(super) fn table() -> Table {
    let all = NOISES.into_iter().flat_map(|noise| SIZES.map(|sizes| (noise, sizes)));
    let columns = [
        "false verdicts",
        "ratio covered",
        "difference covered",
        "`same` at 1 %",
        "found: 2 %",
        "5 %",
    ];
    Table {
        title: "Independent values".to_owned(),
        about: "Values without blocks of a quantity that does not differ from run to run (sizes, counts): Brunner and Munzel's \
                test and the interval that inverts it. Times of separate runs need more, see below."
            .to_owned(),
        of: "noise, values".to_owned(),
        columns: columns.iter().map(|name| ((*name).to_owned(), Kind::Share)).collect(),
        rows: all.map(|(noise, sizes)| row(noise, sizes)).collect(),
    }
}

/// Whether no rank test can hold: the smaller side is the wider one, and has fewer than ten values.
fn is_out_of_reach(noise: Noise, (m, n): (usize, usize)) -> bool {
    matches!(noise, Noise::Unequal(..)) && m.min(n) < 10
}

fn row(noise: Noise, sizes: (usize, usize)) -> Row {
    let wrong = match noise {
        Noise::Unequal(..) => 0.06,
        _ => noise.allowed(sizes.0.min(sizes.1)),
    };
    let asked = match is_out_of_reach(noise, sizes) {
        true => vec![Bound::Shown; 6],
        false => vec![
            Bound::AtMost(wrong),
            Bound::AtLeast(1.0 - wrong),
            Bound::AtLeast(1.0 - wrong),
            Bound::AtMost(wrong),
            Bound::Shown,
            Bound::Shown,
        ],
    };
    Row {
        title: format!("{}, {} / {}", noise.name(), sizes.0, sizes.1),
        asked,
        weight: Weight::Usual,
        replicate: Box::new(move |random| replicate(noise, sizes, random)),
    }
}

fn replicate(noise: Noise, (m, n): (usize, usize), random: Random) -> Vec<Option<u32>> {
    let criteria = Criteria::default();
    let metric = metric("B", noise.resolution());
    let mut machine = Machine::new(noise, 2, random.stream(1));
    let mut read = |subject, n| -> Vec<f64> { (0..n).map(|_| machine.reading(subject)).collect() };
    let (base, candidate) = (unpaired(read(0, m)), read(1, n));
    let slower =
        |change: f64| unpaired(candidate.iter().map(|value| value * (1.0 + change)).collect());
    let judged = |change: f64| judge(&base, &slower(change), &metric, &criteria);
    let verdict = |change: f64, verdict: Verdict| Some(u32::from(is(&judged(change)?, verdict)));
    let Some(equal) = judged(0.0) else { return Vec::new() };
    let estimates = equal.evidence.differing;
    vec![
        Some(u32::from(equal.decision.is_difference())),
        covers(estimates.ratio, 1.0),
        noise.is_alike().then(|| covers(estimates.difference, 0.0)).flatten(),
        verdict(0.01, Verdict::Same),
        verdict(0.02, Verdict::Slower),
        verdict(0.05, Verdict::Slower),
    ]
}
