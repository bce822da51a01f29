//! From what was typed to binaries and an experiment: sides, packages, test binaries, benchmarks.
//!
//! Owns what cannot be measured and is said before anything is: no Go, no such revision, nothing that builds, nothing that
//! matches.

use std::time::Instant;

use etalon_core::excerpt::excerpt;
use etalon_core::model::{BUILD, SIDE};
use etalon_core::model::{Context, Harness, Note};
use etalon_core::plan::{FEWEST_BLOCKS, Order, Plan, Settings, Stopping};
use etalon_probe::{machine, program};
use etalon_record::BenchmarkLine;
use etalon_report::number::{counted, duration};
use etalon_run::go::{Alternative, GoBuild, GoError, GoSetup, GoSubject, TopLevel, alternatives};
use etalon_run::sides::Scratch;
use etalon_run::{Experiment, Naming};

use super::built::{Built, InSites, packages};
use super::origins;
use super::request::{Request, build_command, failure, flags};
use super::sites::{Site, room, sides, sites};
use crate::cli::values;
use crate::failure::Failure;
use crate::progress::Watch;
use crate::sides::{OnSides, benches};
use crate::{nodes, output, recorded, tool};

/// An experiment, how its benchmarks are executed, and where their binaries are.
pub(super) struct Prepared {
    pub experiment: Experiment,
    pub setup: GoSetup,
    pub on_sides: Option<OnSides>,
    pub room: Scratch,
    /// Remarks on packages and benchmarks, which are among those of the experiment.
    pub notes: Vec<Note>,
}

/// The fact of Go's version.
pub(super) const VERSION: &str = "go.version";

/// Prepares everything.
///
/// # Errors
/// If nothing can be measured.
pub(super) fn prepare(asked: &Request<'_>, watch: &Watch<'_>) -> Result<Prepared, Failure> {
    nodes::reach(asked.nodes, watch)?;
    let here = tool::here()?;
    let interrupts = watch.interrupts();
    let mut interrupted = || interrupts.come();
    let room = room()?;
    let temporary = tool::temporary_of_go(&room.path);
    let mut go = GoBuild { interrupted: &mut interrupted, temporary: temporary.as_deref() };
    let version = go.version(&here).map_err(failure)?;
    let mut on_sides = sides(asked, &here, watch)?;
    let mut sites = sites(asked, on_sides.as_ref(), &here, &room)?;
    if watch.is_attended() {
        let number = sites.iter().filter(|site| site.binary.is_none()).count();
        let copies = if number > 1 { format!(" in {number} copies") } else { String::new() };
        output::remark(&format!("building {}{copies}", asked.packages.join(" ")));
    }
    let began = Instant::now();
    let (packages, differing) = packages(asked, &mut sites, &mut go)?;
    if let Some(on_sides) = &mut on_sides {
        on_sides.keep(build_command(asked), began.elapsed().as_secs_f64());
    }
    let (subjects, notes) = subjects(asked, &sites, &packages, &mut go)?;
    let mut context = machine::facts(&here, std::env::vars_os());
    context.extend(recorded::facts(&here, None));
    context.insert(VERSION.to_owned(), version);
    context.extend(benches::facts(&differing));
    if let Some(on_sides) = on_sides.as_ref().filter(|_| asked.base.is_some()) {
        let are_laid = sites.iter().any(|site| site.benches.is_some());
        context.extend(origins::compiled(asked, (on_sides, are_laid), watch, &mut go)?);
    }
    let setup = setup(asked, subjects);
    let mut experiment = experiment(asked, &setup, (context, notes.clone()));
    on_sides.iter().for_each(|on_sides| on_sides.declare(&mut experiment));
    Ok(Prepared { experiment, setup, on_sides, room, notes })
}

/// How much there is to do.
pub(super) fn announced(asked: &Request<'_>, experiment: &Experiment, setup: &GoSetup) -> String {
    let benchmarks = setup.subjects.iter().map(|subject| subject.benchmark + 1).max().unwrap_or(0);
    let benchmarks = counted(benchmarks, "benchmark", "benchmarks");
    let Stopping::Runs(runs) = experiment.plan.stopping else { return benchmarks };
    let blocks = counted(runs as usize, "block", "blocks");
    let on = match experiment.sides {
        Some(_) if asked.copying.layouts.is_some() => " on two sides in their layouts",
        Some(_) if asked.base.is_some() && !asked.copying.no_control => {
            " on two sides, each built twice (--no-control builds once)"
        }
        Some(_) => " on two sides",
        None => "",
    };
    let alone = expected_seconds(asked, experiment, setup);
    let about = |seconds| format!(", about {} and what sub-benchmarks add", duration(seconds));
    format!("{benchmarks}{on}, {blocks}{}", alone.map(about).unwrap_or_default())
}

/// Go's time for a benchmark, in its `-benchtime`. Because: it aims at 1.2 times that, after shorter attempts of which each
/// may be up to a hundred times as long as the one before, so that the last of these lies anywhere below.
const ATTEMPTS: f64 = 1.4;
/// Seconds until a test binary is there and gone. Because: 8 to 15 ms were seen.
const START: f64 = 0.01;

