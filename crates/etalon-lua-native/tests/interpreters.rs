//! The shared object in the interpreters that are installed: one build for all of them.

// Tests are the one place where a panic is the report.
#![allow(clippy::unwrap_used)]
#![allow(clippy::disallowed_methods, reason = "this is a binary")]

use std::io::{Read as _, Write as _};
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::path::PathBuf;
use std::process::{Command, Stdio};

const INTERPRETERS: [&str; 5] = ["lua5.1", "lua5.2", "lua5.3", "lua5.4", "luajit"];

/// The shared object, which cargo puts beside the tests, under the name Lua looks for.
fn module_directory() -> tempfile::TempDir {
    let built: PathBuf = std::env::current_exe().unwrap().with_file_name("libetalon_lua_native.so");
    let directory = tempfile::tempdir().unwrap();
    std::fs::create_dir(directory.path().join("etalon")).unwrap();
    std::fs::copy(built, directory.path().join("etalon/native.so")).unwrap();
    directory
}

/// Says loudly that something was not tested: on the screen, and where tests/run.sh counts.
fn skip(why: &str) {
    println!("SKIPPED: {why}");
    if let Some(file) = std::env::var_os("ETALON_TEST_SKIPS") {
        let mut file = std::fs::OpenOptions::new().append(true).create(true).open(file).unwrap();
        writeln!(file, "{why}").unwrap();
    }
}

/// Executes a script with the module in every interpreter; it has to exit with 0.
fn in_all(script: &str) {
    sent_in_all(script, "");
}

/// Executes a script likewise; it has to send these bytes to the socket that is its standard input.
fn sent_in_all(script: &str, expected: &str) {
    let directory = module_directory();
    for interpreter in INTERPRETERS {
        let path = format!("package.cpath = '{}/?.so'", directory.path().display());
        let program = format!("{path} local native = require('etalon.native') {script}");
        let (ours, theirs) = UnixStream::pair().unwrap();
        let mut command = Command::new(interpreter);
        let command = command.arg("-e").arg(program).stdin(OwnedFd::from(theirs));
        let output = command.output();
        command.stdin(Stdio::null()); // the last copy of their end is closed
        match output {
            Err(_) => skip(&format!("the native module in {interpreter}: it is not installed")),
            Ok(output) => {
                let said = String::from_utf8_lossy(&output.stderr);
                assert!(output.status.success(), "{interpreter}: {}: {said}", output.status);
                let mut sent = String::new();
                (&ours).read_to_string(&mut sent).unwrap();
                assert_eq!(sent, expected, "{interpreter}");
            }
        }
    }
}

/// Catches an API function that some version does not have, and a clock that stands still or runs
/// backwards.
#[test]
fn the_clock_moves_forward() {
    in_all(
        "local first = native.clock()
         local last = first
         for i = 1, 10000 do local now = native.clock(); assert(now >= last); last = now end
         assert(last > first and first >= 0 and last % 1 == 0 and native.origin > 0)",
    );
}

/// Catches a version whose allocator is called differently: for a new block, 5.2 and later pass the
/// kind of object in place of its size.
#[test]
fn allocations_are_counted() {
    in_all(
        "local kept, make = nil, function() return {} end
         local function read(fn)
             collectgarbage('collect') collectgarbage('stop')
             fn()
             native.count_begin(1000)
             native.count_resume() fn() native.count_pause()
             kept = { {}, {} } -- not counted, but in the peak
             return native.count_end()
         end
         local bytes, allocs, reallocs, frees, peak = read(function() end)
         assert(bytes == 0 and allocs == 0 and reallocs == 0 and frees == 0 and peak > 1000)
         local bytes, allocs, reallocs, frees = read(function() kept = make() end)
         assert(allocs == 1 and reallocs == 0 and frees == 0 and bytes >= 40 and bytes <= 64, bytes)
         local bytes, allocs, reallocs, frees = read(function()
             kept = make(); kept = nil; collectgarbage('collect')
         end)
         assert(allocs >= 1 and frees >= 1, frees)
         -- What was given back is what the heap did not grow by.
         for _, fill in ipairs({ 'kept[i] = i', 'kept[\"k\" .. i] = i' }) do
             local heap
             local fn = (loadstring or load)('return function() kept = {} for i = 1, 500 do ' .. fill .. ' end end')()
             local bytes, _, _, frees, _, _, returned = read(function()
                 local before = collectgarbage('count') * 1024
                 fn()
                 heap = collectgarbage('count') * 1024 - before
             end)
             assert(math.abs(bytes - returned - heap) < 1, bytes .. ' ' .. returned .. ' ' .. heap)
             assert(returned > bytes / 10 or fill == 'kept[i] = i', returned)
         end",
    );
}

