//! Every reader, with anything: no panic, no hang, no unbounded memory; and what was read can be
//! analysed and written again in every format.
#![no_main]

use etalon_core::analysis::analyse;
use etalon_core::plan::Settings;
use etalon_record::open::{From, read_bytes};
use etalon_record::{Strictness, foreign, raw};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    for from in [From::Auto, From::Bestguess, From::Hyperfine, From::Go, From::Etalon] {
        let _refused = read_bytes(data, "fuzz", from, Strictness::Strict);
        let Ok(set) = read_bytes(data, "fuzz", from, Strictness::Lenient) else { continue };
        let mut sink = std::io::sink();
        foreign::write_bestguess(&set, &mut sink).expect("a sink takes everything");
        foreign::write_hyperfine(&set, &mut sink).expect("a sink takes everything");
        foreign::write_go(&set, &mut sink).expect("a sink takes everything");
        raw::write_run_set(&set, "fuzz", &mut sink).expect("a sink takes everything");
        // All pairs of many benchmarks are slow by nature, not by fault.
        if set.benchmarks.len() < 20 {
            for metric in ["cpu", "wall"] {
                let settings = Settings { metric: metric.to_owned(), ..Settings::default() };
                let _refused = analyse(vec![set.clone()], &settings);
            }
        }
    }
});
