//! `-x KEY=VALUE`: what BestGuess lets be changed about a report. `width` and `alpha` act as they
//! say, `effect` is `--margin` in µs, `epsilon` and `super` are further conditions of a difference.

use clap::ValueEnum;

use etalon_core::criteria::{Conditions, Criteria, Margin};
use etalon_core::scope::By;
use etalon_core::units::{Base, Dimension, Unit, parse_quantity};
use etalon_report::view::NARROWEST;

use super::{Analysis, values};

/// The pairs of one `-x`: several pairs are separated by commas or spaces.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Tunings(Vec<Tuning>);

/// One pair, its value in base units.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Tuning {
    key: Key,
    value: f64,
}

/// The keys there are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Key {
    /// Columns of the report.
    Width,
    /// Significance level.
    Alpha,
    /// Same within this many µs.
    Effect,
    /// The interval must exclude 0 even when moved by this many µs.
    Epsilon,
    /// The slower one's probability of superiority must be at most this.
    Super,
}

/// The widest a line may be asked to be: what the largest screens show.
const WIDEST: usize = 500;

impl Key {
    fn name(self) -> &'static str {
        match self {
            Key::Width => "width",
            Key::Alpha => "alpha",
            Key::Effect => "effect",
            Key::Epsilon => "epsilon",
            Key::Super => "super",
        }
    }

    /// Whether its value is a time, which says nothing about other metrics.
    fn is_time(self) -> bool {
        matches!(self, Key::Effect | Key::Epsilon)
    }
}

/// `-x`.
pub(crate) fn parse(text: &str) -> Result<Tunings, String> {
    let pairs = text.split([',', ' ']).filter(|pair| !pair.is_empty());
    let pairs: Vec<Tuning> = pairs.map(pair).collect::<Result<_, _>>()?;
    if pairs.is_empty() { pair(text).map(|one| Tunings(vec![one])) } else { Ok(Tunings(pairs)) }
}

fn pair(text: &str) -> Result<Tuning, String> {
    let known = || Key::value_variants().iter().map(|k| k.name()).collect::<Vec<_>>().join(", ");
    let Some((name, value)) = text.split_once('=') else {
        return Err(format!("write KEY=VALUE; keys are {}", known()));
    };
    let key = Key::value_variants().iter().find(|key| key.name() == name);
    let Some(&key) = key else {
        return Err(format!("no such key; keys are {}", known()));
    };
    let value = match key {
        Key::Width => columns(value),
        Key::Alpha | Key::Super => values::open_unit(value),
        Key::Effect => microseconds(value)
            .filter(|s| *s > 0.0)
            .ok_or_else(|| "write a number of µs above 0, such as 500".to_owned()),
        Key::Epsilon => microseconds(value)
            .filter(|s| *s >= 0.0)
            .ok_or_else(|| "write a number of µs, such as 250".to_owned()),
    }?;
    Ok(Tuning { key, value })
}

fn columns(text: &str) -> Result<f64, String> {
    match text.parse::<u16>() {
        Ok(columns) if (NARROWEST..=WIDEST).contains(&columns.into()) => Ok(columns.into()),
        _ => Err(format!("write a number of columns from {NARROWEST} to {WIDEST}")),
    }
}

/// A time in seconds; without a unit it is in µs.
fn microseconds(text: &str) -> Option<f64> {
    let quantity = parse_quantity(text).ok()?;
    let unit = Unit::new(if quantity.unit.is_empty() { "us" } else { &quantity.unit });
    (*unit.base() == Base::Seconds).then(|| unit.to_base(quantity.value))
}

/// All pairs.
fn all(tunings: &[Tunings]) -> impl Iterator<Item = &Tuning> {
    tunings.iter().flat_map(|tunings| &tunings.0)
}

/// The value of a key, if it was given.
fn value(tunings: &[Tunings], key: Key) -> Option<f64> {
    all(tunings).find(|tuning| tuning.key == key).map(|tuning| tuning.value)
}

impl Analysis {
    /// Refuses options that say a thing twice: no rule that nobody knows settles which one holds.
    pub(crate) fn check(&self) -> Result<(), String> {
        let keys: Vec<Key> = all(&self.tuning).map(|tuning| tuning.key).collect();
        if let Some(i) = (0..keys.len()).find(|&i| keys[..i].contains(&keys[i])) {
            return Err(format!("-x {}: given twice", keys[i].name()));
        }
        let says = |key| value(&self.tuning, key).is_some();
        for (key, option, given) in [
            (Key::Alpha, "--alpha", self.judging.alpha.is_some()),
            (Key::Effect, "--margin", self.judging.margin.is_some()),
        ] {
            if given && says(key) {
                return Err(format!("-x {} and {option} say the same: give one", key.name()));
            }
        }
        Ok(())
    }

