//! A record as what it is: a file of lines, each a JSON object. Read without etalon's own reader.

use std::path::Path;

use serde_json::{Value, json};

/// The lines of a record.
pub(crate) struct Record {
    pub lines: Vec<Value>,
}

impl Record {
    /// Reads a file; every line has to be whole and valid.
    #[track_caller]
    pub(crate) fn read(path: &Path) -> Record {
        let text = std::fs::read_to_string(path).expect("a readable record");
        assert!(text.ends_with('\n'), "a torn last line in {}:\n{text}", path.display());
        let lines = text.lines().map(|line| serde_json::from_str(line).expect("a whole line"));
        Record { lines: lines.collect() }
    }

    /// Lines of a type.
    pub(crate) fn of_type(&self, kind: &str) -> Vec<&Value> {
        self.lines.iter().filter(|line| line["type"] == kind).collect()
    }

    /// Observations, warm-ups excluded.
    pub(crate) fn measured(&self) -> Vec<&Value> {
        let mut observations = self.of_type("observation");
        observations.retain(|observation| observation.get("phase").is_none());
        observations
    }

    /// Warm-up observations.
    pub(crate) fn warm_ups(&self) -> Vec<&Value> {
        let mut observations = self.of_type("observation");
        observations.retain(|observation| observation["phase"] == "warmup");
        observations
    }

    /// Measured observations of one benchmark.
    pub(crate) fn of(&self, benchmark: usize) -> Vec<&Value> {
        let mut observations = self.measured();
        observations.retain(|observation| observation["benchmark"] == benchmark);
        observations
    }

    /// Which benchmark was executed when, as `block:benchmark`.
    pub(crate) fn order(&self) -> Vec<String> {
        let step = |o: &&Value| format!("{}:{}", o["block"], o["benchmark"]);
        self.measured().iter().map(step).collect()
    }

    /// What stopped it; absent in an unfinished record.
    pub(crate) fn stopped_by(&self) -> Option<String> {
        let end = self.of_type("end");
        assert!(end.len() <= 1, "several ends");
        end.first().map(|end| end["stopped_by"].as_str().expect("a word").to_owned())
    }
}

/// An observation's outcome as text; absent when it is ok.
pub(crate) fn outcome(observation: &Value) -> Option<String> {
    observation.get("outcome").map(|outcome| match outcome {
        Value::String(word) => word.clone(),
        other => other.to_string(),
    })
}

/// A metric's values in these observations.
pub(crate) fn column(observations: &[&Value], metric: &str) -> Vec<i64> {
    let value = |o: &&Value| o["values"][metric].as_i64().expect("an integer");
    observations.iter().map(value).collect()
}

/// A record written by hand: benchmarks `a`, `b`…, metrics `wall` (ns) and `cpu` (us) with the
/// launcher's resolutions, and per block one row of `(wall, cpu)` for each benchmark.
pub(crate) fn hand_written(blocks: &[&[(Value, Value)]]) -> String {
    let metric = |name: &str, unit: &str, resolution: f64| {
        json!({"type": "metric", "name": name, "unit": unit, "direction": "lower",
            "kind": "noisy", "resolution": resolution})
    };
    let mut lines = vec![
        json!({"type": "header", "format": "etalon", "version": 1, "id": "by-hand"}),
        metric("wall", "ns", 1e-8),
        metric("cpu", "us", 1e-6),
    ];
    for name in ["a", "b", "c", "d"].iter().take(blocks.first().map_or(1, |block| block.len())) {
        lines.push(json!({"type": "benchmark", "name": name, "command": name}));
    }
    for (block, rows) in blocks.iter().enumerate() {
        for (benchmark, (wall, cpu)) in rows.iter().enumerate() {
            lines.push(json!({"type": "observation", "benchmark": benchmark, "block": block,
                "values": {"wall": wall, "cpu": cpu}}));
        }
    }
    // serde_json sorts keys; a reader takes them in any order.
    lines.iter().map(|line| format!("{line}\n")).collect()
}
