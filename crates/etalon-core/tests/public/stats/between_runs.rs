//! The comparison between runs against SciPy's quantiles, Welch's test and a root finder (`generate.py`), and
//! its share of false verdicts against the published simulations. Catches a quantile of the wrong distribution, a
//! scatter divided by the number of runs where it must not be, and p and interval that disagree.
//!
//! Tolerances, relative: 1e-9 for a p that both sides find by bisection.

use etalon_core::random::Random;
use etalon_core::stats::{
    BetweenRuns, InTime, InsufficientData, RunsOfSide, Scatter, Within, between_runs,
};
use serde_json::Value;

use super::fixtures::{cases, file, numbers, same};
use crate::support::normal;

fn side(case: &Value, name: &str) -> RunsOfSide {
    let spreads = numbers(&case[format!("{name}_spreads")]);
    RunsOfSide { centres: numbers(&case[name]), spreads, waited: Vec::new() }
}

fn scatter(case: &Value) -> Scatter {
    let (sd, df) = (case[1].as_f64().unwrap(), case[2].as_f64().unwrap());
    match case[0].as_str().unwrap() {
        "assumed" => Scatter::Assumed(sd),
        "known" => Scatter::Known(sd),
        _ => Scatter::Earlier { sd, df },
    }
}

fn compared(case: &Value) -> BetweenRuns {
    let within = numbers(&case["within"]);
    let within = Within { half_width: within[0], level: within[1], df: within[2] };
    let (base, candidate) = (side(case, "base"), side(case, "candidate"));
    let in_time = match case["alternating"].as_bool().unwrap() {
        true => InTime::Alternating,
        // Each run a stretch of its own.
        false => InTime::InSequence([base.centres.len(), candidate.centres.len()]),
    };
    between_runs(&base, &candidate, in_time, scatter(&case["scatter"]), Ok(within)).unwrap()
}

#[test]
fn half_widths_and_p_are_scipys() {
    let file = file("between_runs");
    let levels = numbers(&file["levels"]);
    for case in cases(&file["cases"]) {
        let ours = compared(case);
        let difference = case["difference"].as_f64().unwrap();
        assert!((ours.difference - difference).abs() < 1e-15, "{case}");
        for (level, theirs) in levels.iter().zip(cases(&case["half_widths"])) {
            same(Some(ours.half_width(1.0 - level)), theirs, 1e-11, case);
            let interval = ours.interval(*level).unwrap();
            let half = theirs.as_f64().unwrap();
            assert!((interval.half_width() - half).abs() <= 1e-11 * half + 1e-15, "{case}");
        }
        same(Some(ours.p(0.0)), &case["p"], 1e-9, case);
    }
}

/// An interval leaves 0 out exactly where p is below 1 − its level.
#[test]
fn interval_and_p_agree_at_every_level() {
    for case in cases(&file("between_runs")["cases"]) {
        let ours = compared(case);
        let p = ours.p(0.0);
        for alpha in [0.2, 0.05, 0.01, 1e-3, 1e-6, 1e-12, p * (1.0 + 1e-9), p * (1.0 - 1e-9)] {
            if alpha <= 0.0 || alpha >= 1.0 {
                continue;
            }
            let excludes = ours.half_width(alpha) < ours.difference.abs();
            assert_eq!(excludes, p <= alpha, "alpha {alpha}, {case}");
        }
        let (up, down) = (ours.p_greater(0.0), ours.p_less(0.0));
        assert!((up.min(down) * 2.0 / p - 1.0).abs() < 1e-9, "{case}");
    }
}

