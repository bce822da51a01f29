//! Fences around the structure of every crate: circles of imports, lengths of files and of functions, doors that know
//! each other; and around its words: names of types and of functions, beginnings of documentation.
//!
//! Nothing offends against the structure; against a fence of the words, a number may.

#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "reads the sources of the repository"
)]

mod circles;
mod sources;

use std::collections::BTreeSet;

use sources::Source;

/// Lines of a file, tests left out. Because: a file is one idea, and longer ones here had two.
const FILE: usize = 400;

/// Lines of a function, its signature included. Because: what is longer does several things one after the other.
const FUNCTION: usize = 60;

/// Modules of the binary that turn what was typed into an experiment.
const DOORS: [&str; 7] = ["bisect", "commands", "files", "noise", "packages", "suites", "twins"];

/// Names that say what was done with a thing. Because: a reader of a signature has to know what the thing is.
const PARTICIPLES: [&str; 10] =
    ["Asked", "Found", "Kept", "Known", "Laid", "Looked", "Made", "Shown", "Told", "Wanted"];

/// Words with which documentation names nothing yet.
const PARAPHRASES: [&str; 2] = ["What ", "The same "];

/// Lines of documentation that may begin so: some options are best described by it in the help.
const PARAPHRASED: usize = 160;

/// Functions called `of` or `of_…`: conversions from one source.
const CALLED_OF: usize = 60;

/// Would catch two modules each of which needs the other, also by way of others, so that neither is understood alone.
#[test]
fn no_modules_import_each_other_in_a_circle() {
    none(circles::all(&sources::all()));
}

/// Would catch a file that grows past its idea.
#[test]
fn no_file_is_longer_than_400_lines() {
    let long = sources::all().into_iter().filter(|source| source.lines > FILE);
    none(long.map(|source| source.path));
}

/// Would catch a function that does several things one after the other.
#[test]
fn no_function_is_longer_than_60_lines() {
    let long = sources::all().into_iter().flat_map(|source| {
        let long = source.functions.into_iter().filter(|(_, lines)| *lines > FUNCTION);
        long.map(move |(name, _)| format!("{} {name}", source.path)).collect::<Vec<_>>()
    });
    none(long);
}

/// Would catch a command that is made of another command's parts instead of what both are made of.
#[test]
fn no_door_of_the_binary_names_another() {
    fn door(path: &[String]) -> Option<&str> {
        let [doors, door, ..] = path else { return None };
        (doors == "doors").then_some(door)
    }
    let named = |source: &Source| -> Vec<String> {
        let own = door(&source.module);
        let others = source.names.iter().filter_map(|name| door(name));
        let others = others.filter(|other| Some(*other) != own && DOORS.contains(other));
        others.map(|other| format!("{} names {other}", own.unwrap_or_default())).collect()
    };
    let sources = sources::all();
    let doors: Vec<&Source> = sources
        .iter()
        .filter(|source| source.krate == "etalon")
        .filter(|source| door(&source.module).is_some())
        .collect();
    for name in DOORS {
        assert!(
            doors.iter().any(|source| source.module[1] == name),
            "doors::{name} is no module any more"
        );
    }
    none(doors.into_iter().flat_map(named));
}

/// Would catch a type whose name says what was done with it, in place of what it is.
#[test]
fn no_type_is_called_by_a_participle() {
    let named = sources::all().into_iter().flat_map(|source| {
        let types = source.types.into_iter().filter(|name| PARTICIPLES.contains(&name.as_str()));
        types.map(|name| format!("{} {name}", source.path)).collect::<Vec<_>>()
    });
    none(named);
}

/// Code that tells what happened by a sentence, in place of a type: two failures in one result, a text that is compared,
/// the name of the program that is taken off a message again.
const SENTENCES: [&str; 3] = ["Result < Result <", ". text ==", "(\"etalon: \")"];

/// Would catch control flow that follows from the words of a message, which then nobody can reword.
#[test]
fn nothing_follows_from_a_sentence() {
    none(sources::all().into_iter().flat_map(|source| {
        let found = SENTENCES.into_iter().filter(|code| source.tokens.contains(code));
        found.map(|code| format!("{} {code}", source.path)).collect::<Vec<_>>()
    }));
}

