//! The shape of a benchmark's readings of the ranked metric, and why they differ.

use etalon_core::analysis::{self, Analysis, Repetitions, ShapeFinding};
use etalon_core::stats::InsufficientData;
use etalon_core::variation;
use serde::Serialize;

/// The shape of the ranked metric; all `null` if all values are equal.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct Distribution<'a> {
    /// The ranked metric.
    metric: &'a str,
    /// The statistic of Anderson and Darling; `null` below 8 values.
    anderson_darling: Option<f64>,
    /// Its p.
    p: Option<f64>,
    /// Its skewness; `null` below 3 values.
    skewness: Option<f64>,
    /// Its excess kurtosis; `null` below 4 values.
    excess_kurtosis: Option<f64>,
}

impl<'a> Distribution<'a> {
    pub(super) fn new(of: &analysis::Distribution, analysis: &'a Analysis) -> Distribution<'a> {
        let normality = of.normality.as_ref().ok().map(|found| found.test);
        let value = |shape: &Result<ShapeFinding, InsufficientData>| {
            shape.as_ref().ok().map(|f| f.shape.value)
        };
        Distribution {
            metric: &analysis.settings.metric,
            anderson_darling: normality.map(|test| test.statistic),
            p: normality.map(|test| test.p),
            skewness: value(&of.skewness),
            excess_kurtosis: value(&of.kurtosis),
        }
    }
}

/// Causes of the ranked metric's scatter.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct Variation<'a> {
    /// The ranked metric.
    metric: &'a str,
    /// Readings that were looked at.
    readings: usize,
    /// Causes, the strongest first.
    causes: Vec<Cause>,
    /// How many samples of a case in a block pay; `null` where that is not known.
    repetitions: Option<RepetitionCosts>,
    /// Shares of the variance by level; empty with one level.
    levels: Vec<Level>,
}

/// A cause; its figures are `null` where it is of another kind.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Cause {
    /// Its kind; `together` is what benchmarks have in common.
    #[cfg_attr(test, schemars(extend("enum" = ["waiting", "faults", "switches", "together", "first", "step", "drift", "modes"])))]
    cause: &'static str,
    /// The share of the variance that it would remove.
    share: f64,
    /// Its p, corrected for all causes that were looked for.
    p: f64,
    /// `first`: that reading.
    value: Option<f64>,
    /// `first`: the median of the others.
    others: Option<f64>,
    /// `step`: readings before it.
    after: Option<usize>,
    /// `step`: their median.
    before: Option<f64>,
    /// `step`: the median of those behind.
    behind: Option<f64>,
    /// `drift`: from the first reading to the last.
    change: Option<f64>,
    /// `modes`: groups of readings.
    modes: Option<Vec<Mode>>,
}

/// A group of readings.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Mode {
    /// Its median.
    at: f64,
    /// Its share of the readings.
    share: f64,
}

/// The price of more samples in a block.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct RepetitionCosts {
    /// The best number of samples of a case in a block; `null` where more always pay.
    best: Option<f64>,
    /// Seconds that another block costs.
    block: f64,
    /// Seconds that another sample costs.
    sample: f64,
}

impl RepetitionCosts {
    fn new(of: &Repetitions) -> RepetitionCosts {
        RepetitionCosts { best: of.best, block: of.block, sample: of.sample }
    }
}

/// A share of the variance.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct Level {
    /// Its name, such as `block`.
    level: &'static str,
    /// Its share of all variance.
    share: f64,
    /// Whether its estimate is below 0.
    below_zero: bool,
}

impl<'a> Variation<'a> {
    pub(super) fn new(found: &analysis::Variation, analysis: &'a Analysis) -> Variation<'a> {
        Variation {
            metric: &analysis.settings.metric,
            readings: found.readings,
            causes: found.causes.iter().map(Cause::new).collect(),
            repetitions: found.repetitions.as_ref().map(RepetitionCosts::new),
            levels: found.levels.iter().map(Level::from).collect(),
        }
    }
}

impl From<&variation::LevelShare> for Level {
    fn from(of: &variation::LevelShare) -> Level {
        Level { level: of.level, share: of.share, below_zero: of.below_zero }
    }
}

impl Cause {
    fn new(of: &variation::Cause) -> Cause {
        use variation::CauseKind::{
            Drift, Faults, First, Modes, Step, Switches, Together, Waiting,
        };
        let none = Cause {
            cause: of.kind.name(),
            share: of.share,
            p: of.p,
            value: None,
            others: None,
            after: None,
            before: None,
            behind: None,
            change: None,
            modes: None,
        };
        match &of.kind {
            Waiting | Faults | Switches | Together => none,
            First { value, others } => Cause { value: Some(*value), others: Some(*others), ..none },
            Step { after, before, behind } => {
                Cause { after: Some(*after), before: Some(*before), behind: Some(*behind), ..none }
            }
            Drift { change } => Cause { change: Some(*change), ..none },
            Modes(modes) => {
                let mode = |it: &variation::Mode| Mode { at: it.at, share: it.share };
                Cause { modes: Some(modes.iter().map(mode).collect()), ..none }
            }
        }
    }
}
