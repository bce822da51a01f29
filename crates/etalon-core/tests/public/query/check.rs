//! Runs every case and says what differs.

use etalon_core::query::{
    ByUnit, Evaluator, Filter, Place, Problem, Projection, ProjectionId, ProjectionSpace,
    QueryError, TupleId,
};
use serde_json::{Value, json};

use super::deviations;
use super::fixture::{Fixture, Measurement, measurements, text};

/// The result of a run over all cases.
pub(super) struct CheckedQueries {
    /// One entry for every case whose outcome is not the stored one or, where it should differ, is.
    pub wrong: Vec<String>,
    /// How many cases were meant to differ.
    pub deviations: usize,
}

pub(super) fn check(fixture: &Fixture) -> CheckedQueries {
    let filters = fixture.filters.iter().map(|case| (case, filter(fixture, case)));
    let spaces = fixture.spaces.iter().map(|case| (case, space(fixture, case)));
    let mut found = CheckedQueries { wrong: Vec::new(), deviations: 0 };
    for (case, ours) in filters.chain(spaces) {
        let theirs = stored(case);
        if is_a_value_alone(&theirs, &ours) {
            continue;
        }
        let deviation = deviations::expected(case, &fixture.rows(case));
        found.deviations += usize::from(deviation.is_some());
        if deviation.as_ref() == Some(&theirs) {
            found.wrong.push(format!("no deviation: {case}"));
        }
        let expected = deviation.unwrap_or(theirs);
        if ours != expected {
            found.wrong.push(format!("ours {ours}\n  expected {expected}\n  case {case}"));
        }
    }
    found
}

/// Whether benchstat refused a value without a key, which etalon looks for in names. What comes behind it
/// in the query is read on, so what etalon makes of it is its own.
fn is_a_value_alone(theirs: &Value, ours: &Value) -> bool {
    theirs["of"] == "filter" && theirs["message"] == "expected key:value" && ours != theirs
}

/// The stored result of benchstat for a case.
fn stored(case: &Value) -> Value {
    if !case["error"].is_null() {
        return fault(case);
    }
    if case["kept"].is_null() { case["result"].clone() } else { json!({"kept": case["kept"]}) }
}

/// A stored fault: where, and in which words.
fn fault(case: &Value) -> Value {
    let error = &case["error"];
    let message = text(error, "message");
    // The reason inside a regular expression is worded by who reads it.
    let message = message.strip_prefix("error parsing regexp").map_or(message, |_| "bad regexp");
    json!({"of": error["of"], "at": error["at"], "message": message})
}

fn our_fault(of: &str, error: &QueryError) -> Value {
    assert!(error.query.is_char_boundary(error.at), "{error}");
    json!({"of": of, "at": error.at, "message": words(&error.problem)})
}

/// benchstat's words for a problem.
fn words(problem: &Problem) -> String {
    match problem {
        Problem::ExpectedTerm => "expected key:value or subexpression",
        Problem::ExpectedKeyValue => "expected key:value",
        Problem::ExpectedValue => "expected value",
        Problem::ExpectedOr => "value list must be separated by OR",
        Problem::UnclosedParenthesis => "missing \")\"",
        Problem::Unexpected(c) => return format!("unexpected \"{c}\""),
        Problem::UnclosedQuote => "missing end quote",
        Problem::BadEscape => "bad escape sequence",
        Problem::UnclosedRegexp => "missing close \"/\"",
        Problem::BadRegexp(_) => "bad regexp",
        Problem::TextAfterRegexp => {
            "regexp must be followed by space or an operator (unescaped \"/\"?)"
        }
        Problem::EmptyKey => "key must not be empty",
        Problem::ConfigInFilter => ".config is only allowed in projections",
        Problem::ExpectedKey => "expected key",
        Problem::ExpectedOrder => "expected named sort order or parenthesized list",
        Problem::EmptyOrder => "nothing to match",
        Problem::UnclosedOrder => "missing )",
        Problem::UnknownOrder(order) => return format!("unknown order {order:?}"),
        Problem::FixedConfig => "fixed order not allowed for .config",
        Problem::UnitInProjection => ".unit is only allowed in filters",
        Problem::TooDeep(_) => "too deep",
        Problem::UnknownKey { .. } => "unknown key",
    }
    .to_owned()
}

