//! By whose rules tables are made, and held against which criteria.
//!
//! Plain data. Refuses to apply it.

use std::num::NonZeroUsize;

use crate::compare::Scales;
use crate::criteria::Criteria;
use crate::dataset::Dataset;
use crate::stats::Correction;

/// By whose rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Style {
    /// benchstat's: every number has its bits.
    Benchstat,
    /// etalon's: estimates and verdicts.
    Etalon,
}

/// How cells are summarised and compared: of all tables, or with its criteria narrowed to a unit of one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Method {
    /// By whose rules.
    pub style: Style,
    /// Criteria of verdicts. Benchstat's rules know only alpha and the level of intervals, in [0, 1],
    /// the ends included. A family is the comparisons of one table; of a check those of all tables.
    pub criteria: Criteria,
    /// On which scales etalon's comparisons are made, where the verdict needs only one.
    pub scales: Scales,
    /// Whether etalon's cells have their means.
    pub means: bool,
    /// How many threads compute. The result does not depend on it.
    pub threads: NonZeroUsize,
    /// By which centre columns are ranked where all pairs of a row are compared to say who is best in it; etalon's
    /// rules only.
    pub ranks: Option<Centre>,
}

impl Method {
    /// The method for data some of which were executed until decided: alpha and intervals are what their looks
    /// leave, as in the report of one record.
    #[must_use]
    pub fn paid(self, data: &Dataset) -> Method {
        Method { criteria: data.left_of(self.criteria), ..self }
    }

    /// The defaults of a style: all there is, on one thread.
    #[must_use]
    pub fn new(style: Style) -> Method {
        Method {
            style,
            criteria: Criteria {
                correction: Some(Correction::BenjaminiHochberg),
                ..Criteria::default()
            },
            scales: Scales::Both,
            means: true,
            threads: NonZeroUsize::MIN,
            ranks: None,
        }
    }
}

/// The centre that stands for the readings of a cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Centre {
    /// The median; of exact values the value.
    Median,
    /// The arithmetic mean.
    Mean,
}

/// Which double stands for a written number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Numbers {
    /// The nearest one.
    Nearest,
    /// The one that golang.org/x/perf computes.
    Reference,
}
