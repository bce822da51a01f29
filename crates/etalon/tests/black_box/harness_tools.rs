//! Real harnesses: each line of docs/harnesses.md that measures is executed as it stands there, twice, with the tool itself in a
//! project of tests/harnesses. Would catch a line that a tool does not understand, results that are not where the line
//! says, a benchmark that is no row, and another run structure than the page's. What npm, Maven and cargo installed is in
//! target/harnesses (tests/run.sh); a tool that is not there is skipped and named.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::readme::root;
use crate::support::{Lab, Record, Running, skip};

/// A harness, its project, and what has to come out.
struct Tool {
    format: &'static str,
    /// A shell command that succeeds where the tool is installed; `$TOOLS` is target/harnesses.
    there: &'static str,
    /// What its user has done in the project before.
    ready: &'static str,
    /// Benchmarks with their parameters.
    rows: &'static [&'static str],
    /// The metric in which the benchmarks are, and its unit.
    metric: (&'static str, &'static str),
    /// Of an execution: runs, and the least and the most readings of each.
    runs: (usize, usize, usize),
}

/// Times are recorded in the unit of the tool.
const SECONDS: (&str, &str) = ("wall", "s");
const MILLISECONDS: (&str, &str) = ("wall", "ms");
const NANOSECONDS: (&str, &str) = ("wall", "ns");

const TOOLS: [Tool; 11] = [
    Tool {
        format: "pytest-benchmark",
        there: "python3 -c 'import pytest_benchmark'",
        ready: "true",
        rows: &["test_sorted", "test_sum size=512", "test_sum size=64"],
        metric: SECONDS,
        runs: (1, 5, 1_000_000),
    },
    Tool {
        format: "pyperf",
        there: "python3 -c 'import pyperf'",
        ready: "true",
        rows: &["sorted", "sum"],
        metric: SECONDS,
        runs: (2, 3, 3),
    },
    Tool {
        format: "asv",
        there: "command -v asv && command -v git",
        ready: "asv machine --yes",
        rows: &["sums.Sums.time_sum size=512", "sums.Sums.time_sum size=64"],
        metric: SECONDS,
        runs: (1, 3, 3),
    },
    Tool {
        format: "criterion",
        there: "command -v cargo && [ -d \"$TOOLS/criterion/release\" ]",
        ready: "cp -a \"$TOOLS/criterion\" target",
        rows: &["sum/512", "sum/64"],
        metric: NANOSECONDS,
        runs: (1, 10, 10),
    },
    Tool {
        format: "google-benchmark",
        there: "command -v cmake && command -v c++ && [ -e /usr/include/benchmark/benchmark.h ]",
        ready: "cmake -S . -B build -DCMAKE_BUILD_TYPE=Release && cmake --build build",
        rows: &["BM_sum/512/min_time:0.010", "BM_sum/64/min_time:0.010"],
        metric: NANOSECONDS,
        runs: (1, 3, 3),
    },
    Tool {
        format: "perf-stat",
        there: "perf stat true",
        ready: "true",
        rows: &["perf stat"],
        metric: ("cpu", "ms"),
        runs: (1, 1, 1),
    },
    Tool {
        format: "gnu-time",
        there: "command -v /usr/bin/time",
        ready: "true",
        rows: &["gzip -k -f data"],
        metric: SECONDS,
        runs: (1, 1, 1),
    },
    Tool {
        format: "jmh",
        there: "command -v mvn && command -v java && [ -e \"$TOOLS/jmh/target/benchmarks.jar\" ]",
        ready: "mvn -q package",
        rows: &["sums.Sums.sum size=512", "sums.Sums.sum size=64"],
        metric: NANOSECONDS,
        runs: (2, 3, 3),
    },
    Tool {
        format: "mitata",
        there: "[ -d \"$TOOLS/node_modules/mitata\" ]",
        ready: "ln -s \"$TOOLS/node_modules\" .",
        rows: &["sorted", "sum"],
        metric: NANOSECONDS,
        runs: (1, 2, 1_000_000),
    },
    Tool {
        format: "tinybench",
        there: "[ -d \"$TOOLS/node_modules/tinybench\" ]",
        ready: "ln -s \"$TOOLS/node_modules\" .",
        rows: &["sorted", "sum"],
        metric: MILLISECONDS,
        runs: (1, 2, 1_000_000),
    },
    Tool {
        format: "vitest",
        there: "[ -d \"$TOOLS/node_modules/vitest\" ]",
        ready: "cp \"$TOOLS\"/package*.json . && npm ci",
        rows: &["sorted", "sum"],
        metric: MILLISECONDS,
        runs: (1, 1, 1),
    },
];

