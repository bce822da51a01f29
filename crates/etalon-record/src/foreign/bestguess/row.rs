//! One row: a record's fields become an execution.
//!
//! Owns which benchmark it belongs to, what its exit code means, and its numbers. A row is used whole or
//! not at all. Refuses to find records.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};

use etalon_core::dataset::{Dataset, Full, RunSetId, SpellingId};
use etalon_core::metrics;
use etalon_core::model::{Accept, Benchmark, Direction, Outcome};

use super::columns::{Column, Quantity, meaning};
use super::header::Header;
use super::order::Order;
use super::split::{Field, Quotes};
use super::text::{Escapes, is_bestguess, unescaped};
use crate::foreign::decimal::{self, Cell, Scale};
use crate::foreign::import::{AsWritten, Import};
use crate::inputs::Input;
use crate::outcome;
use crate::raw::{Remarks, Strictness, clipped};

/// The unit of the column `Max RSS (Bytes)`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rss {
    /// Bytes, as it says.
    Bytes,
    /// KiB, as BestGuess writes on Linux.
    Kib,
}

pub(super) struct Row<'a> {
    pub(super) bytes: &'a [u8],
    pub(super) fields: &'a [Field],
    pub(super) quotes: Quotes,
    pub(super) line: u64,
}

/// Why a record is no row.
pub(super) enum Bad {
    /// The complaint about it.
    Line(String),
    /// It is the header again.
    Header,
    /// Rows of its batch stand together elsewhere.
    Batch(u64),
}

impl From<String> for Bad {
    fn from(reason: String) -> Bad {
        Bad::Line(reason)
    }
}

/// The rows so far.
pub(super) struct Rows<'d> {
    pub(super) header: Header,
    import: Import<'d>,
    /// Per column with values: where it is, what it holds, its metric.
    quantities: Vec<(usize, Quantity, SpellingId)>,
    /// Where command, shell, name and batch are.
    identity: [Option<usize>; 4],
    code: Option<usize>,
    benchmarks: HashMap<Vec<u8>, usize>,
    /// Per benchmark the number its rows carry: its place on the command line that made the file.
    batches: Vec<Option<u64>>,
    order: Order,
    /// The identity of the last row and its benchmark: neighbours most often share it.
    last: (Vec<u8>, usize),
    values: Vec<AsWritten>,
    key: Vec<u8>,
    /// Exit codes by which executions are no rows.
    left_out: BTreeMap<i32, u64>,
    without_code: u64,
    rss: Rss,
    /// Whether some row with a peak memory was written by BestGuess.
    bestguess_rss: bool,
}

