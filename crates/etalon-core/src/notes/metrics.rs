//! Notes on a metric of a benchmark: what its readings can tell apart, and why they differ.

use std::sync::Arc;

use crate::model::Metric;
use crate::stats::Widening;
use crate::units::Base;
use crate::variation::Cause;

/// A remark on a metric of a benchmark.
#[derive(Debug, Clone, PartialEq)]
pub enum MetricNote {
    /// User and system time are too short to be told apart.
    SplitByTicks,
    /// Readings are shorter than 100 × the clock's resolution.
    NearResolution,
    /// Peak memory is not told apart from the launcher's own.
    LauncherFloor {
        /// The launcher's, in bytes.
        bytes: f64,
    },
    /// Serial dependence widens the interval of the median.
    Widened {
        /// Of what.
        metric: Arc<Metric>,
        /// By how much.
        widening: Widening,
    },
    /// Readings differ for a reason.
    Varies {
        /// The strongest that is seen.
        cause: Cause,
        /// The unit of the readings.
        base: Base,
    },
}
