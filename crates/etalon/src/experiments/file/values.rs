//! Values in an experiment file: those of axes, plain ones, several, and conditions on them; texts with their places.

use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::Deserialize;
use toml::Spanned;

/// Texts with a place in the file, for errors.
pub(crate) type Placed = Spanned<String>;

/// A value of an axis.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
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
#[derive(Debug, Clone, Deserialize, JsonSchema)]
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
pub(crate) type Where = IndexMap<Key, OneOrMore>;

/// The name of an axis, with its place in the file.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Deserialize, JsonSchema)]
#[serde(transparent)]
pub(crate) struct Key(#[schemars(with = "String")] pub(crate) Placed);

/// A value, or several.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(untagged, expecting = "a value, or a list of values")]
pub(crate) enum OneOrMore {
    /// One.
    One(Scalar),
    /// Any of these.
    Several(Vec<Scalar>),
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
