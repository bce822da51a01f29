//! Touching the machine: the launcher, the clock, facts about the machine.
//!
//! Owns: starting programs and reading their cost ([`launcher`]), services that are there while something is measured
//! ([`service`]), programs that are waited for and not timed ([`untimed`]), which files a program opens ([`trace`]),
//! the monotonic clock ([`clock`]), facts about machine and system ([`machine`]), what else bears on measuring
//! ([`doctor`]), other machines ([`far`]; those of a cluster: [`batch`], by files that they share: [`shared`]) and the
//! program that they are sent ([`travel`]), noticing another etalon
//! ([`peers`]), what a program is ([`program`]), who holds a file's lock ([`holder`]), files without a name
//! ([`memory_file`]), whether a file was stored ([`stored`]), which signals were inherited as ignored ([`disposition`]), who has a terminal ([`foreground`]),
//! who has stopped itself ([`halts`]) and limits met ([`limits`]). Refuses: deciding what is executed and what values mean. The only crate besides the Lua host
//! with `unsafe` code; every block says why it is sound.

mod asked;
pub mod batch;
mod channel;
pub mod clock;
pub mod disposition;
pub mod doctor;
pub mod far;
pub mod foreground;
pub mod halts;
pub mod holder;
pub mod launcher;
pub mod limits;
pub mod machine;
pub mod memory_file;
pub mod peers;
mod processes;
pub mod program;
pub mod service;
pub mod shared;
pub mod stored;
pub mod trace;
pub mod travel;
pub mod untimed;

pub use asked::printed_by;
