//! What to type for a project: `etalon ab BASE` alone measures nothing, and says how.

use std::fs;
use std::path::Path;

use super::shown_text;
use crate::cli;
use crate::failure::{Exit, Failure};
use crate::output;

/// Prints the command lines for the project here, most likely first.
///
/// # Errors
/// If there is nothing to say, or something was asked for that needs a command: a check of nothing holds nothing.
pub(super) fn show(options: &cli::Ab, here: &Path) -> Result<Exit, Failure> {
    if let Some(file) = options.files.first() {
        return Err(Failure::about(
            format!("-f {}", shown_text(file)),
            "there is no command in it",
        ));
    }
    let checks = &options.checks;
    let needing = [
        (options.amount.plan, "--plan"),
        (!checks.fail_on.is_empty(), "--fail-on"),
        (!checks.require.is_empty(), "--require"),
        (options.build.is_some(), "--build"),
        (options.recording.output.is_some(), "-o"),
    ];
    if let Some((_, option)) = needing.into_iter().find(|(is_asked, _)| *is_asked) {
        let why = format!(
            "no command, so that nothing would be measured: write it behind `--`; `etalon ab {}` alone has examples",
            shown_text(&options.base)
        );
        return Err(Failure::about(option, why));
    }
    let mut lines = lines(here, &revisions(options));
    if lines.is_empty() {
        let why = "no command: what is measured stands behind `--`, such as `etalon ab main --build make -- ./program`";
        return Err(Failure::new(why));
    }
    lines.insert(0, "Nothing is measured without a command. For this project:".to_owned());
    output::lines(&lines)?;
    Ok(Exit::Done)
}

fn revisions(options: &cli::Ab) -> String {
    let head = options.head.as_ref().map_or(String::new(), |head| format!(" {}", shown_text(head)));
    format!("{}{head}", shown_text(&options.base))
}

fn lines(here: &Path, revisions: &str) -> Vec<String> {
    let has = |name: &str| here.join(name).is_file();
    let mut lines = Vec::new();
    if has("Cargo.toml") {
        let name =
            value_behind(&here.join("Cargo.toml"), "name").unwrap_or_else(|| "PROGRAM".to_owned());
        lines.push(format!(
            "  etalon ab {revisions} --build 'CARGO_TARGET_DIR={{side}}/target cargo build --release' -- {{side}}/target/release/{name}"
        ));
    }
    if has("go.mod") {
        lines.push(format!("  etalon go --base {revisions} ./..."));
        lines.push(format!("  etalon ab {revisions} --build 'go build -o program .' -- ./program"));
    }
    if has("CMakeLists.txt") {
        lines.push(format!(
            "  etalon ab {revisions} --build 'cmake -S . -B build -DCMAKE_BUILD_TYPE=Release && cmake --build build' -- build/PROGRAM"
        ));
    }
    if has("Makefile") || has("makefile") || has("GNUmakefile") {
        lines.push(format!("  etalon ab {revisions} --build make -- ./PROGRAM"));
    }
    if has("package.json") {
        lines.push(format!(
            "  etalon ab {revisions} --build 'npm ci' -- node {}",
            main_of_node(here)
        ));
    }
    if has("pyproject.toml") || has("setup.py") {
        lines.push(format!(
            "  etalon ab {revisions} --build 'python3 -m venv .venv && .venv/bin/pip install .' -- .venv/bin/python SCRIPT.py"
        ));
    }
    if let Some(suite) = suite(here) {
        lines.push(format!("  etalon ab {revisions} -- luajit {suite}"));
    }
    lines
}

/// The value of the first line `NAME = "VALUE"`.
fn value_behind(file: &Path, name: &str) -> Option<String> {
    let text = fs::read_to_string(file).ok()?;
    let value = text.lines().find_map(|line| {
        let (key, value) = line.split_once('=')?;
        (key.trim() == name).then(|| value.trim().trim_matches('"').to_owned())
    })?;
    value.chars().all(|c| c.is_ascii_alphanumeric() || "-_".contains(c)).then_some(value)
}

fn main_of_node(here: &Path) -> &'static str {
    if here.join("index.js").is_file() { "index.js" } else { "SCRIPT.js" }
}

/// A suite of Lua in this directory.
fn suite(here: &Path) -> Option<String> {
    let names = fs::read_dir(here).ok()?.flatten().map(|entry| entry.file_name());
    let mut names: Vec<String> = names.filter_map(|name| name.into_string().ok()).collect();
    names.sort();
    names.into_iter().find(|name| name.ends_with("_bench.lua"))
}
