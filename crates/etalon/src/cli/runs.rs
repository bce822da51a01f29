//! Subcommands and options of `etalon runs`.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args, Subcommand};
use etalon_probe::far::Host;
use jiff::Timestamp;

use super::values;

/// List, show, label and remove saved runs
#[derive(Debug, Args)]
#[command(
    args_conflicts_with_subcommands = true,
    subcommand_value_name = "SUBCOMMAND",
    override_usage = "etalon runs [OPTIONS | SUBCOMMAND]"
)]
pub(crate) struct Runs {
    /// What to do with them; list without
    #[command(subcommand)]
    pub action: Option<RunsAction>,
    /// Which are listed, and how.
    #[command(flatten)]
    pub listing: Listing,
}

/// Which saved runs are listed, and how.
#[derive(Debug, Args)]
pub(crate) struct Listing {
    /// So many of the newest
    #[arg(short = 'n', long, value_name = "N", default_value_t = 20)]
    pub number: usize,
    /// All of them
    #[arg(long, conflicts_with = "number")]
    pub all: bool,
    /// Those that started since then: 2d, 12h, 3w, 2026-11-21
    #[arg(long, value_name = "AGE|DATE", value_parser = values::since)]
    pub since: Option<Timestamp>,
    /// One JSON document, with whole ids and names
    #[arg(long)]
    pub json: bool,
}

/// Actions on saved runs.
#[derive(Debug, Subcommand)]
pub(crate) enum RunsAction {
    /// List saved runs, newest first
    #[command(alias = "ls")]
    List {
        /// Those that have all these words in command line, benchmarks, id, names, tags or note
        words: Vec<String>,
        /// Which, and how.
        #[command(flatten)]
        listing: Listing,
    },
    /// Show the facts recorded with a run
    Show {
        /// @last, @-2, @NAME, @ID, or the beginning of an id
        run: String,
    },
    /// Give a run a name to be found by, as @NAME
    Name {
        /// @last, @-2, @NAME, @ID, or the beginning of an id
        run: String,
        /// Letters, digits, `.`, `_`, `-`
        name: String,
    },
    /// Take a name away; the run stays
    Unname {
        /// The name
        name: String,
    },
    /// Tag a run
    Tag {
        /// @last, @-2, @NAME, @ID, or the beginning of an id
        run: String,
        /// Letters, digits, `.`, `_`, `-`
        #[arg(required = true)]
        tags: Vec<String>,
    },
    /// Take tags away
    Untag {
        /// @last, @-2, @NAME, @ID, or the beginning of an id
        run: String,
        /// Its tags
        #[arg(required = true)]
        tags: Vec<String>,
    },
    /// Note something about a run; an empty text removes the note
    Note {
        /// @last, @-2, @NAME, @ID, or the beginning of an id
        run: String,
        /// What is noted
        text: String,
    },
    /// Write runs with their names, tags and notes to one file
    Bundle {
        /// @last, @-2, @NAME, @ID, or the beginning of an id
        #[arg(required = true)]
        runs: Vec<String>,
        /// The file, replaced as a whole
        #[arg(short = 'o', long, value_name = "FILE")]
        output: OsString,
        /// Replace an existing non-empty file
        #[arg(long)]
        force: bool,
    },
    /// Save the runs of bundles and records, with their names, tags and notes
    Import {
        /// Files
        #[arg(required = true)]
        files: Vec<PathBuf>,
    },
    /// Copy the runs of another machine that are not here
    ///
    /// As ssh reaches it without asking for anything; nothing stays there.
    Pull {
        /// A host of ssh
        #[arg(value_parser = Host::parse)]
        host: Host,
    },
    /// Remove old and large runs: those of which everything given holds
    Prune(Prune),
    /// Remove runs
    #[command(alias = "rm")]
    Remove {
        /// @last, @-2, @NAME, @ID, or the beginning of an id
        #[arg(required = true)]
        runs: Vec<String>,
    },
}

/// Which runs are removed.
#[derive(Debug, Args)]
pub(crate) struct Prune {
    /// Those that started longer ago: 90d (days), 12h, 3w
    #[arg(long, value_name = "AGE", value_parser = values::age)]
    pub older_than: Option<Timestamp>,
    /// Not the newest N
    #[arg(long, value_name = "N")]
    pub keep: Option<usize>,
    /// Those that are larger: 100MB
    #[arg(long, value_name = "SIZE", value_parser = values::size)]
    pub larger_than: Option<u64>,
    /// The oldest, until all runs together are no larger: 1GB
    #[arg(long, value_name = "SIZE", value_parser = values::size)]
    pub total: Option<u64>,
    /// Also those with a name, a tag or a note
    #[arg(long)]
    pub labelled: bool,
    /// Remove them; without, they are only listed
    #[arg(long)]
    pub yes: bool,
}
