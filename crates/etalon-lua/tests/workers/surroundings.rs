//! What a suite finds: libraries, C modules, search paths.

use super::Test;
use super::lab::{Lab, skip};

pub(crate) const TESTS: &[Test] = &[
    ("the_state_is_a_stock_one", the_state_is_a_stock_one),
    ("c_modules_load", c_modules_load),
    ("the_suites_directory_is_searched_first", the_suites_directory_is_searched_first),
    ("the_preloaded_measure_wins", the_preloaded_measure_wins),
    ("nothing_else_is_open", nothing_else_is_open),
];

/// Catches a safe mode, and the driver's channel in a suite's hands.
fn the_state_is_a_stock_one() {
    let lab = Lab::new(
        "local ffi, buffer, util = require('ffi'), require('string.buffer'), require('jit.util')
         assert(ffi.new('int[2]')[1] == 0 and buffer.encode and util.traceinfo)
         assert(debug.sethook and io.popen and os.getenv and package.loadlib and jit.status())
         assert(package.path:find('/usr/share/lua/5.1/?.lua', 1, true))
         assert(package.cpath:find('-linux-gnu/lua/5.1/?.so', 1, true))
         local native = require('etalon.native')
         assert(native.clock() <= native.clock() and native.count_begin and not native.write and not native.read)
         assert(require('etalon.measure') == measure)
         measure.describe('a').run(function() end)",
    );
    lab.finished();
}

/// Catches a program that does not export Lua's API.
fn c_modules_load() {
    let lab = Lab::new(
        "local ok, cjson = pcall(require, 'cjson')
         if not ok and cjson:find('not found', 1, true) then print('missing') end
         assert(ok, cjson)
         assert(cjson.encode({ 1, 'two' }) == '[1,\"two\"]')
         local text = '{\"a\":[1,2,3]}'
         measure.describe('decode').run(function() return cjson.decode(text) end)",
    );
    let (mut talk, _) = lab.through();
    if talk.printed().contains("missing") {
        return skip("C modules in the embedded host: lua-cjson is not installed");
    }
    lab.finished();
}

/// Catches modules beside a suite that are not found, or found too late.
fn the_suites_directory_is_searched_first() {
    let lab = Lab::new(
        "assert(require('beside') == 'beside' and require('packed') == 'packed')
         assert(arg[0]:find('suite.lua', 1, true))
         measure.describe('a').run(function() end)",
    );
    std::fs::write(lab.path("beside.lua"), "return 'beside'").unwrap();
    std::fs::create_dir(lab.path("packed")).unwrap();
    std::fs::write(lab.path("packed/init.lua"), "return 'packed'").unwrap();
    lab.finished();
}

/// Catches an installed module of the same name that takes over.
fn the_preloaded_measure_wins() {
    let lab = Lab::new("measure.describe('a').run(function() end)");
    std::fs::write(lab.path("measure.lua"), "error('the wrong one')").unwrap();
    lab.finished();
}

/// Catches a descriptor of etalon's, or of whoever started it, in a suite's hands; and the channel in those
/// of what a suite starts.
fn nothing_else_is_open() {
    let lab = Lab::new(
        "local ffi = require('ffi')
         ffi.cdef('int fcntl(int, int, ...);')
         for fd = 0, 1023 do
             local flags = ffi.C.fcntl(fd, 1)
             if flags >= 0 then print(fd, flags) end
         end
         print(io.popen('ls -l /proc/self/fd'):read('*a'))
         measure.describe('a').run(function() end)",
    );
    // Inherited by whatever this process starts.
    // SAFETY: a call on descriptors without memory preconditions.
    let leaked = unsafe { libc::fcntl(2, libc::F_DUPFD, 7) };
    assert!(leaked > 2);
    let (mut talk, _) = lab.finished();
    // SAFETY: as above; it was made here.
    unsafe { libc::close(leaked) };
    let printed = talk.printed();
    assert!(printed.starts_with("0\t0\n1\t0\n2\t0\n200\t1\n"), "{printed}");
    assert!(!printed.contains("socket:"), "{printed}");
}
