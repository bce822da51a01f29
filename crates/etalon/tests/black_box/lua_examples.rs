//! What the repository ships for Lua, on the embedded host: examples load and measure something
//! without any module installed, and the checks written in Lua hold there.

use std::path::{Path, PathBuf};

use crate::support::{Ended, Lab, Running, has};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// etalon with no Lua module to be found but those beside a suite.
fn without_modules(lab: &Lab, arguments: &[&str]) -> Ended {
    let mut command = lab.etalon(arguments);
    command.env("LUA_PATH", "/nowhere/?.lua").env("LUA_CPATH", "/nowhere/?.so");
    Running::start(command).end()
}

/// A laboratory in which the repository's files have the names they have there.
fn with_repository() -> Lab {
    let lab = Lab::new();
    for name in ["examples", "crates", "docs"] {
        std::os::unix::fs::symlink(root().join(name), lab.path(name)).expect("a link");
    }
    lab
}

/// Would catch an example that does not load, one that is not found, and a missing module that is an
/// error, or skipped without its name.
#[test]
fn every_example_loads_and_missing_modules_are_named() {
    let lab = with_repository();
    let ended = without_modules(&lab, &["run", "--list", "examples"]).expect(0);
    let mut found = 0;
    for entry in std::fs::read_dir(root().join("examples")).expect("examples") {
        let name = entry.expect("an entry").file_name().into_string().expect("UTF-8");
        if name.ends_with("_bench.lua") {
            has(&ended.stdout, &[&format!("examples/{name}:")]);
            found += 1;
        }
    }
    assert!(found >= 6);
    for module in [
        "cjson",
        "simdjson",
        "dkjson",
        "lunajson",
        "yyjson",
        "MessagePack",
        "basexx",
        "luabase64",
        "base64mix",
    ] {
        has(&ended.stdout, &[&format!("skipped: module '{module}' is not installed")]);
    }
}

/// Would catch a module that is installed and has no row, or rows of functions that it does not have.
#[test]
fn modules_that_are_installed_have_rows() {
    let lab = with_repository();
    let json = "local json = require('lib.json')";
    let base64 = "local base64 = require('lib.base64')";
    for (name, text) in [
        ("simdjson", format!("{json} return {{ parse = json.decode }}")),
        ("yyjson", format!("{json} return {{ decode = json.decode, encode = json.encode }}")),
        ("luabase64", format!("{base64} return base64.tables")),
        ("base64mix", format!("{base64} return base64.gsub")),
    ] {
        lab.write(&format!("{name}.lua"), text);
    }
    let files = ["examples/json_bench.lua", "examples/base64_bench.lua"];
    let listed = |options: &[&str]| {
        let mut command = lab.etalon([&["run"], options, &files].concat());
        command.env("LUA_PATH", lab.path("?.lua")).env("LUA_CPATH", "/nowhere/?.so");
        Running::start(command).end().expect(0).stdout
    };
    let rows = listed(&["--list", "--filter", "/simdjson|yyjson|luabase64|base64mix/"]);
    let names: Vec<&str> =
        rows.lines().filter_map(|line| line.split_once("  ").map(|(_, name)| name)).collect();
    let expected = ["simdjson decode", "yyjson decode", "yyjson encode", "luabase64 encode"];
    let more = ["luabase64 decode", "base64mix encode", "base64mix decode"];
    assert_eq!(names, [&expected[..], &more].concat());
    let quick = ["-r", "1", "--budget", "10ms", "-w", "0", "--filter", "/simdjson|base64mix/"];
    listed(&quick);
}

/// Would catch an example whose own checks fail, or that measures nothing.
#[test]
fn examples_measure_something() {
    let lab = with_repository();
    let list = [
        "run",
        "-r",
        "1",
        "--budget",
        "10ms",
        "-w",
        "0",
        "examples/table_bench.lua",
        "examples/pattern_bench.lua",
        "examples/calls_bench.lua",
        "examples/string_bench.lua",
    ];
    without_modules(&lab, &list).expect(0);
    let record = lab.record();
    for (number, line) in record.of_type("benchmark").iter().enumerate() {
        let skipped = line["case"].get("skipped").is_some();
        assert_eq!(record.of(number).is_empty(), skipped, "{line}");
    }
}

