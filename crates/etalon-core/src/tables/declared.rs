//! The thresholds and waivers that a project declares, as data.
//!
//! Refuses to read the file that they stand in: that is `etalon-record`'s; and to know what day it is.

use std::fmt;

use super::about::About;

/// The content of a project's file of checks.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct DeclaredChecks {
    /// In the order of the file.
    pub thresholds: Vec<DeclaredThreshold>,
    /// In the order of the file.
    pub waivers: Vec<Waiver>,
}

/// How much worse rows may be.
#[derive(Debug, Clone, PartialEq)]
pub struct DeclaredThreshold {
    /// Which rows.
    pub about: About,
    /// As a share; not at all if absent.
    pub at_most: Option<f64>,
}

/// A worsening that is accepted for a time, for a reason.
#[derive(Debug, Clone, PartialEq)]
pub struct Waiver {
    /// Which rows.
    pub about: About,
    /// The share that no end of the interval may exceed.
    pub up_to: f64,
    /// Why.
    pub reason: String,
    /// The last day on which it holds.
    pub expires: Day,
}

/// A day of the calendar.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Day {
    /// From 0 to 9999.
    pub year: u16,
    /// From 1 to 12.
    pub month: u8,
    /// From 1 to 31.
    pub day: u8,
}

impl fmt::Display for Day {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Day { year, month, day } = self;
        write!(f, "{year:04}-{month:02}-{day:02}")
    }
}

impl fmt::Display for DeclaredThreshold {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.at_most {
            Some(share) => write!(f, "{}: at most {}", self.about, percent(share)),
            None => write!(f, "{}: not worse", self.about),
        }
    }
}

impl fmt::Display for Waiver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Waiver { about, up_to, expires, .. } = self;
        write!(f, "{about}: waived up to {} until {expires}", percent(*up_to))
    }
}

/// A share as it was written, without digits that only a double has.
fn percent(share: f64) -> String {
    let digits = format!("{:.6}", share * 100.0);
    format!("{}%", digits.trim_end_matches('0').trim_end_matches('.'))
}
