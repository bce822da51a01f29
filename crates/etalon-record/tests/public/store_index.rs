//! The index of the store: a cache that changes nothing but time.

use std::fs;

use etalon_core::model::Answer;
use etalon_record::raw::write;
use etalon_record::store::{AnswerOf, Saved, State, Store};
use etalon_record::{BenchmarkLine, HeaderLine};

use crate::store::{A, B, C, end, interrupted, listed, store};

/// A finished run with a benchmark, on a machine.
fn measured(store: &Store, id: &str) {
    let mut lines = Vec::new();
    let facts = [("cpu.model", "a \"cpu\""), ("commit", "abc")];
    let context = facts.map(|(key, value)| (key.to_owned(), value.to_owned()));
    let header = HeaderLine {
        id: Some(id.to_owned()),
        started: Some("2026-11-21T03:11:22Z".to_owned()),
        argv: vec!["etalon".into(), "é\n".into()],
        context: context.into(),
        ..HeaderLine::default()
    };
    write::header(&mut lines, &header);
    let params = vec![("n".to_owned(), "1".to_owned())];
    let line = BenchmarkLine {
        name: "sort".to_owned(),
        params,
        command: Some("./sort 1".into()),
        ..BenchmarkLine::default()
    };
    write::benchmark(&mut lines, &line);
    end(&mut lines);
    let mut new = store.create(id).unwrap();
    new.begin(&lines).unwrap();
    new.finish().unwrap();
    let answer = Answer { about: Some("a".to_owned()), text: "1.18 × faster".to_owned() };
    store.keep_answer(id, AnswerOf::Ranking, &answer).unwrap();
}

/// Three runs, one of them interrupted, and how they are listed without an index.
fn three() -> (tempfile::TempDir, Store, Vec<Saved>) {
    let (directory, store) = store();
    measured(&store, A);
    interrupted(&store, B);
    measured(&store, C);
    let index = store.home().join("index");
    fs::remove_file(&index).unwrap();
    let looked_at = listed(&store);
    assert!(index.exists(), "made again");
    (directory, store, looked_at)
}

/// Would catch a field that the index does not carry, or carries otherwise than a look at the record gives it.
#[test]
fn the_index_says_what_the_records_say() {
    let (_directory, store, looked_at) = three();
    let subject = &looked_at[0].summary.as_ref().unwrap().subjects[0];
    assert_eq!(
        [subject.label(), subject.brief(), subject.command()],
        ["sort [n=1]", "sort [n=1]", "./sort 1"]
    );
    let index = fs::read(store.home().join("index")).unwrap();
    assert_eq!(index.iter().filter(|byte| **byte == b'\n').count(), 3, "finished runs");
    assert_eq!(listed(&store), looked_at);
    assert_eq!(fs::read(store.home().join("index")).unwrap(), index, "nothing new");
    let runs = store.catalogue().unwrap();
    assert_eq!(runs.run(A).as_ref(), Some(&looked_at[2]));
}

/// Would catch an index that is believed although it is damaged, torn, of another version, or no file at all.
#[test]
fn a_damaged_index_is_made_again() {
    let (_directory, store, looked_at) = three();
    let path = store.home().join("index");
    let whole = fs::read(&path).unwrap();
    let mut flipped = 0;
    for at in (0..whole.len()).step_by(7) {
        let mut damaged = whole.clone();
        damaged[at] ^= 0x15;
        fs::write(&path, &damaged).unwrap();
        assert_eq!(listed(&store), looked_at, "byte {at}");
        flipped += 1;
        fs::write(&path, &whole[..at]).unwrap();
        assert_eq!(listed(&store), looked_at, "cut at {at}");
        assert_eq!(listed(&store), looked_at, "appended to, cut at {at}");
    }
    assert!(flipped > 50);
    fs::write(&path, [b"etalon index 3\n", &whole[15..]].concat()).unwrap();
    assert_eq!(listed(&store), looked_at);
    assert!(fs::read(&path).unwrap().starts_with(b"etalon index 2\n"));
    fs::write(&path, [&whole[..], &[b'x'; 3 << 20]].concat()).unwrap();
    assert_eq!(listed(&store), looked_at);
    assert!(fs::metadata(&path).unwrap().len() < 10_000, "written again");
    fs::remove_file(&path).unwrap();
    fs::create_dir(&path).unwrap();
    assert_eq!(listed(&store), looked_at);
    measured(&store, "20261123T000000.000000Z-bbbbbbbb");
}

/// Would catch a record that was changed, or went on, and is listed as it was.
#[test]
fn a_changed_record_is_looked_at_again() {
    let (_directory, store, looked_at) = three();
    let path = store.resolve(A).unwrap();
    let record = fs::read(&path).unwrap();
    let first_line = record.iter().position(|byte| *byte == b'\n').unwrap() + 1;
    fs::write(&path, &record[..first_line]).unwrap();
    let cut = &listed(&store)[2];
    assert_eq!((&cut.state, cut.bytes), (&State::Interrupted, Some(first_line as u64)));
    fs::write(&path, &record).unwrap();
    assert_eq!(listed(&store), looked_at);
    // The same size, another content, as it stands.
    let mut other = record.clone();
    let at = record.windows(4).position(|it| it == b"sort").unwrap();
    other[at..at + 4].copy_from_slice(b"tros");
    fs::write(&path, &other).unwrap();
    assert_eq!(listed(&store)[2].summary.as_ref().unwrap().subjects[0].name, "tros");
}

/// Would catch an index that only grows.
#[test]
fn the_index_is_kept_short() {
    let (_directory, store, looked_at) = three();
    let path = store.home().join("index");
    let whole = fs::read(&path).unwrap();
    fs::write(&path, [&whole[..15], &whole[15..].repeat(1000)].concat()).unwrap();
    assert_eq!(listed(&store), looked_at);
    assert_eq!(fs::read(&path).unwrap().len(), whole.len());
    assert_eq!(listed(&store), looked_at);
}
