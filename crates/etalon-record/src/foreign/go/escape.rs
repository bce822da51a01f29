//! Names as Go names, and back.
//!
//! Owns which names the format can hold as they are, and the percent-encoding of all names of a file where
//! it cannot hold one: white space, control characters and `%` anywhere, a slash within a piece, and a
//! hyphen before digits at the end that are not GOMAXPROCS. Everything comes back. Refuses to change a name
//! that is fit.

use etalon_core::dataset::Name;

/// Whether a name reads as itself.
pub(super) fn is_fit(name: &Name) -> bool {
    let plain = |c: char| !c.is_whitespace() && !c.is_control();
    name.full().chars().all(plain) && Name::from_go(name.full()) == *name
}

/// A name encoded.
pub(super) fn encoded(name: &Name) -> String {
    let mut out = String::new();
    let mut last_is_count = false;
    encode(&mut out, name.base());
    for part in name.parts() {
        let (mark, text) = part.split_at(part.chars().next().map_or(0, char::len_utf8));
        out.push_str(mark);
        encode(&mut out, text);
        last_is_count = mark == "-";
    }
    let digits = out.bytes().rev().take_while(u8::is_ascii_digit).count();
    let hyphen = out.len() - digits;
    if digits > 0 && !last_is_count && out[..hyphen].ends_with('-') {
        out.replace_range(hyphen - 1..hyphen, "%2D");
    }
    out
}

fn encode(out: &mut String, text: &str) {
    for c in text.chars() {
        if c.is_whitespace() || c.is_control() || matches!(c, '%' | '/') {
            for byte in c.encode_utf8(&mut [0; 4]).bytes() {
                out.push('%');
                out.extend(
                    [byte >> 4, byte & 15].map(|d| char::from(b"0123456789ABCDEF"[d as usize])),
                );
            }
        } else {
            out.push(c);
        }
    }
}

/// The name that was encoded. What is no encoding stays as it is.
pub(super) fn decoded(written: &str) -> Name {
    let name = Name::from_go(written);
    let pieces: Vec<String> = [name.base()].into_iter().chain(name.parts()).map(decode).collect();
    Name::from_pieces(pieces.iter().map(String::as_str))
}

fn decode(piece: &str) -> String {
    let bytes = piece.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let digits = bytes.get(at + 1..at + 3).filter(|d| d.iter().all(u8::is_ascii_hexdigit));
        let digits = digits.and_then(|d| std::str::from_utf8(d).ok());
        let code = digits.and_then(|d| u8::from_str_radix(d, 16).ok());
        match code.filter(|_| bytes[at] == b'%') {
            Some(code) => {
                out.push(code);
                at += 3;
            }
            None => {
                out.push(bytes[at]);
                at += 1;
            }
        }
    }
    String::from_utf8(out).unwrap_or_else(|_| piece.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn text() -> impl Strategy<Value = String> {
        "[a %/=\\-0-9é\n\t\u{a0}]{0,8}"
    }

    proptest! {
        /// Would catch a character that breaks a name, or does not come back.
        #[test]
        fn every_name_comes_back(
            base in text(), params in proptest::collection::vec(("[ab]{1,2}", text()), 0..3),
        ) {
            let name = Name::with_params(&base, &params);
            let written = encoded(&name);
            prop_assert!(!written.contains(|c: char| c.is_whitespace() || c.is_control()));
            prop_assert_eq!(&decoded(&written), &name, "{}", written);
            let go = Name::from_go(&base);
            prop_assert_eq!(&decoded(&encoded(&go)), &go);
        }
    }

    #[test]
    fn forms() {
        let name = Name::with_params("ls -l /tmp/x%", &[("n".to_owned(), "a/b -3".to_owned())]);
        assert_eq!(encoded(&name), "ls%20-l%20%2Ftmp%2Fx%25/n=a%2Fb%20%2D3");
        assert!(!is_fit(&name));
        assert!(is_fit(&Name::from_go("Encode/50%_done/format=json-8")));
        assert!(!is_fit(&Name::with_params("sleep-8", &[])));
        assert_eq!(decoded("50%").full(), "50%");
        assert_eq!(decoded("a%FFb").full(), "a%FFb");
        assert_eq!(decoded("a%+1").full(), "a%+1");
    }
}
