//! Experiments on commands: their texts ([`texts`]) with parameters filled in ([`scan`]), resolved where they are executed
//! ([`place`]), as an experiment ([`mod@experiment`]).
//!
//! Refuses to know where commands come from: that is a door's business.

pub(crate) mod experiment;
mod place;
pub(crate) mod scan;
pub(crate) mod texts;

use std::path::PathBuf;

use crate::cli::commands;
use scan::Param;
use texts::Texts;

/// A command to be timed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Subject {
    /// The command, its surroundings and its hooks.
    pub(crate) texts: Texts,
    /// The parameters filled in, in the order of their options.
    pub(crate) params: Vec<Param>,
    /// File and line it is from, see [`crate::cli::commands::DeclaredCommand`].
    pub(crate) place: Option<String>,
    /// Where it is executed; elsewhere than all others only in copies of a project.
    pub(crate) directory: Option<PathBuf>,
    /// The copy that it is executed in, where that is still to be built: what it names below that need not be there.
    pub(crate) to_come: Option<PathBuf>,
}

impl Subject {
    /// Its name in errors about it.
    pub(crate) fn role(&self) -> String {
        self.place
            .as_ref()
            .map_or_else(|| "command".to_owned(), |place| format!("{place}: command"))
    }

    /// Its name in reports.
    pub(crate) fn shown_name(&self) -> String {
        commands::shown_name(self.texts.name.as_ref(), &self.texts.command)
    }
}

/// All that is executed, and how it came about.
#[derive(Debug)]
pub(crate) struct Subjects {
    /// The commands, in their order.
    pub(crate) all: Vec<Subject>,
    /// The name of the reference, if there is one.
    pub(crate) reference: Option<String>,
    /// Remarks for the user on the parameters.
    pub(crate) remarks: Vec<String>,
}

impl Subjects {
    /// Whether what is executed once before or once after differs between commands.
    pub(crate) fn surroundings_differ(&self) -> bool {
        let around = |s: &Subject| (s.texts.hooks.setup.clone(), s.texts.hooks.cleanup.clone());
        self.all.windows(2).any(|pair| around(&pair[0]) != around(&pair[1]))
    }
}
