//! The characters a reader's terminal shows.

/// Which characters a report may use.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Charset {
    /// Any.
    #[default]
    Unicode,
    /// ASCII only: etalon's own signs have spellings of their own, any other character is a question mark.
    Ascii,
}

impl Charset {
    /// The mark for something that was left out.
    #[must_use]
    pub fn ellipsis(self) -> &'static str {
        match self {
            Charset::Unicode => "…",
            Charset::Ascii => "~",
        }
    }

    /// The text in these characters. Apply before widths are taken: a spelling may be longer than its sign.
    #[must_use]
    pub fn spell(self, text: &str) -> String {
        match self {
            Charset::Unicode => text.to_owned(),
            Charset::Ascii => {
                let mut out = String::with_capacity(text.len());
                let mut raised = false;
                for c in text.chars() {
                    let exponent = exponent(c);
                    match exponent {
                        Some(digit) if raised => out.push(digit),
                        Some(digit) => out.extend(['^', digit]),
                        None => spell(c, &mut out),
                    }
                    raised = exponent.is_some();
                }
                out
            }
        }
    }
}

/// A character of an exponent, `⁻⁶`.
fn exponent(c: char) -> Option<char> {
    let at = "⁰¹²³⁴⁵⁶⁷⁸⁹⁻".chars().position(|raised| raised == c)?;
    "0123456789-".chars().nth(at)
}

fn spell(c: char, out: &mut String) {
    let spelling = match c {
        c if c.is_ascii() => return out.push(c),
        '\u{a0}' => " ",
        '×' => "x",
        '±' => "+-",
        '…' => "..",
        '–' | '−' | '─' | '┄' => "-",
        '═' => "=",
        '│' | '├' | '┤' | '┬' | '┴' | '┌' | '┐' | '└' | '┘' | '╭' | '╮' | '╰' | '╯' => {
            "|"
        }
        '┼' | '⁺' => "+",
        '·' => "*",
        'µ' | 'μ' => "u",
        'α' => "alpha",
        'σ' => "sigma",
        'Δ' => "delta",
        'ε' => "epsilon",
        'Â' => "A",
        '₀' => "0",
        '₁' => "1",
        '₂' => "2",
        '₃' => "3",
        '₄' => "4",
        '≤' => "<=",
        '≥' => ">=",
        '→' => "->",
        '∞' => "inf",
        '✻' => "*",
        '▭' => "#",
        _ => "?",
    };
    out.push_str(spelling);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ascii_is_ascii() {
        let text = "1.18 × (1.15 … 1.21), 3 µs ± 2\u{a0}% · 漢 ├─┼─ W⁺ 10⁻¹²";
        let ascii = Charset::Ascii.spell(text);
        assert_eq!(ascii, "1.18 x (1.15 .. 1.21), 3 us +- 2 % * ? |-+- W+ 10^-12");
        assert_eq!(Charset::Unicode.spell(text), text);
    }
}
