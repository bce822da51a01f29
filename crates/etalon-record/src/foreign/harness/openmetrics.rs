//! OpenMetrics text: medians with their intervals as gauges, and how many readings they are of as a counter.
//!
//! Owns names of metric families: letters, digits and underscores, the unit last, and nothing twice. A benchmark is a
//! label, as is the name that its metric has elsewhere. Refuses readings, and times when something was measured.

use std::collections::{HashMap, HashSet};
use std::io::{self, Write};
use std::iter;

use etalon_core::dataset::Dataset;
use etalon_core::estimate::Estimate;
use etalon_core::model::{Direction, Metric, Note};
use etalon_core::units::Base;
use etalon_core::visible::is_hidden;

use super::write::{Centre, Summary, medians, number, summaries};

/// Families by their beginning: what each says of a metric. No two beginnings are alike, so that no metric's name makes
/// two families one.
const KINDS: [(&str, &str); 3] = [
    ("median", "Median of"),
    ("lower", "Lower end of the 95 % interval of the median of"),
    ("upper", "Upper end of the 95 % interval of the median of"),
];

/// The counter.
const READINGS: &str = "etalon_readings";

/// A metric with the centres of all benchmarks that have it: all samples of a family stand together.
struct Family<'s> {
    metric: &'s Metric,
    /// What the names of its families end with.
    name: String,
    unit: String,
    centres: Vec<(&'s Summary, &'s Centre)>,
}

/// Writes OpenMetrics text; what that cannot hold.
///
/// # Errors
/// If `out` does not take it.
pub fn write_openmetrics(data: &Dataset, out: &mut impl Write) -> io::Result<Vec<Note>> {
    let all = summaries(data);
    for family in families(&all) {
        for kind in KINDS {
            write_family(&family, kind, out)?;
        }
    }
    if !all.is_empty() {
        writeln!(out, "# TYPE {READINGS} counter")?;
        writeln!(out, "# HELP {READINGS} Readings that a median is of.")?;
    }
    for summary in &all {
        for Centre { metric, readings, .. } in &summary.centres {
            writeln!(out, "{READINGS}_total{{{}}} {readings}", labels(summary, metric))?;
        }
    }
    out.write_all(b"# EOF\n")?;
    Ok(vec![medians(data)])
}

fn write_family(
    of: &Family<'_>,
    (kind, what): (&str, &str),
    out: &mut impl Write,
) -> io::Result<()> {
    let Family { metric, name, unit, centres } = of;
    let valued = |(summary, centre): &(&Summary, &Centre)| {
        Some((labels(summary, metric), value(kind, centre)?))
    };
    let values: Vec<(String, f64)> = centres.iter().filter_map(valued).collect();
    if values.is_empty() {
        return Ok(());
    }
    let family = format!("etalon_{kind}_{name}");
    writeln!(out, "# TYPE {family} gauge")?;
    if !unit.is_empty() {
        writeln!(out, "# UNIT {family} {unit}")?;
    }
    let help = format!("{what} {}{}.", metric.name, better(metric.direction));
    writeln!(out, "# HELP {family} {}", escaped(&help))?;
    for (labels, value) in values {
        writeln!(out, "{family}{{{labels}}} {}", number(value))?;
    }
    Ok(())
}

fn families(all: &[Summary]) -> Vec<Family<'_>> {
    let mut families: Vec<Family<'_>> = Vec::new();
    let mut known: HashMap<&str, usize> = HashMap::new();
    let mut taken = HashSet::new();
    let centres = all.iter().flat_map(|it| it.centres.iter().map(move |centre| (it, centre)));
    for (summary, centre) in centres {
        let metric = &centre.metric;
        let at = *known.entry(&metric.name).or_insert_with(|| {
            let (stem, unit) = (word(&metric.name), unit(metric));
            let numbered = (2..).map(|number| format!("{stem}_{number}"));
            let mut names =
                iter::once(stem.clone()).chain(numbered).map(|it| with_unit(&it, &unit));
            let name = names.find(|name| taken.insert(name.clone())).unwrap_or_default();
            families.push(Family { metric, name, unit, centres: Vec::new() });
            families.len() - 1
        });
        families[at].centres.push((summary, centre));
    }
    families
}

