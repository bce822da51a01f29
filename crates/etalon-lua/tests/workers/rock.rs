//! The module `measure` outside etalon: the rock `etalon-measure`, in plain interpreters.
//!
//! Owns the agreement of what is written down more than once: the rockspec's list with the files in
//! `lua/`, and the version.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use super::Test;
use super::interpreters::{INTERPRETERS, is_installed};
use super::lab::{Lab, skip};

pub(crate) const TESTS: &[Test] = &[
    ("the_rock_has_every_part", the_rock_has_every_part),
    ("every_part_says_that_it_is_one", every_part_says_that_it_is_one),
    ("the_version_is_the_packages", the_version_is_the_packages),
    ("the_rock_loads_in_every_lua", the_rock_loads_in_every_lua),
    ("luarocks_makes_the_rock", luarocks_makes_the_rock),
];

const VERSION: &str = env!("CARGO_PKG_VERSION");

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The rockspec, whose name has the version of the package.
fn rockspec() -> PathBuf {
    root().join(format!("rockspec/etalon-measure-{VERSION}-1.rockspec"))
}

/// The modules of the rock and their files, by name: lines `['module'] = 'file',`.
fn modules() -> Vec<(String, String)> {
    let text = fs::read_to_string(rockspec()).unwrap();
    let pair = |line: &str| {
        let (name, file) = line.trim().strip_prefix("['")?.split_once("'] = '")?;
        Some((name.to_owned(), file.strip_suffix("',")?.to_owned()))
    };
    let mut found: Vec<_> = text.lines().filter_map(pair).collect();
    found.sort();
    found
}

/// The names of the files in `lua/measure/`, without `.lua`.
fn parts() -> Vec<String> {
    let entries = fs::read_dir(root().join("crates/etalon-lua/lua/measure")).unwrap();
    let stem = |path: PathBuf| path.file_stem().and_then(OsStr::to_str).map(str::to_owned);
    entries.map(|entry| stem(entry.unwrap().path()).unwrap()).collect()
}

/// Catches a part that is not installed, or one that is no more.
fn the_rock_has_every_part() {
    let file = |part: &str| format!("crates/etalon-lua/lua/{part}.lua");
    let mut expected = vec![("etalon.measure".to_owned(), file("measure"))];
    for part in parts() {
        expected.push((format!("etalon.measure.{part}"), file(&format!("measure/{part}"))));
    }
    expected.sort();
    assert_eq!(modules(), expected);
}

/// Catches a part whose lines could be named as the place of a suite's mistake, or whose traces could
/// stand among the benchmark's.
fn every_part_says_that_it_is_one() {
    for (name, file) in modules() {
        let text = fs::read_to_string(root().join(file)).unwrap();
        let code: Vec<_> = text.lines().filter(|line| !line.starts_with("--")).collect();
        let opening = [
            "",
            "local require = type((...)) == 'function' and (...) or require",
            "require('etalon.measure.places').own()",
        ];
        match name.as_str() {
            "etalon.measure" => assert!(code.contains(&opening[2]), "{name}"),
            "etalon.measure.places" => assert!(code.contains(&"own()"), "{name}"),
            _ => assert_eq!(code[..3], opening, "{name}"),
        }
    }
}

/// Catches a version that was changed in one place only.
fn the_version_is_the_packages() {
    let text = fs::read_to_string(rockspec()).expect("a rockspec of the package's version");
    assert!(text.contains(&format!("\nversion = '{VERSION}-1'\n")), "{text}");
    let name = rockspec().file_name().unwrap().to_str().unwrap().to_owned();
    let document = fs::read_to_string(root().join("docs/lua.md")).unwrap();
    for text in [text, document] {
        assert!(text.contains(&format!("luarocks make rockspec/{name}\n")), "{text}");
    }
    let suite = format!(
        "assert(measure._VERSION == 'etalon-measure {VERSION}', measure._VERSION)
         measure.describe('a').run(function() end)"
    );
    Lab::new(&suite).finished();
}

/// Runs `interpreter` in `directory`; it finds modules below `tree`, and no others.
fn plain(interpreter: &str, directory: &Path, tree: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(interpreter);
    for version in ["", "_5_1", "_5_2", "_5_3", "_5_4"] {
        command.env_remove(format!("LUA_PATH{version}")).env_remove(format!("LUA_INIT{version}"));
    }
    command.env("LUA_PATH", tree.join("?.lua")).current_dir(directory);
    command.args(arguments).output().unwrap()
}

