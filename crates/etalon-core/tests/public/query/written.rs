//! Queries that are made of values: they mean what they were made of, and so does their text.

use std::borrow::Cow;

use etalon_core::query::{
    Filter, Identity, Key, Name, Order, Projection, Subject, UnitName, quoted,
};
use proptest::prelude::*;

/// Any text: letters, what the language means something by, controls, and what is not seen or reorders.
pub(crate) fn text() -> impl Strategy<Value = String> {
    let hostile = r#"हिन्दी|é|e\u{301}|\u{a0}|\u{3000}|\u{200d}|\u{202e}|\u{feff}|\u{e0041}|\u{85}|\u{2028}|[\x00-\x1f]|\x7f"#;
    let language = r#"[ "\\'`(){}:@,/*|-]|AND|OR|\\u|\\x|\.name|\.config|=|a|7"#;
    prop_oneof![
        prop::collection::vec(any::<char>(), 0..12).prop_map(|chars| chars.into_iter().collect()),
        proptest::string::string_regex(&format!("({hostile}|{language}){{0,8}}")).unwrap(),
    ]
}

struct Has<'a> {
    key: &'a str,
    value: &'a str,
}

impl Subject for Has<'_> {
    fn identity(&self) -> Identity {
        Identity { name: 0, config: 0, unit: 0 }
    }

    fn name(&self) -> Name<'_> {
        let part = format!("/{}={}", self.key, self.value);
        Name { base: Cow::Borrowed(self.value), parts: vec![Cow::Owned(part)] }
    }

    fn config(&self, key: &str) -> Option<&str> {
        (key == self.key).then_some(self.value)
    }

    fn all_config(&self) -> impl Iterator<Item = (&str, &str)> {
        [(self.key, self.value)].into_iter()
    }

    fn unit(&self) -> UnitName<'_> {
        UnitName { tidied: self.value, written: None }
    }
}

/// Keys as programs make them. What is no key (an empty one) is made by none.
fn key() -> impl Strategy<Value = Key> {
    let named = text().prop_filter("a key", |key| {
        !key.is_empty() && Key::from_word(key) == Key::Config(key.clone())
    });
    prop_oneof![
        Just(Key::Name),
        Just(Key::FullName),
        text().prop_map(Key::Part),
        named.prop_map(Key::Config),
    ]
}

fn order() -> impl Strategy<Value = Order> {
    prop_oneof![
        Just(Order::First),
        Just(Order::Alpha),
        Just(Order::Num),
        prop::collection::vec(text(), 1..4).prop_map(Order::Fixed),
    ]
}

fn fields(projection: &Projection) -> Vec<(Key, Order)> {
    let fields = projection.fields().iter();
    fields.map(|field| (field.mention.key.clone(), field.order.clone())).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4096))]

    /// Would catch a text that cannot be asked for, comes back as another one, or moves a terminal's cursor.
    #[test]
    fn a_quoted_word_is_read_as_itself(word in text(), other in text()) {
        let written = quoted(&word);
        prop_assert!(!written.contains(char::is_control), "{written:?}");
        let query = format!("/key:{written}");
        let filter = Filter::parse(&query);
        prop_assert!(filter.is_ok(), "{query:?} {filter:?}");
        let passes = |value: &str| filter.as_ref().unwrap().passes(&Has { key: "key", value });
        prop_assert!(passes(&word), "{query:?}");
        prop_assert_eq!(passes(&other), other == word, "{:?}", query);
    }

    /// Would catch a key, an order or a value that is another one in the text of a projection.
    #[test]
    fn the_text_of_a_projection_is_the_projection(
        asked in prop::collection::vec((key(), order()), 0..4),
    ) {
        let made = Projection::from_keys(asked.clone());
        let read = Projection::parse(&made.to_string());
        prop_assert!(read.is_ok(), "{made} {read:?}");
        prop_assert_eq!(read.unwrap(), made.clone(), "{}", made);
        prop_assert_eq!(fields(&made), asked);
    }

    /// Would catch a filter whose text means something else, or mentions keys at other places than it has them.
    #[test]
    fn the_text_of_a_filter_is_the_filter(
        asked in prop::collection::vec((key(), text()), 1..4),
        has in (text(), text()),
        both in any::<bool>(),
    ) {
        let parts = asked.iter().map(|(key, value)| Filter::is(key.clone(), value));
        let any = Filter::any(parts.clone());
        let made = if both { Filter::all([any, Filter::parse("-x y").unwrap()]) } else { Filter::all(parts) };
        let read = Filter::parse(made.query());
        prop_assert!(read.is_ok(), "{} {read:?}", made.query());
        let read = read.unwrap();
        prop_assert_eq!(read.mentions(), made.mentions());
        let named = asked.iter().map(|(key, value)| match key {
            Key::Part(name) | Key::Config(name) => (name.as_str(), value.as_str()),
            _ => ("x", value.as_str()),
        });
        for (key, value) in named.chain([(has.0.as_str(), has.1.as_str())]) {
            let subject = Has { key, value };
            prop_assert_eq!(read.passes(&subject), made.passes(&subject), "{}", made.query());
        }
    }
}

/// Would catch a condition on values that passes another value, or none.
#[test]
fn values_are_what_they_are() {
    for value in ["हिन्दी", "cafe\u{301}", "a\u{a0}b", "\u{202e}x", "\"\\", "", "AND", "-", "/x/"]
    {
        let filter = Filter::is(Key::Part("v".to_owned()), value);
        assert!(filter.passes(&Has { key: "v", value }), "{}", filter.query());
        assert!(!filter.passes(&Has { key: "v", value: "other" }), "{}", filter.query());
    }
    assert_eq!(Filter::is(Key::Unit, "sec/op").query(), ".unit:sec/op");
    let sides = Order::Fixed(vec!["base".to_owned(), "head".to_owned()]);
    assert_eq!(
        Projection::from_keys([(Key::Part("side".to_owned()), sides)]).to_string(),
        "/side@(base head)"
    );
    assert!(Filter::all([]).passes(&Has { key: "v", value: "x" }));
}
