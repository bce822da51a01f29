//! `etalon cmd`: from what was typed to an experiment, executed, saved and shown.
//!
//! Here: the course of things. What is executed is worked out in [`subjects`] and [`crate::commands`]; for a run that is
//! resumed, from its recorded command line.

pub(crate) mod subjects;

use std::any::Any;
use std::ffi::{OsStr, OsString};
use std::io::Read;
use std::path::Path;

use clap::ArgMatches;

use etalon_core::metrics::{INSTRUCTIONS, WALL};
use etalon_core::shell::copied;
use etalon_probe::launcher::protocol::Output as Stdout;
use etalon_probe::launcher::{Launcher, LauncherError, resolve};
use etalon_record::ReadError;
use etalon_report::text::clean;
use etalon_run::harness::ResultsSpec;
use etalon_run::services::ServiceSpec;
use etalon_run::{CommandSetup, Commands, Experiment, RunError};

use crate::cli;
use crate::cli::commands::{self, DeclaredCommand};
use crate::cli::values::StdoutArg;
use crate::cli::{UntilArg, habits};
use crate::commands::experiment::{self, Request};
use crate::commands::{Subjects, texts};
use crate::compare::families;
use crate::counting::{self, Beside, Counts, Means};
use crate::course::{self, Job};
use crate::exports::Exports;
use crate::failure::{Exit, Failure};
use crate::harnesses::{self, RESULTS, ResultsRoom};
use crate::nodes::luggage::Luggage;
use crate::nodes::refuse_terminal;
use crate::planning::{OfRanking, OfSides};
use crate::progress::{Watch, Watched};
use crate::resume::Interrupted;
use crate::showing::{Harnesses, Ranking};
use crate::{destination, report, services, tool};

/// Runs the subcommand with a launcher that has nothing to do yet.
pub(crate) fn run(
    options: &cli::Cmd,
    matches: &ArgMatches,
    launcher: Result<Launcher, LauncherError>,
) -> Result<Exit, Failure> {
    options.reporting.view.check_ranks().map_err(Failure::new)?;
    let interrupted = match &options.resumption.resume {
        Some(run) => Some(Interrupted::open(run, "cmd", matches)?),
        None => None,
    };
    let prepared = match &interrupted {
        Some(interrupted) => resumed(interrupted)?,
        None => prepared(options, matches)?,
    };
    let Prepared { subjects, experiment, setup, services, results, nodes, luggage } = prepared;
    let notes = experiment.notes.iter().map(|note| note.text.clone());
    let remarks = subjects.remarks.iter().cloned().chain(notes);
    let remarks = remarks.chain(habits(options, subjects.all.len()));
    let output: Option<&Path> = options.recording.output.as_deref().map(Path::new);
    let exports = Exports::check(&options.reporting.exports, output.as_slice())?;
    let interim = report::interim(&exports, &options.reporting.analysis);
    destination::refuse_inputs(&options.recording, &setup)?;
    let mut watch = course::watch(&options.recording, options.reporting.view.quiet, interim)?;
    let means = means(options, results.is_some(), &watch)?;
    // With the commands' output on the same terminal, lines that are rewritten would tear it.
    let is_torn = matches!(setup.stdio.stdout, Stdout::Inherit);
    let watched = (!is_torn).then(|| Watched::commands(&experiment));
    let launcher = launcher.map_err(|error| Failure::new(RunError::Launcher(error)))?;
    let remarks = remarks.chain(Means::remark(means.as_ref())).collect();
    let commands = Commands::new(setup, launcher);
    let all = (0..experiment.benchmarks.len()).collect();
    let commands = Means::around(means, commands, &experiment, vec![all], &[])?;
    let executor = services::around(commands, services, &watch)?;
    let reporting = &options.reporting;
    let (spec, room) = results.unzip();
    let holds = room.into_iter().map(|room| Box::new(room) as Box<dyn Any>).collect();
    let mut compare = reporting.comparison(&cli::Based::default());
    let recorded = Some(experiment.settings.metric.clone()).filter(|metric| metric != WALL);
    compare.show.metric = reporting.analysis.metric.clone().or(recorded);
    let refusal = spec.as_ref().and_then(|_| families::refusal(&compare, None));
    let mut harness = spec.as_ref().map(|_| Harnesses(compare));
    let executor = harnesses::around(executor, spec);
    let job =
        Job { watched, remarks, holds, refusal, nodes, luggage, ..Job::new(experiment, executor) };
    match (options.amount.plan, &mut harness) {
        (true, Some(tables)) => {
            let mut planned = OfSides { compare: tables.0.clone(), sides: None };
            course::run(job, &options.recording, &mut watch, &mut planned)
        }
        (true, _) => course::run(job, &options.recording, &mut watch, &mut OfRanking(reporting)),
        (false, Some(tables)) => course::run(job, &options.recording, &mut watch, tables),
        (false, None) => {
            let mut ranking = Ranking { reporting, exports: &exports };
            course::run(job, &options.recording, &mut watch, &mut ranking)
        }
    }
}

