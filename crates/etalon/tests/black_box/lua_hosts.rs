//! `--lua` and `--jit`: the same cases on every Lua that is installed, in the same blocks; what a Lua cannot do is said.

use std::collections::BTreeMap;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::openresty::nginx;
use crate::suites::{QUICK, broken, names, run};
use crate::support::{Lab, Record, Running, has, held, joined, signal, skip, until};

const INTERPRETERS: [&str; 5] = ["lua5.1", "lua5.2", "lua5.3", "lua5.4", "luajit"];

fn found(interpreter: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|place| place.join(interpreter)).find(|path| path.is_file())
}

/// Whether all of these can be tested with; says which not.
fn are_installed(interpreters: &[&str]) -> bool {
    let missing = interpreters.iter().filter(|interpreter| found(interpreter).is_none());
    let missing: Vec<String> = missing.map(ToString::to_string).collect();
    if !missing.is_empty() {
        skip(&format!("etalon run --lua: {} is not installed", missing.join(", ")));
    }
    missing.is_empty()
}

/// Cases that allocate, and one that does not.
const SUITE: &str = "local measure = require('measure')
    local kept
    measure.describe('table'):run(function() kept = { 1, 2, 3 } end)
    measure.describe('nothing'):run(function() end)";

/// The parameter that says which Lua a benchmark was executed on, by its number.
fn luas(record: &Record) -> Vec<String> {
    let lua = |line: &&Value| line["params"]["lua"].as_str().unwrap_or("").to_owned();
    record.of_type("benchmark").iter().map(lua).collect()
}

/// Allocations and bytes per call, of every benchmark and block.
fn allocated(record: &Record) -> BTreeMap<(i64, i64), Vec<(f64, f64)>> {
    let mut all: BTreeMap<_, Vec<_>> = BTreeMap::new();
    for line in record.measured() {
        let values = &line["values"];
        let (Some(allocs), Some(bytes)) = (values["allocs"].as_f64(), values["alloc"].as_f64())
        else {
            continue;
        };
        let calls = line["iterations"].as_f64().expect("a number of calls");
        let at =
            (line["benchmark"].as_i64().expect("a number"), line["block"].as_i64().expect("one"));
        all.entry(at).or_default().push((allocs / calls, bytes / calls));
    }
    all
}

/// Would catch a Lua that is left out, Luas one after the other, counts that differ between runs, and a report that
/// cannot show them side by side.
#[test]
fn all_luas_are_measured_in_the_same_blocks() {
    if !are_installed(&INTERPRETERS) || nginx().is_none() {
        return;
    }
    let lab = Lab::new();
    lab.write("s.lua", SUITE);
    let hosts = ["embedded", "lua5.1", "lua5.2", "lua5.3", "lua5.4", "luajit", "openresty"];
    let asked: Vec<&str> = hosts.iter().flat_map(|host| ["--lua", *host]).collect();
    let counted = |_| {
        run(&lab, &[&asked[..], &["s.lua"]].concat()).expect(0);
        let record = lab.record();
        assert_eq!(luas(&record), hosts.map(|host| [host; 2]).concat());
        let counts = allocated(&record);
        assert_eq!(counts.len(), 2 * 2 * hosts.len(), "cases, blocks, Luas: {counts:?}");
        for ((benchmark, _), readings) in &counts {
            let jit = [0, 5, 6].contains(&(benchmark / 2));
            let table = if jit { 1.0 } else { 2.0 };
            let expected = if benchmark % 2 == 0 { table } else { 0.0 };
            assert!(
                readings.iter().all(|reading| reading.0 == expected),
                "{benchmark}: {readings:?}"
            );
        }
        counts
    };
    let counts = [1, 2].map(counted);
    assert_eq!(counts[0], counts[1]);
    let record = lab.record();
    for block in [0, 1] {
        let there = |lua: usize| record.of(2 * lua).iter().any(|line| line["block"] == block);
        assert!((0..hosts.len()).all(there), "block {block}");
    }
    let table = lab.done(["report", "@last", "--row", ".name", "--col", "/lua"]);
    let header = table.lines().find(|line| line.contains("sec/op")).expect("a table");
    let columns: Vec<&str> = header.split_whitespace().skip(1).collect();
    // Where so many have no room, the first one's values are left out.
    assert_eq!(columns, hosts[1..], "in the order in which they were asked for: {table}");
    has(&table, &["table", "nothing"]);
    has(&joined(&lab.done(["report", "@last", "--full"])), &["embedded(LuaJIT2", "lua5.2(Lua5.2)"]);
    let json = lab.json(["report", "@last", "--json"]);
    assert_eq!(json["benchmarks"][6]["case"]["host"]["language"], "Lua 5.3");
}

