//! One experiment on several machines: whole blocks travel, and lines of the record come back.
//!
//! Owns: the collector, which is an executor like any other ([`Collector`]) and hands blocks to nodes; the worker, which
//! is the same executor as on one machine, asked from far away ([`Desk`]); the ways to nodes (`route`); and what the two say to each other
//! ([`protocol`]). A block counts once, whoever delivers it first, and whole or not at all. Refuses to relate clocks of two
//! nodes, and to know what is measured.

mod agreement;
mod answer;
mod attendant;
mod blocks;
mod cargo;
mod collector;
mod delivery;
mod desk;
mod elsewhere;
mod everywhere;
mod gathering;
mod late;
mod member;
mod prelude;
pub mod protocol;
mod register;
mod route;

pub use cargo::Cargo;
pub use collector::{Collector, CollectorSetup, Equal, Reach};
pub use delivery::{Parcel, length};
pub use desk::Desk;
pub use elsewhere::Elsewhere;
pub use gathering::Visited;
