//! Benchmarks over a size, and the power of it that they grow by: a size is a parameter that is a number, or the
//! number of a part `/key=number` of a name.
//!
//! Owns which benchmarks differ in nothing else, and how many are drawn. Refuses to say whether a power is what they
//! grow by: the line is drawn beside the points.

use std::collections::{BTreeMap, BTreeSet};

use super::Axis;
use super::thin::evenly;
use crate::analysis::{Analysis, Summary};
use crate::estimate::Estimate;
use crate::metrics;
use crate::model::{Benchmark, Case, Direction, Metric};
use crate::query;
use crate::stats::{InsufficientData, Interval, PowerLaw, power_law};
use crate::units::{Base, is_rate};

/// Benchmarks over one size.
#[derive(Debug, Clone, PartialEq)]
pub struct Growing {
    /// The name of the size: the parameter, or the key in the names.
    pub param: String,
    /// The metric.
    pub metric: Metric,
    /// How sizes stand.
    pub across: Axis,
    /// How the metric's values stand.
    pub up: Axis,
    /// In order of appearance.
    pub curves: Vec<Grown>,
    /// Of so many.
    pub of: usize,
}

/// Benchmarks that differ in one size alone.
#[derive(Debug, Clone, PartialEq)]
pub struct Grown {
    /// Their name, with what the size is called in braces in the place of its value.
    pub name: String,
    /// Their other parameters.
    pub others: Vec<(String, String)>,
    /// The column of a table that they are of; absent of benchmarks of an analysis.
    pub column: Option<usize>,
    /// Sizes, ascending, each with the median there; of many so many, the first and the last among them.
    pub points: Vec<(f64, Estimate)>,
    /// Of so many.
    pub of: usize,
    /// The power that they grow by; absent where not all points are above 0.
    pub law: Option<PowerLaw>,
}

/// Sizes that are drawn of one metric, curves drawn over each of them, points of a curve.
const PICTURES: usize = 4;
const CURVES: usize = 8;
const DRAWN: usize = 120;
/// A line through fewer points says nothing about them.
const POINTS: usize = 3;
/// Metrics that are rates and drawn beside the one that is ranked.
const RATES: usize = 2;
/// Sizes that are looked for in one name. Because: a name may be long, and each of them takes a copy of it.
const SIZES: usize = 8;

/// A number in what a benchmark is called, and what it is called without it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Size {
    /// Its name.
    pub(crate) param: String,
    pub(crate) at: f64,
    /// The name with that in braces.
    pub(crate) name: String,
    pub(crate) others: Vec<(String, String)>,
}

/// The labels that tell the curves of a size apart.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Curve {
    pub(crate) name: String,
    pub(crate) others: Vec<(String, String)>,
    pub(crate) file: Option<String>,
    pub(crate) column: Option<usize>,
}

/// The metric that is ranked over every size, and beside it what is done in a second. O(n log n) in the benchmarks.
#[must_use]
pub fn growing(analysis: &Analysis) -> Vec<Growing> {
    let level = analysis.settings.criteria.confidence;
    let sizes: Vec<Vec<Size>> =
        analysis.benchmarks.iter().map(|it| benchmark_sizes(&it.benchmark)).collect();
    let of_quantity = |(metric, medians): (Metric, Vec<Option<Estimate>>)| {
        let mut curves = Curves::default();
        for ((summary, sizes), median) in analysis.benchmarks.iter().zip(&sizes).zip(medians) {
            let file = summary.benchmark.case.as_ref().map(|case| &case.file);
            for Size { param, at, name, others } in sizes.iter().filter(|_| median.is_some()) {
                let (name, others, file) = (name.clone(), others.clone(), file.cloned());
                let curve = Curve { name, others, file, column: None };
                curves.add(param, curve, median.map(|it| (*at, it)));
            }
        }
        curves.growing(&metric, level)
    };
    quantities(analysis).into_iter().flat_map(of_quantity).collect()
}

/// The metrics of an analysis, with the median of each benchmark that has one.
fn quantities(analysis: &Analysis) -> Vec<(Metric, Vec<Option<Estimate>>)> {
    let ranked = &analysis.settings.metric;
    let all = || analysis.benchmarks.iter().flat_map(|it| &it.metrics).map(|it| &*it.metric);
    let mut rates: Vec<&Metric> = Vec::new();
    let is_drawn = |it: &&Metric| {
        it.name != *ranked && matches!(it.unit.base(), Base::Other(unit) if is_rate(unit))
    };
    for metric in all().filter(is_drawn) {
        if rates.len() < RATES && rates.iter().all(|it| it.name != metric.name) {
            rates.push(metric);
        }
    }
    let measured = all().find(|it| it.name == *ranked).into_iter().chain(rates).map(|metric| {
        let median = |it: &Summary| it.metric(&metric.name).map(|it| it.median);
        (metric.clone(), analysis.benchmarks.iter().map(median).collect())
    });
    let declared = [
        ("Throughput (by the median time)", "B/s", (|case| case.bytes) as fn(&Case) -> Option<f64>),
        ("Items per second (by the median time)", "items/s", |case| case.items),
    ]
    .map(|(name, unit, amount)| {
        let rate = |it: &Summary| {
            let time = it.metric(metrics::WALL)?.median;
            per_second(amount(it.benchmark.case.as_ref()?)?, &time)
        };
        (per_time(name, unit), analysis.benchmarks.iter().map(rate).collect())
    });
    measured.chain(declared).collect()
}

