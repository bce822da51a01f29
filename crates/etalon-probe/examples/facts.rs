//! Prints what etalon-probe knows about this machine, and what finding it out cost:
//! `cargo run --release -p etalon-probe --example facts`.

#![allow(clippy::disallowed_methods)] // an example is a program: it prints and has an environment

use std::env;
use std::io::{self, Write};

use etalon_probe::peers::Presence;
use etalon_probe::{clock, machine};

/// Times the facts are read, for the median cost; an even number has no middle.
const TIMES: usize = 21;

fn main() -> io::Result<()> {
    let cwd = env::current_dir()?;
    let mut out = io::stdout().lock();
    let before = clock::now_ns();
    let presence = Presence::announce();
    let announced = clock::now_ns() - before;
    let mut costs = Vec::new();
    let before = clock::now_ns();
    let context = machine::facts(&cwd, env::vars_os());
    let first = clock::now_ns() - before;
    for _ in 0..TIMES {
        let before = clock::now_ns();
        machine::facts(&cwd, env::vars_os());
        costs.push(clock::now_ns() - before);
    }
    costs.sort_unstable();
    for (key, value) in &context {
        writeln!(out, "{key:<20} {value}")?;
    }
    let before = clock::now_ns();
    let facts = clock::measure();
    let measured = clock::now_ns() - before;
    writeln!(out)?;
    writeln!(out, "clock                {facts:?}, measured in {measured} ns")?;
    let others = presence.others();
    writeln!(out, "others               {others:?}, announced in {announced} ns")?;
    let median = costs[TIMES / 2];
    writeln!(out, "cost of the facts    first {first} ns, then {median} ns")
}
