//! Another machine that ssh reaches: a connection, a directory there, a program that is sent into it and executed.
//!
//! Owns: the processes of ssh (one that holds the connection, one session for each thing that is done over it) and what
//! they are told to execute there. The user's own configuration and keys decide how a machine is reached. Refuses: to
//! ask the user for anything, to leave something on the machine, and to know what the program is told.

mod connection;
mod ground;
mod host;
mod limited;
mod own;
mod process;

pub use connection::{Closer, Connection, FarError, Session};
pub(crate) use ground::FIND;
pub use ground::Ground;
pub use host::{Host, HostError};
pub use limited::Pipe;
pub use own::own_streams;
