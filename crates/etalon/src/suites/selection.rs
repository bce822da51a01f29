//! Which cases are wanted: `--filter` and `--exclude`.

use regex::Regex;

use etalon_record::BenchmarkLine;

use crate::cli;
use crate::failure::Failure;

/// What is asked for.
pub(super) struct Selection {
    filter: Option<Regex>,
    exclude: Option<Regex>,
}

impl Selection {
    pub(super) fn of(options: &cli::Run) -> Result<Selection, Failure> {
        Ok(Selection {
            filter: expression("--filter", options.filter.as_deref())?,
            exclude: expression("--exclude", options.exclude.as_deref())?,
        })
    }

    /// Whether a case is wanted: by its name with its parameters, or by a tag.
    pub(super) fn wants(&self, case: &BenchmarkLine) -> bool {
        let label = case.to_benchmark().label();
        let tags = case.case.as_ref().map_or(&[][..], |case| &case.tags);
        let matches = |expression: &Regex| {
            expression.is_match(&label) || tags.iter().any(|tag| expression.is_match(tag))
        };
        self.filter.as_ref().is_none_or(matches) && !self.exclude.as_ref().is_some_and(matches)
    }

    /// What was asked for, for an error.
    pub(super) fn said(&self) -> String {
        let said = [("--filter", &self.filter), ("--exclude", &self.exclude)];
        let said: Vec<String> = said
            .iter()
            .filter_map(|(option, e)| Some(format!("{option} {:?}", e.as_ref()?.as_str())))
            .collect();
        if said.is_empty() { String::new() } else { format!(" with {}", said.join(" and ")) }
    }
}

fn expression(option: &str, text: Option<&str>) -> Result<Option<Regex>, Failure> {
    let wrong = |error: regex::Error| {
        let said = error.to_string();
        let mut lines: Vec<&str> = said.lines().collect();
        let why = lines.pop().unwrap_or_default().trim_start_matches("error: ");
        // What is left is the expression with marks where it is wrong, under a title.
        let place = lines.iter().skip(1).map(|line| format!("\n{line}")).collect::<String>();
        Failure::about(option, format!("{why}{place}"))
    };
    text.map(|text| Regex::new(text).map_err(wrong)).transpose()
}
