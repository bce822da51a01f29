//! How a case warms up: whether its processes come to one level, from above or from below, and stay there.
//!
//! Owns the rule (`docs/lua.md`, "Warm-up"): times per call of the warm-up and of the samples, in time order, are
//! parted into levels. Refuses to say why times change, and to leave a reading out of a sample for it.

use super::subject::Subject;
use crate::dataset::{Dataset, WarmupBatch};
use crate::metrics;
use crate::notes::Course;
use crate::stats::{self, Sorted};

/// How many processes of a case did what.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Courses {
    /// By [`Course::ALL`].
    pub processes: [usize; 4],
}

impl Courses {
    /// How many did this.
    #[must_use]
    pub fn count(&self, course: Course) -> usize {
        self.processes[course as usize]
    }

    /// How many there are.
    #[must_use]
    pub fn all(&self) -> usize {
        self.processes.iter().sum()
    }

    /// The course of most of them; of two that as many had, the more remarkable. Absent without any.
    #[must_use]
    pub fn most(&self) -> Option<Course> {
        let seen = Course::ALL.into_iter().filter(|course| self.count(*course) > 0);
        seen.max_by_key(|course| (self.count(*course), *course))
    }
}

/// A stretch of fewer readings is no level: an interruption is one or two.
const SHORTEST: usize = 4;
/// Of more readings in a process as many consecutive ones are put together: an analysis of a thousand cases stays
/// within a fraction of a second.
const MOST: usize = 128;
/// A batch of the warm-up shorter than this share of a sample is the first calls, the clock and whatever interrupts,
/// not a level. Batches that look for a level are at least an eighth of a sample.
const COMPARABLE: f64 = 0.12;
/// Levels that are less apart are one: of unchanged functions, processes that take turns, and batches with other
/// collections around them, are apart by so much.
const APART: f64 = 0.1;
/// So are those that are less apart than this many times the half of the middle half of their readings.
const SPREADS: f64 = 2.0;
/// The spread of a level counts up to so many times the usual one: a stretch across a change is as wide as the change,
/// would be apart from neither side, and levels would go into it one by one.
const WIDEST: f64 = 2.0;

/// Collections make calls at most so many times as long: of calls that do nothing but allocate, 2.6 times were
/// recorded.
const GARBAGE: f64 = 4.0;
/// At most so many readings calibrate a batch.
const CALIBRATION: usize = 16;

/// A stretch of readings on one level.
#[derive(Debug, Clone, Copy)]
struct Level {
    first: usize,
    end: usize,
    /// The median.
    time: f64,
    /// Half the width of the middle half of its readings, at most [`WIDEST`] times what is usual here.
    spread: f64,
}

impl Level {
    /// `most` is the widest spread that counts, as a share of the time.
    fn new(values: &[f64], first: usize, end: usize, most: f64) -> Option<Level> {
        let sorted = Sorted::new(&values[first..end]).ok()?;
        let quartiles = stats::quartiles(&sorted)?;
        let spread = ((quartiles.q3 - quartiles.q1) / 2.0).min(most * quartiles.median);
        Some(Level { first, end, time: quartiles.median, spread })
    }

    /// Whether another is too far off to be the same.
    fn is_apart(&self, other: &Level) -> bool {
        let (low, high) = (self.time.min(other.time), self.time.max(other.time));
        let spread = self.spread.max(other.spread);
        high > low * (1.0 + APART) && high - low > SPREADS * spread
    }

    /// Whether another is apart and faster.
    fn is_above(&self, other: &Level) -> bool {
        self.time > other.time && self.is_apart(other)
    }
}

/// Times of a process in time order: calls of a batch, and seconds of one of them.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Times {
    /// Of the warm-up.
    pub(super) warmup: Vec<(f64, f64)>,
    /// Of the samples.
    pub(super) samples: Vec<(f64, f64)>,
    /// Whether calls leave something to collect, which costs time in the warm-up and none in samples.
    pub(super) garbage: bool,
}

