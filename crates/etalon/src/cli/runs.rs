//! What can be typed after `etalon runs`.

use clap::{Args, Subcommand};

/// `etalon runs`.
#[derive(Debug, Args)]
pub(crate) struct Runs {
    /// What to do with them; list without
    #[command(subcommand)]
    pub action: Option<RunsAction>,
}

/// Actions on saved run sets.
#[derive(Debug, Subcommand)]
pub(crate) enum RunsAction {
    /// All saved run sets, newest first
    List,
    /// Facts recorded with a run set
    Show {
        /// @last, @-2, @NAME or @ID
        run: String,
    },
    /// Give a run set a name to be found by, as @NAME
    Name {
        /// @last, @-2, @NAME or @ID
        run: String,
        /// Letters, digits, `.`, `_`, `-`
        name: String,
    },
    /// Remove run sets
    Remove {
        /// @last, @-2, @NAME or @ID
        #[arg(required = true)]
        runs: Vec<String>,
    },
}
