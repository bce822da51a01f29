//! The header line: what a record is, and how it came to be.
//!
//! Owns its fields in the order they are written. Refuses to decide whether a file is an etalon
//! record: that is [`mod@super::read`]'s first step.

use etalon_core::model::Context;
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
    /// What was lost of the source it was converted from: no check passes on such data.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lost: Option<String>,
}
