//! Origins of commands on two sides, found out before they are measured: which files of theirs they read.
//!
//! Owns which files the words of a command name. Refuses commands that only one side has. Other files are found by a trace
//! ([`etalon_run::origins`]), which is told here where both sides are.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use etalon_core::model::{BASE, HEAD};
use etalon_core::shell::copied;
use etalon_record::BenchmarkLine;
use etalon_report::text::clean;
use etalon_run::origins::{Named, Pair};
use etalon_run::{CommandSetup, Experiment, Origins, without_detours};

use super::Copy;
use super::named::{directory, place_here, words};
use crate::cli::Nodes;
use crate::failure::Failure;
use crate::progress::Watch;
use crate::{services, tool};

/// Origins of commands, found out before they are measured; with none yet.
///
/// # Errors
/// If a command names files of one side only.
pub(super) fn origins(
    experiment: &Experiment,
    copies: &[Copy],
    unobserved: Origins,
) -> Result<Origins, Failure> {
    let place = |side: &str| copies.iter().position(|copy| copy.side == side).unwrap_or_default();
    let [base, head] = [BASE, HEAD].map(place);
    let (mut pairs, mut others) = (Vec::new(), 0);
    for (number, lines) in experiment.benchmarks.chunks(copies.len()).enumerate() {
        // One that was built for this run, such as a test binary of Go.
        if lines.iter().all(|line| line.path.is_none()) {
            others += 1;
            continue;
        }
        let first = number * copies.len();
        let name = clean(&lines[0].name);
        let named = named(&name, lines, copies)?;
        let name = format!("command `{name}`");
        pairs.push(Pair { name, subjects: [first + base, first + head], named });
    }
    Ok(Origins { pairs, others, ..unobserved })
}

/// What commands read on each side is found out by their executor, or at once where that is another machine's: it is in
/// the experiment then.
///
/// # Errors
/// If a side does not execute what is its own.
pub(crate) fn before_elsewhere(
    nodes: &Nodes,
    origins: Option<Origins>,
    (experiment, setup): (&mut Experiment, &CommandSetup),
) -> Result<Option<Origins>, Failure> {
    if nodes.on.is_none() {
        return Ok(origins);
    }
    let Some(mut origins) = origins else { return Ok(None) };
    let facts = origins.find(setup, |_| true).map_err(services::failure)?;
    experiment.context.extend(facts);
    Ok(None)
}

/// Where the sides and everything else of the project are, with no command yet.
pub(super) fn unobserved(copies: &[Copy], top: Option<&Path>, watch: &Watch<'_>) -> Origins {
    let root = |side: &str| {
        let copy = copies.iter().find(|copy| copy.side == side);
        copy.map(|copy| copy.root.clone()).unwrap_or_default()
    };
    let interrupts = watch.interrupts();
    Origins {
        pairs: Vec::new(),
        roots: [BASE, HEAD].map(root),
        project: top.and_then(Path::file_name).unwrap_or_default().to_owned(),
        elsewhere: copies
            .iter()
            .map(|copy| copy.root.clone())
            .chain(top.map(Path::to_owned))
            .collect(),
        others: 0,
        interrupted: Box::new(move || interrupts.come()),
    }
}

/// The files that the words of a command name in all copies; in words which side has none of its files.
fn named(name: &str, lines: &[BenchmarkLine], copies: &[Copy]) -> Result<Named, Failure> {
    let named: Vec<(Vec<PathBuf>, Vec<PathBuf>)> =
        lines.iter().zip(copies).map(|(line, copy)| files(line, copy)).collect();
    let has = |side: &str| {
        let mut all = named.iter().zip(copies).filter(|(_, copy)| copy.side == side);
        all.any(|((inside, _), _)| !inside.is_empty())
    };
    if let Some(one_sided) = one_sided(name, (has(BASE), has(HEAD)), own(&named, copies).as_deref())
    {
        return Err(one_sided);
    }
    let outside = named.iter().find(|(inside, _)| inside.is_empty());
    Ok(match outside {
        Some((_, outside)) => Named::Outside(outside.last().cloned().unwrap_or_default()),
        None => Named::Own,
    })
}

/// The first file of a side that is named, as it is named from where etalon was started, if it is there and a script.
fn own(named: &[(Vec<PathBuf>, Vec<PathBuf>)], copies: &[Copy]) -> Option<PathBuf> {
    let mut all = named.iter().zip(copies);
    let (file, copy) = all.find_map(|((inside, _), copy)| Some((inside.first()?, copy)))?;
    let file = without_detours(file);
    place_here(file.strip_prefix(&copy.root).ok()?, copy, &tool::here().ok()?)
}

/// That the base alone, or the head, has what a command executes; nothing where that is both or none. `here` is the same
/// in the working tree, where that is a script: a bench that is newer than the base.
pub(crate) fn one_sided(
    name: &str,
    (base, head): (bool, bool),
    here: Option<&Path>,
) -> Option<Failure> {
    let (has, lacks) = match (base, head) {
        (true, false) => (BASE, HEAD),
        (false, true) => (HEAD, BASE),
        _ => return None,
    };
    let remedy = here.map(|path| {
        let path = copied(&path.to_string_lossy()).into_owned();
        format!("; --copy {path} has both sides execute that of the working tree")
    });
    Some(Failure::of_side(format!(
        "`{name}`: on one side only: {has} has what it executes, {lacks} does not: nothing was measured{}",
        remedy.unwrap_or_default()
    )))
}

/// The program and the files that are named behind it: those in the copy, and the others.
fn files(line: &BenchmarkLine, copy: &Copy) -> (Vec<PathBuf>, Vec<PathBuf>) {
    let program = line.path.iter().map(|path| PathBuf::from(OsStr::from_bytes(path.as_bytes())));
    let named = words(line);
    let directory = directory(line, copy);
    let named = named.map(|word| directory.join(OsStr::from_bytes(&word)));
    let all: Vec<PathBuf> = program.chain(named.filter(|path| path.is_file())).collect();
    all.into_iter().partition(|path| is_inside(path, &copy.root))
}

/// Whether a file is the copy's own: a link to one elsewhere is not, but for the Python of a virtual environment.
fn is_inside(path: &Path, root: &Path) -> bool {
    let real = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let of_venv = || {
        let environment = path.parent().and_then(Path::parent);
        environment.is_some_and(|it| it.starts_with(root) && it.join("pyvenv.cfg").is_file())
    };
    real(path).starts_with(real(root)) || of_venv()
}
