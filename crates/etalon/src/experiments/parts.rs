//! Parts of a table: one for each combination of the axes that are neither rows nor columns.

use std::collections::BTreeSet;

use etalon_core::dataset::{Dataset, RunSetId};

use super::benchmarks::{Ended, KEYS, NAME};
use super::file::Table;

/// Values of axes, empty of what has none.
pub(super) type Values<'a> = Vec<(&'a str, &'a str)>;

/// A table of a file for one combination of the axes that are neither rows nor columns.
pub(super) struct Part<'a> {
    pub(super) table: &'a Table,
    pub(super) members: &'a [&'a Ended<'a>],
    /// The values of those axes, and of names, suites and groups.
    pub(super) key: &'a [(&'a str, &'a str)],
    /// Those that differ between the parts.
    pub(super) varying: &'a BTreeSet<&'a str>,
}

impl Part<'_> {
    /// The metric with its unit.
    fn usual_title(&self, data: &Dataset) -> String {
        let metric = self.table.metric.get_ref();
        format!("{metric} ({})", unit(data, metric))
    }

    pub(super) fn title(&self, data: &Dataset) -> String {
        let title = self.table.title.clone().unwrap_or_else(|| self.usual_title(data));
        // What all parts have in common is said, too, as of an axis with one value: nobody else says it. Not what the title
        // says, and not names and places that tell nothing apart.
        let words: Vec<&str> = title.split(|c: char| !is_of_word(c)).collect();
        let is_common = |axis: &str, value: &str| !KEYS.contains(&axis) && !words.contains(&value);
        let is_said = |(axis, value): &&(&str, &str)| {
            !value.is_empty() && (self.varying.contains(axis) || is_common(axis, value))
        };
        let varying = self.key.iter().filter(is_said);
        let said = varying.map(|(axis, value)| match *axis {
            NAME => (*value).to_owned(),
            axis => format!("{axis} {value}"),
        });
        let said: Vec<String> = said.collect();
        if said.is_empty() { title } else { format!("{title}, {}", said.join(", ")) }
    }
}

/// Whether a character is part of a word that may be a value.
fn is_of_word(c: char) -> bool {
    c.is_alphanumeric() || "._-".contains(c)
}

/// The axes whose values differ between groups.
pub(super) fn varying<'a, T>(groups: &[(Values<'a>, T)]) -> BTreeSet<&'a str> {
    let Some((first, _)) = groups.first() else { return BTreeSet::new() };
    let differs = |(axis, value): &&(&str, &str)| {
        groups.iter().any(|(key, _)| !key.contains(&(*axis, *value)))
    };
    first.iter().filter(differs).map(|(axis, _)| *axis).collect()
}

/// The unit that tables show a metric in; of one that has no value, its name.
pub(super) fn unit(data: &Dataset, metric: &str) -> String {
    let first = RunSetId::new(0).ok();
    let spelling = first.and_then(|run_set| data.declared_metric(run_set, metric));
    spelling.map_or_else(|| metric.to_owned(), |spelling| data.unit_of(spelling).to_owned())
}
