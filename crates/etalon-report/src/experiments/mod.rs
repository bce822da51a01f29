//! The page of an experiment file in Markdown: tables of machines, results and benchmarks, and the prose around them.
//!
//! Owns how they look. Remarks of a file are Markdown, names are not. Refuses to know the file: whoever reads it says
//! what stands where.

mod cells;
mod inventory;
mod machines;
mod page;
mod results;

pub use inventory::{InventoryEntry, Stage, inventory};
pub use machines::{Figure, Figures, Machine, machines};
pub use page::{commands, heading, legend, page, printed, quoted};
pub use results::{ResultMetric, Results, results};
