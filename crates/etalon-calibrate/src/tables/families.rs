//! Families: a whole ranking of several subjects, and a whole check of many cells.

use etalon_core::compare::{Evidence, family_dependence};
use etalon_core::criteria::Criteria;
use etalon_core::random::Random;
use etalon_core::sample::Sample;
use etalon_core::stats::Correction;
use etalon_core::verdict::{Assessment, Verdict, assess_all};

use super::blocks::{NOISES, in_blocks};
use crate::figure::{Bound, Kind};
use crate::judge::{blocked, evidence, is, metric};
use crate::noise::{Machine, Noise};
use crate::table::{Row, Table, Weight};

/// Rankings of equal subjects, all pairs.
#[must_use]
pub(super) fn rankings() -> Table {
    let sizes = [5, 10, 20].into_iter().flat_map(|subjects| [10, 30].map(|n| (subjects, n)));
    let all = NOISES.into_iter().flat_map(|noise| sizes.clone().map(move |of| (noise, of)));
    let row = |(noise, (subjects, blocks)): (Noise, (usize, usize))| Row {
        title: format!("{}, {subjects} × {blocks}", noise.name()),
        asked: vec![Bound::AtMost(noise.allowed(blocks))],
        weight: if subjects == 20 { Weight::Large } else { Weight::Usual },
        replicate: Box::new(move |random| {
            vec![Some(u32::from(ranking(noise, subjects, blocks, random)))]
        }),
    };
    Table {
        title: "Whole rankings".to_owned(),
        about: "How often a ranking of equal subjects, all pairs, contains any verdict that two differ.".to_owned(),
        of: "noise, subjects × blocks".to_owned(),
        columns: vec![("any false verdict".to_owned(), Kind::Share)],
        rows: all.map(row).collect(),
    }
}

fn ranking(noise: Noise, subjects: usize, blocks: usize, random: Random) -> bool {
    let criteria = Criteria::default();
    let metric = metric("s", noise.resolution());
    let mut machine = Machine::new(noise, subjects, random.stream(1));
    let values = in_blocks(&mut machine, subjects, blocks, &mut random.stream(2));
    let samples: Vec<Sample> = values.into_iter().map(blocked).collect();
    let pairs = samples.iter().enumerate();
    let pairs =
        pairs.flat_map(|(at, base)| samples[at + 1..].iter().map(move |other| (base, other)));
    let pairs: Vec<(&Sample, &Sample)> = pairs.collect();
    let dependence = family_dependence(pairs.iter().copied(), subjects - 1);
    let all = pairs
        .into_iter()
        .filter_map(|(base, other)| evidence(base, other, &metric, &criteria, dependence));
    assess_all(all.collect(), &criteria).iter().any(|of: &Assessment| of.decision.is_difference())
}

/// Packages with a table each, and rows of each.
const PACKAGES: usize = 30;
const OF_PACKAGE: usize = 2;

/// Tables of many packages, each corrected by itself, whose foremost rows stand on one screen.
#[must_use]
pub(super) fn packages() -> Table {
    let noises = [Noise::Normal, Noise::Lognormal(0.25), Noise::Disturbed(0.2)];
    let all = noises.into_iter().flat_map(|noise| [15, 30].map(|blocks| (noise, blocks)));
    let row = |(noise, blocks): (Noise, usize)| Row {
        title: format!("{}, {blocks}", noise.name()),
        asked: vec![Bound::Shown, Bound::Shown, Bound::AtMost(0.05)],
        weight: Weight::Usual,
        replicate: Box::new(move |random| packages_of(noise, blocks, random)),
    };
    Table {
        title: "Tables of many packages".to_owned(),
        about: format!(
            "{PACKAGES} tables of {OF_PACKAGE} equal rows, as `compare` makes of as many packages: how many of the {} rows are \
             called different where each table is corrected by itself (5 % of the tables are to be expected, which the first line \
             says), how often any is, and how often where all are one family, as those of a check are.",
            PACKAGES * OF_PACKAGE
        ),
        of: "noise, blocks".to_owned(),
        columns: vec![
            ("rows, by tables".to_owned(), Kind::Mean),
            ("any, by tables".to_owned(), Kind::Share),
            ("any, one family".to_owned(), Kind::Share),
        ],
        rows: all.map(row).collect(),
    }
}

