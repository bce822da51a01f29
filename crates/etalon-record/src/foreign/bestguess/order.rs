//! In which order the rows of batches stand.
//!
//! Owns telling rows of interleaved blocks, of which each holds a row of every batch, from two files put
//! together, whose rows are of experiments that have nothing to do with each other. Refuses to pool the
//! latter, and to pool either in silence. (Two files with one row of each batch look like two blocks.)

/// The order of the rows so far.
#[derive(Debug, Default)]
pub(super) struct Order {
    /// Rows per benchmark.
    counts: Vec<u64>,
    last: Option<usize>,
    /// Whether some batch had several rows before another began: no blocks.
    grouped: bool,
    /// The first row of a batch that comes back: its line and batch.
    returned: Option<(u64, u64)>,
}

impl Order {
    /// Takes note of a row of a benchmark that has a batch number.
    ///
    /// # Errors
    /// The batch, if its rows stand together elsewhere.
    pub(super) fn row(&mut self, benchmark: usize, batch: u64, line: u64) -> Result<(), u64> {
        if self.counts.len() <= benchmark {
            self.counts.resize(benchmark + 1, 0);
        }
        let is_new = self.counts[benchmark] == 0;
        let comes_back = !is_new && self.last != Some(benchmark);
        // The rows before the first of another batch are those of the last one that began.
        self.grouped |= is_new && self.last.is_some_and(|last| self.counts[last] > 1);
        if comes_back && self.grouped {
            return Err(batch);
        }
        if comes_back && self.returned.is_none() {
            self.returned = Some((line, batch));
        }
        self.counts[benchmark] += 1;
        self.last = Some(benchmark);
        Ok(())
    }

    /// A remark for the reader.
    pub(super) fn remark(&self) -> Option<String> {
        self.returned.map(|(line, batch)| {
            format!(
                "line {line}: rows of batch {batch} come back after those of others, which is how \
                 interleaved blocks look that were interrupted (and files put together that have one \
                 row of each batch)"
            )
        })
    }
}
