//! Whether a text is in the Go benchmark format.
//!
//! The format allows any line anywhere; recognised is what only `go test` and its relatives write: a result,
//! a `Unit` line, or a fact that `go test` prints first. Refuses to read further than it is given.

use super::line::{Line, read};

/// Whether the beginning of a file is of the format.
#[must_use]
pub fn recognise(beginning: &[u8]) -> bool {
    let mut list = Vec::new();
    beginning.split(|b| *b == b'\n').any(|line| {
        let line = String::from_utf8_lossy(line.strip_suffix(b"\r").unwrap_or(line));
        match read(&line, &mut list) {
            Line::Result { .. } => true,
            Line::Metadata(rest) => rest.contains('='),
            Line::Configuration { key, value } => {
                matches!(key, "goos" | "goarch" | "pkg") && value.is_some()
            }
            Line::Broken(broken) => broken.ends == super::line::Ends::Torn,
            _ => line == super::records::ENCODED,
        }
    })
}

#[cfg(test)]
mod tests {
    use super::recognise;

    #[test]
    fn what_go_test_writes_is_recognised() {
        for text in [
            "goos: linux\n",
            "make: entering\n2024/01/01 hello\r\nBenchmarkX-8 \t 10\t 5 ns/op\r\n",
            "BenchmarkX-8 \tSDK WARN\n",
            "Unit ns/op better=lower",
        ] {
            assert!(recognise(text.as_bytes()), "{text}");
        }
        for text in ["", "\n", "Command,Shell\n", "Benchmarks are fun\n", "key: value\n", "Unit"] {
            assert!(!recognise(text.as_bytes()), "{text}");
        }
    }
}