/// Would catch Luas that are measured and never compared, because no line says how; and a line that does not.
#[test]
fn what_compares_luas_is_named() {
    let lab = Lab::new();
    lab.write("s.lua", SUITE);
    let more =
        |options: &[&str]| joined(&run(&lab, &[options, &["s.lua"]].concat()).expect(0).stdout);
    let hint = joined("More: etalon report @last --col /jit (each function between Luas), --full");
    has(&more(&["--jit", "on,off"]), &[&hint]);
    let table = lab.done(["report", "@last", "--col", "/jit"]);
    has(&table, &["on → off   time:", "table", "nothing"]);
    run(&lab, &["--jit", "on,off", "--no-save", "-o", "j.jsonl", "s.lua"]).expect(0);
    let hint = joined("More: etalon report FILE --col /jit (each function between Luas); --full");
    has(&joined(&lab.done(["report", "j.jsonl"])), &[&hint]);
    for one in [&[][..], &["--jit", "off"]] {
        assert!(!more(one).contains("--col"), "{one:?}");
    }
    if !are_installed(&["lua5.4"]) {
        return;
    }
    let both = ["--lua", "embedded", "--lua", "lua5.4", "--jit", "on,off"];
    has(
        &more(&both),
        &[&joined("More: etalon report @last --col /lua,/jit (each function between Luas)")],
    );
    lab.done(["report", "@last", "--col", "/lua,/jit"]);
    // One function is compared on all Luas anyway.
    lab.write("s.lua", "require('measure').describe('one'):run(function() end)");
    assert!(!more(&both).contains("--col"));
}

/// Would catch a name of today's records that changes, and a single Lua that its cases do not name.
#[test]
fn only_luas_that_were_asked_for_stand_in_names() {
    let lab = Lab::new();
    lab.write("s.lua", SUITE);
    for embedded in [&[][..], &["--lua", "embedded"], &["--jit", "on"]] {
        let ended = run(&lab, &[embedded, &["s.lua"]].concat()).expect(0);
        let record = lab.record();
        let line = record.of_type("benchmark")[0];
        assert_eq!((line.get("params"), line["case"].get("host")), (None, None));
        has(&ended.stdout, &["embedded LuaJIT 2"]);
        assert_eq!(record.lines[0]["context"]["runtime.host"], "embedded");
    }
    if !are_installed(&["lua5.4"]) {
        return;
    }
    let decided = ["run", "--until", "decided", "--lua", "lua5.4", "--lua", "embedded", "s.lua"];
    has(&lab.run(decided).expect(2).stderr, &["looks at one family of comparisons"]);
    let path = found("lua5.4").expect("lua5.4").display().to_string();
    let ended = run(&lab, &["--lua", "lua5.4", "s.lua"]).expect(0);
    let record = lab.record();
    assert_eq!(luas(&record), ["lua5.4"; 2]);
    let host = &record.of_type("benchmark")[0]["case"]["host"];
    assert_eq!([&host["path"], &host["version"]], [&json!(path), &json!("Lua 5.4")]);
    assert_eq!(record.lines[0]["context"]["runtime.path"], json!(path));
    has(&joined(&ended.stdout), &["Lua5.4,noJIT", "s.lua(lua=lua5.4)"]);
}