#[test]
fn what_cannot_be_compared_says_so() {
    let within = |half_width| Ok(Within { half_width, level: 0.95, df: 10.0 });
    let side = |centres: &[f64]| RunsOfSide {
        centres: centres.to_vec(),
        spreads: vec![0.0; centres.len()],
        waited: Vec::new(),
    };
    let assumed = Scatter::Assumed(0.025);
    let none =
        between_runs(&side(&[]), &side(&[1.0]), InTime::InSequence([1, 1]), assumed, within(0.1));
    assert_eq!(none, Err(InsufficientData::Empty));
    let lacking = Err(InsufficientData::TooFew { needs: 4 });
    assert_eq!(
        between_runs(&side(&[1.0]), &side(&[1.0]), InTime::InSequence([1, 1]), assumed, lacking),
        Err(InsufficientData::TooFew { needs: 4 })
    );
    // From three runs a side on, the readings are not asked.
    let three = side(&[1.0, 1.01, 0.99]);
    assert!(between_runs(&three, &three, InTime::Alternating, assumed, lacking).is_ok());
    // Runs that agree to the last bit: without scatter the interval is a point.
    let constant = side(&[1.0; 3]);
    let point = between_runs(&constant, &constant, InTime::Alternating, assumed, lacking).unwrap();
    assert_eq!((point.half_width(0.05), point.p(0.0)), (0.0, 1.0));
    assert_eq!(point.p(0.5), 1e-300);
}

/// Would catch runs of one stretch that count as so many: an earlier scatter is that of stretches.
#[test]
fn runs_of_one_stretch_are_one() {
    let side = |centres: &[f64]| RunsOfSide {
        centres: centres.to_vec(),
        spreads: vec![0.0; centres.len()],
        waited: Vec::new(),
    };
    let within = Ok(Within { half_width: 0.0, level: 0.95, df: 10.0 });
    let half = |runs: usize, stretches: [usize; 2], scatter: Scatter| {
        let (base, candidate) = (side(&vec![1.0; runs]), side(&vec![1.1; runs]));
        let in_time = InTime::InSequence(stretches);
        let compared = between_runs(&base, &candidate, in_time, scatter, within);
        compared.unwrap().half_width(0.05)
    };
    let scatters =
        [Scatter::Earlier { sd: 0.02, df: 9.0 }, Scatter::Known(0.02), Scatter::Assumed(0.02)];
    for scatter in scatters {
        let of_one = half(1, [1, 1], scatter);
        assert_eq!(half(2, [1, 1], scatter), of_one, "{scatter:?}");
        assert!((half(2, [2, 2], scatter) * 2_f64.sqrt() / of_one - 1.0).abs() < 1e-12);
    }
    let earlier = scatters[0];
    assert_eq!(half(5, [1, 1], earlier), half(1, [1, 1], earlier));
}

/// STATISTICS "Between runs": of unchanged code, the share of verdicts, two-sided at 5 %. The bounds are those of
/// a 99.9 % interval around the published simulation at 2,000 replicates: 2.3 points at 5 %.
#[test]
fn false_verdicts_are_as_published() {
    let replicates = 2_000;
    let share = |seed: u64, runs: usize, scatter: Scatter, sd: f64| {
        let mut random = Random::new(seed);
        let false_verdicts = (0..replicates).filter(|_| {
            let mut side = || RunsOfSide {
                centres: (0..runs).map(|_| sd * normal(&mut random)).collect(),
                spreads: vec![0.0; runs],
                waited: Vec::new(),
            };
            // 30 readings of 2 % a run: their own error is in the run's value.
            let within = Within { half_width: 0.0101, level: 0.95, df: 58.0 };
            let (base, candidate) = (side(), side());
            let runs =
                between_runs(&base, &candidate, InTime::Alternating, scatter, Ok(within)).unwrap();
            runs.p(0.0) <= 0.05
        });
        100.0 * false_verdicts.count() as f64 / f64::from(replicates)
    };
    // A known scatter of 2.5 %, one run a side: 0 at 1 % and 5 at 2.5 %, 32 at 5 %.
    let known = Scatter::Known(0.025);
    assert!(share(1, 1, known, 0.010) < 0.5);
    assert!((share(2, 1, known, 0.0255) - 5.0).abs() < 2.3);
    assert!((share(3, 1, known, 0.0502) - 32.0).abs() < 4.0);
    // Welch with three, five and ten runs a side that alternate: 3.5, 4.6, 4.6.
    let assumed = Scatter::Assumed(0.025);
    for (seed, runs, published) in [(4, 3, 3.5), (5, 5, 4.6), (6, 10, 4.6)] {
        let found = share(seed, runs, assumed, 0.02);
        assert!((found - published).abs() < 2.0, "{runs} runs: {found} %");
    }
    // The assumed scatter where it is true: t with three degrees of freedom leaves less.
    assert!(share(7, 1, assumed, 0.025) < 1.0);
}
