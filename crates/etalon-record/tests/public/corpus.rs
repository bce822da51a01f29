//! Hostile input in all formats: whatever the bytes, reading ends, and does not panic. `corpus/` holds
//! what fuzzing and people found; each file is replayed whole, cut and damaged.

use std::path::{Path, PathBuf};

use etalon_record::Strictness;
use etalon_record::foreign::Schema;
use etalon_record::open::{SourceFormat, read_bytes};
use proptest::prelude::*;

fn files() -> Vec<(PathBuf, Vec<u8>)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    let mut files = Vec::new();
    for directory in ["corpus", "data"] {
        for entry in std::fs::read_dir(root.join(directory)).unwrap() {
            let path = entry.unwrap().path();
            // Results of other harnesses are replayed by their own tests (`harness.rs`).
            if path.is_dir() {
                assert!(path.ends_with("data/harness"), "{}", path.display());
                continue;
            }
            files.push((path.clone(), std::fs::read(path).unwrap()));
        }
    }
    files.sort();
    assert!(files.len() > 20);
    files
}

/// Reads bytes in every way there is. A run set that comes out is consistent.
fn survive(bytes: &[u8]) {
    for (_, from) in SourceFormat::names() {
        for strictness in [Strictness::Lenient, Strictness::Strict] {
            let Ok(data) = read_bytes(bytes, "fuzz", from, strictness) else { continue };
            let set = crate::view::only(&data);
            assert_eq!(set.benchmarks.len(), set.series.len());
            for series in &set.series {
                assert_eq!(series.columns.len(), set.metrics.len());
                for column in &series.columns {
                    assert_eq!(column.rows.len(), column.values.len());
                    assert!(column.rows.iter().all(|row| *row < series.rows));
                    assert!(column.rows.is_sorted());
                    assert!(column.values.iter().all(|value| value.is_finite()));
                }
            }
            let mut out = Vec::new();
            etalon_record::foreign::write_bestguess(&data, &mut out).unwrap();
            for schema in [Schema::One, Schema::Two] {
                etalon_record::foreign::write_hyperfine(&data, schema, &mut out).unwrap();
            }
            etalon_record::foreign::write_go(&data, &mut out).unwrap();
            etalon_record::raw::write_record(&data, "fuzz", &mut out).unwrap();
        }
    }
}

#[test]
fn the_corpus_is_survived_whole_and_cut_at_every_byte() {
    for (path, bytes) in files() {
        assert!(bytes.len() < 100_000, "{} is too long to be cut everywhere", path.display());
        for cut in 0..=bytes.len() {
            survive(&bytes[..cut]);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]
    /// Would catch a panic that needs two faults: bytes of one file are overwritten, removed, or
    /// replaced by a piece of another.
    #[test]
    fn damaged_files_are_survived(
        one in any::<prop::sample::Index>(), other in any::<prop::sample::Index>(),
        at in any::<prop::sample::Index>(), from in any::<prop::sample::Index>(),
        length in 0_usize..60, noise in proptest::collection::vec(
            prop_oneof![any::<u8>(), Just(b'"'), Just(b'\\'), Just(b','), Just(b'\n')], 0..12),
    ) {
        let files = files();
        let (mut bytes, piece) = (one.get(&files).1.clone(), &other.get(&files).1);
        let at = at.index(bytes.len() + 1);
        let end = (at + length).min(bytes.len());
        let from = from.index(piece.len() + 1);
        let piece = &piece[from..(from + length).min(piece.len())];
        bytes.splice(at..end, noise.iter().chain(piece).copied());
        survive(&bytes);
    }

    /// Would catch a panic on bytes of no format.
    #[test]
    fn any_bytes_are_survived(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        survive(&bytes);
    }
}
