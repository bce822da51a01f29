//! Findings for programs: `docs/json.md`.

use std::io::{self, BufWriter};

use etalon_report::doctor::{Finding, State, answer};
use serde_json::{Value, json};

use super::Examined;
use crate::failure::Failure;
use crate::tool;

/// Writes the document.
pub(super) fn write(examined: &Examined) -> Result<(), Failure> {
    let document = json!({
        "version": 1,
        "tool": tool::name(),
        "answer": answer(&examined.shown()),
        "fit": examined.is_fit(),
        "smallest_difference": examined.reliable(),
        "findings": examined.findings.iter().map(finding).collect::<Vec<_>>(),
        "clock": examined.clock.as_ref().map(|clock| json!({
            "resolution": tool::resolution(Some(clock)),
            "cost": clock.cost_ns / 1e9,
        })),
        "spin": spin(examined),
    });
    let mut out = BufWriter::new(io::stdout().lock());
    let written = etalon_report::json::write_document(&document, &mut out);
    written.map_err(|error| Failure::of_output(&error))
}

fn finding(finding: &Finding) -> Value {
    json!({
        "key": finding.key,
        "name": finding.name,
        "state": finding.state.name(),
        "spoils": finding.state == State::Spoils,
        "value": finding.value,
        "means": finding.means,
        "change": finding.change,
    })
}

fn spin(examined: &Examined) -> Option<Value> {
    let (spin, figures) = examined.spin.as_ref()?;
    let busy = spin.busy.iter();
    let busy = busy.map(|busy| json!({"pid": busy.pid, "name": busy.name, "cpus": busy.cpus}));
    Some(json!({
        "seconds": spin.seconds,
        "pieces": spin.pieces.len(),
        "piece": figures.map(|f| f.piece),
        "equal_within": figures.map(|f| f.equal_within),
        "jitter": figures.map(|f| f.jitter),
        "drift": figures.map(|f| f.drift),
        "waited": figures.map(|f| f.waited),
        "slow_periods": figures.map(|f| f.periods),
        "slowed": figures.map(|f| f.slowed),
        "stolen": spin.stolen,
        "others": spin.others,
        "busy": busy.collect::<Vec<_>>(),
    }))
}
