//! From what was typed to binaries and an experiment: sides, packages, test binaries, benchmarks.
//!
//! Owns what cannot be measured and is said before anything is: no Go, no such revision, nothing that builds, nothing that
//! matches.

use std::ffi::OsString;
use std::path::Path;

use etalon_core::model::{Context, Note, SaidBy, Sides};
use etalon_core::plan::{Order, Plan, Settings, Stopping};
use etalon_probe::{machine, program};
use etalon_record::BenchmarkLine;
use etalon_report::number::counted;
use etalon_run::go::{
    Alternative, Binary, GoBuild, GoError, GoSetup, GoSubject, Package, Source, TopLevel,
    alternatives,
};
use etalon_run::{Experiment, Naming};

use super::origins;
use super::request::{Request, build_flags, failure, flags};
use super::rooms::{Room, Side, sides};
use crate::failure::Failure;
use crate::packages::{SAID, SIDES};
use crate::progress::Watch;
use crate::{output, recorded, tool};

/// How a run on two sides is told apart: a fact of each benchmark says which it is of.
const OF_FACTS: Sides = Sides { said_by: SaidBy::Fact };

/// An experiment, how its benchmarks are executed, and where their binaries are.
pub(super) struct Prepared {
    pub experiment: Experiment,
    pub setup: GoSetup,
    pub room: Room,
}

/// A package on every side.
struct OnSides {
    path: String,
    binaries: Vec<Result<Binary, String>>,
}

/// Prepares everything.
///
/// # Errors
/// If nothing can be measured.
pub(super) fn prepare(asked: &Request<'_>, watch: &Watch<'_>) -> Result<Prepared, Failure> {
    let here = tool::here()?;
    let interrupts = watch.interrupts();
    let mut interrupted = || interrupts.come();
    let mut go = GoBuild { interrupted: &mut interrupted };
    let version = go.version(&here).map_err(failure)?;
    let (mut room, sides) = sides(asked, &here, go.interrupted)?;
    if watch.is_attended() {
        output::remark(&format!("building {}", asked.packages.join(" ")));
    }
    let packages = packages(asked, &sides, &mut go)?;
    if let Room::Sides(sides) = &mut room {
        sides.keep();
    }
    let (subjects, notes) = subjects(asked, &sides, &packages, &mut go)?;
    let mut context = machine::facts(&here, std::env::vars_os());
    context.extend(recorded::facts(&here, None));
    context.extend(facts(&sides, version));
    if let Room::Sides(room) = &room {
        let directories: Vec<&Path> = sides.iter().map(|side| side.directory.as_path()).collect();
        context.extend(origins::compiled(asked, (room, &directories), watch, &mut go)?);
    }
    let setup = GoSetup { subjects, flags: flags(asked), arguments: asked.arguments.to_vec() };
    let of_sides = (sides.len() > 1).then_some(OF_FACTS);
    let mut experiment = experiment(asked, &setup, (context, notes));
    experiment.sides = of_sides;
    Ok(Prepared { experiment, setup, room })
}

/// How much there is to do.
pub(super) fn announced(experiment: &Experiment, setup: &GoSetup) -> String {
    let benchmarks = setup.subjects.iter().map(|subject| subject.benchmark + 1).max().unwrap_or(0);
    let benchmarks = counted(benchmarks, "benchmark", "benchmarks");
    let Stopping::Runs(runs) = experiment.plan.stopping else { return benchmarks };
    let blocks = counted(runs as usize, "block", "blocks");
    let on = if experiment.sides.is_some() { " on two sides" } else { "" };
    format!("{benchmarks}{on}, {blocks}")
}

