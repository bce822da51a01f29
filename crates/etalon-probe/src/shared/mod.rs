//! What a program on another machine is told, and what it answers, through files in a directory that both machines see.
//!
//! Owns: streams of bytes over files ([`Outgoing`], [`Answers`]), signs of life in both directions, which compare no two
//! clocks, and the process on the other machine that hands the streams to a worker and ends it when nobody asks for it any
//! more ([`relay`]). Refuses to know what is said, and who executes programs there.

mod life;
mod pulse;
mod relay;
mod stream;

pub use life::{Answers, Life};
pub(crate) use life::{GROUND, LEASE};
pub use pulse::Pulse;
pub use relay::relay;
pub use stream::Outgoing;
