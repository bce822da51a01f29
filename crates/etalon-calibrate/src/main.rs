//! `etalon-calibrate [REPLICATES [TABLE]]`: the document on stdout; which table is under way on stderr.

use std::num::NonZeroUsize;

use etalon_calibrate::table::{Effort, Table};
use etalon_calibrate::{document, tables};

/// Replicates of a full run.
const FULL: usize = 2000;
/// The seed of `docs/notes/calibration.md`.
const SEED: u64 = 20_261_122;

fn main() {
    let mut arguments = std::env::args().skip(1);
    let replicates = arguments.next().map_or(Ok(FULL), |typed| typed.parse());
    let Ok(replicates) = replicates else {
        eprintln!("usage: etalon-calibrate [REPLICATES [WORDS OF A TABLE'S TITLE]]");
        std::process::exit(2);
    };
    let wanted = arguments.next().unwrap_or_default();
    let all = tables::all();
    let chosen: Vec<Table> =
        all.into_iter().filter(|table| table.title.contains(&wanted)).collect();
    let threads = std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
    let effort = Effort { replicates, seed: SEED, threads };
    print!("{}", document(&chosen, effort, |table| eprintln!("{}", table.title)));
}
