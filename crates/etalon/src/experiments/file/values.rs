//! Values in an experiment file: those of axes, plain ones, several, and conditions on them; values with their places.

#[cfg(test)]
use std::borrow::Cow;
use std::ops::Range;

use indexmap::IndexMap;
#[cfg(test)]
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::Deserialize;
use toml::Spanned;

/// A value with its place in the file, for errors. It is written for defaults in the schema only.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Deserialize)]
#[cfg_attr(test, derive(serde::Serialize))]
#[serde(transparent)]
pub(crate) struct Placed<T = String>(Spanned<T>);

/// A value of an axis.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(
    untagged,
    expecting = "a value of an axis is a text, a number, true or false, or a table with a name"
)]
pub(crate) enum Value {
    /// A text.
    Text(String),
    /// A whole number.
    Integer(i64),
    /// A number.
    Number(f64),
    /// true or false.
    Flag(bool),
    /// A value with fields, such as `{ name = "array-16", args = "array 16", about = "16 integers" }`. `about` is what
    /// the page says of it.
    Fields {
        /// What it is called.
        name: Box<Scalar>,
        /// Everything else.
        #[serde(flatten)]
        fields: IndexMap<String, Scalar>,
    },
}

/// A plain value.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(untagged, expecting = "a text, a number, true or false")]
pub(crate) enum Scalar {
    /// A text.
    Text(String),
    /// A whole number.
    Integer(i64),
    /// A number.
    Number(f64),
    /// true or false.
    Flag(bool),
}

/// Conditions of a combination: by axis a value, or several.
pub(crate) type Where = IndexMap<Placed, OneOrMore>;

/// A value, or several.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(untagged, expecting = "a value, or a list of values")]
pub(crate) enum OneOrMore {
    /// One.
    One(Scalar),
    /// Any of these.
    Several(Vec<Scalar>),
}

impl<T> Placed<T> {
    /// A value that stands there.
    pub(crate) fn new(span: Range<usize>, value: T) -> Placed<T> {
        Placed(Spanned::new(span, value))
    }

    /// The value.
    pub(crate) fn get_ref(&self) -> &T {
        self.0.get_ref()
    }

    /// Where it stands, in bytes.
    pub(crate) fn span(&self) -> Range<usize> {
        self.0.span()
    }
}

/// The schema of the value: its place is nothing that somebody writes.
#[cfg(test)]
impl<T: JsonSchema> JsonSchema for Placed<T> {
    fn inline_schema() -> bool {
        T::inline_schema()
    }

    fn schema_name() -> Cow<'static, str> {
        T::schema_name()
    }

    fn schema_id() -> Cow<'static, str> {
        T::schema_id()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        T::json_schema(generator)
    }
}

impl Scalar {
    /// As it stands in names and commands.
    pub(crate) fn text(&self) -> String {
        match self {
            Scalar::Text(text) => text.clone(),
            Scalar::Integer(number) => number.to_string(),
            Scalar::Number(number) => number.to_string(),
            Scalar::Flag(flag) => flag.to_string(),
        }
    }
}

impl Value {
    /// What it is called.
    pub(crate) fn name(&self) -> String {
        match self {
            Value::Text(text) => text.clone(),
            Value::Integer(number) => number.to_string(),
            Value::Number(number) => number.to_string(),
            Value::Flag(flag) => flag.to_string(),
            Value::Fields { name, .. } => name.text(),
        }
    }

    /// A field of it.
    pub(crate) fn field(&self, name: &str) -> Option<String> {
        match self {
            Value::Fields { fields, .. } if name != "name" => fields.get(name).map(Scalar::text),
            _ => (name == "name").then(|| self.name()),
        }
    }
}

impl OneOrMore {
    /// All of them.
    pub(crate) fn texts(&self) -> Vec<String> {
        match self {
            OneOrMore::One(one) => vec![one.text()],
            OneOrMore::Several(several) => several.iter().map(Scalar::text).collect(),
        }
    }
}
