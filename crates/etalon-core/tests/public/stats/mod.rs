//! `etalon_core::stats` checked from outside: against SciPy's values (`tests/reference` in the
//! workspace root), against slow obvious versions on generated data, and against pragmastat.

mod between_runs;
mod clusters;
mod distribution;
mod fixtures;
mod huge;
mod means;
mod nodes;
mod occasions;
mod oracle;
mod pictures;
mod properties;
mod recipes;
mod reference;
mod small;
mod spending;
mod steps;
