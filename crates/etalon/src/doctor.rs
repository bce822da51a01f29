//! `etalon doctor`: whether this machine is fit to measure on, for which differences, and what would make it fitter.
//!
//! Owns the judgement: what a setting means (`cpus`, `surroundings`), what Luas say of themselves (`lua`), what a spin has shown (`seen`), and how both are
//! said (`screen`, `json`); what is changed (`fix`). What is read is `etalon_probe::doctor`'s. Refuses to call anything fine that it cannot know.

mod cpus;
mod finding;
mod fix;
mod json;
mod lua;
mod seen;
mod summary;
mod surroundings;

use std::path::PathBuf;

use etalon_probe::clock::{self, ClockFacts};
use etalon_probe::doctor::{self, Spin, System};
use etalon_report::doctor::{self as report, Finding, SpinOutcome, State};

use crate::cli;
use crate::failure::{Exit, Failure};
use crate::output;
use fix::Consent;
use seen::Figures;

pub(crate) use summary::{KEY, is_unfit, summary};

/// Names the tree that is read in place of the system's own files.
const SYSROOT: &str = "ETALON_SYSROOT";

/// The machine as it was found.
#[derive(Debug)]
pub(crate) struct Examined {
    pub(crate) findings: Vec<Finding>,
    /// Whether `--fix` would change something.
    can_be_fixed: bool,
    clock: Option<ClockFacts>,
    spin: Option<(Spin, Option<Figures>)>,
}

impl Examined {
    /// Whether nothing is known that spoils small differences.
    fn is_fit(&self) -> bool {
        self.of(State::Spoils).next().is_none()
    }

    fn of(&self, state: State) -> impl Iterator<Item = &Finding> {
        self.findings.iter().filter(move |finding| finding.state == state)
    }

    /// The machine as a report shows it.
    fn shown(&self) -> report::Examined<'_> {
        let spin = match &self.spin {
            None => SpinOutcome::Skipped,
            Some((_, None)) => SpinOutcome::TooShort,
            Some((spin, Some(Figures { window, equal_within, .. }))) => SpinOutcome::Figures {
                seconds: spin.seconds,
                window: *window,
                equal_within: *equal_within,
            },
        };
        let (reliable, can_be_fixed) = (self.reliable(), self.can_be_fixed);
        report::Examined { findings: &self.findings, reliable, spin, can_be_fixed }
    }

    fn figures(&self) -> Option<&Figures> {
        self.spin.as_ref().and_then(|(_, figures)| figures.as_ref())
    }

    /// The smallest difference that may be relied on here, as a share.
    pub(crate) fn reliable(&self) -> Option<f64> {
        self.figures().and_then(seen::reliable)
    }
}

/// Runs the subcommand.
pub(crate) fn run(options: &cli::Doctor) -> Result<Exit, Failure> {
    match options.act {
        cli::Act { restore: true, .. } => return fix::restore(&root()),
        cli::Act { fix: true, yes, .. } => {
            return fix::fix(&root(), if yes { Consent::Given } else { Consent::Ask });
        }
        cli::Act { .. } => {}
    }
    // Before the spin, which has to have the machine for itself.
    let luas = if options.quick { Vec::new() } else { lua::findings() };
    let mut examined = examined(options);
    examined.findings.extend(luas);
    match options.json {
        true => json::write(&examined)?,
        false => output::text(
            &report::text(&examined.shown(), output::detail(options.full), output::width())
                .join("\n"),
        )?,
    }
    Ok(if examined.is_fit() { Exit::Done } else { Exit::Failed })
}

/// Looks at this machine.
pub(crate) fn examined(options: &cli::Doctor) -> Examined {
    let (system, clock) = (doctor::read(&root()), clock::measure());
    let spin = (!options.quick).then(|| doctor::spin(options.spin));
    let spin = spin.map(|spin| {
        let figures = seen::figures(&spin.pieces);
        (spin, figures)
    });
    let findings = findings(&system, clock.as_ref(), spin.as_ref());
    Examined { findings, can_be_fixed: fix::is_possible(&root()), clock, spin }
}

/// Where the system's files are.
fn root() -> PathBuf {
    std::env::var_os(SYSROOT).filter(|root| !root.is_empty()).map_or("/".into(), PathBuf::from)
}

/// Everything, in the order in which it is shown.
fn findings(
    system: &System,
    clock: Option<&ClockFacts>,
    spin: Option<&(Spin, Option<Figures>)>,
) -> Vec<Finding> {
    let spin = spin.and_then(|(spin, figures)| Some((spin, figures.as_ref()?)));
    let mut all = seen::findings(system, spin);
    all.extend(cpus::findings(system));
    all.extend(surroundings::findings(system, clock));
    all
}
