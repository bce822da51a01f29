//! BestGuess's raw files that are nearly always valid.
#![no_main]

use etalon_fuzz::{Given, check};
use etalon_record::open::SourceFormat;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|given: Given| {
    let mut text = String::from(
        "Command,Shell,Name,Batch,Exit code,User time (us),System time (us),Max RSS (Bytes),Page Reclaims,Page Faults,\
         Voluntary Context Switches,Involuntary Context Switches,Wall clock (us),Total time (us),Total Context Switches\n",
    );
    for (index, benchmark) in given.benchmarks.iter().enumerate() {
        // BestGuess escapes a backslash with another.
        let quoted = benchmark.name.replace('\\', r"\\");
        let name = if given.manner & 2 == 0 { "\"\"" } else { "" };
        for value in &benchmark.values {
            let batch = index + 1;
            text += &format!("\"{quoted}\",\"\",{name},{batch},0,1,2,4096,1,0,1,0,{value},3,1");
            text += if given.manner & 1 == 0 { "\n" } else { "\r\n" };
        }
    }
    check(&given, SourceFormat::Bestguess, text.as_bytes(), "wall", 1e6);
});
