//! Where data come from: what they were measured on, and what to type to measure them again.
//!
//! Owns these two sections of every page. Refuses to ask the machine that a page is made on: what is not recorded is
//! left out.

use etalon_core::dataset::{ConfigurationId, Dataset, MACHINE, RunSetId};
use etalon_core::model::Context;
use etalon_core::run_set::RunSet;

use super::section;
use crate::cases;
use crate::document::{Document, Part};
use crate::number::counted;
use crate::table::{Align, Cell, Column, Table};
use crate::text::{clean, typed_again};

/// Run sets whose machines have a table each; more are counted.
const TABLES: usize = 8;

/// Where the data of a page come from.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Origins {
    /// Facts about machines and tools, under the name of what has them.
    measured: Vec<(String, Vec<(&'static str, String)>)>,
    /// Commands, as somebody would type them.
    commands: Vec<String>,
}

impl Origins {
    /// Of every run set.
    #[must_use]
    pub fn of(data: &Dataset) -> Origins {
        let mut origins = Origins::default();
        for (at, set) in data.run_sets.iter().enumerate() {
            let mut facts = cases::environment(&context(data, at, set), set.started.as_deref());
            let directory = set.context.get("directory").map(|it| ("Directory", clean(it)));
            facts.extend(directory.filter(|_| !set.argv.is_empty()));
            facts.extend(set.id.as_ref().map(|id| ("Record", clean(id))));
            origins.measured.push((clean(&set.label), facts));
            origins.command(&set.argv);
        }
        origins
    }

    /// With the command by which the page was made, where those that measured do not say how.
    #[must_use]
    pub fn made_by(mut self, words: &[String]) -> Origins {
        if self.measured.len() != 1 || self.commands.is_empty() {
            self.command(words);
        }
        self
    }

    fn command(&mut self, words: &[String]) {
        let Some(line) = typed_again(words) else { return };
        if !self.commands.contains(&line) {
            self.commands.push(line);
        }
    }

    /// Both sections.
    pub(super) fn sections(&self) -> String {
        let repeated = Document { parts: vec![Part::Lines(self.commands.clone())] };
        section("Where it was measured", &self.surroundings()) + &section("To repeat it", &repeated)
    }

    /// A table for each; of a single one nothing has to say whose it is.
    fn surroundings(&self) -> Document {
        let known = || self.measured.iter().filter(|(_, facts)| !facts.is_empty());
        let table = |(name, facts): &(String, Vec<(&str, String)>)| Table {
            title: if self.measured.len() > 1 { name.clone() } else { String::new() },
            columns: ["", ""].map(|title| Column::new(title, Align::Left)).to_vec(),
            rows: facts
                .iter()
                .map(|(label, value)| [*label, value].map(Cell::words).to_vec())
                .collect(),
            ..Table::default()
        };
        let more = known().count().saturating_sub(TABLES);
        let more = (more > 0).then(|| format!("And {}.", counted(more, "more", "more")));
        let tables = Part::Tables(known().take(TABLES).map(table).collect());
        Document { parts: std::iter::once(tables).chain(more.map(Part::Sentence)).collect() }
    }
}

/// A run set's facts on its machine; where it has none, those of its rows: all of them, where they are of several.
fn context(data: &Dataset, at: usize, set: &RunSet) -> Context {
    if !set.context.is_empty() {
        return set.context.clone();
    }
    let id = RunSetId::new(at).ok();
    let own: Vec<ConfigurationId> = (0..data.configurations.len())
        .filter(|at| Some(data.configurations[*at].run_set) == id)
        .filter_map(|at| ConfigurationId::new(at).ok())
        .collect();
    let fact = |key: &&str| {
        let mut values: Vec<&str> = Vec::new();
        for value in own.iter().filter_map(|it| data.fact(*it, key)) {
            if !values.contains(&value) {
                values.push(value);
            }
        }
        (!values.is_empty()).then(|| ((*key).to_owned(), values.join(" and ")))
    };
    MACHINE.iter().filter_map(fact).collect()
}
