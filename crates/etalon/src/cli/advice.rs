//! Every message of the sources that names an option is held against the doors that print it: a cure of one door is none
//! in another. A new message is taken for one of all doors of its file, and has an entry here where it is of fewer.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use clap::{Command, CommandFactory};
use etalon_record::entries::entries;

use super::Cli;

const MEASURING: &[&str] = &["cmd", "run", "ab", "go"];
const SIDES: &[&str] = &["run", "ab", "go"];
const TABLES: &[&str] = &["run", "ab", "go", "report", "compare"];

/// The doors that print what stands in files below a path; the longest path counts.
const REACH: &[(&str, &[&str])] = &[
    ("etalon-lua/src", &["run"]),
    ("etalon-probe/src", MEASURING),
    ("etalon-record/src", &["report", "compare", "convert"]),
    ("etalon-report/src", &["cmd", "run", "ab", "go", "report", "compare"]),
    ("etalon-report/src/compare", TABLES),
    ("etalon-report/src/doctor.rs", &["doctor"]),
    ("etalon-report/src/fleet.rs", &["doctor"]),
    ("etalon-report/src/planned.rs", MEASURING),
    ("etalon-report/src/screen", &["cmd", "run", "report"]),
    ("etalon-report/src/cases", &["run", "report"]),
    ("etalon-report/src/steps", &["history check"]),
    ("etalon-report/src/words/notes/cases.rs", &["run"]),
    ("etalon-run/src", MEASURING),
    ("etalon-run/src/commands", &["cmd", "ab", "noise"]),
    ("etalon-run/src/lua", &["run"]),
    ("etalon-run/src/sides", SIDES),
    ("etalon/src", MEASURING),
    ("etalon/src/cases", &["run"]),
    ("etalon/src/commands", &["cmd", "ab"]),
    ("etalon/src/compare", TABLES),
    ("etalon/src/compare/queries.rs", &["report", "compare"]),
    ("etalon/src/convert.rs", &["convert"]),
    ("etalon/src/counting.rs", &["cmd", "ab"]),
    ("etalon/src/doctor", &["doctor"]),
    ("etalon/src/doors/bisect", &["bisect"]),
    ("etalon/src/doors/commands", &["cmd"]),
    ("etalon/src/doors/files", &["run"]),
    ("etalon/src/doors/noise", &["noise"]),
    ("etalon/src/doors/packages", &["go"]),
    ("etalon/src/doors/suites", &["run"]),
    ("etalon/src/doors/twins", &["ab"]),
    ("etalon/src/exports.rs", &["cmd", "run", "report"]),
    ("etalon/src/experiments", &["run", "report"]),
    ("etalon/src/harnesses.rs", &["cmd", "ab"]),
    ("etalon/src/history", &["history"]),
    ("etalon/src/hosts", &["run", "noise"]),
    ("etalon/src/planning.rs", MEASURING),
    ("etalon/src/report.rs", &["report"]),
    ("etalon/src/resume.rs", &["cmd", "run"]),
    ("etalon/src/runs", &["runs"]),
    ("etalon/src/settings.rs", &["cmd", "run"]),
    ("etalon/src/sides", SIDES),
    ("etalon/src/visits.rs", &["doctor"]),
];

