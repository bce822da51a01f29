//! The README's commands, executed in order as a new user would, twice, and the outputs it shows. Would catch an
//! option renamed, an example that fails or cannot be pasted again, a reference (`@last`, `@baseline`) that does not
//! resolve, and an output that etalon does not print any more.

use std::path::{Path, PathBuf};
use std::process::Command;

/// A command of the README, and what it says the command prints; nothing where it does not say.
pub(crate) struct Example {
    pub(crate) command: String,
    pub(crate) output: String,
}

pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The `$` lines of the README's console blocks, each with the lines below it.
fn examples() -> Vec<Example> {
    let readme = std::fs::read_to_string(root().join("README.md")).unwrap();
    let mut inside = false;
    let mut examples: Vec<Example> = Vec::new();
    for line in readme.lines() {
        if line.starts_with("```") {
            inside = line == "```console";
        } else if let Some(command) = line.strip_prefix("$ ").filter(|_| inside) {
            examples.push(Example { command: command.to_owned(), output: String::new() });
        } else if let Some(example) = examples.last_mut().filter(|_| inside) {
            example.output += &format!("{line}\n");
        }
    }
    examples
}

/// A directory with what the examples need.
pub(crate) fn place() -> tempfile::TempDir {
    let place = tempfile::tempdir().unwrap();
    std::fs::copy(root().join("Cargo.lock"), place.path().join("Cargo.lock")).unwrap();
    for directory in ["examples", "docs"] {
        std::os::unix::fs::symlink(root().join(directory), place.path().join(directory)).unwrap();
    }
    place
}

/// What a command prints on standard output; it has to succeed.
pub(crate) fn printed(command: &str, place: &Path) -> String {
    let binary = Path::new(env!("CARGO_BIN_EXE_etalon"));
    let path = format!("{}:{}", binary.parent().unwrap().display(), std::env::var("PATH").unwrap());
    let output = Command::new("/bin/sh")
        .args(["-c", command])
        .current_dir(place)
        .env("PATH", &path)
        .env("ETALON_HOME", place.join("home"))
        .env("LC_ALL", "C.UTF-8")
        .env_remove("COLUMNS")
        .output()
        .unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command}: {:?}\n{stderr}", output.status);
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn every_command_of_the_readme_works_and_works_again() {
    let (place, examples) = (place(), examples());
    assert!(examples.len() > 10);
    for Example { command, output } in examples.iter().chain(&examples) {
        let stdout = printed(command, place.path());
        let silent = ["runs name", "runs bundle", " > "].iter().any(|part| command.contains(part));
        assert_eq!(stdout.is_empty(), silent, "{command}\n{stdout}");
        let too_wide = stdout.lines().find(|line| line.chars().count() > 80);
        let free = command.contains("--list") || command.contains("--json");
        assert!(free || too_wide.is_none(), "{command}: {too_wide:?}");
        if !output.is_empty() {
            assert_eq!(layout(output), layout(&stdout), "{command}\n{output}\n{stdout}");
        }
    }
}

/// What is the same whatever was measured: of one command, what it says without its figures; of several, the ends of
/// the table's head (on a busy machine, wide figures leave out columns between them), its rows by the beginnings of
/// their names, in any order; and what is said at the end.
pub(crate) fn layout(report: &str) -> Vec<String> {
    let squeezed = |line: &str| line.split_whitespace().collect::<Vec<_>>().join(" ");
    let masked = |line: &str| line.replace(|c: char| c.is_ascii_digit() || c == '.', "");
    // The CPU time of `sleep` is about 1 ms, on either side of it; its memory is told apart from the launcher's where
    // that is optimised.
    let masked = |line: &str| masked(line).replace("µs", "ms").replace("≤ ", "");
    let is_alone = |line: &str| line.starts_with("sleep") || line.contains(" · memory ");
    let is_row = |line: &str| line.starts_with("  ") && !line.starts_with("      ");
    let of_line = |line: &str| match line.trim_start().split_once("  ") {
        Some((first, rest)) if line.starts_with("      ") => {
            // Whoever is in front on a busy machine is compared with.
            let is_compared = rest.rsplit("  ").next()?.starts_with("against ");
            is_compared.then(|| format!("{first}, against another"))
        }
        _ if line.starts_with("More:") => Some(line.to_owned()),
        _ if is_row(line) => Some(line.chars().take(8).collect()),
        _ if is_alone(line) => Some(squeezed(&masked(line))),
        _ => None,
    };
    let mut lines: Vec<String> = report.lines().filter_map(of_line).collect();
    lines.sort();
    lines
}

/// Would catch a comparison of files, which is the same on every machine, that reads otherwise than the README says.
#[test]
fn the_readme_shows_what_a_comparison_prints() {
    let place = place();
    for Example { command, output } in examples() {
        if command.contains("compare") && !output.is_empty() {
            assert_eq!(printed(&command, place.path()), output);
        }
    }
}

/// Would catch an example that does not stand on a terminal of 24 × 80 together with the line that asks for it.
#[test]
fn outputs_fit_a_terminal() {
    let shown: Vec<Example> =
        examples().into_iter().filter(|example| !example.output.is_empty()).collect();
    assert_eq!(shown.len(), 4, "one command, two commands, a suite, two files");
    for Example { command, output } in shown {
        let columns = output.lines().map(unicode_width::UnicodeWidthStr::width).max();
        assert!(columns <= Some(80), "{command}");
        let prompt = (command.len() + 2).div_ceil(80);
        assert!(output.lines().count() + prompt <= 24, "{command}: {}", output.lines().count());
    }
}
