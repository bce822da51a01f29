//! Saved runs: found by position, name and id, listed, named, removed; and two etalons at once.

use crate::support::{Lab, Record, Running, has, ids, joined, signal, until, with_peak};

/// A laboratory with three saved runs of one, two and three blocks; their ids, oldest first.
fn three() -> (Lab, Vec<String>) {
    let lab = Lab::new();
    for runs in ["1", "2", "3"] {
        lab.done(["cmd", "-N", "-r", runs, "true"]);
    }
    let ids = ids(&lab);
    (lab, ids)
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
    assert_eq!(shown.lines().count(), 5, "{shown}");
    assert_eq!(shown.matches("unreadable").count(), 1, "{shown}");
    assert_eq!(blocks(&lab, "@-2"), 3);
    lab.run(["report", "@last"]).expect(2);
    lab.run(["runs", "remove", "@-1"]).expect(0);
    assert_eq!(blocks(&lab, "@last"), 3);
}

/// Would catch one run with a clock ahead that shadows all later ones, in reports, in the list and when old runs go.
#[test]
fn a_run_with_a_clock_ahead_shadows_nothing() {
    let (lab, ids) = three();
    let runs = lab.home().join("runs");
    let ahead = "20990101T000000.000000Z-wwwwwwww";
    let text = std::fs::read_to_string(&lab.saved()[0]).expect("a record");
    let text = text.replace(&ids[0], ahead);
    std::fs::write(runs.join(format!("{ahead}.jsonl")), text).expect("a record");
    assert_eq!(blocks(&lab, "@last"), 1, "put there last");
    lab.done(["cmd", "-N", "-r", "4", "true"]);
    assert_eq!(blocks(&lab, "@last"), 4);
    assert_eq!(blocks(&lab, "@-2"), 1);
    let first = lab.done(["runs", "-n", "1"]);
    assert!(!first.contains("wwww"), "{first}");
    lab.run(["runs", "prune", "--keep", "1", "--yes"]).expect(0);
    assert_eq!(blocks(&lab, "@last"), 4);
}

/// Would catch a list that holds all records, or what is known of all runs, at once.
#[test]
fn a_list_of_many_runs_takes_little_memory() {
    const RUNS: usize = 20_000;
    let (lab, ids) = three();
    let runs = lab.home().join("runs");
    let text = std::fs::read_to_string(&lab.saved()[0]).expect("a record");
    for run in 0..RUNS {
        let id = format!("20260101T000000.{run:06}Z-{run:08}");
        let text = text.replace(&ids[0], &id);
        std::fs::write(runs.join(format!("{id}.jsonl")), text).expect("a record");
    }
    for arguments in
        [&["runs", "--all"][..], &["runs", "--all", "--json"], &["runs", "prune", "--keep", "1"]]
    {
        let (ended, peak) = with_peak(&lab.etalon(arguments));
        let stdout = ended.expect(0).stdout;
        assert!(stdout.lines().count() > RUNS);
        assert!(peak < 64 << 20, "{arguments:?}: {peak}");
    }
}

/// Would catch a subcommand that looks at runs more often than once: of 100,000 runs, looking is nearly all it does.
#[test]
fn pruning_opens_each_record_once() {
    let (lab, ids) = three();
    let runs = lab.home().join("runs");
    let text = std::fs::read_to_string(&lab.saved()[0]).expect("a record");
    for run in 0..40 {
        let id = format!("20260101T000000.{run:06}Z-{run:08}");
        std::fs::write(runs.join(format!("{id}.jsonl")), text.replace(&ids[0], &id))
            .expect("a record");
    }
    let arguments = ["runs", "prune", "--keep", "1"];
    let listed = lab.done(arguments);
    std::fs::remove_file(lab.home().join("index")).expect("an index");
    let mut opened = Opened::below(&runs);
    assert_eq!(lab.done(arguments), listed, "with and without the index");
    let names = opened.names();
    assert_eq!(names.len(), 42, "{names:?}");
    assert!(names.windows(2).all(|pair| pair[0] != pair[1]), "{names:?}");
}

/// Which files of a directory are opened.
struct Opened(std::fs::File);

impl Opened {
    fn below(directory: &std::path::Path) -> Opened {
        use std::os::fd::FromRawFd;
        let path =
            std::ffi::CString::new(directory.as_os_str().as_encoded_bytes()).expect("a path");
        // SAFETY: the descriptor is new and nobody else's; `path` is a C string that outlives the call.
        let file = unsafe {
            let fd = libc::inotify_init1(libc::IN_CLOEXEC | libc::IN_NONBLOCK);
            assert!(fd >= 0 && libc::inotify_add_watch(fd, path.as_ptr(), libc::IN_OPEN) >= 0);
            std::fs::File::from_raw_fd(fd)
        };
        Opened(file)
    }

