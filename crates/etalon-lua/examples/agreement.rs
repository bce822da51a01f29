//! Whether a worker's figure for a trivial function is that of a hand-written loop of 10⁷ calls.
//!
//! Both run in the embedded host, each time in a fresh process, interleaved; the medians of nine are
//! printed in ns per call. They should agree within 10 % or 0.2 ns:
//! `cargo run --release -p etalon-lua --example agreement`.

#![allow(clippy::unwrap_used)]
#![allow(clippy::disallowed_methods, reason = "this is a binary")]

use std::error::Error;
use std::path::Path;
use std::time::Duration;

use etalon_core::model::Phase;
use etalon_lua::{
    Answer, Clock, Host, Limits, Load, Place, Prepare, Request, Source, Worker, WorkerSpec,
};
use etalon_probe::launcher::protocol::Control;

/// Alternations, and turns of a worker in each.
const ALTERNATIONS: usize = 9;
const TURNS: u32 = 15;

/// Names, and bodies of the functions.
const BODIES: [(&str, &str); 4] = [
    ("empty function", ""),
    ("x = x + 1", "x = x + 1"),
    ("string.byte", "x = byte(text, 2)"),
    ("concatenation", "x = text .. n; n = (n + 1) % 100"),
];

/// What the functions use.
const LOCALS: &str = "local x, n, text, byte = 0, 0, 'hello', string.byte\n";

fn main() -> Result<(), Box<dyn Error>> {
    etalon_lua::run_if_asked();
    let directory = tempfile::tempdir()?;
    println!("{:16} {:>9} {:>9} {:>8}", "ns per call", "worker", "by hand", "ratio");
    for (name, body) in BODIES {
        let (mut worker, mut by_hand) = (Vec::new(), Vec::new());
        for _ in 0..ALTERNATIONS {
            worker.push(of_worker(directory.path(), body)?);
            by_hand.push(of_loop(directory.path(), body)?);
        }
        let (worker, by_hand) = (median(worker), median(by_hand));
        println!("{name:16} {worker:9.3} {by_hand:9.3} {:8.3}", worker / by_hand);
    }
    Ok(())
}

/// The median over a worker's turns.
fn of_worker(directory: &Path, body: &str) -> Result<f64, Box<dyn Error>> {
    let case = format!(
        "{LOCALS}local measure = require('measure')
         measure.describe('it').run(function() {body} end)"
    );
    let mut worker = load(directory, &case)?;
    let prepare = Prepare {
        case: 1,
        benchmark: 0,
        block: 0,
        started_ns: 0,
        warmup: 0.05,
        until_level: false,
        gc_step: 0,
        batch_ns: 3_000_000,
        long_ns: 20_000_000,
        allocation: 64 << 20,
    };
    ask(&mut worker, &Request::Prepare(prepare))?;
    let mut samples = Vec::new();
    for turn in 0..TURNS {
        if let Answer::Observation(sample) = ask(&mut worker, &Request::Turn { turn, cpu: None })? {
            let calls = sample.observation.iterations.unwrap() as f64;
            samples.push(sample.value("wall").unwrap() / calls);
        }
    }
    Ok(median(samples))
}

/// A loop that is written by hand.
fn of_loop(directory: &Path, body: &str) -> Result<f64, Box<dyn Error>> {
    let script = format!(
        "{LOCALS}local clock = require('etalon.native').clock
         local function fn() {body} end
         for i = 1, 1000 do fn() end
         collectgarbage()
         local start = clock()
         for i = 1, 1e7 do fn() end
         print((clock() - start) / 1e7)"
    );
    let mut worker = load(directory, &script)?;
    Ok(String::from_utf8(worker.output().text)?.trim().parse()?)
}

fn load(directory: &Path, suite: &str) -> Result<Worker, Box<dyn Error>> {
    let file = directory.join("suite.lua");
    std::fs::write(&file, suite)?;
    let mut worker = Worker::start(&WorkerSpec {
        host: &Host::embedded(),
        limits: &Limits::default(),
        control: &Control::default(),
        directory,
        padding: None,
        under: &[],
    })?;
    let place = Place { directory: directory.to_owned(), caller: directory.to_owned() };
    let load = Load { source: Source::File(file), place, clock: Clock::Best };
    match ask(&mut worker, &Request::Load(load))? {
        Answer::Loaded(_) => Ok(worker),
        other => Err(format!("not loaded: {other:?}").into()),
    }
}

/// The answer to a request; a turn's is its observation.
fn ask(worker: &mut Worker, request: &Request) -> Result<Answer, Box<dyn Error>> {
    worker.ask(request)?;
    loop {
        match worker.wait(Duration::from_secs(60))? {
            Some(Answer::Observation(o)) if o.observation.phase == Phase::Warmup => {}
            Some(answer) => return Ok(answer),
            None => return Err("it says nothing".into()),
        }
    }
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
