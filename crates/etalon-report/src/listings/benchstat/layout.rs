//! Cells on a grid of text, laid out as benchstat lays them out.
//!
//! Owns column widths: of single cells first, then of those that span columns, which widen the columns
//! that may stretch evenly. A width is a number of characters, as benchstat has it. Refuses to know what
//! a cell says.

/// Where the text of a cell stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    Left,
    Centre,
    Right,
}

/// Text over one or more columns.
#[derive(Debug, Clone)]
struct Cell {
    row: usize,
    col: usize,
    span: usize,
    text: String,
    margin: &'static str,
    side: Side,
}

impl Cell {
    fn is_blank(&self) -> bool {
        self.text.trim().is_empty() && self.margin.trim().is_empty()
    }
}

/// Cells, added row by row and from left to right.
#[derive(Debug, Default)]
pub(super) struct Layout {
    cells: Vec<Cell>,
    /// Columns that are no wider than their own cells.
    narrow: Vec<bool>,
    row: usize,
    col: usize,
    cols: usize,
}

fn length(text: &str) -> usize {
    text.chars().count()
}

impl Layout {
    /// Begins a row; the first one is there already.
    pub(super) fn row(&mut self) {
        if !self.cells.is_empty() {
            self.row += 1;
        }
        self.col = 0;
    }

    /// Goes on at a column.
    pub(super) fn at(&mut self, col: usize) {
        self.col = col;
    }

    /// The next column.
    pub(super) fn next(&self) -> usize {
        self.col
    }

    /// A cell with a space before it, if it says anything and is not the first.
    pub(super) fn cell(&mut self, text: &str, side: Side) {
        let margin = if self.col == 0 || text.is_empty() { "" } else { " " };
        self.span(1, text, side, margin);
    }

    /// A cell over several columns with a margin before it.
    pub(super) fn span(&mut self, span: usize, text: &str, side: Side, margin: &'static str) {
        let (row, col) = (self.row, self.col);
        self.cells.push(Cell { row, col, span, text: text.to_owned(), margin, side });
        self.col += span;
        self.cols = self.cols.max(self.col);
    }

    /// Keeps a column as narrow as its own cells.
    pub(super) fn narrow(&mut self, col: usize) {
        self.narrow.resize(self.narrow.len().max(col + 1), false);
        self.narrow[col] = true;
    }

    /// The text, every row ended; nothing without cells.
    pub(super) fn render(&self) -> String {
        let mut margins = vec![0; self.cols];
        for cell in &self.cells {
            margins[cell.col] = margins[cell.col].max(length(cell.margin));
        }
        let widths = self.widths(&margins);
        let mut offsets = vec![0];
        for width in widths {
            offsets.push(offsets[offsets.len() - 1] + width);
        }
        let mut cells: Vec<&Cell> = self.cells.iter().filter(|cell| !cell.is_blank()).collect();
        cells.sort_by_key(|cell| (cell.row, cell.col));
        let (mut out, mut row, mut at) = (String::new(), 0, 0_isize);
        for cell in cells {
            while row < cell.row {
                out.push('\n');
                (row, at) = (row + 1, 0);
            }
            let margin = margins[cell.col];
            let before = signed(offsets[cell.col]) - at;
            pad(&mut out, before);
            pad(&mut out, signed(margin - length(cell.margin)));
            out.push_str(cell.margin);
            let width = offsets[cell.col + cell.span] - offsets[cell.col];
            let room = signed(width) - signed(margin + length(&cell.text));
            let aside = match cell.side {
                Side::Left => 0,
                Side::Centre => room / 2,
                Side::Right => room.max(0),
            };
            pad(&mut out, aside);
            out.push_str(&cell.text);
            at += before + signed(margin + length(&cell.text)) + aside.abs();
        }
        if !self.cells.is_empty() {
            out.push('\n');
        }
        out
    }

    /// Columns with their margins.
    fn widths(&self, margins: &[usize]) -> Vec<usize> {
        let mut widths = vec![0; self.cols];
        let mut cells: Vec<&Cell> = self.cells.iter().collect();
        cells.sort_by_key(|cell| cell.span);
        for cell in cells {
            let wanted = length(&cell.text) + margins[cell.col];
            let columns = cell.col..cell.col + cell.span;
            if widths[columns.clone()].iter().sum::<usize>() < wanted {
                self.widen(&mut widths, columns, wanted);
            }
        }
        widths
    }

    /// Widens columns to a sum: the widest first, each to the average of what is left.
    fn widen(&self, widths: &mut [usize], columns: std::ops::Range<usize>, wanted: usize) {
        let is_narrow = |col: &usize| columns.len() > 1 && self.narrow.get(*col) == Some(&true);
        let (narrow, mut wide): (Vec<usize>, Vec<usize>) = columns.clone().partition(is_narrow);
        let taken: usize = narrow.iter().map(|col| widths[*col]).sum();
        let mut left = wanted.saturating_sub(taken);
        wide.sort_by_key(|col| std::cmp::Reverse(widths[*col]));
        for (passed, col) in wide.iter().enumerate() {
            let average = left.div_ceil(wide.len() - passed);
            widths[*col] = widths[*col].max(average);
            left = left.saturating_sub(widths[*col]);
        }
    }
}

/// Widths are lengths of texts.
fn signed(width: usize) -> isize {
    isize::try_from(width).unwrap_or(isize::MAX)
}

/// So many spaces; as many, too, where a text before was too long for its column, which is what Go's
/// formatting makes of a negative width.
fn pad(out: &mut String, spaces: isize) {
    out.extend(std::iter::repeat_n(' ', spaces.unsigned_abs()));
}
