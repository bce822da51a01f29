//! The level of a look at accumulating data, when the looks before it could have called a difference, too.
//!
//! Alpha is spent geometrically over the looks: look j (from 0) has the share `alpha`·0.1·0.9ʲ. The statistic behaves
//! as Brownian motion at the numbers of blocks; the boundary of each look is the one that spends exactly its share,
//! found by the recursion of Armitage, McPherson and Rowe. Refuses to say when to look.

use std::cell::RefCell;
use std::collections::HashMap;
use std::f64::consts::{PI, TAU};

use super::normal::{normal_quantile, normal_sf};

/// The share of alpha that the first look spends, and what each later one spends of the one before: with it, looks
/// find small differences late and large ones early at nearly the cost of a fixed number of blocks.
const FIRST: f64 = 0.1;
const DECAY: f64 = 0.9;

/// Nodes of the quadrature for each step that fits between 0 and the limit, and the fewest and most: 4 make the
/// boundary exact to 1e-9, whatever the looks; the most are reached when a look follows thousands of blocks within one.
const NODES: f64 = 4.0;
const FEWEST: f64 = 32.0;
const MOST: f64 = 512.0;

/// Of what no look has decided, points above 0 with their weights: the rest is their mirror image.
type Undecided = Vec<(f64, f64)>;

/// How many looks are kept: those of a million blocks, by [`crate::plan`]'s schedule.
const KEPT: usize = 64;

/// The looks at accumulating data, each by the number of blocks that it saw.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Looks {
    blocks: [u32; KEPT],
    taken: usize,
}

impl Default for Looks {
    fn default() -> Looks {
        Looks { blocks: [0; KEPT], taken: 0 }
    }
}

impl FromIterator<u32> for Looks {
    fn from_iter<T: IntoIterator<Item = u32>>(blocks: T) -> Looks {
        let mut looks = Looks::default();
        blocks.into_iter().for_each(|blocks| looks.take(blocks));
        looks
    }
}

impl Looks {
    /// Adds one after so many blocks. If they are not more than before, it saw nothing new and is none. Beyond 64
    /// looks, each takes the place of the last.
    pub fn take(&mut self, blocks: u32) {
        if blocks > self.last() {
            self.taken = (self.taken + 1).min(KEPT);
            self.blocks[self.taken - 1] = blocks;
        }
    }

    /// How many.
    #[must_use]
    pub fn taken(&self) -> usize {
        self.taken
    }

    /// The blocks that the last of them saw; 0 if there was none.
    #[must_use]
    pub fn last(&self) -> u32 {
        self.blocks[..self.taken].last().copied().unwrap_or(0)
    }

    /// The one-sided p that belongs to `alpha`, see [`Looks::level`]: half of the two-sided one at 2·`alpha`.
    #[must_use]
    pub fn one_sided_level(&self, alpha: f64) -> f64 {
        self.level((2.0 * alpha).min(1.0)) / 2.0
    }

    /// The two-sided p that the last look may call significant, so that all of them and infinitely many more call equal
    /// subjects different with probability `alpha` at most, together. In (0, `alpha`], for `alpha` in (0, 1]; `alpha`
    /// itself without looks. O(looks), and O(1) where the looks but the last were asked about before.
    ///
    /// Armitage, McPherson & Rowe, J. Royal Statistical Society A 132 (1969); Lan & DeMets, Biometrika 70 (1983);
    /// Jennison & Turnbull, Group Sequential Methods (2000), ch. 19.
    #[must_use]
    pub fn level(&self, alpha: f64) -> f64 {
        let blocks = &self.blocks[..self.taken];
        let Some(last) = self.taken.checked_sub(1) else { return alpha };
        SPENDINGS.with_borrow_mut(|known| {
            if known.len() == REMEMBERED && !known.contains_key(&alpha.to_bits()) {
                known.clear();
            }
            let spending = known.entry(alpha.to_bits()).or_insert_with(|| Spending::new(alpha));
            if !spending.is_of(blocks) {
                *spending = Spending::new(alpha);
            }
            let news = blocks.get(spending.blocks.len()..).unwrap_or_default();
            news.iter().for_each(|blocks| spending.look(*blocks));
            spending.levels[last]
        })
    }
}

/// How many spendings are remembered: more than a look at a family of 300 comparisons asks about.
const REMEMBERED: usize = 1024;

thread_local! {
    /// By alpha. Because: every step of a family's correction asks about an alpha of its own at each look, and all that
    /// came before the last look is as it was. The levels are the same, whether they are remembered or not.
    static SPENDINGS: RefCell<HashMap<u64, Spending>> = RefCell::default();
}

/// An alpha that is spent look by look.
struct Spending {
    blocks: Vec<u32>,
    /// Of each look.
    levels: Vec<f64>,
    /// What the looks before the last one have left, and the last one's boundary.
    undecided: Undecided,
    limit: f64,
    /// Of the next look.
    share: f64,
}

impl Spending {
    fn new(alpha: f64) -> Spending {
        let share = alpha * FIRST;
        Spending {
            blocks: Vec::new(),
            levels: Vec::new(),
            undecided: Undecided::new(),
            limit: f64::INFINITY,
            share,
        }
    }

    /// Whether these looks are its own, their beginning, or go on from them.
    fn is_of(&self, blocks: &[u32]) -> bool {
        self.blocks.iter().zip(blocks).all(|(own, other)| own == other)
    }

