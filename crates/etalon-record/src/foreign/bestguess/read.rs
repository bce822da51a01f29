//! Reading a raw file: records become rows.
//!
//! Owns the choice between the readings of a record, what a bad one does, and the notes on what
//! the file does not say. Refuses to hold the file in memory: a window and the columns. What a row
//! means is [`super::row`]'s.

use std::io::{self, BufRead};

use etalon_core::dataset::{Dataset, Full, RunSetId};

use super::header::Header;
use super::row::{Bad, Row, Rows, Rss};
use super::split::{Fault, Field, Quotes, Split, split};
use super::window::{LONGEST_RECORD, Window};
use crate::inputs::Input;
use crate::raw::{ReadError, Remarks, Strictness, describe, os_reason};

/// Adds a raw file to a dataset as its next run set, named so in errors and notes, and labelled so beside
/// others; its index.
///
/// Linear in the input; holds a window of at most a few MiB and the rows. Records that cannot be
/// used become notes; with [`Strictness::Strict`] the first one is an error. A last line without end
/// that is no record was in flight when its writer ended: always a note.
///
/// # Errors
/// If the stream cannot be read, does not start with a header, or holds a second one. What was read by
/// then is in the dataset.
pub fn read_into(
    data: &mut Dataset,
    reader: impl BufRead,
    input: &Input,
    rss: Rss,
    strictness: Strictness,
) -> Result<RunSetId, ReadError> {
    let source = input.path.as_str();
    let full = |Full| ReadError::full(source);
    let mut window = Window::new(reader);
    let mut fields = Vec::new();
    let header = read_header(&mut window, &mut fields, source)?;
    let mut rows = Rows::new(data, input, header, rss).map_err(full)?;
    let mut remarks = Remarks::default();
    loop {
        let next = next(&mut window, &rows, &mut fields).map_err(io_error(source, window.line))?;
        let line = window.line;
        let bad = match next {
            Next::End => break,
            Next::Record { length, quotes } => {
                let bytes = &window.bytes()[..length];
                if !bytes.ends_with(b"\n") {
                    remarks.doubtful(line, NO_END.to_owned());
                }
                let row = Row { bytes, fields: &fields, quotes, line };
                let taken = rows.take(&row, strictness, &mut remarks);
                window.pass(length);
                taken.err()
            }
            Next::Bad(_) if window.ends && !window.bytes().contains(&b'\n') => {
                remarks.torn(line);
                break;
            }
            Next::Bad(reason) => {
                window.pass_line().map_err(io_error(source, line))?;
                Some(Bad::Line(reason))
            }
        };
        if let Some(bad) = bad {
            refuse(bad, line, source, strictness, &mut remarks)?;
        }
    }
    match remarks.all_refused().filter(|_| rows.is_empty()) {
        Some(why) => Err(ReadError::NothingUsable { source: source.to_owned(), why }),
        None => rows.finish(remarks).map_err(full),
    }
}

const NO_END: &str = "the last one, has no end of line; if the file was cut there, its last number \
                      was, too";

/// Notes a bad record, or ends reading with it.
fn refuse(
    bad: Bad,
    line: u64,
    source: &str,
    strictness: Strictness,
    remarks: &mut Remarks,
) -> Result<(), ReadError> {
    let source = source.to_owned();
    match (bad, strictness) {
        (Bad::Header, _) => Err(ReadError::SecondHeader { source, line }),
        (Bad::Batch(batch), _) => Err(ReadError::BatchAgain { source, line, batch }),
        (Bad::Line(reason), Strictness::Strict) => Err(ReadError::BadLine { source, line, reason }),
        (Bad::Line(reason), Strictness::Lenient) => {
            remarks.bad_line(line, reason);
            Ok(())
        }
    }
}

fn io_error(source: &str, line: u64) -> impl Fn(io::Error) -> ReadError {
    move |error| ReadError::Io { source: source.to_owned(), line, why: os_reason(&error) }
}

