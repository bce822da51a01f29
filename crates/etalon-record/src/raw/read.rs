//! The reader: a stream of lines becomes a run set of a dataset.
//!
//! Owns the order of things (header first, then lines in any order as long as what they refer to came before), what a
//! bad line does, and the way from observations to rows. Refuses to hold the file in memory: a few pieces of it are, in
//! buffers that are used again (`ahead`). Opening files is [`mod@crate::open`]'s.

use std::borrow::Cow;
use std::io::{self, BufRead};
use std::sync::Arc;

use etalon_core::dataset::{Dataset, Full, RunSetId};
use etalon_core::run_set::End;
use serde::Deserialize;

use super::builder::Builder;
use super::error::os_reason;
use super::json::json_reason;
use super::notes::{Remarks, clipped};
use super::piece::{Piece, Taken};
use super::refused::Refused;
use super::wire::EndWire;
use super::{FORMAT, LONGEST_LINE, ReadError, Strictness, VERSION};
use crate::ahead::{self, Ahead};
use crate::inputs::Input;
use crate::lines::{self, Line};
use crate::raw::benchmark::BenchmarkLine;
use crate::raw::header::HeaderLine;

/// Reads a record into a dataset of its own. `source` names it in errors and notes.
///
/// # Errors
/// As [`read_into`].
pub fn read(
    reader: impl BufRead + Send,
    source: &str,
    strictness: Strictness,
) -> Result<Dataset, ReadError> {
    let mut data = Dataset::default();
    read_into(&mut data, reader, &Input::unlabelled(source), strictness)?;
    data.shrink_to_fit();
    Ok(data)
}

/// Adds a record to a dataset as its next run set, named so in errors and notes, and labelled so beside
/// others; its index.
///
/// Linear in the input; holds one line and the rows. Lines that cannot be used become notes;
/// with [`Strictness::Strict`] the first one is an error. A last line without a newline that does
/// not parse was in flight when its writer was killed: always a note.
///
/// # Errors
/// If the stream cannot be read, is not an etalon record, is a newer version, or holds a second
/// record. What was read by then is in the dataset.
pub fn read_into(
    data: &mut Dataset,
    reader: impl BufRead + Send,
    input: &Input,
    strictness: Strictness,
) -> Result<RunSetId, ReadError> {
    read_on(Manner::default(), data, reader, input, strictness)
}

/// The parts of a record that are kept, and the threads it is read on.
#[derive(Debug, Clone, Copy)]
pub(super) struct Manner<'m> {
    /// Metrics whose values are kept, where not all are.
    pub(super) kept: Option<&'m [String]>,
    /// Threads beside this one; what is read does not depend on them.
    pub(super) threads: usize,
}

impl Default for Manner<'_> {
    fn default() -> Self {
        Manner { kept: None, threads: ahead::threads() }
    }
}

/// Reads a record in a manner.
pub(super) fn read_on(
    manner: Manner<'_>,
    data: &mut Dataset,
    mut reader: impl BufRead + Send,
    input: &Input,
    strictness: Strictness,
) -> Result<RunSetId, ReadError> {
    let source = input.path.as_str();
    let full = |Full| ReadError::full(source);
    let mut buffer = Vec::new();
    let first = lines::next(&mut reader, &mut buffer, LONGEST_LINE);
    let first = first.map_err(|error| failed(source, 1, &error))?;
    let header = read_header(&first, &buffer, source)?;
    let mut builder = Builder::new(data, input, header).map_err(full)?;
    if let Some(kept) = manner.kept {
        builder = builder.keeping(kept.to_vec());
    }
    let remarks = Remarks::default();
    let mut reading = Reading { source, strictness, data, builder, remarks, lines: 1 };
    std::thread::scope(|scope| {
        let keys = Arc::clone(reading.builder.keys());
        let mut ahead = Ahead::new(scope, manner.threads, reader, keys);
        while let Some(mut piece) = ahead.next() {
            reading.piece(&mut piece)?;
            ahead.give_back(piece);
            ahead.now_known(reading.builder.keys());
        }
        Ok(())
    })?;
    let Reading { data, builder, remarks, .. } = reading;
    match remarks.all_refused().filter(|_| !builder.has_observations()) {
        Some(why) => Err(ReadError::NothingUsable { source: source.to_owned(), why }),
        None => builder.finish(data, remarks).map_err(full),
    }
}

