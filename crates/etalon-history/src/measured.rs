//! Points that a dataset gives: of every benchmark and metric the value, and of two sides of a project the ratio of the
//! newer one to the older one in the same blocks, whose commit is the anchor.
//!
//! Refuses to know where commits lie, what a branch is, and the database.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use etalon_core::compare::{Contrast, Origin, Scales, compare};
use etalon_core::criteria::Criteria;
use etalon_core::dataset::history::COMMIT;
use etalon_core::dataset::{
    ConfigurationId, Dataset, Full, GROUP, Group, MACHINE, RunSetId, SUITE, SpellingId,
};
use etalon_core::estimate::{Estimate, median};
use etalon_core::metrics::is_part;
use etalon_core::model::{
    BASE, BUILD, Benchmark, BenchmarkKey, Context, HEAD, Metric, SIDE, Sides,
};
use etalon_core::sample::{Sample, pairs};

use crate::add::Measurement;
use crate::pool::{LEVEL, Part};
use crate::withheld::Withheld;

/// Facts of a run of two sides: their commits.
const REVISIONS: [&str; 2] = ["base.revision", "head.revision"];

/// The package of a benchmark of Go.
const PACKAGE: &str = "pkg";

/// Facts that are part of what a benchmark is called, whether or not others of its file have other ones.
const PLACES: [&str; 3] = [PACKAGE, SUITE, GROUP];

/// Facts that are no part of it.
const CIRCUMSTANCES: [&str; 3] = [COMMIT, SIDE, BUILD];

/// Facts of toolchain, libraries and system that are kept with a point.
const TOOLCHAIN: [&str; 9] = [
    "build.command",
    "go",
    "kernel.release",
    "os",
    "runtime.jit",
    "runtime.language",
    "runtime.version",
    "tool.version",
    "toolchain",
];

/// Those of them that are of the system alone.
const SYSTEM: [&str; 1] = ["kernel.release"];

/// The fact of a machine that its replacement changes, although it is of the same kind.
const HOST: &str = "machine.host";

/// Which metrics give points.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum MetricChoice {
    /// All but parts and side effects of others.
    #[default]
    Whole,
    /// Those of these names.
    Named(Vec<String>),
}

impl MetricChoice {
    fn has(&self, metric: &Metric) -> bool {
        match self {
            MetricChoice::Whole => !is_part(&metric.name),
            MetricChoice::Named(names) => names.contains(&metric.name),
        }
    }
}

/// The points of a run set.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Points {
    /// Those that it gives, benchmark by benchmark.
    pub given: Vec<Measurement>,
    /// Benchmark and metric of those that are withheld: a side differs from its own second build there.
    pub withheld: Vec<(String, String)>,
}

/// The points that a run set gives. What has no value gives none. O(n log n).
///
/// # Errors
/// If builds of a side cannot be joined, because there are 2³² of something.
pub fn measurements(
    data: &Dataset,
    run_set: RunSetId,
    metrics: &MetricChoice,
) -> Result<Points, Full> {
    let joined = match data.has_builds() {
        true => Cow::Owned(data.with_builds_joined()?),
        false => Cow::Borrowed(data),
    };
    let groups: Vec<Group> = joined.groups_without_copies();
    let groups: Vec<Group> = groups.into_iter().filter(|it| it.run_set == run_set).collect();
    let of_set = joined.metrics(run_set).into_iter().filter(|(metric, _)| metrics.has(metric));
    let measured = Measured { data: &joined, run_set, metrics: of_set.collect() };
    let Some(sides) = joined.run_sets[run_set.at()].sides else {
        let given = groups.iter().flat_map(|group| measured.values(group)).collect();
        return Ok(Points { given, withheld: Vec::new() });
    };
    let withheld = match data.has_builds() {
        true => {
            let spellings: Vec<Vec<SpellingId>> =
                measured.metrics.iter().map(|(_, of)| of.clone()).collect();
            Withheld::new(data, &joined, (run_set, sides)).all(&groups, &spellings)
        }
        false => BTreeSet::new(),
    };
    Ok(measured.ratios(&groups, &withheld))
}

/// A run set whose points are wanted.
struct Measured<'d> {
    data: &'d Dataset,
    run_set: RunSetId,
    metrics: Vec<(Metric, Vec<SpellingId>)>,
}

