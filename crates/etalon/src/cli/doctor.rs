//! Options of `etalon doctor`.

use std::time::Duration;

use clap::Args;

use super::{Nodes, values};

/// Say whether this machine is fit to measure on, and what to change
#[derive(Debug, Args)]
pub(crate) struct Doctor {
    /// Look at settings only: no spin, no Luas
    #[arg(long, conflicts_with = "spin")]
    pub quick: bool,
    /// How long to spin
    #[arg(long, value_name = "TIME", default_value = "2s", value_parser = spin)]
    pub spin: Duration,
    /// Every thing that was looked at, with what it means
    #[arg(long, conflicts_with = "json")]
    pub full: bool,
    /// One JSON document
    #[arg(long)]
    pub json: bool,
    /// Which machines.
    #[command(flatten)]
    pub nodes: Nodes,
    /// What is done besides looking.
    #[command(flatten)]
    pub act: Act,
}

/// What `etalon doctor` does besides looking.
#[derive(Debug, Args)]
pub(crate) struct Act {
    /// Change the settings that can be put back: shows them and asks
    ///
    /// Governor, turbo, huge pages, moving of pages between nodes, clock source, SMT. What they were is written down first.
    #[arg(long, conflicts_with_all = ["quick", "spin", "full", "json", "on"])]
    pub fix: bool,
    /// Change them without asking
    #[arg(long, requires = "fix")]
    pub yes: bool,
    /// Put back what --fix has changed, also if it was killed
    #[arg(long, conflicts_with_all = ["fix", "quick", "spin", "full", "json", "on"])]
    pub restore: bool,
}

/// The shortest spin that has figures, and the longest that fits into memory.
const SHORTEST: f64 = 0.1;
const LONGEST: f64 = 600.0;

fn spin(text: &str) -> Result<Duration, String> {
    let seconds = values::duration(text)?;
    match (SHORTEST..=LONGEST).contains(&seconds) {
        true => Ok(Duration::from_secs_f64(seconds)),
        false => Err(format!("between {SHORTEST} and {LONGEST} s")),
    }
}
