//! Axes around a plot of two dimensions.

use super::{FIGURE, Scale, WIDTH};
use crate::markup::escaped;
use crate::text::width;

/// Left of a plot: labels of its heights.
pub(super) const LEFT: f64 = 62.0;
/// Right of it.
pub(super) const RIGHT: f64 = WIDTH - 8.0;

/// A plot between two heights; the scales know where they stand.
pub(super) struct Panel<'a> {
    pub(super) x: &'a Scale,
    pub(super) y: &'a Scale,
    pub(super) top: f64,
    pub(super) bottom: f64,
    /// The title of the horizontal axis.
    pub(super) across: &'a str,
}

impl Panel<'_> {
    /// Rules and labels along the heights alone.
    pub(super) fn heights(&self) -> String {
        let mut drawn = String::new();
        for (at, label) in self.y.ticks() {
            drawn.push_str(&format!(
                "<line class=\"rule\" x1=\"{LEFT}\" x2=\"{RIGHT}\" y1=\"{at:.1}\" y2=\"{at:.1}\"/>\
                 <text class=\"quiet end\" x=\"{}\" y=\"{:.1}\">{}</text>\n",
                LEFT - 6.0,
                at + 4.0,
                escaped(&label)
            ));
        }
        drawn
    }

    /// Rules and labels of both directions.
    #[allow(clippy::cast_precision_loss)] // columns of a label
    pub(super) fn axes(&self) -> String {
        let Panel { x, top, bottom, across, .. } = self;
        let mut drawn = self.heights();
        for (at, label) in x.ticks() {
            // A long label of the last tick would be cut off at the edge.
            let (place, anchor) = match at + FIGURE / 2.0 * width(&label) as f64 > WIDTH {
                true => (WIDTH, "end"),
                false => (at, "middle"),
            };
            drawn.push_str(&format!(
                "<line class=\"rule\" x1=\"{at:.1}\" x2=\"{at:.1}\" y1=\"{top}\" y2=\"{bottom}\"/>\
                 <text class=\"quiet {anchor}\" x=\"{place:.1}\" y=\"{}\">{}</text>\n",
                bottom + 15.0,
                escaped(&label)
            ));
        }
        if !across.is_empty() {
            drawn.push_str(&format!(
                "<text class=\"quiet end\" x=\"{}\" y=\"{}\">{}</text>\n",
                LEFT - 14.0,
                bottom + 15.0,
                escaped(across)
            ));
        }
        drawn
    }

    /// Points as dots.
    pub(super) fn dots(&self, points: impl Iterator<Item = (f64, f64)>, class: &str) -> String {
        let dot = |(x, y): (f64, f64)| format!("M{:.1} {:.1}h0", self.x.at(x), self.y.at(y));
        format!("<path class=\"points {class}\" d=\"{}\"/>\n", points.map(dot).collect::<String>())
    }

    /// A line through points.
    pub(super) fn line(&self, points: impl Iterator<Item = (f64, f64)>, class: &str) -> String {
        let to = |(at, (x, y)): (usize, (f64, f64))| {
            let letter = if at == 0 { 'M' } else { 'L' };
            format!("{letter}{:.1} {:.1}", self.x.at(x), self.y.at(y))
        };
        format!(
            "<path class=\"{class}\" d=\"{}\"/>\n",
            points.enumerate().map(to).collect::<String>()
        )
    }

    /// All of a stretch of places, shaded as a warm-up.
    pub(super) fn stretch(&self, from: f64, to: f64) -> String {
        let (from, to) = (self.x.at(from), self.x.at(to));
        format!(
            "<rect class=\"warm\" x=\"{from:.1}\" width=\"{:.1}\" y=\"{}\" height=\"{}\"/>\n",
            to - from,
            self.top,
            self.bottom - self.top
        )
    }

    /// All of a stretch of heights, at least a pixel high.
    pub(super) fn band(&self, lo: f64, hi: f64) -> String {
        let (from, to) = (self.y.at(hi), self.y.at(lo));
        format!(
            "<rect class=\"band\" x=\"{LEFT}\" width=\"{:.1}\" y=\"{from:.1}\" height=\"{:.1}\"/>\n",
            RIGHT - LEFT,
            (to - from).max(1.0)
        )
    }

    /// A height that is referred to.
    pub(super) fn level(&self, at: f64, class: &str) -> String {
        let y = self.y.at(at);
        format!(
            "<line class=\"{class}\" x1=\"{LEFT}\" x2=\"{RIGHT}\" y1=\"{y:.1}\" y2=\"{y:.1}\"/>\n"
        )
    }
}