fn per_time(name: &str, unit: &str) -> Metric {
    Metric { direction: Direction::Higher, ..Metric::new(name, unit) }
}

/// How much is done in a second if that amount takes a time: the ends of the interval change places.
fn per_second(amount: f64, time: &Estimate) -> Option<Estimate> {
    let interval = time.interval.and_then(|it| match it.lo > 0.0 {
        true => Ok(Interval { lo: amount / it.hi, hi: amount / it.lo, ..it }),
        false => Err(InsufficientData::NotFinite),
    });
    (time.value > 0.0).then(|| Estimate { value: amount / time.value, interval, ..*time })
}

/// Sizes, each with a median.
type Points = Vec<(f64, Estimate)>;

/// Curves over every size, as they are found.
#[derive(Default)]
pub(crate) struct Curves {
    /// Sizes in order of appearance, the curves of each likewise.
    params: Vec<(String, Vec<(Curve, Points)>)>,
    of_param: BTreeMap<String, usize>,
    of_curve: BTreeMap<(usize, Curve), usize>,
}

impl Curves {
    /// A point of a curve, if it has one there.
    pub(crate) fn add(&mut self, param: &str, curve: Curve, point: Option<(f64, Estimate)>) {
        let Some(point) = point else { return };
        let at = self.of_param.get(param).copied().unwrap_or_else(|| {
            self.of_param.insert(param.to_owned(), self.params.len());
            self.params.push((param.to_owned(), Vec::new()));
            self.params.len() - 1
        });
        let curves = &mut self.params[at].1;
        let place = *self.of_curve.entry((at, curve)).or_insert_with_key(|(_, curve)| {
            curves.push((curve.clone(), Vec::new()));
            curves.len() - 1
        });
        curves[place].1.push(point);
    }

    /// Every size over which there are curves, of points enough.
    pub(crate) fn growing(self, metric: &Metric, level: f64) -> Vec<Growing> {
        let of_param = |(param, curves): (String, Vec<(Curve, Points)>)| {
            let all: Vec<(Curve, Points)> = curves
                .into_iter()
                .filter_map(|(curve, points)| Some((curve, ascending(points)?)))
                .collect();
            let of = all.len();
            let drawn = || all.iter().take(CURVES);
            let across = Axis::suiting_all(drawn().flat_map(|it| &it.1).map(|it| it.0))?;
            let up = Axis::suiting_all(drawn().flat_map(|it| &it.1).map(|it| it.1.value))?;
            let curves = drawn().map(|(curve, points)| grown(curve, points, level)).collect();
            Some(Growing { param, metric: metric.clone(), across, up, curves, of })
        };
        self.params.into_iter().filter_map(of_param).take(PICTURES).collect()
    }
}

/// Points by their size; absent of too few, and where two have one size.
fn ascending(mut points: Points) -> Option<Points> {
    points.sort_by(|a, b| a.0.total_cmp(&b.0));
    let is_once = points.windows(2).all(|two| two[0].0 < two[1].0);
    (points.len() >= POINTS && is_once).then_some(points)
}

fn grown(curve: &Curve, points: &[(f64, Estimate)], level: f64) -> Grown {
    let plain: Vec<(f64, f64)> = points.iter().map(|(x, it)| (*x, it.value)).collect();
    Grown {
        name: curve.name.clone(),
        others: curve.others.clone(),
        column: curve.column,
        points: evenly(points, DRAWN),
        of: points.len(),
        law: power_law(&plain, level).ok(),
    }
}

/// The sizes of a benchmark: its parameters, and of what is no command and no case the parts of its name.
fn benchmark_sizes(benchmark: &Benchmark) -> Vec<Size> {
    let key = &benchmark.key;
    let without = |param: &str| key.params.iter().filter(|it| it.0 != param).cloned().collect();
    let of_param = |(param, value): &(String, String)| {
        let name = template(&key.name, value, param);
        Some(Size { param: param.clone(), at: plain_number(value)?, name, others: without(param) })
    };
    let mut sizes: Vec<Size> = key.params.iter().filter_map(of_param).collect();
    if benchmark.command.is_none() && benchmark.case.is_none() {
        let is_new = |it: &Size| key.params.iter().all(|(param, _)| *param != it.param);
        let parts = name_sizes(&key.name).into_iter().filter(is_new);
        sizes.extend(parts.map(|it| Size { others: key.params.clone(), ..it }));
    }
    sizes
}

