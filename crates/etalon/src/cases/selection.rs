//! Which cases are wanted: `--filter` and `--exclude`, in the language of compare's queries.

use etalon_core::query::{Filter, Identity, Key, Name, Problem, QueryError, Subject, UnitName};
use etalon_core::shell::copied;
use etalon_record::BenchmarkLine;

use crate::cli;
use crate::failure::Failure;

/// The keys of cases, besides the parts of their names.
const KEYS: [&str; 5] = [".name", ".fullname", ".file", "group", "tag"];

/// The selection of cases, as typed.
pub(crate) struct Selection {
    filter: Option<Filter>,
    exclude: Option<Filter>,
}

impl Selection {
    pub(crate) fn of(options: &cli::Run) -> Result<Selection, Failure> {
        Ok(Selection {
            filter: parsed("--filter", options.filter.as_deref())?,
            exclude: parsed("--exclude", options.exclude.as_deref())?,
        })
    }

    /// Whether a case is wanted.
    pub(crate) fn wants(&self, case: &BenchmarkLine) -> bool {
        let case = Seen(case);
        self.filter.as_ref().is_none_or(|filter| filter.passes(&case))
            && !self.exclude.as_ref().is_some_and(|exclude| exclude.passes(&case))
    }

    /// The options that select, for an error.
    pub(crate) fn said(&self) -> String {
        let said = [("--filter", &self.filter), ("--exclude", &self.exclude)];
        let said: Vec<String> = said
            .iter()
            .filter_map(|(option, query)| {
                Some(format!("{option} {}", copied(query.as_ref()?.query())))
            })
            .collect();
        if said.is_empty() { String::new() } else { format!(" with {}", said.join(" and ")) }
    }

    /// The parameters that it asks for.
    pub(crate) fn params(&self) -> impl Iterator<Item = &str> {
        let mentions = self.filter.iter().chain(&self.exclude).flat_map(Filter::mentions);
        mentions.filter_map(|mention| match &mention.key {
            Key::Part(name) => Some(name.as_str()),
            _ => None,
        })
    }

    /// Whether a word looks like a regular expression, which it is between slashes only.
    pub(super) fn may_mean_expression(&self) -> bool {
        let query = self.filter.as_ref().map_or("", Filter::query);
        !query.contains([':', '/']) && query.contains(['^', '$', '|', '[', '\\', '+', '?'])
    }
}

fn parsed(option: &str, query: Option<&str>) -> Result<Option<Filter>, Failure> {
    let wrong = |error: QueryError| Failure::about(option, error);
    let Some(query) = query else { return Ok(None) };
    let filter = Filter::parse(query).map_err(wrong)?;
    for mention in filter.mentions() {
        let key = mention.key.to_string();
        if !matches!(mention.key, Key::Part(_)) && !KEYS.contains(&key.as_str()) {
            let mut known = KEYS.map(str::to_owned).to_vec();
            if !key.starts_with('.') {
                known.push(format!("/{key} for a parameter of that name"));
            }
            let problem = Problem::UnknownKey { key, known };
            return Err(wrong(QueryError { query: query.to_owned(), at: mention.at, problem }));
        }
    }
    Ok(Some(filter))
}

/// A case as queries see it: its parameters are parts of its name, its tags values of one key.
struct Seen<'a>(&'a BenchmarkLine);

impl Seen<'_> {
    fn tags(&self) -> &[String] {
        self.0.case.as_ref().map_or(&[], |case| &case.tags)
    }
}

impl Subject for Seen<'_> {
    /// Each is asked once.
    fn identity(&self) -> Identity {
        Identity { name: 0, config: 0, unit: 0 }
    }

    fn name(&self) -> Name<'_> {
        let part = |(name, value): &(String, String)| format!("/{name}={value}").into();
        Name { base: self.0.name.as_str().into(), parts: self.0.params.iter().map(part).collect() }
    }

    fn config(&self, key: &str) -> Option<&str> {
        let case = self.0.case.as_ref()?;
        match key {
            ".file" => Some(&case.file),
            "group" => case.group.as_deref(),
            _ => None,
        }
    }

    fn all_config(&self) -> impl Iterator<Item = (&str, &str)> {
        std::iter::empty()
    }

    fn unit(&self) -> UnitName<'_> {
        UnitName { tidied: "", written: None }
    }

    fn any_value(&self, key: &str, passes: &mut dyn FnMut(&str) -> bool) -> bool {
        match key {
            "tag" => self.tags().iter().any(|tag| passes(tag)),
            _ => passes(self.config(key).unwrap_or_default()),
        }
    }

    /// Its name, that with its parameters as queries and as reports write it, and its tags.
    fn any_name(&self, passes: &mut dyn FnMut(&str) -> bool) -> bool {
        let (full, label) = (self.name().full(), self.0.to_benchmark().label());
        let names = [&self.0.name, &full, &label];
        names.into_iter().chain(self.tags()).any(|name| passes(name))
    }
}
