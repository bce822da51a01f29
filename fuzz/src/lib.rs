//! Documents that are nearly always valid, and what has to hold of them.
//!
//! Random bytes seldom get beyond a header. Here a fuzzer's bytes choose names, values and how they are written; some
//! damage comes on top. What was written into an undamaged document has to be found in it; a damaged one may be refused.

use std::fmt::Write;

use arbitrary::{Arbitrary, Unstructured};
use etalon_core::dataset::Dataset;
use etalon_record::open::{SourceFormat, read_bytes};
use etalon_record::{Strictness, foreign, raw};

/// A benchmark with its readings, in whole units of what the format writes: ns or µs.
#[derive(Debug, Clone)]
pub struct Measured {
    /// Its name: unique in the document.
    pub name: String,
    /// At least one.
    pub values: Vec<u32>,
}

/// Bytes of a document that become others.
#[derive(Debug, Clone, Arbitrary)]
pub struct Damage {
    at: u32,
    byte: u8,
}

/// What a document holds.
#[derive(Debug)]
pub struct Given {
    /// At least one benchmark.
    pub benchmarks: Vec<Measured>,
    /// Chooses among ways to write the same.
    pub manner: u64,
    damage: Vec<Damage>,
}

impl<'a> Arbitrary<'a> for Given {
    fn arbitrary(u: &mut Unstructured<'a>) -> arbitrary::Result<Given> {
        let benchmarks = (0..u.int_in_range(1..=4)?)
            .map(|number| {
                let name = format!("{}{number}", name(u)?);
                let values = (0..u.int_in_range(1..=6)?).map(|_| value(u));
                Ok(Measured { name, values: values.collect::<arbitrary::Result<_>>()? })
            })
            .collect::<arbitrary::Result<_>>()?;
        let damage = if u.ratio(1, 4)? { Vec::arbitrary(u)? } else { Vec::new() };
        Ok(Given { benchmarks, manner: u.arbitrary()?, damage })
    }
}

/// A name of pieces that break careless readers, without white space, which Go's names end at.
fn name(u: &mut Unstructured<'_>) -> arbitrary::Result<String> {
    const PIECES: [&str; 18] = [
        "A", "Fast", "/n=10", "/a", "-8", "-16", "=", "é", "漢", "\\", "'", ",", ";", "%", "{x}", "#", "@", "\u{202e}",
    ];
    let mut name = "B".to_owned();
    for _ in 0..u.int_in_range(0..=4)? {
        name.push_str(u.choose(&PIECES)?);
    }
    // The number that makes it unique must not become one of processors.
    name.push('_');
    Ok(name)
}

/// Ties, extremes, and anything.
fn value(u: &mut Unstructured<'_>) -> arbitrary::Result<u32> {
    Ok(match u.int_in_range(0..=5)? {
        0 => 0,
        1 => 1,
        2 => 1000,
        3 => u32::MAX,
        _ => u.arbitrary()?,
    })
}

/// Names with their values of one unit, in base units, in the order of the document.
pub type Found = Vec<(String, Vec<f64>)>;

/// What a dataset holds in this base unit.
pub fn found(data: &Dataset, metric: &str) -> Found {
    let group = |group: &etalon_core::dataset::Group| {
        let (_, spellings) =
            data.metrics(group.run_set).into_iter().find(|(known, _)| known.name == metric)?;
        let column = data.columns(&group.rows, &[&spellings]).into_iter().next()?;
        let name = data.benchmarks[group.id.at()].name.full().to_owned();
        (!column.values.is_empty()).then_some((name, column.values))
    };
    data.groups().iter().filter_map(group).collect()
}

/// Whether they have the same benchmarks with the same doubles, bit for bit, in the same order.
fn same(one: &Found, other: &Found) -> bool {
    let bits = |values: &[f64]| values.iter().map(|value| value.to_bits()).collect::<Vec<_>>();
    one.len() == other.len()
        && one.iter().zip(other).all(|((a, ours), (b, theirs))| a == b && bits(ours) == bits(theirs))
}

/// Reads a document and holds what is found against what was written, and against what comes back from a record.
/// `metric` has the values, of which so many are one base unit: a power of ten, so that dividing by it rounds once.
pub fn check(given: &Given, format: SourceFormat, document: &[u8], metric: &str, per_unit: f64) {
    let mut bytes = document.to_vec();
    for Damage { at, byte } in &given.damage {
        let length = bytes.len().max(1);
        if let Some(place) = bytes.get_mut(*at as usize % length) {
            *place = *byte;
        }
    }
    let strict = read_bytes(&bytes, "fuzz", format, Strictness::Strict);
    let lenient = read_bytes(&bytes, "fuzz", format, Strictness::Lenient);
    let again = read_bytes(&bytes, "fuzz", format, Strictness::Lenient);
    assert_eq!(lenient.is_ok(), again.is_ok());
    if given.damage.is_empty() {
        let data = strict.unwrap_or_else(|refused| panic!("{refused}\n{}", shown(&bytes)));
        let values =
            |it: &Measured| it.values.iter().map(|value| f64::from(*value) / per_unit).collect();
        let expected = given.benchmarks.iter().map(|it| (it.name.clone(), values(it))).collect();
        let found = found(&data, metric);
        assert!(same(&expected, &found), "{expected:?}\n{found:?}\n{}", shown(&bytes));
    }
    let (Ok(data), Ok(again)) = (lenient, again) else { return };
    assert!(same(&found(&data, metric), &found(&again, metric)), "read twice: {}", shown(&bytes));
    let mut record = Vec::new();
    raw::write_record(&data, "fuzz", &mut record).expect("memory takes everything");
    let back = read_bytes(&record, "record", SourceFormat::Etalon, Strictness::Strict);
    let back = back.unwrap_or_else(|refused| panic!("{refused}\n{}", shown(&record)));
    let (was, is) = (found(&data, metric), found(&back, metric));
    assert!(same(&was, &is), "{was:?}\n{is:?}\n{}\n{}", shown(&bytes), shown(&record));
    let mut again = Vec::new();
    raw::write_record(&back, "fuzz", &mut again).expect("memory takes everything");
    // Reading notes what is absent, under the name of what is read.
    let but_notes = |record: &[u8]| -> Vec<String> {
        let all = shown(record);
        let is_note = |line: &&str| line.starts_with("{\"type\":\"note\"");
        all.lines().filter(|line| !is_note(line)).map(str::to_owned).collect()
    };
    assert_eq!(but_notes(&again), but_notes(&record), "a record of a record");
    let (mut direct, mut through) = (Vec::new(), Vec::new());
    foreign::write_go(&data, &mut direct).expect("memory takes everything");
    foreign::write_go(&back, &mut through).expect("memory takes everything");
    assert_eq!(shown(&direct), shown(&through), "through a record: {}", shown(&record));
}

fn shown(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// A text in JSON.
pub fn json(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            c if c < ' ' => write!(out, "\\u{:04x}", c as u32).expect("a String takes everything"),
            c => out.push(c),
        }
    }
    out + "\""
}
