//! The time that a case may take, and what follows for the size of its blocks.

use etalon_core::plan::Stage;
use etalon_run::lua::BLOCK_SHARE;

use crate::cli::{self, Budgets, budget_per_subject};

/// Seconds per case where nobody says: with ten blocks a case takes two to three seconds.
const DEFAULT_BUDGET: f64 = 3.0;

/// The number of blocks, where time was asked for besides.
pub(super) fn blocks_in_time(options: &cli::Run) -> Option<u32> {
    let cli::RunAmount { runs, budget, total_budget, .. } = options.amount;
    runs.filter(|_| budget.is_some() || total_budget.is_some())
}

/// Seconds per case.
pub(crate) fn budget(options: &cli::Run, stages: &[Stage]) -> f64 {
    let cases = stages.iter().map(|stage| stage.subjects.len()).sum();
    let cli::RunAmount { budget, total_budget, .. } = options.amount;
    budget_per_subject(Budgets { each: budget, total: total_budget }, cases, DEFAULT_BUDGET)
}

/// The budget that makes blocks of the size with which `blocks` of them take the budget of a case, where both were asked
/// for.
pub(crate) fn case_budget(budget: f64, blocks: Option<u32>) -> f64 {
    blocks.map_or(budget, |blocks| budget / (BLOCK_SHARE * f64::from(blocks)))
}
