//! Go packages as subjects: the test binary of each is built once, before anything is measured, and executed like a command.
//!
//! Owns what the keys of a file mean for Go, and where the binaries are. What their benchmarks print is read like what
//! other commands print.

use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;
use std::path::{Path, PathBuf};

use etalon_core::excerpt::excerpt;
use etalon_core::shell::quoted;
use etalon_probe::launcher::protocol::Execute;
use etalon_record::Text;
use etalon_run::go::{Binary, GoBuild, GoError, Source as GoSource};
use etalon_run::sides::Scratch;
use etalon_run::words::split;
use indexmap::IndexMap;

use crate::experiments::cells::Cell;
use crate::experiments::figures::BENCHMARK;
use crate::experiments::file::{Placed, Subject};
use crate::experiments::template::filled;
use crate::failure::Failure;
use crate::progress::Interrupts;
use crate::toml_text::Source;
use crate::tool;

/// Refuses what only packages have of a subject that is none, and the other way round.
///
/// # Errors
/// With place and remedy.
pub(super) fn check(source: Source<'_>, subject: &Subject) -> Result<(), Failure> {
    let Subject { go, bench, benchtime, arguments, cwd, .. } = subject;
    let of_packages = [bench, benchtime, arguments].into_iter().flatten().next();
    match (go, of_packages, cwd) {
        (None, Some(key), _) => {
            let why = "is of packages of Go: write `go = \"PACKAGE\"`, or leave it out";
            Err(source.at(key.span(), why))
        }
        (Some(_), _, Some(cwd)) => {
            let why =
                "benchmarks of Go are executed in the directory of their package: leave it out";
            Err(source.at(cwd.span(), why))
        }
        _ => Ok(()),
    }
}

/// Where packages are built.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Building {
    /// Nowhere: nothing is executed after all, or they are there.
    Nothing,
    /// Where the file is.
    InPlace,
    /// In a copy of a side: one that does not build is a measured thing that failed.
    OnSide,
}

/// The packages of a file, and their binaries.
pub(super) struct Packages<'a> {
    source: Source<'a>,
    /// The absolute directory of the file.
    directory: PathBuf,
    interrupts: Interrupts,
    building: Building,
    room: Option<Scratch>,
    built: IndexMap<String, Binary>,
}

/// A benchmark of a package: what somebody would type, and what is executed.
pub(super) struct Benchmark {
    pub(super) text: Text,
    pub(super) execute: Execute,
}

