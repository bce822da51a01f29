//! Every rendering and its golden, as one program: `cargo test -p etalon-report --test public
//! MODULE::` executes one room of it.

#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]

mod cases;
mod compare;
mod exports;
mod golden;
mod sections;
