//! Every reader, with anything: no panic, no hang, no unbounded memory; and what was read can be
//! analysed and written again in every format.
#![no_main]

use etalon_core::analysis::analyse;
use etalon_core::plan::Settings;
use etalon_record::open::{SourceFormat, read_bytes};
use etalon_record::{Strictness, foreign, raw};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    for from in SourceFormat::names().map(|(_, format)| format) {
        let _refused = read_bytes(data, "fuzz", from, Strictness::Strict);
        let Ok(read) = read_bytes(data, "fuzz", from, Strictness::Lenient) else { continue };
        let mut sink = std::io::sink();
        foreign::write_bestguess(&read, &mut sink).expect("a sink takes everything");
        for schema in [foreign::Schema::One, foreign::Schema::Two] {
            foreign::write_hyperfine(&read, schema, &mut sink).expect("a sink takes everything");
        }
        foreign::write_go(&read, &mut sink).expect("a sink takes everything");
        raw::write_record(&read, "fuzz", &mut sink).expect("a sink takes everything");
        // All pairs of many benchmarks are slow by nature, not by fault.
        if read.groups().len() < 20 {
            for metric in ["cpu", "wall"] {
                let settings = Settings { metric: metric.to_owned(), ..Settings::default() };
                let _refused = analyse(&read, &settings);
            }
        }
    }
});
