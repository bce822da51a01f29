//! Why a line of a record is not used.

use etalon_core::dataset::Full;

use super::json::json_reason;

/// Why a line is not used.
pub(super) enum Refused {
    /// It is bad in itself.
    Line(String),
    /// Everything after it would be credited to the wrong benchmark.
    SecondHeader,
    /// Two nodes say that they executed the same block.
    BlockOfTwo {
        /// Its number.
        block: u32,
        /// The names of the nodes.
        nodes: [String; 2],
    },
}

impl From<String> for Refused {
    fn from(reason: String) -> Refused {
        Refused::Line(reason)
    }
}

impl From<Full> for Refused {
    fn from(full: Full) -> Refused {
        Refused::Line(full.to_string())
    }
}

impl From<serde_json::Error> for Refused {
    fn from(error: serde_json::Error) -> Refused {
        Refused::Line(json_reason(&error))
    }
}
