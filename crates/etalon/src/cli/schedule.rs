//! Options of order, stopping and surroundings, whatever is executed.

use clap::{Arg, Args, ValueEnum};

use etalon_core::plan::{BlockLimits, Order};
use etalon_probe::launcher::protocol;

use super::values::{self, CpuList};

/// An option of a command that measures in blocks: hidden where hardly anybody needs it then. `etalon help scatter` has
/// what is for data that were not interleaved, the pages of other programs have the rest.
pub(super) fn rare(arg: Arg) -> Arg {
    let rare = ["between", "history", "style", "min_blocks", "max_blocks"];
    let is_rare = rare.contains(&arg.get_id().as_str());
    if is_rare { arg.hide(true) } else { arg }
}

/// In which order subjects are executed, and what is random about it.
#[derive(Debug, Default, Clone, Args)]
#[command(next_help_heading = "Order")]
pub(crate) struct Schedule {
    /// In which order executions follow each other
    ///
    /// [default: blocks; sequential if --setup or --cleanup differ between commands]
    #[arg(long, value_name = "ORDER")]
    pub order: Option<OrderArg>,
    /// Seed of all random choices, always recorded
    ///
    /// [default: a new one]
    #[arg(long, allow_hyphen_values = true, value_name = "N")]
    pub seed: Option<u64>,
    /// Enlarge the environment by a random size, new in every block
    #[arg(long, hide = true)]
    pub randomize_env: bool,
}

/// What subjects are executed under.
#[derive(Debug, Default, Clone, Args)]
#[command(next_help_heading = "Execution")]
pub(crate) struct Surroundings {
    /// Execute on these CPUs only, such as 0,2-3
    #[arg(long, value_name = "LIST", value_parser = values::cpus)]
    pub cpu: Option<CpuList>,
    /// Niceness of what is measured, from -20 to 19
    ///
    /// -20 is the most favoured; values below 0 need a privilege.
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = clap::value_parser!(i32).range(-20..=19), hide = true)]
    pub nice: Option<i32>,
}

impl Surroundings {
    /// These surroundings as the launcher takes them, and as facts for the record.
    pub(crate) fn control(&self) -> protocol::Control {
        let cpus = self.cpu.as_ref().map(|list| list.0.clone());
        protocol::Control { cpus, nice: self.nice, ..protocol::Control::default() }
    }

    /// Facts for the record.
    pub(crate) fn facts(&self) -> Vec<(String, String)> {
        let cpus = self.cpu.as_ref().map(|cpus| ("control.cpus".to_owned(), cpus.to_string()));
        let nice = self.nice.map(|nice| ("control.nice".to_owned(), nice.to_string()));
        cpus.into_iter().chain(nice).collect()
    }
}

/// How few and how many blocks, where the number is left to etalon.
#[derive(Debug, Default, Clone, Copy, Args)]
#[command(next_help_heading = "Amount")]
pub(crate) struct Limits {
    /// Without -r, measure at least so many blocks
    ///
    /// Also beyond the budget. A block executes everything once. [default: 10]
    #[arg(long, value_name = "N", conflicts_with = "runs", value_parser = values::whole(1..=10_000_000))]
    pub min_blocks: Option<u32>,
    /// Without -r, stop after so many blocks
    #[arg(long, value_name = "N", conflicts_with = "runs", value_parser = values::whole(1..=10_000_000))]
    pub max_blocks: Option<u32>,
}

impl Limits {
    /// As a plan has them.
    ///
    /// # Errors
    /// In words, if no number of blocks is within both.
    pub(crate) fn block_limits(self) -> Result<BlockLimits, String> {
        match (self.min_blocks, self.max_blocks) {
            (Some(min), Some(max)) if min > max => Err(format!(
                "--min-blocks {min} with --max-blocks {max}: no number of blocks is within both"
            )),
            (min, max) => Ok(BlockLimits { min, max, within: None }),
        }
    }
}

/// Seconds that were asked for.
pub(crate) struct Budgets {
    /// For each subject.
    pub each: Option<f64>,
    /// For all of them together.
    pub total: Option<f64>,
}

/// Seconds that may be spent on a subject: what was asked for, a share of what was asked for all of
/// them, or the default.
#[allow(clippy::cast_precision_loss)] // a number of subjects
pub(crate) fn budget_per_subject(
    Budgets { each, total }: Budgets,
    subjects: usize,
    default: f64,
) -> f64 {
    let share = total.map(|total| total / subjects.max(1) as f64);
    each.or(share).unwrap_or(default)
}

/// `--order` as typed.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub enum OrderArg {
    /// Each block executes everything once, in a new random order
    Blocks,
    /// Blocks alternate between the order given and its reverse
    Abba,
    /// All executions of one, then all of the next
    Sequential,
}

impl From<OrderArg> for Order {
    fn from(typed: OrderArg) -> Order {
        match typed {
            OrderArg::Blocks => Order::Blocks,
            OrderArg::Abba => Order::Abba,
            OrderArg::Sequential => Order::Sequential,
        }
    }
}

/// `--until` as typed.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum UntilArg {
    /// Every interval is narrow enough
    #[default]
    Precision,
    /// Every comparison has a verdict; each look spends a part of alpha
    Decided,
}