/// The course of a process's times, in this order: `Flat` on one level; `Slowing` where every level is above the one
/// before it; `Unsteady` where the last level begins in the second half of the samples, or begins among the samples
/// after times went up and down; `Slowing` where the last level is above an earlier one; else `Warming`. Absent below
/// four samples and below eight readings. O(n²) in at most 128 readings of the warm-up and as many samples.
///
/// Batches of the warm-up shorter than an eighth of the median sample are left out. Where calls leave garbage, the last
/// level of the warm-up and the first of the samples count as one unless they are a factor of four apart, and short
/// levels of the warm-up's end that are above the one before are the batches that were calibrated between collections.
pub(super) fn course(times: &Times) -> Option<Course> {
    let lengths: Vec<f64> = times.samples.iter().map(|(calls, call)| calls * call).collect();
    let length = stats::median(&Sorted::from_vec(lengths).ok()?)?;
    let long = |(calls, call): &&(f64, f64)| calls * call >= COMPARABLE * length;
    let before: Vec<f64> = times.warmup.iter().filter(long).map(|(_, call)| *call).collect();
    let samples: Vec<f64> = times.samples.iter().map(|(_, call)| *call).collect();
    if samples.len() < SHORTEST || before.len() + samples.len() < 2 * SHORTEST {
        return None;
    }
    let (before, samples) = (together(&before), together(&samples));
    let (begin, middle) = (before.len(), before.len() + samples.len() / 2);
    // Fewer readings are no level, and none is apart from others by itself.
    let mut of_warmup = if begin < SHORTEST { Vec::new() } else { levels(&before)? };
    while times.garbage && is_calibration(&of_warmup) {
        of_warmup.pop();
    }
    Some(named(&joined(of_warmup, levels(&samples)?, begin, times.garbage), begin, middle))
}

/// Medians of as many consecutive values as make at most [`MOST`].
fn together(values: &[f64]) -> Vec<f64> {
    let each = values.len().div_ceil(MOST).max(1);
    values.chunks(each).filter_map(|chunk| stats::median(&Sorted::new(chunk).ok()?)).collect()
}

/// Whether the last level is that of batches between collections, whose caches are cold.
fn is_calibration(levels: &[Level]) -> bool {
    let [.., before, last] = levels else { return false };
    let ratio = last.time / before.time;
    last.end - last.first < CALIBRATION && ratio > 1.0 && ratio < GARBAGE
}

/// The levels of both phases in time order; the last of the warm-up and the first of the samples are one where they are
/// the same as far as can be told.
fn joined(warmup: Vec<Level>, samples: Vec<Level>, begin: usize, garbage: bool) -> Vec<Level> {
    let mut all = warmup;
    let moved = |it: Level| Level { first: it.first + begin, end: it.end + begin, ..it };
    let mut later: Vec<Level> = samples.into_iter().map(moved).collect();
    if let (Some(last), Some(next)) = (all.last().copied(), later.first_mut()) {
        let ratio = next.time / last.time;
        let alike = garbage && ratio < GARBAGE && ratio > 1.0 / GARBAGE;
        if alike || !last.is_apart(next) {
            let scaled =
                |it: &Level| Level { time: it.time * ratio, spread: it.spread * ratio, ..*it };
            all = all.iter().map(scaled).collect();
            all.pop();
            next.first = last.first;
        }
    }
    all.append(&mut later);
    all
}

/// The levels of values in time order, neighbours apart.
fn levels(values: &[f64]) -> Option<Vec<Level>> {
    if values.is_empty() {
        return Some(Vec::new());
    }
    let mut changes = Vec::new();
    add_changes(values, 0, &mut changes);
    let firsts = std::iter::once(0).chain(changes.iter().copied());
    let ends = changes.iter().copied().chain([values.len()]);
    let most = WIDEST * usual_spread(values, firsts.clone().zip(ends.clone()))?;
    let levels: Option<Vec<Level>> =
        firsts.zip(ends).map(|(first, end)| Level::new(values, first, end, most)).collect();
    let mut levels = levels?;
    // The two nearest first, because what is left is then compared with the level as a whole.
    loop {
        let ratio = |at: &usize| (levels[*at].time / levels[at + 1].time).ln().abs();
        let near = (0..levels.len() - 1).filter(|at| !levels[*at].is_apart(&levels[at + 1]));
        let Some(at) = near.min_by(|a, b| ratio(a).total_cmp(&ratio(b))) else { break };
        levels[at] = Level::new(values, levels[at].first, levels[at + 1].end, most)?;
        levels.remove(at + 1);
    }
    Some(levels)
}

