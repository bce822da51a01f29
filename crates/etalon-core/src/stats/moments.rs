//! Means and standard deviation, safe from overflow, underflow and cancellation.
//!
//! All inputs must be finite: these take the caller's slice in its own order and pass NaN on.

/// The arithmetic mean, unit of the values. `None` if empty. O(n), compensated summation.
#[must_use]
pub fn mean(values: &[f64]) -> Option<f64> {
    let exponent = common_exponent(values)?;
    Some(libm::scalbn(scaled_mean(values, exponent), exponent))
}

/// The sample standard deviation √(Σ(x − x̄)²/(n − 1)), unit of the values, ≥ 0. `None` for fewer
/// than two values. O(n), two passes with the correction term for the rounding of the mean.
///
/// Chan, Golub & LeVeque, "Algorithms for Computing the Sample Variance", The American
/// Statistician 37 (1983).
#[must_use]
pub fn stddev(values: &[f64]) -> Option<f64> {
    mean_and_stddev(values)?.1
}

/// Both of the same values: the second needs the first. O(n).
#[must_use]
pub(crate) fn mean_and_stddev(values: &[f64]) -> Option<(f64, Option<f64>)> {
    let exponent = common_exponent(values)?;
    let mean = scaled_mean(values, exponent);
    let stddev = (values.len() > 1).then(|| scaled_stddev(values, exponent, mean));
    let unscaled = |scaled| libm::scalbn(scaled, exponent);
    Some((unscaled(mean), stddev.map(unscaled)))
}

/// The geometric mean exp(mean(ln x)), unit of the values. `None` if empty or if a value is ≤ 0.
/// O(n).
#[must_use]
pub fn geometric_mean(values: &[f64]) -> Option<f64> {
    if values.is_empty() || values.iter().any(|&v| v <= 0.0) {
        return None;
    }
    let logs = sum(values.iter().map(|v| v.ln()));
    Some((logs / values.len() as f64).exp())
}

/// The binary exponent that brings the largest magnitude below 1; scaling by it is exact for every
/// value large enough to matter. `None` if empty.
pub(super) fn common_exponent(values: &[f64]) -> Option<i32> {
    let largest = values.iter().map(|v| v.abs()).reduce(f64::max)?;
    Some(libm::frexp(largest).1)
}

/// Multiplies by 2^−`exponent`. That power of two is a double, unless all values are below the normal ones;
/// multiplying by it rounds as scaling does, in a fraction of the time.
pub(super) fn scale(exponent: i32) -> impl Fn(f64) -> f64 {
    let power = libm::scalbn(1.0, -exponent);
    move |value| {
        if power.is_finite() { value * power } else { libm::scalbn(value, -exponent) }
    }
}

/// Second pass: the mean of the residuals, so that equal values have exactly that mean.
pub(super) fn scaled_mean(values: &[f64], exponent: i32) -> f64 {
    let n = values.len() as f64;
    let scale = &scale(exponent);
    let scaled = || values.iter().map(|&v| scale(v));
    let rough = sum(scaled()) / n;
    rough + sum(scaled().map(|v| v - rough)) / n
}

/// The sample standard deviation of at least two values with that mean, in units of 2^`exponent`.
pub(super) fn scaled_stddev(values: &[f64], exponent: i32, mean: f64) -> f64 {
    let scale = &scale(exponent);
    let deviations = || values.iter().map(|&v| scale(v) - mean);
    // Deviations far below the values get a scale of their own, or their squares underflow.
    let largest = deviations().fold(0.0, |a: f64, d| a.max(d.abs()));
    if largest == 0.0 {
        return 0.0;
    }
    let n = values.len() as f64;
    let left_over = sum(deviations().map(|d| d / largest));
    let squares = sum(deviations().map(|d| (d / largest) * (d / largest)));
    let variance = (squares - left_over * left_over / n).max(0.0) / (n - 1.0);
    variance.sqrt() * largest
}

/// Neumaier's compensated sum: the error does not grow with the number of terms.
///
/// Neumaier, ZAMM 54 (1974).
pub(super) fn sum(terms: impl Iterator<Item = f64>) -> f64 {
    let (mut sum, mut lost) = (0.0_f64, 0.0);
    for term in terms {
        let next = sum + term;
        lost += if sum.abs() >= term.abs() { (sum - next) + term } else { (term - next) + sum };
        sum = next;
    }
    sum + lost
}
