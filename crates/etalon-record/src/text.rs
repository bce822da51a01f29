//! Text that need not be UTF-8: commands, arguments, paths.
//!
//! Owns how such text is written: a JSON string where it is UTF-8, `{"bytes":"<hex>"}` where it is
//! not. Nothing is replaced and nothing is refused. Refuses to interpret it (quoting, splitting).

use std::borrow::Cow;
use std::ffi::{OsStr, OsString};
use std::fmt;
use std::os::unix::ffi::{OsStrExt, OsStringExt};

use serde::de::{Deserialize, Deserializer, Error, MapAccess, Visitor};
use serde::ser::{Serialize, SerializeMap, Serializer};

/// Bytes that are most often UTF-8.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Text(pub Vec<u8>);

impl Text {
    /// The bytes as they are.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    /// As the operating system takes it.
    #[must_use]
    pub fn as_os_str(&self) -> &OsStr {
        OsStr::from_bytes(&self.0)
    }

    /// For people to read; what is not UTF-8 becomes `U+FFFD`.
    #[must_use]
    pub fn to_string_lossy(&self) -> Cow<'_, str> {
        String::from_utf8_lossy(&self.0)
    }
}

impl From<&str> for Text {
    fn from(text: &str) -> Text {
        Text(text.as_bytes().to_vec())
    }
}

impl From<String> for Text {
    fn from(text: String) -> Text {
        Text(text.into_bytes())
    }
}

impl From<&OsStr> for Text {
    fn from(text: &OsStr) -> Text {
        Text(text.as_bytes().to_vec())
    }
}

impl From<OsString> for Text {
    fn from(text: OsString) -> Text {
        Text(text.into_vec())
    }
}

impl From<Text> for OsString {
    fn from(text: Text) -> OsString {
        OsString::from_vec(text.0)
    }
}

impl fmt::Display for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.to_string_lossy())
    }
}

impl Serialize for Text {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if let Ok(text) = std::str::from_utf8(&self.0) {
            return serializer.serialize_str(text);
        }
        let mut map = serializer.serialize_map(Some(1))?;
        map.serialize_entry("bytes", &to_hex(&self.0))?;
        map.end()
    }
}

impl<'de> Deserialize<'de> for Text {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Text, D::Error> {
        deserializer.deserialize_any(TextVisitor)
    }
}

struct TextVisitor;

impl<'de> Visitor<'de> for TextVisitor {
    type Value = Text;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a string or {\"bytes\":\"<hex>\"}")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Text, E> {
        Ok(Text::from(text))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Text, A::Error> {
        let Some((key, hex)) = map.next_entry::<Cow<'de, str>, Cow<'de, str>>()? else {
            return Err(A::Error::custom("expected the key `bytes`"));
        };
        if key != "bytes" {
            return Err(A::Error::custom(format_args!("expected the key `bytes`, found `{key}`")));
        }
        let bytes = from_hex(&hex).ok_or_else(|| A::Error::custom("`bytes` is not hexadecimal"))?;
        if map.next_key::<Cow<'de, str>>()?.is_some() {
            return Err(A::Error::custom("`bytes` has to stand alone"));
        }
        Ok(Text(bytes))
    }
}

/// Two lower-case hexadecimal digits per byte.
fn to_hex(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let mut hex = String::with_capacity(bytes.len() * 2);
    for byte in bytes {
        hex.push(char::from(DIGITS[usize::from(byte >> 4)]));
        hex.push(char::from(DIGITS[usize::from(byte & 15)]));
    }
    hex
}

/// The bytes that hexadecimal digits of either case stand for; `None` for anything else.
fn from_hex(hex: &str) -> Option<Vec<u8>> {
    let digit = |b: u8| char::from(b).to_digit(16).and_then(|d| u8::try_from(d).ok());
    let (pairs, rest) = hex.as_bytes().as_chunks::<2>();
    if !rest.is_empty() {
        return None;
    }
    pairs.iter().map(|[hi, lo]| Some(digit(*hi)? << 4 | digit(*lo)?)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn round_trip(text: &Text) -> Text {
        serde_json::from_str(&serde_json::to_string(text).unwrap()).unwrap()
    }

    proptest! {
        /// Would catch any byte sequence that a record changes or refuses.
        #[test]
        fn any_bytes_survive(bytes in proptest::collection::vec(any::<u8>(), 0..40)) {
            let text = Text(bytes);
            prop_assert_eq!(round_trip(&text), text);
        }

        /// Would catch a string that needs escaping and loses something by it.
        #[test]
        fn any_string_survives_as_a_plain_string(string in any::<String>()) {
            let json = serde_json::to_string(&Text::from(string.as_str())).unwrap();
            prop_assert_eq!(serde_json::from_str::<String>(&json).unwrap(), string);
        }
    }

    #[test]
    fn bytes_are_written_as_specified() {
        let text = Text(b"a\xff\x00".to_vec());
        assert_eq!(serde_json::to_string(&text).unwrap(), r#"{"bytes":"61ff00"}"#);
        assert_eq!(text.to_string_lossy(), "a\u{fffd}\0");
    }

    #[test]
    fn what_is_not_text_is_an_error_that_says_so() {
        let error = |json: &str| serde_json::from_str::<Text>(json).unwrap_err().to_string();
        assert!(error("3").contains("a string or {\"bytes\":\"<hex>\"}"));
        assert!(error("{}").contains("expected the key `bytes`"));
        assert!(error(r#"{"b":"00"}"#).contains("found `b`"));
        assert!(error(r#"{"bytes":"0"}"#).contains("not hexadecimal"));
        assert!(error(r#"{"bytes":"+1"}"#).contains("not hexadecimal"));
        assert!(error(r#"{"bytes":"é"}"#).contains("not hexadecimal"));
        assert!(error(r#"{"bytes":"00","x":"1"}"#).contains("stand alone"));
    }
}
