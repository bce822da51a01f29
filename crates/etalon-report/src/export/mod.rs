//! Exports: an analysis as files that other programs read.
//!
//! CSV summaries ([`summary_csv`], [`bestguess_csv`], [`hyperfine_csv`], [`bestguess_hyperfine_csv`]) hold 15 digits or whole numbers, an empty cell for what
//! is absent, and names as they are, quoted as RFC 4180 says. Three formats ([`markdown`],
//! [`asciidoc`], [`orgmode`]) show a [`Table`], that of [`times`] with hyperfine's columns, and
//! names with everything escaped that means something to the format. `docs/exports.md` says what each
//! column means.
//!
//! Computes no statistic and refuses to touch files: an analysis goes in, bytes come out.

mod asciidoc;
mod hyperfine_csv;
mod markdown;
mod orgmode;
mod parameters;
mod summary_csv;
mod times;

use crate::table::Table;

pub use asciidoc::asciidoc;
pub use hyperfine_csv::{bestguess_hyperfine_csv, hyperfine_csv};
pub use markdown::markdown;
pub use orgmode::orgmode;
pub use summary_csv::{bestguess_csv, summary_csv};
pub use times::{NoTimes, Sort, TimeUnit, failures, times};

/// A value times ten to the `power`, in 15 significant digits. So many survive any double, so that a
/// number written with no more comes back as it was, and what adding left behind them is not shown:
/// 3002 µs, not 3002.0000000000005. The point is moved in the decimal, without another rounding.
fn digits(value: f64, power: i32) -> String {
    let scientific = format!("{value:.14e}");
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent = exponent.parse().unwrap_or(0_i32) + power;
    let decimal = format!("{mantissa}e{exponent}");
    match decimal.parse::<f64>() {
        Ok(moved) if moved.is_finite() => moved.to_string(),
        _ => decimal, // too large for a double, not for a decimal number
    }
}

/// An absent value is an empty cell.
fn cell(value: Option<f64>, power: i32) -> String {
    value.map_or_else(String::new, |value| digits(value, power))
}

/// A value times ten to the `power`, to the nearest whole number; an absent one is an empty cell.
fn whole(value: Option<f64>, power: i32) -> String {
    let digits = cell(value, power);
    match digits.parse::<f64>() {
        Ok(value) if value.is_finite() => value.round().to_string(),
        _ => digits,
    }
}

/// CSV of a header, if there is one, and rows. Writing into a `Vec` cannot fail, and all rows are as long as the
/// header.
fn csv(header: &[String], rows: impl Iterator<Item = Vec<String>>) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut writer = csv::Writer::from_writer(&mut bytes);
    let mut written = if header.is_empty() { Ok(()) } else { writer.write_record(header) };
    for row in rows {
        written = written.and_then(|()| writer.write_record(row));
    }
    let flushed = writer.flush();
    drop(writer);
    debug_assert!(written.is_ok() && flushed.is_ok(), "a Vec takes rows of one length");
    bytes
}

/// CSV whose texts no spreadsheet takes for a formula: an apostrophe stands before those that begin like one.
#[must_use]
pub fn for_spreadsheets(bytes: &[u8]) -> Vec<u8> {
    let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(bytes);
    let rows = reader.records().flatten();
    let quoted = |cell: &str| match is_formula(cell) {
        true => format!("'{cell}"),
        false => cell.to_owned(),
    };
    csv(&[], rows.map(|row| row.iter().map(quoted).collect()))
}

/// Whether a spreadsheet would calculate something instead of showing the text. Numbers are numbers.
fn is_formula(cell: &str) -> bool {
    cell.starts_with(['=', '+', '-', '@', '\t', '\r']) && cell.parse::<f64>().is_err()
}

/// The sentences under a table, a paragraph each. They are etalon's own words and numbers.
fn remarks(table: &Table) -> String {
    table.remarks.iter().map(|remark| format!("\n{remark}\n")).collect()
}

/// A table line by line: its titles, then its rows, whose names are as `name` writes them. The other
/// texts are etalon's own, and mean nothing to any format.
fn lines(table: &Table, name: fn(&str) -> String) -> Vec<Vec<String>> {
    let titles = table.columns.iter().map(|column| column.title.clone()).collect();
    let rows = table.rows.iter().map(|row| {
        let rest = row[1..].iter().map(|cell| cell.text.clone());
        std::iter::once(name(&row[0].text)).chain(rest).collect()
    });
    std::iter::once(titles).chain(rows).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_point_moves_without_loss() {
        for us in [1_u32, 7, 1234, 368_123, 999_999_999] {
            assert_eq!(digits(f64::from(us) / 1e6, 6), us.to_string());
        }
        assert_eq!(digits(0.000_368_123, 6), "368.123");
        assert_eq!(digits(0.0, 6), "0");
        assert_eq!(digits(0.002_001 + 0.001_001, 6), "3002");
        assert_eq!(digits(1.5e307, 6), "1.50000000000000e313");
        assert_eq!(digits(0.25, 0), "0.25");
    }
}
