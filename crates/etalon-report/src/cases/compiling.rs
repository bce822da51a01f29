//! How a case gets going: its first call, how it warms up, and what a JIT compiler did with it.

use etalon_core::analysis::{Analysis, Compiling, Mode, Suite};
use etalon_core::dataset::TraceAborts;
use etalon_core::metrics;
use etalon_core::notes::Course;
use etalon_core::units::Base;

use super::{Measured, measured, name, rows, shared_unit};
use crate::number::counted;
use crate::table::{ABSENT, Align, Cell, CellKind, Column, Table};
use crate::text::clean;
use crate::words::case_name;

/// So many reasons are told of a case.
const TOLD: usize = 3;

/// The table, and under it what the compiler gave up; empty for data that have none of it.
pub(super) fn table(analysis: &Analysis, suite: &Suite) -> Table {
    let cases: Vec<Measured<'_>> = measured(analysis, suite)
        .into_iter()
        .filter(|case| {
            case.facts.compiling.is_some()
                || case.facts.courses.is_some()
                || case.summary.metric(metrics::FIRST_CALL).is_some()
        })
        .collect();
    let of_metric = |title: &str, base: &Base, name: &str| {
        let median = |case: &Measured<'_>| Some(case.summary.metric(name)?.quartiles.median);
        shared_unit::column(title, base, &cases.iter().map(median).collect::<Vec<_>>())
    };
    let of = |title: &str, base: &Base, value: fn(&Compiling) -> Option<f64>| {
        let value = |case: &Measured<'_>| value(case.facts.compiling.as_ref()?);
        shared_unit::column(title, base, &cases.iter().map(value).collect::<Vec<_>>())
    };
    let modes =
        |case: &Measured<'_>| Cell::words_or_absent(mode(case).map(|mode| mode.word().to_owned()));
    let during = |case: &Measured<'_>| {
        let share = case.facts.compiling.as_ref()?.during_samples?;
        Some(format!("{:.0}\u{a0}%", share * 100.0))
    };
    let during = cases.iter().map(|case| Cell::words_or_absent(during(case))).collect();
    let course = |case: &Measured<'_>| Cell::words_or_absent(course(case));
    let courses = cases.iter().map(course).collect();
    let names = cases.iter().map(|case| name(analysis, case.index)).collect();
    let all: Vec<(Column, Vec<Cell>)> = vec![
        (Column::new("Name", Align::Left), names),
        of_metric("first call", &Base::Seconds, metrics::FIRST_CALL),
        of_metric("calls until warm", &Base::Count, metrics::WARM_CALLS),
        of_metric("warm", &Base::Seconds, metrics::WALL),
        (Column::new("times are", Align::Left), courses),
        (Column::new("executed", Align::Left), cases.iter().map(modes).collect()),
        of("interpreted/call", &Base::Count, |it| it.interpreted),
        of("traces", &Base::Count, |it| it.completed),
        of("aborted", &Base::Count, |it| it.aborted),
        of("machine code", &Base::Bytes, |it| it.machine_code),
        (Column::new("compiling in samples", Align::Right), during),
    ];
    let known = |(_, cells): &(Column, Vec<Cell>)| {
        cells.iter().any(|cell| cell.kind == CellKind::Number || cell.text != ABSENT)
    };
    let (columns, cells) = all.into_iter().filter(known).unzip();
    Table {
        title: "First call, warm-up and compiling".to_owned(),
        columns,
        rows: rows(cells),
        remarks: classes(&cases)
            .into_iter()
            .chain(cases.iter().flat_map(|case| given_up(analysis, case)))
            .collect(),
        ..Table::default()
    }
}

fn mode(case: &Measured<'_>) -> Option<Mode> {
    case.facts.compiling.as_ref()?.mode
}

/// The course of most processes of a case, and in how many of them it is seen where not in all.
fn course(case: &Measured<'_>) -> Option<String> {
    let courses = case.facts.courses?;
    let course = courses.most()?;
    let (processes, of) = (courses.count(course), courses.all());
    Some(match processes == of {
        true => course.word().to_owned(),
        false => format!("{} ({processes} of {of})", course.word()),
    })
}

/// How many cases are of each class.
fn classes(cases: &[Measured<'_>]) -> Option<String> {
    let of = |course: Course| {
        let is = |case: &&Measured<'_>| case.facts.courses.and_then(|it| it.most()) == Some(course);
        (course, cases.iter().filter(is).count())
    };
    let seen: Vec<String> = Course::ALL
        .map(of)
        .into_iter()
        .filter(|(_, count)| *count > 0)
        .map(|(course, count)| format!("{count} {}", course.word()))
        .collect();
    (!seen.is_empty()).then(|| format!("Times of cases from the warm-up on: {}.", seen.join(", ")))
}

/// The place that the compiler gave up in a case that is not all compiled.
fn given_up(analysis: &Analysis, case: &Measured<'_>) -> Vec<String> {
    let aborts = case.facts.compiling.as_ref().map_or(&[][..], |compiling| &compiling.aborts);
    if mode(case) == Some(Mode::Compiled) || aborts.is_empty() {
        return Vec::new();
    }
    let one = |it: &TraceAborts| {
        let times = usize::try_from(it.count).unwrap_or(usize::MAX);
        format!(
            "{} at {} ({})",
            counted(times, "trace", "traces"),
            clean(&it.at),
            clean(&it.reason)
        )
    };
    let mut told: Vec<String> = aborts.iter().take(TOLD).map(one).collect();
    if aborts.len() > TOLD {
        told.push(format!("{} more", counted(aborts.len() - TOLD, "place", "places")));
    }
    vec![format!("Aborted of {}: {}.", case_name(analysis, case.index), told.join(", "))]
}
