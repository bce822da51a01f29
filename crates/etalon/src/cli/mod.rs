//! The command line: the subcommands and their options, exactly as typed. What they mean is
//! worked out in `crate::doors`, `crate::report` and `crate::runs`.

mod ab;
#[cfg(test)]
mod advice;
mod bisect;
mod checks;
mod cmd;
pub(crate) mod commands;
mod compare;
mod convert;
mod doctor;
mod exports;
mod go;
pub(crate) mod go_flags;
pub(crate) mod habits;
mod history;
mod history_check;
mod judgement;
mod lua;
pub(crate) mod mistakes;
mod nodes;
mod noise;
pub(crate) mod pages;
mod recording;
mod reporting;
mod results;
mod run;
mod runs;
mod schedule;
pub(crate) mod tuning;
pub(crate) mod values;

use std::ffi::OsString;

use clap::{ArgAction, Args, Parser, Subcommand};

pub(crate) use ab::{Ab, BenchArgs, BenchFrom, CopyArgs};
pub(crate) use bisect::{Bisect, BisectShown};
pub(crate) use checks::{Checks, FailOn, NewArg};
pub(crate) use cmd::{Amount, AslrArg, Cmd, Control, Hooks, Scans, SeedsArg};
pub(crate) use compare::{
    Compare, Comparison, Framing, Look, OnlyArg, OutputArg, Queries, RowArgs, Show,
    SortArg as RowSortArg, StyleArg, SummaryArg, ViewArg,
};
pub(crate) use convert::{Convert, To};
pub(crate) use doctor::{Act, Doctor};
pub(crate) use exports::{Exports, Page, SortArg, TimeUnitArg};
pub(crate) use go::{Go, GoAmount, GoBuilding};
pub(crate) use history::{
    Belongs, History, HistoryAction, HistoryAdd, HistoryExport, HistoryFormat, HistoryList,
    HistoryShow, HistoryTo,
};
pub(crate) use history_check::{CheckFormat, HistoryCheck};
pub(crate) use lua::Lua;
pub(crate) use nodes::{Connections, Nodes, On, SameArg};
pub(crate) use noise::Noise;
pub(crate) use recording::{Recording, Resumption};
pub(crate) use reporting::{Analysis, Based, FormatArg, OF_SIDES, Report, Reporting, View};
pub(crate) use results::{Harness, ResultsArg, results};
pub(crate) use run::{JitArg, Run, RunAmount, RunHooks, SideArgs};
pub(crate) use runs::{Listing, Prune, Runs, RunsAction};
pub(crate) use schedule::{Budgets, Limits, OrderArg, Schedule, UntilArg, budget_per_subject};

/// Options without a place beside `--plan`: they say when to stop, or ask for parts of a report.
pub(crate) const NOT_PLANNED: [&str; 26] = [
    "precision",
    "until",
    "total_budget",
    "min_blocks",
    "max_blocks",
    "resume",
    "full",
    "explain",
    "boxplot",
    "graph",
    "dist_stats",
    "tail_stats",
    "mini_stats",
    "no_stats",
    "style",
    "format",
    "html",
    "svg",
    "export_csv",
    "export_hyperfine",
    "hyperfine_csv",
    "export_json",
    "export_markdown",
    "export_asciidoc",
    "export_orgmode",
    "spreadsheet",
];

/// Options of tables without a place beside `--plan`.
pub(crate) const NOT_PLANNED_OF_TABLES: [&str; 10] =
    ["full", "only", "sort", "summary", "view", "style", "format", "fail_on", "checks", "require"];

/// The spellings of the option that prints the version.
pub(crate) const VERSION: [&str; 3] = ["--version", "-V", "-v"];

/// Times commands and functions in randomised blocks, and gives verdicts
#[derive(Debug, Parser)]
#[command(
    name = "etalon",
    version,
    max_term_width = 100,
    infer_long_args = false,
    disable_help_subcommand = true,
    disable_version_flag = true,
    subcommand_value_name = "SUBCOMMAND"
)]
pub(crate) struct Cli {
    /// Print the version
    #[arg(short = 'V', short_alias = 'v', long, action = ArgAction::Version)]
    version: Option<bool>,
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// The subcommands. Their options are defined when one is called: that takes longer than all the rest of a start.
#[derive(Debug, Subcommand)]
#[command(defer = true)]
pub(crate) enum Command {
    /// Time whole commands and rank them
    Cmd(Box<Cmd>),
    /// Measure Lua functions, scripts, and experiments of a file
    Run(Box<Run>),
    /// Measure benchmarks of Go packages, also against a revision
    Go(Box<Go>),
    /// Compare two revisions of a project, built first, interleaved
    Ab(Box<Ab>),
    /// Find the commit that made a command slower or faster
    Bisect(Box<Bisect>),
    /// Report from saved data of etalon, BestGuess, hyperfine or Go
    Report(Box<Report>),
    /// Compare the same benchmarks in two or more data sets
    Compare(Box<Compare>),
    /// Convert data from one known format into another
    Convert(Convert),
    /// Execute a script on the LuaJIT inside etalon
    Lua(Lua),
    /// Write an experiment file to start from
    Init(Init),
    /// List, show, label and remove saved runs
    Runs(Runs),
    /// Follow benchmarks from commit to commit
    History(Box<History>),
    /// Say whether this machine is fit to measure on, and what to change
    Doctor(Doctor),
    /// Measure how much identical programs differ here
    Noise(Box<Noise>),
    /// Explain a subcommand or a topic
    // The last line of every page names it; the first screen is full.
    #[command(hide = true)]
    Help(Help),
}

/// Write an experiment file to start from
#[derive(Debug, Args)]
pub(crate) struct Init {
    /// Where; - is standard output
    #[arg(value_name = "FILE", default_value = "experiment.toml")]
    pub file: OsString,
    /// Print the JSON Schema of experiment files instead, for editors
    #[arg(long)]
    pub schema: bool,
}

/// Explain a subcommand or a topic
#[derive(Debug, Args)]
pub(crate) struct Help {
    /// A topic or a subcommand [default: what there is]
    #[arg(value_name = "TOPIC")]
    pub about: Vec<String>,
}

#[cfg(test)]
mod tests {
    use std::fmt::Debug;

    use super::*;

    fn typed(words: &[&str]) -> Command {
        let words = ["etalon"].iter().chain(words);
        Cli::try_parse_from(words).expect("a command line").command
    }

    fn assert_alike(typed: &impl Debug, made: &impl Debug) {
        assert_eq!(format!("{typed:#?}"), format!("{made:#?}"));
    }

    /// Would catch options that etalon makes for another subcommand and that nobody who types nothing gets.
    #[test]
    fn nothing_typed_is_the_default() {
        let Command::Run(run) = typed(&["run", "x.lua"]) else { panic!("another subcommand") };
        assert_alike(&*run, &Run { paths: vec!["x.lua".into()], ..Run::default() });
        let Command::Cmd(cmd) = typed(&["cmd", "x"]) else { panic!("another subcommand") };
        assert_alike(&cmd.amount, &Amount::default());
        assert_alike(&cmd.schedule, &Schedule::default());
        assert_alike(&cmd.recording, &Recording::default());
        assert_alike(&cmd.reporting, &Reporting::default());
        let Command::Compare(compare) = typed(&["compare", "x"]) else {
            panic!("another subcommand")
        };
        assert_alike(&compare.comparison, &Comparison::default());
    }
}
