//! The store: creating, finding, naming, listing and removing saved runs.

use std::ffi::OsString;
use std::fs;
use std::io::Read;
use std::path::Path;

use etalon_core::model::{Answer, Note};
use etalon_core::run_set::{End, StoppedBy};
use etalon_record::altered::Altered;
use etalon_record::open::{Format, detect};
use etalon_record::raw::{Strictness, write};
use etalon_record::sink::append;
use etalon_record::store::{AnswerOf, Saved, State, Store, StoreError, is_id, make_id};
use etalon_record::{HeaderLine, Text};
use jiff::Timestamp;

pub(crate) const A: &str = "20261121T031122.123456Z-kzmwqtbx";
pub(crate) const B: &str = "20261121T031122.123457Z-cbbbbbbb";
pub(crate) const C: &str = "20261122T000000.000000Z-0001"; // as earlier versions made them

pub(crate) fn store() -> (tempfile::TempDir, Store) {
    let directory = tempfile::tempdir().unwrap();
    let store = Store::at(directory.path().join("home"));
    (directory, store)
}

pub(crate) fn header(id: &str) -> Vec<u8> {
    let mut line = Vec::new();
    let argv = vec![Text::from("etalon"), Text::from(id)];
    let header = HeaderLine { id: Some(id.to_owned()), argv, ..HeaderLine::default() };
    write::header(&mut line, &header);
    line
}

/// Would catch a record that is taken for Go's benchmarks because of a line further on, and a header that no longer begins
/// as a record is recognised by.
#[test]
fn a_record_is_recognised_by_its_first_line() {
    let mut text = header(A);
    text.extend_from_slice(b"BenchmarkX-8 10 5 ns/op\n");
    assert_eq!(detect(&text), Format::Record);
}

pub(crate) fn end(buffer: &mut Vec<u8>) -> End {
    let end = End { stopped_by: StoppedBy::Budget, at: "2026-11-21T03:11:30Z".to_owned() };
    write::end(buffer, &end);
    end
}

/// A finished record with an end line.
pub(crate) fn complete(store: &Store, id: &str) {
    let mut new = store.create(id).unwrap();
    let mut lines = header(id);
    end(&mut lines);
    new.begin(&lines).unwrap();
    assert!(new.finish().unwrap().ends_with(format!("runs/{id}.jsonl")));
}

/// A record whose writer is gone.
pub(crate) fn interrupted(store: &Store, id: &str) {
    let new = store.create(id).unwrap();
    new.begin(&header(id)).unwrap();
}

/// All runs, newest first.
pub(crate) fn listed(store: &Store) -> Vec<Saved> {
    store.catalogue().unwrap().runs().collect()
}

pub(crate) fn file_name(path: &Path) -> &str {
    path.file_name().unwrap().to_str().unwrap()
}

#[test]
fn ids_order_like_time_within_a_second_too() {
    let at = |text: &str| text.parse::<Timestamp>().unwrap();
    let first = make_id(at("2026-11-21T03:11:22.123456789Z"), 23_090_059_987);
    let second = make_id(at("2026-11-21T03:11:22.123457Z"), 1);
    let third = make_id(at("2026-11-22T00:00:00Z"), u64::MAX);
    assert_eq!([&first[..], &second], [A, B]);
    assert!(first < second && second < third);
    assert!(is_id(&first));
    for not in ["", ".", "..", "-a", "a/b", "a b", "../x", &"x".repeat(101)] {
        assert!(!is_id(not), "{not}");
    }
}

#[test]
fn the_store_is_where_the_environment_says() {
    let home = |set: &[(&str, &str)]| {
        let set: Vec<(String, OsString)> =
            set.iter().map(|(k, v)| ((*k).to_owned(), v.into())).collect();
        Store::locate(|name| set.iter().find(|(k, _)| k == name).map(|(_, v)| v.clone()))
            .map(|store| store.home().display().to_string())
    };
    let all = [("ETALON_HOME", "/e"), ("XDG_STATE_HOME", "/x"), ("HOME", "/h")];
    assert_eq!(home(&all).unwrap(), "/e");
    assert_eq!(home(&all[1..]).unwrap(), "/x/etalon");
    assert_eq!(home(&all[2..]).unwrap(), "/h/.local/state/etalon");
    let empty = [("ETALON_HOME", ""), ("XDG_STATE_HOME", "relative"), ("HOME", "/h")];
    assert_eq!(home(&empty).unwrap(), "/h/.local/state/etalon");
    assert_eq!(
        home(&[]).unwrap_err().to_string(),
        "there is no place to save runs, because none of ETALON_HOME, XDG_STATE_HOME and HOME is set: set one of them"
    );
}

