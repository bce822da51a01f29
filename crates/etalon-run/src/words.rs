//! Splitting a command into words as a POSIX shell does: quotes removed, backslashes honoured,
//! nothing expanded. `shlex` does the work, on bytes, so that no file name is out of reach.

/// The quotes of a command do not close.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Unclosed;

impl std::fmt::Display for Unclosed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("a quote is not closed, or a backslash ends it: close it, or quote it")
    }
}

/// The words of a command.
///
/// # Errors
/// If a quote is not closed or the command ends in a backslash.
pub fn split(command: &[u8]) -> Result<Vec<Vec<u8>>, Unclosed> {
    shlex::bytes::split(command).ok_or(Unclosed)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(command: &str) -> Vec<String> {
        let words = split(command.as_bytes()).unwrap();
        words.into_iter().map(|w| String::from_utf8(w).unwrap()).collect()
    }

    #[test]
    fn words_as_a_shell_splits_them() {
        assert_eq!(words(r#"a  'b c' "d \"e\"" f\ g"#), ["a", "b c", "d \"e\"", "f g"]);
        assert_eq!(words(r"a\\b '\n' x''y"), ["a\\b", "\\n", "xy"]);
        assert_eq!(words("''"), [""]);
        assert_eq!(words("$HOME `x` *"), ["$HOME", "`x`", "*"]);
        assert_eq!(words(" "), Vec::<String>::new());
    }

    #[test]
    fn what_does_not_close_is_an_error() {
        for bad in ["'", "a \"b", "a\\"] {
            assert_eq!(split(bad.as_bytes()), Err(Unclosed), "{bad}");
        }
    }

    #[test]
    fn bytes_that_are_not_text_survive() {
        assert_eq!(split(b"ls '\xff\xfe'").unwrap()[1], b"\xff\xfe");
    }
}