    /// Which parameters of cases are jobs, if that was said. Parameters may be spelt as in queries, `/job`.
    pub(crate) fn by(&self) -> Option<By> {
        let param = |asked: &String| asked.strip_prefix('/').unwrap_or(asked).to_owned();
        match &self.by[..] {
            [] => None,
            [none] if none == "none" => Some(By::Params(Vec::new())),
            params => Some(By::Params(params.iter().map(param).collect())),
        }
    }

    /// Columns asked for.
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // parsed as a u16
    pub(crate) fn width(&self) -> Option<usize> {
        value(&self.tuning, Key::Width).map(|columns| columns as usize)
    }

    /// The recorded criteria with what is typed in their place; BestGuess's settings say what the options of other
    /// names do not.
    pub(crate) fn over(&self, recorded: Criteria) -> Criteria {
        let value = |key| value(&self.tuning, key);
        let effect = value(Key::Effect).map(|seconds| Margin::Absolute(seconds, Dimension::Time));
        let Conditions { epsilon, superiority } = recorded.conditions;
        self.judging.over(Criteria {
            margin: effect.unwrap_or(recorded.margin),
            alpha: value(Key::Alpha).unwrap_or(recorded.alpha),
            conditions: Conditions {
                epsilon: value(Key::Epsilon).or(epsilon),
                superiority: value(Key::Super).or(superiority),
            },
            ..recorded
        })
    }

    /// What is wrong with asking for amounts if the ranked metric is in `base` units, and the others that
    /// are compared are in `more`.
    pub(crate) fn check_base(
        &self,
        metric: &str,
        base: &Base,
        more: &[Base],
    ) -> Result<(), String> {
        if let Some(margin) = self.judging.margin {
            let bases: Vec<Base> = more.iter().chain([base]).cloned().collect();
            values::margin_applies(margin, &bases, metric)?;
        }
        let time = all(&self.tuning).find(|tuning| tuning.key.is_time());
        match time {
            Some(tuning) if *base != Base::Seconds => Err(format!(
                "-x {}: is a time, but {metric}, which is ranked, is none; use --margin with its \
                 own unit",
                tuning.key.name()
            )),
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Would catch a setting that is typed and not taken, one that drops another that was recorded, and one that comes
    /// before an option.
    #[test]
    fn settings_stand_between_options_and_what_was_recorded() {
        let conditions = Conditions { epsilon: Some(1e-6), superiority: None };
        let recorded = Criteria { conditions, ..Criteria::default() };
        assert_eq!(Analysis::default().over(recorded), recorded);
        let tuning = vec![parse("super=0.3,effect=500,alpha=0.01").unwrap()];
        let mut typed = Analysis { tuning, ..Analysis::default() };
        let conditions = Conditions { superiority: Some(0.3), ..conditions };
        let margin = Margin::Absolute(500e-6, Dimension::Time);
        let expected = Criteria { margin, alpha: 0.01, conditions, ..recorded };
        assert_eq!(typed.over(recorded), expected);
        typed.judging.alpha = Some(0.02);
        assert_eq!(typed.over(recorded), Criteria { alpha: 0.02, ..expected });
    }

    #[test]
    fn values_are_in_their_units_and_unknown_keys_are_named() {
        let value = |text: &str| pair(text).map(|t| t.value);
        let both = Tunings(vec![pair("alpha=0.01").unwrap(), pair("width=90").unwrap()]);
        for text in ["alpha=0.01,width=90", "alpha=0.01 width=90", " alpha=0.01, width=90"] {
            assert_eq!(parse(text), Ok(both.clone()), "{text}");
        }
        assert!(parse("alpha=0.01,delta=3").is_err() && parse(",").is_err());
        assert_eq!(value("width=120"), Ok(120.0));
        assert_eq!(value("alpha=0.01"), Ok(0.01));
        assert_eq!(value("effect=500"), Ok(500e-6));
        assert_eq!(value("epsilon=0.25ms"), Ok(250e-6));
        assert_eq!(value("epsilon=0"), Ok(0.0));
        assert_eq!(value("super=0.33"), Ok(0.33));
        for bad in [
            "width=79",
            "width=9999999",
            "width=1e2",
            "width=",
            "alpha=0",
            "alpha=1",
            "alpha=nan",
            "effect=0",
            "effect=-1",
            "effect=5MB",
            "effect=inf",
            "epsilon=-1",
            "epsilon=nan",
            "super=33",
            "super=",
        ] {
            assert!(parse(bad).is_err(), "{bad}");
        }
        for unknown in ["delta=3", "width", "", "=", "Alpha=0.1"] {
            let error = parse(unknown).unwrap_err();
            assert!(error.contains("width, alpha, effect, epsilon, super"), "{error}");
        }
    }
}
