//! How long executions stood ready and waited for a CPU.
//!
//! Owns which recorded numbers say that of an execution. Refuses to know what follows from it.

use super::{Dataset, Quantity, RunSetId, SchemaId, SpellingId, State};
use crate::metrics;
use crate::sample;
use crate::stats::chi_square_sf;

/// What bounds the waiting says it where it is at most this share of the wall clock: as recorded, `cpu_wait_max` is
/// all that was not spent on a CPU, and of more than that nobody knows what it was.
const BOUNDED: f64 = 0.1;

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
/// The least difference between parts that is worth a word: of the order of what a second program on the same CPU takes.
const MUCH: f64 = 0.2;
/// How rarely parts may differ so by chance.
const CHANCE: f64 = 0.001;
/// Neighbours are never taken to resemble each other more than this: an autocorrelation of 1 would hide everything.
const MOST_ALIKE: f64 = 0.95;

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
    let alike =
        sample::median_in(&mut waited.iter().map(|part| alike(part)).collect::<Vec<f64>>())?;
    let alike = alike.clamp(0.0, MOST_ALIKE);
    let statistic = statistic * (1.0 - alike) / (1.0 + alike);
    (chi_square_sf(statistic, (PARTS - 1) as f64) <= CHANCE).then_some(ChangingLoad { least, most })
}

/// Autocorrelation at lag 1, without the bias of first order that a few values with an unknown mean have, (1 + 3 r) / n
/// (Kendall, Note on bias in the estimation of autocorrelation, Biometrika 41, 1954); 0 of equal values. One part in
/// which the load changes is not like the typical one, of which the caller takes it.
#[allow(clippy::cast_precision_loss)] // counts
fn alike(part: &[f64]) -> f64 {
    let n = part.len() as f64;
    let mean = part.iter().sum::<f64>() / n;
    let squares: f64 = part.iter().map(|it| (it - mean).powi(2)).sum();
    if squares <= 0.0 {
        return 0.0;
    }
    let neighbours: f64 = part.windows(2).map(|it| (it[0] - mean) * (it[1] - mean)).sum();
    let r = neighbours / squares;
    r + (1.0 + 3.0 * r) / n
}

/// Where rows of a schema have their wall clock and their waiting, among the values that they hold.
#[derive(Clone, Copy)]
struct Places {
    wall: usize,
    wait: Option<usize>,
    at_most: Option<usize>,
}

impl Dataset {
    /// Whether numbers written so are readings of the wall clock of a record.
    pub(crate) fn is_wall(&self, spelling: SpellingId) -> bool {
        self.declared_name(spelling) == Some(metrics::WALL)
    }

    fn declared_name(&self, spelling: SpellingId) -> Option<&str> {
        match &self.spellings[spelling.at()].quantity {
            Quantity::Metric(declared) => Some(declared.metric.name.as_str()),
            Quantity::Unit(_) => None,
        }
    }

    /// Of each run that these rows are of, in their order: the share of a typical reading of wall clock for which its
    /// execution waited. Executions that do not say it are left out; 0 where none says it. Linear.
    pub(crate) fn waited(&self, rows: &[u32]) -> Vec<f64> {
        let mut known: Option<(SchemaId, Option<Places>)> = None;
        let mut share = |row: &u32| {
            let schema = self.series_of(*row as usize).schema;
            if known.is_none_or(|(of, _)| of != schema) {
                known = Some((schema, Places::of(self, schema)));
            }
            self.share(*row as usize, known?.1?)
        };
        let mut typical = |of: &[u32]| {
            let mut shares: Vec<f64> = of.iter().filter_map(&mut share).collect();
            sample::median_in(&mut shares).unwrap_or(0.0)
        };
        let run = |row: &u32| self.run_of(*row as usize);
        rows.chunk_by(|a, b| run(a) == run(b)).map(&mut typical).collect()
    }

    /// The run sets in which executions waited for a CPU much longer at some times than at others, with how long: other
    /// programs came and went. None on a machine that is idle, or busy all the time. Of at most 10,000 rows.
    #[must_use]
    pub fn changing_load(&self) -> Vec<(RunSetId, ChangingLoad)> {
        let says = |name: &str| {
            let spellings = (0..self.spellings.len()).filter_map(|at| SpellingId::new(at).ok());
            spellings.into_iter().any(|spelling| self.declared_name(spelling) == Some(name))
        };
        if !says(metrics::CPU_WAIT) {
            return Vec::new();
        }
        let every = self.len().div_ceil(LOOKED_AT).max(1);
        let mut of_sets = vec![(Vec::new(), 0.0); self.run_sets.len()];
        for row in (0..self.len()).step_by(every).filter(|row| self.counts(*row)) {
            let Some((share, wall)) = self.waited_of(row) else { continue };
            let (shares, lasted) = &mut of_sets[self.run_set_of(row).at()];
            shares.push(share);
            #[allow(clippy::cast_precision_loss)] // a count
            let all = wall * every as f64;
            *lasted += all;
        }
        let ids = (0..of_sets.len()).map_while(|at| RunSetId::new(at).ok());
        let of_set = |(id, (shares, lasted)): (RunSetId, &(Vec<f64>, f64))| {
            Some((id, changing(shares).filter(|_| *lasted >= LASTED)?))
        };
        ids.zip(&of_sets).filter_map(of_set).collect()
    }

    /// The share of a row's wall clock for which it waited, and that.
    fn waited_of(&self, row: usize) -> Option<(f64, f64)> {
        let places = Places::of(self, self.series_of(row).schema)?;
        let wall = self.row(row).nth(places.wall).map(|value| self.base(value))?;
        Some((self.share(row, places)?, wall))
    }

    /// The share of a row's wall clock for which it waited.
    fn share(&self, row: usize, Places { wall, wait, at_most }: Places) -> Option<f64> {
        let at = |place: usize| self.row(row).nth(place).map(|value| self.base(value));
        let wall = at(wall)?;
        let of_wall = |place: Option<usize>| Some(at(place?)? / wall);
        let share = of_wall(wait).or_else(|| of_wall(at_most).filter(|share| *share <= BOUNDED))?;
        (share.is_finite() && share < 1.0).then_some(share.max(0.0))
    }
}

impl Places {
    fn of(data: &Dataset, schema: SchemaId) -> Option<Places> {
        let present =
            data.schemas[schema.at()].iter().filter(|field| field.state == State::Present);
        let names: Vec<Option<&str>> =
            present.map(|field| data.declared_name(field.spelling)).collect();
        let place = |of: &str| names.iter().position(|name| *name == Some(of));
        let (wait, at_most) = (place(metrics::CPU_WAIT), place(metrics::CPU_WAIT_MAX));
        let wall = place(metrics::WALL)?;
        (wait.or(at_most).is_some()).then_some(Places { wall, wait, at_most })
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