fn packages_of(noise: Noise, blocks: usize, random: Random) -> Vec<Option<u32>> {
    let rows = Criteria { correction: Some(Correction::BenjaminiHochberg), ..Criteria::default() };
    let metric = metric("s", noise.resolution());
    let pair = |cell: usize| {
        let random = random.stream(cell as u64);
        let mut machine = Machine::new(noise, 2, random.stream(1));
        let values = in_blocks(&mut machine, 2, blocks, &mut random.stream(2));
        let [base, other]: [Sample; 2] =
            values.into_iter().map(blocked).collect::<Vec<_>>().try_into().ok()?;
        evidence(&base, &other, &metric, &rows, None)
    };
    let all: Vec<Evidence> = (0..PACKAGES * OF_PACKAGE).filter_map(pair).collect();
    let false_of = |family: &[Evidence]| {
        let assessed = assess_all(family.to_vec(), &rows);
        assessed.iter().filter(|it| it.decision.is_difference()).count()
    };
    let by_tables: usize = all.chunks(OF_PACKAGE).map(false_of).sum();
    let found = u32::try_from(by_tables).unwrap_or(u32::MAX);
    vec![Some(found), Some(found.min(1)), Some(u32::from(false_of(&all) > 0))]
}

/// Cells of a check.
const UNITS: usize = 8;
const ROWS: usize = 10;

/// A check over eight units of ten rows.
#[must_use]
pub(super) fn checks() -> Table {
    let noises = [
        Noise::Normal,
        Noise::Lognormal(0.25),
        Noise::Doubled(0.1),
        Noise::Ticks(0.001),
        Noise::Drift,
    ];
    let all = noises.into_iter().flat_map(|noise| [15, 30, 60].map(|blocks| (noise, blocks)));
    let row = |(noise, blocks): (Noise, usize)| Row {
        title: format!("{}, {blocks}", noise.name()),
        asked: vec![Bound::AtMost(0.05), Bound::Shown, Bound::Shown],
        weight: Weight::Usual,
        replicate: Box::new(move |random| check(noise, blocks, random)),
    };
    let share = |name: &str| (name.to_owned(), Kind::Share);
    Table {
        title: "Whole checks".to_owned(),
        about: format!(
            "`--fail-on worse` over {UNITS} units of {ROWS} rows in blocks, one-sided, Holm: how often it fails although nothing \
             changed, and how often it finds the one cell that takes 5 or 10 % longer."
        ),
        of: "noise, blocks".to_owned(),
        columns: ["fails, nothing changed", "finds 5 %", "finds 10 %"].map(share).to_vec(),
        rows: all.map(row).collect(),
    }
}

fn check(noise: Noise, blocks: usize, random: Random) -> Vec<Option<u32>> {
    let criteria = Criteria::default().one_sided(None);
    let criteria = Criteria { confidence: criteria.sameness_level(), ..criteria };
    let metric = metric("s", noise.resolution());
    let pair = |cell: usize| {
        let random = random.stream(cell as u64);
        let mut machine = Machine::new(noise, 2, random.stream(1));
        in_blocks(&mut machine, 2, blocks, &mut random.stream(2))
    };
    let pairs: Vec<Vec<Vec<f64>>> = (0..UNITS * ROWS).map(pair).collect();
    let samples: Vec<[Sample; 2]> =
        pairs.iter().map(|pair| [0, 1].map(|side| blocked(pair[side].clone()))).collect();
    let dependence = family_dependence(samples.iter().map(|[a, b]| (a, b)), samples.len());
    let of = |pair: &[Vec<f64>], change: f64| {
        let candidate = pair[1].iter().map(|value| value * (1.0 + change)).collect();
        evidence(&blocked(pair[0].clone()), &blocked(candidate), &metric, &criteria, dependence)
    };
    let equal: Vec<Evidence> = pairs.iter().filter_map(|pair| of(pair, 0.0)).collect();
    let worse = |assessment: &Assessment| is(assessment, Verdict::Slower);
    let fails = assess_all(equal.clone(), &criteria).iter().any(worse);
    let finds = |change: f64| {
        let mut changed = equal.clone();
        changed[0] = of(&pairs[0], change)?;
        Some(u32::from(assess_all(changed, &criteria).first().is_some_and(worse)))
    };
    vec![Some(u32::from(fails)), finds(0.05), finds(0.1)]
}
