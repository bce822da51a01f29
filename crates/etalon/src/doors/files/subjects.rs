//! Commands of cells: those of subjects and those around them, resolved and checked.

use std::collections::HashMap;
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use etalon_core::model::{Accept, BenchmarkKey};
use etalon_core::shell::quoted;
use etalon_probe::launcher::protocol::{
    Cgroup, Command, Counters, Execute, Files, Foreground, Input, Output, Printed, Stdio,
};
use etalon_probe::program;
use etalon_record::printed::Place;
use etalon_record::{BenchmarkLine, Text};
use etalon_report::text::named;
use etalon_run::go::Binary;
use etalon_run::sides::Scratch;
use etalon_run::{AroundAll, CommandSetup, CommandSpec, Failing, Resolver, StageHooks};
use indexmap::IndexMap;

use super::packages::{Benchmark, Packages};
use super::results;
use crate::cli;
use crate::experiments::cells::{Cell, cells};
use crate::experiments::file::{File, Placed, Subject};
use crate::experiments::template::{self, filled};
use crate::failure::Failure;
use crate::harnesses::ResultsRoom;
use crate::sides::Copy;
use crate::toml_text::Source;
use crate::tool;

/// Where commands are executed, and with what.
pub(super) struct Surroundings<'a> {
    source: Source<'a>,
    place: Site,
    path: Option<OsString>,
    hashes: HashMap<Text, Option<Box<str>>>,
    resolver: Resolver,
    packages: Packages<'a>,
}

/// Where cells are executed.
#[derive(Debug, Clone)]
pub(super) struct Site {
    /// The absolute directory of the file, or the one that corresponds to it.
    pub(super) directory: PathBuf,
    /// The copy of a side that this is in.
    pub(super) copy: Option<Copy>,
}

impl Site {
    /// Where the file is.
    ///
    /// # Errors
    /// If the directory that etalon was started in is gone.
    pub(super) fn of_file(source: Source<'_>) -> Result<Site, Failure> {
        let directory = tool::here()?.join(source.directory()).components().collect();
        Ok(Site { directory, copy: None })
    }
}

/// The test binaries of Go that are executed in a place.
pub(super) struct Binaries {
    /// The parameters that tell the place from others; none of a single one.
    pub(super) of: Vec<(String, String)>,
    pub(super) by_package: IndexMap<String, Binary>,
    /// Their directory, which goes with it; nothing where none was built.
    pub(super) room: Option<Scratch>,
}

/// The command of a cell, and its line in the record.
pub(super) struct CellCommand {
    pub(super) line: BenchmarkLine,
    pub(super) command: Command,
    pub(super) hooks: StageHooks,
}

/// The commands of all cells, in the order of the file.
pub(super) fn declared(
    source: Source<'_>,
    (file, results): (&File, Option<&ResultsRoom>),
    surroundings: &mut Surroundings<'_>,
) -> Result<Vec<CellCommand>, Failure> {
    let title = crate::experiments::title(source, file);
    let cells = cells(source, file)?;
    let mut all = Vec::new();
    let mut keys: HashMap<BenchmarkKey, &Placed> = HashMap::new();
    for subject in file.subject.iter().map(Placed::get_ref) {
        crate::experiments::cells::check(source, file, &subject.only)?;
    }
    for cell in &cells {
        let subjects = file.subject.iter().map(Placed::get_ref);
        for subject in subjects.filter(|subject| cell.meets(&subject.only)) {
            let Some(executed) = subject.command.as_ref().or(subject.go.as_ref()) else { continue };
            let name = match &subject.name {
                Some(name) => filled(source, name, cell)?,
                None => title.clone(),
            };
            // A cell has a subject once; two may go by one name.
            let twice = file.subject.len() > 1 && {
                let key = BenchmarkKey { name: name.clone(), params: cell.params() };
                keys.insert(key, executed).is_some_and(|other| other.span() != executed.span())
            };
            if twice {
                let message = format!(
                    "two subjects are called {} for the same values: give one of them another `name`, or \
                     say with `only` which values each is for",
                    named(&name)
                );
                return Err(source.at(executed.span(), message));
            }
            all.push(surroundings.declared((name, results), (subject, executed), cell)?);
        }
    }
    Ok(all)
}

