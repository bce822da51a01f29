//! Each reader of a harness's results: the first byte says which, a zero byte ends the file, and what follows is what
//! stands beside it. `examples/seeds.rs` writes the real samples so.
#![no_main]

use etalon_record::Strictness;
use etalon_record::foreign::harness::results::{Part, Source};
use etalon_record::foreign::harness::{self, HarnessFormat};
use etalon_record::open::{SourceFormat, read_bytes};
use etalon_record::raw;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let Some((number, text)) = bytes.split_first() else { return };
    let (_, format) = HarnessFormat::ALL[usize::from(*number) % HarnessFormat::ALL.len()];
    let mut texts = text.split(|byte| *byte == 0);
    let alone = texts.next().unwrap_or_default();
    let mut parts = vec![Part { path: "d/sample.json".to_owned(), text: alone.to_vec() }];
    let beside = format.beside().iter().zip(texts);
    parts.extend(beside.map(|(name, text)| Part { path: format!("d/{name}"), text: text.to_vec() }));
    if let Ok(results) = harness::read(format, &Source { parts }) {
        for run in results.benchmarks.iter().flat_map(|benchmark| &benchmark.runs) {
            let numbers = run.columns.iter().flat_map(|column| &column.cells);
            assert!(numbers.filter_map(|cell| cell.number()).all(f64::is_finite));
            assert!(run.columns.iter().all(|column| column.quantity < results.quantities.len()));
        }
    }
    let from = SourceFormat::Harness(format);
    let strict = read_bytes(alone, "fuzz", from, Strictness::Strict);
    let lenient = read_bytes(alone, "fuzz", from, Strictness::Lenient);
    assert!(strict.is_err() || lenient.is_ok(), "what is read strictly is read");
    let Ok(data) = lenient else { return };
    let mut record = Vec::new();
    raw::write_record(&data, "fuzz", &mut record).expect("memory takes everything");
    let back = read_bytes(&record, "record", SourceFormat::Etalon, Strictness::Strict);
    let back = back.unwrap_or_else(|refused| panic!("{refused}"));
    assert_eq!(back.len(), data.len());
});