/// The means of counting, where that is asked for.
fn means(options: &cli::Cmd, results: bool, watch: &Watch<'_>) -> Result<Option<Means>, Failure> {
    let beside = Beside {
        results,
        on: options.nodes.on.is_some(),
        plan: options.amount.plan,
        metric: options.reporting.analysis.metric.as_deref() == Some(INSTRUCTIONS),
    };
    counting::means((Counts::Commands, options.control.count), beside, watch)
}

/// Remarks on options that other programs take in another sense.
fn habits(options: &cli::Cmd, commands: usize) -> Vec<String> {
    let cli::View { no_stats, .. } = options.reporting.view;
    let shell = no_stats && commands == 1;
    let columns = options.reporting.exports.export_csv.is_some();
    let typed = [(shell, "-N"), (columns, "--export-csv")];
    let hints = typed.into_iter().filter(|(is_typed, _)| *is_typed);
    let hints = hints.filter_map(|(_, option)| Some((option, habits::hint(option, None)?)));
    let told = hints.map(|(option, hint)| format!("{option}: {}", hint.instead));
    told.collect()
}

/// Subjects, the experiment on them, how they are executed, and what is there meanwhile.
struct Prepared {
    subjects: Subjects,
    experiment: Experiment,
    setup: CommandSetup,
    services: Vec<ServiceSpec>,
    /// Where results are, if these are harnesses, and the directory for them.
    results: Option<(ResultsSpec, ResultsRoom)>,
    /// The machines that it is executed on, and what these are sent.
    nodes: cli::Nodes,
    luggage: Luggage,
}

fn prepared(options: &cli::Cmd, matches: &ArgMatches) -> Result<Prepared, Failure> {
    let declared = declared(options, matches)?;
    let cli::Cmd { amount, schedule, control, reporting, .. } = options;
    let templates = subjects::templates(options, &declared)?;
    let results = match subjects::names(&options.scans).contains(&RESULTS) {
        false => {
            let is_shown = control.has_output();
            ResultsRoom::prepare(options.harness.results.as_ref(), is_shown, &templates)?
        }
        true if options.harness.results.is_none() => None,
        true => {
            let why = "beside a parameter called `results`: give that another name";
            return Err(Failure::about("--results", why));
        }
    };
    if results.is_some() {
        check_harness(options)?;
    }
    let subjects = subjects::resolved(options, matches, declared, results.as_ref())?;
    // Which metrics a harness has is known once it was executed.
    let metric = reporting.analysis.metric.clone().filter(|_| results.is_some());
    let mut analysis = reporting.analysis.clone();
    analysis.metric = analysis.metric.filter(|_| metric.is_none());
    let request = Request { amount, schedule, control, analysis: &analysis };
    let assembled = experiment::assembled(&request, &subjects);
    let (mut experiment, mut setup) = assembled.map_err(|failure| match words_of_one(options) {
        Some(line) => Failure::new(format!("{}; {line}", failure.message())),
        None => failure,
    })?;
    experiment.settings.metric = metric.unwrap_or(experiment.settings.metric);
    let services = services::declared(&options.services)?;
    let places = [&subjects::names(&options.scans)[..], &[RESULTS]].concat();
    texts::refuse_in_services(&services, &places)?;
    let results = results.map(|asked| (asked.declare(&mut experiment, &mut setup), asked));
    let nodes = options.nodes.clone();
    let luggage = match nodes.on {
        Some(_) => luggage(options, &experiment, &setup.cwd)?,
        None => Luggage::default(),
    };
    Ok(Prepared { subjects, experiment, setup, services, results, nodes, luggage })
}

/// The files that other machines are sent. Refuses what has no sense there.
fn luggage(
    options: &cli::Cmd,
    experiment: &Experiment,
    directory: &Path,
) -> Result<Luggage, Failure> {
    let cli::Cmd { control, files, services, nodes, .. } = options;
    refuse_terminal(control)?;
    if files.iter().any(|file| file == "-") {
        let why = "each machine reads the commands, and standard input is here: name a file";
        return Err(Failure::about("--on with -f -", why));
    }
    // What has an absolute path is a file of each machine.
    let own = control.input.as_slice();
    let own = if own.iter().any(|it| Path::new(it).is_absolute()) { &[] } else { own };
    let mut luggage = Luggage::default();
    if !control.cwd.as_ref().is_some_and(|it| Path::new(it).is_absolute()) {
        luggage.named(&experiment.benchmarks, directory)?;
    }
    if let StdoutArg::File(file) = &control.stdout {
        let parent = Path::new(file).parent().unwrap_or(Path::new(""));
        luggage.directory_at(parent, &tool::here()?)?;
    }
    for (option, paths) in [
        ("-f", &files[..]),
        ("--service", &services[..]),
        ("--input", own),
        ("--send", &nodes.send[..]),
    ] {
        luggage.asked(option, paths)?;
    }
    Ok(luggage)
}

