//! BestGuess's raw data: a CSV row per execution.
//!
//! Owns the format in all its versions (10 to 15 columns in varying order, three ways of writing text) and etalon's own
//! `-o FILE.csv`, which has the same columns. `columns` knows the names, `order` tells files put together, `split`
//! finds records in a `window`, `text` undoes escapes, `header`, `row` and [`read_into`] put them together, [`write()`]
//! is the way back. Refuses BestGuess's summaries: they hold no observations.

mod columns;
mod header;
mod order;
mod read;
mod row;
mod split;
mod text;
mod window;
mod write;

pub(crate) use header::is_header;
pub use read::read_into;
pub use row::Rss;
pub use write::{holds, write};
