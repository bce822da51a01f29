//! `--dry-run` and `--list`: what would be executed, in which order, and how long that may take.

use std::time::Duration;

use etalon_core::plan::Stopping;
use etalon_report::number::{counted, duration};
use etalon_report::text::clean;
use etalon_run::Experiment;
use etalon_run::lua::{CaseSetup, expected_seconds};

use super::plan::Setup;
use super::{earlier, number};
use crate::failure::{Exit, Failure};
use crate::output;
use crate::toml_text::Source;

/// Tells what would be executed, and with a schedule in which order and how often.
pub(super) fn dry_run(
    source: Source<'_>,
    experiment: &Experiment,
    setup: &Setup,
    with_schedule: bool,
) -> Result<Exit, Failure> {
    let mut lines = Vec::new();
    if with_schedule {
        lines.push(number(experiment));
        lines.push(expected(source, experiment, setup));
        lines.push(String::new());
    }
    for line in &experiment.benchmarks {
        let label = clean(&line.to_benchmark().label());
        let command = line.command.as_ref().map(|text| text.to_string_lossy().into_owned());
        let suite = || line.case.as_ref().map(|case| case.file.clone());
        let executed = command.or_else(suite).unwrap_or_default();
        lines.push(format!("{label}: {}", clean(&executed)));
    }
    if with_schedule {
        lines.push(String::new());
        for (number, stage) in experiment.stages.iter().enumerate() {
            if let [_, _, ..] = &experiment.stages[..] {
                lines.push(format!(
                    "stage {}: {}",
                    number + 1,
                    counted(stage.subjects.len(), "cell", "cells")
                ));
            }
        }
        if let Some(stage) = experiment.stages.first() {
            let order = experiment.plan.block(stage, etalon_core::plan::Stream::Measured, 0);
            let label =
                |&subject: &usize| clean(&experiment.benchmarks[subject].to_benchmark().label());
            lines.push(format!("the first block, with seed {}:", experiment.plan.seed));
            lines.extend(order.iter().map(|subject| format!("  {}", label(subject))));
        }
    }
    output::lines(&lines)?;
    Ok(Exit::Done)
}

/// The expected duration, as far as it is known before anything was executed.
fn expected(source: Source<'_>, experiment: &Experiment, setup: &Setup) -> String {
    let setup = match setup {
        Setup::Commands(setup) => setup,
        Setup::Cases(setup) => {
            let CaseSetup { cases, budget, .. } = &**setup;
            let Experiment { stages, plan, .. } = experiment;
            return format!("about {}", duration(expected_seconds(cases, stages, plan, *budget)));
        }
    };
    let Stopping::Runs(runs) = experiment.plan.stopping else { return String::new() };
    let number = (runs + experiment.plan.warmup) as usize * experiment.benchmarks.len();
    let executions = counted(number, "execution", "executions");
    let each = setup
        .timeout_ns
        .map(|ns| format!(" of at most {} each", duration(Duration::from_nanos(ns).as_secs_f64())));
    let all = experiment
        .plan
        .limits
        .within
        .map(|seconds| format!(", in {} at most", duration(f64::from(seconds))));
    let bounds = format!("{}{}", each.unwrap_or_default(), all.unwrap_or_default());
    match earlier::seconds(source, experiment) {
        Some(seconds) => {
            let time = duration(seconds);
            format!("{executions}{bounds}; about {time}, as long as when this was measured last")
        }
        None => format!(
            "{executions}{bounds}; -r 1 measures one block, and says while it does how long it takes"
        ),
    }
}
