//! `etalon noise`: the same command or suite in several runs one after the other, and against itself in blocks.
//!
//! Here: the course of things. What is executed is an experiment as `etalon cmd` and `etalon run` make it
//! ([`part`]); what it says is counted in core, and worded by [`etalon_report::noise`].

mod command;
mod part;

use std::io::{self, BufWriter};

use etalon_core::analysis::noise;
use etalon_core::criteria::Criteria;
use etalon_core::dataset::Dataset;
use etalon_core::plan::Settings;
use etalon_core::run_set::StoppedBy;
use etalon_report::noise::{self as words, Measured};
use etalon_report::number::counted;

use crate::cli;
use crate::failure::{Exit, Failure};
use crate::interim::Interim;
use crate::keeping::Saving;
use crate::progress::Watch;
use crate::session::{self, Executed, Keeping};
use crate::{known_noise, output, settings, stopped, tool};
use part::{Part, Prepared, Subject};

/// Runs the subcommand.
pub(crate) fn run(options: &cli::Noise) -> Result<Exit, Failure> {
    let seed = options.amount.seed.unwrap_or_else(tool::new_seed);
    let subject = Subject::of(options)?;
    let mut watch = Watch::new(options.quiet, Interim::none())?;
    let mut measured = Records::default();
    let runs = options.amount.in_sequence;
    if !options.quiet {
        let runs = counted(runs as usize, "run", "runs");
        output::remark(&format!("{} of {}, then blocks of two of it", runs, subject.shown()));
    }
    let of_runs = (0..runs).map(Part::Run);
    for part in of_runs.chain([Part::Blocks]) {
        let Some(prepared) = subject.prepared(options, (part, seed), &mut watch)? else {
            measured.exit = Exit::Interrupted;
            break;
        };
        let executed = executed(options, prepared, &mut watch)?;
        if executed.finished.failure.as_ref().is_some_and(stopped::cannot_start) {
            return Err(Failure::new("nothing was measured: the command cannot be started"));
        }
        measured.add(part, &executed)?;
        match executed.finished.stopped_by {
            // What failed was told; nothing is said of the noise of what fails.
            StoppedBy::Failure => return Ok(Exit::Failed),
            StoppedBy::Interrupt => break,
            _ => {}
        }
    }
    shown(options, &measured, seed)?;
    Ok(measured.exit)
}

/// Executes a part into a record of its own.
fn executed(
    options: &cli::Noise,
    prepared: Prepared,
    watch: &mut Watch<'_>,
) -> Result<Executed, Failure> {
    let Prepared { experiment, mut executor, watched } = prepared;
    watch.now_watches(watched);
    let kept = Keeping { saving: Saving::unless(options.no_save), second: None };
    let executed = session::execute(&experiment, &mut *executor, kept, watch)?;
    session::failure(&executed)?;
    Ok(executed)
}

/// What was measured so far.
struct Records {
    runs: Vec<Dataset>,
    blocks: Option<Dataset>,
    /// The id of the last one, if it is saved.
    last: Option<String>,
    exit: Exit,
}

impl Default for Records {
    fn default() -> Records {
        Records { runs: Vec::new(), blocks: None, last: None, exit: Exit::Done }
    }
}

impl Records {
    fn add(&mut self, part: Part, executed: &Executed) -> Result<(), Failure> {
        let data = executed.kept.read().map_err(Failure::new)?;
        let lost = data
            .groups()
            .iter()
            .any(|group| group.uncounted.len() > group.outcomes(&data).suspended);
        let exit = match session::exit(executed, None) {
            Exit::Done if lost => Exit::Failed,
            exit => exit,
        };
        self.exit = if exit == Exit::Done { self.exit } else { exit };
        self.last = executed.kept.is_saved().then(|| executed.kept.id().to_owned());
        match part {
            Part::Run(_) => self.runs.push(data),
            Part::Blocks => self.blocks = Some(data),
        }
        Ok(())
    }
}

fn shown(options: &cli::Noise, records: &Records, seed: u64) -> Result<(), Failure> {
    let Some(first) = records.runs.first() else {
        return Err(Failure::interrupted("interrupted before anything was measured"));
    };
    let recorded = settings::recorded(first);
    let criteria = Criteria { between: None, ..recorded.criteria };
    let metric = options.metric.clone().unwrap_or(recorded.metric.clone());
    let settings = Settings { metric, criteria, ..recorded };
    let found = noise(&records.runs, records.blocks.as_ref(), &settings, seed);
    if found.iter().all(|it| it.sequence.is_none() && it.blocks.is_none()) {
        let why = "too little was measured: noise takes two runs, of values above 0";
        return Err(match records.exit {
            Exit::Interrupted => Failure::interrupted(why),
            _ => Failure::new(why),
        });
    }
    if let Some(id) = &records.last {
        known_noise::keep(id, first, &found);
    }
    let tool = tool::name();
    let measured = Measured {
        tool: &tool,
        noise: &found,
        alpha: criteria.alpha,
        seed,
        saved: records.last.is_some(),
        cut_short: records.exit == Exit::Interrupted,
    };
    let mut out = BufWriter::new(io::stdout().lock());
    let written = match options.json {
        true => words::json(&measured, &mut out),
        false => words::write(&measured, output::of_tables(false), &mut out),
    };
    written.map_err(|error| Failure::of_output(&error))
}
