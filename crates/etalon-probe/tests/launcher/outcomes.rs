//! How executions end, and what is recorded of them.

use etalon_core::model::{Accept, Outcome};
use etalon_probe::launcher::protocol::{OnFailure, Over};
use serde_json::{Value, json};

use crate::Test;
use crate::lab::{Lab, finish, is_running, token};

pub(crate) const TESTS: &[Test] = &[
    ("every_ending_is_told_apart", every_ending_is_told_apart),
    ("a_timeout_ends_the_whole_group", a_timeout_ends_the_whole_group),
    ("a_timer_that_does_not_ring_changes_nothing", a_timer_that_does_not_ring_changes_nothing),
    ("what_cannot_be_started_is_not_a_failure", what_cannot_be_started_is_not_a_failure),
    ("stopping_at_a_failure_shows_what_it_said", stopping_at_a_failure_shows_what_it_said),
    ("accepted_codes_do_not_stop", accepted_codes_do_not_stop),
    ("blocks_are_recorded_in_their_order", blocks_are_recorded_in_their_order),
    ("a_deadline_is_looked_at_between_blocks", a_deadline_is_looked_at_between_blocks),
    ("a_full_disk_is_noticed_and_nothing_torn", a_full_disk_is_noticed_and_nothing_torn),
    ("a_second_file_gets_rows", a_second_file_gets_rows),
    ("values_are_there_and_plausible", values_are_there_and_plausible),
];

/// Would catch a killed program recorded as a failure, or one outcome for another.
fn every_ending_is_told_apart() {
    for (script, outcome) in [
        ("exit 0", Value::Null),
        ("exit 3", json!({"failed": 3})),
        ("kill -SEGV $$", json!({"killed": 11})),
        ("kill -KILL $$", json!({"killed": 9})),
        ("kill -STOP $$; exit 0", json!({"killed": 19})),
    ] {
        assert_eq!(Lab::shell(script).run(1).only()["outcome"], outcome, "{script}");
    }
}

/// Would catch a kill of the leader only, SIGTERM in place of SIGKILL, and a wait for ever.
fn a_timeout_ends_the_whole_group() {
    let token = token(1);
    let script = format!("trap '' TERM; sleep {token} & sleep {token} & wait");
    let mut lab = Lab::shell(&script);
    lab.setup.timeout_ns = Some(200_000_000);
    let ran = lab.run(1);
    assert_eq!(ran.only()["outcome"], "timed_out");
    assert!(ran.only()["values"]["wall"].as_i64().unwrap() >= 200_000_000);
    assert!(!is_running(&token));
}

/// Would catch a timer left armed for what follows.
fn a_timer_that_does_not_ring_changes_nothing() {
    let mut lab = Lab::shell("exit 4");
    lab.setup.timeout_ns = Some(20_000_000_000);
    let ran = lab.run(20);
    assert!(ran.observations.iter().all(|o| o["outcome"] == json!({"failed": 4})));
}

