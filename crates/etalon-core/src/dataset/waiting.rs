//! How long executions stood ready and waited for a CPU.
//!
//! Owns which recorded numbers say that of an execution. Refuses to know what follows from it.

use super::{Dataset, Quantity, SchemaId, SpellingId, State};
use crate::metrics;
use crate::sample;

/// A bound says the waiting where it is at most this share of the wall clock: as recorded, `cpu_wait_max` is
/// all that was not spent on a CPU, and of more than that nobody knows what it was.
pub(super) const BOUNDED: f64 = 0.1;

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

    pub(super) fn declared_name(&self, spelling: SpellingId) -> Option<&str> {
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
                known = Some((schema, Places::new(self, schema)));
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

    /// The share of a row's wall clock for which it waited, and that.
    pub(super) fn waited_of(&self, row: usize) -> Option<(f64, f64)> {
        let places = Places::new(self, self.series_of(row).schema)?;
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
    fn new(data: &Dataset, schema: SchemaId) -> Option<Places> {
        let present =
            data.schemas[schema.at()].iter().filter(|field| field.state == State::Present);
        let names: Vec<Option<&str>> =
            present.map(|field| data.declared_name(field.spelling)).collect();
        let place = |of: &str| names.iter().position(|name| *name == Some(of));
        let (wait, at_most) = (place(metrics::CPU_WAIT), place(metrics::CPU_WAIT_MAX));
        // A harness's own benchmarks have no waiting beside their times.
        let wall = place(metrics::WALL).or_else(|| place(metrics::COMMAND))?;
        (wait.or(at_most).is_some()).then_some(Places { wall, wait, at_most })
    }
}
