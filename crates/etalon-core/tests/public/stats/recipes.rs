//! Samples that generate.py describes instead of storing: made here with operations that every
//! machine rounds alike.

use serde_json::Value;

use super::fixtures::Samples;

/// SplitMix64 at place `i`, as a number in [0, 1).
fn uniform(seed: u64, i: usize) -> f64 {
    let mut z = seed.wrapping_add((i as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15));
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    ((z ^ (z >> 31)) >> 11) as f64 * 2.0_f64.powi(-53)
}

fn bell(seed: u64, i: usize) -> f64 {
    (0..12).fold(0.0, |total, k| total + uniform(seed, 12 * i + k)) - 6.0
}

/// The values of a recipe in `RECIPES` of generate.py, to the bit.
pub(super) fn made(kind: &str, seed: u64, n: usize) -> Vec<f64> {
    let value = |i: usize| match kind {
        "bell" => bell(seed, i),
        "product" => (0..8).fold(1.0, |total, k| total * (0.5 + uniform(seed, 8 * i + k))),
        "uniform" => uniform(seed, i),
        "heavy" => 1.0 / (1.0 - uniform(seed, i)),
        "ties" => (bell(seed, i) * 4.0).floor() / 4.0,
        "ticks" => (bell(seed, i) * 1.5).floor() * 0.004 + 0.1,
        "two" => bell(seed, i) + (uniform(seed + 1, i) + 0.3).floor() * 10.0,
        "spike" if i == n / 2 => 1e6,
        "spike" => bell(seed, i) * 0.01 + 1.0,
        "huge" => bell(seed, i) * 2.0_f64.powi(1020),
        "tiny" => bell(seed, i) * 2.0_f64.powi(-1000),
        "near" => bell(seed, i) * 1e-3 + 1e6,
        other => panic!("no recipe {other}"),
    };
    (0..n).map(value).collect()
}

/// The sample a case names, from `samples.json` or by its recipe.
pub(super) fn sample(samples: &Samples, case: &Value) -> Vec<f64> {
    let Some(kind) = case["recipe"].as_str() else { return samples.values(case, "sample") };
    let n = usize::try_from(case["n"].as_u64().unwrap()).unwrap();
    made(kind, case["seed"].as_u64().unwrap(), n)
}

/// A sample from `[kind, seed, n, scale, place]`: scaled, then moved.
pub(super) fn placed(recipe: &Value) -> Vec<f64> {
    let (kind, seed) = (recipe[0].as_str().unwrap(), recipe[1].as_u64().unwrap());
    let n = usize::try_from(recipe[2].as_u64().unwrap()).unwrap();
    let (scale, place) = (recipe[3].as_f64().unwrap(), recipe[4].as_f64().unwrap());
    made(kind, seed, n).into_iter().map(|v| v * scale + place + 0.0).collect()
}
