//! The pure core of etalon: units, model, plan and schedule, samples, statistics, comparison and
//! verdict, analysis.
//!
//! Nothing here opens a file, reads a clock or the environment, starts a process, prints or uses
//! `unsafe`; `clippy.toml` beside this crate enforces it. The direction inside is
//! `units → model → sample → compare → analysis`; `stats` is a leaf.

#![forbid(unsafe_code)]

pub mod analysis;
pub mod compare;
pub mod criteria;
pub mod dataset;
pub mod estimate;
pub mod model;
pub mod plan;
pub mod query;
pub mod random;
pub mod sample;
pub mod shell;
pub mod stats;
mod strings;
pub mod tables;
pub mod units;
pub mod verdict;
