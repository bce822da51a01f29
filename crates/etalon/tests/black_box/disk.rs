//! Where data and reports cannot be written: full disks, limits, closed and full standard output.
//! Nothing measured is lost, the error names the file, and the exit says so.

use std::path::{Path, PathBuf};

use crate::support::{Lab, Record, Running, has, skip};

/// A tiny file system; unmounted when dropped.
struct Tiny(PathBuf);

impl Tiny {
    /// Mounts 64 KB, which takes root; nothing if that is not permitted.
    fn mount(at: PathBuf) -> Option<Tiny> {
        Tiny::sized(at, c"size=64k")
    }

    /// As [`Tiny::mount`], of this size.
    fn sized(at: PathBuf, size: &std::ffi::CStr) -> Option<Tiny> {
        std::fs::create_dir(&at).expect("a directory");
        let path = std::ffi::CString::new(at.to_str()?).ok()?;
        // SAFETY: all strings are NUL-terminated and outlive the call.
        let done = unsafe {
            libc::mount(c"none".as_ptr(), path.as_ptr(), c"tmpfs".as_ptr(), 0, size.as_ptr().cast())
        };
        (done == 0).then_some(Tiny(at))
    }
}

impl Drop for Tiny {
    fn drop(&mut self) {
        if let Ok(path) = std::ffi::CString::new(self.0.to_string_lossy().as_bytes()) {
            // SAFETY: a NUL-terminated string that outlives the call.
            unsafe { libc::umount2(path.as_ptr(), libc::MNT_DETACH) };
        }
    }
}

/// The file an error says is readable, which has to be so.
#[track_caller]
fn readable(lab: &Lab, stderr: &str) -> Record {
    let (_, rest) =
        stderr.split_once("readable with `etalon report ").expect("what to do about it");
    let path = Path::new(rest.split_once('`').expect("a command in quotes").0);
    has(&lab.done([Path::new("report"), path]), &["executions"]);
    Record::read(&lab.path("").join(path))
}

/// Would catch the silent full disk: 200 runs, 0 bytes, exit 0. And a torn line, an unreadable
/// record, and advice that names a file that is not there.
#[test]
fn a_full_disk_under_the_store() {
    let lab = Lab::new();
    let Some(_mounted) = Tiny::mount(lab.home()) else {
        return skip("mounting needs root: a full disk under the store");
    };
    let ended = lab.run(["cmd", "-N", "-r", "1000", "true"]).expect(2);
    has(&ended.stderr, &["cannot write", "runs/", "No space left on device"]);
    let record = readable(&lab, &ended.stderr);
    let measured = record.measured().len();
    assert!((1..1000).contains(&measured), "{measured}");
    has(&ended.stdout, &[&format!("{measured} executions of 1000")]);
    assert_eq!(lab.done(["runs"]).lines().count(), 2);
}

/// Would catch a full disk under `-o` that goes unnoticed, or takes the saved record with it.
#[test]
fn a_full_disk_under_the_output() {
    for name in ["raw.jsonl", "raw.csv"] {
        let lab = Lab::new();
        let Some(_mounted) = Tiny::mount(lab.path("small")) else {
            return skip("mounting needs root: a full disk under -o");
        };
        let output = format!("small/{name}");
        let ended = lab.run(["cmd", "-N", "-r", "2000", "-o", &output, "true"]).expect(2);
        has(&ended.stderr, &["cannot write", &output, "No space left on device"]);
        let written = lab.read(&output);
        assert!(written.ends_with(b"\n"), "a torn line");
        let rows = written.iter().filter(|byte| **byte == b'\n').count();
        assert!(rows > 10);
        let record = lab.record();
        assert_eq!(record.stopped_by().as_deref(), Some("error"));
        if name == "raw.csv" {
            assert_eq!(rows, record.measured().len(), "a header, and one less than the record");
        } else {
            assert_eq!(readable(&lab, &ended.stderr).measured().len() + 1, record.measured().len());
        }
        has(&lab.done(["report", "@last"]), &["Stopped by an error after"]);
    }
}

