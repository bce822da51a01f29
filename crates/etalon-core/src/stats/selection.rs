//! Exact order statistics of all pairwise differences or averages, without forming the pairs.
//!
//! Both sets are staircases: laid out in rows and columns, values ascend along rows and down
//! columns, so one walk along the boundary counts those ≤ t in O(n + m). Rounded subtraction and
//! averaging are monotone in each argument, so this holds for the numbers as computed, and the
//! result is the k-th of exactly those.
//!
//! The search narrows [first, last] around the answer. Both ends are always pairwise values that
//! occur, so every step makes progress whatever the ties; and two steps leave an eighth of the values inside,
//! or the next one halves the number of representable values between the ends, so there are at most some 230.
//! Once few values are left inside, they are collected. Cuts made for one rank narrow the search for the next.
//!
//! The boundary walk: Johnson & Mizoguchi, "Selecting the Kth Element in X + Y and
//! X₁ + X₂ + … + Xₘ", SIAM J. Computing 7 (1978); Monahan, "Algorithm 616", ACM TOMS 10 (1984).

use super::sorted::Sorted;

/// The `k`-th smallest (from 1) of the differences xᵢ − yⱼ, equal ones counted each. `None` if k is
/// 0 or beyond the mn differences; ±∞ where a difference exceeds the largest number.
/// About O((m + n) log(m + n)), memory O(m + n).
#[must_use]
pub fn kth_difference(x: &Sorted, y: &Sorted, k: u64) -> Option<f64> {
    Selection::new(Differences::new(x, y)).kth(k)
}

/// The `k`-th smallest (from 1) of the Walsh averages (xᵢ + xⱼ)/2, i ≤ j, equal ones counted each.
/// `None` if k is 0 or beyond the n(n + 1)/2 averages. About O(n log n), memory O(n).
#[must_use]
pub fn kth_average(sorted: &Sorted, k: u64) -> Option<f64> {
    Selection::new(Averages::new(sorted)).kth(k)
}

/// Pairwise values that ascend along each row and down each column.
pub(super) trait Staircase {
    /// Number of rows.
    fn rows(&self) -> usize;
    /// Number of columns.
    fn columns(&self) -> usize;
    /// The first column of a row; does not descend with the row.
    fn start(&self, row: usize) -> usize;
    /// A value, `start(row)` ≤ column.
    fn value(&self, row: usize, column: usize) -> f64;
    /// How many values there are.
    fn total(&self) -> u64;
}

/// The differences xᵢ − yⱼ, columns from the largest y to the smallest.
pub(super) struct Differences<'a> {
    x: &'a [f64],
    y: &'a [f64],
}

impl<'a> Differences<'a> {
    pub(super) fn new(x: &'a Sorted, y: &'a Sorted) -> Differences<'a> {
        Differences { x: x.as_slice(), y: y.as_slice() }
    }
}

impl Staircase for Differences<'_> {
    fn rows(&self) -> usize {
        self.x.len()
    }
    fn columns(&self) -> usize {
        self.y.len()
    }
    fn start(&self, _: usize) -> usize {
        0
    }
    fn value(&self, row: usize, column: usize) -> f64 {
        self.x[row] - self.y[self.y.len() - 1 - column]
    }
    fn total(&self) -> u64 {
        self.x.len() as u64 * self.y.len() as u64
    }
}

/// The Walsh averages (xᵢ + xⱼ)/2, i ≤ j.
pub(super) struct Averages<'a>(&'a [f64]);

impl<'a> Averages<'a> {
    pub(super) fn new(sorted: &'a Sorted) -> Averages<'a> {
        Averages(sorted.as_slice())
    }
}

impl Staircase for Averages<'_> {
    fn rows(&self) -> usize {
        self.0.len()
    }
    fn columns(&self) -> usize {
        self.0.len()
    }
    fn start(&self, row: usize) -> usize {
        row
    }
    fn value(&self, row: usize, column: usize) -> f64 {
        // Correctly rounded, so monotone, and it cannot overflow.
        f64::midpoint(self.0[row], self.0[column])
    }
    fn total(&self) -> u64 {
        let n = self.0.len() as u64;
        n * (n + 1) / 2
    }
}

/// Where a pivot cuts the values.
#[derive(Clone, Copy)]
struct Cut {
    /// How many values are at most the pivot.
    count: u64,
    /// The largest of them.
    floor: f64,
    /// The smallest value above the pivot.
    ceil: f64,
}

