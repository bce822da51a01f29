//! Runs that are copies of others: pasted, given twice, or saved under two names.
//!
//! Owns when two runs are one: they have one id, began at one moment on one machine, or their readings are the same to
//! the last bit in every noisy unit with more distinct values than [`FEW`]. Where a benchmark has too few readings for
//! that, the whole runs have to be the same. Refuses to say which runs are pooled: whoever pools them leaves the copies
//! out.

use std::collections::HashMap;
use std::hash::{Hash, Hasher};
use std::sync::OnceLock;

use rustc_hash::{FxHashMap, FxHasher};

use super::{Dataset, RunOf, SpellingId};
use crate::model::Kind;

/// Units with no more distinct values than this say nothing: a size is the same in every run, and so may a coarse time
/// be.
const FEW: usize = 5;

/// The readings of a run in its noisy units, in their order.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Print {
    units: FxHashMap<u64, UnitPrint>,
}

/// The readings in one unit.
#[derive(Debug, Clone, Default, PartialEq)]
struct UnitPrint {
    digest: u64,
    /// The first distinct values: one more than [`FEW`] at most.
    distinct: Vec<u64>,
}

impl UnitPrint {
    fn tells(&self) -> bool {
        self.distinct.len() > FEW
    }
}

/// The relation of two runs by their prints.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Likeness {
    /// They differ.
    Different,
    /// They are the same, in too few distinct values to tell.
    Undecided,
    /// One is a copy of the other.
    Copy,
}

impl Print {
    /// That of some rows of one benchmark, or of several whose names are then part of it. Linear.
    pub(crate) fn new(data: &Dataset, rows: impl Iterator<Item = usize>) -> Print {
        let mut print = Print::default();
        let mut noisy: FxHashMap<SpellingId, Option<u64>> = FxHashMap::default();
        for row in rows {
            let name = digest(data.name_of(row).full());
            for value in data.row(row) {
                let unit = *noisy.entry(value.spelling).or_insert_with(|| {
                    let unit = &data.units[data.unit(value).at()];
                    (data.metric(value.spelling).kind == Kind::Noisy).then(|| digest(unit))
                });
                let Some(unit) = unit else { continue };
                let bits = data.base(value).to_bits();
                let of_unit = print.units.entry(unit).or_default();
                of_unit.digest = digest((of_unit.digest, name, bits));
                if !of_unit.tells() && !of_unit.distinct.contains(&bits) {
                    of_unit.distinct.push(bits);
                }
            }
        }
        print
    }

    /// Compared in the units that both have.
    pub(crate) fn likeness(&self, other: &Print) -> Likeness {
        let common =
            self.units.iter().filter_map(|(unit, own)| Some((own, other.units.get(unit)?)));
        let (mut found, mut are_same) = (None, true);
        for (own, others) in common {
            let is_same = own.digest == others.digest;
            are_same &= is_same;
            if own.tells() || others.tells() {
                match is_same {
                    true => found = Some(Likeness::Copy),
                    false => return Likeness::Different,
                }
            } else if found.is_none() {
                found = Some(Likeness::Undecided);
            }
        }
        match found {
            Some(Likeness::Copy) => Likeness::Copy,
            Some(_) if are_same => Likeness::Undecided,
            _ => Likeness::Different,
        }
    }
}

fn digest(of: impl Hash) -> u64 {
    let mut hasher = FxHasher::default();
    of.hash(&mut hasher);
    hasher.finish()
}

/// The runs of a dataset as wholes, looked at when that is needed.
#[derive(Debug)]
pub(crate) struct WholeRuns<'d> {
    data: &'d Dataset,
    prints: OnceLock<HashMap<RunOf, Print>>,
}

impl<'d> WholeRuns<'d> {
    pub(crate) fn of(data: &'d Dataset) -> WholeRuns<'d> {
        WholeRuns { data, prints: OnceLock::new() }
    }

    /// Of rows of one side, the runs that repeat one before them, in their order. Linear, and quadratic in the runs.
    pub(crate) fn copies(&self, rows: impl Iterator<Item = u32>) -> Vec<RunOf> {
        let mut runs: Vec<(RunOf, Vec<usize>)> = Vec::new();
        for row in rows.map(|row| row as usize) {
            let run = self.data.run_of(row);
            match runs.iter_mut().rfind(|(of, _)| *of == run) {
                Some((_, rows)) => rows.push(row),
                None => runs.push((run, vec![row])),
            }
        }
        if runs.len() < 2 {
            return Vec::new();
        }
        let mut kept: Vec<(RunOf, usize, Print)> = Vec::new();
        let mut copies = Vec::new();
        for (run, rows) in runs {
            let Some(first) = rows.first().copied() else { continue };
            let print = Print::new(self.data, rows.into_iter());
            let is_copy = |(of, row, known): &(RunOf, usize, Print)| {
                *of != run
                    && (self.data.are_of_one_run([*row, first])
                        || self.is_copy(of, known, &run, &print))
            };
            match kept.iter().any(is_copy) {
                true => copies.push(run),
                false => kept.push((run, first, print)),
            }
        }
        copies
    }

    fn is_copy(&self, one: &RunOf, known: &Print, other: &RunOf, print: &Print) -> bool {
        match known.likeness(print) {
            Likeness::Copy => true,
            Likeness::Different => false,
            Likeness::Undecided => {
                let prints = self.prints.get_or_init(|| self.data.prints());
                let both = prints.get(one).zip(prints.get(other));
                both.is_some_and(|(one, other)| one.likeness(other) == Likeness::Copy)
            }
        }
    }
}

impl Dataset {
    /// Whether the runs of two rows, of different sources, say of themselves that they are one: by their id, or by the
    /// moment at which they began on one machine.
    fn are_of_one_run(&self, rows: [usize; 2]) -> bool {
        let [one, other] = rows.map(|row| self.run_of(row));
        if one.0 == other.0 {
            return false;
        }
        let numbers = [one.1, other.1];
        let [one, other] = [one, other].map(|(run_set, _)| run_set);
        let sets = [one, other].map(|run_set| &self.run_sets[run_set.at()]);
        let machines = rows.map(|row| self.machine(self.series_of(row).configuration));
        let have_starts = machines[0] == machines[1]
            && [one, other].into_iter().all(|run_set| self.is_one_run(run_set));
        let starts = sets[0].began.zip(sets[1].began).filter(|_| have_starts);
        let ids = sets[0].id.as_ref().zip(sets[1].id.as_ref());
        numbers[0] == numbers[1] && ids.is_some_and(|(a, b)| a == b)
            || starts.is_some_and(|(a, b)| a.total_cmp(&b).is_eq())
    }

    /// The print of each run, over all of its benchmarks. Linear.
    fn prints(&self) -> HashMap<RunOf, Print> {
        let mut rows: HashMap<RunOf, Vec<usize>> = HashMap::new();
        for row in (0..self.len()).filter(|row| self.counts(*row)) {
            rows.entry(self.run_of(row)).or_default().push(row);
        }
        rows.into_iter().map(|(run, rows)| (run, Print::new(self, rows.into_iter()))).collect()
    }
}
