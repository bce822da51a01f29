//! Workers with real processes.
//!
//! A harness of its own, because a worker must be the first thing in `main`: this binary is a
//! worker when asked to be, and otherwise runs the tests one after the other, those whose name
//! contains an argument if there is one. No test asserts a duration; where one waits for something,
//! it gives up after a generous time.

// Tests are the one place where a panic is the report.
#![allow(clippy::unwrap_used)]
#![allow(clippy::disallowed_methods, reason = "this is a binary")]

mod counting;
mod ending;
mod failing;
mod hooks;
mod interpreters;
mod lab;
mod printing;
mod sampling;
mod surroundings;

use std::panic::catch_unwind;

type Test = (&'static str, fn());

fn main() {
    etalon_lua::run_if_asked();
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let wanted: Vec<&String> = arguments.iter().filter(|a| !a.starts_with('-')).collect();
    let tests = [
        printing::TESTS,
        ending::TESTS,
        failing::TESTS,
        hooks::TESTS,
        sampling::TESTS,
        counting::TESTS,
        surroundings::TESTS,
        interpreters::TESTS,
    ];
    let (mut passed, mut failed) = (0, 0);
    for (name, test) in tests.into_iter().flatten() {
        if !wanted.is_empty() && !wanted.iter().any(|part| name.contains(part.as_str())) {
            continue;
        }
        if arguments.iter().any(|argument| argument == "--list") {
            println!("{name}: test");
            continue;
        }
        let ok = catch_unwind(test).is_ok();
        println!("test {name} ... {}", if ok { "ok" } else { "FAILED" });
        passed += i32::from(ok);
        failed += i32::from(!ok);
    }
    let result = if failed == 0 { "ok" } else { "FAILED" };
    // As the standard harness closes, for whoever counts.
    println!("\ntest result: {result}. {passed} passed; {failed} failed; 0 ignored\n");
    std::process::exit(i32::from(failed > 0));
}
