//! Lines that are parsed together.
//!
//! Owns what is kept of them until they are taken, the ends of lines (`\n` or `\r\n`; a last line needs none) and
//! the bound on their length. Refuses to read what is no whole result: that depends on the lines around it.

use std::io::{self, BufRead};

use super::line::{self, Measurement};
use crate::ahead;
use crate::lines::{self, StepEnd};

/// The longest line that is read. Because: results take some hundred bytes; names and facts that a
/// program makes up may take more, but not a mebibyte.
pub(super) const LONGEST: usize = 1024 * 1024;

/// The length of such a line with its end.
const LONGEST_ENDED: u64 = LONGEST as u64 + 2;

/// Some lines.
#[derive(Debug, Default)]
pub(super) struct Piece {
    text: Text,
    lines: Vec<Parsed>,
    measurements: Vec<Measurement>,
    ended: StepEnd,
}

#[derive(Debug)]
enum Text {
    Utf8(String),
    Bytes(Vec<u8>),
}

impl Default for Text {
    fn default() -> Text {
        Text::Bytes(Vec::new())
    }
}

impl Text {
    fn bytes(&self) -> &[u8] {
        match self {
            Text::Utf8(text) => text.as_bytes(),
            Text::Bytes(bytes) => bytes,
        }
    }
}

/// A line of a piece.
#[derive(Debug)]
struct Parsed {
    /// Where it ends, with its end.
    end: usize,
    /// The result that it is, if it is one.
    result: Option<ParsedResult>,
}

/// A result in its line.
#[derive(Debug)]
struct ParsedResult {
    /// Where its name ends.
    name: usize,
    iterations: i64,
    /// Where its measurements end, among those of the piece.
    last: usize,
}

/// A line to be taken, without its end.
pub(super) enum Taken<'p> {
    Result { text: &'p str, name: &'p str, iterations: i64, measurements: &'p [Measurement] },
    Other(&'p [u8]),
    TooLong,
}

impl Piece {
    /// Its lines in order.
    pub(super) fn take(&mut self) -> impl Iterator<Item = Taken<'_>> {
        let Piece { text, lines, measurements, ended } = self;
        let (text, measurements, ended) = (&*text, &measurements[..], &*ended);
        let (mut from, mut first) = (0, 0);
        lines.drain(..).map(move |Parsed { end, result }| {
            let begin = std::mem::replace(&mut from, end);
            if let (Some(found), Text::Utf8(text)) = (result, text) {
                let text = without_end(&text[begin..end]);
                let name = &text[line::PREFIX.len()..found.name];
                let own = std::mem::replace(&mut first, found.last)..found.last;
                let measurements = &measurements[own];
                return Taken::Result { text, name, iterations: found.iterations, measurements };
            }
            let line = &text.bytes()[begin..end];
            let is_cut = matches!(ended, StepEnd::TooLong) && !line.ends_with(b"\n");
            let line = line.strip_suffix(b"\n").unwrap_or(line);
            let line = line.strip_suffix(b"\r").unwrap_or(line);
            if is_cut || line.len() > LONGEST { Taken::TooLong } else { Taken::Other(line) }
        })
    }

    /// Whether its last line is the last of all and has no end.
    pub(super) fn is_unended(&self) -> bool {
        matches!(self.ended, StepEnd::End) && !self.text.bytes().ends_with(b"\n")
    }

    /// Why no more could be read behind its lines, if that failed.
    pub(super) fn failed(&mut self) -> Option<io::Error> {
        match std::mem::take(&mut self.ended) {
            StepEnd::Failed(error) => Some(error),
            _ => None,
        }
    }
}

fn without_end(line: &str) -> &str {
    let line = line.strip_suffix('\n').unwrap_or(line);
    line.strip_suffix('\r').unwrap_or(line)
}

impl ahead::Piece for Piece {
    type Declarations = ();

