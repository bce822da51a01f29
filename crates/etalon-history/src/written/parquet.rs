//! Points as Parquet: the same fields under the same names, texts as dictionaries, numbers as they are.
//!
//! Nothing is compressed: a codec would be one more crate, and what is left besides dictionaries is digits of
//! measurements, which hardly shrink.

use std::io::{self, Write};
use std::sync::Arc;

use parquet::column::writer::ColumnWriter;
use parquet::data_type::ByteArray;
use parquet::errors::ParquetError;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;
use serde_json::Value;

use super::{FIELDS, Nature, cell, object};
use crate::read::{PointRow, SeriesRow};

/// Points of a row group. Because: it is in memory until it is written, about 200 bytes a point.
const POINTS_A_GROUP: usize = 100_000;

/// A table of points, as Parquet.
pub struct Parquet<W: Write + Send> {
    writer: SerializedFileWriter<W>,
    columns: Vec<Column>,
    points: usize,
}

/// The values of a field in a row group; a level is 1 where there is one.
struct Column {
    values: Values,
    levels: Vec<i16>,
}

enum Values {
    Text(Vec<ByteArray>),
    Whole(Vec<i64>),
    Number(Vec<f64>),
}

impl<W: Write + Send> Parquet<W> {
    /// A table without points.
    ///
    /// # Errors
    /// If `out` cannot be written to.
    pub fn new(out: W) -> io::Result<Parquet<W>> {
        let field = |(name, nature, is_optional): &(&str, Nature, bool)| {
            let repetition = if *is_optional { "optional" } else { "required" };
            let (physical, logical) = match nature {
                Nature::Text => ("binary", " (UTF8)"),
                Nature::Whole => ("int64", ""),
                Nature::Number => ("double", ""),
            };
            format!("{repetition} {physical} {name}{logical};")
        };
        let fields: String = FIELDS.iter().map(field).collect();
        let schema =
            parse_message_type(&format!("message point {{ {fields} }}")).map_err(failed)?;
        let writer =
            SerializedFileWriter::new(out, Arc::new(schema), Arc::default()).map_err(failed)?;
        Ok(Parquet {
            writer,
            columns: FIELDS.map(|(_, nature, _)| Column::new(nature)).into(),
            points: 0,
        })
    }

    /// Adds the points of a series.
    ///
    /// # Errors
    /// If `out` cannot be written to.
    pub fn add(&mut self, series: &SeriesRow, points: &[PointRow]) -> io::Result<()> {
        for point in points {
            let object = object(series, point);
            for ((name, ..), column) in FIELDS.iter().zip(&mut self.columns) {
                column.push(&object[*name]);
            }
            self.points += 1;
            if self.points == POINTS_A_GROUP {
                self.write_group()?;
            }
        }
        Ok(())
    }

    /// Writes the rest, and what ends the file: before that it is none.
    ///
    /// # Errors
    /// If `out` cannot be written to.
    pub fn finish(mut self) -> io::Result<()> {
        if self.points > 0 {
            self.write_group()?;
        }
        self.writer.close().map(drop).map_err(failed)
    }

    fn write_group(&mut self) -> io::Result<()> {
        let mut write = || -> Result<(), ParquetError> {
            let mut group = self.writer.next_row_group()?;
            for (column, (_, _, is_optional)) in self.columns.iter_mut().zip(FIELDS) {
                let Some(mut to) = group.next_column()? else { break };
                let levels = is_optional.then_some(&column.levels[..]);
                match (&mut column.values, to.untyped()) {
                    (Values::Text(values), ColumnWriter::ByteArrayColumnWriter(to)) => {
                        to.write_batch(values, levels, None)?;
                        values.clear();
                    }
                    (Values::Whole(values), ColumnWriter::Int64ColumnWriter(to)) => {
                        to.write_batch(values, levels, None)?;
                        values.clear();
                    }
                    (Values::Number(values), ColumnWriter::DoubleColumnWriter(to)) => {
                        to.write_batch(values, levels, None)?;
                        values.clear();
                    }
                    _ => return Err(ParquetError::General("a column of another type".to_owned())),
                }
                column.levels.clear();
                to.close()?;
            }
            group.close().map(drop)
        };
        write().map_err(failed)?;
        self.points = 0;
        Ok(())
    }
}

