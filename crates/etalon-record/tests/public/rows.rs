//! BestGuess's raw columns: header and rows agree, and every text survives a CSV reader.

use etalon_core::model::{
    Coordinates, Direction, Kind, Metric, NotStarted, Number, Observation, Outcome, Phase,
};
use etalon_core::units::Unit;
use etalon_record::rows::{self, Row};
use etalon_record::{BenchmarkLine, Text};
use proptest::prelude::*;

fn metrics(all: &[(&str, &str)]) -> Vec<Metric> {
    let metric = |(name, unit): &(&str, &str)| Metric {
        name: (*name).to_owned(),
        unit: Unit::new(unit),
        direction: Direction::Lower,
        kind: Kind::Noisy,
        resolution: None,
        per: etalon_core::model::Per::Observation,
    };
    all.iter().map(metric).collect()
}

fn observation(outcome: Outcome, values: &[Number]) -> Observation {
    Observation {
        outcome,
        ..Observation::new(
            2,
            Phase::Measured,
            Coordinates { node: None, block: None, turn: None, at_ns: None },
            values.iter().copied().enumerate().collect(),
        )
    }
}

/// The rows as a CSV reader gives them, the header first.
fn read(
    benchmark: &BenchmarkLine,
    observed: &[Observation],
    metrics: &[Metric],
) -> Vec<Vec<Vec<u8>>> {
    let mut buffer = Vec::new();
    rows::header(&mut buffer);
    for observation in observed {
        rows::row(&mut buffer, &Row { benchmark, observation, metrics });
    }
    // Not `flexible`: a record of another length than the first is an error.
    let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(&buffer[..]);
    let fields = |record: &csv::ByteRecord| record.iter().map(<[u8]>::to_vec).collect();
    reader.byte_records().map(|record| fields(&record.unwrap())).collect()
}

fn cells(row: &[Vec<u8>]) -> Vec<&str> {
    row.iter().map(|cell| std::str::from_utf8(cell).unwrap()).collect()
}

const LAUNCHER: [(&str, &str); 8] = [
    ("wall", "ns"),
    ("user", "us"),
    ("sys", "us"),
    ("rss", "B"),
    ("minflt", "count"),
    ("majflt", "count"),
    ("vcsw", "count"),
    ("ivcsw", "count"),
];

/// Would catch a value in another column or unit: 15 names over 15 fields, fractions kept.
#[test]
fn every_value_is_under_its_name() {
    let values = [368_123, 300, 101, 2_457_600, 119, 3, 1, 4].map(Number::Integer);
    let benchmark = BenchmarkLine {
        name: "list".to_owned(),
        command: Some("ls -l".into()),
        shell: Some("/bin/sh -c".into()),
        ..BenchmarkLine::default()
    };
    let rows = read(&benchmark, &[observation(Outcome::Ok, &values)], &metrics(&LAUNCHER));
    let pairs: Vec<(&str, &str)> = cells(&rows[0]).into_iter().zip(cells(&rows[1])).collect();
    assert_eq!(
        pairs,
        [
            ("Command", "ls -l"),
            ("Shell", "/bin/sh -c"),
            ("Name", "list"),
            ("Batch", "3"),
            ("Exit code", "0"),
            ("User time (us)", "300"),
            ("System time (us)", "101"),
            ("Max RSS (Bytes)", "2457600"),
            ("Page Reclaims", "119"),
            ("Page Faults", "3"),
            ("Voluntary Context Switches", "1"),
            ("Involuntary Context Switches", "4"),
            ("Wall clock (us)", "368"),
            ("Total time (us)", "401"),
            ("Total Context Switches", "5"),
        ]
    );
}

