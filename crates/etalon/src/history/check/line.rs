//! The line that measures two commits of a series against each other: as its saved runs were measured, by `etalon ab`.
//!
//! Owns which options of a recorded line say how something is measured. Refuses a series whose runs are of another
//! command, machine or directory.

use std::path::Path;

use clap::parser::ValueSource;
use clap::{Arg, ArgMatches, Command, CommandFactory, FromArgMatches};
use etalon_core::dataset::{Dataset, RunSetId};
use etalon_core::history::Unmeasured;
use etalon_core::model::Context;
use etalon_core::shell::copied;
use etalon_history::{Database, MetricChoice, SeriesRow, kind_of_machine, measurements};
use etalon_record::Strictness;
use etalon_record::store::{Membership, Store};

use crate::cli::{self, Cli};
use crate::compare::sides::facts;
use crate::history::add::chosen;
use crate::history::place::again;
use crate::resume::DIRECTORY;
use crate::saved;
use crate::sides::from_top;

/// The subcommand that measures two revisions.
const AB: &str = "ab";

/// A line that measures two commits against each other.
pub(crate) struct Line {
    /// Its words, the program's name included.
    pub(crate) words: Vec<String>,
    pub(crate) options: cli::Ab,
    pub(crate) matches: ArgMatches,
}

/// A recorded line without its commits, and where what it measures belongs.
pub(super) struct Recipe {
    /// Options that say how something is measured, as they were typed.
    options: Vec<String>,
    command: Vec<String>,
    /// Facts of its run.
    context: Context,
    /// Whether that was executed on other machines.
    is_elsewhere: bool,
    /// As what its run is in the history.
    pub(super) membership: Membership,
}

/// The machine and the directory that something is to be measured on.
pub(super) struct Here {
    /// The kind of the machine, as series of ratios have it.
    pub(super) machine: String,
    /// The directory that etalon was started in.
    pub(super) directory: String,
    /// That directory from the top of the project.
    pub(super) inside: Option<String>,
}

impl Recipe {
    /// As the newest saved run behind one of these commits says, for a series.
    ///
    /// # Errors
    /// Why nothing can be measured like that.
    pub(super) fn recorded(
        (store, database): (&Store, &Database),
        row: &SeriesRow,
        commits: [&str; 2],
    ) -> Result<Recipe, Unmeasured> {
        let sources =
            commits.iter().flat_map(|it| database.sources(row.id, it).unwrap_or_default());
        let mut saved = sources.filter(|id| store.has(id)).filter_map(|id| {
            let path = saved::resolve(&id).ok()?;
            let data = saved::read(&path, Strictness::Lenient).ok()?;
            let membership = belonging(store, &id, &data, row)?;
            Some((data, membership))
        });
        let (data, membership) = saved.next().ok_or(Unmeasured::NoRecord)?;
        let set = data.run_sets.first().ok_or(Unmeasured::NoRecord)?;
        let matches = Cli::command().try_get_matches_from(&set.argv).ok();
        let matches = matches.filter(|_| !set.argv.iter().any(|it| it.contains('\u{fffd}')));
        let said = matches.as_ref().and_then(ArgMatches::subcommand);
        let (name, matches) = said.ok_or(Unmeasured::NoRecord)?;
        if name != AB {
            return Err(Unmeasured::OtherCommand(name.to_owned()));
        }
        let (options, command) = kept(matches);
        let (context, is_elsewhere) = (set.context.clone(), !set.nodes.all().is_empty());
        Ok(Recipe { options, command, context, is_elsewhere, membership })
    }

    /// Refuses to measure on another machine, or in another directory of the project.
    ///
    /// # Errors
    /// Which one it was.
    pub(super) fn refuse_elsewhere(&self, here: &Here) -> Result<(), Unmeasured> {
        let machine = kind_of_machine(&self.context);
        if !self.is_elsewhere && machine != here.machine {
            return Err(Unmeasured::OtherMachine(machine));
        }
        let then = self.context.get(DIRECTORY).filter(|then| **then != here.directory);
        let inside = self.context.get(facts::DIRECTORY);
        match then {
            Some(then) if inside.is_none() || inside != here.inside.as_ref() => {
                Err(Unmeasured::OtherDirectory(then.clone()))
            }
            _ => Ok(()),
        }
    }

