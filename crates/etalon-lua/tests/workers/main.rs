//! Workers with real processes.
//!
//! Not the standard harness, because a worker must be the first thing in `main`: this binary is a
//! worker, and its supervisor, when asked to be, and otherwise runs the tests one after the other. No test asserts a
//! duration; where one waits for something, it gives up after a generous time.

// Tests are the one place where a panic is the report.
#![allow(clippy::unwrap_used)]
#![allow(clippy::disallowed_methods, reason = "this is a binary")]

mod compiling;
mod counted;
mod counting;
mod ending;
mod failing;
mod hooks;
mod interpreters;
mod lab;
mod printing;
mod rock;
mod sampling;
mod surroundings;
mod warming;

use libtest_mimic::{Arguments, Trial};

type Test = (&'static str, fn());

fn main() {
    etalon_lua::run_if_asked();
    let mut arguments = Arguments::from_args();
    // One after the other: some are busy, and others wait for what a busy machine delays.
    arguments.test_threads = Some(1);
    let tests = [
        printing::TESTS,
        ending::TESTS,
        failing::TESTS,
        hooks::TESTS,
        sampling::TESTS,
        counting::TESTS,
        counted::TESTS,
        compiling::TESTS,
        surroundings::TESTS,
        warming::TESTS,
        interpreters::TESTS,
        rock::TESTS,
    ];
    let trial = |(name, test): &(&'static str, fn())| {
        let test = *test;
        Trial::test(*name, move || {
            test();
            Ok(())
        })
    };
    let trials = tests.into_iter().flatten().map(trial).collect();
    libtest_mimic::run(&arguments, trials).exit();
}
