//! Text in other encodings as UTF-8.
//!
//! Owns byte order marks: the one of UTF-8 is dropped, the two of UTF-16 make the rest be transcoded
//! as it is read (Windows PowerShell's `>` writes UTF-16). Without a mark bytes are passed on as they
//! are. Refuses to guess an encoding.

use std::io::{self, BufRead, Read};

/// Code units transcoded at a time.
const UNITS: usize = 8 * 1024;

/// A stream as UTF-8.
pub(crate) struct Decoded<R> {
    reader: R,
    /// Bytes taken from the reader to look for a mark, or transcoded, and not handed on yet.
    ready: Vec<u8>,
    at: usize,
    order: Option<Order>,
    /// A first half of a surrogate pair whose second half has not come.
    half: Option<u16>,
    replaced: u64,
}

/// Which byte of a code unit comes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Order {
    Little,
    Big,
}

impl<R: BufRead> Decoded<R> {
    /// Looks for a byte order mark.
    ///
    /// # Errors
    /// If the stream cannot be read.
    pub(crate) fn new(mut reader: R) -> io::Result<Decoded<R>> {
        let mut ready = Vec::with_capacity(3);
        reader.by_ref().take(2).read_to_end(&mut ready)?;
        let order = match ready[..] {
            [0xff, 0xfe] => Some(Order::Little),
            [0xfe, 0xff] => Some(Order::Big),
            _ => None,
        };
        if order.is_none() && ready == [0xef, 0xbb] {
            reader.by_ref().take(1).read_to_end(&mut ready)?;
        }
        if order.is_some() || ready == [0xef, 0xbb, 0xbf] {
            ready.clear();
        }
        Ok(Decoded { reader, ready, at: 0, order, half: None, replaced: 0 })
    }

    /// How many code units so far were no text and became `U+FFFD`.
    pub(crate) fn replaced(&self) -> u64 {
        self.replaced
    }

    /// Transcodes the next stretch into `ready`; nothing at the end.
    fn transcode(&mut self, order: Order) -> io::Result<()> {
        let mut bytes = Vec::with_capacity(UNITS * 2);
        self.reader.by_ref().take(UNITS as u64 * 2).read_to_end(&mut bytes)?;
        self.ready.clear();
        self.at = 0;
        let (pairs, odd) = bytes.as_chunks::<2>();
        let unit = |pair: &[u8; 2]| match order {
            Order::Little => u16::from_le_bytes(*pair),
            Order::Big => u16::from_be_bytes(*pair),
        };
        let mut units: Vec<u16> = self.half.take().into_iter().collect();
        units.extend(pairs.iter().map(unit));
        let ends = bytes.len() < UNITS * 2;
        if !ends {
            self.half = units.pop_if(|last| (0xd800..0xdc00).contains(last));
        }
        for decoded in char::decode_utf16(units) {
            let c = decoded.unwrap_or_else(|_| {
                self.replaced += 1;
                char::REPLACEMENT_CHARACTER
            });
            self.ready.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
        }
        if !odd.is_empty() {
            self.replaced += 1;
            self.ready.extend_from_slice("\u{fffd}".as_bytes());
        }
        Ok(())
    }
}

impl<R: BufRead> Read for Decoded<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let mut available = self.fill_buf()?;
        let taken = available.read(buffer)?;
        self.consume(taken);
        Ok(taken)
    }
}

impl<R: BufRead> BufRead for Decoded<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.at == self.ready.len() {
            match self.order {
                None => return self.reader.fill_buf(),
                Some(order) => self.transcode(order)?,
            }
        }
        Ok(&self.ready[self.at..])
    }

    fn consume(&mut self, amount: usize) {
        if self.at < self.ready.len() {
            self.at += amount;
        } else {
            self.reader.consume(amount);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn decoded(bytes: &[u8]) -> (Vec<u8>, u64) {
        let mut decoded = Decoded::new(bytes).unwrap();
        let mut text = Vec::new();
        decoded.read_to_end(&mut text).unwrap();
        (text, decoded.replaced())
    }

    proptest! {
        /// Would catch a surrogate pair cut at the end of a stretch, and a wrong byte order.
        #[test]
        fn utf_16_of_either_order_is_the_same_text(
            text in "[a\u{e9}\u{1f600}]{0,50}", repeat in 1_usize..400,
        ) {
            let text = text.repeat(repeat);
            let units: Vec<u16> = text.encode_utf16().collect();
            let little: Vec<u8> = units.iter().flat_map(|u| u.to_le_bytes()).collect();
            let big: Vec<u8> = units.iter().flat_map(|u| u.to_be_bytes()).collect();
            let expected = (text.into_bytes(), 0);
            prop_assert_eq!(&decoded(&[&[0xff, 0xfe], &little[..]].concat()), &expected);
            prop_assert_eq!(&decoded(&[&[0xfe, 0xff], &big[..]].concat()), &expected);
            prop_assert_eq!(&decoded(&[&[0xef, 0xbb, 0xbf], &expected.0[..]].concat()), &expected);
            prop_assert_eq!(&decoded(&expected.0), &expected);
        }

        /// Would catch bytes without a mark that are lost or changed.
        #[test]
        fn without_a_mark_bytes_pass(bytes in proptest::collection::vec(any::<u8>(), 0..9)) {
            let marked = [&[0xff, 0xfe][..], &[0xfe, 0xff], &[0xef, 0xbb, 0xbf]];
            prop_assume!(!marked.iter().any(|mark| bytes.starts_with(mark)));
            prop_assert_eq!(decoded(&bytes), (bytes, 0));
        }
    }

    #[test]
    fn what_is_no_text_is_replaced_and_counted() {
        assert_eq!(decoded(&[0xff, 0xfe, 0x00, 0xd8]), ("\u{fffd}".into(), 1));
        assert_eq!(decoded(&[0xff, 0xfe, b'a', 0, b'b']), ("a\u{fffd}".into(), 1));
    }
}
