//! The other lines as they are written, and their way to the model and back.
//!
//! Owns a serde struct for the line of a metric, a unit, a plan, a look, a mark and the end. Each struct is the
//! specification's table in code: field names, order, what may be absent. Refuses values the model cannot hold, with a
//! reason. Lines with more to them have files of their own ([`super::settings`], [`super::remark`], [`super::service`],
//! [`super::case`]); observations are written and read without serde structs, in [`super::write`] and
//! [`super::observation`].

use etalon_core::model::{Direction, Kind, Metric, Per};
use etalon_core::plan::{BlockLimits, Order, Plan, Stopping};
use etalon_core::run_set::{End, Look, StoppedBy};
use etalon_core::units::Unit;
use serde::{Deserialize, Serialize};

/// A metric line.
#[derive(Serialize, Deserialize)]
pub(super) struct MetricWire {
    name: String,
    unit: String,
    #[serde(with = "DirectionWire")]
    direction: Direction,
    #[serde(with = "KindWire")]
    kind: Kind,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    resolution: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    per: Option<PerWire>,
    /// The unit as a foreign source spells it, such as `ns/op`; numbers are in it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    spelling: Option<String>,
}

impl MetricWire {
    /// A metric that is no more than a unit of a foreign source, spelled so.
    pub(super) fn spelled(metric: &Metric, spelling: &str) -> MetricWire {
        MetricWire { spelling: Some(spelling.to_owned()), ..MetricWire::from(metric) }
    }

    /// The unit as a foreign source spells it.
    pub(super) fn spelling(&self) -> Option<&str> {
        self.spelling.as_deref()
    }
}

/// A unit line: something that a foreign source declares of a unit.
#[derive(Serialize, Deserialize)]
pub(super) struct UnitWire {
    pub(super) unit: String,
    pub(super) key: String,
    pub(super) value: String,
}

/// A mark line: what a foreign harness said of how something ended.
#[derive(Serialize, Deserialize)]
pub(super) struct MarkWire {
    pub(super) text: String,
}

/// A run line: observations from here on are of this run, in data of several.
#[derive(Serialize, Deserialize)]
pub(super) struct RunWire {
    pub(super) number: u32,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum PerWire {
    Observation,
    Iteration,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Direction", rename_all = "snake_case")]
enum DirectionWire {
    Lower,
    Higher,
    Neither,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Kind", rename_all = "snake_case")]
enum KindWire {
    Noisy,
    Exact,
}

impl From<&Metric> for MetricWire {
    fn from(metric: &Metric) -> MetricWire {
        MetricWire {
            name: metric.name.clone(),
            unit: metric.unit.symbol().to_owned(),
            direction: metric.direction,
            kind: metric.kind,
            resolution: metric.resolution,
            per: match metric.per {
                Per::Observation => None,
                Per::Iteration => Some(PerWire::Iteration),
            },
            spelling: None,
        }
    }
}

impl From<MetricWire> for Metric {
    fn from(wire: MetricWire) -> Metric {
        Metric {
            unit: Unit::new(&wire.unit),
            name: wire.name,
            direction: wire.direction,
            kind: wire.kind,
            resolution: wire.resolution,
            per: match wire.per {
                None | Some(PerWire::Observation) => Per::Observation,
                Some(PerWire::Iteration) => Per::Iteration,
            },
        }
    }
}

/// A plan line.
#[derive(Serialize, Deserialize)]
pub(super) struct PlanWire {
    warmup: u32,
    #[serde(with = "OrderWire")]
    order: Order,
    seed: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    runs: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    precision: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    budget: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    until: Option<UntilWire>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    min_blocks: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    max_blocks: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    within: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    padding: Option<u32>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum UntilWire {
    Decided,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Order", rename_all = "snake_case")]
enum OrderWire {
    Blocks,
    Abba,
    Sequential,
}

impl From<&Plan> for PlanWire {
    fn from(plan: &Plan) -> PlanWire {
        let (runs, precision, budget, until) = match plan.stopping {
            Stopping::Runs(runs) => (Some(runs), None, None, None),
            Stopping::Precision { target, budget } => (None, Some(target), Some(budget), None),
            Stopping::Decided { budget } => (None, None, Some(budget), Some(UntilWire::Decided)),
        };
        let seed = plan.seed.to_string();
        let Plan {
            warmup,
            order,
            padding,
            limits: BlockLimits { min: min_blocks, max: max_blocks, within },
            ..
        } = *plan;
        PlanWire {
            warmup,
            order,
            seed,
            runs,
            precision,
            budget,
            until,
            min_blocks,
            max_blocks,
            within,
            padding,
        }
    }
}

impl TryFrom<PlanWire> for Plan {
    type Error = String;

    fn try_from(wire: PlanWire) -> Result<Plan, String> {
        let stopping = match (wire.runs, wire.precision, wire.budget, wire.until) {
            (Some(runs), None, None, None) => Stopping::Runs(runs),
            (None, Some(target), Some(budget), None) => Stopping::Precision { target, budget },
            (None, None, Some(budget), Some(UntilWire::Decided)) => Stopping::Decided { budget },
            _ => {
                let reason = "a plan has either `runs`, or `precision` and `budget`, or `until` \
                              and `budget`";
                return Err(reason.to_owned());
            }
        };
        let seed = wire
            .seed
            .parse()
            .map_err(|_| format!("the seed `{}` is not a decimal number below 2^64", wire.seed))?;
        let PlanWire { order, min_blocks: min, max_blocks: max, within, .. } = wire;
        let limits = BlockLimits { min, max, within };
        Ok(Plan { warmup: wire.warmup, order, stopping, limits, seed, padding: wire.padding })
    }
}

/// A look line.
#[derive(Serialize, Deserialize)]
pub(super) struct LookWire {
    blocks: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    widest: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    alpha: Option<f64>,
}

impl From<&Look> for LookWire {
    fn from(look: &Look) -> LookWire {
        LookWire { blocks: look.blocks, widest: look.widest, alpha: look.alpha }
    }
}

impl From<LookWire> for Look {
    fn from(wire: LookWire) -> Look {
        Look { blocks: wire.blocks, widest: wire.widest, alpha: wire.alpha }
    }
}

/// An end line.
#[derive(Serialize, Deserialize)]
pub(crate) struct EndWire {
    #[serde(with = "StoppedByWire")]
    stopped_by: StoppedBy,
    at: String,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "StoppedBy", rename_all = "snake_case")]
enum StoppedByWire {
    Runs,
    Precision,
    Decided,
    Budget,
    Failure,
    Interrupt,
    Error,
}

impl From<&End> for EndWire {
    fn from(end: &End) -> EndWire {
        EndWire { stopped_by: end.stopped_by.clone(), at: end.at.clone() }
    }
}

impl From<EndWire> for End {
    fn from(wire: EndWire) -> End {
        End { stopped_by: wire.stopped_by, at: wire.at }
    }
}
