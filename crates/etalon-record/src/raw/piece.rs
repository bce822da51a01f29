//! Lines of a record that are parsed together.
//!
//! Owns what is kept of them until they are taken. Refuses to decide anything about a line: what is not of the
//! [plain form](super::plain) is left to whoever takes the piece.

use std::io::{self, BufRead};

use super::LONGEST_LINE;
use super::observation::{LineValues, Measured, ObservationLine};
use super::plain::Keys;
use crate::ahead;
use crate::lines::{self, Line, StepEnd};

/// Some lines of a record.
#[derive(Debug, Default)]
pub(super) struct Piece {
    text: Vec<u8>,
    lines: Vec<Parsed>,
    values: Vec<Measured>,
    ended: StepEnd,
}

/// A line of a piece.
#[derive(Debug)]
struct Parsed {
    /// Where it ends, with its newline.
    end: usize,
    /// The observation that it is, if it is plain, and where its values end.
    plain: Option<(ObservationLine, usize)>,
}

/// A line to be taken.
pub(super) enum Taken<'p> {
    Plain(ObservationLine, LineValues<'p>),
    /// Any line, without its newline.
    Other(&'p [u8]),
}

impl Piece {
    /// Why no more could be read behind its lines, if that failed.
    pub(super) fn failed(&mut self) -> Option<io::Error> {
        match std::mem::take(&mut self.ended) {
            StepEnd::Failed(error) => Some(error),
            _ => None,
        }
    }

    /// Its lines in order.
    pub(super) fn take(&mut self) -> impl Iterator<Item = (Line, Taken<'_>)> {
        let Piece { text, lines, values, ended } = self;
        let (text, values, ended) = (&text[..], &values[..], &*ended);
        let (mut from, mut first) = (0, 0);
        lines.drain(..).map(move |Parsed { end, plain }| {
            let bytes = &text[std::mem::replace(&mut from, end)..end];
            let (kind, bytes) = match (bytes.strip_suffix(b"\n"), ended) {
                (Some(whole), _) => (Line::Whole, whole),
                (None, StepEnd::TooLong) => return (Line::TooLong, Taken::Other(bytes)),
                (None, _) => (Line::Last, bytes),
            };
            let Some((observed, last)) = plain else { return (kind, Taken::Other(bytes)) };
            let all = &values[std::mem::replace(&mut first, last)..last];
            (kind, Taken::Plain(observed, LineValues { all, texts: &[] }))
        })
    }
}

impl ahead::Piece for Piece {
    type Declarations = Keys;

    fn fill(&mut self, reader: &mut impl BufRead) -> bool {
        self.ended = lines::several(reader, &mut self.text, LONGEST_LINE);
        !matches!(self.ended, StepEnd::End | StepEnd::Failed(_))
    }

    /// Parses the lines that are plain.
    fn parse(&mut self, keys: &Keys) {
        self.lines.clear();
        self.values.clear();
        let mut from = 0;
        while from < self.text.len() {
            let rest = &self.text[from..];
            let plain = keys.parse(rest, &mut self.values);
            let length = plain.as_ref().map_or_else(|| length_of_line(rest), |(_, length)| *length);
            from += length;
            let plain = plain.map(|(line, _)| (line, self.values.len()));
            self.lines.push(Parsed { end: from, plain });
        }
    }
}

/// The length of the first line, with its newline if it has one.
fn length_of_line(text: &[u8]) -> usize {
    text.iter().position(|byte| *byte == b'\n').map_or(text.len(), |at| at + 1)
}
