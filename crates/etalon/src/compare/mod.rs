//! `etalon compare`: data sets in, tables out, and whether what was asked for holds.
//!
//! Here: the course of a comparison. What is compared with what is [`queries`]', by which rules [`rules`]', what has to hold
//! [`checks`]', how it is shown [`show`]'s.

pub(crate) mod checks;
mod controlled;
pub(crate) mod failed;
pub(crate) mod families;
mod queries;
mod remarks;
mod rules;
mod show;
pub(crate) mod sides;

use std::ffi::OsStr;

use etalon_core::analysis::executions;
use etalon_core::criteria::Criteria;
use etalon_core::dataset::Dataset;
use etalon_core::metrics;
use etalon_core::model::{Answer, Metric, Sides};
use etalon_core::notes::{Note, cut_short, load_changed, often_waited};
use etalon_core::query::Key;
use etalon_core::tables::{
    Centre, Controls, Method, Query, QuerySpec, Style, Tables, beside, natural_beside,
    tabulate_checked,
};

use etalon_record::Strictness;
use etalon_record::inputs::{Input, inputs};
use etalon_report::compare::Remarks;
use etalon_report::html;
use etalon_report::json::Kind;
use etalon_report::svg::Compared;
use etalon_report::text::typed_again;

use crate::cli::{Compare, Comparison, StyleArg};
use crate::datasets::{self, Verbosity};
use crate::earlier;
use crate::failure::{Exit, Failure};
use crate::output;
use crate::pages;
use crate::progress::Foresight;
use crate::saved;
use crate::settings;
use remarks::{interleaved_by, kept_apart, nothing_compared, order_unsaid, paid, recorded_notes};
use show::DocumentFacts;
use sides::NOTHING;

/// Runs the subcommand.
pub(crate) fn run(typed: &Compare) -> Result<Exit, Failure> {
    let options = &typed.comparison();
    let method = rules::method(options, None)?;
    check(options)?;
    // A query that cannot be read is told before anything else is.
    queries::typed(options, QuerySpec::default())?;
    let strictness = if typed.strict { Strictness::Strict } else { Strictness::Lenient };
    let opened =
        |input: Input| Ok((saved::opened(OsStr::new(&input.path), typed.from)?, input.label));
    let sources = inputs(&options.data).into_iter().map(opened);
    let verbosity = match (options.show.quiet, show::has_remarks(options)) {
        (true, _) => Verbosity::Nothing,
        (false, true) => Verbosity::ButEndings,
        (false, false) => Verbosity::All,
    };
    let data = datasets::read(sources, strictness, verbosity)?;
    if options.checks.are_of_rows() {
        datasets::all_have_results(&data)?;
    }
    // One question, one answer: a run of two sides is compared by the rules that its report has.
    match sides::of(&data).is_some_and(|sides| queries::are_columns(options, sides)) {
        true => sides_compared(options, data),
        false => tables(options, data, method, Builds::default()),
    }
}

/// Whether what is asked for exists.
fn check(options: &Comparison) -> Result<(), Failure> {
    checks::check(options)?;
    earlier::check(&options.judging.history)?;
    show::check(options)
}

/// Refuses a check of a unit that is the name of a benchmark, before anything is measured.
///
/// # Errors
/// With how such a threshold is written.
pub(crate) fn refuse_names<'n>(
    options: &Comparison,
    names: &(impl Iterator<Item = &'n str> + Clone),
) -> Result<(), Failure> {
    checks::refuse_names(options, names)
}

/// Refuses a check of a unit, and a metric, of which nothing is going to be measured, and a check of a benchmark's name.
///
/// # Errors
/// With what is measured.
pub(crate) fn refuse_unmeasured<'n>(
    options: &Comparison,
    names: &(impl Iterator<Item = &'n str> + Clone),
    measured: &[Metric],
) -> Result<(), Failure> {
    checks::refuse_unmeasured(options, names, measured)
}

/// The tables of a report: of data that say what they were asked for, which holds where nothing else is typed.
pub(crate) fn report(
    options: &Comparison,
    data: Dataset,
    recorded: Option<Criteria>,
) -> Result<Exit, Failure> {
    let method = rules::method(options, recorded)?;
    check(options)?;
    if options.checks.are_of_rows() {
        datasets::all_have_results(&data)?;
    }
    judge(options, data, method)
}

/// The comparison of its sides, by the rules that were recorded where nothing else is asked for; before it, what failed.
pub(crate) fn sides_compared(options: &Comparison, data: Dataset) -> Result<Exit, Failure> {
    failed::tell(&data);
    // In every style: a run of two sides has no other columns.
    let mut options = options.clone();
    options.queries.columns = sides::of(&data).map(sides::columns);
    recorded(&options, data)
}

/// The tables of data by the rules that were recorded with them, where nothing else is asked for.
pub(crate) fn recorded(options: &Comparison, data: Dataset) -> Result<Exit, Failure> {
    let recorded = data.run_sets.iter().find_map(|set| set.settings.as_ref());
    let recorded = recorded.map(|settings| settings.criteria);
    report(options, data, recorded)
}

