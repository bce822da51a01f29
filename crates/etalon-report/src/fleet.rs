//! Several machines on one screen: which is fit, what is in the way on each, and what differs between them.
//!
//! Refuses to find anything: what a machine says of itself is said with it.

use std::collections::BTreeMap;

use crate::doctor::{State, percent};
use crate::text::{clean, hanging, left, width, wrap};

/// A finding of a machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Trait {
    /// Its name.
    pub name: String,
    /// Whether it matters.
    pub state: State,
    /// The finding in words.
    pub value: String,
}

/// A machine as it says it is.
#[derive(Debug, Clone, PartialEq)]
pub struct Machine {
    /// Its name.
    pub name: String,
    /// Its findings.
    pub traits: Vec<Trait>,
    /// Facts about hardware and system.
    pub facts: BTreeMap<String, String>,
    /// The smallest difference that may be relied on there, as a share.
    pub reliable: Option<f64>,
}

impl Machine {
    /// Whether nothing is known that spoils small differences.
    #[must_use]
    pub fn is_fit(&self) -> bool {
        self.traits.iter().all(|it| it.state != State::Spoils)
    }

    fn worded(&self, state: State) -> String {
        let of = self.traits.iter().filter(|it| it.state == state);
        let said = of.map(|it| format!("{} {}", clean(&it.name), clean(&it.value)));
        said.collect::<Vec<_>>().join("; ")
    }
}

/// Findings that differ from one moment to the next.
const PASSING: [&str; 8] =
    ["other programs", "steal", "waiting", "shared core", "jitter", "drift", "clock", "heat"];

/// The screen: the answer, a paragraph a machine, what differs, and machines that could not be looked at, with the reason.
#[must_use]
pub fn text(machines: &[Machine], left_out: &[String], columns: usize) -> Vec<String> {
    let unfit: Vec<&str> =
        machines.iter().filter(|it| !it.is_fit()).map(|it| it.name.as_str()).collect();
    let count = machines.len();
    let answer = match (count, unfit.len()) {
        (0, _) => "No machine could be looked at.".to_owned(),
        (1, 0) => "This machine is fit, as far as it is known.".to_owned(),
        (_, 0) => format!("All {count} machines are fit, as far as it is known."),
        _ => format!(
            "Not fit for small differences: {} of {count} ({}).",
            unfit.len(),
            unfit.join(", ")
        ),
    };
    let mut lines = wrap(&answer, columns);
    lines.push(String::new());
    let names = machines.iter().map(|it| width(&clean(&it.name))).max().unwrap_or(0);
    for machine in machines {
        let lead = format!("{}  ", left(&clean(&machine.name), names));
        lines.extend(hanging(&lead, &said(machine), columns));
    }
    let differing = differing(machines);
    if count > 1 {
        lines.push(String::new());
        match differing.is_empty() {
            true => {
                lines.extend(wrap("Hardware, system and settings are the same on all.", columns))
            }
            false => lines.push("What differs:".to_owned()),
        }
        for (name, values) in differing {
            lines.extend(hanging(&format!("  {}: ", clean(&name)), &clean(&values), columns));
        }
    }
    if !left_out.is_empty() {
        lines.extend([String::new(), "Not looked at:".to_owned()]);
        left_out.iter().for_each(|why| lines.extend(hanging("  ", &clean(why), columns)));
    }
    lines
}

/// A machine in one paragraph.
fn said(machine: &Machine) -> String {
    let from =
        machine.reliable.map(|share| format!(", differences from about {} on", percent(share)));
    let fit = match machine.is_fit() {
        true => format!("fit{}", from.unwrap_or_default()),
        false => "not fit".to_owned(),
    };
    let of = |state, word: &str| {
        let said = machine.worded(state);
        if said.is_empty() { String::new() } else { format!("; {word}: {said}") }
    };
    format!("{fit}{}{}", of(State::Spoils, "in the way"), of(State::Scatters, "scatter"))
}

/// Facts and findings that are not alike on all machines: each value with those that have it.
fn differing(machines: &[Machine]) -> Vec<(String, String)> {
    let mut all: BTreeMap<&str, Vec<(&str, Vec<&str>)>> = BTreeMap::new();
    let of_machine = |machine: &'_ Machine| -> Vec<(String, String)> {
        let traits = machine.traits.iter().filter(|it| !PASSING.contains(&it.name.as_str()));
        let traits = traits.map(|it| (it.name.clone(), it.value.clone()));
        traits.chain(machine.facts.clone()).collect()
    };
    let told: Vec<Vec<(String, String)>> = machines.iter().map(of_machine).collect();
    for (machine, told) in machines.iter().zip(&told) {
        for (name, value) in told {
            let values = all.entry(name).or_default();
            match values.iter_mut().find(|(other, _)| other == value) {
                // A finding and a fact may have one name.
                Some((_, names)) if names.last() == Some(&machine.name.as_str()) => {}
                Some((_, names)) => names.push(&machine.name),
                None => values.push((value, vec![&machine.name])),
            }
        }
    }
    let is_alike = |values: &[(&str, Vec<&str>)]| {
        values.len() == 1 && values.iter().all(|(_, names)| names.len() == machines.len())
    };
    let differing = all.into_iter().filter(|(_, values)| !is_alike(values));
    let worded = differing.map(|(name, values)| {
        let each = values.iter().map(|(value, names)| format!("{value} on {}", names.join(", ")));
        (name.to_owned(), each.collect::<Vec<_>>().join("; "))
    });
    worded.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn machine(name: &str, model: &str, governor: State) -> Machine {
        let value = if governor == State::Good { "performance" } else { "powersave" };
        let of = |name: &str, state, value: &str| Trait {
            name: name.into(),
            state,
            value: value.into(),
        };
        Machine {
            name: name.to_owned(),
            traits: vec![
                of("governor", governor, value),
                of("huge pages", State::Scatters, "always"),
                of("other programs", State::Good, name),
            ],
            facts: [("cpu.model".to_owned(), model.to_owned())].into(),
            reliable: Some(0.005),
        }
    }

    /// Would catch an unfit machine that is not named, a difference that is not said or one that is none, and a machine
    /// that is left out silently.
    #[test]
    fn machines_stand_side_by_side() {
        let alike = ["a", "b"].map(|name| machine(name, "M", State::Good));
        let text =
            |machines: &[Machine], left_out: &[String]| text(machines, left_out, 80).join("\n");
        assert_eq!(
            text(&alike, &[]),
            "All 2 machines are fit, as far as it is known.\n\n\
             a  fit, differences from about 0.5 % on; scatter: huge pages always\n\
             b  fit, differences from about 0.5 % on; scatter: huge pages always\n\n\
             Hardware, system and settings are the same on all."
        );
        let other = [&alike[..], &[machine("gamma", "N", State::Spoils)]].concat();
        assert_eq!(
            text(&other, &["d: it asks for a password".to_owned()]),
            "Not fit for small differences: 1 of 3 (gamma).\n\n\
             a      fit, differences from about 0.5 % on; scatter: huge pages always\n\
             b      fit, differences from about 0.5 % on; scatter: huge pages always\n\
             gamma  not fit; in the way: governor powersave; scatter: huge pages always\n\n\
             What differs:\n  \
               cpu.model: M on a, b; N on gamma\n  \
               governor: performance on a, b; powersave on gamma\n\n\
             Not looked at:\n  d: it asks for a password"
        );
        assert!(text(&[], &[]).starts_with("No machine"));
    }
}
