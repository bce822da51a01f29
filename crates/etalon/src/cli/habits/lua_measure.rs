//! The options of lua-measure's `measure.options`, as they are tried on the command line of `etalon run`.

use super::Here::Renamed;
use super::{Habit, habit};

pub(super) const OPENING: &str = "\
`measure FILE...` is `etalon run FILE...`; suites run as they are. --style
lua-measure prints its five sections. measure.options holds in a suite; options
of the command line come before it.
";

pub(super) const HABITS: &[Habit] = &[
    habit("warmup = SECONDS", &[], Renamed("-w TIME, with a unit: -w 1s")),
    habit(
        "rciw = PERCENT",
        &["--rciw"],
        Renamed("--precision 2.5% for rciw = 5: a half-width is half of it"),
    ),
    habit("confidence_level = LEVEL", &["--confidence-level"], Renamed("--confidence LEVEL%")),
    habit("gc_step = KB", &["--gc_step"], Renamed("--gc-step KB: when garbage is collected")),
];