    /// Their names in alphabetical order, each as often as it was opened.
    fn names(&mut self) -> Vec<String> {
        use std::io::Read;
        // An event has a watch, a mask, a cookie and a length, of four bytes each, and a name filled up with zeros.
        let mut events = vec![0; 1 << 16];
        let read = self.0.read(&mut events).expect("events");
        let (mut rest, mut names) = (&events[..read], Vec::new());
        while let Some((head, behind)) = rest.split_at_checked(16) {
            let length = u32::from_ne_bytes(head[12..].try_into().expect("four bytes")) as usize;
            let (name, next) = behind.split_at(length);
            let name = String::from_utf8_lossy(name).trim_end_matches('\0').to_owned();
            names.extend(Some(name).filter(|name| !name.is_empty()));
            rest = next;
        }
        names.sort_unstable();
        names
    }
}

/// Would catch a name that stays behind, is given to what does not exist, or hides a position.
#[test]
fn names() {
    let (lab, ids) = three();
    let shorts = lab.json(["runs", "--json"]);
    let short = |at: usize| shorts[at]["short"].as_str().expect("a short id").to_owned();
    let (newest, second) = (short(0), short(1));
    assert!(ids[2].contains(&newest) && newest.len() < ids[2].len(), "{newest}");
    let said = |arguments: &[&str]| lab.run(arguments).expect(0).stderr;
    assert_eq!(said(&["runs", "name", "@-2", "base"]), format!("@base is {second}\n"));
    let moved = format!("@base is {newest} (was {second})\n");
    assert_eq!(said(&["runs", "name", "@last", "base"]), moved);
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
    let shorts = lab.json(["runs", "--json"]);
    let removed = |at: usize| format!("removed {}\n", shorts[at]["short"].as_str().expect("one"));
    let said = lab.run(["runs", "remove", "@gone", "@-2"]).expect(0).stderr;
    assert_eq!(said, removed(0) + &removed(1));
    assert_eq!(crate::support::ids(&lab), ids[..1]);
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
    has(&lab.done(["runs"]), &["sh -c", "running"]);
    has(
        &lab.run(["runs", "remove", "@last"]).expect(2).stderr,
        &["being written by a running etalon"],
    );
    assert_eq!(lab.saved().len(), 1);
    lab.run(["report", "@last"]).expect(0);
    signal(running.pid(), libc::SIGINT);
    running.end().expect(130);
    has(&lab.done(["runs"]), &["interrupted"]);
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

/// Would catch tables that leave out what was remarked while their readings were taken.
#[test]
fn a_second_etalon_is_noted_in_tables_too() {
    let lab = Lab::new();
    for side in ["old", "new"] {
        std::fs::create_dir(lab.path(side)).expect("a side");
        lab.script(&format!("{side}/p"), &format!(": {side}"));
    }
    let other = Running::start(lab.etalon([
        "cmd",
        "-r",
        "1",
        "sh -c ': > there; while [ ! -e go ]; do sleep 0.01; done'",
    ]));
    until("the other", || lab.path("there").exists());
    let shown = lab.done(["ab", "--dir", "old", "new", "-r", "6", "--", "./p"]);
    let id = ids(&lab).into_iter().next_back().expect("a run");
    lab.write("go", "");
    other.end().expect(0);
    let again = |format: &str| lab.done(["report", &format!("@{id}"), "--format", format]);
    let compared = lab.run(["compare", &format!("@{id}")]).expect(0);
    assert_eq!(compared.stderr, "", "said below the tables");
    for shown in [shown, compared.stdout, again("terminal"), again("markdown"), again("json")] {
        has(&joined(&shown), &["anotheretalonwasmeasuringatthesametime"]);
    }
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

/// Would catch an empty file, left by an etalon that was killed as it started, in place of the newest
/// run.
#[test]
fn empty_files_are_no_runs() {
    let lab = Lab::new();
    lab.write("stop", "");
    lab.script("program", "[ ! -e stop ] || kill -INT $(cat pid)");
    let script = "echo $$ > pid; exec $E cmd -N -r 3 ./program";
    Running::start(lab.shell(script)).end().expect(130);
    std::fs::remove_file(lab.path("stop")).expect("removed");
    let good = lab.saved();
    for name in ["99990101T000000.000000Z-beef.jsonl.partial", "99990102T000000.000000Z-beef.jsonl"]
    {
        std::fs::write(lab.home().join("runs").join(name), "").expect("a file");
    }
    lab.run(["report", "@last"]).expect(0);
    assert_eq!(lab.done(["runs"]).lines().count(), 2);
    has(&lab.run(["report", "@99990102T000000.000000Z-beef"]).expect(2).stderr, &["no saved run"]);
    lab.run(["runs", "name", "@last", "good"]).expect(0);
    lab.run(["cmd", "-N", "--resume", "@last"]).expect(0);
    assert_eq!(lab.saved().len(), good.len() + 2, "the unfinished empty file is swept");
}

/// Would catch a run that is killed while it starts in place of the newest run, or left behind. Its
/// launcher is held up by a pipe nobody reads.
#[test]
fn a_run_that_is_being_started_is_none() {
    let lab = Lab::new();
    lab.done(["cmd", "-N", "-r", "2", "true"]);
    Running::start(lab.shell("mkfifo held")).end().expect(0);
    let starting = Running::start(lab.etalon(["cmd", "-N", "-r", "7", "--stdout", "held", "true"]));
    until("its record", || lab.saved().len() > 1 || has_hidden(&lab));
    assert_eq!(blocks(&lab, "@last"), 2);
    assert_eq!(lab.done(["runs"]).lines().count(), 2);
    signal(starting.pid(), libc::SIGKILL);
    // Its launcher opens the pipe as soon as somebody reads, and finds that it is alone.
    let mut reader = std::fs::OpenOptions::new();
    reader.read(true);
    std::os::unix::fs::OpenOptionsExt::custom_flags(&mut reader, libc::O_NONBLOCK);
    let _reading = reader.open(lab.path("held")).expect("the pipe");
    starting.end();
    lab.assert_nothing_left();
    assert_eq!(blocks(&lab, "@last"), 2);
    lab.done(["cmd", "-N", "-r", "3", "true"]);
    assert_eq!(blocks(&lab, "@last"), 3);
    assert!(!has_hidden(&lab) && lab.saved().len() == 2, "left behind: {:?}", lab.saved());
}

/// Whether the store has a file under a hidden name.
fn has_hidden(lab: &Lab) -> bool {
    let entries = std::fs::read_dir(lab.home().join("runs")).expect("runs");
    entries.flatten().any(|entry| entry.file_name().to_string_lossy().starts_with('.'))
}

/// Would catch a file beside the names that leads elsewhere being written through, or left.
#[test]
fn naming_writes_through_no_link() {
    let (lab, ids) = three();
    let names = lab.home().join("names");
    std::fs::create_dir_all(&names).expect("a directory");
    let victim = lab.write("victim", "precious");
    for planted in [format!(".foo.{}", ids[2]), "foo".to_owned()] {
        std::os::unix::fs::symlink(&victim, names.join(planted)).expect("a link");
    }
    lab.run(["runs", "name", "@last", "foo"]).expect(0);
    assert_eq!(lab.read("victim"), b"precious");
    assert!(!names.join("foo").is_symlink());
    assert_eq!(blocks(&lab, "@foo"), 3);
    std::fs::remove_file(names.join(format!(".foo.{}", ids[2]))).expect("as it was planted");
    let left: Vec<_> = names.read_dir().expect("names").flatten().map(|e| e.file_name()).collect();
    assert_eq!(left, ["foo"]);
}

/// Would catch command lines and environments that every user of the machine can read.
#[test]
fn records_are_their_owners_alone() {
    use std::os::unix::fs::PermissionsExt;
    let lab = Lab::new();
    let script = "umask 022; $E cmd -N -r 2 --env SECRET=x true && $E runs name @last n";
    Running::start(lab.shell(script)).end().expect(0);
    let mode =
        |path: &std::path::Path| path.metadata().expect("its mode").permissions().mode() & 0o777;
    let home = lab.home();
    for directory in [home.clone(), home.join("runs"), home.join("names")] {
        assert_eq!(mode(&directory), 0o700, "{}", directory.display());
    }
    assert_eq!([mode(&lab.saved()[0]), mode(&home.join("names/n"))], [0o600; 2]);
    // What somebody opened to others on purpose stays so.
    std::fs::set_permissions(home.join("runs"), PermissionsExt::from_mode(0o755)).expect("a mode");
    lab.done(["cmd", "-N", "-r", "2", "true"]);
    assert_eq!([mode(&home.join("runs")), mode(&lab.saved()[1])], [0o755, 0o600]);
}

/// Would catch an id from the list that is told as a file that is not there, and nothing of its sign.
#[test]
fn an_id_without_its_sign_is_told() {
    let lab = Lab::new();
    lab.done(["cmd", "-N", "-r", "2", "true"]);
    let id = lab.saved()[0].file_stem().unwrap().to_string_lossy().into_owned();
    has(
        &lab.run(["report", &id]).expect(2).stderr,
        &[&format!("the saved run is @{id}: write it so")],
    );
    // The short one, as the list has it, and the names that stand behind the sign.
    let short = id.rsplit('-').next().unwrap()[..4].to_owned();
    for word in [short.as_str(), "last"] {
        has(
            &lab.run(["compare", word, word]).expect(2).stderr,
            &[&format!("is @{word}: write it so")],
        );
    }
    has(&lab.run(["report", "nothing"]).expect(2).stderr, &["nothing"]);
}
