//! The formats of harnesses: one table of names, rules of recognition by content, what stands beside a file, and readers.
//!
//! The contract. Of every file at most one rule holds (a test has samples of all). A rule looks at the first 64 KiB and
//! at no name of a file. A new format is a variant here, a line in [`HarnessFormat::ALL`], and a module.

use std::path::Path;

use memchr::memmem;

use super::outline::{ITEM, Outline};
use super::results::{Refused, Results, Source};
use super::{
    asv, bencher, cargo_criterion, criterion, github_action, gnu_time, google_benchmark, jmh,
    mitata, nanobench, perf_stat, pyperf, pytest_benchmark, tinybench, vitest,
};

/// A format in which a harness writes its results.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HarnessFormat {
    /// `pytest --benchmark-json`, or what `--benchmark-save` leaves.
    PytestBenchmark,
    /// pyperf's JSON, also compressed, and what nanobench writes in it.
    Pyperf,
    /// `--benchmark_format=json` of Google Benchmark.
    GoogleBenchmark,
    /// criterion's directory, or a `sample.json` of it.
    Criterion,
    /// `cargo criterion --message-format=json`.
    CargoCriterion,
    /// JMH's `-rf json`.
    Jmh,
    /// A result file of asv.
    Asv,
    /// mitata's `format: 'json'`.
    Mitata,
    /// tinybench's tasks as JSON.
    Tinybench,
    /// `vitest bench --outputJson`.
    Vitest,
    /// nanobench's JSON template.
    Nanobench,
    /// `perf stat -x,` or `-j`.
    PerfStat,
    /// GNU time's `-v`.
    GnuTime,
    /// Bencher Metric Format.
    Bencher,
    /// github-action-benchmark's `data.js`, or the JSON of its custom tools.
    GithubAction,
}

impl HarnessFormat {
    /// All of them with their names on the command line.
    pub const ALL: [(&'static str, HarnessFormat); 15] = [
        ("pytest-benchmark", HarnessFormat::PytestBenchmark),
        ("pyperf", HarnessFormat::Pyperf),
        ("google-benchmark", HarnessFormat::GoogleBenchmark),
        ("criterion", HarnessFormat::Criterion),
        ("cargo-criterion", HarnessFormat::CargoCriterion),
        ("jmh", HarnessFormat::Jmh),
        ("asv", HarnessFormat::Asv),
        ("mitata", HarnessFormat::Mitata),
        ("tinybench", HarnessFormat::Tinybench),
        ("vitest", HarnessFormat::Vitest),
        ("nanobench", HarnessFormat::Nanobench),
        ("perf-stat", HarnessFormat::PerfStat),
        ("gnu-time", HarnessFormat::GnuTime),
        ("bencher", HarnessFormat::Bencher),
        ("github-action-benchmark", HarnessFormat::GithubAction),
    ];

    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        let found = HarnessFormat::ALL.iter().find(|(_, format)| *format == self);
        found.map_or("", |(name, _)| name)
    }

    /// The format of that name.
    #[must_use]
    pub fn named(name: &str) -> Option<HarnessFormat> {
        HarnessFormat::ALL.iter().find(|(known, _)| *known == name).map(|(_, format)| *format)
    }

    /// The format of a file, from its beginning.
    #[must_use]
    pub fn recognised(beginning: &[u8]) -> Option<HarnessFormat> {
        let look = Look::at(beginning);
        HarnessFormat::ALL.iter().map(|(_, format)| *format).find(|format| format.is_of(&look))
    }

    /// Every format whose rule holds. One at most, which tests ask.
    #[must_use]
    pub fn candidates(beginning: &[u8]) -> Vec<HarnessFormat> {
        let look = Look::at(beginning);
        let all = HarnessFormat::ALL.iter().map(|(_, format)| *format);
        all.filter(|format| format.is_of(&look)).collect()
    }

