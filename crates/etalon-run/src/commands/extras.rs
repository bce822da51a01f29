//! Extras that were asked for (counters, control groups): which of them there are and what they cost,
//! as facts and remarks of the record.

use etalon_core::model::Note;
use etalon_probe::launcher;
use etalon_probe::launcher::protocol::{
    Cgroup, Counters, Events, Groups, Overhead, Ready, Unavailable,
};

/// The least cost, in ns, that is shown as more than nothing.
const TOLD: i64 = 50;

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
    for (what, cost) in costs(ready) {
        add(&format!("{what}.cost_ns"), cost.wall_ns.to_string());
        add(&format!("{what}.whole_cost_ns"), cost.whole_ns.to_string());
    }
    facts
}

/// Remarks on what there is of it: said once, with the cost.
pub(crate) fn notes(ready: &Ready) -> Vec<Note> {
    let mut texts = Vec::new();
    for (why, metrics) in by_reason(&ready.unavailable) {
        texts.push((option_of(&metrics), format!("not available: {}; {why}", metrics.join(", "))));
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
    for (what, cost) in costs(ready) {
        texts.push((
            what,
            format!(
                "{}; {}; nothing is subtracted",
                added(&format!("--{what}"), cost.wall_ns, "an execution's wall clock"),
                added("it", cost.whole_ns, "the time from one execution to the next")
            ),
        ));
    }
    let note = |(about, text): (&str, String)| Note::new(about, text);
    texts.into_iter().map(note).collect()
}

/// The costs of extras that were asked for, by option, where they are known.
fn costs(ready: &Ready) -> impl Iterator<Item = (&'static str, Overhead)> {
    let costs = [("counters", ready.counters_cost), ("cgroup", ready.cgroup_cost)];
    costs.into_iter().filter_map(|(what, cost)| Some((what, cost?)))
}

/// The option that metrics with one reason are asked for by.
fn option_of(metrics: &[&str]) -> &'static str {
    let of_groups = launcher::metrics(None, Counters::Off, Cgroup::On);
    let is_one = |name: &&str| of_groups.iter().any(|metric| metric.name == **name);
    if metrics.iter().all(is_one) { "cgroup" } else { "counters" }
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

/// A cost that chance took below what is shown is none that anyone could tell.
fn added(what: &str, ns: i64, to: &str) -> String {
    let shown = microseconds(ns);
    if ns >= TOLD {
        format!("{what} adds about {shown} to {to}")
    } else {
        format!("what {what} adds to {to} is too small to be told ({shown})")
    }
}

#[allow(clippy::cast_precision_loss)] // some µs
fn microseconds(ns: i64) -> String {
    // Adding 0 makes a negative zero positive.
    format!("{:.1} µs", (ns as f64 / 100.0).round() / 10.0 + 0.0)
}

#[cfg(test)]
mod tests {
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
            counters_cost: Some(Overhead { wall_ns: 1500, whole_ns: -49 }),
            cgroup_cost: Some(Overhead { wall_ns: 700, whole_ns: 900 }),
            ..Ready::default()
        };
        let notes_of = |ready| -> Vec<(String, String)> {
            notes(ready).into_iter().map(|note| (note.about, note.text)).collect()
        };
        let told = notes_of(&ready);
        let texts: Vec<&str> = told.iter().map(|(_, text)| text.as_str()).collect();
        assert_eq!(texts[..2], ["not available: a, c; x", "not available: b; y"]);
        let costs: Vec<(&str, &str)> = told[2..].iter().map(|(a, t)| (&a[..], &t[..])).collect();
        let [("counters", counters), ("cgroup", cgroup)] = costs[..] else { panic!("{costs:?}") };
        assert!(counters.starts_with("--counters adds about 1.5 µs to"), "{counters}");
        assert!(counters.contains("; what it adds to the time from one"), "{counters}");
        assert!(counters.contains("too small to be told (0.0 µs); nothing is"), "{counters}");
        assert!(cgroup.starts_with("--cgroup adds about 0.7 µs to"), "{cgroup}");
        assert!(cgroup.contains("; it adds about 0.9 µs to the time from one"), "{cgroup}");
        let facts = facts(&ready);
        let fact = |key: &str, value: &str| facts.contains(&(key.to_owned(), value.to_owned()));
        assert!(fact("cgroup", "v2") && fact("counters.cost_ns", "1500"), "{facts:?}");
        assert!(fact("cgroup.whole_cost_ns", "900"), "{facts:?}");
        // One that was not asked for is not told of.
        let alone = Ready { cgroup_cost: ready.cgroup_cost, ..Ready::default() };
        let told = notes_of(&alone);
        assert_eq!(told.len(), 1);
        assert!(told[0].0 == "cgroup" && !told[0].1.contains("counters"), "{told:?}");
        let lost = vec![missing("tree_cpu", "z"), missing("cycles", "x")];
        let told = notes_of(&Ready { unavailable: lost, ..Ready::default() });
        assert_eq!([&told[0].0, &told[1].0], ["cgroup", "counters"]);
        assert_eq!(notes(&Ready::default()), []);
    }
}
