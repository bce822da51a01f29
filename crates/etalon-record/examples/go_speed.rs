//! Measures what reading the Go benchmark format costs; the numbers stand in `docs/format.md`.
//!
//! `cargo run --release -p etalon-record --example go_speed` writes 2 files with 500,000 results of three
//! units (5,000 benchmarks, 100 of each) into a temporary directory, reads them three times into one
//! dataset, walks through all values, writes it again, and prints times and memory.

#![allow(clippy::disallowed_methods, clippy::disallowed_macros, clippy::cast_precision_loss)]

use std::error::Error;
use std::fs::File;
use std::io::{BufReader, BufWriter, Write};
use std::path::PathBuf;
use std::time::Instant;

use etalon_core::dataset::Dataset;
use etalon_core::random::Random;
use etalon_record::foreign::go::{self, FactSelection};
use etalon_record::{Input, Strictness};

fn main() -> Result<(), Box<dyn Error>> {
    let paths =
        ["old", "new"].map(|name| std::env::temp_dir().join(format!("etalon-go-speed-{name}")));
    for (seed, path) in (1..).zip(&paths).filter(|(_, path)| !path.exists()) {
        make(path, seed)?;
    }
    let before = status("VmRSS:")?;
    let mut last = None;
    for _ in 0..3 {
        drop(last.take());
        let start = Instant::now();
        let mut data = Dataset::default();
        for path in &paths {
            let label = path.display().to_string();
            let input = Input { path: label.clone(), label };
            let file = BufReader::with_capacity(64 * 1024, File::open(path)?);
            go::read_into(&mut data, file, &input, Strictness::Strict)?;
        }
        let seconds = start.elapsed().as_secs_f64();
        println!(
            "read {} rows, {} values in {seconds:.2} s; resident set + {:.0} MB, at its peak + {:.0} MB",
            data.len(),
            data.values.len(),
            (status("VmRSS:")? - before) / 1e6,
            (status("VmHWM:")? - before) / 1e6,
        );
        last = Some(data);
    }
    if std::env::args().nth(1).is_some() {
        return Ok(()); // for a profiler; the files stay
    }
    let data = last.ok_or("nothing was read")?;
    let start = Instant::now();
    let mut sums = vec![0.0; data.units.len()];
    for row in 0..data.len() {
        for value in data.row(row) {
            sums[data.unit(value).at()] += data.number(value);
        }
    }
    println!("  all values: {:.3} s ({sums:?})", start.elapsed().as_secs_f64());
    let start = Instant::now();
    go::write(&data, FactSelection::All, &mut std::io::sink())?;
    println!("  written: {:.2} s", start.elapsed().as_secs_f64());
    Ok(paths.iter().try_for_each(std::fs::remove_file)?)
}

fn make(path: &PathBuf, seed: u64) -> Result<(), Box<dyn Error>> {
    let mut random = Random::new(seed);
    let mut file = BufWriter::new(File::create(path)?);
    write!(file, "goos: linux\ngoarch: amd64\npkg: example.org/speed\ncpu: example\n")?;
    for number in 0..500_000_u64 {
        let benchmark = number / 100;
        let (base, noise) = (100 + benchmark * 7, random.below(1000) as f64 / 10.0);
        writeln!(
            file,
            "BenchmarkName{}/size={}/kind=k{}-16         \t{:8}\t{:10.1} ns/op\t{:8} B/op\t{:8} allocs/op",
            benchmark % 500,
            benchmark / 500,
            benchmark % 3,
            1_000_000 / base,
            base as f64 + noise,
            benchmark * 16,
            benchmark % 50,
        )?;
    }
    Ok(file.flush()?)
}

/// A size from this process's status, in bytes.
fn status(field: &str) -> Result<f64, Box<dyn Error>> {
    let text = std::fs::read_to_string("/proc/self/status")?;
    let line = text.lines().find(|line| line.starts_with(field)).ok_or("no such field")?;
    let kib: f64 = line.split_whitespace().nth(1).ok_or("no value")?.parse()?;
    Ok(kib * 1024.0)
}
