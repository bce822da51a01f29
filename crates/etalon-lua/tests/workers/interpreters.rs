//! The driver and the native module in other interpreters, as far as they are installed: the same
//! text, the same protocol.

use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use etalon_core::model::Outcome;
use etalon_lua::{Answer, Host, Interpreter, Jit, Stage};

use super::Test;
use super::lab::{Lab, quick, skip};

pub(crate) const TESTS: &[Test] = &[
    ("the_driver_runs_in_every_lua", the_driver_runs_in_every_lua),
    ("a_found_result_counts_as_new_in_every_lua", a_found_result_counts_as_new_in_every_lua),
    ("an_interpreter_that_is_missing_is_named", an_interpreter_that_is_missing_is_named),
    ("the_driver_runs_without_the_native_module", the_driver_runs_without_the_native_module),
    (
        "without_the_module_a_suite_may_use_its_streams",
        without_the_module_a_suite_may_use_its_streams,
    ),
    ("a_suite_finds_what_its_interpreter_has", a_suite_finds_what_its_interpreter_has),
    ("a_compiler_is_off_from_the_first_instruction", a_compiler_is_off_from_the_first_instruction),
    ("a_collection_leaves_room_in_the_stack", a_collection_leaves_room_in_the_stack),
    ("little_is_allocated_between_samples", little_is_allocated_between_samples),
];

pub(crate) const INTERPRETERS: [&str; 5] = ["lua5.1", "lua5.2", "lua5.3", "lua5.4", "luajit"];

pub(crate) fn is_installed(interpreter: &str) -> bool {
    let found =
        Command::new(interpreter).arg("-v").stdout(Stdio::null()).stderr(Stdio::null()).status();
    if found.is_err() {
        skip(&format!("the driver and the rock in {interpreter}: it is not installed"));
    }
    found.is_ok()
}

fn found(interpreter: &str) -> PathBuf {
    let path = std::env::var_os("PATH").unwrap();
    let places = std::env::split_paths(&path).map(|place| place.join(interpreter));
    places.into_iter().find(|path| path.is_file()).unwrap()
}

pub(crate) fn host(interpreter: &str) -> Host {
    let name = interpreter.to_owned();
    Host::new(&name, Interpreter::Program(found(interpreter)))
}

/// An interpreter where no C module can be loaded, as where Lua was built without them.
fn host_without_modules(interpreter: &str, lab: &Lab) -> Host {
    let script = lab.path("without");
    let text = format!("#!/bin/sh\nexec {interpreter} -e 'package.loadlib = nil' \"$@\"\n");
    std::fs::write(&script, text).unwrap();
    std::fs::set_permissions(&script, PermissionsExt::from_mode(0o755)).unwrap();
    Host { interpreter: Interpreter::Program(script), ..host(interpreter) }
}

const SUITE: &str = "local kept
    measure.options({ context = { a = 1 } })
    measure.describe('table', { size = { 1, 3 } })
        .setup(function(context, params) assert(context.a == 1 and params.size) end)
        .run(function() kept = { 1, 2, 3 } end)
        .teardown(function() measure.metric('half', 0.5, 'share') end)
    measure.describe('timer').run_with_timer(function(m) return m(function() end) end)";

/// Catches a word in the driver that some Lua does not have, or has with another meaning.
fn the_driver_runs_in_every_lua() {
    for interpreter in INTERPRETERS.into_iter().filter(|name| is_installed(name)) {
        let mut lab = Lab::new(SUITE);
        lab.host = host(interpreter);
        for (case, gc_step) in [(1, 0), (1, -1), (1, 5), (3, 0), (0, 0)] {
            let (mut talk, loaded) = lab.loaded();
            assert_eq!(loaded.runtime.clock, "native");
            assert_eq!(loaded.runtime.memory, "allocator");
            assert_eq!(loaded.runtime.jit == "none", interpreter != "luajit");
            let mut prepare = quick();
            prepare.case = case;
            prepare.gc_step = gc_step;
            talk.prepare(prepare);
            let sample = talk.turn(0);
            assert!(sample.value("wall").unwrap() > 0.0);
            for reading in talk.memory(2) {
                let calls = reading.observation.iterations.unwrap() as f64;
                let allocs = reading.value("allocs").unwrap();
                // A table and its array, which LuaJIT makes in one piece; nothing for a timer's empty
                // target and for the empty loop.
                let per_call = if interpreter == "luajit" { 1.0 } else { 2.0 };
                let expected = if case == 1 { per_call * calls } else { 0.0 };
                assert_eq!(allocs, expected, "{interpreter} case {case}");
                assert_eq!(reading.value("alloc").unwrap() > 0.0, case == 1);
            }
            assert_eq!(talk.finish().metrics.len(), usize::from(case == 1));
            assert_eq!(talk.end(), Outcome::Ok, "{interpreter}");
        }
        let (mut talk, failed) = {
            let mut lab = Lab::new("measure.describe('a').run(function() error('boom') end)");
            lab.host = host(interpreter);
            lab.failed()
        };
        assert!(failed.message.ends_with("suite.lua:2: boom"), "{interpreter}: {}", failed.message);
        assert_eq!(talk.printed(), "");
    }
}

