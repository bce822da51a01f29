//! The parts of an experiment that are alike whatever is measured: facts and remarks of its record, tool and command
//! line.

use std::path::Path;

use etalon_core::model::{Context, Note};
use etalon_core::plan::{Plan, Settings};
use etalon_probe::clock::ClockFacts;
use etalon_record::{BenchmarkLine, Text};
use etalon_run::{Experiment, Naming};

use crate::resume::DIRECTORY;
use crate::{doctor, tool};

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

/// An experiment as every door begins it: on these subjects, side by side or one after the other as planned, of this
/// program, as it was typed.
pub(crate) fn experiment(
    benchmarks: Vec<BenchmarkLine>,
    plan: Plan,
    settings: Settings,
) -> Experiment {
    Experiment {
        stages: plan.stages(benchmarks.len()),
        benchmarks,
        naming: Naming::Subjects,
        metrics: Vec::new(),
        plan,
        settings,
        context: Context::new(),
        tool: tool::name(),
        argv: std::env::args_os().map(Text::from).collect(),
        file: None,
        checks: None,
        sides: None,
        bisection: None,
        printed: Vec::new(),
        notes: notes().collect(),
        resumed: None,
    }
}
