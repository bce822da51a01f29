//! The reader: a stream of lines becomes a run set of a dataset.
//!
//! Owns the order of things (header first, then lines in any order as long as what they refer to
//! came before), what a bad line does, and the way from observations to rows. Refuses to hold
//! the file in memory: one line at a time, in one buffer. Opening files is [`mod@crate::open`]'s.

use std::borrow::Cow;
use std::io::BufRead;

use etalon_core::dataset::{Dataset, Full, RunSetId};
use etalon_core::model::End;
use serde::Deserialize;

use super::builder::Builder;
use super::error::os_reason;
use super::json::json_reason;
use super::lines::{self, Line};
use super::notes::{Remarks, clipped};
use super::refused::Refused;
use super::wire::EndWire;
use super::{FORMAT, LONGEST_LINE, ReadError, Strictness, VERSION};
use crate::inputs::Input;
use crate::raw::benchmark::BenchmarkLine;
use crate::raw::header::HeaderLine;

/// Reads a record into a dataset of its own. `source` names it in errors and notes.
///
/// # Errors
/// As [`read_into`].
pub fn read(
    reader: impl BufRead,
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
    mut reader: impl BufRead,
    input: &Input,
    strictness: Strictness,
) -> Result<RunSetId, ReadError> {
    let source = input.path.as_str();
    let full = |Full| ReadError::full(source, 0);
    let mut buffer = Vec::new();
    let mut next = |number: u64, buffer: &mut Vec<u8>| {
        lines::next(&mut reader, buffer).map_err(|error| ReadError::Io {
            source: source.to_owned(),
            line: number,
            why: os_reason(&error),
        })
    };
    let first = next(1, &mut buffer)?;
    let header = read_header(&first, &buffer, source)?;
    let mut builder = Builder::new(data, input, header).map_err(full)?;
    let mut remarks = Remarks::default();
    for number in 2_u64.. {
        let kind = next(number, &mut buffer)?;
        if kind == Line::None {
            break;
        }
        match take((&kind, &buffer), data, &mut builder, &mut remarks) {
            Ok(()) => {}
            Err(Refused::SecondHeader) => {
                return Err(ReadError::SecondHeader { source: source.to_owned(), line: number });
            }
            Err(Refused::Line(_)) if kind == Line::Last => remarks.torn(number),
            Err(Refused::Line(reason)) => match strictness {
                Strictness::Lenient => remarks.bad_line(number, reason),
                Strictness::Strict => {
                    let source = source.to_owned();
                    return Err(ReadError::BadLine { source, line: number, reason });
                }
            },
        }
    }
    match remarks.all_refused().filter(|_| !builder.has_observations()) {
        Some(why) => Err(ReadError::NothingUsable { source: source.to_owned(), why }),
        None => builder.finish(data, remarks).map_err(full),
    }
}

/// How the writer starts an observation; other spellings take the general way.
const OBSERVATION: &str = "{\"type\":\"observation\",";

/// Takes one line after the header.
pub(super) fn take(
    (kind, bytes): (&Line, &[u8]),
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

/// What tells a header from other JSON.
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

/// What the beginning of a source looks like, for an error.
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
