//! Records that are nearly always valid.
#![no_main]

use etalon_fuzz::{Given, check, json};
use etalon_record::open::SourceFormat;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|given: Given| {
    let mut lines = vec![
        r#"{"type":"header","format":"etalon","version":1,"id":"i"}"#.to_owned(),
        r#"{"type":"metric","name":"wall","unit":"ns","direction":"lower","kind":"noisy"}"#.to_owned(),
        r#"{"type":"metric","name":"own","unit":"B","direction":"higher","kind":"exact"}"#.to_owned(),
    ];
    for benchmark in &given.benchmarks {
        lines.push(format!(r#"{{"type":"benchmark","name":{},"command":"x"}}"#, json(&benchmark.name)));
    }
    let most = given.benchmarks.iter().map(|it| it.values.len()).max().unwrap_or(0);
    for block in 0..most {
        for (index, benchmark) in given.benchmarks.iter().enumerate() {
            let Some(value) = benchmark.values.get(block) else { continue };
            let (own, phase) = match given.manner >> (block % 60) & 3 {
                0 => ("", r#","phase":"measured""#),
                1 => (r#","own":-7.5e3"#, ""),
                2 => (r#","own":{"absent":"why"}"#, ""),
                _ => ("", r#","unknown":{"a":[1,{}]}"#),
            };
            lines.push(format!(
                r#"{{"type":"observation","benchmark":{index},"block":{block}{phase},"outcome":"ok","values":{{"wall":{value}{own}}}}}"#
            ));
        }
    }
    lines.push(r#"{"type":"end","stopped_by":"runs","at":"2026-01-01T00:00:00Z"}"#.to_owned());
    let end = if given.manner & 1 == 0 { "\n" } else { "\r\n" };
    let text = lines.join(end) + "\n";
    check(&given, SourceFormat::Etalon, text.as_bytes(), "wall", 1e9);
});
