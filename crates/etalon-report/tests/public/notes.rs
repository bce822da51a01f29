//! The notes of a report in words.

use etalon_core::analysis::Analysis;
use etalon_report::json;

/// The subject and the text of each note, in order, as the document has them.
pub(crate) fn notes(analysis: &Analysis) -> Vec<(String, String)> {
    let mut out = Vec::new();
    json::ranking(analysis, &mut out).unwrap();
    let document: serde_json::Value = serde_json::from_slice(&out).unwrap();
    let text =
        |note: &serde_json::Value, field: &str| note[field].as_str().unwrap_or_default().to_owned();
    let notes = document["notes"].as_array().unwrap().iter();
    notes.map(|note| (text(note, "about"), text(note, "text"))).collect()
}
