//! Every test of the public interface of record, as one program: `cargo test -p etalon-record --test
//! public MODULE::` executes one room of it.

#![allow(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    clippy::disallowed_macros,
    reason = "tests fail by panicking, touch files and print"
)]

mod bestguess;
mod cases;
mod checks;
#[path = "../../../etalon-core/tests/public/support/columns.rs"]
mod columns;
mod conversion;
mod corpus;
mod damage;
#[path = "../../../etalon-report/tests/public/executions.rs"]
mod executions;
mod format_doc;
mod go;
mod go_benchstat;
mod go_torn;
mod harness;
mod harness_input;
mod hyperfine;
mod large;
mod nodes;
mod round_trip;
mod rows;
mod services;
mod sink;
mod store;
mod store_index;
mod store_order;
mod view;
