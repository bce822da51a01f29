//! The benchmark of a harness that a bisection is about: the only one, or the only one that a query takes.
//!
//! Refuses to choose among several.

use std::borrow::Cow;
use std::collections::BTreeSet;

use crate::dataset::{Dataset, Measured};
use crate::model::{BUILD, COMMIT};
use crate::query::{self, Filter, Identity, Subject, UnitName};

/// The benchmarks of a harness, and which of them is followed.
#[derive(Debug)]
pub(super) struct Followed {
    /// Absent of a query that cannot be read.
    filter: Option<Filter>,
    /// Those that were seen, and of them those that the query takes.
    all: BTreeSet<String>,
    taken: BTreeSet<String>,
    /// Whether those of an end are known: what later commits have besides is not asked about.
    is_settled: bool,
}

/// The thing that a row is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Whose {
    /// The whole command.
    Command,
    /// The benchmark.
    Its,
    /// Another benchmark.
    Another,
}

/// Benchmarks of which none is followed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Undecided {
    /// Those that the query takes: none, or several.
    pub taken: Vec<String>,
    /// All of them.
    pub all: Vec<String>,
}

impl Followed {
    pub(super) fn new(query: &str) -> Followed {
        let filter = Filter::parse(query).ok();
        Followed { filter, all: BTreeSet::new(), taken: BTreeSet::new(), is_settled: false }
    }

    /// The thing that a row is about.
    pub(super) fn whose(&mut self, data: &Dataset, row: usize) -> Whose {
        let declared = &data.benchmarks[data.series_of(row).benchmark.at()];
        let is_command = declared.benchmark.as_ref().is_some_and(|it| it.command.is_some());
        if is_command {
            return Whose::Command;
        }
        let label = label(data, row);
        if !self.is_settled && self.all.insert(label.full()) {
            let takes = data.row(row).next().zip(self.filter.as_ref());
            let takes = takes.is_some_and(|(value, filter)| {
                filter.passes(&Labelled { of: Measured { data, row, value } })
            });
            self.taken.extend(takes.then(|| label.full()));
        }
        let label = label.full();
        match self.taken.first() == Some(&label) {
            true => Whose::Its,
            false => Whose::Another,
        }
    }

    /// A whole block was read.
    pub(super) fn settle(&mut self) {
        self.is_settled = true;
    }

    /// The name of the benchmark.
    pub(super) fn name(&self) -> Option<String> {
        self.taken.first().cloned()
    }

    pub(super) fn undecided(&self) -> Option<Undecided> {
        let is_undecided = !self.all.is_empty() && self.taken.len() != 1;
        let list = |of: &BTreeSet<String>| of.iter().cloned().collect();
        is_undecided.then(|| Undecided { taken: list(&self.taken), all: list(&self.all) })
    }
}

/// The name of a row's benchmark as its harness has it: without the commit, and without the build.
fn label(data: &Dataset, row: usize) -> query::Name<'_> {
    let name = data.name_of(row);
    let is_own = |part: &&str| {
        let key = part.strip_prefix('/').and_then(|part| part.split_once('='));
        key.is_none_or(|(key, _)| key != COMMIT && key != BUILD)
    };
    let parts = name.parts().filter(is_own).map(Cow::Borrowed).collect();
    query::Name { base: Cow::Borrowed(name.base()), parts }
}

/// A value under that name, for a query: a letter of `/build=1` is none of the benchmark's.
struct Labelled<'a> {
    of: Measured<'a>,
}

impl Subject for Labelled<'_> {
    fn identity(&self) -> Identity {
        self.of.identity()
    }

    fn name(&self) -> query::Name<'_> {
        label(self.of.data, self.of.row)
    }

    fn config(&self, key: &str) -> Option<&str> {
        self.of.config(key)
    }

    fn all_config(&self) -> impl Iterator<Item = (&str, &str)> {
        self.of.all_config()
    }

    fn unit(&self) -> UnitName<'_> {
        self.of.unit()
    }
}
