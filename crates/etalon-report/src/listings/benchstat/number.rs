//! Numbers as benchstat prints them: with a prefix that a whole row shares, in percent, and as Go prints
//! a double that nobody formatted.

use etalon_core::estimate::Estimate;

/// Decimals and the prefix of a row's numbers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Scale {
    decimals: usize,
    factor: f64,
    prefix: &'static str,
}

impl Scale {
    pub(super) fn show(&self, value: f64) -> String {
        format!("{:.*}{}", self.decimals, value / self.factor, self.prefix)
    }

    /// The scale in which the smallest value that is not 0 has four digits, at least three.
    pub(super) fn fitting(values: impl IntoIterator<Item = f64>, unit: &str) -> Scale {
        let sizes = values.into_iter().map(f64::abs).filter(|size| *size != 0.0);
        let Some(smallest) = sizes.min_by(f64::total_cmp) else {
            return Scale { decimals: 3, factor: 1.0, prefix: "" };
        };
        let steps: &[Step] = if is_binary(unit) { &BINARY } else { &DECIMAL };
        for (prefix, factor, thresholds) in steps {
            if let Some(at) = thresholds.iter().position(|threshold| smallest >= *threshold) {
                return Scale { decimals: at + 1, factor: *factor, prefix };
            }
        }
        // Below the last prefix there are more decimals instead.
        let (prefix, factor, _) = steps[steps.len() - 1];
        let scaled = smallest / factor;
        let reached = |threshold: &f64| scaled >= *threshold;
        let more = SMALL.iter().position(reached).unwrap_or(SMALL.len() - 1);
        Scale { decimals: 3 + more, factor, prefix }
    }
}

/// A prefix, what it stands for, and from where on numbers have one, two and three decimals: where they
/// would be printed as 100.0, 10.00 and 1.000.
type Step = (&'static str, f64, [f64; 3]);

const DECIMAL: [Step; 8] = [
    ("T", 1e12, [99.995e12, 9.9995e12, 0.999_95e12]),
    ("G", 1e9, [99.995e9, 9.9995e9, 0.999_95e9]),
    ("M", 1e6, [99.995e6, 9.9995e6, 0.999_95e6]),
    ("k", 1e3, [99.995e3, 9.9995e3, 0.999_95e3]),
    ("", 1.0, [99.995, 9.9995, 0.999_95]),
    ("m", 1e-3, [99.995e-3, 9.9995e-3, 0.999_95e-3]),
    ("µ", 1e-6, [99.995e-6, 9.9995e-6, 0.999_95e-6]),
    ("n", 1e-9, [99.995e-9, 9.9995e-9, 0.999_95e-9]),
];

const KI: f64 = 1024.0;
const BINARY: [Step; 5] =
    [binary("Ti", 4), binary("Gi", 3), binary("Mi", 2), binary("Ki", 1), binary("", 0)];

const fn binary(prefix: &'static str, power: u32) -> Step {
    let mut factor = 1.0;
    let mut passed = 0;
    while passed < power {
        factor *= KI;
        passed += 1;
    }
    (prefix, factor, [99.995 * factor, 9.9995 * factor, 0.999_95 * factor])
}

/// From where on a scaled number has 3, 4, … decimals.
const SMALL: [f64; 8] =
    [9.9995e-1, 9.9995e-2, 9.9995e-3, 9.9995e-4, 9.9995e-5, 9.9995e-6, 9.9995e-7, 9.9995e-8];

/// Whether bytes are counted in the numerator.
fn is_binary(unit: &str) -> bool {
    let mut denominator = false;
    let mut token = String::new();
    for c in unit.chars().chain(['*']) {
        if matches!(c, '*' | '/' | '-') || c.is_whitespace() {
            if !denominator && matches!(token.as_str(), "B" | "MB" | "bytes") {
                return true;
            }
            token.clear();
            match c {
                '*' => denominator = false,
                '/' => denominator = true,
                _ => {}
            }
        } else {
            token.push(c);
        }
    }
    false
}

/// How far an interval reaches, in percent of its centre.
pub(super) fn reach(centre: &Estimate) -> String {
    let Ok(interval) = centre.interval else { return "∞".to_owned() };
    let sign = |x: f64| {
        if x == 0.0 {
            0
        } else if x < 0.0 {
            -1
        } else {
            1
        }
    };
    let value = centre.value;
    if sign(value) != sign(interval.lo) || sign(value) != sign(interval.hi) {
        return "?".to_owned();
    }
    if value == 0.0 {
        return "0%".to_owned();
    }
    format!("{:.0}%", 100.0 * (interval.hi / value - 1.0).max(1.0 - interval.lo / value))
}

/// A ratio's distance from 1, in percent with its sign.
pub(super) fn change(ratio: f64) -> String {
    format!("{:+.2}%", (ratio - 1.0) * 100.0)
}

/// A double with the digits it needs; with an exponent below 10⁻⁴ and from 10⁶ on.
pub(super) fn plain(value: f64) -> String {
    let size = value.abs();
    if value == 0.0 || (1e-4..1e6).contains(&size) {
        return format!("{value}");
    }
    let text = format!("{value:e}");
    let (digits, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let (sign, exponent) = match exponent.strip_prefix('-') {
        Some(exponent) => ('-', exponent),
        None => ('+', exponent),
    };
    format!("{digits}e{sign}{exponent:0>2}")
}
