//! `etalon compare`: data sets in, tables out, and whether what was asked for holds.

mod checks;
mod controlled;
mod remarks;
mod show;

use std::collections::BTreeSet;
use std::ffi::OsStr;

use etalon_core::criteria::{Criteria, Levels};
use etalon_core::dataset::{BUILD, Dataset};
use etalon_core::metrics;
use etalon_core::model::{Answer, Sides};
use etalon_core::query::{Filter, Key, Projection, QueryError};
use etalon_core::shell::copied;
use etalon_core::tables::{
    AskError, Centre, Controls, Method, Query, QuerySpec, Sparse, Style, Tables, beside,
    natural_beside, tabulate_checked,
};
use etalon_core::units::Base;

use etalon_record::Strictness;
use etalon_record::inputs::{Input, inputs};
use etalon_report::compare::Remarks;
use etalon_report::html;
use etalon_report::svg::Compared;

use crate::cli::{Compare, NewArg, Queries, StyleArg, values};
use crate::datasets::{self, Told};
use crate::doctor;
use crate::failure::{Exit, Failure};
use crate::history;
use crate::output;
use crate::pages;
use crate::progress::Foresight;
use crate::saved;
use crate::settings::{self, LEVEL_FOLLOWS};
use crate::sides::{self, NOTHING};
use remarks::{interleaved_by, kept_apart, nothing_compared, order_unsaid, paid};

/// Runs the subcommand.
pub(crate) fn run(options: &Compare) -> Result<Exit, Failure> {
    let method = method(options, None)?;
    show::check(options)?;
    let checks = &options.checks;
    if checks.new == NewArg::Fail && checks.fail_on.is_empty() && checks.require.is_empty() {
        return Err(Failure::about("--new fail", "is part of a check: add --fail-on worse"));
    }
    // A query that cannot be read is told before anything else is.
    asked(options, QuerySpec::default())?;
    let strictness = if options.strict { Strictness::Strict } else { Strictness::Lenient };
    let opened =
        |input: Input| Ok((saved::opened(OsStr::new(&input.path), options.from)?, input.label));
    let sources = inputs(&options.data).into_iter().map(opened);
    let told = match (options.show.quiet, show::has_remarks(options)) {
        (true, _) => Told::Nothing,
        (false, true) => Told::ButEndings,
        (false, false) => Told::All,
    };
    let data = datasets::read(sources, strictness, told)?;
    if !checks.fail_on.is_empty() {
        datasets::all_have_results(&data)?;
    }
    // One question, one answer: a run of two sides is compared by the rules that its report has.
    match sides::of(&data).is_some_and(|sides| are_columns(options, sides)) {
        true => of_sides(options, data),
        false => tables(options, data, method, Builds::default()),
    }
}

/// The tables of a report: of data that say what they were asked for, which holds where nothing else is typed.
pub(crate) fn of_report(
    options: &Compare,
    data: Dataset,
    recorded: Option<Criteria>,
) -> Result<Exit, Failure> {
    let method = method(options, recorded)?;
    show::check(options)?;
    of_data(options, data, method)
}

/// The comparison of its sides, by the rules that were recorded where nothing else is asked for.
pub(crate) fn of_sides(options: &Compare, data: Dataset) -> Result<Exit, Failure> {
    let recorded = data.run_sets.iter().find_map(|set| set.settings.as_ref());
    let recorded = recorded.map(|settings| settings.criteria);
    of_report(options, data, recorded)
}