/// How far the middle one of all values is off the median of its own stretch, as a share of that.
fn usual_spread(values: &[f64], stretches: impl Iterator<Item = (usize, usize)>) -> Option<f64> {
    let mut off = Vec::with_capacity(values.len());
    for (first, end) in stretches {
        let stretch = &values[first..end];
        let median = stats::median(&Sorted::new(stretch).ok()?)?;
        off.extend(stretch.iter().map(|value| (value / median - 1.0).abs()));
    }
    stats::median(&Sorted::from_vec(off).ok()?)
}

/// Adds where a stretch of values, that begins at `first`, changes level. Among all ranks a high level hides how far
/// apart others are, so each level is looked at again by its own.
fn add_changes(values: &[f64], first: usize, changes: &mut Vec<usize>) {
    let found = stats::level_changes(values, SHORTEST);
    let mut from = 0;
    for &end in found.iter().chain([&values.len()]).filter(|_| !found.is_empty()) {
        add_changes(&values[from..end], first + from, changes);
        if end < values.len() {
            changes.push(first + end);
        }
        from = end;
    }
}

fn named(levels: &[Level], begin: usize, middle: usize) -> Course {
    let [others @ .., last] = levels else { return Course::Flat };
    if others.is_empty() {
        return Course::Flat;
    }
    if levels.windows(2).all(|pair| pair[1].time > pair[0].time) {
        return Course::Slowing;
    }
    let ways: Vec<bool> = levels.windows(2).map(|pair| pair[1].time > pair[0].time).collect();
    let turns_back = ways.windows(2).any(|pair| pair[0] != pair[1]);
    if last.first > middle || (turns_back && last.first > begin) {
        return Course::Unsteady;
    }
    match others.iter().any(|other| last.is_above(other)) {
        true => Course::Slowing,
        false => Course::Warming,
    }
}

/// The courses of a case's processes; absent where none has enough samples.
#[allow(clippy::cast_precision_loss)] // counts of calls
pub(super) fn courses(subject: &Subject<'_>, data: &Dataset) -> Option<Courses> {
    let [wall] = subject.columns([metrics::WALL])?;
    let warmups = subject.group.tally(data).map_or(&[][..], |tally| &tally.warmups);
    let reading = |(row, call): (&u32, &f64)| {
        let place = data.rows.place(*row as usize)?;
        let calls = data.rows.iterations(*row as usize)?;
        Some((place.block, (calls as f64, *call)))
    };
    let samples: Vec<(u32, (f64, f64))> =
        wall.rows.iter().zip(&wall.values).filter_map(reading).collect();
    let garbage = subject.columns([metrics::REWARM]).is_some();
    let mut by_block: Vec<&WarmupBatch> = warmups.iter().collect();
    by_block.sort_by_key(|batch| batch.block);
    let mut courses = Courses::default();
    for process in samples.chunk_by(|a, b| a.0 == b.0) {
        let block = process[0].0;
        let first = by_block.partition_point(|batch| batch.block < block);
        let of_block = by_block[first..].iter().take_while(|batch| batch.block == block);
        let batch = |batch: &&WarmupBatch| (batch.calls.get() as f64, batch.per_call());
        let times = Times {
            warmup: of_block.map(batch).collect(),
            samples: process.iter().map(|(_, reading)| *reading).collect(),
            garbage,
        };
        if let Some(course) = course(&times) {
            courses.processes[course as usize] += 1;
        }
    }
    (courses.all() > 0).then_some(courses)
}

#[cfg(test)]
mod tests;
