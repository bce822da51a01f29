//! From the text of an experiment file to what it says, and errors that name line, column and remedy.

use std::ops::Range;

use crate::failure::Failure;

use super::file::File;

/// The text of a file, for errors about places in it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Source<'a> {
    /// As it was named.
    pub(super) path: &'a str,
    pub(super) text: &'a str,
}

impl Source<'_> {
    /// What it says.
    ///
    /// # Errors
    /// If it is no TOML, or says what no experiment file can.
    pub(super) fn parse(self) -> Result<File, Failure> {
        toml::from_str(self.text).map_err(|error| {
            let message = advised(error.message());
            match error.span() {
                Some(span) => self.at(span, message),
                None => Failure::about(self.path, message),
            }
        })
    }

    /// An error about a place.
    pub(super) fn at(self, span: Range<usize>, message: impl std::fmt::Display) -> Failure {
        let (line, column) = self.position(span.start);
        Failure::about(format!("{}:{line}:{column}", self.path), message)
    }

    /// Line and column, counted from 1, the latter in characters.
    fn position(self, at: usize) -> (usize, usize) {
        let before = self.text.get(..at).unwrap_or(self.text);
        let line = before.bytes().filter(|byte| *byte == b'\n').count() + 1;
        let column = before.rsplit('\n').next().map_or(0, |start| start.chars().count()) + 1;
        (line, column)
    }
}

/// The message of the parser, with what was probably meant.
fn advised(message: &str) -> String {
    let message = message.trim_end();
    let quoted: Vec<&str> = message.split('`').skip(1).step_by(2).collect();
    let [unknown, known @ ..] = &quoted[..] else { return message.to_owned() };
    if let Some(what) = message.strip_prefix("unknown ") {
        let what = if what.starts_with("field") { "key" } else { "word" };
        let there = known.join(", ");
        return match meant(unknown, known.iter().copied()) {
            Some(known) => format!("unknown {what} `{unknown}`: did you mean `{known}`?"),
            None => format!("unknown {what} `{unknown}`: there are {there}"),
        };
    }
    message.replace("missing field", "missing key")
}

/// The known word that an unknown one was probably meant to be.
pub(super) fn meant<'k>(unknown: &str, known: impl Iterator<Item = &'k str>) -> Option<&'k str> {
    let near = known.map(|known| (strsim::jaro_winkler(unknown, known), known));
    near.filter(|(likeness, _)| *likeness > 0.8)
        .max_by(|(a, _), (b, _)| a.total_cmp(b))
        .map(|(_, known)| known)
}

/// What was probably meant, as the end of a message; else what there is.
pub(super) fn hint<'k>(unknown: &str, known: impl Iterator<Item = &'k str> + Clone) -> String {
    match meant(unknown, known.clone()) {
        Some(known) => format!("did you mean `{known}`?"),
        None => match known.collect::<Vec<_>>() {
            known if known.is_empty() => "there is none".to_owned(),
            known => format!("there are {}", known.join(", ")),
        },
    }
}
