//! Command lines that somebody may copy into a shell.
//!
//! Owns how a word is written in one, by POSIX's rules. Refuses: to read any; that is
//! `etalon_run::words`.

use std::borrow::Cow;

/// A word as it has to be written to mean exactly itself: as it is where nothing in it means anything
/// to a shell, else in single quotes.
#[must_use]
pub fn quoted(word: &str) -> Cow<'_, str> {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./:=@%+,".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        Cow::Borrowed(word)
    } else {
        Cow::Owned(format!("'{}'", word.replace('\'', r"'\''")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_means_something_to_a_shell_is_quoted() {
        assert_eq!(quoted("/usr/bin/a-b_c.d:e=f@g%h+i,j"), "/usr/bin/a-b_c.d:e=f@g%h+i,j");
        for (word, written) in [
            ("", "''"),
            ("a b", "'a b'"),
            ("$x", "'$x'"),
            ("~", "'~'"),
            ("it's", r"'it'\''s'"),
            ("a;b", "'a;b'"),
            ("ä", "'ä'"),
        ] {
            assert_eq!(quoted(word), written);
        }
    }
}