#[test]
fn a_store_that_does_not_exist_is_empty() {
    let (_directory, store) = store();
    assert_eq!(listed(&store), []);
    let error = store.resolve("@last").unwrap_err().to_string();
    let home = store.home().display();
    assert_eq!(error, format!("no saved run `@last` in {home}; `etalon runs` lists what is there"));
}

/// Would catch a run overwritten, finished or not, and a path made from an id.
#[test]
fn an_id_is_used_once() {
    let (_directory, store) = store();
    complete(&store, A);
    interrupted(&store, B);
    for id in [A, B] {
        let error = store.create(id).unwrap_err();
        assert!(matches!(error, StoreError::Exists { .. }), "{error}");
        assert!(error.to_string().contains("exists already and is not overwritten"));
    }
    assert!(matches!(store.create("../x"), Err(StoreError::NotAnId { .. })));
}

#[test]
fn a_new_record_is_its_owner_s_and_partial() {
    use std::os::unix::fs::PermissionsExt;
    let (_directory, store) = store();
    let new = store.create(A).unwrap();
    let mode = |file: &fs::File| file.metadata().unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(&new.file), 0o600);
    assert_eq!(file_name(&new.path), format!("{A}.jsonl.partial"));
    for directory in [store.home().to_owned(), store.home().join("runs")] {
        assert_eq!(mode(&fs::File::open(directory).unwrap()), 0o700);
    }
}

/// Would catch a record that is a saved run before it has a header, or leaves something if it never gets
/// one.
#[test]
fn a_record_is_a_run_from_its_first_line_on() {
    let (_directory, store) = store();
    complete(&store, A);
    let new = store.create(C).unwrap();
    assert_eq!(file_name(&store.resolve("@last").unwrap()), format!("{A}.jsonl"));
    assert_eq!(listed(&store).len(), 1);
    new.begin(&header(C)).unwrap();
    assert_eq!(file_name(&store.resolve("@last").unwrap()), format!("{C}.jsonl.partial"));
    assert_eq!(fs::read(&new.path).unwrap(), header(C));
    let before = fs::read_dir(store.home().join("runs")).unwrap().count();
    drop(store.create(B).unwrap());
    assert_eq!(fs::read_dir(store.home().join("runs")).unwrap().count(), before);
}

/// Would catch hidden and empty files of killed writers that stay, and one taken from a living writer.
#[test]
fn what_killed_writers_left_is_swept() {
    let (_directory, store) = store();
    complete(&store, A);
    let runs = store.home().join("runs");
    let empty = runs.join(format!("{B}.jsonl.partial"));
    for left in [&empty, &runs.join(".etalon-1-0.tmp")] {
        fs::write(left, "").unwrap();
    }
    let others = [runs.join(".etalon-2-0.tmp"), runs.join("notes")];
    fs::write(&others[1], "").unwrap();
    let held = fs::File::create(&others[0]).unwrap();
    held.lock().unwrap();
    drop(store.create(C).unwrap());
    assert!(!empty.exists() && !runs.join(".etalon-1-0.tmp").exists());
    assert!(others.iter().all(|path| path.exists()));
}

/// Would catch a record that cannot be read while it is written, or is cut or deleted unnoticed.
#[test]
fn what_becomes_of_a_record_is_noticed() {
    let (directory, store) = store();
    let lines = header(A);
    let written = lines.len() as u64;
    let begun = || {
        let new = store.create(A).unwrap();
        new.begin(&lines).unwrap();
        assert_eq!(new.altered(written), None);
        new
    };
    let new = begun();
    new.file.set_len(10).unwrap();
    assert_eq!(new.altered(written), Some(Altered::Cut { left: 10, written }));
    append(&new.file, &lines, &new.path).unwrap();
    assert_eq!(new.altered(written), Some(Altered::Mixed));
    fs::remove_file(&new.path).unwrap();
    let new = begun();
    fs::remove_file(&new.path).unwrap();
    assert_eq!(new.altered(written), Some(Altered::Deleted));
    fs::write(&new.path, &lines).unwrap();
    assert_eq!(new.altered(written), Some(Altered::Replaced));
    let mut read = Vec::new();
    new.contents().read_to_end(&mut read).unwrap();
    assert_eq!(read, lines);
    let again = store.save_again(&new).unwrap();
    assert_eq!(fs::read(&again).unwrap(), lines);
    assert!(matches!(store.save_again(&new), Err(StoreError::Io { .. })), "never over a file");
    let kept = new.keep_in(directory.path()).unwrap();
    assert_eq!(fs::read(kept).unwrap(), lines);
}

