//! Facts that nodes have in common, and those that differ.

use std::collections::BTreeMap;

use etalon_core::model::{Context, Node, Note};

use super::protocol::{Ready, Remark};

/// Facts that a node told of itself.
#[derive(Debug, Clone, Copy)]
pub(super) struct Account<'a> {
    pub(super) name: &'a str,
    pub(super) boot: &'a str,
    pub(super) ready: &'a Ready,
}

/// Facts that are no node's: they are about where the worker is, which goes with it.
const NOT_A_NODES: [&str; 2] = ["directory", "commit"];

/// The facts that all nodes have alike, and each with those of its own.
pub(super) fn facts(all: &[Account<'_>]) -> (Context, Vec<Node>) {
    let mut common = all.first().map(|told| told.ready.facts.clone()).unwrap_or_default();
    common.retain(|key, value| {
        all.iter().all(|told| told.ready.facts.get(key) == Some(value)) && !is_left_out(key)
    });
    let nodes = all.iter().map(|told| own(told, &common)).collect();
    (common, nodes)
}

/// A node with the facts that are not as those of all.
pub(super) fn own(told: &Account<'_>, common: &Context) -> Node {
    let mut context = told.ready.facts.clone();
    context.retain(|key, value| common.get(key) != Some(value) && !is_left_out(key));
    Node { name: told.name.to_owned(), boot: Some(told.boot.to_owned()), context }
}

fn is_left_out(key: &str) -> bool {
    NOT_A_NODES.contains(&key)
}

/// The remarks of all nodes, those that only some made with their names.
pub(super) fn notes(all: &[Account<'_>]) -> Vec<Note> {
    let mut by_remark: BTreeMap<&Remark, Vec<&str>> = BTreeMap::new();
    for told in all {
        told.ready.notes.iter().for_each(|remark| {
            by_remark.entry(remark).or_default().push(told.name);
        });
    }
    let note = |(remark, names): (&Remark, Vec<&str>)| match names.len() == all.len() {
        true => Note::from(remark.clone()),
        false => {
            let text = format!("{}: {}", names.join(", "), remark.text);
            Note::from(Remark { text, ..remark.clone() })
        }
    };
    let mut notes: Vec<Note> = by_remark.into_iter().map(note).collect();
    notes.extend(other_code(all));
    notes
}

/// Benchmarks that are not the same code on all nodes.
fn other_code<'a>(all: &'a [Account<'a>]) -> impl Iterator<Item = Note> + 'a {
    let first = all.first().map_or(&[][..], |told| &told.ready.benchmarks);
    first.iter().enumerate().filter_map(move |(place, (label, hash))| {
        let differs = |told: &&Account<'_>| {
            told.ready.benchmarks.get(place).is_some_and(|(_, other)| other != hash)
        };
        let names: Vec<&str> = all.iter().filter(differs).map(|told| told.name).collect();
        let (name, others) = (all.first()?.name, names.join(", "));
        let text =
            format!("its program on {others} is not the one on {name}: their contents differ");
        (!names.is_empty()).then(|| Note::new(label.clone(), text))
    })
}

/// Facts that have to be told where nodes differ in them: what they are, what executes them, and what is executed.
const TOLD: [(&str, &str); 11] = [
    ("cpu.model", "CPUs"),
    ("machine.arch", "architectures"),
    ("cpu.cores", "numbers of cores"),
    ("cpu.governor", "governors"),
    ("cpu.turbo", "settings of turbo"),
    ("kernel.release", "kernels"),
    ("tool.version", "versions of etalon"),
    ("runtime.version", "versions of the runtime"),
    ("go", "versions of Go"),
    ("container", "containers"),
    ("vm", "virtual machines"),
];

/// How nodes differ, in words: a line for each fact.
pub(super) fn differences(all: &[Account<'_>]) -> Vec<String> {
    let line = |(key, words): &(&str, &str)| {
        let mut values: Vec<(Option<&String>, Vec<&str>)> = Vec::new();
        for told in all {
            let value = told.ready.facts.get(*key);
            match values.iter_mut().find(|(other, _)| *other == value) {
                Some((_, names)) => names.push(told.name),
                None => values.push((value, vec![told.name])),
            }
        }
        let each = |(value, names): &(Option<&String>, Vec<&str>)| {
            let value = value.map_or("unknown", String::as_str);
            format!("{value} on {}", names.join(", "))
        };
        let each: Vec<String> = values.iter().map(each).collect();
        (each.len() > 1)
            .then(|| format!("the machines have different {words}: {}", each.join("; ")))
    };
    TOLD.iter().filter_map(line).collect()
}

/// How one node differs from another, in words.
pub(super) fn differs(told: Account<'_>, from: Account<'_>) -> Vec<String> {
    differences(&[from, told])
}

/// The facts that a CPU is known by.
const OF_CPU: [&str; 2] = ["cpu.model", "machine.arch"];

/// The nodes that have another CPU than the first, in words.
pub(super) fn unequal(all: &[Account<'_>]) -> Option<String> {
    let of = |told: &Account<'_>| {
        OF_CPU.map(|key| told.ready.facts.get(key).map_or("unknown", String::as_str)).join(", ")
    };
    let first = all.first()?;
    let other = all.iter().find(|told| of(told) != of(first))?;
    Some(format!(
        "{} has another CPU ({}) than {} ({})",
        other.name,
        of(other),
        first.name,
        of(first)
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ready(facts: &[(&str, &str)], notes: &[&str], hash: &str) -> Ready {
        let remark = |text: &&str| Remark::from(&Note::new("machine", *text));
        Ready {
            benchmarks: vec![("a".to_owned(), Some(hash.to_owned()))],
            facts: facts.iter().map(|(key, value)| ((*key).into(), (*value).into())).collect(),
            notes: notes.iter().map(remark).collect(),
            fails: None,
        }
    }

    /// Would catch a fact of one node that is told of all, one that is lost, and a difference that nobody hears of.
    #[test]
    fn what_is_alike_is_told_once() {
        let facts_of = |host, model| {
            [("machine.host", host), ("cpu.model", model), ("kernel", "6"), ("directory", host)]
        };
        let one = ready(&facts_of("x", "m1"), &["both", "mine"], "1");
        let two = ready(&facts_of("y", "m2"), &["both"], "2");
        let told = |ready| {
            [("n1", "b1", &one), ("n2", "b2", ready)].map(|(name, boot, ready)| Account {
                name,
                boot,
                ready,
            })
        };
        let (common, nodes) = facts(&told(&two));
        assert_eq!(common.into_iter().collect::<Vec<_>>(), [("kernel".to_owned(), "6".to_owned())]);
        let own: Vec<_> = nodes[1].context.values().cloned().collect();
        assert_eq!((own.join(" "), nodes[1].boot.as_deref()), ("m2 y".to_owned(), Some("b2")));
        let texts: Vec<String> = notes(&told(&two)).into_iter().map(|note| note.text).collect();
        assert_eq!(texts[..2], ["both", "n1: mine"]);
        assert!(texts[2].contains("n2 is not the one on n1"), "{texts:?}");
        let differ = differences(&told(&two));
        assert_eq!(differ, ["the machines have different CPUs: m1 on n1; m2 on n2"]);
        assert_eq!(differences(&told(&one)), [] as [&str; 0]);
        assert!(unequal(&told(&two)).is_some_and(|why| why.contains("m2")));
        assert_eq!((unequal(&told(&one)), notes(&told(&one)).len()), (None, 2));
    }
}
