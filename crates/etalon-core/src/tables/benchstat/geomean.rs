//! Geometric means to the last bit as Go computes them on x86-64.
//!
//! benchstat's CSV shows every digit of a mean of logarithms, so both functions have to round where Go's
//! do. Owns those two; every other mean of etalon's is `stats::geometric_mean`. Refuses values that are
//! not above 0.

#![allow(clippy::excessive_precision, reason = "constants as their sources print them")]

use std::f64::consts::{FRAC_1_SQRT_2, LOG2_E};

/// exp of the running mean of logarithms; absent without values, or if one is not above 0.
pub(super) fn geometric_mean(values: impl IntoIterator<Item = f64>) -> Option<f64> {
    let mut mean = 0.0;
    let mut count = 0.0;
    for value in values {
        if value <= 0.0 {
            return None;
        }
        count += 1.0;
        mean += (ln(value) - mean) / count;
    }
    (count > 0.0).then(|| exp(mean))
}

/// ln x for finite x > 0: x = 2ᵏ(1 + f) with √½ ≤ 1 + f < √2; with s = f/(2 + f), ln(1 + f) = 2·artanh s
/// as a polynomial in s², of which even and odd terms are summed apart.
///
/// Sun Microsystems, fdlibm (1993), `e_log`. Below 1 ulp.
#[allow(clippy::excessive_precision)] // as published
fn ln(x: f64) -> f64 {
    const LN2_HI: f64 = 6.931_471_803_691_238_164_90e-1;
    const LN2_LO: f64 = 1.908_214_929_270_587_700_02e-10;
    const ODD: [f64; 4] = [
        6.666_666_666_666_735_130e-1,
        2.857_142_874_366_239_149e-1,
        1.818_357_216_161_805_012e-1,
        1.479_819_860_511_658_591e-1,
    ];
    const EVEN: [f64; 3] =
        [3.999_999_999_940_941_908e-1, 2.222_219_843_214_978_396e-1, 1.531_383_769_920_937_332e-1];
    let (mut fraction, mut exponent) = libm::frexp(x);
    if fraction < FRAC_1_SQRT_2 {
        fraction *= 2.0;
        exponent -= 1;
    }
    let (f, k) = (fraction - 1.0, f64::from(exponent));
    let s = f / (2.0 + f);
    let square = s * s;
    let fourth = square * square;
    let odd = square * (ODD[0] + fourth * (ODD[1] + fourth * (ODD[2] + fourth * ODD[3])));
    let even = fourth * (EVEN[0] + fourth * (EVEN[1] + fourth * EVEN[2]));
    let half = 0.5 * f * f;
    k * LN2_HI - ((half - (s * (half + (odd + even)) + k * LN2_LO)) - f)
}

/// exp x: x = k·ln 2 + 16r, the Taylor series of eʳ − 1, and four doublings of its argument by
/// (1 + y)² − 1 = y(2 + y). Every step is one fused multiplication and addition where the processor has
/// them, as all of the last ten years do.
///
/// Shibata, "Efficient evaluation methods of elementary functions suitable for SIMD computation",
/// Computer Science – Research and Development 25 (2010).
#[allow(clippy::excessive_precision)] // as published
pub(super) fn exp(x: f64) -> f64 {
    const LN2_HI: f64 = 0.693_147_180_559_662_956_511_601_805_686_950_683_593_75;
    const LN2_LO: f64 = 0.282_352_905_630_315_771_225_884_481_750_134_360_255_254_120_68e-12;
    const COEFFICIENTS: [f64; 8] = [
        2.480_158_730_158_730_158_7e-5,
        1.984_126_984_126_984_127_0e-4,
        1.388_888_888_888_888_888_9e-3,
        8.333_333_333_333_333_333_3e-3,
        4.166_666_666_666_666_666_7e-2,
        1.666_666_666_666_666_666_7e-1,
        0.5,
        1.0,
    ];
    let k = (x * LOG2_E).round_ties_even();
    let reduced = (-k).mul_add(LN2_LO, (-k).mul_add(LN2_HI, x)) * 0.0625;
    let series = COEFFICIENTS[1..].iter().fold(COEFFICIENTS[0], |sum, c| sum.mul_add(reduced, *c));
    let mut y = reduced * series;
    for _ in 0..3 {
        y *= y + 2.0;
    }
    let power = (y + 2.0).mul_add(y, 1.0);
    #[allow(clippy::cast_possible_truncation)] // logarithms of doubles
    libm::ldexp(power, k as i32)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Computed by Go 1.26 on x86-64. Would catch any step that rounds elsewhere.
    #[test]
    fn the_last_bit_is_gos() {
        assert_eq!(exp(1.2345).to_bits(), 3.436_659_761_170_463_f64.to_bits());
        assert_eq!(exp(-13.7).to_bits(), 1.122_446_365_234_344_2e-6_f64.to_bits());
        assert_eq!(ln(1.2345e-7).to_bits(), (-15.907_429_621_155_222_f64).to_bits());
        assert_eq!(geometric_mean([1.0, 0.0]), None);
        assert_eq!(geometric_mean([]), None);
    }
}
