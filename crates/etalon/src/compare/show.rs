//! The tables of a comparison on standard output, in the style and format asked for.

use std::io::{self, Write};

use etalon_core::tables::Tables;
use etalon_report::compare::benchstat;

use crate::cli::{Compare, OutputArg, StyleArg};
use crate::failure::Failure;
use crate::output;

/// Whether what is asked for exists.
///
/// # Errors
/// In words, with what to do.
pub fn check(options: &Compare) -> Result<(), Failure> {
    let show = &options.show;
    if show.style == StyleArg::Etalon {
        return Ok(());
    }
    let text = matches!(show.format, OutputArg::Terminal | OutputArg::Csv) && !show.json;
    if !text {
        return Err(Failure::new("--style benchstat prints text and CSV only: leave --style out for more"));
    }
    let asked = [
        (show.only.is_some(), "--only"),
        (show.sort.is_some(), "--sort"),
        (show.summary, "--summary"),
        (!options.checks.fail_on.is_empty(), "--fail-on"),
        (show.view != crate::cli::ViewArg::Delta, "--view"),
    ];
    match asked.iter().find(|(asked, _)| *asked) {
        Some((_, what)) => Err(Failure::new(format!("{what} means nothing to --style benchstat"))),
        None => Ok(()),
    }
}

/// Writes the tables.
pub fn show(
    options: &Compare,
    tables: &Tables,
    failed: &[String],
    remarks: &[String],
) -> Result<(), Failure> {
    let _ = remarks;
    let text = match (options.show.style, options.show.format) {
        (StyleArg::Benchstat, OutputArg::Csv) => {
            let benchstat::Csv { lines, warnings } = benchstat::csv(tables);
            if !options.show.quiet {
                for warning in warnings.lines() {
                    output::remark(warning);
                }
            }
            lines
        }
        _ => benchstat::text(tables),
    };
    let mut out = io::stdout().lock();
    let written = out.write_all(text.as_bytes()).and_then(|()| out.flush());
    for reason in failed {
        output::remark(reason);
    }
    written.map_err(|error| Failure::of_output(&error))
}
