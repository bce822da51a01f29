//! etalon ended from outside: kill -9 at any instant, Ctrl-C, SIGTERM. At most the observation in
//! flight is missing, nothing is left running, and what is there can be reported.

use std::io::Write;
use std::path::PathBuf;

use crate::support::{
    Lab, Record, Running, at_terminal, has, leaves_terminal, signal, skip, until,
};

/// A command that logs its completion with one byte, as the last thing it does.
const LOGGED: &str = "sh -c 'printf x >> done'";

/// Numbers that differ from test run to test run, for instants nobody chose.
fn random() -> impl FnMut() -> u32 {
    use std::hash::{BuildHasher, Hasher};
    let mut state = std::hash::RandomState::new().build_hasher().finish() | 1;
    move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        u32::try_from(state >> 32).unwrap_or(0)
    }
}

fn completed(lab: &Lab) -> usize {
    std::fs::metadata(lab.path("done")).map_or(0, |file| usize::try_from(file.len()).unwrap_or(0))
}

/// The only saved run, which has to be unfinished.
fn partial(lab: &Lab) -> PathBuf {
    let saved = lab.saved();
    assert_eq!(saved.len(), 1);
    assert!(saved[0].to_string_lossy().ends_with(".jsonl.partial"), "{saved:?}");
    saved[0].clone()
}

/// Whole rows after the header of a CSV file.
fn rows(bytes: &[u8]) -> usize {
    assert!(bytes.ends_with(b"\n"), "a torn row");
    let mut reader = csv::Reader::from_reader(bytes);
    reader.records().map(|row| assert_eq!(row.expect("15 fields").len(), 15)).count()
}

/// Kills etalon after some completed executions; returns how many rows `-o` had.
fn killed_after(executions: usize, output: &str, pause: u32) {
    let lab = Lab::new();
    let list = ["cmd", "-r", "100000", "-o", output, LOGGED, "-n", "one", LOGGED];
    let running = Running::start(lab.etalon(list));
    let pid = running.pid();
    until("executions", || completed(&lab) >= executions);
    std::thread::sleep(std::time::Duration::from_micros(pause.into()));
    signal(pid, libc::SIGKILL);
    assert_eq!(running.end().signal, Some(libc::SIGKILL));
    lab.assert_nothing_left();

    let completed = completed(&lab);
    let record = Record::read(&partial(&lab));
    let recorded = record.measured().len();
    assert!(recorded == completed || recorded + 1 == completed, "{recorded} of {completed}");
    assert_eq!(record.stopped_by(), None);
    let written = lab.read(output);
    let second = if output.to_ascii_lowercase().ends_with(".csv") {
        rows(&written)
    } else {
        Record::read(&lab.path(output)).measured().len()
    };
    assert!(second == recorded || second + 1 == recorded, "{second} of {recorded} in {output}");
    assert!(second + 1 >= completed, "{second} of {completed} in {output}");

    has(&lab.done(["report", "@last"]), &["unfinished record", "of 100000"]);
    has(&lab.done(["runs"]), &["unfinished"]);
    let json = lab.json(["report", "@last", "--json"]);
    assert_eq!(json["stopped_by"], serde_json::Value::Null);
    let ok = |i: usize| json["benchmarks"][i]["outcomes"]["ok"].as_u64().expect("a count");
    assert_eq!(usize::try_from(ok(0) + ok(1)), Ok(recorded));
}

/// Would catch observations held back in a buffer, torn lines, a command or launcher that lives on,
/// and an unfinished record that cannot be found or read.
#[test]
fn kill_nine_at_any_instant_loses_at_most_the_one_in_flight() {
    let mut random = random();
    for _ in 0..8 {
        for output in ["raw.jsonl", "raw.CSV"] {
            let executions = 1 + usize::try_from(random() % 60).unwrap_or(0);
            killed_after(executions, output, random() % 3000);
        }
    }
}

