//! One metric of a record that grows, followed.
//!
//! Owns the place up to which it was read and the line that is half written there, so that every byte is read
//! once however often somebody looks. Keeps the values of the metrics that are asked for and drops
//! the others. Refuses to touch files: whoever follows a file hands over what is new of it.

use std::io::{ErrorKind, Read};

use etalon_core::dataset::{Dataset, Full};

use super::builder::Builder;
use super::error::os_reason;
use super::notes::Remarks;
use super::read::{parse_header, take};
use super::{LONGEST_LINE, ReadError};
use crate::inputs::Input;
use crate::lines::Line;

/// Bytes read at a time.
const CHUNK: usize = 64 * 1024;

/// A record that is followed.
pub struct Tail {
    source: String,
    /// Metrics whose values are kept.
    kept: Vec<String>,
    data: Dataset,
    /// Absent before the header is read.
    builder: Option<Builder>,
    remarks: Remarks,
    /// The beginning of a line that is not whole yet.
    begun: Vec<u8>,
    /// Bytes taken, and whole lines among them.
    at: u64,
    lines: u64,
}

impl Tail {
    /// Nothing yet of a record that `source` names in errors. Only the values of the metrics `kept` will
    /// be.
    #[must_use]
    pub fn new(source: &str, kept: Vec<String>) -> Tail {
        let (builder, remarks) = (None, Remarks::default());
        Tail {
            source: source.to_owned(),
            kept,
            data: Dataset::default(),
            builder,
            remarks,
            begun: Vec::new(),
            at: 0,
            lines: 0,
        }
    }

    /// How many bytes were taken: where what is new begins.
    #[must_use]
    pub fn at(&self) -> u64 {
        self.at
    }

    /// Takes what a reader, which begins there, has now.
    ///
    /// # Errors
    /// If it cannot be read, or the first line is no header.
    pub fn follow(&mut self, mut reader: impl Read) -> Result<(), ReadError> {
        let mut piece = vec![0; CHUNK];
        loop {
            match reader.read(&mut piece) {
                Ok(0) => return Ok(()),
                Ok(length) => self.take(&piece[..length])?,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => {
                    let (source, line) = (self.source.clone(), self.lines + 1);
                    return Err(ReadError::Io { source, line, why: os_reason(&error) });
                }
            }
        }
    }

    /// Takes what is new. Linear in it. Lines that cannot be used are left out, as a lenient reader does.
    fn take(&mut self, mut new: &[u8]) -> Result<(), ReadError> {
        self.at += new.len() as u64;
        while let Some(end) = new.iter().position(|byte| *byte == b'\n') {
            let (line, rest) = new.split_at(end + 1);
            if self.begun.is_empty() {
                self.line(line)?;
            } else {
                self.begun.extend_from_slice(line);
                let line = std::mem::take(&mut self.begun);
                self.line(&line)?;
            }
            new = rest;
        }
        self.begun.extend_from_slice(new);
        Ok(())
    }

    /// The record so far, with the kept metrics' values only.
    #[must_use]
    pub fn data(&self) -> &Dataset {
        &self.data
    }

    /// The block of the last observation of all that counts; absent before the first.
    #[must_use]
    pub fn last_block(&self) -> Option<u32> {
        self.builder.as_ref()?.last_block()
    }

    fn line(&mut self, line: &[u8]) -> Result<(), ReadError> {
        self.lines += 1;
        let Some(builder) = &mut self.builder else {
            let header = parse_header(line, &self.source)?;
            let builder = Builder::new(&mut self.data, &Input::unlabelled(&self.source), header);
            let builder = builder.map_err(|Full| ReadError::full(&self.source))?;
            self.builder = Some(builder.keeping(self.kept.clone()));
            return Ok(());
        };
        let kind = if line.len() as u64 > LONGEST_LINE { Line::TooLong } else { Line::Whole };
        let bytes = line.strip_suffix(b"\n").unwrap_or(line);
        let _left_out = take(&kind, bytes, &mut self.data, builder, &mut self.remarks);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Strictness;

    const RECORD: &str = concat!(
        r#"{"type":"header","format":"etalon","version":1,"id":"x","tool":"t","argv":["etalon"],"context":{}}"#,
        "\n",
        r#"{"type":"metric","name":"wall","unit":"ns","direction":"lower","kind":"noisy"}"#,
        "\n",
        r#"{"type":"metric","name":"rss","unit":"B","direction":"lower","kind":"noisy"}"#,
        "\n",
        r#"{"type":"benchmark","name":"a"}"#,
        "\n",
        r#"{"type":"observation","benchmark":0,"block":0,"values":{"wall":5,"rss":7}}"#,
        "\n",
        "damaged\n",
        r#"{"type":"observation","benchmark":0,"block":1,"values":{"wall":6,"rss":8}}"#,
        "\n",
        r#"{"type":"observation","benchmark":0,"block":2,"#,
    );

    /// Would catch a line that is lost, or read twice, where a piece ends within it.
    #[test]
    fn pieces_of_any_length_give_the_same() {
        let reference = crate::raw::read(RECORD.as_bytes(), "r", Strictness::Lenient).unwrap();
        for length in 1..RECORD.len() {
            let mut tail = Tail::new("r", vec!["wall".to_owned()]);
            RECORD.as_bytes().chunks(length).for_each(|piece| tail.take(piece).unwrap());
            let readings = |data: &Dataset| {
                let group = &data.groups()[0];
                let metrics = data.metrics(group.run_set);
                let metrics: Vec<_> = metrics.iter().map(|(_, spellings)| &spellings[..]).collect();
                (data.columns(&group.rows, &metrics), group.blocks(data))
            };
            let (kept, all) = (readings(tail.data()), readings(&reference));
            assert_eq!((&kept.0[0], kept.1), (&all.0[0], 2));
            assert_eq!(kept.0[1].values, [] as [f64; 0]);
            assert_eq!((tail.at(), tail.last_block()), (RECORD.len() as u64, Some(1)));
        }
    }

    #[test]
    fn nothing_is_known_before_the_header() {
        let mut tail = Tail::new("r", Vec::new());
        assert_eq!((tail.data().benchmarks.len(), tail.last_block()), (0, None));
        assert!(tail.take(b"no record\n").is_err());
    }
}
