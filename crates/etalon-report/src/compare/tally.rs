//! A table's comparisons in one line: how many of each verdict, and the geometric mean; or that a data set
//! has nothing of the table. What has to be said of the columns follows, where no table says it.

use etalon_core::tables::{Comparison, Table, Tables};
use etalon_core::verdict::Verdict;

use super::scale::change;
use super::words::{self, Columns};

/// A line for each table and column but the base, and for each column that a table lacks.
#[must_use]
pub fn lines(tables: &Tables) -> Vec<String> {
    let columns = Columns::of(tables);
    let mut lines = Vec::new();
    for (table, lacking) in tables.tables.iter().zip(super::lacking(tables)) {
        let title = words::title(tables, table);
        for (at, labels) in table.columns.iter().enumerate().skip(1) {
            lines.push(format!("{title}, {}: {}", columns.label(labels), tally(table, at)));
        }
        let missing = |labels| format!("{title}, {}: missing", columns.label(labels));
        lines.extend(lacking.into_iter().map(missing));
    }
    lines
}

/// What has to be said of columns, each once.
pub(super) fn notes(tables: &Tables) -> Vec<String> {
    let columns = Columns::of(tables);
    let mut lines: Vec<String> = Vec::new();
    for table in &tables.tables {
        for (labels, summary) in table.columns.iter().zip(&table.summaries) {
            for note in &summary.notes {
                let line = format!("{}: {}", columns.label(labels), words::note(note));
                if !lines.contains(&line) {
                    lines.push(line);
                }
            }
        }
    }
    lines
}

fn tally(table: &Table, column: usize) -> String {
    let cells = table.rows.iter().filter_map(|row| row.cells[column].as_ref());
    let comparisons: Vec<_> = cells.filter_map(|cell| cell.comparison.as_ref()).collect();
    let word = |comparison: &&Comparison| {
        comparison.assessment.as_deref().map_or(Verdict::Unclear.word(), |it| it.decision.word())
    };
    let count = |wanted: &str| comparisons.iter().filter(|c| word(c) == wanted).count();
    let always = [Verdict::Faster, Verdict::Slower, Verdict::Same, Verdict::Unclear];
    let mut counts: Vec<String> =
        always.map(|verdict| format!("{} {}", count(verdict.word()), verdict.word())).to_vec();
    // Where neither direction is better, a difference is only one.
    if count("differs") > 0 {
        counts.push(format!("{} differ", count("differs")));
    }
    let summary = &table.summaries[column];
    let mean = summary.ratio.map_or("no geometric mean".to_owned(), |ratio| {
        format!("geometric mean {}", change(ratio, summary.interval))
    });
    format!("{}; {mean}", counts.join(", "))
}
