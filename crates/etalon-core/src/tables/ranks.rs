//! Who is best in a row, and who cannot be told from whom: all pairs of a row, a family of its own.
//!
//! Samples of one run that share blocks are compared within them, as everywhere. The correction is Holm's, because a
//! claim about who is best holds or falls with every comparison of its row.

use super::Cell;
use super::gather::Gathered;
use super::grid::{Grid, Sampled};
use super::verdicts::{TableRules, compared, earlier, origin};
use crate::compare::{Contrast, Scales, family_dependence};
use crate::criteria::Criteria;
use crate::model::{Direction, Metric};
use crate::sample::Sample;
use crate::stats::{self, Correction};
use crate::threads::each;
use crate::verdict::{Assessment, Decision, Member, Verdict, assess};

/// The columns of a row by how good they are.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Ranks {
    /// The column with the best centre; absent where the metric has no better way.
    pub best: Option<usize>,
    /// Columns that are the same as the best within the margin.
    pub same: Vec<usize>,
    /// Columns that cannot be told from the best yet.
    pub unclear: Vec<usize>,
    /// By column, letters: those that share one are not told apart. Empty for one without values.
    pub letters: Vec<String>,
}

/// The ranks of all rows.
pub(super) fn ranks(
    gathered: &Gathered<'_>,
    grid: &Grid,
    rules: &TableRules,
    rows: &[Vec<Option<Cell>>],
) -> Vec<Ranks> {
    each(grid.rows.len(), rules.method.threads, |at| {
        row(gathered, &grid.sampled(at, gathered), rules, &rows[at])
    })
}

/// A column of a row that has values.
struct Column<'a> {
    at: usize,
    sampled: &'a Sampled,
    sample: Sample,
    centre: f64,
}

fn row(
    gathered: &Gathered<'_>,
    row: &[Option<Sampled>],
    rules: &TableRules,
    cells: &[Option<Cell>],
) -> Ranks {
    let column = |(at, sampled): (usize, &'_ Option<Sampled>)| {
        let (sampled, cell) = (sampled.as_ref()?, cells[at].as_ref()?);
        let sample = gathered.sample(sampled.cell, sampled.values.clone())?;
        Some((at, sample, cell.centre.value))
    };
    let mut columns: Vec<Column<'_>> = row
        .iter()
        .enumerate()
        .filter_map(|it| {
            let (at, sample, centre) = column(it)?;
            Some(Column { at, sampled: it.1.as_ref()?, sample, centre })
        })
        .collect();
    columns.sort_by(|a, b| match rules.metric.direction {
        Direction::Higher => b.centre.total_cmp(&a.centre),
        _ => a.centre.total_cmp(&b.centre),
    });
    let pairs: Vec<(usize, usize)> =
        (0..columns.len()).flat_map(|i| (i + 1..columns.len()).map(move |j| (i, j))).collect();
    let assessments = assessed(gathered, rules, &columns, &pairs);
    let decision = |i: usize, j: usize| {
        let at = pairs.iter().position(|pair| *pair == (i.min(j), i.max(j)))?;
        Some(&assessments[at].as_ref()?.decision)
    };
    let differs = |i: usize, j: usize| decision(i, j).is_some_and(Decision::is_difference);
    let mut ranks = Ranks { letters: vec![String::new(); row.len()], ..Ranks::default() };
    for (column, letters) in columns.iter().zip(stats::letters(columns.len(), differs)) {
        ranks.letters[column.at] = letters;
    }
    if rules.metric.direction != Direction::Neither {
        ranks.best = columns.first().map(|column| column.at);
        for (other, column) in columns.iter().enumerate().skip(1) {
            match decision(0, other) {
                Some(decision) if decision.is_difference() => {}
                Some(Decision { verdict: Verdict::Same, .. }) => ranks.same.push(column.at),
                _ => ranks.unclear.push(column.at),
            }
        }
    }
    ranks
}

/// All pairs, assessed as one family.
fn assessed(
    gathered: &Gathered<'_>,
    rules: &TableRules,
    columns: &[Column<'_>],
    pairs: &[(usize, usize)],
) -> Vec<Option<Box<Assessment>>> {
    let samples = pairs.iter().map(|(i, j)| (&columns[*i].sample, &columns[*j].sample));
    let dependence = family_dependence(samples, pairs.len());
    let criteria = Criteria { correction: Some(Correction::Holm), ..rules.criteria };
    let compare = |&(i, j): &(usize, usize)| {
        let (base, candidate) = (&columns[i], &columns[j]);
        let cells = [base.sampled.cell, candidate.sampled.cell];
        let steps = cells.into_iter().filter_map(|cell| gathered.resolution(cell));
        let metric = Metric { resolution: steps.max_by(f64::total_cmp), ..rules.metric.clone() };
        let contrast = Contrast {
            metric: &metric,
            base: &base.sample,
            candidate: &candidate.sample,
            origin: origin(gathered, cells[0], cells[1]),
            earlier: earlier(gathered, cells, &metric.name),
            dependence,
            scales: Scales::OfVerdict,
        };
        compared(&contrast, &criteria)?.assessment
    };
    let mut assessments: Vec<Option<Box<Assessment>>> = pairs.iter().map(compare).collect();
    let members = assessments.iter_mut().flatten();
    let members = members.map(|assessment| Member { assessment, repeats: None });
    assess(&mut members.collect::<Vec<_>>(), &criteria);
    assessments
}
