//! `etalon report`: saved data, analysed as recorded or as asked now.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use etalon_core::analysis::{Analysis, AnalysisError, analyse, analyse_on};
use etalon_core::dataset::Dataset;
use etalon_core::metrics;
use etalon_core::plan::Stopping;
use etalon_core::run_set::RunSet;
use etalon_core::units::Base;
use etalon_record::Strictness;
use etalon_record::store::NewRecord;
use etalon_report::text::named;
use etalon_report::view::{Again, Style};

use crate::cli;
use crate::compare;
use crate::datasets::{self, Verbosity};
use crate::enough::Refusal;
use crate::exports::{self, Exports};
use crate::failure::{Exit, Failure};
use crate::interim::Interim;
use crate::pages::Page;
use crate::presentation::{Presentation, Subjects};
use crate::{
    bisected, doctor, earlier, experiments, known_noise, output, packages, saved, settings,
};

/// Runs the subcommand.
pub(crate) fn run(options: &cli::Report) -> Result<Exit, Failure> {
    let strictness = if options.strict { Strictness::Strict } else { Strictness::Lenient };
    if options.tables.is_asked() {
        return tables(options, strictness);
    }
    if let [file] = &options.data[..]
        && Path::new(file).extension().is_some_and(|extension| extension == "toml")
    {
        check_unbased(options)?;
        let cli::Reporting { view, analysis, exports } = &options.reporting;
        let page = Page::check(&exports.page, &[Path::new(file)])?;
        let wanted = experiments::DisplayOptions { view, analysis, page: page.as_ref() };
        return experiments::page_of_data(file, &wanted).map(|()| Exit::Done);
    }
    let mut paths = Vec::new();
    let mut data = Dataset::default();
    for name in &options.data {
        paths.push(saved::path(name)?);
        saved::add(&mut data, name, options.from, strictness)?;
    }
    let in_use: Vec<&Path> = paths.iter().map(PathBuf::as_path).collect();
    let exports = Exports::check(&options.reporting.exports, &in_use)?;
    match Presentation::of(&data) {
        Presentation::Sides(subjects) => return show_sides(options, data, &subjects),
        Presentation::Bisection if !is_of_ranking(&beside_page(&options.reporting)) => {
            check_unbased(options)?;
            let cli::View { full, .. } = options.reporting.view;
            let is_json = options.reporting.view.format() == cli::FormatArg::Json;
            let wanted = bisected::Form { json: is_json, full, page: exports.page() };
            return bisected::show(&data, wanted);
        }
        Presentation::File(recorded) if has_tables(&options.reporting) => {
            check_unbased(options)?;
            let cli::Reporting { view, analysis, .. } = &options.reporting;
            let wanted = experiments::DisplayOptions { view, analysis, page: exports.page() };
            let has_values = (0..data.len()).any(|row| data.counts(row));
            let exit = if has_values { Exit::Done } else { Exit::Empty };
            return experiments::report(&recorded, data, &wanted).map(|()| exit);
        }
        Presentation::Packages if !is_of_ranking(&beside_tables(&options.reporting)) => {
            let explained = options.reporting.view.explain_noise.then(|| data.clone());
            let exit = packages::tables(options.comparison(), data)?;
            return explained.map_or(Ok(exit), |data| explain_readings(&data).map(|()| exit));
        }
        Presentation::Published => return published(options, data),
        _ => {}
    }
    check_unbased(options)?;
    let reporting = &options.reporting;
    let is_last = options.data.len() == 1 && options.data[0] == "@last";
    let again = if is_last { Again::Saved } else { Again::Options };
    let analysis = show(data, &reporting.analysis, &reporting.view, &exports, again)?;
    // The program is about to end: giving back piece by piece would take a while.
    std::mem::forget(analysis);
    Ok(Exit::Done)
}

