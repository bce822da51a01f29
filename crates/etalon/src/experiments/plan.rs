//! From a file to an experiment on commands: everything resolved, checked and decided before anything is measured.

use std::collections::HashMap;
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use etalon_core::model::{
    Accept, BenchmarkKey, Context, Direction, ExperimentFile, Kind, Metric, Note, Per,
};
use etalon_core::plan::{
    BlockLimits, FEWEST_BLOCKS, Order, PADDING, Plan, Settings, Stage, Stopping,
};
use etalon_core::stats::signed_rank_needed;
use etalon_core::units::Unit;
use etalon_probe::launcher::protocol::{
    Cgroup, Command, Counters, Execute, Foreground, Input, Output, Printed, Stdio,
};
use etalon_probe::{clock, launcher, program};
use etalon_record::printed::{Place, Reader};
use etalon_record::{BenchmarkLine, Text};
use etalon_run::{
    CommandSetup, CommandSpec, Experiment, Failing, StageHooks, resolve, resolve_hook,
};

use super::cells::{Cell, axis_of, cells};
use super::file::{self, Better, File, Placed, Subject};
use super::template::filled;
use crate::cli::{self, values};
use crate::failure::Failure;
use crate::resume::DIRECTORY;
use crate::suites::Selection;
use crate::toml_text::{Source, hint};
use crate::{report, session};

/// The most cells that are measured side by side where nobody says.
const STAGE: usize = 500;

/// An experiment, and how its commands are executed.
pub(super) struct Planned {
    pub(super) experiment: Experiment,
    pub(super) setup: CommandSetup,
}

/// Where commands are executed, and with what.
struct Surroundings<'a> {
    source: Source<'a>,
    /// The absolute directory of the file.
    directory: PathBuf,
    path: Option<OsString>,
    hashes: HashMap<Text, Option<Box<str>>>,
}

/// What a cell executes, and what the record says of it.
struct Declared {
    line: BenchmarkLine,
    command: Command,
    hooks: StageHooks,
}

/// The experiment that a file declares, with what was typed besides.
pub(super) fn of(
    source: Source<'_>,
    file: &File,
    options: &cli::Run,
    outputs: Vec<(String, String)>,
) -> Result<Planned, Failure> {
    let here = std::env::current_dir().map_err(|e| Failure::about("the current directory", e))?;
    let parent = Path::new(source.path).parent().unwrap_or(Path::new(""));
    let mut surroundings = Surroundings {
        source,
        directory: here.join(parent).components().collect(),
        path: std::env::var_os("PATH"),
        hashes: HashMap::new(),
    };
    let all = selected(source, file, options, &mut surroundings)?;
    let clock_facts = clock::measure();
    #[allow(clippy::cast_precision_loss)] // some tens of ns
    let resolution = clock_facts.as_ref().map(|facts| facts.resolution_ns as f64 / 1e9);
    let mut metrics = launcher::metrics(resolution, Counters::Off, Cgroup::Off);
    let printed = printed(source, file, &mut metrics)?;
    let settings = settings(source, file, &metrics, options)?;
    let lines: Vec<&BenchmarkLine> = all.iter().map(|it| &it.line).collect();
    let order = order(file, options);
    let stages = stages(file, &lines, order);
    let plan = plan(source, file, options, &lines, &settings)?;
    let context = context(options, file, &here, clock_facts.as_ref());
    let setup = CommandSetup {
        commands: all.iter().map(|it| it.command.clone()).collect(),
        hooks: all.iter().map(|it| it.hooks.clone()).collect(),
        timeout_ns: timeout(source, file)?,
        ..surroundings.setup(file, options, printed)
    };
    let experiment = Experiment {
        benchmarks: all.into_iter().map(|it| it.line).collect(),
        stages,
        metrics,
        plan,
        settings,
        context,
        tool: session::tool(),
        argv: std::env::args_os().map(Text::from).collect(),
        file: Some(ExperimentFile {
            path: source.path.to_owned(),
            text: source.text.to_owned(),
            outputs,
        }),
        printed: Vec::new(),
        notes: Vec::<Note>::new(),
        resumed: None,
    };
    Ok(Planned { experiment, setup })
}

