//! The table engine: measurements of any source become tables of cells, each a sample, compared column
//! by column with the first.
//!
//! | term | meaning |
//! | --- | --- |
//! | [`QuerySpec`], [`Query`] | which measurements, and what tells tables, rows and columns apart |
//! | [`Method`] | by whose rules cells are summarised and compared, benchstat's or etalon's own, and held against which criteria |
//! | [`Table`] | one unit's rows and columns under one set of table keys |
//! | [`Cell`] | a sample's centre with its interval, and its comparison with the base |
//! | base | the first column of all tables; what it lacks is compared with nothing |
//! | [`NoteKind`] | what has to be said of a cell, a comparison or a summary |
//!
//! [`tabulate`] is the one way in. Pure: a dataset and a query in, plain data out. Refuses to format:
//! that is `etalon-report`'s. Values are in base units under etalon's rules, in tidied units under benchstat's.

mod about;
mod arrange;
mod ask;
mod axes;
mod benchstat;
mod beside;
mod by_cpu;
mod by_series;
mod check;
mod context;
mod controls;
mod declared;
mod few;
mod gather;
mod grid;
mod growth;
mod layouts;
mod method;
mod moved;
mod nothing;
mod ranks;
mod rows;
mod samples;
mod sparse;
mod summary;
mod verdicts;
mod whole;

pub use about::{About, BenchmarkPattern, is_named, is_row_of};
pub use arrange::{Arrangement, By, Compared, Concern, Which, arranged, foremost, worst_first};
pub use ask::{AskError, Query, QuerySpec};
pub use axes::{natural, natural_beside};
pub use beside::{Beside, beside};
pub use by_cpu::{ByCpu, is_cpu, is_wall};
pub use check::{Check, Force, Threshold};
pub use controls::{Control, Controls, UnitControls};
pub use declared::{Day, Declarations, DeclaredChecks, DeclaredThreshold, Waiver};
pub use growth::growing_rows;
pub use method::{Centre, Method, Style};
pub use ranks::Ranks;
pub use rows::{Scatter, ScatterDot, SortedColumn, SortedRows, scatters, sorted_rows};
pub use sparse::Sparse;

use crate::criteria::{Criteria, Sidedness};
use crate::dataset::Dataset;
use crate::estimate::Estimate;
use crate::metrics;
use crate::model::{Direction, Harness, Kind, Metric, Per};
use crate::notes::{ComparisonNote, NoteKind};
use crate::query::{Key, ProjectionId, TupleId};
use crate::stats::{Correction, Interval};
use crate::threads::each;
use crate::units::{Base, Unit};
use crate::verdict::Assessment;

use axes::unpooled;
use gather::{Gathered, gather};
use grid::Grid;
use method::Numbers;

/// Values of keys, absent where a measurement lacks one.
pub type Labels = Vec<Option<String>>;

/// The tables of a query.
#[derive(Debug, Clone, PartialEq)]
pub struct Tables {
    /// The keys that tell tables apart, the unit excluded.
    pub table_keys: Vec<String>,
    /// The keys that tell rows apart.
    pub row_keys: Vec<String>,
    /// The keys that tell columns apart.
    pub col_keys: Vec<String>,
    /// The columns of all tables, in order; the first is what the others are compared with, in tables that have it.
    pub columns: Vec<Labels>,
    /// In order; none if the filter lets nothing pass.
    pub tables: Vec<Table>,
    /// Whether executions stood ready and waited for a CPU so often that the wall clock says little.
    pub is_busy: bool,
}

/// One unit's rows and columns.
#[derive(Debug, Clone, PartialEq)]
pub struct Table {
    /// The values of the table keys.
    pub labels: Labels,
    /// The tidied unit.
    pub unit: String,
    /// The base of its values; the tidied unit under benchstat's rules.
    pub base: Base,
    /// Which way it is better.
    pub direction: Direction,
    /// Whether its values scatter.
    pub kind: Kind,
    /// The criteria of its comparisons: in a check, that of its unit. Rows may have their own.
    pub criteria: Criteria,
    /// The columns by their keys' values, the base first if it is there.
    pub columns: Vec<Labels>,
    /// In the order of the query.
    pub rows: Vec<Row>,
    /// A summary of each column.
    pub summaries: Vec<ColumnSummary>,
    /// Rows that the summaries leave out; none under benchstat's rules.
    pub left_out: LeftOut,
}

impl Tables {
    /// The tables that say what matters: those of parts and side effects of other metrics only where nothing else is
    /// there.
    pub fn leading(&self) -> impl Iterator<Item = &Table> {
        self.tables.iter().filter(|table| self.leads(table))
    }

    /// Whether a table of these is one of them.
    #[must_use]
    pub fn leads(&self, table: &Table) -> bool {
        !table.is_part() || self.tables.iter().all(Table::is_part)
    }
}

impl Table {
    fn is_part(&self) -> bool {
        metrics::is_part(metrics::by_unit(&self.unit))
    }

