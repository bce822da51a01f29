//! Fields of a comparison: both documents have the same ones, whichever engine or table it stands in.

use serde_json::{Map, Value, json};

use etalon_core::compare::{
    Beyond, Design, Evidence, Replication, Scale, ScatterFrom, Tail, Unused, WorseSide,
};
use etalon_core::criteria::Criteria;
use etalon_core::estimate::Estimate;
use etalon_core::units::Base;
use etalon_core::verdict::{Assessment, Reason};

use super::margin;
use crate::words::{reason_text, verdict_word};

/// The fields, values in base units; `criteria` are those that the comparison is held against.
pub(super) fn assessment(
    assessment: &Assessment,
    criteria: &Criteria,
    base: &Base,
) -> Map<String, Value> {
    let Assessment { evidence, adjusted, decision, smallest_visible } = assessment;
    let interval = evidence.ratio_interval();
    let family = (!evidence.exact).then_some(adjusted.family);
    let fields = [
        ("verdict", json!(decision.name())),
        ("word", json!(verdict_word(assessment, base))),
        ("ratio", json!(evidence.shown().ratio.map(|ratio| ratio.value))),
        ("lo", json!(interval.map(|i| i.lo))),
        ("hi", json!(interval.map(|i| i.hi))),
        ("level", json!(evidence.shown().level)),
        ("method", json!(evidence.shown().difference.map(|difference| difference.method.name()))),
        ("difference", json!(evidence.shown().difference.as_ref().map(estimate))),
        (
            "scale",
            json!(match evidence.scale {
                Scale::Ratio => "ratio",
                Scale::Difference => "difference",
            }),
        ),
        ("p", json!(evidence.test.ok().map(|test| test.p))),
        ("p_adjusted", json!(adjusted.p)),
        ("p_same", json!(evidence.tost_p)),
        ("p_same_adjusted", json!(adjusted.tost_p)),
        ("correction", json!(adjusted.correction.name())),
        ("family", json!(family)),
        ("superiority", json!(evidence.superiority)),
        ("ratio_of_medians", json!(evidence.ratio_of_medians)),
        ("n", json!([evidence.n.0, evidence.n.1])),
        ("paired", json!(evidence.design == Design::Blocks)),
        ("runs", runs(evidence)),
        ("dropped_blocks", json!(evidence.dropped)),
        ("margin", margin(criteria.margin)),
        ("tail", json!(evidence.tail.as_ref().map(tail))),
        ("tail_apart", json!(evidence.tail_apart.as_deref().map(tail))),
        (
            "reasons",
            json!(decision.reasons.iter().map(|r| reason(r, evidence)).collect::<Vec<_>>()),
        ),
        ("more_blocks", json!(decision.more.as_ref().map(|more| more.about))),
        ("more_blocks_between", json!(decision.more.as_ref().and_then(|more| more.between()))),
        ("smallest_visible", json!(smallest_visible)),
    ];
    fields.map(|(name, value)| (name.to_owned(), value)).into_iter().collect()
}

fn estimate(e: &Estimate) -> Value {
    let interval = e.interval.ok();
    json!({"value": e.value, "lo": interval.map(|i| i.lo), "hi": interval.map(|i| i.hi)})
}

/// The runs that are compared, and how much they scatter; null of what is not compared between runs.
fn runs(evidence: &Evidence) -> Value {
    let Design::Runs(replication) = &evidence.design else {
        return Value::Null;
    };
    let Replication { base, candidate, stretches, scatter, waited, .. } = &**replication;
    let (from, sd, earlier, unused) = match scatter {
        ScatterFrom::Alternating => ("alternating", None, None, None),
        ScatterFrom::Said(share) => ("said", Some(*share), None, None),
        ScatterFrom::Earlier(earlier) => ("earlier", Some(earlier.sd), Some(earlier), None),
        ScatterFrom::Assumed(unused) => ("assumed", None, None, *unused),
    };
    let odd = earlier.and_then(|it| it.odd.as_ref());
    json!({
        "n": [base, candidate],
        "stretches": stretches,
        "scatter": from,
        "sd": sd,
        "earlier": earlier.map(|it| it.runs),
        "occasions": earlier.map(|it| it.occasions),
        "span": earlier.and_then(|it| it.span),
        "range": earlier.map(|it| it.range),
        "odd": odd.map(|odd| json!({"run": &*odd.name, "sd_without": odd.sd_without})),
        "copies": earlier.map(|it| it.copies),
        "unused": unused.map(unused_runs),
        "waited": waited,
    })
}

/// Earlier runs that do not say how much runs scatter, and why.
fn unused_runs(unused: Unused) -> Value {
    match unused {
        Unused::FewOccasions { runs, occasions, versions, copies } => {
            json!({"code": "few_occasions", "runs": runs, "occasions": occasions, "versions": versions, "copies": copies})
        }
        Unused::Short { runs, span } => json!({"code": "short", "runs": runs, "span": span}),
        Unused::OtherState { runs, then, now } => {
            json!({"code": "other_state", "runs": runs, "within": [then, now]})
        }
    }
}

fn tail(tail: &Tail) -> Value {
    let beyond = match tail.beyond {
        Beyond::Times(times) => json!({"times": times}),
        Beyond::Amount(amount) => json!({"amount": amount}),
    };
    let (found, of) = ([tail.found.0, tail.found.1], [tail.of.0, tail.of.1]);
    let worse = tail.worse.map(|it| if it == WorseSide::Base { "base" } else { "candidate" });
    json!({"found": found, "of": of, "beyond": beyond, "worse": worse, "unseen": tail.unseen()})
}

fn reason(reason: &Reason, evidence: &Evidence) -> Value {
    json!({"code": reason.code(), "text": reason_text(reason, evidence)})
}
