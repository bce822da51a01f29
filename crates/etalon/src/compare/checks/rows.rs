//! Rows that break a check.
//!
//! Owns what is worse, unclear and withheld. A verdict is withheld where the data could not have
//! had any, whatever the change: too few values for the family, or readings below the clock that look worse.
//! Refuses to judge: verdicts are those of the tables.

use etalon_core::compare::Scale;
use etalon_core::model::Direction;
use etalon_core::notes::{Change, CheckNote, WithheldReason};
use etalon_core::tables::{Row, Table, Tables};
use etalon_core::verdict::{Assessment, Reason, Verdict};
use etalon_report::json::Finding;

use super::{Checked, Spot, is_sometimes_read, tidied};
use crate::cli::{Comparison, FailOn};

/// Adds what the rows say.
pub(super) fn check(options: &Comparison, tables: &Tables, checked: &mut Checked) {
    let fail_on = &options.checks.fail_on;
    let unclear_fails = fail_on.contains(&FailOn::Unclear);
    let worse_fails = fail_on.iter().any(|check| *check != FailOn::Unclear);
    let mut counts = Counts::default();
    for table in &tables.tables {
        let asked = worse_fails && table.is_checked();
        for (row, column, assessment) in comparisons(table) {
            counts.compared += usize::from(asked || unclear_fails);
            let spot = || Spot::new((tables, table), Some(row), &table.columns[column]);
            let decision = &assessment.decision;
            if let Some(why) = withheld(assessment).filter(|_| asked || unclear_fails) {
                let condition = words(fail_on, table);
                checked.unclear.push(spot().finding(CheckNote::Withheld { condition, why }));
            } else if asked && decision.verdict == Verdict::Slower {
                let (condition, change) = (words(fail_on, table), measured(assessment));
                checked.failed.push(spot().finding(CheckNote::Worse { condition, change }));
            } else if decision.verdict == Verdict::Unclear && !decision.is_difference() {
                counts.unclear += usize::from(asked);
                if unclear_fails {
                    let (condition, change) = (typed(&FailOn::Unclear), measured(assessment));
                    checked.unclear.push(spot().finding(CheckNote::Unclear { condition, change }));
                }
            }
        }
    }
    if !fail_on.is_empty() && counts.compared == 0 {
        let condition = typed(&fail_on[0]);
        checked.failed.push(Spot::nowhere("").finding(CheckNote::NothingCompared { condition }));
    }
    if counts.unclear > 0 && !unclear_fails {
        let Counts { compared, unclear } = counts;
        let note = CheckNote::UnclearPasses { unclear, compared };
        checked.unchecked.push(Spot::nowhere("").finding(note));
    }
    checked.unchecked.extend(without_direction(options, tables));
}

#[derive(Default)]
struct Counts {
    compared: usize,
    unclear: usize,
}

fn comparisons(table: &Table) -> impl Iterator<Item = (&Row, usize, &Assessment)> {
    table.rows.iter().flat_map(|row| {
        row.cells.iter().enumerate().filter_map(move |(column, cell)| {
            Some((row, column, cell.as_ref()?.comparison.as_ref()?.assessment.as_deref()?))
        })
    })
}

/// The conditions of `--fail-on` that are about a table, as typed.
fn words(fail_on: &[FailOn], table: &Table) -> String {
    let names = |check: &&FailOn| match check {
        FailOn::Worse { unit, .. } => unit.as_ref().is_some_and(|unit| tidied(unit) == table.unit),
        FailOn::Unclear => false,
    };
    let all = |check: &&FailOn| matches!(check, FailOn::Worse { unit: None, .. });
    let worse = fail_on.iter().filter(names).min_by(|a, b| share(a).total_cmp(&share(b)));
    let worse =
        worse.or_else(|| fail_on.iter().filter(all).min_by(|a, b| share(a).total_cmp(&share(b))));
    worse.or(fail_on.first()).map_or(String::new(), typed)
}

fn share(check: &FailOn) -> f64 {
    match check {
        FailOn::Worse { share, .. } => share.unwrap_or(0.0),
        FailOn::Unclear => 0.0,
    }
}

fn typed(check: &FailOn) -> String {
    match check {
        FailOn::Worse { typed, .. } => format!("--fail-on {typed}"),
        FailOn::Unclear => "--fail-on unclear".to_owned(),
    }
}

/// Why no verdict was possible: a check that cannot fail has not passed.
fn withheld(assessment: &Assessment) -> Option<WithheldReason> {
    assessment.decision.reasons.iter().find_map(|reason| match reason {
        Reason::Needs { at_least } => Some(WithheldReason::Needs { at_least: *at_least }),
        Reason::FamilyNeeds { at_least, family } => {
            Some(WithheldReason::FamilyNeeds { at_least: *at_least, family: *family })
        }
        Reason::BelowTheClock => {
            looks_worse(assessment).then(|| WithheldReason::BelowTheClock(measured(assessment)))
        }
        Reason::NoRawData => Some(WithheldReason::NoRawData),
        Reason::ControlMoved => Some(WithheldReason::ControlMoved),
        _ => None,
    })
}

/// Whether the estimate is worse by more than what counts as the same.
fn looks_worse(Assessment { evidence, .. }: &Assessment) -> bool {
    let is_worse = evidence.one_sided.as_ref().is_some_and(|sides| sides.is_worse);
    let found = match evidence.scale {
        Scale::Ratio => evidence.shown().ratio.or(evidence.shown().difference),
        Scale::Difference => evidence.shown().difference,
    };
    let is_beyond = |value: f64| evidence.bounds.is_none_or(|of| value > of.hi || value < of.lo);
    is_worse && found.is_some_and(|found| is_beyond(found.value))
}

fn measured(Assessment { evidence, .. }: &Assessment) -> Option<Change> {
    let ratio = evidence.shown().ratio?.value;
    let has_interval = evidence.scale == Scale::Ratio && !evidence.exact;
    Some(Change { ratio, interval: evidence.ratio_interval().filter(|_| has_interval) })
}

/// The units that no check of all units can be about.
fn without_direction(options: &Comparison, tables: &Tables) -> Vec<Finding> {
    let all = |check: &FailOn| matches!(check, FailOn::Worse { unit: None, .. });
    if !options.checks.fail_on.iter().any(all) {
        return Vec::new();
    }
    let mut units: Vec<&str> = Vec::new();
    let is_unchecked =
        |table: &&Table| table.direction == Direction::Neither && !is_sometimes_read(table);
    for table in tables.tables.iter().filter(is_unchecked) {
        if !units.contains(&table.unit.as_str()) {
            units.push(&table.unit);
        }
    }
    let unchecked = |unit: &str| {
        let note = CheckNote::WithoutDirection { unit: unit.to_owned() };
        Spot::in_unit(unit.to_owned(), unit).finding(note)
    };
    units.into_iter().map(unchecked).collect()
}
