//! The page of an experiment file: its sections, the machines whose figures it shows, and the benchmarks that there are.

#[cfg(test)]
use schemars::JsonSchema;
use serde::Deserialize;

use super::{OneOrMore, Placed};

/// The page.
#[derive(Debug, Clone, Default, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct Page {
    /// Its heading. Without one, the experiment's title.
    pub(crate) title: Option<String>,
    /// Its sections, in their order. Without any, all tables.
    #[serde(default)]
    pub(crate) section: Vec<Placed<Section>>,
}

/// A section of the page: one of `text`, `legend`, `commands`, `tables`, `output`, `machines`, `results` and `inventory`.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct Section {
    /// Its heading.
    pub(crate) title: Option<String>,
    /// Prose, in Markdown.
    pub(crate) text: Option<String>,
    /// The values of an axis with what their field `about` says of each.
    pub(crate) legend: Option<Placed>,
    /// The commands by value of an axis; other axes stand in `<>`.
    pub(crate) commands: Option<Placed>,
    /// Titles of tables, or `all`.
    pub(crate) tables: Option<Placed<OneOrMore>>,
    /// What a command prints, executed once before everything, by /bin/sh -c: `lscpu`.
    pub(crate) output: Option<Placed>,
    /// true: a table of the machines.
    #[serde(default)]
    pub(crate) machines: bool,
    /// A group of the inventory: a table of what its benchmarks measured on each machine.
    pub(crate) results: Option<Placed>,
    /// Metrics of that table, in their order. Without any, all that the file declares.
    #[serde(default)]
    pub(crate) metrics: Vec<Placed>,
    /// A table of the inventory, or of a part of it.
    pub(crate) inventory: Option<Inventory>,
    /// Remarks below it.
    #[serde(default)]
    pub(crate) notes: Vec<String>,
}

/// A machine whose figures the page shows.
#[derive(Debug, Clone, Default, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct Machine {
    /// What it is called.
    pub(crate) name: String,
    /// Its processor. Without one, what the data say.
    pub(crate) cpu: Option<String>,
    /// Its cores. Without any, what the data say.
    pub(crate) cores: Option<String>,
    /// How figures came about. Without it, the number of readings behind each.
    pub(crate) sampling: Option<String>,
    /// What else is to be said.
    pub(crate) notes: Option<String>,
    /// Files with its figures, in any format that etalon reads, relative to this file. The one machine without any is
    /// the one that measures.
    #[serde(default)]
    pub(crate) data: Vec<Placed>,
    /// Where the files come from, as `--from` has it, if their beginnings do not say so: `table` for CSV with units in
    /// the headings. A column `NAME-spread %` is then the spread of the metric `NAME`.
    pub(crate) from: Option<Placed>,
}

/// A benchmark that there is, or should be.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct Inventoried {
    /// What it is called in the data, or its value of the axis `benchmark`; `Benchmark` in front and the number of
    /// processors behind may be left out.
    pub(crate) benchmark: String,
    /// Where it is written.
    pub(crate) location: Option<String>,
    /// What it works on.
    pub(crate) backend: Option<String>,
    /// The table of results it belongs to.
    pub(crate) group: Option<String>,
    /// Whether it is still to be written.
    #[serde(default)]
    pub(crate) planned: bool,
    /// What is to be said of it.
    pub(crate) notes: Option<String>,
}

/// A part of the inventory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "lowercase")]
pub(crate) enum Inventory {
    /// Everything.
    All,
    /// What is not planned.
    Written,
    /// What is planned.
    Planned,
}
