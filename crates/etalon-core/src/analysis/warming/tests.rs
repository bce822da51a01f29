//! Simulated curves have a stated rate of wrong classes, and recorded ones the class that they were made with.

use super::*;
use crate::random::Random;
use crate::stats::normal_quantile;

/// Simulated processes of a kind.
const TIMES: u64 = 400;
/// How many of them may get another class: 5 %.
const WRONG_MAY: usize = 20;

fn normal(random: &mut Random) -> f64 {
    normal_quantile(random.uniform().max(1e-12))
}

/// A process of so many batches of a warm-up, a quarter of a sample long, and so many samples of 5 ms: readings with a
/// scatter, one in thirty of them interrupted, of calls of 1 µs times what is planted at each reading.
fn process(
    [warmup, samples]: [usize; 2],
    scatter: f64,
    random: &mut Random,
    planted: &dyn Fn(usize) -> f64,
) -> Option<Course> {
    let mut reading = |at: usize, calls: f64| {
        let interrupted = if random.uniform() < 1.0 / 30.0 { 1.0 + random.uniform() } else { 1.0 };
        (calls, 1e-6 * planted(at) * interrupted * (scatter * normal(random)).exp())
    };
    let before: Vec<(f64, f64)> = (0..warmup).map(|at| reading(at, 1250.0)).collect();
    let of: Vec<(f64, f64)> = (warmup..warmup + samples).map(|at| reading(at, 5000.0)).collect();
    course(&Times { warmup: before, samples: of, garbage: false })
}

/// How many simulated processes get another class.
fn wrong(
    sizes: [usize; 2],
    scatter: f64,
    right: Course,
    planted: impl Fn(f64, f64) -> f64,
) -> usize {
    let is_wrong = |seed: &u64| {
        let mut random = Random::new(500 + seed);
        let chance = random.uniform();
        process(sizes, scatter, &mut random, &|at| planted(at as f64, chance)) != Some(right)
    };
    (0..TIMES).filter(is_wrong).count()
}

/// Would catch a rule that sees changes in noise, or takes interruptions for levels: at most one in twenty processes
/// that do not change is called anything but flat, and one in five where readings scatter by 15 %.
#[test]
fn what_does_not_change_is_flat() {
    for sizes in [[8, 10], [12, 20], [40, 40], [20, 200]] {
        for scatter in [0.002, 0.02, 0.05, 0.15] {
            let wrong = wrong(sizes, scatter, Course::Flat, |_, _| 1.0);
            let may = if scatter > 0.1 { 4 * WRONG_MAY } else { WRONG_MAY };
            assert!(wrong <= may, "{sizes:?} {scatter}: {wrong}");
        }
    }
    // Nor is a machine that becomes 6 % slower.
    let wrong = wrong([20, 40], 0.02, Course::Flat, |at, _| if at > 30.0 { 1.06 } else { 1.0 });
    assert!(wrong <= WRONG_MAY, "{wrong}");
}

/// Would catch classes that are mixed up: of curves with each, at most one in twenty gets another.
#[test]
fn planted_curves_get_their_class() {
    type Curve = fn(f64, f64) -> f64;
    // The time at a reading, and a chance that is drawn for the process.
    let curves: [(&str, Course, Curve); 7] = [
        ("compiled late", Course::Warming, |at, chance| match at < 6.0 + 10.0 * chance {
            true => 3.0,
            false => 1.0,
        }),
        ("in two tiers", Course::Warming, |at, _| match at {
            ..6.0 => 4.0,
            6.0..14.0 => 1.5,
            _ => 1.0,
        }),
        ("getting slower", Course::Slowing, |at, _| 1.0 + 0.02 * at),
        ("deoptimised", Course::Slowing, |at, chance| match at < 10.0 + 8.0 * chance {
            true => 1.0,
            false => 1.5,
        }),
        ("alternating", Course::Unsteady, |at, chance| {
            1.0 + 0.5 * (((at + 20.0 * chance) / 8.0).floor() % 2.0)
        }),
        ("sawtooth", Course::Unsteady, |at, chance| 1.0 + (at + 16.0 * chance) % 16.0 / 16.0),
        ("late in the samples", Course::Unsteady, |at, _| match at {
            ..10.0 => 1.0,
            10.0..50.0 => 2.0,
            _ => 1.3,
        }),
    ];
    for (name, right, curve) in curves {
        for scatter in [0.01, 0.05] {
            let wrong = wrong([20, 40], scatter, right, curve);
            assert!(wrong <= WRONG_MAY, "{name}, {scatter}: {wrong}");
        }
    }
}

/// Would catch a class without data enough, and what the first short calls have to say.
#[test]
fn few_samples_have_no_class_and_first_calls_are_no_level() {
    let of = |warmup: &[(f64, f64)], samples: &[(f64, f64)]| {
        course(&Times { warmup: warmup.to_vec(), samples: samples.to_vec(), garbage: false })
    };
    assert_eq!(of(&[], &[(1.0, 1.0); 7]), None);
    assert_eq!(of(&[(1.0, 1.0); 9], &[(1.0, 1.0); 3]), None);
    assert_eq!(of(&[], &[(1.0, 1.0); 8]), Some(Course::Flat));
    let short: Vec<(f64, f64)> = (0..7).map(|at| (f64::from(1 << at), 1e-5)).collect();
    assert_eq!(of(&short, &[(5000.0, 1e-6); 20]), Some(Course::Flat));
}

/// Samples recorded of real suites (`tests/reference/curves_bench.lua` says how each is made).
const RECORDED: &str = include_str!("../../../tests/data/curves.csv");

/// Would catch a rule that only knows simulated curves: of ten recorded processes of each kind, at least nine get the
/// class that the suite was written to have.
#[test]
fn recorded_curves_get_their_class() {
    let mut all: Vec<(&str, Course, &str, Times)> = Vec::new();
    for line in RECORDED.lines().skip(1) {
        let fields: Vec<&str> = line.split(',').collect();
        let [name, class, block, phase, garbage, calls, wall] = fields[..] else {
            panic!("{line}")
        };
        let class = Course::ALL.into_iter().find(|course| course.word() == class).unwrap();
        if all.last().is_none_or(|last| (last.0, last.2) != (name, block)) {
            all.push((name, class, block, Times::default()));
        }
        let (calls, wall): (f64, f64) = (calls.parse().unwrap(), wall.parse().unwrap());
        let times = &mut all.last_mut().unwrap().3;
        times.garbage |= garbage == "yes";
        let of = if phase == "measured" { &mut times.samples } else { &mut times.warmup };
        of.push((calls, wall * 1e-9 / calls));
    }
    let mut kinds = 0;
    for kind in all.chunk_by(|a, b| a.0 == b.0) {
        let right = kind.iter().filter(|it| course(&it.3) == Some(it.1)).count();
        assert!(kind.len() == 10 && right >= 9, "{}: {right} of {}", kind[0].0, kind.len());
        kinds += 1;
    }
    assert_eq!(kinds, 5);
}

/// Would catch a rule that takes collections, which only the warm-up has, for a change, or calibration for a level.
#[test]
fn collections_of_the_warm_up_are_no_change() {
    let mut warmup = vec![(1250.0, 1.3e-6); 30];
    warmup.extend([(1250.0, 1.6e-6); 6]);
    let times = Times { warmup, samples: vec![(5000.0, 1e-6); 20], garbage: true };
    assert_eq!(course(&times), Some(Course::Flat));
    assert_eq!(course(&Times { garbage: false, ..times }), Some(Course::Warming));
}
