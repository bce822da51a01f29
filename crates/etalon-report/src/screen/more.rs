//! Where the rest is.

use etalon_core::analysis::{Analysis, Suite, Summary};

use crate::view::{Again, Detail, Explanation, Style, View};

/// The last line; absent where everything is shown.
pub(super) fn sentence(analysis: &Analysis, view: View) -> Option<String> {
    let whole = view.detail == Detail::Full || view.style != Style::Etalon;
    if whole || analysis.benchmarks.is_empty() {
        return None;
    }
    let tests = if view.explanation == Explanation::Full { "" } else { ", -E (tests)" };
    let rest = format!("--full (every table){tests}");
    Some(match (view.again, between_luas(analysis)) {
        (Again::Saved, Some(luas)) => format!("More: etalon report @last {luas}, {rest}"),
        (Again::Saved, None) => format!("More: etalon report @last {rest}"),
        (Again::Options, Some(luas)) => format!("More: etalon report FILE {luas}; {rest}"),
        (Again::Options, None) => format!("More: {rest}"),
    })
}

/// The parameters that say which Lua a case is executed on, and what its JIT compiler does.
const LUAS: [&str; 2] = ["lua", "jit"];

/// The command that compares every case with itself on another Lua, where cases are compared on each Lua by itself.
fn between_luas(analysis: &Analysis) -> Option<String> {
    let hosts = |suite: &Suite| suite.members.iter().any(|&at| has_host(&analysis.benchmarks[at]));
    let differs = |name: &&str| {
        let suites = analysis.suites.iter().filter(|suite| hosts(suite));
        let mut values = suites.filter_map(|suite| value(suite, name));
        values.next().is_some_and(|first| values.any(|other| other != first))
    };
    let keys: Vec<String> =
        LUAS.iter().filter(|name| differs(name)).map(|it| format!("/{it}")).collect();
    (!keys.is_empty()).then(|| format!("--col {} (each function between Luas)", keys.join(",")))
}

/// Whether a case was executed on a Lua that was asked for.
fn has_host(benchmark: &Summary) -> bool {
    benchmark.benchmark.case.as_ref().is_some_and(|case| case.host.is_some())
}

/// The one value that all cases of a suite have for a parameter.
fn value<'a>(suite: &'a Suite, name: &str) -> Option<&'a str> {
    let found = suite.scope.job.iter().find(|(param, _)| param == name);
    found.map(|(_, value)| value.as_str())
}
