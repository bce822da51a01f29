//! Who is best in a row, and who cannot be told from whom: all pairs of all rows, a family of their own.
//!
//! Samples of one run that share blocks are compared within them, as everywhere. The correction is Holm's, because a
//! claim about who is best holds or falls with every comparison of its row, and the marks of a table are read together:
//! of 14 rows of two equal columns, each with a family of its own, 43 % of tables name a best that there is not. What
//! somebody published is not ranked, and neither is the time of what does nothing that can be seen.

use super::gather::Gathered;
use super::grid::{Grid, Sampled};
use super::nothing;
use super::verdicts::{earlier, is_published, side};
use super::{Cell, Centre, Method};
use crate::compare::{Scales, family_dependence};
use crate::criteria::Criteria;
use crate::family::{self, Family, Pair, Side};
use crate::model::{Direction, Metric};
use crate::sample::Sample;
use crate::stats::{self, Correction};
use crate::threads::each;
use crate::verdict::{Assessment, Decision, Verdict};

/// The columns of a row by how good they are.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Ranks {
    /// The column with the best centre; absent where the metric has no better way.
    pub best: Option<usize>,
    /// Columns that are the same as the best within the margin.
    pub same: Vec<usize>,
    /// Columns that cannot be told from the best yet, or that compare as better although their centre is worse.
    pub unclear: Vec<usize>,
    /// By column, letters: those that share one are not told apart. Empty for one without values.
    pub letters: Vec<String>,
}

/// The ranks of all rows by what stands for their readings. O(k²) comparisons for a row of k columns.
pub(super) fn ranks(
    (gathered, grid): (&Gathered<'_>, &Grid),
    method: &Method,
    rows: &[Vec<Option<Cell>>],
    centre: Centre,
) -> Vec<Ranks> {
    let criteria = Criteria { correction: Some(Correction::Holm), ..method.criteria };
    let mut compared = each(grid.rows.len(), method.threads, |at| {
        let sampled = grid.sampled(at, gathered);
        let columns = columns((gathered, grid), (&sampled, &rows[at]), centre);
        let comparisons = comparisons((gathered, &grid.metric), &columns, &criteria);
        Compared { columns: columns.iter().map(|column| column.at).collect(), comparisons }
    });
    let all = compared.iter_mut().flat_map(|row| &mut row.comparisons);
    family::assess(all.flatten(), &criteria);
    compared.iter().map(|row| row.ranks(grid)).collect()
}

/// The comparisons of all columns of a row with each other.
struct Compared {
    /// The columns, the best centre first.
    columns: Vec<usize>,
    /// Their pairs i < j, in order.
    comparisons: Vec<Option<Assessment>>,
}

/// A column of a row that has values.
struct Column<'a> {
    at: usize,
    sampled: &'a Sampled,
    sample: Sample,
    centre: f64,
}

/// The columns of a row that were measured and do something, the best centre first.
fn columns<'a>(
    (gathered, grid): (&Gathered<'_>, &Grid),
    (row, cells): (&'a [Option<Sampled>], &[Option<Cell>]),
    centre: Centre,
) -> Vec<Column<'a>> {
    let column = |(at, sampled): (usize, &'a Option<Sampled>)| {
        let (sampled, cell) = (sampled.as_ref()?, cells[at].as_ref()?);
        let sample = gathered.sample(sampled.cell, sampled.values.clone())?;
        let is_measured = !is_published(gathered, sampled.cell);
        let is_idle = nothing::is_idle((gathered, grid), sampled.cell);
        (is_measured && !is_idle).then(|| Column {
            at,
            sampled,
            sample,
            centre: cell.at(centre).value,
        })
    };
    let mut columns: Vec<Column<'a>> = row.iter().enumerate().filter_map(column).collect();
    columns.sort_by(|a, b| match grid.metric.direction {
        Direction::Higher => b.centre.total_cmp(&a.centre),
        _ => a.centre.total_cmp(&b.centre),
    });
    columns
}

impl Compared {
    fn ranks(&self, grid: &Grid) -> Ranks {
        let Grid { metric, cols, .. } = grid;
        let k = self.columns.len();
        let decision = |i: usize, j: usize| {
            let assessment = self.comparisons[place_of(i.min(j), i.max(j), k)].as_ref()?;
            Some(&assessment.decision)
        };
        let differs = |i: usize, j: usize| decision(i, j).is_some_and(Decision::is_difference);
        let mut ranks = Ranks { letters: vec![String::new(); cols.len()], ..Ranks::default() };
        for (column, letters) in self.columns.iter().zip(stats::letters(k, differs)) {
            ranks.letters[*column] = letters;
        }
        if metric.direction != Direction::Neither {
            ranks.best = self.columns.first().copied();
            for (other, column) in self.columns.iter().enumerate().skip(1) {
                match decision(0, other) {
                    // A mean may be smaller where the readings are larger: neither is the best then.
                    Some(decision) if decision.verdict == Verdict::Faster => {
                        ranks.unclear.push(*column);
                    }
                    Some(decision) if decision.is_difference() => {}
                    Some(Decision { verdict: Verdict::Same, .. }) => ranks.same.push(*column),
                    _ => ranks.unclear.push(*column),
                }
            }
        }
        ranks
    }
}

/// The place of a pair i < j among all pairs of k things, which are in order.
fn place_of(i: usize, j: usize, k: usize) -> usize {
    i * (2 * k - i - 1) / 2 + (j - i - 1)
}

/// All pairs of a row; their family follows.
fn comparisons(
    (gathered, metric): (&Gathered<'_>, &Metric),
    columns: &[Column<'_>],
    criteria: &Criteria,
) -> Vec<Option<Assessment>> {
    let k = columns.len();
    let pairs: Vec<(usize, usize)> = (0..k).flat_map(|i| (i + 1..k).map(move |j| (i, j))).collect();
    let level = criteria.confidence;
    let sides = columns.iter().map(|it| side(gathered, it.sampled.cell, &it.sample, level));
    let sides: Vec<Option<Side<'_>>> = sides.collect();
    let pair = |&(i, j): &(usize, usize)| Some(Pair { base: sides[i]?, candidate: sides[j]? });
    let in_blocks = pairs.iter().filter_map(|it| pair(it)?.in_blocks());
    let dependence = family_dependence(in_blocks, pairs.len());
    let family = Family { metric, scales: Scales::OfVerdict, dependence };
    let compare = |places: &(usize, usize)| {
        let cells = [places.0, places.1].map(|at| columns[at].sampled.cell);
        let earlier = earlier(gathered, cells, &metric.name);
        let evidence = family.evidence(&pair(places)?, &earlier, criteria)?;
        Some(Assessment::in_family(evidence, criteria))
    };
    pairs.iter().map(compare).collect()
}

#[cfg(test)]
mod tests {
    use super::place_of;

    /// Would catch the verdict of one pair that is read for another.
    #[test]
    fn pairs_are_found_where_they_stand() {
        for k in 0..9 {
            let pairs = (0..k).flat_map(|i| (i + 1..k).map(move |j| (i, j)));
            for (place, (i, j)) in pairs.enumerate() {
                assert_eq!(place_of(i, j, k), place, "{i}, {j} of {k}");
            }
        }
    }
}
