//! Commands that are harnesses: from `--results` to where the results of each execution are.
//!
//! Owns the path that `{results}` stands for, and what is refused beside it. Refuses to read results: that is
//! [`etalon_run::harness`]'.

use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;

use etalon_core::metrics::OF_WHOLE_COMMAND;
use etalon_core::model::Harness;
use etalon_probe::launcher::protocol::Output;
use etalon_record::Text;
use etalon_run::harness::{Place, ResultsSpec, WithResults};
use etalon_run::sides::Scratch;
use etalon_run::{CommandSetup, Executor, Experiment, Naming};

use crate::cli::ResultsArg;
use crate::commands::scan;
use crate::commands::texts::Texts;
use crate::failure::Failure;
use crate::sides;

/// The name of the placeholder.
pub(crate) const RESULTS: &str = "results";

/// Why the placeholder is refused without the option.
const UNREAD: &str = "{results} is the file for a harness's results, which nobody reads without --results FORMAT: \
                      add it, or write another name";

/// Facts of a run of a harness.
mod facts {
    pub(super) const FORMAT: &str = "results.format";
    pub(super) const PLACE: &str = "results.place";
}

/// The results of commands, as typed, with a directory for them.
pub(crate) struct ResultsRoom {
    arg: ResultsArg,
    room: Scratch,
    /// Whether commands are told where to write.
    is_given: bool,
}

impl ResultsRoom {
    /// The results as typed of commands with these texts, before anything is filled in; nothing where they
    /// are no harnesses. Whether standard output goes elsewhere is for those that are read from it.
    ///
    /// # Errors
    /// If it cannot be obeyed.
    pub(crate) fn prepare(
        arg: Option<&ResultsArg>,
        is_shown: bool,
        texts: &[Texts],
    ) -> Result<Option<ResultsRoom>, Failure> {
        let uses = texts.iter().filter(|texts| texts.uses(RESULTS)).count();
        let Some(arg) = arg else {
            return if uses == 0 { Ok(None) } else { Err(Failure::new(UNREAD)) };
        };
        if texts.iter().any(|texts| texts.hooks.uses(RESULTS)) {
            let why = "is there for the command alone: hooks are executed before it exists, or after it was read";
            return Err(Failure::about("{results} in a hook", why));
        }
        let is_given = uses > 0;
        let why = match (is_given, &arg.path) {
            (true, Some(_)) => {
                Some("has a path, and the command has {results}: leave one of them out")
            }
            (true, None) if uses < texts.len() => {
                Some("one command has {results} and another one has not: write it in all of them")
            }
            _ => None,
        };
        if let Some(why) = why {
            return Err(Failure::about("--results", why));
        }
        if !is_given && arg.path.is_none() && is_shown {
            let why = "reads standard output where the command has no {results}: leave --stdout and --show-output out";
            return Err(Failure::about("--results", why));
        }
        let room = Scratch::new(&std::env::temp_dir()).map_err(sides::failure)?;
        Ok(Some(ResultsRoom { arg: arg.clone(), room, is_given }))
    }

    /// A text with the path for results.
    pub(crate) fn filled(asked: Option<&ResultsRoom>, text: &[u8]) -> Vec<u8> {
        match asked {
            Some(asked) => scan::filled(text, RESULTS, asked.given().as_os_str().as_bytes()),
            None => text.to_vec(),
        }
    }

    /// It is the same in all executions: what is measured sees the same words each time.
    pub(crate) fn given(&self) -> PathBuf {
        self.room.path.join("results")
    }

    /// Has the record say `{results}` where commands are given the path, which is another one in each run.
    fn take_path_out(&self, experiment: &mut Experiment) {
        let path = self.given();
        let path = path.as_os_str().as_bytes();
        let typed = |text: &Text| Text(without(text.as_bytes(), path));
        for line in &mut experiment.benchmarks {
            line.command = line.command.as_ref().map(typed);
            line.argv = line.argv.iter().map(typed).collect();
            line.env = line.env.iter().map(typed).collect();
        }
    }

    /// Says in the record what is read, and has standard output written where it is read.
    pub(crate) fn declare(
        &self,
        experiment: &mut Experiment,
        setup: &mut CommandSetup,
    ) -> ResultsSpec {
        let directories = setup.commands.iter().map(|command| {
            let own = command.execute.directory.as_ref();
            own.map_or_else(|| setup.cwd.clone(), |own| PathBuf::from(own.as_os_str()))
        });
        let place = match (&self.arg.path, self.is_given) {
            (Some(path), _) => {
                Place::Own { directories: directories.collect(), path: path.clone() }
            }
            (None, true) => Place::Given(self.given()),
            (None, false) => {
                let path = self.room.path.join("stdout");
                setup.stdio.stdout = Output::File(Text::from(path.as_os_str()));
                Place::Stdout(path)
            }
        };
        let called = match &place {
            Place::Stdout(_) => "standard output".to_owned(),
            Place::Given(_) => "{results}".to_owned(),
            Place::Own { .. } => {
                self.arg.path.as_ref().map(|path| path.display().to_string()).unwrap_or_default()
            }
        };
        self.take_path_out(experiment);
        for metric in &mut experiment.metrics {
            let whole = OF_WHOLE_COMMAND.iter().find(|(name, _)| *name == metric.name);
            metric.name = whole.map_or(&*metric.name, |(_, whole)| whole).to_owned();
        }
        let format = self.arg.format;
        experiment.naming = Naming::Behind(Harness::Results);
        experiment.context.insert(facts::FORMAT.to_owned(), format.name().to_owned());
        experiment.context.insert(facts::PLACE.to_owned(), called);
        ResultsSpec { format, place }
    }
}

/// A text with the placeholder in place of the path.
fn without(text: &[u8], path: &[u8]) -> Vec<u8> {
    let (mut typed, mut rest) = (Vec::with_capacity(text.len()), text);
    while let Some(at) = rest.windows(path.len()).position(|part| part == path) {
        typed.extend_from_slice(&rest[..at]);
        typed.extend_from_slice(b"{results}");
        rest = &rest[at + path.len()..];
    }
    typed.extend_from_slice(rest);
    typed
}

/// An executor whose commands are harnesses, if they are.
pub(crate) fn around<'a>(
    executor: impl Executor + 'a,
    spec: Option<ResultsSpec>,
) -> Box<dyn Executor + 'a> {
    match spec {
        Some(spec) => Box::new(WithResults::new(executor, spec)),
        None => Box::new(executor),
    }
}
