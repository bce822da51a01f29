//! `etalon doctor --on`: other machines look at themselves, and stand side by side here.

use std::collections::BTreeMap;

use etalon_core::model::Context;
use etalon_probe::machine;
use etalon_record::Text;
use etalon_report::doctor::{Finding, State};
use etalon_report::fleet::{self, Machine, Trait};
use etalon_run::nodes::protocol::{Ready, Remark};
use etalon_run::nodes::{Desk, Visited};

use crate::cli::{Doctor, On};
use crate::failure::{Exit, Failure};
use crate::interim::Interim;
use crate::progress::Watch;
use crate::{doctor, nodes, output, tool};

/// The key of the smallest difference that may be relied on.
const RELIABLE: &str = "doctor.reliable";

/// Facts that every machine has its own of, or that differ from one moment to the next.
const OWN: [&str; 5] = ["machine.host", "load.", "env.", "clock.", RELIABLE];

/// Runs the subcommand, on this machine or on those that were asked for.
///
/// # Errors
/// If an option has no sense there, or no machine can be looked at.
pub(crate) fn run(options: &Doctor) -> Result<Exit, Failure> {
    if let Some(desk) = options.nodes.desk.take() {
        return serve(desk, options);
    }
    options.nodes.wishes().map_err(Failure::new)?;
    match &options.nodes.on {
        Some(on) => visit(options, on),
        None => doctor::run(options),
    }
}

/// Has machines look at themselves, and shows what they say.
fn visit(options: &Doctor, on: &On) -> Result<Exit, Failure> {
    let refused = [
        (options.json, "--json"),
        (options.full, "--full"),
        (options.nodes.same.is_some(), "--same"),
        (!options.nodes.send.is_empty(), "--send"),
    ];
    if let Some((_, option)) = refused.into_iter().find(|(is_given, _)| *is_given) {
        return Err(Failure::new(format!("doctor --on knows no {option}: leave it out")));
    }
    let watch = Watch::new(false, Interim::none())?;
    let words = std::env::args_os().map(Text::from).collect();
    let mut reached = nodes::unmeasured((&options.nodes, on), words, &watch)?;
    let (visited, left_out) = reached.collector.visit().map_err(Failure::new)?;
    let machines: Vec<Machine> = visited.into_iter().map(machine_of).collect();
    output::text(&fleet::text(&machines, &left_out, output::width()).join("\n"))?;
    drop(reached);
    let is_fit = left_out.is_empty() && machines.iter().all(Machine::is_fit);
    Ok(if is_fit { Exit::Done } else { Exit::Failed })
}

fn machine_of(visited: Visited) -> Machine {
    let Visited { name, ready } = visited;
    let traits = ready.notes.into_iter().map(|remark| Trait {
        name: remark.about,
        state: state(remark.code.as_deref()),
        value: remark.text,
    });
    let is_own = |key: &String| OWN.iter().any(|own| key.starts_with(own));
    let reliable = ready.facts.get(RELIABLE).and_then(|share| share.parse::<f64>().ok());
    let facts: BTreeMap<String, String> =
        ready.facts.into_iter().filter(|(key, _)| !is_own(key)).collect();
    Machine { name, traits: traits.collect(), facts, reliable }
}

/// The words for states on their way.
const STATES: [(State, &str); 4] = [
    (State::Good, "good"),
    (State::Scatters, "scatters"),
    (State::Spoils, "spoils"),
    (State::Unknown, "unknown"),
];

fn state(word: Option<&str>) -> State {
    let known = STATES.iter().find(|(_, own)| Some(*own) == word);
    known.map_or(State::Unknown, |(state, _)| *state)
}

/// Looks at this machine for whoever asks.
fn serve(desk: Desk, options: &Doctor) -> Result<Exit, Failure> {
    let found = doctor::examined(options);
    let remark = |finding: &Finding| Remark {
        about: finding.name.to_owned(),
        text: finding.value.clone(),
        code: STATES
            .iter()
            .find(|(of, _)| *of == finding.state)
            .map(|(_, word)| (*word).to_owned()),
    };
    let mut facts: Context = machine::facts(&tool::here()?, std::env::vars_os());
    facts.insert("tool".to_owned(), tool::name());
    facts.extend(found.reliable().map(|share| (RELIABLE.to_owned(), share.to_string())));
    let notes = found.findings.iter().map(remark).collect();
    let ready = Ready { benchmarks: Vec::new(), facts, notes, fails: None };
    desk.present(ready).map(|()| Exit::Done).map_err(Failure::new)
}
