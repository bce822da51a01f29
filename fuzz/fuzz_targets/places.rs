//! Where queries put the values of a dataset: filter and projections, against a plain evaluation of the same parts over what
//! was written into it. Conditions have no more parentheses than they need, so that precedence counts.
#![no_main]

use arbitrary::{Arbitrary, Unstructured};
use etalon_core::dataset::{Dataset, Measured};
use etalon_core::query::{ByUnit, Evaluator, Filter, Projection, ProjectionSpace};
use etalon_record::Strictness;
use etalon_record::open::{SourceFormat, read_bytes};
use libfuzzer_sys::fuzz_target;

/// Values of names, parts and facts, as they stand in the data and in a query.
const WORDS: [(&str, &str); 5] =
    [("a", "a"), ("ab", "\"ab\""), ("é", "é"), ("x\"", r#""x\"""#), ("AND", "\"AND\"")];
/// Units as written and tidied.
const UNITS: [(&str, &str); 4] =
    [("ns/op", "sec/op"), ("B/op", "B/op"), ("MB/s", "B/s"), ("sec/op", "sec/op")];
const SOURCE: &str = "source";

#[derive(Debug, Clone, Copy, Arbitrary)]
struct Word(u8);

impl Word {
    fn text(self) -> &'static str {
        WORDS[self.0 as usize % WORDS.len()].0
    }

    fn asked(self) -> &'static str {
        WORDS[self.0 as usize % WORDS.len()].1
    }
}

/// A line of results, as `go test` prints it.
#[derive(Debug, Arbitrary)]
struct Row {
    base: Word,
    part: Option<Word>,
    /// A second part with the same key: the first holds.
    second: Option<Word>,
    processors: Option<u8>,
    fact: Option<Word>,
    /// Bits of [`UNITS`].
    units: u8,
}

impl Row {
    fn base(&self) -> String {
        format!("N{}", self.base.text())
    }

    fn name(&self) -> String {
        let part = |word: &Option<Word>| word.map_or(String::new(), |it| format!("/part={}", it.text()));
        let processors = self.processors.map_or(String::new(), |number| format!("-{number}"));
        format!("{}{}/plain{}{processors}", self.base(), part(&self.part), part(&self.second))
    }

    fn units(&self) -> impl Iterator<Item = (&'static str, &'static str)> {
        // A row without values is none.
        let bits = if self.units & 15 == 0 { 1 } else { self.units };
        UNITS.into_iter().enumerate().filter(move |(at, _)| bits >> at & 1 == 1).map(|(_, unit)| unit)
    }

    fn value(&self, key: Key) -> String {
        let text = |word: Option<Word>| word.map_or("", Word::text).to_owned();
        match key {
            Key::Name => self.base(),
            Key::FullName => self.name(),
            Key::Part => text(self.part.or(self.second)),
            Key::Processors => self.processors.map_or(String::new(), |number| number.to_string()),
            Key::Fact => text(self.fact),
            Key::File => SOURCE.to_owned(),
            Key::Lacking => String::new(),
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Arbitrary)]
enum Key {
    Name,
    FullName,
    Part,
    Processors,
    Fact,
    File,
    Lacking,
}

impl Key {
    fn asked(self) -> &'static str {
        [".name", ".fullname", "/part", "/gomaxprocs", "fact", ".file", "lacking"][self as usize]
    }
}

#[derive(Debug, Clone, Copy, Arbitrary)]
enum Test {
    Is(Word),
    Empty,
    Begins(Word),
    Holds(Word),
}

impl Test {
    fn asked(self) -> String {
        match self {
            Test::Is(word) => word.asked().to_owned(),
            Test::Empty => "\"\"".to_owned(),
            Test::Begins(word) => format!("/^N?{}/", word.text()),
            Test::Holds(word) => format!("/{}/", word.text()),
        }
    }

