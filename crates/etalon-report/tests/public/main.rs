//! Every rendering and its golden, as one program: `cargo test -p etalon-report --test public
//! MODULE::` executes one room of it.

#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]

mod cases;
#[path = "../../../etalon-core/tests/public/support/columns.rs"]
mod columns;
mod comment;
mod compare;
mod compare_runs;
mod executions;
mod exports;
mod golden;
mod live;
mod many;
mod noise;
mod notes;
mod pictures;
mod planned;
mod presented;
mod screen;
mod sections;