/// Catches what a collection lets shrink counted as a call's: buffers and call records.
fn a_found_result_counts_as_new_in_every_lua() {
    for interpreter in INTERPRETERS.into_iter().filter(|name| is_installed(name)) {
        let mut lab = Lab::new(
            "local kept, t, format = nil, { a = 'a', b = 'b' }, string.format
             local function deep(n) if n > 0 then return 1 + deep(n - 1) end measure.sink(format('%s%s', t.a, t.b)) return 0 end
             measure.describe('a').run(function() kept = deep(20) end)
             measure.describe('b').run(function() kept = { 1 } measure.sink(t.a .. t.b) end)
             measure.describe('c').run(function() kept = { deep } end)",
        );
        lab.host = host(interpreter);
        let table = if interpreter == "luajit" { 1.0 } else { 2.0 };
        for (case, allocs, finds) in [(1, 1.0, true), (2, table + 1.0, true), (3, table, false)] {
            let mut prepare = quick();
            prepare.case = case;
            let (mut talk, _) = lab.prepared(prepare);
            talk.turn(0);
            for reading in talk.memory(2) {
                let calls = reading.observation.iterations.unwrap() as f64;
                let interned = reading.value("interned");
                assert_eq!(
                    reading.value("allocs").unwrap(),
                    allocs * calls,
                    "{interpreter} {case}"
                );
                assert_eq!(
                    interned.is_some_and(|bytes| bytes > 0.0),
                    finds,
                    "{interpreter} {case}"
                );
                assert_eq!(reading.value("reallocs"), Some(0.0), "{interpreter} {case}");
            }
        }
    }
}

/// Catches an interpreter that cannot be executed taken for a suite that ended its process.
fn an_interpreter_that_is_missing_is_named() {
    let mut lab = Lab::new(SUITE);
    let path = "/nowhere/lua9.9".into();
    lab.host = Host { interpreter: Interpreter::Program(path), ..Host::embedded() };
    let mut talk = lab.start();
    let Answer::Failed(failed) = talk.ask(&lab.request()) else { panic!("it is there") };
    assert_eq!(failed.stage, Stage::Driver);
    assert!(failed.message.contains("cannot execute /nowhere/lua9.9: No such file"), "{failed:?}");
}

/// Catches a fallback that is not there when it is needed, or not stated.
fn the_driver_runs_without_the_native_module() {
    for interpreter in INTERPRETERS.into_iter().filter(|name| is_installed(name)) {
        let mut lab = Lab::new(SUITE);
        lab.host = host_without_modules(interpreter, &lab);
        for (case, grows) in [(1, true), (3, false)] {
            let (mut talk, loaded) = lab.loaded();
            let clock = if interpreter == "luajit" { "ffi" } else { "os" };
            assert_eq!(
                (loaded.runtime.clock.as_str(), loaded.runtime.memory.as_str()),
                (clock, "count")
            );
            let mut prepare = quick();
            prepare.case = case;
            talk.prepare(prepare);
            talk.turn(0);
            for reading in talk.memory(2) {
                assert_eq!(reading.value("allocs"), None);
                assert_eq!(reading.value("alloc").unwrap() > 0.0, grows, "{interpreter}");
            }
            talk.finish();
            assert_eq!(talk.end(), Outcome::Ok);
        }
    }
}

/// Catches an answer lost in what a suite prints, requests that it reads, and a process that keeps the pipe.
fn without_the_module_a_suite_may_use_its_streams() {
    for interpreter in INTERPRETERS.into_iter().filter(|name| is_installed(name)) {
        let mut lab = Lab::new(
            "assert(io.read() == nil and io.stdin:read() == nil)
             io.write('no line end') io.stderr:write('0 {}\\n')
             os.execute('sleep 1000 & echo from a shell')
             measure.describe('a').run(function() end)",
        );
        lab.host = host_without_modules(interpreter, &lab);
        let (mut talk, _) = lab.finished();
        let printed = talk.printed();
        for part in ["no line end", "0 {}", "from a shell"] {
            assert!(printed.contains(part), "{interpreter}: {printed}");
        }
        let mut lab = Lab::new("error(('x'):rep(100000))");
        lab.host = host_without_modules(interpreter, &lab);
        let (_, failed) = lab.failed();
        assert!(failed.message.contains("bytes more"), "{interpreter}: {}", failed.message);
        let mut lab = Lab::new("measure.describe('a').run(function() os.exit(3) end)");
        lab.host = host_without_modules(interpreter, &lab);
        let (_, ended) = lab.through();
        assert_eq!(ended, Answer::Ended(Outcome::Failed { code: 3 }), "{interpreter}");
    }
}

