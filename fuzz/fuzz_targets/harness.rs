//! Every reader of a harness's results, with anything and with parts of what its files hold.
#![no_main]

use etalon_record::Strictness;
use etalon_record::foreign::harness::HarnessFormat;
use etalon_record::open::{SourceFormat, read_bytes};
use etalon_record::raw;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: (u8, Vec<u8>)| {
    let (number, bytes) = input;
    let (_, format) = HarnessFormat::ALL[usize::from(number) % HarnessFormat::ALL.len()];
    let from = SourceFormat::Harness(format);
    let _refused = read_bytes(&bytes, "fuzz", from, Strictness::Strict);
    let Ok(data) = read_bytes(&bytes, "fuzz", from, Strictness::Lenient) else { return };
    let mut record = Vec::new();
    raw::write_record(&data, "fuzz", &mut record).expect("memory takes everything");
    let back = read_bytes(&record, "record", SourceFormat::Etalon, Strictness::Strict);
    let back = back.unwrap_or_else(|refused| panic!("{refused}"));
    assert_eq!(back.len(), data.len());
});
