//! GNU time's `-v`.
//!
//! Each block is an execution, and so a run; blocks of one command, as `-a` appends them, are runs of one benchmark. Times
//! are whole hundredths of a second.

use std::collections::HashMap;

use etalon_core::metrics;
use etalon_core::model::{BenchmarkKey, Outcome};

use super::perf_stat;
use super::results::{Benchmark, Cell, Column, Quantity, Refused, Results, Run, Source};

/// The first line of a block.
pub(super) const FIRST: &str = "Command being timed:";

/// The lines that are read besides, with metric and unit.
const LINES: [(&str, &str, &str); 7] = [
    ("User time (seconds)", metrics::USER, "s"),
    ("System time (seconds)", metrics::SYS, "s"),
    ("Maximum resident set size (kbytes)", metrics::RSS, "KiB"),
    ("Major (requiring I/O) page faults", "major_faults", "count"),
    ("Minor (reclaiming a frame) page faults", "minor_faults", "count"),
    ("Voluntary context switches", "voluntary_switches", "count"),
    ("Involuntary context switches", "involuntary_switches", "count"),
];

/// The line of wall-clock time, which has colons itself.
const ELAPSED: &str = "Elapsed (wall clock) time (h:mm:ss or m:ss):";
/// The last line of a block.
const STATUS: &str = "Exit status:";
/// Before a block whose command was killed.
const KILLED: &str = "Command terminated by signal";

/// The smallest step of its times, seconds.
const STEP: f64 = 0.01;

/// A block as far as it is read.
struct Block {
    command: String,
    columns: Vec<Column>,
    outcome: Option<Outcome>,
    line: u64,
}

/// Reads all blocks of a text; lines of other programs between them are passed over.
pub(super) fn read(source: &Source) -> Result<Results, Refused> {
    let mut results = Results::default();
    let mut open: Option<Block> = None;
    let mut killed = None;
    let mut known = HashMap::new();
    let mut others = None;
    let text = String::from_utf8_lossy(source.text());
    for (line, text) in (1..).zip(text.lines()) {
        let text = text.trim();
        let wrong = |reason: String| Refused { part: 0, line, reason };
        if let Some(signal) = text.strip_prefix(KILLED) {
            killed = signal.trim().parse().ok();
        } else if let Some(command) = text.strip_prefix(FIRST) {
            if let Some(cut) = &open {
                return Err(wrong(format!("the block of line {} has no `{STATUS}`", cut.line)));
            }
            let command = command.trim().trim_matches('"').to_owned();
            let outcome = killed.take().map(|signal| Outcome::Killed { signal });
            open = Some(Block { command, columns: Vec::new(), outcome, line });
        } else if let Some(block) = &mut open {
            if let Some(status) = text.strip_prefix(STATUS) {
                let code = status.trim().parse().map_err(|_| wrong(no_number(STATUS, status)))?;
                let outcome = block.outcome.take().unwrap_or(crate::outcome::from_exit_code(code));
                let block = open.take().into_iter();
                block.for_each(|block| close(&mut results, &mut known, block, &outcome));
            } else {
                field(&mut results, block, text).map_err(wrong)?;
            }
        } else if perf_stat::separator(text).is_some() || text.starts_with(perf_stat::FIRST_KEY) {
            others.get_or_insert(line);
        }
    }
    if let Some(line) = others {
        results.loss(&format!("line {line}"), "it looks like a line of perf stat; not read here");
    }
    match open {
        None => Ok(results),
        Some(cut) => {
            let reason = format!("the block has no line `{STATUS}`: it is cut");
            Err(Refused { part: 0, line: cut.line, reason })
        }
    }
}

fn no_number(name: &str, text: &str) -> String {
    format!("{name} `{}` is no number", crate::raw::clipped(text.trim()))
}

/// A line of a block.
fn field(results: &mut Results, block: &mut Block, text: &str) -> Result<(), String> {
    let (quantity, cell) = if let Some(elapsed) = text.strip_prefix(ELAPSED) {
        let seconds = seconds(elapsed.trim()).ok_or_else(|| no_number("elapsed time", elapsed))?;
        (Quantity::wall("s"), Cell::Number(seconds))
    } else {
        let Some((name, value)) = text.rsplit_once(": ") else { return Ok(()) };
        let Some((_, metric, unit)) = LINES.iter().find(|(known, ..)| *known == name) else {
            return Ok(());
        };
        let cell = Cell::from_text(value.trim());
        cell.number().ok_or_else(|| no_number(name, value))?;
        (Quantity::lower(metric, unit), cell)
    };
    let resolution = (quantity.unit == "s").then_some(STEP);
    let quantity = results.quantity(Quantity { resolution, ..quantity });
    block.columns.push(Column { quantity, cells: vec![cell] });
    Ok(())
}

/// Seconds of `h:mm:ss` or `m:ss.cc`, or as `BusyBox` writes them: `1h 02m 03s` or `0m 0.07s`; rounded once.
fn seconds(text: &str) -> Option<f64> {
    let words = text.strip_suffix('s').filter(|text| text.contains("m ") && !text.contains(':'));
    let plain = words.map(|text| text.replace("h ", ":").replace("m ", ":"));
    let text = plain.as_deref().unwrap_or(text);
    let mut parts = text.rsplit(':');
    let (whole, fraction) = match parts.next()?.split_once('.') {
        Some((whole, fraction)) => (whole, fraction),
        None => (text.rsplit(':').next()?, "0"),
    };
    let mut total: u64 = whole.parse().ok()?;
    for (part, size) in parts.zip([60, 3600]) {
        total = total.checked_add(part.parse::<u64>().ok()?.checked_mul(size)?)?;
    }
    let is_digits = fraction.bytes().all(|byte| byte.is_ascii_digit());
    format!("{total}.{fraction}").parse().ok().filter(|_| is_digits)
}

/// A block that is complete is a run of its command.
fn close(
    results: &mut Results,
    known: &mut HashMap<String, usize>,
    block: Block,
    outcome: &Outcome,
) {
    let Block { command, columns, .. } = block;
    let at = *known.entry(command).or_insert_with_key(|command| {
        let key = BenchmarkKey { name: command.clone(), params: Vec::new() };
        let command = Some(command.clone());
        results.benchmarks.push(Benchmark { key, command, ..Benchmark::default() });
        results.benchmarks.len() - 1
    });
    let columns = if *outcome == Outcome::Ok { columns } else { Vec::new() };
    let runs = &mut results.benchmarks[at].runs;
    let run = Run { outcome: outcome.clone(), ..Run::new(columns) };
    runs.push(run.of_process(runs.len()));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elapsed_times() {
        assert_eq!(seconds("0:00.01"), Some(0.01));
        assert_eq!(seconds("2:03.45"), Some(123.45));
        assert_eq!(seconds("1:02:03"), Some(3723.0));
        assert_eq!(seconds("0m 0.07s"), Some(0.07));
        assert_eq!(seconds("1h 02m 03s"), Some(3723.0));
        for none in [
            "",
            "s",
            "1m2s",
            "1:2s",
            "x",
            "1:x",
            "1:2.x",
            "-1:00",
            "1:00.-5",
            "99999999999999999999:00",
        ] {
            assert_eq!(seconds(none), None, "{none}");
        }
    }
}