/// Would catch 0 for what was not measured, and a failure that reads as a success.
#[test]
fn outcomes_and_absence() {
    let benchmark = BenchmarkLine { name: "x".to_owned(), ..BenchmarkLine::default() };
    let why = NotStarted::Other("No such file or directory".to_owned());
    let outcomes = [
        Outcome::Failed { code: 3 },
        Outcome::Killed { signal: 9 },
        Outcome::TimedOut,
        Outcome::NotStarted { why },
    ];
    let observed: Vec<Observation> = outcomes.into_iter().map(|o| observation(o, &[])).collect();
    let rows = read(&benchmark, &observed, &[]);
    let codes: Vec<&str> = rows[1..].iter().map(|row| cells(row)[4]).collect();
    assert_eq!(codes, ["3", "137", "124", "127"]);
    assert_eq!(cells(&rows[4]), ["x", "", "", "3", "127", "", "", "", "", "", "", "", "", "", ""]);
}

#[test]
fn warmups_have_no_row_and_other_units_are_converted() {
    let warmup = Observation { phase: Phase::Warmup, ..observation(Outcome::Ok, &[]) };
    let values =
        [Number::Integer(-1500), Number::Float(0.25), Number::Integer(2), Number::Integer(7)];
    let metrics = metrics(&[("wall", "ns"), ("user", "ms"), ("rss", "KiB"), ("cpu", "ns")]);
    let observed = [warmup, observation(Outcome::Ok, &values)];
    let rows = read(&BenchmarkLine::default(), &observed, &metrics);
    assert_eq!(rows.len(), 2);
    let row = cells(&rows[1]);
    assert_eq!((row[12], row[5], row[7], row[13], row[6]), ("-1", "250", "2048", "0", ""));
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]
    /// Would catch commas, quotes, newlines or bytes that are not UTF-8 breaking a row.
    #[test]
    fn any_bytes_survive_a_csv_reader(
        command in proptest::collection::vec(any::<u8>(), 0..20),
        shell in "[\"',\r\n\0 a]{0,12}",
        name in "[\"',\r\n\0 a]{1,12}",
        ns in any::<i64>(),
    ) {
        let benchmark = BenchmarkLine {
            name: name.clone(),
            command: Some(Text(command.clone())),
            shell: Some(shell.as_str().into()),
            ..BenchmarkLine::default()
        };
        let one = observation(Outcome::Ok, &[Number::Integer(ns)]);
        let rows = read(&benchmark, &[one.clone(), one], &metrics(&[("wall", "ns")]));
        prop_assert_eq!(rows.len(), 3);
        prop_assert_eq!(&rows[2][0], &command);
        prop_assert_eq!(&rows[2][1][..], shell.as_bytes());
        let shown: &[u8] = if name.as_bytes() == command { b"" } else { name.as_bytes() };
        prop_assert_eq!(&rows[2][2][..], shown);
        // The nearest, whatever the size.
        let wall: i128 = String::from_utf8(rows[2][12].clone()).unwrap().parse().unwrap();
        let off = wall * 1000 - i128::from(ns);
        prop_assert!(-500 < off && off <= 500, "{} for {}", wall, ns);
    }
}

/// Would catch rows that are lost, torn at a line break within a field, or shuffled within their batch.
#[test]
fn rows_stand_in_the_order_of_batches() {
    let mut header = Vec::new();
    rows::header(&mut header);
    let row = |batch: u32, at: u32| format!("\"a\n,\"\"b\"\"\",,,{batch},0,{at},,,,,,,,,\n");
    let file = |rows: &[(u32, u32)]| {
        let rows: String = rows.iter().map(|(batch, at)| row(*batch, *at)).collect();
        [&header[..], rows.as_bytes()].concat()
    };
    let blocks = [(2, 0), (10, 1), (1, 2), (1, 3), (2, 4), (10, 5), (10, 6)];
    let ordered = [(1, 2), (1, 3), (2, 0), (2, 4), (10, 1), (10, 5), (10, 6)];
    assert_eq!(rows::in_order_of_batches(&file(&blocks)), Some(file(&ordered)));
    for already in [&ordered[..], &[], &blocks[..1]] {
        assert_eq!(rows::in_order_of_batches(&file(already)), None);
    }
    for other in [&b"no such file\n"[..], b"", b"a,b,c,Batch\n1,2,3,x\n1,2,3,0\n"] {
        assert_eq!(rows::in_order_of_batches(other), None);
    }
}
