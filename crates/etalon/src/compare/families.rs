//! Families of comparisons of two sides, before all of their blocks are there: what a check is about counts, and nothing
//! else.

use std::collections::{BTreeMap, BTreeSet};

use etalon_core::dataset::Dataset;
use etalon_core::metrics;
use etalon_core::model::{Direction, Kind, Metric, Sides};
use etalon_core::tables::{Check, Controls, Method, Query, Table, Tables, tabulate_checked};

use super::{checks, queries, rules, sides};
use crate::cli::{Comparison, FailOn};
use crate::enough::{Family, Refusal, Smaller};

/// The comparisons of so many rows: of one unit, or of each of these metrics that a check is about.
pub(crate) fn declared(options: &Comparison, rows: usize, measured: &[Metric]) -> Option<Family> {
    let criteria = rules::method(options, None).ok()?.criteria;
    let family =
        |comparisons, criteria| Family { comparisons, criteria, smaller: Smaller::BySubjects };
    if !options.checks.are_of_rows() {
        return Some(family(rows, criteria));
    }
    let checks = &options.checks.fail_on;
    let named = |check: &FailOn| match check {
        FailOn::Worse { unit, .. } => unit.clone(),
        FailOn::Unclear => None,
    };
    let units: BTreeSet<String> = checks.iter().filter_map(named).collect();
    let is_judged = |it: &&Metric| it.kind == Kind::Noisy && it.direction != Direction::Neither;
    // A check of all units leaves none out; one of a metric that is shown alone has no other.
    let is_of_all = options.show.metric.is_none() && checks.iter().any(|it| named(it).is_none());
    let all = if is_of_all { measured.iter().filter(is_judged).count() } else { 0 };
    let units = units.len().max(all).max(1);
    Some(family(rows * units, criteria.one_sided(None)))
}

/// The comparisons of data that have a few blocks: those of the largest table, or all of a check; and those of the second
/// builds in all tables of a unit, where there are such. What does not scatter is decided by itself.
pub(crate) fn measured(
    options: &Comparison,
    data: &Dataset,
    of: Sides,
) -> Option<(Family, Option<Family>)> {
    let options = with_columns(options, Some(of));
    let method = rules::method(&options, None).ok()?;
    let joined = sides::joined(data).ok()?;
    let check = checks::asked(&options, &method, &joined).ok()?.map(|asked| asked.check);
    let tables = tables(&options, &joined, &method, check.as_ref())?.tables;
    let compared = |table: &Table| {
        let cells = table.rows.iter().flat_map(|row| row.cells.iter().flatten());
        cells.filter(|cell| cell.comparison.is_some()).count()
    };
    let noisy = tables.iter().filter(|table| table.kind == Kind::Noisy);
    let family =
        |comparisons, criteria| Family { comparisons, criteria, smaller: Smaller::BySubjects };
    let builds = (data.has_builds() && !data.has_layouts()).then(|| {
        let mut rows: BTreeMap<&str, usize> = BTreeMap::new();
        for table in noisy.clone() {
            *rows.entry(&table.unit).or_default() += compared(table);
        }
        let most = rows.into_values().max().unwrap_or(0);
        let (comparisons, criteria) = Controls::family(most, &method);
        family(comparisons, criteria)
    });
    let of_sides = match check {
        None => family(noisy.map(compared).max().unwrap_or(0), method.criteria),
        Some(_) => family(
            noisy.filter(|table| table.is_checked()).map(compared).sum(),
            method.criteria.one_sided(None),
        ),
    };
    Some((of_sides, builds))
}

/// Looks for the units that are asked for in what the first block has: whether somebody waits for a table that cannot come
/// of it. Nothing where none is asked for.
pub(crate) fn refusal(options: &Comparison, of: Option<Sides>) -> Option<Refusal> {
    let mut options = with_columns(options, of);
    // Work is counted when all blocks were executed.
    let is_of_work = |unit: &str| metrics::by_unit(unit) == metrics::INSTRUCTIONS;
    options.show.metric = options.show.metric.filter(|metric| !is_of_work(metric));
    options.checks.fail_on.retain(
        |check| !matches!(check, FailOn::Worse { unit: Some(unit), .. } if is_of_work(unit)),
    );
    checks::asked_units(&options).next()?;
    Some(Box::new(move |data| {
        let joined = sides::joined(data).ok()?;
        let method = rules::method(&options, None).ok()?;
        let tables = tables(&options, &joined, &method, None)?;
        match tables.tables.is_empty() {
            true => Some(queries::nothing(&options, &joined)),
            false => checks::check_units(&options, &tables).err(),
        }
    }))
}

/// The options with sides as columns, where there are two.
fn with_columns(options: &Comparison, of: Option<Sides>) -> Comparison {
    let mut options = options.clone();
    options.queries.columns = of.map(sides::columns);
    options
}

fn tables(
    options: &Comparison,
    data: &Dataset,
    method: &Method,
    check: Option<&Check>,
) -> Option<Tables> {
    let query = queries::typed(options, queries::usual(options, data).ok()?).ok()?;
    Some(tabulate_checked(data, Query::new(query), method, check))
}
