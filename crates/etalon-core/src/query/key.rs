//! A key: what a query can ask of a subject. Every text but the empty one is a key; whether
//! anything has it is known to who owns the data.

use std::fmt;

/// A property that a query can ask of a subject.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Key {
    /// `.name`: the name without its parts.
    Name,
    /// `.fullname`: the whole name.
    FullName,
    /// `/part`: the value of a part of the name; holds the key without the slash.
    Part(String),
    /// `.unit`.
    Unit,
    /// `.config`: all configuration that was read from a file.
    AllConfig,
    /// One configuration key, `.file` among them.
    Config(String),
}

impl Key {
    /// The key that a word stands for.
    #[must_use]
    pub fn from_word(word: &str) -> Key {
        match word {
            ".name" => Key::Name,
            ".fullname" => Key::FullName,
            ".unit" => Key::Unit,
            ".config" => Key::AllConfig,
            _ => match word.strip_prefix('/') {
                Some(part) => Key::Part(part.to_owned()),
                None => Key::Config(word.to_owned()),
            },
        }
    }
}

impl fmt::Display for Key {
    /// The word that stands for it, without quotes.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Key::Name => f.write_str(".name"),
            Key::FullName => f.write_str(".fullname"),
            Key::Unit => f.write_str(".unit"),
            Key::AllConfig => f.write_str(".config"),
            Key::Part(part) => write!(f, "/{part}"),
            Key::Config(key) => f.write_str(key),
        }
    }
}

/// A key and where a query mentions it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mention {
    /// The key.
    pub key: Key,
    /// Byte offset into the query.
    pub at: usize,
}
