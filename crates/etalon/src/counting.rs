//! Work counted beside time (`--count`): what it takes, said and found before anything is executed, and which commands are
//! compared by it.
//!
//! Refuses to count: that is `etalon_run::Counted`'s.

use std::path::PathBuf;

use etalon_core::model::{BUILD, SIDE};
use etalon_lua::Interpreter;
use etalon_probe::launcher::counts_instructions;
use etalon_record::BenchmarkLine;
use etalon_run::lua::LuaCase;
use etalon_run::sides::Scratch;
use etalon_run::{CountSpec, Countable, Counted, Experiment, Seeds, Tool, Valgrind};

use crate::cli::{Control, SeedsArg};
use crate::failure::Failure;
use crate::progress::Watch;
use crate::sides::{self, Copy};

/// The thing that is counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Counts {
    /// Whole commands.
    Commands,
    /// Calls of functions.
    Calls,
}

/// Options that counting has no sense beside.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Beside {
    /// Commands that are harnesses.
    pub(crate) results: bool,
    /// Other machines.
    pub(crate) on: bool,
    /// A pilot.
    pub(crate) plan: bool,
    /// A ranking by what is counted, which measuring would look at.
    pub(crate) metric: bool,
}

impl Beside {
    /// The option that is in the way, and why, with what to do.
    fn refused(self) -> Option<(&'static str, String)> {
        let Beside { results, on, plan, metric } = self;
        let harness = "a harness that repeats its work for some time does more when it is faster";
        let fixed = "; a harness with a fixed number of iterations (-benchtime 100x, --benchmark_min_time=100x) is counted \
                     as any command, without --results";
        let all = [
            (results, "--results", harness),
            (on, "--on", "work is counted on the machine that etalon is started on"),
            (plan, "--plan", "a pilot says how many blocks times take, and counts take none"),
            (metric, "--metric instructions", "work is counted after timing; report ranks by it"),
        ];
        let refused = all.into_iter().find(|(is_asked, ..)| *is_asked);
        refused.map(|(_, what, why)| {
            let more = if why == harness { fixed } else { "" };
            (what, format!("{why}: leave one of them out{more}"))
        })
    }
}

/// Refuses counting of what is the same by intent.
///
/// # Errors
/// If it is asked for.
pub(crate) fn refuse_noise(control: &Control) -> Result<(), Failure> {
    match control.count {
        None => Ok(()),
        Some(_) => {
            Err(Failure::about("--count", "counts of the same work have no noise: leave it out"))
        }
    }
}

/// Refuses counting of cases that an nginx executes, which has its own way to begin and to end.
///
/// # Errors
/// If that is asked for.
pub(crate) fn refuse_nginx(means: Option<&Means>, cases: &[LuaCase]) -> Result<(), Failure> {
    let is_nginx = |case: &LuaCase| matches!(case.variant.host.interpreter, Interpreter::Nginx(_));
    match means.and_then(|_| cases.iter().find(|case| is_nginx(case))) {
        None => Ok(()),
        Some(case) => {
            let why = "nginx is timed and not counted: leave it out, and count on --lua luajit";
            Err(Failure::about(format!("--count with --lua {}", case.variant.host.name), why))
        }
    }
}

/// The tool, where counting is asked for.
pub(crate) struct Means {
    of: Counts,
    tool: Tool,
    seeds: Seeds,
}

/// Finds the tool, before anything is built or measured; `count` is what was asked for. It is the CPU's own counter where
/// that counts commands; calls are counted by the difference of two processes, which has to be exact.
///
/// # Errors
/// If there is none, or counting has no sense with what else is asked for.
pub(crate) fn means(
    (of, count): (Counts, Option<SeedsArg>),
    beside: Beside,
    watch: &Watch<'_>,
) -> Result<Option<Means>, Failure> {
    let Some(seeds) = count else { return Ok(None) };
    if let Some((what, why)) = beside.refused() {
        let about = format!("--count with {what}");
        return Err(Failure::about(about, why));
    }
    let tool = match of == Counts::Commands && counts_instructions() {
        true => Tool::Perf,
        false => {
            let (path, interrupts) = (std::env::var_os("PATH"), watch.interrupts());
            let found = Valgrind::find(path.as_deref(), &mut || interrupts.come());
            Tool::Cachegrind(found.map_err(Failure::new)?)
        }
    };
    let seeds = match seeds {
        SeedsArg::Fixed => Seeds::Fixed,
        SeedsArg::Raw => Seeds::Raw,
    };
    Ok(Some(Means { of, tool, seeds }))
}

impl Means {
    /// Its cost, said before anything is measured; the figures are those of docs/notes/counts.md.
    pub(crate) fn remark(means: Option<&Means>) -> Option<String> {
        let how = match means?.of {
            Counts::Commands => "in 2 executions of each command, 5 where counts differ",
            Counts::Calls => "in 4 processes of each case, 10 where counts differ",
        };
        let long = match (&means?.tool, means?.of) {
            (Tool::Perf, _) => "by the CPU, which takes no longer",
            (_, Counts::Commands) => {
                "under valgrind each takes 9 to 42 times as long (C), 54 to 78 (Rust, Lua, Python) or 30 to 178 (Go), and \
                 at least half a second"
            }
            (_, Counts::Calls) => "under valgrind each takes a second or two",
        };
        Some(format!("instructions are counted afterwards, {how}; {long}"))
    }

    /// The executor of subjects with their work counted, where that is asked for. Subjects of a row are compared with each
    /// other; of each side, which these copies are of, the first build is counted.
    ///
    /// # Errors
    /// If there is no room for what the tool writes.
    pub(crate) fn around<E: Countable>(
        means: Option<Means>,
        executor: E,
        experiment: &Experiment,
        rows: Vec<Vec<usize>>,
        copies: &[Copy],
    ) -> Result<Counted<E>, Failure> {
        let Some(Means { tool, seeds, .. }) = means else {
            return Ok(Counted::new(executor, None));
        };
        let lines = &experiment.benchmarks;
        let is_first = |at: &usize| {
            lines.get(*at).and_then(|line| param(line, BUILD)).is_none_or(|build| build == "1")
        };
        let is_measured =
            |at: &usize| experiment.stages.iter().any(|stage| stage.subjects.contains(at));
        let of_row = |row: Vec<usize>| {
            row.into_iter().filter(is_first).filter(is_measured).collect::<Vec<usize>>()
        };
        let spec = CountSpec {
            tool,
            seeds,
            room: Scratch::new(&std::env::temp_dir()).map_err(sides::failure)?,
            margin: experiment.settings.criteria.count_margin,
            groups: rows.into_iter().map(of_row).collect(),
            roots: lines.iter().map(|line| root(line, copies)).collect(),
        };
        Ok(Counted::new(executor, Some(spec)))
    }
}

/// The top of the copy that a subject is executed in; none where it is of no side.
fn root(line: &BenchmarkLine, copies: &[Copy]) -> Option<PathBuf> {
    let side = param(line, SIDE)?;
    let build = param(line, BUILD);
    let is_it =
        |copy: &&Copy| copy.side == side && copy.build.map(|it| it.to_string()).as_deref() == build;
    copies.iter().find(is_it).map(|copy| copy.root.clone())
}

fn param<'l>(line: &'l BenchmarkLine, key: &str) -> Option<&'l str> {
    line.params.iter().find(|(own, _)| own == key).map(|(_, value)| value.as_str())
}
