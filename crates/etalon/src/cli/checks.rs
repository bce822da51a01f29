//! Checks of a comparison, as typed: `--fail-on`, `--require`, `--new`.
//!
//! Refuses to check: [`crate::compare`] does.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::values;

/// What has to hold.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Checks: exit 1 if one fails, 3 if only for unclear data")]
pub(crate) struct Checks {
    /// Fail if anything is so: worse, worse:5%, unclear
    ///
    /// worse:5% is worse by more than a share. A check of one unit (sec/op:worse:5%) overrides one of all
    /// units.
    #[arg(long, value_name = "WHAT", value_parser = fail_on)]
    pub fail_on: Vec<FailOn>,
    /// Fail unless this benchmark is compared in every column
    ///
    /// Its name may omit parts.
    #[arg(long, value_name = "NAME")]
    pub require: Vec<String>,
    /// Check by thresholds and waivers of FILE (TOML), as the base has it
    ///
    /// By convention etalon-checks.toml of the project. Where two revisions are measured, the base's file holds: what the head
    /// changes in it is told, may tighten, and loosens and waives nothing. `etalon help checks` has its keys.
    #[arg(id = "checks", long = "checks", value_name = "FILE")]
    pub file: Option<PathBuf>,
    /// How checks treat what the base lacks
    ///
    /// Benchmarks, packages and units. What is missing always fails.
    #[arg(long, value_name = "HOW", default_value = "ok")]
    pub new: NewArg,
}

impl Checks {
    /// Whether rows are held against something.
    pub(crate) fn are_of_rows(&self) -> bool {
        !self.fail_on.is_empty() || self.file.is_some()
    }

    /// The first option that is given.
    pub(crate) fn given(&self) -> Option<&'static str> {
        let asked = [
            (!self.fail_on.is_empty(), "--fail-on"),
            (self.file.is_some(), "--checks"),
            (!self.require.is_empty(), "--require"),
            (self.new == NewArg::Fail, "--new fail"),
        ];
        asked.into_iter().find_map(|(asked, what)| asked.then_some(what))
    }
}

/// `--fail-on` as typed.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum FailOn {
    /// Something is worse.
    Worse {
        typed: String,
        /// The unit it is about; all of them if absent.
        unit: Option<String>,
        /// By more than this share.
        share: Option<f64>,
    },
    /// Something is unclear.
    Unclear,
}

/// `--new` as typed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum NewArg {
    /// List them
    #[default]
    Ok,
    /// Fail the check
    Fail,
}

/// `[UNIT:]worse[:P]` or `unclear`; a unit may hold anything but its last word.
pub(super) fn fail_on(text: &str) -> Result<FailOn, String> {
    let hint = || {
        "write [UNIT:]worse[:P], such as worse, worse:5%, allocs/op:worse or sec/op:worse:5% (slower is the \
         same as worse), or unclear"
            .to_owned()
    };
    // As lines of a workflow are, which may be indented or end as on other systems.
    let text = text.trim();
    if text == "unclear" {
        return Ok(FailOn::Unclear);
    }
    let is_worse = |word: &str| matches!(word, "worse" | "slower");
    let (before, share) = match text.rsplit_once(':') {
        Some((before, last)) if !is_worse(last) => (before, Some(last)),
        _ => (text, None),
    };
    let (unit, word) = match before.rsplit_once(':') {
        Some((unit, word)) => (Some(unit), word),
        None => (None, before),
    };
    if !is_worse(word) || unit == Some("") {
        return Err(hint());
    }
    let share = share.map(values::share).transpose()?;
    Ok(FailOn::Worse { typed: text.to_owned(), unit: unit.map(str::to_owned), share })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed step is a failed test")]

    use super::*;

    /// Would catch a unit with a colon that is cut in the wrong place, and a misspelling that is taken.
    #[test]
    fn checks_are_read_whole() {
        let worse = |unit: Option<&str>, share| (unit.map(str::to_owned), share);
        for (text, expected) in [
            ("worse", worse(None, None)),
            ("slower", worse(None, None)),
            ("slower:5%", worse(None, Some(0.05))),
            ("  allocs/op:worse\r", worse(Some("allocs/op"), None)),
            ("allocs/op:worse", worse(Some("allocs/op"), None)),
            ("sec/op:worse:0.5%", worse(Some("sec/op"), Some(0.005))),
            ("a:b:slower:0.02", worse(Some("a:b"), Some(0.02))),
        ] {
            let (unit, share) = expected;
            let expected = FailOn::Worse { typed: text.trim().to_owned(), unit, share };
            assert_eq!(fail_on(text), Ok(expected));
        }
        assert_eq!(fail_on("unclear"), Ok(FailOn::Unclear));
        for bad in [
            "",
            "wors",
            "faster",
            "5%",
            ":worse",
            "sec/op",
            "sec/op:5%",
            "worse:5%:",
            "sec/op:unclear",
            "unclear:5%",
        ] {
            assert!(fail_on(bad).unwrap_err().contains("[UNIT:]worse[:P]"), "{bad}");
        }
        for bad in ["worse:", "worse:5", "worse:-1%", "worse:fast", "worse:0%", "sec/op:worse:5ms"]
        {
            assert!(fail_on(bad).unwrap_err().contains("percentage"), "{bad}");
        }
    }
}
