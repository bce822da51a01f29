//! `etalon noise`: the same command or suite in several runs one after the other, and against itself in blocks.
//!
//! Here: the course of things. What is executed is an experiment as `etalon cmd` and `etalon run` make it
//! ([`part`]); what it says is counted in core, and worded by [`etalon_report::noise`].

mod command;
mod part;

use std::io::{self, BufWriter};

use etalon_core::analysis::{Execution, executions, noise};
use etalon_core::criteria::Criteria;
use etalon_core::dataset::Dataset;
use etalon_core::plan::Settings;
use etalon_core::run_set::StoppedBy;
use etalon_report::json;
use etalon_report::noise::{self as words, Measured};
use etalon_report::number::counted;

use crate::cli::{self, Recording};
use crate::course;
use crate::executed::Executed;
use crate::failure::{Exit, Failure};
use crate::interim::Interim;
use crate::showing::Show;
use crate::{counting, known_noise, output, settings, tool};
use part::{Part, Subject};

/// Runs the subcommand.
pub(crate) fn run(options: &cli::Noise) -> Result<Exit, Failure> {
    counting::refuse_noise(&options.control)?;
    let seed = options.amount.seed.unwrap_or_else(tool::new_seed);
    let subject = Subject::of(options)?;
    let recording = Recording { no_save: options.no_save, ..Recording::default() };
    let mut watch = course::watch(&recording, options.quiet, Interim::none())?;
    let mut measured = Records::default();
    let runs = options.amount.in_sequence;
    if !options.quiet {
        let runs = counted(runs as usize, "run", "runs");
        output::remark(&format!("{} of {}, then blocks of two of it", runs, subject.shown()));
    }
    let of_runs = (0..runs).map(Part::Run);
    for part in of_runs.chain([Part::Blocks]) {
        let Some(job) = subject.job(options, (part, seed), &mut watch)? else {
            measured.exit = Exit::Interrupted;
            break;
        };
        measured.part = part;
        match course::run(job, &recording, &mut watch, &mut measured)? {
            Exit::Done => {}
            // What failed was told; nothing is said of the noise of what fails.
            _ if measured.has_failed => return Ok(Exit::Failed),
            exit => measured.exit = exit,
        }
        if measured.exit == Exit::Interrupted {
            break;
        }
    }
    shown(options, &measured, seed)?;
    Ok(measured.exit)
}

/// Whatever was measured so far.
struct Records {
    /// The part under way.
    part: Part,
    runs: Vec<Dataset>,
    blocks: Option<Dataset>,
    /// The id of the last one, if it is saved.
    last: Option<String>,
    /// Whether a failure has stopped it.
    has_failed: bool,
    exit: Exit,
}

impl Default for Records {
    fn default() -> Records {
        let (part, exit) = (Part::Run(0), Exit::Done);
        Records { part, runs: Vec::new(), blocks: None, last: None, has_failed: false, exit }
    }
}

impl Show for Records {
    /// Nothing is shown before all of it is there.
    fn show(&mut self, executed: &Executed, data: Dataset) -> Result<Exit, Failure> {
        self.last = executed.kept.is_saved().then(|| executed.kept.id().to_owned());
        self.has_failed = executed.finished.stopped_by == StoppedBy::Failure;
        match self.part {
            Part::Run(_) => self.runs.push(data),
            Part::Blocks => self.blocks = Some(data),
        }
        Ok(Exit::Done)
    }

    fn is_silent(&self) -> bool {
        true
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
    let measured = Measured {
        noise: &found,
        alpha: criteria.alpha,
        seed,
        saved: records.last.is_some(),
        cut_short: records.exit == Exit::Interrupted,
    };
    let mut out = BufWriter::new(io::stdout().lock());
    let written = match options.json {
        true => {
            let runs = records.runs.iter().chain(&records.blocks);
            let runs: Vec<Execution> = runs.flat_map(executions).collect();
            let settings = json::Settings::new(&criteria).for_metric(&settings.metric, None);
            words::json(&measured, (&runs, settings), &mut out)
        }
        false => words::write(&measured, output::table_view(false), &mut out),
    };
    written.map_err(|error| Failure::of_output(&error))
}
