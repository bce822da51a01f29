//! Every test of the public interface of core, as one program: `cargo test -p etalon-core --test
//! public MODULE::` executes one room of it.

#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]

mod by_block;
mod checks;
mod conditions;
mod dependence;
mod failures;
mod false_verdicts;
mod independent;
mod odd_samples;
mod query;
mod records_in_tables;
mod stats;
mod support;
mod tables;
mod tails;
mod threads;
mod until_decided;
mod whole_numbers;

/// Settings that rank by CPU time, which is what samples made here are.
fn by_cpu() -> etalon_core::plan::Settings {
    etalon_core::plan::Settings {
        metric: etalon_core::metrics::CPU.to_owned(),
        ..etalon_core::plan::Settings::default()
    }
}