/// Would catch a state read off the file name, an order that is not that of saving, and an `end` that is
/// found by reading the whole file or missed behind later notes.
#[test]
fn the_listing_is_newest_first_with_states() {
    let (_directory, store) = store();
    complete(&store, A);
    interrupted(&store, B);
    let running = store.create(C).unwrap();
    running.begin(&header(C)).unwrap();
    // Killed between its end line and the renaming: complete all the same, and notes may follow.
    let late = "20261120T000000.000000Z-0000";
    let new = store.create(late).unwrap();
    let mut lines = header(late);
    lines.extend(b"{\"type\":\"observation\",\"benchmark\":0}\n".repeat(10_000));
    let expected = end(&mut lines);
    write::note(&mut lines, &Note::new("end", "\"type\":\"end\""));
    new.begin(&lines).unwrap();
    drop(new);
    store.set_name(A, "base").unwrap();
    store.set_name(A, "a").unwrap();

    let list = listed(&store);
    let ids: Vec<&str> = list.iter().map(|saved| saved.id.as_str()).collect();
    assert_eq!(ids, [late, C, B, A]);
    let states: Vec<&State> = list.iter().map(|saved| &saved.state).collect();
    assert_eq!(states, [&State::Complete, &State::Running, &State::Interrupted, &State::Complete]);
    assert_eq!(list[3].names, ["a", "base"]);
    assert_eq!(list[0].end.as_ref(), Some(&expected));
    assert_eq!(list[0].bytes, Some(lines.len() as u64));
    let argv = &list[2].summary.as_ref().unwrap().argv;
    assert_eq!(argv[1], Text::from(B));

    // Its writer ends without a word: interrupted.
    drop(running);
    assert_eq!(listed(&store)[1].state, State::Interrupted);

    // It has said how it ended and is not renamed yet: still running, nobody may remove it.
    let closing = store.create("20261123T000000.000000Z-0000").unwrap();
    let mut lines = header("closing");
    end(&mut lines);
    closing.begin(&lines).unwrap();
    assert_eq!(listed(&store)[0].state, State::Running);
}

/// Would catch one bad file that hides all others.
#[test]
fn what_cannot_be_read_is_listed_as_that() {
    let (_directory, store) = store();
    complete(&store, A);
    let runs = store.home().join("runs");
    fs::write(runs.join("20990101T000000.000000Z-0000.jsonl"), b"\x7fELF\0\0").unwrap();
    fs::write(runs.join("20980101T000000.000000Z-0000.jsonl.partial"), b"").unwrap();
    fs::write(runs.join("README"), b"not a record").unwrap();
    fs::create_dir(runs.join("20970101T000000.000000Z-0000.jsonl")).unwrap();
    let list = listed(&store);
    let reasons: Vec<String> = list
        .iter()
        .filter_map(|saved| match &saved.state {
            State::Unreadable { reason } => Some(reason.clone()),
            _ => None,
        })
        .collect();
    assert_eq!((list.len(), reasons.len()), (2, 1));
    assert!(reasons[0].contains("it is binary (it starts with the bytes 7f 45 4c 46)"));
    assert_eq!(list[1].state, State::Complete);
}

#[test]
fn references_find_runs() {
    let (_directory, store) = store();
    complete(&store, A);
    interrupted(&store, B);
    complete(&store, C);
    store.set_name(A, "before-change").unwrap();
    let found = |reference: &str| file_name(&store.resolve(reference).unwrap()).to_owned();
    assert_eq!(found("@last"), format!("{C}.jsonl"));
    assert_eq!(found("@-1"), found("@last"));
    assert_eq!(found("@-2"), format!("{B}.jsonl.partial"), "unfinished runs count");
    assert_eq!(found("@-3"), found("@before-change"));
    assert_eq!(found(&format!("@{A}")), found("before-change"));
    let path = store.resolve("@-2").unwrap();
    let set = etalon_record::open(&path, Strictness::Strict).unwrap();
    assert_eq!(set.run_sets[0].id.as_deref(), Some(B));
}

#[test]
fn an_unknown_reference_names_what_is_close() {
    let (_directory, store) = store();
    complete(&store, A);
    store.set_name(A, "baseline").unwrap();
    let unknown = |reference: &str| {
        let text = store.resolve(reference).unwrap_err().to_string();
        text.split_once("; ").unwrap().1.to_owned()
    };
    assert_eq!(unknown("@baselime"), "did you mean @baseline?");
    assert_eq!(unknown("@BASE"), "did you mean @baseline?");
    assert_eq!(unknown("@1121T"), format!("did you mean @{A}?"));
    for nothing in ["@-2", "@-0", "@0", "@", "@../../etc/passwd", "@zzz"] {
        assert_eq!(unknown(nothing), "`etalon runs` lists what is there", "{nothing}");
    }
}

