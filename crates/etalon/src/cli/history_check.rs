//! Options of `etalon history check`.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use etalon_core::criteria::Margin;
use jiff::Timestamp;

use super::FailOn;
use super::checks::fail_on;
use super::values;

/// Find steps in all series, the worst series first
///
/// A step is suspected until its neighbours are measured against each other, and never fails this check before. It ends
/// with 3 where it cannot tell: a series without a recent point is stale, never fine.
#[derive(Debug, Args)]
pub(crate) struct HistoryCheck {
    /// Those that have all these words
    ///
    /// In project, benchmark, metric, branch or machine. The false alarms are shared among all series of their projects.
    #[arg(long, value_name = "WORDS")]
    pub series: Option<String>,
    /// Allow so many in all series: 1/year, 2/month
    #[arg(long, value_name = "RATE", default_value = "1/year", value_parser = rate)]
    pub false_alarms: AlarmRate,
    /// Treat changes within this as none (2%)
    ///
    /// [default: 1%]
    #[arg(long, allow_hyphen_values = true, value_name = "SHARE", value_parser = values::margin)]
    pub margin: Option<Margin>,
    /// Older last points are stale: 30d, 12h, 3w
    #[arg(long, value_name = "AGE", default_value = "30d", value_parser = values::age)]
    pub recent: Timestamp,
    /// Fail if anything is so: worse, worse:5%, unclear
    ///
    /// [default: worse]
    #[arg(long, value_name = "WHAT", value_parser = fail_on)]
    pub fail_on: Vec<FailOn>,
    /// Check by thresholds and waivers of FILE (TOML)
    ///
    /// `etalon help checks` has its keys.
    #[arg(id = "checks", long = "checks", value_name = "FILE")]
    pub file: Option<PathBuf>,
    /// Read FILE as this revision has it; what it is here may only tighten
    #[arg(long, value_name = "REV", requires = "checks")]
    pub base: Option<String>,
    /// Measure both sides of suspected steps anew
    ///
    /// As the series was measured by `etalon ab`: by its builds, options and command. Only what holds then is a step. A
    /// pair is measured once, its run is saved.
    #[arg(long)]
    pub confirm: bool,
    /// Begin no block after this time
    #[arg(long, value_name = "TIME", requires = "confirm", value_parser = values::duration)]
    pub total_budget: Option<f64>,
    /// A line for every series, also for what is fine
    #[arg(long)]
    pub full: bool,
    /// Write all series and their points as one page
    #[arg(long, value_name = "FILE")]
    pub html: Option<OsString>,
    /// How
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    pub format: CheckFormat,
    /// One JSON document
    #[arg(long, conflicts_with = "format")]
    pub json: bool,
}

/// How a check is shown.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum CheckFormat {
    /// A screen
    #[default]
    Text,
    /// Markdown
    Markdown,
    /// One JSON document
    Json,
}

/// A rate of false alarms.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct AlarmRate {
    /// So many a year.
    pub a_year: f64,
}

/// `1/year`, `2/month`, `1/week`.
fn rate(text: &str) -> Result<AlarmRate, String> {
    let hint = || "write a rate above 0, such as 1/year, 2/month or 1/week".to_owned();
    let (number, per) = text.split_once('/').ok_or_else(hint)?;
    let times = match per.trim() {
        "year" | "y" => 1.0,
        "month" => 12.0,
        "week" => 365.25 / 7.0,
        "day" => 365.25,
        _ => return Err(hint()),
    };
    let number = number.trim().parse::<f64>().ok().filter(|it| (1e-6..=1e6).contains(it));
    number.map(|number| AlarmRate { a_year: number * times }).ok_or_else(hint)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Would catch a rate that is taken for another one.
    #[test]
    fn rates_are_read_a_year() {
        for (text, expected) in [("1/year", 1.0), ("2/month", 24.0), (" 0.5 / year", 0.5)] {
            assert_eq!(rate(text), Ok(AlarmRate { a_year: expected }), "{text}");
        }
        for bad in ["", "1", "/year", "0/year", "-1/year", "1/decade", "nan/year", "inf/year"] {
            assert!(rate(bad).unwrap_err().contains("1/year"), "{bad}");
        }
    }
}
