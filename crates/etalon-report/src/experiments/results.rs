//! The results of a page: a row for each benchmark and machine, a column for each metric, and below it what follows
//! from the figures.

use super::cells::{called, laid_out, plain};
use super::machines::{Figure, Figures, Machine};
use crate::figures::FAR;
use crate::tidied::plain_digits;

/// A spread from here on is told beside one that is a fifth of it at most. Because: readings that agree within a tenth
/// are what a shared machine gives.
const WIDE: f64 = 0.1;
const TIMES: f64 = 5.0;
/// Counts that differ by less are told as stable: runtimes allocate a few things more or less.
const STABLE: f64 = 0.01;

/// The benchmarks and metrics of a table.
#[derive(Debug)]
pub struct Results<'a> {
    /// Its rows, each once a machine.
    pub benchmarks: Vec<&'a str>,
    /// Its columns.
    pub metrics: Vec<ResultMetric<'a>>,
    /// The machines with their figures.
    pub machines: &'a [Machine],
}

/// A column of results.
#[derive(Debug)]
pub struct ResultMetric<'a> {
    /// The name of the metric.
    pub name: &'a str,
    /// Its heading.
    pub heading: String,
    /// Its unit.
    pub unit: &'a str,
}

/// The table of results, with remarks below.
#[must_use]
pub fn results(of: &Results<'_>) -> String {
    let titles = ["Benchmark", "Machine"].map(str::to_owned).into_iter();
    let titles: Vec<String> =
        titles.chain(of.metrics.iter().map(|metric| metric.heading.clone())).collect();
    let mut text = laid_out(&titles, 2, &of.rows());
    for remark in of.remarks() {
        text.push_str(&format!("\n\n> {remark}"));
    }
    text
}

/// A figure with its spread.
fn words(figure: &Figure) -> String {
    let number = plain_digits(figure.value);
    match figure.spread {
        Some(_) if figure.exact => number,
        Some(spread) if spread > FAR => format!("{number} ± more than 100%"),
        Some(spread) => format!("{number} ± {:.0}%", spread * 100.0),
        None => number,
    }
}

impl<'a> Results<'a> {
    /// Machines with the figures of a benchmark.
    fn by_machine(&self, benchmark: &str) -> impl Iterator<Item = (&'a str, &'a Figures)> {
        let machines: &'a [Machine] = self.machines;
        let found: Vec<_> = machines
            .iter()
            .filter_map(|it| Some((it.name.as_str(), it.figures(benchmark)?)))
            .filter(|(_, figures)| {
                self.metrics.iter().any(|metric| figures.contains_key(metric.name))
            })
            .collect();
        found.into_iter()
    }

    /// A row for each benchmark and machine, the benchmark's name once.
    fn rows(&self) -> Vec<Vec<String>> {
        let mut rows = Vec::new();
        for benchmark in &self.benchmarks {
            for (at, (machine, figures)) in self.by_machine(benchmark).enumerate() {
                let name = if at == 0 { called(benchmark) } else { String::new() };
                let cells = self
                    .metrics
                    .iter()
                    .map(|metric| figures.get(metric.name).map_or(String::new(), words));
                rows.push([name, plain(machine)].into_iter().chain(cells).collect());
            }
        }
        rows
    }

    /// Remarks that follow from the figures.
    fn remarks(&self) -> Vec<String> {
        let mut remarks: Vec<String> = self.absent().into_iter().collect();
        remarks.extend(self.few());
        for ResultMetric { name, heading, unit } in &self.metrics {
            match *unit {
                "count" => remarks.extend(self.stable(name, heading)),
                _ => {
                    remarks.extend(self.reversed(name, heading));
                    remarks.extend(self.wide(name, heading));
                }
            }
        }
        remarks
    }

    /// Which machines lack a benchmark, and why.
    fn absent(&self) -> Option<String> {
        let mut lacking = Vec::new();
        for benchmark in &self.benchmarks {
            for machine in self.machines {
                let name = &machine.name;
                if self.by_machine(benchmark).any(|(known, _)| known == name) {
                    continue;
                }
                let why = machine.why_without(benchmark);
                let why = why.map_or(String::new(), |why| format!(" ({why})"));
                lacking.push(format!("{} on {name}{why}", called(benchmark)));
            }
        }
        (!lacking.is_empty()).then(|| format!("Without figures: {}.", lacking.join(", ")))
    }

