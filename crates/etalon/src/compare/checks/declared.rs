//! The thresholds and waivers that a project declares in a file, as they hold for data.
//!
//! The base's file holds. The head may not loosen its own check: its thresholds tighten, its waivers waive nothing,
//! and what it changes is told. Owns where the file is found, and what became of its entries. Refuses to read the
//! language of the file: that is `etalon_record::checks`'.

use std::ffi::OsString;
use std::fs;
use std::path::Path;

use etalon_core::compare::Scale;
use etalon_core::dataset::Dataset;
use etalon_core::model::{BASE, Direction, HEAD};
use etalon_core::notes::{CheckNote, Note};
use etalon_core::run_set::ChecksFile;
use etalon_core::tables::{
    About, Day, Declarations, DeclaredChecks, Labels, Row, Table, Tables, Waiver,
};
use etalon_core::verdict::Assessment;
use etalon_record::checks::parse;
use etalon_report::json::{WaiverOutcome, WaiverState};
use etalon_report::text::clean;
use etalon_run::sides::Sides;

use super::super::sides::facts;
use super::note;
use crate::cli::Comparison;
use crate::failure::Failure;
use crate::tool;

/// The content of a file of checks, on both sides of a project.
#[derive(Debug, Default)]
pub(crate) struct Declared(Declarations);

/// Reads a file of checks as it is on two sides, whose names are those that were asked for.
///
/// # Errors
/// If neither side has it, or one says what no such file can: with file, side and line.
pub(crate) fn parsed(file: &ChecksFile, sides: [&str; 2]) -> Result<Declared, Failure> {
    let ChecksFile { path, base, head } = file;
    if base.is_none() && head.is_none() {
        let why = format!(
            "neither {} nor {} has this file: write it, and commit it to the base for its waivers to hold",
            sides[0], sides[1]
        );
        return Err(Failure::about(format!("--checks {}", clean(path)), clean(&why)));
    }
    let of = |text: &Option<String>, side: &str, name: &str| {
        let Some(text) = text else { return Ok(DeclaredChecks::default()) };
        parse(text).map_err(|error| {
            let place = format!("{path}:{} of the {side} ({name})", error.line);
            Failure::about(clean(&place), clean(&error.message))
        })
    };
    let (base, head) = (of(base, BASE, sides[0])?, of(head, HEAD, sides[1])?);
    Ok(Declared(Declarations { path: path.clone(), base, head, today: Some(today()) }))
}

/// Declarations for data: in their record, or in the file that is named.
///
/// # Errors
/// If there is no such file, or it says what no such file can.
pub(super) fn of(options: &Comparison, data: &Dataset) -> Result<Option<Declared>, Failure> {
    let Some(path) = &options.checks.file else { return Ok(None) };
    let recorded = match &data.run_sets[..] {
        [set] => set.checks.as_ref().map(|checks| (checks, set)),
        _ => None,
    };
    if let Some((checks, set)) = recorded.filter(|(checks, _)| Path::new(&checks.path) == path) {
        let fact = |key: &str, otherwise| set.context.get(key).map_or(otherwise, String::as_str);
        let sides = [fact(facts::BASE_ASKED, BASE), fact(facts::HEAD_ASKED, HEAD)];
        return parsed(checks, sides).map(Some);
    }
    read(path).map(Some)
}

/// Reads a file of checks that is the same on both sides.
///
/// # Errors
/// If there is no such file, or it says what no such file can.
pub(crate) fn read(path: &Path) -> Result<Declared, Failure> {
    let shown = clean(&path.to_string_lossy());
    let text =
        fs::read(path).map_err(|error| Failure::about(format!("--checks {shown}"), error))?;
    let text = String::from_utf8(text)
        .map_err(|_| Failure::about(format!("--checks {shown}"), NOT_TEXT))?;
    let base = parse(&text).map_err(|error| {
        Failure::about(format!("{shown}:{}", error.line), clean(&error.message))
    })?;
    let head = base.clone();
    Ok(Declared(Declarations { path: shown, base, head, today: Some(today()) }))
}

/// Reads a file of checks in a revision of the project around this directory, whose waivers hold, and in its working tree.
///
/// # Errors
/// If there is no such revision, neither has the file, or one says what no such file can.
pub(crate) fn at(path: &Path, revision: &str) -> Result<Declared, Failure> {
    let environment: Vec<(OsString, OsString)> = std::env::vars_os().collect();
    let here = tool::here()?;
    let places = (&*here, &*std::env::temp_dir());
    let read = Sides::read(path, revision, &environment, places, &mut || false);
    let [base, head] = read.map_err(|error| Failure::about("--base", clean(&error.to_string())))?;
    let shown = clean(&path.to_string_lossy());
    let text = |bytes: Option<Vec<u8>>| {
        let text = bytes.map(String::from_utf8).transpose();
        text.map_err(|_| Failure::about(format!("--checks {shown}"), NOT_TEXT))
    };
    let file = ChecksFile { base: text(base)?, head: text(head)?, path: shown.clone() };
    parsed(&file, [revision, "the working tree"])
}

