//! How the runs of two sides lie in time.
//!
//! Owns stretches: maximal series of runs of one side with none of the other between them. What the machine did
//! meanwhile is in all runs of a stretch, so that a stretch counts, and not its runs. Where nobody knows the order,
//! each side is one stretch. Refuses to know what the runs measured.

use crate::sample::{Clock, Moment};
use crate::stats::{self, ENOUGH_RUNS, InTime, RunsOfSide};

/// The stretches of a base and a candidate.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Stretches {
    /// The number of each run's stretch among those of its side.
    of: [Vec<usize>; 2],
    /// Seconds between neighbouring stretches, the longest; absent where not all runs say when they began.
    pub(super) apart: Option<f64>,
    /// The middle of the two sides, in seconds since 1970; absent as above.
    pub(super) middle: Option<f64>,
}

/// A run of a side.
#[derive(Clone, Copy)]
struct Run {
    at: f64,
    side: usize,
    /// Its place among those of its side.
    place: usize,
}

impl Stretches {
    /// The stretches of runs that began at these times.
    pub(super) fn from_moments(began: [&[Option<Moment>]; 2]) -> Stretches {
        let Some((clock, mut runs)) = on_one_clock(began) else {
            return Stretches::unordered(began);
        };
        runs.sort_by(|a, b| a.at.total_cmp(&b.at).then(a.side.cmp(&b.side)));
        let mut stretches = Stretches::unordered(began);
        let series = stretches.count(&runs);
        if clock == Clock::Calendar {
            let means: Vec<f64> = series.iter().map(|stretch| mean_start(stretch)).collect();
            let gaps = means.windows(2).map(|of| (of[1] - of[0]).abs());
            stretches.apart = gaps.max_by(f64::total_cmp);
            let of_side = |side: usize| {
                let all: Vec<Run> = runs.iter().filter(|run| run.side == side).copied().collect();
                mean_start(&all)
            };
            stretches.middle = Some(f64::midpoint(of_side(0), of_side(1)));
        }
        stretches
    }

    /// Numbers the stretches of runs in time order; their runs. Runs of both sides that began at one moment are of one
    /// run of the experiment, in which nobody knows the order: they stand side by side, each a stretch, which a
    /// neighbour of its side may belong to.
    fn count(&mut self, runs: &[Run]) -> Vec<Vec<Run>> {
        let mut series: Vec<Vec<Run>> = Vec::new();
        // Of each side the stretch that its next run would belong to.
        let mut open: [Option<usize>; 2] = [None; 2];
        let mut count = [0; 2];
        for moment in runs.chunk_by(|a, b| a.at.total_cmp(&b.at).is_eq()) {
            let is_of = |side: usize| moment.iter().any(|run| run.side == side);
            let are_side_by_side = is_of(0) && is_of(1);
            if are_side_by_side && open.iter().all(Option::is_some) {
                open = [None; 2];
            }
            for side in [0, 1].into_iter().filter(|side| is_of(*side)) {
                let at = *open[side].get_or_insert_with(|| {
                    series.push(Vec::new());
                    count[side] += 1;
                    series.len() - 1
                });
                for run in moment.iter().filter(|run| run.side == side) {
                    series[at].push(*run);
                    self.of[side][run.place] = count[side] - 1;
                }
                if !are_side_by_side {
                    open[1 - side] = None;
                }
            }
        }
        series
    }

    fn unordered(began: [&[Option<Moment>]; 2]) -> Stretches {
        Stretches { of: began.map(|side| vec![0; side.len()]), apart: None, middle: None }
    }

    /// How many each side has.
    pub(super) fn counts(&self) -> [usize; 2] {
        [0, 1].map(|side: usize| self.of[side].iter().max().map_or(0, |last| last + 1))
    }

    /// Whether there are enough of both for them to say by themselves how much they scatter.
    pub(super) fn alternate(&self) -> bool {
        self.counts().iter().all(|count| *count >= ENOUGH_RUNS)
    }

    /// The order, for the comparison.
    pub(super) fn in_time(&self) -> InTime {
        match self.alternate() {
            true => InTime::Alternating,
            false => InTime::InSequence(self.counts()),
        }
    }

