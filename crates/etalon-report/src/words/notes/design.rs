//! Notes on the design of an experiment, in words.

use etalon_core::dataset::ChangingLoad;
use etalon_core::notes::DesignNote;
use etalon_core::run_set::StoppedBy;

use crate::number::{counted, duration, p_value, share};
use crate::text::clean;

/// Benchmarks of one file that another tool wrote are compared as if one had been executed after the other.
const ORDER_UNSAID: &str = "the file does not say whether its benchmarks took turns; where they did, \
                            --between 0 leaves the scatter between runs out";

/// A harness wrote centres, of which nobody can say how far they are known.
fn centres_alone(benchmarks: usize, of: usize) -> String {
    let whose = match (benchmarks, of) {
        (1, 1) => "of it".to_owned(),
        (all, of) if all == of => "of each benchmark".to_owned(),
        (some, of) => format!("of {some} of {of} benchmarks"),
    };
    format!(
        "the file has a centre {whose}, formed by the harness, and no readings: how far that is known \
         nobody can say, so there is no verdict about it"
    )
}

/// A note on the design.
pub(super) fn design(note: &DesignNote) -> String {
    match note {
        DesignNote::Sequential => {
            "executed one after the other: the interval allows for how much runs differ, and --order \
             blocks would cancel that"
                .to_owned()
        }
        DesignNote::OrderUnsaid => ORDER_UNSAID.to_owned(),
        DesignNote::CentresAlone { benchmarks, of } => centres_alone(*benchmarks, *of),
        DesignNote::DifferentExecutions => {
            "data of different runs: the interval allows for how much runs differ, and one interleaved \
             run of both would cancel that"
                .to_owned()
        }
        DesignNote::LoadChanged(load) => load_changed(*load),
        DesignNote::Copies { runs } => copies(*runs),
        DesignNote::NoiseMeasured { before, runs, scatter, visible } => {
            noise_measured(*before, *runs, (*scatter, *visible))
        }
        DesignNote::Machines { keys } => {
            let keys: Vec<String> = keys.iter().map(|key| clean(key)).collect();
            format!(
                "results differ in {}: only those of one machine are compared; --col {} compares machines",
                keys.join(", "),
                keys.join(",")
            )
        }
        DesignNote::OtherMachines { keys } => {
            let keys: Vec<String> = keys.iter().map(|key| clean(key)).collect();
            format!(
                "data sets are of machines that differ in {}: what is slower may be the machine",
                keys.join(", ")
            )
        }
        DesignNote::FirstOnly { all, first } => format!(
            "each of {all} benchmarks is compared with the first only, {first}: all pairs are compared \
             up to {}, and --reference names another one",
            etalon_core::analysis::ALL_PAIRS_TO
        ),
        DesignNote::CutShort { stopped_by } => format!(
            "{}: there are fewer values than were asked for",
            how_cut_short(stopped_by.as_ref()).unwrap_or("ended early")
        ),
        DesignNote::LooksPaid { looks, alpha, confidence } => format!(
            "Executed until decided: {} at the verdicts left alpha {} and intervals at {:.2} %",
            counted(*looks, "look", "looks"),
            p_value(*alpha),
            confidence * 100.0
        ),
        DesignNote::KeptApart { keys } => kept_apart(keys),
        DesignNote::NothingIgnored { keys } => {
            format!("--ignore {}: nothing in the data has it, so that it changes nothing", keys.join(","))
        }
    }
}

fn noise_measured(before: f64, runs: usize, (scatter, visible): (f64, Option<f64>)) -> String {
    let when = if before < 0.0 { "later" } else { "before" };
    let ago = duration(before.abs());
    let visible = visible.map_or_else(String::new, |change| {
        format!(", and one run a side shows changes from {} on", share(change))
    });
    format!("noise measured {ago} {when}: {runs} runs scatter by {}{visible}", share(scatter))
}

fn kept_apart(keys: &[String]) -> String {
    let make = if keys.len() == 1 { "makes" } else { "make" };
    format!(
        "Nothing is compared: {} {make} tables, and none has two data sets; `etalon compare --ignore` takes all values of a key for one",
        keys.join(", ")
    )
}

/// How an experiment ended that did not come to the end it was asked for; absent of one that did.
pub(crate) fn how_cut_short(stopped_by: Option<&StoppedBy>) -> Option<&'static str> {
    Some(match stopped_by {
        None => "unfinished record",
        Some(StoppedBy::Interrupt) => "interrupted",
        Some(StoppedBy::Failure) => "stopped by a failure",
        Some(StoppedBy::Error) => "stopped by an error",
        Some(_) => return None,
    })
}

/// The remark on runs that repeat others, in words that fit every way to know it.
fn copies(runs: usize) -> String {
    match runs {
        1 => "one run repeats another one (its id, start or readings): they count once".to_owned(),
        _ => format!("{runs} runs repeat others (their ids, starts or readings): each counts once"),
    }
}

/// The remark on a run in which waiting for a CPU changed.
fn load_changed(load: ChangingLoad) -> String {
    let part = |share: f64| format!("{:.0}", 100.0 * share);
    format!(
        "waiting for a CPU came and went: tenth by tenth of the run, executions waited for between {} and {} % of \
         their time, as beside programs that start and end; small differences may come from that",
        part(load.least),
        part(load.most)
    )
}
