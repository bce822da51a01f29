//! Figures for pictures of readings, computed once: whoever draws them computes nothing.
//!
//! Owns which benchmarks and comparisons are drawn, and how many points of each: of many readings so many that a
//! picture of some hundred columns shows the same. Pure: the same data give the same points. Refuses to know sizes,
//! colours and words.

mod group;
mod growth;
mod pair;
mod readings;
mod thin;
mod warmups;

pub use group::{Group, analysis_groups};
pub(crate) use growth::{Curve, Curves, Size, name_sizes, plain_number};
pub use growth::{Growing, Grown, growing};
pub use pair::{JointLevel, Pair, Shifted, pair};
pub use readings::{Density, Plotted, Point};
pub(crate) use thin::{COLUMNS, evenly};

/// How values stand on an axis.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Axis {
    /// By their size.
    Linear,
    /// By their logarithm.
    Logarithmic,
}

/// Ends this far apart stand by their logarithms.
const WIDE: f64 = 20.0;

impl Axis {
    /// The axis that suits values; absent of none.
    pub(crate) fn suiting_all(values: impl Iterator<Item = f64>) -> Option<Axis> {
        let (low, high) = ends(values)?;
        Some(Axis::suiting(low, high))
    }

    /// The axis that suits values from `low` to `high`.
    #[must_use]
    pub fn suiting(low: f64, high: f64) -> Axis {
        match low > 0.0 && high / low > WIDE {
            true => Axis::Logarithmic,
            false => Axis::Linear,
        }
    }

    /// Where a value stands.
    pub(crate) fn place(self, value: f64) -> f64 {
        match self {
            Axis::Linear => value,
            Axis::Logarithmic => value.ln(),
        }
    }

    /// How far a value is from one end to the other, as a share; 0 where both are one.
    #[must_use]
    pub fn share(self, value: f64, low: f64, high: f64) -> f64 {
        let (from, to) = (self.place(low), self.place(high));
        if to > from { (self.place(value) - from) / (to - from) } else { 0.0 }
    }

    /// The value at a place.
    pub(crate) fn back(self, place: f64) -> f64 {
        match self {
            Axis::Linear => place,
            Axis::Logarithmic => place.exp(),
        }
    }
}

/// The least and the greatest value; absent of none.
pub(crate) fn ends(values: impl Iterator<Item = f64>) -> Option<(f64, f64)> {
    values.fold(None, |ends, value| match ends {
        None => Some((value, value)),
        Some((low, high)) => Some((low.min(value), high.max(value))),
    })
}
