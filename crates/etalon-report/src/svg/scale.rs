//! Where values stand in a picture, and the ticks below it.

use etalon_core::plots::Axis;

use super::{WIDTH, extent};
use crate::number::{fixed, separated};

/// Room at both ends, for labels of ticks.
const INSET: f64 = 16.0;
/// Powers of ten are labelled alone from so many on.
const POWERS: i32 = 2;
/// Ticks of an even scale, where there is room. Because: from two a reader cannot read a third value.
const FEWEST: usize = 3;

/// A range of values over the width of a picture, or over another stretch of it.
pub(super) struct Scale {
    low: f64,
    high: f64,
    is_log: bool,
    unit: String,
    /// Where the ends stand.
    from: f64,
    to: f64,
    /// At most so many ticks.
    most: f64,
    /// Values below this one have no tick.
    least: f64,
}

impl Scale {
    /// The scale over all values; absent where they have no finite extent.
    pub(super) fn over(values: impl Iterator<Item = f64>, unit: &str) -> Option<Scale> {
        let (low, high) = extent(values);
        Scale::on(Axis::suiting(low, high), low, high, unit)
    }

    /// The scale from one value to another on an axis; absent where they have no finite extent.
    pub(super) fn on(axis: Axis, low: f64, high: f64, unit: &str) -> Option<Scale> {
        let extent = high - low;
        if !extent.is_finite() || extent < 0.0 {
            return None;
        }
        let is_log = axis == Axis::Logarithmic && 0.0 < low && low < high;
        let (low, high) = match () {
            () if is_log => (low, high),
            () if extent > 0.0 => (low - extent * 0.02, high + extent * 0.02),
            () if low == 0.0 => (-1.0, 1.0),
            () => (low.min(0.0), high.max(0.0)),
        };
        let (from, to) = (INSET, WIDTH - INSET);
        Some(Scale {
            low,
            high,
            is_log,
            unit: unit.to_owned(),
            from,
            to,
            most: 5.0,
            least: f64::NEG_INFINITY,
        })
    }

    /// The scale over another stretch of the picture.
    pub(super) fn between(self, from: f64, to: f64) -> Scale {
        Scale { from, to, ..self }
    }

    /// The scale with fewer ticks.
    pub(super) fn with_few_ticks(self) -> Scale {
        Scale { most: 3.0, ..self }
    }

    /// The scale without ticks below a value.
    pub(super) fn with_ticks_from(self, least: f64) -> Scale {
        Scale { least, ..self }
    }

    /// Where a value stands; at an end if it is beyond it.
    pub(super) fn at(&self, value: f64) -> f64 {
        let share = match self.is_log {
            true => (value.ln() - self.low.ln()) / (self.high.ln() - self.low.ln()),
            false => (value - self.low) / (self.high - self.low),
        };
        self.from + share.clamp(0.0, 1.0) * (self.to - self.from)
    }

    /// Places of ticks, each with its label.
    pub(super) fn ticks(&self) -> Vec<(f64, String)> {
        // Of a short stretch of logarithms, too, even steps say more than one or two round factors.
        let factors = self.is_log.then(|| self.powers()).filter(|it| it.len() >= FEWEST);
        let values = factors.unwrap_or_else(|| self.steps());
        let label = |(value, decimals): (f64, usize)| {
            let whole = |text: String| if decimals == 0 { separated(&text) } else { text };
            let number =
                long_power(value, decimals).unwrap_or_else(|| whole(fixed(value, decimals)));
            (self.at(value), format!("{number} {}", self.unit).trim_end().to_owned())
        };
        values.into_iter().filter(|(value, _)| *value >= self.least).map(label).collect()
    }

    /// Multiples of 1, 2 or 5 times a power of ten, at most six; seven where the next wider step had one or two, which
    /// say too little of a scale.
    #[allow(clippy::cast_precision_loss, reason = "few")]
    fn steps(&self) -> Vec<(f64, usize)> {
        let least = (self.high - self.low) / self.most;
        let ten = 10_f64.powf(least.log10().floor());
        let steps = [0.5, 1.0, 2.0, 5.0, 10.0].map(|it| it * ten);
        let wide = steps[1..].iter().position(|it| *it >= least).map_or(4, |at| at + 1);
        let few = self.multiples(steps[wide]);
        if few.len() >= FEWEST {
            return few;
        }
        let more = self.multiples(steps[wide - 1]);
        if more.len() as f64 <= self.most + 2.0 { more } else { few }
    }

