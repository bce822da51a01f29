//! Saved runs: found by position, name and id, listed, named, removed; and two etalons at once.

use crate::support::{Lab, Record, Running, has, signal, until};

/// A laboratory with three saved runs of one, two and three blocks; their ids, oldest first.
fn three() -> (Lab, Vec<String>) {
    let lab = Lab::new();
    for runs in ["1", "2", "3"] {
        lab.done(["cmd", "-N", "-r", runs, "true"]);
    }
    let ids = ids(&lab);
    (lab, ids)
}

fn ids(lab: &Lab) -> Vec<String> {
    let name = |path: &std::path::PathBuf| {
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        name.split(".jsonl").next().expect("an id").to_owned()
    };
    lab.saved().iter().map(name).collect()
}

fn blocks(lab: &Lab, reference: &str) -> u64 {
    let json = lab.json(["report", reference, "--json"]);
    json["executions"][0]["blocks"].as_u64().expect("a number")
}

/// Would catch positions counted from the wrong end, and ids or names that lead elsewhere.
#[test]
fn references_lead_to_their_run() {
    let (lab, ids) = three();
    for (reference, expected) in [("@last", 3), ("@-1", 3), ("@-2", 2), ("@-3", 1)] {
        assert_eq!(blocks(&lab, reference), expected, "{reference}");
    }
    assert_eq!(blocks(&lab, &format!("@{}", ids[1])), 2);
    lab.run(["runs", "name", "@-3", "base-line"]).expect(0);
    assert_eq!(blocks(&lab, "@base-line"), 1);
    assert_eq!(blocks(&lab, lab.saved()[2].to_str().expect("a path")), 3);
    let ended = lab.run(["report", "@-4"]).expect(2);
    has(&ended.stderr, &["@-4"]);
    let ended = lab.run(["report", "@baseline"]).expect(2);
    has(&ended.stderr, &["did you mean @base-line"]);
}

/// Would catch a listing that misses runs or says the wrong thing about one.
#[test]
fn the_listing() {
    let (lab, ids) = three();
    lab.run(["runs", "name", "@last", "newest"]).expect(0);
    for listing in [&["runs"][..], &["runs", "list"]] {
        let shown = lab.done(listing);
        let lines: Vec<&str> = shown.lines().collect();
        assert_eq!(lines.len(), 4);
        has(lines[0], &["run set", "id", "stopped by", "command line"]);
        has(lines[1], &["@last", &ids[2], "runs", "@newest", "cmd -N -r 3 true"]);
        assert_eq!(lines[0].find("id"), lines[1].find(&ids[2]));
        assert_eq!(lines[0].find("command line"), lines[1].find("@newest"));
        has(lines[3], &["@-3", &ids[0], "cmd -N -r 1 true"]);
    }
    let shown = lab.done(["runs", "show", "@newest"]);
    has(&shown, &[&ids[2], "command line", "seed", "ended", "true", "3 counted, 3 ok, 0 not ok"]);
    let ended = Running::start(Lab::new().etalon(["runs"])).end().expect(0);
    assert_eq!(ended.stdout, "");
    has(&ended.stderr, &["no saved runs"]);
}

/// Would catch one odd file making all runs unreachable.
#[test]
fn strange_files_in_the_store_are_listed_as_that() {
    let (lab, _) = three();
    for (name, content) in [
        ("99990101T000000.000000Z-dead.jsonl", "garbage"),
        ("README", "hello"),
        ("99990101T000000.000000Z-beef.jsonl.partial", ""),
    ] {
        std::fs::write(lab.home().join("runs").join(name), content).expect("a file");
    }
    let shown = lab.done(["runs"]);
    assert_eq!(shown.lines().count(), 6, "{shown}");
    assert_eq!(shown.matches("unreadable").count(), 2, "{shown}");
    assert_eq!(blocks(&lab, "@-3"), 3);
    lab.run(["report", "@last"]).expect(2);
    lab.run(["runs", "remove", "@-1", "@-2"]).expect(0);
    assert_eq!(blocks(&lab, "@last"), 3);
}

/// Would catch a name that stays behind, is given to what does not exist, or hides a position.
#[test]
fn names() {
    let (lab, ids) = three();
    has(&lab.run(["runs", "name", "@-2", "base"]).expect(0).stderr, &["@base", &ids[1]]);
    has(
        &lab.run(["runs", "name", "@last", "base"]).expect(0).stderr,
        &[&ids[2], &format!("was {}", ids[1])],
    );
    assert_eq!(blocks(&lab, "@base"), 3);
    for bad in ["last", "2", "", "a/b", "../x", "a b", ".hidden", "-x", "ä", &"x".repeat(200)] {
        let mut list = vec!["runs", "name", "@last"];
        list.extend(["--", bad]);
        let ended = lab.run(list).expect(2);
        has(&ended.stderr, &["cannot be a name"]);
    }
    has(&lab.run(["runs", "name", "@nowhere", "x"]).expect(2).stderr, &["no saved run `@nowhere`"]);
    assert_eq!(std::fs::read_dir(lab.home().join("names")).expect("names").count(), 1);
}

