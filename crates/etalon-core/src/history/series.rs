//! A series: points of one benchmark's unit on one branch and machine, each a ratio to an anchor.
//!
//! Owns how points under several anchors come on one scale. Refuses points whose anchors were never measured against
//! each other: they say nothing about each other.

use crate::model::{Context, Direction};

/// Of what a series is. Branches and machines are series of their own.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SeriesName {
    /// The project; absent where it is not known.
    pub project: Option<String>,
    /// The benchmark, as tables have it.
    pub benchmark: String,
    /// The unit, as tables have it, or the metric.
    pub unit: String,
    /// The branch; absent where it is not known.
    pub branch: Option<String>,
    /// The machine; absent where it is not known.
    pub machine: Option<String>,
}

/// Points of one name in the order of commits.
#[derive(Debug, Clone, PartialEq)]
pub struct Series {
    /// Of what.
    pub name: SeriesName,
    /// Which way it is better.
    pub direction: Direction,
    /// In first-parent order, one a commit and anchor.
    pub points: Vec<Point>,
    /// Anchors that were measured against each other.
    pub links: Vec<Link>,
    /// Facts of toolchain and libraries, each set once; points name them by number.
    pub facts: Vec<Context>,
}

/// A commit's measurement.
#[derive(Debug, Clone, PartialEq)]
pub struct Point {
    /// The logarithm of its ratio to the anchor in the same blocks; of the value itself where there is no anchor.
    pub value: f64,
    /// Half the width of its interval at 95 %; absent where it is not known.
    pub half_width: Option<f64>,
    /// The commit, in full; absent where it is not known.
    pub commit: Option<String>,
    /// When, in seconds since 1970.
    pub time: f64,
    /// The commit of the anchor; absent of an absolute value.
    pub anchor: Option<String>,
    /// The number of its facts in the series; absent where they are not known.
    pub facts: Option<usize>,
}

/// Two anchors that were measured against each other.
#[derive(Debug, Clone, PartialEq)]
pub struct Link {
    /// The one.
    pub from: String,
    /// The other.
    pub to: String,
    /// The logarithm of the ratio of `to` to `from`: what a point under `to` lacks to one under `from`.
    pub shift: f64,
    /// Half the width of its interval at 95 %.
    pub half_width: f64,
}

/// The points of a series that are on one scale: those behind the last new anchor that was linked to nothing.
#[derive(Debug, Clone, PartialEq)]
pub struct Scale {
    /// The index of the first of them.
    pub start: usize,
    /// From there on, on the scale of the first one's anchor.
    pub values: Vec<f64>,
    /// Where the anchor changes, with half the width of the link's interval at 95 %: indices from `start` on.
    pub links: Vec<(usize, f64)>,
}

impl Series {
    /// Its points on one scale.
    #[must_use]
    pub fn scale(&self) -> Scale {
        let mut joints = Vec::new();
        let mut start = 0;
        for (at, pair) in self.points.windows(2).enumerate().rev() {
            if pair[0].anchor == pair[1].anchor {
                continue;
            }
            match self.link(pair) {
                Some((shift, half_width)) => joints.push((at + 1, shift, half_width)),
                None => {
                    start = at + 1;
                    break;
                }
            }
        }
        let mut joints = joints.into_iter().rev().peekable();
        let (mut sum, mut links) = (0.0, Vec::new());
        let points = self.points.iter().enumerate().skip(start);
        let values = points.map(|(at, point)| {
            if let Some((_, shift, half_width)) = joints.next_if(|joint| joint.0 == at) {
                sum += shift;
                links.push((at - start, half_width));
            }
            point.value + sum
        });
        let values = values.collect();
        Scale { start, values, links }
    }

    /// The distance of a point from its neighbour's scale, with half the width of the interval.
    fn link(&self, pair: &[Point]) -> Option<(f64, f64)> {
        let (from, to) = pair[0].anchor.as_ref().zip(pair[1].anchor.as_ref())?;
        let forwards = self.links.iter().find(|link| link.from == *from && link.to == *to);
        let backwards = || self.links.iter().find(|link| link.from == *to && link.to == *from);
        let reversed = || backwards().map(|link| (-link.shift, link.half_width));
        forwards.map(|link| (link.shift, link.half_width)).or_else(reversed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn point(value: f64, anchor: Option<&str>) -> Point {
        let anchor = anchor.map(str::to_owned);
        Point { value, half_width: None, commit: None, time: 0.0, anchor, facts: None }
    }

    fn series(points: Vec<Point>, links: &[(&str, &str, f64)]) -> Series {
        let link = |&(from, to, shift): &(&str, &str, f64)| Link {
            from: from.to_owned(),
            to: to.to_owned(),
            shift,
            half_width: 0.01,
        };
        let name = SeriesName {
            project: None,
            benchmark: "Sum".to_owned(),
            unit: "sec/op".to_owned(),
            branch: None,
            machine: None,
        };
        let links = links.iter().map(link).collect();
        Series { name, direction: Direction::Lower, points, links, facts: Vec::new() }
    }

    /// Would catch a link that is taken the wrong way round, one that is applied once in place of from there on, and
    /// points that are joined though nobody has measured how.
    #[test]
    fn points_come_on_the_scale_of_the_first_anchor() {
        let points = || {
            let of = |value, anchor| point(value, Some(anchor));
            vec![of(0.0, "x"), of(0.5, "a"), of(0.4, "b"), of(0.4, "b"), of(0.5, "a"), of(0.2, "c")]
        };
        let linked = series(points(), &[("a", "b", 0.1), ("c", "a", -0.3)]).scale();
        assert_eq!(linked.start, 1);
        let expected = [0.5, 0.5, 0.5, 0.5, 0.5];
        assert!(linked.values.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-12));
        assert_eq!(linked.links, [(1, 0.01), (3, 0.01), (4, 0.01)]);
        let apart = series(points(), &[]).scale();
        assert_eq!((apart.start, apart.values.len()), (5, 1));
        let absolute = series(vec![point(1.0, None), point(2.0, None)], &[]).scale();
        assert_eq!((absolute.start, absolute.values, absolute.links), (0, vec![1.0, 2.0], vec![]));
        let mixed = series(vec![point(1.0, None), point(0.0, Some("a"))], &[("a", "a", 1.0)]);
        assert_eq!(mixed.scale().start, 1);
        assert!(series(Vec::new(), &[]).scale().values.is_empty());
    }
}