/// Says of two sides after the first blocks what so many will show.
pub(crate) fn foresight(options: &Comparison, sides: Sides, runs: u32) -> Foresight {
    let mut options = options.clone();
    options.queries.columns = Some(sides::columns(sides));
    Box::new(move |data, blocks| {
        let visible = foreseen(&options, data, blocks)?;
        Some(match blocks < runs {
            true => format!("the time allows {blocks} blocks: {visible}"),
            false => format!("{runs} blocks will show {visible}"),
        })
    })
}

/// The tables of data: of one run of two sides these beside each other, the base first, with what their second builds say;
/// unless other columns are typed.
fn judge(options: &Comparison, data: Dataset, method: Method) -> Result<Exit, Failure> {
    let Some(sides) = sides::of(&data).filter(|sides| queries::are_columns(options, *sides)) else {
        return tables(options, data, method, Builds::default());
    };
    let mut options = options.clone();
    options.queries.columns = Some(sides::columns(sides));
    let options = &options;
    let build = Key::from_word(sides.build_key());
    if !data.has_builds() || queries::names(&options.queries, &build) {
        return tables(options, data, method, Builds::default());
    }
    // Layouts are a sample: that they differ is what they are there for.
    let controls = match data.has_layouts() {
        true => None,
        false => {
            let asked = queries::typed(options, queries::usual(options, &data)?)?;
            let query = Query::new(Controls::query(asked, sides));
            Some(Controls::from_data(&data, query, &Controls::method(method)))
        }
    };
    let of_sides = data.with_builds_joined().map_err(Failure::new)?;
    if of_sides.values.is_empty() && !data.values.is_empty() {
        return Err(Failure::new(NOTHING));
    }
    // A side's value in a block is of all its builds; how long each of their executions waited is not.
    let load = Some(load_notes(&data));
    // Every execution is in a page, not the value of a side in a block.
    let page = options.show.page.is_asked().then(|| pages::data(&data, metrics::WALL));
    drop(data);
    tables(options, of_sides, method, Builds { controls: controls.as_ref(), load, page })
}

/// Findings about the builds of two sides, from before each side had one value.
#[derive(Default)]
struct Builds<'a> {
    /// Whether the builds of a side agree.
    controls: Option<&'a Controls>,
    /// Remarks on other programs that ran meanwhile.
    load: Option<Vec<Note>>,
    /// Their data as a page has them.
    page: Option<html::Data>,
}

/// From which change on two sides of a project will show one with so many blocks, from the blocks there are; nothing where
/// that is not known.
pub(crate) fn foreseen(options: &Comparison, data: &Dataset, blocks: u32) -> Option<String> {
    let method = rules::method(options, None).ok()?;
    let sides = sides::joined(data).ok()?;
    let query = Query::new(queries::typed(options, queries::usual(options, &sides).ok()?).ok()?);
    let mut tables = tabulate_checked(&sides, query, &method, None);
    tables.foresee(blocks as usize);
    etalon_report::compare::foreseen(&tables)
}

/// The outcome of the comparison of two sides, by the rules that were recorded, for a line of a list; nothing where
/// there is no table.
pub(crate) fn in_brief(data: &Dataset, sides: Sides) -> Option<Answer> {
    let usual = Method::new(Style::Etalon);
    let recorded = data.run_sets.iter().find_map(|set| set.settings.as_ref())?.criteria;
    let correction = recorded.correction.or(usual.criteria.correction);
    let criteria = Criteria { correction, ..recorded };
    let method = Method { criteria, threads: settings::threads(), means: false, ..usual };
    let columns = sides::columns(sides);
    let joined = sides::joined(data).ok()?;
    let asked = QuerySpec { col: columns.clone(), ..natural_beside(&joined, &[&columns]) };
    let mut tables = tabulate_checked(&joined, Query::new(asked.clone()), &method, None);
    if data.has_builds() && !data.has_layouts() {
        let controls = Query::new(Controls::query(asked, sides));
        tables.withhold(&Controls::from_data(data, controls, &Controls::method(method)));
    }
    etalon_report::compare::brief(&tables)
}

/// The criteria of verdicts, for the record of what is measured to be compared.
pub(crate) fn criteria(options: &Comparison) -> Result<Criteria, Failure> {
    check(options)?;
    rules::method(options, None).map(|method| method.criteria)
}

/// The criteria of the tables of data, by the rules that were recorded with them.
pub(crate) fn criteria_in_force(options: &Comparison, data: &Dataset) -> Result<Criteria, Failure> {
    let recorded = data.run_sets.iter().find_map(|set| set.settings.as_ref());
    let method = rules::method(options, recorded.map(|settings| settings.criteria))?;
    Ok(rules::looked(options, data, method)?.paid(data).criteria)
}

