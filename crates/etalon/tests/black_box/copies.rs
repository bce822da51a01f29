//! A record converted to a record: every byte of it, and what is refused in its place.

use crate::support::{Lab, Running, has};

/// Lines of a later version, values where none are read, and a last line that its writer did not finish.
const LATER: &str = concat!(
    r#"{"type":"header","format":"etalon","version":1,"id":"x","tool":"etalon 9","argv":[],"context":{},"later":[1]}"#,
    "\n",
    r#"{"type":"metric","name":"wall","unit":"ns","direction":"lower","kind":"noisy"}"#,
    "\n",
    r#"{"type":"benchmark","name":"a"}"#,
    "\n",
    r#"{"type":"novelty","of":"a later version"}"#,
    "\n",
    r#"{"type":"observation","benchmark":0,"phase":"warmup","at":5,"values":{"wall":900}}"#,
    "\n",
    r#"{"type":"observation","benchmark":0,"block":0,"at":17,"mood":"good","values":{"wall":5.50}}"#,
    "\n",
    r#"{"type":"observation","benchmark":0,"block":1,"at":39,"outcome":{"failed":3},"values":{"wall":7}}"#,
    "\n",
    "damaged\n",
    r#"{"type":"observation","benchmark":0,"blo"#,
);

/// Would catch a line, a field, a start time, a warm-up or a value that a conversion leaves out or writes in
/// another way.
#[test]
fn a_record_is_copied_byte_for_byte() {
    let lab = Lab::new();
    let path = lab.write("later.jsonl.partial", LATER);
    let converted = ["convert", "later.jsonl.partial", "--to", "etalon"];
    let ended = lab.run([&converted[..], &["-o", "copy.jsonl"]].concat()).expect(0);
    has(&ended.stderr, &["line 8 is left out", "line 9, the last one, was in flight", "`novelty`"]);
    assert_eq!(lab.read("copy.jsonl"), LATER.as_bytes());
    assert_eq!(lab.run([&converted[..], &["--quiet"]].concat()).expect(0).stdout, LATER);
    let through = format!("exec $E convert - --to etalon --quiet < {}", path.display());
    assert_eq!(Running::start(lab.shell(&through)).end().expect(0).stdout, LATER);

    lab.run(["cmd", "-i", "-w", "2", "-r", "3", "-n", "x", "true", "sh -c 'exit 4'"]).expect(0);
    lab.run(["convert", "@last", "--to", "etalon", "-o", "saved.jsonl"]).expect(0);
    assert_eq!(lab.read("saved.jsonl"), std::fs::read(&lab.saved()[0]).expect("a record"));
}

/// Would catch a file that is replaced by half a record, or a bad line that `--strict` lets through.
#[test]
fn what_cannot_be_read_replaces_nothing() {
    let lab = Lab::new();
    lab.write("later.jsonl", LATER);
    lab.write("two.jsonl", format!("{}\n{LATER}", LATER.lines().next().expect("a header")));
    lab.write("old.jsonl", "old");
    for (arguments, what) in [
        (&["later.jsonl", "--strict"][..], &["later.jsonl:8"][..]),
        (&["two.jsonl"], &["two.jsonl:2", "a second header"]),
    ] {
        let to = ["--to", "etalon", "-o", "old.jsonl", "--force"];
        has(&lab.run([&["convert"], arguments, &to].concat()).expect(2).stderr, what);
        assert_eq!(lab.read("old.jsonl"), b"old");
    }
    let full = "exec $E convert later.jsonl --to etalon --quiet > /dev/full";
    let ended = Running::start(lab.shell(full)).end().expect(2);
    has(&ended.stderr, &["cannot write to standard output", "No space left on device"]);
    let closed = "$E convert later.jsonl --to etalon --quiet | head -c 1";
    assert_eq!(Running::start(lab.shell(closed)).end().expect(0).stderr, "");
}

/// Would catch several records in one file that no reader takes.
#[test]
fn several_records_are_refused_with_the_way_out() {
    let lab = Lab::new();
    for _ in 0..2 {
        lab.done(["cmd", "-N", "-r", "2", "true"]);
    }
    let several = lab.run(["convert", "@last", "@-2", "--to", "etalon"]).expect(2);
    has(&several.stderr, &["--to etalon", "one run", "etalon runs bundle"]);
    lab.run(["runs", "bundle", "@last", "@-2", "-o", "both.jsonl"]).expect(0);
    let bundle = lab.run(["convert", "both.jsonl", "--to", "etalon"]).expect(2);
    has(&bundle.stderr, &["both.jsonl: is a bundle", "etalon runs import"]);
    assert_eq!((several.stdout.as_str(), bundle.stdout.as_str()), ("", ""));
}
