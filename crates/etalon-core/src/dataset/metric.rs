//! The metric of a unit: one that a record declares, or one that the unit's name implies.
//!
//! Owns both ways: a metric gets the unit that tables show it in (`wall` is `sec/op`, `rss` is `rss-B/op`),
//! and a unit becomes a metric of the same name in base units (`ns/op` is the metric `sec/op` in `s`).
//! Refuses to convert single values.

use std::collections::HashSet;

use rustc_hash::{FxHashMap, FxHashSet};

use super::{Dataset, RunSetId, SpellingId, UnitId};
use crate::metrics;
use crate::model::{Direction, Kind, Metric, Per};
use crate::units::{Base, Unit, is_rate};

/// The quantity measured in a unit as written.
#[derive(Debug, Clone, PartialEq)]
pub enum Quantity {
    /// A metric that its run set declares; numbers are in the metric's unit.
    Metric(Box<DeclaredMetric>),
    /// The quantity that the unit's name implies; numbers are in that unit.
    Unit(OfUnit),
}

/// A metric that a run set declares.
#[derive(Debug, Clone, PartialEq)]
pub struct DeclaredMetric {
    /// Whose it is.
    pub run_set: RunSetId,
    /// The declared metric.
    pub metric: Metric,
    /// The unit that values are converted to for tables, where that is not the base unit.
    shown_in: Option<Unit>,
    /// Whether it is part of the run set: a column without any value is not.
    kept: bool,
}

impl DeclaredMetric {
    pub(super) fn new(run_set: RunSetId, metric: Metric) -> DeclaredMetric {
        DeclaredMetric { run_set, metric, shown_in: None, kept: true }
    }

    /// Whether a value is of all iterations together, and read as that of one.
    #[must_use]
    pub(crate) fn is_per_iteration(&self) -> bool {
        self.metric.per == Per::Iteration
    }

    /// A value in base units as a number in the unit of tables.
    pub(super) fn in_spelling(&self, base: f64) -> f64 {
        self.shown_in.as_ref().map_or(base, |unit| unit.from_base(base))
    }

    /// Chooses the unit that tables show it in; its name. A metric that is named like a unit (`p99-ms/op`)
    /// keeps its name, and has its values in it. What is not of an iteration, in a run set of iterations
    /// (`cases`), is of no operation.
    pub(super) fn choose_unit(&mut self, cases: bool) -> String {
        let name = &self.metric.name;
        let base = self.metric.unit.base();
        let (numerator, denominator) = name.split_once('/').unwrap_or((name, ""));
        let word = numerator.rsplit(['-', '*']).next().unwrap_or(numerator);
        let named = match word {
            "sec" => Unit::new("s"),
            word => Unit::new(word),
        };
        let compound = word.len() < numerator.len() || !denominator.is_empty();
        let is_unit = compound && named.base() == base && !matches!(base, Base::Other(_));
        if !name.contains(char::is_whitespace) && (is_unit || !denominator.is_empty()) {
            let is_base = !is_unit || matches!(word, "sec" | "B");
            self.shown_in = (!is_base).then_some(named);
            return self.metric.name.clone();
        }
        let per = if cases && self.metric.per == Per::Observation { "" } else { "/op" };
        match base {
            Base::Seconds if name == metrics::WALL => format!("sec{per}"),
            Base::Seconds => format!("{name}-sec{per}"),
            Base::Bytes => format!("{name}-B{per}"),
            Base::Count => format!("{name}{per}"),
            Base::Other(unit) if unit == name => name.clone(),
            Base::Other(unit) => format!("{name}-{unit}{per}"),
        }
    }
}