/// The tables of a query by the rules that were recorded with the data, with means; nothing is checked. With `ranks`, all pairs of
/// a row are compared, and the best by that centre comes first.
pub(crate) fn tabulated(
    data: &Dataset,
    query: QuerySpec,
    options: &Comparison,
    ranks: Option<Centre>,
) -> Result<Tables, Failure> {
    let recorded = data.run_sets.iter().find_map(|set| set.settings.as_ref());
    let method = rules::method(options, recorded.map(|settings| settings.criteria))?;
    let method = Method { ranks, means: true, ..rules::looked(options, data, method)? };
    let query = Query::new(query);
    query.check(data).map_err(Failure::new)?;
    Ok(tabulate_checked(data, query, &method, None))
}

/// Tabulates, checks and shows.
fn tables(
    options: &Comparison,
    mut data: Dataset,
    method: Method,
    builds: Builds<'_>,
) -> Result<Exit, Failure> {
    match options.show.style {
        StyleArg::Etalon => earlier::add(&mut data, &options.judging.history)?,
        // A number behind a name is one of processors there, whatever else the file says.
        StyleArg::Benchstat => {
            for set in &mut data.run_sets {
                set.one_processor = false;
            }
        }
    }
    let query = queries::from_data(options, &data)?;
    let idle = remarks::nothing_ignored(&query, &data);
    let ranks = options.look.ranks();
    let method = Method { ranks, ..rules::looked(options, &data, method)? };
    let asked = checks::asked(options, &method.paid(&data), &data)?;
    let check = asked.as_ref().map(|asked| &asked.check);
    let of_pictures = options.show.page.is_asked().then(|| query.clone());
    let mut tables = tabulate_checked(&data, query, &method, check);
    if let Some(controls) = builds.controls {
        tables.withhold(controls);
    }
    if tables.tables.is_empty() {
        return Err(queries::nothing(options, &data));
    }
    rules::check_margin(options, &tables)?;
    checks::check_units(options, &tables)?;
    let checked = checks::checked(options, asked.as_ref(), (&tables, &data));
    let mut remarks = table_remarks((&data, &method), &tables, (&checked, &builds));
    remarks.extend(idle);
    let interleaved_by = interleaved_by(&data);
    let (beside, of_page) = match of_pictures {
        Some(query) => (
            beside(&data, query, &method, &tables),
            builds.page.unwrap_or_else(|| pages::data(&data, metrics::WALL)),
        ),
        None => (Vec::new(), html::Data::default()),
    };
    let empty = nothing_compared(options, &data, &tables);
    let is_of_sides = sides::of(&data).is_some_and(|sides| queries::are_columns(options, sides));
    let found = DocumentFacts {
        checked: &checked,
        thresholds: check.map_or(&[], |check| &check.thresholds),
        kind: if is_of_sides { Kind::Sides } else { Kind::Tables },
        executions: if show::is_document(options) { executions(&data) } else { Vec::new() },
        criteria: method.paid(&data).criteria,
        again: again(&data),
    };
    // The largest thing there is; what is shown does not need it.
    drop(data);
    let said = Remarks { failed: &checked.reasons(), remarks: &remarks, interleaved_by };
    let compared = Compared { beside: &beside, controls: builds.controls };
    show::show(options, (tables, compared), &found, (said, &of_page))?;
    Ok(exit(&checked, empty.filter(|_| options.show.style == StyleArg::Etalon)))
}

/// The line to type to measure data again; of several that to compare them again.
fn again(data: &Dataset) -> Option<String> {
    let of_run = match &data.run_sets[..] {
        [set] => typed_again(&set.argv),
        _ => None,
    };
    let words = || std::env::args_os().map(|word| word.to_string_lossy().into_owned());
    of_run.or_else(|| typed_again(&words().collect::<Vec<String>>()))
}

/// How a comparison ends that was shown. A check that fails has said why.
fn exit(checked: &checks::Checked, empty: Option<Failure>) -> Exit {
    match (checked.exit(), empty) {
        (Exit::Done, Some(why)) => {
            output::error(&why);
            Exit::Empty
        }
        (exit, _) => exit,
    }
}

/// Remarks below tables: what was checked, circumstances, what their sides read and how their builds differ.
fn table_remarks(
    (data, method): (&Dataset, &Method),
    tables: &Tables,
    (checked, builds): (&checks::Checked, &Builds<'_>),
) -> Vec<Note> {
    let mut remarks = [checks::endings(data), checked.remarks()].concat();
    remarks.extend(cut_short(data));
    remarks.extend(recorded_notes(data));
    remarks.extend(paid(data, method));
    remarks.extend(data.run_sets.iter().flat_map(controlled::read));
    remarks.extend(data.run_sets.iter().flat_map(|set| controlled::benches(&set.context)));
    let leading = tables.tables.first().map(|table| table.unit.as_str());
    remarks.extend(builds.controls.iter().flat_map(|controls| controls.notes(leading)));
    remarks.extend(tables.layouts_note());
    remarks.extend(data.run_sets.iter().flat_map(|set| controlled::builds(&set.context)));
    remarks.extend(order_unsaid(data, tables));
    remarks.extend(kept_apart(tables));
    remarks.extend(builds.load.clone().unwrap_or_else(|| load_notes(data)));
    remarks
}

/// Remarks on other programs that ran meanwhile.
fn load_notes(data: &Dataset) -> Vec<Note> {
    [often_waited(data), load_changed(data)].concat()
}