/// What of the cells is wanted.
fn selected(
    source: Source<'_>,
    file: &File,
    options: &cli::Run,
    surroundings: &mut Surroundings<'_>,
) -> Result<Vec<Declared>, Failure> {
    let selection = Selection::of(options)?;
    let all = declared(source, file, surroundings)?;
    let number = all.len();
    let all: Vec<Declared> = all.into_iter().filter(|it| selection.wants(&it.line)).collect();
    if all.is_empty() {
        let said = selection.said();
        let why = match number {
            0 => "declares nothing to execute: add a [[subject]] with a command".to_owned(),
            _ => format!("no cell left to measure{said}: there are {number} without that"),
        };
        return Err(Failure::about(source.path, why));
    }
    Ok(all)
}

/// What every cell executes, in the order of the file.
fn declared(
    source: Source<'_>,
    file: &File,
    surroundings: &mut Surroundings<'_>,
) -> Result<Vec<Declared>, Failure> {
    let title = title(source, file);
    let cells = cells(source, file)?;
    let mut all = Vec::new();
    let mut keys: HashMap<BenchmarkKey, &Placed> = HashMap::new();
    for subject in &file.subject {
        super::cells::check(source, file, &subject.only)?;
    }
    for cell in &cells {
        for subject in file.subject.iter().filter(|subject| cell.meets(&subject.only)) {
            let name = match &subject.name {
                Some(name) => filled(source, name, cell)?,
                None => title.clone(),
            };
            let key = BenchmarkKey { name: name.clone(), params: cell.params() };
            if let Some(other) = keys.insert(key, &subject.command)
                && other.span() != subject.command.span()
            {
                let message = format!(
                    "two subjects are called {name:?} for the same values: give one of them another `name`, or \
                     say with `only` which values each is for"
                );
                return Err(source.at(subject.command.span(), message));
            }
            all.push(surroundings.declared(name, subject, cell, file)?);
        }
    }
    Ok(all)
}

/// What the experiment is called: as it says, else as its file.
pub(super) fn title(source: Source<'_>, file: &File) -> String {
    let stem =
        || Path::new(source.path).file_stem().map(|stem| stem.to_string_lossy().into_owned());
    file.title.clone().or_else(stem).unwrap_or_default()
}