/// How two sides compare, and the tables of their experiment file, if they have one. Benchmarks of one side are ranked with
/// those of another nowhere.
fn show_sides(options: &cli::Report, data: Dataset, subjects: &Subjects) -> Result<Exit, Failure> {
    check_based(&options.reporting)?;
    let explained = options.reporting.view.explain_noise.then(|| data.clone());
    let compare = options.comparison();
    let exit = match subjects {
        Subjects::Packages => packages::tables(compare, data)?,
        Subjects::File(recorded) if has_tables(&beside_tables(&options.reporting)) => {
            let exit = compare::sides_compared(&compare, data.clone())?;
            let cli::Reporting { view, analysis, .. } = &options.reporting;
            let wanted = experiments::DisplayOptions { view, analysis, page: None };
            experiments::below(recorded, &data, &wanted)?;
            exit
        }
        Subjects::File(_) | Subjects::Plain => compare::sides_compared(&compare, data)?,
    };
    explained.map_or(Ok(exit), |data| explain_readings(&data).map(|()| exit))
}

/// Refuses what a comparison of two sides, measured or saved, has no place for.
pub(crate) fn check_based(reporting: &cli::Reporting) -> Result<(), Failure> {
    if reporting.view.explain_noise && !experiments::is_for_reading(&reporting.view) {
        let why = "says of two sides why readings differ in a terminal only: leave --json and --format out";
        return Err(Failure::about("--explain-noise", why));
    }
    let why = "of the ranking; a run of two sides is shown as a comparison of these: leave it out";
    check_ranking(&beside_tables(reporting), why)
}

/// Without what tables have, too: reasons why readings differ, which stand below them, and a metric, which narrows them as
/// `--metric` of `etalon compare` does.
fn beside_tables(reporting: &cli::Reporting) -> cli::Reporting {
    let mut without = reporting.clone();
    without.view.explain_noise = false;
    without.analysis.metric = None;
    without
}

/// Refuses what only a comparison with a base has, where there is none.
fn check_unbased(options: &cli::Report) -> Result<(), Failure> {
    let Some(given) = options.based.given(&options.reporting) else { return Ok(()) };
    let why = "there is nothing to compare with: `etalon compare BASE DATA` compares data sets, and --col makes \
               columns of what is in one";
    Err(Failure::about(given, why))
}

/// Whether the tables of an experiment file are shown, unless something is asked for that only the ranking has.
pub(crate) fn has_tables(reporting: &cli::Reporting) -> bool {
    !matches!(
        reporting.view.format(),
        cli::FormatArg::Csv | cli::FormatArg::Comment | cli::FormatArg::Junit
    ) && !is_of_ranking(reporting)
}

/// The request without a page, which a bisection has, too.
fn beside_page(reporting: &cli::Reporting) -> cli::Reporting {
    let exports = cli::Exports { page: cli::Page::default(), ..reporting.exports.clone() };
    cli::Reporting { exports, ..reporting.clone() }
}

/// Whether something is asked for that only the ranking has.
fn is_of_ranking(reporting: &cli::Reporting) -> bool {
    let cli::Reporting { analysis, view, exports } = reporting;
    view.has_sections()
        || view.style() != Style::Etalon
        || analysis.metric.is_some()
        || analysis.reference.is_some()
        || !analysis.by.is_empty()
        || !analysis.tuning.is_empty()
        || !exports.is_empty()
}

/// Shows the numbers of data some of which were published.
fn published(options: &cli::Report, data: Dataset) -> Result<Exit, Failure> {
    check_ranking(&options.reporting, "published numbers are shown, not ranked: leave it out")?;
    let mut compare = options.comparison();
    compare.show.view = cli::ViewArg::Plain;
    compare::report(&compare, data, None)
}

