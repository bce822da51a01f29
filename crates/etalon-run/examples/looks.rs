//! What looking costs: 1,000,000 observations of two subjects, recorded as fast as they can be, under a
//! precision that is never reached. Prints how long the loop took beside recording them.
//!
//! `cargo run --release -p etalon-run --example looks`

use std::time::Instant;

use etalon_core::model::{
    Context, Coordinates, Direction, Kind, Metric, Number, Observation, Outcome, Per,
};
use etalon_core::plan::{Order, Plan, Settings, Stage, Stopping};
use etalon_core::random::Random;
use etalon_core::run_set::StoppedBy;
use etalon_core::units::Unit;
use etalon_record::BenchmarkLine;
use etalon_record::store::NewRecord;
use etalon_run::{
    Batch, Executed, Executor, Experiment, Files, Flow, Monitor, Naming, Progress, Records,
    RunError, Started, Stop, Watcher, execute,
};

const OBSERVATIONS: u32 = 1_000_000;
const SUBJECTS: usize = 2;
/// What a program that does nothing takes with its execution, in ns: the fastest commands there are.
const FASTEST_NS: u64 = 450_000;

/// Records observations without executing anything.
struct Recorder {
    random: Random,
    now_ns: u64,
    recording: std::time::Duration,
}

impl Executor for Recorder {
    fn start(&mut self, _: &Experiment, _: &Records<'_>, _: u64) -> Result<Started, RunError> {
        Ok(Started::default())
    }

    fn now_ns(&self) -> u64 {
        self.now_ns
    }

    fn batch_size(&self, _: &Stage) -> u32 {
        1000
    }

    fn execute(&mut self, batch: &Batch, monitor: &mut Monitor<'_>) -> Result<Executed, RunError> {
        let began = Instant::now();
        let mut executed = Executed { blocks: 0, given_up: Vec::new(), flow: Flow::Continue(()) };
        for (number, order) in (batch.first..).zip(&batch.orders) {
            if batch.deadline_ns.is_some_and(|deadline| self.now_ns >= deadline) {
                executed.flow = Stop::by(StoppedBy::Budget);
                break;
            }
            for &benchmark in order {
                let value = FASTEST_NS + self.random.next_u64() % 200_000;
                let value = Number::Integer(value.cast_signed());
                let coordinates = Coordinates {
                    node: None,
                    block: Some(number),
                    turn: None,
                    at_ns: Some(self.now_ns),
                };
                let observation = Observation {
                    benchmark,
                    phase: batch.phase,
                    coordinates,
                    outcome: Outcome::Ok,
                    orphans: 0,
                    iterations: None,
                    values: (0..monitor.experiment.metrics.len()).map(|m| (m, value)).collect(),
                };
                monitor.records.observation(&observation, None)?;
                self.now_ns += FASTEST_NS;
            }
            executed.blocks += 1;
        }
        self.recording += began.elapsed();
        monitor.progress()?;
        Ok(executed)
    }
}

/// Watches as a terminal does.
#[derive(Default)]
struct Terminal {
    lines: u32,
}

impl Watcher for Terminal {
    fn wants_progress(&self) -> bool {
        true
    }
    fn progress(&mut self, _: &Progress<'_>) {
        self.lines += 1;
    }
    fn will_take(&mut self, _: u32, _: f64) {}
    fn interrupted(&mut self) -> bool {
        false
    }
    fn stage_done(&mut self, _: &NewRecord) {}
}

#[allow(clippy::cast_precision_loss)] // seconds
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let all_ns = u64::from(OBSERVATIONS) * FASTEST_NS;
    let budget = all_ns as f64 / 1e9 / SUBJECTS as f64;
    let stopping = Stopping::Precision { target: 1e-9, budget };
    let plan = Plan::new(Order::Blocks, stopping, 1);
    let metric = |name: &str| Metric {
        name: name.to_owned(),
        unit: Unit::new("ns"),
        direction: Direction::Lower,
        kind: Kind::Noisy,
        per: Per::Observation,
        resolution: None,
    };
    // As many values as an observation of a command has.
    let names = ["wall", "user", "sys", "a", "b", "c", "d", "e", "f", "g", "h", "i"];
    let line = |number| BenchmarkLine { name: format!("s{number}"), ..BenchmarkLine::default() };
    let experiment = Experiment {
        file: None,
        checks: None,
        sides: None,
        bisection: None,
        benchmarks: (0..SUBJECTS).map(line).collect(),
        stages: plan.stages(SUBJECTS),
        metrics: names.map(metric).to_vec(),
        plan,
        settings: Settings::default(),
        context: Context::default(),
        tool: "looks".to_owned(),
        argv: Vec::new(),
        printed: Vec::new(),
        notes: Vec::new(),
        naming: Naming::Subjects,
        resumed: None,
    };
    let record = NewRecord::in_memory(etalon_probe::memory_file::create()?, "looks");
    let mut recorder =
        Recorder { random: Random::new(1), now_ns: 0, recording: std::time::Duration::ZERO };
    let mut terminal = Terminal::default();
    let files = Files { record: &record, second: None };
    let began = Instant::now();
    let finished = execute(&experiment, &mut recorder, files, &mut terminal)?;
    let looking = (began.elapsed() - recorder.recording).as_secs_f64();
    let set = etalon_run::read(&record, "looks")?;
    println!(
        "{} looks and {} progress lines over {} observations ({}): {looking:.2} s, {:.2} % of the \
         {:.0} s that the fastest commands would take",
        set.run_sets[0].looks.len(),
        terminal.lines,
        set.len(),
        finished.stopped_by,
        100.0 * looking / (all_ns as f64 / 1e9),
        all_ns as f64 / 1e9,
    );
    Ok(())
}
