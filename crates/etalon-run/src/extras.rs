//! What was asked for besides (counters, control groups): what of it there is, and what it costs,
//! as facts and remarks of the record.

use etalon_core::model::Note;
use etalon_probe::launcher::protocol::{Events, Groups, Ready, Unavailable};

/// Facts about the launcher, for the context.
pub(crate) fn facts(ready: &Ready) -> Vec<(String, String)> {
    let mut facts = Vec::new();
    let mut add = |key: &str, value: String| facts.push((key.to_owned(), value));
    if let Some(floor) = ready.floor_rss {
        add("launcher.rss", floor.to_string());
    }
    match ready.events {
        Events::NotAsked => {}
        Events::Whole => add("counters.of", "programs and kernel".to_owned()),
        Events::UserOnly { .. } => add("counters.of", "programs".to_owned()),
        Events::None => add("counters.of", "nothing".to_owned()),
    }
    match ready.cgroup {
        Groups::NotAsked => {}
        Groups::V2 => add("cgroup", "v2".to_owned()),
        Groups::V1 => add("cgroup", "v1".to_owned()),
        Groups::None { .. } => add("cgroup", "none".to_owned()),
    }
    if let Some(overhead) = ready.overhead {
        add("counters.cost_ns", overhead.wall_ns.to_string());
        add("counters.whole_cost_ns", overhead.whole_ns.to_string());
    }
    facts
}

/// Remarks on what there is of it: said once, with the cost.
pub(crate) fn notes(ready: &Ready) -> Vec<Note> {
    let mut texts = Vec::new();
    for (why, metrics) in by_reason(&ready.unavailable) {
        texts.push(("counters", format!("not available: {}; {why}", metrics.join(", "))));
    }
    if let Events::UserOnly { why } = &ready.events {
        texts
            .push(("counters", format!("what the kernel does for programs is not counted; {why}")));
    }
    if let Groups::None { why } = &ready.cgroup {
        texts.push((
            "cgroup",
            format!("not available: {why}; only processes that were waited for count"),
        ));
    }
    if let Some(cost) = ready.overhead {
        texts.push((
            "counters",
            format!(
                "they add about {} to an execution's wall clock, and {} to the time from one \
                 execution to the next; nothing is subtracted",
                microseconds(cost.wall_ns),
                microseconds(cost.whole_ns)
            ),
        ));
    }
    let note = |(about, text): (&str, String)| Note { about: about.to_owned(), text };
    texts.into_iter().map(note).collect()
}

/// Metrics that share a reason, in the order of the first of each.
fn by_reason(unavailable: &[Unavailable]) -> Vec<(&str, Vec<&str>)> {
    let mut grouped: Vec<(&str, Vec<&str>)> = Vec::new();
    for Unavailable { metric, why } in unavailable {
        match grouped.iter_mut().find(|(known, _)| known == why) {
            Some((_, metrics)) => metrics.push(metric),
            None => grouped.push((why, vec![metric])),
        }
    }
    grouped
}

#[allow(clippy::cast_precision_loss)] // some µs
fn microseconds(ns: i64) -> String {
    // Adding 0 makes a negative zero positive.
    format!("{:.1} µs", (ns as f64 / 100.0).round() / 10.0 + 0.0)
}

#[cfg(test)]
mod tests {
    use etalon_probe::launcher::protocol::Overhead;

    use super::*;

    #[test]
    fn what_is_missing_is_said_once_with_its_reason() {
        let missing = |metric: &str, why: &str| Unavailable {
            metric: metric.to_owned(),
            why: why.to_owned(),
        };
        let ready = Ready {
            unavailable: vec![missing("a", "x"), missing("b", "y"), missing("c", "x")],
            cgroup: Groups::V2,
            overhead: Some(Overhead { wall_ns: 1500, whole_ns: -49 }),
            ..Ready::default()
        };
        let texts: Vec<String> = notes(&ready).into_iter().map(|note| note.text).collect();
        assert_eq!(texts[..2], ["not available: a, c; x", "not available: b; y"]);
        assert!(texts[2].starts_with("they add about 1.5 µs to"), "{}", texts[2]);
        assert!(facts(&ready).contains(&("cgroup".to_owned(), "v2".to_owned())));
        assert_eq!(notes(&Ready::default()), []);
    }
}