    /// The metric of its values: the unit as a metric.
    #[must_use]
    pub fn metric(&self) -> Metric {
        unit_metric(&self.unit, &self.base, self.direction, self.kind)
    }

    /// The fewest blocks with which it can be said who is best in some row: all pairs of all rows are corrected together.
    #[must_use]
    pub fn fewest_for_ranks(&self) -> u32 {
        let pairs = |row: &Row| {
            let compared = row.cells.iter().flatten().count();
            compared * compared.saturating_sub(1) / 2
        };
        let criteria = Criteria { correction: Some(Correction::Holm), ..self.criteria };
        criteria.fewest_blocks(self.rows.iter().map(pairs).sum())
    }

    /// Whether comparisons of it are those of a check.
    #[must_use]
    pub fn is_checked(&self) -> bool {
        self.rows.iter().any(Row::is_checked)
    }
}

/// Rows that summaries leave out, so that columns are compared over the same ones.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct LeftOut {
    /// Of so many rows.
    pub rows: usize,
    /// Some column lacks them.
    pub incomplete: usize,
    /// Of the others: some calls do nothing that can be seen. Only geometric means leave them out.
    pub idle: usize,
    /// Of the others: some value is not above 0. Only geometric means leave them out.
    pub not_positive: usize,
}

/// A row: one benchmark, most often.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    /// The values of the row keys.
    pub labels: Labels,
    /// The criteria of its comparisons.
    pub criteria: Criteria,
    /// A cell for each column that has measurements of it.
    pub cells: Vec<Option<Cell>>,
    /// Who is best in it, where that is asked for ([`Method::ranks`]).
    pub ranks: Option<Ranks>,
}

impl Row {
    /// Whether its comparisons are those of a check.
    #[must_use]
    pub fn is_checked(&self) -> bool {
        self.criteria.sides != Sidedness::Two
    }
}

/// A sample, summarised.
#[derive(Debug, Clone, PartialEq)]
pub struct Cell {
    /// Number of values.
    pub n: usize,
    /// Where they are: the median; of exact values the value.
    pub centre: Estimate,
    /// Their arithmetic mean with Student's interval; absent under benchstat's rules, and where nobody asked.
    pub mean: Option<Box<Estimate>>,
    /// Notes on them.
    pub notes: Vec<NoteKind>,
    /// The comparison with the base; absent in the base, and in a row without one.
    pub comparison: Option<Comparison>,
}

impl Cell {
    /// The centre of its readings; the median where it has no mean.
    #[must_use]
    pub fn at(&self, centre: Centre) -> &Estimate {
        match (centre, &self.mean) {
            (Centre::Mean, Some(mean)) => mean,
            _ => &self.centre,
        }
    }

    /// The assessment of its comparison, where it has one.
    fn assessment(&self) -> Option<&Assessment> {
        self.comparison.as_ref()?.assessment.as_deref()
    }

    /// The same, to be changed.
    fn assessment_mut(&mut self) -> Option<&mut Assessment> {
        self.comparison.as_mut()?.assessment.as_deref_mut()
    }

    /// Notes what its verdict does not say of tails, as the comparison is decided now.
    fn note_tails(&mut self) {
        use ComparisonNote::{MoreOftenWorse, Unseen};
        let Some(Comparison { notes, assessment, .. }) = &mut self.comparison else { return };
        notes.retain(|it| !matches!(it, NoteKind::Comparison(Unseen { .. } | MoreOftenWorse(_))));
        let Some(assessment) = assessment else { return };
        let tails = [
            ComparisonNote::on_more_often_worse(assessment),
            ComparisonNote::on_unseen(assessment),
        ];
        notes.extend(tails.into_iter().flatten().map(NoteKind::Comparison));
    }
}

/// The comparison of two cells.
#[derive(Debug, Clone, PartialEq)]
pub struct Comparison {
    /// Values of the base and of the cell.
    pub n: (usize, usize),
    /// p of "no difference"; absent where nothing was tested: of exact values, or where it is too small
    /// for a double.
    pub p: Option<f64>,
    /// Whether p, before any correction, is at most alpha.
    pub significant: bool,
    /// Notes on it.
    pub notes: Vec<NoteKind>,
    /// etalon's verdict; absent under benchstat's rules.
    pub assessment: Option<Box<Assessment>>,
}

/// A column in one line.
#[derive(Debug, Clone, PartialEq)]
pub struct ColumnSummary {
    /// Geometric mean of its centres; absent without any, and under benchstat's rules if one is not above
    /// 0.
    pub mean: Option<f64>,
    /// Geometric mean of the ratios of its centres to the base's; absent in the base, and where a ratio
    /// does not exist.
    pub ratio: Option<f64>,
    /// The interval of that ratio; absent under benchstat's rules, or where some row has none.
    pub interval: Option<Interval>,
    /// Sum of its centres; absent without any, and under benchstat's rules.
    pub total: Option<f64>,
    /// Notes on it.
    pub notes: Vec<NoteKind>,
}

