//! A project's file of checks: TOML becomes the thresholds and waivers that it declares.
//!
//! Owns the keys of the file and what may stand behind them. Refuses to open the file, to know which revision it is of,
//! and to judge: the binary does.

use etalon_core::tables::{
    About, BenchmarkPattern, Day, DeclaredChecks, DeclaredThreshold, Waiver,
};
use serde::Deserialize;
use toml::Spanned;
use toml::value::Datetime;

/// How many entries a file may have. Because: each is tried on every row.
const MOST: usize = 1000;

/// How many bytes a text in it may have. Because: it stands in reports, and the head of a pull request writes it, too.
const LONGEST: usize = 500;

/// How many bytes a file may have.
pub const MOST_BYTES: usize = 1 << 20;

/// Why a file of checks cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {message}")]
pub struct CheckFileError {
    /// The line, counted from 1.
    pub line: usize,
    /// What is wrong, and what to write.
    pub message: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Wire {
    #[serde(default)]
    threshold: Vec<Spanned<WireThreshold>>,
    #[serde(default)]
    waiver: Vec<Spanned<WireWaiver>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct WireThreshold {
    benchmark: Option<Spanned<String>>,
    #[serde(alias = "metric")]
    unit: Option<Spanned<String>>,
    at_most: Option<Spanned<String>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct WireWaiver {
    benchmark: Spanned<String>,
    #[serde(alias = "metric")]
    unit: Option<Spanned<String>>,
    up_to: Spanned<String>,
    reason: Spanned<String>,
    expires: Spanned<Datetime>,
}

/// The content of a file of checks.
///
/// # Errors
/// If it is no TOML, has a key that there is not, lacks one, or declares nothing. Linear in its length.
pub fn parse(text: &str) -> Result<DeclaredChecks, CheckFileError> {
    let at = |start: usize, message: String| CheckFileError { line: line(text, start), message };
    if text.len() > MOST_BYTES {
        return Err(at(0, format!("is larger than {MOST_BYTES} bytes")));
    }
    let wire: Wire = toml::from_str(text).map_err(|error| {
        let start = error.span().map_or(0, |span| span.start);
        at(start, mistake(error.message()) + &brackets(text, start, error.message()))
    })?;
    let Wire { threshold, waiver } = wire;
    if threshold.is_empty() && waiver.is_empty() {
        let why = "declares nothing: write a [[threshold]] with at-most = \"5%\", or a [[waiver]]";
        return Err(at(0, why.to_owned()));
    }
    if threshold.len() + waiver.len() > MOST {
        return Err(at(0, format!("has more than {MOST} entries: join some with /re/")));
    }
    let mut checks = DeclaredChecks::default();
    for entry in threshold {
        let start = entry.span().start;
        let declared = read_threshold(entry.into_inner()).map_err(|(span, why)| at(span, why))?;
        if checks.thresholds.iter().any(|other| other.about == declared.about) {
            let why = format!("a second threshold of {}: leave one of them out", declared.about);
            return Err(at(start, why));
        }
        checks.thresholds.push(declared);
    }
    for entry in waiver {
        let declared = read_waiver(entry.into_inner()).map_err(|(span, why)| at(span, why))?;
        checks.waivers.push(declared);
    }
    Ok(checks)
}

/// Where something is wrong, and what.
type Mistake = (usize, String);

fn read_threshold(wire: WireThreshold) -> Result<DeclaredThreshold, Mistake> {
    let WireThreshold { benchmark, unit, at_most } = wire;
    let texts = [&benchmark, &unit, &at_most];
    texts.into_iter().flatten().try_for_each(short)?;
    let at_most = at_most.as_ref().map(share).transpose()?;
    Ok(DeclaredThreshold { about: about(benchmark.as_ref(), unit.as_ref())?, at_most })
}

fn read_waiver(wire: WireWaiver) -> Result<Waiver, Mistake> {
    let WireWaiver { benchmark, unit, up_to, reason, expires } = wire;
    [&benchmark, &up_to, &reason].into_iter().chain(&unit).try_for_each(short)?;
    let about = about(Some(&benchmark), unit.as_ref())?;
    if reason.get_ref().trim().is_empty() {
        return Err((
            reason.span().start,
            "a waiver needs a reason: say why it may be worse".to_owned(),
        ));
    }
    let Datetime { date: Some(date), time: None, offset: None } = *expires.get_ref() else {
        let why = "`expires` is a day: write it as expires = 2026-12-31";
        return Err((expires.span().start, why.to_owned()));
    };
    let expires = Day { year: date.year, month: date.month, day: date.day };
    Ok(Waiver { about, up_to: share(&up_to)?, reason: reason.into_inner(), expires })
}

fn about(
    benchmark: Option<&Spanned<String>>,
    unit: Option<&Spanned<String>>,
) -> Result<About, Mistake> {
    let pattern = |text: &Spanned<String>| {
        BenchmarkPattern::parse(text.get_ref())
            .map_err(|why| (text.span().start, format!("`benchmark` {why}")))
    };
    let benchmark = benchmark.map(pattern).transpose()?;
    if let Some(unit) = unit.filter(|unit| unit.get_ref().trim().is_empty()) {
        return Err((unit.span().start, "`unit` is empty: write one, such as sec/op".to_owned()));
    }
    Ok(About { benchmark, ..About::unit(unit.map(|unit| unit.get_ref().as_str())) })
}

/// Refuses a text that no report has room for.
fn short(text: &Spanned<String>) -> Result<(), Mistake> {
    match text.get_ref().len() > LONGEST {
        true => {
            Err((text.span().start, format!("a text of more than {LONGEST} bytes: shorten it")))
        }
        false => Ok(()),
    }
}

/// A share above 0, in percent.
fn share(text: &Spanned<String>) -> Result<f64, Mistake> {
    let number = text.get_ref().trim().strip_suffix('%').map(str::trim);
    let number = number.and_then(|number| number.parse::<f64>().ok()).map(|it| it / 100.0);
    number.filter(|share| *share > 0.0 && *share <= 1e6).ok_or_else(|| {
        let why =
            format!("{:?} is no share: write a percentage above 0, such as \"5%\"", text.get_ref());
        (text.span().start, why)
    })
}

/// What serde says, with a remedy where a key is missing.
fn mistake(message: &str) -> String {
    let message = message.trim().lines().collect::<Vec<_>>().join("; ");
    let missing = message.strip_prefix("missing field `").and_then(|rest| rest.strip_suffix('`'));
    let example = match missing {
        Some("benchmark") => "benchmark = \"Sum\", or \"/re/\"",
        Some("up-to") => "up-to = \"20%\"",
        Some("reason") => "reason = \"why it may be worse\"",
        Some("expires") => "expires = 2026-12-31",
        _ if message.contains("datetime") => {
            return format!("{message}: write expires = 2026-12-31, without quotes");
        }
        _ => return message,
    };
    format!("{message}: write {example}")
}

/// The remedy where a table of TOML stands in one pair of brackets too few or too many, else nothing.
#[must_use]
pub fn brackets(text: &str, start: usize, message: &str) -> String {
    let header = text.get(start..).and_then(|rest| rest.lines().next()).unwrap_or_default();
    let name = header.trim_start_matches('[').split(']').next().unwrap_or_default();
    if message.contains("map, expected a sequence") && !header.starts_with("[[") {
        return format!(": there can be several, so write [[{name}]]");
    }
    if message.contains("map, expected") && header.starts_with("[[") {
        return format!(": there is one, so write [{name}]");
    }
    String::new()
}

/// The line of a place, counted from 1.
fn line(text: &str, at: usize) -> usize {
    text.as_bytes().iter().take(at).filter(|byte| **byte == b'\n').count() + 1
}
