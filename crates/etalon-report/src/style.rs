//! Weight and colour: the answer is bold, verdicts are coloured, and only where it was decided that the reader's
//! terminal shows it.

use etalon_core::verdict::Verdict;

use crate::view::Colour;

/// The text in the colour of a verdict. Apply after padding: escapes have no width.
pub(crate) fn coloured(text: &str, verdict: Verdict, colour: Colour) -> String {
    let code = match verdict {
        Verdict::Faster => "32",
        Verdict::Slower => "31",
        Verdict::Same => "36",
        Verdict::Unclear => "33",
    };
    match colour {
        Colour::Never => text.to_owned(),
        Colour::Ansi => format!("\x1b[{code}m{text}\x1b[0m"),
    }
}

/// The text in bold, where there are colours. Apply after wrapping: escapes have no width.
pub(crate) fn bold(text: &str, colour: Colour) -> String {
    match colour {
        Colour::Never => text.to_owned(),
        Colour::Ansi => format!("\x1b[1m{text}\x1b[0m"),
    }
}