impl<'s> Surroundings<'s> {
    /// `packages` are of the same directory.
    pub(super) fn new(source: Source<'s>, place: Site, packages: Packages<'s>) -> Surroundings<'s> {
        Surroundings {
            source,
            place,
            packages,
            path: std::env::var_os("PATH"),
            hashes: HashMap::new(),
            resolver: Resolver::default(),
        }
    }

    /// The test binaries that are executed there.
    pub(super) fn into_binaries(self) -> Binaries {
        let of = self.place.copy.as_ref().map_or(Vec::new(), Copy::params);
        let (by_package, room) = self.packages.into_binaries();
        Binaries { of, by_package, room }
    }

    fn declared(
        &mut self,
        (name, room): (String, Option<&ResultsRoom>),
        (subject, executed): (&Subject, &Placed),
        cell: &Cell<'_>,
    ) -> Result<CellCommand, Failure> {
        let source = self.source;
        let env = subject.env.iter().map(|(variable, value)| {
            let [variable, value] =
                template::variable(source, (variable, &results::filled(room, value)), cell)?;
            Ok(Text::from(format!("{variable}={value}").as_str()))
        });
        let env: Vec<Text> = env.collect::<Result<_, Failure>>()?;
        let cwd = subject.cwd.as_ref().map(|cwd| self.directory_of(cwd, cell)).transpose()?;
        // One that is the same for all cells is not repeated; of sides, each has its own.
        let own = || self.place.copy.as_ref().map(|_| self.place.directory.clone());
        let cwd = cwd.or_else(own);
        let place = Around { env: &env, cwd: cwd.as_deref() };
        let (text, execute) = match subject.go {
            None => self.command(&results::filled(room, executed), cell, &place)?,
            Some(_) => {
                let Benchmark { text, execute } =
                    self.packages.benchmark((subject, executed), cell)?;
                (text, Execute { environment: env.clone(), ..execute })
            }
        };
        let hooks = self.hooks(subject, cell, &place)?;
        let accept = match &subject.exit_codes[..] {
            [] => Accept::Zero,
            codes => Accept::Codes(codes.to_vec()),
        };
        let of_side = self.place.copy.iter().flat_map(Copy::params);
        let line = BenchmarkLine {
            name,
            params: cell.params().into_iter().chain(of_side).collect(),
            command: Some(text),
            argv: execute.argv.clone(),
            // A test binary is a new file every time.
            path: subject.go.is_none().then(|| execute.path.clone()),
            hash: self.hash(&execute.path),
            cwd: cwd.map(|cwd| Text::from(cwd.into_os_string())),
            accept: accept.clone(),
            env,
            ..BenchmarkLine::default()
        };
        Ok(hooks.around(line, (execute, accept)))
    }

    /// The commands around a cell.
    fn hooks(
        &self,
        subject: &Subject,
        cell: &Cell<'_>,
        place: &Around<'_>,
    ) -> Result<Hooks, Failure> {
        let own = |hook: &Option<Placed>| match hook {
            Some(hook) => self.hook(hook, cell, place).map(Some),
            None => Ok(None),
        };
        Ok(Hooks {
            requires: own(&subject.requires)?,
            prepare: own(&subject.prepare)?,
            conclude: own(&subject.conclude)?,
            setup: own(&subject.setup)?,
            cleanup: own(&subject.cleanup)?,
        })
    }

    /// The hooks around all cells; of sides, in each of these directories.
    pub(super) fn around_all(
        &self,
        file: &File,
        directories: &[&Path],
    ) -> Result<AroundAll, Failure> {
        let of_all = |hook: &Option<Placed>, between: &str| match hook {
            Some(hook) if self.place.copy.is_some() => {
                let text = filled(self.source, hook, &Cell(Vec::new()))?;
                let in_each = directories.iter().map(|directory| {
                    let directory = quoted(&directory.to_string_lossy()).into_owned();
                    format!("(cd {directory} || exit\n{text}\n)")
                });
                let all = in_each.collect::<Vec<_>>().join(between);
                let all = Placed::new(hook.span(), all.replace('{', "{{").replace('}', "}}"));
                let filled = self.hook(&all, &Cell(Vec::new()), &Around::NONE)?;
                Ok::<_, Failure>(Some(filled.execute))
            }
            Some(hook) => {
                let hook = self.hook(hook, &Cell(Vec::new()), &Around::NONE)?;
                Ok(Some(hook.execute))
            }
            None => Ok(None),
        };
        Ok(AroundAll { setup: of_all(&file.setup, " && ")?, cleanup: of_all(&file.cleanup, "; ")? })
    }

    /// How commands are executed: all but which, and for how long.
    pub(super) fn setup(
        &self,
        file: &File,
        options: &cli::Run,
        printed: Vec<Printed>,
    ) -> CommandSetup {
        let iterations = file.measure.iterations.as_ref();
        CommandSetup {
            commands: Vec::new(),
            hooks: Vec::new(),
            around_all: AroundAll::default(),
            environment: tool::assignments(std::env::vars_os()),
            cwd: self.place.directory.clone(),
            stdio: Stdio {
                stdin: Input::Null,
                stdout: if printed.is_empty() { Output::Null } else { Output::Read },
                stderr: Output::Pipe,
                foreground: Foreground::Keep,
            },
            timeout_ns: None,
            control: options.surroundings.control(),
            counters: Counters::Off,
            cgroup: Cgroup::Off,
            printed,
            iterations: iterations.map(|name| Place::Line(name.get_ref().clone())),
            failing: Failing::IsGivenUp,
        }
    }

    fn directory_of(&self, cwd: &Placed, cell: &Cell<'_>) -> Result<PathBuf, Failure> {
        let path = self.place.directory.join(filled(self.source, cwd, cell)?);
        let is_to_come = self.to_come().is_some_and(|copy| path.starts_with(copy));
        match path.is_dir() || is_to_come && !path.exists() {
            true => Ok(path),
            false => Err(self.source.at(
                cwd.span(),
                format!("{} is no directory: make it, or name another with `cwd`", path.display()),
            )),
        }
    }

    /// A command with its text as the record keeps it. The word `etalon` is the program that measures.
    fn command(
        &self,
        command: &Placed,
        cell: &Cell<'_>,
        place: &Around<'_>,
    ) -> Result<(Text, Execute), Failure> {
        let text = filled(self.source, command, cell)?;
        let own = crate::experiments::own::arguments(&text);
        // Where etalon is, is known; that its arguments can be split is found out with any program's name.
        let found_by = own.map_or_else(|| text.clone(), |rest| format!("/bin/sh{rest}"));
        let spec = CommandSpec {
            text: found_by.as_bytes(),
            shell: None,
            path: self.path_of(place),
            cwd: place.cwd.unwrap_or(&self.place.directory),
            to_come: self.to_come(),
        };
        let mut execute = self.resolver.command(spec).map_err(|error| {
            self.source.at(command.span(), format!("command `{text}`: {error}"))
        })?;
        if let Some(program) = own.and_then(|_| crate::experiments::own::program()) {
            execute.path = Text::from(program.into_os_string());
            if let Some(first) = execute.argv.first_mut() {
                *first = Text::from("etalon");
            }
        }
        Ok((Text::from(text.as_str()), place.around(execute)))
    }

    fn hook(&self, hook: &Placed, cell: &Cell<'_>, place: &Around<'_>) -> Result<Hook, Failure> {
        let text = filled(self.source, hook, cell)?;
        let executed = crate::experiments::own::in_shell(&text);
        let spec = CommandSpec {
            text: executed.as_bytes(),
            shell: None,
            path: self.path_of(place),
            cwd: place.cwd.unwrap_or(&self.place.directory),
            to_come: self.to_come(),
        };
        let execute = self
            .resolver
            .hook(spec)
            .map_err(|error| self.source.at(hook.span(), format!("`{text}`: {error}")))?;
        Ok(Hook { text: Text::from(text.as_str()), execute: place.around(execute) })
    }

    /// The copy that is still to be built.
    fn to_come(&self) -> Option<&Path> {
        let copy = self.place.copy.as_ref().filter(|copy| copy.is_to_be_built);
        copy.map(|copy| copy.root.as_path())
    }

    fn path_of<'a>(&'a self, place: &'a Around<'_>) -> Option<&'a OsStr> {
        let own = place.env.iter().find_map(|text| text.as_bytes().strip_prefix(b"PATH="));
        own.map(OsStr::from_bytes).or(self.path.as_deref())
    }

    fn hash(&mut self, path: &Text) -> Option<Box<str>> {
        let hash = || program::hash(Path::new(OsStr::from_bytes(path.as_bytes())));
        self.hashes.entry(path.clone()).or_insert_with(hash).clone()
    }
}

