//! Sources and labels of data, out of the words that were typed.
//!
//! Owns `label=path`, `-` for standard input, and the numbers behind a path that is given twice. Refuses
//! to look whether a file exists.

use std::collections::HashMap;

/// A source and what `.file` says of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Input {
    /// The path; `-` is standard input.
    pub path: String,
    /// The value of `.file`.
    pub label: String,
}

impl Input {
    /// One that is called what it is.
    #[must_use]
    pub(crate) fn unlabelled(path: &str) -> Input {
        Input { path: path.to_owned(), label: path.to_owned() }
    }
}

/// The sources of some arguments; standard input if there are none. The part before the first `=` is the
/// label of what follows, as it is; a path without one that is given several times is told apart by
/// `#0`, `#1`, … behind it.
#[must_use]
pub fn inputs(arguments: &[String]) -> Vec<Input> {
    let stdin = ["-".to_owned()];
    let arguments = if arguments.is_empty() { &stdin } else { arguments };
    let mut counts: HashMap<&str, (u32, u32)> = HashMap::new();
    for path in arguments.iter().filter(|argument| !argument.contains('=')) {
        counts.entry(path).or_default().0 += 1;
    }
    let input = |argument: &String| match argument.split_once('=') {
        Some((label, path)) => Input { path: path.to_owned(), label: label.to_owned() },
        None => {
            let (path, label) = (argument.clone(), argument.clone());
            match counts.get_mut(argument.as_str()) {
                Some((count, seen)) if *count > 1 => {
                    *seen += 1;
                    Input { path, label: format!("{argument}#{}", *seen - 1) }
                }
                _ => Input { path, label },
            }
        }
    };
    arguments.iter().map(input).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The cases of golang.org/x/perf/benchfmt's `Files`.
    #[test]
    fn labels_and_duplicates() {
        let shown = |arguments: &[&str]| -> Vec<String> {
            let arguments: Vec<String> = arguments.iter().map(|a| (*a).to_owned()).collect();
            inputs(&arguments).iter().map(|i| format!("{}<{}", i.label, i.path)).collect()
        };
        assert_eq!(shown(&[]), ["-<-"]);
        assert_eq!(shown(&["a", "b"]), ["a<a", "b<b"]);
        assert_eq!(shown(&["a", "b", "a"]), ["a#0<a", "b<b", "a#1<a"]);
        assert_eq!(shown(&["x=a", "x=b", "a"]), ["x<a", "x<b", "a<a"]);
        assert_eq!(shown(&["old=-", "=c=d"]), ["old<-", "<c=d"]);
    }
}
