//! Remarks of a reader: bad lines, doubtful ones, unknown line types, typed absences.
//!
//! Owns the wording and the limit after which bad lines are counted and no longer listed. Refuses
//! to decide whether a line is bad.

use std::collections::BTreeMap;

use etalon_core::model::Note;

/// Bad lines listed one by one. Because: enough to see a pattern, and a file of another kind that
/// starts with a valid header does not fill the screen.
const LISTED: u64 = 20;

/// Bad lines in an error. Because: an error is a line or two, and most often the reason is the same.
const SHOWN: usize = 3;

/// Different unknown types and absent texts named. Because: they come from the file, which may be
/// damaged, and memory has to stay bounded.
const NAMED: usize = 10;

/// Remarks collected while reading one source.
#[derive(Debug, Default)]
pub(crate) struct Remarks {
    bad: u64,
    listed: Vec<(u64, String)>,
    unknown: BTreeMap<String, u64>,
    absent: BTreeMap<(String, String), u64>,
    unlisted_absent: u64,
    torn: Option<u64>,
    doubtful: u64,
    doubts: Vec<(u64, String)>,
}

impl Remarks {
    /// A line that cannot be used.
    pub(crate) fn bad_line(&mut self, line: u64, reason: String) {
        self.bad += 1;
        if self.bad <= LISTED {
            self.listed.push((line, reason));
        }
    }

    /// A line of a type this version does not know.
    pub(crate) fn unknown_type(&mut self, name: &str) {
        let name = clipped(name);
        if self.unknown.len() < NAMED || self.unknown.contains_key(&name) {
            *self.unknown.entry(name).or_default() += 1;
        } else {
            *self.unknown.entry("…".to_owned()).or_default() += 1;
        }
    }

    /// A value its source gives as something other than a finite number.
    pub(crate) fn absent(&mut self, metric: &str, text: &str) {
        let key = (metric.to_owned(), clipped(text));
        if self.absent.len() < NAMED || self.absent.contains_key(&key) {
            *self.absent.entry(key).or_default() += 1;
        } else {
            self.unlisted_absent += 1;
        }
    }

    /// A line that is used, though not as it stands there.
    pub(crate) fn doubtful(&mut self, line: u64, reason: String) {
        self.doubtful += 1;
        if self.doubtful <= LISTED {
            self.doubts.push((line, reason));
        }
    }

    /// The last line has no end.
    pub(crate) fn torn(&mut self, line: u64) {
        self.torn = Some(line);
    }

    /// The first lines that cannot be used, for a source of which nothing else is there; absent of none.
    pub(crate) fn all_refused(&self) -> Option<String> {
        if self.bad == 0 {
            return None;
        }
        let first =
            self.listed.iter().take(SHOWN).map(|(line, reason)| format!("line {line}: {reason}"));
        let mut first: Vec<String> = first.collect();
        let more = self.bad - first.len() as u64;
        if more > 0 {
            first.push(format!("{more} more"));
        }
        Some(first.join("; "))
    }

    /// The loss by the first line that cannot be used, or by the torn last one.
    pub(crate) fn lost(&self) -> Option<String> {
        let torn = || self.torn.map(|line| format!("line {line} breaks off"));
        let first = self.listed.first();
        first.map(|(line, reason)| format!("line {line} cannot be used: {reason}")).or_else(torn)
    }

    /// All remarks as notes about `source`.
    pub(crate) fn into_notes(self, source: &str) -> Vec<Note> {
        let mut texts: Vec<String> = Vec::new();
        for (line, reason) in &self.listed {
            texts.push(format!("line {line} is left out: {reason}"));
        }
        if self.bad > LISTED {
            texts.push(format!("{} more lines are left out", self.bad - LISTED));
        }
        for (line, reason) in &self.doubts {
            texts.push(format!("line {line}: {reason}"));
        }
        if self.doubtful > LISTED {
            texts.push(format!("{} more of this kind", self.doubtful - LISTED));
        }
        if let Some(line) = self.torn {
            texts.push(format!(
                "line {line}, the last one, was in flight when the record was interrupted, and is \
                 left out"
            ));
        }
        if !self.unknown.is_empty() {
            texts.push(unknown_types(&self.unknown));
        }
        for ((metric, text), count) in &self.absent {
            texts.push(format!("{} of {metric} not available: `{text}`", values(*count)));
        }
        if self.unlisted_absent > 0 {
            texts.push(format!("{} more not available", values(self.unlisted_absent)));
        }
        texts.into_iter().map(|text| Note::new(source, text)).collect()
    }
}

fn values(count: u64) -> String {
    if count == 1 { "1 value".to_owned() } else { format!("{count} values") }
}

fn unknown_types(unknown: &BTreeMap<String, u64>) -> String {
    let total: u64 = unknown.values().sum();
    let names: Vec<String> = unknown.iter().map(|(name, n)| format!("{n} of `{name}`")).collect();
    let lines = if total == 1 { "line has a type" } else { "lines have types" };
    format!("{total} {lines} this version does not know and ignores: {}", names.join(", "))
}

/// The first 40 characters, control characters escaped, so that a note stays one line.
pub(crate) fn clipped(text: &str) -> String {
    let mut shown = String::new();
    for c in text.chars().take(40) {
        if c.is_control() {
            shown.extend(c.escape_default());
        } else {
            shown.push(c);
        }
    }
    if text.chars().nth(40).is_some() {
        shown.push('…');
    }
    shown
}