/// The value of a family of this kind.
fn value(kind: &str, Centre { estimate, .. }: &Centre) -> Option<f64> {
    let Estimate { value, interval, .. } = estimate;
    match kind {
        "lower" => Some(interval.as_ref().ok()?.lo),
        "upper" => Some(interval.as_ref().ok()?.hi),
        _ => Some(*value),
    }
}

/// A unit as the format names it; empty for things that are counted.
fn unit(metric: &Metric) -> String {
    match metric.unit.base() {
        Base::Seconds => "seconds".to_owned(),
        Base::Bytes => "bytes".to_owned(),
        Base::Count => String::new(),
        Base::Other(name) => word(name),
    }
}

/// A name that ends with its unit, and does not begin with it: `sec/op` is `per_op_seconds`.
fn with_unit(name: &str, unit: &str) -> String {
    if name == unit || unit.is_empty() || name.ends_with(&format!("_{unit}")) {
        return name.to_owned();
    }
    let rest = name.strip_prefix(unit).filter(|rest| rest.starts_with("_per_"));
    format!("{}_{unit}", rest.map_or(name, |rest| &rest[1..]))
}

/// Units that Prometheus wants in full.
const IN_FULL: [(&str, &str); 3] = [("s", "second"), ("sec", "seconds"), ("B", "bytes")];

/// A text as a part of a name: `ops/s` is `ops_per_second`.
fn word(text: &str) -> String {
    let mut out = String::new();
    for c in text.replace('/', "_per_").chars() {
        match c {
            c if c.is_ascii_alphanumeric() => out.push(c),
            _ if out.ends_with('_') => {}
            _ => out.push('_'),
        }
    }
    let in_full = |part| IN_FULL.iter().find(|it| it.0 == part).map_or(part, |it| it.1);
    let parts: Vec<&str> = out.split('_').filter(|part| !part.is_empty()).map(in_full).collect();
    if parts.is_empty() { "value".to_owned() } else { parts.join("_") }
}

fn better(direction: Direction) -> &'static str {
    match direction {
        Direction::Lower => "; less is better",
        Direction::Higher => "; more is better",
        Direction::Neither => "",
    }
}

fn labels(summary: &Summary, metric: &Metric) -> String {
    format!("benchmark=\"{}\",metric=\"{}\"", escaped(&summary.name), escaped(&metric.name))
}

/// Text as labels and help have it. What is not seen stands as an escape: a parser may take it for an end of a line.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\\' | '"' => out.extend(['\\', c]),
            '\n' => out.push_str("\\n"),
            c if is_hidden(c) => out.extend(c.escape_unicode().flat_map(twice)),
            c => out.push(c),
        }
    }
    out
}

/// A backslash is two.
fn twice(c: char) -> impl Iterator<Item = char> {
    iter::repeat_n(c, if c == '\\' { 2 } else { 1 })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_families_have_their_unit_once() {
        for (name, unit, expected) in [
            ("wall", "seconds", "wall_seconds"),
            ("gc.alloc.rate.norm", "bytes", "gc_alloc_rate_norm_bytes"),
            ("ops/s", "ops_per_second", "ops_per_second"),
            ("sec/op", "seconds", "per_op_seconds"),
            ("B/op", "bytes", "per_op_bytes"),
            ("B/s", "bytes_per_second", "bytes_per_second"),
            ("cpu seconds", "seconds", "cpu_seconds"),
            ("·/", "", "per"),
            ("·", "", "value"),
        ] {
            assert_eq!(with_unit(&word(name), unit), expected);
        }
        assert_eq!(escaped("a\\\"\n\u{1b}é"), "a\\\\\\\"\\n\\\\u{1b}é");
    }
}
