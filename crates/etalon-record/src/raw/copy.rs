//! A record as a record: its lines as they are, while they are checked.
//!
//! Owns telling what cannot be written from what cannot be read. Refuses to change anything: warm-ups, start
//! times, and fields and lines that this version does not know are there afterwards, and so is what is
//! damaged.

use std::io::{self, BufRead, Read, Write};

use etalon_core::dataset::Dataset;

use super::read::{Manner, read_on};
use super::{ReadError, Strictness};
use crate::inputs::Input;

/// Why a record could not be copied. What was copied by then is written.
#[derive(Debug, thiserror::Error)]
pub enum CopyError {
    /// It cannot be read, or is none.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The copy cannot be written.
    #[error(transparent)]
    Write(#[from] io::Error),
}

/// Copies a record, byte for byte, while it is read; what was read of it, without values. Linear; holds some
/// lines and the rows.
///
/// # Errors
/// As [`read_into`](super::read_into), or if `out` does not take it.
pub fn copy(
    reader: impl BufRead + Send,
    input: &Input,
    strictness: Strictness,
    out: impl Write + Send,
) -> Result<Dataset, CopyError> {
    let mut data = Dataset::default();
    let mut copying = Copying { reader, out, failed: None };
    let manner = Manner { kept: Some(&[]), ..Manner::default() };
    let read = read_on(manner, &mut data, &mut copying, input, strictness);
    let Copying { mut out, failed, .. } = copying;
    if let Some(error) = failed {
        return Err(error.into());
    }
    read?;
    out.flush()?;
    Ok(data)
}

/// A stream that writes what is read of it.
struct Copying<R, W> {
    reader: R,
    out: W,
    /// Why it was not written.
    failed: Option<io::Error>,
}

impl<R: BufRead, W: Write> BufRead for Copying<R, W> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.failed.is_some() {
            return Err(io::Error::other("what is read is no longer written"));
        }
        self.reader.fill_buf()
    }

    fn consume(&mut self, amount: usize) {
        // What is consumed is in the buffer, and is given out again without reading.
        let written = self.reader.fill_buf().and_then(|bytes| match bytes.get(..amount) {
            Some(bytes) => self.out.write_all(bytes),
            None => Err(io::Error::other("more is consumed than was read")),
        });
        if let Err(error) = written {
            self.failed.get_or_insert(error);
        }
        self.reader.consume(amount);
    }
}

impl<R: BufRead, W: Write> Read for Copying<R, W> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.fill_buf()?.read(buffer)?;
        self.consume(read);
        Ok(read)
    }
}
