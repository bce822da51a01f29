//! A result in schema 1, hyperfine's up to 1.21.
//!
//! Owns its fields: statistics, `times`, and next to them, where every run has them, `exit_codes`, `memory_usage_byte`, and
//! `user_times` and `system_times` (not hyperfine's; readers ignore fields they do not know). `name` is schema 2's: schema 1
//! loses the command where there is a name.

use etalon_core::metrics::{RSS, SYS, USER, WALL};
use etalon_core::run_set::Statistic;
use etalon_core::stats::{Sorted, mean, median, stddev};
use serde::Serialize;

use super::executions::{Executions, Failure, Parameters};

#[derive(Serialize)]
pub(super) struct Result<'a> {
    command: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<&'a str>,
    mean: Option<f64>,
    stddev: Option<f64>,
    median: Option<f64>,
    user: Option<f64>,
    system: Option<f64>,
    min: Option<f64>,
    max: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    times: Option<Vec<f64>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    memory_usage_byte: Option<Vec<Bytes>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    exit_codes: Option<Vec<i32>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    user_times: Option<Vec<f64>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    system_times: Option<Vec<f64>>,
    #[serde(skip_serializing_if = "Parameters::is_empty")]
    parameters: Parameters<'a>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    failures: Vec<Failure>,
}

impl<'a> Result<'a> {
    pub(super) fn new(of: Executions<'a>) -> Result<'a> {
        let times = of.values(WALL);
        let sorted = Sorted::new(&times).unwrap_or_default();
        let wall = |statistic, value: Option<f64>| value.or_else(|| of.figure(WALL, statistic));
        let average =
            |metric| mean(&of.values(metric)).or_else(|| of.figure(metric, Statistic::Mean));
        let has_figures_alone = times.is_empty() && wall(Statistic::Mean, None).is_some();
        Result {
            command: of.command,
            name: of.name,
            mean: wall(Statistic::Mean, mean(&times)),
            stddev: wall(Statistic::Stddev, stddev(&times)),
            median: wall(Statistic::Median, median(&sorted)),
            user: average(USER),
            system: average(SYS),
            min: wall(Statistic::Min, sorted.min()),
            max: wall(Statistic::Max, sorted.max()),
            memory_usage_byte: of.complete(RSS).map(|all| all.into_iter().map(Bytes).collect()),
            user_times: of.complete(USER),
            system_times: of.complete(SYS),
            times: Some(times).filter(|_| !has_figures_alone),
            exit_codes: Some(of.exit_codes).filter(|_| !has_figures_alone),
            parameters: of.params,
            failures: of.failures,
        }
    }
}

/// A size: an integer, as hyperfine has it, if it is one.
struct Bytes(f64);

impl Serialize for Bytes {
    fn serialize<S: serde::Serializer>(
        &self,
        serializer: S,
    ) -> std::result::Result<S::Ok, S::Error> {
        // Up to here every integer is a double.
        if self.0.fract() == 0.0 && (0.0..9_007_199_254_740_992.0).contains(&self.0) {
            #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // checked above
            return serializer.serialize_u64(self.0 as u64);
        }
        serializer.serialize_f64(self.0)
    }
}
