#![allow(clippy::unwrap_used, reason = "a failed step is a failed test")]

use super::*;

/// Pieces of 0.1 ms, each given with what it takes more, in percent of CPU time and of waiting.
fn pieces(more: impl Fn(usize) -> (u64, u64)) -> Vec<Piece> {
    let piece = |at| {
        let (cpu, wait) = more(at);
        Piece { cpu_ns: 100_000 + 1000 * cpu, wall_ns: 100_000 + 1000 * (cpu + wait) }
    };
    (0..6000).map(piece).collect()
}

/// Would catch a quiet machine that is promised more than two seconds can show, or blamed for anything.
#[test]
fn a_quiet_spin_promises_no_more_than_it_can_show() {
    let seen = figures(&pieces(|at| ((at % 3) as u64, 0))).unwrap();
    assert_eq!(reliable(&seen), Some(0.001));
    assert_eq!((seen.periods, seen.slowed, seen.waited), (0, 0.0, 0.0));
    assert!(seen.drift.abs() < 0.01 && seen.jitter < 0.02, "{seen:?}");
}

/// Would catch time without a CPU taken for a slow core, and the other way round.
#[test]
fn waiting_and_a_busy_core_are_told_apart() {
    let waited = figures(&pieces(|at| (0, if at % 100 < 20 { 100 } else { 0 }))).unwrap();
    assert!((waited.waited - 1.0 / 6.0).abs() < 1e-3, "{waited:?}");
    assert_eq!((waited.periods, waited.slowed), (0, 0.0));
    let shared = figures(&pieces(|at| (if at % 1000 < 200 { 60 } else { 0 }, 0))).unwrap();
    assert_eq!((shared.periods, shared.waited), (6, 0.0));
    assert!((shared.slowed - 0.32 / 1.12).abs() < 1e-3, "{shared:?}");
}

/// Would catch interrupts, which take a piece or two, counted as a busy core.
#[test]
fn single_slow_pieces_are_no_period() {
    let seen = figures(&pieces(|at| (if at % 50 < 2 { 80 } else { 0 }, 0))).unwrap();
    assert_eq!(seen.periods, 0);
    assert!(seen.jitter > 0.7, "{seen:?}");
}

/// Would catch a drift that is not seen, or has the wrong sign.
#[test]
fn a_slower_end_is_a_drift_upwards() {
    let seen = figures(&pieces(|at| (at as u64 / 600, 0))).unwrap();
    assert!((0.06..0.09).contains(&seen.drift), "{seen:?}");
}

/// Would catch a constant that does not follow from what it is said to be: of simulated experiments of thirty pairs
/// whose true difference is so many half-widths, the interval excludes 0 in four of five.
#[test]
fn four_of_five_experiments_find_what_is_called_found() {
    let mut random = etalon_core::random::Random::new(7);
    // A sum of twelve uniform numbers is normal enough, with standard deviation 1.
    let mut normal = || (0..12).map(|_| random.uniform()).sum::<f64>() - 6.0;
    let mut experiment = |shift: f64| {
        let ratios: Vec<f64> = (0..30).map(|_| shift + normal()).collect();
        let interval = one_sample(&Sorted::new(&ratios).unwrap(), 0.95).unwrap().interval.unwrap();
        (interval.lo, (interval.hi - interval.lo) / 2.0)
    };
    let mean = (0..1000).map(|_| experiment(0.0).1).sum::<f64>() / 1000.0;
    let found = (0..2000).filter(|_| experiment(FOUND * mean).0 > 0.0).count();
    let share = found as f64 / 2000.0;
    assert!((0.76..0.84).contains(&share), "{share}");
}

/// Would catch a number shown below what was found, and one for a machine that shows nothing reliable.
#[test]
fn what_is_called_reliable_is_never_less_than_was_found() {
    let of = |equal_within| Figures {
        piece: 1e-4,
        window: 0.03,
        equal_within,
        jitter: 0.0,
        drift: 0.0,
        waited: 0.0,
        periods: 0,
        slowed: 0.0,
    };
    assert_eq!(reliable(&of(0.0021)), Some(0.005));
    assert_eq!(reliable(&of(0.006)), Some(0.01));
    assert_eq!(reliable(&of(0.7)), None);
}

/// Would catch figures made of nothing.
#[test]
fn too_few_pieces_have_no_figures() {
    assert_eq!(figures(&[]), None);
    assert_eq!(figures(&[Piece { wall_ns: 1, cpu_ns: 1 }; 59]), None);
}
