//! Benchmarks of a comparison that did not come to results, and what they said: tables have no place for either.

use std::collections::BTreeSet;

use etalon_core::dataset::{Dataset, Group};
use etalon_core::excerpt::excerpt;
use etalon_core::model::Outcome;
use etalon_core::model::{BUILD, SIDE};
use etalon_core::notes::{ExecutionNote, Note, NoteKind};
use etalon_report::note_line;
use etalon_report::text::clean;

use crate::output;

/// Says which benchmarks did not come to results, and what they said.
pub(crate) fn tell(data: &Dataset) {
    let mut told = BTreeSet::new();
    for group in data.groups() {
        let Some(row) = group.uncounted.first() else { continue };
        let row = *row as usize;
        let how = data.rows.outcome(row).clone();
        let signal = match how {
            Outcome::Ok | Outcome::Suspended => continue,
            Outcome::Killed { signal } => Some(output::signal_name(signal).0),
            _ => None,
        };
        let about = whose(data, &group, row);
        let count = group.uncounted.len();
        let what = NoteKind::Executions(ExecutionNote::NoResult { how, signal, count });
        let failure = format!("etalon: {}", note_line(&Note { about, what }));
        // Once of all builds of a side.
        if !told.insert(failure.clone()) {
            continue;
        }
        output::remark(&failure);
        let said = group.tally(data).and_then(|tally| tally.said.as_ref());
        let said = said.filter(|_| data.rows.outcome(row).fails_its_run());
        let lines = said.iter().flat_map(|(_, text)| text.lines()).filter(|line| {
            let is_header = ["goos: ", "goarch: ", "pkg: ", "cpu: "].iter();
            !line.trim().is_empty()
                && !failure.ends_with(&format!(": {}", line.trim()))
                && !is_header.clone().any(|start| line.starts_with(start))
        });
        let lines = lines.collect::<Vec<_>>().join("\n");
        excerpt(&lines).iter().for_each(|line| {
            output::remark(&format!("  | {}", clean(&line.replace('\t', "  "))));
        });
    }
}

/// The name of a benchmark, with what tells it from others of that name, and its side; builds of a side are not told apart.
fn whose(data: &Dataset, group: &Group, row: usize) -> String {
    let mut key = group.benchmark.key.clone();
    let side = key.params.iter().find(|(name, _)| name == SIDE).map(|(_, side)| side.clone());
    key.params.retain(|(name, _)| ![SIDE, BUILD].contains(&&**name));
    let fact = |key: &str| data.fact(data.series_of(row).configuration, key).map(str::to_owned);
    let name = match group.benchmark.command.is_some() || group.benchmark.case.is_some() {
        true => key.label(),
        false => key.name,
    };
    let of = [Some(name), fact("pkg"), side.or_else(|| fact(SIDE))];
    of.into_iter().flatten().collect::<Vec<_>>().join(" ")
}
