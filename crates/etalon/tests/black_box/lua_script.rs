//! `etalon lua`: what a script gets, and how it ends, is as with the `luajit` program.

use std::fs::File;
use std::process::Stdio;

use crate::support::{Ended, Lab, Running, has};

/// Would catch arguments that etalon takes for its own, and an `arg` that is not theirs.
#[test]
fn a_script_gets_all_that_stands_behind_it() {
    let lab = Lab::new();
    lab.write(
        "s.lua",
        "#!/usr/bin/env -S etalon lua\nprint(arg[0], #arg, select('#', ...), ...) print(table.concat(arg, '|'), jit.status())",
    );
    let said = lab.done(["lua", "s.lua", "--jit", "off", "-h", "--help", "a b", "--"]);
    let arguments =
        "s.lua\t6\t6\t--jit\toff\t-h\t--help\ta b\t--\n--jit|off|-h|--help|a b|--\ttrue";
    assert!(said.starts_with(arguments), "{said}");
    has(&lab.done(["lua", "--jit", "off", "s.lua"]), &["s.lua\t0\t0", "\tfalse"]);
    assert!(lab.done(["lua", "--help"]).contains("inside etalon"));
}

/// Would catch a script that is tangled with etalon's own streams, and output that is lost.
#[test]
fn its_streams_are_its_own() {
    let lab = Lab::new();
    lab.write(
        "in",
        "print('from stdin', ...) io.stderr:write('an error\\n') io.write('no line end')",
    );
    let mut command = lab.etalon(["lua", "-", "x"]);
    command.stdin(Stdio::from(File::open(lab.path("in")).expect("the input")));
    let Ended { stdout, stderr, .. } = Running::start_with_input(command).end().expect(0);
    assert_eq!((stdout.as_str(), stderr.as_str()), ("from stdin\tx\nno line end", "an error\n"));
    lab.write("s.lua", "for line in io.lines() do print('<' .. line .. '>') end");
    let mut command = lab.etalon(["lua", "s.lua"]);
    command.stdin(Stdio::from(File::open(lab.path("s.lua")).expect("the input")));
    has(&Running::start_with_input(command).end().expect(0).stdout, &["<for line in io.lines()"]);
    // A pipe that nobody reads ends it, as it would any other program.
    lab.write("endless.lua", "while true do print(('x'):rep(1000)) end");
    Running::start(lab.shell("\"$E\" lua endless.lua | head -n 1")).end().expect(0);
}

/// Would catch a failed script that looks well, and an error without its place.
#[test]
fn errors_are_told_with_a_traceback() {
    let lab = Lab::new();
    for (script, code, said) in [
        (
            "local function deep() error('boom') end\nlocal function f() deep() end\nf()",
            1,
            "etalon lua: s.lua:1: boom\nstack traceback:\n",
        ),
        ("error({ code = 7 })", 1, "etalon lua: (error object is a table value)\n"),
        (
            "error(setmetatable({}, { __tostring = function() return 'words' end }))",
            1,
            "etalon lua: words\n",
        ),
        ("x = = 1", 1, "etalon lua: s.lua:1: unexpected symbol near '='\n"),
        ("os.exit(7)", 7, ""),
        ("os.exit(true)", 0, ""),
        ("io.write('kept') os.exit(3, true)", 3, ""),
        ("return 5", 0, ""),
    ] {
        lab.write("s.lua", script);
        let ended = lab.run(["lua", "s.lua"]).expect(code);
        assert!(ended.stderr.starts_with(said), "{script}: {}", ended.stderr);
        assert!(!ended.stderr.contains("etalon/"), "{}", ended.stderr);
        assert_eq!(ended.stdout, if script.contains("kept") { "kept" } else { "" });
    }
    lab.write(
        "s.lua",
        "local function deep() error('boom') end\nlocal function f() deep() end\nf()",
    );
    let traced = lab.run(["lua", "s.lua"]).expect(1).stderr;
    has(&traced, &["s.lua:2: in function 'f'", "s.lua:3: in main chunk"]);
    has(&lab.run(["lua", "none.lua"]).expect(1).stderr, &["etalon lua: cannot open none.lua"]);
    has(&lab.run(["lua", "--jti", "off", "s.lua"]).expect(2).stderr, &["--jti"]);
    has(&lab.run(["lua"]).expect(2).stderr, &["FILE"]);
}

/// Would catch finalisers that are left out, and libraries or places that workers have and a script does not.
#[test]
fn it_is_the_lua_that_cases_have() {
    let lab = Lab::new();
    lab.write(
        "s.lua",
        "local ffi = require('ffi')
         kept = ffi.gc(ffi.new('int[1]'), function() print('finalised') end)
         assert(package.path:find('/usr/share/lua/5.1/?.lua', 1, true))
         assert(debug.sethook and io.popen and not package.loaded.measure)
         print(jit.version)",
    );
    let said = lab.done(["lua", "s.lua"]);
    assert!(said.starts_with("LuaJIT 2.1.") && said.ends_with("\nfinalised\n"), "{said}");
    // What it is there for: a command that needs no other Lua.
    lab.write("t.lua", "assert(arg[1] == 'x')");
    let json = lab.json([
        "cmd",
        "--json",
        "-r",
        "2",
        &format!("{} lua t.lua x", env!("CARGO_BIN_EXE_etalon")),
    ]);
    assert_eq!(json["benchmarks"][0]["outcomes"]["ok"], 2);
}
