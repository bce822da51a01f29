//! Options that etalon itself had: for whom has them in a script.

use super::Here::Refused;
use super::{Habit, habit};

pub(super) const HABITS: &[Habit] = &[
    habit(
        "--png DIR",
        &["--png"],
        Refused(
            "a page (--html FILE) has a button PNG below each picture; without a browser: \
             --svg DIR, and rsvg-convert -z 2 -o NAME.png NAME.svg",
        ),
    ),
    habit(
        "--open",
        &["--open"],
        Refused("--html FILE writes the page, and xdg-open FILE shows it"),
    ),
];
