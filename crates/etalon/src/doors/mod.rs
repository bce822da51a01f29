//! Doors: each turns what was typed into an experiment with its executor.
//!
//! Refuse to know each other: what two of them need is below all of them.

pub(crate) mod bisect;
pub(crate) mod commands;
pub(crate) mod files;
pub(crate) mod noise;
pub(crate) mod packages;
#[cfg(test)]
mod scripted;
pub(crate) mod suites;
pub(crate) mod twins;