/// Shows tables of the data in place of their ranking, by the rules that were recorded with them.
fn tables(options: &cli::Report, strictness: Strictness) -> Result<Exit, Failure> {
    let why = "of the ranking, in whose place --row, --col, --table, --filter, --ignore and --view show tables; \
               leave one of the two out (--filter .unit:sec/op chooses a unit)";
    check_ranking(&options.reporting, why)?;
    let sources = options
        .data
        .iter()
        .map(|name| Ok((saved::opened(name, options.from)?, name.to_string_lossy().into_owned())));
    let verbosity =
        if options.reporting.view.quiet { Verbosity::Nothing } else { Verbosity::ButEndings };
    let data = datasets::read(sources, strictness, verbosity)?;
    let compare = options.comparison();
    if options.tables.queries.are_asked() || !packages::is_run(&data) {
        return compare::recorded(&compare, data);
    }
    packages::tables(compare, data)
}

/// Refuses options that only a ranking has, where there is none.
fn check_ranking(reporting: &cli::Reporting, why: &str) -> Result<(), Failure> {
    let cli::Reporting { analysis: asked, view, exports } = reporting;
    for (other, name) in [
        (asked.metric.is_some(), "--metric"),
        (asked.reference.is_some(), "--reference"),
        (!asked.by.is_empty(), "--by"),
        (!asked.tuning.is_empty(), "-x"),
        (view.has_sections(), "-M, -N, -G, -B, -D, -T and -E"),
        (view.style() != Style::Etalon, "--style"),
        (!exports.is_empty(), "exports for other programs"),
        (exports.sort.is_of_exports(), "--sort command and mean-time"),
    ] {
        if other {
            return Err(Failure::about(name, why));
        }
    }
    Ok(())
}

/// Analyses and shows data; the one way reports come about, live or later.
pub(crate) fn show(
    mut data: Dataset,
    asked: &cli::Analysis,
    view: &cli::View,
    exports: &Exports<'_>,
    again: Again,
) -> Result<Analysis, Failure> {
    view.check_ranks().map_err(Failure::new)?;
    let mut settings = settings::combined(&data, asked);
    // BestGuess ranks by CPU time, where there is any.
    let has_cpu = || data.metric_names().contains(&metrics::USER);
    if view.style() == Style::BestGuess && asked.metric.is_none() && has_cpu() {
        settings.metric = metrics::CPU.to_owned();
    }
    if asked.judging.confidence.is_some() && data.run_sets.iter().any(is_until_decided) {
        return Err(Failure::new(settings::LEVEL_FOLLOWS));
    }
    earlier::add(&mut data, &asked.judging.history)?;
    let source = data.run_sets.first().map(|set| set.source.clone()).unwrap_or_default();
    let mut analysis = analyse_on(settings::threads(), &data, &settings).map_err(|e| {
        match (&e, refused(&data)) {
            (AnalysisError::NoBenchmarks, Some(why)) => why,
            (AnalysisError::UnknownMetric { known, .. }, Some(why)) if known.is_empty() => why,
            _ => explain(&e, &source),
        }
    })?;
    if view.explain_noise {
        analysis.explain(&data);
    }
    known_noise::note(&data, &mut analysis);
    analysis.note_cause(&data);
    if let Some(ranking) = analysis.rankings.first() {
        let metric = &ranking.metric;
        let times = if analysis.suites.is_empty() { &[][..] } else { &[Base::Seconds] };
        asked.check_base(&metric.name, metric.unit.base(), times).map_err(Failure::new)?;
    }
    // Before the report: whoever reads that may stop reading.
    let exported = exports::tell(exports.write(&analysis, &data));
    // The program is about to end: giving back piece by piece would take a while.
    std::mem::forget(data);
    for remark in exports.remarks(&analysis).iter().filter(|_| !view.quiet) {
        output::remark(remark);
    }
    output::report(&analysis, view, asked.width(), again)?;
    exported?;
    Ok(analysis)
}

