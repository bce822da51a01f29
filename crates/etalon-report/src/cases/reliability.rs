//! "Measurement Reliability Analysis": how narrow the interval of every case's median is.

use etalon_core::analysis::{Analysis, Suite};
use etalon_core::units::Base;

use super::{Measured, measured, name, rows, shared_unit, sorted};
use crate::number::DisplayUnit;
use crate::table::{Align, Cell, Column, Table};

/// How precise each case's estimate is.
pub(super) fn table(analysis: &Analysis, suite: &Suite) -> Table {
    let precision = |case: &Measured<'_>| case.facts.precision;
    let cases = sorted(measured(analysis, suite), |case| Some(precision(case)?.relative));
    let widths: Vec<Option<f64>> = cases.iter().map(|case| Some(precision(case)?.width)).collect();
    let words = |word: &dyn Fn(&Measured<'_>) -> Option<String>| -> Vec<Cell> {
        cases.iter().map(|case| Cell::words_or_absent(word(case))).collect()
    };
    let (width, widths) = shared_unit::column("CI Width", &Base::Seconds, &widths);
    let relative =
        |case: &Measured<'_>| Some(format!("{:.1}\u{a0}%", precision(case)?.relative * 100.0));
    Table {
        title: "Measurement Reliability Analysis".to_owned(),
        caption: "Intervals of the median over blocks; sorted by precision (a lower RCIW is more \
                  reliable)."
            .to_owned(),
        columns: vec![
            Column::new("Name", Align::Left),
            Column::new("CI Level", Align::Left),
            width,
            Column::new("RCIW", Align::Point),
            Column::new("Quality", Align::Left),
        ],
        rows: rows(vec![
            cases.iter().map(|case| name(analysis, case.index)).collect(),
            words(&|case| Some(interval(case))),
            widths,
            words(&relative),
            words(&|case| Some(precision(case)?.quality.word().to_owned())),
        ]),
        ..Table::default()
    }
}

/// Level and interval, or why there is none.
fn interval(case: &Measured<'_>) -> String {
    let median = &case.wall.median;
    match &median.interval {
        Ok(interval) => {
            let shown = DisplayUnit::fitting(&case.wall.metric, median.value);
            let digits = |value| shown.digits(value, shown.decimals(interval));
            format!(
                "{} ({} … {}) {}",
                crate::words::level(interval.level),
                digits(interval.lo),
                digits(interval.hi),
                shown.symbol()
            )
        }
        Err(lacking) => lacking.to_string(),
    }
}