/// Would catch a compiler that is on where it should be off, or the same process for both.
#[test]
fn a_compiler_is_an_axis() {
    let lab = Lab::new();
    lab.write(
        "s.lua",
        "local measure = require('measure')
         print('loaded', jit and jit.status())
         local on
         measure.describe('a'):setup(function() on = jit and jit.status() end):run(function() end)
             :teardown(function() print('measured', on, jit and jit.status()) end)",
    );
    let mut asked = vec!["--jit", "on,off", "s.lua"];
    let mut expected = vec![("embedded", "on"), ("embedded", "off")];
    if are_installed(&["luajit", "lua5.4"]) {
        asked.extend(["--lua", "embedded", "--lua", "luajit", "--lua", "lua5.4"]);
        expected.extend([("luajit", "on"), ("luajit", "off"), ("lua5.4", "none")]);
    }
    run(&lab, &asked).expect(0);
    let record = lab.record();
    let lines = record.of_type("benchmark");
    assert_eq!(lines.len(), expected.len());
    for (number, (line, (lua, jit))) in lines.iter().zip(&expected).enumerate() {
        assert_eq!(line["params"]["jit"], *jit);
        assert_eq!(line["case"]["host"]["jit"], *jit);
        assert_eq!(line["case"]["host"]["name"], *lua);
        let printed = record.of_type("output");
        let printed = printed.iter().find(|line| line["benchmark"] == number).expect("its text");
        let status = match *jit {
            "on" => "measured\ttrue\ttrue\n",
            "off" => "measured\tfalse\tfalse\n",
            _ => "measured\tnil\tnil\n",
        };
        assert_eq!(printed["text"], status, "{lua} {jit}");
    }
    run(&lab, &["--jit", "off", "s.lua"]).expect(0);
    assert_eq!(lab.record().of_type("benchmark")[0]["params"], json!({ "jit": "off" }));
    if are_installed(&["lua5.1"]) {
        let refused = run(&lab, &["--jit", "off", "--lua", "lua5.1", "s.lua"]).expect(2);
        has(&refused.stderr, &["no JIT compiler in lua5.1"]);
    }
}

/// Would catch a Lua that is looked for when measuring has begun, and an error without a way out.
#[test]
fn what_is_no_lua_is_refused() {
    let lab = Lab::new();
    lab.write("s.lua", SUITE);
    lab.script("talker", "echo 'usage: talker' >&2; exit 3");
    for (host, said) in [
        ("lua9.9", "--lua lua9.9: not found in PATH: write one of embedded"),
        ("./none", "--lua ./none: there is no such program"),
        ("./s.lua", "--lua ./s.lua: "),
        (
            "./talker",
            "--lua ./talker: it does not do what a Lua does, and says: usage: talker; name an interpreter",
        ),
        ("/bin/true", "--lua /bin/true: it does not do what a Lua does"),
    ] {
        let refused = run(&lab, &["--lua", host, "s.lua"]).expect(2);
        has(&refused.stderr, &[said]);
        assert_eq!(refused.stderr.lines().count(), 1, "{}", refused.stderr);
        assert!(lab.saved().is_empty());
    }
    let twice = run(&lab, &["--lua", "embedded", "--lua", "embedded", "s.lua"]).expect(2);
    has(&twice.stderr, &["--lua embedded: is asked for twice"]);
    lab.write("own.lua", "require('measure').describe('a', { jit = { 1 } }):run(function() end)");
    let own = run(&lab, &["--jit", "off", "own.lua"]).expect(2);
    has(&own.stderr, &["case a [jit=1, jit=off]: it has a param"]);
}