/// Messages of a file that fewer doors print, by the options that they name.
const NARROW: &[(&str, &[&str], &[&str])] = &[
    // What was typed, told back.
    ("etalon-probe/src/launcher/control.rs", &["--nice"], &["cmd", "run", "ab"]),
    ("etalon-probe/src/launcher/control.rs", &["--aslr"], &["cmd", "ab"]),
    ("etalon/src/commands/experiment.rs", &["--setup", "--cleanup", "--by", "--until"], &["cmd"]),
    (
        "etalon/src/commands/scan.rs",
        &["--parameter-list", "--parameter-scan", "--parameter-step-size"],
        &["cmd"],
    ),
    ("etalon/src/compare/checks/declared.rs", &["--base"], &["run", "go"]),
    (
        "etalon/src/compare/remarks.rs",
        &["--ignore", "--table", "--filter", "--row"],
        &["report", "compare"],
    ),
    ("etalon/src/compare/show.rs", &["--summary-row", "--centre"], &["compare"]),
    ("etalon/src/compare/show.rs", &["--view"], &["ab", "go", "report", "compare"]),
    ("etalon/src/main.rs", &["--base"], &["run", "go"]),
    ("etalon/src/pilot.rs", &["--order"], &["cmd", "run"]),
    ("etalon/src/sides/builds.rs", &["--build"], &["run", "ab"]),
    ("etalon-report/src/bisection/answer.rs", &["--total-budget"], &["bisect"]),
    ("etalon-run/src/sides/revisions.rs", &["--all-commits"], &["bisect"]),
    ("etalon/src/counting.rs", &["--lua"], &["run"]),
    ("etalon/src/nodes/mod.rs", &["--show-output", "--stdout"], &["cmd", "ab"]),
    ("etalon/src/sides/copies.rs", &["--build"], &["run", "ab"]),
    ("etalon/src/sides/copies.rs", &["--dir"], &["ab"]),
    ("etalon/src/sides/copies.rs", &["--base"], &["run", "go"]),
    ("etalon-run/src/error.rs", &["--count", "--results"], &["cmd", "ab"]),
    ("etalon-report/src/words/notes/design.rs", &["--ignore"], &["report", "compare"]),
    // What another command takes, which is named before.
    ("etalon/src/doors/commands/mod.rs", &["--filter", "--row", "--col"], &["compare"]),
    // Rankings, which compare commands and cases of suites, and only of one machine.
    ("etalon-report/src/screen/more.rs", &["--col"], &["report"]),
    ("etalon-report/src/words/notes/design.rs", &["--order"], &["cmd", "run"]),
    ("etalon-report/src/words/notes/design.rs", &["--reference"], &["cmd", "run", "report"]),
    ("etalon-report/src/words/notes/design.rs", &["--col"], &["report"]),
    (
        "etalon-report/src/words/notes/executions.rs",
        &["--explain-noise"],
        &["cmd", "run", "report"],
    ),
    ("etalon/src/commands/experiment.rs", &["--shell", "--order"], &["cmd"]),
    ("etalon/src/enough.rs", &["--reference"], &["cmd", "run"]),
    // What was executed, where a saved run tells it, too.
    ("etalon-report/src/words/notes/executions.rs", &["--timeout"], MEASURING),
    ("etalon-report/src/words/notes/sides.rs", &["--bench-from"], &["run", "go"]),
    ("etalon-report/src/words/work.rs", &["--counters", "--explain-noise"], &["cmd", "ab"]),
    ("etalon/src/compare/sides.rs", &["--no-control"], SIDES),
    // Two sides of commands.
    ("etalon-run/src/error/origin.rs", &["--copy", "--build"], &["run", "ab"]),
    ("etalon/src/lacking.rs", &["--copy"], SIDES),
    ("etalon/src/nodes/tree.rs", &["--no-control"], SIDES),
    ("etalon/src/sides/nowhere.rs", &["--build"], &["run", "ab"]),
    ("etalon/src/stopped.rs", &["--prepare"], &["ab"]),
    ("etalon/src/stopped.rs", &["--show-output"], &["cmd", "ab"]),
];

