//! What can be written in an experiment file: its keys, each with its meaning. The published schema is made from here.
//!
//! Owns the shape. Refuses to decide anything: what a file means is worked out in [`super::cells`], [`super::tables`] and
//! [`super::page`], what its cells execute in `crate::doors::files`.

mod page;
#[cfg(test)]
mod service;
mod subject;
mod table;
mod values;

use etalon_run::services::ServiceSpecs;
use indexmap::IndexMap;
#[cfg(test)]
use schemars::JsonSchema;
use serde::Deserialize;

pub(crate) use page::{Inventoried, Inventory, Machine, Page, Section};
#[cfg(test)]
use service::Service;
pub(crate) use subject::{Better, Generated, Kind, Measure, Metric, Order, Per, Seeds, Subject};
pub(crate) use table::{CellView, Centre, Raw, Summary, Table};
pub(crate) use values::{OneOrMore, Placed, Scalar, Value, Where};

/// An experiment of etalon: what is measured, how, and the tables that show it.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct File {
    /// What the experiment is called. Without one, as the file.
    pub(crate) title: Option<String>,
    /// What tells cells apart: by name of an axis its values. Cells are all combinations of them. `{job}` is a value of
    /// the axis `job`, `{job.args}` a field of it, in commands, names, environments and directories; `{{` is a brace.
    #[serde(default)]
    pub(crate) axes: IndexMap<Placed, Vec<Value>>,
    /// Combinations that are left out: by axis a value or several; all that is written in one has to hold.
    #[serde(default)]
    pub(crate) exclude: Vec<Where>,
    /// Combinations that stay although they are left out.
    #[serde(default)]
    pub(crate) include: Vec<Where>,
    /// What is executed for each combination: commands, told apart by their names, or Lua suites.
    #[serde(default)]
    pub(crate) subject: Vec<Placed<Subject>>,
    /// What programs print, by the name of the metric. etalon measures its own besides: wall, cpu, rss and others.
    #[serde(default)]
    pub(crate) metric: IndexMap<Placed, Metric>,
    /// How it is measured.
    #[serde(default)]
    pub(crate) measure: Measure,
    /// Executed once before everything, by /bin/sh -c.
    pub(crate) setup: Option<Placed>,
    /// Executed once after everything, also after a failure or Ctrl-C, by /bin/sh -c.
    pub(crate) cleanup: Option<Placed>,
    /// Files that are written before everything and taken away after it, by their path.
    #[serde(default)]
    pub(crate) file: IndexMap<Placed, Generated>,
    /// What is started before everything and stopped after it, by its name.
    #[serde(default)]
    #[cfg_attr(test, schemars(with = "std::collections::BTreeMap<String, Service>"))]
    pub(crate) service: ServiceSpecs,
    /// The tables, in their order.
    #[serde(default)]
    pub(crate) table: Vec<Table>,
    /// The page that `--format markdown` makes.
    #[serde(default)]
    pub(crate) page: Option<Page>,
    /// The machines whose figures the page shows. Without any, the one that measured.
    #[serde(default)]
    pub(crate) machine: Vec<Placed<Machine>>,
    /// The benchmarks there are, or should be; the page checks them against what was measured.
    #[serde(default)]
    pub(crate) inventory: Vec<Placed<Inventoried>>,
}

impl File {
    /// The axes that tell cells apart, in their order. One with a single value makes neither rows nor columns by itself: it is
    /// said in titles.
    pub(crate) fn telling(&self) -> impl DoubleEndedIterator<Item = &String> {
        let telling = self.axes.iter().filter(|(_, values)| values.len() > 1);
        telling.map(|(axis, _)| axis.get_ref())
    }
}
