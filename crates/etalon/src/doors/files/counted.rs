//! `count` of an experiment file: the work of its commands or cases is counted, too.
//!
//! Owns what is refused of such a file. Refuses to count: that is [`etalon_run::Counted`]'s.

use etalon_core::metrics;
use etalon_run::{CountSpec, Experiment};

use super::kinds::{Kind, kind};
use crate::cli::{self, SeedsArg};
use crate::counting::{self, Beside, Counts, Means};
use crate::experiments::file::{File, Seeds, Subject};
use crate::failure::Failure;
use crate::progress::Watch;
use crate::toml_text::Source;

/// The metric that is counted, where that is asked for.
pub(super) fn metric(file: &File) -> Option<etalon_core::model::Metric> {
    file.measure.count.as_ref().map(|_| CountSpec::metric())
}

/// The tool, where counting is asked for.
///
/// # Errors
/// With place and remedy, if that cannot be obeyed.
pub(super) fn means(
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
    let beside = Beside {
        results: file.measure.results.is_some(),
        on: options.nodes.on.is_some(),
        plan: false,
        metric: experiment.settings.metric == metrics::INSTRUCTIONS,
    };
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
