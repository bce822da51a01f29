//! Touching the machine: the launcher, the clock, facts about the machine.
//!
//! Owns: starting programs and reading their cost ([`launcher`]), the monotonic clock ([`clock`]),
//! facts about machine and system ([`machine`]), noticing another etalon ([`peers`]), and which
//! signals were inherited as ignored ([`disposition`]) and limits met ([`limits`]).
//! Refuses: deciding what is executed and what values mean. The only crate besides the Lua host
//! with `unsafe` code; every block says why it is sound.

pub mod clock;
pub mod disposition;
pub mod launcher;
pub mod limits;
pub mod machine;
pub mod peers;
