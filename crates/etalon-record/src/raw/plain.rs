//! Observation lines as etalon writes them, read without a JSON parser.
//!
//! Owns the one form that nearly every line of a record has: the writer's fields in the writer's order,
//! no blanks, numbers of at most 15 digits without an exponent, metrics in the order declared. Refuses
//! every other form without saying why: [`observation::parse`](super::observation::parse) reads them all,
//! words what is wrong, and gives the same for lines of this form (a property test below holds it to that).

use etalon_core::dataset::{Written, plain_number};
use etalon_core::model::{Metric, Number};

use super::observation::{Measured, ObservationLine};

/// How the lines of a record begin.
const OPENING: &[u8] = b"{\"type\":\"observation\",\"benchmark\":";

/// The spellings by which a record's lines name its metrics.
#[derive(Debug, Clone, Default)]
pub(super) struct Keys {
    /// The names of all metrics as keys of JSON, each with its colon. In one piece: what readers know is copied
    /// when another metric is declared.
    written: Vec<u8>,
    /// Where each ends.
    ends: Vec<usize>,
}

impl Keys {
    /// Adds that of the next metric.
    pub(super) fn declare(&mut self, metric: &Metric) {
        super::write::json(&mut self.written, metric.name.as_str());
        self.written.push(b':');
        self.ends.push(self.written.len());
    }

    fn keys(&self) -> impl Iterator<Item = &[u8]> {
        let mut begin = 0;
        self.ends.iter().map(move |end| &self.written[std::mem::replace(&mut begin, *end)..*end])
    }

    /// Reads the first line of a text, if it is of the plain form, and appends its values; its length with
    /// its newline. Absent, with nothing appended, of any other.
    pub(super) fn parse(
        &self,
        text: &[u8],
        values: &mut Vec<Measured>,
    ) -> Option<(ObservationLine, usize)> {
        let before = values.len();
        let mut rest = Rest(text);
        let line = self.line(&mut rest, values);
        match line {
            Some(line) => Some((line, text.len() - rest.0.len())),
            None => {
                values.truncate(before);
                None
            }
        }
    }

    fn line(&self, rest: &mut Rest<'_>, values: &mut Vec<Measured>) -> Option<ObservationLine> {
        rest.skip(OPENING)?;
        let mut line = ObservationLine::for_benchmark(usize::try_from(rest.whole()?).ok()?);
        if rest.skips(b",\"node\":") {
            line.node = Some(u32::try_from(rest.whole()?).ok()?);
        }
        if rest.skips(b",\"block\":") {
            line.block = Some(u32::try_from(rest.whole()?).ok()?);
        }
        if rest.skips(b",\"turn\":") {
            line.turn = Some(u32::try_from(rest.whole()?).ok()?);
        }
        if rest.skips(b",\"at\":") {
            line.at_ns = Some(rest.whole()?);
        }
        if rest.skips(b",\"iterations\":") {
            line.iterations = Some(i64::try_from(rest.whole()?).ok()?);
        }
        rest.skip(b",\"values\":{")?;
        let mut keys = self.keys().enumerate();
        loop {
            let (metric, _) = keys.find(|(_, key)| rest.skips(key))?;
            values.push((metric, Some(rest.number()?)));
            match rest.next()? {
                b',' => {}
                b'}' => break,
                _ => return None,
            }
        }
        rest.skip(b"}")?;
        (rest.skips(b"\n") || rest.0.is_empty()).then_some(line)
    }
}

/// The unread rest of a line.
struct Rest<'l>(&'l [u8]);

