//! Histories: what is said of series of points, one a commit.
//!
//! Owns how far a step has to stand out, by how often the series are looked at; which points are on one scale; whose
//! change a step is; and what is new, accepted, gone or stale. Refuses to know where points come from, and to confirm:
//! what is found is *suspected* until a comparison in blocks says the same. The search itself is
//! [`crate::stats::level_steps`].
//!
//! | file | what it owns |
//! | --- | --- |
//! | `series` | points, their anchors and facts; one scale for them |
//! | `watch` | the critical value, from a rate of false alarms |
//! | `finding` | a change of a series, and how it is held against waivers |
//! | `answer` | what a check says of a series |

mod answer;
mod finding;
mod series;
mod watch;

pub use answer::{Answer, Question, State, answer};
pub use finding::{Change, Evidence, FactChange, Finding, Origin, Standing, Unmeasured, Way};
pub use series::{Link, Point, Scale, Series, SeriesName};
pub use watch::{Check, Critical, FalseAlarms, Watch, suspected};
