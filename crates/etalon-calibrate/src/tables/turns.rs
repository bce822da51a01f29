//! Functions: blocks of fresh processes that take turns.

use std::sync::Arc;

use etalon_core::criteria::Criteria;
use etalon_core::random::Random;
use etalon_core::sample::Sample;
use etalon_core::verdict::Verdict;

use crate::figure::{Bound, Kind};
use crate::judge::{covers, is, judge, metric};
use crate::noise::normal;
use crate::table::{Row, Table, Weight};

/// Turns of a block.
const TURNS: u32 = 20;
/// The time of a call, in s.
const CALL: f64 = 1e-7;

/// Scatter of turns of functions: of the process as a whole, of each batch, and of the machine from turn to turn.
#[derive(Clone, Copy)]
struct Scatter {
    name: &'static str,
    process: f64,
    batch: f64,
    machine: f64,
    /// The share of batches that something disturbs, by up to half their time.
    disturbed: f64,
}

const SCATTERS: [Scatter; 4] = [
    Scatter { name: "quiet", process: 0.01, batch: 0.02, machine: 0.01, disturbed: 0.0 },
    Scatter { name: "other processes", process: 0.01, batch: 0.02, machine: 0.05, disturbed: 0.2 },
    Scatter {
        name: "processes differ by 3 %",
        process: 0.03,
        batch: 0.01,
        machine: 0.0,
        disturbed: 0.0,
    },
    Scatter {
        name: "processes do not differ",
        process: 0.0,
        batch: 0.05,
        machine: 0.0,
        disturbed: 0.0,
    },
];

/// Two cases in blocks of several turns.
#[must_use]
pub(super) fn table() -> Table {
    let all =
        SCATTERS.into_iter().flat_map(|scatter| [10, 15, 30, 60].map(|blocks| (scatter, blocks)));
    let row = |(scatter, blocks): (Scatter, u32)| Row {
        title: format!("{}, {blocks}", scatter.name),
        asked: vec![
            Bound::AtMost(0.05),
            Bound::AtLeast(0.95),
            Bound::Shown,
            Bound::AtMost(0.05),
            Bound::Shown,
            Bound::Shown,
        ],
        weight: Weight::Usual,
        replicate: Box::new(move |random| replicate(scatter, blocks, random)),
    };
    let columns =
        ["false verdicts", "ratio covered", "`same`, equal", "`same` at 1 %", "found: 1 %", "3 %"];
    Table {
        title: "Lua blocks × turns".to_owned(),
        about: format!(
            "Functions in blocks of fresh processes, {TURNS} turns each. A process is slower or faster as a whole (where its code \
             and data lie), each batch scatters, and the machine changes from turn to turn for both alike."
        ),
        of: "scatter, blocks".to_owned(),
        columns: columns.iter().map(|name| ((*name).to_owned(), Kind::Share)).collect(),
        rows: all.map(row).collect(),
    }
}

fn replicate(scatter: Scatter, blocks: u32, mut random: Random) -> Vec<Option<u32>> {
    let criteria = Criteria::default();
    let metric = metric("s", 1e-12);
    let mut values = [Vec::new(), Vec::new()];
    let mut places = Vec::new();
    for block in 0..blocks {
        let processes = [0, 1].map(|_| scatter.process * normal(&mut random));
        let mut machine = 0.0;
        for turn in 0..TURNS {
            machine = 0.8 * machine + 0.6 * scatter.machine * normal(&mut random);
            places.push((block, turn));
            for (values, process) in values.iter_mut().zip(processes) {
                let disturbance =
                    if random.uniform() < scatter.disturbed { 0.4 * random.uniform() } else { 0.0 };
                let log = process + machine + disturbance + scatter.batch * normal(&mut random);
                values.push(CALL * log.exp());
            }
        }
    }
    let places: Arc<[(u32, u32)]> = places.into();
    let [base, other] = values;
    let sample = |values: Vec<f64>| Sample::in_turns(values, Arc::clone(&places)).ok();
    let slower = |change: f64| sample(other.iter().map(|value| value * (1.0 + change)).collect());
    let Some(base) = sample(base.clone()) else { return Vec::new() };
    let judged = |change: f64| judge(&base, &slower(change)?, &metric, &criteria);
    let verdict = |change: f64, verdict: Verdict| Some(u32::from(is(&judged(change)?, verdict)));
    let Some(equal) = judged(0.0) else { return Vec::new() };
    vec![
        Some(u32::from(equal.decision.is_difference())),
        covers(equal.evidence.differing.ratio, 1.0),
        Some(u32::from(is(&equal, Verdict::Same))),
        verdict(0.01, Verdict::Same),
        verdict(0.01, Verdict::Slower),
        verdict(0.03, Verdict::Slower),
    ]
}
