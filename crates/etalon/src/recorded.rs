//! Facts and remarks that every record has, whatever is measured.

use std::path::Path;

use etalon_core::model::{Context, Note};
use etalon_probe::clock::ClockFacts;

use crate::doctor;
use crate::resume::DIRECTORY;

/// Facts that every record has: about the clock, the build, how fit the machine is, and where etalon was started.
pub(crate) fn facts(here: &Path, clock: Option<&ClockFacts>) -> Context {
    let mut context = Context::new();
    let mut add = |key: &str, value: String| context.insert(key.to_owned(), value);
    if let Some(facts) = clock {
        add("clock.resolution_ns", facts.resolution_ns.to_string());
        add("clock.cost_ns", format!("{:.1}", facts.cost_ns));
    }
    if cfg!(debug_assertions) {
        add("tool.build", "debug".to_owned());
    }
    add(doctor::KEY, doctor::summary().line.clone());
    add(DIRECTORY, here.to_string_lossy().into_owned());
    context
}

/// Remarks that every record has: of a machine that is not fit.
pub(crate) fn notes() -> impl Iterator<Item = Note> {
    doctor::summary().note.iter().cloned()
}