#[test]
fn a_name_moves_and_says_where_it_was() {
    let (_directory, store) = store();
    complete(&store, A);
    complete(&store, B);
    assert_eq!(store.set_name(A, "base").unwrap(), None);
    assert_eq!(store.set_name(A, "base").unwrap(), None);
    assert_eq!(store.set_name(B, "base").unwrap().as_deref(), Some(A));
    assert_eq!(file_name(&store.resolve("@base").unwrap()), format!("{B}.jsonl"));
    assert!(
        store.set_name(C, "x").unwrap_err().to_string().contains(&format!("no saved run `@{C}`"))
    );
    store.remove_name("base").unwrap();
    store.remove_name("base").unwrap();
    assert!(store.resolve("@base").is_err());
}

#[test]
fn names_that_mislead_are_refused() {
    let (_directory, store) = store();
    complete(&store, A);
    for (name, reason) in [
        ("", "letters, digits"),
        ("a b", "letters"),
        ("a/b", "letters"),
        ("é", "letters"),
        ("-2", "starts with"),
        ("..", "starts with"),
        (".hidden", "starts with"),
        ("12", "position"),
        ("last", "newest"),
        (&"x".repeat(101), "100 characters"),
    ] {
        let error = store.set_name(A, name).unwrap_err().to_string();
        assert!(error.contains(reason), "{name}: {error}");
    }
    for name in ["v1.2", "2026-base", "_x", "Last"] {
        store.set_name(A, name).unwrap();
    }
}

#[test]
fn removing_takes_the_names_along_and_refuses_a_running_one() {
    let (_directory, store) = store();
    complete(&store, A);
    complete(&store, B);
    store.set_name(A, "one").unwrap();
    store.set_name(A, "two").unwrap();
    store.set_name(B, "other").unwrap();
    store.remove(A).unwrap();
    assert!(store.resolve("@one").is_err() && store.resolve("@two").is_err());
    assert!(store.resolve("@other").is_ok());
    assert!(matches!(store.remove(A), Err(StoreError::Unknown { .. })));

    let running = store.create(C).unwrap();
    running.begin(&header(C)).unwrap();
    let error = store.remove(C).unwrap_err();
    assert_eq!(
        error.to_string(),
        format!(
            "{} is being written by a running etalon; wait until it ends, or interrupt it",
            running.path.display()
        )
    );
    assert!(running.path.exists());
    drop(running);
    store.remove(C).unwrap();
}

/// Would catch a run of many whose names, labels or answer stay, and a name that goes although it was given to a run that
/// stays.
#[test]
fn removing_many_takes_along_what_there_is_beside_each() {
    let (directory, store) = store();
    for (id, name) in [(A, "one"), (B, "two"), (C, "three")] {
        complete(&store, id);
        store.set_name(id, name).unwrap();
        store.set_name(id, &format!("also-{name}")).unwrap();
        store.label(id, |labels| labels.set_note("said")).unwrap();
        let answer = Answer::about_all("nothing".to_owned());
        store.keep_answer(id, AnswerOf::Ranking, &answer).unwrap();
    }
    let removal = store.removal().unwrap();
    store.set_name(C, "two").unwrap();
    [A, B].iter().try_for_each(|id| removal.remove(id)).unwrap();
    assert!(matches!(removal.remove(A), Err(StoreError::Unknown { .. })));
    assert!(["@one", "@also-one", "@also-two"].iter().all(|name| store.resolve(name).is_err()));
    assert!(["@two", "@three", "@also-three"].iter().all(|name| store.resolve(name).is_ok()));
    for beside in ["labels", "answers"] {
        let files = fs::read_dir(directory.path().join("home").join(beside)).unwrap();
        let files: Vec<_> = files.map(|file| file.unwrap().file_name()).collect();
        assert_eq!(files, [format!("{C}.json").as_str()], "{beside}");
    }
}

/// Would catch an error that does not name its file.
#[test]
fn errors_name_the_file() {
    let directory = tempfile::tempdir().unwrap();
    let home = directory.path().join("file");
    fs::write(&home, "in the way").unwrap();
    let store = Store::at(home.clone());
    let runs = home.join("runs");
    let error = store.create(A).unwrap_err().to_string();
    assert_eq!(error, format!("cannot create {}: Not a directory", runs.display()));
    let error = store.catalogue().unwrap_err().to_string();
    assert!(error.starts_with(&format!("cannot read {}", home.display())), "{error}");
}

