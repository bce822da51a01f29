//! The front door for tables: a source of any format becomes rows of a dataset.
//!
//! Go's benchmarks are read row by row, everything else through its run set; what that says beside its
//! rows becomes problems of the dataset, so that it is told like those of Go's. What is of no known format
//! is read as Go's, which allows any line anywhere. That a file has no rows is the caller's to judge.

use std::io::{Cursor, Read};

use etalon_core::dataset::{Dataset, Full, Problem, Reason};
use etalon_core::model::{Note, RunSet};

use super::{Format, From, Opened};
use crate::foreign::go::{self, Input};
use crate::raw::{ReadError, Strictness};

impl Opened<'_> {
    /// Adds it to a dataset as its next file, `label` being what `.file` says; the file's index.
    ///
    /// # Errors
    /// As [`Opened::into_run_set`]; or if a dataset cannot hold it.
    pub fn add_to(
        self,
        data: &mut Dataset,
        label: &str,
        strictness: Strictness,
    ) -> Result<u32, ReadError> {
        let unknown = matches!(self.found, Format::Unknown { .. } | Format::Empty);
        if self.is_go() || (self.from == From::Auto && unknown) {
            return self.add_go(data, label, strictness);
        }
        let source = self.source.clone();
        let set = self.into_run_set(strictness)?;
        let file = u32::try_from(data.files.len()).unwrap_or(u32::MAX);
        let first_row = data.len();
        data.add_run_set(&set, label).map_err(|Full| {
            let reason = Reason::Full.to_string();
            ReadError::BadLine { source, line: 0, reason }
        })?;
        let lost = set.lost.clone().map(Reason::Damaged);
        let failed = failures(&set, data, first_row);
        let said = remarks(&set).chain(lost).chain(failed).collect::<Vec<_>>();
        said.into_iter().for_each(|reason| data.problems.add(Problem { file, line: None, reason }));
        Ok(file)
    }

    fn add_go(
        self,
        data: &mut Dataset,
        label: &str,
        strictness: Strictness,
    ) -> Result<u32, ReadError> {
        let Opened { source, beginning, mut text, .. } = self;
        let input = Input { path: source, label: label.to_owned() };
        let all = Cursor::new(beginning).chain(&mut text);
        let file = go::read_into(data, all, &input, strictness)?;
        if text.replaced() > 0 {
            data.problems.add(Problem { file, line: None, reason: Reason::NotUtf8 });
        }
        Ok(file)
    }
}

/// What was remarked while the run set was measured or read.
fn remarks(set: &RunSet) -> impl Iterator<Item = Reason> {
    set.notes.iter().map(|Note { about, text }| {
        let itself = *about == set.source;
        Reason::Remark(if itself { text.clone() } else { format!("{about}: {text}") })
    })
}

/// The executions of each benchmark that failed; its rows follow one another from `first_row` on.
fn failures(set: &RunSet, data: &Dataset, first_row: usize) -> impl Iterator<Item = Reason> {
    let mut row = first_row;
    set.benchmarks.iter().zip(&set.series).flat_map(move |(benchmark, series)| {
        let first = (series.rows > 0).then(|| data.rows.benchmark[row]);
        row += series.rows as usize;
        let of = series.rows as usize + series.uncounted.len();
        let name = || benchmark.key.label();
        let not_counted = Some(series.uncounted.len()).filter(|failed| *failed > 0);
        let counted = Some(series.exits.len()).filter(|failed| *failed > 0);
        [
            not_counted.map(|failed| Reason::NotCounted {
                name: name(),
                benchmark: first,
                failed,
                of,
            }),
            counted.map(|failed| Reason::Failed { name: name(), failed, of }),
        ]
        .into_iter()
        .flatten()
    })
}
