//! The thresholds and waivers that a project declares, as data, and which of them hold.
//!
//! The base's file holds. The head may not loosen its own check: its thresholds tighten, its waivers waive
//! nothing. Refuses to read the file that they stand in: that is `etalon-record`'s; and to know what day it is.

use std::fmt;

use super::Labels;
use super::about::About;
use super::check::{Force, Threshold};
use crate::notes::NotWaivedReason;

/// The content of a file of checks, on both sides of a project.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Declarations {
    /// Its path, as it was named.
    pub path: String,
    /// On the base: it holds.
    pub base: DeclaredChecks,
    /// On the head.
    pub head: DeclaredChecks,
    /// The day on which is judged.
    pub today: Option<Day>,
}

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

impl Declarations {
    /// The thresholds: the base's, and those that the head adds.
    #[must_use]
    pub fn thresholds(&self) -> Vec<Threshold> {
        let threshold = |declared: &DeclaredThreshold, force| {
            let DeclaredThreshold { about, at_most } = declared.clone();
            let of = if force == Force::Tightens { " of the head" } else { "" };
            let condition = format!("{}{of}: {declared}", self.path);
            Threshold { about, share: at_most, force, condition }
        };
        let base = self.base.thresholds.iter().map(|it| threshold(it, Force::Holds));
        let is_new = |it: &&DeclaredThreshold| !self.base.thresholds.contains(it);
        let added = self.head.thresholds.iter().filter(is_new);
        base.chain(added.map(|it| threshold(it, Force::Tightens))).collect()
    }

    /// The waiver that accepts that a row of a unit is worse, by so much at the far end of its interval; else the one
    /// that might have, and why it does not. Nothing where none is about it; none accepts what has no far end.
    #[must_use]
    pub fn waives(
        &self,
        (unit, row): (&str, &Labels),
        far_end: Option<f64>,
    ) -> Option<Result<&Waiver, (&Waiver, NotWaivedReason)>> {
        let is_about = |waiver: &&Waiver| waiver.about.is_of(unit, row);
        let holds = |waiver: &Waiver| far_end.is_some_and(|far| far <= waiver.up_to);
        let of_base = || self.base.waivers.iter().filter(is_about);
        let in_force = || of_base().filter(|waiver| !self.is_expired(waiver));
        if let Some(waiver) = in_force().find(|waiver| holds(waiver)) {
            return Some(Ok(waiver));
        }
        let beyond = in_force().next().map(|waiver| (waiver, NotWaivedReason::Beyond));
        let late = || of_base().next().map(|waiver| (waiver, NotWaivedReason::Expired));
        let of_head = || {
            let mut all = self.head.waivers.iter().filter(is_about);
            all.next().map(|waiver| (waiver, NotWaivedReason::OfHead))
        };
        beyond.or_else(late).or_else(of_head).map(Err)
    }

    /// Whether the last day of a waiver is over.
    #[must_use]
    pub fn is_expired(&self, waiver: &Waiver) -> bool {
        self.today.is_some_and(|today| today > waiver.expires)
    }
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
