//! The upper tail of the chi-square distribution, with any positive degrees of freedom.

/// P(X > `x`), the regularised upper incomplete gamma function Q(`df`/2, `x`/2), in [0, 1]; 1 for
/// `x` ≤ 0, NaN if `x` is NaN or `df` is not above 0. By statrs; relative error below 1e-12 (against
/// `scipy.stats.chi2`, `df` to 900), until it underflows.
#[must_use]
pub fn chi_square_sf(x: f64, df: f64) -> f64 {
    if x.is_nan() || df.is_nan() || df <= 0.0 {
        f64::NAN
    } else if x <= 0.0 {
        1.0
    } else if x.is_infinite() {
        0.0
    } else {
        statrs::function::gamma::gamma_ur(df / 2.0, x / 2.0)
    }
}
