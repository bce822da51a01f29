//! `--plan`: a pilot of a few blocks, and what it says of the blocks that a comparison takes here.
//!
//! Owns which comparisons those are, and the command line that measures as many blocks. What a pilot says is
//! [`etalon_core::power`]'s, how it is shown [`etalon_report::planned`]'s. The pilot is a record as any other.

use std::io::{self, BufWriter};

use etalon_core::analysis::{Execution, analyse, executions, medians, pilots_of_one};
use etalon_core::compare::Evidence;
use etalon_core::criteria::Criteria;
use etalon_core::dataset::Dataset;
use etalon_core::metrics;
use etalon_core::model::{BASE, HEAD, Harness, Sides};
use etalon_core::plan::Settings;
use etalon_core::power::{
    DIFFERENCES, Pilot, PlannedCriteria, Unplanned, criteria_of_pilot, for_precision, plan,
};
use etalon_core::run_set::StoppedBy;
use etalon_core::shell::copied;
use etalon_core::tables::{QuerySpec, Table, Tables, is_wall, natural_beside};
use etalon_report::json;
use etalon_report::planned::{self, ByOther, Forecast, Precision, Subjects};
use etalon_report::text::clean;

use crate::cli::{self, Comparison};
use crate::compare::{self, sides};
use crate::executed::Executed;
use crate::failure::{Exit, Failure};
use crate::showing::Show;
use crate::{output, pilot, settings};

/// Two that were measured in the same blocks.
struct Contest {
    names: [String; 2],
    pilot: Pilot,
    wanted: PlannedCriteria,
}

/// A subject that was measured alone.
struct Alone {
    name: String,
    pilot: Pilot,
    wanted: PlannedCriteria,
    /// The half-width of the interval of its median, as a share.
    reached: Option<f64>,
}

/// How a pilot is judged and shown.
struct PilotReport<'a> {
    executed: &'a Executed,
    metric: String,
    criteria: Criteria,
    /// Its runs, where a document is asked for.
    executions: Option<Vec<Execution>>,
}

/// A pilot of commands or cases: what comparing them as their ranking would takes.
pub(crate) struct OfRanking<'a>(pub(crate) &'a cli::Reporting);

impl Show for OfRanking<'_> {
    fn show(&mut self, executed: &Executed, data: Dataset) -> Result<Exit, Failure> {
        is_whole(executed)?;
        let settings = settings::combined(&data, &self.0.analysis);
        let (metric, criteria) = (settings.metric.clone(), settings.criteria);
        let executions = self.0.view.json.then(|| executions(&data));
        let asked = PilotReport { executed, metric, criteria, executions };
        let contests = of_rankings(&data, &settings)?;
        let by_cpu = Settings { metric: metrics::CPU.to_owned(), ..settings.clone() };
        let is_of_wall = settings.metric == metrics::WALL;
        let beside = is_of_wall.then(|| of_rankings(&data, &by_cpu).ok()).flatten();
        let beside = beside.map(|contests| Beside { contests, option: " with --metric cpu" });
        shown(&asked, (&contests, beside), || alone(&data, &settings))
    }

    fn is_silent(&self) -> bool {
        self.0.view.quiet || self.0.view.json
    }

    fn is_pilot(&self) -> bool {
        true
    }
}

/// A pilot of two sides of a project: what comparing them as their tables would takes. Without sides, of what was measured
/// on one alone.
pub(crate) struct OfSides {
    pub(crate) compare: Comparison,
    pub(crate) sides: Option<Sides>,
}

