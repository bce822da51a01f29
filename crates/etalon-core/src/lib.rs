//! The pure core of etalon: units, model, plan and schedule, samples, statistics, comparison and
//! verdict, analysis.
//!
//! Two samples of one metric, measured in the same twelve blocks, and the verdict on them:
//!
//! ```
//! use std::sync::Arc;
//!
//! use etalon_core::compare::{Contrast, Origin, Scales, compare};
//! use etalon_core::criteria::Criteria;
//! use etalon_core::model::Metric;
//! use etalon_core::sample::Sample;
//! use etalon_core::verdict::{Verdict, assess_all};
//!
//! let metric = Metric::new("wall", "ns");
//! let blocks: Arc<[u32]> = (0..12).collect();
//! let seconds = |of: f64| (0..12).map(|block| of * (1.0 + 0.01 * f64::from(block))).collect();
//! let base = Sample::new(seconds(0.100), blocks.clone())?;
//! let candidate = Sample::new(seconds(0.125), blocks)?;
//!
//! let contrast =
//!     Contrast { metric: &metric, base: &base, candidate: &candidate, origin: Origin::SameRunSet, earlier: &[], dependence: None, scales: Scales::OfVerdict };
//! let criteria = Criteria::default();
//! let evidence = compare(&contrast, &criteria).expect("neither sample is empty");
//! let [assessment] = &assess_all(vec![evidence], &criteria)[..] else { unreachable!() };
//! assert_eq!(assessment.decision.verdict, Verdict::Slower);
//! # Ok::<(), etalon_core::stats::NotFinite>(())
//! ```
//!
//! Nothing here opens a file, reads a clock or the environment, starts a process, prints or uses
//! `unsafe`; `clippy.toml` beside this crate enforces it. The direction inside is
//! `units → model → sample → compare → analysis`; `stats` is a leaf.

#![forbid(unsafe_code)]

pub mod analysis;
pub mod bisect;
pub mod compare;
pub mod criteria;
pub mod dataset;
pub mod estimate;
pub mod excerpt;
mod family;
pub mod history;
pub mod metrics;
pub mod model;
pub mod noise;
pub mod notes;
pub mod pace;
pub mod plan;
pub mod plots;
pub mod power;
pub mod query;
pub mod random;
pub mod run_set;
pub mod sample;
pub mod scope;
pub mod shell;
pub mod stats;
mod strings;
pub mod tables;
mod threads;
pub mod units;
pub mod variation;
pub mod verdict;
pub mod visible;
