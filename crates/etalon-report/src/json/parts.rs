//! Parts of a document that serde has no type for: objects whose keys come in an order, and lists whose members are made
//! while they are written.
//!
//! Refuses to know what they hold.

use std::borrow::Cow;

use etalon_core::criteria;
use serde::Serialize;
use serde::ser::Serializer;

/// An object whose keys are names from outside, in their order.
pub(super) struct Ordered<'a, T>(pub(super) Vec<(Cow<'a, str>, T)>);

impl<'a, T> Ordered<'a, T> {
    pub(super) fn from_pairs(pairs: impl Iterator<Item = (&'a str, T)>) -> Ordered<'a, T> {
        Ordered(pairs.map(|(key, value)| (Cow::Borrowed(key), value)).collect())
    }
}

impl<T: Serialize> Serialize for Ordered<'_, T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(key, value)| (key, value)))
    }
}

/// A list whose members are made one by one while it is written. Because: all at once, of thousands, they would take
/// several times the memory of the analysis.
pub(super) struct Each<'a, T> {
    len: usize,
    make: Box<dyn Fn(usize) -> T + 'a>,
}

impl<'a, T> Each<'a, T> {
    pub(super) fn new(len: usize, make: impl Fn(usize) -> T + 'a) -> Each<'a, T> {
        Each { len, make: Box::new(make) }
    }

    pub(super) fn none() -> Each<'a, T> {
        Each { len: 0, make: Box::new(|_| unreachable!("a list without members")) }
    }
}

impl<T: Serialize> Serialize for Each<'_, T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq((0..self.len).map(&self.make))
    }
}

/// The margin in force for a metric: a share, or an amount.
#[derive(Serialize)]
#[serde(untagged)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) enum Margin {
    /// A share of the base.
    Share {
        /// From 0 to 1.
        relative: f64,
    },
    /// An amount.
    Amount {
        /// How large.
        absolute: f64,
        /// Its base unit: `s`, `B` or `count`.
        unit: String,
    },
}

impl Margin {
    pub(super) fn new(margin: criteria::Margin) -> Margin {
        match margin {
            criteria::Margin::Relative(relative) => Margin::Share { relative },
            criteria::Margin::Absolute(absolute, of) => {
                Margin::Amount { absolute, unit: of.base().to_string() }
            }
        }
    }
}

#[cfg(test)]
mod schema {
    //! In a schema they are an object and a list.

    use std::borrow::Cow;
    use std::collections::BTreeMap;

    use schemars::{JsonSchema, Schema, SchemaGenerator};

    use super::{Each, Ordered};

    impl<T: JsonSchema> JsonSchema for Ordered<'_, T> {
        fn inline_schema() -> bool {
            true
        }

        fn schema_name() -> Cow<'static, str> {
            BTreeMap::<String, T>::schema_name()
        }

        fn json_schema(generator: &mut SchemaGenerator) -> Schema {
            BTreeMap::<String, T>::json_schema(generator)
        }
    }

    impl<T: JsonSchema> JsonSchema for Each<'_, T> {
        fn inline_schema() -> bool {
            true
        }

        fn schema_name() -> Cow<'static, str> {
            Vec::<T>::schema_name()
        }

        fn json_schema(generator: &mut SchemaGenerator) -> Schema {
            Vec::<T>::json_schema(generator)
        }
    }
}
