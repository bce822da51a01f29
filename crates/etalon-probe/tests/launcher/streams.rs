//! Standard input, output and error.

use etalon_probe::launcher::protocol::{Input, Output};
use etalon_probe::launcher::{Destination, LauncherError};
use etalon_record::Text;
use serde_json::Value;
use std::os::fd::AsFd;

use crate::Test;
use crate::lab::{Lab, execute};

pub(crate) const TESTS: &[Test] = &[
    ("standard_input_is_empty", standard_input_is_empty),
    (
        "an_input_file_is_read_from_its_beginning_each_time",
        an_input_file_is_read_from_its_beginning_each_time,
    ),
    ("an_output_file_holds_the_last_execution", an_output_file_holds_the_last_execution),
    ("gigabytes_of_output_pass", gigabytes_of_output_pass),
    ("only_the_ends_of_standard_error_are_kept", only_the_ends_of_standard_error_are_kept),
    ("what_cannot_be_opened_is_refused_by_name", what_cannot_be_opened_is_refused_by_name),
];

fn all_ok(lab: &Lab, count: usize) {
    let ran = lab.run(count);
    assert_eq!(ran.observations.len(), count);
    assert!(ran.observations.iter().all(|o| o["outcome"] == Value::Null), "{:?}", ran.observations);
}

/// Would catch a program that waits for a terminal nobody types into.
fn standard_input_is_empty() {
    all_ok(&Lab::shell("test -z \"$(cat)\""), 2);
}

/// Would catch a second execution that starts where the first stopped reading.
fn an_input_file_is_read_from_its_beginning_each_time() {
    let mut lab = Lab::shell("read first && test \"$first\" = one");
    let file = lab.path("input");
    std::fs::write(&file, "one\ntwo\n").unwrap();
    lab.setup.stdio.stdin = Input::File(Text::from(file.as_os_str()));
    all_ok(&lab, 3);
    // A hook does not read it away, nor does it get it.
    lab.setup.commands[0].prepare = Some(execute(&["sh", "-c", "test -z \"$(cat)\""]));
    all_ok(&Lab { setup: lab.setup.clone(), ..Lab::shell("") }, 3);
}

/// Would catch outputs piling up, or a hook's output among them.
fn an_output_file_holds_the_last_execution() {
    let mut lab = Lab::shell("echo out");
    let file = lab.path("output");
    lab.setup.stdio.stdout = Output::File(Text::from(file.as_os_str()));
    lab.setup.commands[0].prepare = Some(execute(&["echo", "hook"]));
    lab.setup.commands[0].conclude = Some(execute(&["echo", "hook"]));
    all_ok(&lab, 3);
    assert_eq!(std::fs::read_to_string(file).unwrap(), "out\n");
}

/// Would catch a full pipe that blocks for ever, and output kept in memory.
fn gigabytes_of_output_pass() {
    let mut lab = Lab::new(&[
        &["sh", "-c", "head -c 2000000000 /dev/zero; head -c 1000000000 /dev/zero >&2"],
        &["true"],
    ]);
    lab.setup.stdio.stdout = Output::Pipe;
    let ran = lab.run(1);
    assert!(ran.observations.iter().all(|o| o["outcome"] == Value::Null));
    let after = ran.observations[1]["values"]["rss"].as_u64().unwrap();
    assert!(after <= 2_500_000, "{after} bytes: the launcher has grown");
}

/// Would catch the beginning or the end that is lost, more that is kept, and one command's words given to the next.
fn only_the_ends_of_standard_error_are_kept() {
    let lab = Lab::new(&[
        &["sh", "-c", "seq 100000 >&2; exit 1"],
        &["sh", "-c", "exit 1"],
        &["sh", "-c", "printf short >&2; exit 1"],
    ]);
    let ran = lab.run(2);
    let said: Vec<&str> =
        ran.observations.iter().map(|o| o["stderr"].as_str().unwrap_or("")).collect();
    for round in said.chunks(3) {
        assert!((4000..=4096).contains(&round[0].len()), "{}", round[0].len());
        assert!(round[0].starts_with("1\n2\n3\n"), "{}", round[0]);
        assert!(round[0].ends_with("\n99999\n100000\n"));
        assert_eq!(round[1..], ["", "short"]);
    }
}

/// Would catch measuring with an input that is not there.
fn what_cannot_be_opened_is_refused_by_name() {
    let record = tempfile::tempfile().unwrap();
    let record = Destination { file: record.as_fd(), path: "record".into() };
    let refused = |change: fn(&mut Lab)| {
        let mut lab = Lab::shell("exit 0");
        change(&mut lab);
        match crate::lab::started(&lab.setup, &record, None) {
            Err(LauncherError::Refused(refusal)) => refusal.subject.to_string(),
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(refused(|lab| lab.setup.stdio.stdin = Input::File("/no/in".into())), "/no/in");
    assert_eq!(refused(|lab| lab.setup.stdio.stdout = Output::File("/no/out".into())), "/no/out");
    assert_eq!(refused(|lab| lab.setup.directory = Some("/no/dir".into())), "/no/dir");
    assert_eq!(refused(|lab| lab.setup.commands[0].execute.path = "/a\0b".into()), "/a\0b");
}