    fn look(&mut self, blocks: u32) {
        let root = |blocks: u32| f64::from(blocks).sqrt();
        let step = match self.blocks[..] {
            [] => root(blocks),
            [.., before] => root(blocks - before),
        };
        if let [earlier @ .., before] = &self.blocks[..] {
            let its = root(before - earlier.last().unwrap_or(&0));
            let count = (NODES * self.limit / its.min(step)).ceil().clamp(FEWEST, MOST);
            self.undecided = within(&self.undecided, its, (self.limit, count));
        }
        // Where this look would be the first: no boundary lies beyond.
        let farthest = -normal_quantile(self.share / 2.0) * root(blocks);
        self.limit = match self.undecided.is_empty() {
            true => farthest,
            false => limit(&self.undecided, step, (self.share, farthest)),
        };
        self.levels.push(2.0 * normal_sf(self.limit / root(blocks)));
        self.blocks.push(blocks);
        self.share *= DECAY;
    }
}

/// The distance from 0 beyond which, either side, just `share` of what is undecided gets in a step; at most
/// `farthest`. Newton's method on the logarithm of the tail, which is concave: it converges from the far side.
fn limit(undecided: &Undecided, step: f64, (share, farthest): (f64, f64)) -> f64 {
    let tail = |limit: f64| -> (f64, f64) {
        let of = |sum: (f64, f64), &(x, weight): &(f64, f64)| {
            let (near, far) = ((limit - x) / step, (limit + x) / step);
            let tails = normal_sf(near) + normal_sf(far);
            let densities = density(near) + density(far);
            (sum.0 + 2.0 * weight * tails, sum.1 + 2.0 * weight * densities / step)
        };
        undecided.iter().fold((0.0, 0.0), of)
    };
    let (mut lo, mut hi) = (0.0, farthest);
    let mut at = farthest;
    for _ in 0..100 {
        let (beyond, slope) = tail(at);
        if beyond > share {
            lo = at
        } else {
            hi = at
        }
        let newton = at + (beyond / share).ln() * beyond / slope;
        let next = if newton > lo && newton < hi { newton } else { f64::midpoint(lo, hi) };
        if (next - at).abs() <= 1e-13 * farthest {
            return next;
        }
        at = next;
    }
    at
}

/// The probability that is undecided after a step, within the limit; nothing was decided before if `undecided` is
/// empty.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // a whole number up to MOST
fn within(undecided: &Undecided, step: f64, (limit, count): (f64, f64)) -> Undecided {
    let at = |y: f64| match undecided.is_empty() {
        true => density(y / step),
        false => {
            let of = |(x, weight): &(f64, f64)| {
                weight * (density((y - x) / step) + density((y + x) / step))
            };
            undecided.iter().map(of).sum()
        }
    };
    let point = |(node, weight): (f64, f64)| {
        let y = limit * f64::midpoint(1.0, node);
        (y, weight * limit / 2.0 * at(y) / step)
    };
    gauss_legendre(count as usize).map(point).collect()
}

/// The density of the standard normal distribution.
fn density(z: f64) -> f64 {
    (-0.5 * z * z).exp() / TAU.sqrt()
}

/// Nodes and weights of Gauss and Legendre on (−1, 1): the roots of Legendre's polynomial of that degree, by Newton's
/// method.
///
/// Press et al., Numerical Recipes (2007), §4.6.
fn gauss_legendre(degree: usize) -> impl Iterator<Item = (f64, f64)> {
    let n = degree as f64;
    (0..degree).map(move |i| {
        let mut x = (PI * (i as f64 + 0.75) / (n + 0.5)).cos();
        loop {
            let (mut before, mut value) = (1.0, x);
            for degree in 2..=degree {
                let degree = degree as f64;
                let next = ((2.0 * degree - 1.0) * x * value - (degree - 1.0) * before) / degree;
                (before, value) = (value, next);
            }
            let slope = n * (x * value - before) / (x * x - 1.0);
            let change = value / slope;
            x -= change;
            if change.abs() <= 1e-14 {
                return (x, 2.0 / ((1.0 - x * x) * slope * slope));
            }
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    /// Would catch a level that is remembered of other looks or of another alpha, and one that depends on what was asked
    /// before.
    #[test]
    fn levels_do_not_depend_on_what_is_remembered() {
        let afresh = |blocks: &[u32], alpha: f64| {
            let mut spending = Spending::new(alpha);
            blocks.iter().for_each(|blocks| spending.look(*blocks));
            spending.levels.last().copied().unwrap_or(alpha)
        };
        let schedules: [&[u32]; 4] = [&[6, 7, 9, 12, 16], &[6, 7, 9, 13], &[10, 12, 16], &[7]];
        let mut random = Random::new(5);
        for _ in 0..300 {
            let of = schedules[random.below(4)];
            let blocks = &of[..random.below(of.len() + 1)];
            let alpha = [0.05, 0.1, 0.05 / 3.0][random.below(3)];
            let looks: Looks = blocks.iter().copied().collect();
            assert_eq!(
                looks.level(alpha).to_bits(),
                afresh(blocks, alpha).to_bits(),
                "{blocks:?} {alpha}"
            );
        }
        for at in 0..3 * REMEMBERED {
            let alpha = 1.0 / (at + 1) as f64;
            assert!((0.0..=alpha).contains(&Looks::from_iter([10]).level(alpha)), "{alpha}");
        }
        assert!(SPENDINGS.with_borrow(HashMap::len) <= REMEMBERED);
    }
}
