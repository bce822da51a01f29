//! Which files are suites and which of their cases are measured: paths, directories, links, chunks,
//! `--filter`, `--exclude`, `--list`.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::symlink;

use crate::suites::{broken, fixture, names, plain, run, samples};
use crate::support::{Lab, has, joined};

/// What `--list` prints.
fn listed(lab: &Lab, arguments: &[&str]) -> Vec<String> {
    let printed = lab.done([&["run", "--list"][..], arguments].concat());
    printed.lines().map(str::to_owned).collect()
}

/// Would catch suites missed below directories or behind links, other files taken for suites, an
/// order that depends on the file system, and links that lead back: an endless search, or an error.
#[test]
fn suites_are_found_in_directories_and_behind_links() {
    let lab = Lab::new();
    for directory in ["all", "all/deep", "all/deep/er", "elsewhere"] {
        fs::create_dir(lab.path(directory)).expect("a directory");
    }
    plain(&lab, "all/z_bench.lua", &["z"]);
    plain(&lab, "all/deep/er/a_bench.lua", &["a"]);
    plain(&lab, "elsewhere/linked_bench.lua", &["linked"]);
    plain(&lab, "elsewhere/file.lua", &["file"]);
    lab.write("all/other.lua", "error('no suite')");
    lab.write("all/bench.lua", "error('no suite')");
    lab.write("all/a_bench.luac", "error('no suite')");
    for (target, link) in [
        ("../elsewhere", "all/directory"),
        ("../elsewhere/file.lua", "all/file_bench.lua"),
        ("..", "all/deep/up"),
        (".", "all/deep/er/self"),
        ("er", "all/deep/again"),
        ("nowhere", "all/dangling"),
    ] {
        symlink(target, lab.path(link)).expect("a link");
    }
    let expected = [
        "all/deep/er/a_bench.lua:2  a",
        "all/directory/linked_bench.lua:2  linked",
        "all/file_bench.lua:2  file",
        "all/z_bench.lua:2  z",
    ];
    assert_eq!(listed(&lab, &["all"]), expected);
    assert_eq!(listed(&lab, &["all/"]), expected);
    assert!(lab.saved().is_empty(), "--list left a record");
}

/// Would catch a file measured twice because it was named in two ways, and an order of files other
/// than the one typed.
#[test]
fn a_file_reached_twice_is_measured_once() {
    let lab = Lab::new();
    fs::create_dir(lab.path("d")).expect("a directory");
    plain(&lab, "d/x_bench.lua", &["x"]);
    plain(&lab, "b.lua", &["b"]);
    symlink("d/x_bench.lua", lab.path("y")).expect("a link");
    let list = ["b.lua", "d/x_bench.lua", "y", "./b.lua", "d", "d/../b.lua"];
    assert_eq!(listed(&lab, &list), ["b.lua:2  b", "d/x_bench.lua:2  x"]);
}

/// Would catch names that only work when they end in `_bench.lua`, are UTF-8, or need no quoting.
#[test]
fn files_of_any_name_are_suites() {
    let lab = Lab::new();
    let names =
        [&b"suite"[..], b"with space.lua", b"it's \"quoted\\.lua", b"-dash", b"\xff\xfe.lua"];
    for name in names {
        let code = "require('measure').describe('case'):run(function() end)";
        let path = lab.path(".").join(OsStr::from_bytes(name));
        fs::write(path, code).expect("a suite");
    }
    let mut command = lab.etalon(["run", "-r", "1", "--budget", "0.1s", "-w", "0", "--"]);
    command.args(names.map(OsStr::from_bytes));
    crate::support::Running::start(command).end().expect(0);
    let record = lab.record();
    assert!((0..names.len()).all(|case| !record.of(case).is_empty()));
}

/// Would catch a search that finds nothing and says so with success, an error that does not name the
/// path or what to do, and anything measured before such an error.
#[test]
fn nothing_to_measure_is_an_error() {
    let lab = Lab::new();
    fs::create_dir(lab.path("empty")).expect("a directory");
    lab.write("empty/x.lua", "");
    lab.write("none_bench.lua", "require('measure')");
    plain(&lab, "good_bench.lua", &["good"]);
    crate::support::Running::start(lab.shell("mkfifo pipe")).end().expect(0);
    for (path, said) in [
        ("empty", &["empty: ", "*_bench.lua", "have to be named"][..]),
        ("missing.lua", &["missing.lua: ", "No such file", "name a Lua file or a directory"]),
        ("pipe", &["pipe: ", "write it to a file"]),
    ] {
        let ended = run(&lab, &["good_bench.lua", path]).expect(2);
        has(&ended.stderr, said);
    }
    has(&run(&lab, &["none_bench.lua"]).expect(2).stderr, &["none_bench.lua", "measure.describe("]);
    has(&lab.run(["run"]).expect(2).stderr, &["`etalon run` needs PATH"]);
    assert!(lab.saved().is_empty(), "something was measured");
    // Beside cases it is a remark.
    run(&lab, &["none_bench.lua", "good_bench.lua"]).expect(0);
    let record = lab.record();
    assert!(record.of_type("note").iter().any(|note| note["about"] == "none_bench.lua"));
}

