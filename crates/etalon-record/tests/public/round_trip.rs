//! What is written is read back: numbers bit for bit, text byte for byte, structure unchanged.

use crate::columns::RunSet;
use crate::view::only;
use etalon_core::criteria::{Conditions, Criteria, Margin};
use etalon_core::model::{
    Accept, Coordinates, Direction, Kind, Metric, NotStarted, Number, Observation, Outcome, Phase,
};
use etalon_core::plan::{Order, Plan, Settings, Stopping};
use etalon_core::run_set::Look;
use etalon_core::scope::By;
use etalon_core::stats::Correction;
use etalon_core::units::Dimension;
use etalon_record::raw::{self, Strictness, write};
use etalon_record::{BenchmarkLine, HeaderLine, Text};
use proptest::prelude::*;

fn metric(name: &str) -> Metric {
    Metric { direction: Direction::Higher, kind: Kind::Exact, ..Metric::new(name, "count") }
}

fn observation(values: Vec<(usize, Number)>, outcome: Outcome) -> Observation {
    Observation {
        outcome,
        ..Observation::new(
            0,
            Phase::Measured,
            Coordinates { node: None, block: Some(7), turn: None, at_ns: Some(u64::MAX) },
            values,
        )
    }
}

fn start(metrics: &[Metric], benchmark: &BenchmarkLine) -> Vec<u8> {
    let mut buffer = Vec::new();
    write::header(&mut buffer, &HeaderLine::default());
    metrics.iter().for_each(|metric| write::metric(&mut buffer, metric));
    write::benchmark(&mut buffer, benchmark);
    buffer
}

fn read(buffer: &[u8]) -> RunSet {
    only(&raw::read(buffer, "test", Strictness::Strict).unwrap())
}

fn reasons() -> impl Strategy<Value = NotStarted> {
    prop_oneof![
        Just(NotStarted::NotInstalled),
        Just(NotStarted::NoMatch),
        any::<Option<String>>().prop_map(NotStarted::Skipped),
        any::<String>().prop_map(NotStarted::NotBuilt),
        any::<String>().prop_map(NotStarted::Other),
    ]
}

