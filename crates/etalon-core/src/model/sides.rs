//! The sides of a run that measured two states of a project: which is the base is said here, and follows from no order.
//!
//! Owns where benchmarks say their side, and what of old facts says the same. Refuses to look at rows: which side came
//! first is chance, because blocks are in random order.

use super::Context;

/// The parameter, or the fact, that says which side of a project a benchmark is of: [`BASE`] or [`HEAD`].
pub const SIDE: &str = "side";

/// The parameter, or the fact, that says which of several builds of a side a benchmark is of, from 1.
pub const BUILD: &str = "build";

/// The fact of old records of `etalon go` that says their sides, or that there is one.
pub(super) const OF_GO: &str = "go.sides";

/// The older side.
pub const BASE: &str = "base";

/// The newer side.
pub const HEAD: &str = "head";

/// A run of two states of a project.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sides {
    /// Where a benchmark says which it is of.
    pub said_by: SaidBy,
}

/// Where a benchmark says its side.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SaidBy {
    /// In a parameter, which is part of its name: commands and cases.
    Parameter,
    /// In a fact that it was measured under: benchmarks of Go.
    Fact,
}

impl Sides {
    /// Both sides, the base first: the one order in which they are written.
    pub const ORDER: [&str; 2] = [BASE, HEAD];

    /// The key of queries that tells sides apart.
    #[must_use]
    pub fn key(self) -> &'static str {
        match self.said_by {
            SaidBy::Parameter => "/side",
            SaidBy::Fact => SIDE,
        }
    }

    /// The key of queries that tells builds of a side apart.
    #[must_use]
    pub fn build_key(self) -> &'static str {
        match self.said_by {
            SaidBy::Parameter => "/build",
            SaidBy::Fact => BUILD,
        }
    }

    /// The sides by facts of records that were written before the header said them.
    #[must_use]
    pub fn from_facts(context: &Context) -> Option<Sides> {
        const WRITTEN: [(&str, SaidBy); 2] = [("sides", SaidBy::Parameter), (OF_GO, SaidBy::Fact)];
        let both = Sides::ORDER.join(" ");
        let said = |(fact, _): &&(&str, SaidBy)| context.get(*fact).is_some_and(|it| *it == both);
        WRITTEN.iter().find(said).map(|(_, said_by)| Sides { said_by: *said_by })
    }
}

/// Whether a value is one of both sides.
pub(super) fn is_one(value: &str) -> bool {
    Sides::ORDER.contains(&value)
}

/// The place of a side in their order; what is no side comes behind.
#[must_use]
pub fn place_of(side: &str) -> usize {
    Sides::ORDER.iter().position(|known| *known == side).unwrap_or(Sides::ORDER.len())
}