/// Refuses what only a ranking of commands has: benchmarks of a harness are rows of tables.
fn check_harness(options: &cli::Cmd) -> Result<(), Failure> {
    let cli::Reporting { analysis, view, exports } = &options.reporting;
    let asked = [
        (options.amount.until == UntilArg::Decided, "--until decided"),
        (analysis.reference.is_some(), "--reference"),
        (view.has_sections(), "-M, -N, -G, -B, -D, -T and -E"),
        (!exports.is_empty(), "an export for other programs"),
    ];
    match asked.into_iter().find(|(is_asked, _)| *is_asked) {
        Some((_, what)) => {
            let why = "is of a ranking, and the benchmarks of a harness are rows of tables: leave it out; `etalon compare \
                       @last` takes --filter .unit:UNIT, --row and --col";
            Err(Failure::about(format!("--results with {what}"), why))
        }
        None => Ok(()),
    }
}

/// The experiment that resumes a run.
fn resumed(interrupted: &Interrupted) -> Result<Prepared, Failure> {
    let (cli, matches) = interrupted.command_line("cmd")?;
    let cli::Command::Cmd(options) = cli.command else {
        return Err(interrupted.refusal(&"it is not an execution of `etalon cmd`"));
    };
    let prepared = prepared(&options, &matches);
    let mut prepared = prepared.map_err(|failure| interrupted.refusal(&failure))?;
    interrupted.resume(&mut prepared.experiment)?;
    Ok(prepared)
}

/// All commands: those of the command line, then those of the files.
fn declared(options: &cli::Cmd, matches: &ArgMatches) -> Result<Vec<DeclaredCommand>, Failure> {
    if let Some(mistaken) = number_for_a_flag(options, matches) {
        return Err(Failure::new(mistaken));
    }
    let mut declared = commands::from_arguments(matches, &options.commands, &options.names)
        .map_err(|error| Failure::new(error.message()))?;
    for file in &options.files {
        let content = read_list(file)?;
        declared.extend(
            commands::from_file(&content, &file.to_string_lossy())
                .map_err(|error| Failure::about(file.display(), error.message()))?,
        );
    }
    if declared.is_empty() {
        if let Some(file) = options.files.first() {
            let file = clean(&file.to_string_lossy());
            return Err(Failure::about(format!("-f {file}"), commands::EMPTY));
        }
        return Err(Failure::new(
            "no command to time: name one, such as `etalon cmd 'ls -l'`, or a file with -f",
        ));
    }
    Ok(declared)
}

/// The line to type where the words of one command were typed as several: the first is a program, and another one is not.
fn words_of_one(options: &cli::Cmd) -> Option<String> {
    let words: Vec<&str> =
        options.commands.iter().map(|word| word.to_str()).collect::<Option<_>>()?;
    let here = std::env::current_dir().ok()?;
    let path = std::env::var_os("PATH");
    let is_program = |word: &&str| resolve(OsStr::new(word), path.as_deref(), &here).is_ok();
    let (first, others) = words.split_first()?;
    let is_one = words.iter().all(|word| !word.contains(char::is_whitespace))
        && options.shell.is_none()
        && is_program(first)
        && !others.iter().all(is_program);
    let line = words.join(" ");
    let line = copied(&line);
    is_one.then(|| {
        format!(
            "each word is a command of its own: write one with its arguments in quotes: etalon cmd {line}"
        )
    })
}

/// A number behind a flag that takes one in hyperfine, where it would be a command here.
fn number_for_a_flag(options: &cli::Cmd, matches: &ArgMatches) -> Option<String> {
    let flags = [("mini_stats", "-M"), ("dist_stats", "-D")];
    let places: Vec<usize> = matches.indices_of("commands")?.collect();
    flags.into_iter().find_map(|(id, flag)| {
        let behind = matches.indices_of(id)?.next_back()? + 1;
        let word = options.commands.get(places.iter().position(|at| *at == behind)?)?.to_str()?;
        let is_number = matches.get_flag(id) && word.parse::<f64>().is_ok();
        is_number.then(|| habits::misread(flag, word, flag))
    })
}

fn read_list(file: &OsString) -> Result<Vec<u8>, Failure> {
    if file == "-" {
        let mut content = Vec::new();
        std::io::stdin()
            .read_to_end(&mut content)
            .map_err(|error| Failure::about("-f -: standard input", error))?;
        return Ok(content);
    }
    let path = Path::new(file);
    std::fs::read(path).map_err(|error| ReadError::open(path, &error).into())
}
