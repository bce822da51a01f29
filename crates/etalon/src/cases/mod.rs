//! Experiments on cases of Lua suites: which files are suites ([`files`]), which of their cases are wanted
//! ([`selection`]), and what is executed ([`mod@experiment`]).
//!
//! Refuses to execute.

pub(crate) mod budget;
pub(crate) mod experiment;
pub(crate) mod files;
mod selection;

use std::ops::ControlFlow;
use std::time::Duration;

use etalon_core::noise;
use etalon_core::plan::Stopping;
use etalon_lua::{Host, Limits, MemoryLimit, MemoryOrigin};
use etalon_probe::launcher::control;
use etalon_probe::launcher::protocol::Control;
use etalon_probe::{limits, machine};
use etalon_record::BenchmarkLine;
use etalon_report::number::{counted, duration};
use etalon_run::lua::{CaseSetup, Discovery, SuiteSpec, Variant, discover, expected_seconds};
use etalon_run::{Experiment, RunError};

use crate::cli;
use crate::failure::Failure;
use crate::hosts;
use crate::progress::Watch;
use experiment::CaseFilter;
pub(crate) use selection::Selection;

/// Whether every case is there twice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Twins {
    /// Once.
    None,
    /// In two processes that differ in nothing, for an A/A experiment.
    Two,
}

/// The experiment on suites, and how their cases are executed: everything as typed.
///
/// # Errors
/// If they cannot be loaded.
pub(crate) fn of_options(
    options: &cli::Run,
    twins: Twins,
    watch: &mut Watch<'_>,
) -> Result<ControlFlow<(), (Experiment, CaseSetup)>, Failure> {
    let selection = Selection::of(options)?;
    let wanted = files::wanted(options)?;
    let conditions = Conditions::of(options)?;
    planned(options, (wanted, &conditions, &selection), twins, watch)
}

/// The experiment on suites, and how their cases are executed; breaks if the user stops it before.
///
/// # Errors
/// If they cannot be loaded.
pub(crate) fn planned(
    options: &cli::Run,
    (wanted, conditions, selection): (Vec<SuiteSpec>, &Conditions, &Selection),
    twins: Twins,
    watch: &mut Watch<'_>,
) -> Result<ControlFlow<(), (Experiment, CaseSetup)>, Failure> {
    let ControlFlow::Continue(mut variants) =
        hosts::wanted(options, &conditions.discovery(&[]), watch)?
    else {
        return Ok(ControlFlow::Break(()));
    };
    if twins == Twins::Two {
        variants = variants.iter().flat_map(two_of).collect();
    }
    match discover(wanted, &conditions.discovery(&variants), watch).map_err(Failure::new)? {
        ControlFlow::Continue(suites) => {
            let wants = |_, case: &BenchmarkLine| selection.wants(case);
            let wanted = CaseFilter { selection, wants: &wants };
            experiment::assembled(options, suites, &wanted, conditions.limits)
                .map(ControlFlow::Continue)
        }
        ControlFlow::Break(()) => Ok(ControlFlow::Break(())),
    }
}

/// A Lua, and again.
fn two_of(variant: &Variant) -> [Variant; 2] {
    noise::TWINS.map(|twin| {
        let mut variant = variant.clone();
        variant.params.push((noise::TWIN.to_owned(), twin.to_owned()));
        variant
    })
}

/// Conditions under which suites are loaded.
pub(crate) struct Conditions {
    others: Vec<Host>,
    control: Control,
    pub(crate) limits: Limits,
    timeout: Duration,
}

impl Conditions {
    /// # Errors
    /// If this machine does not allow them.
    pub(crate) fn of(options: &cli::Run) -> Result<Conditions, Failure> {
        let control = options.surroundings.control();
        control::check(&control).map_err(|refusal| Failure::new(RunError::Refused(refusal)))?;
        Ok(Conditions {
            others: hosts::all_installed(),
            control,
            limits: Limits { memory: memory_limit(options) },
            timeout: Duration::from_secs_f64(options.sampling.timeout),
        })
    }

    pub(crate) fn discovery<'a>(&'a self, variants: &'a [Variant]) -> Discovery<'a> {
        let Conditions { others, control, limits, timeout } = self;
        Discovery { variants, others, limits: *limits, control, timeout: *timeout }
    }
}

/// The limit that was typed, else half of the memory that is available, so that a case that takes all it can get
/// ends alone; never more than this process was allowed itself.
fn memory_limit(options: &cli::Run) -> Option<MemoryLimit> {
    let allowed = limits::address_space();
    let (wanted, origin, most) = match options.sampling.memory_limit {
        Some(bytes) => (Some(bytes), MemoryOrigin::Asked, allowed.hard),
        None => {
            let half = machine::available_memory().map(|bytes| bytes / 2);
            (half, MemoryOrigin::Available, allowed.soft.or(allowed.hard))
        }
    };
    match (wanted, most) {
        (Some(bytes), Some(most)) if bytes > most => {
            Some(MemoryLimit { bytes: most, origin: MemoryOrigin::Inherited })
        }
        (None, Some(most)) => Some(MemoryLimit { bytes: most, origin: MemoryOrigin::Inherited }),
        (wanted, _) => wanted.map(|bytes| MemoryLimit { bytes, origin }),
    }
}

/// The seconds that an experiment takes, as far as that is known before a case was called.
pub(crate) fn promised(experiment: &Experiment, setup: &CaseSetup) -> f64 {
    expected_seconds(&setup.cases, &experiment.stages, &experiment.plan, setup.budget)
}

/// How much there is to do, and for how long.
pub(crate) fn announced(experiment: &Experiment, setup: &CaseSetup) -> Option<String> {
    let plan = &experiment.plan;
    let measured = setup.cases.iter().filter(|case| case.is_measured()).count();
    if measured == 0 {
        return None;
    }
    let count = counted(measured, "case", "cases");
    let seconds = duration(promised(experiment, setup));
    Some(match plan.stopping {
        Stopping::Runs(runs) => {
            let blocks = counted(runs as usize, "block", "blocks");
            format!("{count}, {blocks}, about {seconds}")
        }
        Stopping::Precision { .. } | Stopping::Decided { .. } => {
            let fewest = plan.limits.first_look();
            format!("{count}, about {seconds} or as long as {fewest} blocks take")
        }
    })
}
