//! Patterns of `-bench`: which top-level benchmarks, and which of their sub-benchmarks.
//!
//! Owns how package testing cuts them: at `|` into alternatives, each at `/` into levels, neither in brackets or
//! parentheses (testing/match.go, `splitRegexp`). Refuses to match: the test binary does, so that there is one meaning
//! of a regular expression.

/// One alternative of a pattern.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Alternative {
    /// The pattern of top-level benchmarks.
    pub top: String,
    /// The pattern of sub-benchmarks, with the slash before it; empty for all.
    pub below: String,
}

/// The alternatives of a pattern, in its order.
#[must_use]
pub fn alternatives(pattern: &str) -> Vec<Alternative> {
    let alternative = |text: &str| {
        let top = cut(text, '/').next().unwrap_or_default();
        Alternative { top: top.to_owned(), below: text[top.len()..].to_owned() }
    };
    cut(pattern, '|').map(alternative).collect()
}

/// Parts of a pattern between separators that are in no bracket and no parenthesis.
fn cut(pattern: &str, separator: char) -> impl Iterator<Item = &str> {
    let (mut brackets, mut parentheses, mut escaped) = (0_u32, 0_u32, false);
    pattern.split(move |c| {
        if std::mem::take(&mut escaped) {
            return false;
        }
        match c {
            '\\' => escaped = true,
            '[' => brackets += 1,
            ']' => brackets = brackets.saturating_sub(1),
            '(' if brackets == 0 => parentheses += 1,
            ')' if brackets == 0 => parentheses = parentheses.saturating_sub(1),
            _ => return c == separator && brackets == 0 && parentheses == 0,
        }
        false
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As testing/match_test.go has them. Would catch a slash in brackets that is taken for a level, and a
    /// sub-benchmark's pattern that is lost.
    #[test]
    fn patterns_are_cut_as_package_testing_cuts_them() {
        for (pattern, expected) in [
            ("", &[("", "")][..]),
            (".", &[(".", "")]),
            ("X/MinIO", &[("X", "/MinIO")]),
            ("^X$/^a$/b", &[("^X$", "/^a$/b")]),
            ("X|Y/z", &[("X", ""), ("Y", "/z")]),
            ("(X|Y)/z", &[("(X|Y)", "/z")]),
            ("[/]/[/]", &[("[/]", "/[/]")]),
            (r"\[/a", &[(r"\[", "/a")]),
            ("([)/][(])", &[("([)/][(])", "")]),
        ] {
            let cut = alternatives(pattern);
            let cut: Vec<(&str, &str)> = cut.iter().map(|it| (&*it.top, &*it.below)).collect();
            assert_eq!(cut, expected, "{pattern}");
        }
    }
}
