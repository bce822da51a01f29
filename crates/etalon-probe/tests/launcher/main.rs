//! The launcher with real processes.
//!
//! Not the standard harness, because the launcher must be the first thing in `main`: this binary is
//! the launcher when asked to be, plays a few roles as a child ([`roles`]), and otherwise runs the
//! tests one after the other. No test asserts a duration; where one waits for something, it gives up after a generous time.

// Tests are the one place where a panic is the report.
#![allow(clippy::unwrap_used)]
#![allow(clippy::disallowed_methods, reason = "this is a binary")]

mod control;
mod counted;
mod hooks;
mod lab;
mod orphans;
mod outcomes;
mod printed;
mod roles;
mod stopping;
mod streams;
mod surroundings;

use libtest_mimic::{Arguments, Trial};

type Test = (&'static str, fn());

fn main() {
    etalon_probe::launcher::run_if_asked();
    roles::play_if_asked();
    let mut arguments = Arguments::from_args();
    // One after the other and on this thread: a child ends with the thread that started it.
    arguments.test_threads = Some(1);
    let tests = [
        outcomes::TESTS,
        printed::TESTS,
        hooks::TESTS,
        orphans::TESTS,
        streams::TESTS,
        stopping::TESTS,
        surroundings::TESTS,
        control::TESTS,
        counted::TESTS,
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
