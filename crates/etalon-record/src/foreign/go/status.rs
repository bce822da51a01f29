//! Lines of `go test` about how benchmarks and packages went.
//!
//! Owns which lines say it. Refuses to decide what they mean together: that is [`super::packages`]'s. `panic:`
//! and its like look like facts and are none; other words with a colon stay facts.

use etalon_core::dataset::Ending;

use super::line::PREFIX;

/// The meaning of such a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Status<'a> {
    /// All benchmarks that were executed passed.
    Passed,
    /// A package passed.
    PackagePassed(&'a str),
    /// Something failed.
    Failed,
    /// A package failed.
    PackageFailed {
        /// Its import path.
        package: &'a str,
        /// The text in brackets behind it.
        why: Option<&'a str>,
    },
    /// A benchmark, or a test, failed.
    BenchmarkFailed(&'a str),
    /// Something ended the program, or it ended like this.
    Ended {
        /// The benchmark that was being executed, where that is known.
        benchmark: Option<&'a str>,
        /// How.
        how: Ending,
    },
}

/// The beginnings of lines of Go's runtime and of package testing. Because: of `testing: `, only what is said
/// against a benchmark or a run; `testing: warning: no tests to run` is not.
const FAULTS: [&str; 6] = [
    "testing: Benchmark",
    "testing: can't ",
    "testing: cannot ",
    "testing: invalid ",
    "testing: internal ",
    "testing: open ",
];

/// Reads a line.
pub(super) fn read(line: &str) -> Option<Status<'_>> {
    // Most lines begin with none of these letters.
    if !line.starts_with(['P', 'o', 'F', '-', 'p', 'f', 'e', 's', 't', '*', ' ', '\t']) {
        return None;
    }
    if line == "PASS" {
        return Some(Status::Passed);
    }
    if line == "FAIL" {
        return Some(Status::Failed);
    }
    if let Some(rest) = line.strip_prefix("ok  \t") {
        return Some(Status::PackagePassed(first_field(rest)));
    }
    if let Some(rest) = line.strip_prefix("FAIL\t") {
        let why = rest.split_once('[').and_then(|(_, why)| why.trim_end().strip_suffix(']'));
        return Some(Status::PackageFailed { package: first_field(rest), why });
    }
    if let Some(rest) = line.trim_start().strip_prefix("--- FAIL: ") {
        return Some(Status::BenchmarkFailed(first_field(rest)));
    }
    ending(line).map(|how| Status::Ended { benchmark: None, how })
}

/// How the program ended, by what it, the runtime or `go` printed.
pub(super) fn ending(text: &str) -> Option<Ending> {
    if let Some(what) = text.strip_prefix("panic: ") {
        let told = || text.to_owned();
        let timed_out = what.starts_with("test timed out after ");
        return Some(if timed_out { Ending::TimedOut(told()) } else { Ending::Panicked(told()) });
    }
    // `go test` kills what does not end a minute after its own -timeout.
    if let Some((_, why)) =
        text.strip_prefix("*** Test killed").and_then(|it| it.split_once(": ran "))
    {
        return Some(Ending::TimedOut(format!("ran {why}")));
    }
    if text.starts_with("fatal error: ") {
        return Some(Ending::Panicked(text.to_owned()));
    }
    if let Some(code) = text.strip_prefix("exit status ") {
        return code.trim_end().parse().ok().filter(|code| *code != 0).map(Ending::Exited);
    }
    if let Some(signal) = text.strip_prefix("signal: ") {
        return Ending::by_signal(signal.trim_end());
    }
    FAULTS.iter().any(|start| text.starts_with(start)).then(|| Ending::Faulted(text.to_owned()))
}

/// The name of what failed: of a benchmark without `Benchmark`, of a test whole.
pub(super) fn benchmark(name: &str) -> Option<&str> {
    name.strip_prefix(PREFIX)
}

fn first_field(text: &str) -> &str {
    text.split_whitespace().next().unwrap_or_default()
}
