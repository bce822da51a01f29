//! Every test of the public interface of core, as one program: `cargo test -p etalon-core --test
//! public MODULE::` executes one room of it.

#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]

mod by_block;
mod checks;
mod conditions;
mod false_verdicts;
mod odd_samples;
mod query;
mod records_in_tables;
mod stats;
mod support;
mod tables;
mod until_decided;
mod whole_numbers;
