//! Suites as cells load them: each in the Lua, environment and directory that its subject gives it.
//!
//! Refuses to choose among what is in them.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use etalon_core::model::{NotStarted, Outcome};
use etalon_lua::{Host, Jit, Place, Source as LuaSource};
use etalon_probe::printed_by;
use etalon_run::lua::{CaseFailure, Suite, SuiteSpec, Variant, discover};
use indexmap::IndexMap;

use crate::cases::Conditions;
use crate::experiments::cells::{Cell, check};
use crate::experiments::file::{File, Placed, Subject};
use crate::experiments::own;
use crate::experiments::template::{filled, variable as variable_of};
use crate::failure::Failure;
use crate::hosts::{LuaHost, find};
use crate::progress::Watch;
use crate::toml_text::Source;
use crate::tool;

/// A value, unless the user stops it before.
pub(super) type Unless<T> = Result<ControlFlow<(), T>, Failure>;

/// How a suite is executed: everything that a subject says, with the values of a cell in their places.
#[derive(PartialEq, Eq, Hash)]
pub(super) struct Load<'f> {
    suite: String,
    lua: Option<String>,
    jit: Option<String>,
    environment: Vec<(String, String)>,
    directory: Option<String>,
    requires: Option<String>,
    /// Where that is written.
    pub(super) subject: ByPlace<'f>,
}

/// A subject, told from others by where it stands.
#[derive(Clone, Copy)]
pub(super) struct ByPlace<'f>(pub(super) &'f Subject);

impl PartialEq for ByPlace<'_> {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self.0, other.0)
    }
}

impl Eq for ByPlace<'_> {}

impl std::hash::Hash for ByPlace<'_> {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        std::ptr::from_ref(self.0).hash(state);
    }
}

/// Which suites are loaded, and the cells of each.
pub(super) type Loads<'f, 'c> = IndexMap<Load<'f>, Vec<&'c Cell<'f>>>;

/// The suites of all subjects, with the cells of each.
///
/// # Errors
/// If there is no such file.
pub(super) fn loads<'f, 'c>(
    source: Source<'_>,
    file: &'f File,
    cells: &'c [Cell<'f>],
    directory: &Path,
) -> Result<Loads<'f, 'c>, Failure> {
    let mut loads = Loads::new();
    for subject in file.subject.iter().map(Placed::get_ref) {
        check(source, file, &subject.only)?;
        for cell in cells.iter().filter(|cell| cell.meets(&subject.only)) {
            let with = |text: &Placed| filled(source, text, cell);
            let of = |text: &Option<Placed>| text.as_ref().map(with).transpose();
            let variable = |variable: (&String, &Placed)| {
                let [name, value] = variable_of(source, variable, cell)?;
                Ok((name, value))
            };
            let Some(suite) = &subject.suite else { continue };
            let load = Load {
                suite: with(suite)?,
                lua: of(&subject.lua)?,
                jit: of(&subject.jit)?,
                environment: subject.env.iter().map(variable).collect::<Result<_, Failure>>()?,
                directory: of(&subject.cwd)?,
                requires: of(&subject.requires)?,
                subject: ByPlace(subject),
            };
            if !directory.join(&load.suite).is_file() {
                let why = format!(
                    "there is no file {}: name a Lua suite, relative to this file",
                    load.suite
                );
                return Err(source.at(suite.span(), why));
            }
            loads.entry(load).or_default().push(cell);
        }
    }
    Ok(loads)
}

/// Suites are looked at, Luas looked for once.
pub(super) struct Discovery<'a> {
    source: Source<'a>,
    conditions: &'a Conditions,
    found: IndexMap<String, LuaHost>,
}

