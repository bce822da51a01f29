//! Touching the machine: the launcher, the clock, facts about the machine.
//!
//! Owns: starting programs and reading their cost ([`launcher`]), the monotonic clock ([`clock`]),
//! facts about machine and system ([`machine`]), and noticing another etalon ([`peers`]).
//! Refuses: deciding what is executed and what values mean. The only crate besides the Lua host
//! with `unsafe` code; every block says why it is sound.

pub mod clock;
pub mod launcher;
pub mod machine;
pub mod peers;