impl Measured<'_> {
    /// The values of a group.
    fn values(&self, group: &Group) -> Vec<Measurement> {
        let Some(configuration) = self.configuration(group) else { return Vec::new() };
        let commit = self.fact(configuration, COMMIT);
        let samples = self.metrics.iter().zip(self.samples(group));
        let point = |((metric, _), sample): (&(Metric, Vec<SpellingId>), Option<Sample>)| {
            let sample = sample?;
            let estimate = median(&sample, LEVEL, metric.resolution)?;
            let part = part(&estimate, sample.len());
            Some(Measurement {
                commit: commit.clone(),
                machine: self.machine(configuration, true),
                ..self.measurement((group, metric), configuration, (part, sample.values))
            })
        };
        samples.filter_map(point).collect()
    }

    /// The ratios of the head to the base, of each benchmark that both sides have; of a metric that is withheld from the
    /// group of either side, no ratio.
    fn ratios(&self, groups: &[Group], withheld: &BTreeSet<(usize, usize)>) -> Points {
        let mut sides: BTreeMap<String, [Option<usize>; 2]> = BTreeMap::new();
        for (number, group) in groups.iter().enumerate() {
            let Some(configuration) = self.configuration(group) else { continue };
            let Some(side) = self.side(group) else { continue };
            let Some(at) = Sides::ORDER.iter().position(|known| *known == side) else { continue };
            sides.entry(self.label(group, configuration)).or_default()[at] = Some(number);
        }
        let mut points = Points::default();
        for (base, head) in sides.into_values().filter_map(|[base, head]| Some((base?, head?))) {
            for (metric, ratio) in self.ratios_of(&groups[base], &groups[head]) {
                match [base, head].iter().any(|side| withheld.contains(&(*side, metric))) {
                    true => points.withheld.push((ratio.benchmark, ratio.metric)),
                    false => points.given.push(ratio),
                }
            }
        }
        points
    }

    /// Each with the number of its metric.
    fn ratios_of(&self, base: &Group, head: &Group) -> Vec<(usize, Measurement)> {
        let Some(configuration) = self.configuration(head) else { return Vec::new() };
        let [anchor, commit] = REVISIONS.map(|key| self.fact(configuration, key));
        let mut points = Vec::new();
        let samples = self.samples(base).into_iter().zip(self.samples(head));
        for (at, ((metric, _), (base, candidate))) in self.metrics.iter().zip(samples).enumerate() {
            let (Some(base), Some(candidate)) = (base, candidate) else { continue };
            let Some(ratio) = ratio(metric, &base, &candidate) else { continue };
            let point = Measurement {
                commit: commit.clone(),
                anchor: anchor.clone(),
                machine: self.machine(configuration, false),
                ..self.measurement((head, metric), configuration, ratio)
            };
            points.push((at, point));
        }
        points
    }

    /// The parts of a point that values and ratios have in common.
    fn measurement(
        &self,
        (group, metric): (&Group, &Metric),
        configuration: ConfigurationId,
        (part, readings): (Part, Vec<f64>),
    ) -> Measurement {
        Measurement {
            benchmark: self.label(group, configuration),
            metric: metric.name.clone(),
            unit: metric.unit.base().to_string(),
            direction: metric.direction,
            commit: None,
            anchor: None,
            machine: String::new(),
            facts: self.facts(configuration),
            part,
            readings,
        }
    }

    /// A sample of each metric; none of a metric without values.
    fn samples(&self, group: &Group) -> Vec<Option<Sample>> {
        let sample = |(_, of): &(Metric, Vec<SpellingId>)| {
            let sample = self.data.sample_of_side(&group.rows, of).ok()?;
            Some(sample).filter(|sample| !sample.is_empty())
        };
        self.metrics.iter().map(sample).collect()
    }

    fn configuration(&self, group: &Group) -> Option<ConfigurationId> {
        group.rows.first().map(|row| self.data.series_of(*row as usize).configuration)
    }

    fn side(&self, group: &Group) -> Option<&str> {
        let configuration = self.configuration(group)?;
        let of_key = group.benchmark.key.params.iter().find(|(name, _)| name == SIDE);
        let side = of_key.map(|(_, side)| side.as_str());
        let side = side.or_else(|| self.data.fact(configuration, SIDE))?;
        [BASE, HEAD].into_iter().find(|known| *known == side)
    }

    /// A fact of rows, or of their whole run set.
    fn fact(&self, configuration: ConfigurationId, key: &str) -> Option<String> {
        let of_set = || self.data.run_sets[self.run_set.at()].context.get(key).cloned();
        self.data.fact(configuration, key).map(str::to_owned).or_else(of_set)
    }

    /// The name of a benchmark in a history: its own, its parameters, and where it stands.
    fn label(&self, group: &Group, configuration: ConfigurationId) -> String {
        let Benchmark { case, .. } = &*group.benchmark;
        let mut benchmark =
            Benchmark { key: key(&group.benchmark.key), ..(*group.benchmark).clone() };
        let of_case = case
            .iter()
            .flat_map(|case| [(SUITE, Some(&case.file)), (GROUP, case.group.as_ref())].into_iter());
        let of_case: Vec<(&str, String)> =
            of_case.filter_map(|(key, value)| Some((key, value?.clone()))).collect();
        let has = |place: &str| of_case.iter().any(|(known, _)| *known == place);
        let stated = PLACES.into_iter().filter(|place| !has(place));
        let stated: Vec<(&str, String)> =
            stated.filter_map(|key| Some((key, self.fact(configuration, key)?))).collect();
        let places = stated.into_iter().chain(of_case.iter().cloned());
        let named = places.map(|(key, value)| (key.to_owned(), value));
        benchmark.key.params.extend(named);
        benchmark.label()
    }

    /// The machine, with or without the name of the very one: in a ratio it cancels, its kind does not.
    fn machine(&self, configuration: ConfigurationId, with_host: bool) -> String {
        machine(with_host, |key| self.fact(configuration, key))
    }

    fn facts(&self, configuration: ConfigurationId) -> Context {
        let fact = |key: &str| Some((key.to_owned(), self.fact(configuration, key)?));
        TOOLCHAIN.into_iter().filter_map(fact).collect()
    }
}