/// Executes a script that says how many checks there were and failed, and then ends its process. A
/// coroutine gives it a call stack of its own, as at the start of a program.
fn script(path: &str, said: &str) {
    let lab = with_repository();
    let code = format!(
        "local path = '{path}'
         arg = {{ [0] = path }}
         coroutine.wrap(assert(loadfile(path)))()"
    );
    lab.write("script.lua", code);
    lab.run(["run", "-r", "1", "--timeout", "50s", "script.lua"]).expect(1);
    let record = lab.record();
    let output = record.of_type("output");
    has(output[0]["text"].as_str().expect("text"), &["LuaJIT 2.1", said]);
    assert_eq!(
        crate::suites::broken(&record, "script.lua").0,
        r#"{"failed":0}"#,
        "it exits with 0"
    );
}

/// Would catch a fault of the libraries under the examples on the embedded host.
#[test]
fn the_examples_check_themselves() {
    script("examples/lib/selfcheck.lua", " checks, 0 failed");
}

/// Would catch a fault of the reference codec: what it loses, what it reads that it did not write, bytes that do it harm.
#[test]
fn the_reference_codec_checks_itself_on_every_lua() {
    script("examples/serializers/codec_spec.lua", " checks, 0 failed");
    for lua in ["lua5.1", "lua5.2", "lua5.3", "lua5.4", "luajit"] {
        let script = root().join("examples/serializers/codec_spec.lua");
        let Ok(ended) = std::process::Command::new(lua).arg(script).args(["300", "11"]).output()
        else {
            continue;
        };
        let said = String::from_utf8_lossy(&ended.stdout);
        assert!(
            ended.status.success() && said.ends_with(" checks, 0 failed\n"),
            "{lua}: {said} {ended:?}"
        );
    }
}

/// Would catch data other than those of the published comparison.
#[test]
fn serializers_get_the_published_data() {
    let lab = with_repository();
    let jobs =
        ["array-16", "array-1024", "farray-1e3", "vectors-3-1000", "entities-100", "tree-2-8"];
    let ended = lab.run([&["lua", "examples/serializers/sizes.lua"][..], &jobs].concat()).expect(0);
    let checks = if ended.stdout.contains("msgpack: not installed") { 6 } else { 12 };
    has(&ended.stdout, &[&format!("{checks} checks, 0 failed")]);
}

/// Would catch a measure that is missing or has another unit, an implementation that is taken for slow where it is not
/// installed, and one that loses data.
#[test]
fn a_serializer_is_measured_once_it_is_right() {
    let lab = with_repository();
    let bench = |list: &[&str]| {
        let arguments = [&["lua", "examples/serializers/bench.lua"], list].concat();
        let mut command = lab.etalon(&arguments);
        command.env("SERIALIZER_SECONDS", "0.001");
        command.env("LUA_PATH", lab.path("?.lua")).env("LUA_CPATH", "/nowhere/?.so");
        Running::start(command).end()
    };
    for (name, size) in [("buffer", "size 61 B"), ("reference", "size 29 B")] {
        let ended = bench(&[name, "entities-1"]).expect(0);
        let lines: Vec<&str> = ended.stdout.lines().collect();
        assert!(lines[0].starts_with("pack-cpu ") && lines[0].ends_with(" ns/op"), "{lines:?}");
        assert!(lines[1].starts_with("unpack-cpu ") && lines[1].ends_with(" ns/op"), "{lines:?}");
        assert_eq!(lines[2], size);
        assert!(lines[3].starts_with("size-gzip ") && lines[3].ends_with(" B"), "{lines:?}");
        assert_eq!(lines.len(), 4);
    }
    has(&bench(&["bitser", "array-16"]).expect(3).stderr, &["bitser: not installed"]);
    lab.write(
        "bitser.lua",
        "return { dumps = function() return '' end, loads = function() return {} end }",
    );
    has(&bench(&["bitser", "array-16"]).expect(1).stderr, &["unpack(pack(x)) is not x"]);
    has(&bench(&["buffer", "array-17"]).expect(2).stderr, &["no job 'array-17'", "tree-8-7"]);
    has(&bench(&["pickle", "array-16"]).expect(1).stderr, &["no implementation 'pickle'"]);
}

/// Would catch a fault of `measure` on the embedded host: refusals, messages, docs/lua.md.
#[test]
fn measure_does_as_specified() {
    script("crates/etalon-lua/lua/measure_spec.lua", " passed, 0 failed");
}
