//! When cells are executed: side by side or one after the other, in which stages, how often, and for how long.

use etalon_core::dataset::{GROUP, SUITE};

use etalon_core::model::Case;
use etalon_core::model::{BUILD, SIDE};
use etalon_core::plan::{
    BlockLimits, FEWEST_BLOCKS, Order, PADDING, Plan, Settings, Stage, Stopping,
};
use etalon_record::BenchmarkLine;
use indexmap::IndexMap;

use crate::cli::{self, OrderArg, values};
use crate::enough::{Family, Smaller};
use crate::experiments::NAME;
use crate::experiments::file::{self, File, Placed, Table};
use crate::failure::Failure;
use crate::toml_text::Source;
use crate::tool;

/// The most cells that are measured side by side where nobody says.
const STAGE: usize = 500;

/// How many executions of each cell of two sides there are where nobody says. Because: `etalon ab` has as many.
const RUNS_OF_SIDES: u32 = 30;

pub(super) fn order(file: &File, options: &cli::Run) -> Order {
    Order::from(order_arg(file, options))
}

/// The order as typed, else as the file has it.
pub(super) fn order_arg(file: &File, options: &cli::Run) -> OrderArg {
    options.schedule.order.unwrap_or(match file.measure.order {
        file::Order::Blocks => OrderArg::Blocks,
        file::Order::Abba => OrderArg::Abba,
        file::Order::Sequential => OrderArg::Sequential,
    })
}

/// Cells that are measured side by side: everything, or where that is much, rows of the first table, undivided.
pub(super) fn stages(file: &File, lines: &[BenchmarkLine], order: Order) -> Vec<Stage> {
    if order == Order::Sequential {
        return (0..lines.len()).map(|subject| Stage { subjects: vec![subject] }).collect();
    }
    let most = file.measure.stage.as_ref().map_or(STAGE, |stage| *stage.get_ref()).max(1);
    if lines.len() <= most {
        return vec![Stage { subjects: (0..lines.len()).collect() }];
    }
    let mut stages: Vec<Stage> = Vec::new();
    for row in rows(file, lines) {
        match stages.last_mut() {
            Some(stage) if stage.subjects.len() + row.len() <= most => stage.subjects.extend(row),
            _ => stages.push(Stage { subjects: row }),
        }
    }
    stages
}

/// The comparisons of the file's largest table that are corrected together: all pairs of all of its rows where it says who
/// is best, else of each row those with its first cell.
pub(super) fn family(file: &File, lines: &[BenchmarkLine], settings: &Settings) -> Family {
    let has_ranks = |table: &Table| table.has_fastest() || table.letters;
    let of_row = |ranks: bool, cells: usize| match ranks {
        true => cells * cells.saturating_sub(1) / 2,
        false => cells.saturating_sub(1),
    };
    let of_table = |columns: &[String], ranks: bool| -> usize {
        rows_by(columns, lines).iter().map(|row| of_row(ranks, row.len())).sum()
    };
    let usual = || of_table(&columns(file).unwrap_or_default(), true);
    let tables = file.table.iter();
    let tables = tables.map(|table| of_table(&table.columns.get_ref().texts(), has_ranks(table)));
    let comparisons = tables.max().unwrap_or_else(usual);
    Family { comparisons, criteria: settings.criteria, smaller: Smaller::BySubjects }
}

/// Cells that are compared: those that differ in nothing but the columns of the first table, or in the last axis, and in
/// the side.
pub(super) fn rows(file: &File, lines: &[BenchmarkLine]) -> Vec<Vec<usize>> {
    rows_by(&columns(file).unwrap_or_default(), lines)
}

/// Cells that differ in nothing but these columns.
fn rows_by(columns: &[String], lines: &[BenchmarkLine]) -> Vec<Vec<usize>> {
    let is_column = |key: &str| columns.iter().any(|column| column == key);
    let mut rows: IndexMap<([Option<&str>; 3], Vec<_>), Vec<usize>> = IndexMap::new();
    for (index, line) in lines.iter().enumerate() {
        let is_side = |axis: &str| axis == SIDE || axis == BUILD;
        let others = line.params.iter();
        let others = others.filter(|(axis, _)| !columns.contains(axis) && !is_side(axis)).collect();
        let (file, group) = line.case.as_ref().map(Case::place).unzip();
        let keys = [(NAME, Some(line.name.as_str())), (SUITE, file), (GROUP, group.flatten())];
        let of_row = keys.map(|(key, value)| value.filter(|_| !is_column(key)));
        rows.entry((of_row, others)).or_default().push(index);
    }
    rows.into_values().collect()
}

/// The columns of the first table, or the last axis that tells cells apart; none where there is neither.
pub(super) fn columns(file: &File) -> Option<Vec<String>> {
    let of_table = file.table.first().map(|table| table.columns.get_ref().texts());
    of_table.or_else(|| file.telling().next_back().map(|axis| vec![axis.clone()]))
}

/// How many executions of each: as many as were asked for, else what a verdict on a row needs.
pub(super) fn runs(
    source: Source<'_>,
    file: &File,
    options: &cli::Run,
    lines: &[BenchmarkLine],
    settings: &Settings,
) -> Result<u32, Failure> {
    if let Some(none) = file.measure.runs.as_ref().filter(|runs| *runs.get_ref() == 0) {
        return Err(source.at(none.span(), "nothing is measured in 0 runs: write 1 or more"));
    }
    let declared = file.measure.runs.as_ref().map(|runs| *runs.get_ref());
    let needed = family(file, lines, settings).needed().max(FEWEST_BLOCKS);
    let of_sides = options.sides.base.as_ref().map(|_| RUNS_OF_SIDES);
    Ok(options.amount.runs.or(declared).or(of_sides).unwrap_or(needed))
}

pub(super) fn plan(
    source: Source<'_>,
    file: &File,
    options: &cli::Run,
    lines: &[BenchmarkLine],
    settings: &Settings,
) -> Result<Plan, Failure> {
    let runs = runs(source, file, options, lines, settings)?;
    let within = match (options.amount.total_budget, &file.measure.budget) {
        (None, Some(budget)) => Some(duration(source, budget)?),
        (typed, _) => typed,
    };
    Ok(Plan {
        warmup: file.measure.warmup.as_ref().map_or(0, |warmup| *warmup.get_ref()),
        order: order(file, options),
        stopping: Stopping::Runs(runs),
        limits: BlockLimits { within: within.map(values::whole_seconds), ..BlockLimits::default() },
        seed: options.schedule.seed.or(file.measure.seed).unwrap_or_else(tool::new_seed),
        padding: options.schedule.randomize_env.then_some(PADDING),
    })
}

pub(super) fn duration(source: Source<'_>, text: &Placed) -> Result<f64, Failure> {
    values::duration(text.get_ref()).map_err(|why| source.at(text.span(), why))
}

pub(super) fn timeout(source: Source<'_>, file: &File) -> Result<Option<u64>, Failure> {
    let Some(timeout) = &file.measure.timeout else { return Ok(None) };
    Ok(Some(values::nanoseconds(duration(source, timeout)?)))
}
