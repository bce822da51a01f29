//! Splitting a stream into lines of bounded length.
//!
//! Owns how many lines are read together. Refuses to keep more bytes of a line than its caller says: the
//! rest is skipped without being stored.

use std::io::{self, BufRead, ErrorKind, Read};

/// Bytes read together, and the rest of their last line. Because: what they become stays in the cache of a
/// core, and a piece is still long beside what passing it to another thread takes.
const TOGETHER: usize = 256 * 1024;

/// The result of one step; the bytes are in the buffer.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Line {
    /// A line that ended with a newline (not in the buffer).
    Whole,
    /// The last bytes of the stream, without a newline.
    Last,
    /// A line that is too long; the buffer holds its beginning.
    TooLong,
    /// Nothing left.
    None,
}

/// How a step that reads several lines ended.
#[derive(Debug, Default)]
pub(crate) enum StepEnd {
    /// Every line is whole, and more may follow.
    #[default]
    More,
    /// The last line is too long; the buffer holds its beginning. More may follow.
    TooLong,
    /// The stream ended; its last line may have no newline.
    End,
    /// Reading failed within the line that would follow.
    Failed(io::Error),
}

/// Reads the next line, of at most `longest` bytes with its newline, into `buffer`, replacing what was there.
///
/// # Errors
/// If the stream cannot be read.
pub(crate) fn next(
    reader: &mut impl BufRead,
    buffer: &mut Vec<u8>,
    longest: u64,
) -> io::Result<Line> {
    buffer.clear();
    let line = rest_of_line(reader, buffer, 0, longest)?;
    if line == Line::Whole {
        buffer.pop();
    }
    Ok(line)
}

/// Reads the next lines into `buffer`, with their newlines, replacing what was there; of the last at most `longest`
/// bytes.
pub(crate) fn several(reader: &mut impl BufRead, buffer: &mut Vec<u8>, longest: u64) -> StepEnd {
    buffer.clear();
    let mut line = Ok(Line::Whole);
    while buffer.len() < TOGETHER {
        match reader.fill_buf() {
            Ok([]) => {
                line = Ok(Line::None);
                break;
            }
            Ok(there) => {
                let length = there.len().min(TOGETHER - buffer.len());
                buffer.extend_from_slice(&there[..length]);
                reader.consume(length);
            }
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => {
                line = Err(error);
                break;
            }
        }
    }
    let begun = buffer.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
    if matches!(line, Ok(Line::Whole)) && begun < buffer.len() {
        line = rest_of_line(reader, buffer, begun, longest);
    }
    match line {
        Ok(Line::Whole) => StepEnd::More,
        Ok(Line::TooLong) => StepEnd::TooLong,
        Ok(Line::Last | Line::None) => StepEnd::End,
        Err(error) => {
            buffer.truncate(begun);
            StepEnd::Failed(error)
        }
    }
}

/// Reads on to the end of the line that begins at `begun` in the buffer, and its newline.
fn rest_of_line(
    reader: &mut impl BufRead,
    buffer: &mut Vec<u8>,
    begun: usize,
    longest: u64,
) -> io::Result<Line> {
    let there = (buffer.len() - begun) as u64;
    reader.by_ref().take((longest + 1).saturating_sub(there)).read_until(b'\n', buffer)?;
    if buffer.last() == Some(&b'\n') {
        return Ok(Line::Whole);
    }
    if (buffer.len() - begun) as u64 > longest {
        // A damaged file may have many of these; keep what identifies it and give the rest back.
        buffer.truncate(begun + 1024);
        buffer.shrink_to_fit();
        reader.skip_until(b'\n')?;
        return Ok(Line::TooLong);
    }
    Ok(if buffer.len() == begun { Line::None } else { Line::Last })
}
