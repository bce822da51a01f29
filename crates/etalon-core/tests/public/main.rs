//! Every test of the public interface of core, as one program: `cargo test -p etalon-core --test
//! public MODULE::` executes one room of it.

#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]

mod axes;
mod between_runs;
mod bisect;
mod bisect_course;
mod builds;
mod by_block;
mod checks;
mod conditions;
mod dependence;
mod failures;
mod false_verdicts;
mod independent;
mod noise;
mod odd_samples;
mod outlook;
mod over_nodes;
mod paired_builds;
mod picked;
mod power;
mod query;
mod ranks;
mod records_in_tables;
mod rows_together;
mod settled_by_cpu;
mod shell;
mod stats;
mod support;
mod tables;
mod tails;
mod threads;
mod together;
mod until_decided;
mod waiting;
mod whole_numbers;
mod work;

/// Settings that rank by CPU time, which is what samples made here are; independent ones count as interleaved, so
/// that no scatter between runs hides what is tested (that is `between_runs`).
fn by_cpu() -> etalon_core::plan::Settings {
    let usual = etalon_core::plan::Settings::default();
    etalon_core::plan::Settings {
        metric: etalon_core::metrics::CPU.to_owned(),
        criteria: etalon_core::criteria::Criteria { between: Some(0.0), ..usual.criteria },
        ..usual
    }
}