fn failed(source: &str, line: u64, error: &io::Error) -> ReadError {
    ReadError::Io { source: source.to_owned(), line, why: os_reason(error) }
}

/// A record that is being read.
struct Reading<'r> {
    source: &'r str,
    strictness: Strictness,
    data: &'r mut Dataset,
    builder: Builder,
    remarks: Remarks,
    /// Lines taken.
    lines: u64,
}

impl Reading<'_> {
    /// Takes the lines of a piece.
    fn piece(&mut self, piece: &mut Piece) -> Result<(), ReadError> {
        for (kind, line) in piece.take() {
            self.lines += 1;
            let taken = match line {
                Taken::Plain(observed, values) => {
                    self.builder.observed(self.data, observed, values, &mut self.remarks)
                }
                Taken::Other(line) => {
                    take(&kind, line, self.data, &mut self.builder, &mut self.remarks)
                }
            };
            match taken {
                Ok(()) => {}
                Err(refused) => self.refused(refused, &kind)?,
            }
        }
        match piece.failed() {
            Some(error) => Err(failed(self.source, self.lines + 1, &error)),
            None => Ok(()),
        }
    }

    /// Treats a line that is not used.
    fn refused(&mut self, refused: Refused, kind: &Line) -> Result<(), ReadError> {
        let (source, line) = (self.source.to_owned(), self.lines);
        match (refused, self.strictness) {
            (Refused::SecondHeader, _) => return Err(ReadError::SecondHeader { source, line }),
            (Refused::BlockOfTwo { block, nodes: [first, second] }, _) => {
                return Err(ReadError::BlockOfTwo { source, line, block, first, second });
            }
            (Refused::Line(_), _) if *kind == Line::Last => self.remarks.torn(line),
            (Refused::Line(reason), Strictness::Lenient) => self.remarks.bad_line(line, reason),
            (Refused::Line(reason), Strictness::Strict) => {
                return Err(ReadError::BadLine { source, line, reason });
            }
        }
        Ok(())
    }
}

/// How the writer starts an observation; other spellings take the general way.
const OBSERVATION: &str = "{\"type\":\"observation\",";

/// Takes one line after the header.
pub(super) fn take(
    kind: &Line,
    bytes: &[u8],
    data: &mut Dataset,
    builder: &mut Builder,
    remarks: &mut Remarks,
) -> Result<(), Refused> {
    if *kind == Line::TooLong {
        return Err(Refused::Line(format!("it is longer than {LONGEST_LINE} bytes")));
    }
    let line = std::str::from_utf8(bytes)
        .map_err(|error| format!("not UTF-8 at byte {}", error.valid_up_to() + 1))?;
    if line.starts_with(OBSERVATION) {
        return builder.observation(data, line, remarks);
    }
    if line.trim().is_empty() {
        return Err(Refused::Line("it is empty".to_owned()));
    }
    let tag: Tag<'_> = serde_json::from_str(line)?;
    match tag.r#type.as_ref() {
        "observation" => builder.observation(data, line, remarks),
        "header" => Err(Refused::SecondHeader),
        known if builder.declares(known) => builder.declaration(data, known, line),
        unknown => {
            remarks.unknown_type(unknown);
            Ok(())
        }
    }
}

/// A line's type; the rest is not looked at.
#[derive(Deserialize)]
struct Tag<'a> {
    #[serde(borrow)]
    r#type: Cow<'a, str>,
}

/// The keys that tell a header from other JSON.
#[derive(Deserialize)]
struct Signature {
    r#type: String,
    format: String,
    version: Option<serde_json::Number>,
}

