//! hyperfine's JSON that is nearly always valid.
#![no_main]

use etalon_fuzz::{Given, check, json};
use etalon_record::open::SourceFormat;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|given: Given| {
    let results: Vec<String> = given
        .benchmarks
        .iter()
        .map(|benchmark| {
            let seconds = |value: &u32| format!("{}.{:09}", value / 1_000_000_000, value % 1_000_000_000);
            let times: Vec<String> = benchmark.values.iter().map(seconds).collect();
            let codes = vec!["0"; times.len()].join(",");
            let more = if given.manner & 1 == 0 { String::new() } else { format!(r#","exit_codes":[{codes}]"#) };
            format!(
                r#"{{"command":{},"mean":1,"median":1,"min":0,"max":2,"times":[{}]{more}}}"#,
                json(&benchmark.name),
                times.join(", ")
            )
        })
        .collect();
    let text = format!("{{\"results\":[{}]}}", results.join(",\n"));
    check(&given, SourceFormat::Hyperfine, text.as_bytes(), "wall", 1e9);
});