/// Would catch death by SIGXFSZ, which says nothing and leaves a torn line; and the signal's
/// disposition changed for commands.
#[test]
fn a_file_size_limit() {
    let lab = Lab::new();
    let script = "ulimit -f 8; exec $E cmd -N -r 400 true";
    let ended = Running::start(lab.shell(script)).end().expect(2);
    has(&ended.stderr, &["cannot write", "runs/", "File too large"]);
    let measured = readable(&lab, &ended.stderr).measured().len();
    assert!((1..400).contains(&measured), "{measured}");
}

/// Would catch a command that inherits a SIGXFSZ etalon has set to ignored.
#[test]
fn a_file_size_limit_still_kills_commands() {
    let lab = Lab::new();
    let script = "ulimit -f 32; exec $E cmd -N -r 2 --stdout big 'head -c 100000 /dev/zero'";
    let ended = Running::start(lab.shell(script)).end().expect(1);
    has(&ended.stderr, &["SIGXFSZ"]);
}

/// Would catch a device that takes nothing being taken for a file.
#[test]
fn a_full_device_as_output() {
    let lab = Lab::new();
    let ended = lab.run(["cmd", "-r", "3", "-o", "/dev/full", "true"]).expect(2);
    has(&ended.stderr, &["/dev/full", "No space left on device"]);
}

/// A file system without room for a byte.
fn full(at: PathBuf) -> Option<Tiny> {
    let mounted = Tiny::mount(at)?;
    // What does not fit is the point.
    let _no_room = std::fs::write(mounted.0.join("filler"), vec![0_u8; 1 << 20]);
    Some(mounted)
}

/// Would catch a message about a file that is gone when it is read, where nothing can be saved from
/// the start.
#[test]
fn a_full_disk_at_the_start() {
    let lab = Lab::new();
    let Some(_mounted) = full(lab.home()) else {
        return skip("mounting needs root: a full disk at the start");
    };
    std::fs::create_dir(lab.path("tmp")).expect("a directory");
    let mut command = lab.etalon(["cmd", "-N", "-r", "5", "true"]);
    let ended = Running::start({
        command.env("TMPDIR", lab.path("tmp"));
        command
    });
    let ended = ended.end().expect(0);
    has(&ended.stderr, &["No space left on device", "ETALON_HOME", "the record is "]);
    let (_, rest) = ended.stderr.split_once("the record is ").expect("a file");
    let path = rest.split([' ', ';', '\n']).next().expect("a file");
    assert_eq!(Record::read(Path::new(path)).measured().len(), 5);
}

/// Would catch an output file that is "readable" with nothing in it, and one that is left.
#[test]
fn a_full_disk_under_the_output_at_the_start() {
    let lab = Lab::new();
    let Some(_mounted) = full(lab.path("small")) else {
        return skip("mounting needs root: a full disk under -o at the start");
    };
    for name in ["small/raw.jsonl", "small/raw.csv"] {
        let ended = lab.run(["cmd", "-N", "-r", "5", "-o", name, "true"]).expect(2);
        has(&ended.stderr, &[name, "No space left on device", "nothing was measured"]);
        assert!(!ended.stderr.contains("readable"), "{}", ended.stderr);
        assert!(!lab.path(name).exists() && lab.saved().is_empty());
    }
}

/// Would catch records saved somewhere else than the environment says.
#[test]
fn the_store_is_where_the_environment_says() {
    let lab = Lab::new();
    let mut command = lab.etalon(["cmd", "-N", "-r", "1", "true"]);
    command.env_remove("ETALON_HOME").env("XDG_STATE_HOME", lab.path("state"));
    Running::start(command).end().expect(0);
    assert_eq!(lab.path("state/etalon/runs").read_dir().expect("a store").count(), 1);
}