impl Surroundings<'_> {
    fn declared(
        &mut self,
        name: String,
        subject: &Subject,
        cell: &Cell<'_>,
        file: &File,
    ) -> Result<Declared, Failure> {
        let source = self.source;
        let env = subject.env.iter().map(|(variable, value)| {
            Ok(Text::from(format!("{variable}={}", filled(source, value, cell)?).as_str()))
        });
        let env: Vec<Text> = env.collect::<Result<_, Failure>>()?;
        let cwd = subject.cwd.as_ref().map(|cwd| self.directory_of(cwd, cell)).transpose()?;
        let place = Around { env: &env, cwd: cwd.as_deref() };
        let (text, execute) = self.command(&subject.command, cell, &place)?;
        let [requires, prepare, conclude, setup, cleanup] =
            self.hooks(subject, cell, &place, file)?;
        let accept = match &subject.exit_codes[..] {
            [] => Accept::Zero,
            codes => Accept::Codes(codes.to_vec()),
        };
        let text_of = |hook: &Option<Hook>| hook.as_ref().map(|hook| hook.text.clone());
        let line = BenchmarkLine {
            name,
            params: cell.params(),
            command: Some(text),
            argv: execute.argv.clone(),
            path: Some(execute.path.clone()),
            hash: self.hash(&execute.path),
            cwd: cwd.map(|cwd| Text::from(cwd.into_os_string())),
            requires: text_of(&requires),
            setup: text_of(&setup),
            prepare: text_of(&prepare),
            conclude: text_of(&conclude),
            cleanup: text_of(&cleanup),
            accept: accept.clone(),
            env,
            ..BenchmarkLine::default()
        };
        let execute_of = |hook: Option<Hook>| hook.map(|hook| hook.execute);
        Ok(Declared {
            line,
            command: Command {
                execute,
                prepare: execute_of(prepare),
                conclude: execute_of(conclude),
                accept,
            },
            hooks: StageHooks {
                requires: execute_of(requires),
                setup: execute_of(setup),
                cleanup: execute_of(cleanup),
            },
        })
    }

    /// What is executed around a cell: `requires`, `prepare`, `conclude`, `setup`, `cleanup`. The last two are those of
    /// all cells where a subject has none.
    fn hooks(
        &self,
        subject: &Subject,
        cell: &Cell<'_>,
        place: &Around<'_>,
        file: &File,
    ) -> Result<[Option<Hook>; 5], Failure> {
        let own = |hook: &Option<Placed>| match hook {
            Some(hook) => self.hook(hook, cell, place).map(Some),
            None => Ok(None),
        };
        let of_all = |hook: &Option<Placed>| match hook {
            Some(hook) => self.hook(hook, &Cell(Vec::new()), &Around::NONE).map(Some),
            None => Ok(None),
        };
        Ok([
            own(&subject.requires)?,
            own(&subject.prepare)?,
            own(&subject.conclude)?,
            own(&subject.setup)?.or(of_all(&file.setup)?),
            own(&subject.cleanup)?.or(of_all(&file.cleanup)?),
        ])
    }

    /// How commands are executed: all but which, and for how long.
    fn setup(&self, file: &File, options: &cli::Run, printed: Vec<Printed>) -> CommandSetup {
        let iterations = file.measure.iterations.as_ref();
        CommandSetup {
            commands: Vec::new(),
            hooks: Vec::new(),
            environment: session::assignments(std::env::vars_os()),
            cwd: self.directory.clone(),
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
        let path = self.directory.join(filled(self.source, cwd, cell)?);
        match path.is_dir() {
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
        let own = super::own::arguments(&text);
        // Where etalon is, is known; that its arguments can be split is found out with any program's name.
        let found_by = own.map_or_else(|| text.clone(), |rest| format!("/bin/sh{rest}"));
        let spec = CommandSpec {
            text: found_by.as_bytes(),
            shell: None,
            path: self.path_of(place),
            cwd: place.cwd.unwrap_or(&self.directory),
        };
        let mut execute = resolve(spec).map_err(|error| {
            self.source.at(command.span(), format!("command `{text}`: {error}"))
        })?;
        if let (Some(_), Some(program)) = (own, super::own::program()) {
            execute.path = Text::from(program.into_os_string());
            if let Some(first) = execute.argv.first_mut() {
                *first = Text::from("etalon");
            }
        }
        Ok((Text::from(text.as_str()), place.around(execute)))
    }

    fn hook(&self, hook: &Placed, cell: &Cell<'_>, place: &Around<'_>) -> Result<Hook, Failure> {
        let text = filled(self.source, hook, cell)?;
        let executed = super::own::in_shell(&text);
        let spec = CommandSpec {
            text: executed.as_bytes(),
            shell: None,
            path: self.path_of(place),
            cwd: place.cwd.unwrap_or(&self.directory),
        };
        let execute = resolve_hook(spec)
            .map_err(|error| self.source.at(hook.span(), format!("`{text}`: {error}")))?;
        Ok(Hook { text: Text::from(text.as_str()), execute: place.around(execute) })
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

/// What is a cell's own of environment and directory.
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

/// A command around a cell.
struct Hook {
    text: Text,
    execute: Execute,
}

/// The metrics that are read in what is printed; they are added to the others.
fn printed(
    source: Source<'_>,
    file: &File,
    metrics: &mut Vec<Metric>,
) -> Result<Vec<Printed>, Failure> {
    if let Some(name) = &file.measure.iterations {
        readable(source, name, &Place::Line(name.get_ref().clone()))?;
    }
    let mut printed = Vec::new();
    for (name, declared) in &file.metric {
        let known = metrics.iter().any(|metric| metric.name == *name.get_ref());
        if known || !etalon_lua::metrics::may_be_own(name.get_ref()) {
            let message = format!(
                "etalon measures a metric `{}` itself: choose another name",
                name.get_ref()
            );
            return Err(source.at(name.span(), message));
        }
        let (at, place) = place(source, name, declared)?;
        readable(source, at, &place)?;
        printed.push(Printed { metric: metrics.len(), unit: declared.unit.clone(), place });
        metrics.push(metric(name, declared));
    }
    Ok(printed)
}

fn metric(name: &Placed, declared: &file::Metric) -> Metric {
    Metric {
        name: name.get_ref().clone(),
        unit: Unit::new(&declared.unit),
        direction: match declared.better {
            Better::Lower => Direction::Lower,
            Better::Higher => Direction::Higher,
            Better::Neither => Direction::Neither,
        },
        kind: match declared.kind {
            file::Kind::Noisy => Kind::Noisy,
            file::Kind::Exact => Kind::Exact,
        },
        resolution: None,
        per: match declared.per {
            file::Per::Invocation => Per::Observation,
            file::Per::Iteration => Per::Iteration,
        },
    }
}

/// Where a metric is printed, and where the file says that.
fn place<'a>(
    source: Source<'_>,
    name: &'a Placed,
    declared: &'a file::Metric,
) -> Result<(&'a Placed, Place), Failure> {
    let file::Metric { line, json, pattern, go, .. } = declared;
    let of = |at: &'a Option<Placed>, place: fn(String) -> Place| {
        at.as_ref().map(|at| (at, place(at.get_ref().clone())))
    };
    let places = [
        of(line, Place::Line),
        of(json, Place::Json),
        of(pattern, Place::Pattern),
        of(go, Place::Go),
    ];
    let mut places = places.into_iter().flatten();
    match (places.next(), places.next()) {
        (None, _) => Ok((name, Place::Line(name.get_ref().clone()))),
        (Some(place), None) => Ok(place),
        (Some(_), Some((at, _))) => {
            let message = "a metric is printed in one place: leave all but one of `line`, `json`, `pattern` and `go` out";
            Err(source.at(at.span(), message))
        }
    }
}

fn readable(source: Source<'_>, at: &Placed, place: &Place) -> Result<(), Failure> {
    Reader::new(place).map(drop).map_err(|why| source.at(at.span(), why))
}

/// What is ranked, and by which criteria.
fn settings(
    source: Source<'_>,
    file: &File,
    metrics: &[Metric],
    options: &cli::Run,
) -> Result<Settings, Failure> {
    let first = file.metric.keys().next().map(|name| name.get_ref().clone());
    let metric = file.measure.metric.clone().or(first);
    let usual = Settings::default();
    let usual = Settings { metric: metric.unwrap_or_else(|| usual.metric.clone()), ..usual };
    let settings = report::settings(usual, &options.reporting.analysis);
    let known = || metrics.iter().map(|metric| metric.name.as_str());
    if !known().any(|name| name == settings.metric) {
        let message =
            format!("no metric `{}`: {}", settings.metric, hint(&settings.metric, known()));
        return Err(Failure::about(source.path, message));
    }
    for table in &file.table {
        let name = table.metric.get_ref();
        if !known().any(|known| known == name) {
            let message = format!("no metric `{name}`: {}", hint(name, known()));
            return Err(source.at(table.metric.span(), message));
        }
        super::cells::check(source, file, &table.only)?;
        for axis in table.rows.texts().into_iter().chain(table.columns.texts()) {
            axis_of(source, file, &toml::Spanned::new(table.metric.span(), axis))?;
        }
    }
    Ok(settings)
}

fn order(file: &File, options: &cli::Run) -> Order {
    options.schedule.order.map_or(
        match file.measure.order {
            file::Order::Blocks => Order::Blocks,
            file::Order::Abba => Order::Abba,
            file::Order::Sequential => Order::Sequential,
        },
        Order::from,
    )
}

/// What is measured side by side: everything, or where that is much, rows of the first table, undivided.
fn stages(file: &File, lines: &[&BenchmarkLine], order: Order) -> Vec<Stage> {
    if order == Order::Sequential {
        return (0..lines.len()).map(|subject| Stage { subjects: vec![subject] }).collect();
    }
    let most = file.measure.stage.unwrap_or(STAGE).max(1);
    if lines.len() <= most {
        return vec![Stage { subjects: (0..lines.len()).collect() }];
    }
    let mut stages: Vec<Stage> = Vec::new();
    for row in rows(file, lines) {
        match stages.last_mut() {
            Some(stage) if stage.subjects.len() + row.len() <= most => stage.subjects.extend(row),
            _ => stages.push(Stage { subjects: row }),
        }
    }
    stages
}

/// Cells that are compared: those that differ in nothing but the columns of the first table, or in the last axis.
fn rows(file: &File, lines: &[&BenchmarkLine]) -> Vec<Vec<usize>> {
    let columns = match file.table.first() {
        Some(table) => table.columns.texts(),
        None => file.axes.keys().last().map(|axis| axis.get_ref().clone()).into_iter().collect(),
    };
    let mut rows: indexmap::IndexMap<Vec<&(String, String)>, Vec<usize>> =
        indexmap::IndexMap::new();
    for (index, line) in lines.iter().enumerate() {
        let others = line.params.iter().filter(|(axis, _)| !columns.contains(axis));
        rows.entry(others.collect()).or_default().push(index);
    }
    rows.into_values().collect()
}

fn plan(
    source: Source<'_>,
    file: &File,
    options: &cli::Run,
    lines: &[&BenchmarkLine],
    settings: &Settings,
) -> Result<Plan, Failure> {
    let family = rows(file, lines).iter().map(Vec::len).max().unwrap_or(1).saturating_sub(1).max(1);
    #[allow(clippy::cast_precision_loss)] // some dozens
    let needed = signed_rank_needed(settings.criteria.alpha / family as f64);
    let needed = u32::try_from(needed).unwrap_or(u32::MAX).max(FEWEST_BLOCKS);
    let runs = options.amount.runs.or(file.measure.runs).unwrap_or(needed);
    if runs == 0 {
        return Err(Failure::about(source.path, "measure.runs is 0: write 1 or more"));
    }
    let within = match (options.amount.total_budget, &file.measure.budget) {
        (None, Some(budget)) => Some(duration(source, budget)?),
        (typed, _) => typed,
    };
    Ok(Plan {
        warmup: file.measure.warmup,
        order: order(file, options),
        stopping: Stopping::Runs(runs),
        limits: BlockLimits { within: within.map(whole_seconds), ..BlockLimits::default() },
        seed: options.schedule.seed.or(file.measure.seed).unwrap_or_else(session::new_seed),
        padding: options.schedule.randomize_env.then_some(PADDING),
    })
}

fn duration(source: Source<'_>, text: &Placed) -> Result<f64, Failure> {
    values::duration(text.get_ref()).map_err(|why| source.at(text.span(), why))
}

/// At least one.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // positive and below 3e9
fn whole_seconds(seconds: f64) -> u32 {
    seconds.ceil() as u32
}

/// Positive and below 3e9 s, see [`values::duration`].
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
fn timeout(source: Source<'_>, file: &File) -> Result<Option<u64>, Failure> {
    let Some(timeout) = &file.measure.timeout else { return Ok(None) };
    Ok(Some((duration(source, timeout)? * 1e9).round() as u64))
}

/// Facts about the clock, and what was asked for. The executor adds those about the machine.
fn context(
    options: &cli::Run,
    file: &File,
    here: &Path,
    clock: Option<&clock::ClockFacts>,
) -> Context {
    let mut context = Context::new();
    let mut add = |key: &str, value: String| context.insert(key.to_owned(), value);
    if let Some(facts) = clock {
        add("clock.resolution_ns", facts.resolution_ns.to_string());
        add("clock.cost_ns", format!("{:.1}", facts.cost_ns));
    }
    if cfg!(debug_assertions) {
        add("tool.build", "debug".to_owned());
    }
    add(DIRECTORY, here.to_string_lossy().into_owned());
    if let Some(timeout) = &file.measure.timeout {
        add("timeout", timeout.get_ref().clone());
    }
    for (fact, value) in options.surroundings.facts() {
        add(&fact, value);
    }
    context
}
