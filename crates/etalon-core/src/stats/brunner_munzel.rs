//! The Brunner–Munzel test: is a value of one sample as likely above as below a value of the other? Unlike
//! Mann–Whitney's, it does not take a difference in spread for one in size.
//!
//! Its interval is in [`super::hodges_lehmann`].

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::rc::Rc;

use super::hypothesis::{Alternative, PMethod, Tails, Test, exact_p, needed};
use super::interval::InsufficientData;
use super::mann_whitney::{mann_whitney_smallest_tail, mann_whitney_tails, mann_whitney_untied};
use super::placements::{Placements, dealt};
use super::ranks::ties;
use super::sorted::Sorted;
use super::student_t::student_t_sf;

/// To so many ways to deal the pooled values into the two samples (8 a side), all of them are looked at.
const DEALS: usize = 20_000;
/// The share that equal statistics may differ by: they are roots of quotients of whole numbers.
const ROUNDING: f64 = 1e-12;

/// Brunner & Munzel's test that P(x < y) + ½·P(x = y) is ½. The statistic is positive where `x` tends to
/// larger values; `Less` and `Greater` are about x.
///
/// With placements a of x (how many y lie below, equal ones half) and b of y: W = (Σa − mn/2)/√(m·s²ₐ + n·s²_b).
/// To C(m + n, m) = 20,000 deals (8 a side) p is exact over all equally likely ways to deal the pooled values
/// into two samples, the permutation test of Neubert & Brunner; so it is with one value on a side, where only
/// its place counts. Beyond, p is that of Student's t with Satterthwaite's degrees of freedom
/// (m·s²ₐ + n·s²_b)²/((m·s²ₐ)²/(m − 1) + (n·s²_b)²/(n − 1)), but no tail is below Mann–Whitney's: far out t is too
/// short (ten equal values a side have p ≤ 0.0005 five times as often), and complete separation leaves no
/// variance. Nor is any below 1/C(m + n, m). Two-sided p is twice the smaller tail. All values equal: p = 1.
/// O(N log N).
///
/// Brunner & Munzel, Biometrical J. 42 (2000); Neubert & Brunner, Computational Statistics & Data Analysis 51
/// (2007).
///
/// # Errors
/// [`InsufficientData::Empty`] if either sample is; [`InsufficientData::NotFinite`].
pub fn brunner_munzel(
    x: &[f64],
    y: &[f64],
    alternative: Alternative,
) -> Result<Test, InsufficientData> {
    brunner_munzel_moved(&Sorted::new(x)?, 0.0, &Sorted::new(y)?, alternative)
}

/// The test of sorted samples, x less a shift. O(m + n), where p is not exact.
pub(crate) fn brunner_munzel_moved(
    x: &Sorted,
    shift: f64,
    y: &Sorted,
    alternative: Alternative,
) -> Result<Test, InsufficientData> {
    if x.is_empty() || y.is_empty() {
        return Err(InsufficientData::Empty);
    }
    let x = &x.less(shift)?;
    let placed = Placements::new(x.as_slice(), y.as_slice(), 0.0);
    let (tails, method) = match placed.ties {
        _ if !is_dealt(x.len(), y.len()) => {
            (wider(student(&placed), mann_whitney_tails(x, y, placed.wins()).0), PMethod::StudentT)
        }
        _ if x.len() == 1 || y.len() == 1 => (placed_alone(&placed), PMethod::Exact),
        _ => {
            let pooled = x.pooled(y);
            let tied: Vec<usize> = ties(pooled.as_slice()).map(|(from, to)| to - from).collect();
            let is_untied = tied.len() == pooled.len();
            let null =
                if is_untied { untied(x.len(), y.len()) } else { dealt(&tied, x.len()).into() };
            (exact(&placed, &null), PMethod::Exact)
        }
    };
    Ok(Test { statistic: placed.statistic(), p: exact_p(tails, alternative), method })
}

/// The two tails of samples placed in each other, in the distribution without ties: what an interval inverts.
pub(super) fn tails(placed: &Placements) -> Tails {
    match placed.sizes {
        (m, n) if !is_dealt(m, n) => {
            wider(student(placed), mann_whitney_untied(m, n, placed.wins()))
        }
        (1, _) | (_, 1) => placed_alone(placed),
        (m, n) => exact(placed, &untied(m, n)),
    }
}