/// Would catch a launcher that outlives etalon when its command sleeps for ever, alone or with
/// descendants in other groups.
#[test]
fn kill_nine_takes_everything_along() {
    let lab = Lab::new();
    lab.script("tree", "setsid sleep 1000 & sleep 1000 & : > there; sleep 1000");
    let running = Running::start(lab.etalon(["cmd", "-r", "10", "./tree"]));
    until("the command", || lab.path("there").exists());
    signal(running.pid(), libc::SIGKILL);
    running.end();
    lab.assert_nothing_left();
    assert_eq!(Record::read(&partial(&lab)).measured().len(), 0);
    has(&lab.done(["runs"]), &["unfinished"]);
    lab.run(["report", "@last"]).expect(0);
    lab.run(["runs", "remove", "@last"]).expect(0);
    assert!(lab.saved().is_empty());
}

/// Would catch death before the first observation leaving something that breaks `@last`.
#[test]
fn kill_nine_at_once() {
    for pause in [0, 100, 1000, 3000] {
        let lab = Lab::new();
        lab.killed_after(pause, lab.etalon(["cmd", "-r", "1000", "true"]));
    }
}

/// Interrupts a running experiment; its end.
fn interrupted(lab: &Lab, with: i32, arguments: &[&str]) -> crate::support::Ended {
    let running = Running::start(lab.etalon(["cmd"].iter().chain(arguments)));
    until("executions", || completed(lab) >= 8);
    signal(running.pid(), with);
    running.end()
}

/// Would catch an interrupt that loses what was measured, prints nothing, leaves the command
/// running, counts the one it cut off, or does not show in the exit code.
#[test]
fn an_interrupt_reports_what_there_is() {
    for with in [libc::SIGINT, libc::SIGTERM] {
        let lab = Lab::new();
        let arguments = ["-r", "100000", "-o", "raw.jsonl", LOGGED, "sleep 0.002"];
        let ended = interrupted(&lab, with, &arguments).expect(130);
        lab.assert_nothing_left();
        let record = lab.record();
        assert_eq!(record.stopped_by().as_deref(), Some("interrupt"));
        assert!(
            record.measured().iter().all(|o| o.get("outcome").is_none()),
            "a killed one counted"
        );
        assert!(completed(&lab) - record.of(0).len() <= 1);
        let blocks = record.of(0).len().max(record.of(1).len());
        has(
            &ended.stdout,
            &[&format!("interrupted after {blocks} interleaved blocks of 100000"), "  against "],
        );
        assert_eq!(ended.stdout, lab.done(["report", "@last"]));
        assert_eq!(Record::read(&lab.path("raw.jsonl")).lines, record.lines);
        has(&lab.done(["runs"]), &["interrupt"]);
    }
}

/// Would catch an interrupt that waits for a command that hangs.
#[test]
fn an_interrupt_ends_a_hanging_command() {
    let lab = Lab::new();
    let hang = "sh -c 'printf xxxxxxxx >> done; trap \"\" INT TERM; sleep 1000; sleep 1000'";
    interrupted(&lab, libc::SIGINT, &["-r", "3", hang]).expect(130);
    lab.assert_nothing_left();
    assert_eq!(lab.record().stopped_by().as_deref(), Some("interrupt"));
    assert_eq!(lab.record().measured().len(), 0);
}

/// Would catch an interrupt during warm-up or a hook that is taken for a failure.
#[test]
fn an_interrupt_in_warm_up_and_in_a_hook() {
    let hang = "sh -c 'printf xxxxxxxx >> done; sleep 1000'";
    for arguments in [["-w", "3", hang], ["-p", hang, "true"]] {
        let lab = Lab::new();
        interrupted(&lab, libc::SIGINT, &arguments).expect(130);
        lab.assert_nothing_left();
        assert_eq!(lab.record().stopped_by().as_deref(), Some("interrupt"));
        assert_eq!(lab.record().of_type("observation").len(), 0);
    }
}

