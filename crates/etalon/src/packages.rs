//! Runs of harnesses, `etalon go` and `--results`: their tables.

use etalon_core::dataset::Dataset;

use crate::cli::{self, Comparison};
use crate::compare::{self, sides};
use crate::failure::{Exit, Failure};

/// Whether data are one run of a harness.
pub(crate) fn is_run(data: &Dataset) -> bool {
    matches!(&data.run_sets[..], [set] if set.harness.is_some())
}

/// The tables of a run: its sides as columns, by the rules that were recorded where nothing else is asked for.
pub(crate) fn tables(mut options: Comparison, data: Dataset) -> Result<Exit, Failure> {
    let two = sides::of(&data).is_some();
    check(&options.show, two)?;
    // Of one side, what is of interest is how far its values scatter.
    let cli::Show { format, json, .. } = options.show;
    options.show.full |= !two && !json && !options.show.rows.summary && is_for_reading(format);
    compare::sides_compared(&options, data)
}

/// Refuses a comment on one side, and tests of it.
///
/// # Errors
/// In words, with what to do.
pub(crate) fn check(show: &cli::Show, has_two: bool) -> Result<(), Failure> {
    match show.format {
        cli::OutputArg::Comment | cli::OutputArg::Junit if !has_two && !show.json => {
            Err(Failure::new(cli::OF_SIDES))
        }
        _ => Ok(()),
    }
}

fn is_for_reading(format: cli::OutputArg) -> bool {
    matches!(format, cli::OutputArg::Terminal | cli::OutputArg::Markdown)
}