fn outcomes() -> impl Strategy<Value = Outcome> {
    prop_oneof![
        Just(Outcome::Ok),
        any::<i32>().prop_map(|code| Outcome::Failed { code }),
        any::<i32>().prop_map(|signal| Outcome::Killed { signal }),
        Just(Outcome::TimedOut),
        Just(Outcome::Suspended),
        reasons().prop_map(|why| Outcome::NotStarted { why }),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    /// Would catch a double that changes by a bit (one in ten does without `float_roundtrip`), a
    /// lost sign of zero, a subnormal flushed.
    #[test]
    fn every_finite_double_keeps_its_bits(bits in any::<u64>()) {
        let value = f64::from_bits(bits);
        prop_assume!(value.is_finite());
        let metrics = [metric("x")];
        let mut buffer = start(&metrics, &BenchmarkLine::default());
        write::observation(
            &mut buffer, &observation(vec![(0, Number::Float(value))], Outcome::Ok), &metrics, None,
        );
        prop_assert_eq!(read(&buffer).series[0].columns[0].values[0].to_bits(), bits);
    }

    /// Would catch an integer written as a float, and one at the edge of 64 bits refused.
    #[test]
    fn every_integer_stays_one(value in any::<i64>()) {
        let metrics = [metric("x")];
        let mut buffer = start(&metrics, &BenchmarkLine::default());
        write::observation(
            &mut buffer, &observation(vec![(0, Number::Integer(value))], Outcome::Ok), &metrics, None,
        );
        let text = String::from_utf8(buffer.clone()).unwrap();
        let end = format!("\"values\":{{\"x\":{value}}}}}\n");
        prop_assert!(text.ends_with(&end));
        let read = read(&buffer).series[0].columns[0].values[0];
        prop_assert_eq!(read.to_bits(), Number::Integer(value).as_f64().to_bits());
    }

    /// Would catch a seed rounded to 53 bits.
    #[test]
    fn every_seed_survives(seed in any::<u64>(), target in 0.0..1.0, budget in 0.0..1e6) {
        let stopping = Stopping::Precision { target, budget };
        let plan = Plan { warmup: 3, ..Plan::new(Order::Sequential, stopping, seed) };
        let mut buffer = start(&[], &BenchmarkLine::default());
        write::plan(&mut buffer, &plan);
        prop_assert_eq!(read(&buffer).plan, Some(plan));
    }

    /// Would catch names, parameters and facts that break the line they are in, or a parameter
    /// order that a map loses.
    #[test]
    fn any_strings_survive(
        name in any::<String>(),
        params in proptest::collection::vec((any::<String>(), any::<String>()), 0..5),
        facts in proptest::collection::btree_map(any::<String>(), any::<String>(), 0..5),
        metric_name in any::<String>(),
    ) {
        let mut params = params;
        let mut seen = std::collections::BTreeSet::new();
        params.retain(|(key, _)| seen.insert(key.clone()));
        let line = BenchmarkLine { name, params, ..BenchmarkLine::default() };
        let mut buffer = Vec::new();
        write::header(&mut buffer, &HeaderLine { context: facts.clone(), ..HeaderLine::default() });
        let metrics = [metric(&metric_name)];
        write::metric(&mut buffer, &metrics[0]);
        write::benchmark(&mut buffer, &line);
        write::observation(
            &mut buffer, &observation(vec![(0, Number::Integer(1))], Outcome::Ok), &metrics, None,
        );
        let set = read(&buffer);
        prop_assert_eq!(&set.benchmarks[0].key.name, &line.name);
        prop_assert_eq!(&set.benchmarks[0].key.params, &line.params);
        prop_assert_eq!(set.context, facts);
        prop_assert_eq!(&set.metrics[..], &metrics[..]);
        prop_assert_eq!(&set.series[0].columns[0].values[..], &[1.0][..]);
    }

    /// Would catch a command that is not UTF-8 and comes back changed, or breaks its line.
    #[test]
    fn any_bytes_survive_in_a_benchmark_line(
        command in proptest::collection::vec(any::<u8>(), 0..30),
        argv in proptest::collection::vec(proptest::collection::vec(any::<u8>(), 0..9), 0..4),
        stderr in proptest::collection::vec(any::<u8>(), 0..30),
    ) {
        let line = BenchmarkLine {
            command: Some(Text(command)),
            argv: argv.into_iter().map(Text).collect(),
            prepare: Some(Text(b"\xffprepare".to_vec())),
            ..BenchmarkLine::default()
        };
        let mut buffer = start(&[], &line);
        let failed = observation(Vec::new(), Outcome::Failed { code: 1 });
        write::observation(&mut buffer, &failed, &[], Some(&Text(stderr)));
        prop_assert_eq!(buffer.iter().filter(|byte| **byte == b'\n').count(), 3);
        let second = buffer.split(|byte| *byte == b'\n').nth(1).unwrap();
        prop_assert_eq!(serde_json::from_slice::<BenchmarkLine>(second).unwrap(), line);
        prop_assert_eq!(read(&buffer).series[0].outcomes().failed, 1);
    }

    /// Would catch an outcome that becomes another one, or a row that should not be one.
    #[test]
    fn outcomes_count_and_rows_follow_accept(
        outcomes in proptest::collection::vec((outcomes(), any::<bool>()), 0..20),
        codes in proptest::collection::vec(any::<i32>(), 0..3),
    ) {
        let accept = if codes.len() == 2 { Accept::Any } else { Accept::Codes(codes) };
        let metrics = [metric("x")];
        let line = BenchmarkLine { accept: accept.clone(), ..BenchmarkLine::default() };
        let mut buffer = start(&metrics, &line);
        let (mut rows, mut measured, mut warmup) = (0, 0, 0);
        for (outcome, is_warmup) in &outcomes {
            let mut one = observation(vec![(0, Number::Integer(5))], outcome.clone());
            if *is_warmup {
                one.phase = Phase::Warmup;
                warmup += 1;
            } else {
                measured += 1;
                rows += u32::from(accept.accepts(outcome));
            }
            write::observation(&mut buffer, &one, &metrics, None);
        }
        let set = read(&buffer);
        let series = &set.series[0];
        prop_assert_eq!((series.rows, series.columns[0].rows.len()), (rows, rows as usize));
        prop_assert_eq!(&series.blocks, &vec![7; rows as usize]);
        prop_assert_eq!(series.outcomes().ok + series.outcomes().not_ok(), measured);
        prop_assert_eq!(series.warmup_outcomes.ok + series.warmup_outcomes.not_ok(), warmup);
        prop_assert_eq!(&set.benchmarks[0].accept, &accept);
    }

    /// Would catch settings that say something else in a later report.
    #[test]
    fn settings_survive(
        alpha in 0.0..1.0, margin in 0.0..1.0, absolute in any::<bool>(), which in 0..4_usize,
        at_least in proptest::option::of(0.0..1.0), epsilon in proptest::option::of(0.0..1.0), reference in proptest::option::of(any::<String>()),
    ) {
        let corrections =
            [None, Some(Correction::Holm), Some(Correction::BenjaminiHochberg), Some(Correction::None)];
        let criteria = Criteria {
            margin: match absolute {
                true => Margin::Absolute(margin, Dimension::Size),
                false => Margin::Relative(margin),
            },
            count_margin: alpha / 10.0,
            at_least,
            alpha,
            confidence: 1.0 - alpha,
            correction: corrections[which],
            conditions: Conditions { epsilon, superiority: at_least },
            ..Criteria::default()
        };
        let by = if absolute { By::Params(vec!["job".to_owned()]) } else { By::Shared };
        let settings = Settings { metric: "wall".to_owned(), reference, by, criteria };
        let mut buffer = start(&[], &BenchmarkLine::default());
        write::settings(&mut buffer, &settings);
        write::look(&mut buffer, &Look { blocks: 10, widest: at_least, alpha: None });
        let set = read(&buffer);
        prop_assert_eq!(set.settings, Some(settings));
        prop_assert_eq!(set.looks, vec![Look { blocks: 10, widest: at_least, alpha: None }]);
    }
}

/// Would catch a caller's mistake that loses a value unseen, and a NaN that makes a line invalid.
#[test]
fn what_cannot_be_written_does_not_pass_unseen() {
    let metrics = [metric("x")];
    let mut buffer = start(&metrics, &BenchmarkLine::default());
    let values = vec![(0, Number::Float(f64::NAN))];
    write::observation(&mut buffer, &observation(values, Outcome::Ok), &metrics, None);
    let values = vec![(4, Number::Integer(1))];
    write::observation(&mut buffer, &observation(values, Outcome::Ok), &metrics, None);
    let set = only(&raw::read(&buffer[..], "test", Strictness::Lenient).unwrap());
    let notes: Vec<&str> = set.notes.iter().map(|note| note.text.as_str()).collect();
    assert_eq!(
        notes,
        [
            "line 5 is left out: no metric line before this one names `#4` (column 86)",
            "1 value of x not available: `NaN`",
        ]
    );
    assert_eq!((set.series[0].rows, set.series[0].columns[0].values.len()), (1, 0));
}
