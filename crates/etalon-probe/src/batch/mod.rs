//! Nodes of a cluster, which its scheduler, Slurm, gives: one job that is an array of tasks, each alone on its node.
//!
//! Owns: the programs of Slurm that are asked (`sbatch`, `squeue`, `scontrol`, `scancel`), the directory of a run below one
//! that all nodes see, and what became of each task. The user's own configuration and `SBATCH_…` variables decide the rest.
//! Refuses to schedule anything, and to leave a job or a file behind.

mod array;
mod queue;
mod room;
mod task;
mod word;

pub use array::{Array, Wishes};
pub use task::{Arrival, Task};
pub use word::{Word, WordError};
