//! Findings for people: the answer, what matters with its cure, and the rest in a few lines.

use etalon_report::text::{hanging, width, wrap};

use super::finding::{Finding, State};
use super::seen::percent;
use super::{Examined, lua};
use crate::output;

/// Where what is said of a thing begins.
const TEXT_AT: usize = 18;

/// The lines; with `full` every thing has its own.
pub(super) fn text(examined: &Examined, full: bool) -> Vec<String> {
    let columns = output::width();
    let mut lines = wrap(&answer(examined), columns);
    lines.extend(wrap(&evidence(examined), columns));
    section(&mut lines, "What spoils small differences:", examined.of(State::Spoils), columns);
    section(&mut lines, "What adds scatter:", examined.of(State::Scatters), columns);
    if full {
        section(&mut lines, "What cannot be known here:", examined.of(State::Unknown), columns);
        section(&mut lines, "What is good:", examined.of(State::Good), columns);
        return lines;
    }
    lines.push(String::new());
    let unknown: Vec<&Finding> = examined.of(State::Unknown).collect();
    if !unknown.is_empty() {
        lines.extend(hanging("Unknown: ", &format!("{}.", by_reason(&unknown)), columns));
    }
    let (luas, good): (Vec<&Finding>, Vec<&Finding>) =
        examined.of(State::Good).partition(|finding| finding.key == lua::KEY);
    let good: Vec<String> = good.iter().map(|f| format!("{} {}", f.name, f.value)).collect();
    if !good.is_empty() {
        lines.extend(hanging("Good: ", &format!("{}.", good.join(", ")), columns));
    }
    let luas: Vec<&str> = luas.iter().map(|lua| lua.value.as_str()).collect();
    if !luas.is_empty() {
        lines.extend(hanging("Lua: ", &format!("{}.", luas.join(", ")), columns));
    }
    let fix = match examined.can_be_fixed {
        true => "; etalon doctor --fix changes some of it",
        false => "",
    };
    lines.push(format!("More: etalon doctor --full{fix}"));
    lines
}

/// Whether the machine is fit and for what.
pub(super) fn answer(examined: &Examined) -> String {
    let from = examined.reliable().map(percent);
    let spoiling: Vec<&str> = examined.of(State::Spoils).map(|finding| finding.name).collect();
    let spoiling = spoiling.join(", ");
    match (examined.is_fit(), from, &examined.spin) {
        (true, Some(from), _) => {
            format!("Fit for differences from about {from} on, as far as a spin tells.")
        }
        (true, None, None) => {
            "Nothing is known to be in the way; from which difference on takes a spin.".to_owned()
        }
        (true, None, Some(_)) => "Not fit: equal work differs by more than half.".to_owned(),
        (false, Some(from), _) => {
            format!("Not fit for small differences ({spoiling}); from about {from} on at best.")
        }
        (false, None, _) => format!("Not fit for small differences: {spoiling}."),
    }
}

/// The evidence for the answer.
fn evidence(examined: &Examined) -> String {
    let (Some((spin, _)), Some(figures)) = (&examined.spin, examined.figures()) else {
        return "Settings alone were looked at.".to_owned();
    };
    format!(
        "In a spin of {:.1} s, equal arithmetic in thirty interleaved blocks of {:.0} ms came out the same within ± {}. \
         Programs that use memory, files or the system scatter more.",
        spin.seconds,
        figures.window * 1e3,
        percent(figures.equal_within)
    )
}

/// Things with what they mean and what changes them.
fn section<'f>(
    lines: &mut Vec<String>,
    heading: &str,
    findings: impl Iterator<Item = &'f Finding>,
    columns: usize,
) {
    for (place, finding) in findings.enumerate() {
        if place == 0 {
            lines.extend([String::new(), heading.to_owned()]);
        }
        let lead = format!("  {}", finding.name);
        let gap = " ".repeat(TEXT_AT.saturating_sub(width(&lead)).max(1));
        lines.extend(hanging(&format!("{lead}{gap}"), &finding.value, columns));
        let indent = " ".repeat(TEXT_AT);
        lines.extend(hanging(&indent, finding.means, columns));
        // Commands stand as they are pasted; their own lines are short enough for the left edge.
        let change = finding.change.iter().flat_map(|change| change.lines());
        lines.extend(change.map(|line| format!("    {line}")));
    }
}

/// Names with the same reason together.
fn by_reason(findings: &[&Finding]) -> String {
    let mut groups: Vec<(&str, Vec<&str>)> = Vec::new();
    for finding in findings {
        match groups.iter_mut().find(|(reason, _)| *reason == finding.value) {
            Some((_, names)) => names.push(finding.name),
            None => groups.push((&finding.value, vec![finding.name])),
        }
    }
    let said = groups.iter().map(|(reason, names)| format!("{} ({reason})", names.join(", ")));
    said.collect::<Vec<_>>().join("; ")
}
