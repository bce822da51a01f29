//! The index: what listings need of finished runs, so that their records are not opened.
//!
//! Owns the file `index`: after a first line that names its version, a line for each finished run that somebody has looked at,
//! each with a sum over itself. It is a cache: a line counts only if it is whole and its record has still the size and the time of
//! change that it had; of several of one run the last counts. Everything else is looked at again, and the file can be
//! removed at any time. Refuses to fail.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, BufReader};
use std::os::unix::fs::FileExt;
use std::path::Path;

use etalon_core::model::Answer;
use etalon_core::run_set::End;
use serde::{Deserialize, Serialize};

use super::journal::Journal;
use super::saved::Stamp;
use super::{AnswerOf, Saved, State, Store, Summary};
use crate::lines::{self, Line};
use crate::raw::EndWire;

/// The first line. Another version's lines are none of ours.
const FIRST: &[u8] = b"etalon index 2\n";
/// The longest line that is read. Because: a record's first benchmarks have 64 KiB, and memory has to stay bounded.
const LONGEST: u64 = 1 << 20;
/// The digits of a line's sum, and the space behind them.
const SUM: usize = 17;
/// So many more lines than twice the runs, and the file is written again without those that no longer count.
const SLACK: usize = 1000;

/// The index as it was when it was read.
#[derive(Debug, Default)]
pub(super) struct Index {
    file: Option<File>,
    /// Where the last line of an id stands, by the hash of the id.
    places: HashMap<u64, (u64, usize)>,
    lines: usize,
}

/// A run as its line has it.
#[derive(Serialize, Deserialize)]
struct Wire {
    id: String,
    stamp: Stamp,
    run: Summary,
    end: EndWire,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    answer: Option<(AnswerOf, Option<String>, String)>,
}

impl Store {
    /// The index of this store.
    pub(super) fn index(&self) -> Index {
        let Some(file) = self.index_file().open() else { return Index::default() };
        Index::read(&file).map_or_else(|_| Index::default(), |it| Index { file: Some(file), ..it })
    }

    /// Adds lines, each made by [`line_of`].
    pub(super) fn add_to_index(&self, lines: &[u8]) {
        let _looked_at_again = self.try_to_add(lines);
    }

    fn try_to_add(&self, lines: &[u8]) -> io::Result<()> {
        let journal = self.index_file();
        let locked = journal.lock()?;
        let mut first = [0; FIRST.len()];
        if locked.file().read_exact_at(&mut first, 0).is_ok() && first == FIRST {
            return locked.append(lines);
        }
        locked.replace(|out| out.write_all(FIRST).and_then(|()| out.write_all(lines)))
    }

    /// Writes it again without lines that no longer count, if these are many.
    pub(super) fn tidy_index(&self, index: &Index, ids: &[&str]) {
        if index.lines > 2 * ids.len() + SLACK {
            let _stays_as_it_is = self.try_to_tidy(ids);
        }
    }

    fn try_to_tidy(&self, ids: &[&str]) -> io::Result<()> {
        let journal = self.index_file();
        let locked = journal.lock()?;
        let index = Index { file: Some(locked.file().try_clone()?), ..Index::read(locked.file())? };
        locked.replace(|out| {
            out.write_all(FIRST)?;
            for line in ids.iter().filter_map(|id| index.line(id)) {
                out.write_all(&line)?;
                out.write_all(b"\n")?;
            }
            Ok(())
        })
    }

    fn index_file(&self) -> Journal {
        Journal::at(self.home().join("index"))
    }
}

impl Index {
    /// Reads where lines stand; none, if they are of another version.
    fn read(file: &File) -> io::Result<Index> {
        let mut reader = BufReader::with_capacity(256 * 1024, file);
        let mut index = Index::default();
        let mut line = Vec::new();
        let mut at = 0;
        loop {
            let found = lines::next(&mut reader, &mut line, LONGEST)?;
            let length = match found {
                Line::None => return Ok(index),
                // None of ours is: what stands behind it is looked at again, and the file written again.
                Line::TooLong => return Ok(Index { lines: usize::MAX, ..index }),
                Line::Whole | Line::Last => line.len(),
            };
            if at == 0 && line != FIRST.trim_ascii_end() {
                return Ok(Index::default());
            }
            if let Some(id) = id_in(&line) {
                index.places.insert(sum(id), (at, length));
            }
            index.lines += 1;
            at += length as u64 + 1;
        }
    }

    /// The whole line of an id.
    fn line(&self, id: &str) -> Option<Vec<u8>> {
        let (at, length) = *self.places.get(&sum(id.as_bytes()))?;
        let mut line = vec![0; length];
        self.file.as_ref()?.read_exact_at(&mut line, at).ok()?;
        let (head, body) = line.split_at_checked(SUM)?;
        (head == spelled(body).as_bytes() && id_in(&line)? == id.as_bytes()).then_some(line)
    }

    /// A finished run whose record has this stamp, if the index has it.
    pub(super) fn find(&self, id: &str, path: &Path, stamp: Stamp) -> Option<Saved> {
        let line = self.line(id)?;
        let wire: Wire = serde_json::from_slice(&line[SUM..]).ok()?;
        if wire.stamp != stamp {
            return None;
        }
        let answer = wire.answer.map(|(of, about, text)| (of, Answer { about, text }));
        Some(Saved {
            bytes: Some(stamp.bytes),
            state: State::Complete,
            summary: Some(wire.run),
            end: Some(End::from(wire.end)),
            answer,
            ..Saved::named(wire.id, path.to_owned())
        })
    }
}

/// The line of a run, where it is finished.
pub(super) fn line_of(saved: &Saved, stamp: Stamp) -> Option<Vec<u8>> {
    let (State::Complete, Some(end), Some(run)) = (&saved.state, &saved.end, &saved.summary) else {
        return None;
    };
    let answer = saved.answer.clone();
    let wire = Wire {
        id: saved.id.clone(),
        stamp,
        run: run.clone(),
        end: EndWire::from(end),
        answer: answer.map(|(of, Answer { about, text })| (of, about, text)),
    };
    let body = serde_json::to_vec(&wire).ok()?;
    let fits = ((body.len() + SUM) as u64) < LONGEST;
    fits.then(|| [spelled(&body).as_bytes(), &body, b"\n"].concat())
}

/// The id in a line.
fn id_in(line: &[u8]) -> Option<&[u8]> {
    let id = line.get(SUM..)?.strip_prefix(b"{\"id\":\"")?;
    id.split(|byte| *byte == b'"').next()
}

/// A line's sum as it stands before it.
fn spelled(body: &[u8]) -> String {
    format!("{:016x} ", sum(body))
}

/// FNV-1a, 64 bits: tells a damaged line from a whole one, and ids from each other.
fn sum(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |sum, byte| {
        (sum ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
    })
}
