//! `etalon go`: from what was typed to test binaries and an experiment on their benchmarks; executed, saved and shown.
//!
//! Here: the course of things. Packages and subjects are [`prepared`]'s, sides [`sites`]', the tables of such a run, also
//! later, [`crate::packages`]', and what of it other machines are sent [`elsewhere`]'s.

mod benches;
mod built;
mod elsewhere;
mod origins;
mod prepared;
mod request;
mod sites;

use std::any::Any;
use std::path::Path;

use etalon_core::dataset::Dataset;
use etalon_core::metrics;
use etalon_core::model::Sides;
use etalon_probe::launcher;
use etalon_probe::launcher::protocol::{Cgroup, Counters};
use etalon_record::foreign;
use etalon_run::go::GoBenchmarks;

use crate::cli::{self, Comparison};
use crate::compare::{checks, families};
use crate::course::{self, Job};
use crate::enough::AfterFirst;
use crate::executed::Executed;
use crate::failure::{Exit, Failure};
use crate::interim::Interim;
use crate::packages::{check, tables};
use crate::planning::OfSides;
use crate::progress::Watched;
use crate::replace::Target;
use crate::showing::{self, Show};
use crate::{compare, pages, pilot, report, services};
use prepared::Prepared;

/// Runs the subcommand.
pub(crate) fn run(options: &cli::Go) -> Result<Exit, Failure> {
    let asked = request::Request::from_options(options);
    check_checks(options)?;
    let plan = options.amount.plan;
    pilot::blocks(options.amount.runs, plan)?;
    check(&options.show, asked.base.is_some() || asked.base_binary.is_some())?;
    let target = target(&options.recording, plan)?;
    pages::check_beside(&options.show.page, options.recording.output.as_deref())?;
    let services = services::declared(&options.services)?;
    services::check(&services, Path::new(""))?;
    let compare = options.comparison();
    refuse_units(&compare)?;
    let criteria = compare::criteria(&compare)?;
    let recording = options.recording.without_lines_of_go();
    let mut watch = course::watch(&recording, options.show.quiet, Interim::none())?;
    let prepared = match options.nodes.is_node() {
        true => elsewhere::arrived(&asked, &watch)?,
        false => prepared::prepare(&asked, &watch)?,
    };
    let luggage = elsewhere::luggage(options, &prepared)?;
    let Prepared { mut experiment, setup, on_sides, room, .. } = prepared;
    experiment.settings.criteria = criteria;
    let sides = experiment.sides;
    let remarks = vec![prepared::announced(&asked, &experiment, &setup)];
    let promised = prepared::expected_seconds(&asked, &experiment, &setup);
    let watched = Some(Watched::commands(&experiment));
    let executor = Box::new(services::around(GoBenchmarks::new(setup), services, &watch)?);
    let after_first = sides.map(|sides| after_first(options, &compare, sides));
    let holds: Vec<Box<dyn Any>> = vec![Box::new(room)];
    let refusal = families::refusal(&compare, sides);
    let mut job = Job {
        watched,
        remarks,
        promised,
        after_first,
        refusal,
        holds,
        nodes: options.nodes.clone(),
        luggage,
        ..Job::new(experiment, executor)
    };
    if sides.is_none() {
        // Benchmarks of one side are compared with nothing.
        job.family.comparisons = 0;
    }
    let job = crate::sides::around(job, on_sides, &compare)?;
    let explain_noise = options.explain_noise;
    match plan {
        true => course::run(job, &recording, &mut watch, &mut OfSides { compare, sides }),
        false => {
            let mut shown = Packages { compare, explain_noise, target };
            course::run(job, &recording, &mut watch, &mut shown)
        }
    }
}

/// Refuses checks of two sides where there is one, and those of a revision where there is none.
fn check_checks(cli::Go { base, base_binary, checks, .. }: &cli::Go) -> Result<(), Failure> {
    if base.is_none()
        && base_binary.is_none()
        && let Some(given) = checks.given()
    {
        let why = "is of two sides: --base REV measures another revision beside the working tree";
        return Err(Failure::about(given, why));
    }
    if base_binary.is_some() && checks.file.is_some() {
        let why = "is read from the revision of the base, which a binary has none of: --base REV names one";
        return Err(Failure::about("--checks", why));
    }
    Ok(())
}

/// Refuses what etalon measures of whole commands, before anything is built: no benchmark of Go has it. One may give a number
/// of that name to `ReportMetric`, which is named by its whole unit.
fn refuse_units(asked: &Comparison) -> Result<(), Failure> {
    let of_commands = launcher::metrics(None, Counters::On, Cgroup::On);
    let never_comes =
        |unit: &str| unit != metrics::WALL && of_commands.iter().any(|metric| metric.name == unit);
    let instead = "Go has sec/op, B/op, allocs/op and what benchmarks report by themselves: write its whole unit, such as \
                   p99-sec or cpu-sec/op";
    checks::refuse_units(asked, never_comes, instead)
}

/// The comparisons of all benchmarks, which are known after the first block.
fn after_first(options: &cli::Go, compare: &Comparison, sides: Sides) -> AfterFirst {
    let compare = compare.clone();
    let of = Box::new(move |data: &Dataset| families::measured(&compare, data, sides));
    AfterFirst { of, is_fixed: options.amount.runs.is_some() }
}

/// The file for Go's lines, which is replaced as a whole.
fn target(recording: &cli::Recording, plan: bool) -> Result<Option<Target>, Failure> {
    let Some(name) = recording.output.as_ref().filter(|_| recording.is_of_go()) else {
        return Ok(None);
    };
    if plan {
        let why = "Go's lines are of a comparison, not of a pilot: leave it out, or name a .jsonl for the record";
        return Err(Failure::about("--plan with -o", why));
    }
    let target = Target::check("-o", name, "`etalon convert @last --to go` prints Go's lines")?;
    if target.holds_something() && !recording.force {
        let why = "exists and is not empty: choose another name, or replace it with --force";
        return Err(Failure::about(target.subject(), why));
    }
    Ok(Some(target))
}

/// The tables of packages, and Go's lines.
struct Packages {
    compare: Comparison,
    explain_noise: bool,
    target: Option<Target>,
}

impl Show for Packages {
    fn show(&mut self, executed: &Executed, mut data: Dataset) -> Result<Exit, Failure> {
        if let Some(target) = &self.target {
            target.replace(|out| foreign::write_go(&data, out))?;
        }
        let explained = self.explain_noise.then(|| data.clone());
        let checked = match data.values.is_empty() {
            true => {
                compare::failed::tell(&data);
                Exit::Done
            }
            false => {
                showing::label(&mut data);
                tables(self.compare.clone(), data)
                    .map_err(|failure| failure.after_saving(executed.kept.reference.as_deref()))?
            }
        };
        explained.map_or(Ok(checked), |data| report::explain_readings(&data).map(|()| checked))
    }

    fn is_silent(&self) -> bool {
        self.compare.show.quiet || self.compare.show.json
    }
}