/// Would catch an unreadable file, or a link to nothing, that hides the other suites.
#[test]
fn a_link_that_leads_nowhere_is_an_outcome() {
    let lab = Lab::new();
    fs::create_dir(lab.path("d")).expect("a directory");
    plain(&lab, "d/good_bench.lua", &["good"]);
    symlink("nowhere", lab.path("d/gone_bench.lua")).expect("a link");
    run(&lab, &["d"]).expect(1);
    let record = lab.record();
    assert_eq!(names(&record), ["d/gone_bench.lua", "good"]);
    has(&broken(&record, "d/gone_bench.lua").1, &["d/gone_bench.lua", "No such file"]);
    assert!(samples(&record, "good") > 0);
}

const SELECTION: &str = "local measure = require('measure')
measure.describe('decode', { size = { 10, 200 } }):tags('json', 'slow'):run(function() end)
measure.describe('encode'):tags('json'):run(function() end)
measure.describe('base64'):run(function() end)
measure.describe('later'):skip('not today'):run(function() end)
";

/// Would catch a selection that ignores parameters or tags, misses a name because it has parameters, takes
/// a word for a regular expression, or selects nothing with success.
#[test]
fn filter_and_exclude_select_by_name_params_and_tags() {
    let lab = Lab::new();
    lab.write("s.lua", SELECTION);
    let chosen = |options: &[&str]| {
        let lines = listed(&lab, &[&["s.lua"], options].concat());
        let label = |line: &String| line.split("  ").nth(1).expect("a name").to_owned();
        lines.iter().map(label).collect::<Vec<_>>()
    };
    let (ten, more) = ("decode [size=10]", "decode [size=200]");
    assert_eq!(chosen(&[]), [ten, more, "encode", "base64", "later"]);
    assert_eq!(chosen(&["--filter", "code"]), [ten, more, "encode"]);
    assert_eq!(chosen(&["--filter", "/^json$/"]), [ten, more, "encode"]);
    assert_eq!(chosen(&["--filter", "/^decode$/"]), [ten, more]);
    assert_eq!(chosen(&["--filter", "tag:slow OR /^base/"]), [ten, more, "base64"]);
    assert_eq!(chosen(&["--filter", "code -tag:slow"]), ["encode"]);
    assert_eq!(chosen(&["--filter", "/size:10"]), [ten]);
    assert_eq!(chosen(&["--filter", ".name:decode .file:s.lua"]), [ten, more]);
    assert_eq!(chosen(&["--filter", "/size=10\\b/"]), [ten]);
    assert_eq!(chosen(&["--exclude", "slow"]), ["encode", "base64", "later"]);
    assert_eq!(chosen(&["--filter", "/code$|size/", "--exclude", "=200"]), [ten, "encode"]);
    for options in [["--filter", "nobody"], ["--exclude", "*"]] {
        let ended = run(&lab, &[&["s.lua"], &options[..]].concat()).expect(2);
        has(
            &ended.stderr,
            &["no case left to measure", options[0], options[1], "--list", "in names and tags"],
        );
    }
    let ended = run(&lab, &["s.lua", "--filter", "/length:10"]).expect(2);
    has(
        &ended.stderr,
        &["no case left to measure", "no case has the parameter /length; there are /size"],
    );
    let ended = run(&lab, &["s.lua", "--filter", "^decode$"]).expect(2);
    has(&ended.stderr, &["no case left to measure", "between slashes, such as /^name$/"]);
    run(&lab, &["s.lua", "--filter", "/base64|size=10/"]).expect(0);
    assert_eq!(names(&lab.record()), ["decode", "base64"]);
}