/// The packages of the head, built on every side.
fn packages(
    asked: &Request<'_>,
    sides: &[Side],
    go: &mut GoBuild<'_>,
) -> Result<Vec<OnSides>, Failure> {
    let Some((head, _)) = sides.split_last() else { return Ok(Vec::new()) };
    let flags = build_flags(asked.building);
    let of_head = listed(asked, head, &flags, go)?;
    if asked.base_binary.is_some() && of_head.len() != 1 {
        let why = format!("is of one package, and {} have tests: name one", of_head.len());
        return Err(Failure::about("--base-binary", why));
    }
    let mut all: Vec<OnSides> =
        of_head.iter().map(|it| OnSides { path: it.path.clone(), binaries: Vec::new() }).collect();
    for side in sides {
        let of_side = match (&side.binary, std::ptr::eq(side, head)) {
            (Some(_), _) | (None, true) => of_head.clone(),
            (None, false) => listed(asked, side, &flags, go).unwrap_or_default(),
        };
        for (number, package) in all.iter_mut().enumerate() {
            let listed = of_side.iter().find(|it| it.path == package.path);
            let binary = match (&side.binary, listed) {
                (Some(path), Some(it)) => {
                    Ok(Binary { path: path.clone(), directory: it.directory.clone() })
                }
                (None, Some(it)) => {
                    let name = side.name.unwrap_or("only");
                    let into = side.built.join(format!("{name}-{number}.test"));
                    let (directory, packages) = (&side.directory, asked.packages);
                    let source = Source { directory, packages, flags: &flags };
                    match go.build(it, &source, &into) {
                        Err(GoError::Failed(said)) => Err(said),
                        built => Ok(built.map_err(failure)?),
                    }
                }
                (_, None) => Err(format!("there is no such package in {}", side.called())),
            };
            package.binaries.push(binary);
        }
    }
    buildable(&all, sides)?;
    Ok(all)
}

fn listed(
    asked: &Request<'_>,
    side: &Side,
    flags: &[OsString],
    go: &mut GoBuild<'_>,
) -> Result<Vec<Package>, Failure> {
    let source = Source { directory: &side.directory, packages: asked.packages, flags };
    go.packages(&source).map_err(failure)
}

/// Refuses packages of which none can be measured on all sides.
fn buildable(all: &[OnSides], sides: &[Side]) -> Result<(), Failure> {
    if all.iter().any(|package| package.binaries.iter().all(Result::is_ok)) {
        return Ok(());
    }
    let broken = |package: &OnSides| {
        let broken = package.binaries.iter().zip(sides);
        let mut broken = broken.filter_map(|(binary, side)| Some((binary.as_ref().err()?, side)));
        let (why, side) = broken.next()?;
        let on = side.name.map_or(String::new(), |_| format!(" in {}", side.called()));
        Some(format!("{}: does not build{on}:\n{why}", package.path))
    };
    Err(Failure::new(all.iter().filter_map(broken).collect::<Vec<_>>().join("\n")))
}

/// The subjects: every benchmark of every package on the sides that have it; what is to be remarked of others.
fn subjects(
    asked: &Request<'_>,
    sides: &[Side],
    packages: &[OnSides],
    go: &mut GoBuild<'_>,
) -> Result<(Vec<GoSubject>, Vec<Note>), Failure> {
    let wanted = alternatives(asked.bench);
    let (mut subjects, mut notes) = (Vec::new(), Vec::new());
    let mut benchmark = 0;
    let mut unlisted = Vec::new();
    for package in packages {
        let lists = listings(asked, package, &wanted, go)?;
        if let Some(why) = lists.iter().find_map(|list| list.as_ref().err()) {
            unlisted.push((package, why.clone()));
        }
        let mut found: Vec<TopLevel> = Vec::new();
        for one in lists.iter().rev().flatten().flatten() {
            if !found.iter().any(|known| known.name == one.name) {
                found.push(one.clone());
            }
        }
        if lists.iter().all(Result::is_err) {
            found.push(TopLevel { name: package.path.clone(), pattern: String::new() });
        }
        for TopLevel { name, pattern } in found {
            for ((side, binary), list) in sides.iter().zip(&package.binaries).zip(&lists) {
                let binary = match list {
                    Ok(list) if !list.iter().any(|known| known.name == name) => {
                        let text = format!("it is not in {}", side.called());
                        notes.push(Note::new(name.clone(), text));
                        continue;
                    }
                    Ok(_) => binary.clone(),
                    Err(why) => Err(why.clone()),
                };
                let pkg = Some(("pkg".to_owned(), package.path.clone()));
                let of_side = side.name.map(|name| ("side".to_owned(), name.to_owned()));
                let facts = pkg.into_iter().chain(of_side).collect();
                let (name, pattern) = (name.clone(), pattern.clone());
                subjects.push(GoSubject { name, pattern, facts, binary, benchmark });
            }
            benchmark += 1;
        }
    }
    if let Some((package, why)) = unlisted.first().filter(|_| unlisted.len() == packages.len()) {
        let why = why.lines().take(SAID).collect::<Vec<_>>().join("\n");
        return Err(Failure::about(&package.path, format!("cannot list its benchmarks:\n{why}")));
    }
    if subjects.is_empty() {
        let packages = asked.packages.join(" ");
        return Err(Failure::about(
            format!("-bench {}", asked.bench),
            format!(
                "matches no benchmark of {packages}; `go test -list Benchmark {packages}` lists them"
            ),
        ));
    }
    notes.extend(same_binaries(sides, packages));
    Ok((subjects, notes))
}