/// Would catch old results truncated at the start, before anything new is there.
#[test]
fn an_existing_output_is_not_touched() {
    let lab = Lab::new();
    lab.script("witness", "echo executed >> trace");
    for name in ["raw.jsonl", "raw.csv", "raw"] {
        lab.write(name, "precious\n");
        let ended = lab.run(["cmd", "-r", "2", "-o", name, "./witness"]).expect(2);
        has(&ended.stderr, &[name, "not empty", "--force"]);
        assert_eq!(lab.read(name), b"precious\n");
        assert_eq!(lab.read("trace"), b"");
        assert!(lab.saved().is_empty());
    }
    // Also with --force, where nothing comes to be recorded, or a command reads it.
    lab.write("s.toml", "[service.s]\nstart = 'false'\nready = { command = 'false' }\n");
    for (arguments, why) in [
        (["--service", "s.toml"], "service s"),
        (["--input", "raw.jsonl"], "-o raw.jsonl: is the input of a command"),
    ] {
        let force = ["cmd", "-r", "2", "--force", "-o", "raw.jsonl", "./witness"];
        has(&lab.run([&force[..], &arguments].concat()).expect(2).stderr, &[why]);
        assert_eq!(lab.read("raw.jsonl"), b"precious\n");
    }
    lab.done(["cmd", "-N", "-r", "2", "--force", "-o", "raw.jsonl", "true"]);
    assert_eq!(Record::read(&lab.path("raw.jsonl")).measured().len(), 2);
    lab.write("empty.csv", "");
    lab.done(["cmd", "-N", "-r", "2", "-o", "empty.csv", "true"]);
    assert_eq!(lab.read("empty.csv").split(|b| *b == b'\n').count(), 4);
}

/// Would catch a header with 15 names over rows of 13 fields, unquoted commas, C escapes.
#[test]
fn rows_have_the_header_s_columns() {
    let lab = Lab::new();
    let command = "sh -c 'true \"a,b\"' 'x\ny'";
    lab.done([
        "cmd", "-N", "-w", "1", "-r", "3", "-o", "raw.csv", "-n", "a, \"b\"", command, "true",
    ]);
    let raw = lab.read("raw.csv");
    let mut reader = csv::Reader::from_reader(&raw[..]);
    assert_eq!(reader.headers().expect("a header").len(), 15);
    let rows: Vec<csv::StringRecord> =
        reader.records().map(|row| row.expect("15 fields")).collect();
    assert_eq!(rows.len(), 6, "warm-ups among the rows?");
    let of_first: Vec<_> = rows.iter().filter(|row| &row[0] == command).collect();
    assert_eq!(of_first.len(), 3);
    let record = lab.record();
    for (row, observation) in of_first.iter().zip(record.of(0)) {
        assert_eq!(&row[2], "a, \"b\"");
        let rss = observation["values"]["rss"].as_i64().expect("bytes");
        assert_eq!(row[7].parse(), Ok(rss), "bytes, as the header says");
        let wall = observation["values"]["wall"].as_f64().expect("ns");
        assert_eq!(row[12].parse(), Ok((wall / 1000.0).round()), "whole microseconds");
    }
}

/// Would catch an error, a panic or lost data when whoever reads the report has seen enough.
#[test]
fn a_closed_pipe_ends_quietly() {
    let lab = Lab::new();
    lab.done(["cmd", "-N", "-r", "2", "true"]);
    let quiet = |script: &str| {
        let ended = Running::start(lab.shell(script)).end().expect(0);
        assert_eq!(
            ended.stderr.replace("saved; `etalon report @last` shows this again\n", ""),
            "",
            "{script}"
        );
    };
    quiet("{ $E report @last; echo $? > code; } | head -c 1 > /dev/null");
    quiet("{ $E report @last -E --json; echo $? > code; } | true");
    assert_eq!(lab.read("code"), b"0\n");
    quiet("$E report @last >&-");
    quiet("{ $E runs; echo $? > code; } | true");
    quiet("$E --help | head -c 1 > /dev/null");
    for script in [
        "{ $E cmd -r 3 true; echo $? > code; } | true",
        "$E cmd -r 3 true >&-",
        "$E cmd -r 3 true <&- >&- 2>&-",
    ] {
        let before = lab.saved().len();
        quiet(script);
        assert_eq!(lab.saved().len(), before + 1, "{script}");
        assert_eq!(lab.record().measured().len(), 3);
        assert_eq!(lab.record().stopped_by().as_deref(), Some("runs"));
    }
}

