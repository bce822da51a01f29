//! `count` of an experiment file: the work of its commands or cases is counted, too.
//!
//! Owns what is refused of such a file. Refuses to count: that is [`etalon_run::Counted`]'s.

use etalon_core::metrics;
use etalon_run::lua::LuaCase;
use etalon_run::{CountSpec, Countable, Counted, Experiment};

use super::kinds::{Kind, kind};
use super::schedule;
use crate::cli::{self, SeedsArg};
use crate::counting::{self, Beside, Counts, Means};
use crate::experiments::file::{File, Seeds, Subject};
use crate::failure::Failure;
use crate::progress::Watch;
use crate::sides::{Copy, OnSides};
use crate::toml_text::Source;

/// The metric that is counted, where that is asked for.
pub(super) fn metric(file: &File) -> Option<etalon_core::model::Metric> {
    file.measure.count.as_ref().map(|_| CountSpec::metric())
}

/// Counting, where that is asked for.
pub(super) struct Counting<'a> {
    means: Option<Means>,
    /// Cells that are compared.
    rows: Vec<Vec<usize>>,
    copies: &'a [Copy],
}

impl<'a> Counting<'a> {
    /// As a file asks for it; a node counts nothing.
    ///
    /// # Errors
    /// With place and remedy, if that cannot be obeyed.
    pub(super) fn new(
        source: Source<'_>,
        file: &File,
        (experiment, options): (&Experiment, &cli::Run),
        (on_sides, watch): (Option<&'a OnSides>, &Watch<'_>),
    ) -> Result<Counting<'a>, Failure> {
        let means = match options.nodes.is_node() {
            true => None,
            false => means(source, file, (experiment, options), watch)?,
        };
        let rows = schedule::rows(file, &experiment.benchmarks);
        Ok(Counting { means, rows, copies: on_sides.map_or(&[], OnSides::copies) })
    }

    /// Its cost, for who waits.
    pub(super) fn cost(&self) -> Option<String> {
        Means::remark(self.means.as_ref())
    }

    /// An executor of commands or cases, with their work counted.
    ///
    /// # Errors
    /// If there is no room for what the tool writes.
    pub(super) fn around<E: Countable>(
        self,
        executor: E,
        experiment: &Experiment,
    ) -> Result<Counted<E>, Failure> {
        Means::around(self.means, executor, experiment, self.rows, self.copies)
    }

    /// Refuses counting of cases that an nginx executes.
    ///
    /// # Errors
    /// If that is asked for.
    pub(super) fn refuse_nginx(&self, cases: &[LuaCase]) -> Result<(), Failure> {
        counting::refuse_nginx(self.means.as_ref(), cases)
    }
}

/// The tool, where counting is asked for.
fn means(
    source: Source<'_>,
    file: &File,
    (experiment, options): (&Experiment, &cli::Run),
    watch: &Watch<'_>,
) -> Result<Option<Means>, Failure> {
    let Some(placed) = &file.measure.count else { return Ok(None) };
    let refused = |why: &str| Err(source.at(placed.span(), why));
    let of = match kind(source, file)? {
        Kind::Suites => Counts::Calls,
        _ => Counts::Commands,
    };
    if file.subject.iter().any(|it| is_by_time(it.get_ref())) {
        let why = "a benchmark of Go that repeats its work for some time does more when it is faster: give it a number of \
                   iterations, such as `benchtime = \"100x\"`";
        return refused(why);
    }
    if file.measure.results.is_some() {
        return refused(
            "a harness that repeats its work for some time does more when it is faster: leave one of `count` and `results` out; \
             one with a fixed number of iterations is counted as any command, without `results`",
        );
    }
    if options.nodes.on.is_some() {
        return refused(
            "work is counted on the machine that etalon is started on: leave one of `count` and --on out",
        );
    }
    if experiment.settings.metric == metrics::INSTRUCTIONS {
        return refused(
            "work is counted after timing, so that measuring cannot look at it: a [[table]] ranks by it",
        );
    }
    let beside = Beside { results: false, on: false, plan: false, metric: false };
    counting::means((of, seeds(file)), beside, watch)
}

/// The seeds, where counting is asked for.
pub(super) fn seeds(file: &File) -> Option<SeedsArg> {
    file.measure.count.as_ref().map(|placed| match placed.get_ref() {
        Seeds::Fixed => SeedsArg::Fixed,
        Seeds::Raw => SeedsArg::Raw,
    })
}

/// Whether a subject is a benchmark of Go whose iterations follow from time.
fn is_by_time(subject: &Subject) -> bool {
    let is_fixed = |it: &str| it.ends_with('x');
    subject.go.is_some() && !subject.benchtime.as_ref().is_some_and(|it| is_fixed(it.get_ref()))
}
