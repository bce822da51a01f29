//! However a worker ends, that is an outcome, and all it said before is handed out.

use std::time::Duration;

use etalon_core::model::Outcome;
use etalon_lua::{Answer, Limits, MemoryLimit, MemoryOrigin, Request, Stage};

use super::Test;
use super::lab::{Lab, Talk, is_alive, quick};

pub(crate) const TESTS: &[Test] = &[
    ("exits_are_outcomes", exits_are_outcomes),
    ("a_crash_is_an_outcome", a_crash_is_an_outcome),
    ("what_was_said_before_the_end_is_handed_out", what_was_said_before_the_end_is_handed_out),
    ("an_endless_loop_can_be_killed", an_endless_loop_can_be_killed),
    ("dropping_ends_it", dropping_ends_it),
    ("orphans_are_killed_and_counted", orphans_are_killed_and_counted),
    ("orphans_of_a_killed_worker_are_killed", orphans_of_a_killed_worker_are_killed),
    ("a_suite_that_attacks_its_supervisor_ends", a_suite_that_attacks_its_supervisor_ends),
    ("a_memory_limit_is_an_error_of_the_case", a_memory_limit_is_an_error_of_the_case),
    ("closing_all_descriptors_ends_it", closing_all_descriptors_ends_it),
    ("a_reused_descriptor_gets_nothing", a_reused_descriptor_gets_nothing),
];

/// The answers of a worker until its end.
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
    assert_eq!(talk.worker.kill().outcome, Outcome::Killed { signal: libc::SIGKILL });
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

/// Catches a process of the suite's that goes on after it, is not counted, or is counted although it had
/// ended: in the worker's group, out of it and orphaned, its own child.
fn orphans_are_killed_and_counted() {
    let lab = Lab::new(
        "local ffi = require('ffi')
         ffi.cdef('int fork(void); int pause(void); int setsid(void);')
         local pid = io.popen('sleep 1000 >/dev/null 2>&1 & echo $!'):read('*l')
         os.execute('true & :')
         os.execute('setsid sleep 1000 & :')
         local own = ffi.C.fork()
         if own == 0 then ffi.C.setsid() ffi.C.pause() end
         print(pid, own)
         measure.describe('a').run(function() end)",
    );
    let (mut talk, _) = lab.finished();
    let printed = talk.printed();
    assert_eq!(talk.worker.kill().orphans, 3, "{printed}");
    for pid in printed.split_whitespace() {
        assert!(!is_alive(pid.parse().unwrap()), "{pid} of {printed}");
    }
}

/// Catches orphans of a worker that was killed, which nobody put away.
fn orphans_of_a_killed_worker_are_killed() {
    let lab = Lab::new(
        "os.execute('setsid sleep 1000 & echo $!')
         local ffi = require('ffi')
         ffi.cdef('int raise(int);')
         measure.describe('a').run(function() ffi.C.raise(9) end)",
    );
    let (mut talk, _) = lab.loaded();
    let outcome = end_of(&mut talk, &Request::Prepare(quick()));
    assert_eq!(outcome, Outcome::Killed { signal: libc::SIGKILL });
    let pid: u32 = talk.printed().trim().parse().unwrap();
    assert!(!is_alive(pid));
    assert_eq!(talk.worker.kill().orphans, 1);
}

/// Catches a wait for a supervisor that will not answer, and a worker that outlives one.
fn a_suite_that_attacks_its_supervisor_ends() {
    for signal in [libc::SIGKILL, libc::SIGTERM] {
        let lab = Lab::new(&format!(
            "local ffi = require('ffi')
             ffi.cdef('int getppid(void); int kill(int, int); int getpid(void);')
             print(ffi.C.getpid())
             measure.describe('a').run(function()
                 ffi.C.kill(ffi.C.getppid(), {signal}) while true do end
             end)"
        ));
        let (mut talk, _) = lab.loaded();
        let outcome = end_of(&mut talk, &Request::Prepare(quick()));
        assert_eq!(outcome, Outcome::Killed { signal });
        let pid: i32 = talk.printed().trim().parse().unwrap();
        // It dies of its supervisor's end, which is not waited for here: wait for that.
        // SAFETY: no memory preconditions; a number that is gone is an error.
        let process = unsafe { libc::syscall(libc::SYS_pidfd_open, pid, 0) };
        if let Ok(fd @ 0..) = i32::try_from(process) {
            let mut polled = libc::pollfd { fd, events: libc::POLLIN, revents: 0 };
            // SAFETY: one writable pollfd, of an open descriptor.
            assert_eq!(unsafe { libc::poll(&raw mut polled, 1, 60_000) }, 1, "it lives on");
        }
    }
}

/// Catches a case that takes the machine's memory.
fn a_memory_limit_is_an_error_of_the_case() {
    let mut lab = Lab::new(
        "local kept = {}
         measure.describe('a').run(function() kept[#kept + 1] = ('x'):rep(5e7) .. #kept end)",
    );
    let memory = MemoryLimit { bytes: 300 << 20, origin: MemoryOrigin::Asked };
    lab.limits = Limits { memory: Some(memory) };
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
