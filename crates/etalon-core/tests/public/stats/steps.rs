//! Steps in a series against regressions and means of every place (`generate.py`), and what no series may do to them.
//! Catches a likelihood that is another one, a spike that is called a step, and what degenerate series make of a
//! division.

use etalon_core::random::Random;
use etalon_core::stats::{Changes, InsufficientData, Interval, level_steps};
use serde_json::Value;

use super::fixtures::{cases, file, numbers, same};

fn indices(list: &Value) -> Vec<u64> {
    list.as_array().unwrap().iter().map(|v| v.as_u64().unwrap()).collect()
}

#[track_caller]
fn same_interval(ours: Interval, theirs: &Value, case: &Value) {
    same(Some(ours.lo), &theirs[0], 1e-7, case);
    same(Some(ours.hi), &theirs[1], 1e-7, case);
}

#[test]
fn steps_are_those_of_the_slow_way() {
    for case in cases(&file("steps")) {
        let number = |key: &str| case[key].as_f64().unwrap();
        let ours =
            level_steps(&numbers(&case["values"]), number("critical"), number("level")).unwrap();
        let theirs = case["steps"].as_array().unwrap();
        assert_eq!(ours.steps.len(), theirs.len(), "{ours:?} {case}");
        for (step, reference) in ours.steps.iter().zip(theirs) {
            assert_eq!(step.at as u64, reference["at"].as_u64().unwrap(), "{case}");
            let places = [*step.places.start() as u64, *step.places.end() as u64];
            assert_eq!(places.to_vec(), indices(&reference["places"]), "{case}");
            same(Some(step.size), &reference["size"], 1e-9, case);
            same(Some(step.statistic), &reference["statistic"], 1e-7, case);
            same_interval(step.interval, &reference["interval"], case);
        }
        let theirs = case["drifts"].as_array().unwrap();
        assert_eq!(ours.drifts.len(), theirs.len(), "{ours:?} {case}");
        for (drift, reference) in ours.drifts.iter().zip(theirs) {
            let points = [drift.points.start as u64, drift.points.end as u64];
            assert_eq!(points.to_vec(), indices(&reference["points"]), "{case}");
            same(Some(drift.size), &reference["size"], 1e-7, case);
            same_interval(drift.interval, &reference["interval"], case);
        }
    }
}

/// Sums of twelve uniform numbers: nearly normal, of deviation 1.
fn noise(n: usize, seed: u64) -> Vec<f64> {
    let mut random = Random::new(seed);
    (0..n).map(|_| (0..12).map(|_| random.uniform()).sum::<f64>() - 6.0).collect()
}

fn steps(values: &[f64]) -> Changes {
    level_steps(values, 3.5, 0.95).unwrap()
}

#[test]
fn what_is_no_series_is_refused() {
    let refused = |values: &[f64]| level_steps(values, 3.5, 0.95).unwrap_err();
    assert_eq!(refused(&[]), InsufficientData::TooFew { needs: 40 });
    assert_eq!(refused(&noise(39, 1)), InsufficientData::TooFew { needs: 40 });
    for odd in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, f64::MAX] {
        let mut values = noise(60, 1);
        values[20] = odd;
        assert_eq!(refused(&values), InsufficientData::NotFinite, "{odd}");
    }
    for level in [0.0, 1.0, f64::NAN] {
        let refused = level_steps(&noise(60, 1), 3.5, level);
        assert_eq!(refused, Err(InsufficientData::LevelOutOfRange));
    }
}

#[test]
fn equal_values_have_no_step_and_exact_ones_any() {
    for constant in [0.0, 0.1, -1e-300, 1e150, 1.0 / 3.0] {
        assert_eq!(steps(&[constant; 77]), Changes::default(), "{constant}");
    }
    // Nearer to an end, no tentative step is taken out, and the step itself counts as scatter.
    for at in 15..=45 {
        let values: Vec<f64> = (0..60).map(|i| if i < at { 0.1 } else { 0.1001 }).collect();
        let found = steps(&values);
        let places: Vec<usize> = found.steps.iter().map(|step| step.at).collect();
        assert_eq!(places, [at]);
        assert!((found.steps[0].size - 0.0001).abs() < 1e-9);
        assert_eq!(found.steps[0].places, at..=at);
    }
}

/// Anywhere, of any size, in noise and in exact values.
#[test]
fn a_single_spike_is_no_step() {
    let noisy = noise(60, 4);
    assert_eq!(steps(&noisy), Changes::default());
    for at in 0..60 {
        for size in [5.0, 100.0, -1e9] {
            for series in [&noisy[..], &[2.5; 60]] {
                let mut values = series.to_vec();
                values[at] += size;
                assert_eq!(steps(&values), Changes::default(), "{size} at {at}");
            }
        }
    }
}

/// Places do not depend on the unit, the level or the sign of values; sizes follow them.
#[test]
fn steps_follow_the_scale() {
    let mut values = noise(150, 9);
    values[90..].iter_mut().for_each(|value| *value += 3.0);
    let found = steps(&values);
    assert_eq!(found.steps.len(), 1);
    for scale in [4.0, -0.25, -1.0, 1024.0] {
        let scaled: Vec<f64> = values.iter().map(|value| value * scale).collect();
        let other = &steps(&scaled).steps;
        assert_eq!((other.len(), other[0].at), (1, found.steps[0].at), "{scale}");
        assert_eq!(other[0].places, found.steps[0].places);
        assert!((other[0].size - scale * found.steps[0].size).abs() < 1e-9 * scale.abs());
    }
    let raised: Vec<f64> = values.iter().map(|value| value + 1000.0).collect();
    assert_eq!(steps(&raised).steps[0].at, found.steps[0].at);
}

/// Would catch a clip that takes the noise of values of which most are equal for spikes: nearly every flat series of
/// this kind had a step.
#[test]
fn values_of_which_most_are_equal_are_no_steps() {
    let flagged = (0..100).filter(|seed| {
        let values: Vec<f64> =
            noise(120, *seed).iter().map(|value| (value / 2.0).round()).collect();
        !steps(&values).steps.is_empty()
    });
    // Two in a hundred are usual; eight have a probability of 0.1 %.
    assert!(flagged.count() < 8);
}

/// Equal steps upwards fit a line better than one step does. Of three, one may be missed: the scatter is measured around
/// two.
#[test]
fn stairs_are_no_line() {
    for (count, fewest) in [(2, 2), (3, 2)] {
        let mut values: Vec<f64> = noise(300, 12);
        for (i, value) in values.iter_mut().enumerate() {
            *value += 4.0 * (i * (count + 1) / 300) as f64;
        }
        let found = steps(&values);
        assert!((fewest..=count).contains(&found.steps.len()), "{found:?}");
        assert!(found.drifts.is_empty(), "{found:?}");
    }
    let line: Vec<f64> =
        (0..300).zip(noise(300, 12)).map(|(i, e)| f64::from(i) / 25.0 + e).collect();
    let found = steps(&line);
    assert_eq!((found.steps.len(), found.drifts.len()), (0, 1), "{found:?}");
    assert!(found.drifts[0].interval.contains(299.0 / 25.0));
}
