//! The centre of a cell and its interval as benchstat has them, to the last bit.
//!
//! Owns golang.org/x/perf's two assumptions: *nothing* (the median, between two order statistics) and
//! *exact* (the value itself). They differ from etalon's own (`estimate::median`) in that intervals lean
//! to the left where one order statistic less will do, and are a normal approximation from 31 values.
//! Refuses an empty sample.

use super::geomean::exp;
use crate::estimate::{Estimate, Method};
use crate::notes::{CellNote, Need, NoteKind};
use crate::stats::{InsufficientData, Interval, normal_cdf, normal_quantile};

/// To this many values the binomial distribution itself is used.
const EXACT: usize = 30;
/// To this many values a sufficient number is looked for.
const TRIED: usize = 50;

/// The median of ascending values and its interval at a level in [0, 1].
pub(super) fn median(sorted: &[f64], level: f64) -> (Estimate, Vec<NoteKind>) {
    let (lo, hi) = orders(sorted.len(), level);
    let (interval, notes) = if lo == 0 || hi > sorted.len() {
        let need = needed(level);
        let (Need::AtLeast(needs) | Need::MoreThan(needs)) = need;
        (
            Err(InsufficientData::TooFew { needs }),
            vec![NoteKind::Cell(CellNote::IntervalNeeds { need, level })],
        )
    } else {
        (Ok(Interval { lo: sorted[lo - 1], hi: sorted[hi - 1], level }), Vec::new())
    };
    let method = Method::MedianOrderStatistics;
    (Estimate { value: middle(sorted), interval, method }, notes)
}

/// The most frequent of ascending values, the smallest of several; and all of them as its interval.
pub(super) fn exact(sorted: &[f64]) -> (Estimate, Vec<NoteKind>) {
    let (lo, hi) = (sorted[0], sorted[sorted.len() - 1]);
    let (mut mode, mut most) = (lo, 0);
    for run in sorted.chunk_by(|a, b| a == b) {
        if run.len() > most {
            (mode, most) = (run[0], run.len());
        }
    }
    let interval = Ok(Interval { lo, hi, level: 1.0 });
    let centre = Estimate { value: mode, interval, method: Method::Exact };
    let notes = if most == sorted.len() {
        vec![]
    } else {
        vec![NoteKind::Cell(CellNote::NotExact { lo, hi })]
    };
    (centre, notes)
}

/// The quantile of type 8 at ½. Its position is not quite a half in floating point, and neither is what
/// benchstat prints.
///
/// Hyndman & Fan, The American Statistician 50 (1996).
#[allow(clippy::cast_precision_loss, clippy::cast_possible_truncation, clippy::cast_sign_loss)]
fn middle(sorted: &[f64]) -> f64 {
    let position = 1.0 / 3.0 + 0.5 * (sorted.len() as f64 + 1.0 / 3.0);
    let (whole, part) = (position.trunc(), position.fract());
    let k = whole as usize;
    match (sorted.get(k.wrapping_sub(1)), sorted.get(k)) {
        (Some(below), Some(above)) => below + part * (above - below),
        (Some(last), None) => *last,
        _ => sorted[if k == 0 { 0 } else { sorted.len() - 1 }],
    }
}

/// The smallest number of values, from two on, that have an interval at the level.
fn needed(level: f64) -> Need {
    let bounded = |n: &usize| {
        let (lo, hi) = orders(*n, level);
        lo > 0 && hi <= *n
    };
    (2..=TRIED).find(bounded).map_or(Need::MoreThan(TRIED), Need::AtLeast)
}

/// Ranks, from 1, of the values between which the median of so many lies; 0 and n + 1 are beyond them.
fn orders(n: usize, level: f64) -> (usize, usize) {
    if level >= 1.0 {
        return (0, n + 1);
    }
    let (lo, hi) = if n <= EXACT { by_summing(n, level) } else { by_normal(n, level) };
    (lo, hi.min(n + 1))
}