    /// The line for two commits.
    ///
    /// # Errors
    /// If it is not understood, which was typed for an older etalon then.
    pub(super) fn line(&self, before: &str, after: &str) -> Result<Line, Unmeasured> {
        let words = ["etalon", AB, before, after].map(str::to_owned).into_iter();
        let words = words.chain(self.options.iter().cloned());
        let behind = (!self.command.is_empty()).then(|| "--".to_owned());
        let words: Vec<String> = words.chain(behind).chain(self.command.iter().cloned()).collect();
        let failed = |error: clap::Error| Unmeasured::Failed(error.kind().to_string());
        let matches = Cli::command().try_get_matches_from(&words).map_err(failed)?;
        let matches = matches.subcommand_matches(AB).cloned().ok_or(Unmeasured::NoRecord)?;
        let options = cli::Ab::from_arg_matches(&matches).map_err(failed)?;
        Ok(Line { words, options, matches })
    }
}

impl Line {
    /// It, to be typed.
    pub(super) fn typed(&self) -> String {
        self.words.iter().map(|word| copied(word).into_owned()).collect::<Vec<_>>().join(" ")
    }
}

/// As what a run is in the history where it gives points of a series.
fn belonging(store: &Store, id: &str, data: &Dataset, row: &SeriesRow) -> Option<Membership> {
    let first = RunSetId::new(0).ok()?;
    let is_of_series = |membership: &Membership| {
        let metrics: MetricChoice = chosen(&membership.metrics);
        let measured = measurements(data, first, &metrics).unwrap_or_default();
        again(membership, measured.given).iter().any(|point| point.series == row.key)
    };
    let all = store.memberships(id).into_iter().filter(|it| !it.confirms);
    all.into_iter().find(is_of_series)
}

/// The options of a recorded line that say how something is measured, and its command.
fn kept(matches: &ArgMatches) -> (Vec<String>, Vec<String>) {
    let mut command = Cli::command();
    command.build();
    let shown = cli::Ab::reporting();
    let is_of_others = |arg: &Arg| {
        let id = arg.get_id().as_str();
        ["base", "head", "command", "series", "plan", "explain_noise"].contains(&id)
            || shown.get_arguments().any(|other| other.get_id() == arg.get_id())
    };
    let is_typed =
        |arg: &&Arg| matches.value_source(arg.get_id().as_str()) == Some(ValueSource::CommandLine);
    let all = command.find_subcommand(AB).into_iter().flat_map(Command::get_arguments);
    let options = all.filter(|arg| !is_of_others(arg)).filter(is_typed);
    let options = options.flat_map(|arg| words(arg, matches)).collect();
    let command = matches.get_raw("command").into_iter().flatten();
    (options, command.map(|word| word.to_string_lossy().into_owned()).collect())
}

/// An option with its values, as words.
fn words(arg: &Arg, matches: &ArgMatches) -> Vec<String> {
    let name = match (arg.get_long(), arg.get_short()) {
        (Some(long), _) => format!("--{long}"),
        (None, Some(short)) => format!("-{short}"),
        (None, None) => return Vec::new(),
    };
    let takes_value = arg.get_num_args().is_some_and(|count| count.takes_values());
    if !takes_value {
        return vec![name];
    }
    let values = matches.get_raw(arg.get_id().as_str()).into_iter().flatten();
    let values = values.map(|value| value.to_string_lossy().into_owned());
    let word = |value: String| match arg.is_require_equals_set() || value.starts_with('-') {
        true if value.is_empty() => vec![name.clone()],
        true => vec![format!("{name}={value}")],
        false => vec![name.clone(), value],
    };
    values.flat_map(word).collect()
}

/// A directory from the top of its project.
pub(super) fn inside(directory: &Path, top: &Path) -> Option<String> {
    let directory = directory.canonicalize().ok()?;
    directory.strip_prefix(top.canonicalize().ok()?).ok().map(from_top)
}
