//! The axis of the box plots: round values at evenly spaced columns, so that every label is exactly
//! the value at its tick.
//!
//! Labels are whole multiples of a decimal step and are written from whole numbers; nothing is
//! rounded for them. Values are placed at the nearest column.

/// An axis over some columns.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Axis {
    /// Columns from one tick to the next.
    pub(super) spacing: usize,
    /// The label of each tick; the first tick is at column 0.
    pub(super) labels: Vec<String>,
    low: f64,
    /// The value between two ticks.
    step: f64,
    /// The first tick's value in steps.
    first: f64,
}

/// Steps that read well: these tenths, times a power of ten.
const STEPS: [u8; 9] = [10, 15, 20, 25, 30, 40, 50, 60, 80];

impl Axis {
    /// The axis with the finest step that shows `low` to `high` (finite, in order) in `columns`.
    pub(super) fn over(low: f64, high: f64, columns: usize) -> Axis {
        let mut spacing = 10;
        loop {
            let axis = Axis::spaced(low, high, columns, spacing);
            // A gap of two columns keeps neighbouring labels apart.
            let widest = axis.labels.iter().map(String::len).max().unwrap_or(0);
            if widest + 2 <= spacing || spacing + 10 > columns {
                return axis;
            }
            spacing += 10;
        }
    }

    #[allow(clippy::cast_precision_loss)] // columns
    fn spaced(low: f64, high: f64, columns: usize, spacing: usize) -> Axis {
        let last = (columns - 1) as f64;
        // In halves, because the ends may lie further apart than the largest number.
        let wanted = (high / 2.0 - low / 2.0) / last * spacing as f64 * 2.0;
        let magnitude = low.abs().max(high.abs());
        // Equal values get an axis of their own size; steps below their last digits are no use.
        let finest = if low == high { magnitude / 10.0 } else { wanted.max(magnitude * 1e-14) };
        let finest = if finest > 0.0 { finest } else { 1.0 };
        let with = |step: Step| Axis {
            spacing,
            labels: Vec::new(),
            low,
            step: step.value,
            first: (low / step.value).floor(),
        };
        // Some step fits: they grow a thousandfold from what the range needs.
        let step = steps_from(finest).find(|step| with(*step).place(high) <= last);
        let step = step.unwrap_or(Step { tenths: 10, exponent: -1, value: 1.0 });
        let axis = with(step);
        Axis { labels: labels(axis.first, step, columns.div_ceil(spacing)), ..axis }
    }

    /// Where a value lies, in columns from the first tick.
    #[allow(clippy::cast_precision_loss)] // columns
    fn place(&self, value: f64) -> f64 {
        let beyond_low = (value / 2.0 - self.low / 2.0) / self.step * 2.0;
        ((beyond_low + (self.low / self.step - self.first)) * self.spacing as f64).round()
    }

    /// The column nearest to a value.
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // within the axis
    pub(super) fn column(&self, value: f64) -> usize {
        self.place(value).max(0.0) as usize
    }
}

/// A decimal step: `tenths`·10^`exponent`, and the double nearest to it.
#[derive(Debug, Clone, Copy)]
struct Step {
    tenths: u8,
    exponent: i32,
    value: f64,
}

/// Steps in ascending order, from the first that is not below `finest`; never none.
#[allow(clippy::cast_possible_truncation)] // exponents of doubles
fn steps_from(finest: f64) -> impl Iterator<Item = Step> {
    let exponent = (finest.log10().floor() as i32).saturating_sub(1);
    let all = (exponent..exponent + 4).flat_map(|e| STEPS.map(|tenths| (tenths, e)));
    all.filter_map(move |(tenths, e)| {
        let value: f64 = format!("{tenths}e{}", e - 1).parse().ok()?;
        let usable = value.is_finite() && value >= finest;
        usable.then_some(Step { tenths, exponent: e - 1, value })
    })
}

/// The labels of the ticks from `first` steps on.
#[allow(clippy::cast_possible_truncation)] // at most 1e15 steps
fn labels(first: f64, step: Step, ticks: usize) -> Vec<String> {
    let first = first as i128;
    let values: Vec<i128> =
        (0..ticks).map(|tick| (first + tick as i128) * i128::from(step.tenths)).collect();
    let plain = plain(&values, step.exponent);
    let scientific: Vec<String> = values.iter().map(|v| scientific(*v, step.exponent)).collect();
    let widest = |labels: &[String]| labels.iter().map(String::len).max().unwrap_or(0);
    // Nine digits read well; beyond, whatever is shorter.
    match plain {
        Some(plain) if widest(&plain) <= 9.max(widest(&scientific)) => plain,
        _ => scientific,
    }
}

