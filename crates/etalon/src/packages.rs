//! Runs of `etalon go`: their tables, and which of their benchmarks failed.

use etalon_core::dataset::Dataset;
use etalon_core::model::Outcome;
use etalon_core::notes::{ExecutionNote, Note, NoteKind};
use etalon_report::note_line;
use etalon_report::text::clean;

use crate::cli::{self, Comparison};
use crate::failure::{Exit, Failure};
use crate::{compare, output, sides};

/// The fact that it is such a run; its sides, the base first, for versions that do not know what the header says.
pub(crate) const SIDES: &str = "go.sides";

/// Lines of what a failed benchmark said that are shown.
pub(crate) const SAID: usize = 8;

/// Whether data are one run of `etalon go`.
pub(crate) fn is_run(data: &Dataset) -> bool {
    matches!(&data.run_sets[..], [set] if set.context.contains_key(SIDES))
}

/// The tables of a run: its sides as columns, by the rules that were recorded where nothing else is asked for.
pub(crate) fn tables(mut options: Comparison, data: Dataset) -> Result<Exit, Failure> {
    let two = sides::of(&data).is_some();
    options.queries.columns = sides::of(&data).map(sides::columns);
    // Of one side, what is of interest is how far its values scatter.
    let cli::Show { format, json, summary, .. } = options.show;
    options.show.full |= !two && !json && !summary && is_for_reading(format);
    tell_failures(&data);
    compare::sides_compared(&options, data)
}

fn is_for_reading(format: cli::OutputArg) -> bool {
    matches!(format, cli::OutputArg::Terminal | cli::OutputArg::Markdown)
}

/// Says which benchmarks did not come to results, and what they said.
pub(crate) fn tell_failures(data: &Dataset) {
    for group in data.groups() {
        let Some(row) = group.uncounted.first() else { continue };
        let row = *row as usize;
        let how = data.rows.outcome(row).clone();
        let signal = match how {
            Outcome::Ok | Outcome::Suspended => continue,
            Outcome::Killed { signal } => Some(output::signal_name(signal).0),
            _ => None,
        };
        let configuration = data.series_of(row).configuration;
        let fact = |key: &str| data.fact(configuration, key).map(|value| format!(" {value}"));
        let of = ["pkg", "side"].into_iter().filter_map(fact).collect::<String>();
        let count = group.uncounted.len();
        let about = format!("{}{of}", group.benchmark.key.name);
        let what = NoteKind::Executions(ExecutionNote::NoResult { how, signal, count });
        output::remark(&format!("etalon: {}", note_line(&Note { about, what })));
        let said = group.tally(data).and_then(|tally| tally.said.as_ref());
        let said = said.filter(|_| data.rows.outcome(row).fails_its_run());
        let lines = said.iter().flat_map(|(_, text)| text.lines()).filter(|line| {
            let is_header = ["goos: ", "goarch: ", "pkg: ", "cpu: "].iter();
            !line.trim().is_empty() && !is_header.clone().any(|start| line.starts_with(start))
        });
        lines.take(SAID).for_each(|line| {
            output::remark(&format!("  | {}", clean(&line.replace('\t', "  "))));
        });
    }
}
