//! `etalon history check`: every series is looked at for steps, and what is found is held against the project's checks.
//!
//! Here: the course of things. What a step is, is core's; words are [`etalon_report::steps`]'; what is measured before it
//! is called one, [`confirm`]'s. Refuses to fail for what is only suspected.

mod confirm;
mod evidence;
mod line;
mod outcome;
mod series;

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, BufWriter, Write};

use etalon_core::criteria::{Criteria, Margin};
use etalon_core::history::{Answer, Check, FalseAlarms, Finding, Question, Series, Watch, answer};
use etalon_history::{Database, Kind, SeriesRow, chosen};
use etalon_report::html::{self, PagePoints};
use etalon_report::json::{CheckOutcome, Settings};
use etalon_report::steps::{self, HistoryReport, Span};

use super::there;
use crate::cli::{CheckFormat, HistoryCheck};
use crate::compare::checks::declared::{self, Declared};
use crate::failure::{Exit, Failure};
use crate::pages::INSTEAD;
use crate::replace::Target;
use crate::{output, saved};
use confirm::Confirming;
pub(crate) use confirm::Measure;
use evidence::Answers;
pub(crate) use line::Line;
use line::Recipe;
use outcome::{Demand, Outcome};

/// Level of intervals.
const LEVEL: f64 = 0.95;
const YEAR: f64 = 365.25 * 86_400.0;
/// Rates of points are not taken from less time. Because: the first points of a project are often added in an hour.
const LEAST: f64 = 30.0 * 86_400.0;

/// Runs the subcommand; `measure` measures two commits against each other.
pub(super) fn run(asked: &HistoryCheck, measure: Measure<'_>) -> Result<Exit, Failure> {
    let margin = margin(asked.margin)?;
    let declared = declared(asked)?;
    let demand = Demand::new(asked, declared.as_ref());
    let target = asked.html.as_ref().map(|name| Target::check("--html", name, INSTEAD));
    let target = target.transpose()?;
    let Some(mut database) = there()? else { return Ok(Exit::Unclear) };
    let (rows, allowed) = rows(asked, &database)?;
    let watch = Watch::EveryPoint(allowed);
    let now = etalon_run::now().as_duration().as_secs_f64();
    let question = Question {
        check: Check { watch, margin, level: LEVEL },
        now,
        recent: now - asked.recent.as_duration().as_secs_f64(),
        declared: declared.as_ref().map(Declared::declarations),
    };
    let mut answers = Vec::with_capacity(rows.len());
    let mut page = target.map(|target| (target, PagePoints::default()));
    for row in &rows {
        let points = database.points(row.id).map_err(Failure::new)?;
        let series = series::read(row, &points);
        if let Some((_, page)) = &mut page {
            let unit = (row.key.kind == Kind::Absolute).then(|| row.key.unit.clone());
            page.add(&series, &series::page_points(&points), unit);
        }
        let answer = answer(&series, &question);
        answers.push((series, answer));
    }
    let of = Answers { rows: &rows, answers: &mut answers, margin, declared: question.declared };
    let (ended, spans) = confirmed(asked, of, &mut database, measure)?;
    let order = worst_first(&answers);
    let answers = in_order(answers, &order);
    let outcome = Outcome::new(&answers, &demand, declared.as_ref());
    let exit = if ended == Exit::Interrupted { ended } else { outcome.exit() };
    let report = HistoryReport {
        answers: &answers,
        allowed,
        critical: watch.critical(),
        outcome: CheckOutcome {
            exit: exit.code(),
            family: answers.len(),
            thresholds: &demand.check.thresholds,
            waivers: &outcome.waivers,
            failed: &outcome.failed,
            unchecked: &outcome.unchecked,
        },
        spans: &spans,
        is_full: asked.full,
    };
    if let Some((target, points)) = page {
        let text = html::history(&report, &points.in_order(&order));
        target.replace(|out| out.write_all(text.as_bytes()))?;
    }
    shown(asked, &report)?;
    Ok(exit)
}

/// The numbers of series, the worst first.
fn worst_first(answers: &[(Series, Answer)]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..answers.len()).collect();
    let rank = |at: usize| (answers[at].1.state(), largest(&answers[at].1));
    order.sort_by(|a, b| {
        let (one, other) = (rank(*a), rank(*b));
        one.0.cmp(&other.0).then(other.1.total_cmp(&one.1))
    });
    order
}

