//! The schema of experiment files, for editors; and a file to start from.

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;

use crate::failure::{Exit, Failure};
use crate::{cli, output};

/// The published schema, for editors. A test derives it from the types.
const SCHEMA: &str = include_str!("experiment.schema.json");

/// A commented file to start from.
const START: &str = include_str!("start.toml");

/// `etalon init`.
pub(crate) fn init(options: &cli::Init) -> Result<Exit, Failure> {
    if options.schema {
        return output::lines(&[SCHEMA.trim_end().to_owned()]).map(|()| Exit::Done);
    }
    if options.file == "-" {
        return output::lines(&[START.trim_end().to_owned()]).map(|()| Exit::Done);
    }
    let path = Path::new(&options.file);
    let new = File::options().write(true).create_new(true).open(path);
    new.and_then(|mut file| file.write_all(START.as_bytes())).map_err(|error| {
        match error.kind() {
            io::ErrorKind::AlreadyExists => {
                Failure::about(path.display(), "is there: name another file")
            }
            _ => Failure::about(path.display(), format!("cannot be written: {error}")),
        }
    })?;
    let name = path.display();
    output::remark(&format!(
        "{name} is there: change it, then `etalon run --dry-run {name}`, `etalon run {name}`"
    ));
    Ok(Exit::Done)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::toml_text::Source;

    /// The JSON Schema, made from the types.
    fn schema() -> String {
        let schema = schemars::schema_for!(crate::experiments::file::File);
        let mut text = serde_json::to_string_pretty(&schema).unwrap_or_default();
        text.push('\n');
        text
    }

    /// Would catch a published schema that says something else than the program, and keys without a meaning.
    #[test]
    fn the_published_schema_is_that_of_the_types() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/experiment.schema.json");
        if std::env::var_os("INSTA_UPDATE").is_some_and(|how| how == "always") {
            std::fs::write(path, schema()).unwrap();
        }
        assert!(
            SCHEMA == schema(),
            "docs/experiment.schema.json is not what the types say: INSTA_UPDATE=always cargo test -p etalon schema"
        );
        let schema: serde_json::Value = serde_json::from_str(SCHEMA).unwrap();
        let undocumented = undocumented("", &schema);
        assert_eq!(undocumented, Vec::<String>::new());
    }

    /// Keys of tables that nothing is said about.
    fn undocumented(at: &str, schema: &serde_json::Value) -> Vec<String> {
        let mut all = Vec::new();
        if let Some(properties) = schema["properties"].as_object() {
            for (key, property) in properties {
                let is_said = property["description"].is_string() || property["$ref"].is_string();
                all.extend((!is_said).then(|| format!("{at}.{key}")));
            }
        }
        if let Some(object) = schema.as_object() {
            for (key, inner) in object {
                all.extend(undocumented(&format!("{at}.{key}"), inner));
            }
        }
        all
    }

    /// Would catch a file to start from that does not start.
    #[test]
    fn the_file_to_start_from_can_be_read() {
        let file = Source { path: "start.toml", text: START }
            .parse::<crate::experiments::file::File>()
            .unwrap();
        assert!(!file.axes.is_empty() && !file.subject.is_empty() && !file.table.is_empty());
    }
}
