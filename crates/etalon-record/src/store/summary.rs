//! What listings need of a run: who it measured, how it was started, and where.
//!
//! Owns which facts of a record these are. Refuses everything that takes reading what was measured.

use std::path::Path;

use etalon_core::dataset::MACHINE;
use etalon_core::dataset::history::COMMIT;
use etalon_core::model::{self, BUILD, SIDE};
use serde::{Deserialize, Serialize};

use crate::raw::HeaderLine;
use crate::raw::benchmark::BenchmarkLine;
use crate::text::Text;

/// Which comparisons an answer is made of: those that the report of its run shows.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AnswerOf {
    /// Benchmarks ranked.
    #[default]
    Ranking,
    /// Tables: of two sides, of an experiment file, of Go benchmarks.
    Tables,
}

impl AnswerOf {
    pub(super) fn is_ranking(&self) -> bool {
        *self == AnswerOf::Ranking
    }
}

/// What the first lines of a record say, as far as listings need it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Summary {
    /// When it started, as its header says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub started: Option<String>,
    /// The command line.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub argv: Vec<Text>,
    /// The facts that tell machines apart, in the order of [`MACHINE`].
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub machine: Vec<Option<String>>,
    /// The commit that it measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub commit: Option<String>,
    /// The path of its experiment file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub experiment: Option<String>,
    /// What its report is made of.
    #[serde(default, skip_serializing_if = "AnswerOf::is_ranking")]
    pub report: AnswerOf,
    /// Its benchmarks, as far as they stand at its beginning.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub subjects: Vec<Subject>,
}

/// A benchmark of a run.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Subject {
    /// Its name, without parameters.
    pub name: String,
    /// What reports call it, where that is not its name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    label: Option<String>,
    /// What a list calls it, where that is not its label: its file, or both sides as one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    brief: Option<String>,
    /// The command as it was typed, where that is not its name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    command: Option<String>,
    /// The file that declares it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
}

impl Summary {
    pub(super) fn new(header: &HeaderLine, benchmarks: &[BenchmarkLine]) -> Summary {
        let has_tables =
            header.sides().is_some() || header.experiment.is_some() || header.harness().is_some();
        let has_tables = has_tables || header.bisection.is_some();
        let has_sides = header.sides().is_some() || header.bisection.is_some();
        Summary {
            started: header.started.clone(),
            argv: header.argv.clone(),
            machine: MACHINE.iter().map(|key| header.context.get(*key).cloned()).collect(),
            commit: header.context.get(COMMIT).cloned(),
            experiment: header.experiment.as_ref().map(|file| file.path.clone()),
            report: if has_tables { AnswerOf::Tables } else { AnswerOf::Ranking },
            subjects: benchmarks.iter().map(|line| Subject::new(line, has_sides)).collect(),
        }
    }
}

impl Subject {
    fn new(line: &BenchmarkLine, has_sides: bool) -> Subject {
        let mut benchmark = line.to_benchmark();
        let label = benchmark.label();
        let file = line.case.as_ref().map(|case| case.file.clone());
        let brief = match &file {
            Some(file) => {
                let name = Path::new(file).file_name().unwrap_or_default();
                name.to_string_lossy().into_owned()
            }
            None if has_sides => {
                benchmark
                    .key
                    .params
                    .retain(|(name, _)| ![SIDE, BUILD, model::COMMIT].contains(&&**name));
                benchmark.label()
            }
            None => label.clone(),
        };
        let name = line.name.clone();
        let command = line.command.as_ref().map(|text| text.to_string_lossy().into_owned());
        Subject {
            brief: Some(brief).filter(|brief| *brief != label),
            command: command.filter(|command| *command != name),
            label: Some(label).filter(|label| *label != name),
            name,
            file,
        }
    }

    /// What reports call it.
    #[must_use]
    pub fn label(&self) -> &str {
        self.label.as_ref().unwrap_or(&self.name)
    }

    /// What a list calls it: the name of its file, or one name for both sides.
    #[must_use]
    pub fn brief(&self) -> &str {
        self.brief.as_deref().unwrap_or_else(|| self.label())
    }

    /// The command as it was typed, or its name where that is the same or no command is known.
    #[must_use]
    pub fn command(&self) -> &str {
        self.command.as_ref().unwrap_or(&self.name)
    }
}
