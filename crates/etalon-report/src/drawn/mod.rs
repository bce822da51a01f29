//! Drawings in text: a bar for each reading, and box plots on one axis.
//!
//! Lines that are laid out already, none wider than the view. Refuses to know what stands around them.

mod axis;
mod boxplot;
mod graph;

pub(crate) use boxplot::lines as boxplots;
pub(crate) use graph::lines as graph;
