//! Output of `go test -bench`, as text or as events, that is nearly always valid.
#![no_main]

use etalon_fuzz::{Given, check, json};
use etalon_record::open::SourceFormat;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|given: Given| {
    let mut lines = vec!["goos: linux".to_owned(), "pkg: example.com/p".to_owned()];
    for benchmark in &given.benchmarks {
        for value in &benchmark.values {
            let more = match given.manner & 3 {
                0 => "",
                1 => "\t16 B/op\t2 allocs/op",
                2 => "  0.5 own/op",
                _ => "\t1e3 MB/s",
            };
            let number = if given.manner & 4 == 0 { format!("{value}") } else { format!("{value}.0") };
            lines.push(format!("Benchmark{}\t  100\t {number} ns/op{more}", benchmark.name));
        }
    }
    lines.extend(["PASS", "ok  \texample.com/p\t1.2s"].map(str::to_owned));
    let text: String = match given.manner & 8 {
        0 => lines.iter().map(|line| format!("{line}\n")).collect(),
        _ => lines.iter().map(|line| events(line, given.manner)).collect(),
    };
    check(&given, SourceFormat::Go, text.as_bytes(), "sec/op", 1e9);
});

/// A line as `go test -json` prints it: its name in an event before the one with its numbers, and events of a package that is
/// tested at the same time in between.
fn events(line: &str, manner: u64) -> String {
    let event = |package: &str, output: &str| {
        let output = json(output);
        format!(r#"{{"Action":"output","Package":"example.com/{package}","Output":{output}}}"#) + "\n"
    };
    let line = format!("{line}\n");
    let other = if manner & 32 == 0 { String::new() } else { event("q", "noise\n") };
    match line.find('\t').filter(|_| manner & 16 != 0) {
        Some(tab) => event("p", &line[..=tab]) + &other + &event("p", &line[tab + 1..]),
        None => event("p", &line) + &other,
    }
}
