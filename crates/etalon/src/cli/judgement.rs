//! Criteria of verdicts, as typed: of every command that judges.
//!
//! Owns these options and their texts, once. Refuses to know what was recorded:
//! [`etalon_core::criteria::Criteria::with`] merges the two.

use std::path::PathBuf;

use clap::{Arg, Args};
use etalon_core::criteria::{Conditions, Margin, Request};
use etalon_core::stats::Correction;

use super::values;

/// The policy of a verdict. Absent means: as recorded with the data.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Analysis")]
pub(crate) struct Judgement {
    /// Treat differences within this as the same (2%, 1ms, 10B)
    ///
    /// An amount applies to metrics of its kind only. [default: 1%]
    #[arg(long, allow_hyphen_values = true, value_name = "SIZE", value_parser = values::margin)]
    pub margin: Option<Margin>,
    /// Report a difference only if it is surely above this (5%)
    ///
    /// Its interval has to lie wholly beyond 1 ± this.
    #[arg(long, allow_hyphen_values = true, value_name = "SHARE", value_parser = values::share)]
    pub at_least: Option<f64>,
    /// Significance level
    ///
    /// [default: 0.05]
    #[arg(long, allow_hyphen_values = true, value_name = "P", value_parser = values::open_unit)]
    pub alpha: Option<f64>,
    /// Confidence level of intervals
    ///
    /// [default: 95%]
    #[arg(long, allow_hyphen_values = true, value_name = "LEVEL", value_parser = values::level)]
    pub confidence: Option<f64>,
    /// Correction for several comparisons: holm, bh, none
    ///
    /// [default: holm]
    #[arg(long, value_name = "HOW", value_parser = values::correction)]
    pub correction: Option<Correction>,
    /// How much unchanged code differs from run to run (2%)
    ///
    /// For data that were not interleaved; 0 for data known to be interleaved. [default: earlier runs say it, else
    /// 2.5% and the spread of the readings]
    #[arg(long, allow_hyphen_values = true, value_name = "SHARE", value_parser = values::scatter)]
    pub between: Option<f64>,
    /// Take this file or directory for earlier runs
    ///
    /// Besides saved ones. They say how much unchanged code differs from run to run.
    #[arg(long, value_name = "PATH")]
    pub history: Vec<PathBuf>,
}

impl Judgement {
    /// As criteria take it.
    pub(crate) fn request(&self) -> Request {
        Request {
            margin: self.margin,
            at_least: self.at_least,
            alpha: self.alpha,
            confidence: self.confidence,
            correction: self.correction,
            between: self.between,
            conditions: Conditions::default(),
        }
    }
}

/// One of these options where tables are compared: levels from 0 to 1, as benchstat takes them, and other defaults.
pub(super) fn of_tables(arg: Arg) -> Arg {
    let defaults = |arg: Arg, defaults: &str| {
        let help = arg.get_help().map(ToString::to_string).unwrap_or_default();
        arg.long_help(format!("{help}\n\n[default: {defaults}]"))
    };
    match arg.get_id().as_str() {
        "alpha" => arg.value_parser(closed_unit),
        "confidence" => defaults(
            arg.value_parser(closed_unit),
            "95%; for changes with --fail-on 90%, as their tests are one-sided",
        ),
        "correction" => defaults(
            arg.help("Correction over the comparisons of a table: holm, bh, none"),
            "bh; with --fail-on holm, over all tables",
        ),
        _ => arg,
    }
}

/// A number from 0 to 1, also in percent.
fn closed_unit(text: &str) -> Result<f64, String> {
    let number = match text.strip_suffix('%') {
        Some(percent) => percent.trim().parse::<f64>().map(|percent| percent / 100.0),
        None => text.parse(),
    };
    let hint = "write a number from 0 to 1, such as 0.05";
    number.ok().filter(|number| (0.0..=1.0).contains(number)).ok_or_else(|| hint.to_owned())
}