/// Reads a record's first line, given with its newline if it has one.
///
/// # Errors
/// If it is not a header this version reads.
pub(crate) fn parse_header(bytes: &[u8], source: &str) -> Result<HeaderLine, ReadError> {
    match bytes.strip_suffix(b"\n") {
        Some(line) => read_header(&Line::Whole, line, source),
        None if bytes.is_empty() => read_header(&Line::None, bytes, source),
        None => read_header(&Line::Last, bytes, source),
    }
}

/// A benchmark line, if this is one.
pub(crate) fn parse_benchmark(line: &[u8]) -> Option<BenchmarkLine> {
    let tag: Tag<'_> = serde_json::from_slice(line).ok()?;
    (tag.r#type == "benchmark").then(|| serde_json::from_slice(line).ok())?
}

/// An end line, if this is one.
pub(crate) fn parse_end(line: &[u8]) -> Option<End> {
    let tag: Tag<'_> = serde_json::from_slice(line).ok()?;
    if tag.r#type != "end" {
        return None;
    }
    serde_json::from_slice::<EndWire>(line).ok().map(End::from)
}

/// Reads the first line.
fn read_header(kind: &Line, bytes: &[u8], source: &str) -> Result<HeaderLine, ReadError> {
    let source = source.to_owned();
    if *kind == Line::None {
        return Err(ReadError::Empty { source });
    }
    let not_a_record = |source| ReadError::NotARecord { source, found: describe(bytes) };
    let Ok(line) = std::str::from_utf8(bytes) else {
        return Err(not_a_record(source));
    };
    let signature = match serde_json::from_str::<Signature>(line) {
        Ok(s) if s.r#type == "header" && s.format == FORMAT => s,
        _ if *kind == Line::Last && starts_like_a_header(line) => {
            return Err(ReadError::TornHeader { source });
        }
        _ => return Err(not_a_record(source)),
    };
    let header = |reason: String| ReadError::Header { source: source.clone(), reason };
    match signature.version.as_ref().and_then(serde_json::Number::as_u64) {
        None | Some(0) => return Err(header("`version` is not a whole number from 1".to_owned())),
        Some(version) if version > u64::from(VERSION) => {
            return Err(ReadError::TooNew { source, version });
        }
        Some(_) => {}
    }
    serde_json::from_str(line).map_err(|error| header(json_reason(&error)))
}

/// Whether this can be the beginning of a header line as etalon writes it.
fn starts_like_a_header(line: &str) -> bool {
    const HEADER: &str = "{\"type\":\"header\",\"format\":\"etalon\",";
    line.starts_with(HEADER) || HEADER.starts_with(line)
}

/// A description of a source's beginning, for an error.
pub(crate) fn describe(bytes: &[u8]) -> String {
    let line = bytes.split(|b| *b == b'\n').next().unwrap_or(bytes);
    let cut = &line[..line.len().min(400)];
    let text = match std::str::from_utf8(cut) {
        Ok(text) => text,
        // Cut within a character: the part before it is text.
        Err(error) if error.error_len().is_none() && cut.len() < line.len() => {
            std::str::from_utf8(&cut[..error.valid_up_to()]).unwrap_or("")
        }
        Err(_) => return binary(bytes),
    };
    if text.contains('\0') {
        return binary(bytes);
    }
    format!("its first line is `{}`", clipped(text))
}

