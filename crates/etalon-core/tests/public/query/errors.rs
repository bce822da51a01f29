//! Errors as a person sees them: every problem worded, with its remedy and the caret at the place; and that
//! no text whatever does more harm than an error.

use etalon_core::query::{Filter, Problem, Projection, QueryError};
use proptest::prelude::*;

fn filter(query: &str) -> String {
    Filter::parse(query).expect_err(query).to_string()
}

fn projection(query: &str) -> String {
    Projection::parse(query).expect_err(query).to_string()
}

#[track_caller]
fn golden(shown: &[String], expected: &str) {
    assert_eq!(shown.join("\n"), expected.trim_start_matches('\n').trim_end_matches('\n'));
}

/// The errors of the filters below, in their order.
const WRONG_FILTERS: &str = r#"
unexpected ")"; quote the word it belongs to, or leave it out
  goos:linux AND )
                 ^
expected a name, key:value, * or a subexpression in parentheses
  goos:linux OR
               ^
expected key:value; a value is a word, a "quoted word", /a regexp/ or (one OR another)
  goos:linux /size:
             ^
expected a value here, as in key:(one OR another)
  /size:(1 OR )
              ^
values in parentheses are separated by OR, as in key:(one OR another)
  /size:(1 2)
           ^
a parenthesis is not closed; write ")" here
  (goos:linux -pkg:x
                    ^
unexpected "@"; quote the word it belongs to, or leave it out
  goos:linux @
             ^
a quoted word is not closed; write the closing '"'
  goos:"linux
       ^
a quoted word holds a bad escape; write \\ for a backslash and \" for a quote
  goos:"\d"
       ^
a regular expression is not closed; write the closing "/", and \/, \( or \[ for a literal one
  goos:/lin
       ^
not a regular expression: (?=lin is not one of Go's groups; flags are i, m, s and U; put a backslash before what is meant literally
  goos:/(?=lin)/
       ^
not a regular expression: the range z-a is not in order; put a backslash before what is meant literally
  goos:/[z-a]/
       ^
not a regular expression: Unicode property not found; put a backslash before what is meant literally
  goos:/\p{Nosuch}/
       ^
not a regular expression: the repetition * follows another one; put a backslash before what is meant literally
  goos:/a**/
       ^
a regular expression ends here; write \/ for a slash inside it, or a space behind it
  goos:/a/b/
          ^
a key cannot be empty
  /size:1 "":2
          ^
.config is many keys and only for projections; name one of them
  -.config:x
   ^
"#;

#[test]
fn filters_say_what_is_wrong_and_where() {
    let queries = [
        "goos:linux AND )",
        "goos:linux OR",
        "goos:linux /size:",
        "/size:(1 OR )",
        "/size:(1 2)",
        "(goos:linux -pkg:x",
        "goos:linux @",
        "goos:\"linux",
        r#"goos:"\d""#,
        "goos:/lin",
        "goos:/(?=lin)/",
        r"goos:/[z-a]/",
        r"goos:/\p{Nosuch}/",
        "goos:/a**/",
        "goos:/a/b/",
        r#"/size:1 "":2"#,
        "-.config:x",
    ];
    golden(&queries.map(filter), WRONG_FILTERS);
}

#[test]
fn projections_say_what_is_wrong_and_where() {
    let queries = [
        "goos,,pkg",
        "/size@",
        "/size@()",
        "/size@(1 OR 2)",
        "/size@numeric",
        "goos \"\"",
        ".config@(a b)",
        ".name .unit",
    ];
    golden(
        &queries.map(projection),
        r#"
expected a key, such as .name, /size or goos
  goos,,pkg
       ^
expected an order behind @: alpha, num, first or (this that) in the wanted order
  /size@
        ^
the list of values is empty, so nothing would be left; name some
  /size@()
         ^
expected a value or ")" here; values are separated by spaces alone, odd ones quoted
  /size@(1 OR 2)
           ^
unknown order numeric; orders are alpha, num, first or (this that)
  /size@numeric
        ^
a key cannot be empty
  goos ""
       ^
.config is many keys and cannot have a list of values; name one of the keys
  .config@(a b)
          ^
.unit is only for filters; tables are split by unit without being asked to
  .name .unit
        ^
"#,
    );
}

/// Found by who owns the data, worded here.
#[test]
fn an_unknown_key_names_the_known_ones() {
    let known = vec!["goos".to_owned(), "/size".to_owned()];
    let problem = Problem::UnknownKey { key: "gos".to_owned(), known };
    let error = QueryError { query: "/size gos:linux".to_owned(), at: 6, problem };
    golden(
        &[error.to_string()],
        r#"
nothing in the data has the key gos; there are goos, /size
  /size gos:linux
        ^
"#,
    );
}

/// Would catch a reader who is left alone with a list that has what was meant, with a slash.
#[test]
fn a_part_of_names_without_its_slash_is_named_with_it() {
    let known = vec!["goos".to_owned(), "/size".to_owned()];
    let problem = Problem::UnknownKey { key: "size".to_owned(), known };
    let error = QueryError { query: "size:10".to_owned(), at: 0, problem };
    golden(
        &[error.to_string()],
        r#"
there is no key size; there is /size
  size:10
  ^
"#,
    );
}

proptest! {
    /// Would catch a slice inside a character, an offset beyond the end, and a parser that does not
    /// end.
    #[test]
    fn any_text_is_a_query_or_an_error(
        query in r#"([a(){}\[\]:@,*/"\\ é☃.^$+?|&~<-]|AND|OR|\\Q|\\p|\\x|\(\?|key:|@\(|\n){0,24}"#,
    ) {
        let results = [
            Filter::parse(&query).map(|_| ()),
            Filter::parse(&format!("key:/{query}/")).map(|_| ()),
            Projection::parse(&query).map(|_| ()),
        ];
        for error in results.into_iter().filter_map(Result::err) {
            prop_assert!(error.query.is_char_boundary(error.at));
            prop_assert_eq!(error.to_string().lines().count(), 3);
        }
    }
}

/// Parsing recurses: without a limit this ends the process.
#[test]
fn a_million_parentheses_are_an_error() {
    for open in ["(", "-", "-("] {
        let error = Filter::parse(&open.repeat(1_000_000)).unwrap_err();
        assert!(matches!(error.problem, Problem::TooDeep(_)), "{:?}", error.problem);
    }
    let pattern = "(".repeat(100_000) + &")".repeat(100_000);
    let error = Filter::parse(&format!("key:/{pattern}/")).unwrap_err();
    assert!(matches!(error.problem, Problem::BadRegexp(_)), "{:?}", error.problem);
}
