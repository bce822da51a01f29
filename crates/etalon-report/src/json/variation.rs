//! Why readings of a benchmark differ.

use etalon_core::analysis::{Analysis, Variation};
use etalon_core::variation::{Cause, CauseKind, LevelShare, Mode};
use serde_json::{Map, Value, json};

/// The causes and levels seen in the ranked metric's readings.
pub(super) fn variation(found: &Variation, analysis: &Analysis) -> Value {
    let cause = |cause: &Cause| {
        let mut fields = Map::new();
        fields.insert("cause".to_owned(), json!(cause.kind.name()));
        fields.insert("share".to_owned(), json!(cause.share));
        fields.insert("p".to_owned(), json!(cause.p));
        let mut add = |name: &str, value: Value| fields.insert(name.to_owned(), value);
        match &cause.kind {
            CauseKind::Waiting | CauseKind::Faults | CauseKind::Switches | CauseKind::Together => {}
            CauseKind::First { value, others } => {
                add("value", json!(value));
                add("others", json!(others));
            }
            CauseKind::Step { after, before, behind } => {
                add("after", json!(after));
                add("before", json!(before));
                add("behind", json!(behind));
            }
            CauseKind::Drift { change } => {
                add("change", json!(change));
            }
            CauseKind::Modes(modes) => {
                let mode = |mode: &Mode| json!({ "at": mode.at, "share": mode.share });
                add("modes", modes.iter().map(mode).collect());
            }
        }
        Value::Object(fields)
    };
    let level = |it: &LevelShare| json!({ "level": it.level, "share": it.share, "below_zero": it.below_zero });
    json!({
        "metric": analysis.settings.metric,
        "readings": found.readings,
        "causes": found.causes.iter().map(cause).collect::<Vec<Value>>(),
        "repetitions": found.repetitions.map(|it| json!({
            "best": it.best, "block": it.block, "sample": it.sample,
        })),
        "levels": found.levels.iter().map(level).collect::<Vec<Value>>(),
    })
}
