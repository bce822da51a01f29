//! The header line: what a record is, and how it came to be.
//!
//! Owns its fields in the order they are written. Refuses to decide whether a file is an etalon
//! record: that is [`mod@super::read`]'s first step.

use etalon_core::model::{Context, ExperimentFile};
use serde::{Deserialize, Serialize};

use crate::text::Text;

/// Facts about one execution, known when it starts.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct HeaderLine {
    /// Its id, from [`crate::store::make_id`]; absent where a source has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// The tool that wrote it and its version.
    #[serde(default)]
    pub tool: String,
    /// When it started, as an RFC 3339 time in UTC; absent where a source does not say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub started: Option<String>,
    /// The command line that produced it.
    #[serde(default)]
    pub argv: Vec<Text>,
    /// Facts about machine, tool and environment.
    #[serde(default)]
    pub context: Context,
    /// The file that the experiment was declared in, if it was.
    #[serde(default, skip_serializing_if = "Option::is_none", with = "experiment")]
    pub experiment: Option<ExperimentFile>,
    /// What was lost of the source it was converted from: no check passes on such data.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lost: Option<String>,
}

/// `experiment` as written: `path`, `text`, and by command what it printed.
mod experiment {
    use serde::{Deserializer, Serializer};

    use super::{Deserialize, ExperimentFile, Serialize};

    #[derive(Serialize, Deserialize)]
    #[serde(remote = "ExperimentFile")]
    struct Wire {
        #[serde(default)]
        path: String,
        text: String,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        outputs: Vec<(String, String)>,
    }

    #[derive(Deserialize)]
    struct Owned(#[serde(with = "Wire")] ExperimentFile);

    #[derive(Serialize)]
    struct Borrowed<'a>(#[serde(with = "Wire")] &'a ExperimentFile);

    pub(super) fn serialize<S: Serializer>(
        file: &Option<ExperimentFile>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        file.as_ref().map(Borrowed).serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<ExperimentFile>, D::Error> {
        Ok(Option::<Owned>::deserialize(deserializer)?.map(|Owned(file)| file))
    }
}
