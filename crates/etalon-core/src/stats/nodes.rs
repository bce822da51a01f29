//! Machines as the unit of replication: what nodes say of machines like them, or of themselves, and whether they agree.
//!
//! Owns how values of nodes become one comparison. A node's value comes from its own blocks alone: blocks are never
//! pooled over nodes. Refuses to draw random numbers: the permutations of [`RankSums`] are the caller's.

use super::between_runs::BetweenRuns;
use super::chi_square::chi_square_sf;
use super::hodges_lehmann::one_sample;
use super::interval::InsufficientData;
use super::moments::{mean, stddev};
use super::rank_correlation::midranks;
use super::student_t::student_t_quantile;

/// From so many nodes on, they say how much machines like them differ.
pub const ENOUGH_NODES: usize = 3;

/// A node counts from so many blocks on: a signed-rank interval of 95 % exists with room to spare.
pub const ENOUGH_BLOCKS: usize = 10;

/// So many blocks for each node leave enough to the slowest of them, where nodes take blocks as they can.
pub const BLOCKS_A_NODE: usize = 15;

/// From so many nodes on, their middle is the Hodges–Lehmann estimate: of fewer, no estimate withstands an odd one.
const ROBUST_FROM: usize = 7;

/// The value of a node with its own error.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NodeValue {
    /// The shift, of its blocks alone.
    pub value: f64,
    /// The standard error.
    pub error: f64,
    /// The degrees of freedom of the error.
    pub df: f64,
}

/// Nodes as a sample of machines: the mean of their values (of seven or more the Hodges–Lehmann estimate) with
/// standard error s/√k and Student's t of k − 1 degrees of freedom. Equal weights: a node with more blocks is no other
/// machine.
///
/// # Errors
/// Fewer than [`ENOUGH_NODES`] values; values that are not finite.
#[allow(clippy::cast_precision_loss)] // numbers of nodes
pub fn machines_like(values: &[f64]) -> Result<BetweenRuns, InsufficientData> {
    let k = values.len();
    if k < ENOUGH_NODES {
        return Err(InsufficientData::TooFew { needs: ENOUGH_NODES });
    }
    let centre = match super::Sorted::new(values) {
        Ok(sorted) if k >= ROBUST_FROM => one_sample(&sorted, 0.5).map(|shift| shift.estimate),
        Ok(_) => mean(values),
        Err(_) => None,
    };
    let (centre, sd) = centre.zip(stddev(values)).ok_or(InsufficientData::NotFinite)?;
    Ok(BetweenRuns::student(centre, sd / (k as f64).sqrt(), (k - 1) as f64))
}

/// These nodes and no others: the mean of their values, whose standard error comes from the errors of the nodes, each
/// a stratum of its own; degrees of freedom by Satterthwaite.
///
/// Satterthwaite, Biometrics Bulletin 2 (1946).
///
/// # Errors
/// No value; values that are not finite.
#[allow(clippy::cast_precision_loss)] // numbers of nodes
pub fn these_machines(nodes: &[NodeValue]) -> Result<BetweenRuns, InsufficientData> {
    let values: Vec<f64> = nodes.iter().map(|node| node.value).collect();
    let centre = mean(&values).ok_or(InsufficientData::Empty)?;
    let squares = |node: &NodeValue| node.error * node.error;
    let all: f64 = nodes.iter().map(squares).sum();
    let parts: f64 = nodes.iter().map(|node| squares(node).powi(2) / node.df).sum();
    if !centre.is_finite() || !all.is_finite() {
        return Err(InsufficientData::NotFinite);
    }
    let df = if parts > 0.0 { all * all / parts } else { 1.0 };
    Ok(BetweenRuns::student(centre, all.sqrt() / nodes.len() as f64, df))
}

/// Half the width of the interval of machines like k nodes in standard deviations of node values, at the level that
/// the smallest p of so many comparisons has to reach (Holm's first step). Ten comparisons on three nodes see nothing
/// below eight of them. Infinite below two nodes.
#[must_use]
#[allow(clippy::cast_precision_loss)] // numbers of nodes and comparisons
pub fn reach_of_nodes(nodes: usize, comparisons: usize, alpha: f64) -> f64 {
    if nodes < 2 {
        return f64::INFINITY;
    }
    let tail = alpha / comparisons.max(1) as f64 / 2.0;
    -student_t_quantile(tail, (nodes - 1) as f64) / (nodes as f64).sqrt()
}

