//! Runs for somebody else: bundled into one file, reported from it, compared in it, and saved elsewhere.

use crate::support::{Lab, has, ids};

/// A laboratory with two runs of the same command, named and labelled.
fn two() -> Lab {
    let lab = Lab::new();
    for name in ["old", "new"] {
        lab.done(["cmd", "-N", "-r", "4", "true"]);
        lab.run(["runs", "name", "@last", name]).expect(0);
    }
    lab.run(["runs", "tag", "@old", "ci"]).expect(0);
    lab.run(["runs", "note", "@old", "before the change"]).expect(0);
    lab
}

/// Would catch a bundle that loses a run, its order, or a label on the way to somebody else's store.
#[test]
fn a_bundle_is_read_and_saved_elsewhere() {
    let lab = two();
    let said = lab.run(["runs", "bundle", "@old", "@new", "@last", "-o", "b.jsonl"]).expect(0);
    has(&said.stderr, &["2 runs in b.jsonl", "etalon runs import b.jsonl"]);
    let other = Lab::new();
    other.write("b.jsonl", lab.read("b.jsonl"));
    let json = other.json(["report", "b.jsonl", "--json"]);
    assert_eq!(json["executions"].as_array().map(Vec::len), Some(2));
    let compared = other.done(["compare", "b.jsonl"]);
    let header = compared.lines().find(|line| line.contains("old") && line.contains("new"));
    let header = header.unwrap_or_else(|| panic!("no column a run in:\n{compared}"));
    assert!(header.find("old") < header.find("new"), "{header}");

    let said = other.run(["runs", "import", "b.jsonl"]).expect(0).stderr;
    has(&said, &["saved "]);
    assert_eq!(ids(&other), ids(&lab));
    for (ours, theirs) in lab.saved().iter().zip(other.saved()) {
        assert_eq!(std::fs::read(ours).expect("a record"), std::fs::read(theirs).expect("a copy"));
    }
    has(&other.done(["runs", "show", "@old"]), &["@old #ci", "before the change"]);
    has(&other.run(["runs", "import", "b.jsonl"]).expect(0).stderr, &["is there already"]);
    assert_eq!(ids(&other).len(), 2);
}

/// Would catch a name of one's own that moves to a foreign run, and a record that is written over.
#[test]
fn what_is_there_stays() {
    let lab = two();
    lab.run(["runs", "bundle", "@old", "-o", "b.jsonl"]).expect(0);
    let other = Lab::new();
    other.done(["cmd", "-N", "-r", "2", "true"]);
    other.run(["runs", "name", "@last", "old"]).expect(0);
    let own = ids(&other);
    other.write("b.jsonl", lab.read("b.jsonl"));
    let said = other.run(["runs", "import", "b.jsonl"]).expect(0).stderr;
    let (_, stays) = said.split_once("@old stays ").expect("whose name it is");
    let (short, _) = stays.split_once(';').expect("a short id");
    assert!(own[0].contains(short) && short.len() < own[0].len(), "{said}");
    has(&other.done(["runs", "show", "@old"]), &[&own[0]]);
    let path = &other.saved()[0];
    let mut record = std::fs::read(path).expect("a record");
    record.extend(b"{\"type\":\"note\",\"about\":\"a\",\"text\":\"b\"}\n");
    std::fs::write(path, &record).expect("another record");
    has(&other.run(["runs", "import", "b.jsonl"]).expect(2).stderr, &["is not overwritten"]);
    assert_eq!(std::fs::read(path).expect("a record"), record);
    // A bundle is not written over either, unless that is asked for.
    has(&lab.run(["runs", "bundle", "@new", "-o", "b.jsonl"]).expect(2).stderr, &["--force"]);
    lab.run(["runs", "bundle", "@new", "-o", "b.jsonl", "--force"]).expect(0);
}

/// Would catch a record alone, or one that ends within a line, that cannot be handed on.
#[test]
fn records_alone_and_unfinished_ones() {
    let lab = two();
    let path = lab.saved()[1].clone();
    let torn = path.with_extension("jsonl.partial");
    let mut record = std::fs::read(&path).expect("a record");
    record.truncate(record.len() - 20);
    std::fs::remove_file(&path).expect("removed");
    std::fs::write(&torn, &record).expect("an unfinished record");
    lab.run(["runs", "bundle", "@last", "@-2", "-o", "b.jsonl"]).expect(0);
    let other = Lab::new();
    other.write("b.jsonl", lab.read("b.jsonl"));
    other.run(["runs", "import", "b.jsonl"]).expect(0);
    assert_eq!(std::fs::read(&other.saved()[1]).expect("a copy"), record);
    has(&other.done(["runs"]), &["unfinished"]);

    lab.done(["cmd", "-N", "-r", "3", "-o", "alone.jsonl", "true"]);
    other.write("alone.jsonl", lab.read("alone.jsonl"));
    other.run(["runs", "import", "alone.jsonl"]).expect(0);
    assert_eq!(ids(&other).len(), 3);
    other.done(["report", "@last"]);
}

/// Would catch a bundle that was cut or changed and is taken for a whole one.
#[test]
fn a_damaged_bundle_is_told() {
    let lab = two();
    lab.run(["runs", "bundle", "@old", "@new", "-o", "b.jsonl"]).expect(0);
    let whole = lab.read("b.jsonl");
    let cut = whole[..whole.len() - 100].to_vec();
    let doubled = [&whole[..], &whole[..]].concat();
    let text = String::from_utf8(whole.clone()).expect("text");
    let longer = text.replacen("\"observation\"", "\"observation\"    ", 1).into_bytes();
    let newer = text.replacen("\"version\":1", "\"version\":9", 1).into_bytes();
    for (bytes, why) in [
        (cut, "bytes of new are there"),
        (doubled, "two bundles were put together"),
        (longer, "old is longer than it was"),
        (newer, "version 9"),
    ] {
        let other = Lab::new();
        other.write("damaged.jsonl", &bytes);
        for command in [&["report"][..], &["compare"], &["runs", "import"]] {
            let ended = other.run([command, &["damaged.jsonl"]].concat()).expect(2);
            has(&ended.stderr, &["damaged.jsonl", why]);
        }
        for saved in other.saved() {
            assert!(saved.to_string_lossy().ends_with(".jsonl"), "a part of one: {saved:?}");
        }
    }
    lab.write("else.txt", "BenchmarkX 1 2 ns/op\n");
    has(&lab.run(["runs", "import", "else.txt"]).expect(2).stderr, &["else.txt"]);
    has(&lab.run(["runs", "import", "nowhere"]).expect(2).stderr, &["nowhere"]);
}
