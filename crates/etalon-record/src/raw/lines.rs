//! Splitting a stream into lines of bounded length.
//!
//! Owns the one line buffer of a reader. Refuses to keep more than [`LONGEST_LINE`] bytes of a line:
//! the rest is skipped without being stored.

use std::io::{self, BufRead, Read};

use super::LONGEST_LINE;

/// What one step found; the bytes are in the buffer.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Line {
    /// A line that ended with a newline (not in the buffer).
    Whole,
    /// The last bytes of the stream, without a newline.
    Last,
    /// A line longer than [`LONGEST_LINE`]; the buffer holds its beginning.
    TooLong,
    /// Nothing left.
    None,
}

/// Reads the next line into `buffer`, replacing what was there.
///
/// # Errors
/// If the stream cannot be read.
pub(super) fn next(reader: &mut impl BufRead, buffer: &mut Vec<u8>) -> io::Result<Line> {
    buffer.clear();
    reader.by_ref().take(LONGEST_LINE + 1).read_until(b'\n', buffer)?;
    if buffer.last() == Some(&b'\n') {
        buffer.pop();
        return Ok(Line::Whole);
    }
    if buffer.len() as u64 > LONGEST_LINE {
        // A damaged file may have many of these; keep what identifies it and give the rest back.
        buffer.truncate(1024);
        buffer.shrink_to_fit();
        reader.skip_until(b'\n')?;
        return Ok(Line::TooLong);
    }
    Ok(if buffer.is_empty() { Line::None } else { Line::Last })
}