/// Would catch a file that only its author's Lua can read without a word on which that is; and one that is executed to
/// find out.
#[test]
fn a_syntax_that_a_lua_does_not_know_names_those_that_do() {
    if !are_installed(&INTERPRETERS) {
        return;
    }
    let lab = Lab::new();
    for (code, knows) in [
        ("return 7 // 2", "lua5.3, lua5.4"),
        ("local x <const> = 1", "lua5.4"),
        ("goto out ::out::", "embedded, luajit, lua5.2, lua5.3, lua5.4"),
    ] {
        let counting = "local file = io.open('loaded', 'a') file:write('x') file:close()";
        lab.write(
            "s.lua",
            format!(
                "#!/usr/bin/env lua\n{counting}
                 require('measure').describe('a'):run(function() {code} end)"
            ),
        );
        let ended = run(&lab, &["--lua", "lua5.1", "s.lua"]).expect(1);
        let path = found("lua5.1").expect("lua5.1").display().to_string();
        let said =
            format!("lua5.1 ({path}) does not know this syntax; it can be read by: {knows} (--lua");
        let (outcome, why) = broken(&lab.record(), "s.lua");
        assert_eq!(outcome, "{\"failed\":1}");
        assert!(why.starts_with("s.lua:3:") && why.contains(&said), "{why}");
        has(&joined(&ended.stdout), &[&joined(&said)]);
        assert_eq!(lab.read("loaded"), b"");
    }
    // Those that were asked for and can read it are measured.
    lab.write("t.lua", "require('measure').describe('a'):run(function() return 7 // 2 end)");
    run(&lab, &["--lua", "embedded", "--lua", "lua5.4", "t.lua"]).expect(1);
    let record = lab.record();
    assert_eq!(names(&record), ["t.lua", "a"]);
    assert!(broken(&record, "t.lua").1.contains("the embedded LuaJIT does not know this syntax"));
    lab.write("u.lua", "x = = 1");
    run(&lab, &["u.lua"]).expect(1);
    assert!(!broken(&lab.record(), "u.lua").1.contains("syntax"), "no Lua reads it");
}

/// Would catch a Lua without C modules that is refused, or measured without a word on its clock.
#[test]
fn a_lua_without_the_native_module_is_measured_with_what_it_has() {
    if !are_installed(&["lua5.4", "luajit"]) {
        return;
    }
    let lab = Lab::new();
    lab.write("s.lua", SUITE);
    for (lua, clock, said) in [
        ("lua5.4", "os", "times are os.clock's"),
        ("luajit", "ffi", "the clock is read through the FFI"),
    ] {
        lab.script("without", &format!("exec {lua} -e 'package.loadlib = nil' \"$@\""));
        let ended = run(&lab, &["--lua", "./without", "--lua", lua, "s.lua"]).expect(0);
        let record = lab.record();
        let clocks: Vec<Value> = record
            .of_type("benchmark")
            .iter()
            .map(|line| line["case"]["host"]["clock"].clone())
            .collect();
        assert_eq!(clocks, [clock, clock, "native", "native"]);
        assert_eq!(record.of_type("benchmark")[0]["case"]["host"]["memory"], "count");
        let shown = joined(&(ended.stdout + &lab.done(["report", "@last", "--full"])));
        has(&shown, &[&joined(&format!("./without: the native module is missing: {said}"))]);
        assert!(!shown.contains(&joined(&format!("{lua}: the native module"))), "{shown}");
    }
}

/// Would catch two Luas of the same version taken for one.
#[test]
fn copies_of_a_lua_are_told_apart() {
    if !are_installed(&["luajit"]) {
        return;
    }
    let lab = Lab::new();
    lab.write("s.lua", SUITE);
    let original = found("luajit").expect("luajit");
    for (name, more) in [("one", &b""[..]), ("two", b"more")] {
        let bytes = [&std::fs::read(&original).expect("a program")[..], more].concat();
        let path = lab.write(name, bytes);
        std::fs::set_permissions(path, PermissionsExt::from_mode(0o755)).expect("its mode");
    }
    run(&lab, &["--lua", "./one", "--lua", "./two", "--lua", "luajit", "s.lua"]).expect(0);
    let record = lab.record();
    let hosts: Vec<Value> = record
        .of_type("benchmark")
        .iter()
        .step_by(2)
        .map(|line| line["case"]["host"].clone())
        .collect();
    assert_eq!(hosts[0]["version"], hosts[1]["version"]);
    assert_eq!(hosts[0]["path"], json!(lab.path("one").canonicalize().expect("a path")));
    assert_ne!(hosts[0]["hash"], hosts[1]["hash"]);
    assert_eq!(hosts[0]["hash"], hosts[2]["hash"]);
    assert_ne!(hosts[0]["path"], hosts[2]["path"]);
}

/// Whether anything of etalon's is where temporary files are.
fn temporary() -> Vec<PathBuf> {
    let places = [std::env::temp_dir(), Path::new("/dev/shm").to_owned()];
    let entries =
        places.iter().filter_map(|place| std::fs::read_dir(place).ok()).flatten().flatten();
    let native = |path: &PathBuf| path.to_string_lossy().contains("native");
    entries.map(|entry| entry.path()).filter(native).collect()
}

