//! Reading an export: the document, result by result.
//!
//! Owns the walk through the document, and what happens where it breaks off: results before that
//! are used, with a note. Refuses to hold the document in memory: one result at a time. What a result
//! means is [`super::results`]'s.

use std::fmt;
use std::io::BufRead;

use etalon_core::dataset::{Dataset, Full, RunSetId};
use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::Value;

use super::results::Results;
use super::wire::{Metadata, ResultWire};
use crate::inputs::Input;
use crate::raw::{ReadError, Strictness, json_reason};

/// Adds an export to a dataset as its next run set, named so in errors and notes, and labelled so beside
/// others; its index.
///
/// Linear in the input; holds one result and the rows. What cannot be used becomes a note; with
/// [`Strictness::Strict`] the first such thing is an error.
///
/// # Errors
/// If the stream cannot be read, is not JSON from its start, or holds no results. What was read by then
/// is in the dataset.
pub fn read_into(
    data: &mut Dataset,
    reader: impl BufRead,
    input: &Input,
    strictness: Strictness,
) -> Result<RunSetId, ReadError> {
    let source = input.path.as_str();
    let full = |Full| ReadError::full(source);
    let mut results = Results::new(data, input, strictness).map_err(full)?;
    let mut json = serde_json::Deserializer::from_reader(reader);
    let mut seen = false;
    let document = DocumentVisitor { results: &mut results, seen: &mut seen };
    let read = json.deserialize_map(document).and_then(|()| json.end());
    if let Some(fatal) = results.fatal.take() {
        return Err(fatal);
    }
    let owned = || source.to_owned();
    let Err(error) = read else {
        if seen {
            return results.finish(None).map_err(full);
        }
        let reason = "there is no list called `results`".to_owned();
        return Err(ReadError::Json { source: owned(), line: 1, reason });
    };
    let line = error.line() as u64;
    if error.is_io() {
        return Err(ReadError::Io { source: owned(), line, why: json_reason(&error) });
    }
    let reason = json_reason(&error);
    if strictness == Strictness::Strict || results.count == 0 {
        return Err(ReadError::Json { source: owned(), line, reason });
    }
    results.finish(Some((line, reason))).map_err(full)
}

struct DocumentVisitor<'a, 'd> {
    results: &'a mut Results<'d>,
    seen: &'a mut bool,
}

impl<'de> Visitor<'de> for DocumentVisitor<'_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an export of hyperfine")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(key) = map.next_key::<String>()? {
            match key.as_str() {
                "results" if *self.seen => {
                    return Err(A::Error::custom("a second list called `results`"));
                }
                "results" => {
                    *self.seen = true;
                    map.next_value_seed(ListVisitor { results: &mut *self.results })?;
                }
                "metadata" => {
                    if let Some(metadata) = map.next_value::<Option<Metadata>>()? {
                        self.results.context(metadata);
                    }
                }
                "schema_version" => {
                    self.results.schema(&map.next_value::<Value>()?);
                }
                "primary_metric" => {
                    if let Some(Value::String(name)) = map.next_value()? {
                        self.results.rank_by(&name);
                    }
                }
                _ => {
                    map.next_value::<IgnoredAny>()?;
                }
            }
        }
        Ok(())
    }
}

struct ListVisitor<'a, 'd> {
    results: &'a mut Results<'d>,
}

impl<'de> DeserializeSeed<'de> for ListVisitor<'_, '_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for ListVisitor<'_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of results")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        while let Some(result) = list.next_element::<ResultWire>()? {
            self.results.take(result).map_err(|()| A::Error::custom("refused"))?;
        }
        Ok(())
    }
}
