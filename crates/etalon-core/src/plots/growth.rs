//! Benchmarks over a parameter that is a number, and the power of it that they grow by.
//!
//! Owns which benchmarks differ in nothing else. Refuses to say whether a power is what they grow by: the line is
//! drawn beside the points.

use std::collections::BTreeMap;

use super::Axis;
use crate::analysis::{Analysis, Summary};
use crate::estimate::Estimate;
use crate::model::Metric;
use crate::stats::{PowerLaw, power_law};

/// Benchmarks over one parameter.
#[derive(Debug, Clone, PartialEq)]
pub struct Growing {
    /// The parameter.
    pub param: String,
    /// The metric.
    pub metric: Metric,
    /// How the parameter's values stand.
    pub across: Axis,
    /// How the metric's values stand.
    pub up: Axis,
    /// In order of appearance.
    pub curves: Vec<Grown>,
    /// Of so many.
    pub of: usize,
}

/// Benchmarks that differ in one parameter alone.
#[derive(Debug, Clone, PartialEq)]
pub struct Grown {
    /// Their name, with the parameter's name in braces in the place of its value.
    pub name: String,
    /// Their other parameters.
    pub others: Vec<(String, String)>,
    /// The parameter's values, ascending, each with the median there.
    pub points: Vec<(f64, Estimate)>,
    /// The power that they grow by; absent of fewer than three points, and where not all are above 0.
    pub law: Option<PowerLaw>,
}

/// Curves drawn for one parameter.
const CURVES: usize = 8;
/// A line through fewer points says nothing about them.
const POINTS: usize = 3;

/// What tells the curves of a parameter apart.
type Key = (String, Vec<(String, String)>, Option<String>);

/// Every parameter that is a number, with what grows over it.
#[must_use]
pub fn growing(analysis: &Analysis) -> Vec<Growing> {
    let mut names: Vec<&str> = Vec::new();
    for (name, _) in analysis.benchmarks.iter().flat_map(|it| &it.benchmark.key.params) {
        if !names.contains(&name.as_str()) {
            names.push(name);
        }
    }
    names.into_iter().filter_map(|param| over(analysis, param)).collect()
}

fn over(analysis: &Analysis, param: &str) -> Option<Growing> {
    let metric = &analysis.settings.metric;
    let mut keys: Vec<Key> = Vec::new();
    let mut points: BTreeMap<usize, Vec<(f64, Estimate)>> = BTreeMap::new();
    let mut of_metric = None;
    for summary in &analysis.benchmarks {
        let Some((x, key)) = place(summary, param) else { continue };
        let Some(found) = summary.metric(metric) else { continue };
        of_metric = Some(Metric::clone(&found.metric));
        let at = keys.iter().position(|it| *it == key).unwrap_or_else(|| {
            keys.push(key);
            keys.len() - 1
        });
        points.entry(at).or_default().push((x, found.median));
    }
    points.retain(|_, of| {
        of.sort_by(|a, b| a.0.total_cmp(&b.0));
        let is_once = of.windows(2).all(|two| two[0].0 < two[1].0);
        of.len() >= POINTS && is_once
    });
    let of = points.len();
    let drawn = || points.values().take(CURVES).flatten();
    let level = analysis.settings.criteria.confidence;
    let across = suiting(drawn().map(|it| it.0))?;
    let up = suiting(drawn().map(|it| it.1.value))?;
    let curve = |(at, points): (&usize, &Vec<(f64, Estimate)>)| {
        let plain: Vec<(f64, f64)> = points.iter().map(|(x, it)| (*x, it.value)).collect();
        let (name, others, _) = keys[*at].clone();
        let law = power_law(&plain, level).ok();
        Grown { name, others, points: points.clone(), law }
    };
    let curves = points.iter().take(CURVES).map(curve).collect();
    Some(Growing { param: param.to_owned(), metric: of_metric?, across, up, curves, of })
}

/// How values stand; absent of none.
fn suiting(values: impl Iterator<Item = f64>) -> Option<Axis> {
    let (low, high) = values
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), value| (a.min(value), b.max(value)));
    (low <= high).then(|| Axis::suiting(low, high))
}

/// The parameter's number, and what else the benchmark is.
fn place(summary: &Summary, param: &str) -> Option<(f64, Key)> {
    let key = &summary.benchmark.key;
    let (_, value) = key.params.iter().find(|(name, _)| name == param)?;
    let x = value.trim().parse::<f64>().ok().filter(|x| x.is_finite())?;
    let others = key.params.iter().filter(|(name, _)| name != param).cloned().collect();
    let file = summary.benchmark.case.as_ref().map(|case| case.file.clone());
    Some((x, (template(&key.name, value, param), others, file)))
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
    use super::template;

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
}
