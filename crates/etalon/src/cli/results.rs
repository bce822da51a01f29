//! `--results`: the command is a harness, and where its results are.

use std::path::{Component, Path, PathBuf};

use clap::Args;
use etalon_record::foreign::harness::HarnessFormat;

/// Results of a harness as typed: a format, and where they are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ResultsArg {
    /// Their format.
    pub format: HarnessFormat,
    /// Their path from the command's directory; absent for `{results}` or standard output.
    pub path: Option<PathBuf>,
}

/// The results of commands that are harnesses.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct Harness {
    /// The command is a harness: read its results in FORMAT
    ///
    /// After each execution, from the file that {results} stands for in the command or in --env, else from standard
    /// output, else from PATH in the command's directory. Every benchmark in them is a row. etalon help harnesses
    #[arg(long, value_name = "FORMAT[=PATH]", value_parser = results, help_heading = "Execution")]
    pub results: Option<ResultsArg>,
}

/// `--results`, or the key of an experiment file.
pub(crate) fn results(text: &str) -> Result<ResultsArg, String> {
    let (name, path) = match text.split_once('=') {
        Some((name, path)) => (name, Some(path)),
        None => (text, None),
    };
    if path.is_some_and(str::is_empty) {
        return Err("write a path behind `=`, or leave that out".to_owned());
    }
    let is_plain = |path: &str| {
        Path::new(path)
            .components()
            .all(|part| matches!(part, Component::Normal(_) | Component::CurDir))
    };
    if path.is_some_and(|path| !is_plain(path)) {
        return Err("write a path below the command's directory, without `..`, or have the command write to {results}".to_owned());
    }
    let names = || HarnessFormat::ALL.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ");
    let format = HarnessFormat::named(name).ok_or_else(|| format!("write one of {}", names()))?;
    Ok(ResultsArg { format, path: path.map(PathBuf::from) })
}
