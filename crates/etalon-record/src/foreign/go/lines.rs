//! A stream as lines, without copying those that lie whole in its buffer.
//!
//! Owns the ends of lines (`\n` or `\r\n`; a last line needs none) and the bound on their length. Refuses
//! to know what a line means.

use std::io::{self, BufRead};

/// The longest line that is read. Because: results take some hundred bytes; names and facts that a
/// program makes up may take more, but not a mebibyte.
pub(super) const LONGEST: usize = 1024 * 1024;

/// A line without its end.
pub(super) enum Line<'a> {
    /// As it stands there.
    Whole(&'a [u8]),
    /// The last one, which has no end.
    Last(&'a [u8]),
    /// Longer than [`LONGEST`].
    TooLong,
}

/// Calls `each` with every line and its number, counted from 1. Holds one line.
///
/// # Errors
/// If the stream cannot be read; with it, how many lines were.
pub(super) fn each_line(
    mut reader: impl BufRead,
    mut each: impl FnMut(u64, Line<'_>),
) -> Result<u64, (u64, io::Error)> {
    let mut number = 0;
    let mut begun = Vec::new();
    let mut pending = false;
    loop {
        let buffer = match reader.fill_buf() {
            Ok(buffer) => buffer,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err((number, error)),
        };
        let read = buffer.len();
        if read == 0 {
            break;
        }
        let mut rest = buffer;
        while !rest.is_empty() {
            let mut after = rest;
            // A slice does not fail.
            let taken = after.skip_until(b'\n').unwrap_or(rest.len());
            let piece = &rest[..taken];
            rest = after;
            let Some(line) = piece.strip_suffix(b"\n") else {
                // One byte more than is read, so that a line cut there is seen to be too long.
                let room = (LONGEST + 2).saturating_sub(begun.len());
                begun.extend_from_slice(&piece[..piece.len().min(room)]);
                pending = true;
                continue;
            };
            number += 1;
            if pending {
                let room = (LONGEST + 2).saturating_sub(begun.len());
                begun.extend_from_slice(&line[..line.len().min(room)]);
                each(number, bounded(&begun));
                begun.clear();
                pending = false;
            } else {
                each(number, bounded(line));
            }
        }
        reader.consume(read);
    }
    if pending {
        number += 1;
        each(
            number,
            match bounded(&begun) {
                Line::Whole(line) => Line::Last(line),
                line => line,
            },
        );
    }
    Ok(number)
}

fn bounded(line: &[u8]) -> Line<'_> {
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    if line.len() > LONGEST { Line::TooLong } else { Line::Whole(line) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::io::BufReader;

    fn lines(text: &[u8], buffer: usize) -> Vec<(u64, Option<Vec<u8>>)> {
        let mut all = Vec::new();
        let reader = BufReader::with_capacity(buffer, text);
        let count = each_line(reader, |number, line| {
            all.push((
                number,
                match line {
                    Line::Whole(line) | Line::Last(line) => Some(line.to_vec()),
                    Line::TooLong => None,
                },
            ));
        });
        assert_eq!(count.unwrap(), all.len() as u64);
        all
    }

    proptest! {
        /// Would catch a line that is lost, joined or cut where a buffer ends.
        #[test]
        fn lines_do_not_depend_on_the_buffer(text in "[ab\n\r]{0,40}", buffer in 1_usize..9) {
            let mut expected: Vec<&str> = text.split('\n').collect();
            if expected.last() == Some(&"") {
                expected.pop();
            }
            let expected = (1..).zip(expected.iter().map(|line| {
                Some(line.strip_suffix('\r').unwrap_or(line).as_bytes().to_vec())
            }));
            prop_assert_eq!(lines(text.as_bytes(), buffer), expected.collect::<Vec<_>>());
        }
    }

    #[test]
    fn a_line_too_long_is_one_line() {
        let mut text = vec![b'x'; LONGEST + 1];
        text.extend_from_slice(b"\nnext\r\n");
        text.extend(vec![b'y'; LONGEST]);
        let all = lines(&text, 4096);
        assert_eq!((all.len(), &all[0], &all[1]), (3, &(1, None), &(2, Some(b"next".to_vec()))));
        assert_eq!(all[2].1.as_ref().map(Vec::len), Some(LONGEST));
    }
}
