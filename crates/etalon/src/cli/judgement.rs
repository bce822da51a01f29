//! Criteria of verdicts, as typed: of every command that judges.
//!
//! Owns these options and their texts, once, and how they come before what was recorded. Refuses to know where that is.

use std::path::PathBuf;

use clap::{Arg, Args};
use etalon_core::criteria::{Criteria, Levels, Margin};
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
    /// Treat counts of instructions within this as the same
    ///
    /// [default: 0.01%]
    #[arg(long, allow_hyphen_values = true, value_name = "SHARE", value_parser = values::share, hide = true)]
    pub count_margin: Option<f64>,
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
    /// The recorded criteria with what is typed in their place. A level that is typed is that of all intervals.
    pub(crate) fn over(&self, recorded: Criteria) -> Criteria {
        Criteria {
            margin: self.margin.unwrap_or(recorded.margin),
            count_margin: self.count_margin.unwrap_or(recorded.count_margin),
            at_least: self.at_least.or(recorded.at_least),
            alpha: self.alpha.unwrap_or(recorded.alpha),
            confidence: self.confidence.unwrap_or(recorded.confidence),
            levels: self.confidence.map_or(recorded.levels, |_| Levels::Common),
            between: self.between.or(recorded.between),
            correction: self.correction.or(recorded.correction),
            ..recorded
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Would catch a criterion that is typed and not taken, and one that is taken though nobody typed it.
    #[test]
    fn typed_criteria_come_before_recorded_ones() {
        let margin = Margin::Relative(0.03);
        let recorded = Criteria { margin, between: Some(0.02), ..Criteria::default() };
        assert_eq!(Judgement::default().over(recorded), recorded);
        let typed = Judgement {
            margin: Some(Margin::Relative(0.05)),
            count_margin: Some(0.001),
            at_least: Some(0.1),
            alpha: Some(0.01),
            confidence: Some(0.9),
            correction: Some(Correction::None),
            between: Some(0.0),
            history: Vec::new(),
        };
        let expected = Criteria {
            margin: Margin::Relative(0.05),
            count_margin: 0.001,
            at_least: Some(0.1),
            alpha: 0.01,
            confidence: 0.9,
            levels: Levels::Common,
            correction: Some(Correction::None),
            between: Some(0.0),
            ..Criteria::default()
        };
        assert_eq!(typed.over(recorded), expected);
    }
}
