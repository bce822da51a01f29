//! Rows that break a check.
//!
//! Owns the words for what is worse, unclear and withheld. A verdict is withheld where the data could not have
//! had any, whatever the change: too few values for the family, or readings below the clock that look worse.
//! Refuses to judge: verdicts are those of the tables.

use etalon_core::compare::Scale;
use etalon_core::model::Direction;
use etalon_core::tables::{Row, Table, Tables};
use etalon_core::verdict::{Assessment, Reason, Verdict};
use etalon_report::number::{decimals_apart, fixed};

use super::{Checked, is_sometimes_read, listed, place, tidied};
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
            let about = || place(table, Some(row), &table.columns[column]);
            let decision = &assessment.decision;
            if let Some(why) = withheld(assessment).filter(|_| asked || unclear_fails) {
                checked.unclear.push(format!("{}: {}: {why}", words(fail_on, table), about()));
            } else if asked && decision.verdict == Verdict::Slower {
                let why = measured(assessment);
                checked.failed.push(format!("{}: {}{why}", words(fail_on, table), about()));
            } else if decision.verdict == Verdict::Unclear && !decision.is_difference() {
                counts.unclear += usize::from(asked);
                if unclear_fails {
                    checked.unclear.push(format!(
                        "--fail-on unclear: {}{}",
                        about(),
                        measured(assessment)
                    ));
                }
            }
        }
    }
    if !fail_on.is_empty() && counts.compared == 0 {
        let none = "nothing was compared with anything in a unit that can be worse";
        checked.failed.push(format!("{}: {none}", typed(&fail_on[0])));
    }
    if counts.unclear > 0 && !unclear_fails {
        let Counts { compared, unclear } = counts;
        checked.notes.push(format!("unclear, which `worse` passes: {unclear} of {compared} rows"));
    }
    checked.notes.extend(listed(without_direction(options, tables)));
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
fn withheld(assessment: &Assessment) -> Option<String> {
    assessment.decision.reasons.iter().find_map(|reason| match reason {
        Reason::Needs { at_least } => Some(format!("not enough data: needs at least {at_least}")),
        Reason::FamilyNeeds { at_least, family } => {
            Some(format!("not enough data: needs at least {at_least} for {family} comparisons"))
        }
        Reason::BelowTheClock => looks_worse(assessment).then(|| {
            format!("below the clock: readings of a time that never differ{}", measured(assessment))
        }),
        Reason::ControlMoved => Some("a side differs from its own second build".to_owned()),
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

fn measured(Assessment { evidence, .. }: &Assessment) -> String {
    match (evidence.shown().ratio, evidence.ratio_interval(), evidence.scale) {
        (Some(ratio), Some(interval), Scale::Ratio) if !evidence.exact => {
            let decimals = decimals_apart(1.0, [interval.lo, interval.hi], 3);
            let [value, lo, hi] =
                [ratio.value, interval.lo, interval.hi].map(|number| fixed(number, decimals));
            format!(": ratio {value} ({lo} to {hi})")
        }
        (Some(ratio), ..) => format!(": ratio {:.3}", ratio.value),
        _ => String::new(),
    }
}

/// The units that no check of all units can be about.
fn without_direction(options: &Comparison, tables: &Tables) -> Vec<String> {
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
    let text = |unit: &str| {
        format!(
            "not checked: {unit} has no direction; add `Unit {unit} better=lower` (or higher) to the base's \
             file"
        )
    };
    units.into_iter().map(text).collect()
}
