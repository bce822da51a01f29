//! How false alarms of an A/A experiment are counted, on runs whose scatter is known.

use std::sync::Arc;

use crate::support::{Layout, cpu, data, normal, run_set};
use etalon_core::analysis::noise;
use etalon_core::criteria::Criteria;
use etalon_core::model::Metric;
use etalon_core::noise::{BLOCKS, InBlocks, InSequence, ORDERS, OneRunASide};
use etalon_core::plan::Settings;
use etalon_core::random::Random;
use etalon_core::sample::Sample;

const EXPERIMENTS: u64 = 40;
const RUNS: usize = 10;
const READINGS: usize = 20;

fn metric() -> Metric {
    cpu(1e-9)
}

/// Readings of one program: what scatters between runs, and within one.
fn runs(between: f64, within: f64, random: &mut Random) -> Vec<Sample> {
    let mut one = || {
        let level = (between * normal(random)).exp();
        let values = (0..READINGS).map(|_| level * (within * normal(random)).exp()).collect();
        Sample::new(values, Arc::new([])).unwrap()
    };
    (0..RUNS).map(|_| one()).collect()
}

/// The shares of pairs that are called different in many experiments: by readings alone, and as runs are compared; and
/// what the last experiment says.
fn in_sequence(between: f64) -> ([f64; 2], InSequence) {
    let mut last = None;
    let (mut called, mut all) = ([0, 0], 0);
    for seed in 0..EXPERIMENTS {
        let mut random = Random::new(seed);
        let runs = runs(between, 0.02, &mut random);
        let found = InSequence::from_runs(&metric(), &runs, &Criteria::default()).unwrap();
        assert_eq!(found.by_readings.of, RUNS * (RUNS - 1) / 2);
        assert_eq!(found.by_runs.of, found.by_readings.of);
        called[0] += found.by_readings.called;
        called[1] += found.by_runs.called;
        all += found.by_runs.of;
        last = Some(found);
    }
    #[allow(clippy::cast_precision_loss)]
    let shares = called.map(|called| called as f64 / all as f64);
    (shares, last.unwrap())
}

/// Would catch readings that are taken for runs, and a rule for runs that knows nothing of their scatter: where runs
/// scatter by 3 %, readings alone call most pairs different, and the rule hardly any.
#[test]
fn runs_that_scatter() {
    let ([by_readings, by_runs], found) = in_sequence(0.03);
    assert!(by_readings > 0.5, "{by_readings}");
    assert!(by_runs < 0.07, "{by_runs}");
    assert!(found.has_history);
    assert!((0.01..0.06).contains(&found.scatter), "{}", found.scatter);
    assert!((0.003..0.009).contains(&found.explained), "{}", found.explained);
    assert!((0.015..0.025).contains(&found.within), "{}", found.within);
}

/// Would catch false alarms that come of the counting itself: where runs do not scatter, readings alone call at most as
/// many different as alpha says, and more readings make smaller changes visible, but not without end.
#[test]
fn runs_that_do_not() {
    let ([by_readings, by_runs], found) = in_sequence(0.0);
    assert!(by_readings < 0.07, "{by_readings}");
    assert!(by_runs < 0.05, "{by_runs}");
    let OneRunASide { known: [Some(few), Some(some), Some(many)], assumed: Some(assumed) } =
        found.visible
    else {
        panic!("{:?}", found.visible)
    };
    assert!(few > some && some > many && many > 0.0, "{few} {some} {many}");
    assert!(assumed > 0.1, "{assumed}");
}

/// Would catch runs that are their own history.
#[test]
fn few_runs_are_no_history() {
    let mut runs = runs(0.03, 0.02, &mut Random::new(1));
    runs.truncate(6);
    let found = InSequence::from_runs(&metric(), &runs, &Criteria::default()).unwrap();
    assert!(!found.has_history);
    assert_eq!(found.visible.known, [None; 3]);
    runs.truncate(1);
    assert_eq!(InSequence::from_runs(&metric(), &runs, &Criteria::default()), None);
}

/// Readings of two of the same in blocks, on a machine that drifts by far more than they scatter.
fn twins(blocks: u32, random: &mut Random) -> [Sample; 2] {
    let mut level: f64 = 0.0;
    let mut values = [Vec::new(), Vec::new()];
    for _ in 0..blocks {
        level += 0.02 * normal(random);
        values.iter_mut().for_each(|it| it.push((level + 0.01 * normal(random)).exp()));
    }
    let places: Arc<[u32]> = (0..blocks).collect();
    values.map(|values| Sample::new(values, Arc::clone(&places)).unwrap())
}

/// Would catch blocks that are torn apart by drawing their orders anew, a drawing that is none, and a machine's drift
/// that counts: in blocks about as many are called different as alpha says, less what the discrete test leaves.
#[test]
fn blocks_of_two() {
    let mut shares = Vec::new();
    for seed in 0..8 {
        let [one, other] = twins(30, &mut Random::new(seed));
        let of = |seed| InBlocks::from_twins(&metric(), (&one, &other), &Criteria::default(), seed);
        let found = of(seed).unwrap();
        assert_eq!((found.blocks, found.alarms.of), (30, ORDERS));
        assert!((0.004..0.02).contains(&found.scatter), "{}", found.scatter);
        let [Some(few), Some(some), Some(many)] = found.visible else { panic!("{found:?}") };
        assert!(few > some && some > many, "{few} {some} {many}");
        assert_eq!(of(seed), Some(found.clone()), "the same seed says the same");
        shares.push(found.alarms.share().unwrap());
    }
    #[allow(clippy::cast_precision_loss)]
    let mean = shares.iter().sum::<f64>() / shares.len() as f64;
    assert!((0.02..0.065).contains(&mean), "{shares:?}");
}

/// Would catch a figure for other numbers of blocks that experiments with so many do not have.
#[test]
fn what_is_visible_with_another_number_of_blocks() {
    let visible = |blocks: u32, at: usize| {
        let mut of = |seed: u64| {
            let [one, other] = twins(blocks, &mut Random::new(1000 + seed));
            InBlocks::from_twins(&metric(), (&one, &other), &Criteria::default(), 1)
                .unwrap()
                .visible[at]
                .unwrap()
        };
        (0..12).map(&mut of).sum::<f64>() / 12.0
    };
    for (at, blocks) in (0..).zip(BLOCKS) {
        let (foretold, had) = (visible(30, at), visible(u32::try_from(blocks).unwrap(), at));
        assert!(
            (0.75..1.35).contains(&(foretold / had)),
            "{blocks} blocks: {foretold} against {had}"
        );
    }
}

/// Would catch records of a benchmark that are not found to be of the same one.
#[test]
fn records_of_one_benchmark_are_put_together() {
    let of = |seed: u64| {
        let values = vec![runs(0.0, 0.02, &mut Random::new(seed))[0].values.clone()];
        data(&[run_set(metric(), &values, Layout::Independent)])
    };
    let runs: Vec<_> = (0..3).map(of).collect();
    let settings = Settings { metric: metric().name, ..Settings::default() };
    let found = noise(&runs, None, &settings, 1);
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].sequence.as_ref().unwrap().runs, 3);
    assert_eq!(found[0].blocks, None);
    assert_eq!(found[0].known().unwrap().runs, 3);
}