/// Would catch a wrong query that is taken literally, a key that no case has, or an error that does not show
/// where it is wrong.
#[test]
fn a_wrong_expression_is_shown_where_it_is_wrong() {
    let lab = Lab::new();
    lab.write("s.lua", SELECTION);
    for (expression, why, mark) in [
        ("/a(b/", "a regular expression is not closed", "\n  /a(b/\n  ^"),
        ("/[z-a]/", "the range z-a is not in order", "\n  /[z-a]/\n  ^"),
        ("json goos:linux", "goos", "\n  json goos:linux\n       ^"),
        ("size:10", "key size; there are", "\n  size:10\n  ^"),
        ("size:10", "/size for a parameter of that name", "\n  size:10\n  ^"),
    ] {
        for option in ["--filter", "--exclude"] {
            let ended = run(&lab, &["s.lua", option, expression]).expect(2);
            has(&ended.stderr, &[option, why, mark]);
        }
    }
}

/// Would catch chunks that are not compared with each other, statements or expressions that do not
/// work, a chunk measured as the making of itself, and two alike taken for one.
#[test]
fn chunks_are_cases_of_one_file() {
    let lab = Lab::new();
    let list = ["-e", "return #'x'", "-e", "('x'):rep(10)", "-e", "local t = {}\nt[1] = 2"];
    run(&lab, &list).expect(0);
    let record = lab.record();
    assert_eq!(names(&record), [list[1], list[3], list[5]]);
    assert!(record.of_type("benchmark").iter().all(|line| line["case"]["file"] == "-e"));
    let json = lab.json(["report", "@last", "--json"]);
    assert_eq!(json["suites"][0]["benchmarks"], serde_json::json!([0, 1, 2]), "they are compared");

    run(&lab, &["-e", "return 1", "-e", "return 1"]).expect(0);
    let record = lab.record();
    assert!((0..2).all(|case| !record.of(case).is_empty()), "two alike are two");

    // The case is the function, not the chunk: a counter of its own would stay at one.
    run(&lab, &["-e", "n = (n or 0) + 1; if n > 100 then error('called often') end"]).expect(1);
    assert!(
        lab.record().measured()[0]["stderr"].as_str().is_some_and(|e| e.contains("called often"))
    );
}

/// Would catch a chunk that does not compile hiding the others, or not being told from them.
#[test]
fn a_chunk_that_is_wrong_is_an_outcome() {
    let lab = Lab::new();
    let (ended, jump) = ("end return 1", "goto nowhere");
    run(&lab, &["-e", "x = = 1", "-e", "return 1", "-e", ended, "-e", jump]).expect(1);
    let record = lab.record();
    has(&broken(&record, "x = = 1").1, &["unexpected symbol near '='"]);
    has(&broken(&record, ended).1, &["'end'"]);
    has(&broken(&record, jump).1, &["nowhere"]);
    assert!(samples(&record, "return 1") > 0);
}

/// Would catch `--list` that hides what is broken or skipped, or succeeds over it.
#[test]
fn the_list_says_what_will_not_be_measured() {
    let lab = Lab::new();
    lab.write("bad.lua", "local x = = 1");
    lab.write("s.lua", SELECTION);
    fixture(&lab, "hooks_bench.lua");
    lab.write("helper.lua", "return { x = 1 }");
    let ended =
        lab.run(["run", "--list", "bad.lua", "s.lua", "hooks_bench.lua", "helper.lua"]).expect(1);
    has(&ended.stderr, &["helper.lua: describes no case"]);
    has(&ended.stdout, &["bad.lua  bad.lua  broken: bad.lua:1:", "later  skipped: not today"]);
    has(&ended.stdout, &["hooks_bench.lua:30  a [n=7]\n", "hooks_bench.lua:37  b\n"]);
    assert!(lab.read("events").ends_with(b" load\n"), "more than loading was done");
    assert!(lab.saved().is_empty());
    // Lua says of a module in a dozen lines where it is not.
    for module in ["measur", "lib.mine"] {
        lab.write("bad.lua", format!("\nlocal x = require('{module}')"));
        let ended = lab.run(["run", "--list", "bad.lua"]).expect(1);
        let said = format!("bad.lua  bad.lua  broken: bad.lua:2: module '{module}' not found: … ");
        has(
            &ended.stdout,
            &[
                &said,
                "etalon's own module is 'measure'; others are looked for beside the suite first",
            ],
        );
        assert_eq!(ended.stdout.lines().count(), 1, "{}", ended.stdout);
        let shown = joined(&run(&lab, &["bad.lua"]).expect(1).stdout);
        has(
            &shown,
            &[&joined(&format!(
                "bad.lua:2: module '{module}' not found: … etalon's own module is 'measure';"
            ))],
        );
    }
}
