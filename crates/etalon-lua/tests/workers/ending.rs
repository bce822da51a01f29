//! However a worker ends, that is an outcome, and all it said before is handed out.

use std::time::Duration;

use etalon_core::model::Outcome;
use etalon_lua::{Answer, Limits, Request, Stage};

use super::Test;
use super::lab::{Lab, Talk, is_alive, quick};

pub const TESTS: &[Test] = &[
    ("exits_are_outcomes", exits_are_outcomes),
    ("a_crash_is_an_outcome", a_crash_is_an_outcome),
    ("what_was_said_before_the_end_is_handed_out", what_was_said_before_the_end_is_handed_out),
    ("an_endless_loop_can_be_killed", an_endless_loop_can_be_killed),
    ("dropping_ends_it", dropping_ends_it),
    ("leftovers_are_killed", leftovers_are_killed),
    ("a_memory_limit_is_an_error_of_the_case", a_memory_limit_is_an_error_of_the_case),
    ("closing_all_descriptors_ends_it", closing_all_descriptors_ends_it),
    ("a_reused_descriptor_gets_nothing", a_reused_descriptor_gets_nothing),
];

/// What the worker says until its end.
fn end_of(talk: &mut Talk, request: &Request) -> Outcome {
    match talk.ask(request) {
        Answer::Ended(outcome) => outcome,
        other => panic!("not the end: {other:?}"),
    }
}

/// Catches an exit taken for an answer, at load time and while measured.
fn exits_are_outcomes() {
    for (code, outcome) in [(0, Outcome::Ok), (3, Outcome::Failed { code: 3 })] {
        let lab = Lab::new(&format!("os.exit({code})"));
        assert_eq!(end_of(&mut lab.start(), &lab.request()), outcome);
        let lab = Lab::new(&format!("measure.describe('a').run(function() os.exit({code}) end)"));
        let (mut talk, _) = lab.loaded();
        assert_eq!(end_of(&mut talk, &Request::Prepare(quick())), outcome);
        // It stays ended, and takes requests without an error.
        talk.worker.ask(&Request::Finish).unwrap();
        assert_eq!(talk.end(), outcome);
    }
}

/// Catches a crash that is waited for forever.
fn a_crash_is_an_outcome() {
    let lab = Lab::new(
        "local ffi = require('ffi')
         measure.describe('a').run(function() ffi.cast('int *', 8)[0] = 1 end)",
    );
    let (mut talk, _) = lab.loaded();
    let outcome = end_of(&mut talk, &Request::Prepare(quick()));
    assert_eq!(outcome, Outcome::Killed { signal: libc::SIGSEGV });
}

/// Catches observations and output that are lost when the end comes with them. Its child keeps the
/// socket's other end and the pipes open, as a fork without exec does.
fn what_was_said_before_the_end_is_handed_out() {
    let lab = Lab::new(
        "local ffi = require('ffi')
         ffi.cdef('int fork(void); int pause(void);')
         local calls = 0
         measure.describe('a').run(function()
             calls = calls + 1
             if calls == 60 then
                 if ffi.C.fork() == 0 then ffi.C.pause() end
                 print('last words'); os.exit(7)
             end
         end)",
    );
    let (mut talk, _) = lab.loaded();
    let mut prepare = quick();
    prepare.warmup = 0.0;
    prepare.batch_ns = 1_000_000_000;
    let outcome = end_of(&mut talk, &Request::Prepare(prepare));
    assert_eq!(outcome, Outcome::Failed { code: 7 });
    // 1 + 2 + 4 + 8 + 16 calls, then the 32 that were not finished.
    assert_eq!(talk.observations.len(), 5);
    assert_eq!(talk.printed(), "last words\n");
}