/// Reads the first record as the header.
fn read_header(
    window: &mut Window<impl BufRead>,
    fields: &mut Vec<Field>,
    source: &str,
) -> Result<Header, ReadError> {
    loop {
        match split(window.bytes(), window.ends, Quotes::Doubled, fields) {
            Split::More if window.grow().map_err(io_error(source, 1))? => {}
            Split::Record(length) if !window.bytes().is_empty() => {
                let header = Header::new(window.bytes(), fields)
                    .map_err(|reason| ReadError::Columns { source: source.to_owned(), reason })?;
                window.pass(length);
                return Ok(header);
            }
            _ if window.bytes().is_empty() => {
                return Err(ReadError::Empty { source: source.to_owned() });
            }
            _ => {
                let found = describe(window.bytes());
                return Err(ReadError::NotARecord { source: source.to_owned(), found });
            }
        }
    }
}

/// The next part of the window.
enum Next {
    /// Nothing.
    End,
    /// A record of so many bytes.
    Record {
        length: usize,
        /// The reading in which it is one.
        quotes: Quotes,
    },
    /// A line that is none.
    Bad(String),
}

/// Finds the next record: in the reading that gives it as many fields as the header has, the one
/// with doubled quotes first.
fn next(
    window: &mut Window<impl BufRead>,
    rows: &Rows<'_>,
    fields: &mut Vec<Field>,
) -> io::Result<Next> {
    loop {
        if window.bytes().is_empty() && window.ends {
            return Ok(Next::End);
        }
        let (bytes, ends) = (window.bytes(), window.ends);
        let first = split(bytes, ends, Quotes::Doubled, fields);
        if let Some(next) = usable(first, Quotes::Doubled, bytes, rows, fields) {
            return Ok(next);
        }
        let found = fields.len();
        if first != Split::More {
            let second = split(bytes, ends, Quotes::Backslash, fields);
            if let Some(next) = usable(second, Quotes::Backslash, bytes, rows, fields) {
                return Ok(next);
            }
            if second != Split::More {
                return Ok(Next::Bad(reason(first, found, bytes, rows)));
            }
        }
        if !window.grow()? {
            return Ok(Next::Bad(match window.bytes().contains(&b'\n') {
                true => Fault::Unclosed.text().to_owned(),
                false => format!("it is longer than {LONGEST_RECORD} bytes"),
            }));
        }
    }
}

/// A record that fits the header.
fn usable(
    found: Split,
    quotes: Quotes,
    bytes: &[u8],
    rows: &Rows<'_>,
    fields: &mut Vec<Field>,
) -> Option<Next> {
    let Split::Record(length) = found else { return None };
    if !rows.header.takes(bytes, fields) || swallows(&bytes[..length], rows) {
        return None;
    }
    Some(Next::Record { length, quotes })
}

/// Whether a record of several lines has a whole row before its last line: then two lone quotes, far
/// apart, look like one field.
fn swallows(record: &[u8], rows: &Rows<'_>) -> bool {
    let mut lines = record.split_inclusive(|b| *b == b'\n').peekable();
    let mut fields = Vec::new();
    while let Some(line) = lines.next() {
        if lines.peek().is_none() {
            return false;
        }
        let is_row = matches!(split(line, true, Quotes::Doubled, &mut fields), Split::Record(_))
            && rows.header.takes(line, &mut fields)
            && rows.has_numbers(line, &fields);
        if is_row || is_row_with_a_lone_quote(line, rows, &mut fields) {
            return true;
        }
    }
    false
}

/// Whether a line is a row if its first quote is text.
fn is_row_with_a_lone_quote(line: &[u8], rows: &Rows<'_>, fields: &mut Vec<Field>) -> bool {
    let Some(quote) = line.iter().position(|b| *b == b'"') else { return false };
    let mut line = line.to_vec();
    line[quote] = b' ';
    matches!(split(&line, true, Quotes::Doubled, fields), Split::Record(_))
        && rows.header.takes(&line, fields)
        && rows.has_numbers(&line, fields)
}

/// Why no reading gives a record.
fn reason(first: Split, found: usize, bytes: &[u8], rows: &Rows<'_>) -> String {
    let wanted = rows.header.columns.len();
    match first {
        Split::Broken(fault) => fault.text().to_owned(),
        _ if bytes.starts_with(b"\n") || bytes.starts_with(b"\r\n") => "it is empty".to_owned(),
        _ if rows.header.fits(found) => Fault::Unclosed.text().to_owned(),
        _ => format!(
            "it has {found} field{}, and the header {wanted}",
            if found == 1 { "" } else { "s" }
        ),
    }
}
