//! `etalon doctor --fix` and `--restore`: settings that can be put back are changed for measuring, and put back.
//!
//! Owns which value of a setting is better, what is shown before it is changed, and the question. ASLR and the
//! permission to count events are not among them: they protect the machine, and experiments do without.

use std::io::{self, BufRead, ErrorKind, IsTerminal, Write};
use std::path::Path;

use etalon_probe::doctor::{self, Change, Kind, Refused, Restoration, Setting};
use etalon_report::number::counted;

use super::cpus::fact;
use super::surroundings::FAST;
use crate::failure::{Exit, Failure};
use crate::output;

/// Whether somebody has to agree first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Consent {
    Given,
    Ask,
}

/// The value a setting should have; none if it has it, or if there is none that is better.
fn better(setting: &Setting) -> Option<String> {
    let value = setting.value.as_str();
    let may_be = |word: &str| {
        setting.choices.is_empty() || setting.choices.iter().any(|choice| choice == word)
    };
    let wanted = match setting.kind {
        Kind::Governor => "performance",
        Kind::NoTurbo => "1",
        Kind::Boost | Kind::NumaBalancing => "0",
        Kind::HugePages if value == "always" => "madvise",
        Kind::Smt if value == "on" => "off",
        Kind::ClockSource if !FAST.contains(&value) => {
            FAST.into_iter().find(|source| setting.choices.iter().any(|choice| choice == source))?
        }
        Kind::HugePages | Kind::Smt | Kind::ClockSource => return None,
    };
    (value != wanted && may_be(wanted)).then(|| wanted.to_owned())
}

fn name(kind: Kind) -> &'static str {
    match kind {
        Kind::Governor => "governor",
        Kind::NoTurbo => "no turbo",
        Kind::Boost => "turbo",
        Kind::HugePages => "huge pages",
        Kind::NumaBalancing => "moving of pages",
        Kind::ClockSource => "clock source",
        Kind::Smt => "SMT",
    }
}

/// A change and what it is of.
struct Planned {
    kind: Kind,
    change: Change,
}

fn planned(root: &Path) -> Vec<Planned> {
    let settings = doctor::settings(root).into_iter();
    let planned = settings.filter_map(|setting| {
        let new = better(&setting)?;
        let Setting { kind, file, value, .. } = setting;
        Some(Planned { kind, change: Change { file, old: value, new } })
    });
    planned.collect()
}

/// Whether there is a setting that can be changed and put back.
pub(super) fn is_possible(root: &Path) -> bool {
    !planned(root).is_empty()
}

/// Changes settings for measuring.
pub(super) fn fix(root: &Path, consent: Consent) -> Result<Exit, Failure> {
    let all = planned(root);
    if all.is_empty() {
        let nothing =
            "Nothing to change: of the settings that can be put back, none is in the way.";
        return output::lines(&[nothing.to_owned()]).map(|()| Exit::Done);
    }
    let mut forbidden = Vec::new();
    let mut permitted = Vec::new();
    for planned in all {
        match doctor::may_change(root, &planned.change.file) {
            Ok(()) => permitted.push(planned),
            Err(error) => forbidden.push((planned, error)),
        }
    }
    let mut lines = shown(permitted.iter());
    if !forbidden.is_empty() {
        lines.push("Not permitted here:".to_owned());
        lines.extend(shown(forbidden.iter().map(|(planned, _)| planned)));
    }
    output::text(&lines.join("\n"))?;
    if permitted.is_empty() {
        let first = forbidden.first().map(|(_, error)| error.kind());
        return Err(Failure::new(why(root, first.unwrap_or(ErrorKind::PermissionDenied))));
    }
    if consent == Consent::Ask && !agreed()? {
        return output::lines(&["Nothing was changed.".to_owned()]).map(|()| Exit::Failed);
    }
    let changes: Vec<Change> = permitted.into_iter().map(|planned| planned.change).collect();
    let refused = doctor::change(root, &changes).map_err(Failure::new)?;
    let done = counted(changes.len() - refused.len(), "setting", "settings");
    output::text(&format!(
        "Changed {done}. `etalon doctor --restore` puts them back; a restart does, too."
    ))?;
    refusal(&refused)
}