/// Whole numbers times a power of ten with as many decimals as some label needs; nothing if that
/// is absurdly long.
fn plain(values: &[i128], exponent: i32) -> Option<Vec<String>> {
    let zeros = usize::try_from(exponent.unsigned_abs()).ok().filter(|zeros| *zeros < 30)?;
    if exponent >= 0 {
        let zeros = "0".repeat(zeros);
        let label = |v: &i128| if *v == 0 { "0".to_owned() } else { format!("{v}{zeros}") };
        return Some(values.iter().map(label).collect());
    }
    let all_divisible = |by: i128| values.iter().all(|v| v % by == 0);
    let mut decimals = zeros;
    let mut spare = 1;
    while decimals > 0 && all_divisible(spare * 10) {
        spare *= 10;
        decimals -= 1;
    }
    let label = |v: &i128| {
        let digits = format!("{:0>width$}", (v / spare).unsigned_abs(), width = decimals + 1);
        let (whole, rest) = digits.split_at(digits.len() - decimals);
        let sign = if *v < 0 { "-" } else { "" };
        if rest.is_empty() { format!("{sign}{whole}") } else { format!("{sign}{whole}.{rest}") }
    };
    Some(values.iter().map(label).collect())
}

/// A whole number times a power of ten as `2.5e-7`.
fn scientific(value: i128, exponent: i32) -> String {
    if value == 0 {
        return "0".to_owned();
    }
    let digits = value.unsigned_abs().to_string();
    let power = i64::from(exponent) + digits.len() as i64 - 1;
    let digits = digits.trim_end_matches('0');
    let (whole, rest) = digits.split_at(1);
    let point = if rest.is_empty() { "" } else { "." };
    let sign = if value < 0 { "-" } else { "" };
    format!("{sign}{whole}{point}{rest}e{power}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use etalon_core::random::Random;

    /// The fault this is here for: labels cut to a digit, so that none is the value at its tick.
    fn check(low: f64, high: f64, columns: usize) {
        let axis = Axis::over(low, high, columns);
        for (tick, label) in axis.labels.iter().enumerate() {
            let value: f64 = label.parse().unwrap();
            if value.is_finite() && value.abs() < f64::MAX / 4.0 {
                let place = axis.place(value);
                assert_eq!(place, (tick * axis.spacing) as f64, "{low} {high} {axis:?}");
            }
        }
        assert!(axis.place(low) >= 0.0 && axis.place(high) <= (columns - 1) as f64, "{axis:?}");
        assert!(axis.place(low) <= axis.spacing as f64, "{low} {high} {axis:?}");
        let lengths = axis.labels.iter().map(String::len).max().unwrap();
        assert!(lengths < axis.spacing, "{low} {high} {axis:?}");
    }

    #[test]
    fn labels_are_exactly_the_values_at_their_ticks() {
        let random = Random::new(5);
        for i in 0..4000 {
            let mut random = random.stream(i);
            let low = (random.uniform() - 0.3) * 10_f64.powf(random.uniform() * 12.0 - 6.0);
            let high = low + random.uniform() * 10_f64.powf(random.uniform() * 12.0 - 6.0);
            check(low, high, 60 + usize::try_from(i % 60).unwrap());
        }
    }

    #[test]
    fn awkward_ranges() {
        for (low, high) in [
            (0.0, 0.0),
            (34.1, 34.1),
            (-5.0, -5.0),
            (1e-9, 1e9),
            (0.0, f64::MAX),
            (-f64::MAX, f64::MAX),
            (1e300, 1e300),
            (5e-324, 5e-324),
            (1e6, 1e6 + 1e-9),
            (0.1, 0.100_000_000_000_000_02),
            (-1e-300, 1e-300),
        ] {
            for columns in [60, 77, 117, 497] {
                check(low, high, columns);
            }
        }
    }

    #[test]
    fn half_the_columns_are_used_at_least() {
        for i in 1..500 {
            let (low, high) = (2.0, 2.0 + f64::from(i) * 0.013);
            let axis = Axis::over(low, high, 77);
            assert!(axis.place(high) - axis.place(low) >= 38.0, "{high} {axis:?}");
        }
    }

    #[test]
    fn labels_read_well() {
        assert_eq!(Axis::over(5.0, 43.0, 77).labels[..3], ["5", "10", "15"]);
        assert_eq!(Axis::over(2.0, 2.9, 77).labels[..3], ["1.95", "2.10", "2.25"]);
        assert_eq!(Axis::over(0.0, 1e12, 77).labels[1], "1.5e11");
    }
}