/// Options of other programs.
const OTHERS: &[(&str, &[&str])] = &[
    ("etalon-lua/src/nginx.rs", &["--add-module", "--prefix", "--modules-path"]),
    (
        "etalon-probe/src/batch/array.rs",
        &[
            "--parsable",
            "--test-only",
            "--wrap",
            "--exclusive",
            "--requeue",
            "--job-name",
            "--output",
            "--error",
            "--chdir",
            "--array",
            "--time",
        ],
    ),
    ("etalon-probe/src/far/ground.rs", &["--version"]),
    ("etalon-probe/src/launcher/control.rs", &["--security-opt"]),
    ("etalon-record/src/foreign/harness/perf_stat.rs", &["--per-core"]),
    ("etalon-record/src/raw/error.rs", &["--export-json"]),
    (
        "etalon-run/src/commands/counts/cachegrind.rs",
        &[
            "--version",
            "--command-line-only",
            "--tool",
            "--cache-sim",
            "--trace-children",
            "--vgdb",
            "--log-file",
            "--cachegrind-out-file",
        ],
    ),
    (
        "etalon-run/src/sides/copies.rs",
        &[
            "--cached",
            "--others",
            "--exclude-standard",
            "--deduplicate",
            "--all",
            "--stage",
            "--quiet",
        ],
    ),
    ("etalon-run/src/sides/error.rs", &["--oneline", "--all", "--init", "--unshallow"]),
    (
        "etalon-run/src/sides/git.rs",
        &[
            "--no-pager",
            "--verify",
            "--quiet",
            "--end-of-options",
            "--first-parent",
            "--timestamp",
            "--short",
            "--full-tree",
            "--includes",
            "--list",
            "--file",
            "--no-includes",
        ],
    ),
    ("etalon-run/src/sides/key.rs", &["--version"]),
    (
        "etalon-run/src/sides/revisions.rs",
        &["--end-of-options", "--first-parent", "--max-count", "--reverse", "--topo-order"],
    ),
    ("etalon/src/counting.rs", &["--benchmark"]),
    ("etalon/src/doctor/cpus.rs", &["--cpu"]),
    ("etalon/src/doctor/surroundings.rs", &["--cpu-quota", "--cpunodebind", "--membind"]),
    ("etalon/src/doors/twins/typed.rs", &["--release"]),
    ("etalon/src/doors/twins/typed/layouts.rs", &["--release", "--shuffle-sections"]),
    (
        "etalon/src/doors/twins/typed/harness.rs",
        &["--benchmark-only", "--benchmark-json", "--no-run", "--run", "--benchmark", "--output"],
    ),
];

/// The text of an option in a message, with the words before it.
struct Named {
    file: String,
    option: String,
    before: String,
}

#[test]
fn every_option_that_a_message_names_is_one_of_its_doors() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let mut files = Vec::new();
    sources(root, &mut files);
    let mut cli = Cli::command();
    // Options are defined when a command is called.
    cli.build();
    let (mut wrong, mut used) = (BTreeSet::new(), BTreeSet::new());
    for named in files.iter().flat_map(|file| options(root, file)) {
        let Named { file, option, before } = &named;
        if let Some(at) = OTHERS.iter().position(|it| it.0 == file && it.1.contains(&&**option)) {
            used.insert(("another program's", at));
            continue;
        }
        if let Some(command) = spelled(&cli, before) {
            if !has(command, option) {
                wrong.insert(format!("{file}: {option} after `etalon {}`", command.get_name()));
            }
            continue;
        }
        let narrow = NARROW.iter().position(|it| it.0 == file && it.1.contains(&&**option));
        let doors = match narrow {
            Some(at) => {
                used.insert(("narrow", at));
                NARROW[at].2
            }
            None => {
                let mut paths: Vec<_> = REACH.iter().filter(|it| file.starts_with(it.0)).collect();
                paths.sort_by_key(|it| it.0.len());
                paths.last().map_or(&[][..], |it| it.1)
            }
        };
        let lacking: Vec<&str> =
            doors.iter().copied().filter(|door| !has(at(&cli, door), option)).collect();
        if !lacking.is_empty() || doors.is_empty() {
            wrong.insert(format!("{file}: {option}: not of {}", lacking.join(", ")));
        }
    }
    let wrong: Vec<String> = wrong.into_iter().collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let idle = |what: &str, of: usize| -> Vec<usize> {
        (0..of).filter(|at| !used.contains(&(what, *at))).collect()
    };
    let narrow = idle("narrow", NARROW.len()).into_iter().map(|at| NARROW[at].0);
    let others = idle("another program's", OTHERS.len()).into_iter().map(|at| OTHERS[at].0);
    let idle: Vec<&str> = narrow.chain(others).collect();
    assert_eq!(idle, Vec::<&str>::new(), "entries without a message");
}

