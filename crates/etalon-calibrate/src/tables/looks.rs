//! `--until decided`: looks at accumulating blocks, each paid for.

use etalon_core::criteria::Criteria;
use etalon_core::plan::{BlockLimits, Order, Plan, Stopping};
use etalon_core::random::Random;
use etalon_core::stats::Looks;
use etalon_core::verdict::Verdict;

use super::blocks::in_blocks;
use crate::figure::{Bound, Kind};
use crate::judge::{blocked, judge, metric};
use crate::noise::{Machine, Noise, RATIOS_OF_3_PERCENT};
use crate::table::{Row, Table, Weight};

/// The blocks after which an experiment ends undecided.
const MOST: usize = 400;

/// Experiments that stop when they are decided.
#[must_use]
pub(super) fn table() -> Table {
    let noises = [
        Noise::Sd(0.01),
        RATIOS_OF_3_PERCENT,
        Noise::Normal,
        Noise::Lognormal(1.0),
        Noise::Pareto,
        Noise::Ticks(0.001),
        Noise::Doubled(0.1),
        Noise::Drift,
    ];
    let schedule = schedule();
    let all = noises
        .into_iter()
        .flat_map(|noise| [0.0, 0.01, 0.015, 0.02, 0.05].map(|change| (noise, change)));
    let row = |(noise, change): (Noise, f64)| {
        let schedule = schedule.clone();
        // Up to the margin, `same` is right; at it and beyond, wrong.
        let mut asked = vec![Bound::Shown; 4];
        match change {
            0.0 => asked[0] = Bound::AtMost(0.05),
            _ => asked[1] = Bound::AtMost(0.05),
        }
        if (noise, change) == (RATIOS_OF_3_PERCENT, 0.01) {
            asked[3] = Bound::AtLeast(0.9);
        }
        // Nothing is decided there, so each replicate takes all blocks.
        let is_hopeless = matches!(noise, Noise::Lognormal(_) | Noise::Pareto);
        let weight = if is_hopeless { Weight::Large } else { Weight::Usual };
        Row {
            title: format!("{}, {} %", noise.name(), change * 100.0),
            asked,
            weight,
            replicate: Box::new(move |random| replicate((noise, change), &schedule, random)),
        }
    };
    let columns = [
        ("called different", Kind::Share),
        ("`same`", Kind::Share),
        ("blocks, mean", Kind::Mean),
        ("decided within 190", Kind::Share),
    ];
    Table {
        title: "Until decided".to_owned(),
        about: format!(
            "Two subjects, looks after 10, 12, 14, 17, 21… blocks until there is a verdict, at most {MOST} blocks; the verdict is \
             that of the report afterwards."
        ),
        of: "noise, true change".to_owned(),
        columns: columns.map(|(name, kind)| (name.to_owned(), kind)).to_vec(),
        rows: all.map(row).collect(),
    }
}

/// The numbers of blocks at the looks, and what each is held against.
fn schedule() -> Vec<(usize, Criteria)> {
    let limits = BlockLimits { max: u32::try_from(MOST).ok(), ..BlockLimits::default() };
    let stopping = Stopping::Decided { budget: 0.0 };
    let plan = Plan { limits, ..Plan::new(Order::Blocks, stopping, 0) };
    let mut taken = Looks::default();
    let mut all = Vec::new();
    while (taken.last() as usize) < MOST {
        taken.take(plan.look_after(taken.last()));
        all.push((taken.last() as usize, Criteria::default().after_looks(taken)));
    }
    all
}

fn replicate(
    (noise, change): (Noise, f64),
    schedule: &[(usize, Criteria)],
    random: Random,
) -> Vec<Option<u32>> {
    let metric = metric("s", noise.resolution());
    let mut machine = Machine::new(noise, 2, random.stream(1));
    let mut orders = random.stream(2);
    let mut values = [Vec::new(), Vec::new()];
    for (blocks, criteria) in schedule {
        let more = blocks - values[0].len();
        let read = in_blocks(&mut machine, 2, more, &mut orders);
        values[0].extend(&read[0]);
        values[1].extend(read[1].iter().map(|value| value * (1.0 + change)));
        let [base, candidate] = values.clone().map(blocked);
        let Some(judged) = judge(&base, &candidate, &metric, criteria) else { continue };
        if judged.decision.verdict != Verdict::Unclear || *blocks == MOST {
            let same = judged.decision.verdict == Verdict::Same;
            let differs = judged.decision.is_difference();
            let soon = judged.decision.verdict != Verdict::Unclear && *blocks <= 190;
            return vec![
                Some(u32::from(differs)),
                Some(u32::from(same)),
                u32::try_from(*blocks).ok(),
                Some(u32::from(soon)),
            ];
        }
    }
    Vec::new()
}
