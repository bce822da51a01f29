//! A record of a million observations: what is kept of it, and how much memory that takes.
//!
//! Peak memory is the process's, so the test executes itself as a process that does nothing else.

use std::io::{self, BufReader, Read};
use std::process::Command;

use etalon_core::model::Outcome;
use etalon_record::{Strictness, raw};

const ROWS: u32 = 1_000_000;
const METRICS: u32 = 3;

/// Set in the process that reads.
const READER: &str = "ETALON_TEST_READER";

const HEAD: &str = concat!(
    r#"{"type":"header","format":"etalon","version":1,"tool":"test"}"#,
    "\n",
    r#"{"type":"metric","name":"wall","unit":"ns","direction":"lower","kind":"noisy"}"#,
    "\n",
    r#"{"type":"metric","name":"user","unit":"us","direction":"lower","kind":"noisy"}"#,
    "\n",
    r#"{"type":"metric","name":"rss","unit":"B","direction":"lower","kind":"noisy"}"#,
    "\n",
    r#"{"type":"benchmark","name":"a","command":"a"}"#,
    "\n",
);

/// The lines of the record, made as they are read.
struct Lines {
    row: u32,
    line: Vec<u8>,
    at: usize,
}

impl Read for Lines {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        if self.at == self.line.len() && self.row < ROWS {
            let row = self.row;
            let says = if row == ROWS / 2 {
                r#""outcome":"timed_out","values":{}"#.to_owned()
            } else {
                format!(r#""values":{{"wall":{},"user":{row},"rss":4096}}"#, 1000 + row)
            };
            let line =
                format!("{{\"type\":\"observation\",\"benchmark\":0,\"block\":{row},{says}}}\n");
            (self.line, self.at, self.row) = (line.into_bytes(), 0, row + 1);
        }
        let taken = (&self.line[self.at..]).read(out)?;
        self.at += taken;
        Ok(taken)
    }
}

/// This process's peak resident set in KiB.
fn peak() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find(|line| line.starts_with("VmHWM:")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse().unwrap()
}

/// Would catch a row or a value that takes more than `docs/format.md` says (8 bytes a row, 4 for its block, 4 a
/// value), such as an outcome of every row, and a reader that holds what it has read.
///
/// On one CPU nothing is read ahead, and memory is the same each time. On several, how far other threads are ahead depends
/// on who has a CPU; they may hold a few pieces of the text, and not the text, which is four times as large as the rows.
#[test]
fn a_million_observations_keep_little_but_their_numbers() {
    if std::env::var_os(READER).is_some() {
        return read_a_million();
    }
    let kept = u64::from(ROWS) * u64::from(8 + 4 + 4 * METRICS) / 1024;
    let this = std::env::current_exe().unwrap();
    let mut on_one = Command::new("taskset");
    on_one.args(["-c", &one_cpu()]).arg(&this);
    let alone = grown(&mut on_one);
    // Columns that grow are not copied by the page.
    assert!(alone <= kept + kept / 4, "{alone} KiB for what takes {kept}");
    assert!(alone > kept / 2, "{alone} KiB for what takes {kept}: nothing was read?");
    let ahead = grown(&mut Command::new(&this));
    assert!(ahead <= 2 * kept, "{ahead} KiB for what takes {kept}");
}

/// By how many KiB a process grows that reads.
fn grown(child: &mut Command) -> u64 {
    let this = "large::a_million_observations_keep_little_but_their_numbers";
    let output = child.args(["--exact", this, "--nocapture"]).env(READER, "").output().unwrap();
    assert!(output.status.success(), "{output:?}");
    let text = String::from_utf8_lossy(&output.stdout);
    let grown = text.lines().find_map(|line| line.split_once("grown by ")?.1.parse::<u64>().ok());
    grown.unwrap_or_else(|| panic!("{text}"))
}

/// A CPU that this process may use.
fn one_cpu() -> String {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let list = status.lines().find_map(|line| line.strip_prefix("Cpus_allowed_list:")).unwrap();
    list.trim().chars().take_while(char::is_ascii_digit).collect()
}

/// The part of the process that reads.
fn read_a_million() {
    let lines = Lines { row: 0, line: HEAD.into(), at: 0 };
    let before = peak();
    let data = raw::read(BufReader::new(lines), "r.jsonl", Strictness::Strict).unwrap();
    println!("\ngrown by {}", peak() - before);
    let middle = (ROWS / 2) as usize;
    assert_eq!((data.len(), data.rows.outcome(middle)), (ROWS as usize, &Outcome::TimedOut));
    let last: Vec<f64> = data.row(data.len() - 1).map(|value| data.base(value)).collect();
    assert_eq!(last, [0.001_000_999, 0.999_999, 4096.0]);
    let place = data.rows.place(data.len() - 1).unwrap();
    assert_eq!((place.block, place.turn), (ROWS - 1, None));
}
