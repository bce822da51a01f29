//! Notes on executions and on what their readings tell apart, in words.

use etalon_core::model::{NotStarted, Outcome};
use etalon_core::notes::{ExecutionNote, Failing, MetricNote};

use super::super::variation::seen;
use super::comparisons::dependent;
use crate::number::{duration, share};

/// A note on a benchmark's executions.
pub(crate) fn executions(note: &ExecutionNote) -> String {
    match note {
        ExecutionNote::Failures { how, count, of } => {
            format!("{count} of {of} executions{}", ended(*how, *count))
        }
        ExecutionNote::Orphans { with, of: None, all } => {
            format!("{with} of its processes left others running ({all} in all); they were killed")
        }
        ExecutionNote::Orphans { with, of: Some(of), all } => format!(
            "{with} of {of} executions left processes running ({all} in all); they were killed"
        ),
        ExecutionNote::MoreInGroup { own, all } => format!(
            "all processes of its control group took {} of CPU time, of which {} are its own: the others are of processes \
             that it did not wait for (--metric tree_cpu ranks by all)",
            duration(*all),
            duration(*own)
        ),
        ExecutionNote::Waited { disturbed, of } => format!(
            "{disturbed} of {of} executions waited for a CPU for more than 10 % of their time"
        ),
        ExecutionNote::SharedCounters { percent } => format!(
            "events shared the CPU's counters (each was counted at least {percent:.0} % of the time), \
             so their counts are scaled"
        ),
        ExecutionNote::NoResult { how, signal, count } => {
            let times = if *count > 1 { format!(", {count} times") } else { String::new() };
            format!("{}{times}", without_result(how, signal.as_deref()))
        }
    }
}

/// How an execution ended that came to no result.
fn without_result(how: &Outcome, signal: Option<&str>) -> String {
    match how {
        Outcome::NotStarted { why: NotStarted::NoResult(why) } => {
            format!("came to no result: {why}")
        }
        Outcome::NotStarted { why } if why.is_failure() => format!("was not executed: {why}"),
        Outcome::NotStarted { why } => why.to_string(),
        Outcome::Failed { code } => format!("failed (exit status {code})"),
        Outcome::Killed { signal: number } => how.stopped_by().map_or_else(
            || {
                let unnamed = || format!("signal {number}");
                format!("was killed by {}", signal.map_or_else(unnamed, str::to_owned))
            },
            |stopped| stopped.to_string(),
        ),
        Outcome::TimedOut => "took longer than --timeout".to_owned(),
        Outcome::Suspended => "was suspended".to_owned(),
        Outcome::Ok => "came to no result".to_owned(),
    }
}

fn ended(how: Failing, count: usize) -> String {
    let how = match how {
        Failing::Failed => "exited non-zero",
        Failing::Killed => "ended by a signal",
        Failing::Stopped(signal) if count > 1 => return format!(": each {signal}"),
        Failing::Stopped(signal) => return format!(" {signal}"),
        Failing::TimedOut => "timed out",
        Failing::Suspended => "suspended (stopped and continued on the way): no measurement",
        Failing::NotStarted => "not started",
    };
    format!(" {how}")
}

/// A note on a metric.
pub(super) fn metric(note: &MetricNote) -> String {
    match note {
        MetricNote::SplitByTicks => {
            "below some tens of ms the kernel's tick decides how CPU time splits into user and \
             system; only the sum is sound"
                .to_owned()
        }
        MetricNote::NearResolution => {
            "readings are shorter than 100 × the clock's resolution".to_owned()
        }
        MetricNote::LauncherFloor { bytes } => format!(
            "peak memory is at most about what is shown: every command starts with the \
             launcher's {:.1} MB, and less is not seen",
            bytes / 1e6
        ),
        MetricNote::Widened { metric, widening } => {
            dependent(*widening, Some(metric), "the interval of the median")
        }
        MetricNote::Varies { cause, base } => format!(
            "{} ({} of the variance; --explain-noise says more)",
            seen(&cause.kind, base),
            share(cause.share)
        ),
    }
}