    fn holds(self, value: &str) -> bool {
        match self {
            Test::Is(word) => value == word.text(),
            Test::Empty => value.is_empty(),
            Test::Begins(word) => {
                value.starts_with(word.text()) || value.starts_with(&format!("N{}", word.text()))
            }
            Test::Holds(word) => value.contains(word.text()),
        }
    }
}

#[derive(Debug, Arbitrary)]
enum Condition {
    Is(Key, Test),
    OneOf(Key, Test, Test),
    Unit(u8),
    Called(Test),
    Not(Box<Condition>),
    /// With `AND` between them, or nothing.
    Both(Box<Condition>, Box<Condition>, bool),
    Either(Box<Condition>, Box<Condition>),
    Everything,
}

impl Condition {
    fn asked(&self) -> String {
        match self {
            Condition::Is(key, test) => format!("{}:{}", key.asked(), test.asked()),
            Condition::OneOf(key, one, other) => {
                format!("{}:({} OR {})", key.asked(), one.asked(), other.asked())
            }
            Condition::Unit(unit) => format!(".unit:{}", UNITS[*unit as usize % UNITS.len()].0),
            Condition::Called(Test::Begins(word) | Test::Holds(word)) => format!("/{}/", word.text()),
            Condition::Called(test) => test.asked(),
            Condition::Not(of) => format!("-{}", of.closed()),
            Condition::Both(one, other, said) => {
                let side = |of: &Condition| match of {
                    Condition::Either(..) => of.closed(),
                    _ => of.asked(),
                };
                format!("{} {}{}", side(one), if *said { "AND " } else { "" }, side(other))
            }
            Condition::Either(one, other) => format!("{} OR {}", one.asked(), other.asked()),
            Condition::Everything => "*".to_owned(),
        }
    }

    fn closed(&self) -> String {
        match self {
            Condition::Both(..) | Condition::Either(..) => format!("({})", self.asked()),
            _ => self.asked(),
        }
    }

    fn holds(&self, row: &Row, unit: (&str, &str)) -> bool {
        match self {
            Condition::Is(key, test) => test.holds(&row.value(*key)),
            Condition::OneOf(key, one, other) => {
                let value = row.value(*key);
                one.holds(&value) || other.holds(&value)
            }
            Condition::Unit(asked) => {
                let asked = UNITS[*asked as usize % UNITS.len()].0;
                asked == unit.0 || asked == unit.1
            }
            // A word alone is looked for anywhere; the name without its parts is in the whole one.
            Condition::Called(Test::Empty) => true,
            Condition::Called(Test::Is(word) | Test::Begins(word) | Test::Holds(word)) => {
                row.name().contains(word.text())
            }
            Condition::Not(of) => !of.holds(row, unit),
            Condition::Both(one, other, _) => one.holds(row, unit) && other.holds(row, unit),
            Condition::Either(one, other) => one.holds(row, unit) || other.holds(row, unit),
            Condition::Everything => true,
        }
    }

    fn depth(&self) -> usize {
        match self {
            Condition::Not(of) => 1 + of.depth(),
            Condition::Both(one, other, _) | Condition::Either(one, other) => {
                1 + one.depth().max(other.depth())
            }
            _ => 1,
        }
    }
}

#[derive(Debug)]
struct Given {
    rows: Vec<Row>,
    condition: Condition,
    /// What is projected: a key with values it is narrowed to, if any.
    projected: Vec<(Key, Vec<Word>)>,
    alphabetic: bool,
}

impl<'a> Arbitrary<'a> for Given {
    fn arbitrary(u: &mut Unstructured<'a>) -> arbitrary::Result<Given> {
        let rows = (0..u.int_in_range(1..=6)?).map(|_| u.arbitrary()).collect::<Result<_, _>>()?;
        let mut projected: Vec<(Key, Vec<Word>)> = Vec::new();
        for _ in 0..u.int_in_range(1..=3)? {
            let (key, narrowed) = (u.arbitrary()?, u.ratio(1, 4)?);
            let words = if narrowed { vec![u.arbitrary()?, u.arbitrary()?] } else { Vec::new() };
            // The whole name is what the other keys leave of it: only alone it is as written.
            if key != Key::FullName && projected.iter().all(|(known, _)| *known != key) {
                projected.push((key, words));
            }
        }
        if projected.is_empty() {
            projected.push((Key::FullName, Vec::new()));
        }
        Ok(Given { rows, condition: u.arbitrary()?, projected, alphabetic: u.arbitrary()? })
    }
}