/// Would catch removing the wrong one, one twice, or some of them when one is unknown.
#[test]
fn removing() {
    let (lab, ids) = three();
    lab.run(["runs", "name", "@last", "gone"]).expect(0);
    has(&lab.run(["runs", "remove", "@-2", "@nowhere"]).expect(2).stderr, &["@nowhere"]);
    assert_eq!(lab.saved().len(), 3, "some were removed before the unknown one was found");
    has(&lab.run(["runs", "remove", "@gone", "@-2"]).expect(0).stderr, &[&ids[2], &ids[1]]);
    assert_eq!(self::ids(&lab), ids[..1]);
    has(&lab.run(["report", "@gone"]).expect(2).stderr, &["no saved run `@gone`"]);
    has(&lab.run(["runs", "show", "@gone"]).expect(2).stderr, &["@gone"]);
    assert_eq!(blocks(&lab, "@last"), 1);
}

/// Would catch a record removed under the one who writes it, or a running one that looks finished.
#[test]
fn a_running_record_is_shown_as_that_and_not_removed() {
    let lab = Lab::new();
    let running =
        Running::start(lab.etalon(["cmd", "-N", "-r", "3", "sh -c ': > there; sleep 1000'"]));
    until("the command", || lab.path("there").exists());
    has(&lab.done(["runs"]), &["@last", "running"]);
    has(
        &lab.run(["runs", "remove", "@last"]).expect(2).stderr,
        &["being written by a running etalon"],
    );
    assert_eq!(lab.saved().len(), 1);
    lab.run(["report", "@last"]).expect(0);
    signal(running.pid(), libc::SIGINT);
    running.end().expect(130);
    has(&lab.done(["runs"]), &["interrupt"]);
    lab.run(["runs", "remove", "@last"]).expect(0);
    assert!(lab.saved().is_empty());
}

/// Would catch two etalons that disturb each other without a word, or mix up their records.
#[test]
fn a_second_etalon_at_the_same_time_is_noted_by_both() {
    let lab = Lab::new();
    let first = Running::start(lab.etalon([
        "cmd",
        "-N",
        "-r",
        "3",
        "sh -c ': > there; while [ ! -e go ]; do sleep 0.01; done'",
    ]));
    until("the first", || lab.path("there").exists());
    let second = lab.run(["cmd", "-N", "-r", "2", "true"]).expect(0);
    lab.write("go", "");
    let first = first.end().expect(0);
    for shown in [&first.stdout, &second.stdout] {
        has(shown, &["another etalon was measuring at the same time"]);
    }
    let records: Vec<Record> = lab.saved().iter().map(|path| Record::read(path)).collect();
    assert_eq!(records.len(), 2);
    assert_eq!([records[0].measured().len(), records[1].measured().len()], [3, 2]);
}

/// Would catch the note that is always there. A network namespace of its own hides other tests.
#[test]
fn an_etalon_alone_has_no_such_note() {
    let lab = Lab::new();
    let probe = Running::start(lab.shell("unshare -rn true")).end();
    if probe.code != Some(0) {
        return crate::support::skip("unshare -rn is not permitted: an etalon that is alone");
    }
    let script = "exec unshare -rn $E cmd -N -r 2 true";
    let ended = Running::start(lab.shell(script)).end().expect(0);
    assert!(!ended.stdout.contains("another etalon"), "{}", ended.stdout);
    assert!(lab.record().of_type("note").is_empty());
}

/// Would catch ids that collide, or records of etalons started at once lost or mixed.
#[test]
fn many_etalons_at_once_keep_their_records_apart() {
    let lab = Lab::new();
    let start = |_| Running::start(lab.etalon(["cmd", "-N", "-r", "5", "true", "echo"]));
    let running: Vec<Running> = (0..8).map(start).collect();
    for etalon in running {
        etalon.end().expect(0);
    }
    assert_eq!(lab.saved().len(), 8);
    for path in lab.saved() {
        assert_eq!(Record::read(&path).measured().len(), 10);
        assert!(path.to_string_lossy().ends_with(".jsonl"));
    }
}