/// Formats of which no tool is executed: cargo-criterion takes minutes to compile, nanobench is in no registry, and what
/// services read is written by any program.
const BY_FILE: [&str; 4] = ["cargo-criterion", "nanobench", "bencher", "github-action-benchmark"];

/// The lines of the page that measure, each with its format.
fn lines() -> Vec<(String, String)> {
    let page = std::fs::read_to_string(root().join("docs/harnesses.md")).expect("the page");
    let page = page.replace("\\\n", " ");
    let measures =
        |line: &&str| ["etalon cmd ", "etalon ab "].iter().any(|word| line.starts_with(word));
    let format = |line: &str| {
        let (_, rest) = line.split_once("--results ")?;
        rest.split([' ', '=']).next().map(str::to_owned)
    };
    page.lines()
        .filter(measures)
        .filter_map(|line| Some((format(line)?, line.to_owned())))
        .collect()
}

/// Would catch a paragraph without a line that is executed, and a tool whose line is gone.
#[test]
fn each_format_has_a_line_or_is_read_by_its_file() {
    let page: BTreeSet<String> = lines().into_iter().map(|(format, _)| format).collect();
    let table: BTreeSet<String> = TOOLS.iter().map(|tool| tool.format.to_owned()).collect();
    assert_eq!(page, table);
    let help = Lab::new().done(["help", "harnesses"]);
    let (_, named) = help.split_once("  formats\n").expect("the list of formats");
    let named = named.lines().take_while(|line| !line.is_empty());
    let named: BTreeSet<&str> = named.flat_map(str::split_whitespace).collect();
    let all = TOOLS.iter().map(|tool| tool.format).chain(BY_FILE);
    assert_eq!(named, all.collect::<BTreeSet<&str>>());
}

/// A command of a shell in the project, with the tools that were installed.
fn shell(lab: &Lab, text: &str) -> Command {
    let mut command = lab.shell(&format!("cd project && {text}"));
    let venv = root().join("target/venv/bin");
    let path = format!("{}:{}", venv.display(), std::env::var("PATH").unwrap_or_default());
    command.env("PATH", path).env("TOOLS", root().join("target/harnesses"));
    command.env("TMPDIR", lab.path("tmp")).env("npm_config_prefer_offline", "true");
    command
}

/// Copies a project.
fn copied(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap().map(Result::unwrap) {
        let path: PathBuf = to.join(entry.file_name());
        match entry.file_type().unwrap().is_dir() {
            true => copied(&entry.path(), &path),
            false => drop(std::fs::copy(entry.path(), path).unwrap()),
        }
    }
}

