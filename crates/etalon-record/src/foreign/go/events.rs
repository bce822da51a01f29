//! What `go test -json` wraps: the text that packages print, in events.
//!
//! Owns taking that text out, package by package in the order in which they turn up, because those that are tested at
//! the same time print in turns; and which line of the file each line of it came from. Lines that are no events (of the
//! compiler, on stderr) are text of their own. Refuses to read results: that is done with the text.

use std::borrow::Cow;
use std::collections::HashMap;

use serde::Deserialize;

/// What was printed.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Printed {
    /// The text.
    pub(crate) text: Vec<u8>,
    /// For each of its lines, the line of the file in which it begins, from 1.
    pub(crate) lines: Vec<u64>,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Event<'a> {
    #[serde(borrow)]
    package: Option<Cow<'a, str>>,
    #[serde(borrow)]
    output: Option<Cow<'a, str>>,
}

/// Whether a file begins with an event.
pub(crate) fn is_beginning(beginning: &[u8]) -> bool {
    let line = beginning.trim_ascii_start();
    let first_key = [&b"{\"Time\":"[..], b"{\"Action\":", b"{\"ImportPath\":"];
    let line = &line[..line.iter().position(|byte| *byte == b'\n').unwrap_or(line.len())];
    first_key.iter().any(|key| line.starts_with(key))
        && line.windows(10).any(|bytes| bytes == b"\"Action\":\"")
}

/// Takes the text out. Linear in the file.
pub(crate) fn printed(file: &[u8]) -> Printed {
    let mut places: HashMap<String, usize> = HashMap::new();
    let mut of_packages: Vec<Printed> = Vec::new();
    for (number, line) in (1..).zip(file.split_inclusive(|byte| *byte == b'\n')) {
        let event = serde_json::from_slice::<Event<'_>>(line).ok();
        let (package, output) = match &event {
            Some(event) => {
                let Some(output) = &event.output else { continue };
                (event.package.as_deref().unwrap_or_default(), output.as_bytes())
            }
            None => ("", line),
        };
        let place = *places.entry(package.to_owned()).or_insert_with(|| {
            of_packages.push(Printed::default());
            of_packages.len() - 1
        });
        of_packages[place].add(number, output);
    }
    let mut all = Printed::default();
    for mut package in of_packages {
        if !package.text.ends_with(b"\n") {
            package.text.push(b'\n');
        }
        all.text.append(&mut package.text);
        all.lines.append(&mut package.lines);
    }
    all
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
        let Printed { text, lines } = printed(file.as_bytes());
        let text = String::from_utf8(text).unwrap();
        let wanted = "BenchmarkX-8 \t1\t5 ns/op\nPASS\n# stray\npkg: b\nFAIL\tb & [build failed]\n";
        assert_eq!(text, wanted);
        assert_eq!(lines, [2, 5, 3, 4, 6]);
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