/// The meaning of a unit as written for numbers in it.
#[derive(Debug, Clone, PartialEq)]
pub struct OfUnit {
    /// The unit of the metric.
    pub unit: Unit,
    /// How the tidied number becomes one in base units.
    scale: Scale,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Scale {
    /// It is one.
    Tidied,
    /// The unit converts it.
    Unit,
}

impl OfUnit {
    /// The meaning of a unit as `written` by its name; it is tidied to `tidied` by this power of ten. Where tidying
    /// changes anything but the unit that the name says, the tidied unit is one of its own.
    pub(super) fn new(written: &str, tidied: &str, power: i32) -> OfUnit {
        let unit = Unit::from_name(written);
        let own = match unit.symbol() {
            "ns" => -9,
            "MB" => 6,
            _ => 0,
        };
        match unit.base() {
            Base::Other(_) => OfUnit { unit: Unit::from_name(tidied), scale: Scale::Tidied },
            _ if own != power => OfUnit { unit: Unit::new(tidied), scale: Scale::Tidied },
            _ if power == 0 => OfUnit { unit, scale: Scale::Unit },
            _ => OfUnit { unit, scale: Scale::Tidied },
        }
    }

    /// The unit that converts a tidied number to base units; absent where it is in them.
    pub(super) fn converting(&self) -> Option<&Unit> {
        (self.scale == Scale::Unit).then_some(&self.unit)
    }
}

impl Dataset {
    /// The metric that is measured in a unit as written: as declared, or named like the tidied unit.
    #[must_use]
    pub fn metric(&self, spelling: SpellingId) -> Metric {
        let spelling = &self.spellings[spelling.at()];
        match &spelling.quantity {
            Quantity::Metric(declared) => declared.metric.clone(),
            Quantity::Unit(of_unit) => {
                let name = self.units[spelling.unit.at()].clone();
                Metric {
                    unit: of_unit.unit.clone(),
                    direction: self.direction(&name),
                    kind: self.kind(&name),
                    resolution: None,
                    per: Per::Observation,
                    name,
                }
            }
        }
    }

    /// The name of that metric.
    fn metric_name(&self, spelling: SpellingId) -> &str {
        let spelling = &self.spellings[spelling.at()];
        match &spelling.quantity {
            Quantity::Metric(declared) => &declared.metric.name,
            Quantity::Unit(_) => &self.units[spelling.unit.at()],
        }
    }

    /// The metrics of a run set by name: those that it declares in their order, and those that its rows have values of,
    /// as they first came.
    pub(super) fn named_metrics(&self, run_set: RunSetId) -> Vec<(&str, Vec<SpellingId>)> {
        let mut metrics: Vec<(&str, Vec<SpellingId>)> = Vec::new();
        let mut seen = FxHashSet::default();
        let mut known: FxHashMap<&str, usize> = FxHashMap::default();
        for spelling in self.measured_in(run_set).filter(|spelling| seen.insert(*spelling)) {
            let name = self.metric_name(spelling);
            let at = *known.entry(name).or_insert(metrics.len());
            match metrics.get_mut(at) {
                Some((_, spellings)) => spellings.push(spelling),
                None => metrics.push((name, vec![spelling])),
            }
        }
        metrics
    }

    /// Spellings that a run set declares, and that its rows have values in; one that is both comes twice or more.
    fn measured_in(&self, run_set: RunSetId) -> impl Iterator<Item = SpellingId> {
        let declared = self.declared_metrics(run_set).map(|(at, _)| at);
        let of_set = move |series: &&super::Series| {
            self.configurations[series.configuration.at()].run_set == run_set
        };
        let fields = self.series.iter().filter(of_set);
        let used = fields.flat_map(|series| &self.schemas[series.schema.at()]);
        declared.chain(used.map(|field| field.spelling))
    }

    /// The names of the metrics of all run sets, each once.
    #[must_use]
    pub fn metric_names(&self) -> Vec<&str> {
        let run_sets = (0..self.run_sets.len()).map_while(|at| RunSetId::new(at).ok());
        let all = run_sets.flat_map(|run_set| self.measured_in(run_set));
        let mut seen = FxHashSet::default();
        all.map(|spelling| self.metric_name(spelling)).filter(|name| seen.insert(*name)).collect()
    }

    /// The metric of this name that a run set declares.
    #[must_use]
    pub fn declared_metric(&self, run_set: RunSetId, name: &str) -> Option<SpellingId> {
        let mut all = self.declared_metrics(run_set);
        all.find(|(_, declared)| declared.metric.name == name).map(|(at, _)| at)
    }