/// Changes of the same kind in one line, with their first file.
fn shown<'p>(all: impl Iterator<Item = &'p Planned>) -> Vec<String> {
    let mut groups: Vec<(&Planned, usize)> = Vec::new();
    for planned in all {
        let same = |(first, _): &&mut (&Planned, usize)| {
            let Change { old, new, .. } = &first.change;
            (first.kind, old, new) == (planned.kind, &planned.change.old, &planned.change.new)
        };
        match groups.iter_mut().find(same) {
            Some((_, number)) => *number += 1,
            None => groups.push((planned, 1)),
        }
    }
    let lines = groups.iter().flat_map(|(Planned { kind, change }, number)| {
        let Change { file, old, new } = change;
        let more = match number - 1 {
            0 => String::new(),
            more => format!("\n    and {more} more"),
        };
        format!("  {:<16}  {old} → {new}\n    /{file}{more}", name(*kind))
            .lines()
            .map(str::to_owned)
            .collect::<Vec<_>>()
    });
    lines.collect()
}

/// Why none of them may be changed, and what helps.
fn why(root: &Path, kind: ErrorKind) -> String {
    let system = doctor::read(root);
    let container = fact(&system, "container").filter(|kind| *kind != "none");
    match (container, kind) {
        (Some(container), ErrorKind::ReadOnlyFilesystem) => format!(
            "the container ({container}) forbids changes of the machine's settings; execute `etalon doctor --fix` on its host"
        ),
        (Some(container), _) => format!(
            "changes of the machine's settings take root, and the container ({container}) may forbid them to root, too; \
             execute `etalon doctor --fix` on its host"
        ),
        (None, ErrorKind::ReadOnlyFilesystem) => {
            "/sys is mounted read-only here; execute `etalon doctor --fix` where it is not"
                .to_owned()
        }
        (None, _) => {
            "changes of the machine's settings take root: sudo etalon doctor --fix".to_owned()
        }
    }
}

/// Asks.
fn agreed() -> Result<bool, Failure> {
    if !io::stdin().is_terminal() {
        let why = "nobody can be asked here; --yes changes what is shown";
        return Err(Failure::about("--fix", why));
    }
    let mut err = io::stderr();
    let asked = write!(err, "Change them? [y/N] ").and_then(|()| err.flush());
    let mut answer = String::new();
    asked
        .and_then(|()| io::stdin().lock().read_line(&mut answer))
        .map_err(|error| Failure::about("--fix", error))?;
    Ok(["y", "yes"].contains(&answer.trim().to_lowercase().as_str()))
}

/// Puts back what was changed.
pub(super) fn restore(root: &Path) -> Result<Exit, Failure> {
    let (said, refused) = match doctor::put_back(root).map_err(Failure::new)? {
        Restoration::Nothing => ("Nothing to put back.".to_owned(), Vec::new()),
        Restoration::Restarted => (
            "The machine was started again since; that has put everything back.".to_owned(),
            Vec::new(),
        ),
        Restoration::Done { settings, refused } => {
            let settings = counted(settings, "setting is as it was", "settings are as they were");
            (format!("{settings}."), refused)
        }
    };
    output::lines(&[said])?;
    refusal(&refused)
}

/// Settings that have another value than they should.
fn refusal(refused: &[Refused]) -> Result<Exit, Failure> {
    if refused.is_empty() {
        return Ok(Exit::Done);
    }
    let lines: Vec<String> = refused
        .iter()
        .map(|Refused { file, error }| format!("/{file} could not be changed: {error}"))
        .collect();
    Err(Failure::new(lines.join("\n")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn setting(kind: Kind, value: &str, choices: &[&str]) -> Setting {
        let choices = choices.iter().map(|choice| (*choice).to_owned()).collect();
        Setting { kind, file: "sys/x".to_owned(), value: value.to_owned(), choices }
    }

    /// Would catch a value that the kernel would refuse, a change of what is good, and threads switched on.
    #[test]
    fn a_setting_is_changed_to_a_better_value_that_it_may_have() {
        let cases = [
            (Kind::Governor, "powersave", &["performance", "powersave"][..], Some("performance")),
            (Kind::Governor, "powersave", &["powersave", "userspace"], None),
            (Kind::Governor, "performance", &[], None),
            (Kind::NoTurbo, "0", &[], Some("1")),
            (Kind::Boost, "1", &[], Some("0")),
            (Kind::HugePages, "always", &["always", "madvise", "never"], Some("madvise")),
            (Kind::HugePages, "never", &["always", "madvise", "never"], None),
            (Kind::ClockSource, "hpet", &["acpi_pm", "hpet", "tsc"], Some("tsc")),
            (Kind::ClockSource, "hpet", &["acpi_pm", "hpet"], None),
            (Kind::ClockSource, "kvm-clock", &["kvm-clock", "tsc"], None),
            (Kind::Smt, "on", &[], Some("off")),
            (Kind::Smt, "notsupported", &[], None),
        ];
        for (kind, value, choices, expected) in cases {
            assert_eq!(better(&setting(kind, value, choices)).as_deref(), expected, "{value}");
        }
    }
}