impl<'a> Packages<'a> {
    /// Nothing is built yet.
    pub(super) fn new(
        source: Source<'a>,
        directory: PathBuf,
        interrupts: Interrupts,
        building: Building,
    ) -> Packages<'a> {
        Packages { source, directory, interrupts, building, room: None, built: IndexMap::new() }
    }

    /// Binaries that were built elsewhere, by their packages.
    pub(super) fn with(self, built: IndexMap<String, Binary>) -> Packages<'a> {
        Packages { built, ..self }
    }

    /// The binaries by their packages, and the directory of all, which goes with it.
    pub(super) fn into_binaries(self) -> (IndexMap<String, Binary>, Option<Scratch>) {
        (self.built, self.room)
    }

    /// The benchmark of a cell; its package is built unless it is.
    ///
    /// # Errors
    /// If it does not build, with its place and what Go says.
    pub(super) fn benchmark(
        &mut self,
        (subject, go): (&Subject, &Placed),
        cell: &Cell<'_>,
    ) -> Result<Benchmark, Failure> {
        let source = self.source;
        let package = filled(source, go, cell)?;
        let pattern = self.pattern((subject, go), cell)?;
        let time = subject.benchtime.as_ref().map(|time| filled(source, time, cell)).transpose()?;
        let own = match &subject.arguments {
            Some(arguments) => self.words(arguments, cell)?,
            None => Vec::new(),
        };
        let Binary { path, directory } = self.binary(subject, go, &package)?;
        let mut text = format!("go test -run '^$' -bench {} -benchmem", quoted(&pattern));
        let mut argv = [
            format!("{package}.test"),
            "-test.run=^$".to_owned(),
            "-test.paniconexit0".to_owned(),
            "-test.benchmem".to_owned(),
            format!("-test.bench={pattern}"),
        ]
        .map(|word| Text::from(word.as_str()))
        .to_vec();
        if let Some(time) = time {
            text.push_str(&format!(" -benchtime {}", quoted(&time)));
            argv.push(Text::from(format!("-test.benchtime={time}").as_str()));
        }
        text.push_str(&format!(" {}", quoted(&package)));
        if !own.is_empty() {
            let words: Vec<_> = own.iter().map(|word| word.to_string_lossy()).collect();
            let words = words.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" ");
            text.push_str(&format!(" -args {words}"));
            argv.extend(own);
        }
        let execute = Execute {
            path: Text::from(path.into_os_string()),
            argv,
            environment: Vec::new(),
            directory: Some(Text::from(directory.into_os_string())),
        };
        Ok(Benchmark { text: Text::from(text.as_str()), execute })
    }

    /// Which benchmark: as the subject says, else the value of the axis `benchmark`.
    fn pattern(
        &self,
        (subject, go): (&Subject, &Placed),
        cell: &Cell<'_>,
    ) -> Result<String, Failure> {
        if let Some(bench) = &subject.bench {
            return filled(self.source, bench, cell);
        }
        let Ok(value) = cell.value(BENCHMARK) else {
            let why = "which benchmarks? Write `bench = \"PATTERN\"`, or give the file an axis `benchmark` with their names";
            return Err(self.source.at(go.span(), why));
        };
        let name = value.name();
        let name = name.strip_prefix("Benchmark").unwrap_or(&name);
        let levels = format!("Benchmark{name}");
        let levels = levels.split('/').map(|level| format!("^{}$", regex::escape(level)));
        Ok(levels.collect::<Vec<_>>().join("/"))
    }

    fn words(&self, arguments: &Placed, cell: &Cell<'_>) -> Result<Vec<Text>, Failure> {
        let text = filled(self.source, arguments, cell)?;
        let words = split(text.as_bytes());
        let words = words.map_err(|error| self.source.at(arguments.span(), error))?;
        Ok(words.into_iter().map(OsString::from_vec).map(Text::from).collect())
    }

    fn binary(&mut self, subject: &Subject, go: &Placed, package: &str) -> Result<Binary, Failure> {
        if let Some(binary) = self.built.get(package) {
            return Ok(binary.clone());
        }
        let nowhere = Binary {
            path: self.directory.join(format!("{package}.test")),
            directory: self.directory.clone(),
        };
        let binary = if self.building == Building::Nothing {
            nowhere
        } else {
            match self.build(go, package) {
                // What it requires says so in its cells.
                Err(Unbuilt::NoGo(_)) if subject.requires.is_some() => nowhere,
                Err(Unbuilt::NoGo(failure) | Unbuilt::Failed(failure)) => return Err(failure),
                Ok(binary) => binary,
            }
        };
        self.built.insert(package.to_owned(), binary.clone());
        Ok(binary)
    }

    fn build(&mut self, go: &Placed, package: &str) -> Result<Binary, Unbuilt> {
        let at = |why: &dyn std::fmt::Display| self.source.at(go.span(), why);
        let failed = |error: GoError| match error {
            GoError::Interrupted => Unbuilt::Failed(Failure::interrupted(error)),
            GoError::NoGo => Unbuilt::NoGo(at(&error)),
            error => Unbuilt::Failed(at(&error)),
        };
        if self.room.is_none() {
            let room = Scratch::new(&std::env::temp_dir());
            self.room = Some(room.map_err(|error| Unbuilt::Failed(Failure::new(error)))?);
        }
        let room = self.room.as_ref().map_or(Path::new(""), |room| &room.path);
        let interrupts = self.interrupts.clone();
        let mut interrupted = || interrupts.come();
        let temporary = tool::temporary_of_go(room);
        let mut builder =
            GoBuild { interrupted: &mut interrupted, temporary: temporary.as_deref() };
        let (flags, packages): ([OsString; 0], _) = ([], [package.to_owned()]);
        let source = GoSource { directory: &self.directory, packages: &packages, flags: &flags };
        let found = builder.packages(&source).map_err(failed)?;
        let [found] = &found[..] else {
            let names: Vec<&str> = found.iter().map(|it| it.path.as_str()).collect();
            let why = format!(
                "{package} is several packages ({}): name one, or make them an axis",
                names.join(", ")
            );
            return Err(Unbuilt::Failed(at(&why)));
        };
        let into: PathBuf = room.join(format!("{}.test", self.built.len()));
        builder.build(found, &source, &into).map_err(|error| match error {
            GoError::Failed(why) => {
                let why = excerpt(&why).join("\n");
                let why = at(&format!("the package {package} does not build:\n{why}"));
                Unbuilt::Failed(match self.building {
                    Building::OnSide => Failure::of_side(why),
                    Building::Nothing | Building::InPlace => why,
                })
            }
            error => failed(error),
        })
    }
}

/// Why there is no binary.
enum Unbuilt {
    NoGo(Failure),
    Failed(Failure),
}
