//! The tests of means beside etalon's own verdicts: Welch's of every pair, or Scott–Knott clusters.

use etalon_core::analysis::{Analysis, Means, MeansFinding, Pair, Suite, Tested};
use etalon_core::stats::{Clustering, Correction, InsufficientData, NEGLIGIBLE_D};
use etalon_core::units::Base;

use super::{name, performance, rows, shared_unit};
use crate::number::{counted, fixed, p_value, significance};
use crate::table::{Align, Cell, Column, Table};
use crate::words::correction_text;

/// The table; none with a single case.
pub(super) fn table(analysis: &Analysis, suite: &Suite) -> Option<Table> {
    let means = suite.means.as_ref()?;
    Some(match &means.tested {
        Tested::Welch { pairs, correction } => {
            let rows = pairs.iter().map(|pair| welch_row(analysis, suite, pair)).collect();
            welch(means, rows, *correction)
        }
        Tested::ScottKnott(clustering) => clusters(analysis, suite, means, clustering),
    })
}

fn welch_row(analysis: &Analysis, suite: &Suite, pair: &Pair) -> Vec<Cell> {
    let test = pair.welch.as_ref().ok();
    let own = suite.comparison(pair.candidate).filter(|own| own.base == pair.base);
    let t =
        |test: &etalon_core::stats::Welch| format!("{} ({})", fixed(-test.t, 2), fixed(test.df, 1));
    vec![
        name(analysis, pair.candidate),
        name(analysis, pair.base),
        Cell::words_or_absent(test.map(t)),
        Cell::words_or_absent(pair.adjusted_p.map(p_value)),
        Cell::words(found(pair)),
        performance::verdict(own),
    ]
}

fn welch(means: &Means, rows: Vec<Vec<Cell>>, correction: Correction) -> Table {
    let columns = [
        ("Name", Align::Left),
        ("Against", Align::Left),
        ("t (df)", Align::Point),
        ("Adjusted p", Align::Point),
        ("Welch", Align::Left),
        ("etalon", Align::Left),
    ];
    let correction = correction_text(correction);
    let pairs = counted(rows.len(), "pair", "pairs");
    let uncompared = rows.len() > means.members.len() - 1;
    let only = "etalon's verdicts are about the baseline only.".to_owned();
    Table {
        title: "Pairwise Comparison".to_owned(),
        caption: format!(
            "Welch's t-test of mean times, one value per block; p adjusted by {correction} over \
             {pairs}, α {}; beside it etalon's verdict, on ratios within blocks.",
            significance(means.alpha)
        ),
        columns: columns.iter().map(|(title, align)| Column::new(title, *align)).collect(),
        rows,
        remarks: uncompared.then_some(only).into_iter().collect(),
    }
}

fn found(pair: &Pair) -> String {
    match (&pair.welch, pair.found) {
        (Err(lacking), _) => format!("none: {lacking}"),
        (_, Some(MeansFinding::Difference)) => "differ".to_owned(),
        _ => "not seen".to_owned(),
    }
}

fn clusters(
    analysis: &Analysis,
    suite: &Suite,
    means: &Means,
    clustering: &Result<Clustering, InsufficientData>,
) -> Table {
    let clustering = clustering.as_ref();
    let order = match clustering {
        Ok(found) => found.order.clone(),
        Err(_) => (0..means.members.len()).collect(),
    };
    let case = |&place: &usize| means.members[place];
    let cluster = |&place: &usize| Some(clustering.ok()?.clusters.get(place)?.to_string());
    let times: Vec<Option<f64>> = order.iter().map(|&i| means.values.get(i).copied()).collect();
    let (mean, times) = shared_unit::column("Mean", &Base::Seconds, &times);
    let own = |place: &usize| match suite.comparison(case(place)) {
        None if Some(case(place)) == suite.baseline => Cell::words("baseline"),
        own => performance::verdict(own),
    };
    let lacking = clustering.err();
    Table {
        title: "Clusters".to_owned(),
        caption: format!(
            "Scott-Knott ESD (version 1) of mean times, one value per block: α {} a split, \
             neighbours with |d| below {NEGLIGIBLE_D} together. Cluster 1 is the fastest. Beside it \
             etalon's verdict against the baseline, on ratios within blocks.",
            significance(means.alpha)
        ),
        columns: vec![
            Column::new("Name", Align::Left),
            Column::new("Cluster", Align::Right),
            mean,
            Column::new("etalon", Align::Left),
        ],
        rows: rows(vec![
            order.iter().map(|place| name(analysis, case(place))).collect(),
            order.iter().map(|place| Cell::words_or_absent(cluster(place))).collect(),
            times,
            order.iter().map(own).collect(),
        ]),
        remarks: lacking.map(|why| format!("No clusters: {why}.")).into_iter().collect(),
    }
}