    /// The multiples of a step on the scale, with the decimals that it takes.
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "few and small")]
    fn multiples(&self, step: f64) -> Vec<(f64, usize)> {
        let decimals = (-step.log10().floor()).clamp(0.0, 12.0) as usize;
        let first = (self.low / step).ceil();
        let values = (0..9).map(|at| (first + f64::from(at)) * step);
        values.filter(|it| *it <= self.high).map(|it| (it, decimals)).collect()
    }

    /// Powers of ten, of which every so many are labelled that labels have room; of few also twice and five times them.
    #[allow(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "exponents of doubles"
    )]
    fn powers(&self) -> Vec<(f64, usize)> {
        let (first, last) = (self.low.log10().ceil() as i32, self.high.log10().floor() as i32);
        let decimals = |power: i32| (-power).clamp(0, 12) as usize;
        if last - first < POWERS {
            let of =
                |power: i32| [1.0, 2.0, 5.0].map(|it| (it * 10_f64.powi(power), decimals(power)));
            let all = (first - 1..=last).flat_map(of);
            return all.filter(|(it, _)| (self.low..=self.high).contains(it)).collect();
        }
        let every = ((last - first) / 6).max(0) as usize + 1;
        (first..=last).step_by(every).map(|power| (10_f64.powi(power), decimals(power))).collect()
    }
}

/// A power of ten that takes many digits, as `10⁻⁴`: there is no room for more beside a plot.
#[allow(clippy::cast_possible_truncation, reason = "exponents of doubles")]
fn long_power(value: f64, decimals: usize) -> Option<String> {
    let power = value.log10().round();
    let is_long = (4..12).contains(&decimals) || value >= 1e6;
    let is_it = is_long && value > 0.0 && (value / 10_f64.powf(power) - 1.0).abs() < 1e-9;
    let raised = |digit: char| match digit {
        '-' => '⁻',
        digit => ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'][digit as usize - '0' as usize],
    };
    is_it.then(|| {
        format!("10{}", (power as i32).to_string().chars().map(raised).collect::<String>())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(values: &[f64]) -> Vec<String> {
        let scale = Scale::over(values.iter().copied(), "ms").unwrap();
        scale.ticks().into_iter().map(|(_, label)| label).collect()
    }

    #[test]
    fn ticks_are_round() {
        assert_eq!(labels(&[1.0, 2.0]), ["1.0 ms", "1.5 ms", "2.0 ms"]);
        let seven = ["6 ms", "8 ms", "10 ms", "12 ms", "14 ms", "16 ms", "18 ms"];
        assert_eq!(labels(&[5.6, 18.5]), seven);
        assert_eq!(labels(&[0.5, 2000.0]), ["1 ms", "10 ms", "100 ms", "1,000 ms"]);
        assert_eq!(labels(&[1e-5, 2e-2]), ["10⁻⁵ ms", "10⁻⁴ ms", "0.001 ms", "0.01 ms"]);
        assert!(!labels(&[7.0]).is_empty() && !labels(&[0.0]).is_empty());
    }

    #[test]
    fn nothing_is_drawn_outside() {
        for values in [[1.0, 2.0], [0.0, 0.0], [-3.0, 5.0], [1e-300, 1e300], [5e-324, 5e-324]] {
            let scale = Scale::over(values.into_iter(), "").unwrap();
            for value in values.into_iter().chain(scale.ticks().iter().map(|_| f64::MAX)) {
                assert!((0.0..=WIDTH).contains(&scale.at(value)), "{values:?}");
            }
            assert!(scale.ticks().len() <= 8, "{values:?}");
        }
        assert!(Scale::over([f64::INFINITY].into_iter(), "").is_none());
        assert!(Scale::over(std::iter::empty(), "").is_none());
    }
}
