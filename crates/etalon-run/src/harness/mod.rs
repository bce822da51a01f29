//! Harnesses: commands that time benchmarks by themselves. Their results are read after each execution, and become
//! readings of its block.
//!
//! Owns where results are looked for ([`Place`]), and what becomes of an execution whose results cannot be had. Refuses
//! formats: reading results, and writing them as lines of a record, is `etalon_record::foreign::harness`'.

mod executor;
mod output;

pub use executor::WithResults;
pub use output::{Place, ResultsSpec};
