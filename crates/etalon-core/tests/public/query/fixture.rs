//! Reading the generated cases, and a row of them as a subject.

use std::path::Path;

use etalon_core::query::{Identity, Name, Subject, UnitName};
use serde_json::Value;

/// One result line.
pub(super) struct Row {
    pub name: String,
    pub config: Vec<(String, String)>,
    pub file: String,
    pub units: Vec<(String, String)>,
}

/// A file of cases; what each case holds is in the generator's `main.go`.
pub(super) struct Fixture {
    rows: Value,
    pub filters: Vec<Value>,
    pub spaces: Vec<Value>,
}

impl Fixture {
    #[allow(clippy::disallowed_methods)] // tests may read
    pub(super) fn read(name: &str) -> Fixture {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/public/query").join(name);
        let mut all: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
        let mut list = |key: &str| match all[key].take() {
            Value::Array(cases) => cases,
            _ => panic!("{name} has no {key}"),
        };
        let (filters, spaces) = (list("filters"), list("spaces"));
        Fixture { rows: all["rows"].take(), filters, spaces }
    }

    /// The rows that a case names.
    pub(super) fn rows(&self, case: &Value) -> Vec<Row> {
        let rows = self.rows[text(case, "rows")].as_array().unwrap();
        rows.iter()
            .map(|row| Row {
                name: text(row, "name").to_owned(),
                config: pairs(&row["config"]),
                file: text(row, "file").to_owned(),
                units: pairs(&row["units"]),
            })
            .collect()
    }
}

pub(super) fn text<'v>(value: &'v Value, key: &str) -> &'v str {
    value[key].as_str().unwrap()
}

/// Pairs of texts; Go writes null for none.
fn pairs(list: &Value) -> Vec<(String, String)> {
    let pair =
        |pair: &Value| (pair[0].as_str().unwrap().to_owned(), pair[1].as_str().unwrap().to_owned());
    list.as_array().map(|list| list.iter().map(pair).collect()).unwrap_or_default()
}

/// One measurement of a row; every measurement has an identity of its own.
pub(super) struct Measurement<'r> {
    pub row: &'r Row,
    pub number: u32,
    pub unit: usize,
}

/// All measurements, row by row.
pub(super) fn measurements(rows: &[Row]) -> Vec<Vec<Measurement<'_>>> {
    let units = |row: &Row| row.units.len();
    (0..)
        .zip(rows)
        .map(|(number, row)| {
            (0..units(row)).map(|unit| Measurement { row, number, unit }).collect()
        })
        .collect()
}

impl Subject for Measurement<'_> {
    fn identity(&self) -> Identity {
        let unit = u32::try_from(self.unit).unwrap();
        Identity { name: self.number, config: self.number, unit }
    }

    fn name(&self) -> Name<'_> {
        Name::from_go(&self.row.name)
    }

    fn config(&self, key: &str) -> Option<&str> {
        if key == ".file" {
            return Some(&self.row.file);
        }
        self.row.config.iter().find(|(known, _)| known == key).map(|(_, value)| value.as_str())
    }

    fn all_config(&self) -> impl Iterator<Item = (&str, &str)> {
        self.row.config.iter().map(|(key, value)| (key.as_str(), value.as_str()))
    }

    fn unit(&self) -> UnitName<'_> {
        let (tidied, written) = &self.row.units[self.unit];
        UnitName { tidied, written: (!written.is_empty()).then_some(written) }
    }
}