    /// The compared values of a side: where stretches alternate, of each the mean of its runs; else the runs.
    pub(super) fn values(&self, side: usize, runs: RunsOfSide) -> RunsOfSide {
        let counts = self.counts();
        if !self.alternate() || counts[side] == runs.centres.len() {
            return runs;
        }
        let mean_of = |values: &[f64], stretch: usize| {
            let own = values.iter().zip(&self.of[side]).filter(|(_, of)| **of == stretch);
            stats::mean(&own.map(|(value, _)| *value).collect::<Vec<f64>>())
        };
        let means = |values: &[f64]| {
            (0..counts[side]).filter_map(|stretch| mean_of(values, stretch)).collect()
        };
        RunsOfSide {
            centres: means(&runs.centres),
            spreads: means(&runs.spreads),
            waited: means(&runs.waited),
        }
    }
}

/// All runs with their clock, where that is one.
fn on_one_clock(began: [&[Option<Moment>]; 2]) -> Option<(Clock, Vec<Run>)> {
    let clock = began[0].first().copied()??.clock;
    let mut runs = Vec::new();
    for (side, began) in began.into_iter().enumerate() {
        for (place, moment) in began.iter().enumerate() {
            let Moment { at, .. } = (*moment)?;
            runs.push(Run { at, side, place });
            if moment.is_none_or(|moment| moment.clock != clock) {
                return None;
            }
        }
    }
    Some((clock, runs))
}

fn mean_start(runs: &[Run]) -> f64 {
    stats::mean(&runs.iter().map(|run| run.at).collect::<Vec<f64>>()).unwrap_or(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The stretches of sides whose runs follow one another as these letters do.
    fn stretches(order: &str) -> Stretches {
        let at = |side: char| -> Vec<Option<Moment>> {
            let places = order.chars().zip(0_u32..).filter(|(of, _)| *of == side);
            let moment = |at: u32| Moment { clock: Clock::Calendar, at: f64::from(at) };
            places.map(|(_, at)| Some(moment(at))).collect()
        };
        Stretches::from_moments([&at('A'), &at('B')])
    }

    /// Mean ranks of all of these but the last differ by no more than half the runs of a side.
    #[test]
    fn stretches_count_and_not_runs() {
        let expected = [
            ("ABABAB", [3, 3], true),
            ("ABBAABBAABBA", [4, 3], true),
            ("BAABABBAAB", [3, 4], true),
            ("ABBAAB", [2, 2], false),
            ("AABBAABB", [2, 2], false),
            ("AABBBBAA", [2, 1], false),
            ("AAABBBAAA", [2, 1], false),
            ("AAABBB", [1, 1], false),
        ];
        for (order, counts, alternate) in expected {
            let stretches = stretches(order);
            assert_eq!((stretches.counts(), stretches.alternate()), (counts, alternate), "{order}");
        }
    }

    #[test]
    fn sides_lie_as_far_apart_as_neighbouring_stretches() {
        for (order, apart) in [("AB", 1.0), ("AAABBB", 3.0), ("AABBBBAA", 3.0), ("ABABAB", 1.0)] {
            assert_eq!(stretches(order).apart, Some(apart), "{order}");
        }
    }

    /// Sides that are in each of several runs stand side by side there; runs of both that began at one moment only are
    /// in no order, nor are those that began at an unknown one.
    #[test]
    fn an_unknown_order_is_one_stretch_a_side() {
        let moment = |at: u32| Some(Moment { clock: Clock::Calendar, at: f64::from(at) });
        let both: Vec<Option<Moment>> = (0..3).map(moment).collect();
        assert_eq!(Stretches::from_moments([&both, &both]).counts(), [3, 3]);
        let at_once = vec![moment(7); 3];
        assert_eq!(Stretches::from_moments([&at_once, &at_once]).counts(), [1, 1]);
        assert_eq!(Stretches::from_moments([&at_once, &at_once]).apart, Some(0.0));
        // One side alone before and behind what both are in: its runs may be neighbours.
        let alone: Vec<Option<Moment>> = [0, 1, 2].map(moment).to_vec();
        assert_eq!(Stretches::from_moments([&alone, &[moment(1)]]).counts(), [1, 1]);
        let later: Vec<Option<Moment>> = [moment(5), None, moment(6)].to_vec();
        let unknown = Stretches::from_moments([&both, &later]);
        assert_eq!((unknown.counts(), unknown.apart), ([1, 1], None));
    }

    #[test]
    fn a_stretch_has_the_mean_of_its_runs() {
        let centres = vec![1.0, 2.0, 3.0, 4.0];
        let runs = RunsOfSide { centres, spreads: vec![1.0; 4], waited: Vec::new() };
        // A, A A, A between one B and another.
        let means = stretches("ABAABAB").values(0, runs);
        assert_eq!(means.centres, [1.0, 2.5, 4.0]);
        assert_eq!((means.spreads.len(), means.waited.len()), (3, 0));
    }
}
