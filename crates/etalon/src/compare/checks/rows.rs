//! Rows that break a check.
//!
//! Owns what is worse, waived, unclear and withheld. A verdict is withheld where the data could not have
//! had any, whatever the change: too few values for the family, or readings below the clock that look worse.
//! Refuses to judge: verdicts are those of the tables.

use etalon_core::compare::Scale;
use etalon_core::model::Direction;
use etalon_core::notes::{Change, CheckNote, NotWaivedReason, WithheldReason};
use etalon_core::tables::{Row, Table, Tables, Threshold, Waiver};
use etalon_core::verdict::{Assessment, Reason, Verdict};
use etalon_report::json::Finding;

use super::declared::{Declared, WorseRow};
use super::{Checked, Demand, Spot, UNCLEAR, is_sometimes_read};
use crate::cli::{Comparison, FailOn};

/// Adds what the rows say.
pub(super) fn check(options: &Comparison, asked: &Demand, tables: &Tables, checked: &mut Checked) {
    let unclear_fails = options.checks.fail_on.contains(&FailOn::Unclear);
    let mut counts = Counts::default();
    let mut waived = Waived::default();
    for table in &tables.tables {
        for (row, column, assessment) in comparisons(table) {
            let is_asked = asked.worse_fails && row.is_checked();
            counts.compared += usize::from(is_asked || unclear_fails);
            if row.is_checked() {
                checked.family = checked.family.max(assessment.adjusted.family);
            }
            let spot = || Spot::new((tables, table), Some(row), &table.columns[column]);
            let condition = || words(asked, (table, row));
            let decision = &assessment.decision;
            if let Some(why) = withheld(assessment).filter(|_| is_asked || unclear_fails) {
                let condition = condition();
                checked.unclear.push(spot().finding(CheckNote::Withheld { condition, why }));
            } else if is_asked && decision.verdict == Verdict::Slower {
                let row = WorseRow::new(table, row, assessment);
                match worse(asked, &row, condition(), &mut waived) {
                    Ok(note) => checked.unchecked.push(spot().finding(note)),
                    Err(note) => checked.failed.push(spot().finding(note)),
                }
            } else if decision.verdict == Verdict::Unclear && !decision.is_difference() {
                counts.unclear += usize::from(is_asked);
                if unclear_fails {
                    let (condition, change) = (UNCLEAR.to_owned(), measured(assessment));
                    checked.unclear.push(spot().finding(CheckNote::Unclear { condition, change }));
                }
            }
        }
    }
    if counts.compared == 0 {
        let first = asked.check.thresholds.first();
        let condition = first.map_or_else(String::new, |it| it.condition.clone());
        checked.failed.push(Spot::nowhere("").finding(CheckNote::NothingCompared { condition }));
    }
    if counts.unclear > 0 && !unclear_fails {
        let Counts { compared, unclear } = counts;
        let note = CheckNote::UnclearPasses { unclear, compared };
        checked.unchecked.push(Spot::nowhere("").finding(note));
    }
    checked.unchecked.extend(without_direction(asked, tables));
    if let Some(declared) = &asked.declared {
        let remarks = declared.remarks(tables).into_iter();
        checked.unchecked.extend(remarks.map(|note| Finding { note, place: None }));
        checked.waivers = declared.outcomes(&waived.by, &waived.beyond);
    }
}

/// Waivers that were needed.
#[derive(Default)]
struct Waived {
    /// Those that accepted a row.
    by: Vec<Waiver>,
    /// Those that a row went beyond.
    beyond: Vec<Waiver>,
}

/// Judges a row that is worse: a waiver accepts it, or it fails.
fn worse(
    asked: &Demand,
    row: &WorseRow<'_>,
    condition: String,
    waived: &mut Waived,
) -> Result<CheckNote, CheckNote> {
    let change = measured(row.assessment);
    let declared = asked.declared.as_ref().map(Declared::declarations);
    match declared.and_then(|it| it.waives((row.unit, row.labels), row.far_end())) {
        None => Err(CheckNote::Worse { condition, change }),
        Some(Ok(waiver)) => {
            waived.by.push(waiver.clone());
            let (reason, waiver) = (waiver.reason.clone(), waiver.to_string());
            Ok(CheckNote::Waived { condition, change, waiver, reason })
        }
        Some(Err((waiver, why))) => {
            if why == NotWaivedReason::Beyond {
                waived.beyond.push(waiver.clone());
            }
            let waiver = waiver.to_string();
            Err(CheckNote::NotWaived { condition, change, waiver, why })
        }
    }
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

/// The condition that a row is held against, in words.
fn words(asked: &Demand, (table, row): (&Table, &Row)) -> String {
    let threshold = asked.check.threshold(&table.unit, &row.labels);
    threshold.map_or_else(|| UNCLEAR.to_owned(), |threshold| threshold.condition.clone())
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

/// Whether the estimate is worse by more than what counts as the same; where the margin is a share of nothing, worse at
/// all: of a time that is 0 in nearly every execution of both sides nothing looks worse.
fn looks_worse(Assessment { evidence, .. }: &Assessment) -> bool {
    let is_worse = evidence.one_sided.as_ref().is_some_and(|sides| sides.is_worse);
    let ratio = evidence.shown().ratio.filter(|_| evidence.scale == Scale::Ratio);
    let (found, none) = match ratio {
        Some(ratio) => (Some(ratio), 1.0),
        None => (evidence.shown().difference, 0.0),
    };
    let is_beyond = |value: f64| match evidence.bounds {
        Some(of) => value > of.hi || value < of.lo,
        None => (value - none).abs() > 0.0,
    };
    is_worse && found.is_some_and(|found| is_beyond(found.value))
}

fn measured(Assessment { evidence, .. }: &Assessment) -> Option<Change> {
    let ratio = evidence.shown().ratio?.value;
    let has_interval = evidence.scale == Scale::Ratio && !evidence.exact;
    Some(Change { ratio, interval: evidence.ratio_interval().filter(|_| has_interval) })
}

/// The units that no check of all units can be about.
fn without_direction(asked: &Demand, tables: &Tables) -> Vec<Finding> {
    let is_of_all = |it: &Threshold| it.about.unit.is_none() && it.about.benchmark.is_none();
    if !asked.worse_fails || !asked.check.thresholds.iter().any(is_of_all) {
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
