//! An ordered map as a JSON object whose keys keep their order, for `#[serde(with)]`.
//!
//! Owns that a key given twice is an error: parameters are identity, and the last one winning would
//! give two different benchmarks one key.

use std::fmt;

use serde::de::{Deserializer, Error, MapAccess, Visitor};
use serde::ser::{SerializeMap, Serializer};

pub(super) fn serialize<S: Serializer>(
    pairs: &[(String, String)],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let mut map = serializer.serialize_map(Some(pairs.len()))?;
    for (name, value) in pairs {
        map.serialize_entry(name, value)?;
    }
    map.end()
}

pub(super) fn deserialize<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Vec<(String, String)>, D::Error> {
    deserializer.deserialize_map(Pairs)
}

struct Pairs;

impl<'de> Visitor<'de> for Pairs {
    type Value = Vec<(String, String)>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object of strings")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut pairs: Vec<(String, String)> = Vec::new();
        while let Some((name, value)) = map.next_entry::<String, String>()? {
            if pairs.iter().any(|(other, _)| *other == name) {
                return Err(A::Error::custom(format_args!("`{name}` is given twice")));
            }
            pairs.push((name, value));
        }
        Ok(pairs)
    }
}

/// Serialization of a map that may be absent.
pub(super) mod optional {
    use serde::de::Deserializer;
    use serde::ser::Serializer;

    use super::Pairs;

    #[allow(clippy::ref_option)] // what serde hands over
    pub(in crate::raw) fn serialize<S: Serializer>(
        pairs: &Option<Vec<(String, String)>>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        super::serialize(pairs.as_deref().unwrap_or_default(), serializer)
    }

    pub(in crate::raw) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<Vec<(String, String)>>, D::Error> {
        deserializer.deserialize_map(Pairs).map(Some)
    }
}
