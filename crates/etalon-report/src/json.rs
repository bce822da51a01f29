//! One JSON document for everything that is measured or reported: base units, full precision, explicit `null` for what is
//! absent.
//!
//! Its shape is the types of this module, from which `docs/json.schema.json` follows (`INSTA_UPDATE=always cargo test -p
//! etalon-report schema`); `docs/json.md` explains it. Owns where each fact stands, once. Refuses to compute.

mod about;
mod benchmark;
mod bisection;
mod cases;
mod check;
#[cfg(test)]
mod codes;
mod comparison;
mod controls;
mod document;
mod executions;
mod forecasts;
mod history;
mod layout;
mod layouts;
mod nodes;
mod noise;
mod note;
mod parts;
mod place;
mod plan;
mod ranking;
#[cfg(test)]
mod schema;
mod shape;
mod suites;
mod tables;
mod visible;

pub use check::{CheckOutcome, Finding, WaiverOutcome, WaiverState};
pub use document::Kind;
pub use executions::Settings;
pub(crate) use forecasts::{
    BisectionReport, HistoryDocument, NoiseReport, PlanReport, bisection, history, noise, plan,
};
pub use layout::Titled;
pub use place::Place;
pub(crate) use plan::{
    BlocksNeeded, KnownMedian, PilotFigures, Plan, PlannedBeside, PlannedDifference, Target,
};
pub use ranking::ranking;
pub use tables::{TableReport, tables};
pub use visible::write_document;
