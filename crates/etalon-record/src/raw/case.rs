//! Functions on benchmark lines, and their output.
//!
//! Owns their fields as they are written. Refuses values the model cannot hold.

use etalon_core::model::{Case, CaseHost, Collector, Sampling, Warmup};
use serde::{Deserialize, Serialize};

use crate::text::Text;

/// The `case` of a benchmark line.
#[derive(Serialize, Deserialize)]
pub(super) struct CaseWire {
    file: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    directory: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    line: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    group: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    tags: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    bytes: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    items: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    skipped: Option<String>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    timer: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    host: Option<Box<HostWire>>,
    warmup: f64,
    /// `warmup` is the longest that it may take.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    until_level: bool,
    /// As suites say it: −1 off, 0 a full collection, above 0 steps of so many KB.
    gc_step: i64,
    confidence: f64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    target: Option<f64>,
}

/// The `host` of a case.
#[derive(Serialize, Deserialize)]
struct HostWire {
    name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    path: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    hash: Option<Box<str>>,
    version: String,
    language: String,
    jit: String,
    clock: String,
    memory: String,
}

impl From<CaseHost> for HostWire {
    fn from(host: CaseHost) -> HostWire {
        let CaseHost { name, path, hash, version, language, jit, clock, memory } = host;
        HostWire { name, path, hash, version, language, jit, clock, memory }
    }
}

impl From<HostWire> for CaseHost {
    fn from(wire: HostWire) -> CaseHost {
        let HostWire { name, path, hash, version, language, jit, clock, memory } = wire;
        CaseHost { name, path, hash, version, language, jit, clock, memory }
    }
}

impl From<&Case> for CaseWire {
    fn from(case: &Case) -> CaseWire {
        let Sampling { warmup, collector, confidence, target } = case.sampling;
        CaseWire {
            file: case.file.clone(),
            directory: case.directory.clone(),
            line: case.line,
            group: case.group.clone(),
            tags: case.tags.clone(),
            bytes: case.bytes,
            items: case.items,
            skipped: case.skipped.clone(),
            timer: case.timer,
            host: case.host.as_deref().cloned().map(|host| Box::new(host.into())),
            warmup: warmup.seconds(),
            until_level: warmup.until_level(),
            gc_step: collector.gc_step(),
            confidence,
            target,
        }
    }
}

impl TryFrom<CaseWire> for Case {
    type Error = String;

    fn try_from(wire: CaseWire) -> Result<Case, String> {
        let collector = match wire.gc_step {
            -1 => Collector::Off,
            0 => Collector::Full,
            step => u32::try_from(step).map(Collector::Step).map_err(|_| {
                format!("`gc_step` is {step}: it is -1, 0 or a number of KB below 2^32")
            })?,
        };
        let CaseWire { warmup, until_level, confidence, target, .. } = wire;
        let warmup = match until_level {
            true => Warmup::UntilLevel { at_most: warmup },
            false => Warmup::For(warmup),
        };
        if !(confidence > 0.0 && confidence <= 1.0) {
            return Err(format!("`confidence` is {confidence}: it lies above 0 and is at most 1"));
        }
        Ok(Case {
            file: wire.file,
            directory: wire.directory,
            line: wire.line,
            group: wire.group,
            tags: wire.tags,
            bytes: wire.bytes,
            items: wire.items,
            skipped: wire.skipped,
            timer: wire.timer,
            host: wire.host.map(|host| Box::new((*host).into())),
            sampling: Sampling { warmup, collector, confidence, target },
        })
    }
}

/// For serde: a case or none.
pub(super) mod optional {
    use etalon_core::model::Case;
    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    use super::CaseWire;

    pub(in crate::raw) fn serialize<S: Serializer>(
        case: &Option<Case>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        case.as_ref().map(CaseWire::from).serialize(serializer)
    }

    pub(in crate::raw) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<Case>, D::Error> {
        let wire = Option::<CaseWire>::deserialize(deserializer)?;
        wire.map(Case::try_from).transpose().map_err(D::Error::custom)
    }
}

/// An output line.
#[derive(Serialize, Deserialize)]
pub(super) struct OutputWire {
    #[serde(flatten)]
    pub(super) of: Printer,
    pub(super) text: Text,
}

/// An abort line.
#[derive(Serialize, Deserialize)]
pub(super) struct AbortWire {
    pub(super) benchmark: usize,
    pub(super) reason: String,
    pub(super) at: String,
    pub(super) count: u64,
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub(super) processes: u32,
}

fn one() -> u32 {
    1
}

#[allow(clippy::trivially_copy_pass_by_ref)] // serde passes a reference
fn is_one(processes: &u32) -> bool {
    *processes == 1
}

/// Who printed it.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Printer {
    /// A file while it was loaded.
    File(String),
    /// A process of a benchmark while it was executed.
    Benchmark(usize),
}
