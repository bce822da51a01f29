//! Tables of figures: their rows are simulated, on threads, and written as Markdown.
//!
//! A row's figures follow from its table's and its own title, the seed and the number of replicates, never from the
//! threads. Refuses to know what is simulated.

use std::fmt::Write as _;
use std::num::NonZeroUsize;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use etalon_core::random::Random;

use crate::figure::{Bound, Count, Kind};

/// One replicate: a whole number for each column, absent where it cannot be had.
pub(crate) type Replicate = Box<dyn Fn(Random) -> Vec<Option<u32>> + Send + Sync>;

/// Rows that are simulated the same way, and what is counted of them.
pub struct Table {
    /// Its heading, unique in the page: seeds follow from it.
    pub title: String,
    /// Its description, in Markdown.
    pub about: String,
    /// The heading of its rows.
    pub of: String,
    /// Figures that every replicate gives: a name and how it is summed up.
    pub columns: Vec<(String, Kind)>,
    /// Simulated experiments, from top to bottom.
    pub rows: Vec<Row>,
}

/// One kind of experiment, simulated again and again.
pub struct Row {
    /// Its title, unique in the table.
    pub title: String,
    /// The bound of each column.
    pub asked: Vec<Bound>,
    /// The replicates, as a share of those of a full run: fewer where they are large, more for headlines.
    pub weight: Weight,
    /// One of them.
    pub replicate: Replicate,
}

/// How many replicates a row gets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Weight {
    /// Ten times as many: its figures are held to half a point.
    Headline,
    /// As many as asked for.
    Usual,
    /// A fifth of the usual number.
    Large,
}

impl Weight {
    fn replicates(self, usual: usize) -> usize {
        match self {
            Weight::Headline => usual * 10,
            Weight::Usual => usual,
            Weight::Large => usual.div_ceil(5),
        }
    }
}

/// How it is simulated.
#[derive(Debug, Clone, Copy)]
pub struct Effort {
    /// Replicates of an ordinary row.
    pub replicates: usize,
    /// The seed of everything.
    pub seed: u64,
    /// Threads; the figures do not depend on them.
    pub threads: NonZeroUsize,
}

/// Replicates that a thread takes at a time: enough to be worth a lock, few enough to share out the longest rows.
const CHUNK: usize = 50;

/// The figures of a table, rows by columns.
pub(crate) type Counts = Vec<Vec<Count>>;

/// Simulates a table.
#[must_use]
pub fn simulate(table: &Table, effort: Effort) -> Counts {
    let mut chunks = Vec::new();
    for (row, of) in table.rows.iter().enumerate() {
        let all = of.weight.replicates(effort.replicates);
        chunks.extend((0..all).step_by(CHUNK).map(|from| (row, from, (from + CHUNK).min(all))));
    }
    let none = vec![vec![Count::default(); table.columns.len()]; table.rows.len()];
    let (counts, next) = (Mutex::new(none), AtomicUsize::new(0));
    let work = || {
        while let Some(&(row, from, to)) = chunks.get(next.fetch_add(1, Ordering::Relaxed)) {
            let of = &table.rows[row];
            let seed =
                Random::new(effort.seed).stream(label(&table.title)).stream(label(&of.title));
            let mut sums = vec![Count::default(); table.columns.len()];
            for replicate in from..to {
                let values = (of.replicate)(seed.stream(replicate as u64));
                sums.iter_mut().zip(values).for_each(|(sum, value)| sum.add(value));
            }
            let mut counts = counts.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
            counts[row].iter_mut().zip(sums).for_each(|(all, sum)| all.merge(sum));
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..effort.threads.get() {
            scope.spawn(work);
        }
    });
    counts.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner)
}

/// FNV-1a: a label as a number, the same everywhere.
fn label(text: &str) -> u64 {
    let step = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    text.bytes().fold(0xcbf2_9ce4_8422_2325, step)
}

impl Table {
    /// The figures of which something was asked.
    #[must_use]
    pub(crate) fn judged(&self) -> usize {
        let asked = self.rows.iter().flat_map(|row| &row.asked);
        asked.filter(|asked| **asked != Bound::Shown).count()
    }

    /// Which figures fail, as row and column.
    #[must_use]
    pub fn failed(&self, counts: &Counts) -> Vec<(usize, usize)> {
        let cells = self.judged();
        let fails = |row: usize, column: usize| {
            let of = &self.rows[row];
            counts[row][column].fails(of.asked[column], cells, of.weight == Weight::Headline)
        };
        let all =
            (0..self.rows.len()).flat_map(|row| (0..self.columns.len()).map(move |c| (row, c)));
        all.filter(|&(row, column)| fails(row, column)).collect()
    }

    /// The table as Markdown; figures that fail are bold, with what was asked.
    #[must_use]
    pub fn markdown(&self, counts: &Counts) -> String {
        let failed = self.failed(counts);
        let mut text = format!("## {}\n\n{}\n\n| {} |", self.title, self.about, self.of);
        self.columns.iter().for_each(|(name, _)| text.push_str(&format!(" {name} |")));
        text.push_str("\n| --- |");
        self.columns.iter().for_each(|_| text.push_str(" ---: |"));
        for (row, of) in self.rows.iter().enumerate() {
            let mark = if of.weight == Weight::Headline { " ∗" } else { "" };
            let _ = write!(text, "\n| {}{mark} |", of.title);
            for (column, (_, kind)) in self.columns.iter().enumerate() {
                let figure = figure(counts[row][column], *kind);
                let asked = failed.contains(&(row, column)).then_some(of.asked[column]);
                let _ = match asked {
                    Some(Bound::AtMost(most)) => {
                        write!(text, " **{figure}** (≤ {}) |", percent(most))
                    }
                    Some(Bound::AtLeast(least)) => {
                        write!(text, " **{figure}** (≥ {}) |", percent(least))
                    }
                    _ => write!(text, " {figure} |"),
                };
            }
        }
        text.push('\n');
        text
    }
}

fn figure(count: Count, kind: Kind) -> String {
    let Some(value) = count.value() else { return "–".to_owned() };
    match kind {
        Kind::Share => percent(value),
        Kind::Mean if value < 99.5 => format!("{value:.1}"),
        Kind::Mean => format!("{value:.0}"),
    }
}

/// A share in %, one digit behind the point where that says something.
fn percent(share: f64) -> String {
    match share * 100.0 {
        0.0 => "0".to_owned(),
        100.0 => "100".to_owned(),
        percent => format!("{percent:.1}"),
    }
}
