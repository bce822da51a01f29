//! `--plan` before anything is measured: how many blocks a pilot has, and what cannot be planned.

use etalon_core::criteria::Conditions;
use etalon_core::power::FEWEST;

use crate::failure::Failure;

/// Blocks of a pilot where nobody says.
const PILOT: u32 = 10;

/// Why what is executed one after the other cannot be planned.
pub(crate) const IN_SEQUENCE: &str = "--plan with --order sequential: what it plans is compared within blocks; choose --order blocks";

/// The blocks of a pilot, where one is asked for; else what was typed.
///
/// # Errors
/// If they are too few.
pub(crate) fn blocks(typed: Option<u32>, plan: bool) -> Result<Option<u32>, Failure> {
    match typed {
        _ if !plan => Ok(typed),
        Some(few) if (few as usize) < FEWEST => Err(Failure::new(format!(
            "--plan with -r {few}: a pilot of so few blocks does not show how much they scatter; \
             {FEWEST} are the fewest, {PILOT} the default"
        ))),
        _ => Ok(Some(typed.unwrap_or(PILOT))),
    }
}

/// Refuses conditions of a difference that are not planned for, before anything is measured.
///
/// # Errors
/// In words.
pub(crate) fn check(conditions: Conditions, plan: bool) -> Result<(), Failure> {
    match plan && conditions != Conditions::default() {
        true => Err(Failure::new("--plan with -x epsilon or super: these are not planned for")),
        false => Ok(()),
    }
}
