//! The clock: one monotonic reading, and what such a reading can show and costs here.
//!
//! Owns the only call to `clock_gettime` that measurements use, and the figures about it that are
//! measured at start and stored with every record. Refuses to invent: a clock that did not move
//! while it was watched has no facts. Nothing here subtracts the cost from anything; who reports a
//! short reading attaches a note made from these facts.

/// Readings per batch. Because 64 reads take a few µs, the two ends of a batch are far enough
/// apart for the clock's own step not to show in the mean, and few batches are interrupted.
const BATCH: usize = 64;

/// Batches at most. Because 32 × 64 reads of 20–70 ns are 40–150 µs.
const BATCHES: usize = 32;

/// No batch is begun after this long. Because the whole must stay under 1 ms: even a clock that
/// costs 5 µs a read (an emulated HPET) spends at most 320 µs in the batch that was under way.
const BUDGET_NS: u64 = 500_000;

/// Measured properties of the clock.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ClockFacts {
    /// The smallest non-zero difference seen between two consecutive readings, in ns; never below
    /// what `clock_getres(2)` promises. It includes the time one reading takes, because no
    /// duration shorter than that can be seen either.
    pub resolution_ns: u64,
    /// The cost of one reading in ns: median over batches of the mean within a batch.
    pub cost_ns: f64,
}

/// Nanoseconds on `CLOCK_MONOTONIC`: not set back by anyone, slewed by NTP, and standing still
/// while the machine is suspended. Only differences have a meaning, and they compare across
/// processes of one boot.
///
/// # Panics
/// If the kernel has no monotonic clock, which Linux on the supported machines always has.
#[must_use]
pub fn now_ns() -> u64 {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: `time` is a valid, writable timespec for the whole call.
    let code = unsafe { libc::clock_gettime(libc::CLOCK_MONOTONIC, &raw mut time) };
    assert!(code == 0, "clock_gettime(CLOCK_MONOTONIC) failed");
    nanoseconds(time)
}

/// Measures the clock; takes about 0.05 ms and, unless interrupted, never 1 ms. `None` if the clock
/// did not move, so that neither figure can be known.
#[must_use]
pub fn measure() -> Option<ClockFacts> {
    measure_with(now_ns, promised_resolution())
}

/// The resolution that `clock_getres(2)` promises, in ns; absent if it refuses.
fn promised_resolution() -> Option<u64> {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: `time` is a valid, writable timespec for the whole call.
    let code = unsafe { libc::clock_getres(libc::CLOCK_MONOTONIC, &raw mut time) };
    (code == 0).then(|| nanoseconds(time))
}

/// A monotonic time is never negative, and 2⁶⁴ ns are 584 years.
#[allow(clippy::cast_sign_loss)] // stated above
fn nanoseconds(time: libc::timespec) -> u64 {
    time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64
}

/// [`measure`] with the clock and its promise passed in.
fn measure_with(mut read: impl FnMut() -> u64, promised: Option<u64>) -> Option<ClockFacts> {
    let begin = read();
    let mut smallest: Option<u64> = None;
    let mut costs = Vec::with_capacity(BATCHES);
    for _ in 0..BATCHES {
        let mut readings = [0_u64; BATCH + 1];
        for reading in &mut readings {
            *reading = read();
        }
        let steps = readings.windows(2).map(|pair| pair[1].saturating_sub(pair[0]));
        smallest = smallest.into_iter().chain(steps.filter(|&s| s > 0)).min();
        costs.push(mean_step(&readings));
        if readings[BATCH].saturating_sub(begin) >= BUDGET_NS {
            break;
        }
    }
    let cost_ns = median(&mut costs).filter(|&cost| cost > 0.0)?;
    let resolution_ns = smallest?.max(promised.unwrap_or(0));
    Some(ClockFacts { resolution_ns, cost_ns })
}

/// Mean time between two readings of a batch, in ns.
#[allow(clippy::cast_precision_loss)] // a batch lasts well under 2⁵³ ns
fn mean_step(readings: &[u64; BATCH + 1]) -> f64 {
    readings[BATCH].saturating_sub(readings[0]) as f64 / BATCH as f64
}

/// The middle value, the mean of the two middle ones for an even count. Reorders its argument,
/// which is scratch. (The statistics crate is not used: this has no samples, only a set-up figure.)
fn median(values: &mut [f64]) -> Option<f64> {
    values.sort_by(f64::total_cmp);
    let upper = values.len() / 2;
    let high = *values.get(upper)?;
    if values.len() % 2 == 1 {
        return Some(high);
    }
    Some(f64::midpoint(values[upper - 1], high))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A clock that advances by the given steps, over and over.
    fn scripted(steps: &'static [u64]) -> impl FnMut() -> u64 {
        let mut now = 1_000;
        let mut steps = steps.iter().cycle();
        move || {
            now += steps.next().copied().unwrap_or(0);
            now
        }
    }

    /// Catches zero steps taken for the resolution, and a mean or maximum in its place.
    #[test]
    fn the_resolution_is_the_smallest_step_that_is_not_zero() {
        let facts = measure_with(scripted(&[0, 0, 100, 40]), Some(1)).unwrap();
        assert_eq!(facts.resolution_ns, 40);
        assert_eq!(facts.cost_ns, 35.0);
    }

    /// Catches a resolution finer than the kernel promises (steps by slewing).
    #[test]
    fn the_promise_of_the_kernel_bounds_the_resolution() {
        let facts = measure_with(scripted(&[30]), Some(4_000_000)).unwrap();
        assert_eq!(facts.resolution_ns, 4_000_000);
        let facts = measure_with(scripted(&[30]), None).unwrap();
        assert_eq!(facts.resolution_ns, 30);
    }

    /// Catches a 0 given out as cost or resolution.
    #[test]
    fn a_clock_that_stands_still_has_no_facts() {
        assert_eq!(measure_with(|| 7, Some(1)), None);
    }

    /// Catches an underflow on a clock that goes back.
    #[test]
    fn a_clock_that_goes_back_has_no_facts() {
        let mut now = u64::MAX;
        let back = move || {
            now -= 10;
            now
        };
        assert_eq!(measure_with(back, Some(1)), None);
    }

    /// Catches an interrupted batch that moves the cost (a mean over all batches would).
    #[test]
    fn one_interruption_does_not_move_the_cost() {
        let mut reads = 0;
        let mut now = 0;
        let interrupted = move || {
            reads += 1;
            now += if reads == 200 { 90_000 } else { 50 };
            now
        };
        let facts = measure_with(interrupted, Some(1)).unwrap();
        assert_eq!((facts.resolution_ns, facts.cost_ns), (50, 50.0));
    }

    /// Catches a fixed number of readings on a slow clock: 5 µs a read must end within 1 ms of
    /// that clock's time.
    #[test]
    fn a_slow_clock_ends_early() {
        let mut now = 0;
        let facts = measure_with(
            || {
                now += 5_000;
                now
            },
            Some(1),
        );
        assert_eq!(facts.unwrap().cost_ns, 5_000.0);
        assert!(now < 1_000_000, "took {now} ns");
    }

    /// Catches a reading that goes back, and a budget or filter that leaves a real clock without
    /// facts.
    #[test]
    fn the_real_clock_moves_forward_and_has_facts() {
        let (first, second) = (now_ns(), now_ns());
        assert!(second >= first);
        let facts = measure().unwrap();
        assert!(facts.resolution_ns > 0 && facts.cost_ns > 0.0);
    }
}
