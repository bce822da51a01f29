//! The summary of a machine in records: a line, and a note where it is not fit. Without a spin, as it was at the start.

use std::sync::OnceLock;

use etalon_core::model::{Note, NoteCode};
use etalon_report::doctor::{Finding, State};

use super::{findings, root};

/// The key of the line in a record.
pub(crate) const KEY: &str = "doctor";

/// Findings that pass by themselves. A note would outlive them: a load average is of the minute before, and steal is
/// counted since the machine was started. What happens while something is measured has notes of its own.
const PASSING: [&str; 2] = ["load", "steal"];

/// Whether a remark is one of a machine that was not fit.
pub(crate) fn is_unfit(note: &Note) -> bool {
    note.code == Some(NoteCode::UnfitMachine)
}

/// The fitness of the machine, as a record has it.
#[derive(Debug)]
pub(crate) struct Summary {
    /// Findings that matter, and those that cannot be known.
    pub line: String,
    /// A remark that every report of the data shows.
    pub note: Option<Note>,
}

/// That of this machine, read once.
pub(crate) fn summary() -> &'static Summary {
    static READ: OnceLock<Summary> = OnceLock::new();
    READ.get_or_init(|| of(&findings(&etalon_probe::doctor::read(&root()), None, None)))
}

fn of(findings: &[Finding]) -> Summary {
    let said = |finding: &Finding| format!("{} {}", finding.name, finding.value);
    let of = |states: &'static [State]| findings.iter().filter(|f| states.contains(&f.state));
    let matters: Vec<String> = of(&[State::Spoils, State::Scatters]).map(said).collect();
    let unknown: Vec<&str> = of(&[State::Unknown]).map(|finding| finding.name).collect();
    let matters = match matters.is_empty() {
        true => "nothing matters".to_owned(),
        false => format!("matters: {}", matters.join(", ")),
    };
    let unknown = match unknown.is_empty() {
        true => String::new(),
        false => format!("; unknown: {}", unknown.join(", ")),
    };
    let spoiling = of(&[State::Spoils]).filter(|finding| !PASSING.contains(&finding.key));
    let spoiling: Vec<String> = spoiling.map(said).collect();
    let note = (!spoiling.is_empty()).then(|| {
        let spoiling = spoiling.join(", ");
        let text = format!(
            "it was not fit for small differences: {spoiling}; etalon doctor says what changes that"
        );
        Note::new("machine", text).with_code(NoteCode::UnfitMachine)
    });
    Summary { line: format!("{matters}{unknown}"), note }
}
