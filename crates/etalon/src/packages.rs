//! Runs of `etalon go`: their tables, and which of their benchmarks failed.

use std::collections::BTreeSet;

use etalon_core::dataset::Dataset;
use etalon_core::model::{Harness, Outcome};
use etalon_report::text::clean;

use crate::cli::{self, Comparison};
use crate::compare::{self, sides};
use crate::failure::{Exit, Failure};
use crate::output;

/// Lines of what a failed benchmark said that are shown.
pub(crate) const SAID: usize = 8;

/// Whether data are one run of `etalon go`.
pub(crate) fn is_run(data: &Dataset) -> bool {
    matches!(&data.run_sets[..], [set] if set.harness == Some(Harness::Go))
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
    let mut told = BTreeSet::new();
    for group in data.groups() {
        let Some(row) = group.uncounted.first() else { continue };
        let row = *row as usize;
        let how = match data.rows.outcome(row) {
            Outcome::NotStarted { why } if why.is_failure() => {
                format!("was not executed: {why}")
            }
            Outcome::NotStarted { why } => why.to_string(),
            Outcome::Failed { code } => format!("failed (exit status {code})"),
            Outcome::Killed { signal } => {
                format!("was killed by {}", output::signal_name(*signal).0)
            }
            Outcome::TimedOut => "took longer than --timeout".to_owned(),
            Outcome::Ok | Outcome::Suspended => continue,
        };
        let configuration = data.series_of(row).configuration;
        let fact = |key: &str| data.fact(configuration, key).map(|value| format!(" {value}"));
        let of = ["pkg", "side"].into_iter().filter_map(fact).collect::<String>();
        let count = group.uncounted.len();
        let times = if count > 1 { format!(", {count} times") } else { String::new() };
        let name = &group.benchmark.key.name;
        let failure = clean(&format!("etalon: {name}{of}: {how}{times}"));
        // Once of all builds of a side.
        if !told.insert(failure.clone()) {
            continue;
        }
        output::remark(&failure);
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
