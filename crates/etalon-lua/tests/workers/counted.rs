//! Calls for who counts what a process executes from outside, in every interpreter.

use std::ffi::OsString;

use etalon_core::model::Outcome;
use etalon_lua::{Answer, Clock, Count, Host, Request, Source, Stage};

use super::Test;
use super::interpreters::{INTERPRETERS, host, is_installed};
use super::lab::Lab;

pub(crate) const TESTS: &[Test] = &[
    ("calls_are_made_and_no_others", calls_are_made_and_no_others),
    ("a_script_is_executed_once_or_not_at_all", a_script_is_executed_once_or_not_at_all),
    ("a_worker_is_executed_under_another_program", a_worker_is_executed_under_another_program),
];

const SUITE: &str = "local calls = 0
    measure.describe('a')
        .setup(function() print('setup') end)
        .run(function(is_warmup) assert(not is_warmup) calls = calls + 1 end)
        .teardown(function() print('calls ' .. calls) end)
    measure.describe('b').run(function() error('boom') end)";

fn of(case: u32, calls: u64) -> Request {
    Request::Count(Count { case, calls, gc_step: 0, allocation: 64 << 20 })
}

fn hosts() -> Vec<Host> {
    let others = INTERPRETERS.into_iter().filter(|name| is_installed(name)).map(host);
    std::iter::once(Host::embedded()).chain(others).collect()
}

/// Catches calls that are warmed up or timed, hooks that are left out, and a word that some Lua does not have.
fn calls_are_made_and_no_others() {
    for host in hosts() {
        let name = host.name.clone();
        let lab = Lab { host, clock: Clock::None, ..Lab::new(SUITE) };
        let (mut talk, loaded) = lab.loaded();
        assert_eq!(
            (loaded.ns, loaded.runtime.clock.as_str()),
            (0, "none"),
            "a time would be spelled"
        );
        let answer = talk.ask(&of(1, 7));
        assert!(matches!(answer, Answer::Finished(_)), "{name}: {answer:?}");
        assert_eq!(talk.end(), Outcome::Ok, "{name}");
        assert_eq!(talk.printed(), "setup\ncalls 7\n", "{name}");
        assert!(talk.observations.is_empty());
        let (mut talk, _) = lab.loaded();
        let Answer::Failed(failed) = talk.ask(&of(2, 7)) else { panic!("{name}: not failed") };
        assert_eq!(failed.stage, Stage::Run);
        let (mut talk, _) = lab.loaded();
        let answer = talk.ask(&of(0, 7));
        assert!(matches!(answer, Answer::Finished(_)), "{name}: {answer:?}");
    }
}

/// Catches a script that is executed by its loading, and one that ends its process and is taken for broken.
fn a_script_is_executed_once_or_not_at_all() {
    for host in hosts() {
        let lab = Lab { host, ..Lab::new("") };
        for end in ["", "os.exit(0)"] {
            std::fs::write(lab.path("s.lua"), format!("print('done') {end}")).unwrap();
            for (calls, printed) in [(0, ""), (1, "done\n")] {
                let mut talk = lab.start();
                talk.ask(&lab.request_for(Source::Script(lab.path("s.lua"))));
                assert!(matches!(talk.ask(&of(1, calls)), Answer::Finished(_)));
                assert_eq!(talk.end(), Outcome::Ok);
                assert_eq!(talk.printed(), printed, "{} {end}", lab.host.name);
            }
        }
    }
}

/// Catches a program that is not executed by what is to count it; etalon's own is called by its path there.
fn a_worker_is_executed_under_another_program() {
    for host in hosts() {
        let suite = "measure.describe('a').run(function() print(os.getenv('UNDER')) end)";
        let lab = Lab { host, ..Lab::new(suite) };
        let under = ["/usr/bin/env", "UNDER=it"].map(OsString::from);
        let mut talk = lab.start_under(&under);
        talk.ask(&lab.request());
        assert!(matches!(talk.ask(&of(1, 1)), Answer::Finished(_)), "{}", lab.host.name);
        assert_eq!(talk.printed(), "it\n", "{}", lab.host.name);
    }
}