impl Show for OfSides {
    fn show(&mut self, executed: &Executed, data: Dataset) -> Result<Exit, Failure> {
        is_whole(executed)?;
        let settings = settings::recorded(&data);
        let criteria = compare::criteria(&self.compare)?;
        let executions = self.compare.show.json.then(|| executions(&data));
        let Some(sides) = self.sides else {
            let metric = self.compare.show.metric.clone().unwrap_or_else(|| time(&data));
            let settings = Settings { metric, criteria, ..settings };
            let metric = settings.metric.clone();
            let asked = PilotReport { executed, metric, criteria, executions };
            return shown(&asked, (&[], None), || alone(&data, &settings));
        };
        let tables = tables_of_sides(&data, self.compare.clone(), (criteria, sides))?;
        let metric = time(&data);
        let is_meant = |table: &&Table| table.unit == metric || is_wall(&table.unit);
        let found = tables.leading().find(is_meant).or_else(|| tables.leading().next());
        let table = found.ok_or_else(|| nothing(Unplanned::TooFew))?;
        let contests = contests_of_table(table, &criteria)?;
        let cpu = tables.tables.iter().find(|it| it.unit == CPU_OF_SIDES && it.unit != table.unit);
        let beside = cpu.and_then(|table| contests_of_table(table, &criteria).ok());
        let beside = beside.map(|contests| Beside { contests, option: "" });
        let asked = PilotReport { executed, metric: table.unit.clone(), criteria, executions };
        shown(&asked, (&contests, beside), || Ok(Vec::new()))
    }

    fn is_silent(&self) -> bool {
        self.compare.show.quiet || self.compare.show.json
    }

    fn is_pilot(&self) -> bool {
        true
    }
}

/// Refuses a pilot that was not measured to its end.
fn is_whole(executed: &Executed) -> Result<(), Failure> {
    executed.damage()?;
    match executed.finished.stopped_by {
        StoppedBy::Runs => Ok(()),
        StoppedBy::Interrupt => {
            Err(Failure::interrupted("the pilot was interrupted: nothing is planned"))
        }
        _ => Err(Failure::new("the pilot did not come to its end: nothing is planned")),
    }
}

fn of_rankings(data: &Dataset, settings: &Settings) -> Result<Vec<Contest>, Failure> {
    let criteria = criteria_of_pilot(settings.criteria);
    let read = Settings { criteria, ..settings.clone() };
    let analysis = analyse(data, &read).map_err(|_| nothing(Unplanned::TooFew))?;
    let mut contests = Vec::new();
    for ranking in &analysis.rankings {
        let criteria = settings.criteria.for_unit(ranking.metric.unit.base());
        for comparison in &ranking.comparisons {
            let names = [comparison.base, comparison.candidate];
            let names = names.map(|at| clean(&analysis.benchmarks[at].label));
            let assessment = &comparison.assessment;
            let strictest = assessment.adjusted.strictest;
            contests.push(contest(names, &assessment.evidence, strictest, &criteria)?);
        }
    }
    Ok(contests)
}

fn contest(
    names: [String; 2],
    evidence: &Evidence,
    strictest: f64,
    criteria: &Criteria,
) -> Result<Contest, Failure> {
    let pilot = Pilot::from_evidence(evidence).map_err(nothing)?;
    Ok(Contest {
        names,
        pilot,
        wanted: PlannedCriteria::new(criteria, strictest, evidence.base_median),
    })
}

/// The unit of CPU time in tables of two sides.
const CPU_OF_SIDES: &str = "cpu-sec/op";

/// The tables of two sides.
fn tables_of_sides(
    data: &Dataset,
    mut options: Comparison,
    (criteria, sides): (Criteria, Sides),
) -> Result<Tables, Failure> {
    let data = sides::joined(data)?;
    let data = data.as_ref();
    options.judging.confidence = Some(criteria_of_pilot(criteria).confidence);
    let columns = sides::columns(sides);
    let natural = natural_beside(data, &[&columns]);
    let spec = QuerySpec { col: columns, ..natural };
    compare::tabulated(data, spec, &options, None)
}