impl<'d> Rows<'d> {
    pub(super) fn new(
        data: &'d mut Dataset,
        input: &Input,
        header: Header,
        rss: Rss,
    ) -> Result<Rows<'d>, Full> {
        let mut import = Import::new(data, input)?;
        import.set().ranked_by = Some(metrics::CPU.to_owned());
        let mut quantities = Vec::new();
        for (position, column) in header.columns.iter().enumerate() {
            let Some(Column::Metric(mut quantity)) = *column else { continue };
            if quantity.metric == metrics::RSS && rss == Rss::Kib {
                (quantity.unit, quantity.scale) = ("KiB", Scale::Kibi);
            }
            let (metric, _) = import.metric(quantity.metric, quantity.unit, Direction::Lower)?;
            quantities.push((position, quantity, metric));
        }
        let identity = [Column::Command, Column::Shell, Column::Name, Column::Batch];
        Ok(Rows {
            identity: identity.map(|column| header.position(column)),
            code: header.position(Column::Code),
            header,
            import,
            quantities,
            benchmarks: HashMap::new(),
            batches: Vec::new(),
            order: Order::default(),
            last: (Vec::new(), 0),
            values: Vec::new(),
            key: Vec::new(),
            left_out: BTreeMap::new(),
            without_code: 0,
            rss,
            bestguess_rss: false,
        })
    }

    /// Whether a row says that its execution took no time by the clock on the wall or no memory, and nothing else:
    /// nothing that was executed does.
    fn is_nothing(&self) -> bool {
        let never_zero = |metric| {
            self.quantities.iter().any(|(_, quantity, known)| {
                *known == metric && [metrics::WALL, metrics::RSS].contains(&quantity.metric)
            })
        };
        self.values.iter().any(|value| never_zero(value.metric))
            && self.values.iter().all(|value| value.number == 0.0)
    }

    /// Takes a record.
    ///
    /// # Errors
    /// If it is no row; nothing of it is used then.
    pub(super) fn take(
        &mut self,
        row: &Row<'_>,
        strictness: Strictness,
        remarks: &mut Remarks,
    ) -> Result<(), Bad> {
        if self.is_header(row) {
            return Err(Bad::Header);
        }
        let mut doubts = Vec::new();
        let (code, outcome) = self.outcome(row)?;
        self.read_values(row, &mut doubts)?;
        let escapes = self.escapes(row);
        let benchmark = match self.known(row, escapes) {
            Some(known) => known,
            None => {
                let declared = self.declare(row, escapes, &mut doubts)?;
                self.add(declared, self.batch(row))?
            }
        };
        if let (Strictness::Strict, false) = (strictness, doubts.is_empty()) {
            return Err(Bad::Line(doubts.swap_remove(0)));
        }
        if let Some(batch) = self.batches[benchmark] {
            self.order.row(benchmark, batch, row.line).map_err(Bad::Batch)?;
        }
        // etalon writes zeros for what did not count.
        if outcome != Outcome::Ok && self.is_nothing() {
            self.values.clear();
        }
        let accepted = Accept::Any.accepts(&outcome);
        self.import.row(benchmark, outcome, &self.values)?;
        for doubt in doubts {
            remarks.doubtful(row.line, doubt);
        }
        if !accepted {
            *self.left_out.entry(code.unwrap_or_default()).or_default() += 1;
        }
        self.without_code += u64::from(code.is_none());
        self.bestguess_rss |= escapes == Escapes::Backslash;
        Ok(())
    }

    /// Whether every cell that is given is a number, or could be one.
    pub(super) fn has_numbers(&self, bytes: &[u8], fields: &[Field]) -> bool {
        let mut given = self.quantities.iter().filter_map(|(position, quantity, _)| {
            Some(decimal::read(fields.get(*position)?.slice(bytes), quantity.scale))
        });
        given.all(|cell| cell.is_ok())
    }

    fn is_header(&self, row: &Row<'_>) -> bool {
        // A cheap question first: rows of a command called `Command` are rare.
        let says = |at: usize| row.fields.get(at).map(|field| meaning(field.slice(row.bytes)));
        let command = self.identity[0].and_then(says);
        command == Some(Some(Column::Command))
            && (0..row.fields.len()).all(|at| says(at) == self.header.columns.get(at).copied())
    }

    fn outcome(&self, row: &Row<'_>) -> Result<(Option<i32>, Outcome), String> {
        let cell = self.code.and_then(|at| row.fields.get(at)).map(|f| f.slice(row.bytes));
        let cell = cell.unwrap_or_default().trim_ascii();
        if cell.is_empty() {
            return Ok((None, Outcome::Ok));
        }
        let text = String::from_utf8_lossy(cell);
        let code = text
            .parse::<i32>()
            .map_err(|_| format!("Exit code: `{}` is no exit code", clipped(&text)))?;
        Ok((Some(code), outcome::from_exit_code(code)))
    }

    fn read_values(&mut self, row: &Row<'_>, doubts: &mut Vec<String>) -> Result<(), String> {
        self.values.clear();
        for (position, quantity, metric) in &self.quantities {
            let Some(field) = row.fields.get(*position) else { continue };
            let cell = field.slice(row.bytes);
            match decimal::read(cell, quantity.scale) {
                Ok(Cell::Number(_)) => {
                    let (number, written, text) = decimal::as_written(cell)?;
                    self.values.push(AsWritten { metric: *metric, number, written, text });
                }
                Ok(Cell::Empty) => {}
                Ok(Cell::NotFinite(text)) => {
                    doubts.push(format!("{} is `{text}`, so not available", quantity.metric));
                }
                Err(reason) => return Err(format!("{}: {reason}", quantity.metric)),
            }
        }
        Ok(())
    }

    /// How the row's text is escaped. Rows of etalon have all 15 fields; no BestGuess fills the sums.
    fn escapes(&self, row: &Row<'_>) -> Escapes {
        let text = self.identity[..3].iter().flatten().filter_map(|at| row.fields.get(*at));
        let mut text = text.map(|field| is_bestguess(*field, row.bytes, row.quotes));
        let old = self.identity[3].is_none() && self.header.optional == 0;
        let short = row.fields.len() < self.header.columns.len();
        if old || short || text.any(|shows| shows) { Escapes::Backslash } else { Escapes::Rfc4180 }
    }

    /// The benchmark with the row's identity, if there was a row of it; leaves that in `key`.
    fn known(&mut self, row: &Row<'_>, escapes: Escapes) -> Option<usize> {
        self.key.clear();
        self.key.push(u8::from(escapes == Escapes::Backslash));
        for position in self.identity.iter().flatten() {
            let Some(field) = row.fields.get(*position) else { continue };
            self.key.extend_from_slice(&field.slice(row.bytes).len().to_le_bytes());
            self.key.extend_from_slice(field.slice(row.bytes));
        }
        if self.key == self.last.0 {
            return Some(self.last.1);
        }
        let known = *self.benchmarks.get(&self.key)?;
        self.last.0.clone_from(&self.key);
        self.last.1 = known;
        Some(known)
    }

    /// The benchmark a row declares by being the first of it.
    fn declare(
        &self,
        row: &Row<'_>,
        escapes: Escapes,
        doubts: &mut Vec<String>,
    ) -> Result<Benchmark, String> {
        let mut text = |which: usize, what: &str| -> Result<String, String> {
            let field = self.identity[which].and_then(|at| row.fields.get(at));
            let Some(field) = field else { return Ok(String::new()) };
            let bytes = unescaped(*field, row.bytes, escapes);
            if bytes.contains(&0) {
                return Err(format!("{what}: it holds a NUL byte, which no command can"));
            }
            if let Err(error) = std::str::from_utf8(&bytes) {
                let at = error.valid_up_to() + 1;
                doubts.push(format!("{what}: not UTF-8 at byte {at}, which is read as U+FFFD"));
            }
            Ok(match bytes {
                Cow::Borrowed(bytes) => String::from_utf8_lossy(bytes).into_owned(),
                Cow::Owned(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
            })
        };
        let (command, shell, name) = (text(0, "Command")?, text(1, "Shell")?, text(2, "Name")?);
        let name = if name.is_empty() { command.clone() } else { name };
        let shell = Some(shell).filter(|shell| !shell.is_empty());
        let accept = Accept::Any;
        Ok(Benchmark { command: Some(command), shell, accept, ..Benchmark::new(name) })
    }

    /// The row's batch number, if it has a whole one.
    fn batch(&self, row: &Row<'_>) -> Option<u64> {
        let field = row.fields.get(self.identity[BATCH]?)?;
        std::str::from_utf8(field.slice(row.bytes)).ok()?.trim().parse().ok()
    }

    /// Adds the benchmark whose identity is in `key`.
    fn add(&mut self, benchmark: Benchmark, batch: Option<u64>) -> Result<usize, String> {
        let index = self.import.benchmark(benchmark)?;
        self.batches.push(batch);
        self.benchmarks.insert(self.key.clone(), index);
        self.last = (self.key.clone(), index);
        Ok(index)
    }

    /// Whether any row was used.
    pub(super) fn is_empty(&self) -> bool {
        !self.import.has_rows()
    }

    /// Ends the run set, with the notes on what the file does not say.
    ///
    /// # Errors
    /// If the dataset can hold no more.
    pub(super) fn finish(mut self, remarks: Remarks) -> Result<RunSetId, Full> {
        self.import.without_order();
        let set = self.import.set();
        set.lost = remarks.lost();
        let source = set.source.clone();
        set.notes.extend(remarks.into_notes(&source));
        if let Some(text) = self.order.remark() {
            self.import.note(text);
        }
        let missing = self.header.missing();
        if !missing.is_empty() {
            self.import.note(format!("no column for {}: not available", missing.join(", ")));
        }
        if !self.header.unknown.is_empty() {
            let names = self.header.unknown.join("`, `");
            self.import.note(format!("columns that are not known are ignored: `{names}`"));
        }
        if self.without_code > 0 {
            self.import.note(format!(
                "{} without an exit code count as completed",
                outcome::executions(self.without_code)
            ));
        }
        for text in outcome::left_out(&self.left_out) {
            self.import.note(text);
        }
        let rss = self.quantities.iter().find(|(_, quantity, _)| quantity.metric == metrics::RSS);
        let rss = rss.map(|(.., metric)| *metric);
        let has_rss = rss.is_some_and(|rss| self.import.has_values(rss));
        if has_rss && self.bestguess_rss && self.rss == Rss::Bytes {
            self.import.note(KIB.to_owned());
        }
        // Rows of blocks come in random order; batches say which command was given first.
        if let Some(batches) = self.batches.iter().copied().collect::<Option<Vec<u64>>>() {
            self.import.order_by(&batches);
        }
        self.import.finish()
    }
}

/// Where the batch is in `Rows::identity`.
const BATCH: usize = 3;

const KIB: &str = "rss is read in bytes, as its column says; BestGuess on Linux writes KiB there, \
                   1024 times too small: `--from bestguess-linux` reads them as KiB";
