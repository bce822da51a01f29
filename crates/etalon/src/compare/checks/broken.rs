//! Data that did not come about as they should.
//!
//! A check passes neither on packages and benchmarks that did not pass themselves, nor on executions that
//! failed and do not count, nor on readings that are lost, are no numbers, or are times and sizes below 0. Owns
//! which of these a check is about. Refuses to say what a source holds: its reader has.

use std::collections::HashSet;

use etalon_core::dataset::{
    BenchmarkId, Dataset, Ended, Measured, Problem, Reason, RunSetId, direction_by_name,
};
use etalon_core::metrics;
use etalon_core::model::Direction;
use etalon_core::notes::CheckNote;
use etalon_core::query::Filter;
use etalon_core::tables::{Tables, is_named};
use etalon_report::json::Finding;

use super::{Checked, Spot, broken_at, tidied};
use crate::cli::Comparison;

/// Adds what is broken.
pub(super) fn check(options: &Comparison, tables: &Tables, data: &Dataset, checked: &mut Checked) {
    let about = About::new(options, tables, data);
    let problems = &data.problems;
    let first = problems.first_loss.as_ref().filter(|loss| !problems.listed.contains(loss));
    let broken = problems.listed.iter().chain(first).filter(|problem| about.is_broken(problem));
    let finding = |problem| Finding { note: broken_at(data, problem), place: None };
    checked.failed.extend(broken.map(finding));
    checked.failed.extend(about.negative());
}

/// The subject of the checks: tables and their data.
struct About<'a> {
    options: &'a Comparison,
    data: &'a Dataset,
    filter: Filter,
    units: HashSet<&'a str>,
}

/// Whether a unit is of a change, which may go either way: what a case of a suite has released is below 0.
fn is_change(unit: &str) -> bool {
    metrics::by_unit(unit) == metrics::RETAINED
}

impl<'a> About<'a> {
    fn new(options: &'a Comparison, tables: &'a Tables, data: &'a Dataset) -> About<'a> {
        let filter = options.queries.filter.as_deref().map(Filter::parse);
        let filter = filter.and_then(Result::ok).unwrap_or_else(Filter::everything);
        let units = tables.tables.iter().map(|table| table.unit.as_str()).collect();
        About { options, data, filter, units }
    }

    fn is_broken(&self, problem: &Problem) -> bool {
        let Problem { run_set, reason, .. } = problem;
        match reason {
            // One without any row cannot be filtered: it is not there.
            Reason::NotCounted { name, benchmark, .. } => {
                self.is_checked(name) && benchmark.is_none_or(|b| self.passes(*run_set, b))
            }
            Reason::Ended(Ended { benchmark: Some(name), .. }) => {
                self.is_checked(name) && self.is_asked(name)
            }
            Reason::Ended(_) => true,
            Reason::NotFinite { unit, .. } => self.units.contains(tidied(unit).as_str()),
            other => other.loses_readings(),
        }
    }

    /// Whether a check is about a benchmark of that name.
    fn is_checked(&self, name: &str) -> bool {
        let checks = &self.options.checks;
        checks.are_of_rows() || checks.require.iter().any(|asked| is_named(asked, name))
    }

    /// Whether the filter lets anything of a run set's benchmark pass.
    fn passes(&self, run_set: RunSetId, benchmark: BenchmarkId) -> bool {
        let data = self.data;
        let is_it =
            |row| data.run_set_of(row) == run_set && data.series_of(row).benchmark == benchmark;
        self.any(is_it)
    }

    /// Whether the filter lets anything of a benchmark of that name pass, in any file; what has no values
    /// cannot be filtered.
    fn is_asked(&self, name: &str) -> bool {
        let data = self.data;
        let is_it =
            |row: usize| data.row(row).next().is_some() && is_named(name, data.name_of(row).full());
        !(0..data.len()).any(is_it) || self.any(is_it)
    }

    fn any(&self, is_it: impl Fn(usize) -> bool) -> bool {
        let data = self.data;
        let rows = (0..data.len()).filter(|row| is_it(*row));
        let mut values = rows.flat_map(|row| data.row(row).map(move |value| (row, value)));
        values.any(|(row, value)| self.filter.passes(&Measured { data, row, value }))
    }

    /// Times, sizes and rates below 0, of each benchmark and file once.
    fn negative(&self) -> Vec<Finding> {
        let data = self.data;
        if (0..data.values.len()).all(|index| data.values.number(index) >= 0.0) {
            return Vec::new();
        }
        let mut seen = HashSet::new();
        let mut findings = Vec::new();
        for row in 0..data.len() {
            for value in data.row(row).filter(|value| data.number(*value) < 0.0) {
                let unit = data.units[data.unit(value).at()].as_str();
                let is_amount = direction_by_name(unit) != Direction::Neither && !is_change(unit);
                let measured = Measured { data, row, value };
                if is_amount && self.units.contains(unit) && self.filter.passes(&measured) {
                    let name = data.name_of(row).full();
                    let place = (data.file(row).to_string(), name.to_owned(), unit);
                    if seen.insert(place.clone()) {
                        let (file, name, unit) = place;
                        let note = CheckNote::Negative { name, unit: unit.to_owned() };
                        findings.push(Spot::in_unit(file, unit).finding(note));
                    }
                }
            }
        }
        findings
    }
}
