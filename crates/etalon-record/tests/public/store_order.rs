//! The order of saved runs: the store's own, whatever clocks say.

use std::fs;

use etalon_record::store::Store;

use crate::store::{A, B, C, complete, file_name, header, listed, store};

/// A run made when the clock was ahead.
const AHEAD: &str = "20990101T000000.000000Z-wwwwwwww";

fn ids(store: &Store) -> Vec<String> {
    listed(store).into_iter().map(|saved| saved.id).collect()
}

fn last(store: &Store) -> String {
    file_name(&store.resolve("@last").unwrap()).to_owned()
}

/// A record that is there without the store's doing: an earlier etalon's, or a copy.
fn put(store: &Store, id: &str) {
    fs::create_dir_all(store.home().join("runs")).unwrap();
    fs::write(store.home().join(format!("runs/{id}.jsonl")), header(id)).unwrap();
}

/// Would catch one run with a clock ahead that is the newest for ever.
#[test]
fn a_clock_ahead_shadows_nothing() {
    let (_directory, store) = store();
    for id in [B, AHEAD, C, A] {
        complete(&store, id);
        assert_eq!(last(&store), format!("{id}.jsonl"));
    }
    assert_eq!(ids(&store), [A, C, AHEAD, B]);
    assert_eq!(file_name(&store.resolve("@-3").unwrap()), format!("{AHEAD}.jsonl"));
    store.remove(C).unwrap();
    store.import(C, &header(C)[..]).unwrap();
    assert_eq!(ids(&store), [C, A, AHEAD, B], "saved last");
}

/// Would catch a store of an earlier etalon that reads otherwise than before, and its later runs that are lost or jump ahead
/// of what is saved after them.
#[test]
fn runs_of_an_earlier_etalon_stand_by_their_ids_until_somebody_looks() {
    let (_directory, store) = store();
    for id in [B, AHEAD, A] {
        put(&store, id);
    }
    assert_eq!(ids(&store), [AHEAD, B, A]);
    complete(&store, C);
    assert_eq!(ids(&store), [C, AHEAD, B, A]);
    let later = "20261123T000000.000000Z-bbbbbbbb";
    put(&store, later);
    assert_eq!(ids(&store), [later, C, AHEAD, B, A]);
    // The file is lost, or cannot be one: by ids again.
    let order = store.home().join("order");
    fs::remove_file(&order).unwrap();
    assert_eq!(ids(&store), [AHEAD, later, C, B, A]);
    fs::remove_file(&order).unwrap();
    fs::create_dir(&order).unwrap();
    assert_eq!(ids(&store), [AHEAD, later, C, B, A]);
    drop(store.create("20261124T000000.000000Z-bbbbbbbb").unwrap());
}

/// Would catch a line that a killed writer tore and the next one continued, and a file that only grows.
#[test]
fn the_file_is_mended_and_kept_short() {
    use std::os::unix::fs::PermissionsExt;
    let (_directory, store) = store();
    complete(&store, AHEAD);
    let order = store.home().join("order");
    assert_eq!(fs::metadata(&order).unwrap().permissions().mode() & 0o777, 0o600);
    fs::write(&order, format!("{AHEAD}\n{}", &B[..20])).unwrap();
    complete(&store, B);
    assert_eq!(fs::read_to_string(&order).unwrap(), format!("{AHEAD}\n{}\n{B}\n", &B[..20]));
    assert_eq!(ids(&store), [B, AHEAD]);
    let gone: String = (0..2000).map(|n| format!("20261101T000000.{n:06}Z-gone\n")).collect();
    fs::write(&order, format!("{gone}{AHEAD}\n{B}\n")).unwrap();
    complete(&store, A);
    assert_eq!(fs::read_to_string(&order).unwrap(), format!("{AHEAD}\n{B}\n{A}\n"));
}

/// Would catch an entry that one of several writers at once loses, or tears.
#[test]
fn writers_at_once_keep_their_order() {
    let (_directory, store) = store();
    let id = |writer: usize, run: usize| format!("2026{writer}{:03}-bcdfghjk", 999 - run);
    std::thread::scope(|scope| {
        for writer in 0..4 {
            let store = &store;
            scope.spawn(move || (0..40).for_each(|run| complete(store, &id(writer, run))));
        }
    });
    let mut newest_first = ids(&store);
    newest_first.reverse();
    assert_eq!(newest_first.len(), 160);
    for writer in 0..4 {
        let prefix = format!("2026{writer}");
        let own: Vec<&String> = newest_first.iter().filter(|id| id.starts_with(&prefix)).collect();
        let made: Vec<String> = (0..40).map(|run| id(writer, run)).collect();
        assert_eq!(own, made.iter().collect::<Vec<_>>());
    }
}
