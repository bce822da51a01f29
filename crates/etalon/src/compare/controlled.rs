//! Notes on two sides beside their tables, from what their records say: which files were read, and how they were built.

use etalon_core::model::Context;
use etalon_core::model::{BASE, HEAD};
use etalon_core::notes::{
    BenchmarksOf, BuiltSide, KeptBuilds, ListedFiles, Note, NoteKind, OpenedFiles, SidesNote,
};
use etalon_core::run_set::RunSet;

use super::sides::facts;

fn note(what: SidesNote) -> Note {
    Note { about: "sides".to_owned(), what: NoteKind::Sides(what) }
}

/// Notes on the files that the sides have read, where that bears on what is compared.
pub(super) fn read(set: &RunSet) -> Vec<Note> {
    // Where it was found out after the record was begun, it stands in notes.
    let noted = |key: &str| set.notes.iter().find(|note| note.about == key).map(|note| &note.text);
    let fact = |key: &str| set.context.get(key).or_else(|| noted(key)).cloned();
    let read = match fact(facts::IDENTICAL) {
        Some(_) => Some(SidesNote::SameBytes),
        None => opened(fact(facts::READ).as_deref(), fact(facts::SEEN).as_deref()),
    };
    let untraced = fact(facts::UNTRACED).map(|why| SidesNote::Untraced { why });
    let others = fact(facts::ASKED).map(|programs| SidesNote::OthersAsked { programs });
    [untraced, read, others].into_iter().flatten().map(note).collect()
}

/// That nothing of what was opened differs, where that is so; and what was only seen.
fn opened(read: Option<&str>, seen: Option<&str>) -> Option<SidesNote> {
    let differs = |fact: &str| !fact.ends_with(" 0 differ");
    if read.is_some_and(differs) {
        return None;
    }
    let listed = match seen.map(|seen| (differs(seen), seen.rsplit_once(": "))) {
        Some((true, Some((_, names)))) => ListedFiles::Differs(names.to_owned()),
        Some((false, _)) => ListedFiles::Same,
        _ if read.is_none() => return None,
        _ => ListedFiles::Unknown,
    };
    let opened = if read.is_some() { OpenedFiles::Some } else { OpenedFiles::None };
    Some(SidesNote::NothingOpenedDiffers { opened, listed })
}

/// Notes on benchmarks that differ between the sides.
pub(super) fn benches(context: &Context) -> Vec<Note> {
    let differ = |(executed, key): &(BenchmarksOf, &str)| {
        let which = context.get(*key)?.clone();
        Some(note(SidesNote::BenchmarksDiffer { which, executed: *executed }))
    };
    facts::BENCHES.iter().filter_map(differ).collect()
}

/// How sides were made.
pub(super) fn builds(context: &Context) -> Vec<Note> {
    let fact = |key: &str| context.get(key).cloned();
    let side = |side, [asked, revision, age]: [&str; 3]| {
        let kept = fact(age).and_then(|age| kept(&age));
        Some(BuiltSide { side, asked: fact(asked)?, revision: fact(revision), kept })
    };
    let base = side(BASE, [facts::BASE_ASKED, facts::BASE_REVISION, facts::BASE_AGE]);
    let head = side(HEAD, [facts::HEAD_ASKED, facts::HEAD_REVISION, facts::HEAD_AGE]);
    let Some((base, head)) = base.zip(head) else { return Vec::new() };
    let built = fact(facts::BUILD_COMMAND).map(|command| (command, fact(facts::BUILD_SECONDS)));
    let mut notes = vec![note(SidesNote::Made { sides: Box::new([base, head]), built })];
    if context.get(facts::BUILDS).map(String::as_str) == Some("1") {
        notes.push(note(SidesNote::BuiltOnce));
    }
    notes
}

/// Builds that were kept, as a record has them: `10800 s, 2 of 2`.
fn kept(age: &str) -> Option<KeptBuilds> {
    let (seconds, which) = age.split_once(" s, ")?;
    let (earlier, all) = which.split_once(" of ")?;
    let some = (earlier != all).then(|| which.to_owned());
    Some(KeptBuilds { seconds: seconds.parse().ok()?, some })
}