/// Says below tables why readings differ.
pub(crate) fn explain_readings(data: &Dataset) -> Result<(), Failure> {
    let mut analysis = match analyse_on(settings::threads(), data, &settings::recorded(data)) {
        // Tables have said so.
        Err(AnalysisError::NoBenchmarks) => return Ok(()),
        other => other.map_err(|error| explain(&error, "--explain-noise"))?,
    };
    analysis.explain(data);
    let lines = etalon_report::terminal::why_readings_differ(&analysis, output::width());
    output::text(&format!("\n{}", lines.join("\n")))
}

/// Exports between the stages of an experiment. What fails is told at the end, when they are written again.
pub(crate) fn interim<'a>(to: &'a Exports<'a>, asked: &'a cli::Analysis) -> Interim<'a> {
    if to.is_empty() {
        return Interim::none();
    }
    Interim::new(move |record| {
        let _told_at_the_end = export(record, asked, to);
    })
}

/// Writes the exports and nothing else, from a record that may be unfinished.
fn export(record: &NewRecord, asked: &cli::Analysis, to: &Exports<'_>) -> Result<(), Failure> {
    let source = record.path.display().to_string();
    let data = etalon_run::read(record, &source).map_err(Failure::new)?;
    let settings = settings::combined(&data, asked);
    let analysis = analyse(&data, &settings).map_err(|e| explain(&e, &source))?;
    to.write(&analysis, &data).pop().map_or(Ok(()), Err)
}

/// Looks for the metric of a ranking in what the first block has.
pub(crate) fn refusal(asked: &cli::Analysis) -> Option<Refusal> {
    asked.metric.as_ref()?;
    let asked = asked.clone();
    Some(Box::new(move |data| match analyse(data, &settings::combined(data, &asked)) {
        Err(error @ AnalysisError::UnknownMetric { .. }) => Some(explain(&error, "")),
        _ => None,
    }))
}

fn is_until_decided(set: &RunSet) -> bool {
    set.plan.as_ref().is_some_and(|plan| matches!(plan.stopping, Stopping::Decided { .. }))
}

fn explain(error: &AnalysisError, source: &str) -> Failure {
    match error {
        AnalysisError::NoBenchmarks => Failure::about(
            source,
            "nothing to report: no row and no benchmark in it (was it interrupted before it began?)",
        ),
        AnalysisError::UnknownMetric { known, .. } if known.is_empty() => {
            Failure::about(source, "nothing to report: no benchmark in it has a value")
        }
        AnalysisError::UnknownMetric { asked, known } => Failure::new(format!(
            "--metric {asked}: not in the data, which have {}",
            known.join(", ")
        )),
        AnalysisError::UnknownReference { asked, matches: 0, known } => Failure::new(format!(
            "--reference {}: no benchmark of that name; there are {}",
            named(asked),
            quoted(known)
        )),
        AnalysisError::UnknownParam { asked, known } => {
            unknown_param(asked, &known.iter().map(String::as_str).collect())
        }
        AnalysisError::UnknownReference { asked, matches, known } => Failure::new(format!(
            "--reference {}: {matches} benchmarks have that name; name a case with its params, \
             as it is shown, and give commands different names with -n; there are {}",
            named(asked),
            quoted(known)
        )),
    }
}

/// `--by` with a parameter that no case has.
pub(crate) fn unknown_param(asked: &str, known: &BTreeSet<&str>) -> Failure {
    let there_are = match known.len() {
        0 => "no case has any; of commands, --row /PARAM makes a table".to_owned(),
        _ => format!("there are {}", known.iter().copied().collect::<Vec<_>>().join(", ")),
    };
    Failure::new(format!("--by {asked}: no case has a parameter of that name: {there_are}"))
}

/// Why there is no benchmark: what the readers could not use.
fn refused(data: &Dataset) -> Option<Failure> {
    let mut notes = data.run_sets.iter().flat_map(|set| &set.notes);
    let note = notes.find(|note| !doctor::is_unfit(note))?;
    Some(Failure::about(&note.about, format!("nothing to report: {}", note.text)))
}

fn quoted(names: &[String]) -> String {
    names.iter().map(|name| named(name)).collect::<Vec<_>>().join(", ")
}