    /// Paths of files that are read with one, from its directory, if they are there.
    #[must_use]
    pub fn beside(self) -> &'static [&'static str] {
        match self {
            HarnessFormat::Criterion => &[criterion::NAME],
            HarnessFormat::Asv => &[asv::DECLARED, asv::MACHINE],
            _ => &[],
        }
    }

    /// Which files of a directory hold results, of harnesses that leave one.
    #[must_use]
    pub fn files(self) -> Option<fn(&Path) -> bool> {
        match self {
            HarnessFormat::Criterion => Some(criterion::is_of_last_run),
            _ => None,
        }
    }

    /// The rule.
    fn is_of(self, look: &Look<'_>) -> bool {
        let Look { outline, .. } = look;
        let has = |path: &[&str]| outline.has(path);
        let in_list = |list, key| outline.has(&[list, ITEM, key]);
        let in_item = |key| outline.has(&[ITEM, key]);
        match self {
            HarnessFormat::PytestBenchmark => {
                has(&["machine_info"]) && (has(&["benchmarks"]) || has(&["commit_info"]))
            }
            HarnessFormat::Pyperf => ["values", "warmups", "metadata"]
                .into_iter()
                .any(|key| outline.has(&["benchmarks", ITEM, "runs", ITEM, key])),
            HarnessFormat::GoogleBenchmark => {
                let is_entry = |key| in_list("benchmarks", key);
                has(&["context"]) && ["run_name", "run_type", "real_time"].into_iter().any(is_entry)
            }
            HarnessFormat::Criterion => has(&["sampling_mode"]) && has(&["iters"]),
            HarnessFormat::CargoCriterion => has(&["reason"]) && look.has("\"benchmark-complete\""),
            HarnessFormat::Jmh => {
                in_item("jmhVersion") || in_item("primaryMetric") && in_item("benchmark")
            }
            HarnessFormat::Asv => has(&["commit_hash"]) && has(&["result_columns"]),
            HarnessFormat::Mitata => {
                let in_run = |key| has(&["benchmarks", ITEM, "runs", ITEM, key]);
                let is_of_first = in_list("benchmarks", "warmup") && in_list("benchmarks", "async");
                has(&["layout"]) && has(&["benchmarks"])
                    || in_run("stats")
                    || in_run("error")
                    || is_of_first
            }
            HarnessFormat::Tinybench => in_item("name") && in_item("result"),
            HarnessFormat::Vitest => outline.has(&["files", ITEM, "groups"]),
            HarnessFormat::Nanobench => {
                in_list("results", "measurements") && in_list("results", "epochs")
            }
            HarnessFormat::PerfStat => look.is_of_perf(),
            HarnessFormat::GnuTime => !look.is_json() && look.has(gnu_time::FIRST),
            HarnessFormat::Bencher => look.is_of_bencher(),
            HarnessFormat::GithubAction => {
                look.text.trim_ascii_start().starts_with(github_action::BEGINNING.as_bytes())
                    || ["name", "unit", "value"].into_iter().all(in_item)
            }
        }
    }

    /// Reads a file.
    ///
    /// # Errors
    /// If it is not in this format from beginning to end.
    pub fn read(self, source: &Source) -> Result<Results, Refused> {
        match self {
            HarnessFormat::PytestBenchmark => pytest_benchmark::read(source),
            HarnessFormat::Pyperf => pyperf::read(source),
            HarnessFormat::GoogleBenchmark => google_benchmark::read(source),
            HarnessFormat::Criterion => criterion::read(source),
            HarnessFormat::CargoCriterion => cargo_criterion::read(source),
            HarnessFormat::Jmh => jmh::read(source),
            HarnessFormat::Asv => asv::read(source),
            HarnessFormat::Mitata => mitata::read(source),
            HarnessFormat::Tinybench => tinybench::read(source),
            HarnessFormat::Vitest => vitest::read(source),
            HarnessFormat::Nanobench => nanobench::read(source),
            HarnessFormat::PerfStat => perf_stat::read(source),
            HarnessFormat::GnuTime => gnu_time::read(source),
            HarnessFormat::Bencher => bencher::read(source),
            HarnessFormat::GithubAction => github_action::read(source),
        }
    }
}

/// The beginning of a file, looked at once for all rules.
struct Look<'t> {
    text: &'t [u8],
    outline: Outline,
}

impl<'t> Look<'t> {
    fn at(text: &'t [u8]) -> Look<'t> {
        Look { text, outline: Outline::of(text) }
    }

    /// Whether a text stands somewhere.
    fn has(&self, text: &str) -> bool {
        memmem::find(self.text, text.as_bytes()).is_some()
    }

    fn is_json(&self) -> bool {
        self.outline.is_list || self.outline.is_object
    }

    /// Whether the first line that is no remark is an event of perf.
    fn is_of_perf(&self) -> bool {
        let lines = self.text.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii);
        let first = lines.into_iter().find(|line| !line.is_empty() && !line.starts_with(b"#"));
        let Some(Ok(first)) = first.map(std::str::from_utf8) else { return false };
        match first.starts_with('{') {
            true => Outline::of(first.as_bytes()).has(&["counter-value"]),
            false => perf_stat::separator(first).is_some(),
        }
    }

    /// Whether it is objects of objects of values, and nothing else. The last of each may be cut.
    fn is_of_bencher(&self) -> bool {
        let is_known = |key: &str| ["value", "lower_value", "upper_value"].contains(&key);
        let is_inner = |steps| self.outline.inner_and_leaves(steps).1 <= 1;
        let mut ends = self.outline.ends(3).peekable();
        self.outline.is_object
            && ends.peek().is_some()
            && ends.all(is_known)
            && is_inner(1)
            && is_inner(2)
            && self.outline.ends(4).next().is_none()
    }
}
