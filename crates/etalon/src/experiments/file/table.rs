//! Tables of an experiment file.

#[cfg(test)]
use schemars::JsonSchema;
use serde::Deserialize;

use super::{OneOrMore, Placed, Scalar, Where};

/// A table.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct Table {
    /// What stands above it.
    pub(crate) title: Option<String>,
    /// The metric whose values it shows.
    pub(crate) metric: Placed,
    /// The axes that tell rows apart; `name` is what benchmarks are called, and cases of suites have params, `suite` and `group` besides.
    pub(crate) rows: Placed<OneOrMore>,
    /// The axes that tell columns apart.
    pub(crate) columns: Placed<OneOrMore>,
    /// Only these combinations: by axis a value or several.
    #[serde(default)]
    pub(crate) only: Where,
    /// What cells show: `of-max` by default. A table without `view`, `raw`, `fastest` and `letters` has all of these but the last.
    pub(crate) view: Option<CellView>,
    /// What stands for the readings of a cell.
    #[serde(default)]
    pub(crate) centre: Centre,
    /// The row below all others.
    #[serde(default)]
    pub(crate) summary: Summary,
    /// A column with the row's largest value as it was measured (the base's, with `ratio`): true, or its heading.
    pub(crate) raw: Option<Raw>,
    /// Fields of the rows' values that get a column, such as `job.about`; `command` is the command.
    #[serde(default)]
    pub(crate) labels: Vec<Placed>,
    /// Decimals of percents and ratios.
    pub(crate) digits: Option<u8>,
    /// The order of columns: those named first, in this order.
    #[serde(default)]
    pub(crate) order: Vec<Scalar>,
    /// Lines below the table that explain it.
    #[serde(default)]
    pub(crate) legend: Vec<String>,
    /// Further lines below it.
    #[serde(default)]
    pub(crate) notes: Vec<String>,
    /// A column that says who is best in each row, with a verdict.
    pub(crate) fastest: Option<bool>,
    /// Letters at cells: those of a row that share one are not told apart.
    #[serde(default)]
    pub(crate) letters: bool,
}

/// What cells show.
#[derive(Debug, Clone, Copy, Default, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub(crate) enum CellView {
    /// Percent of the row's largest value.
    #[default]
    OfMax,
    /// Percent of the row's smallest value.
    OfMin,
    /// Ratio to the first column.
    Ratio,
    /// The value with its interval, the change against the first column and a verdict.
    Delta,
    /// The value.
    Plain,
}

/// What stands for several readings.
#[derive(Debug, Clone, Copy, Default, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "lowercase")]
pub(crate) enum Centre {
    /// The median, which verdicts are about.
    #[default]
    Median,
    /// The arithmetic mean.
    Mean,
}

/// A row below all others.
#[derive(Debug, Clone, Copy, Default, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "lowercase")]
pub(crate) enum Summary {
    /// The geometric mean of each column.
    #[default]
    Geomean,
    /// Sums.
    Total,
    /// None.
    None,
}

/// Whether there is a column of raw values.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(untagged, expecting = "true, false or a heading")]
pub(crate) enum Raw {
    /// Whether.
    Is(bool),
    /// Under this heading.
    Called(String),
}

impl Table {
    /// A table of a metric that says nothing else; an axis without a name is none. Of one column, values: there is nothing
    /// in their row to be a share of.
    pub(crate) fn plain(metric: String, rows: &[&str], columns: &str) -> Table {
        let axes = |axes: &[&str]| match axes {
            [one] => OneOrMore::One(Scalar::Text((*one).to_owned())),
            axes => {
                OneOrMore::Several(axes.iter().map(|it| Scalar::Text((*it).to_owned())).collect())
            }
        };
        let named = |names: &[&str]| {
            let names: Vec<&str> = names.iter().filter(|it| !it.is_empty()).copied().collect();
            Placed::new(0..0, axes(&names))
        };
        Table {
            title: None,
            metric: Placed::new(0..0, metric),
            rows: named(rows),
            columns: named(&[columns]),
            only: Where::default(),
            view: None,
            centre: Centre::default(),
            summary: Summary::default(),
            raw: None,
            labels: Vec::new(),
            digits: None,
            order: Vec::new(),
            legend: Vec::new(),
            notes: Vec::new(),
            fastest: None,
            letters: false,
        }
    }

    /// Whether nothing is said of what its cells show, so that it has to be a whole answer by itself.
    pub(crate) fn is_bare(&self) -> bool {
        let Table { view, raw, fastest, letters, .. } = self;
        let is_said = view.is_some() || raw.is_some() || fastest.is_some() || *letters;
        !is_said && !self.columns.get_ref().texts().is_empty()
    }

    /// What its cells show. Without columns they have nothing in their row to be a share of.
    pub(crate) fn cells(&self) -> CellView {
        let usual = match self.columns.get_ref().texts().is_empty() {
            true => CellView::Plain,
            false => CellView::default(),
        };
        self.view.unwrap_or(usual)
    }

    /// Whether it says who is best in each row.
    pub(crate) fn has_fastest(&self) -> bool {
        self.fastest.unwrap_or(self.is_bare())
    }
}
