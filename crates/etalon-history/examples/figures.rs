//! The cost of a large history: filling it, questions, one point more beside SQLite's own insert of the same rows, its
//! size.
//!
//! `cargo run --release -p etalon-history --example figures DIRECTORY [POINTS]`; ten million take some minutes and 3
//! GB. Each point has eight raw readings and is of one of so many series that each has 500 points. One more point
//! takes a row in each of four tables, a new commit and a new record included; SQLite's own insert is of such rows,
//! in one transaction in the same journal mode, by prepared statements, and looks for nothing. Both take turns in the
//! same file.

#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "measures, and fails by panicking"
)]

use std::path::Path;
use std::time::Instant;

use etalon_core::model::{Context, Direction};
use etalon_core::random::Random;
use etalon_history::{Access, Database, Measurement, Part, Placed, SeriesKey, Source};
use rusqlite::{Connection, TransactionBehavior, params};

const OF_SERIES: usize = 500;
const READINGS: usize = 8;
const APPENDED: usize = 2_000;
const ASKED: usize = 5;

fn placed(series: usize, version: usize, random: &mut Random) -> Placed {
    #[allow(clippy::cast_precision_loss)]
    let reading = |random: &mut Random| 1.0 + (random.next_u64() >> 11) as f64 * 1e-17;
    let readings: Vec<f64> = (0..READINGS).map(|_| reading(random)).collect();
    let value = readings[0];
    let measured = Measurement {
        benchmark: format!("benchmark {series}"),
        metric: "wall".to_owned(),
        unit: "s".to_owned(),
        direction: Direction::Lower,
        commit: None,
        anchor: None,
        machine: "Some CPU @ 3.00GHz, x86_64".to_owned(),
        facts: Context::from([("kernel.release".to_owned(), "6.18".to_owned())]),
        part: Part { value, interval: Some((0.99 * value, 1.01 * value)), n: READINGS as u64 },
        readings,
    };
    let key = SeriesKey {
        project: "project".to_owned(),
        benchmark: measured.benchmark.clone(),
        metric: measured.metric.clone(),
        unit: measured.unit.clone(),
        branch: "main".to_owned(),
        machine: measured.machine.clone(),
        kind: measured.kind(),
    };
    let position = i64::try_from(version).unwrap();
    #[allow(clippy::cast_precision_loss)]
    let time = 1.7e9 + 3600.0 * version as f64;
    Placed {
        series: key,
        commit: format!("{version:040x}"),
        position: Some(position),
        time,
        measured,
    }
}

fn main() {
    let mut words = std::env::args().skip(1);
    let directory = words.next().expect("a directory");
    let points: usize = words.next().map_or(10_000_000, |points| points.parse().unwrap());
    let path = Path::new(&directory).join("history.sqlite");
    let all = (points / OF_SERIES).max(1);
    let mut random = Random::new(1);
    let began = Instant::now();
    let mut history = Database::open(&path, Access::Write).unwrap().unwrap();
    for version in 0..OF_SERIES {
        let run: Vec<Placed> =
            (0..all).map(|series| placed(series, version, &mut random)).collect();
        history.add(&Source::Record(format!("run {version}")), &run).unwrap();
    }
    let took = began.elapsed().as_secs_f64();
    drop(history);
    let count = all * OF_SERIES;
    let bytes = std::fs::metadata(&path).unwrap().len();
    #[allow(clippy::cast_precision_loss)]
    let (each, size) = (1e6 * took / count as f64, bytes as f64 / count as f64);
    println!(
        "{count} points added in {took:.0} s, {each:.1} µs each; {bytes} bytes, {size:.0} each"
    );
    questions(&path, all);
    appends(&path, all, &mut random);
}