/// The comparisons of a table of two sides.
fn contests_of_table(table: &Table, criteria: &Criteria) -> Result<Vec<Contest>, Failure> {
    let criteria = criteria.for_unit(&table.base);
    let mut contests = Vec::new();
    for row in &table.rows {
        let Some(comparison) = row.cells.get(1).and_then(|cell| cell.as_ref()?.comparison.as_ref())
        else {
            continue;
        };
        let Some(assessment) = &comparison.assessment else { continue };
        let name: Vec<&str> = row.labels.iter().flatten().map(String::as_str).collect();
        let name = clean(&name.join(" "));
        let names = [BASE, HEAD].map(|side| format!("{name} ({side})"));
        let strictest = assessment.adjusted.strictest;
        contests.push(contest(names, &assessment.evidence, strictest, &criteria)?);
    }
    Ok(contests)
}

/// The unit or metric of times that data have.
fn time(data: &Dataset) -> String {
    let names = data.metric_names();
    let usual = ["sec/op", "wall"].into_iter().find(|name| names.contains(name));
    usual.or(names.first().copied()).unwrap_or("wall").to_owned()
}

fn alone(data: &Dataset, settings: &Settings) -> Result<Vec<Alone>, Failure> {
    let groups = data.groups();
    let medians = medians(data, settings);
    let is_of_results = data.run_sets.iter().any(|set| set.harness == Some(Harness::Results));
    let mut all = Vec::new();
    for ((group, pilot), median) in groups.iter().zip(pilots_of_one(data, settings)).zip(medians) {
        // A whole command has other metrics than what it measured.
        let is_whole = is_of_results && group.benchmark.command.is_some();
        if is_whole && pilot.is_err() {
            continue;
        }
        let pilot = pilot.map_err(nothing)?;
        let size = median.as_ref().map_or(0.0, |median| median.value);
        let wanted = PlannedCriteria::new(&settings.criteria, settings.criteria.alpha, size);
        let reached = median.as_ref().and_then(|median| median.relative_half_width());
        let name = clean(&group.benchmark.label());
        all.push(Alone { name, pilot, wanted, reached });
    }
    Ok(all)
}

/// Why there is no plan.
fn nothing(why: Unplanned) -> Failure {
    Failure::new(match why {
        Unplanned::NotInBlocks => pilot::IN_SEQUENCE,
        Unplanned::TooFew => "--plan: too few executions came to a result; nothing is planned",
        Unplanned::NotPositive => {
            "--plan: values at or below 0 have no ratio, and differences are planned as shares; \
             choose another --metric"
        }
        Unplanned::Exact => {
            "--plan: the values are exact, so that any difference shows in the first blocks"
        }
    })
}

/// The comparisons by CPU time, in which there is no waiting.
struct Beside {
    contests: Vec<Contest>,
    /// The option to type for verdicts by it.
    option: &'static str,
}

fn pilots(contests: &[Contest]) -> Vec<(Pilot, PlannedCriteria)> {
    contests.iter().map(|contest| (contest.pilot, contest.wanted)).collect()
}

fn shown(
    asked: &PilotReport<'_>,
    (contests, beside): (&[Contest], Option<Beside>),
    alone: impl FnOnce() -> Result<Vec<Alone>, Failure>,
) -> Result<Exit, Failure> {
    let most = |a: &f64, b: &f64| a.total_cmp(b);
    if let Some(worst) = contests.iter().max_by(|a, b| most(&a.pilot.scatter(), &b.pilot.scatter()))
    {
        let [base, candidate] = &worst.names;
        let names = [base.as_str(), candidate];
        let subjects = match contests.len() {
            1 => Subjects::Two(names),
            comparisons => Subjects::Several { comparisons, most: names },
        };
        let planned = beside.as_ref().map(|it| plan(&pilots(&it.contests), &DIFFERENCES));
        let beside = beside.zip(planned.as_ref()).map(|(it, differences)| ByOther {
            metric: metrics::CPU,
            differences,
            option: it.option,
        });
        return write(asked, subjects, (&pilots(contests), worst.pilot), (beside, None));
    }
    let alone = alone()?;
    let worst = alone.iter().max_by(|a, b| most(&a.pilot.scatter(), &b.pilot.scatter()));
    let worst = worst.ok_or_else(|| nothing(Unplanned::TooFew))?;
    let subjects = Subjects::One { name: &worst.name, of: alone.len() };
    let widest = alone.iter().filter_map(|one| one.reached).max_by(most);
    write(asked, subjects, (&[(worst.pilot, worst.wanted)], worst.pilot), (None, widest))
}