/// The smallest two-sided p that samples of these sizes can give: 2/C(m + n, m), or that of the normal
/// approximation of Mann–Whitney's test where it is taken; at most 1.
#[must_use]
pub fn brunner_munzel_smallest_p(m: usize, n: usize) -> f64 {
    (2.0 * separated(m, n).max(mann_whitney_smallest_tail(m, n))).min(1.0)
}

/// The smallest number of values a side whose smallest two-sided p is at most `alpha`: 4 for 0.05.
#[must_use]
pub fn brunner_munzel_needed(alpha: f64) -> usize {
    needed(alpha, |n| brunner_munzel_smallest_p(n, n))
}

thread_local! {
    /// The last chance of separation: searches ask for that of the same two sizes again and again.
    static SEPARATED: Cell<((usize, usize), f64)> = const { Cell::new(((0, 0), 1.0)) };
}

/// 1/C(m + n, m), the chance of complete separation to one side.
fn separated(m: usize, n: usize) -> f64 {
    let (sizes, known) = SEPARATED.get();
    if sizes == (m, n) {
        return known;
    }
    let share = separated_of(m, n);
    SEPARATED.set(((m, n), share));
    share
}

fn separated_of(m: usize, n: usize) -> f64 {
    let (few, many) = (m.min(n), m.max(n));
    let mut share = 1.0;
    for i in 1..=few {
        share *= i as f64 / (many + i) as f64;
        if share == 0.0 {
            break;
        }
    }
    share
}

/// Whether the ways to deal m + n values are few enough to look at, or only one value's place counts.
fn is_dealt(m: usize, n: usize) -> bool {
    m.min(n) == 1 || separated(m, n) * DEALS as f64 >= 1.0 - ROUNDING
}

/// The larger of each of two tails.
fn wider(one: Tails, other: Tails) -> Tails {
    Tails { lower: one.lower.max(other.lower), upper: one.upper.max(other.upper) }
}

fn student(placed: &Placements) -> Tails {
    let (m, n) = placed.sizes;
    // Twice that is still a normal number.
    let least = separated(m, n).max(f64::MIN_POSITIVE / 2.0);
    let w = placed.statistic();
    if w == 0.0 && placed.is_all_tied() {
        return Tails { lower: 1.0, upper: 1.0 };
    }
    // The tail that w lies in, and the other one.
    let near = match w {
        0.0 => 0.5,
        w if w.is_infinite() => 0.0,
        w => student_t_sf(w.abs(), placed.degrees_of_freedom()),
    };
    let (lower, upper) = if w < 0.0 { (near, 1.0 - near) } else { (1.0 - near, near) };
    Tails { lower: lower.max(least), upper: upper.max(least) }
}

/// The tails among all deals.
fn exact(placed: &Placements, null: &[f64]) -> Tails {
    let w = placed.statistic();
    let slack = if w.is_finite() { ROUNDING * w.abs() } else { 0.0 };
    let below = null.partition_point(|of| *of < w - slack);
    let upto = null.partition_point(|of| *of <= w + slack);
    let all = null.len() as f64;
    Tails { lower: upto as f64 / all, upper: (null.len() - below) as f64 / all }
}

/// The tails of a single value's place among all.
fn placed_alone(placed: &Placements) -> Tails {
    let (above, below) = placed.alone();
    let all = (placed.sizes.0 + placed.sizes.1) as f64;
    let ties = placed.ties as f64;
    Tails { lower: (1.0 + above + ties) / all, upper: (1.0 + below + ties) / all }
}

/// The statistics of all deals of samples of two sizes, ascending.
type Untied = HashMap<(usize, usize), Rc<[f64]>>;

thread_local! {
    /// Distributions without ties: they depend on the two sizes only, and tables have the same ones in all rows.
    static UNTIED: RefCell<Untied> = RefCell::default();
}

fn untied(m: usize, n: usize) -> Rc<[f64]> {
    UNTIED.with_borrow_mut(|known| {
        let null = || dealt(&vec![1; m + n], m).into();
        Rc::clone(known.entry((m, n)).or_insert_with(null))
    })
}
