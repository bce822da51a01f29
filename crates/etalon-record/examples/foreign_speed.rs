//! Measures what reading and writing foreign files cost; the numbers stand in `docs/format.md`.
//!
//! `cargo run --release -p etalon-record --example foreign_speed` writes a raw CSV of BestGuess and an
//! export of hyperfine with 1,000,000 executions each into a temporary directory, reads each three
//! times, converts it, and prints times and memory.

#![allow(clippy::disallowed_methods, clippy::disallowed_macros, clippy::cast_precision_loss)]

use std::error::Error;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::time::Instant;

use etalon_core::dataset::Dataset;
use etalon_record::{Strictness, foreign, raw};

const EXECUTIONS: u32 = 1_000_000;

fn main() -> Result<(), Box<dyn Error>> {
    let only = std::env::args().nth(1);
    for (name, make) in [("csv", bestguess as Make), ("json", hyperfine as Make)] {
        if only.as_deref().is_some_and(|only| only != name) {
            continue;
        }
        let path = std::env::temp_dir().join(format!("etalon-foreign-speed.{name}"));
        make(&path)?;
        measure(&path)?;
        std::fs::remove_file(&path)?;
    }
    Ok(())
}

type Make = fn(&Path) -> Result<(), Box<dyn Error>>;

fn bestguess(path: &Path) -> Result<(), Box<dyn Error>> {
    let mut file = BufWriter::new(File::create(path)?);
    writeln!(
        file,
        "Command,Shell,Name,Batch,Exit code,User time (us),System time (us),Max RSS (Bytes),\
         Page Reclaims,Page Faults,Voluntary Context Switches,Involuntary Context Switches,\
         Wall clock (us),Total time (us),Total Context Switches"
    )?;
    for number in 0..EXECUTIONS {
        let (batch, step) = (number / (EXECUTIONS / 2) + 1, number % 977);
        let command = if batch == 1 { "ls -l" } else { "grep \"\"a\\\\b\"\" notes" };
        let (user, sys, wall) = (1400 + step, 3800 + step, 8200 + step);
        writeln!(
            file,
            "\"{command}\",\"/bin/bash -c\",\"\",{batch},0,{user},{sys},1818624,232,0,0,14,{wall}"
        )?;
    }
    Ok(file.flush()?)
}

fn hyperfine(path: &Path) -> Result<(), Box<dyn Error>> {
    let mut file = BufWriter::new(File::create(path)?);
    let list = |file: &mut BufWriter<File>, name: &str, of: fn(u32) -> String| {
        let values: Vec<String> = (0..EXECUTIONS).map(of).collect();
        write!(file, ",\n      \"{name}\": [\n        {}\n      ]", values.join(",\n        "))
    };
    write!(file, "{{\n  \"results\": [\n    {{\n      \"command\": \"ls -l\"")?;
    list(&mut file, "times", |n| format!("{:?}", 0.1 + f64::from(n % 977) / 3e6))?;
    list(&mut file, "memory_usage_byte", |n| (1_900_544 + n % 977 * 4096).to_string())?;
    list(&mut file, "exit_codes", |_| "0".to_owned())?;
    write!(file, "\n    }}\n  ]\n}}\n")?;
    Ok(file.flush()?)
}

fn measure(path: &PathBuf) -> Result<(), Box<dyn Error>> {
    let bytes = std::fs::metadata(path)?.len();
    let before = status("VmRSS:")?;
    let mut last = None;
    for _ in 0..3 {
        drop(last.take());
        let start = Instant::now();
        let set = etalon_record::open(path, Strictness::Strict)?;
        let seconds = start.elapsed().as_secs_f64();
        let rows = set.len();
        println!(
            "{}: read {rows} rows, {:.0} MB, in {seconds:.2} s; resident set + {:.0} MB, at its \
             peak + {:.0} MB",
            path.display(),
            bytes as f64 / 1e6,
            (status("VmRSS:")? - before) / 1e6,
            (status("VmHWM:")? - before) / 1e6,
        );
        last = Some(set);
    }
    let set = last.ok_or("nothing was read")?;
    convert("BestGuess", &set, foreign::write_bestguess)?;
    convert("hyperfine", &set, |set, out| {
        foreign::write_hyperfine(set, foreign::Schema::Two, out)
    })?;
    convert("record", &set, |set, out| raw::write_record(set, "foreign_speed", out))
}

fn convert<T>(
    name: &str,
    set: &Dataset,
    write: impl FnOnce(&Dataset, &mut std::io::Sink) -> std::io::Result<T>,
) -> Result<(), Box<dyn Error>> {
    let start = Instant::now();
    write(set, &mut std::io::sink())?;
    println!("  as {name}: {:.2} s", start.elapsed().as_secs_f64());
    Ok(())
}

/// A size from this process's status, in bytes.
fn status(field: &str) -> Result<f64, Box<dyn Error>> {
    let text = std::fs::read_to_string("/proc/self/status")?;
    let line = text.lines().find(|line| line.starts_with(field)).ok_or("no such field")?;
    let kib: f64 = line.split_whitespace().nth(1).ok_or("no value")?.parse()?;
    Ok(kib * 1024.0)
}
