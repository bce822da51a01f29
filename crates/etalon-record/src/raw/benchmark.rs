//! The benchmark line: a declared benchmark with everything needed to execute it again.
//!
//! Owns what core's `Benchmark` leaves out (exact bytes, the resolved path, the prepare command)
//! and the way from one to the other. Refuses to resolve or split commands.

use std::collections::BTreeMap;

use etalon_core::model::{Accept, Benchmark, BenchmarkKey, Case, Level};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::{case, ordered};
use crate::text::Text;

/// A declared benchmark as the record keeps it.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct BenchmarkLine {
    /// The name it is shown under.
    pub name: String,
    /// Parameter names and values, in the order they were declared.
    #[serde(default, skip_serializing_if = "Vec::is_empty", with = "ordered")]
    pub params: Vec<(String, String)>,
    /// Its name in pieces, where the name would be cut otherwise: the base, and parts with their slash or hyphen.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pieces: Option<Vec<String>>,
    /// The facts it was measured under, where those are not the context: key and value, in order.
    #[serde(default, skip_serializing_if = "Option::is_none", with = "ordered::optional")]
    pub configuration: Option<Vec<(String, String)>>,
    /// The command, as the user typed it; absent where a foreign source does not say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub command: Option<Text>,
    /// The arguments the program is started with, its name first; empty where not known.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub argv: Vec<Text>,
    /// The program's resolved path.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<Text>,
    /// A hash of the content of that program, or of a case's file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hash: Option<Box<str>>,
    /// Variables of the environment that are its own, as `NAME=VALUE`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub env: Vec<Text>,
    /// The directory it is executed in, where that is its own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cwd: Option<Text>,
    /// The command without whose success it is not installed, executed once, untimed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub requires: Option<Text>,
    /// The program and arguments the command is handed to, where one was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shell: Option<Text>,
    /// The command executed once before the first execution, untimed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub setup: Option<Text>,
    /// The command executed before every execution, untimed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prepare: Option<Text>,
    /// The command executed after every execution, untimed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub conclude: Option<Text>,
    /// The command executed once after the last execution, untimed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cleanup: Option<Text>,
    /// Which non-zero exit codes count as completed.
    #[serde(
        default,
        skip_serializing_if = "is_zero",
        serialize_with = "write_accept",
        deserialize_with = "read_accept"
    )]
    pub accept: Accept,
    /// Whether its rows are centres alone, which a harness formed, and no readings.
    #[serde(default, skip_serializing_if = "is_false")]
    pub summary: bool,
    /// By metric, the resolution of its values in base units, where a clock of its own took them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resolutions: Option<BTreeMap<String, f64>>,
    /// Where it is declared and how it is sampled, if it is a function.
    #[serde(default, skip_serializing_if = "Option::is_none", with = "case::optional")]
    pub case: Option<Case>,
}

impl BenchmarkLine {
    /// The part of it that the analysis needs; text that is not UTF-8 becomes lossy here.
    #[must_use]
    pub fn to_benchmark(&self) -> Benchmark {
        let lossy = |text: &Option<Text>| text.as_ref().map(|t| t.to_string_lossy().into_owned());
        Benchmark {
            key: BenchmarkKey { name: self.name.clone(), params: self.params.clone() },
            command: lossy(&self.command),
            shell: lossy(&self.shell),
            hash: self.hash.clone(),
            accept: self.accept.clone(),
            level: if self.summary { Level::Summary } else { Level::Readings },
            resolutions: self.resolutions.clone(),
            case: self.case.clone(),
        }
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "as serde calls it")]
fn is_false(flag: &bool) -> bool {
    !flag
}

fn is_zero(accept: &Accept) -> bool {
    *accept == Accept::Zero
}

/// `accept` as written; `Zero` is an absent field.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum AcceptWire {
    Word(AcceptWord),
    Codes(Vec<i32>),
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum AcceptWord {
    Any,
}

fn write_accept<S: Serializer>(accept: &Accept, serializer: S) -> Result<S::Ok, S::Error> {
    match accept {
        Accept::Zero => serializer.serialize_none(),
        Accept::Any => AcceptWire::Word(AcceptWord::Any).serialize(serializer),
        Accept::Codes(codes) => codes.serialize(serializer),
    }
}

fn read_accept<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Accept, D::Error> {
    use serde::de::Error;
    let wire = Option::<AcceptWire>::deserialize(deserializer)
        .map_err(|_| D::Error::custom("`accept` is neither \"any\" nor a list of exit codes"))?;
    Ok(match wire {
        None => Accept::Zero,
        Some(AcceptWire::Word(AcceptWord::Any)) => Accept::Any,
        Some(AcceptWire::Codes(codes)) => Accept::Codes(codes),
    })
}