/// Catches a client that waits for a worker that will never answer, or cannot end one.
fn an_endless_loop_can_be_killed() {
    let lab = Lab::new("measure.describe('a').run(function() while true do end end)");
    let (mut talk, _) = lab.loaded();
    let pid = talk.worker.pid();
    talk.worker.ask(&Request::Prepare(quick())).unwrap();
    assert_eq!(talk.worker.wait(Duration::from_millis(100)).unwrap(), None);
    assert_eq!(talk.worker.kill(), Outcome::Killed { signal: libc::SIGKILL });
    assert!(!is_alive(pid));
}

/// Catches a worker that outlives its client.
fn dropping_ends_it() {
    let lab = Lab::new("measure.describe('a').run(function() end)");
    let (talk, _) = lab.loaded();
    let pid = talk.worker.pid();
    drop(talk);
    assert!(!is_alive(pid));
}

/// Catches a process of the suite's that goes on after it.
fn leftovers_are_killed() {
    let lab = Lab::new(
        "local pid = io.popen('sleep 1000 >/dev/null 2>&1 & echo $!'):read('*l')
         print(pid)
         measure.describe('a').run(function() end)",
    );
    let (mut talk, _) = lab.finished();
    let pid: u32 = talk.printed().trim().parse().unwrap();
    // Killed, but reaped by whoever adopts orphans: wait for that.
    let gone = (0..3000).any(|_| {
        let state = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
        let gone = state.is_empty() || state.contains(") Z ");
        if !gone {
            std::thread::sleep(Duration::from_millis(10));
        }
        gone
    });
    assert!(gone);
}

/// Catches a case that takes the machine's memory.
fn a_memory_limit_is_an_error_of_the_case() {
    let mut lab = Lab::new(
        "local kept = {}
         measure.describe('a').run(function() kept[#kept + 1] = ('x'):rep(5e7) .. #kept end)",
    );
    lab.limits = Limits { memory: Some(300 << 20) };
    let (_, failed) = lab.failed();
    assert!(failed.message.contains("not enough memory"), "{failed:?}");
    assert!(matches!(failed.stage, Stage::Warmup | Stage::Run));
}

/// Catches a line that goes elsewhere when the channel was closed under the driver.
fn closing_all_descriptors_ends_it() {
    let lab = Lab::new(
        "local ffi = require('ffi'); ffi.cdef('int close(int);')
         for descriptor = 3, 1023 do ffi.C.close(descriptor) end
         measure.describe('a').run(function() end)",
    );
    let outcome = end_of(&mut lab.start(), &lab.request());
    let ended = [Outcome::Failed { code: 1 }, Outcome::Killed { signal: libc::SIGKILL }];
    assert!(ended.contains(&outcome), "{outcome:?}");
}

/// Catches a driver that takes another socket for its channel because it has its number.
fn a_reused_descriptor_gets_nothing() {
    let lab = Lab::new(
        "local ffi = require('ffi')
         ffi.cdef('int close(int); int dup2(int, int); int socketpair(int, int, int, int *);'
             .. 'long recv(int, void *, size_t, int); int fork(void); void _exit(int); int waitpid(int, int *, int);')
         local pair = ffi.new('int[2]')
         assert(ffi.C.socketpair(1, 1, 0, pair) == 0)
         if ffi.C.fork() == 0 then
             ffi.C.close(pair[1])
             local got = ffi.C.recv(pair[0], ffi.new('char[10]'), 10, 0)
             print('the other socket got ' .. tonumber(got)); io.stdout:flush()
             ffi.C._exit(0)
         end
         for descriptor = 200, 210 do ffi.C.dup2(pair[1], descriptor) end
         ffi.C.close(pair[0]); ffi.C.close(pair[1])
         measure.describe('a').run(function() end)",
    );
    let mut talk = lab.start();
    let outcome = end_of(&mut talk, &lab.request());
    assert!(outcome != Outcome::Ok, "{outcome:?}");
    // The reader may be killed before it prints; what it must not see is a line.
    let printed = talk.printed();
    assert!(printed.is_empty() || printed == "the other socket got 0\n", "{printed}");
}