/// The time that benchmarks take by themselves, where it is known: setting up, building and all sub-benchmarks come on
/// top. No least: what takes below 1 ns ends earlier, for Go makes a billion iterations at most.
pub(super) fn expected_seconds(
    asked: &Request<'_>,
    experiment: &Experiment,
    setup: &GoSetup,
) -> Option<f64> {
    let Stopping::Runs(runs) = experiment.plan.stopping else { return None };
    let each = asked.amount.benchtime.as_deref().unwrap_or("1s");
    let each = values::duration(each).ok()?;
    let count = asked.amount.count.unwrap_or(1);
    let executions = f64::from(runs) * setup.subjects.len() as f64;
    let side_by_side = asked.nodes.count().max(1) as f64;
    Some((each * ATTEMPTS * f64::from(count) + START) * executions / side_by_side)
}

/// The subjects: every benchmark of every package on the sides that have it; what is to be remarked of others.
fn subjects(
    asked: &Request<'_>,
    sites: &[Site],
    packages: &[InSites],
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
        if found.is_empty() && lists.iter().any(Result::is_err) {
            found.push(TopLevel { name: package.path.clone(), pattern: String::new() });
        }
        for TopLevel { name, pattern } in found {
            for ((site, built), list) in sites.iter().zip(&package.built).zip(&lists) {
                let has = |list: &Vec<TopLevel>| list.iter().any(|known| known.name == name);
                let binary = match (built, list) {
                    (_, Err(why)) => Err(why.clone()),
                    (Built::Binary(binary), Ok(list)) if has(list) => Ok(binary.clone()),
                    (_, Ok(_)) => {
                        let text = format!("it is not in {}", site.called());
                        notes.extend(site.is_first().then(|| Note::new(name.clone(), text)));
                        continue;
                    }
                };
                let pkg = Some(("pkg".to_owned(), package.path.clone()));
                let facts = pkg.into_iter().chain(site.params.iter().cloned()).collect();
                let (name, pattern) = (name.clone(), pattern.clone());
                subjects.push(GoSubject { name, pattern, facts, binary, benchmark });
            }
            benchmark += 1;
        }
    }
    if let Some((package, why)) = unlisted.first().filter(|_| unlisted.len() == packages.len()) {
        let why = excerpt(why).join("\n");
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
    notes.extend(same_binaries(sites, packages));
    Ok((subjects, notes))
}

/// Lists the benchmarks of a binary on each side, or says why it cannot.
fn listings(
    asked: &Request<'_>,
    package: &InSites,
    wanted: &[Alternative],
    go: &mut GoBuild<'_>,
) -> Result<Vec<Result<Vec<TopLevel>, String>>, Failure> {
    let list = |built: &Built| match built {
        Built::Binary(binary) => match go.benchmarks(binary, wanted, asked.arguments) {
            Err(GoError::Failed(said)) => Ok(Err(said)),
            listed => listed.map(Ok).map_err(failure),
        },
        Built::Broken(why) => Ok(Err(why.clone())),
        Built::Absent => Ok(Ok(Vec::new())),
    };
    package.built.iter().map(list).collect()
}

/// A note where the binaries of both sides are the same.
fn same_binaries(sites: &[Site], packages: &[InSites]) -> Option<Note> {
    if sites.len() < 2 {
        return None;
    }
    let is_same = |package: &InSites| {
        let hash = |it: &Built| match it {
            Built::Binary(binary) => program::hash(&binary.path),
            Built::Broken(_) | Built::Absent => None,
        };
        let mut hashes = package.built.iter().map(hash);
        let first = hashes.next().flatten();
        first.is_some() && hashes.all(|hash| hash == first)
    };
    packages
        .iter()
        .all(is_same)
        .then(|| Note::new("sides", "both have the same test binaries, byte for byte"))
}

/// How subjects are executed.
pub(super) fn setup(asked: &Request<'_>, subjects: Vec<GoSubject>) -> GoSetup {
    let (flags, arguments) = (flags(asked), asked.arguments.to_vec());
    GoSetup { subjects, flags, arguments, limit: asked.amount.timeout.limit, of_machine: &[] }
}

/// The experiment on subjects, with facts and remarks for its record.
pub(super) fn experiment(
    asked: &Request<'_>,
    setup: &GoSetup,
    (context, notes): (Context, Vec<Note>),
) -> Experiment {
    let line = |subject: &GoSubject| {
        let of_side = subject.facts.iter().filter(|(key, _)| [SIDE, BUILD].contains(&&**key));
        BenchmarkLine {
            name: subject.name.clone(),
            params: of_side.cloned().collect(),
            ..BenchmarkLine::default()
        }
    };
    let benchmarks: Vec<BenchmarkLine> = setup.subjects.iter().map(line).collect();
    let plan = Plan::new(
        Order::Blocks,
        Stopping::Runs(asked.amount.runs.unwrap_or(FEWEST_BLOCKS)),
        asked.amount.seed.unwrap_or_else(tool::new_seed),
    );
    let settings = Settings { metric: "sec/op".to_owned(), ..Settings::default() };
    let mut experiment = recorded::experiment(benchmarks, plan, settings);
    experiment.naming = Naming::Harness(Harness::Go);
    experiment.context = context;
    experiment.notes.splice(0..0, notes);
    experiment
}
