//! Executes a program N times through the launcher and prints what `bench/floor.c` prints: total
//! seconds, median wall and median CPU in µs; then the launcher's floor in bytes.
//!
//! `launch_speed N PROGRAM [ARGUMENT...]`; the record goes to a file in the temporary directory.
//! In the environment, `FAT=MB` makes this process that large first, `QUIET=1` leaves out the pipe
//! and thread for standard error, `LEAN=1` the waiting time; `COUNTERS=1` and `CGROUP=1` ask for those,
//! and what the launcher says of them is printed, too.

#![allow(clippy::disallowed_methods, reason = "this is a binary")]

use std::error::Error;
use std::fs::OpenOptions;
use std::os::fd::AsFd;
use std::time::Instant;

use etalon_core::model::Accept;
use etalon_probe::launcher::protocol::{
    Batch, Cgroup, Command, Counters, Execute, Files, OnFailure, Output, Over, Setup, Stdio,
};
use etalon_probe::launcher::{Destination, Launcher, metrics, run_if_asked};
use etalon_record::Text;

fn main() -> Result<(), Box<dyn Error>> {
    run_if_asked();
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [count, program, rest @ ..] = arguments.as_slice() else {
        return Err("usage: launch_speed N PROGRAM [ARGUMENT...]".into());
    };
    let fat: usize = std::env::var("FAT").map_or(Ok(0), |mb| mb.parse())?;
    let ballast = vec![1_u8; fat << 20];
    let path = std::env::temp_dir().join(format!("launch-speed-{}", std::process::id()));
    let file = OpenOptions::new().append(true).read(true).create(true).open(&path)?;
    let record = Destination { file: file.as_fd(), path: Text::from(path.as_os_str()) };
    let setup = setup(program, rest);
    let mut launcher = Launcher::start()?;
    launcher.set_up(&setup, &record, None)?;
    launcher.wait_until_ready()?;
    let blocks = vec![vec![0]; count.parse()?];
    let batch = Batch { blocks, on_failure: OnFailure::Stop, ..Batch::default() };
    let start = Instant::now();
    launcher.begin(&batch)?;
    let finished = loop {
        if let Some(finished) = launcher.wait(None)? {
            break finished;
        }
    };
    let total = start.elapsed().as_secs_f64();
    let text = std::fs::read_to_string(&path)?;
    std::fs::remove_file(&path)?;
    if finished.why != Over::Done {
        return Err(format!("{:?}\n{text}", finished.why).into());
    }
    let median = |name| median(&text, name);
    let (wall, cpu, rss) = (median("wall") / 1e3, median("cpu"), median("rss"));
    println!("{total:.6} {wall:.3} {cpu:.3} rss {rss} floor {:?}", launcher.ready().floor_rss);
    for name in ["task_clock", "page_faults", "tree_cpu", "tree_peak"] {
        let lines = text.lines().filter(|line| line.contains(&format!("\"{name}\":"))).count();
        if lines > 0 {
            println!("{name} {} in {lines}", self::median(&text, name));
        }
    }
    if launcher.ready().counters_cost.or(launcher.ready().cgroup_cost).is_some() {
        println!("{:#?}", launcher.ready());
    }
    drop(ballast);
    Ok(())
}

fn setup(program: &str, rest: &[String]) -> Setup {
    let argv = std::iter::once(program).chain(rest.iter().map(String::as_str));
    let execute = Execute {
        path: program.into(),
        argv: argv.map(Text::from).collect(),
        ..Execute::default()
    };
    let files = Files::default();
    let command = Command { execute, prepare: None, conclude: None, accept: Accept::Zero, files };
    let environment = std::env::vars_os().map(|(name, value)| {
        let mut pair = name;
        pair.push("=");
        pair.push(value);
        Text::from(pair)
    });
    let quiet = Stdio { stderr: Output::Null, ..Stdio::default() };
    let plain = std::env::var_os("QUIET").is_some();
    let set = |name| std::env::var_os(name).is_some();
    let counters = if set("COUNTERS") { Counters::On } else { Counters::Off };
    let cgroup = if set("CGROUP") { Cgroup::On } else { Cgroup::Off };
    let known = metrics(None, counters, cgroup).into_iter().map(|metric| metric.name);
    let lean = std::env::var_os("LEAN").is_some();
    Setup {
        commands: vec![command],
        environment: environment.collect(),
        directory: None,
        stdio: if plain { quiet } else { Stdio::default() },
        timeout_ns: None,
        counters,
        cgroup,
        metrics: known.filter(|name| !lean || name != "cpu_wait").collect(),
        started_ns: etalon_probe::clock::now_ns(),
        ..Setup::default()
    }
}

fn median(text: &str, name: &str) -> f64 {
    let key = format!("\"{name}\":");
    let value = |line: &str| {
        let at = line.find(&key)? + key.len();
        let digits = line[at..].split(|c: char| !c.is_ascii_digit()).next()?;
        digits.parse::<f64>().ok()
    };
    let mut values: Vec<f64> = text.lines().filter_map(value).collect();
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}