/// Probabilities from the mode outwards, the larger neighbour first and the left one of two that are
/// equal, until they reach the level.
fn by_summing(n: usize, level: f64) -> (usize, usize) {
    let at = |k: Option<usize>| k.filter(|k| *k <= n).map_or(0.0, |k| binomial(n, k));
    let mode = n / 2;
    let mut sum = at(Some(mode));
    let (mut lo, mut hi) = (mode, mode + 1);
    loop {
        let (left, right) = (at(lo.checked_sub(1)), at(Some(hi)));
        if sum >= level || (left <= 0.0 && right <= 0.0) {
            return (lo, hi);
        }
        if left >= right {
            sum += left;
            lo -= 1;
        } else {
            sum += right;
            hi += 1;
        }
    }
}

/// The band of the normal distribution rounded outwards to whole ranks, and one rank less at its right
/// if that is enough.
#[allow(clippy::cast_precision_loss, clippy::cast_possible_truncation, clippy::cast_sign_loss)]
fn by_normal(n: usize, level: f64) -> (usize, usize) {
    let (mean, sd) = (n as f64 / 2.0, (n as f64 * 0.25).sqrt());
    let left = mean + sd * normal_quantile((1.0 - level) / 2.0);
    let right = 2.0 * mean - left;
    let lo = (left - 0.5).floor() + 1.0;
    let hi = (right - 0.5).ceil() + 1.0;
    let below = |rank: f64| normal_cdf((rank - 0.5 - mean) / sd);
    let covered = |hi: f64| below(hi) - below(lo);
    let fewer = covered(hi - 1.0);
    let hi = if fewer >= level && fewer < covered(hi) { hi - 1.0 } else { hi };
    (lo.max(0.0) as usize, hi.max(0.0) as usize)
}

/// ln n! for n to 30 as Go's `Lgamma` gives it.
#[allow(clippy::approx_constant)] // ln 2! is ln 2, as Go has it
const LN_FACTORIALS: [f64; 31] = [
    0.0,
    0.0,
    std::f64::consts::LN_2,
    1.791_759_469_228_055,
    3.178_053_830_347_945_8,
    4.787_491_742_782_046,
    6.579_251_212_010_101,
    8.525_161_361_065_413,
    10.604_602_902_745_25,
    12.801_827_480_081_47,
    15.104_412_573_075_518,
    17.502_307_845_873_887,
    19.987_214_495_661_89,
    22.552_163_853_123_428,
    25.191_221_182_738_68,
    27.899_271_383_840_89,
    30.671_860_106_080_675,
    33.505_073_450_136_89,
    36.395_445_208_033_05,
    39.339_884_187_199_495,
    42.335_616_460_753_485,
    45.380_138_898_476_915,
    48.471_181_351_835_23,
    51.606_675_567_764_38,
    54.784_729_398_112_31,
    58.003_605_222_980_525,
    61.261_701_761_002,
    64.557_538_627_006_32,
    67.889_743_137_181_54,
    71.257_038_967_168_01,
    74.658_236_348_830_17,
];

/// P(B = k), B ~ Binomial(n, ½). From n = 21 the coefficient is made of logarithms, and is not the same
/// for k and n − k: which neighbour is larger depends on their last bits.
#[allow(clippy::cast_possible_truncation, clippy::cast_possible_wrap)] // at most 30
fn binomial(n: usize, k: usize) -> f64 {
    let coefficient = if k == 0 || k == n {
        1.0
    } else if n <= 20 {
        (0..k).fold(1.0, |product, i| product * (n - i) as f64 / (i + 1) as f64)
    } else {
        exp(LN_FACTORIALS[n] - LN_FACTORIALS[k] - LN_FACTORIALS[n - k])
    };
    coefficient * 0.5_f64.powi(k as i32) * 0.5_f64.powi((n - k) as i32)
}