/// Would catch an interpreter that outlives etalon, with and without the native module, and a file of it.
#[test]
fn nothing_of_a_lua_is_left_behind() {
    if !are_installed(&["lua5.4", "luajit"]) {
        return;
    }
    for with in [libc::SIGINT, libc::SIGKILL] {
        let lab = Lab::new();
        let before = temporary();
        lab.script("without", "exec lua5.4 -e 'package.loadlib = nil' \"$@\"");
        lab.script("around", "lua5.4 \"$@\"");
        lab.write(
            "s.lua",
            "require('measure').describe('a')
                 :setup(function() os.execute('sleep 1000 &') end):run(function() end)",
        );
        let hosts = ["--lua", "luajit", "--lua", "./without", "--lua", "./around"];
        let list =
            [&["run", "-r", "100000", "-w", "0", "--budget", "0.1s"], &hosts[..], &["s.lua"]]
                .concat();
        let running = Running::start(lab.etalon(list));
        let samples = || {
            let bytes =
                lab.saved().last().and_then(|path| std::fs::read(path).ok()).unwrap_or_default();
            String::from_utf8_lossy(&bytes).matches("\"turn\":").count()
        };
        until("samples", || samples() > 30);
        signal(running.pid(), with);
        running.end();
        lab.assert_nothing_left();
        assert_eq!(temporary(), before);
    }
}

/// Would catch another Lua under the old name, and a Lua that is forgotten.
#[test]
fn a_resumed_run_goes_on_with_the_same_luas() {
    if !are_installed(&["lua5.4", "lua5.3"]) {
        return;
    }
    let lab = Lab::new();
    // Each process of it counts itself, and the third is held.
    let setup = format!("describe('table'):setup(function() os.execute('{}') end)", held("."));
    lab.write("s.lua", SUITE.replace("describe('table')", &setup));
    lab.write("hold", "3");
    let copy = |of: &str| {
        let bytes = std::fs::read(found(of).expect("a Lua")).expect("a program");
        let _gone = std::fs::remove_file(lab.path("own"));
        let path = lab.write("own", bytes);
        std::fs::set_permissions(path, PermissionsExt::from_mode(0o755)).expect("its mode");
    };
    copy("lua5.4");
    let asked =
        ["-r", "6", "-w", "0", "--budget", "1s", "--lua", "embedded", "--lua", "./own", "s.lua"];
    let running = Running::start(lab.etalon([&["run"][..], &asked].concat()));
    until("processes", || lab.read("done").len() >= 3);
    signal(running.pid(), libc::SIGINT);
    running.end();
    std::fs::remove_file(lab.path("hold")).unwrap();
    copy("lua5.3");
    let refused = lab.run(["run", "--resume", "@last"]).expect(2);
    has(
        &refused.stderr,
        &["the Lua of `table [lua=./own]` is not what it was: `./own` was changed"],
    );
    copy("lua5.4");
    lab.done(["run", "--resume", "@last"]);
    let record = lab.record();
    assert_eq!(luas(&record), ["embedded", "embedded", "./own", "./own"]);
    assert_eq!(record.stopped_by().as_deref(), Some("runs"));
}

/// Would catch an empty loop of one Lua beside the cases of another.
#[test]
fn every_lua_has_its_own_empty_loop() {
    if !are_installed(&["lua5.4"]) {
        return;
    }
    let lab = Lab::new();
    lab.write("s.lua", SUITE);
    let asked = [&QUICK[..], &["--lua", "embedded", "--lua", "lua5.4", "--show-overhead", "s.lua"]]
        .concat();
    lab.run([&["run"][..], &asked].concat()).expect(0);
    let record = lab.record();
    assert_eq!(luas(&record)[4..], ["embedded", "lua5.4"]);
    assert_eq!(names(&record)[4..], ["(empty loop)", "(empty loop)"]);
    let loops = [4, 5].map(|number| record.of(number).len());
    assert!(loops.iter().all(|count| *count > 0), "{loops:?}");
}
