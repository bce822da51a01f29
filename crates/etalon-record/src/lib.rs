//! Bytes to model and back: the raw record, the CSV rows, the store of saved run sets.
//!
//! Owns what a record looks like on disk ([`raw`], specified in `docs/format.md`), how a file is
//! recognised and read ([`mod@open`]), what was typed for it ([`mod@inputs`]), where saved run sets live
//! ([`store`]), how several are one file ([`bundle`]), how a line gets into a
//! file whole ([`sink`]), who may write to it ([`lock`]), how it gets its name ([`fresh`]), whether it is
//! still what was written ([`altered`](mod@altered)), the entries of directories ([`mod@entries`]), BestGuess's raw columns ([`rows`]), which thresholds and waivers
//! a project declares ([`checks`]), and which numbers a program printed ([`printed`]).
//!
//! [`open()`] reads a file of any format, [`open::read_bytes`] what is in memory already.
//!
//! Refuses to read the environment, the clock or the network, to start processes and to print;
//! files are touched in `open`, `sink`, `fresh`, `lock`, `altered`, `bundle` and `store` only. What the numbers mean is
//! `etalon-core`'s business.

#![forbid(unsafe_code)]

mod ahead;
pub mod altered;
pub mod bundle;
pub mod checks;
pub mod entries;
pub mod foreign;
pub mod fresh;
pub mod inputs;
mod lines;
pub mod lock;
pub mod open;
mod outcome;
pub mod printed;
pub mod raw;
pub mod rows;
pub mod sink;
pub mod store;
pub mod text;
mod time;

pub use inputs::Input;
pub use open::open;
pub use raw::benchmark::BenchmarkLine;
pub use raw::header::HeaderLine;
pub use raw::{ReadError, Strictness};
pub use text::Text;