impl Given {
    fn read(&self) -> Dataset {
        let mut text = String::new();
        for row in &self.rows {
            text += &format!("fact: {}\n", row.fact.map_or("", Word::text));
            text += &format!("Benchmark{} 1", row.name());
            row.units().for_each(|(written, _)| text += &format!(" 1.5 {written}"));
            text.push('\n');
        }
        let read = read_bytes(text.as_bytes(), SOURCE, SourceFormat::Go, Strictness::Lenient);
        read.unwrap_or_else(|refused| panic!("{refused}\n{text}"))
    }

    fn projection(&self) -> String {
        let field = |(key, words): &(Key, Vec<Word>)| match &words[..] {
            [] if self.alphabetic => format!("{}@alpha", key.asked()),
            [] => key.asked().to_owned(),
            words => {
                let words: Vec<&str> = words.iter().map(|word| word.asked()).collect();
                format!("{}@({})", key.asked(), words.join(" "))
            }
        };
        self.projected.iter().map(field).collect::<Vec<_>>().join(",")
    }

    fn is_listed(&self, row: &Row) -> bool {
        self.projected.iter().all(|(key, words)| {
            words.is_empty() || words.iter().any(|word| word.text() == row.value(*key))
        })
    }
}

fuzz_target!(|given: Given| {
    if given.condition.depth() > 60 {
        return;
    }
    let (query, projection) = (given.condition.asked(), given.projection());
    let said = format!("{query} | {projection}");
    let filter = Filter::parse(&query).unwrap_or_else(|error| panic!("{query}: {error}"));
    let mut space = ProjectionSpace::new();
    let read = Projection::parse(&projection);
    let read = read.unwrap_or_else(|error| panic!("{projection}: {error}"));
    let asked = space.add(&read, ByUnit::No);
    let mut evaluator = Evaluator::new(filter.clone(), space);
    let data = given.read();
    assert_eq!(data.len(), given.rows.len(), "rows");
    let mut placed: Vec<(Vec<String>, u32)> = Vec::new();
    for (number, row) in given.rows.iter().enumerate() {
        let values: Vec<_> = data.row(number).collect();
        assert_eq!(values.len(), row.units().count(), "values of {}", row.name());
        for (value, unit) in values.into_iter().zip(row.units()) {
            let measured = Measured { data: &data, row: number, value };
            let passes = given.condition.holds(row, unit);
            assert_eq!(filter.passes(&measured), passes, "{said}: {row:?} {unit:?}");
            let place = evaluator.place(&measured);
            assert_eq!(place.is_some(), passes && given.is_listed(row), "{said}: {row:?} {unit:?}");
            let Some(place) = place else { continue };
            let tuple = evaluator.tuple(place, asked);
            let values = evaluator.values(asked, tuple);
            let values = values.into_iter().map(|value| value.unwrap_or_default().to_owned());
            let wanted: Vec<String> = given.projected.iter().map(|(key, _)| row.value(*key)).collect();
            assert_eq!(values.collect::<Vec<_>>(), wanted, "{said}");
            placed.push((wanted, tuple.0));
        }
    }
    let ranks = evaluator.ranks(asked);
    let alphabetic = given.alphabetic && given.projected.iter().all(|(_, words)| words.is_empty());
    for (one, first) in &placed {
        for (other, second) in &placed {
            assert_eq!(one == other, first == second, "{said}: distinct values are distinct tuples");
            if alphabetic {
                let ranked = ranks[*first as usize].cmp(&ranks[*second as usize]);
                assert_eq!(one.cmp(other), ranked, "{said}: {one:?} {other:?}");
            }
        }
    }
});