impl Rest<'_> {
    /// Skips a text; absent if something else stands there.
    fn skip(&mut self, text: &[u8]) -> Option<()> {
        self.0 = self.0.strip_prefix(text)?;
        Some(())
    }

    /// Skips a text if it stands there.
    fn skips(&mut self, text: &[u8]) -> bool {
        self.skip(text).is_some()
    }

    fn next(&mut self) -> Option<u8> {
        let (first, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(*first)
    }

    /// A number as JSON has it: an integer stays one.
    fn number(&mut self) -> Option<Number> {
        let (number, written, length) = plain_number(self.0)?;
        self.0 = &self.0[length..];
        match written {
            // JSON has no integer that is −0.
            Written::Decimals(0) if number == 0.0 && number.is_sign_negative() => None,
            #[allow(clippy::cast_possible_truncation)] // at most 15 digits
            Written::Decimals(0) => Some(Number::Integer(number as i64)),
            _ => Some(Number::Float(number)),
        }
    }

    /// A whole number that is not negative.
    fn whole(&mut self) -> Option<u64> {
        match self.number()? {
            Number::Integer(number) => u64::try_from(number).ok(),
            Number::Float(_) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use etalon_core::model::{Direction, Kind, Per};
    use etalon_core::units::Unit;
    use proptest::prelude::*;

    use super::*;
    use crate::raw::observation::{self, Values};

    fn metrics() -> Vec<Metric> {
        let metric = |name: &str| Metric {
            name: name.to_owned(),
            unit: Unit::new("ns"),
            direction: Direction::Lower,
            kind: Kind::Noisy,
            resolution: None,
            per: Per::Observation,
        };
        ["wall", "user", "a \"quoted\" \\ one", "µ"].map(metric).to_vec()
    }

    fn keys(metrics: &[Metric]) -> Keys {
        let mut keys = Keys::default();
        metrics.iter().for_each(|metric| keys.declare(metric));
        keys
    }

    /// A line in pieces, nearly all of which are of the plain form, and any of which may be left out.
    fn line() -> impl Strategy<Value = String> {
        let number = prop_oneof![
            8 => "(0|[1-9][0-9]{0,5})",
            2 => "-?[0-9]{1,20}",
            2 => "-?(0|[1-9][0-9]{0,12})\\.[0-9]{1,9}",
            1 => "-?[0-9]{0,2}\\.?[0-9]{0,2}([eE][+-]?[0-9]{1,3})?",
            1 => Just("{\"absent\":\"NaN\"}".to_owned()),
            1 => Just("{\"value\":1.5,\"written\":\"1.50\"}".to_owned()),
        ];
        let field = |name: &'static str| {
            let text = number.clone().prop_map(move |number| format!(",\"{name}\":{number}"));
            proptest::option::weighted(0.7, text).prop_map(Option::unwrap_or_default)
        };
        let key = prop_oneof![
            4 => Just("\"wall\""), 4 => Just("\"user\""), 2 => Just("\"a \\\"quoted\\\" \\\\ one\""),
            2 => Just("\"µ\""), 1 => Just("\"\\u00b5\""), 1 => Just("\"sys\""), 1 => Just("\"wall\" "),
        ];
        let value = (key, number.clone()).prop_map(|(key, number)| format!("{key}:{number}"));
        let values = prop::collection::vec(value, 0..5).prop_map(|values| values.join(","));
        let fields = ["node", "block", "turn", "at", "iterations", "phase"].map(field);
        let end = prop_oneof![9 => Just("}}"), 1 => Just("}"), 1 => Just("},\"x\":1}"), 1 => Just("}} "), 1 => Just("}}}")];
        (number, fields, values, end).prop_map(|(benchmark, fields, values, end)| {
            let fields = fields.concat();
            format!("{{\"type\":\"observation\",\"benchmark\":{benchmark}{fields},\"values\":{{{values}{end}")
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 20_000, failure_persistence: None, ..ProptestConfig::default() })]
        /// Would catch a line that is read as plain and says something else to the general reader, or is none
        /// to it.
        #[test]
        fn a_plain_line_is_what_the_general_reader_reads(line in line()) {
            let metrics = metrics();
            let mut plain = vec![(7, None)];
            let parsed = keys(&metrics).parse(line.as_bytes(), &mut plain);
            let Some((parsed, length)) = parsed else {
                prop_assert_eq!(plain, [(7, None)], "nothing is appended");
                return Ok(());
            };
            prop_assert_eq!(length, line.len());
            let mut values = Values::default();
            let general = observation::parse(&line, &metrics, &mut values);
            prop_assert_eq!(general.as_ref(), Ok(&parsed));
            prop_assert_eq!(values.line().all, &plain[1..]);
            prop_assert!(values.line().texts.is_empty());
        }
    }

    /// Would catch a change of the writer after which its lines take the long way.
    #[test]
    fn what_the_writer_writes_is_plain() {
        use etalon_core::model::{Coordinates, Observation, Phase};
        let metrics = metrics();
        let mut written = Vec::new();
        let values = [Number::Integer(399_491), Number::Float(0.25), Number::Integer(-3)];
        let observation = Observation {
            iterations: Some(1_000),
            ..Observation::new(
                1,
                Phase::Measured,
                Coordinates {
                    node: Some(2),
                    block: Some(0),
                    turn: Some(3),
                    at_ns: Some(1_919_802),
                },
                [0, 2, 3].into_iter().zip(values).collect(),
            )
        };
        crate::raw::write::observation(&mut written, &observation, &metrics, None);
        let length = written.len();
        written.extend_from_slice(b"what follows");
        let mut read = Vec::new();
        let (line, end) = keys(&metrics).parse(&written, &mut read).unwrap();
        assert_eq!(end, length);
        let numbers = read.into_iter().map(|(metric, number)| (metric, number.unwrap())).collect();
        assert_eq!(line.with(numbers), observation);
    }
}