/// Lists the benchmarks of a binary on each side, or says why it cannot.
fn listings(
    asked: &Request<'_>,
    package: &OnSides,
    wanted: &[Alternative],
    go: &mut GoBuild<'_>,
) -> Result<Vec<Result<Vec<TopLevel>, String>>, Failure> {
    let list = |binary: &Result<Binary, String>| match binary {
        Ok(binary) => match go.benchmarks(binary, wanted, asked.arguments) {
            Err(GoError::Failed(said)) => Ok(Err(said)),
            listed => listed.map(Ok).map_err(failure),
        },
        Err(why) => Ok(Err(why.clone())),
    };
    package.binaries.iter().map(list).collect()
}

/// A note where the binaries of both sides are the same.
fn same_binaries(sides: &[Side], packages: &[OnSides]) -> Option<Note> {
    if sides.len() < 2 {
        return None;
    }
    let is_same = |package: &OnSides| {
        let hash = |it: &Result<Binary, String>| program::hash(&it.as_ref().ok()?.path);
        let mut hashes = package.binaries.iter().map(hash);
        let first = hashes.next().flatten();
        first.is_some() && hashes.all(|hash| hash == first)
    };
    packages
        .iter()
        .all(is_same)
        .then(|| Note::new("sides", "both have the same test binaries, byte for byte"))
}

fn experiment(
    asked: &Request<'_>,
    setup: &GoSetup,
    (context, notes): (Context, Vec<Note>),
) -> Experiment {
    let line = |subject: &GoSubject| {
        let side = subject.facts.iter().filter(|(key, _)| key == "side");
        BenchmarkLine {
            name: subject.name.clone(),
            params: side.cloned().collect(),
            ..BenchmarkLine::default()
        }
    };
    let benchmarks: Vec<BenchmarkLine> = setup.subjects.iter().map(line).collect();
    let plan = Plan::new(
        Order::Blocks,
        Stopping::Runs(asked.amount.runs),
        asked.amount.seed.unwrap_or_else(tool::new_seed),
    );
    let settings = Settings { metric: "sec/op".to_owned(), ..Settings::default() };
    let mut experiment = recorded::experiment(benchmarks, plan, settings);
    experiment.naming = Naming::AsMeasured;
    experiment.context = context;
    experiment.notes.splice(0..0, notes);
    experiment
}

/// Facts for the record.
fn facts(sides: &[Side], version: String) -> Vec<(String, String)> {
    let names: Vec<&str> = sides.iter().filter_map(|side| side.name).collect();
    let names = if names.is_empty() { "one".to_owned() } else { names.join(" ") };
    let mut facts = vec![(SIDES.to_owned(), names), ("go.version".to_owned(), version)];
    for side in sides {
        if let (Some(name), Some(revision)) = (side.name, &side.revision) {
            facts.push((format!("go.{name}"), revision.clone()));
        }
    }
    facts
}
