//! Alpha spent over looks, against SciPy, the stated table, and what holds of any looks.

use etalon_core::stats::{Looks, normal_quantile};

use super::fixtures::{cases, file, same};

fn looks(blocks: &[u32]) -> Looks {
    blocks.iter().copied().collect()
}

/// Densities on even grids and Simpson's rule, checked there by the multivariate normal distribution; their own error
/// is below 1e-8.
#[test]
fn levels_are_those_of_scipy() {
    for case in cases(&file("spending")) {
        let blocks = case["looks"].as_array().unwrap().iter().map(|n| n.as_u64().unwrap());
        let looks: Looks = blocks.map(|n| u32::try_from(n).unwrap()).collect();
        let level = looks.level(case["alpha"].as_f64().unwrap());
        same(Some(level), &case["level"], 1e-8, case);
    }
}

/// The |z| that simulations were made with before there was code, at alpha 5 %.
#[test]
fn levels_are_the_published_ones() {
    let blocks = [10, 12, 14, 17, 21, 25, 30, 36, 43, 52, 62, 74, 89, 107, 128, 154, 185, 222];
    let published = [
        2.81, 2.67, 2.61, 2.62, 2.64, 2.65, 2.67, 2.69, 2.72, 2.76, 2.78, 2.82, 2.85, 2.89, 2.92,
        2.96, 2.99, 3.03,
    ];
    for (at, z) in published.iter().enumerate() {
        let found = -normal_quantile(looks(&blocks[..=at]).level(0.05) / 2.0);
        assert!((found - z).abs() <= 0.005, "at {}: {found}, published {z}", blocks[at]);
    }
}

/// Would catch a level lost at the ends: no looks, one look, looks that saw nothing new, looks a block apart after
/// thousands, more looks than are kept, and alphas far out.
#[test]
fn levels_at_the_ends() {
    assert_eq!(looks(&[]).level(0.05), 0.05);
    assert!((looks(&[10]).level(0.05) / 0.005 - 1.0).abs() < 1e-12);
    assert!((looks(&[10]).one_sided_level(0.05) / 0.005 - 1.0).abs() < 1e-12);
    let twice = looks(&[10, 15]).level(0.05);
    assert_eq!(looks(&[0, 10, 10, 15, 12]), looks(&[10, 15]));
    // Only the numbers' proportions count.
    assert!((looks(&[1000, 1500]).level(0.05) / twice - 1.0).abs() < 1e-12);
    // Far apart looks have little to do with each other: they cost what they would alone.
    let alone = looks(&[1, 1_000_000]).level(1e-6) / 9e-8;
    assert!((1.0..1.001).contains(&alone), "{alone}");
    for alpha in [1.0, 0.05, 1e-12, 1e-100, 1e-300] {
        let mut taken = Looks::default();
        for blocks in [10, 11, 5000, 5001, 5002, 6000, u32::MAX - 1, u32::MAX] {
            taken.take(blocks);
            let level = taken.level(alpha);
            assert!(level > 0.0 && level < alpha, "{taken:?} at {alpha}: {level}");
        }
    }
    let many: Looks = (1..=1000).collect();
    assert_eq!((many.taken(), many.last()), (64, 1000));
    assert!(many.level(0.05) < (1..=63).collect::<Looks>().level(0.05));
}

/// A division of alpha by the family costs a look more than that: levels shrink faster than alpha.
#[test]
fn smaller_alphas_have_smaller_levels() {
    let taken = looks(&[10, 12, 14, 17, 21, 25, 30, 36, 43]);
    for steps in 1..60 {
        let (one, next) = (f64::from(steps), f64::from(steps + 1));
        assert!(taken.level(0.05 / next) < taken.level(0.05 / one) * one / next);
        assert!(taken.one_sided_level(0.05 / one) > taken.level(0.05 / one));
    }
}