/// The tables of a query. Linear in the values, besides sorting each cell and what the tests cost. Looks at
/// verdicts that the data are the result of are paid for ([`Method::paid`]).
#[must_use]
pub fn tabulate(data: &Dataset, query: Query, method: &Method) -> Tables {
    tabulate_checked(data, query, method, None)
}

/// The tables of a query, judged as a check asks where it is about their units: their comparisons are one
/// family. Costs what [`tabulate`] does.
#[must_use]
pub fn tabulate_checked(
    data: &Dataset,
    query: Query,
    method: &Method,
    check: Option<&Check>,
) -> Tables {
    let method = &method.paid(data);
    let numbers = match method.style {
        Style::Benchstat => Numbers::Reference,
        Style::Etalon => Numbers::Nearest,
    };
    let gathered = match method.style {
        Style::Benchstat => gather(data, query, numbers),
        Style::Etalon => unpooled(gather(data, query, numbers), numbers),
    };
    let keys = |projection| -> Vec<String> {
        let columns = gathered.evaluator.columns(projection);
        columns.iter().filter(|c| c.key != Key::Unit).map(|c| c.key.to_string()).collect()
    };
    let query = &gathered.query;
    let grids = grid::grids(&gathered);
    let mut tables: Vec<Table> =
        grids.iter().map(|grid| table(&gathered, grid, method, check)).collect();
    if let Some(check) = check {
        let once = check::counted_once(&gathered, &grids, &tables, check);
        check::assess(&mut tables, &once, &method.criteria);
    }
    if method.style == Style::Etalon {
        nothing::withhold(&gathered, &grids, &mut tables);
        // What a harness measured comes before what it took itself, of which the record tells first.
        if data.run_sets.iter().any(|set| set.harness == Some(Harness::Results)) {
            tables.sort_by_key(Table::is_part);
        }
    }
    Tables {
        table_keys: keys(query.table),
        row_keys: keys(query.row),
        col_keys: keys(query.col),
        columns: grid::columns(&gathered)
            .into_iter()
            .map(|tuple| labels(&gathered, query.col, tuple))
            .collect(),
        tables,
        is_busy: !data.often_waiting().is_empty(),
    }
}

fn table(gathered: &Gathered<'_>, grid: &Grid, method: &Method, check: Option<&Check>) -> Table {
    let labels = |projection, tuple| labels(gathered, projection, tuple);
    // A table's tuple ends in the unit.
    let mut of_table = labels(gathered.query.table, grid.table);
    of_table.pop();
    let Metric { name: unit, direction, kind, .. } = grid.metric.clone();
    let base = gathered.base(&unit);
    let criteria = method.criteria.for_metric(&grid.metric);
    let method = &Method { criteria, ..*method };
    let named: Vec<Labels> =
        grid.rows.iter().map(|tuple| labels(gathered.query.row, *tuple)).collect();
    let held = |threshold: Option<&Threshold>| {
        check.and_then(|check| check.criteria(threshold, direction, &criteria))
    };
    let of_row = |row: &Labels| held(check.and_then(|check| check.threshold(&unit, row)));
    let checked: Vec<Option<Criteria>> = named.iter().map(of_row).collect();
    let of_unit = held(check.and_then(|check| check.threshold_of_unit(&unit)));
    let mut ranks = Vec::new();
    let (cells, summaries, left_out) = match method.style {
        Style::Benchstat => {
            let row = |row| benchstat::row(&grid.sampled(row, gathered), kind, method);
            let cells = each(grid.rows.len(), method.threads, row);
            let summaries = benchstat::summaries(grid, &cells);
            (cells, summaries, LeftOut::default())
        }
        Style::Etalon => {
            let made = verdicts::cells(gathered, grid, method, &checked);
            if let Some(centre) = method.ranks {
                ranks = ranks::ranks((gathered, grid), method, &made.0, centre);
            }
            made
        }
    };
    let ranks = ranks.into_iter().map(Some).chain(std::iter::repeat(None));
    let rows = named.into_iter().zip(checked).zip(cells).zip(ranks);
    Table {
        labels: of_table,
        unit,
        base,
        direction,
        kind,
        criteria: of_unit.unwrap_or(criteria),
        columns: grid.cols.iter().map(|tuple| labels(gathered.query.col, *tuple)).collect(),
        rows: rows
            .map(|(((labels, checked), cells), ranks)| {
                let criteria = checked.unwrap_or(criteria);
                Row { labels, criteria, cells, ranks }
            })
            .collect(),
        summaries,
        left_out,
    }
}

/// A unit as a metric.
fn unit_metric(unit: &str, base: &Base, direction: Direction, kind: Kind) -> Metric {
    let (name, unit) = (unit.to_owned(), Unit::new(&base.to_string()));
    Metric { name, unit, direction, kind, resolution: None, per: Per::Observation }
}

fn labels(gathered: &Gathered<'_>, projection: ProjectionId, tuple: TupleId) -> Labels {
    let values = gathered.evaluator.values(projection, tuple);
    values.into_iter().map(|value| value.map(str::to_owned)).collect()
}
