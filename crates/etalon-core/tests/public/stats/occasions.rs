//! The scatter between occasions against its definition, pair by pair, and the F distribution against SciPy's
//! (`generate.py`). Catches a scatter pooled over runs, or over the runs of one occasion, and degrees of freedom that
//! count runs.
//!
//! Tolerances, relative: 1e-9, because the definition sums in another order, and for incomplete beta functions.

use etalon_core::stats::{
    OccasionScatter, Occasions, f_sf, f_two_sided, occasion_scatter, scatter_without,
};
use serde_json::Value;

use super::fixtures::{cases, file, numbers, same};

fn versions(case: &Value) -> Vec<Occasions> {
    let occasions = |of: &Value| of.as_array().unwrap().iter().map(numbers).collect();
    case["versions"].as_array().unwrap().iter().map(occasions).collect()
}

fn agree(ours: Option<OccasionScatter>, theirs: &Value, case: &Value) {
    same(ours.map(|ours| ours.sd), &theirs["sd"], 1e-9, case);
    same(ours.map(|ours| ours.df), &theirs["df"], 0.0, case);
}

#[test]
fn the_scatter_is_that_of_pairs_of_occasions() {
    for case in cases(&file("occasions")["cases"]) {
        let versions = versions(case);
        agree(occasion_scatter(&versions), &case["scatter"], case);
        for without in case["without"].as_array().unwrap() {
            let place = |at: usize| usize::try_from(without[at].as_u64().unwrap()).unwrap();
            let ours = scatter_without(&versions, Some((place(0), place(1))));
            agree(ours, &without[2], case);
        }
    }
}

#[test]
fn tails_of_f_are_scipys() {
    for case in cases(&file("occasions")["f"]) {
        let [f, above, below, upper, both] = numbers(case)[..] else { panic!("{case}") };
        // Where a tail is nearly all, what is left of it is rounding.
        assert!((f_sf(f, above, below) - upper).abs() <= 1e-9 * upper + 1e-300, "{case}");
        assert!((f_two_sided(f, above, below) - both).abs() <= 1e-9 * both + 1e-300, "{case}");
    }
    assert!(f_sf(f64::NAN, 1.0, 1.0).is_nan() && f_sf(1.0, 0.0, 1.0).is_nan());
    assert_eq!((f_sf(0.0, 2.0, 2.0), f_sf(f64::INFINITY, 2.0, 2.0)), (1.0, 0.0));
}