/// Says of two sides after the first blocks what so many will show.
pub(crate) fn foresight(options: &Compare, sides: Sides, runs: u32) -> Foresight {
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
fn of_data(options: &Compare, data: Dataset, method: Method) -> Result<Exit, Failure> {
    let Some(sides) = sides::of(&data).filter(|sides| are_columns(options, *sides)) else {
        return tables(options, data, method, Builds::default());
    };
    let mut options = options.clone();
    options.queries.columns = Some(sides::columns(sides));
    let options = &options;
    if !data.has_builds() || names(&options.queries, &Key::Part(BUILD.to_owned())) {
        return tables(options, data, method, Builds::default());
    }
    let query = Query::new(Controls::query(asked(options, usual(options, &data)?)?));
    let of_controls = Controls::method(method);
    let controls = Controls::from_data(&data, query, &of_controls);
    let of_sides = data.with_builds_joined().map_err(Failure::new)?;
    if of_sides.values.is_empty() && !data.values.is_empty() {
        return Err(Failure::new(NOTHING));
    }
    // A side's value in a block is of all its builds; how long each of their executions waited is not.
    let load = etalon_report::compare::load_changed(&data);
    // Every execution is in a page, not the value of a side in a block.
    let page = options.show.page.is_asked().then(|| pages::data(&data, metrics::WALL));
    drop(data);
    tables(options, of_sides, method, Builds { controls: Some(&controls), load, page })
}

/// Whether sides are columns: they are typed, or nothing is that says otherwise. benchstat knows no sides.
fn are_columns(options: &Compare, sides: Sides) -> bool {
    let Queries { row, col, table, ignore, columns, .. } = &options.queries;
    let key = Key::from_word(sides.key());
    match col {
        Some(col) => is_named(col, &key),
        None if columns.is_some() => true,
        None => {
            let mut elsewhere = [row, table, ignore].into_iter().flatten();
            options.show.style == StyleArg::Etalon && !elsewhere.any(|query| is_named(query, &key))
        }
    }
}

/// Whether queries name a key.
fn names(queries: &Queries, key: &Key) -> bool {
    let Queries { row, col, table, ignore, .. } = queries;
    [row, col, table, ignore].into_iter().flatten().any(|query| is_named(query, key))
}

/// Whether a projection names a key; one that cannot be read is refused elsewhere.
fn is_named(query: &str, key: &Key) -> bool {
    Projection::parse(query).is_ok_and(|projection| projection.names(key))
}

/// What the builds of two sides said before there was one value of each side.
#[derive(Default)]
struct Builds<'a> {
    /// Whether the builds of a side agree.
    controls: Option<&'a Controls>,
    /// What other programs did meanwhile.
    load: Vec<String>,
    /// What a page has of their data.
    page: Option<html::Data>,
}

/// From which change on two sides of a project will show one with so many blocks, from the blocks there are; nothing where
/// that is not known.
pub(crate) fn foreseen(options: &Compare, data: &Dataset, blocks: u32) -> Option<String> {
    let method = method(options, None).ok()?;
    let sides = data.with_builds_joined().ok()?;
    let query = Query::new(asked(options, usual(options, &sides).ok()?).ok()?);
    let mut tables = tabulate_checked(&sides, query, &method, None);
    tables.foresee(blocks as usize);
    etalon_report::compare::foreseen(&tables)
}

/// What the comparison of two sides comes to, by the rules that were recorded, for a line of a list; nothing where there is
/// no table.
pub(crate) fn in_brief(data: &Dataset, sides: Sides) -> Option<Answer> {
    let usual = Method::new(Style::Etalon);
    let recorded = data.run_sets.iter().find_map(|set| set.settings.as_ref())?.criteria;
    let correction = recorded.correction.or(usual.criteria.correction);
    let criteria = Criteria { correction, ..recorded };
    let method = Method { criteria, threads: settings::threads(), means: false, ..usual };
    let columns = sides::columns(sides);
    let asked = QuerySpec { col: columns.clone(), ..natural_beside(data, &[&columns]) };
    if !data.has_builds() {
        let tables = tabulate_checked(data, Query::new(asked), &method, None);
        return etalon_report::compare::brief(&tables);
    }
    let controls = Query::new(Controls::query(asked.clone()));
    let controls = Controls::from_data(data, controls, &Controls::method(method));
    let mut tables =
        tabulate_checked(&data.with_builds_joined().ok()?, Query::new(asked), &method, None);
    tables.withhold(&controls);
    etalon_report::compare::brief(&tables)
}

/// What verdicts are held against, for the record of what is measured to be compared.
pub(crate) fn criteria(options: &Compare) -> Result<Criteria, Failure> {
    show::check(options)?;
    method(options, None).map(|method| method.criteria)
}

/// The tables of a query by the rules that were recorded with the data, with means; nothing is checked. With `ranks`, all pairs of
/// a row are compared, and the best by that centre comes first.
pub(crate) fn tabulated(
    data: &Dataset,
    query: QuerySpec,
    options: &Compare,
    ranks: Option<Centre>,
) -> Result<Tables, Failure> {
    let recorded = data.run_sets.iter().find_map(|set| set.settings.as_ref());
    let method = method(options, recorded.map(|settings| settings.criteria))?;
    let method = Method { ranks, means: true, ..looked(options, data, method)? };
    let query = Query::new(query);
    query.check(data).map_err(Failure::new)?;
    Ok(tabulate_checked(data, query, &method, None))
}