fn in_order(answers: Vec<(Series, Answer)>, order: &[usize]) -> Vec<(Series, Answer)> {
    let mut all: Vec<Option<(Series, Answer)>> = answers.into_iter().map(Some).collect();
    order.iter().filter_map(|at| all.get_mut(*at)?.take()).collect()
}

/// Weighs what was found by what is remembered, and where that is asked for by what is measured now.
fn confirmed(
    asked: &HistoryCheck,
    mut of: Answers<'_>,
    database: &mut Database,
    measure: Measure<'_>,
) -> Result<(Exit, Vec<Span>), Failure> {
    let store = saved::store()?;
    of.remember(database)?;
    let mut ended = Exit::Done;
    if asked.confirm {
        let (budget, failed) = (asked.total_budget, BTreeMap::new());
        let mut confirming = Confirming { store: &store, database, measure, budget, failed };
        ended = confirming.run(&mut of)?;
    }
    let database = &*database;
    let typed = |row: &SeriesRow, [before, after]: [&str; 2]| {
        let recipe = Recipe::recorded((&store, database), row, [after, before]);
        let line = recipe.and_then(|recipe| recipe.line(before, after));
        line.map_or_else(|_| format!("etalon ab {before} {after}"), |line| line.typed())
    };
    Ok((ended, of.spans(database, typed)?))
}

/// The series that are looked at, and the false alarms that all of their projects are allowed.
fn rows(
    asked: &HistoryCheck,
    database: &Database,
) -> Result<(Vec<SeriesRow>, FalseAlarms), Failure> {
    let words: Vec<String> =
        asked.series.iter().flat_map(|it| it.split_whitespace()).map(str::to_owned).collect();
    let all = database.series(&[]).map_err(Failure::new)?;
    let chosen = chosen(&all, &words);
    if chosen.is_empty() && !words.is_empty() {
        let why = "no series has these words: `etalon history list --all` lists all";
        return Err(Failure::about("--series", why));
    }
    let projects: BTreeSet<&str> = chosen.iter().map(|it| it.key.project.as_str()).collect();
    let is_of_them = |row: &&SeriesRow| projects.contains(row.key.project.as_str());
    let of_projects: Vec<&SeriesRow> = all.iter().filter(is_of_them).collect();
    let whole = |number: u64| u32::try_from(number).unwrap_or(u32::MAX);
    let a_year = |row: &&SeriesRow| {
        f64::from(whole(row.points)) * YEAR / (row.latest - row.first).max(LEAST)
    };
    let count = whole(of_projects.len() as u64).max(1);
    let points = of_projects.iter().map(a_year).sum::<f64>() / f64::from(count);
    let allowed = FalseAlarms::new(asked.false_alarms.a_year, count, points.max(1.0));
    let allowed = allowed.ok_or_else(|| Failure::about("--false-alarms", "is no rate"))?;
    Ok((chosen, allowed))
}

/// The largest change of a series.
fn largest(answer: &Answer) -> f64 {
    let size = |finding: &Finding| finding.size.abs();
    answer.changes().map(size).fold(0.0, f64::max)
}

/// The margin on the scale of series: the logarithm of a ratio.
fn margin(typed: Option<Margin>) -> Result<f64, Failure> {
    match typed.unwrap_or(Margin::DEFAULT) {
        Margin::Relative(share) => Ok(share.ln_1p()),
        Margin::Absolute(..) => {
            Err(Failure::about("--margin", "a history is of ratios: write a share, such as 2%"))
        }
    }
}

fn declared(asked: &HistoryCheck) -> Result<Option<Declared>, Failure> {
    let Some(path) = &asked.file else { return Ok(None) };
    let Some(base) = &asked.base else { return declared::read(path).map(Some) };
    declared::at(path, base).map(Some)
}

fn shown(asked: &HistoryCheck, report: &HistoryReport<'_>) -> Result<(), Failure> {
    let mut out = BufWriter::new(io::stdout().lock());
    let margin = asked.margin.unwrap_or(Margin::DEFAULT);
    let settings = Settings::new(&Criteria { margin, ..Criteria::default() });
    let written = match asked.format {
        _ if asked.json => steps::json(report, settings, &mut out),
        CheckFormat::Json => steps::json(report, settings, &mut out),
        CheckFormat::Markdown => steps::markdown(report, &mut out),
        CheckFormat::Text => steps::write(report, output::table_view(false), &mut out),
    };
    written.map_err(|error| Failure::of_output(&error))
}