fn sources(directory: &Path, into: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> =
        entries(directory).unwrap().map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    for path in entries {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        // What no user sees, and what options are declared in.
        let is_apart = ["tests", "target", "etalon-calibrate", "examples", "cli", "web"];
        if path.is_dir() && !is_apart.contains(&&*name) {
            sources(&path, into);
        } else if name.ends_with(".rs") && !name.ends_with("_tests.rs") && name != "build.rs" {
            into.push(path);
        }
    }
}

/// Options in the texts of a file, without its tests and comments.
fn options(root: &Path, path: &Path) -> Vec<Named> {
    let text = fs::read_to_string(path).unwrap();
    let text = text.split("#[cfg(test)]").next().unwrap();
    let is_code = |line: &&str| !line.trim_start().starts_with("//");
    let text: String = text.lines().filter(is_code).flat_map(|line| [line, "\n"]).collect();
    let file = path.strip_prefix(root).unwrap().to_string_lossy().into_owned();
    let mut found = Vec::new();
    for literal in literals(&text) {
        for (at, _) in literal.match_indices("--") {
            let (before, rest) = (&literal[..at], &literal[at + 2..]);
            let end =
                rest.find(|c: char| !c.is_ascii_lowercase() && c != '-').unwrap_or(rest.len());
            let is_apart = !before.ends_with(|c: char| c.is_alphanumeric() || c == '-');
            let option = rest[..end].trim_end_matches('-');
            if is_apart && option.starts_with(|c: char| c.is_ascii_lowercase()) {
                let (option, before) = (format!("--{option}"), before.to_owned());
                found.push(Named { file: file.clone(), option, before });
            }
        }
    }
    found
}

/// The contents of string literals.
fn literals(text: &str) -> Vec<String> {
    let mut all = Vec::new();
    let mut characters = text.chars().peekable();
    while let Some(c) = characters.next() {
        match c {
            '\'' => {
                let mut ahead = characters.clone();
                let first = ahead.next();
                if first == Some('\\') {
                    ahead.next();
                }
                if ahead.next() == Some('\'') {
                    characters = ahead;
                }
            }
            '"' => {
                let mut literal = String::new();
                while let Some(c) = characters.next() {
                    match c {
                        '"' => break,
                        '\\' if characters.peek() == Some(&'\n') => {
                            while characters.peek().is_some_and(|c| c.is_whitespace()) {
                                characters.next();
                            }
                        }
                        '\\' => literal
                            .extend(characters.next().map(|c| if c == 'n' { '\n' } else { c })),
                        c => literal.push(c),
                    }
                }
                all.push(literal);
            }
            _ => {}
        }
    }
    all
}

/// The command of etalon that a text spells before an option, if it does: `etalon ab main --copy`.
fn spelled<'c>(cli: &'c Command, before: &str) -> Option<&'c Command> {
    let after = before.rsplit("etalon ").next().filter(|it| it.len() < before.len())?;
    // The command line ends with its quotes.
    if after.contains('`') {
        return None;
    }
    let mut words = after.split_whitespace();
    let first = cli.find_subcommand(words.next()?)?;
    Some(words.next().and_then(|word| first.find_subcommand(word)).unwrap_or(first))
}

fn at<'c>(cli: &'c Command, door: &str) -> &'c Command {
    let under = |command: &'c Command, word: &str| command.find_subcommand(word).unwrap();
    door.split(' ').fold(cli, under)
}

/// Whether a command has an option, or one of its own commands.
fn has(command: &Command, option: &str) -> bool {
    let is_it = |name: &str| option.strip_prefix("--") == Some(name);
    let own = command.get_arguments().any(|argument| {
        argument.get_long_and_visible_aliases().is_some_and(|all| all.into_iter().any(is_it))
            || argument.get_all_aliases().is_some_and(|all| all.into_iter().any(is_it))
    });
    own || command.get_subcommands().any(|it| has(it, option))
        || ["--help", "--version"].contains(&option)
}