/// Would catch `--json` printing half a document, or none, when interrupted.
#[test]
fn an_interrupted_document_is_whole() {
    let lab = Lab::new();
    let ended = interrupted(&lab, libc::SIGINT, &["--json", "-r", "100000", LOGGED]).expect(130);
    let json: serde_json::Value = serde_json::from_str(&ended.stdout).expect("one document");
    assert_eq!(json["stopped_by"], "interrupt");
}

/// Would catch the launcher's death taken for success, or going on without it.
#[test]
fn a_launcher_that_is_killed_is_an_error() {
    let lab = Lab::new();
    let running = Running::start(lab.etalon(["cmd", "-N", "-r", "100000", LOGGED]));
    until("executions", || completed(&lab) >= 8);
    let children = format!("/proc/{0}/task/{0}/children", running.pid());
    let launcher = std::fs::read_to_string(children).expect("the list of children");
    signal(launcher.trim().parse().expect("one child, the launcher"), libc::SIGKILL);
    let ended = running.end().expect(2);
    has(&ended.stderr, &["launcher ended unexpectedly"]);
    lab.assert_nothing_left();
    let record = lab.record();
    assert_eq!(record.stopped_by().as_deref(), Some("error"));
    assert!(completed(&lab) - record.measured().len() <= 1);
}

/// Would catch a typed Ctrl-C that reaches the command but not etalon, or is recorded as the
/// command's failure; also while the command has the terminal.
#[test]
fn ctrl_c_typed_at_the_terminal() {
    let hang = "sh -c 'printf xxxxxxxx >> done; sleep 1000'";
    for list in [["--quiet", LOGGED], ["--quiet", hang], ["--show-output", hang]] {
        let lab = Lab::new();
        let arguments = [&["cmd", "-N", "-i", "-r", "100000"][..], &list].concat();
        let ended = at_terminal(lab.etalon(arguments), |keyboard| {
            until("executions", || completed(&lab) >= 8);
            let mut press = || keyboard.write_all(b"\x03");
            press().expect("the terminal takes a Ctrl-C");
            if list[0] == "--show-output" {
                // A shell may miss one that comes just before it waits for its child; etalon has
                // no part in that. People press again.
                until("the end", || {
                    std::thread::sleep(std::time::Duration::from_millis(20));
                    !being_written(&lab) || press().is_err()
                });
            }
        });
        let Some((code, shown)) = ended else { return skip("no pseudo-terminal: Ctrl-C") };
        assert_eq!(code, Some(130), "{shown}");
        lab.assert_nothing_left();
        let record = lab.record();
        assert_eq!(record.stopped_by().as_deref(), Some("interrupt"));
        assert!(record.measured().iter().all(|o| o.get("outcome").is_none()));
    }
}

/// Would catch a Ctrl-C that ends one execution after the other, because the command that has the
/// terminal catches it and exits as a shell would: it is counted as that, and the experiment ends.
#[test]
fn ctrl_c_that_the_command_catches() {
    let catches = "trap 'exit 130' INT; printf xxxxxxxx >> done; sleep 1000 & wait";
    for list in [&["./catches"][..], &["-p", "./catches", "true"], &["-w", "3", "./catches"]] {
        let lab = Lab::new();
        lab.script("catches", catches);
        let arguments = [&["cmd", "-N", "-i", "-r", "100000", "--show-output"][..], list].concat();
        let ended = at_terminal(lab.etalon(arguments), |keyboard| {
            until("executions", || completed(&lab) >= 8);
            until("the end", || {
                std::thread::sleep(std::time::Duration::from_millis(20));
                !being_written(&lab) || keyboard.write_all(b"\x03").is_err()
            });
        });
        let Some((code, shown)) = ended else { return skip("no pseudo-terminal: Ctrl-C caught") };
        assert_eq!(code, Some(130), "{list:?}: {shown}");
        lab.assert_nothing_left();
        let record = lab.record();
        assert_eq!(record.stopped_by().as_deref(), Some("interrupt"));
        assert_eq!(completed(&lab), 8, "it was executed again");
        let failed = |o: &&&serde_json::Value| o["outcome"]["failed"] == 130;
        let observed = record.of_type("observation");
        assert_eq!(observed.iter().filter(failed).count(), usize::from(list[0] != "-p"));
    }
}

