//! The options of lua-measure's `measure.options`, as they are tried on the command line of `etalon run`.

use super::Here::{Refused, Renamed};
use super::{Habit, habit};

pub(super) const HABITS: &[Habit] = &[
    habit(
        "--rciw PERCENT",
        &["--rciw"],
        Renamed("--precision 2.5% for rciw = 5: a half-width is half of it"),
    ),
    habit("--confidence-level LEVEL", &["--confidence-level"], Renamed("--confidence LEVEL%")),
    habit(
        "--gc-step KB",
        &["--gc-step", "--gc_step"],
        Refused("a suite sets it: measure.options({ gc_step = 0 })"),
    ),
];