/// The fewest nodes that serve a family of so many comparisons as well as three serve a single one.
#[must_use]
pub fn nodes_needed(comparisons: usize, alpha: f64) -> usize {
    let one = reach_of_nodes(ENOUGH_NODES, 1, alpha) * (1.0 + 1e-9);
    let serves = |nodes: &usize| reach_of_nodes(*nodes, comparisons, alpha) <= one;
    (ENOUGH_NODES..10_000).find(serves).unwrap_or(10_000)
}

/// By how much one of several machines has to differ from the others, who agree, so that Kruskal and Wallis's test at
/// this level says with this power that they do not: of machines with so many blocks each, whose values scatter by this
/// variance from block to block. The machine is that with the fewest blocks. Infinite below two machines.
///
/// H has nearly the noncentral χ² distribution with Σ nᵢ(δᵢ − δ̄)²/σ², σ² being that of a signed-rank estimate:
/// Andrews, Annals of Mathematical Statistics 25 (1954).
#[must_use]
#[allow(clippy::cast_precision_loss)] // numbers of machines and blocks
pub fn odd_node(variance: f64, blocks: &[usize], (alpha, power): (f64, f64)) -> f64 {
    let all = blocks.iter().sum::<usize>() as f64;
    let least = blocks.iter().min().copied().unwrap_or(0) as f64;
    if blocks.len() < 2 || least < 1.0 {
        return f64::INFINITY;
    }
    let noncentrality = noncentrality((blocks.len() - 1) as f64, alpha, power);
    (noncentrality * variance / (least * (1.0 - least / all))).sqrt()
}

/// The noncentrality with which χ² of so many degrees of freedom is beyond its own quantile of this level with this power.
fn noncentrality(df: f64, alpha: f64, power: f64) -> f64 {
    let most = 50.0 + df + 10.0 * df.sqrt();
    let quantile = bisected(most, |x| chi_square_sf(x, df) > alpha);
    bisected(most, |noncentrality| beyond(quantile, df, noncentrality) < power)
}

/// P(X > x) of noncentral χ²: a mixture of central ones whose degrees of freedom are 2 more by Poisson's numbers.
fn beyond(x: f64, df: f64, noncentrality: f64) -> f64 {
    let half = noncentrality / 2.0;
    let mut weight = (-half).exp();
    let mut sum = 0.0;
    for of in 0..1_000 {
        let of = f64::from(of);
        sum += weight * chi_square_sf(x, df + 2.0 * of);
        weight *= half / (of + 1.0);
        if of > half && weight < 1e-9 {
            break;
        }
    }
    sum
}

/// Where something that holds for small numbers ceases to hold, at `hi` at the latest.
fn bisected(mut hi: f64, holds: impl Fn(f64) -> bool) -> f64 {
    let mut lo = 0.0;
    while hi - lo > 1e-6 {
        let middle = f64::midpoint(lo, hi);
        if holds(middle) { lo = middle } else { hi = middle }
    }
    hi
}

/// Values of several groups by their ranks among all.
#[derive(Debug, Clone)]
pub struct RankSums {
    /// Doubled midranks, group by group.
    doubled: Vec<usize>,
    /// How many values each group has.
    sizes: Vec<usize>,
    /// 1 − Σ(t³ − t)/(N³ − N) over runs of t equal values.
    untied: f64,
}

impl RankSums {
    /// Of at least two groups, each with a value; `None` of others, of values that are all equal, and of such as are
    /// not finite. O(n log n).
    #[must_use]
    #[allow(clippy::cast_precision_loss)] // counts
    pub fn new(groups: &[Vec<f64>]) -> Option<RankSums> {
        let sizes: Vec<usize> = groups.iter().map(Vec::len).collect();
        let ranks =
            midranks(&groups.concat()).filter(|_| sizes.len() > 1 && !sizes.contains(&0))?;
        let cube = |n: usize| (n as f64).powi(3) - n as f64;
        let tied: f64 = ranks.ties.iter().map(|run| cube(*run)).sum();
        let untied = 1.0 - tied / cube(ranks.doubled.len());
        (untied > 0.0).then_some(RankSums { doubled: ranks.doubled, sizes, untied })
    }

