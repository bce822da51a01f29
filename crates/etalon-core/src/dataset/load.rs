//! Whether other programs came and went while a run set was executed.
//!
//! Owns when a load counts as one that changes. Refuses to know which numbers say how long an execution waited:
//! that is [`super::waiting`]'s.

use std::collections::BTreeMap;

use super::waiting::BOUNDED;
use super::{Dataset, SpellingId};
use crate::metrics;
use crate::run_set::RunSet;
use crate::sample;
use crate::stats::{chi_square_sf, serial_dependence};

/// How long executions waited for a CPU, as a share of their wall clock, in the tenth of a run in which they waited
/// least and in that in which they waited most.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ChangingLoad {
    /// The least share.
    pub least: f64,
    /// The largest share.
    pub most: f64,
}

/// Of more rows every second, third … is looked at, as nobody asked.
const LOOKED_AT: usize = 10_000;
/// Parts of a run. Of fewer executions than five each, nobody can say that one part is unlike another.
const PARTS: usize = 10;
const FEWEST: usize = 5 * PARTS;
/// Seconds that all executions together take at least. Because: a scheduler gives CPUs away for some ms at a time, and
/// parts of a shorter run differ by who had them.
const LASTED: f64 = 2.0;
/// The least difference between parts that is worth a word: of the order of what a second program on the same CPU
/// takes.
const MUCH: f64 = 0.2;
/// How rarely parts may differ so by chance.
const CHANCE: f64 = 0.001;

/// Whether shares in time order change, beyond chance and by much: the numbers of executions of each part that waited
/// for more than a tenth of their time, by a chi-square test of homogeneity. That takes executions for independent, so
/// its statistic is made smaller by how much neighbours within a typical part resemble each other.
#[allow(clippy::cast_precision_loss)] // counts
fn changing(shares: &[f64]) -> Option<ChangingLoad> {
    let n = shares.len();
    if n < FEWEST {
        return None;
    }
    let parts: Vec<&[f64]> =
        (0..PARTS).map(|at| &shares[at * n / PARTS..(at + 1) * n / PARTS]).collect();
    let mean = |part: &[f64]| part.iter().sum::<f64>() / part.len() as f64;
    let least = parts.iter().map(|part| mean(part)).fold(f64::INFINITY, f64::min);
    let most = parts.iter().map(|part| mean(part)).fold(0.0, f64::max);
    if most - least < MUCH {
        return None;
    }
    let waited: Vec<Vec<f64>> = parts
        .iter()
        .map(|part| part.iter().map(|share| f64::from(u8::from(*share > BOUNDED))).collect())
        .collect();
    let all = waited.iter().flatten().sum::<f64>() / n as f64;
    let variance = all * (1.0 - all);
    if variance <= 0.0 {
        return None;
    }
    let of_part = |part: &Vec<f64>| part.len() as f64 * (mean(part) - all).powi(2) / variance;
    let statistic: f64 = waited.iter().map(of_part).sum();
    // Of a typical part: one in which the load changes is not like the others.
    let mut alike: Vec<f64> = waited.iter().map(|part| alike(part)).collect();
    let alike = sample::median_in(&mut alike)?;
    let statistic = statistic * (1.0 - alike) / (1.0 + alike);
    (chi_square_sf(statistic, (PARTS - 1) as f64) <= CHANCE).then_some(ChangingLoad { least, most })
}

/// How much neighbours resemble each other; 0 of equal values.
fn alike(part: &[f64]) -> f64 {
    serial_dependence(part).map_or(0.0, |found| found.autocorrelation())
}

/// A share of executions that waited which is worth a word; a few do on any machine.
const OFTEN: f64 = 0.1;

/// How many executions waited for a CPU for more than a tenth of their time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Waiting {
    /// So many did.
    pub disturbed: usize,
    /// Of so many.
    pub of: usize,
}

impl Dataset {
    /// The run sets of which many executions waited long for a CPU, with how many: somebody else was using it. Each by
    /// its label; a single one is `load`. Of a run set in which some execution says nothing of it there is nothing to
    /// say. Of at most 10,000 rows, which are taken for all.
    #[must_use]
    #[allow(clippy::cast_precision_loss)] // counts
    pub fn often_waiting(&self) -> Vec<(String, Waiting)> {
        if !self.says_waiting() {
            return Vec::new();
        }
        let mut of_sets: Vec<Option<Waiting>> =
            vec![Some(Waiting { disturbed: 0, of: 0 }); self.run_sets.len()];
        for row in (0..self.len()).step_by(self.looked_at()).filter(|row| self.counts(*row)) {
            let share = self.waited_of(row).map(|(share, _)| share);
            let of_set = &mut of_sets[self.run_set_of(row).at()];
            *of_set = share.and_then(|share| {
                let Waiting { disturbed, of } = (*of_set)?;
                let disturbed = disturbed + usize::from(share > BOUNDED);
                Some(Waiting { disturbed, of: of + 1 })
            });
        }
        let is_often = |it: &Waiting| it.disturbed as f64 > OFTEN * it.of as f64;
        let of_set = |(set, waiting): (&RunSet, Option<Waiting>)| {
            Some((self.load_of(set), waiting.filter(is_often)?))
        };
        self.run_sets.iter().zip(of_sets).filter_map(of_set).collect()
    }