fn binary(bytes: &[u8]) -> String {
    let hex: Vec<String> = bytes.iter().take(4).map(|b| format!("{b:02x}")).collect();
    format!("it is binary (it starts with the bytes {})", hex.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A record of several pieces in which lines of every kind stand between plain ones.
    fn record() -> String {
        let mut record = String::from(concat!(
            r#"{"type":"header","format":"etalon","version":1,"id":"x","tool":"t","argv":[],"context":{}}"#,
            "\n",
            r#"{"type":"metric","name":"wall","unit":"ns","direction":"lower","kind":"noisy"}"#,
            "\n",
            r#"{"type":"benchmark","name":"a"}"#,
            "\n",
        ));
        for block in 0..9_000 {
            let extra = match block % 3_000 {
                7 => "\n".to_owned(),
                11 => "{\"type\":\"observation\",\"benchmark\":5,\"values\":{\"wall\":1}}\n".to_owned(),
                13 => "{\"type\":\"novelty\"}\n".to_owned(),
                17 => format!("{}\n", "long".repeat(100_000)),
                19 => "{\"type\":\"observation\",\"benchmark\":0,\"outcome\":{\"failed\":1},\"values\":{}}\n".to_owned(),
                23 => "{\"type\":\"observation\",\"benchmark\":0,\"values\":{\"later\":1}}\n".to_owned(),
                29 => format!(
                    "{{\"type\":\"metric\",\"name\":\"m{block}\",\"unit\":\"B\",\"direction\":\"lower\",\"kind\":\"exact\"}}\n"
                ),
                31 if block > 3_000 => format!(
                    "{{\"type\":\"observation\",\"benchmark\":0,\"block\":{block},\"values\":{{\"m3029\":{block}}}}}\n"
                ),
                _ => String::new(),
            };
            record.push_str(&extra);
            let wall = block * 7919 % 1009;
            record.push_str(&format!(
                "{{\"type\":\"observation\",\"benchmark\":0,\"block\":{block},\"at\":{block},\"values\":{{\"wall\":{wall}}}}}\n"
            ));
        }
        record
    }

    /// All that a reader says of bytes.
    fn said(threads: usize, bytes: &[u8], strictness: Strictness) -> String {
        let mut data = Dataset::default();
        let input = Input::unlabelled("r");
        let manner = Manner { kept: None, threads };
        let read = read_on(manner, &mut data, bytes, &input, strictness);
        let Dataset { run_sets, benchmarks, schemas, series, rows, values, problems, .. } = data;
        format!("{:?}", (read, run_sets, benchmarks, schemas, series, rows, values, problems))
    }

    /// Would catch lines that change their order, their numbers or their meaning on the way through threads.
    #[test]
    fn a_record_is_the_same_however_many_threads_read_it() {
        let record = record();
        let torn = &record[..record.len() - 9];
        let second = record.replacen("{\"type\":\"novelty\"}", record.lines().next().unwrap(), 3);
        for text in [&record, torn, &second] {
            for strictness in [Strictness::Lenient, Strictness::Strict] {
                let alone = said(0, text.as_bytes(), strictness);
                assert!(alone == said(1, text.as_bytes(), strictness));
                assert!(alone == said(3, text.as_bytes(), strictness));
            }
        }
        let lenient = said(2, torn.as_bytes(), Strictness::Lenient);
        for expected in ["line 11 is left out: it is empty", "in flight", "3 of `novelty`"] {
            assert!(lenient.contains(expected), "{expected}: {}", &lenient[..2000]);
        }
        assert!(said(2, second.as_bytes(), Strictness::Lenient).contains("SecondHeader"));
    }

    /// Would catch lines that are lost before the place where reading fails, and a wrong place.
    #[test]
    fn what_was_read_before_a_failure_is_there() {
        struct Fails;
        impl io::Read for Fails {
            fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
                Err(io::Error::other("gone"))
            }
        }
        let record = record();
        let cut = record.len() - 9;
        let mut data = Dataset::default();
        let reader = io::BufReader::new(io::Read::chain(&record.as_bytes()[..cut], Fails));
        let input = Input::unlabelled("r");
        let manner = Manner { kept: None, threads: 2 };
        let error = read_on(manner, &mut data, reader, &input, Strictness::Lenient);
        let error = error.unwrap_err();
        let line = record.lines().count() as u64;
        assert_eq!(error, failed("r", line, &io::Error::other("gone")));
        assert_eq!(data.len(), 9_000 - 1 + 3 + 2);
    }
}