/// The bracket of the `k`-th value: it lies in [`first`, `last`], which are both pairwise values.
#[derive(Clone, Copy)]
struct Bracket {
    first: f64,
    last: f64,
    /// How many values are below `first`.
    below: u64,
    /// How many values are at most `last`.
    upto: u64,
}

impl Bracket {
    /// How many values are in it.
    fn inside(&self) -> u64 {
        self.upto - self.below
    }
}

/// Where the next pivot is to lie.
#[derive(Clone, Copy)]
enum Step {
    /// Where a linear distribution would have a rank this share of all inside below k.
    Below(f64),
    /// Where it would have one this share above k, so that both ends close in.
    Above(f64),
    /// In the middle of the representable numbers, which no distribution can make slow.
    Middle,
}

/// How far aside of k a search begins.
const FIRST_ASIDE: f64 = 1.0 / 32.0;

/// A search for order statistics of one staircase.
pub(super) struct Selection<S> {
    pairs: S,
    cuts: Vec<Cut>,
}

impl<S: Staircase> Selection<S> {
    pub(super) fn new(pairs: S) -> Selection<S> {
        Selection { pairs, cuts: Vec::new() }
    }

    pub(super) fn total(&self) -> u64 {
        self.pairs.total()
    }

    /// The `k`-th smallest value, from 1; never −0.0.
    pub(super) fn kth(&mut self, k: u64) -> Option<f64> {
        if k == 0 || k > self.total() {
            return None;
        }
        let few = (self.pairs.rows() + self.pairs.columns()) as u64;
        let mut bracket = self.bracket(k);
        let mut step = Step::Below(FIRST_ASIDE);
        let mut before = bracket.inside();
        while bracket.first != bracket.last {
            if bracket.inside() <= few {
                return self.collected(bracket, k);
            }
            self.cuts.push(cut(&self.pairs, pivot(bracket, k, step)));
            bracket = self.bracket(k);
            step = match step {
                Step::Below(aside) => Step::Above(aside),
                // The values inside lie about as evenly as was supposed: even closer, then.
                Step::Above(aside) if bracket.inside() <= before / 8 => Step::Below(aside / 8.0),
                Step::Above(_) => Step::Middle,
                Step::Middle => Step::Below(FIRST_ASIDE),
            };
            if !matches!(step, Step::Above(_)) {
                before = bracket.inside();
            }
        }
        Some(bracket.first + 0.0)
    }

    /// The median: where their number is even, the middle of the two in the middle.
    pub(super) fn median(&mut self) -> Option<f64> {
        let total = self.total();
        let upper = self.kth(total / 2 + 1)?;
        let lower = if total.is_multiple_of(2) { self.kth(total / 2)? } else { upper };
        Some(f64::midpoint(lower, upper))
    }

    /// The tightest bracket that the cuts made so far give.
    fn bracket(&self, k: u64) -> Bracket {
        let (rows, columns) = (self.pairs.rows(), self.pairs.columns());
        let mut bracket = Bracket {
            first: self.pairs.value(0, 0),
            last: self.pairs.value(rows - 1, columns - 1),
            below: 0,
            upto: self.total(),
        };
        for cut in &self.cuts {
            if cut.count < k && cut.count > bracket.below {
                (bracket.first, bracket.below) = (cut.ceil, cut.count);
            }
            if cut.count >= k && cut.count < bracket.upto {
                (bracket.last, bracket.upto) = (cut.floor, cut.count);
            }
        }
        bracket
    }

    /// The `k`-th value, from all that lie inside the bracket.
    fn collected(&self, bracket: Bracket, k: u64) -> Option<f64> {
        let mut inside = Vec::with_capacity(usize::try_from(bracket.upto - bracket.below).ok()?);
        let mut end = self.pairs.columns();
        for row in 0..self.pairs.rows() {
            let start = self.pairs.start(row);
            while end > start && self.pairs.value(row, end - 1) > bracket.last {
                end -= 1;
            }
            let values = (start..end).rev().map(|column| self.pairs.value(row, column));
            inside.extend(values.take_while(|&value| value >= bracket.first));
        }
        let at = usize::try_from(k - bracket.below - 1).ok()?;
        Some(*inside.select_nth_unstable_by(at, f64::total_cmp).1 + 0.0)
    }
}

