//! The driver and the native module in other interpreters, as far as they are installed: the same
//! text, the same protocol.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use etalon_core::model::Outcome;
use etalon_lua::{Answer, Host, Interpreter, Stage};

use super::Test;
use super::lab::{Lab, quick, skip};

pub(crate) const TESTS: &[Test] = &[
    ("the_driver_runs_in_every_lua", the_driver_runs_in_every_lua),
    ("a_found_result_counts_as_new_in_every_lua", a_found_result_counts_as_new_in_every_lua),
    ("an_interpreter_that_is_missing_is_named", an_interpreter_that_is_missing_is_named),
    ("the_driver_runs_without_the_native_counts", the_driver_runs_without_the_native_counts),
];

pub(crate) const INTERPRETERS: [&str; 5] = ["lua5.1", "lua5.2", "lua5.3", "lua5.4", "luajit"];

/// Starts the driver: its first argument is the directory of the parts, which are read when they are
/// asked for; its second where the native module is, its third whether the driver may use it for more
/// than the channel.
const BOOT: &str = "local parts, directory = {}, arg[1]
    package.cpath = arg[2] .. '/?.so;' .. package.cpath
    local native = require('etalon.native')
    native.adopt()
    setmetatable(parts, { __index = function(_, name)
        local file = io.open(directory .. '/' .. name .. '.lua')
        if not file then return nil end
        local text = file:read('*a')
        file:close()
        return assert((loadstring or load)(text, '=etalon/' .. name .. '.lua'))
    end })
    parts.native = arg[3] == 'whole' and native or nil
    parts.channel = native
    os.exit(parts.driver(parts))";

/// The shared object, which cargo puts beside the tests, under the name Lua looks for.
fn native_module(lab: &Lab) -> PathBuf {
    let built = std::env::current_exe().unwrap().with_file_name("libetalon_lua_native.so");
    std::fs::create_dir_all(lab.path("etalon")).unwrap();
    std::fs::copy(&built, lab.path("etalon/native.so")).unwrap();
    lab.directory.path().to_owned()
}

pub(crate) fn is_installed(interpreter: &str) -> bool {
    let found =
        Command::new(interpreter).arg("-v").stdout(Stdio::null()).stderr(Stdio::null()).status();
    if found.is_err() {
        skip(&format!("the driver and the rock in {interpreter}: it is not installed"));
    }
    found.is_ok()
}

fn host(interpreter: &str, lab: &Lab, native: &str) -> Host {
    let script = lab.path("boot.lua");
    std::fs::write(&script, BOOT).unwrap();
    let parts = Path::new(env!("CARGO_MANIFEST_DIR")).join("lua");
    let args = [script.into(), parts.into(), native_module(lab).into(), OsString::from(native)];
    let name = interpreter.to_owned();
    let (path, arg0) = (interpreter.into(), interpreter.into());
    Host { interpreter: Interpreter::Program { path, arg0, args: args.into() }, name }
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
        lab.host = host(interpreter, &lab, "whole");
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
            lab.host = host(interpreter, &lab, "whole");
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
        lab.host = host(interpreter, &lab, "whole");
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
    lab.host = host("lua9.9", &lab, "whole");
    let mut talk = lab.start();
    let Answer::Failed(failed) = talk.ask(&lab.request()) else { panic!("it is there") };
    assert_eq!(failed.stage, Stage::Driver);
    assert!(failed.message.contains("cannot execute lua9.9: No such file"), "{failed:?}");
}

/// Catches a fallback that is not there when it is needed, or not stated.
fn the_driver_runs_without_the_native_counts() {
    for interpreter in INTERPRETERS.into_iter().filter(|name| is_installed(name)) {
        let mut lab = Lab::new(SUITE);
        lab.host = host(interpreter, &lab, "channel");
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
