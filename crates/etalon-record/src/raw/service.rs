//! The line of a service.

use etalon_core::model::{Outcome, Service, ServiceEnd};
use serde::{Deserialize, Serialize};

use super::observation::OutcomeWire;
use crate::text::Text;

/// A service line.
#[derive(Serialize, Deserialize)]
pub(super) struct ServiceWire {
    name: String,
    start: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    version: Option<String>,
    #[serde(with = "EndWire")]
    ended: ServiceEnd,
    #[serde(default = "ok", skip_serializing_if = "is_ok")]
    outcome: OutcomeWire,
    #[serde(default, skip_serializing_if = "is_none")]
    killed: u32,
    #[serde(default)]
    log_bytes: u64,
    #[serde(default)]
    log: Text,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "ServiceEnd", rename_all = "snake_case")]
enum EndWire {
    Stopped,
    Killed,
    Itself,
}

fn ok() -> OutcomeWire {
    OutcomeWire::Ok
}

fn is_ok(outcome: &OutcomeWire) -> bool {
    matches!(outcome, OutcomeWire::Ok)
}

#[allow(clippy::trivially_copy_pass_by_ref)] // serde passes a reference
fn is_none(killed: &u32) -> bool {
    *killed == 0
}

impl From<&Service> for ServiceWire {
    fn from(service: &Service) -> ServiceWire {
        let Service { name, start, version, ended, outcome, killed, log_bytes, log } = service;
        ServiceWire {
            name: name.clone(),
            start: start.clone(),
            version: version.clone(),
            ended: *ended,
            outcome: match outcome.clone() {
                Outcome::Ok => OutcomeWire::Ok,
                Outcome::Failed { code } => OutcomeWire::Failed(code),
                Outcome::Killed { signal } => OutcomeWire::Killed(signal),
                Outcome::TimedOut => OutcomeWire::TimedOut,
                Outcome::Suspended => OutcomeWire::Suspended,
                Outcome::NotStarted { why } => OutcomeWire::NotStarted(why.to_string()),
            },
            killed: *killed,
            log_bytes: *log_bytes,
            log: Text::from(log.as_str()),
        }
    }
}

impl From<ServiceWire> for Service {
    fn from(wire: ServiceWire) -> Service {
        Service {
            name: wire.name,
            start: wire.start,
            version: wire.version,
            ended: wire.ended,
            outcome: wire.outcome.into(),
            killed: wire.killed,
            log_bytes: wire.log_bytes,
            log: wire.log.to_string_lossy().into_owned(),
        }
    }
}
