//! Lines on a terminal that are rewritten in place.
//!
//! Owns where the cursor is: behind the last of them. Refuses to know what they say. A terminal that gets narrower
//! breaks lines that are there; the rows they take by then are found from their widths. After Ctrl-Z somebody else
//! has written: what was shown stays, and new lines begin.

use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use etalon_report::text::width;
use terminal_size::{Height, Width, terminal_size_of};

/// Columns and rows of a terminal that says nothing of its size.
const UNKNOWN: (u16, u16) = (80, 24);

/// The lines on standard error.
#[derive(Debug)]
pub(super) struct Lines {
    /// The width of each line that is there; none if there is none.
    shown: Vec<usize>,
    /// Whether this process was continued after a stop.
    continued: Arc<AtomicBool>,
}

impl Lines {
    pub(super) fn new() -> io::Result<Lines> {
        let continued = Arc::new(AtomicBool::new(false));
        signal_hook::flag::register(signal_hook::consts::SIGCONT, Arc::clone(&continued))?;
        Ok(Lines { shown: Vec::new(), continued })
    }

    /// Shows lines in the place of those before; `lines` is told how wide they may be. The last column stays free:
    /// terminals differ in where the cursor is behind it.
    pub(super) fn show(&mut self, lines: impl FnOnce(usize) -> Vec<String>) {
        let (columns, rows) = size();
        let mut lines = lines(columns.saturating_sub(1));
        lines.truncate(rows.saturating_sub(1).max(1));
        if self.continued.swap(false, Ordering::Relaxed) {
            self.shown.clear();
        }
        print(&self.replaced(&lines, columns));
    }

    /// The sequence that shows other lines in the place of those before on a terminal that has so many columns by now.
    fn replaced(&mut self, lines: &[String], columns: usize) -> String {
        let text = format!("{}{}", self.back(columns), lines.join("\r\n"));
        self.shown = lines.iter().map(|line| visible(line)).collect();
        text
    }

    /// Takes away what is shown.
    pub(super) fn clear(&mut self) {
        if !self.shown.is_empty() && !self.continued.swap(false, Ordering::Relaxed) {
            print(&self.back(size().0));
        }
        self.shown.clear();
    }

    /// The sequence that moves the cursor to where the first line begins, and clears from there on.
    fn back(&self, columns: usize) -> String {
        let rows: usize = self.shown.iter().map(|line| line.div_ceil(columns).max(1)).sum();
        match rows {
            0 | 1 => "\r\x1b[J".to_owned(),
            rows => format!("\r\x1b[{}A\x1b[J", rows - 1),
        }
    }
}

/// Columns and rows of the terminal.
fn size() -> (usize, usize) {
    let size = terminal_size_of(io::stderr());
    let (columns, rows) = size.map_or(UNKNOWN, |(Width(columns), Height(rows))| (columns, rows));
    (usize::from(columns.max(1)), usize::from(rows))
}

/// The width of a line without its colours.
fn visible(line: &str) -> usize {
    let parts = line.split("\x1b[");
    let plain = |(at, part): (usize, &str)| match at {
        0 => width(part),
        _ => width(part.split_once('m').map_or("", |(_, text)| text)),
    };
    parts.enumerate().map(plain).sum()
}

fn print(text: &str) {
    let mut stderr = io::stderr();
    let _unwritable = stderr.write_all(text.as_bytes()).and_then(|()| stderr.flush());
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A terminal that breaks its lines anew when it is resized, as most do: lines as they were written, the cursor
    /// behind the last. Only what is used here is known to it.
    struct Terminal {
        columns: usize,
        lines: Vec<String>,
    }

    impl Terminal {
        fn rows_of(&self, line: &str) -> usize {
            width(line).div_ceil(self.columns).max(1)
        }

        fn write(&mut self, text: &str) {
            let mut rest = text;
            while let Some(c) = rest.chars().next() {
                if let Some(sequence) = rest.strip_prefix("\x1b[") {
                    let end = sequence.find(char::is_alphabetic).unwrap();
                    match (&sequence[end..=end], sequence[..end].parse()) {
                        ("A", Ok(rows)) => self.up(rows),
                        ("J", _) => {} // what is below the cursor is not kept here
                        other => panic!("{other:?}"),
                    }
                    rest = &sequence[end + 1..];
                    continue;
                }
                match c {
                    '\r' if rest.starts_with("\r\n") => {}
                    '\r' => self.carriage_return(),
                    '\n' => self.lines.push(String::new()),
                    c => self.lines.last_mut().unwrap().push(c),
                }
                rest = &rest[c.len_utf8()..];
            }
        }

        fn carriage_return(&mut self) {
            let rows = self.rows_of(self.lines.last().unwrap()) - 1;
            let columns = rows * self.columns;
            let line = self.lines.last_mut().unwrap();
            *line = line.chars().take(columns).collect();
        }

        fn up(&mut self, rows: usize) {
            for _ in 0..rows {
                let line = self.lines.last_mut().unwrap();
                if line.is_empty() {
                    self.lines.pop();
                } else {
                    // At the start of a row that is not the line's first.
                    let above = width(line) - self.columns;
                    *line = line.chars().take(above).collect();
                    continue;
                }
                self.carriage_return();
            }
        }
    }

    /// Would catch lines that are left standing when a terminal gets narrower or wider, and lines of others that
    /// are taken away.
    #[test]
    fn resizing_leaves_nothing_behind() {
        for (before, now) in [(80, 80), (80, 40), (80, 23), (80, 200), (40, 7), (7, 80), (80, 1)] {
            for drawn in [[79, 79], [60, 0], [0, 60], [40, 20], [7, 7], [6, 80]] {
                let line = |length: &usize, c: &str| c.repeat((*length).min(before - 1));
                let mut terminal = Terminal { columns: before, lines: vec![String::new()] };
                terminal.write("$ etalon cmd\r\n");
                let mut lines = Lines { shown: Vec::new(), continued: Arc::default() };
                for c in ["a", "b"] {
                    let drawn: Vec<String> = drawn.iter().map(|length| line(length, c)).collect();
                    terminal.write(&lines.replaced(&drawn, before));
                }
                terminal.columns = now;
                let other = vec!["c".to_owned(), "d".to_owned()];
                terminal.write(&lines.replaced(&other, now));
                assert_eq!(terminal.lines, ["$ etalon cmd", "c", "d"], "{before} {now} {drawn:?}");
                terminal.write(&lines.back(now));
                assert_eq!(terminal.lines, ["$ etalon cmd", ""]);
            }
        }
    }

    #[test]
    fn colours_have_no_width() {
        assert_eq!(visible("\x1b[32m██\x1b[0m\x1b[2m░\x1b[0m  1"), 6);
        assert_eq!(visible("plain"), 5);
    }
}