    /// Whether some run set says how long executions waited.
    fn says_waiting(&self) -> bool {
        let mut spellings = (0..self.spellings.len()).filter_map(|at| SpellingId::new(at).ok());
        spellings.any(|at| self.declared_name(at) == Some(metrics::CPU_WAIT))
    }

    /// One of so many rows is looked at.
    fn looked_at(&self) -> usize {
        self.len().div_ceil(LOOKED_AT).max(1)
    }

    /// The subject of a remark on the load of a run set.
    fn load_of(&self, set: &RunSet) -> String {
        match self.run_sets.len() {
            1 => "load".to_owned(),
            _ => set.label.clone(),
        }
    }

    /// The run sets in which executions waited for a CPU much longer at some times than at others, with how long: other
    /// programs came and went. Each by its label; a single one is `load`. None on a machine that is idle, or busy all
    /// the time. Of at most 10,000 rows.
    #[must_use]
    pub fn changing_load(&self) -> Vec<(String, ChangingLoad)> {
        if !self.says_waiting() {
            return Vec::new();
        }
        let every = self.looked_at();
        // Load is a node's own, and so is time.
        let mut of_sets: BTreeMap<(usize, Option<u32>), (Vec<f64>, f64)> = BTreeMap::new();
        for row in (0..self.len()).step_by(every).filter(|row| self.counts(*row)) {
            let Some((share, wall)) = self.waited_of(row) else { continue };
            let place = (self.run_set_of(row).at(), self.node_of(row));
            let (shares, lasted) = of_sets.entry(place).or_default();
            shares.push(share);
            #[allow(clippy::cast_precision_loss)] // a count
            let all = wall * every as f64;
            *lasted += all;
        }
        let found = |((set, node), (shares, lasted)): ((usize, Option<u32>), (Vec<f64>, f64))| {
            let changes = changing(&shares).filter(|_| lasted >= LASTED)?;
            let set = &self.run_sets[set];
            let node = node.and_then(|node| set.nodes.all().get(node as usize));
            Some((node.map_or_else(|| self.load_of(set), |node| node.name.clone()), changes))
        };
        of_sets.into_iter().filter_map(found).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    /// Shares of so many executions, each of which waited with the probability that holds then.
    fn shares(n: usize, seed: u64, probability: impl Fn(f64) -> f64) -> Vec<f64> {
        let mut random = Random::new(seed);
        let share = |at: usize| match random.uniform() < probability(at as f64 / n as f64) {
            true => 0.6,
            false => 0.01,
        };
        (0..n).map(share).collect()
    }

    /// Would catch a load that is called changing because there is one, or because a machine is idle. Of 1,000 runs of
    /// each kind at most 5 may be, where 1 is by chance.
    #[test]
    fn an_idle_machine_and_a_constant_load_are_no_changing_load() {
        for constant in [0.0, 0.02, 0.3, 0.7, 1.0] {
            let alarms = |n: usize| {
                (0..1000).filter(|seed| changing(&shares(n, *seed, |_| constant)).is_some()).count()
            };
            for n in [FEWEST, 200] {
                assert!(alarms(n) <= 5, "{constant}, {n}: {}", alarms(n));
            }
        }
    }

    /// Would catch executions that resemble their neighbours, as within the slices of a scheduler, being taken for a
    /// load that changes.
    #[test]
    fn neighbours_that_wait_together_are_no_changing_load() {
        let together = |seed: u64| -> Vec<f64> {
            let mut random = Random::new(seed);
            let mut waits = false;
            let mut next = || {
                if random.uniform() < 0.3 {
                    waits = random.uniform() < 0.5;
                }
                if waits { 0.6 } else { 0.01 }
            };
            (0..2000).map(|_| next()).collect()
        };
        let alarms = (0..1000).filter(|seed| changing(&together(*seed)).is_some()).count();
        assert!(alarms <= 5, "{alarms}");
    }

    /// Would catch programs that come and go and are not seen, and figures of other parts of the run.
    #[test]
    fn programs_that_come_and_go_are_a_changing_load() {
        for seed in 0..100 {
            let found = changing(&shares(200, seed, |at| if at < 0.4 { 0.0 } else { 0.9 }));
            let ChangingLoad { least, most } = found.expect("it changes");
            assert!((least - 0.01).abs() < 1e-12 && most > 0.4, "{least} {most}");
        }
        assert_eq!(changing(&shares(FEWEST - 1, 1, |at| if at < 0.4 { 0.0 } else { 1.0 })), None);
    }
}
