//! The runs that a document is about, and the settings in force.

use etalon_core::analysis;
use etalon_core::criteria::Criteria;
use etalon_core::model::{self, Context, Outcome, ServiceEnd};
use etalon_core::run_set;
use etalon_core::stats::Correction;
use serde::Serialize;

use super::parts::Margin;

/// The settings of verdicts.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Settings<'a> {
    /// The metric that is ranked and compared; `null` of tables, each of which is of a unit.
    metric: Option<&'a str>,
    /// The benchmark that all others are compared with, where one was chosen.
    reference: Option<&'a str>,
    /// The largest difference that counts as the same.
    margin: Margin,
    /// A difference has to lie wholly beyond this share.
    at_least: Option<f64>,
    /// Significance level; after looks at verdicts that of the last.
    alpha: f64,
    /// Level of intervals, 0 to 1.
    confidence: f64,
    /// The scatter between runs that was said, as a share.
    between: Option<f64>,
    /// The condition `epsilon` of `-x`, in seconds.
    epsilon: Option<f64>,
    /// The condition `super` of `-x`.
    superiority: Option<f64>,
    /// The correction within a family; `null` where nothing is compared.
    #[cfg_attr(test, schemars(extend("enum" = ["holm", "bh", "none", null])))]
    correction: Option<&'static str>,
}

impl<'a> Settings<'a> {
    /// Those of tables, each of which is of a unit.
    #[must_use]
    pub fn new(criteria: &Criteria) -> Settings<'a> {
        Settings {
            metric: None,
            reference: None,
            margin: Margin::new(criteria.margin),
            at_least: criteria.at_least,
            alpha: criteria.alpha,
            confidence: criteria.confidence,
            between: criteria.between,
            epsilon: criteria.conditions.epsilon,
            superiority: criteria.conditions.superiority,
            correction: criteria.correction.map(Correction::name),
        }
    }

    /// Those by which one metric is looked at.
    #[must_use]
    pub fn for_metric(self, metric: &'a str, reference: Option<&'a str>) -> Settings<'a> {
        Settings { metric: Some(metric), reference, ..self }
    }

    /// With the correction that its comparisons have.
    pub(super) fn corrected(self, correction: Option<Correction>) -> Settings<'a> {
        Settings { correction: correction.map(Correction::name), ..self }
    }
}

/// A run, or an import.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct Execution<'a> {
    /// Where its data came from.
    source: &'a str,
    /// When it began: RFC 3339, UTC.
    started: Option<&'a str>,
    /// Its seed, as a string: doubles would lose bits of it.
    seed: Option<String>,
    /// The most blocks (or executions) of any benchmark.
    blocks: usize,
    /// Why it ended; `null` if its record does not say.
    #[cfg_attr(test, schemars(extend("enum" = ["runs", "precision", "decided", "budget", "failure", "interrupt", "error", null])))]
    stopped_by: Option<String>,
    /// Looks taken at the precision, or at the verdicts.
    looks: Vec<Look>,
    /// Services that ran meanwhile.
    services: Vec<Service<'a>>,
    /// Facts about machine, tool and environment, by key.
    context: &'a Context,
}

impl<'a> Execution<'a> {
    pub(super) fn new(run: &'a analysis::Execution) -> Execution<'a> {
        Execution {
            source: &run.source,
            started: run.started.as_deref(),
            seed: seed(run),
            blocks: run.blocks,
            stopped_by: stopped_by(run),
            looks: run.looks.iter().map(Look::new).collect(),
            services: run.services.iter().map(Service::new).collect(),
            context: &run.context,
        }
    }
}

/// The seed of a run.
pub(super) fn seed(run: &analysis::Execution) -> Option<String> {
    run.plan.as_ref().map(|plan| plan.seed.to_string())
}

/// Why a run ended.
pub(super) fn stopped_by(run: &analysis::Execution) -> Option<String> {
    run.stopped_by.as_ref().map(ToString::to_string)
}

/// A look at the precision, or at the verdicts.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Look {
    /// Blocks finished by then.
    blocks: u32,
    /// The widest half-width over median.
    widest: Option<f64>,
    /// The significance level of a look at the verdicts.
    alpha: Option<f64>,
}

impl Look {
    fn new(look: &run_set::Look) -> Look {
        Look { blocks: look.blocks, widest: look.widest, alpha: look.alpha }
    }
}

/// A program that ran while something was measured.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Service<'a> {
    /// Its name.
    name: &'a str,
    /// The command that started it.
    start: &'a str,
    /// Its own word on its version.
    version: Option<&'a str>,
    /// How it ended.
    #[cfg_attr(test, schemars(extend("enum" = ["stopped", "killed", "itself"])))]
    ended: &'static str,
    /// The exit code of its process.
    code: Option<i32>,
    /// The signal that ended its process.
    signal: Option<i32>,
    /// Processes of it that had to be killed.
    killed: u32,
    /// Bytes that it wrote to standard output and error.
    log_bytes: u64,
}

impl<'a> Service<'a> {
    fn new(service: &'a model::Service) -> Service<'a> {
        let (code, signal) = match service.outcome {
            Outcome::Ok => (Some(0), None),
            Outcome::Failed { code } => (Some(code), None),
            Outcome::Killed { signal } => (None, Some(signal)),
            Outcome::TimedOut | Outcome::Suspended | Outcome::NotStarted { .. } => (None, None),
        };
        Service {
            name: &service.name,
            start: &service.start,
            version: service.version.as_deref(),
            ended: match service.ended {
                ServiceEnd::Stopped => "stopped",
                ServiceEnd::Killed => "killed",
                ServiceEnd::Itself => "itself",
            },
            code,
            signal,
            killed: service.killed,
            log_bytes: service.log_bytes,
        }
    }
}