/// The parts `/key=number` of a name; of a key that it has several times the first counts, as in queries.
pub(crate) fn name_sizes(name: &str) -> Vec<Size> {
    let name = query::Name::from_go(name);
    let mut seen: BTreeSet<&str> = BTreeSet::new();
    let mut sizes: Vec<Size> = Vec::new();
    for (place, part) in name.parts.iter().enumerate() {
        let pair = part.strip_prefix('/').and_then(|part| part.split_once('='));
        let Some((key, value)) = pair.filter(|(key, _)| !key.is_empty()) else { continue };
        let is_first = seen.insert(key) && sizes.len() < SIZES;
        let Some(at) = plain_number(value).filter(|_| is_first) else { continue };
        let hole = format!("/{key}={{{key}}}");
        let text = |(other, part)| if other == place { hole.as_str() } else { part };
        let parts = name.parts.iter().map(|part| &**part).enumerate().map(text);
        let name = [&*name.base].into_iter().chain(parts).collect();
        sizes.push(Size { param: key.to_owned(), at, name, others: Vec::new() });
    }
    sizes
}

/// A plain number: `1000`, `0.5`, `1e6`; no `1kB`.
pub(crate) fn plain_number(text: &str) -> Option<f64> {
    text.trim().parse::<f64>().ok().filter(|it| it.is_finite())
}

/// A name with the parameter's name in the place of its value: where that stands as a word, else wherever it stands.
fn template(name: &str, value: &str, param: &str) -> String {
    let hole = format!("{{{param}}}");
    let is_word = |at: usize| {
        let (before, after) = (&name[..at], &name[at + value.len()..]);
        let joins = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '.');
        !joins(before.chars().next_back()) && !joins(after.chars().next())
    };
    let words: Vec<usize> =
        name.match_indices(value).map(|(at, _)| at).filter(|at| is_word(*at)).collect();
    if words.is_empty() {
        return name.replace(value, &hole);
    }
    let (mut out, mut from) = (String::new(), 0);
    for at in words {
        out.push_str(&name[from..at]);
        out.push_str(&hole);
        from = at + value.len();
    }
    out + &name[from..]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Would catch curves that fall apart because a value is found within another number.
    #[test]
    fn a_value_is_replaced_where_it_stands_as_a_word() {
        for (name, value, hole) in [
            ("seq 10", "10", "seq {n}"),
            ("sort10 1", "1", "sort10 {n}"),
            ("work -n10", "10", "work -n{n}"),
            ("a 1 b 1.5 1", "1", "a {n} b 1.5 {n}"),
            ("same", "7", "same"),
        ] {
            assert_eq!(template(name, value, "n"), hole);
        }
    }

    /// Would catch a part that is no number, or no pair, taken for a size, and a hole in the wrong place.
    #[test]
    fn parts_of_names_are_sizes() {
        let found = |name: &str| -> Vec<(String, f64, String)> {
            name_sizes(name).into_iter().map(|it| (it.param, it.at, it.name)).collect()
        };
        let one = |param: &str, at: f64, name: &str| (param.to_owned(), at, name.to_owned());
        assert_eq!(found("Sort/n=8-8"), [one("n", 8.0, "Sort/n={n}-8")]);
        assert_eq!(
            found("Map/load=0.5/n=1e3/fast"),
            [
                one("load", 0.5, "Map/load={load}/n=1e3/fast"),
                one("n", 1e3, "Map/load=0.5/n={n}/fast")
            ]
        );
        assert_eq!(found("Same/n=1/n=2"), [one("n", 1.0, "Same/n={n}/n=2")]);
        for name in
            ["Copy/size=1kB", "Sort/1000", "Sort-8", "A/=5", "A/n=", "A/n=inf", "A/n=x/n=5", "n=5"]
        {
            assert_eq!(found(name), [], "{name}");
        }
        assert_eq!(name_sizes(&format!("A{}", "/a=1/b=2".repeat(50))).len(), 2);
        let many: String = (0..100).map(|at| format!("/k{at}=1")).collect();
        assert_eq!(name_sizes(&many).len(), SIZES);
    }

    /// Would catch a rate whose interval stands upside down, or has no end.
    #[test]
    fn a_rate_of_a_time() {
        let time = |lo: f64| Estimate {
            interval: Ok(Interval { lo, hi: 4.0, level: 0.95 }),
            ..Estimate::point(2.0, 0.95)
        };
        let rate = per_second(8.0, &time(1.0)).unwrap();
        assert_eq!(
            (rate.value, rate.interval),
            (4.0, Ok(Interval { lo: 2.0, hi: 8.0, level: 0.95 }))
        );
        assert_eq!(per_second(8.0, &time(0.0)).unwrap().interval, Err(InsufficientData::NotFinite));
        assert_eq!(per_second(8.0, &Estimate::point(0.0, 0.95)), None);
    }
}
