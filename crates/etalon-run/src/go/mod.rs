//! Benchmarks of Go packages: test binaries that time themselves, executed in blocks.
//!
//! A *subject* is a top-level benchmark of a package on a side. A block executes the test binary once for each subject,
//! with `-test.bench ^BenchmarkX$` and what the pattern says of sub-benchmarks; the sides of a benchmark follow each
//! other in random order, benchmarks are in random order too. A machine that gets slower during a block therefore does
//! so for both sides of a benchmark.
//!
//! | what | in the record |
//! | --- | --- |
//! | a name that a binary prints (`Encode/large-8`), under the facts it prints (`goos`, `goarch`, `pkg`, `cpu`) and `side` | a `benchmark` line with a `configuration`, when it comes for the first time |
//! | a unit (`ns/op`) | a `metric` line with a `spelling` |
//! | a result line | an `observation` with all its units as written, the block, `at`; with `-count` above 1 a `turn` |
//! | a benchmark that failed, panicked, exited, was skipped or did not build | an `observation` with an outcome and what was said |
//! | anything else that a binary printed | an `output` line |
//!
//! These are the lines that `convert --to etalon` makes of Go's files, with blocks, so that `report`, `compare` and
//! `convert --to go` read them. The block is the unit of replication: results of one process are readings of one block.
//!
//! How a wrong number is caught: the reader of Go's format finds results, so that what tore a line is not taken for a
//! number; a process that does not end in `PASS` is an outcome whatever it printed; sides are copies of their own
//! ([`crate::sides`]), each with a binary built in it and executed in its directory; both binaries are named in the
//! record by their hashes.
//!
//! Owns: building (`build`), whose benchmarks ([`benches`]), which benchmarks there are (`pattern`), executing them (`executor`). Refuses: to time
//! anything itself.

pub mod benches;
mod build;
mod executor;
mod pattern;

pub use build::{Binary, GoBuild, GoError, Package, Source, TopLevel};
pub use executor::{GoBenchmarks, GoSetup, GoSubject};
pub use pattern::{Alternative, alternatives};