/// Would catch descriptors 0 to 2 being closed and given to the record or the socket: what the
/// command writes would land there.
#[test]
fn closed_standard_streams_do_not_leak_into_the_record() {
    let lab = Lab::new();
    lab.script("noisy", "echo out; echo err >&2; cat");
    for (closed, show) in
        [("<&-", ""), (">&- <&-", "--show-output"), ("2>&- >&- <&-", "--show-output")]
    {
        let script = format!("$E cmd -N -r 3 {show} -o raw-$$.jsonl ./noisy {closed}; true");
        Running::start(lab.shell(&script)).end().expect(0);
        let record = lab.record();
        assert_eq!(record.of_type("observation").len(), 3, "{script}");
    }
}

/// Would catch a report that is lost in a full disk with exit 0.
#[test]
fn a_full_standard_output_is_an_error() {
    let lab = Lab::new();
    let script = "$E cmd -r 3 true > /dev/full";
    let ended = Running::start(lab.shell(script)).end().expect(2);
    has(&ended.stderr, &["cannot write to standard output", "No space left on device"]);
    assert_eq!(lab.record().measured().len(), 3);
    for what in
        ["report @last", "report @last --json", "runs", "runs show @last", "--help", "--version"]
    {
        let ended = Running::start(lab.shell(&format!("$E {what} > /dev/full"))).end().expect(2);
        has(&ended.stderr, &["No space left on device"]);
    }
}

/// Would catch a full disk under the history that goes unnoticed, takes points with it, or leaves half of a file's.
#[test]
fn a_full_disk_under_the_history() {
    let lab = Lab::new();
    let benchmark = |at: usize| format!(r#""b{at}": {{"latency": {{"value": {at}.5}}}}"#);
    let all: Vec<String> = (0..2000).map(benchmark).collect();
    lab.write("few.json", format!("{{{}}}", all[..20].join(", ")));
    lab.write("many.json", format!("{{{}}}", all.join(", ")));
    let Some(_mounted) = Tiny::sized(lab.home(), c"size=320k") else {
        return skip("mounting needs root: a full disk under the history");
    };
    let add = |name: &str, commit: &str| {
        let belongs = ["--project", "p", "--time", "2026-11-21", "--commit", commit];
        lab.run([&["history", "add", name], &belongs[..]].concat())
    };
    add("few.json", "one").expect(0);
    let ended = add("many.json", "two").expect(2);
    has(&ended.stderr, &["history.sqlite", "no space left"]);
    let listed = lab.done(["history", "list", "--all"]);
    assert_eq!(listed.lines().count(), 21, "{listed}");
}

/// Would catch a file system's last word that nobody hears: an export that replaces the old one, or a record that is called
/// saved, although it is not stored; and a directory that cannot be closed and ends everything.
#[test]
fn what_is_said_at_closing_is_heard() {
    let lab = Lab::new();
    let Some(library) = lab.library("lost_close", include_str!("support/lost_close.c")) else {
        return;
    };
    let run = |lost: &str, arguments: &[&str]| {
        let mut command = lab.etalon(arguments);
        command.env("LD_PRELOAD", &library).env("LOST", lost).env("LOST_BY", "28");
        let ended = Running::start(command).end();
        assert!(!ended.stderr.contains("panicked"), "{}", ended.stderr);
        ended
    };
    lab.done(["cmd", "-N", "-r", "2", "true"]);
    // Directories, of which nothing can be lost.
    let store = lab.home().display().to_string();
    for words in [&["runs"][..], &["report", "@last"], &["runs", "prune", "--keep", "9"]] {
        run(&store, words).expect(0);
    }
    let what = "No space left on device";
    has(&run("/home/runs", &["cmd", "-N", "-r", "2", "true"]).expect(2).stderr, &["runs/", what]);
    lab.write("old.json", "old");
    let export = ["report", "@last", "-N", "--export-json", "old.json"];
    has(&run("/work/", &export).expect(2).stderr, &["old.json: cannot be written", what]);
    assert_eq!(lab.read("old.json"), b"old");
    let second = ["cmd", "-N", "-r", "2", "-o", "raw.jsonl", "true"];
    has(&run("/raw.jsonl", &second).expect(2).stderr, &["-o raw.jsonl", what]);
    assert_eq!(Record::read(&lab.path("raw.jsonl")).measured().len(), 2);
}