/// Whether a fact of a point is of its toolchain or its libraries, so that a change of it is no commit's.
#[must_use]
pub fn is_of_toolchain(key: &str) -> bool {
    TOOLCHAIN.contains(&key) && !SYSTEM.contains(&key)
}

/// The kind of the machine that facts are of, as series of ratios have it.
#[must_use]
pub fn kind_of_machine(facts: &Context) -> String {
    machine(false, |key| facts.get(key).cloned())
}

fn machine(with_host: bool, fact: impl Fn(&str) -> Option<String>) -> String {
    let keys = MACHINE.into_iter().filter(|key| with_host || *key != HOST);
    let facts: Vec<String> = keys.filter_map(fact).filter(|it| !it.is_empty()).collect();
    facts.join(", ")
}

/// The key without facts that other columns say, or that are said of every benchmark.
fn key(key: &BenchmarkKey) -> BenchmarkKey {
    let is_name = |(name, _): &&(String, String)| {
        let known = CIRCUMSTANCES.iter().chain(&PLACES).chain(&MACHINE).chain(&TOOLCHAIN);
        !known.into_iter().any(|fact| fact == name)
    };
    let params = key.params.iter().filter(is_name).cloned().collect();
    BenchmarkKey { name: key.name.clone(), params }
}

/// The ratio of one sample to another in the same blocks, and that of each block; of each pair of builds, where sides
/// were built several times.
fn ratio(metric: &Metric, base: &Sample, candidate: &Sample) -> Option<(Part, Vec<f64>)> {
    let contrast = Contrast {
        metric,
        base,
        candidate,
        origin: Origin::SameRunSet,
        earlier: &[],
        dependence: None,
        scales: Scales::OfVerdict,
    };
    let criteria = Criteria { confidence: LEVEL, ..Criteria::default() };
    let evidence = compare(&contrast, &criteria)?;
    let ratio = evidence.differing.ratio?;
    let readings = pairs(base, candidate)?.within_builds(|base, head| head / base);
    Some((part(&ratio, evidence.n.1), readings))
}

fn part(estimate: &Estimate, n: usize) -> Part {
    let interval = estimate.interval.ok().map(|interval| (interval.lo, interval.hi));
    Part { value: estimate.value, interval, n: n as u64 }
}
