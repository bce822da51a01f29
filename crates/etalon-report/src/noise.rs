//! An A/A experiment of a command or of cases in words: one screen, and a document for programs.
//!
//! Owns the words. Refuses to count: [`etalon_core::noise`] does.

use std::io::{self, Write};

use etalon_core::analysis::{Execution, Noise};
use etalon_core::noise::{Alarms, BLOCKS, InBlocks, InSequence};

use crate::document::{self, Document, Part};
use crate::json::{self, NoiseReport, Settings};
use crate::number::{counted, duration, separated, share, significance};
use crate::table::{Align, Cell, Column, Table};
use crate::text::clean;
use crate::view::View;
use crate::words::metric_title;

/// Measured noise, with what is needed to word it.
#[derive(Debug, Clone, Copy)]
pub struct Measured<'a> {
    /// Of each benchmark; of one at least.
    pub noise: &'a [Noise],
    /// The significance level of the verdicts that are counted.
    pub alpha: f64,
    /// The seed of orders, those drawn anew included.
    pub seed: u64,
    /// Whether the runs are saved, so that later comparisons find them.
    pub saved: bool,
    /// Whether it was ended before it was done.
    pub cut_short: bool,
}

/// A history of runs within less time is told so. Because: the disturbances of a machine come and go in seconds to
/// minutes, and what changes within hours is in none of it.
const SHORT: f64 = 600.0;

/// Writes the screen.
///
/// # Errors
/// Errors of the writer.
pub fn write(measured: &Measured<'_>, view: View, out: &mut dyn Write) -> io::Result<()> {
    for line in document::terminal(&screen(measured), view) {
        writeln!(out, "{}", view.charset.spell(&line))?;
    }
    out.flush()
}

