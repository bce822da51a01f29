//! How often etalon's verdicts and intervals are wrong: simulated experiments through its own comparison engine, and a
//! document that says what came out. Not shipped.
//!
//! | module | what it owns |
//! | --- | --- |
//! | [`noise`] | machines: what readings scatter like |
//! | [`judge`] | the way into etalon's engine |
//! | [`rivals`] | the rules of other programs, for comparison only |
//! | [`figure`] | shares with what is asked of them, and when they fail |
//! | [`mod@table`] | simulating rows on threads, and writing tables |
//! | [`tables`] | what is simulated, one file a design |
//!
//! One seed and one number of replicates give the same figures, byte for byte, on any number of threads. A design is
//! added as a file in `tables` and a line in [`tables::all`].

pub mod figure;
pub mod judge;
pub mod noise;
pub mod rivals;
pub mod table;
pub mod tables;

use table::{Counts, Effort, Table, simulate};

/// The page: what fails first, then every table.
#[must_use]
pub fn document(tables: &[Table], effort: Effort, mut told: impl FnMut(&Table)) -> String {
    let simulated = |table: &Table| {
        told(table);
        simulate(table, effort)
    };
    let counts: Vec<Counts> = tables.iter().map(simulated).collect();
    let mut text = opening(tables, &counts, effort);
    for (table, counts) in tables.iter().zip(&counts) {
        text.push('\n');
        text.push_str(&table.markdown(counts));
    }
    text
}

fn opening(tables: &[Table], counts: &[Counts], effort: Effort) -> String {
    let judged: usize = tables.iter().map(Table::judged).sum();
    let failed: usize = tables.iter().zip(counts).map(|(table, of)| table.failed(of).len()).sum();
    let lines: String = tables.iter().zip(counts).map(|(table, of)| failures(table, of)).collect();
    let summary = match failed {
        0 => format!("All {judged} figures of which something is asked hold.\n"),
        n => format!("{n} of {judged} figures of which something is asked fail:\n\n{lines}"),
    };
    format!(
        "# Calibration\n\n\
         How often etalon is wrong. `make calibrate` writes this page: it simulates experiments whose answer is known and gives \
         them to the comparison and the verdict that reports use. Seed {0}, {1} replicates a row; rows marked ∗ have ten times as \
         many, large ones a fifth. `cargo run --release -p etalon-calibrate -- {1} smallest` writes the tables whose titles \
         have that word: the figures of a table do not depend on the others. All figures are percentages of the replicates unless a column says otherwise; – means that \
         there is no such figure.\n\n\
         A figure fails, and is bold with what was asked of it, when its interval of 99 % (by Bonferroni over the figures of \
         its table of which something is asked) lies wholly beyond that; in rows marked ∗ also when it is more than half a point \
         beyond. 5 % of false verdicts are allowed, and 95 % of intervals have to hold the truth. Where a subject's own \
         readings depend on one another, no rule reaches that with few blocks ([statistics](../statistics.md#serial-dependence)): \
         allowed are 15, 9 and 7.5 % from 10, 30, and 60 blocks for an autocorrelation of 0.5, and 26, 15 and 11 % for 0.9; \
         with fewer, nothing is asked. Unequal spread of independent values is allowed 6 %, from ten values on the smaller side.\n\n\
         {summary}",
        effort.seed, effort.replicates,
    )
}

/// Failures in a table, a line for each column.
fn failures(table: &Table, counts: &Counts) -> String {
    let failed = table.failed(counts);
    let of_column = |(at, (name, _)): (usize, &(String, figure::Kind))| {
        let rows = failed.iter().filter(|(_, column)| *column == at);
        let rows: Vec<&str> = rows.map(|(row, _)| &*table.rows[*row].title).collect();
        let line = || format!("- {}, {name}: {}\n", table.title, rows.join("; "));
        (!rows.is_empty()).then(line)
    };
    table.columns.iter().enumerate().filter_map(of_column).collect()
}
