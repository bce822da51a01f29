//! A comparison as JUnit XML, which services show as tests: what got worse fails, what could not be told is skipped.
//!
//! Owns which row is which test case, and which characters stand in XML. Refuses the order of rows
//! (`core::tables::worst_first`), and rows of quantities that only explain others.

use std::fmt::Write;

use etalon_core::tables::{Compared, Concern, Tables, worst_first};
use etalon_core::units::Base;

use super::rows::assessment;
use super::words::{self, Columns};
use super::{Remarks, evidence, headline};
use crate::text::clean;
use crate::words::{note_sentences, verdict_word, why};

/// A data set held against the base.
struct Suite {
    name: String,
    cases: Vec<Case>,
    /// The basis of the verdicts.
    basis: String,
}

/// A row.
struct Case {
    class: String,
    name: String,
    /// The centre of the candidate, in seconds, of what is a time.
    seconds: Option<f64>,
    outcome: Outcome,
}

/// How a test case ended.
enum Outcome {
    /// With the verdict.
    Passed(String),
    /// With the word of the verdict, and all of it.
    Failed(&'static str, String),
    /// With the reason.
    Skipped(String),
}

/// One document: a suite for each data set but the base, and one for the check if it failed.
#[must_use]
pub fn junit(tables: &Tables, said: Remarks<'_>) -> String {
    let columns = Columns::new(tables);
    let order = worst_first(tables);
    let basis = evidence::sentence(tables).unwrap_or_default();
    let suite = |(column, name): (usize, String)| {
        let of_column = order.iter().filter(|it| it.column == column);
        let cases = of_column.map(|it| case(tables, &name, it)).collect();
        Suite { name, cases, basis: basis.clone() }
    };
    let others = tables.columns.iter().map(|labels| columns.label(labels)).enumerate().skip(1);
    let suites: Vec<Suite> = check(said).into_iter().chain(others.map(suite)).collect();
    document(&suites)
}

/// The check, if it failed: one test case with all reasons.
fn check(said: Remarks<'_>) -> Option<Suite> {
    let reasons = note_sentences(said.failed).join("\n");
    let case = Case {
        class: "etalon".to_owned(),
        name: "check".to_owned(),
        seconds: None,
        outcome: Outcome::Failed("check", reasons),
    };
    let suite = || Suite { name: "check".to_owned(), cases: vec![case], basis: String::new() };
    (!said.failed.is_empty()).then(suite)
}

fn case(tables: &Tables, column: &str, compared: &Compared<'_>) -> Case {
    let Compared { table, row, cells, concern, .. } = *compared;
    let quantity = clean(&headline::quantity(&table.unit));
    let keys = words::named(&tables.table_keys, &table.labels);
    let class = if keys.is_empty() { quantity.clone() } else { format!("{quantity} ({keys})") };
    let label = words::label(&row.labels);
    let assessed = cells[1].and_then(assessment);
    let word = assessed.map_or("", |it| verdict_word(it, &table.base));
    let told = assessed.map_or_else(String::new, |it| {
        let change = crate::tidied::changed(&it.evidence, &table.base).to_string();
        let parts = [word.to_owned(), change].into_iter().filter(|part| !part.is_empty());
        let parts: Vec<String> = parts.collect();
        // A verdict whose word is its reason needs no second one.
        let why = why(it).filter(|why| why != word);
        let why = why.map_or_else(String::new, |why| format!(": {why}"));
        format!("{}{why}", parts.join(" "))
    });
    let outcome = match concern {
        Concern::Worse => Outcome::Failed(word, told),
        Concern::Better | Concern::Same | Concern::Differs => Outcome::Passed(told),
        Concern::Unclear => Outcome::Skipped(told),
        Concern::OneSided if cells[0].is_some() => Outcome::Skipped(format!("not in {column}")),
        Concern::OneSided => Outcome::Skipped(format!("only in {column}")),
        Concern::Untested => Outcome::Skipped("nothing was tested".to_owned()),
    };
    Case {
        class,
        name: if label.is_empty() { quantity } else { label },
        seconds: cells[1].filter(|_| table.base == Base::Seconds).map(|cell| cell.centre.value),
        outcome,
    }
}

fn document(suites: &[Suite]) -> String {
    let all = || suites.iter().flat_map(|suite| &suite.cases);
    let mut out = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    let (tests, failures) = (all().count(), all().filter(is_failure).count());
    push(
        &mut out,
        format_args!(
            "<testsuites name=\"etalon\" tests=\"{tests}\" failures=\"{failures}\" errors=\"0\">"
        ),
    );
    for Suite { name, cases, basis } in suites {
        let (tests, failures) = (cases.len(), cases.iter().filter(is_failure).count());
        let skipped = cases.iter().filter(|it| matches!(it.outcome, Outcome::Skipped(_))).count();
        let name = xml(name);
        push(
            &mut out,
            format_args!(
                " <testsuite name=\"{name}\" tests=\"{tests}\" failures=\"{failures}\" errors=\"0\" \
                 skipped=\"{skipped}\">"
            ),
        );
        cases.iter().for_each(|case| push_case(&mut out, case));
        if !basis.is_empty() {
            push(&mut out, format_args!("  <system-out>{}</system-out>", xml(basis)));
        }
        push(&mut out, format_args!(" </testsuite>"));
    }
    push(&mut out, format_args!("</testsuites>"));
    out
}

fn push_case(out: &mut String, Case { class, name, seconds, outcome }: &Case) {
    let time = seconds.map_or_else(String::new, |seconds| format!(" time=\"{seconds}\""));
    let (class, name) = (xml(class), xml(name));
    push(out, format_args!("  <testcase classname=\"{class}\" name=\"{name}\"{time}>"));
    match outcome {
        Outcome::Passed(told) => {
            push(out, format_args!("   <system-out>{}</system-out>", xml(told)));
        }
        Outcome::Failed(word, told) => {
            // Services show the attribute in lists, and the text where the test is opened.
            let first = xml(told.lines().next().unwrap_or_default());
            let text: Vec<String> = told.lines().map(xml).collect();
            let text = text.join("\n");
            push(
                out,
                format_args!(
                    "   <failure type=\"{}\" message=\"{first}\">{text}</failure>",
                    xml(word)
                ),
            );
        }
        Outcome::Skipped(reason) => {
            push(out, format_args!("   <skipped message=\"{}\"/>", xml(reason)));
        }
    }
    push(out, format_args!("  </testcase>"));
}

fn is_failure(case: &&Case) -> bool {
    matches!(case.outcome, Outcome::Failed(..))
}

/// Appends a line.
fn push(out: &mut String, line: std::fmt::Arguments<'_>) {
    // A string takes everything.
    let _always = writeln!(out, "{line}");
}

/// Text as XML 1.0 has it, in attributes and between tags: what it cannot hold stands as an escape.
fn xml(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in clean(text).chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\u{fffe}' | '\u{ffff}' => out.extend(c.escape_unicode()),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Would catch a name that ends a tag or an attribute, and a character that no parser of XML takes.
    #[test]
    fn any_text_is_text_in_xml() {
        let hostile = "a\"b'<c>&d]]>\u{0}\u{1b}[31m\n\t\r\u{fffe}\u{ffff}\u{202e}é漢";
        let shown = xml(hostile);
        let raw = |c: char| {
            c.is_control() || matches!(c, '"' | '<' | '>' | '\u{fffe}' | '\u{ffff}' | '\u{202e}')
        };
        assert!(!shown.contains(raw), "{shown}");
        assert!(
            shown.starts_with("a&quot;b'&lt;c&gt;&amp;d]]&gt;\\u{0}\\u{1b}[31m\\n\\t\\r"),
            "{shown}"
        );
        assert!(shown.ends_with("é漢"), "{shown}");
    }
}
