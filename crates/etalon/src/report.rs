//! `etalon report`: saved data, analysed as recorded or as asked now.

use etalon_core::analysis::{Analysis, AnalysisError, analyse};
use etalon_core::model::{RunSet, StoppedBy};
use etalon_core::plan::Settings;
use etalon_record::Strictness;

use crate::cli;
use crate::failure::{Exit, Failure};
use crate::{output, saved};

/// Runs the subcommand.
pub fn run(options: &cli::Report) -> Result<Exit, Failure> {
    let strictness = if options.strict { Strictness::Strict } else { Strictness::Lenient };
    let mut run_sets = Vec::new();
    for data in &options.data {
        run_sets.push(saved::read(&saved::path(data)?, strictness)?);
    }
    show(run_sets, &options.analysis, &options.view)?;
    Ok(Exit::Done)
}

/// Analyses and shows run sets; the one way reports come about, live or later.
pub fn show(
    run_sets: Vec<RunSet>,
    asked: &cli::Analysis,
    view: &cli::View,
) -> Result<Analysis, Failure> {
    let recorded = run_sets.iter().find_map(|set| set.settings.clone()).unwrap_or_default();
    let settings = settings(recorded, asked);
    let source = run_sets.first().map(|set| set.source.clone()).unwrap_or_default();
    let analysis = analyse(run_sets, &settings).map_err(|e| explain(&e, &source))?;
    output::report(&analysis, view)?;
    Ok(analysis)
}

/// The settings with what was asked for now.
pub fn settings(recorded: Settings, asked: &cli::Analysis) -> Settings {
    Settings {
        metric: asked.metric.clone().unwrap_or(recorded.metric),
        reference: asked.reference.clone().or(recorded.reference),
        margin: asked.margin.unwrap_or(recorded.margin),
        at_least: asked.at_least.or(recorded.at_least),
        alpha: asked.alpha.unwrap_or(recorded.alpha),
        confidence: asked.confidence.unwrap_or(recorded.confidence),
        correction: asked.correction.or(recorded.correction),
    }
}

fn explain(error: &AnalysisError, source: &str) -> Failure {
    match error {
        AnalysisError::NoBenchmarks => Failure::about(
            source,
            "nothing to report: no benchmark in it (was it interrupted before it began?)",
        ),
        AnalysisError::UnknownMetric { asked, known } => Failure::new(format!(
            "--metric {asked}: not in the data, which have {}",
            known.join(", ")
        )),
        AnalysisError::UnknownReference { asked, matches: 0, known } => Failure::new(format!(
            "--reference {asked:?}: no benchmark of that name; there are {}",
            quoted(known)
        )),
        AnalysisError::UnknownReference { asked, matches, .. } => Failure::new(format!(
            "--reference {asked:?}: {matches} benchmarks have that name; give them different ones \
             with -n"
        )),
        AnalysisError::NotFinite { source } => {
            Failure::about(source, "holds a value that is not finite: the file is damaged")
        }
    }
}

fn quoted(names: &[String]) -> String {
    names.iter().map(|name| format!("{name:?}")).collect::<Vec<_>>().join(", ")
}

/// The exit that an execution's end and outcomes deserve.
pub fn exit(analysis: &Analysis, stopped_by: &StoppedBy) -> Exit {
    if *stopped_by == StoppedBy::Interrupt {
        return Exit::Interrupted;
    }
    let unaccepted = analysis.benchmarks.iter().any(|b| {
        let o = b.outcomes;
        let failed = match b.benchmark.accept {
            etalon_core::model::Accept::Any => 0,
            _ => o.failed,
        };
        failed + o.killed + o.timed_out + o.not_started > 0
    });
    if unaccepted { Exit::Failed } else { Exit::Done }
}
