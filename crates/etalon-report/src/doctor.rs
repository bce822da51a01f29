//! Findings about a machine for people: the answer, what matters with its cure, and the rest in a few lines.
//!
//! Refuses to find anything: whether a thing matters is said with it.

use crate::text::{hanging, width, wrap};
use crate::view::Detail;

/// The key of findings about Luas, which have a line of their own.
pub const LUA: &str = "lua";

/// The meaning of a finding for measuring on this machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    /// It is as it should be.
    Good,
    /// It adds scatter; interleaved comparisons take more blocks because of it.
    Scatters,
    /// It changes the speed while something is measured, by more than small differences.
    Spoils,
    /// It cannot be known here.
    Unknown,
}

impl State {
    /// As programs read it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            State::Good => "good",
            State::Scatters | State::Spoils => "matters",
            State::Unknown => "unknown",
        }
    }
}

/// One thing about the machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// For programs.
    pub key: &'static str,
    /// For people.
    pub name: &'static str,
    /// Whether it matters.
    pub state: State,
    /// The finding in words.
    pub value: String,
    /// Its meaning for measuring.
    pub means: &'static str,
    /// The cure: a command that can be pasted, on several lines where one is too long.
    pub change: Option<String>,
}

/// The outcome of a spin.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum SpinOutcome {
    /// There was none.
    Skipped,
    /// Too little for figures.
    TooShort,
    /// How far equal work came out the same.
    Figures {
        /// How long it took.
        seconds: f64,
        /// A window, in seconds.
        window: f64,
        /// Half-width of the interval of equal windows, as a share.
        equal_within: f64,
    },
}

/// A machine as it was found.
#[derive(Debug, Clone, Copy)]
pub struct Examined<'a> {
    /// In the order in which they are shown.
    pub findings: &'a [Finding],
    /// The smallest difference that may be relied on, as a share.
    pub reliable: Option<f64>,
    /// A spin.
    pub spin: SpinOutcome,
    /// Whether `--fix` would change something.
    pub can_be_fixed: bool,
}

impl<'a> Examined<'a> {
    fn of(&self, state: State) -> impl Iterator<Item = &'a Finding> {
        self.findings.iter().filter(move |finding| finding.state == state)
    }
}

/// `0.5 %`, as precisely as such a number is known.
#[must_use]
pub fn percent(share: f64) -> String {
    let percent = share * 100.0;
    let digits = if percent.abs() < 0.95 { 1 } else { 0 };
    format!("{percent:.digits$} %")
}

/// Where what is said of a thing begins.
const TEXT_AT: usize = 18;

/// The lines; in full every thing has its own.
#[must_use]
pub fn text(examined: &Examined<'_>, detail: Detail, columns: usize) -> Vec<String> {
    let mut lines = wrap(&answer(examined), columns);
    lines.extend(wrap(&evidence(examined), columns));
    section(&mut lines, "What spoils small differences:", examined.of(State::Spoils), columns);
    section(&mut lines, "What adds scatter:", examined.of(State::Scatters), columns);
    if detail == Detail::Full {
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
        examined.of(State::Good).partition(|finding| finding.key == LUA);
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
#[must_use]
pub fn answer(examined: &Examined<'_>) -> String {
    let from = examined.reliable.map(percent);
    let spoiling: Vec<&str> = examined.of(State::Spoils).map(|finding| finding.name).collect();
    let spoiling = spoiling.join(", ");
    match (spoiling.is_empty(), from, examined.spin) {
        (true, Some(from), _) => {
            format!("Fit for differences from about {from} on, as far as a spin tells.")
        }
        (true, None, SpinOutcome::Skipped) => {
            "Nothing is known to be in the way; from which difference on takes a spin.".to_owned()
        }
        (true, None, _) => "Not fit: equal work differs by more than half.".to_owned(),
        (false, Some(from), _) => {
            format!("Not fit for small differences ({spoiling}); from about {from} on at best.")
        }
        (false, None, _) => format!("Not fit for small differences: {spoiling}."),
    }
}

/// The evidence for the answer.
fn evidence(examined: &Examined<'_>) -> String {
    let SpinOutcome::Figures { seconds, window, equal_within } = examined.spin else {
        return "Settings alone were looked at.".to_owned();
    };
    format!(
        "In a spin of {:.1} s, equal arithmetic in thirty interleaved blocks of {:.0} ms came out the same within ± {}. \
         Programs that use memory, files or the system scatter more.",
        seconds,
        window * 1e3,
        percent(equal_within)
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