    /// The doubled midranks group by group: what a permutation of labels puts in another order.
    #[must_use]
    pub fn ranks(&self) -> &[usize] {
        &self.doubled
    }

    /// Kruskal and Wallis's H of ranks in an order, corrected for ties.
    ///
    /// Kruskal & Wallis, J. American Statistical Association 47 (1952).
    #[must_use]
    #[allow(clippy::cast_precision_loss)] // counts and sums of ranks
    pub fn kruskal_wallis(&self, ranks: &[usize]) -> f64 {
        let n = ranks.len() as f64;
        let mut left = ranks;
        let of_group = |size: &usize| {
            let (group, rest) = left.split_at(*size);
            left = rest;
            let sum = group.iter().sum::<usize>() as f64 / 2.0;
            sum * sum / *size as f64
        };
        let squares: f64 = self.sizes.iter().map(of_group).sum();
        (12.0 / (n * (n + 1.0)) * squares - 3.0 * (n + 1.0)) / self.untied
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Would catch a family that is promised an answer which three nodes cannot give.
    #[test]
    fn the_fewest_nodes_follow_from_the_family() {
        let ten = reach_of_nodes(3, 10, 0.05);
        assert!((8.0..8.3).contains(&ten), "{ten}");
        let needed: Vec<usize> = [1, 2, 10, 100].map(|rows| nodes_needed(rows, 0.05)).to_vec();
        assert_eq!(needed, [3, 4, 6, 8]);
        assert!(reach_of_nodes(1, 1, 0.05).is_infinite());
    }

    /// Would catch a promise that is another one's: the numbers of Haynam, Govindarajulu and Leone's tables (1962).
    #[test]
    fn an_odd_node_is_seen_where_tables_say_so() {
        let table = [(1.0, 10.507), (2.0, 12.654), (3.0, 14.172), (5.0, 16.469)];
        for (df, expected) in table {
            let found = noncentrality(df, 0.05, 0.9);
            assert!((found - expected).abs() < 0.002, "{df}: {found}");
        }
        // Two machines of as many blocks: Student's 3.86 standard errors of a difference at 1 %.
        let two = odd_node(4.0, &[50, 50], (0.01, 0.9));
        assert!((two - 3.857 * (8.0_f64 / 50.0).sqrt()).abs() < 0.001, "{two}");
        assert!(odd_node(4.0, &[10, 90], (0.01, 0.9)) > two);
        assert!(odd_node(4.0, &[50], (0.01, 0.9)).is_infinite());
    }

    /// Would catch an odd node that moves the middle of many, and fewer than three that speak for all machines.
    #[test]
    fn many_nodes_withstand_an_odd_one() {
        let values = [0.01, 0.012, 0.009, 0.011, 0.01, 0.013, 0.4];
        let many = machines_like(&values).unwrap();
        assert!(many.difference < 0.02, "{}", many.difference);
        let few = machines_like(&values[4..]).unwrap();
        assert!((few.difference - 0.141).abs() < 1e-12);
        assert_eq!(machines_like(&values[..2]).unwrap_err(), InsufficientData::TooFew { needs: 3 });
    }

    /// Would catch strata that lend each other their errors: of two, one without an error counts as the other alone at
    /// half its size.
    #[test]
    fn strata_add_their_errors_in_squares() {
        let node = |value, error| NodeValue { value, error, df: 9.0 };
        let both = these_machines(&[node(0.1, 0.03), node(0.2, 0.04)]).unwrap();
        let df = 0.0025_f64.powi(2) / ((0.0009_f64.powi(2) + 0.0016_f64.powi(2)) / 9.0);
        let half = 0.025 * -student_t_quantile(0.025, df);
        assert!((both.difference - 0.15).abs() < 1e-12);
        assert!((both.half_width(0.05) - half).abs() < 1e-12);
        let one = these_machines(&[node(0.1, 0.0), node(0.1, 0.04)]).unwrap();
        assert!((one.half_width(0.05) - 0.02 * -student_t_quantile(0.025, 9.0)).abs() < 1e-12);
    }
}
