//! The columns of BestGuess's raw files: which name means what.
//!
//! Owns one table for readers and writers. The names are those of every version so far (BestGuess 0.1
//! to 0.7); order is never relied on.

use crate::foreign::decimal::Scale;
use etalon_core::metrics;

/// A column by its contents.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Column {
    /// The command.
    Command,
    /// The shell that it was handed to; empty for none.
    Shell,
    /// A display name; empty for none.
    Name,
    /// Which use of the command it was, from 1.
    Batch,
    /// The exit code.
    Code,
    Metric(Quantity),
}

/// A column with values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Quantity {
    pub(super) metric: &'static str,
    /// The unit its values are written in.
    pub(super) unit: &'static str,
    /// From that unit to base units.
    pub(super) scale: Scale,
    /// Whether it is one that a version may leave out of rows, or leave out: a sum of others.
    pub(super) sum: bool,
}

const fn quantity(metric: &'static str, unit: &'static str, power: i32, sum: bool) -> Column {
    Column::Metric(Quantity { metric, unit, scale: Scale::Power(power), sum })
}

/// Names and meanings, in the order of version 0.7.
pub(super) const COLUMNS: [(&str, Column); 15] = [
    ("Command", Column::Command),
    ("Shell", Column::Shell),
    ("Name", Column::Name),
    ("Batch", Column::Batch),
    ("Exit code", Column::Code),
    ("User time (us)", quantity(metrics::USER, "us", -6, false)),
    ("System time (us)", quantity(metrics::SYS, "us", -6, false)),
    ("Max RSS (Bytes)", quantity(metrics::RSS, "B", 0, false)),
    ("Page Reclaims", quantity(metrics::MINFLT, "count", 0, false)),
    ("Page Faults", quantity(metrics::MAJFLT, "count", 0, false)),
    ("Voluntary Context Switches", quantity(metrics::VCSW, "count", 0, false)),
    ("Involuntary Context Switches", quantity(metrics::IVCSW, "count", 0, false)),
    ("Wall clock (us)", quantity(metrics::WALL, "us", -6, false)),
    ("Total time (us)", quantity(metrics::CPU, "us", -6, true)),
    ("Total Context Switches", quantity(metrics::CSW, "count", 0, true)),
];

/// The column that a header's name means, whatever its case and the spaces around it.
pub(super) fn meaning(name: &[u8]) -> Option<Column> {
    let name = name.trim_ascii();
    COLUMNS
        .iter()
        .find(|(known, _)| known.as_bytes().eq_ignore_ascii_case(name))
        .map(|(_, column)| *column)
}