/// Would catch a beginning that leads to one of several, and short ids that are longer than they have to be or
/// stand for something else.
#[test]
fn a_run_is_found_by_the_beginning_of_its_id() {
    let (_directory, store) = store();
    let near = "20261121T031123.000000Z-kzmwbbbb";
    for id in [A, B, near, C] {
        complete(&store, id);
    }
    let found = |reference: &str| file_name(&store.resolve(reference).unwrap()).to_owned();
    assert_eq!(found("@kzmwq"), format!("{A}.jsonl"));
    assert_eq!(found("kzmwqtbx"), found("@kzmwq"));
    assert_eq!(found("@20261122"), format!("{C}.jsonl"));
    assert_eq!(found("@0001"), found("@20261122"));
    assert_eq!(found("@20261121T031123"), format!("{near}.jsonl"));
    let short: Vec<String> = listed(&store).into_iter().map(|saved| saved.short).collect();
    assert_eq!(short, ["0001", "kzmwb", "cbbb", "kzmwq"]);
    for (short, id) in short.iter().zip([C, near, B, A]) {
        assert_eq!(found(short), format!("{id}.jsonl"));
    }
    let text = |reference: &str| store.resolve(reference).unwrap_err().to_string();
    let ambiguous = "`@kzmw` is the beginning of 2 runs: @kzmwb, @kzmwq; write more of one";
    assert_eq!(text("@kzmw"), ambiguous);
    assert!(text("@2026").contains("of 4 runs: @0001, @kzmwb, @cbbb and 1 more"));
    assert!(text("@cbb").contains("no saved run"), "three letters are a mistyped name");

    // A name goes before a beginning, and what is short then is longer.
    store.set_name(A, "cbbb").unwrap();
    assert_eq!(found("@cbbb"), format!("{A}.jsonl"));
    assert_eq!(listed(&store)[2].short, "cbbbb");
}

/// Would catch labels that change a record, are lost, stay behind a removed run, or are written through a link.
#[test]
fn labels_stand_beside_the_record() {
    let (directory, store) = store();
    complete(&store, A);
    let record = store.resolve(A).unwrap();
    let before = fs::read(&record).unwrap();
    let add = |tags: &[&str]| {
        let tags: Vec<String> = tags.iter().map(|tag| (*tag).to_owned()).collect();
        store.label(A, |labels| labels.add(&tags))
    };
    add(&["slow", "ci"]).unwrap();
    store.label(A, |labels| labels.set_note(" before the change \n")).unwrap();
    let saved = listed(&store).remove(0);
    assert!(saved.is_labelled());
    assert_eq!(saved.labels.tags, ["ci", "slow"]);
    assert_eq!(saved.labels.note.as_deref(), Some("before the change"));
    assert_eq!(fs::read(&record).unwrap(), before);

    let text = add(&["a b"]).unwrap_err().to_string();
    assert_eq!(text, "`a b` cannot be a tag: it consists of letters, digits, `.`, `_` and `-`");
    let long = "x".repeat(5000);
    let text = store.label(A, |labels| labels.set_note(&long)).unwrap_err().to_string();
    assert!(text.contains("at most 4096 bytes, and this one has 5000"), "{text}");
    assert!(matches!(store.label(B, |_| Ok(())), Err(StoreError::Unknown { .. })));
    assert_eq!(listed(&store)[0].labels, saved.labels);

    let file = store.home().join("labels").join(format!("{A}.json"));
    let victim = directory.path().join("victim");
    fs::write(&victim, "precious").unwrap();
    fs::remove_file(&file).unwrap();
    std::os::unix::fs::symlink(&victim, &file).unwrap();
    add(&["new"]).unwrap();
    assert_eq!(fs::read(&victim).unwrap(), b"precious");
    assert_eq!(listed(&store)[0].labels.tags, ["new"]);

    let answer = Answer { about: Some("a".to_owned()), text: "1.18 × faster".to_owned() };
    store.keep_answer(A, AnswerOf::Ranking, &answer).unwrap();
    assert_eq!(store.answer(A, AnswerOf::Ranking), Some(answer));
    assert_eq!(store.answer(A, AnswerOf::Tables), None, "of other comparisons");
    store.remove(A).unwrap();
    assert!(!file.exists());
    assert_eq!(store.answer(A, AnswerOf::Ranking), None);
}
