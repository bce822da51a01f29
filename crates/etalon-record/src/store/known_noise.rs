//! Results about noise, for later reports of the same.
//!
//! Owns the files it is in, one for each experiment, named as the last run of it. It follows from the records of that
//! experiment; where it is removed, later reports do not name it. Refuses to find it out.

use std::collections::HashSet;
use std::path::PathBuf;

use etalon_core::noise::MeasuredNoise;
use serde::{Deserialize, Serialize};

use super::side::{read_json, write_json};
use super::{NOISE, Store, StoreError, file_names};

/// So many are read at most, the newest. Because: a report must not take long for a line.
const MOST: usize = 40;

/// The noise of a machine, as it was measured.
#[derive(Debug, Clone, PartialEq)]
pub struct KnownNoise {
    /// When the experiment began, in seconds since 1970.
    pub began: f64,
    /// Facts that tell machines apart.
    pub machine: Vec<Option<String>>,
    /// Of each benchmark.
    pub benchmarks: Vec<MeasuredNoise>,
}

/// As a file has it.
#[derive(Serialize, Deserialize)]
struct Wire {
    began: f64,
    machine: Vec<Option<String>>,
    benchmarks: Vec<KnownWire>,
}

#[derive(Serialize, Deserialize)]
struct KnownWire {
    name: String,
    metric: String,
    runs: usize,
    scatter: f64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    visible: Option<f64>,
}

impl Store {
    /// Keeps what was found out by an experiment, the last run of which is this.
    ///
    /// # Errors
    /// If a file cannot be written.
    pub fn keep_noise(&self, id: &str, found: &KnownNoise) -> Result<(), StoreError> {
        let KnownNoise { began, machine, benchmarks } = found.clone();
        let wire = |MeasuredNoise { name, metric, runs, scatter, visible }| KnownWire {
            name,
            metric,
            runs,
            scatter,
            visible,
        };
        let benchmarks = benchmarks.into_iter().map(wire).collect();
        write_json(&self.noise_file(id), &Wire { began, machine, benchmarks })
    }

    /// All results, those of the newest runs first. Files that cannot be read are left out.
    #[must_use]
    pub fn noise(&self) -> Vec<KnownNoise> {
        let names = file_names(&self.home.join(NOISE)).unwrap_or_default();
        let known: HashSet<&str> =
            names.iter().filter_map(|name| name.strip_suffix(".json")).collect();
        if known.is_empty() {
            return Vec::new();
        }
        let ids = self.ids().unwrap_or_default();
        let read = |id: &String| {
            let Wire { began, machine, benchmarks } = read_json(&self.noise_file(id))?;
            let known = |KnownWire { name, metric, runs, scatter, visible }| MeasuredNoise {
                name,
                metric,
                runs,
                scatter,
                visible,
            };
            let benchmarks = benchmarks.into_iter().map(known).collect();
            Some(KnownNoise { began, machine, benchmarks })
        };
        let of_runs = ids.iter().filter(|id| known.contains(id.as_str()));
        of_runs.take(MOST).filter_map(read).collect()
    }

    fn noise_file(&self, id: &str) -> PathBuf {
        self.home.join(NOISE).join(format!("{id}.json"))
    }
}
