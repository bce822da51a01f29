//! The fields of an export.
//!
//! Owns what each may look like in either schema. Everything is optional and every value may be of
//! any JSON type, so that one odd value costs one observation and not the file. Refuses to interpret.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};

use super::fields;
use crate::foreign::harness::{size, time};
use crate::foreign::wire::{Entries, Scalar, ScalarVisitor};

/// A value with its unit (schema 2), or a bare value.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Quantity {
    pub(super) value: Scalar,
    /// hyperfine's word for the unit; a number of things has none.
    pub(super) unit: Option<Cow<'static, str>>,
}

impl<'de> Deserialize<'de> for Quantity {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Quantity, D::Error> {
        deserializer.deserialize_any(QuantityVisitor)
    }
}

impl Quantity {
    fn bare(value: Scalar) -> Quantity {
        Quantity { value, unit: None }
    }
}

struct QuantityVisitor;

impl<'de> Visitor<'de> for QuantityVisitor {
    type Value = Quantity;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value with its unit")
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Quantity, E> {
        Ok(Quantity::bare(ScalarVisitor.visit_i64(value)?))
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Quantity, E> {
        Ok(Quantity::bare(ScalarVisitor.visit_u64(value)?))
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Quantity, E> {
        Ok(Quantity::bare(ScalarVisitor.visit_f64(value)?))
    }

    fn visit_unit<E: Error>(self) -> Result<Quantity, E> {
        Ok(Quantity::bare(Scalar::Null))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Quantity, E> {
        Ok(Quantity::bare(ScalarVisitor.visit_str(text)?))
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Quantity, E> {
        Ok(Quantity::bare(ScalarVisitor.visit_bool(value)?))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, list: A) -> Result<Quantity, A::Error> {
        Ok(Quantity::bare(ScalarVisitor.visit_seq(list)?))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Quantity, A::Error> {
        let mut quantity = Quantity::bare(Scalar::Null);
        while let Some(key) = map.next_key::<Cow<'de, str>>()? {
            match key.as_ref() {
                "value" => quantity.value = map.next_value()?,
                "unit" => quantity.unit = map.next_value::<Option<Unit>>()?.map(|unit| unit.0),
                _ => {
                    map.next_value::<IgnoredAny>()?;
                }
            }
        }
        Ok(quantity)
    }
}

/// A unit's name, without a copy for those hyperfine writes.
struct Unit(Cow<'static, str>);

impl<'de> Deserialize<'de> for Unit {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Unit, D::Error> {
        let name = Cow::<'de, str>::deserialize(deserializer)?;
        let known = time(&name).or_else(|| size(&name));
        Ok(Unit(known.map_or_else(|| name.into_owned().into(), Cow::Borrowed)))
    }
}

/// One run of schema 2: its fields by name, in order.
#[derive(Debug, PartialEq)]
pub(super) struct Measurement(pub(super) Vec<(Name, Quantity)>);

/// A field's name, without a copy for those hyperfine writes.
pub(super) type Name = Cow<'static, str>;

/// The field of a run that is no metric.
pub(super) const EXIT_CODE: &str = "exit_code";

impl<'de> Deserialize<'de> for Measurement {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Measurement, D::Error> {
        struct Fields;
        impl<'de> Visitor<'de> for Fields {
            type Value = Measurement;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a measurement")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Measurement, A::Error> {
                let mut fields = Vec::with_capacity(8);
                while let Some(key) = map.next_key::<Cow<'de, str>>()? {
                    let name = match fields::named(&key) {
                        Some(field) => field.metric.into(),
                        None if key == EXIT_CODE => EXIT_CODE.into(),
                        None => key.into_owned().into(),
                    };
                    fields.push((name, map.next_value()?));
                }
                Ok(Measurement(fields))
            }
        }
        deserializer.deserialize_map(Fields)
    }
}

/// The name of a parameter where an export gives its value alone, as those of hyperfine before 1.10 do.
pub(super) const PARAMETER: &str = "parameter";

/// A result: one benchmark.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct ResultWire {
    pub(super) command: Option<String>,
    pub(super) name: Option<String>,
    pub(super) parameters: Option<Parameters>,
    pub(super) parameter: Option<ParameterValue>,
    pub(super) environment: Option<IgnoredAny>,
    pub(super) mean: Option<Scalar>,
    pub(super) stddev: Option<Scalar>,
    pub(super) median: Option<Scalar>,
    pub(super) min: Option<Scalar>,
    pub(super) max: Option<Scalar>,
    pub(super) user: Option<Scalar>,
    pub(super) system: Option<Scalar>,
    pub(super) summary: Option<BTreeMap<String, Statistics>>,
    pub(super) failures: Option<Vec<FailureWire>>,
    pub(super) times: Option<Vec<Scalar>>,
    pub(super) exit_codes: Option<Vec<Scalar>>,
    pub(super) memory_usage_byte: Option<Vec<Scalar>>,
    pub(super) user_times: Option<Vec<Scalar>>,
    pub(super) system_times: Option<Vec<Scalar>>,
    pub(super) measurements: Option<Vec<Measurement>>,
}

/// Statistics of a metric.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Statistics {
    pub(super) mean: Option<Scalar>,
    pub(super) stddev: Option<Scalar>,
    pub(super) median: Option<Scalar>,
    pub(super) min: Option<Scalar>,
    pub(super) max: Option<Scalar>,
}

/// An execution that does not count: a field of etalon's own.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct FailureWire {
    pub(super) outcome: Option<String>,
    pub(super) exit_code: Option<i32>,
}

impl ResultWire {
    /// Its own statistics, those of wall clock (schema 1).
    pub(super) fn take_statistics(&mut self) -> Statistics {
        Statistics {
            mean: self.mean.take(),
            stddev: self.stddev.take(),
            median: self.median.take(),
            min: self.min.take(),
            max: self.max.take(),
        }
    }

    /// The parameters, by whichever name they are given.
    pub(super) fn take_parameters(&mut self) -> Vec<(String, String)> {
        let alone = self.parameter.take();
        let alone = || alone.map(|value| (PARAMETER.to_owned(), value.into_text()));
        let named = self.parameters.take().map(|parameters| parameters.0);
        named.unwrap_or_else(|| alone().into_iter().collect())
    }
}

/// A parameter's value: text, or an object that holds it (schema 2); of a scan in old exports a number.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
pub(super) enum ParameterValue {
    Text(String),
    Object { value: String },
    Other(serde_json::Value),
}

impl ParameterValue {
    fn into_text(self) -> String {
        match self {
            ParameterValue::Text(text) | ParameterValue::Object { value: text } => text,
            ParameterValue::Other(json) => json.to_string(),
        }
    }
}

/// Parameters in the order of the file.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Parameters(pub(super) Vec<(String, String)>);

impl<'de> Deserialize<'de> for Parameters {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Parameters, D::Error> {
        let Entries(entries) = Entries::<ParameterValue>::deserialize(deserializer)?;
        Ok(Parameters(entries.into_iter().map(|(name, it)| (name, it.into_text())).collect()))
    }
}

/// Facts about the execution (schema 2).
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Metadata {
    pub(super) hyperfine_version: Option<String>,
    pub(super) start_time: Option<String>,
    pub(super) platform: Platform,
}

/// The machine (schema 2).
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Platform {
    pub(super) os: Option<String>,
    pub(super) architecture: Option<String>,
}
