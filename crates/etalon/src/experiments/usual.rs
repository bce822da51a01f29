//! The tables of an experiment file that declares none.

use etalon_core::metrics;
use indexmap::IndexSet;

use super::benchmarks::{Measured, NAME};
use super::file::{File, Table};

/// Names that are columns beside one axis: more of them have no room beside each other.
const NAMES: usize = 6;

/// The tables of a file that declares none: one for each metric, of the first axis and the last of those that
/// tell cells apart; beside one such axis the names, if there are several; of names without such axes.
pub(super) fn usual(file: &File, measured: &Measured<'_>) -> Vec<Table> {
    if file.measure.results.is_some() {
        return of_harness(file, measured);
    }
    let metrics: Vec<String> = match file.metric.is_empty() {
        true => vec![metrics::WALL.to_owned()],
        false => file.metric.keys().map(|name| name.get_ref().clone()).collect(),
    };
    let mut axes = file.telling().cloned();
    let first = axes.next();
    let names: IndexSet<&str> = measured.all.iter().map(|it| it.key.name.as_str()).collect();
    let has_names = first.is_some() && (2..=NAMES).contains(&names.len());
    let of_names = || if has_names { NAME.to_owned() } else { String::new() };
    let columns = axes.next_back().unwrap_or_else(of_names);
    let rows = first.unwrap_or_else(|| NAME.to_owned());
    metrics.into_iter().map(|metric| Table::plain(metric, &[&rows], &columns)).collect()
}

/// The tables of a file whose commands are harnesses: one for each metric that a harness has, of its benchmarks and the last
/// axis.
fn of_harness(file: &File, measured: &Measured<'_>) -> Vec<Table> {
    let axes = || file.axes.keys().map(|axis| axis.get_ref());
    let is_own = |name: &&String| axes().all(|axis| axis != *name);
    let params = measured.all.iter().flat_map(|it| &it.key.params).map(|(name, _)| name);
    let own: IndexSet<&String> = params.filter(is_own).collect();
    let rows: Vec<&str> =
        std::iter::once(NAME).chain(own.into_iter().map(String::as_str)).collect();
    let columns = file.telling().next_back().cloned().unwrap_or_default();
    let is_whole = |name: &str| measured.is_of_whole(name);
    let asked = file.measure.metric.as_ref().map(|metric| metric.get_ref().clone());
    let names = measured.data.metric_names().into_iter().filter(|name| !is_whole(name));
    let all = asked.map_or_else(|| names.map(str::to_owned).collect(), |asked| vec![asked]);
    all.into_iter().map(|metric| Table::plain(metric, &rows, &columns)).collect()
}
