//! The text that packages print, out of the events in which `go test -json` wraps it.
//!
//! Owns taking that text out, package by package in the order in which they turn up, because those that are tested at
//! the same time print in turns; and which line of the file each line of it came from. Lines that are no events (of the
//! compiler, on stderr) are text of their own. Refuses to read results: that is done with the text.

use std::borrow::Cow;
use std::collections::HashMap;

use serde::Deserialize;
use serde_json::Deserializer;

/// Text out of events.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Printed {
    /// The text.
    pub(crate) text: Vec<u8>,
    /// For each of its lines, the line of the file in which it begins, from 1.
    pub(crate) lines: Vec<u64>,
    /// Lines of the file with an event that something else tore, so that its text is lost.
    pub(crate) torn: Vec<u64>,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Event<'a> {
    #[serde(borrow)]
    package: Option<Cow<'a, str>>,
    #[serde(borrow)]
    output: Option<Cow<'a, str>>,
}

/// The beginnings of an event.
const KEYS: [&[u8]; 3] = [b"{\"Time\":", b"{\"Action\":", b"{\"ImportPath\":"];

/// Whether a file begins with an event.
pub(crate) fn is_beginning(beginning: &[u8]) -> bool {
    let line = beginning.trim_ascii_start();
    let line = &line[..line.iter().position(|byte| *byte == b'\n').unwrap_or(line.len())];
    KEYS.iter().any(|key| line.starts_with(key))
        && line.windows(10).any(|bytes| bytes == b"\"Action\":\"")
}

/// Takes the text out. Linear in the file.
pub(crate) fn printed(file: &[u8]) -> Printed {
    let mut packages = Packages::default();
    let mut torn = Vec::new();
    for (number, line) in (1..).zip(file.split_inclusive(|byte| *byte == b'\n')) {
        let mut rest = line;
        let mut has_event = false;
        while let Some(at) = start(rest) {
            if at > 0 {
                packages.add("", number, &rest[..at]);
            }
            let mut events = Deserializer::from_slice(&rest[at..]).into_iter::<Event<'_>>();
            let Some(Ok(event)) = events.next() else {
                torn.push(number);
                (rest, has_event) = (b"", true);
                break;
            };
            let package = event.package.as_deref().unwrap_or_default();
            if let Some(output) = &event.output {
                packages.add(package, number, output.as_bytes());
            }
            rest = &rest[at + events.byte_offset()..];
            has_event = true;
        }
        if !has_event || !rest.trim_ascii().is_empty() {
            packages.add("", number, rest);
        }
    }
    Printed { torn, ..packages.printed() }
}

/// Where an event begins in what is left of a line.
fn start(line: &[u8]) -> Option<usize> {
    if line.first() != Some(&b'{') && !line.contains(&b'{') {
        return None;
    }
    let found = KEYS.iter().filter_map(|key| memchr::memmem::find(line, key));
    found.min()
}

/// The text of packages, in the order in which they turn up.
#[derive(Default)]
struct Packages {
    places: HashMap<String, usize>,
    all: Vec<Printed>,
}

impl Packages {
    fn add(&mut self, package: &str, number: u64, output: &[u8]) {
        let place = match self.places.get(package) {
            Some(known) => *known,
            None => {
                self.all.push(Printed::default());
                self.places.insert(package.to_owned(), self.all.len() - 1);
                self.all.len() - 1
            }
        };
        self.all[place].add(number, output);
    }

    fn printed(self) -> Printed {
        let mut all = Printed::default();
        for mut package in self.all.into_iter().filter(|package| !package.text.is_empty()) {
            if !package.text.ends_with(b"\n") {
                package.text.push(b'\n');
            }
            all.text.append(&mut package.text);
            all.lines.append(&mut package.lines);
        }
        all
    }
}

impl Printed {
    fn add(&mut self, number: u64, output: &[u8]) {
        for piece in output.split_inclusive(|byte| *byte == b'\n') {
            if self.text.is_empty() || self.text.ends_with(b"\n") {
                self.lines.push(number);
            }
            self.text.extend_from_slice(piece);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Would catch lines of two packages that are torn apart by one another, and lines counted in the text.
    #[test]
    fn text_is_taken_out_by_package() {
        let file = concat!(
            r#"{"Time":"2026-11-23T01:00:00Z","Action":"start","Package":"a"}"#,
            "\n",
            r#"{"Action":"output","Package":"a","Output":"BenchmarkX-8 \t"}"#,
            "\n",
            "# stray\n",
            r#"{"Action":"output","Package":"b","Output":"pkg: b\n"}"#,
            "\n",
            r#"{"Action":"output","Package":"a","Output":"1\t5 ns/op\nPASS\n"}"#,
            "\n",
            r#"{"Action":"output","Package":"b","Output":"FAIL\tb \u0026 [build failed]"}"#,
        );
        assert!(is_beginning(file.as_bytes()));
        let Printed { text, lines, torn } = printed(file.as_bytes());
        let text = String::from_utf8(text).unwrap();
        let wanted = "BenchmarkX-8 \t1\t5 ns/op\nPASS\n# stray\npkg: b\nFAIL\tb & [build failed]\n";
        assert_eq!(text, wanted);
        assert_eq!((lines, torn), (vec![2, 5, 3, 4, 6], vec![]));
    }

    /// Would catch output beside an event that takes it along, and an event that is lost without a word.
    #[test]
    fn what_stands_beside_an_event_is_text_and_a_torn_one_is_named() {
        let file = concat!(
            "tick",
            r#"{"Action":"output","Package":"a","Output":"BenchmarkX-8 \t"}"#,
            r#"{"Action":"output","Package":"a","Output":"1\t5 ns/op\n"}"#,
            "tock\n",
            r#"{"Action":"output","Pack tick"#,
            "\n",
        );
        let Printed { text, lines, torn } = printed(file.as_bytes());
        let text = String::from_utf8(text).unwrap();
        assert_eq!(text, "ticktock\nBenchmarkX-8 \t1\t5 ns/op\n");
        assert_eq!((lines, torn), (vec![1, 1], vec![2]));
    }

    #[test]
    fn other_json_is_none() {
        for other in
            ["{\"Time\":1}\n\"Action\":\"", "{\"type\":\"header\"}", "{\"results\":[]}", ""]
        {
            assert!(!is_beginning(other.as_bytes()), "{other}");
        }
    }
}