/// Questions, each by a connection of its own as a command has it.
fn questions(path: &Path, all: usize) {
    type Question = fn(&Database, usize) -> usize;
    let questions: [(&str, Question); 5] = [
        ("list: 20 series with their last points", |history, _| {
            let rows = history.series(&[]).unwrap();
            rows.iter().take(20).map(|row| history.points(row.id).unwrap().len()).sum()
        }),
        ("list with a word", |history, at| history.series(&[format!("mark {at}")]).unwrap().len()),
        ("show: the points of a series", |history, at| {
            let rows = history.series(&[format!("benchmark {at}")]).unwrap();
            history.points(rows[0].id).unwrap().len()
        }),
        ("the raw readings of a point", |history, at| {
            let rows = history.series(&[format!("benchmark {at}")]).unwrap();
            history.readings(rows[0].id, &format!("{:040x}", 77)).unwrap().len()
        }),
        ("how many points there are", |history, _| {
            usize::try_from(history.count_points().unwrap()).unwrap()
        }),
    ];
    for (name, question) in questions {
        let once = |round: usize| {
            let began = Instant::now();
            let history = Database::open(path, Access::Read).unwrap().unwrap();
            let answer = question(&history, round * all / ASKED);
            (began.elapsed().as_secs_f64() * 1e3, answer)
        };
        let mut times: Vec<(f64, usize)> = (0..ASKED).map(once).collect();
        times.sort_by(|one, other| one.0.total_cmp(&other.0));
        println!(
            "{name}: {:.1} ms, worst {:.1} ms ({})",
            times[ASKED / 2].0,
            times[ASKED - 1].0,
            times[0].1
        );
    }
}

/// One point more, beside SQLite's own insert.
fn appends(path: &Path, all: usize, random: &mut Random) {
    let mut history = Database::open(path, Access::Write).unwrap().unwrap();
    let mut plain = Connection::open(path).unwrap();
    plain.pragma_update(None, "synchronous", "NORMAL").unwrap();
    plain.pragma_update(None, "mmap_size", 1 << 30).unwrap();
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    for at in 0..APPENDED {
        let series = at * 7919 % all;
        let point = placed(series, OF_SERIES + at, random);
        let source = Source::Record(format!("appended {at}"));
        let began = Instant::now();
        history.add(&source, std::slice::from_ref(&point)).unwrap();
        ours.push(began.elapsed().as_secs_f64() * 1e6);
        let readings: Vec<u8> =
            point.measured.readings.iter().flat_map(|it| it.to_le_bytes()).collect();
        let (number, value) = (i64::try_from(at + 1).unwrap(), point.measured.part.value);
        let began = Instant::now();
        let to = plain.transaction_with_behavior(TransactionBehavior::Immediate).unwrap();
        let insert = |statement: &str, values: &[&dyn rusqlite::ToSql]| {
            to.prepare_cached(statement).unwrap().execute(values).unwrap();
        };
        insert("INSERT INTO source VALUES(NULL, ?)", params![format!("plain {at}")]);
        let (name, position) = (format!("plain {at}"), 1_000 + number);
        insert("INSERT INTO version VALUES(NULL, 'p', ?, ?, 1.0)", params![name, position]);
        let version = to.last_insert_rowid();
        let key = i64::try_from(series + 1).unwrap();
        insert(
            "INSERT INTO part VALUES(?, ?, 0, ?, 0, ?, ?, ?, 8, 1, ?)",
            params![key, version, version, value, value, value, readings],
        );
        insert(
            "INSERT INTO point VALUES(?, ?, 0, ?, ?, ?, 0.95, 8, 1, 1)",
            params![key, version, value, value, value],
        );
        to.commit().unwrap();
        theirs.push(began.elapsed().as_secs_f64() * 1e6);
    }
    let figures = |times: &mut Vec<f64>| {
        times.sort_by(f64::total_cmp);
        (times[times.len() / 2], times[times.len() * 99 / 100])
    };
    let (ours, theirs) = (figures(&mut ours), figures(&mut theirs));
    println!(
        "one point more: {:.0} µs (p99 {:.0}); SQLite's own insert: {:.0} µs (p99 {:.0}); ratio {:.2}",
        ours.0,
        ours.1,
        theirs.0,
        theirs.1,
        ours.0 / theirs.0
    );
}
