//! Harnesses: programs that time benchmarks by themselves and print what they measured.
//!
//! Owns how records name them, and what of old facts says the same. Refuses to read what they print.

use super::Context;

/// A program that times benchmarks by itself, executed by etalon: benchmarks are called as it calls them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Harness {
    /// Test binaries of Go packages.
    Go,
    /// Commands whose results are read after each execution, in a format that the facts name.
    Results,
}

impl Harness {
    /// Its name in records.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Harness::Go => "go",
            Harness::Results => "results",
        }
    }

    /// The one of that name.
    #[must_use]
    pub fn from_word(word: &str) -> Option<Harness> {
        [Harness::Go, Harness::Results].into_iter().find(|harness| harness.word() == word)
    }

    /// The one of records that were written before the header said it.
    #[must_use]
    pub fn from_facts(context: &Context) -> Option<Harness> {
        context.contains_key(super::sides::OF_GO).then_some(Harness::Go)
    }
}