    fn fill(&mut self, reader: &mut impl BufRead) -> bool {
        let mut bytes = match std::mem::take(&mut self.text) {
            Text::Utf8(text) => text.into_bytes(),
            Text::Bytes(bytes) => bytes,
        };
        self.ended = lines::several(reader, &mut bytes, LONGEST_ENDED);
        self.text = Text::Bytes(bytes);
        !matches!(self.ended, StepEnd::End | StepEnd::Failed(_))
    }

    /// Finds the lines, and of a text that is UTF-8 what the results say.
    fn parse(&mut self, (): &()) {
        let Piece { text, lines, measurements, .. } = self;
        lines.clear();
        measurements.clear();
        if let Text::Bytes(bytes) = text {
            *text = match String::from_utf8(std::mem::take(bytes)) {
                Ok(text) => Text::Utf8(text),
                Err(error) => Text::Bytes(error.into_bytes()),
            };
        }
        let mut end = 0;
        match text {
            Text::Utf8(text) => {
                let mut ends = memchr::memchr_iter(b'\n', text.as_bytes()).map(|at| at + 1);
                while end < text.len() {
                    let begin = std::mem::replace(&mut end, ends.next().unwrap_or(text.len()));
                    lines.push(Parsed { end, result: result(&text[begin..end], measurements) });
                }
            }
            Text::Bytes(bytes) => {
                for line in bytes.split_inclusive(|byte| *byte == b'\n') {
                    end += line.len();
                    lines.push(Parsed { end, result: None });
                }
            }
        }
    }
}

/// The result in a line, if it is one; its measurements are added.
fn result(line: &str, measurements: &mut Vec<Measurement>) -> Option<ParsedResult> {
    if !line.starts_with(line::PREFIX) || line.len() > LONGEST {
        return None;
    }
    match line::read(without_end(line), measurements) {
        line::Line::Result { name, iterations } => {
            let (name, last) = (line::PREFIX.len() + name.len(), measurements.len());
            Some(ParsedResult { name, iterations, last })
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ahead::Piece as _;
    use proptest::prelude::*;
    use std::io::BufReader;

    /// Every line of a text that is read through a buffer of this size; none for one that is too long.
    fn lines(text: &[u8], buffer: usize) -> Vec<Option<Vec<u8>>> {
        let mut all = Vec::new();
        let mut reader = BufReader::with_capacity(buffer, text);
        let mut piece = Piece::default();
        loop {
            let more = piece.fill(&mut reader);
            piece.parse(&());
            all.extend(piece.take().map(|line| match line {
                Taken::Result { text, .. } => Some(text.as_bytes().to_vec()),
                Taken::Other(line) => Some(line.to_vec()),
                Taken::TooLong => None,
            }));
            if !more {
                return all;
            }
        }
    }

    proptest! {
        /// Would catch a line that is lost, joined or cut where a buffer ends.
        #[test]
        fn lines_do_not_depend_on_the_buffer(text in "[ab\n\r]{0,40}", buffer in 1_usize..9) {
            let mut expected: Vec<&str> = text.split('\n').collect();
            if expected.last() == Some(&"") {
                expected.pop();
            }
            let expected = expected.iter().map(|line| {
                Some(line.strip_suffix('\r').unwrap_or(line).as_bytes().to_vec())
            });
            prop_assert_eq!(lines(text.as_bytes(), buffer), expected.collect::<Vec<_>>());
        }
    }

    #[test]
    fn a_line_too_long_is_one_line() {
        let mut text = vec![b'x'; LONGEST + 1];
        text.extend_from_slice(b"\nnext\r\n");
        text.extend(vec![b'z'; 3 * LONGEST]);
        text.extend_from_slice(b"\n");
        text.extend(vec![b'y'; LONGEST]);
        let all = lines(&text, 4096);
        assert_eq!((all.len(), &all[0], &all[1]), (4, &None, &Some(b"next".to_vec())));
        assert_eq!((&all[2], all[3].as_ref().map(Vec::len)), (&None, Some(LONGEST)));
        text.push(b'y');
        assert_eq!(lines(&text, 4096)[3], None);
    }
}