/// Counts the values ≤ `pivot` along their boundary, and notes the values next to it.
fn cut(pairs: &impl Staircase, pivot: f64) -> Cut {
    let mut cut = Cut { count: 0, floor: f64::NEG_INFINITY, ceil: f64::INFINITY };
    let mut end = pairs.columns();
    for row in 0..pairs.rows() {
        let start = pairs.start(row);
        while end > start {
            let value = pairs.value(row, end - 1);
            if value <= pivot {
                cut.floor = cut.floor.max(value);
                break;
            }
            cut.ceil = cut.ceil.min(value);
            end -= 1;
        }
        if end <= start {
            break; // and so it is for all rows below
        }
        cut.count += (end - start) as u64;
    }
    cut
}

/// The Walsh averages next to a number: the largest that is at most it, and the smallest above. O(n).
pub(super) fn neighbours(sorted: &Sorted, number: f64) -> (f64, f64) {
    let Cut { floor, ceil, .. } = cut(&Averages::new(sorted), number);
    (floor, ceil)
}

/// A pivot in [first, last).
fn pivot(bracket: Bracket, k: u64, step: Step) -> f64 {
    let aside = match step {
        Step::Below(aside) => -aside,
        Step::Above(aside) => aside,
        Step::Middle => return middle(bracket),
    };
    let share = (k - bracket.below) as f64 / bracket.inside() as f64 + aside;
    let pivot = bracket.first + (bracket.last - bracket.first) * share;
    let usable = bracket.first <= pivot && pivot < bracket.last;
    if usable { pivot } else { middle(bracket) }
}

/// The number in the middle of those that can be represented in [first, last).
fn middle(bracket: Bracket) -> f64 {
    middle_number(bracket.first, bracket.last)
}

/// The number in the middle of those that can be represented in [`first`, `last`).
pub(super) fn middle_number(first: f64, last: f64) -> f64 {
    let (first, last) = (ordinal(first), ordinal(last));
    number(first + (last - first) / 2)
}

const SIGN: u64 = 1 << 63;

/// The position of a number among all numbers in ascending order.
fn ordinal(number: f64) -> u64 {
    let bits = number.to_bits();
    if bits & SIGN == 0 { bits | SIGN } else { !bits }
}

/// The inverse of [`ordinal`].
fn number(ordinal: u64) -> f64 {
    f64::from_bits(if ordinal & SIGN == 0 { !ordinal } else { ordinal & !SIGN })
}

#[cfg(test)]
mod tests {
    use super::{Averages, Differences, Selection, Staircase};
    use crate::stats::Sorted;

    /// Values over all magnitudes, where a step at a linear share of the width removes a few values
    /// only: without bisection over representable numbers this takes a step per value.
    #[test]
    fn no_distribution_is_slow() {
        let values: Vec<f64> = (0..2_000).map(|i| (f64::from(i) - 1_000.0).exp2()).collect();
        let values = Sorted::new(&values).expect("finite");
        let mut differences = Selection::new(Differences::new(&values, &values));
        let mut averages = Selection::new(Averages::new(&values));
        for share in 1..10 {
            differences.kth(differences.pairs.total() * share / 10);
            averages.kth(averages.pairs.total() * share / 10);
        }
        for steps in [differences.cuts.len(), averages.cuts.len()] {
            assert!(steps < 9 * 64, "{steps} steps for nine order statistics");
        }
    }

    /// Would catch a search that closes in as slowly at its end, where values lie evenly, as at its beginning.
    #[test]
    fn an_ordinary_distribution_takes_few_steps() {
        let n = 100_000;
        let value = |i: u32| (f64::from(i) + 0.5) / f64::from(n);
        // About normal: the sum of a uniform one and its logit.
        let values: Vec<f64> =
            (0..n).map(|i| value(i) + (value(i) / (1.0 - value(i))).ln()).collect();
        let values = Sorted::new(&values).expect("finite");
        let mut averages = Selection::new(Averages::new(&values));
        let total = averages.pairs.total();
        for k in [total / 2, total / 2 + 1, total / 2 - total / 500, total / 2 + total / 500] {
            averages.kth(k);
        }
        let steps = averages.cuts.len();
        assert!(steps <= 24, "{steps} steps for an estimate and its interval");
    }
}