fn filter(fixture: &Fixture, case: &Value) -> Value {
    let filter = match Filter::parse(text(case, "query")) {
        Ok(filter) => filter,
        Err(error) => return our_fault("filter", &error),
    };
    let rows = fixture.rows(case);
    let digit = |subject: &Measurement<'_>| if filter.passes(subject) { '1' } else { '0' };
    let rows = measurements(&rows);
    let kept: Vec<String> = rows.iter().map(|row| row.iter().map(digit).collect()).collect();
    json!({ "kept": kept })
}

fn space(fixture: &Fixture, case: &Value) -> Value {
    let filter = match Filter::parse(text(case, "filter")) {
        Ok(filter) => filter,
        Err(error) => return our_fault("filter", &error),
    };
    let mut space = ProjectionSpace::new();
    let mut projections = Vec::new();
    for (of, by_unit) in [("table", ByUnit::Yes), ("row", ByUnit::No), ("col", ByUnit::No)] {
        match Projection::parse(text(case, of)) {
            Ok(projection) => projections.push(space.add(&projection, by_unit)),
            Err(error) => return our_fault(of, &error),
        }
    }
    match Projection::parse(text(case, "ignore")) {
        Ok(projection) => space.ignore(&projection),
        Err(error) => return our_fault("ignore", &error),
    }
    let mut evaluator = Evaluator::new(filter, space);
    projections.push(evaluator.residue());
    let rows = fixture.rows(case);
    let places: Vec<Vec<Option<Place>>> = measurements(&rows)
        .iter()
        .map(|row| row.iter().map(|subject| evaluator.place(subject)).collect())
        .collect();
    outcome(&evaluator, &projections, &places)
}

fn outcome(
    evaluator: &Evaluator,
    projections: &[ProjectionId],
    places: &[Vec<Option<Place>>],
) -> Value {
    let tuples = |place: Place| -> Vec<TupleId> {
        projections.iter().map(|projection| evaluator.tuple(place, *projection)).collect()
    };
    let numbers = |place: &Option<Place>| -> Option<Vec<u32>> {
        place.map(|place| tuples(place).iter().map(|tuple| tuple.0).collect())
    };
    let columns = projections.iter().map(|projection| columns(evaluator, *projection));
    let distinct = projections.iter().map(|projection| {
        let all = (0..).map(TupleId).take(evaluator.ranks(*projection).len());
        let values = all.map(|tuple| evaluator.values(*projection, tuple));
        let shown = values.map(|v| v.iter().map(|v| v.unwrap_or("").to_owned()).collect());
        shown.collect::<Vec<Vec<String>>>()
    });
    let sorted = projections.iter().map(|projection| {
        let ranks = evaluator.ranks(*projection);
        let mut sorted: Vec<usize> = (0..ranks.len()).collect();
        sorted.sort_by_key(|tuple| ranks[*tuple]);
        sorted
    });
    let mut cells: Vec<(Vec<TupleId>, Vec<TupleId>)> = Vec::new();
    for place in places.iter().flatten().flatten() {
        let mut cell = tuples(*place);
        let residue = cell.pop().unwrap();
        match cells.iter_mut().find(|(known, _)| *known == cell) {
            Some((_, residues)) => residues.push(residue),
            None => cells.push((cell, vec![residue])),
        }
    }
    let names = self::columns(evaluator, evaluator.residue());
    let varying = cells.iter().map(|(_, residues)| {
        let varying = evaluator.varying(evaluator.residue(), residues);
        varying.into_iter().map(|column| names[column].clone()).collect::<Vec<_>>()
    });
    json!({
        "columns": columns.collect::<Vec<_>>(),
        "tuples": distinct.collect::<Vec<_>>(),
        "sorted": sorted.collect::<Vec<_>>(),
        "places": places.iter().map(|row| row.iter().map(numbers).collect()).collect::<Vec<Vec<_>>>(),
        "varying": varying.collect::<Vec<_>>(),
    })
}

fn columns(evaluator: &Evaluator, projection: ProjectionId) -> Vec<String> {
    evaluator.columns(projection).iter().map(|column| column.key.to_string()).collect()
}
