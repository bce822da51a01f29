//! The lines of a table in Markdown: the one place where they are put together.
//!
//! Owns that a cell stays a cell, whatever stands in it. Cells are Markdown: words have been [`super::escaped`], and code
//! is [`super::code`].

use super::Align;
use crate::text::{clean, left, right, width};

/// How the lines stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Spacing {
    /// Cells are padded, so that the text can be read as it is.
    Padded,
    /// Cells take their own width, and rules as little as some readers take for rules.
    Tight,
    /// Cells and rules take their own width, with spaces around them.
    Open,
}

/// The lines: titles with the alignments of their columns, rules, rows; each with its end of line.
#[must_use]
pub fn grid(titles: &[(String, Align)], rows: &[Vec<String>], spacing: Spacing) -> String {
    let titles: Vec<(String, Align)> =
        titles.iter().map(|(title, align)| (in_cell(title), *align)).collect();
    let rows: Vec<Vec<String>> =
        rows.iter().map(|row| row.iter().map(|cell| in_cell(cell)).collect()).collect();
    let widest = |at: usize| rows.iter().map(|row| width(&row[at])).max().unwrap_or(0);
    let columns = |(at, (title, _)): (usize, &(String, Align))| match spacing {
        // Three are the fewest dashes that some readers take for a column.
        Spacing::Padded => widest(at).max(width(title)).max(4),
        Spacing::Tight | Spacing::Open => 0,
    };
    let widths: Vec<usize> = titles.iter().enumerate().map(columns).collect();
    let padded = |(at, cell): (usize, &String)| match titles[at].1 {
        Align::Left => left(cell, widths[at].max(width(cell))),
        Align::Right | Align::Point => right(cell, widths[at].max(width(cell))),
    };
    let line = |cells: &[String]| {
        let cells: Vec<String> = cells.iter().enumerate().map(padded).collect();
        format!("| {} |\n", cells.join(" | "))
    };
    let rules = |(at, (_, align)): (usize, &(String, Align))| match (spacing, align) {
        (Spacing::Open, Align::Left) => " --- ".to_owned(),
        (Spacing::Open, _) => " ---: ".to_owned(),
        (_, Align::Left) => format!(":{}", "-".repeat(widths[at].max(2) + 1)),
        (_, _) => format!("{}:", "-".repeat(widths[at].max(2) + 1)),
    };
    let rules: Vec<String> = titles.iter().enumerate().map(rules).collect();
    // A title stands at the left of its padding, whatever its column does.
    let heads: Vec<String> = titles
        .iter()
        .zip(&widths)
        .map(|((title, _), room)| left(title, (*room).max(width(title))))
        .collect();
    let mut text = format!("| {} |\n|{}|\n", heads.join(" | "), rules.join("|"));
    rows.iter().for_each(|row| text.push_str(&line(row)));
    text
}

/// Markdown in a cell, on one line: a pipe that nothing keeps from ending the cell gets a backslash.
fn in_cell(markdown: &str) -> String {
    let mut cell = String::new();
    for c in clean(markdown).chars() {
        let backslashes = cell.bytes().rev().take_while(|byte| *byte == b'\\').count();
        if c == '|' && backslashes % 2 == 0 {
            cell.push('\\');
        }
        cell.push(c);
    }
    cell
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::escaped;
    use crate::text::hostile;
    use proptest::prelude::*;
    use pulldown_cmark::{Event, Options, Parser, Tag};

    /// How many tables, rows (the head is none), and cells another reader sees.
    fn seen(markdown: &str) -> [usize; 3] {
        let mut counts = [0; 3];
        for event in Parser::new_ext(markdown, Options::ENABLE_TABLES) {
            match event {
                Event::Start(Tag::Table(_)) => counts[0] += 1,
                Event::Start(Tag::TableRow) => counts[1] += 1,
                Event::Start(Tag::TableCell) => counts[2] += 1,
                _ => {}
            }
        }
        counts
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2048))]

        /// Would catch a cell that ends early, a row that ends early, and a table that ends where somebody wrote
        /// Markdown, HTML, a pipe or a line break into it.
        #[test]
        fn whatever_stands_in_a_cell_the_table_keeps_its_shape(one in hostile(), two in hostile()) {
            let titles = [(escaped(&one), Align::Left), (two.clone(), Align::Right)];
            let rows = vec![vec![escaped(&two), one.clone()], vec![one, two]];
            for spacing in [Spacing::Padded, Spacing::Tight, Spacing::Open] {
                let text = grid(&titles, &rows, spacing);
                prop_assert_eq!(text.lines().count(), 4);
                prop_assert_eq!(seen(&text), [1, 2, 6], "{}", text);
            }
        }
    }

    #[test]
    fn each_spacing_has_its_rules() {
        let titles = [("a".to_owned(), Align::Left), ("b | c".to_owned(), Align::Right)];
        let rows = [vec!["x".to_owned(), "1\n2".to_owned()]];
        let text = |spacing| grid(&titles, &rows, spacing);
        assert_eq!(
            text(Spacing::Padded),
            "| a    | b \\| c |\n|:-----|-------:|\n| x    |   1\\n2 |\n"
        );
        assert_eq!(text(Spacing::Tight), "| a | b \\| c |\n|:---|---:|\n| x | 1\\n2 |\n");
        assert_eq!(text(Spacing::Open), "| a | b \\| c |\n| --- | ---: |\n| x | 1\\n2 |\n");
    }
}