/// Would catch an exit code taken for a Ctrl-C where it is expected, or nobody could type one.
#[test]
fn exit_code_130_alone_is_no_interrupt() {
    let lab = Lab::new();
    let command = ["--show-output", "-r", "3", "sh -c 'exit 130'"];
    let ended = at_terminal(lab.etalon([&["cmd", "-N", "-i=130"], &command[..]].concat()), |_| ());
    let Some((code, shown)) = ended else { return skip("no pseudo-terminal: exit code 130") };
    assert_eq!((code, lab.record().measured().len()), (Some(0), 3), "{shown}");
    let away = leaves_terminal(lab.etalon([&["cmd", "-N", "-i"], &command[..]].concat()));
    Running::start(away).end().expect(0);
    assert_eq!(lab.record().measured().len(), 3);
}

/// Whether the record is still being written.
fn being_written(lab: &Lab) -> bool {
    lab.saved().iter().any(|path| path.extension().is_some_and(|e| e == "partial"))
}

/// Would catch an interrupt before the first value that empties the file which was to be replaced, writes a page of nothing,
/// or says nothing.
#[test]
fn an_interrupt_before_the_first_value_keeps_what_was_there() {
    let lab = Lab::new();
    lab.script("waits", ": > there; exec sleep 1000");
    for name in ["o.jsonl", "o.csv", "p.html", "e.json"] {
        lab.write(name, "kept");
    }
    let start = |words: &[&str]| {
        let _none = std::fs::remove_file(lab.path("there"));
        let words = [&["cmd", "-r", "3", "--force"], words, &["./waits"]].concat();
        let running = Running::start(lab.etalon(words));
        until("an execution", || lab.path("there").exists());
        running
    };
    let all = ["-o", "o.jsonl", "--html", "p.html", "--export-json", "e.json"];
    let running = start(&all);
    signal(running.pid(), libc::SIGINT);
    let ended = running.end().expect(130);
    has(&ended.stdout, &["nothing measured"]);
    has(&ended.stderr, &["-o o.jsonl: nothing was measured", "no file of a report is written"]);
    let running = start(&["--json", "-o", "o.csv"]);
    signal(running.pid(), libc::SIGINT);
    let document: serde_json::Value =
        serde_json::from_str(&running.end().expect(130).stdout).expect("a document");
    assert_eq!(document["stopped_by"], "interrupt");
    let running = start(&["-o", "o.jsonl"]);
    signal(running.pid(), libc::SIGKILL);
    running.end();
    lab.assert_nothing_left();
    for name in ["o.jsonl", "o.csv", "p.html", "e.json"] {
        assert_eq!(lab.read(name), b"kept", "{name}");
    }
    // What is measured takes its place, under its rights.
    let rights = std::os::unix::fs::PermissionsExt::from_mode(0o640);
    std::fs::set_permissions(lab.path("o.jsonl"), rights).unwrap();
    lab.done(["cmd", "-r", "2", "--force", "-o", "o.jsonl", "true"]);
    lab.done(["report", "o.jsonl"]);
    let mode = std::fs::metadata(lab.path("o.jsonl")).unwrap();
    let mode = std::os::unix::fs::PermissionsExt::mode(&mode.permissions());
    assert_eq!(mode & 0o777, 0o640);
    let hidden = std::fs::read_dir(lab.path(".")).unwrap().flatten();
    let hidden = hidden.filter(|it| it.file_name().to_string_lossy().starts_with(".etalon-"));
    assert_eq!(hidden.count(), 0);
}