/// Tabulates, checks and shows.
fn tables(
    options: &Compare,
    mut data: Dataset,
    method: Method,
    Builds { controls, load, page }: Builds<'_>,
) -> Result<Exit, Failure> {
    if options.show.style == StyleArg::Etalon {
        history::add(&mut data, &options.judging.history)?;
    }
    let asked = match options.show.style {
        StyleArg::Benchstat => asked(options, QuerySpec::default())?,
        StyleArg::Etalon => asked(options, usual(options, &data)?)?,
    };
    let query = Query::new(asked);
    query.check(&data).map_err(Failure::new)?;
    check_sparse(&query, &data)?;
    let ranks = options.look.ranks();
    let method = Method { ranks, ..looked(options, &data, method)? };
    let check = checks::asked(options, &method.paid(&data));
    let of_pictures = options.show.page.is_asked().then(|| query.clone());
    let mut tables = tabulate_checked(&data, query, &method, check.as_ref());
    if let Some(controls) = controls {
        tables.withhold(controls);
    }
    if tables.tables.is_empty() {
        return Err(nothing(options, &data));
    }
    check_margin(options, &tables)?;
    checks::check_units(options, &tables)?;
    let checked = checks::checked(options, &tables, &data);
    let mut remarks = [checks::endings(&data), checked.notes.clone()].concat();
    remarks.extend(etalon_report::compare::cut_short(&data));
    remarks.extend(doctor::remarks(&data));
    remarks.extend(paid(&data, &method));
    remarks.extend(data.run_sets.iter().flat_map(controlled::read));
    remarks.extend(controls.iter().flat_map(|controls| controlled::remarks(controls, &tables)));
    remarks.extend(data.run_sets.iter().flat_map(|set| controlled::builds(&set.context)));
    remarks.extend(order_unsaid(&data, &tables));
    remarks.extend(kept_apart(&tables));
    remarks.extend(match controls {
        Some(_) => load,
        None => etalon_report::compare::load_changed(&data),
    });
    let interleaved_by = interleaved_by(&data);
    let (beside, of_page) = match of_pictures {
        Some(query) => (
            beside(&data, query, &method, &tables),
            page.unwrap_or_else(|| pages::data(&data, metrics::WALL)),
        ),
        None => (Vec::new(), html::Data::default()),
    };
    // The largest thing there is; what is shown does not need it.
    drop(data);
    let said = Remarks { failed: &checked.reasons(), remarks: &remarks, interleaved_by };
    let compared = Compared { beside: &beside, controls };
    let empty = nothing_compared(&tables).filter(|_| options.show.style == StyleArg::Etalon);
    show::show(options, (tables, compared), &checked, (said, &of_page))?;
    Ok(exit(&checked, empty))
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

/// Refuses tables that would be nearly empty.
fn check_sparse(query: &Query, data: &Dataset) -> Result<(), Failure> {
    let Some(Sparse { rows, columns, cells }) = query.sparse(data) else { return Ok(()) };
    Err(Failure::about(
        "--row, --col",
        format!(
            "{rows} rows and {columns} columns hold {cells} cells, so nearly every place is empty and hardly a \
             row has two to compare: name keys whose values come together, make tables of one of them (--table), \
             or choose with --filter"
        ),
    ))
}

/// Why there is no table.
fn nothing(options: &Compare, data: &Dataset) -> Failure {
    match &options.queries.filter {
        _ if data.values.is_empty() => {
            Failure::new("the data have no finite value: there is nothing to compare")
        }
        Some(filter) => Failure::about(
            format!("--filter {}", copied(filter)),
            format!(
                "nothing passes it, or the lists of fixed orders: there is nothing to compare{}",
                units(data, filter)
            ),
        ),
        None => {
            Failure::new("nothing is in the lists of fixed orders: there is nothing to compare")
        }
    }
}

/// The units there are, for a filter that names one.
fn units(data: &Dataset, filter: &str) -> String {
    if !filter.contains(".unit") || data.units.is_empty() {
        return String::new();
    }
    format!("; units in the data: {}", data.units.join(", "))
}

/// Refuses an amount that no table is held against.
fn check_margin(options: &Compare, tables: &Tables) -> Result<(), Failure> {
    let Some(margin) = options.judging.margin else { return Ok(()) };
    let bases: Vec<Base> = tables.tables.iter().map(|table| table.base.clone()).collect();
    let units: BTreeSet<&str> = tables.tables.iter().map(|table| table.unit.as_str()).collect();
    let compared = units.into_iter().collect::<Vec<_>>().join(", ");
    values::margin_applies(margin, &bases, &compared).map_err(Failure::new)
}

/// The queries as typed, and the rest by default. What is ignored by default stays so.
///
/// # Errors
/// The first that cannot be read, in the order of the fields of [`QuerySpec`].
fn asked(options: &Compare, default: QuerySpec) -> Result<QuerySpec, Failure> {
    let Queries { filter, table, row, col, ignore, columns } = &options.queries;
    let filter = filter.as_deref().map(|text| read("filter", text, Filter::parse)).transpose()?;
    let table = projection("table", table)?;
    let (row, col) = (projection("row", row)?, projection("col", col)?);
    Ok(QuerySpec {
        filter: filter.unwrap_or(default.filter),
        table: table.unwrap_or(default.table),
        row: row.unwrap_or(default.row),
        col: col.or_else(|| columns.clone()).unwrap_or(default.col),
        ignore: projection("ignore", ignore)?.unwrap_or_default().and(&default.ignore),
    })
}

/// What is typed behind an option.
fn projection(option: &'static str, typed: &Option<String>) -> Result<Option<Projection>, Failure> {
    typed.as_deref().map(|text| read(option, text, Projection::parse)).transpose()
}

fn read<T>(
    option: &'static str,
    text: &str,
    parse: fn(&str) -> Result<T, QueryError>,
) -> Result<T, Failure> {
    parse(text).map_err(|error| Failure::new(AskError { option, error }))
}

/// What is asked of the data by default. A key that is asked for is not ignored by default, and one that tells
/// rows or columns apart, or is to be ignored, tells no tables apart.
fn usual(options: &Compare, data: &Dataset) -> Result<QuerySpec, Failure> {
    let nothing = QuerySpec {
        filter: Filter::everything(),
        table: Projection::default(),
        row: Projection::default(),
        col: Projection::default(),
        ignore: Projection::default(),
    };
    let typed = asked(options, nothing)?;
    let mut usual = natural_beside(data, &[&typed.row, &typed.col, &typed.ignore]);
    let QuerySpec { filter, table, row, col, ignore } = typed;
    let is_typed = |key: &Key| {
        filter.mentions().iter().any(|mention| mention.key == *key)
            || [&table, &row, &col, &ignore].iter().any(|projection| projection.names(key))
    };
    if usual.ignore.fields().iter().any(|field| is_typed(&field.mention.key)) {
        usual.ignore = Projection::default();
    }
    Ok(usual)
}

/// By which rules: as typed, else as `recorded`, else as usual.
fn method(options: &Compare, recorded: Option<Criteria>) -> Result<Method, Failure> {
    let judging = &options.judging;
    let style = match options.show.style {
        StyleArg::Etalon => Style::Etalon,
        StyleArg::Benchstat => Style::Benchstat,
    };
    let default = Method::new(style);
    let checked = !options.checks.fail_on.is_empty();
    let correction = default.criteria.correction;
    let usual = recorded.map_or(default.criteria, |recorded| Criteria {
        correction: recorded.correction.or(correction),
        ..recorded
    });
    let criteria = Criteria {
        alpha: judging.alpha.unwrap_or(usual.alpha),
        confidence: judging.confidence.unwrap_or(usual.confidence),
        levels: judging.confidence.map_or(usual.levels, |_| Levels::Common),
        margin: judging.margin.unwrap_or(usual.margin),
        at_least: judging.at_least.or(usual.at_least),
        between: judging.between.or(usual.between),
        correction: judging.correction.or(usual.correction.filter(|_| !checked)),
        ..usual
    };
    let (scales, means) = (show::scales(options), show::has_means(options));
    let method = Method { criteria, scales, means, threads: settings::threads(), ..default };
    let refused = |what: &str| {
        Failure::new(format!("{what} has no effect with --style benchstat: leave one of them out"))
    };
    match style {
        Style::Etalon if !(criteria.alpha > 0.0 && criteria.alpha < 1.0) => {
            Err(Failure::new("--alpha: write a number between 0 and 1, such as 0.05"))
        }
        Style::Etalon if !(0.5..=0.999_999).contains(&criteria.confidence) => {
            Err(Failure::new("--confidence: write a level between 50% and 99.9999%, such as 95%"))
        }
        Style::Benchstat if judging.correction.is_some() => Err(refused("--correction")),
        Style::Benchstat if judging.margin.is_some() => Err(refused("--margin")),
        Style::Benchstat if judging.at_least.is_some() => Err(refused("--at-least")),
        Style::Benchstat if judging.between.is_some() => Err(refused("--between")),
        Style::Benchstat if !judging.history.is_empty() => Err(refused("--history")),
        _ => Ok(method),
    }
}

/// The method for data that were executed until decided: the alpha that their looks share is the recorded one,
/// of several the strictest, unless another is asked for; a level cannot be.
fn looked(options: &Compare, data: &Dataset, method: Method) -> Result<Method, Failure> {
    let looked = data.run_sets.iter().filter_map(|set| set.looked);
    let Some(alpha) = looked.map(|looked| looked.alpha).min_by(f64::total_cmp) else {
        return Ok(method);
    };
    if options.judging.confidence.is_some() {
        return Err(Failure::new(LEVEL_FOLLOWS));
    }
    let alpha = options.judging.alpha.unwrap_or(alpha);
    Ok(Method { criteria: Criteria { alpha, ..method.criteria }, ..method })
}