    /// Which figures have no interval although they were measured.
    fn few(&self) -> Option<String> {
        let has_few = |name: &str| {
            let mut all = self.benchmarks.iter().flat_map(|benchmark| self.by_machine(benchmark));
            all.any(|(machine, figures)| {
                machine == name
                    && figures
                        .values()
                        .any(|it| it.spread.is_none() && !it.exact && it.readings > 0)
            })
        };
        let names = self.machines.iter().map(|it| it.name.as_str());
        let names: Vec<&str> = names.filter(|name| has_few(name)).collect();
        (!names.is_empty()).then(|| {
            format!(
                "Without ± on {}: too few readings for an interval of the median.",
                names.join(", ")
            )
        })
    }

    /// Whether counts are the same on all machines.
    fn stable(&self, metric: &str, heading: &str) -> Option<String> {
        let mut most = 0.0_f64;
        let mut compared = false;
        for benchmark in &self.benchmarks {
            let values = self.by_machine(benchmark).filter_map(|(_, figures)| figures.get(metric));
            let values: Vec<f64> = values.map(|figure| figure.value).collect();
            let least = values.iter().copied().fold(f64::INFINITY, f64::min);
            let largest = values.iter().copied().fold(0.0, f64::max);
            if values.len() > 1 {
                compared = true;
                most = most.max(if largest == least { 0.0 } else { largest / least - 1.0 });
            }
        }
        match compared {
            true if most == 0.0 => Some(format!("{heading} are the same on all machines.")),
            true if most < STABLE => Some(format!(
                "{heading} hardly differ between machines: by {:.1} % at most.",
                most * 100.0
            )),
            _ => None,
        }
    }

    /// Pairs of one benchmark's backends of which one machine has the first faster, and another the second.
    fn reversed(&self, metric: &str, heading: &str) -> Vec<String> {
        let mut remarks = Vec::new();
        for (at, first) in self.benchmarks.iter().enumerate() {
            for second in &self.benchmarks[at + 1..] {
                if parent(first).is_none() || parent(first) != parent(second) {
                    continue;
                }
                let (mut less, mut more) = (Vec::new(), Vec::new());
                for (machine, figures) in self.by_machine(first) {
                    let other = self.by_machine(second).find(|(known, _)| *known == machine);
                    let other = other.and_then(|(_, figures)| figures.get(metric));
                    match figures.get(metric).zip(other).and_then(|(one, two)| order(one, two)) {
                        Some(std::cmp::Ordering::Less) => less.push(machine),
                        Some(std::cmp::Ordering::Greater) => more.push(machine),
                        _ => {}
                    }
                }
                if !less.is_empty() && !more.is_empty() {
                    remarks.push(format!(
                        "The order of {} and {} reverses: the first has less {heading} on {}, the second on {}.",
                        called(first),
                        called(second),
                        less.join(", "),
                        more.join(", ")
                    ));
                }
            }
        }
        remarks
    }

    /// A wide spread beside a narrow one on the same machine.
    fn wide(&self, metric: &str, heading: &str) -> Vec<String> {
        let mut remarks = Vec::new();
        for machine in self.machines {
            let name = &machine.name;
            let spread = |benchmark: &&'a str| {
                let (_, figures) = self.by_machine(benchmark).find(|(known, _)| known == name)?;
                Some((*benchmark, figures.get(metric)?.spread?))
            };
            let all: Vec<(&str, f64)> = self.benchmarks.iter().filter_map(spread).collect();
            let by_spread = |one: &&(&str, f64), two: &&(&str, f64)| one.1.total_cmp(&two.1);
            let (Some((steady, narrow)), Some((unsteady, wide))) =
                (all.iter().min_by(by_spread), all.iter().max_by(by_spread))
            else {
                continue;
            };
            if *wide >= WIDE && *wide >= TIMES * narrow {
                remarks.push(format!(
                    "On {name}, {heading} of {} scatter: ± {:.0}%, beside ± {:.0}% of {}.",
                    called(unsteady),
                    wide * 100.0,
                    narrow * 100.0,
                    called(steady)
                ));
            }
        }
        remarks
    }
}

/// The benchmark that a part belongs to.
fn parent(benchmark: &str) -> Option<&str> {
    benchmark.rsplit_once('/').map(|(parent, _)| parent)
}

/// Which of two is less, where their intervals do not meet.
fn order(one: &Figure, two: &Figure) -> Option<std::cmp::Ordering> {
    let ends = |figure: &Figure| {
        let half = figure.spread? * figure.value.abs();
        Some((figure.value - half, figure.value + half))
    };
    let ((lo_one, hi_one), (lo_two, hi_two)) = (ends(one)?, ends(two)?);
    if hi_one < lo_two {
        Some(std::cmp::Ordering::Less)
    } else if hi_two < lo_one {
        Some(std::cmp::Ordering::Greater)
    } else {
        None
    }
}