/// Why a file of checks cannot be read.
pub(crate) const NOT_TEXT: &str = "is not UTF-8, which TOML is: save it as that";

/// This day, in UTC: it is the same wherever a check is executed.
fn today() -> Day {
    let date = etalon_run::now().to_zoned(jiff::tz::TimeZone::UTC).date();
    let part = |number: i8| u8::try_from(number).unwrap_or_default();
    Day {
        year: u16::try_from(date.year()).unwrap_or_default(),
        month: part(date.month()),
        day: part(date.day()),
    }
}

impl Declared {
    /// Its path, as it was named.
    pub(super) fn path(&self) -> &str {
        &self.0.path
    }

    /// Its thresholds and waivers.
    pub(crate) fn declarations(&self) -> &Declarations {
        &self.0
    }

    /// Changes by the head, and which entries are about no row.
    pub(super) fn remarks(&self, tables: &Tables) -> Vec<Note> {
        let Declarations { path, base, head, .. } = &self.0;
        let shown = |checks: &DeclaredChecks| -> Vec<String> {
            let thresholds = checks.thresholds.iter().map(ToString::to_string);
            let waiver = |waiver: &Waiver| format!("{waiver} ({})", waiver.reason);
            thresholds.chain(checks.waivers.iter().map(waiver)).collect()
        };
        let (before, after) = (shown(base), shown(head));
        let without = |all: &[String], others: &[String]| -> Vec<String> {
            all.iter().filter(|it| !others.contains(it)).cloned().collect()
        };
        let (added, removed) = (without(&after, &before), without(&before, &after));
        let changed = (!added.is_empty() || !removed.is_empty()).then(|| CheckNote::Changed {
            file: path.clone(),
            added,
            removed,
        });
        let all = base.thresholds.iter().map(|it| (&it.about, it.to_string()));
        let all = all.chain(base.waivers.iter().map(|it| (&it.about, it.to_string())));
        let is_about = |about: &About| {
            let mut tables = tables.tables.iter();
            tables.any(|table| table.rows.iter().any(|row| about.is_of(&table.unit, &row.labels)))
        };
        let nothing = all.filter(|(about, _)| !is_about(about));
        let nothing =
            nothing.map(|(_, entry)| CheckNote::AboutNothing { entry: format!("{path}: {entry}") });
        changed.into_iter().chain(nothing).map(|what| note("", what)).collect()
    }

    /// The outcome of every waiver, where these were used and these were needed and did not hold.
    pub(crate) fn outcomes(&self, used: &[Waiver], beyond: &[Waiver]) -> Vec<WaiverOutcome> {
        let Declarations { base, head, .. } = &self.0;
        let outcome = |waiver: &Waiver| {
            let state = match self.0.is_expired(waiver) {
                true => WaiverState::Expired,
                false if beyond.contains(waiver) => WaiverState::Exceeded,
                false if used.contains(waiver) => WaiverState::Used,
                false => WaiverState::Unused,
            };
            WaiverOutcome { waiver: waiver.clone(), state }
        };
        let of_base = base.waivers.iter().map(outcome);
        let of_head = head.waivers.iter().filter(|it| !base.waivers.contains(it));
        let ignored =
            |it: &Waiver| WaiverOutcome { waiver: it.clone(), state: WaiverState::OfHead };
        of_base.chain(of_head.map(ignored)).collect()
    }
}

/// A row that is worse.
pub(super) struct WorseRow<'a> {
    pub(super) unit: &'a str,
    pub(super) direction: Direction,
    pub(super) labels: &'a Labels,
    pub(super) assessment: &'a Assessment,
}

impl<'a> WorseRow<'a> {
    pub(super) fn new(table: &'a Table, row: &'a Row, assessment: &'a Assessment) -> WorseRow<'a> {
        let (unit, direction, labels) = (&*table.unit, table.direction, &row.labels);
        WorseRow { unit, direction, labels, assessment }
    }

    /// By which share it may be worse at the far end of its interval; nothing where that is no share.
    pub(super) fn far_end(&self) -> Option<f64> {
        let evidence = &self.assessment.evidence;
        let ratio = evidence.shown().ratio?.value;
        let (lo, hi) = match evidence.exact {
            true => (ratio, ratio),
            false if evidence.scale == Scale::Ratio => {
                evidence.ratio_interval().map(|interval| (interval.lo, interval.hi))?
            }
            false => return None,
        };
        Some(match self.direction {
            Direction::Higher => 1.0 / lo - 1.0,
            _ => hi - 1.0,
        })
    }
}
