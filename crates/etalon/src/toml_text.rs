//! TOML: from a text to what it says, and errors that name line, column and remedy.

use std::ops::Range;
use std::path::Path;

use etalon_record::checks::brackets;
use serde::de::DeserializeOwned;

use crate::cli::mistakes::nearest;
use crate::failure::Failure;

/// The text of a file, for errors about places in it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Source<'a> {
    /// As it was named.
    pub(crate) path: &'a str,
    pub(crate) text: &'a str,
}

impl<'a> Source<'a> {
    /// The directory of the file as seen from here, which is empty for this one.
    pub(crate) fn directory(self) -> &'a Path {
        Path::new(self.path).parent().unwrap_or(Path::new(""))
    }

    /// The value that it describes.
    ///
    /// # Errors
    /// If it is no TOML, or says what no experiment file can.
    pub(crate) fn parse<T: DeserializeOwned>(self) -> Result<T, Failure> {
        toml::from_str(self.text).map_err(|error| {
            let message = reason(error.message());
            match error.span() {
                Some(span) => {
                    let remedy = brackets(self.text, span.start, error.message());
                    self.at(span, message + &remedy)
                }
                None => Failure::about(self.path, message),
            }
        })
    }

    /// An error about a place.
    pub(crate) fn at(self, span: Range<usize>, message: impl std::fmt::Display) -> Failure {
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

/// The mistake, with a remedy where it is one of a key.
fn reason(message: &str) -> String {
    let message = message.trim();
    let quoted = |text: &str| -> Vec<String> {
        text.split('`').skip(1).step_by(2).map(str::to_owned).collect()
    };
    for (start, what) in [("unknown field ", "key"), ("unknown variant ", "word")] {
        let Some(rest) = message.strip_prefix(start) else { continue };
        let names = quoted(rest);
        let Some((typed, known)) = names.split_first() else { return message.to_owned() };
        let meant = nearest(typed, known.iter().cloned());
        let meant = meant.map_or_else(String::new, |near| format!("did you mean `{near}`? "));
        return format!("unknown {what} `{typed}`: {meant}There are {}", known.join(", "));
    }
    match message {
        "missing field `ready`" => {
            "`ready` is missing: say what tells that it is ready, such as ready = { tcp = \
             \"127.0.0.1:9000\" }"
                .to_owned()
        }
        "missing field `start`" => "`start` is missing: name the command that starts it".to_owned(),
        _ => message.lines().collect::<Vec<_>>().join("; "),
    }
}

/// The known word that an unknown one was probably meant to be.
pub(crate) fn meant<'k>(unknown: &str, known: impl Iterator<Item = &'k str>) -> Option<&'k str> {
    let near = known.map(|known| (strsim::jaro_winkler(unknown, known), known));
    near.filter(|(likeness, _)| *likeness > 0.8)
        .max_by(|(a, _), (b, _)| a.total_cmp(b))
        .map(|(_, known)| known)
}

/// The end of a message: the word that was probably meant, else those there are.
pub(crate) fn hint<'k>(unknown: &str, known: impl Iterator<Item = &'k str> + Clone) -> String {
    match meant(unknown, known.clone()) {
        Some(known) => format!("did you mean `{known}`?"),
        None => match known.collect::<Vec<_>>() {
            known if known.is_empty() => "there is none".to_owned(),
            known => format!("there are {}", known.join(", ")),
        },
    }
}
