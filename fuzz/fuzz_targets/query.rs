//! Queries: conditions built from parts, which pass what a plain evaluation of the same parts passes; and any text.
#![no_main]

use std::borrow::Cow;

use arbitrary::Arbitrary;
use etalon_core::query::{Filter, Identity, Name, Projection, Subject, UnitName, quoted};
use libfuzzer_sys::fuzz_target;

#[derive(Debug, Arbitrary)]
enum Condition {
    Is(Key, Word),
    OneOf(Key, Word, Word),
    Not(Box<Condition>),
    Both(Box<Condition>, Box<Condition>),
    Either(Box<Condition>, Box<Condition>),
    Everything,
}

#[derive(Debug, Clone, Copy, Arbitrary)]
enum Key {
    Name,
    Part,
    Config,
    Unit,
}

#[derive(Debug, Clone, Copy, Arbitrary)]
enum Word {
    A,
    B,
    Quoted,
}

#[derive(Debug, Arbitrary)]
struct Given {
    condition: Condition,
    /// What the subject has for each key.
    has: [Word; 4],
    text: String,
}

impl Word {
    fn text(self) -> &'static str {
        ["a", "b", "c d\""][self as usize]
    }

    fn written(self) -> &'static str {
        ["a", "b", r#""c d\"""#][self as usize]
    }
}

impl Key {
    fn written(self) -> &'static str {
        [".name", "/part", "config", ".unit"][self as usize]
    }
}

impl Condition {
    fn written(&self) -> String {
        match self {
            Condition::Is(key, word) => format!("{}:{}", key.written(), word.written()),
            Condition::OneOf(key, one, other) => {
                format!("{}:({} OR {})", key.written(), one.written(), other.written())
            }
            Condition::Not(of) => format!("-({})", of.written()),
            Condition::Both(one, other) => format!("({}) AND ({})", one.written(), other.written()),
            Condition::Either(one, other) => format!("({}) OR ({})", one.written(), other.written()),
            Condition::Everything => "*".to_owned(),
        }
    }

    fn holds(&self, has: &[Word; 4]) -> bool {
        let of = |key: &Key| has[*key as usize].text();
        match self {
            Condition::Is(key, word) => of(key) == word.text(),
            Condition::OneOf(key, one, other) => of(key) == one.text() || of(key) == other.text(),
            Condition::Not(of) => !of.holds(has),
            Condition::Both(one, other) => one.holds(has) && other.holds(has),
            Condition::Either(one, other) => one.holds(has) || other.holds(has),
            Condition::Everything => true,
        }
    }

    fn depth(&self) -> usize {
        match self {
            Condition::Not(of) => 1 + of.depth(),
            Condition::Both(one, other) | Condition::Either(one, other) => 1 + one.depth().max(other.depth()),
            _ => 1,
        }
    }
}

/// A subject that has these words.
struct Has(String, [Word; 4]);

impl Subject for Has {
    fn identity(&self) -> Identity {
        Identity { name: 0, config: 0, unit: 0 }
    }

    fn name(&self) -> Name<'_> {
        Name { base: Cow::Borrowed(self.1[0].text()), parts: vec![Cow::Borrowed(&self.0)] }
    }

    fn config(&self, key: &str) -> Option<&str> {
        (key == "config").then(|| self.1[2].text())
    }

    fn all_config(&self) -> impl Iterator<Item = (&str, &str)> {
        [("config", self.1[2].text())].into_iter()
    }

    fn unit(&self) -> UnitName<'_> {
        UnitName { tidied: self.1[3].text(), written: None }
    }
}

fuzz_target!(|given: Given| {
    let subject = Has(format!("/part={}", given.has[1].text()), given.has);
    // Whatever was typed is read or refused; a refusal names a place in the text.
    match Filter::parse(&given.text) {
        Ok(filter) => drop(filter.passes(&subject)),
        Err(error) => assert!(!error.to_string().is_empty()),
    }
    let _refused = Projection::parse(&given.text);
    // Any text can be asked for: written as the language has it, it is read as itself.
    let query = format!("config:{}", quoted(&given.text));
    let filter = Filter::parse(&query).unwrap_or_else(|error| panic!("{query}: {error}"));
    assert_eq!(filter.passes(&subject), given.text == given.has[2].text(), "{query}");
    if given.condition.depth() < 60 {
        let query = given.condition.written();
        let filter = Filter::parse(&query).unwrap_or_else(|error| panic!("{query}: {error}"));
        assert_eq!(filter.passes(&subject), given.condition.holds(&given.has), "{query}");
        let again = Filter::parse(filter.query()).expect("it was read before");
        assert_eq!(again.passes(&subject), filter.passes(&subject));
    }
});
