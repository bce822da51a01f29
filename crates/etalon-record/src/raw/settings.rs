//! The line of an analysis's settings.
//!
//! Owns the unit of margins in records from before amounts had one. Refuses a margin that is both relative and absolute,
//! or neither.

use etalon_core::criteria::{COUNT_MARGIN, Conditions, Criteria, Margin};
use etalon_core::metrics;
use etalon_core::plan::Settings;
use etalon_core::scope::By;
use etalon_core::stats::Correction;
use etalon_core::units::{Dimension, Unit};
use serde::{Deserialize, Serialize};

/// A settings line.
#[derive(Serialize, Deserialize)]
pub(super) struct SettingsWire {
    metric: String,
    reference: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    by: Option<Vec<String>>,
    margin: MarginWire,
    /// Of counts of work, where it is not the usual one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    count_margin: Option<f64>,
    at_least: Option<f64>,
    alpha: f64,
    confidence: f64,
    correction: Option<CorrectionWire>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    epsilon: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    superiority: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    between: Option<f64>,
}

/// One of the two; an amount with its unit. Records from before amounts had one are of the ranked metric.
#[derive(Default, Serialize, Deserialize)]
struct MarginWire {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    relative: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    absolute: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    unit: Option<String>,
}

impl From<Margin> for MarginWire {
    fn from(margin: Margin) -> MarginWire {
        match margin {
            Margin::Relative(share) => {
                MarginWire { relative: Some(share), ..MarginWire::default() }
            }
            Margin::Absolute(size, of) => MarginWire {
                absolute: Some(size),
                unit: Some(of.base().to_string()),
                ..MarginWire::default()
            },
        }
    }
}

impl MarginWire {
    /// The margin; `ranked` is the unit of the ranked metric, where one is declared.
    fn margin(&self, metric: &str, ranked: Option<&Unit>) -> Result<Margin, String> {
        let size = match (self.relative, self.absolute) {
            (Some(share), None) => return Ok(Margin::Relative(share)),
            (None, Some(size)) => size,
            _ => return Err("a margin is either relative or absolute".to_owned()),
        };
        let unit = self.unit.as_deref().map(Unit::new);
        let of = match (unit.as_ref().or(ranked), metric) {
            (Some(unit), _) => unit.base().dimension(),
            // Sums of recorded metrics are declared nowhere.
            (None, metrics::FAULTS | metrics::CSW) => Some(Dimension::Number),
            (None, _) => Some(Dimension::Time),
        };
        let of = of.ok_or("an absolute margin is in s, B or count")?;
        Ok(Margin::Absolute(size, of))
    }
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum CorrectionWire {
    Holm,
    Bh,
    None,
}

impl From<&Settings> for SettingsWire {
    fn from(settings: &Settings) -> SettingsWire {
        let criteria = &settings.criteria;
        SettingsWire {
            metric: settings.metric.clone(),
            reference: settings.reference.clone(),
            by: match &settings.by {
                By::Shared => None,
                By::Params(params) => Some(params.clone()),
            },
            margin: criteria.margin.into(),
            count_margin: Some(criteria.count_margin).filter(|margin| *margin != COUNT_MARGIN),
            at_least: criteria.at_least,
            alpha: criteria.alpha,
            confidence: criteria.confidence,
            correction: criteria.correction.map(|correction| match correction {
                Correction::Holm => CorrectionWire::Holm,
                Correction::BenjaminiHochberg => CorrectionWire::Bh,
                Correction::None => CorrectionWire::None,
            }),
            epsilon: criteria.conditions.epsilon,
            superiority: criteria.conditions.superiority,
            between: criteria.between,
        }
    }
}

impl SettingsWire {
    /// The metric that is ranked.
    pub(super) fn metric(&self) -> &str {
        &self.metric
    }

    /// The settings; `ranked` is the unit of that metric, where one is declared.
    pub(super) fn into_settings(self, ranked: Option<&Unit>) -> Result<Settings, String> {
        let criteria = Criteria {
            margin: self.margin.margin(&self.metric, ranked)?,
            count_margin: self.count_margin.unwrap_or(COUNT_MARGIN),
            at_least: self.at_least,
            between: self.between,
            alpha: self.alpha,
            confidence: self.confidence,
            correction: self.correction.map(|correction| match correction {
                CorrectionWire::Holm => Correction::Holm,
                CorrectionWire::Bh => Correction::BenjaminiHochberg,
                CorrectionWire::None => Correction::None,
            }),
            conditions: Conditions { epsilon: self.epsilon, superiority: self.superiority },
            ..Criteria::default()
        };
        let by = self.by.map_or(By::Shared, By::Params);
        Ok(Settings { metric: self.metric, reference: self.reference, by, criteria })
    }
}
