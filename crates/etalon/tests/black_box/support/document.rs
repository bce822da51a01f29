//! The JSON document of reports: held against its published schema, with cells in place of their ids.

use std::sync::{Mutex, OnceLock};

use boon::{Compiler, SchemaIndex, Schemas};
use serde_json::{Value, json};

/// A document that its schema allows. Lists of other things have no `kind`, and no schema.
#[track_caller]
pub(crate) fn document(printed: &str) -> Value {
    let document: Value = serde_json::from_str(printed).expect("one JSON document");
    if document.get("kind").is_some()
        && let Err(why) = valid(&document)
    {
        panic!("{why}\n{document:#}");
    }
    document
}

/// The thing of a list that an id refers to.
#[track_caller]
pub(crate) fn referred<'d>(list: &'d Value, id: &Value) -> &'d Value {
    let at = id.as_u64().and_then(|id| usize::try_from(id).ok());
    at.and_then(|at| list.get(at)).expect("an id")
}

/// Whether the schema allows a document; else why not.
pub(crate) fn valid(document: &Value) -> Result<(), String> {
    static SCHEMA: OnceLock<Mutex<(Schemas, SchemaIndex)>> = OnceLock::new();
    let schema = SCHEMA.get_or_init(|| {
        let text = include_str!("../../../../../docs/json.schema.json");
        let schema = serde_json::from_str(text).expect("a schema in JSON");
        let (mut schemas, mut compiler) = (Schemas::new(), Compiler::new());
        compiler.add_resource("json.schema.json", schema).expect("a resource");
        let index = compiler.compile("json.schema.json", &mut schemas).expect("a schema");
        Mutex::new((schemas, index))
    });
    let schema = schema.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    schema.0.validate(document, schema.1).map_err(|error| format!("{error:#}"))
}

/// The document with cells of tables as what their ids stand for: the figures of the benchmark, and beside them the
/// comparison.
pub(crate) fn with_cells(mut document: Value) -> Value {
    let whole = document.clone();
    let tables = document.get_mut("tables").and_then(Value::as_array_mut);
    for table in tables.into_iter().flatten() {
        let unit = table["unit"].as_str().expect("a unit").to_owned();
        let rows = table["rows"].as_array_mut().expect("rows").iter_mut();
        let cells = rows.flat_map(|row| row["cells"].as_array_mut().expect("cells"));
        for cell in cells.filter(|cell| !cell.is_null()) {
            let benchmark = at(&whole["benchmarks"], &cell["benchmark"]);
            let comparison = at(&whole["comparisons"], &cell["comparison"]);
            let mut figures = benchmark["metrics"][&unit].clone();
            assert!(figures.is_object(), "a benchmark without {unit}: {benchmark}");
            assert!(comparison.is_null() || comparison["metric"] == json!(unit), "{comparison}");
            figures["comparison"] = comparison;
            *cell = figures;
        }
    }
    document
}

/// The member of a list with that id.
fn at(list: &Value, id: &Value) -> Value {
    let Some(place) = id.as_u64() else { return Value::Null };
    let member = &list[usize::try_from(place).expect("a place")];
    assert_eq!(&member["id"], id, "its place is its id");
    member.clone()
}