fn write(
    asked: &PilotReport<'_>,
    subjects: Subjects<'_>,
    (pilots, worst): (&[(Pilot, PlannedCriteria)], Pilot),
    (beside, reached): (Option<ByOther<'_>>, Option<f64>),
) -> Result<Exit, Failure> {
    let pace = asked.executed.finished.pace;
    let differences = plan(pilots, &DIFFERENCES);
    let for_target = |reached: f64| {
        DIFFERENCES.map(|target| (target, for_precision(reached, pace.blocks as usize, target)))
    };
    let targets = reached.map(for_target);
    let precision =
        reached.zip(targets.as_ref()).map(|(reached, targets)| Precision { reached, targets });
    let strictest = pilots.iter().map(|(_, wanted)| wanted.strictest).fold(1.0, f64::min);
    let command = |blocks| command_line(std::env::args(), blocks);
    let forecast = Forecast {
        subjects,
        metric: &asked.metric,
        differences: &differences,
        beside,
        precision,
        pilot: worst,
        pace,
        alpha: (asked.criteria.alpha, strictest),
        command: &command,
    };
    let mut out = BufWriter::new(io::stdout().lock());
    let written = match &asked.executions {
        Some(executions) => {
            let settings = json::Settings::new(&asked.criteria).for_metric(&asked.metric, None);
            planned::json(&forecast, (executions, settings), &mut out)
        }
        None => planned::write(&forecast, output::table_view(false), &mut out),
    };
    written.map_err(|error| Failure::of_output(&error))?;
    Ok(Exit::Done)
}

/// The command line as typed, which measures so many blocks in place of a pilot.
fn command_line(words: impl Iterator<Item = String>, blocks: u32) -> String {
    let mut kept = vec!["etalon".to_owned()];
    let mut words = words.skip(1);
    kept.extend(words.next());
    kept.extend(["-r".to_owned(), blocks.to_string()]);
    while let Some(word) = words.next() {
        match word.as_str() {
            "--" => {
                kept.push(word);
                kept.extend(words.by_ref());
            }
            "--plan" | "--json" => {}
            "-r" | "--runs" => drop(words.next()),
            _ if word.starts_with("--runs=") => {}
            _ if word.strip_prefix("-r").is_some_and(is_number) => {}
            _ => kept.push(word),
        }
    }
    kept.iter().map(|word| copied(word).into_owned()).collect::<Vec<_>>().join(" ")
}

/// Whether a number stands behind `-r` without a space.
fn is_number(rest: &str) -> bool {
    rest.trim_start_matches('=').parse::<u32>().is_ok()
}

#[cfg(test)]
mod tests {
    use super::command_line;

    /// Would catch words of the measured command that are taken for etalon's own.
    #[test]
    fn the_command_line_is_the_one_that_was_typed() {
        let line = |words: &str| command_line(words.split(' ').map(str::to_owned), 80);
        assert_eq!(line("/x/etalon cmd --plan true"), "etalon cmd -r 80 true");
        assert_eq!(line("etalon cmd -r 20 --plan a b"), "etalon cmd -r 80 a b");
        assert_eq!(line("etalon cmd -r20 --plan --runs=5 a"), "etalon cmd -r 80 a");
        assert_eq!(line("etalon ab main --plan -- p -r 5"), "etalon ab -r 80 main -- p -r 5");
    }
}
