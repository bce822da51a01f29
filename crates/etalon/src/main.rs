//! The etalon binary: arguments, subcommands, progress, exit codes. The only place that prints,
//! exits and reads environment and arguments.

mod bisected;
mod cases;
mod cli;
mod commands;
mod compare;
mod convert;
mod counting;
mod course;
mod datasets;
mod destination;
mod doctor;
mod doors;
mod earlier;
mod enough;
mod executed;
mod experiments;
mod exports;
mod failure;
mod harnesses;
mod help;
mod history;
mod hosts;
mod in_use;
mod interim;
mod keeping;
mod known_noise;
mod lacking;
mod lua;
mod nodes;
mod output;
mod packages;
mod pages;
mod pictures;
mod pilot;
mod planning;
mod presentation;
mod progress;
mod recorded;
mod replace;
mod report;
mod resume;
mod runs;
mod saved;
mod services;
mod settings;
mod showing;
mod sides;
mod stopped;
mod toml_text;
mod tool;
mod visits;

use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches};
use etalon_core::model::SIDE;
use etalon_probe::launcher::{Launcher, LauncherError};

use cli::pages::{root, with_pages};
use cli::{Cli, Command};
use doors::{bisect, files, noise, suites, twins};
use failure::{Exit, Failure};
use resume::Interrupted;

fn main() -> ExitCode {
    // Before anything else: the launcher has to stay small, see etalon_probe::launcher.
    etalon_probe::launcher::run_if_asked();
    etalon_lua::run_if_asked();
    etalon_probe::service::run_if_asked();
    etalon_probe::trace::run_if_asked();
    match dispatch() {
        Ok(exit) => exit.into(),
        Err(failure) => output::failure(&failure),
    }
}

/// Whether a page of help may be asked for.
fn may_ask_for_help(words: &[String]) -> bool {
    words.iter().any(|word| {
        word == "--help" || word.starts_with('-') && !word.starts_with("--") && word.contains('h')
    })
}

/// The definition of what can be typed, with pages of help only where one may be asked for: they take longer to write
/// than all the rest of a start.
fn command_line(words: &[String]) -> clap::Command {
    match may_ask_for_help(words) {
        true => with_pages(Cli::command(), output::width(), words),
        false => Cli::command(),
    }
}

fn dispatch() -> Result<Exit, Failure> {
    let words = std::env::args_os().skip(1);
    let words: Vec<String> = words.map(|word| word.to_string_lossy().into_owned()).collect();
    // Because two thirds of the time of these two were the definition of everything else.
    if let [only] = &words[..]
        && cli::VERSION.contains(&only.as_str())
    {
        return output::lines(&[tool::name()]).map(|()| Exit::Done);
    }
    if words == ["-h"] {
        return output::page(&root(output::width())).map(|()| Exit::Done);
    }
    if let Some(life) = nodes::worker::asked(&words) {
        return nodes::worker::run(&nodes::worker::Ways { command_line, obeyed }, life);
    }
    // It gets going while options and commands are read: together that takes as long.
    let commands = words.first().is_some_and(|word| word == "cmd") && !may_ask_for_help(&words);
    let launcher = commands.then(Launcher::split_off);
    let arguments = cli::go_flags::translated(std::env::args_os()).map_err(Failure::new)?;
    let matches = match command_line(&words).try_get_matches_from(arguments) {
        Ok(matches) => matches,
        Err(error) => return output::usage(&error),
    };
    let cli = match Cli::from_arg_matches(&matches) {
        Ok(cli) => cli,
        Err(error) => return output::usage(&error),
    };
    obeyed(cli, &matches, launcher)
}

/// Does what was typed.
fn obeyed(
    cli: Cli,
    matches: &clap::ArgMatches,
    launcher: Option<Result<Launcher, LauncherError>>,
) -> Result<Exit, Failure> {
    match cli.command {
        Command::Cmd(cmd) => {
            cmd.reporting.analysis.check().map_err(Failure::new)?;
            cmd.amount.check().map_err(Failure::new)?;
            let matches = matches.subcommand_matches("cmd");
            let launcher = launcher.unwrap_or_else(Launcher::start);
            doors::commands::run(&cmd, matches.unwrap_or(&clap::ArgMatches::default()), launcher)
        }
        Command::Run(run) => {
            let none = clap::ArgMatches::default();
            suites_or_file(&run, matches.subcommand_matches("run").unwrap_or(&none))
        }
        Command::Go(go) => doors::packages::run(&go),
        Command::Ab(ab) => {
            let none = clap::ArgMatches::default();
            twins::run(&ab, matches.subcommand_matches("ab").unwrap_or(&none))
        }
        Command::Bisect(asked) => {
            let none = clap::ArgMatches::default();
            bisect::run(&asked, matches.subcommand_matches("bisect").unwrap_or(&none))
        }
        Command::Report(report) => {
            report.reporting.analysis.check().map_err(Failure::new)?;
            report::run(&report)
        }
        Command::Compare(compare) => compare::run(&compare),
        Command::Convert(convert) => convert::run(&convert),
        Command::Lua(lua) => lua::run(&lua),
        Command::Init(init) => experiments::init(&init),
        Command::Runs(runs) => runs::run(runs),
        Command::History(asked) => history::run(&asked, &twins::measured),
        Command::Doctor(doctor) => visits::run(&doctor),
        Command::Noise(asked) => noise::run(&asked),
        Command::Help(asked) => help::run(&asked),
    }
}

/// `etalon run`: an experiment file, or suites.
fn suites_or_file(run: &cli::Run, matches: &clap::ArgMatches) -> Result<Exit, Failure> {
    run.reporting.analysis.check().map_err(Failure::new)?;
    run.amount.check().map_err(Failure::new)?;
    match (&run.sides.base, run.based.given(&run.reporting)) {
        (Some(_), _) => {
            // Hooks are of both sides here; only builds are of one.
            commands::texts::refuse_but(&["build"], matches, &[SIDE])?;
            report::check_based(&run.reporting)?;
            compare::criteria(&run.comparison())?;
        }
        (None, Some(given)) => {
            let why =
                "is of two sides: --base REV measures another revision beside the working tree";
            return Err(Failure::about(given, why));
        }
        (None, None) => {}
    }
    let interrupted = run.resumption.resume.as_ref();
    let interrupted = interrupted.map(|it| Interrupted::open(it, "run", matches)).transpose()?;
    let is_file = match &interrupted {
        Some(interrupted) => files::is_of_experiment(interrupted)?,
        None => files::is_experiment(run),
    };
    match is_file {
        true => files::run(run, matches, interrupted.as_ref()),
        false => suites::run(run, interrupted.as_ref()),
    }
}