/// Catches readings that are mixed up.
#[test]
fn a_reading_is_begun_and_ended_once() {
    in_all(
        "assert(not pcall(native.count_end))
         native.count_begin(0)
         assert(not pcall(native.count_begin, 0))
         native.count_end()
         assert(not pcall(native.count_end))
         assert(not pcall(native.count_begin, 'x'))",
    );
}

/// Catches an allocator that is unmapped before the state's last memory is freed: a crash at the end.
#[test]
fn a_state_can_be_closed_while_a_reading_is_on() {
    in_all(
        "native.count_begin(0) native.count_resume() kept = {} for i = 1, 100 do kept[i] = { i } end",
    );
}

/// Catches an allocator in some interpreter whose fresh memory is taken for holes, until the limit (4 MB), and holes that are
/// left: what was garbage between live blocks is found once.
#[test]
fn holes_are_filled_once() {
    in_all(
        "kept = {}
         for i = 1, 20000 do kept[i] = { i, i, i } end
         for i = 1, 20000, 2 do kept[i] = false end
         collectgarbage('collect') collectgarbage('collect')
         local first, again = native.fill_holes(), native.fill_holes()
         assert(first >= 100000 and first < 4000000, first)
         assert(again < first / 10, again)",
    );
}

/// Catches a channel made of something else: a line would go to a stranger.
#[test]
fn standard_input_that_is_no_channel_is_refused() {
    in_all(
        "native.close(0) io.open('/dev/null')
         local ok, why = pcall(native.adopt) assert(not ok and why:find('channel'), why)",
    );
}

/// Catches figures in another spelling than the record's, a nil that takes its name with it in only one of two
/// places, and memory that a line takes from Lua, which would be garbage between two timed batches.
#[test]
fn a_line_of_figures_takes_no_memory_of_lua() {
    sent_in_all(
        "native.adopt()
         local write, texts = native.write_figures, { '', '@', ' {\"a\":', ',\"b\":', ',\"c\":' }
         local figures, count = { 0, 0, 0, 0, 0 }, 7
         local function line()
             figures[1], figures[2], figures[3], figures[4], figures[5] = count, nil, 12, 0.25, 0/0
             write(texts, figures, '}\\n')
         end
         -- Called deeper, so that Lua's stack keeps the room for calls that it gives back after a collection.
         local function deeper(levels) if levels == 0 then return line() end deeper(levels - 1) return levels end
         collectgarbage('collect') collectgarbage('stop')
         deeper(3)
         native.count_begin(0)
         native.count_resume() line() native.count_pause()
         local bytes, allocs, reallocs = native.count_end()
         assert(bytes == 0 and allocs == 0 and reallocs == 0, bytes)
         assert(not pcall(write, { 'a' }, { {} }, 'b') and not pcall(write, { {} }, { 1 }, 'b'))
         assert(not pcall(write, {}, {}) and not pcall(write, 'a', 1, 'b'))
         assert(not pcall(write, { ('x'):rep(3000) }, { 1 }, ''))",
        "7 {\"a\":12,\"b\":0.25}\n7 {\"a\":12,\"b\":0.25}\n",
    );
}
