//! The tables of an experiment file as a JSON document, and the outcome of the first of them in a few words.

use etalon_core::analysis::executions;
use etalon_core::dataset::Dataset;
use etalon_core::model::Answer;
use etalon_core::notes::Note;
use etalon_core::tables::Labels;
use etalon_report::answer;
use etalon_report::json::{self, TableReport, Titled};
use etalon_report::number::counted;
use indexmap::IndexMap;

use super::display::DisplayOptions;
use super::file::Table;
use crate::failure::Failure;
use crate::{compare, output};

/// Writes the tables as a document; the first ones of them are the parts of the first table of the file.
pub(super) fn document(
    tables: &[Table],
    (computed, of_first): (&[Titled], usize),
    (data, notes): (&Dataset, &[Note]),
    wanted: &DisplayOptions<'_>,
) -> Result<(), Failure> {
    let options = wanted.view.comparison(&wanted.analysis.judging);
    let criteria = compare::criteria_in_force(&options, data)?;
    let brief = tables.first().map(|first| brief((first, tables.len()), &computed[..of_first]));
    output::document(TableReport {
        kind: json::Kind::Tables,
        headline: brief.map(answer::line),
        executions: &executions(data),
        settings: json::Settings::new(&criteria),
        tables: computed,
        controls: None,
        check: None,
        notes,
    })
}

/// Who is best in how many rows of the first table; without ranks, how many tables there are.
pub(super) fn brief((first, all): (&Table, usize), computed: &[Titled]) -> Answer {
    if !first.has_fastest() && !first.letters {
        return Answer::about_all(counted(all, "table", "tables"));
    }
    let tables = || computed.iter().flat_map(|titled| &titled.tables.tables);
    let mut best: IndexMap<&Labels, usize> = IndexMap::new();
    let mut rows = 0;
    for table in tables() {
        for ranks in table.rows.iter().filter_map(|row| row.ranks.as_ref()) {
            rows += 1;
            let alone = ranks.best.filter(|_| ranks.same.is_empty() && ranks.unclear.is_empty());
            if let Some(at) = alone {
                *best.entry(&table.columns[at]).or_default() += 1;
            }
        }
    }
    let all = counted(rows, "row", "rows");
    match best.iter().rev().max_by_key(|(_, count)| **count) {
        Some((labels, count)) => {
            let about = labels.iter().flatten().map(String::as_str).collect::<Vec<_>>().join(" ");
            Answer { about: Some(about), text: format!("best in {count} of {all}") }
        }
        None => Answer::about_all(format!("none best in {all}")),
    }
}
