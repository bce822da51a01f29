//! Series over time: a point a commit, in one SQLite file beside the store of saved runs.
//!
//! Owns the database ([`Database`]): its schema and how older ones become newer (`schema`), what is added and how
//! repeats are pooled (`add`, `numbers`, `pool`), what confirms a step (`confirm`), and what is asked of it (`read`);
//! which points a dataset gives ([`measurements`]) or withholds (`withheld`); points for other programs ([`written`])
//! and, in PostgreSQL, for a team (`shared`). An index of our own over a journal was the other way: SQLite has
//! transactions, two writers and a format that other programs read.
//!
//! Journal mode is WAL and `synchronous` NORMAL: a killed process loses nothing that was reported, and a power loss
//! at most the last points, which records give again. Refuses: to read files, git, the environment or the clock, to
//! print, and to judge: whether a series has a step is core's.

#![forbid(unsafe_code)]

mod add;
mod confirm;
mod database;
mod error;
mod measured;
mod numbers;
mod pool;
mod read;
mod schema;
mod shared;
mod withheld;
pub mod written;

pub use add::{Added, Measurement, Placed, Source};
pub use confirm::Confirmation;
pub use database::{Access, Database};
pub use error::{HistoryError, SharedError};
pub use measured::{MetricChoice, Points, is_of_toolchain, kind_of_machine, measurements};
pub use pool::{LEVEL, Part, pooled};
pub use read::{Kind, PointRow, SeriesId, SeriesKey, SeriesRow, chosen};
pub use shared::{Handed, Server};