/// Would catch exec's failure being timed as an execution that exits with 127.
fn what_cannot_be_started_is_not_a_failure() {
    let lab = Lab::new(&[&["/no/such/program"], &["true"]]);
    let script = lab.path("script");
    std::fs::write(&script, "echo no interpreter named\n").unwrap();
    std::fs::set_permissions(&script, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    let ran = lab.run(1);
    assert!(
        ran.observations[0]["outcome"]["not_started"].as_str().unwrap().contains("No such file")
    );
    assert_eq!(ran.observations[0]["values"], json!({}));
    assert_eq!(ran.observations[1]["outcome"], Value::Null);
    let ran = Lab::new(&[&[script.to_str().unwrap()]]).run(1);
    let why = ran.only()["outcome"]["not_started"].as_str().unwrap().to_owned();
    assert!(why.contains("#!"), "{why}");
}

/// Would catch a failure whose reason is lost, or measuring on after it.
fn stopping_at_a_failure_shows_what_it_said() {
    let mut lab = Lab::new(&[&["true"], &["sh", "-c", "echo why >&2; exit 7"], &["true"]]);
    lab.on_failure = OnFailure::Stop;
    let ran = lab.run(3);
    assert_eq!(ran.finished.blocks, 0);
    let failure = ran.failure();
    assert_eq!((failure.command, failure.hook), (1, None));
    assert_eq!(failure.outcome, Outcome::Failed { code: 7 });
    assert_eq!(failure.stderr.to_string(), "why\n");
    assert_eq!(ran.observations.len(), 2, "the failure is recorded, what follows is not executed");
    assert_eq!(ran.observations[1]["stderr"], "why\n");
}

/// Would catch the accepted codes being ignored, or taken for success.
fn accepted_codes_do_not_stop() {
    let mut lab = Lab::shell("exit 3");
    lab.on_failure = OnFailure::Stop;
    lab.setup.commands[0].accept = Accept::Codes(vec![3]);
    assert_eq!(lab.run(1).only()["outcome"], json!({"failed": 3}));
}

/// Would catch another order than the one asked for, and blocks numbered from the wrong end.
fn blocks_are_recorded_in_their_order() {
    let lab = Lab::new(&[&["true"], &["true"], &["true"]]);
    let mut launcher = lab.start();
    let blocks = vec![vec![2, 0, 1], vec![1, 2, 0]];
    launcher
        .begin(&etalon_probe::launcher::protocol::Batch { first_block: 5, ..lab.batch(blocks) })
        .unwrap();
    assert_eq!(finish(&mut launcher).blocks, 2);
    let order = |o: &Value| (o["block"].as_u64().unwrap(), o["benchmark"].as_u64().unwrap());
    let observations = lab.observations();
    let found: Vec<_> = observations.iter().map(order).collect();
    assert_eq!(found, [(5, 2), (5, 0), (5, 1), (6, 1), (6, 2), (6, 0)]);
    assert!(observations.is_sorted_by_key(|o| o["at"].as_u64().unwrap()));
    launcher.begin(&lab.batch(vec![vec![0]])).unwrap();
    assert_eq!(finish(&mut launcher).why, Over::Done, "a second batch is taken");
    assert!(launcher.begin(&lab.batch(vec![vec![3]])).is_err());
}

/// Would catch a block cut in the middle, which pairs with nothing.
fn a_deadline_is_looked_at_between_blocks() {
    let lab = Lab::new(&[&["true"], &["sleep", "0.05"]]);
    let mut launcher = lab.start();
    let mut batch = lab.batch(vec![vec![0, 1]; 10_000]);
    batch.deadline_ns = Some(etalon_probe::clock::now_ns() + 300_000_000);
    launcher.begin(&batch).unwrap();
    let finished = finish(&mut launcher);
    assert_eq!(finished.why, Over::DeadlinePassed);
    assert_eq!(lab.observations().len(), 2 * finished.blocks as usize);
}

/// Would catch the silent full disk: 200 runs, 0 bytes, exit 0.
fn a_full_disk_is_noticed_and_nothing_torn() {
    use etalon_probe::launcher::{Destination, Lines, Second};
    use etalon_record::Text;
    use std::os::fd::AsFd;
    let lab = Lab::shell("exit 0");
    let (record, full) =
        (lab.record(), std::fs::OpenOptions::new().append(true).open("/dev/full").unwrap());
    let record = Destination { file: record.as_fd(), path: "record".into() };
    let destination = Destination { file: full.as_fd(), path: Text::from("/dev/full") };
    let second = Second { destination, lines: Lines::Record };
    let mut launcher = crate::lab::started(&lab.setup, &record, Some(&second)).unwrap();
    launcher.begin(&lab.batch(vec![vec![0]; 3])).unwrap();
    let Over::WriteFailed { path, why, safe } = finish(&mut launcher).why else { panic!() };
    assert_eq!((path.to_string().as_str(), safe), ("/dev/full", None));
    assert!(why.contains("No space left"), "{why}");
    assert_eq!(lab.observations().len(), 1);
}

/// Would catch a second file that gets the record's lines in place of rows, another benchmark's
/// name, or nothing.
fn a_second_file_gets_rows() {
    use etalon_probe::launcher::{Destination, Lines, Second};
    use etalon_record::{BenchmarkLine, Text};
    use std::os::fd::AsFd;
    let lab = Lab::new(&[&["true"], &["sh", "-c", "exit 3"]]);
    let path = lab.path("rows.csv");
    let (record, rows) =
        (lab.record(), std::fs::OpenOptions::new().append(true).create(true).open(&path).unwrap());
    let record = Destination { file: record.as_fd(), path: "record".into() };
    let destination = Destination { file: rows.as_fd(), path: Text::from(path.as_os_str()) };
    let named = |name: &str| BenchmarkLine {
        name: name.to_owned(),
        command: Some(format!("/{name}").into()),
        ..BenchmarkLine::default()
    };
    let lines = Lines::Rows(vec![named("one"), named("two")]);
    let second = Second { destination, lines };
    let mut launcher = crate::lab::started(&lab.setup, &record, Some(&second)).unwrap();
    launcher.begin(&lab.batch(vec![vec![0, 1]; 2])).unwrap();
    assert_eq!(finish(&mut launcher).why, Over::Done);
    let text = std::fs::read_to_string(path).unwrap();
    let starts: Vec<&str> = text.lines().map(|line| &line[..13]).collect();
    assert_eq!(starts, ["/one,,one,1,0", "/two,,two,2,3", "/one,,one,1,0", "/two,,two,2,3"]);
    assert_eq!(lab.observations().len(), 4);
}

/// Would catch units mixed up: KiB taken for bytes, ns for µs.
fn values_are_there_and_plausible() {
    let own = crate::lab::own();
    let ran = Lab::new(&[&[&own, "role-fat", "50"]]).run(1);
    let values = &ran.only()["values"];
    let value = |name: &str| values[name].as_i64().unwrap_or_else(|| panic!("no {name}: {values}"));
    assert_eq!(value("cpu"), value("user") + value("sys"));
    assert!((50 << 20..100 << 20).contains(&value("rss")), "{values}");
    assert!(value("minflt") >= 50 << 8);
    assert!(value("wall") >= 1_000 * value("cpu") / 2, "{values}");
    let of_waiting = ["cpu_wait", "cpu_wait_max"].map(|name| values[name].as_i64());
    assert!(of_waiting.iter().flatten().all(|ns| *ns >= 0), "{values}");
    assert!(value("vcsw") >= 0 && value("ivcsw") >= 0 && value("majflt") >= 0);
}
