//! Command lines that a shell reads, or that somebody may copy into one.
//!
//! Owns how a word is written in one, by POSIX's rules, so that it is read as exactly that word. Refuses: to read any;
//! that is `etalon_run::words`.

use std::borrow::Cow;

use crate::visible::is_hidden;

/// A word as it has to be written to mean exactly itself: as it is where nothing in it means anything
/// to a shell, else in single quotes.
#[must_use]
pub fn quoted(word: &str) -> Cow<'_, str> {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./:=@%+,".contains(c);
    // In some shells `=program` is where a program is.
    if !word.is_empty() && word.chars().all(plain) && !word.starts_with('=') {
        Cow::Borrowed(word)
    } else {
        Cow::Owned(format!("'{}'", word.replace('\'', r"'\''")))
    }
}

/// A word as it has to be shown for somebody to copy it: as [`quoted`], with what a terminal does not show, or obeys,
/// as octal escapes that the shell's `printf` undoes.
#[must_use]
pub fn copied(word: &str) -> Cow<'_, str> {
    let Some(first) = word.find(is_hidden) else { return quoted(word) };
    let (mut line, mut rest) = (String::new(), word);
    let mut at = Some(first);
    while let Some(from) = at {
        if from > 0 {
            line.push_str(&quoted(&rest[..from]));
        }
        rest = &rest[from..];
        let end = rest.find(|c| !is_hidden(c)).unwrap_or(rest.len());
        // A substitution loses the ends of lines at its end, so that what follows them belongs to it.
        let follows = rest[..end].ends_with('\n').then(|| rest[end..].chars().next()).flatten();
        let taken = end + follows.map_or(0, char::len_utf8);
        line.push_str(&printed(&rest[..taken]));
        rest = &rest[taken..];
        at = rest.find(is_hidden);
    }
    if !rest.is_empty() {
        line.push_str(&quoted(rest));
    }
    Cow::Owned(line)
}

/// The output of the shell's `printf`; ends of lines at its end stand for themselves.
fn printed(text: &str) -> String {
    let kept = text.trim_end_matches('\n');
    let octal: String = kept.bytes().map(|byte| format!("\\{byte:03o}")).collect();
    let printed = if kept.is_empty() { octal } else { format!("\"$(printf '{octal}')\"") };
    let ends = &text[kept.len()..];
    if ends.is_empty() { printed } else { format!("{printed}'{ends}'") }
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
            ("=ls", "'=ls'"),
        ] {
            assert_eq!(quoted(word), written);
            assert_eq!(copied(word), written);
        }
        for (word, written) in [
            ("a\u{202e}b", r#"a"$(printf '\342\200\256')"b"#),
            ("a\nb c", r#"a"$(printf '\012\142')"' c'"#),
            ("\u{1b}\n", "\"$(printf '\\033')\"'\n'"),
        ] {
            assert_eq!(copied(word), written);
        }
    }
}