/// A cell's own environment and directory.
struct Around<'a> {
    env: &'a [Text],
    cwd: Option<&'a Path>,
}

impl Around<'_> {
    const NONE: Around<'static> = Around { env: &[], cwd: None };

    fn around(&self, execute: Execute) -> Execute {
        Execute {
            environment: self.env.to_vec(),
            directory: self.cwd.map(|cwd| Text::from(cwd.as_os_str())),
            ..execute
        }
    }
}

/// Commands around a cell.
struct Hooks {
    requires: Option<Hook>,
    prepare: Option<Hook>,
    conclude: Option<Hook>,
    setup: Option<Hook>,
    cleanup: Option<Hook>,
}

impl Hooks {
    /// A cell with these around it.
    fn around(self, line: BenchmarkLine, (execute, accept): (Execute, Accept)) -> CellCommand {
        let part = |hook: Option<Hook>| hook.map(|hook| (hook.text, hook.execute)).unzip();
        let (requires, before) = part(self.requires);
        let (prepare, prepared) = part(self.prepare);
        let (conclude, concluded) = part(self.conclude);
        let (setup, set_up) = part(self.setup);
        let (cleanup, cleaned_up) = part(self.cleanup);
        let files = Files::default();
        CellCommand {
            line: BenchmarkLine { requires, setup, prepare, conclude, cleanup, ..line },
            command: Command { execute, prepare: prepared, conclude: concluded, accept, files },
            hooks: StageHooks { requires: before, setup: set_up, cleanup: cleaned_up },
        }
    }
}

/// A command around a cell.
struct Hook {
    text: Text,
    execute: Execute,
}
