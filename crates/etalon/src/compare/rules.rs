//! By which rules tables are judged: as typed, else as recorded with the data, else as usual.
//!
//! Refuses what a style has no place for. What is typed comes before what was recorded by `cli::Judgement::over`.

use std::collections::BTreeSet;

use etalon_core::criteria::Criteria;
use etalon_core::dataset::Dataset;
use etalon_core::tables::{Method, Style, Tables};
use etalon_core::units::Base;

use super::show;
use crate::cli::{Comparison, StyleArg, values};
use crate::failure::Failure;
use crate::settings::{self, LEVEL_FOLLOWS};

/// By which rules: as typed, else as `recorded`, else as usual.
pub(super) fn method(options: &Comparison, recorded: Option<Criteria>) -> Result<Method, Failure> {
    let judging = &options.judging;
    let style = match options.show.style {
        StyleArg::Etalon => Style::Etalon,
        StyleArg::Benchstat => Style::Benchstat,
    };
    let default = Method::new(style);
    let usual = recorded.unwrap_or(default.criteria);
    // A check has a correction of its own unless one is typed.
    let correction = match options.checks.are_of_rows() {
        true => None,
        false => usual.correction.or(default.criteria.correction),
    };
    let criteria = judging.over(Criteria { correction, ..usual });
    let (scales, means) = (show::scales(options), show::has_means(options));
    let method = Method { criteria, scales, means, threads: settings::threads(), ..default };
    let refused = |what: &str| {
        Failure::new(format!("{what} has no effect with --style benchstat: leave one of them out"))
    };
    match style {
        Style::Etalon if !(criteria.alpha > 0.0 && criteria.alpha < 1.0) => {
            Err(Failure::new("--alpha: write a number between 0 and 1, such as 0.05"))
        }
        Style::Etalon if !(0.5..=0.999_999).contains(&criteria.confidence) => {
            Err(Failure::new("--confidence: write a level between 50% and 99.9999%, such as 95%"))
        }
        Style::Benchstat if judging.correction.is_some() => Err(refused("--correction")),
        Style::Benchstat if judging.margin.is_some() => Err(refused("--margin")),
        Style::Benchstat if judging.at_least.is_some() => Err(refused("--at-least")),
        Style::Benchstat if judging.between.is_some() => Err(refused("--between")),
        Style::Benchstat if !judging.history.is_empty() => Err(refused("--history")),
        _ => Ok(method),
    }
}

/// The method for data that were executed until decided: the alpha that their looks share is the recorded one,
/// of several the strictest, unless another is asked for; a level cannot be.
pub(super) fn looked(
    options: &Comparison,
    data: &Dataset,
    method: Method,
) -> Result<Method, Failure> {
    let looked = data.run_sets.iter().filter_map(|set| set.looked);
    let Some(alpha) = looked.map(|looked| looked.alpha).min_by(f64::total_cmp) else {
        return Ok(method);
    };
    if options.judging.confidence.is_some() {
        return Err(Failure::new(LEVEL_FOLLOWS));
    }
    let alpha = options.judging.alpha.unwrap_or(alpha);
    Ok(Method { criteria: Criteria { alpha, ..method.criteria }, ..method })
}

/// Refuses an amount that no table is held against.
pub(super) fn check_margin(options: &Comparison, tables: &Tables) -> Result<(), Failure> {
    let Some(margin) = options.judging.margin else { return Ok(()) };
    let bases: Vec<Base> = tables.tables.iter().map(|table| table.base.clone()).collect();
    let units: BTreeSet<&str> = tables.tables.iter().map(|table| table.unit.as_str()).collect();
    let compared = units.into_iter().collect::<Vec<_>>().join(", ");
    values::margin_applies(margin, &bases, &compared).map_err(Failure::new)
}
