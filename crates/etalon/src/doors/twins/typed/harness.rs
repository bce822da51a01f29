//! The harness that a project's files name, and the line that measures its benchmarks.
//!
//! Refuses to execute anything, and to read more than the files that say what a project needs.

use std::fs;
use std::path::Path;

use super::words::{install, plain};

use etalon_record::entries::entries;

/// Files of Python that name what a project needs, beside those that begin with [`REQUIREMENTS`].
const PYTHON: [&str; 4] = ["pyproject.toml", "setup.py", "setup.cfg", "tox.ini"];

/// How pip's lists begin, and the directory of several.
const REQUIREMENTS: &str = "requirements";

/// How a file of CMake names Google Benchmark.
const GOOGLE: &str = "benchmark::benchmark";

/// The names of all files of Python that name what a project needs.
fn files_of_python(here: &Path) -> Vec<String> {
    let names = |directory: &str| -> Vec<String> {
        let entries = entries(here.join(directory)).into_iter().flatten().flatten();
        entries.filter_map(|entry| entry.file_name().into_string().ok()).collect()
    };
    let is_list = |name: &String| name.ends_with(".txt") || name.ends_with(".in");
    let lists = names("").into_iter().filter(|name| name.contains(REQUIREMENTS));
    let below = names(REQUIREMENTS).into_iter().map(|name| format!("{REQUIREMENTS}/{name}"));
    PYTHON.map(str::to_owned).into_iter().chain(lists.chain(below).filter(is_list)).collect()
}

/// The words behind `etalon ab BASE` for each harness that is named here.
pub(super) fn lines(here: &Path) -> Vec<String> {
    let text = |name: &str| fs::read_to_string(here.join(name)).unwrap_or_default();
    let any = |names: &[&str], words: &[&str]| {
        names.iter().any(|name| words.iter().any(|word| text(name).contains(word)))
    };
    let mut lines: Vec<String> = Vec::new();
    let mut add = |line: &str| lines.push(line.to_owned());
    let of_python = files_of_python(here);
    let of_python: Vec<&str> = of_python.iter().map(String::as_str).collect();
    if any(&of_python, &["pytest-benchmark", "pytest_benchmark"]) {
        add("--results pytest-benchmark -- pytest --benchmark-only --benchmark-json={results}");
    }
    let cargo = text("Cargo.toml");
    if cargo.contains("criterion") {
        add(
            "--results criterion --env CRITERION_HOME={results} --build 'cargo bench --no-run' -- cargo bench",
        );
    } else if cargo.contains("[[bench]]") {
        add("--build 'cargo bench --no-run' -- cargo bench");
    }
    if any(&["pom.xml"], &["jmh"]) {
        add(
            "--results jmh --build 'mvn -q package' -- java -jar target/benchmarks.jar -rf json -rff {results}",
        );
    } else if any(&["build.gradle", "build.gradle.kts"], &["jmh"]) {
        add("--results jmh=build/results/jmh/results.json -- ./gradlew jmh");
    }
    if any(&["package.json"], &["vitest bench"]) {
        let install = install(here);
        add(&format!(
            "--results vitest --build '{install}' -- npx vitest bench --run --outputJson={{results}}"
        ));
    }
    if any(&["CMakeLists.txt"], &[GOOGLE]) {
        let program = linked(&text("CMakeLists.txt")).unwrap_or_else(|| "PROGRAM".to_owned());
        add(&format!(
            "--results google-benchmark \
             --build 'cmake -S . -B build -DCMAKE_BUILD_TYPE=Release && cmake --build build' \
             -- build/{program} --benchmark_out={{results}} --benchmark_out_format=json"
        ));
    }
    lines
}

/// The first program that Google Benchmark is linked to.
fn linked(text: &str) -> Option<String> {
    let (before, _) = text.split_once(GOOGLE)?;
    let (_, words) = before.rsplit_once("target_link_libraries")?;
    let words = words.trim_start().strip_prefix('(')?;
    plain(words.split_whitespace().next()?)
}