/// Loads a suite with the modules below `tree`, executes it, and loads one with a mistake.
fn loads_suites(interpreter: &str, tree: &Path) {
    let suites = tempfile::tempdir().unwrap();
    let head = "local measure = require('etalon.measure')\n";
    let good = "measure.describe('a', { n = { 1, 2 } }):run(print)\n";
    fs::write(suites.path().join("x_bench.lua"), format!("{head}{good}")).unwrap();
    let bad = "measure.describe('a'):rum(print)\n";
    fs::write(suites.path().join("y_bench.lua"), format!("{head}{good}{bad}")).unwrap();

    let ended =
        plain(interpreter, suites.path(), tree, &["-e", "dofile('x_bench.lua') print('loaded')"]);
    assert_eq!(String::from_utf8_lossy(&ended.stdout), "loaded\n", "{interpreter}: {ended:?}");

    let ended = plain(interpreter, suites.path(), tree, &["x_bench.lua"]);
    let said = String::from_utf8_lossy(&ended.stderr);
    let why =
        "x_bench.lua:2: a plain interpreter measures nothing; write: etalon run x_bench.lua\n";
    assert!(said.contains(why) && ended.status.code() == Some(1), "{interpreter}: {said}");

    let script = "print(select(2, pcall(dofile, 'y_bench.lua')))";
    let ended = plain(interpreter, suites.path(), tree, &["-e", script]);
    let said = String::from_utf8_lossy(&ended.stdout);
    let why = "y_bench.lua:3: a case has no 'rum' (did you mean 'run'?); it has ";
    assert!(said.starts_with(why), "{interpreter}: {said} {ended:?}");
}

/// Catches parts that find each other only inside etalon.
fn the_rock_loads_in_every_lua() {
    let tree = tempfile::tempdir().unwrap();
    for (name, file) in modules() {
        let target = tree.path().join(name.replace('.', "/")).with_extension("lua");
        fs::create_dir_all(target.parent().unwrap()).unwrap();
        fs::copy(root().join(file), target).unwrap();
    }
    for interpreter in INTERPRETERS.into_iter().filter(|name| is_installed(name)) {
        loads_suites(interpreter, tree.path());
    }
}

/// LuaRocks for Lua 5.1, where Debian has that: an interpreter of the same version elsewhere may lack what it wants.
fn luarocks(home: &Path, directory: &Path) -> Command {
    let mut command = Command::new("luarocks");
    command.arg("--lua-version=5.1");
    if Path::new("/usr/bin/lua5.1").exists() {
        command.arg("--lua-dir=/usr");
    }
    command.env("HOME", home).current_dir(directory);
    command
}

/// Catches a rockspec that LuaRocks does not take, and an archive of the rock without a part.
fn luarocks_makes_the_rock() {
    let home = tempfile::tempdir().unwrap();
    let (made, installed) = (home.path().join("made"), home.path().join("installed"));
    let mut make = luarocks(home.path(), &root());
    let Ok(ended) = make.args(["make", "--tree"]).arg(&made).arg(rockspec()).output() else {
        return skip("luarocks make of the rock: luarocks is not installed");
    };
    assert!(ended.status.success(), "{ended:?}");
    let is_missing = |tool: &&str| Command::new(tool).arg("-v").output().is_err();
    if ["zip", "unzip"].iter().any(is_missing) {
        return skip("luarocks pack of the rock: zip or unzip is not installed");
    }
    let mut pack = luarocks(home.path(), home.path());
    let ended = pack.args(["pack", "--tree"]).arg(&made).arg("etalon-measure").output().unwrap();
    assert!(ended.status.success(), "{ended:?}");
    let archive = home.path().join("etalon-measure-0.1.0-1.all.rock");
    let mut install = luarocks(home.path(), home.path());
    let ended = install.args(["install", "--tree"]).arg(&installed).arg(&archive).output().unwrap();
    assert!(ended.status.success(), "{ended:?}");
    for tree in [made, installed] {
        if is_installed("lua5.1") {
            loads_suites("lua5.1", &tree.join("share/lua/5.1"));
        }
    }
}
