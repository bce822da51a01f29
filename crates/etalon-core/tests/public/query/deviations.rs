//! Where etalon is meant to differ from benchstat, case by case. The check fails if one of these
//! agrees after all, or is not among the cases.

use serde_json::{Value, json};

use super::fixture::{Row, text};

/// Number of cases below.
pub(super) const COUNT: usize = 8;

/// The result that is expected of etalon instead, if it is meant to differ in this case.
pub(super) fn expected(case: &Value, rows: &[Row]) -> Option<Value> {
    if let Some(query) = case["query"].as_str() {
        return filter(query, rows);
    }
    match (text(case, "row"), text(case, "rows")) {
        // benchstat takes the word for an order without values, and drops everything.
        ("k@fixed", _) => Some(fault("row", 2, "unknown order \"fixed\"")),
        // Hexadecimal numbers are numbers to benchstat (0x1p4 is 16), if they have an exponent.
        ("k@num", "hexadecimal") => {
            let mut result = case["result"].clone();
            result["sorted"][1] = json!([0, 2, 3, 1]);
            Some(result)
        }
        _ => None,
    }
}

fn filter(query: &str, rows: &[Row]) -> Option<Value> {
    let deep = |open: &str| query.starts_with(&open.repeat(201));
    match query {
        // benchstat takes the quote behind an escaped backslash for an escaped quote.
        r#"t:"a\\""# => Some(kept(rows, |text| text == r"a\")),
        r#"t:"\\d" t:"\\""# => Some(kept(rows, |_| false)),
        // benchstat looks for ASCII white space only.
        "t:/^a/\u{2003}t:ab" => Some(kept(rows, |text| text == "ab")),
        // A word that no text can equal.
        r#"t:"\xff""# => Some(fault("filter", 2, "bad escape sequence")),
        _ if deep("(") || deep("-") => Some(fault("filter", 200, "too deep")),
        _ => None,
    }
}

fn fault(of: &str, at: usize, message: &str) -> Value {
    json!({"of": of, "at": at, "message": message})
}

/// Rows whose configuration has such a text; each has one measurement.
fn kept(rows: &[Row], is_kept: impl Fn(&str) -> bool) -> Value {
    let digit = |row: &Row| if is_kept(&row.config[0].1) { "1" } else { "0" };
    json!({"kept": rows.iter().map(digit).collect::<Vec<_>>()})
}
