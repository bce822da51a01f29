//! Ways to a node: how it is reached, a worker is started there, and the bytes of both sides go to and fro.
//!
//! The only thing that ssh and Slurm have apart. Refuses to know what is said.

mod slurm;
mod ssh;

use std::fmt::Debug;
use std::io::{BufRead, Write};
use std::path::{Path, PathBuf};

use etalon_probe::far::{FarError, Ground};

pub(super) use slurm::ByFiles;
pub(super) use ssh::BySsh;

/// The name of the program on a node, and the word that makes a worker of it.
const NAME: &str = "etalon";
pub(super) const WORKER: &str = "worker";

/// Where a worker is asked. Closed, the worker ends.
pub(super) type Input = Box<dyn Write + Send>;

/// A way to one node. It stays on the thread that attends to the node.
pub(super) trait Route: Debug + Send {
    /// The name of the node as far as that is known before it is reached.
    fn name(&self) -> String;

    /// Reaches it, as long as nobody `is_unwanted`: its name, and the directory there.
    ///
    /// # Errors
    /// If that is not possible.
    fn reach(&mut self, is_unwanted: &dyn Fn() -> bool) -> Result<(String, Ground), FarError>;

    /// Has this program started as a worker there; where it is asked.
    ///
    /// # Errors
    /// If it does not arrive, or cannot be started.
    fn start(&mut self, program: &Path, is_unwanted: &dyn Fn() -> bool) -> Result<Input, FarError>;

    /// The file, not there yet, that all nodes of such a route see, for what each of them is sent; nothing where there is
    /// none.
    fn common(&self) -> Option<PathBuf> {
        None
    }

    /// The answers of the worker that was started. Call it once.
    fn answers<'a>(&'a mut self, is_unwanted: &'a dyn Fn() -> bool) -> Box<dyn BufRead + 'a>;

    /// Why a worker ended that nobody has ended, and the way to it if it will be there once more.
    fn why_ended(&mut self) -> (String, Option<Box<dyn Route>>);
}