impl Column {
    fn new(nature: Nature) -> Column {
        let values = match nature {
            Nature::Text => Values::Text(Vec::new()),
            Nature::Whole => Values::Whole(Vec::new()),
            Nature::Number => Values::Number(Vec::new()),
        };
        Column { values, levels: Vec::new() }
    }

    /// Adds a value; one that is not there to the levels only, which who writes leaves out of a required field.
    fn push(&mut self, value: &Value) {
        self.levels.push(i16::from(!value.is_null()));
        if value.is_null() {
            return;
        }
        match &mut self.values {
            Values::Text(values) => values.push(cell(value).into_bytes().into()),
            Values::Whole(values) => values.push(value.as_i64().unwrap_or_default()),
            Values::Number(values) => values.push(value.as_f64().unwrap_or(f64::NAN)),
        }
    }
}

/// The error of the file itself where it is one, so that a full disk is called so.
fn failed(error: ParquetError) -> io::Error {
    match error {
        ParquetError::External(inner) => match inner.downcast::<io::Error>() {
            Ok(inner) => *inner,
            Err(inner) => io::Error::other(inner),
        },
        error => io::Error::other(error),
    }
}

#[cfg(test)]
mod tests {
    use etalon_core::model::{Context, Direction};
    use parquet::file::reader::{FileReader, SerializedFileReader};
    use parquet::record::RowAccessor;

    use super::*;
    use crate::read::{Kind, SeriesId, SeriesKey};

    /// Would catch rows that are lost or written twice where a group ends, and values that move up where others are
    /// absent.
    #[test]
    fn groups_follow_each_other() {
        let text = |text: &str| text.to_owned();
        let key = SeriesKey {
            project: text("p"),
            benchmark: text("fib"),
            metric: text("wall"),
            unit: text("s"),
            branch: text("main"),
            machine: text(""),
            kind: Kind::Ratio,
        };
        let count = POINTS_A_GROUP + 3;
        let series = SeriesRow {
            id: SeriesId(1),
            key,
            direction: Direction::Lower,
            points: count as u64,
            first: 0.0,
            latest: 0.0,
        };
        let point = |at: usize| PointRow {
            commit: format!("{at}"),
            position: i64::try_from(at).ok().filter(|at| at % 3 == 0),
            time: 0.0,
            anchor: at.is_multiple_of(2).then(|| text("a")),
            value: f64::from(u32::try_from(at).unwrap()),
            interval: None,
            level: 0.95,
            n: 1,
            runs: 1,
            facts: Context::new(),
        };
        let points: Vec<PointRow> = (0..count).map(point).collect();
        let mut file = tempfile::tempfile().unwrap();
        let mut out = Parquet::new(&mut file).unwrap();
        points.chunks(70_000).for_each(|part| out.add(&series, part).unwrap());
        out.finish().unwrap();
        let reader = SerializedFileReader::new(file).unwrap();
        assert_eq!(reader.num_row_groups(), 2);
        let mut rows = 0;
        for (at, row) in reader.get_row_iter(None).unwrap().enumerate() {
            let row = row.unwrap();
            assert_eq!(row.get_string(8).unwrap(), &points[at].commit);
            assert_eq!(row.get_long(9).ok(), points[at].position);
            assert_eq!(row.get_string(11).ok(), points[at].anchor.as_ref());
            assert_eq!(row.get_double(12).ok(), Some(points[at].value));
            rows += 1;
        }
        assert_eq!(rows, count);
    }
}
