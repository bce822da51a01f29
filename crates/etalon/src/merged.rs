//! Several run sets as one, for formats that hold any number of benchmarks in one document.

use etalon_core::model::{Column, Metric, RunSet, Series};

use crate::failure::Failure;

/// The benchmarks of all run sets, in order. What is true of one of them only (blocks, context,
/// settings, how it ended) is not kept; a single one stays as it is.
pub fn merged(mut sets: Vec<RunSet>) -> Result<RunSet, Failure> {
    if sets.len() < 2 {
        return sets.pop().ok_or_else(|| Failure::new("no data"));
    }
    let metrics = metrics(&sets)?;
    let sources: Vec<&str> = sets.iter().map(|set| set.source.as_str()).collect();
    let mut all = RunSet { metrics, ..RunSet::empty(&sources.join(", ")) };
    for set in sets {
        all.benchmarks.extend(set.benchmarks);
        for series in set.series {
            all.series.push(rearranged(series, &set.metrics, &all.metrics));
        }
        all.notes.extend(set.notes);
    }
    Ok(all)
}

/// Every metric of any of them. Values are in base units, which therefore have to agree.
fn metrics(sets: &[RunSet]) -> Result<Vec<Metric>, Failure> {
    let mut metrics: Vec<Metric> = Vec::new();
    for set in sets {
        for metric in &set.metrics {
            match metrics.iter().find(|known| known.name == metric.name) {
                None => metrics.push(metric.clone()),
                Some(known) if known.unit.base() == metric.unit.base() => {}
                Some(known) => {
                    let units = (known.unit.base(), metric.unit.base());
                    return Err(Failure::about(
                        &set.source,
                        format!(
                            "{} is in {} here and in {} before: these do not go into one document",
                            metric.name, units.1, units.0
                        ),
                    ));
                }
            }
        }
    }
    Ok(metrics)
}

/// The series with its columns in another order of metrics, and without its blocks and turns.
fn rearranged(mut series: Series, from: &[Metric], to: &[Metric]) -> Series {
    let mut columns = vec![Column::default(); to.len()];
    for (column, metric) in series.columns.drain(..).zip(from) {
        if let Some(at) = to.iter().position(|known| known.name == metric.name) {
            columns[at] = column;
        }
    }
    series.uncounted.iter_mut().for_each(|execution| execution.block = None);
    Series { columns, blocks: Vec::new(), turns: Vec::new(), ..series }
}
