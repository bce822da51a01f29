//! `--plan`: pilots, and the experiments that are planned from them.

use etalon_core::criteria::Criteria;
use etalon_core::power::{Need, POWER, Pilot, PlannedCriteria, criteria_of_pilot, need};
use etalon_core::random::Random;
use etalon_core::sample::Sample;
use etalon_core::verdict::Verdict;

use super::blocks::in_blocks;
use crate::figure::{Bound, Kind};
use crate::judge::{blocked, is, judge, metric};
use crate::noise::{Machine, Noise};
use crate::table::{Row, Table, Weight};

/// Blocks of a pilot.
const PILOT: usize = 10;

/// By how much the power may miss what is promised.
const OFF: f64 = 0.05;

/// An experiment is not simulated beyond so many blocks: it counts as not planned.
const MOST: u32 = 3000;

/// Who was executed in a pilot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Of {
    Both,
    One,
}

/// Experiments that are planned from a pilot of their own.
#[must_use]
pub(super) fn table() -> Table {
    // What is left out has other tails than ten blocks can show: its power is above what is promised, at the price of blocks.
    let kept = [
        Noise::Normal,
        Noise::Sd(0.01),
        Noise::Lognormal(0.05),
        Noise::Lognormal(0.25),
        Noise::Spiked,
        Noise::Doubled(0.05),
    ];
    let shown = [Noise::Pareto, Noise::Bimodal, Noise::Ticks(0.001), Noise::Drift, Noise::Own(0.5)];
    let noises =
        kept.map(|noise| (noise, true)).into_iter().chain(shown.map(|noise| (noise, false)));
    let all = noises.flat_map(|noise| [Of::Both, Of::One].map(|of| (noise, of)));
    let row = |((noise, kept), of): ((Noise, bool), Of)| {
        let of_title = if of == Of::Both { "both" } else { "one alone" };
        let asked = if kept { Bound::AtLeast(POWER - OFF) } else { Bound::Shown };
        // As much as takes some tens of blocks.
        let change = match noise {
            Noise::Lognormal(sd) if sd > 0.1 => 0.2,
            Noise::Pareto | Noise::Bimodal => 0.1,
            Noise::Sd(_) => 0.01,
            _ => 0.03,
        };
        Row {
            title: format!("{}, {} %, {of_title}", noise.name(), change * 100.0),
            asked: vec![asked, Bound::Shown],
            weight: Weight::Usual,
            replicate: Box::new(move |random| replicate(noise, (change, of), random)),
        }
    };
    let columns = [("found", Kind::Share), ("blocks, mean", Kind::Mean)];
    Table {
        title: "Planned from a pilot".to_owned(),
        about: format!(
            "A pilot of {PILOT} blocks says how many blocks a difference takes with power 80 %, of the two that are compared or of \
             one of them alone; then the difference is looked for in as many other blocks."
        ),
        of: "noise, true change, pilot".to_owned(),
        columns: columns.map(|(name, kind)| (name.to_owned(), kind)).to_vec(),
        rows: all.map(row).collect(),
    }
}

fn replicate(noise: Noise, (change, of): (f64, Of), random: Random) -> Vec<Option<u32>> {
    let criteria = Criteria::default();
    let metric = metric("s", noise.resolution());
    let read = |blocks: usize, stream: u64| -> [Sample; 2] {
        let mut machine = Machine::new(noise, 2, random.stream(stream));
        let mut values = in_blocks(&mut machine, 2, blocks, &mut random.stream(stream + 1));
        let candidate = values.pop().unwrap_or_default();
        let slower = candidate.into_iter().map(|value| value * (1.0 + change)).collect();
        [blocked(values.remove(0)), blocked(slower)]
    };
    let [base, candidate] = read(PILOT, 1);
    let pilot = match of {
        Of::Both => {
            let judged = judge(&base, &candidate, &metric, &criteria_of_pilot(criteria));
            judged.and_then(|judged| Pilot::from_evidence(&judged.evidence).ok())
        }
        Of::One => Pilot::from_sample(&base).ok(),
    };
    let wanted = PlannedCriteria::new(&criteria, criteria.alpha, 1.0);
    let planned = match pilot.map(|pilot| need(&pilot, change, &wanted)) {
        Some(Need::Blocks(blocks)) if blocks.planned <= MOST => blocks.planned,
        _ => return vec![None, None],
    };
    let [base, candidate] = read(planned as usize, 3);
    let found = judge(&base, &candidate, &metric, &criteria);
    vec![found.map(|found| u32::from(is(&found, Verdict::Slower))), Some(planned)]
}
