//! `docs/format.md` is run: its example is read, and written again byte for byte.

use etalon_core::model::{
    Accept, Coordinates, Direction, Kind, Metric, Note, Number, Observation, Outcome,
    OutcomeCounts, Phase,
};
use etalon_core::plan::{Order, Plan, Settings, Stopping};
use etalon_core::run_set::{End, Look, StoppedBy};
use etalon_core::units::Unit;
use etalon_record::raw::{self, Strictness, write};
use etalon_record::{BenchmarkLine, HeaderLine, Text, rows};

/// The first block of that language in the document.
fn block(language: &str) -> String {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/format.md");
    let document = std::fs::read_to_string(path).unwrap();
    let start = format!("```{language}\n");
    let after = document.split_once(&start).unwrap().1;
    after.split_once("```").unwrap().0.to_owned()
}

/// Would catch a document that shows lines the reader does not take, or takes otherwise.
#[test]
fn the_documented_example_is_readable() {
    let text = block("jsonl");
    let set =
        crate::view::only(&raw::read(text.as_bytes(), "format.md", Strictness::Strict).unwrap());
    assert_eq!(set.id.as_deref(), Some("20261121T031122.123456Z-kzmwqtbx"));
    assert_eq!(set.argv.join(" "), "etalon cmd -r 2 -w 1 -i ls -l ./flaky");
    assert_eq!(set.context["cpu.model"], "example");
    assert_eq!(set.plan.as_ref().unwrap().seed, 16_045_690_984_833_335_023);
    assert_eq!(set.settings, Some(Settings::default()));
    assert_eq!(set.benchmarks[1].key.params, [("size".to_owned(), "10".to_owned())]);
    assert_eq!(set.benchmarks[1].accept, Accept::Any);
    let flaky = &set.series[1];
    assert_eq!((flaky.rows, &flaky.blocks[..]), (2, &[0, 1][..]));
    assert_eq!(flaky.columns[0].values, [0.000_431_877, 0.000_440_019]);
    assert_eq!(flaky.outcomes(), OutcomeCounts { ok: 1, failed: 1, ..OutcomeCounts::default() });
    assert_eq!(flaky.warmup_outcomes.ok, 1);
    assert_eq!((flaky.orphans, flaky.with_orphans), (1, 1));
    assert_eq!(set.looks, [Look { blocks: 2, widest: Some(0.031), alpha: None }]);
    assert_eq!(set.notes.len(), 1, "{:?}", set.notes);
    assert_eq!(set.end.unwrap().stopped_by, StoppedBy::Runs);
}

/// Would catch a writer that leaves the specification: every line type, byte for byte.
#[test]
fn the_writer_writes_the_documented_example() {
    let mut buffer = Vec::new();
    write_declarations(&mut buffer);
    write_observations(&mut buffer);
    write::look(&mut buffer, &Look { blocks: 2, widest: Some(0.031), alpha: None });
    let text = "1 of 2 executions exited with a non-zero code".to_owned();
    write::note(&mut buffer, &Note::new("flaky", text));
    let at = "2026-11-21T03:11:22.126Z".to_owned();
    write::end(&mut buffer, &End { stopped_by: StoppedBy::Runs, at });
    let written = String::from_utf8(buffer).unwrap();
    for (written, documented) in written.lines().zip(block("jsonl").lines()) {
        assert_eq!(written, documented);
    }
    assert_eq!(written, block("jsonl"));
}

fn metrics() -> Vec<Metric> {
    [("wall", "ns", Some(3e-8)), ("cpu", "us", Some(1e-6)), ("rss", "B", None)]
        .map(|(name, unit, resolution)| Metric {
            name: name.to_owned(),
            unit: Unit::new(unit),
            direction: Direction::Lower,
            kind: Kind::Noisy,
            resolution,
            per: etalon_core::model::Per::Observation,
        })
        .to_vec()
}

fn write_declarations(buffer: &mut Vec<u8>) {
    let argv = ["etalon", "cmd", "-r", "2", "-w", "1", "-i", "ls -l", "./flaky"];
    let facts = [("cpu.model", "example"), ("tool.version", "0.1.0")];
    let header = HeaderLine {
        id: Some("20261121T031122.123456Z-kzmwqtbx".to_owned()),
        tool: "etalon 0.1.0".to_owned(),
        started: Some("2026-11-21T03:11:22.123456Z".to_owned()),
        argv: argv.map(Text::from).to_vec(),
        context: facts.map(|(k, v)| (k.to_owned(), v.to_owned())).into(),
        experiment: None,
        checks: None,
        sides: None,
        bisection: None,
        harness: None,
        lost: None,
    };
    write::header(buffer, &header);
    metrics().iter().for_each(|metric| write::metric(buffer, metric));
    let ls = BenchmarkLine {
        name: "ls -l".to_owned(),
        command: Some("ls -l".into()),
        argv: vec!["ls".into(), "-l".into()],
        path: Some("/usr/bin/ls".into()),
        ..BenchmarkLine::default()
    };
    let flaky = BenchmarkLine {
        name: "flaky".to_owned(),
        params: vec![("size".to_owned(), "10".to_owned())],
        command: Some("./flaky".into()),
        argv: vec!["./flaky".into()],
        path: Some("/home/me/flaky".into()),
        accept: Accept::Any,
        ..BenchmarkLine::default()
    };
    write::benchmark(buffer, &ls);
    write::benchmark(buffer, &flaky);
    let seed = 16_045_690_984_833_335_023;
    let stopping = Stopping::Runs(2);
    write::plan(buffer, &Plan { warmup: 1, ..Plan::new(Order::Blocks, stopping, seed) });
    write::settings(buffer, &Settings::default());
}

fn write_observations(buffer: &mut Vec<u8>) {
    use Phase::{Measured, Warmup};
    let executions = [
        (0, Warmup, 0, 41_200, [611_045, 702, 2_457_600]),
        (1, Warmup, 0, 702_118, [498_210, 480, 1_703_936]),
        (1, Measured, 0, 1_250_087, [431_877, 401, 1_703_936]),
        (0, Measured, 0, 1_731_402, [368_123, 389, 2_457_600]),
        (0, Measured, 1, 2_140_955, [371_002, 388, 2_457_600]),
        (1, Measured, 1, 2_552_310, [440_019, 405, 1_703_936]),
    ];
    for (number, (benchmark, phase, block, at, values)) in executions.into_iter().enumerate() {
        let values = values.into_iter().enumerate();
        let mut observation = Observation::new(
            benchmark,
            phase,
            Coordinates { node: None, block: Some(block), turn: None, at_ns: Some(at) },
            values.map(|(at, value)| (at, Number::Integer(value))).collect(),
        );
        let stderr = Text::from("flaky: out of luck\n");
        if number == 5 {
            observation.outcome = Outcome::Failed { code: 3 };
            observation.orphans = 1;
        }
        let said = (number == 5).then_some(&stderr);
        write::observation(buffer, &observation, &metrics(), said);
    }
}

/// Would catch documented CSV columns that are not the written ones.
#[test]
fn the_documented_csv_header_is_the_written_one() {
    let mut buffer = Vec::new();
    rows::header(&mut buffer);
    assert_eq!(String::from_utf8(buffer).unwrap(), block("csv"));
}
