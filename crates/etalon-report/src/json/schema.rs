//! The published schema is that of the types.

use schemars::Schema;
use schemars::generate::SchemaSettings;
use schemars::transform::{RecursiveTransform, Transform};
use serde_json::{Value, json};

use super::document::Document;

/// The schema of a document: no object whose keys are known has others.
fn schema() -> Value {
    let settings = SchemaSettings::draft2020_12().for_serialize();
    let closed = |schema: &mut Schema| {
        // Widths of integers and of doubles are Rust's.
        schema.remove("format");
        if schema.get("properties").is_some() {
            schema.insert("additionalProperties".to_owned(), json!(false));
        }
    };
    let mut schema = settings.into_generator().into_root_schema_for::<Document<'_>>();
    RecursiveTransform(closed).transform(&mut schema);
    schema.to_value()
}

/// Would catch a published schema that says something else than the program, and keys without a meaning.
#[test]
#[allow(
    clippy::disallowed_methods,
    reason = "the published file is read, and written where that is asked"
)]
fn the_published_schema_is_that_of_the_types() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/json.schema.json");
    let schema = schema();
    let text = format!("{schema:#}\n");
    if std::env::var_os("INSTA_UPDATE").is_some_and(|how| how == "always") {
        std::fs::write(path, &text).unwrap();
    }
    let published = std::fs::read_to_string(path).unwrap();
    assert!(
        published == text,
        "docs/json.schema.json is not what the types say: INSTA_UPDATE=always cargo test -p etalon-report schema"
    );
    let mut undocumented = Vec::new();
    without_meaning("", &schema, &mut undocumented);
    assert_eq!(undocumented, Vec::<String>::new());
}

/// Keys that nothing is said about.
fn without_meaning(at: &str, schema: &Value, all: &mut Vec<String>) {
    let Some(object) = schema.as_object() else { return };
    if let Some(properties) = schema["properties"].as_object() {
        let silent = properties.iter().filter(|(_, it)| {
            it.get("description").is_none() && it.get("$ref").is_none() && it.get("const").is_none()
        });
        all.extend(silent.map(|(key, _)| format!("{at}.{key}")));
    }
    object.iter().for_each(|(key, inner)| without_meaning(&format!("{at}.{key}"), inner, all));
}