impl<'a> Discovery<'a> {
    /// Nothing is found yet.
    pub(super) fn new(source: Source<'a>, conditions: &'a Conditions) -> Discovery<'a> {
        Discovery { source, conditions, found: IndexMap::new() }
    }

    /// Every suite in its Lua; one that cannot be loaded says why.
    pub(super) fn at(mut self, loads: &Loads<'_, '_>, watch: &mut Watch<'_>) -> Unless<Vec<Suite>> {
        let mut suites = Vec::new();
        for load in loads.keys() {
            let spec = self.spec(load)?;
            if let Some(why) = self.missing(load) {
                suites.push(not_installed(spec, why));
                continue;
            }
            let ControlFlow::Continue(host) = self.host(load, watch)? else {
                return Ok(ControlFlow::Break(()));
            };
            let variants = [Variant::new(host, Vec::new())];
            let discovery = self.conditions.discovery(&variants);
            match discover(vec![spec], &discovery, watch).map_err(Failure::new)? {
                ControlFlow::Continue(looked) => suites.extend(looked),
                ControlFlow::Break(()) => return Ok(ControlFlow::Break(())),
            }
        }
        Ok(ControlFlow::Continue(suites))
    }

    fn beside(&self, name: &str) -> PathBuf {
        self.source.directory().join(name)
    }

    fn spec(&self, load: &Load<'_>) -> Result<SuiteSpec, Failure> {
        let caller = tool::here()?;
        let path = self.beside(&load.suite);
        let own = || path.parent().unwrap_or(Path::new("")).to_owned();
        let directory =
            load.directory.as_ref().map_or_else(own, |directory| self.beside(directory));
        let directory: PathBuf = caller.join(directory).components().collect();
        if let (Some(cwd), false) = (&load.subject.0.cwd, directory.is_dir()) {
            let why = format!("{} is no directory: make it, or name another", directory.display());
            return Err(self.source.at(cwd.span(), why));
        }
        Ok(SuiteSpec {
            name: path.to_string_lossy().into_owned(),
            place: Place { directory, caller },
            source: LuaSource::File(path),
        })
    }

    /// The message of a required command that fails.
    fn missing(&self, load: &Load<'_>) -> Option<String> {
        let command = load.requires.as_ref()?;
        let directory = self.beside("");
        let directory = if directory.as_os_str().is_empty() { Path::new(".") } else { &directory };
        printed_by(&own::in_shell(command), directory).err().map(|why| why.to_string())
    }

    fn host(&mut self, load: &Load<'_>, watch: &mut Watch<'_>) -> Unless<Host> {
        let Subject { lua, jit, .. } = load.subject.0;
        let name = load.lua.as_deref().unwrap_or("embedded");
        let at = |placed: &Option<Placed>, why: String| match placed {
            Some(placed) => self.source.at(placed.span(), why),
            None => Failure::about(self.source.path, why),
        };
        if !self.found.contains_key(name) {
            match find(name, &self.conditions.discovery(&[]), watch)? {
                ControlFlow::Continue(Ok(found)) => {
                    self.found.insert(name.to_owned(), found);
                }
                ControlFlow::Continue(Err(why)) => {
                    let way_out = "; `requires` says which cells need what may not be installed";
                    return Err(at(lua, format!("the Lua `{name}`: {why}{way_out}")));
                }
                ControlFlow::Break(()) => return Ok(ControlFlow::Break(())),
            }
        }
        let LuaHost { host, compiles } = &self.found[name];
        let jit = match load.jit.as_deref() {
            None | Some("on") => Jit::AsItIs,
            Some("off") if *compiles => Jit::Off,
            Some("off") => {
                let why = format!(
                    "{name} has no JIT compiler to be off: leave that out with [[exclude]]"
                );
                return Err(at(jit, why));
            }
            Some(other) => {
                return Err(at(jit, format!("`{other}`: a JIT compiler is `on` or `off`")));
            }
        };
        let environment = load.environment.clone();
        Ok(ControlFlow::Continue(Host { jit, environment, ..host.clone() }))
    }
}

/// A suite that something is missing for.
fn not_installed(spec: SuiteSpec, why: String) -> Suite {
    let SuiteSpec { name, source, place } = spec;
    let outcome = Outcome::NotStarted { why: NotStarted::NotInstalled };
    Suite {
        name,
        source,
        place,
        variant: Variant::new(Host::embedded(), Vec::new()),
        printed: etalon_lua::Output::default(),
        loaded: Err(CaseFailure::new(outcome, why)),
        refused: None,
    }
}