fn works(format: &str) {
    let tool = TOOLS.iter().find(|tool| tool.format == format).expect("in the table");
    let lab = Lab::new();
    let project = root().join("tests/harnesses").join(format);
    std::fs::create_dir(lab.path("tmp")).unwrap();
    std::fs::create_dir(lab.path("project")).unwrap();
    if project.is_dir() {
        copied(&project, &lab.path("project"));
    } else {
        // gzip takes more than the hundredths of a second that GNU time counts.
        let data = (0..4_000_000_u64).map(|n| (n * 2_654_435_761).to_le_bytes()[2]);
        lab.write("project/data", data.collect::<Vec<u8>>());
    }
    let home = PathBuf::from(std::env::var_os("HOME").unwrap_or_default());
    let run = |text: &str| {
        let mut command = shell(&lab, text);
        // asv keeps facts of the machine there; cargo, npm and Maven have their caches there.
        command.env("HOME", if format == "asv" { lab.path("tmp") } else { home.clone() });
        Running::start(command).end()
    };
    if run(&format!("{{ {}; }} >/dev/null 2>&1", tool.there)).code != Some(0) {
        skip(&format!(
            "{format} was not executed: it is not installed (make test INSTALL=1 installs it)"
        ));
        return;
    }
    run(tool.ready).expect(0);
    let commit = "git -c user.name=n -c user.email=e commit -q -m one";
    run(&format!("git init -q -b main . && git add -A && {commit}")).expect(0);
    for (_, line) in lines().into_iter().filter(|(of, _)| of == format) {
        let twice = line.replace("etalon cmd ", "\"$E\" cmd -r 2 ");
        let twice = twice.replace("etalon ab main ", "\"$E\" ab main -r 2 --no-control ");
        run(&twice).expect(0);
        let sides = if line.starts_with("etalon ab") { 2 } else { 1 };
        measured(tool, &lab.record(), sides);
    }
}

/// The rows of a record of two executions a side are those of the tool, each execution one value.
fn measured(tool: &Tool, record: &Record, sides: usize) {
    let mut rows: BTreeMap<usize, String> = BTreeMap::new();
    for (at, line) in record.of_type("benchmark").into_iter().enumerate() {
        let own = |(name, _): &(&String, _)| !["side", "build", "command"].contains(&name.as_str());
        let params = line["params"].as_object().into_iter().flatten().filter(own);
        let name = line["name"].as_str().expect("a name").to_owned();
        let is_whole = line["argv"].is_array();
        let name = params.fold(name, |name, (key, value)| {
            format!("{name} {key}={}", value.as_str().expect("a text"))
        });
        if !is_whole {
            rows.insert(at, name);
        }
    }
    let names: BTreeSet<&str> = rows.values().map(String::as_str).collect();
    assert_eq!(names, tool.rows.iter().copied().collect(), "{}", tool.format);
    assert_eq!(rows.len(), sides * tool.rows.len(), "{rows:?}");
    let (metric, unit) = tool.metric;
    let declared = record.of_type("metric").into_iter().filter(|it| it["name"] == metric);
    let units: Vec<_> = declared.map(|it| it["unit"].clone()).collect();
    assert_eq!(units, [unit], "{}: {metric}", tool.format);
    for at in rows.keys() {
        let of: Vec<_> =
            record.measured().into_iter().filter(|line| line["benchmark"] == *at).collect();
        assert_eq!(of.len(), 2, "{}: two executions", tool.format);
        for line in of {
            let value = line["values"][metric].as_f64().unwrap_or_else(|| panic!("{line}"));
            let range = if unit == "ns" { 0.1..1e11 } else { 1e-9..1e5 };
            assert!(range.contains(&value), "{}: {value} {unit}", tool.format);
            let runs = line["readings"][metric].as_array().expect("readings");
            let (count, least, most) = tool.runs;
            assert_eq!(runs.len(), count, "{}: {line}", tool.format);
            for run in runs {
                let readings = run.as_array().expect("a list").len();
                assert!((least..=most).contains(&readings), "{}: {readings} readings", tool.format);
            }
        }
    }
}

#[test]
fn pytest_benchmark() {
    works("pytest-benchmark");
}

#[test]
fn pyperf() {
    works("pyperf");
}

#[test]
fn asv() {
    works("asv");
}

#[test]
fn criterion() {
    works("criterion");
}

#[test]
fn google_benchmark() {
    works("google-benchmark");
}

#[test]
fn perf_stat() {
    works("perf-stat");
}

#[test]
fn gnu_time() {
    works("gnu-time");
}

#[test]
fn jmh() {
    works("jmh");
}

#[test]
fn mitata() {
    works("mitata");
}

#[test]
fn tinybench() {
    works("tinybench");
}

#[test]
fn vitest() {
    works("vitest");
}