    /// The metrics that a run set declares, in order.
    pub fn declared_metrics(
        &self,
        run_set: RunSetId,
    ) -> impl Iterator<Item = (SpellingId, &DeclaredMetric)> {
        self.spellings.iter().enumerate().filter_map(move |(at, spelling)| {
            match &spelling.quantity {
                Quantity::Metric(declared) if declared.run_set == run_set && declared.kept => {
                    Some((SpellingId::new(at).ok()?, &**declared))
                }
                _ => None,
            }
        })
    }

    /// The tidied unit that a spelling is of.
    #[must_use]
    pub fn unit_of(&self, spelling: SpellingId) -> &str {
        &self.units[self.spellings[spelling.at()].unit.at()]
    }

    /// Takes back the metrics of a run set that no row has a value of.
    pub fn withdraw_unused_metrics(&mut self, run_set: RunSetId) {
        let used: HashSet<SpellingId> =
            self.schemas.iter().flatten().map(|field| field.spelling).collect();
        for (at, spelling) in self.spellings.iter_mut().enumerate() {
            if let Quantity::Metric(declared) = &mut spelling.quantity
                && declared.run_set == run_set
            {
                declared.kept = SpellingId::new(at).is_ok_and(|at| used.contains(&at));
            }
        }
    }

    /// The index of a tidied unit that some spelling has.
    #[must_use]
    pub(crate) fn unit_called(&self, unit: &str) -> Option<UnitId> {
        self.index.units.get(unit).copied()
    }

    /// The base of the values in each tidied unit: as the metrics that are spelled in it are declared,
    /// else as its name says. Where those differ, as where a metric's unit is none that is known, the unit is its
    /// own base, and [`Dataset::number`] is the number in it. Linear in the spellings.
    #[must_use]
    pub(crate) fn bases(&self) -> Vec<Base> {
        let mut bases: Vec<Option<Base>> = vec![None; self.units.len()];
        for spelling in &self.spellings {
            let at = spelling.unit.at();
            let base = match &spelling.quantity {
                Quantity::Metric(declared) if !declared.kept => continue,
                Quantity::Metric(declared) => declared.metric.unit.base(),
                Quantity::Unit(of_unit) => of_unit.unit.base(),
            };
            let unit = &self.units[at];
            let own = || match is_rate(unit) {
                true => Unit::from_name(unit).base().clone(),
                false => Base::Other(unit.clone()),
            };
            let base = match base {
                Base::Other(_) => own(),
                known => known.clone(),
            };
            let differs = bases[at].as_ref().is_some_and(|known| *known != base);
            bases[at] = Some(if differs { own() } else { base });
        }
        bases.into_iter().map(|base| base.unwrap_or(Base::Count)).collect()
    }

    /// A number in base units in the unit that a metric is spelled in.
    #[must_use]
    pub fn in_spelling(&self, spelling: SpellingId, base: f64) -> f64 {
        match &self.spellings[spelling.at()].quantity {
            Quantity::Metric(declared) => declared.in_spelling(base),
            Quantity::Unit(_) => base,
        }
    }

    /// A number in base units in the tidied unit of that.
    pub(crate) fn tidied(&self, spelling: SpellingId, base: f64) -> f64 {
        self.in_spelling(spelling, base) * self.spellings[spelling.at()].factor
    }

    /// Declares of a metric's unit what its name does not say already.
    pub(super) fn declare_unit_of(
        &mut self,
        run_set: RunSetId,
        (direction, kind): (Direction, Kind),
        unit: &str,
    ) {
        let better = match direction {
            Direction::Lower => "lower",
            Direction::Higher => "higher",
            Direction::Neither => "neither",
        };
        if self.direction(unit) != direction {
            self.declare(run_set, None, unit, "better", better);
        }
        if kind == Kind::Exact {
            self.declare(run_set, None, unit, "assume", "exact");
        }
    }
}