/// Writes the document for programs, with the runs and settings that it is from.
///
/// # Errors
/// Errors of the writer.
pub fn json(
    measured: &Measured<'_>,
    (executions, settings): (&[Execution], Settings<'_>),
    out: &mut dyn Write,
) -> io::Result<()> {
    let Measured { noise, seed, cut_short, .. } = *measured;
    let headline = answer(noise);
    json::noise(NoiseReport { headline, noise, executions, settings, seed, cut_short }, out)
}

fn screen(measured: &Measured<'_>) -> Document {
    let noise = measured.noise;
    let mut parts = vec![Part::Answer(answer(noise))];
    parts.push(Part::Tables(match noise {
        [one] => vec![alone(one)],
        several => vec![benchmarks_table(several)],
    }));
    parts.extend(scatter(noise).map(Part::Sentence));
    parts.push(Part::Sentence(counting(measured)));
    let notes = notes(measured);
    parts.extend((!notes.is_empty()).then_some(Part::Notes(notes)));
    Document { parts }
}

/// The place of the number of blocks in the answer: 30, the middle one.
const USUAL: usize = BLOCKS.len() / 2;

fn answer(noise: &[Noise]) -> String {
    let in_blocks = noise.iter().filter_map(|it| it.blocks.as_ref()?.visible[USUAL]);
    let one_a_side = noise.iter().filter_map(|it| it.sequence.as_ref()?.visible.usual());
    let worst = |of: &mut dyn Iterator<Item = f64>| of.reduce(f64::max);
    let (blocks, runs) = (worst(&mut in_blocks.into_iter()), worst(&mut one_a_side.into_iter()));
    let name = match noise {
        [one] => clean(&one.name),
        several => format!("the noisiest of {} cases", several.len()),
    };
    let usual = BLOCKS[USUAL];
    let of_blocks = |change| format!("{} in {usual} blocks", share(change));
    let of_runs = |change| format!("{} with one run a side", share(change));
    match (blocks.map(of_blocks), runs.map(of_runs)) {
        (Some(blocks), Some(runs)) => {
            format!("Changes of {name} are visible from {blocks}, from {runs}.")
        }
        (Some(only), None) | (None, Some(only)) => {
            format!("Changes of {name} are visible from {only} on.")
        }
        (None, None) => {
            format!("Nothing can be said of the noise of {name}: too little was measured.")
        }
    }
}

/// One benchmark: a row for each way to compare.
fn alone(noise: &Noise) -> Table {
    let mut columns = vec![
        Column::new("identical programs", Align::Left),
        Column::new("called different", Align::Right),
    ];
    let [few, some, many] = BLOCKS;
    let titles = [format!("visible: {few}"), some.to_string(), format!("{many} blocks")];
    columns.extend(titles.iter().map(|title| Column::new(title, Align::Right)));
    let mut rows = Vec::new();
    let cells = |name: &str, alarms: Alarms, of: [Option<f64>; BLOCKS.len()]| {
        let mut cells = vec![Cell::words(name), Cell::words(alarm_share(alarms))];
        cells.extend(of.map(|change| Cell::words_or_absent(change.map(share))));
        cells
    };
    if let Some(blocks) = &noise.blocks {
        rows.push(cells("in blocks", blocks.alarms, blocks.visible));
    }
    if let Some(runs) = &noise.sequence {
        let none = [None; BLOCKS.len()];
        rows.push(cells("runs, readings alone", runs.by_readings, none));
        let known = match runs.visible.known {
            [None, None, None] => [None, runs.visible.assumed, None],
            known => known,
        };
        rows.push(cells("runs, as compare does", runs.by_runs, known));
    }
    Table { columns, rows, ..Table::default() }
}

/// Several cases: a row for each.
fn benchmarks_table(noise: &[Noise]) -> Table {
    let columns = vec![
        Column::new("case", Align::Left),
        Column::new("alarms in blocks", Align::Right),
        Column::new("in runs", Align::Right),
        Column::new("visible in blocks", Align::Right),
        Column::new("one run a side", Align::Right),
    ];
    let row = |noise: &Noise| {
        let (blocks, runs) = (noise.blocks.as_ref(), noise.sequence.as_ref());
        let shares = [blocks.map(|it| it.alarms), runs.map(|it| it.by_readings)];
        let shares = shares.map(|alarms| alarms.and_then(Alarms::share).map(share));
        let changes =
            [blocks.and_then(|it| it.visible[USUAL]), runs.and_then(|it| it.visible.usual())];
        let changes = changes.map(|change| change.map(share));
        let cells = shares.into_iter().chain(changes).map(Cell::words_or_absent);
        std::iter::once(Cell::words(clean(&noise.name))).chain(cells).collect()
    };
    Table { columns, rows: noise.iter().map(row).collect(), ..Table::default() }
}

/// `4.1 % (41 of 1,000)`.
fn alarm_share(alarms: Alarms) -> String {
    let (some, all) = (separated(&alarms.called.to_string()), separated(&alarms.of.to_string()));
    alarms.share().map_or_else(|| "-".to_owned(), |it| format!("{} ({some} of {all})", share(it)))
}

/// How much runs and readings scatter, of one benchmark.
fn scatter(noise: &[Noise]) -> Option<String> {
    let [one] = noise else { return None };
    let runs = one.sequence.as_ref().map(|it| {
        format!(
            "Runs scatter by {} (their readings explain {}), readings within a run by {}",
            share(it.scatter),
            share(it.explained),
            share(it.within)
        )
    });
    let blocks = one.blocks.as_ref().map(|it| share(it.scatter));
    match (runs, blocks) {
        (Some(runs), Some(blocks)) => {
            Some(format!("{runs}, beside their neighbour in a block by {blocks}."))
        }
        (Some(runs), None) => Some(format!("{runs}.")),
        (None, Some(blocks)) => {
            Some(format!("A reading scatters by {blocks} beside its neighbour in a block."))
        }
        (None, None) => None,
    }
}

/// The number of runs and blocks, and how false alarms are counted.
fn counting(measured: &Measured<'_>) -> String {
    let sequence = measured.noise.iter().find_map(|it| it.sequence.as_ref());
    let blocks = measured.noise.iter().find_map(|it| it.blocks.as_ref());
    let runs = sequence.map(|InSequence { runs, readings, by_readings, span, .. }| {
        let within = span.map_or_else(String::new, |span| format!(" within {}", duration(span)));
        format!(
            "{runs} runs of {readings}{within}: every pair of them is compared, {}",
            by_readings.of
        )
    });
    let blocks = blocks.map(|InBlocks { blocks, alarms, .. }| {
        format!(
            "{} of two: their orders are drawn anew {} times",
            counted(*blocks, "block", "blocks"),
            separated(&alarms.of.to_string())
        )
    });
    let metric = measured.noise.first().map_or_else(String::new, |it| metric_title(&it.metric));
    let parts: Vec<String> = runs.into_iter().chain(blocks).collect();
    format!(
        "{metric}. {}. A verdict of a difference at alpha {} is a false alarm; seed {}.",
        parts.join("; "),
        significance(measured.alpha),
        measured.seed
    )
}

fn notes(measured: &Measured<'_>) -> Vec<String> {
    let mut notes = Vec::new();
    if measured.cut_short {
        notes.push("ended before all of it was measured.".to_owned());
    }
    let sequence = measured.noise.iter().find_map(|it| it.sequence.as_ref());
    let Some(sequence) = sequence else { return notes };
    if !sequence.has_history {
        notes.push(format!(
            "{} are too few to be a history of each other: one run a side is judged with an assumed scatter.",
            counted(sequence.runs, "run", "runs")
        ));
    }
    if let Some(span) = sequence.span.filter(|span| *span < SHORT) {
        let later = match measured.saved {
            true => {
                "; measure again at another time: saved runs add up, and comparisons of this on this machine read \
                     the nearest ones"
            }
            false => "",
        };
        notes.push(format!(
            "all runs lie within {}: what changes over hours is not in them{later}.",
            duration(span)
        ));
    }
    notes
}
