//! Measures what reading and writing a record cost; the numbers stand in `docs/format.md`.
//!
//! `cargo run --release -p etalon-record --example read_speed` writes 200,000 observations of ten
//! metrics (about 50 MB) into a temporary file, reads them five times and prints times and memory.

#![allow(clippy::disallowed_methods, clippy::disallowed_macros, clippy::cast_precision_loss)]

use std::error::Error;
use std::io::Write;
use std::path::Path;
use std::time::Instant;

use etalon_core::model::{Coordinates, Metric, Number, Observation, Phase};
use etalon_record::raw::{Strictness, write};
use etalon_record::{BenchmarkLine, HeaderLine};

const OBSERVATIONS: u32 = 200_000;
const METRICS: [(&str, &str); 10] = [
    ("wall", "ns"),
    ("user", "us"),
    ("sys", "us"),
    ("cpu", "us"),
    ("rss", "B"),
    ("minflt", "count"),
    ("majflt", "count"),
    ("vcsw", "count"),
    ("ivcsw", "count"),
    ("instructions_per_cycle", "ratio"),
];

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::temp_dir().join("etalon-read-speed.jsonl");
    let (bytes, writing) = write_record(&path)?;
    println!(
        "wrote {OBSERVATIONS} observations, {:.1} MB: {:.0} ns each, formatting only",
        bytes as f64 / 1e6,
        writing / f64::from(OBSERVATIONS) * 1e9
    );
    let before = resident()?;
    for _ in 0..5 {
        let start = Instant::now();
        let set = etalon_record::open(&path, Strictness::Strict)?;
        let seconds = start.elapsed().as_secs_f64();
        let rows = set.len();
        println!(
            "read {rows} rows in {seconds:.3} s ({:.0} MB/s), resident set + {:.1} MB",
            bytes as f64 / 1e6 / seconds,
            (resident()? - before) / 1e6
        );
    }
    println!("peak resident set {:.1} MB", status("VmHWM:")? / 1e6);
    std::fs::remove_file(&path)?;
    Ok(())
}

/// Writes the record; returns its size and the seconds spent on formatting observations.
fn write_record(path: &Path) -> Result<(u64, f64), Box<dyn Error>> {
    let metrics: Vec<Metric> = METRICS.iter().map(|(name, unit)| metric(name, unit)).collect();
    let mut file = std::io::BufWriter::new(std::fs::File::create(path)?);
    let mut buffer = Vec::new();
    write::header(&mut buffer, &HeaderLine::default());
    metrics.iter().for_each(|m| write::metric(&mut buffer, m));
    for name in ["ls -l", "ps aux"] {
        let line = BenchmarkLine { name: name.to_owned(), ..BenchmarkLine::default() };
        write::benchmark(&mut buffer, &line);
    }
    file.write_all(&buffer)?;
    let mut observation = observation();
    let mut seconds = 0.0;
    for number in 0..OBSERVATIONS {
        observation.benchmark = (number % 2) as usize;
        observation.coordinates = Coordinates {
            node: None,
            block: Some(number / 2),
            turn: None,
            at_ns: Some(u64::from(number) * 412_345),
        };
        observation.values[0].1 = Number::Integer(368_123 + i64::from(number % 977));
        buffer.clear();
        let start = Instant::now();
        write::observation(&mut buffer, &observation, &metrics, None);
        seconds += start.elapsed().as_secs_f64();
        file.write_all(&buffer)?;
    }
    file.into_inner()?.sync_data()?;
    Ok((std::fs::metadata(path)?.len(), seconds))
}

fn metric(name: &str, unit: &str) -> Metric {
    Metric::new(name, unit)
}

fn observation() -> Observation {
    let values: [i64; 9] = [0, 401, 312, 713, 1_859_584, 119, 0, 1, 2];
    let mut values: Vec<(usize, Number)> =
        values.iter().enumerate().map(|(at, v)| (at, Number::Integer(*v))).collect();
    values.push((9, Number::Float(1.234_567_890_123_456_7)));
    Observation::new(
        0,
        Phase::Measured,
        Coordinates { node: None, block: None, turn: None, at_ns: None },
        values,
    )
}

/// This process's resident set in bytes.
fn resident() -> Result<f64, Box<dyn Error>> {
    status("VmRSS:")
}

fn status(field: &str) -> Result<f64, Box<dyn Error>> {
    let text = std::fs::read_to_string("/proc/self/status")?;
    let line = text.lines().find(|line| line.starts_with(field)).ok_or("no such field")?;
    let kib: f64 = line.split_whitespace().nth(1).ok_or("no value")?.parse()?;
    Ok(kib * 1024.0)
}
