//! Command lines for a project: `etalon ab BASE` alone measures nothing, and says how.
//!
//! Owns: which projects are known, and what of their files goes into a line. Refuses: a name from a file that a shell would
//! not take for one word, for which a placeholder stands.

mod harness;
mod layouts;
mod words;

use std::ffi::OsStr;
use std::fs;
use std::path::Path;

use etalon_core::shell::copied;
use etalon_record::entries::entries;
use etalon_report::text::clean;
use serde_json::Value;

use words::{install, plain};

use crate::cli;
use crate::cli::commands;
use crate::failure::{Exit, Failure};
use crate::output;
use crate::sides::copies::check_revisions;

/// Prints the command lines for the project here, most likely first.
///
/// # Errors
/// If there is no such revision, there is nothing to say, or something was asked for that needs a command: a check of nothing holds nothing.
pub(super) fn show(options: &cli::Ab, here: &Path) -> Result<Exit, Failure> {
    if let Some(file) = options.files.first() {
        return Err(Failure::about(
            format!("-f {}", clean(&file.to_string_lossy())),
            commands::EMPTY,
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
            clean(&options.base.to_string_lossy())
        );
        return Err(Failure::about(option, why));
    }
    if !options.dir {
        check_revisions(&options.base, options.head.as_deref(), here)?;
    }
    let mut lines = lines(here, options);
    if lines.is_empty() {
        let why = "no command: what is measured stands behind `--`, such as `etalon ab main --build make -- ./program`";
        return Err(Failure::new(why));
    }
    lines.insert(0, "Nothing is measured without a command. For this project:".to_owned());
    output::lines(&lines)?;
    Ok(Exit::Done)
}

fn lines(here: &Path, options: &cli::Ab) -> Vec<String> {
    let word = |word: &OsStr| copied(&word.to_string_lossy()).into_owned();
    let base = word(&options.base);
    let head = options.head.as_deref().map(word);
    let head = head.as_ref().map_or(String::new(), |head| format!(" {head}"));
    let has = |name: &str| here.join(name).is_file();
    let ab = |rest: String| format!("  etalon ab {base}{head} {rest}");
    // Those whose newer side is the working tree.
    let beside = |line: String| options.head.is_none().then_some(line);
    let mut lines: Vec<String> = harness::lines(here).into_iter().map(ab).collect();
    // Those whose code is placed several times.
    let mut placed = Vec::new();
    if has("Cargo.toml") && !is_library_of_rust(here) {
        let program = cargo_program(here).unwrap_or_else(|| "PROGRAM".to_owned());
        placed.push(ab(layouts::cargo(&program)));
        lines.push(ab(format!(
            "--build 'CARGO_TARGET_DIR={{side}}/target cargo build --release' -- {{side}}/target/release/{program}"
        )));
    }
    if has("go.mod") {
        lines.extend(beside(format!("  etalon go --base {base} ./...")));
        placed.extend(beside(format!("  etalon go --base {base} --layouts 4 ./...")));
        if let Some(package) = go_program(here) {
            placed.push(ab(layouts::go(&package)));
            lines.push(ab(format!("--build 'go build -o program {package}' -- ./program")));
        }
    }
    if has("CMakeLists.txt") {
        let program = cmake_program(here).unwrap_or_else(|| "PROGRAM".to_owned());
        placed.push(ab(layouts::cmake(&program)));
        lines.push(ab(format!(
            "--build 'cmake -S . -B build -DCMAKE_BUILD_TYPE=Release && cmake --build build' -- build/{program}"
        )));
    }
    if has("Makefile") || has("makefile") || has("GNUmakefile") {
        placed.push(ab(layouts::make()));
        lines.push(ab("--build make -- ./PROGRAM".to_owned()));
    }
    if has("package.json") {
        let (install, script) = (install(here), node_script(here));
        lines.push(ab(format!("--build '{install}' -- node {script}")));
    }
    if has("pyproject.toml") || has("setup.py") {
        let program = python_program(here).unwrap_or_else(|| "python SCRIPT.py".to_owned());
        lines.push(ab(format!(
            "--build 'python3 -m venv .venv && .venv/bin/pip install .' -- .venv/bin/{program}"
        )));
    }
    if let Some(suite) = suite(here) {
        lines.extend(beside(format!("  etalon run --base {base} {suite}")));
    }
    if let Some(first) = placed.into_iter().next() {
        lines.push("About the code wherever it is placed (etalon help layouts):".to_owned());
        lines.push(first);
    }
    lines
}

fn toml_of(file: &Path) -> Option<toml::Table> {
    fs::read_to_string(file).ok()?.parse().ok()
}

/// The first program of a package of Rust.
fn cargo_program(here: &Path) -> Option<String> {
    let manifest = toml_of(&here.join("Cargo.toml"))?;
    let of_bin = manifest.get("bin").and_then(|bins| bins.get(0)?.get("name")?.as_str());
    let has_main = here.join("src/main.rs").is_file();
    let below = sorted(&here.join("src/bin")).into_iter().filter(|_| !has_main);
    let below = below.map(|name| name.trim_end_matches(".rs").to_owned()).next();
    let of_package = || manifest.get("package")?.get("name")?.as_str();
    plain(of_bin.or(below.as_deref()).or_else(of_package)?)
}

/// Whether a package of Rust has a library and no program.
fn is_library_of_rust(here: &Path) -> bool {
    let has = |path: &str| here.join(path).exists();
    let bins = || toml_of(&here.join("Cargo.toml")).is_some_and(|it| it.contains_key("bin"));
    has("src/lib.rs") && !has("src/main.rs") && !has("src/bin") && !bins()
}

/// The package of Go that is a program: the one here, or the first below `cmd`.
fn go_program(here: &Path) -> Option<String> {
    let is_program = |directory: &Path| {
        let files = entries(directory).into_iter().flatten().flatten();
        let mut files = files.map(|file| file.path()).filter(|path| {
            let name = path.to_string_lossy();
            name.ends_with(".go") && !name.ends_with("_test.go")
        });
        files.any(|path| {
            fs::read_to_string(path)
                .is_ok_and(|text| text.lines().any(|line| line.trim_end() == "package main"))
        })
    };
    if is_program(here) {
        return Some(".".to_owned());
    }
    let below = sorted(&here.join("cmd"));
    let name = below.into_iter().find(|name| is_program(&here.join("cmd").join(name)))?;
    plain(&name).map(|name| format!("./cmd/{name}"))
}

/// The first program that CMake is told of.
fn cmake_program(here: &Path) -> Option<String> {
    let text = fs::read_to_string(here.join("CMakeLists.txt")).ok()?;
    let (_, rest) = text.split_once("add_executable(")?;
    plain(rest.split(|c: char| c.is_whitespace() || c == ')').find(|word| !word.is_empty())?)
}

/// The script that node executes: as the package says, else `index.js`.
fn node_script(here: &Path) -> String {
    let package = fs::read(here.join("package.json")).ok();
    let package: Option<Value> = package.and_then(|text| serde_json::from_slice(&text).ok());
    let main = package.as_ref().and_then(|package| {
        let bin = &package["bin"];
        let first = bin.as_object().and_then(|bins| bins.values().next());
        let bin = bin.as_str().or_else(|| first?.as_str());
        bin.or_else(|| package["main"].as_str())
    });
    let usual = || here.join("index.js").is_file().then(|| "index.js".to_owned());
    main.and_then(plain).or_else(usual).unwrap_or_else(|| "SCRIPT.js".to_owned())
}

/// The first program that a package of Python installs.
fn python_program(here: &Path) -> Option<String> {
    let project = toml_of(&here.join("pyproject.toml"))?;
    let scripts = project.get("project")?.get("scripts")?.as_table()?;
    plain(scripts.keys().next()?)
}

/// A suite of Lua in this directory.
fn suite(here: &Path) -> Option<String> {
    let mut names = sorted(here).into_iter().filter(|name| name.ends_with("_bench.lua"));
    let name = names.find(|name| !name.chars().any(char::is_control))?;
    let name = if name.starts_with(['-', '@']) { format!("./{name}") } else { name };
    Some(copied(&name).into_owned())
}

/// The names in a directory that are text, in their order.
fn sorted(directory: &Path) -> Vec<String> {
    let names = entries(directory).into_iter().flatten().flatten();
    let mut names: Vec<String> =
        names.filter_map(|entry| entry.file_name().into_string().ok()).collect();
    names.sort();
    names
}
