//! Reading the generated reference values, and comparing numbers with a stated tolerance.

use std::path::Path;

use etalon_core::stats::Sorted;
use serde_json::Value;

/// One file of `tests/reference`.
#[allow(clippy::disallowed_methods)] // tests may read
pub(super) fn file(name: &str) -> Value {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/reference");
    let text = std::fs::read_to_string(path.join(format!("{name}.json"))).unwrap();
    serde_json::from_str(&text).unwrap()
}

/// The cases of a file, or of one of its lists; never none, so that no test passes on nothing.
pub(super) fn cases(list: &Value) -> &Vec<Value> {
    let cases = list.as_array().unwrap();
    assert!(!cases.is_empty());
    cases
}

/// The samples all files refer to by name.
pub(super) struct Samples(Value);

impl Samples {
    pub(super) fn read() -> Samples {
        Samples(file("samples"))
    }

    /// The sample that `case[key]` names.
    pub(super) fn values(&self, case: &Value, key: &str) -> Vec<f64> {
        numbers(&self.0[case[key].as_str().unwrap()])
    }

    pub(super) fn sorted(&self, case: &Value, key: &str) -> Sorted {
        Sorted::new(&self.values(case, key)).unwrap()
    }
}

pub(super) fn numbers(list: &Value) -> Vec<f64> {
    list.as_array().unwrap().iter().map(|v| v.as_f64().unwrap()).collect()
}

/// Equal within a relative `tolerance`; exactly if that is 0. Absent equals absent only.
#[track_caller]
pub(super) fn same(ours: Option<f64>, theirs: &Value, tolerance: f64, case: &Value) {
    let agree = match (ours, theirs.as_f64()) {
        (None, None) => theirs.is_null(),
        (Some(ours), Some(theirs)) => {
            ours == theirs || (ours - theirs).abs() <= tolerance * theirs.abs()
        }
        _ => false,
    };
    assert!(agree, "ours {ours:?}, reference {theirs}, case {case}");
}
