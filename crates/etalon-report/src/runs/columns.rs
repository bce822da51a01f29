//! A list in columns, within the width there is: what does not fit is shortened in its middle.

use crate::text::{left, right};

/// Widths for names within `room`: short ones get what they need, the others share the rest evenly.
pub(crate) fn shared(room: usize, wanted: &[usize]) -> Vec<usize> {
    let mut widths = vec![0; wanted.len()];
    let mut order: Vec<usize> = (0..wanted.len()).collect();
    order.sort_by_key(|&column| wanted[column]);
    let mut left = room;
    for (place, &column) in order.iter().enumerate() {
        widths[column] = wanted[column].min(left / (order.len() - place));
        left -= widths[column];
    }
    widths
}

/// A cell that takes its column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Side {
    /// Text begins at the left.
    Left,
    /// Numbers end at the right.
    Right,
}

/// A line of cells, two spaces apart; nothing behind the last.
pub(crate) fn line(cells: &[(String, usize, Side)]) -> String {
    let cell = |(text, columns, side): &(String, usize, Side)| match side {
        Side::Left => left(text, *columns),
        Side::Right => right(text, *columns),
    };
    let shown: Vec<String> =
        cells.iter().filter(|(_, columns, _)| *columns > 0).map(cell).collect();
    shown.join("  ").trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn widths_are_shared() {
        assert_eq!(shared(46, &[100, 100]), [23, 23]);
        assert_eq!(shared(46, &[10, 100]), [10, 36]);
        assert_eq!(shared(100, &[10, 0, 20]), [10, 0, 20]);
    }
}