/// Catches search paths other than the interpreter's own, arguments of etalon's, and its descriptors in a
/// suite's hands.
fn a_suite_finds_what_its_interpreter_has() {
    for interpreter in INTERPRETERS.into_iter().filter(|name| is_installed(name)) {
        let program = "io.write(package.path, package.cpath, _VERSION)";
        let by_itself = Command::new(interpreter).args(["-e", program]).output().unwrap();
        let by_itself = String::from_utf8(by_itself.stdout).unwrap();
        let mut lab = Lab::new(
            "assert(arg[0]:find('suite.lua', 1, true) and #arg == 0)
             io.write('<', package.path:gsub('^[^;]*;[^;]*;', ''), package.cpath, _VERSION, '>')
             -- The pause lets popen close its end of the pipe.
             print(io.popen('sleep 0.2; ls -l /proc/$PPID/fd'):read('*a'))
             local native = require('etalon.native')
             assert(native.clock() <= native.clock() and not native.write and not native.close)
             measure.describe('a').run(function() end)",
        );
        lab.host = host(interpreter);
        let (mut talk, _) = lab.finished();
        let printed = talk.printed();
        let tail = |text: &str| text.replace("./", "");
        let shown = printed.split(['<', '>']).nth(1).unwrap();
        let (shown, by_itself) = (tail(shown), tail(&by_itself));
        assert!(!printed.contains("memfd"), "{interpreter}: {printed}");
        let pipes = printed.lines().filter(|line| line.contains("pipe:")).count();
        assert_eq!(
            pipes, 3,
            "standard output and error, and that of `ls`: {interpreter}: {printed}"
        );
        assert!(shown.contains("/usr/"), "{interpreter}: {shown}");
        assert_eq!(shown.len(), by_itself.len(), "{interpreter}:\n{shown}\n{by_itself}");
    }
}

/// Catches a compiler that is on while a suite is loaded, or is switched on before a case is called.
fn a_compiler_is_off_from_the_first_instruction() {
    let mut hosts = vec![Host::embedded()];
    hosts.extend(is_installed("luajit").then(|| host("luajit")));
    for host in hosts {
        let mut lab = Lab::new(
            "local util, traces = require('jit.util'), 0
             jit.attach(function() traces = traces + 1 end, 'trace')
             for i = 1, 1e4 do measure.sink(i) end
             print('loaded', jit.status(), traces, (util.traceinfo(1)))
             measure.describe('a').run(function() measure.sink({}) end)
                 .teardown(function() print('ended', jit.status(), traces, (util.traceinfo(1))) end)",
        );
        lab.host = Host { jit: Jit::Off, ..host.clone() };
        let (mut talk, loaded) = lab.loaded();
        assert_eq!(loaded.runtime.jit, "off");
        talk.prepare(quick());
        talk.turn(0);
        talk.memory(2);
        talk.finish();
        assert_eq!(talk.printed(), "loaded\tfalse\t0\tnil\nended\tfalse\t0\tnil\n");
        lab.host = host;
        assert_eq!(lab.loaded().1.runtime.jit, "on");
    }
}

/// Catches a stack that grows again after every collection. The block for it is larger than 1,008 B, for which malloc
/// merges its small free blocks; records of calls, which are freed, too, are smaller.
fn a_collection_leaves_room_in_the_stack() {
    let script = "local collector = dofile('lua/collector.lua')(os.clock, 0)
        local function deep(levels, a, b, c, d, e, f, g, h)
            if levels > 0 then return (deep(levels - 1, a, b, c, d, e, f, g, h)) end
        end
        for _ = 1, 3 do
            collector.once()
            collectgarbage('stop')
            local before = collectgarbage('count')
            deep(8)
            assert(collectgarbage('count') - before < 1, collectgarbage('count') - before)
        end";
    for interpreter in INTERPRETERS.into_iter().filter(|name| is_installed(name)) {
        let done = Command::new(interpreter).args(["-e", script]).output().unwrap();
        assert!(done.status.success(), "{interpreter}: {}", String::from_utf8_lossy(&done.stderr));
    }
}

/// Catches a request that is compiled, and a line that is made of Lua's strings, between two timed batches.
fn little_is_allocated_between_samples() {
    let suite = "local count, last, between = collectgarbage, 0, 0
        measure.describe('a').run(function()
            local now = count('count')
            if now > last then between = now - last end
            last = now
        end).teardown(function() measure.metric('between', between * 1024, 'B') end)";
    for interpreter in INTERPRETERS.into_iter().filter(|name| is_installed(name)) {
        let mut lab = Lab::new(suite);
        lab.host = host(interpreter);
        let mut prepare = quick();
        prepare.gc_step = -1;
        let (mut talk, _) = lab.prepared(prepare);
        for turn in 0..5 {
            talk.turn(turn);
        }
        let between = talk.finish().metrics[0].value;
        assert!(between < 256.0, "{interpreter}: {between}");
    }
}