/// Calls that panic where the machine has no thread left, or its clock is beyond the year 9999. `Builder` and `etalon_run::now`
/// do not.
const PANICKING: [&str; 3] = ["thread :: spawn", "scope . spawn (", "Timestamp :: now ("];

/// Would catch a program that ends in the middle of something at a limit of the machine.
#[test]
fn nothing_panics_at_a_limit_of_the_machine() {
    // The simulations of `make calibrate` are no program of a user's.
    let is_users = |source: &Source| !source.path.starts_with("crates/etalon-calibrate/");
    none(sources::all().into_iter().filter(is_users).filter_map(|source| {
        let found = PANICKING.into_iter().find(|code| source.tokens.contains(code));
        found.map(|code| format!("{} {code}", source.path))
    }));
}

/// Where directories of the kernel are read, which can always be closed.
const OF_THE_KERNEL: [&str; 8] = [
    "crates/etalon-lua/src/supervisor.rs",
    "crates/etalon-probe/src/halts.rs",
    "crates/etalon-probe/src/launcher/cgroup.rs",
    "crates/etalon-probe/src/launcher/keeper/process.rs",
    "crates/etalon-probe/src/launcher/resolve.rs",
    "crates/etalon-probe/src/launcher/serve.rs",
    "crates/etalon-probe/src/machine/bounded.rs",
    "crates/etalon-probe/src/processes.rs",
];

/// Would catch a directory of somebody's that is read by the standard library, which panics where it cannot be closed.
#[test]
fn directories_are_read_by_what_closes_them_without_a_panic() {
    none(sources::all().into_iter().filter_map(|source| {
        let is_read = source.tokens.contains("fs :: read_dir");
        (is_read && !OF_THE_KERNEL.contains(&&*source.path)).then_some(source.path)
    }));
}

/// Would catch documentation that paraphrases a thing, or points at another one, before it names the thing.
#[test]
fn few_lines_of_documentation_begin_with_a_paraphrase() {
    let begins = |doc: &String| PARAPHRASES.iter().any(|words| doc.starts_with(words));
    at_most(
        PARAPHRASED,
        sources::all().into_iter().flat_map(|source| {
            let lines = source.docs.into_iter().filter(begins);
            lines.map(|line| format!("{} {line}", source.path)).collect::<Vec<_>>()
        }),
    );
}

/// Would catch functions that are called after their argument although they are no conversion of it.
#[test]
fn few_functions_are_called_of() {
    let is_of = |name: &str| name == "of" || name.starts_with("of_");
    at_most(
        CALLED_OF,
        sources::all().into_iter().flat_map(|source| {
            let functions = source.functions.into_iter().filter(|(name, _)| is_of(name));
            functions.map(|(name, _)| format!("{} {name}", source.path)).collect::<Vec<_>>()
        }),
    );
}

/// Where lines of Markdown tables are put together. The calibration is no part of the program, and may not use its reports.
const TABLES: [&str; 2] =
    ["crates/etalon-report/src/table/grid.rs", "crates/etalon-calibrate/src/table.rs"];

/// Would catch a second writer of Markdown tables, whose cells end where a name has a pipe.
#[test]
fn tables_in_markdown_have_one_writer() {
    let writes = |text: &String| ["| {} |", "---:", "| --- |"].iter().any(|it| text.contains(it));
    let sources = sources::all();
    let writers = sources.into_iter().filter(|source| source.literals.iter().any(writes));
    let writers: BTreeSet<String> = writers.map(|source| source.path).collect();
    assert_eq!(writers, TABLES.map(str::to_owned).into());
}

/// Compares how many offend with how many may.
fn at_most(most: usize, found: impl IntoIterator<Item = String>) {
    let found: Vec<String> = found.into_iter().collect();
    assert!(found.len() <= most, "{} offend, {most} may:\n{found:#?}", found.len());
}

/// Asserts that nothing offends.
fn none(found: impl IntoIterator<Item = String>) {
    let found: BTreeSet<String> = found.into_iter().collect();
    assert!(found.is_empty(), "{found:#?}");
}
