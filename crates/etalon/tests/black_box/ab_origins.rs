//! `etalon ab` and what each side really reads: real interpreters, libraries and programs that find another file than the
//! side's own, and those that find theirs.

use std::fs;
use std::io::{Read, Write};
use std::os::unix::net::UnixListener;
use std::process::Command;

use serde_json::Value;

use crate::ab::{ab, git};
use crate::go::left;
use crate::support::{Ended, Lab, Running, has, joined, skip};

/// A laboratory with a project of two states, the second of them in the working tree: by path, its first and its second
/// content. Nothing where a program is not there.
fn project(programs: &[&str], files: &[(&str, &str, &str)]) -> Option<Lab> {
    let there = |program: &str| Command::new(program).arg("--version").output().is_ok();
    if let Some(missing) = [&["git"], programs].concat().iter().find(|program| !there(program)) {
        skip(&format!("what sides read: {missing} is not installed"));
        return None;
    }
    let lab = Lab::new();
    for directory in ["tmp", "m"] {
        fs::create_dir(lab.path(directory)).unwrap();
    }
    let write = |second: bool| {
        for (path, old, new) in files {
            let path = lab.path("m").join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, if second { new } else { old }).unwrap();
        }
    };
    write(false);
    lab.write("m/.gitignore", "built\nnode_modules\n*.so\n");
    git(&lab, "init -q . && git add -A && git COMMIT one && git tag old");
    write(true);
    Some(lab)
}

/// The sides are refused: both files are named, nothing is measured and nothing is left.
#[track_caller]
fn refused(lab: &Lab, words: &str, own: &str, instead: &str) {
    let ended = ab(lab, &format!("old -r 2 {words}")).expect(2);
    let said = joined(&ended.stderr);
    let read = format!("does not read its own {own}, which differs between the sides: it reads ");
    for part in [&read, instead, " in its place"] {
        assert!(said.contains(&joined(part)), "no `{part}` in {}", ended.stderr);
    }
    assert!(lab.saved().is_empty(), "{words}: something was measured");
    assert_eq!(left(lab), [""; 0], "{words}");
}

/// The sides are measured: the facts of the record.
#[track_caller]
fn measured(lab: &Lab, words: &str) -> (Value, Ended) {
    let ended = ab(lab, &format!("old -r 2 {words}")).expect(0);
    (lab.record().of_type("header")[0]["context"].clone(), ended)
}

/// What both read of their own, which has to differ in this file alone.
#[track_caller]
fn reads_its_own(lab: &Lab, words: &str, file: &str) {
    let (facts, ended) = measured(lab, words);
    let read = facts["sides.read"].as_str().unwrap_or_else(|| panic!("nothing read: {facts}"));
    assert!(read.ends_with(&format!(", 1 differ: {file}")), "{read}");
    assert_eq!(facts["sides.identical"], Value::Null);
    assert!(!joined(&ended.stdout).contains(&joined("same bytes")), "{}", ended.stdout);
}

/// Would catch an installed Python package that is compared with itself, and one of the side that is refused.
#[test]
fn a_python_package_of_the_side_is_told_from_one_elsewhere() {
    let files = [
        ("src/shop/__init__.py", "", ""),
        ("src/shop/cart.py", "N = 1\n", "N = 2\n"),
        ("bench.py", "import shop.cart\n", "import shop.cart\n"),
    ];
    let Some(lab) = project(&["python3"], &files) else { return };
    // Of the user, where `pip install --user` puts it.
    let user = format!("PYTHONUSERBASE={}", lab.path("user").display());
    let site = format!("env {user} python3 -m site --user-site");
    let site = Running::start(lab.shell(&format!("{site} || true"))).end().stdout;
    let site = site.trim();
    let shop = format!("{site}/shop");
    fs::create_dir_all(&shop).unwrap();
    fs::write(format!("{shop}/__init__.py"), "").unwrap();
    fs::write(format!("{shop}/cart.py"), "N = 0\n").unwrap();
    let of_user = format!("--env {user} -- python3 bench.py");
    refused(&lab, &of_user, "src/shop/cart.py", "/shop/cart.py");
    // The second time it is the compiled file that is read.
    refused(&lab, &of_user, "src/shop/cart.py", "/shop/cart.py");
    // Where `pip install -e` leads: to the working tree.
    fs::remove_dir_all(&shop).unwrap();
    fs::write(format!("{site}/shop.pth"), format!("{}\n", lab.path("m/src").display())).unwrap();
    let tree = lab.path("m/src/shop/cart.py");
    refused(&lab, &of_user, "src/shop/cart.py", &tree.to_string_lossy());
    // The same by `--build`: the last copy that is built is installed for all.
    let installs = format!("--build 'echo $PWD/src > {site}/shop.pth' --env {user}");
    let ended = ab(&lab, &format!("old -r 2 {installs} -- python3 bench.py")).expect(2);
    has(&joined(&ended.stderr), &[&joined("base does not read its own src/shop/cart.py")]);
    assert!(lab.saved().is_empty());
    fs::remove_file(format!("{site}/shop.pth")).unwrap();
    let path = lab.path("m/src");
    let path = format!("--env PYTHONPATH={} -- python3 bench.py", path.display());
    refused(&lab, &path, "src/shop/cart.py", &tree.to_string_lossy());
    reads_its_own(&lab, "--env PYTHONPATH=src -- python3 bench.py", "src/shop/cart.py");
    // Nothing of the words is a file of a side, and yet it is the side's.
    reads_its_own(&lab, "--env PYTHONPATH=src -- python3 -m shop.cart", "src/shop/cart.py");
    // Compiled files of the side stand for their sources.
    let cached = "--build 'python3 -m compileall -q src' --env PYTHONPATH=src -- python3 bench.py";
    reads_its_own(&lab, cached, "src/shop/cart.py");
}

/// Would catch a package of Node that is found above both sides, or behind a link into the working tree.
#[test]
fn a_node_package_of_the_side_is_told_from_one_elsewhere() {
    let cart = "packages/shop/cart.js";
    let files = [
        (cart, "exports.n = 1\n", "exports.n = 2\n"),
        ("bench.js", "require('shop/cart.js')\n", "require('shop/cart.js')\n"),
        ("own.js", "require('./packages/shop/cart.js')\n", "require('./packages/shop/cart.js')\n"),
    ];
    let Some(lab) = project(&["node"], &files) else { return };
    // Above the copies, as above a workspace.
    fs::create_dir_all(lab.path("tmp/node_modules/shop")).unwrap();
    lab.write("tmp/node_modules/shop/cart.js", "exports.n = 0\n");
    let hoisted = ab(&lab, "old -r 2 -- node bench.js").expect(2);
    has(&joined(&hoisted.stderr), &[&joined("node_modules/shop/cart.js in its place")]);
    assert!(lab.saved().is_empty());
    fs::remove_dir_all(lab.path("tmp/node_modules")).unwrap();
    // As `npm link` makes it.
    fs::create_dir(lab.path("m/node_modules")).unwrap();
    let link = lab.path("m/node_modules/shop");
    std::os::unix::fs::symlink(lab.path("m/packages/shop"), &link).unwrap();
    let tree = lab.path("m").join(cart);
    refused(&lab, "--copy node_modules -- node bench.js", cart, &tree.to_string_lossy());
    // As a workspace makes it.
    fs::remove_file(&link).unwrap();
    std::os::unix::fs::symlink("../packages/shop", &link).unwrap();
    reads_its_own(&lab, "--copy node_modules -- node bench.js", cart);
    reads_its_own(&lab, "-- node own.js", cart);
}

/// Would catch a library that the loader finds elsewhere, by a variable or by what a program was linked with.
#[test]
fn a_shared_library_of_the_side_is_told_from_one_elsewhere() {
    let files = [
        ("cart.c", "int cart(void) { return 0; }\n", "int cart(void) { return 0 * 7; }\nint n;\n"),
        (
            "p.c",
            "int cart(void); int main(void) { return cart(); }\n",
            "int cart(void); int main(void) { return cart(); }\n",
        ),
    ];
    let Some(lab) = project(&["cc"], &files) else { return };
    let library = "mkdir -p built && cc -shared -fPIC -o built/libcart.so cart.c";
    Running::start(lab.shell(&format!("cd m && {library}"))).end().expect(0);
    let tree = lab.path("m/built");
    let of_tree = tree.join("libcart.so");
    let build = |rpath: &str| {
        format!("--build '{library} && cc -o built/p p.c -Lbuilt -lcart -Wl,-rpath,{rpath}'")
    };
    let into_tree = format!("{} -- built/p", build(&tree.to_string_lossy()));
    refused_library(&lab, &into_tree, &of_tree.to_string_lossy());
    let by_variable = format!("{} --env LD_LIBRARY_PATH={} -- built/p", build("."), tree.display());
    refused_library(&lab, &by_variable, &of_tree.to_string_lossy());
    let (facts, _) = measured(&lab, &format!("{} -- built/p", build("\\$ORIGIN")));
    has(facts["sides.read"].as_str().unwrap(), &["2 read, 1 differ: built/libcart.so"]);
}

#[track_caller]
fn refused_library(lab: &Lab, words: &str, instead: &str) {
    let ended = ab(lab, &format!("old -r 2 {words}")).expect(2);
    let said = format!(
        "does not read its own built/libcart.so, which differs between the sides: it reads {instead} in its place"
    );
    has(&joined(&ended.stderr), &[&joined(&said)]);
    assert!(lab.saved().is_empty());
}

/// Would catch a module of Perl, Ruby or Lua that is found by its absolute path.
#[test]
fn a_module_of_the_side_is_told_from_one_elsewhere() {
    for (program, own, bench, there, here) in [
        ("perl", "lib/Cart.pm", "use Cart;\n", "perl -I@/lib bench", "perl -Ilib bench"),
        ("ruby", "lib/cart.rb", "require 'cart'\n", "ruby -I@/lib bench", "ruby -Ilib bench"),
        (
            "lua5.4",
            "lib/cart.lua",
            "require 'cart'\n",
            "--env 'LUA_PATH=@/lib/?.lua' -- lua5.4 bench",
            "--env 'LUA_PATH=lib/?.lua' -- lua5.4 bench",
        ),
    ] {
        let [old, new] = match program {
            "perl" => ["package Cart;\n1;\n", "package Cart;\n2;\n"],
            "ruby" => ["N = 1\n", "N = 2\n"],
            _ => ["return 1\n", "return 2\n"],
        };
        let Some(lab) = project(&[program], &[(own, old, new), ("bench", bench, bench)]) else {
            continue;
        };
        let words = |words: &str| {
            let words = words.replace('@', &lab.path("m").to_string_lossy());
            if words.contains("-- ") { words } else { format!("-- {words}") }
        };
        let tree = lab.path("m").join(own);
        refused(&lab, &words(there), own, &tree.to_string_lossy());
        reads_its_own(&lab, &words(here), own);
    }
}

/// Would catch a suite that loads a module of the working tree on both sides, and one of its own that is refused.
#[test]
fn a_suite_loads_modules_of_its_side() {
    let suite = "require('cart')\nrequire('measure').describe('p'):run(function() return 1 end)\n";
    let files = [("lib/cart.lua", "return 1\n", "return 2\n"), ("s_bench.lua", suite, suite)];
    let Some(lab) = project(&[], &files) else { return };
    let run = |path: &str| {
        let words = "cd m && exec \"$E\" run --base old --no-control -r 2 s_bench.lua";
        let mut shell = lab.shell(words);
        shell.env("TMPDIR", lab.path("tmp")).env("LUA_PATH", path);
        Running::start(shell).end()
    };
    let tree = lab.path("m/lib");
    let ended = run(&format!("{}/?.lua;;", tree.display())).expect(2);
    let said = "suite `s_bench.lua`: base does not read its own lib/cart.lua, which differs";
    has(&joined(&ended.stderr), &[&joined(said)]);
    assert!(lab.saved().is_empty());
    assert_eq!(left(&lab), [""; 0]);
    run("lib/?.lua;;").expect(0);
    let facts = lab.record().of_type("header")[0]["context"].clone();
    has(facts["sides.read"].as_str().unwrap(), &["2 read, 1 differ: lib/cart.lua"]);
}

/// Would catch a module of the working tree that is compiled into the binaries of both sides.
#[test]
fn a_module_of_go_is_compiled_from_its_side() {
    const BENCH: &str = "package m\n\nimport (\n\t\"testing\"\n\n\t\"example.com/cart\"\n)\n\nfunc BenchmarkCart(b *testing.B) {\n\tfor i := 0; i < b.N; i++ {\n\t\tcart.N()\n\t}\n}\n";
    let module = "module example.com/m\n\ngo 1.20\n\nrequire example.com/cart v0.0.0\n";
    let files = [
        (
            "cart/go.mod",
            "module example.com/cart\n\ngo 1.20\n",
            "module example.com/cart\n\ngo 1.20\n",
        ),
        (
            "cart/cart.go",
            "package cart\n\nfunc N() int { return 1 }\n",
            "package cart\n\nfunc N() int { return 2 }\n",
        ),
        ("m.go", "package m\n", "package m\n"),
        ("m_test.go", BENCH, BENCH),
        ("go.mod", module, module),
    ];
    let Some(lab) = project(&["go"], &files) else { return };
    let replaced = |by: &str| {
        lab.write("m/go.mod", format!("{module}\nreplace example.com/cart => {by}\n"));
        git(&lab, "add go.mod && git COMMIT module && git tag -f old");
        let mut shell = lab.shell("cd m && exec \"$E\" go --base old -r 1 -benchtime 1x .");
        shell.env("TMPDIR", lab.path("tmp"));
        Running::start(shell).end()
    };
    let ended = replaced(&lab.path("m/cart").to_string_lossy()).expect(2);
    has(&joined(&ended.stderr), &[&joined("go .: base does not read its own cart/cart.go")]);
    assert!(lab.saved().is_empty());
    replaced("./cart").expect(0);
    let facts = lab.record().of_type("header")[0]["context"].clone();
    has(facts["sides.read"].as_str().unwrap(), &["1 differ: cart/cart.go"]);
}

/// Would catch data and settings that belong to nobody's project and are refused, those of the working tree that are not,
/// and "the same bytes" where a side has read something of its own that differs.
#[test]
fn files_of_no_project_are_no_namesakes() {
    let files = [
        ("data/table.csv", "1\n", "2\n"),
        ("README", "one\n", "two\n"),
        ("cat.sh", "cat \"$1\"\n", "cat \"$1\"\n"),
        ("new.sh", "cat \"$1\"\n", "cat  \"$1\"\n"),
    ];
    let Some(lab) = project(&[], &files) else { return };
    fs::create_dir(lab.path("elsewhere")).unwrap();
    fs::create_dir(lab.path("home")).unwrap();
    lab.write("elsewhere/table.csv", "3\n");
    lab.write("home/.cartrc", "n = 1\n");
    let outside = lab.path("elsewhere/table.csv");
    // Only the README differs: a document, which nobody reads.
    let (facts, ended) = measured(&lab, &format!("-- sh cat.sh {}", outside.display()));
    assert_eq!(facts["sides.read"], "1 read, 0 differ");
    assert_eq!(facts["sides.identical"], "yes");
    has(&joined(&ended.stdout), &[&joined("Both sides execute the same bytes.")]);
    let home = format!("--env HOME={} -- sh -c 'sh new.sh ~/.cartrc'", lab.path("home").display());
    reads_its_own(&lab, &home, "new.sh");
    let tree = lab.path("m/data/table.csv");
    let ended = ab(&lab, &format!("old -r 2 -- sh cat.sh {}", tree.display())).expect(2);
    has(&joined(&ended.stderr), &[&joined("does not read its own data/table.csv")]);
    reads_its_own(&lab, "-- sh cat.sh data/table.csv", "data/table.csv");
    reads_its_own(&lab, "--input data/table.csv -- cat README", "README");
}

/// Would catch "the same bytes" where a command lists a directory, or asks whether a file is there, and opens neither.
#[test]
fn names_are_seen_without_opening_a_file() {
    let script = "ls data\n";
    let files = [("list.sh", script, script), ("data/one", "1\n", "1\n")];
    let Some(lab) = project(&[], &files) else { return };
    let same = "Both sides execute the same bytes.";
    let (facts, ended) = measured(&lab, "-- sh list.sh");
    assert_eq!(facts["sides.identical"], "yes");
    has(&joined(&ended.stdout), &[&joined(same)]);
    lab.write("m/data/two", "2\n");
    let (facts, ended) = measured(&lab, "-- sh list.sh");
    assert_eq!(facts["sides.identical"], Value::Null);
    assert_eq!(facts["sides.read"], "1 read, 0 differ");
    assert!(!joined(&ended.stdout).contains(&joined(same)), "{}", ended.stdout);
    has(&joined(&ended.stdout), &[&joined("what was listed or asked about differs: data.")]);
}

/// Would catch a command that only sees names of a side and is refused as one of neither, and sides that are the same for
/// it, or differ, and are told as the other.
#[test]
fn what_only_sees_names_is_of_the_side() {
    let files = [("d/one", "1\n", "1\n"), ("d/two", "2\n", "2\n"), ("top", "3\n", "3\n")];
    let Some(lab) = project(&["tar"], &files) else { return };
    let same = "Both sides execute the same bytes.";
    let commands = ["ls d", "find .", "stat d/one", "tar cf - .", "ls", "readlink -f d/one"];
    for command in commands {
        let (facts, ended) = measured(&lab, &format!("-- {command}"));
        assert_eq!(facts["sides.identical"], "yes", "{command}: {facts}");
        has(facts["sides.seen"].as_str().unwrap_or_default(), &[" seen, 0 differ"]);
        has(&joined(&ended.stdout), &[&joined(same)]);
    }
    // Nothing that these look at, and yet it is another name on one side.
    lab.write("m/other", "");
    let (facts, ended) = measured(&lab, "-- stat d/one");
    assert_eq!(facts["sides.identical"], Value::Null);
    let said =
        "No file of the sides was opened; what was listed or asked about is the same on both.";
    has(&joined(&ended.stdout), &[&joined(said)]);
    fs::remove_file(lab.path("m/other")).unwrap();
    lab.write("m/d/one", "longer than it was\n");
    lab.write("m/d/three", "");
    for (command, named) in [
        ("ls d", "d"),
        ("find .", "d"),
        ("stat d/one", "d/one"),
        ("tar cf - .", "d"),
        ("readlink -f d/one", "d/one"),
        ("sh -c 'cat top; stat d/one'", "d/one"),
    ] {
        let (facts, ended) = measured(&lab, &format!("-- {command}"));
        assert_eq!(facts["sides.identical"], Value::Null, "{command}");
        let seen = facts["sides.seen"].as_str().unwrap_or_default();
        let differ = seen.rsplit_once(": ").unwrap_or_default().1;
        assert!(differ.split(", ").any(|name| name == named), "{command}: {seen}");
        let said = joined(&ended.stdout);
        assert!(!said.contains(&joined(same)), "{command}: {said}");
        has(&said, &[&joined("what was listed or asked about differs: ")]);
    }
}

/// Would catch a program outside both sides that passes for one of them because it looks around: Python lists where it
/// looks for modules, and compilers and loaders ask about directories.
#[test]
fn looking_for_something_is_not_seeing_it() {
    let files = [("src/one.txt", "1\n", "2\n")];
    let Some(lab) = project(&["python3"], &files) else { return };
    for command in [
        "--env PYTHONPATH=src -- python3 -c 'import json'",
        "--env LD_LIBRARY_PATH=src -- true",
        "-- test -d src",
    ] {
        let ended = ab(&lab, &format!("old -r 2 {command}")).expect(2);
        has(&joined(&ended.stderr), &["thesameartefacttwice"]);
        assert!(lab.saved().is_empty(), "{command}");
    }
}

/// Would catch an experiment file whose commands are looked at before its `setup`, or not at all.
#[test]
fn cells_are_looked_at_after_their_setup() {
    const FILE: &str = "title = \"t\"\nsetup = \"touch made\"\n[axes]\nhow = [\"one\"]\n[[subject]]\ncommand = \"sh {how}.sh\"\n[[table]]\nmetric = \"wall\"\nrows = \"how\"\ncolumns = \"side\"\n";
    let script = "cat made $DATA\n";
    let files = [("one.sh", script, script), ("data/table.csv", "1\n", "2\n")];
    let Some(lab) = project(&[], &files) else { return };
    lab.write("m/e.toml", FILE);
    let run = |data: &str| {
        let mut shell = lab.shell("cd m && exec \"$E\" run --base old --no-control -r 2 e.toml");
        shell.env("TMPDIR", lab.path("tmp")).env("DATA", data);
        Running::start(shell).end()
    };
    let ended = run(&lab.path("m/data/table.csv").to_string_lossy()).expect(2);
    has(&joined(&ended.stderr), &[&joined("base does not read its own data/table.csv")]);
    assert!(lab.record().of_type("observation").is_empty());
    assert_eq!(left(&lab), [""; 0]);
    run("data/table.csv");
    let notes = lab.record();
    let notes = notes.of_type("note");
    let read = notes.iter().find(|note| note["about"] == "sides.read").expect("what was read");
    assert_eq!(read["text"], "3 read, 1 differ: data/table.csv");
}

/// Would catch a daemon that is asked, and of which nobody says that it may be the same for both.
#[test]
fn who_is_asked_is_named() {
    let ask = "import socket, sys\ns = socket.socket(socket.AF_UNIX)\ns.connect(sys.argv[1])\ns.recv(1)\n";
    let files = [("ask.py", ask, ask), ("server.py", "one", "two")];
    let Some(lab) = project(&["python3"], &files) else { return };
    let path = lab.path("s");
    let listener = UnixListener::bind(&path).unwrap();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let _gone = stream.write_all(b"x").and_then(|()| stream.read(&mut [0]).map(drop));
        }
    });
    let (facts, ended) = measured(&lab, &format!("-- python3 ask.py {}", path.display()));
    assert_eq!(facts["sides.asked"], path.to_string_lossy().as_ref());
    assert_eq!(facts["sides.identical"], Value::Null);
    let said = joined(&ended.stdout);
    has(&said, &[&joined("No file of the sides that was opened differs between them")]);
    has(&said, &[&joined("Others were asked over sockets (")]);
}

/// Reads the file that it is given in a thread of a child, by a system call of its own.
const READER: &str = r#"#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
static void *reads(void *path) {
    return (void *)(long)(syscall(SYS_openat, AT_FDCWD, path, O_RDONLY) < 0);
}
int main(int n, char **words) {
    if (fork() == 0) {
        pthread_t thread;
        void *failed;
        pthread_create(&thread, 0, reads, words[1]);
        pthread_join(thread, &failed);
        _exit(failed != 0);
    }
    int status;
    wait(&status);
    return status != 0;
}
"#;

/// Would catch a file that is opened without a library, in a child or in a thread.
#[test]
fn static_forking_and_threaded_programs_are_traced() {
    let files = [("r.c", READER, READER), ("data", "1", "2")];
    let Some(lab) = project(&["cc"], &files) else { return };
    for flags in ["", "-static"] {
        let build = format!("--build 'mkdir -p built && cc {flags} -pthread -o built/r r.c'");
        reads_its_own(&lab, &format!("{build} -- built/r data"), "data");
    }
    let go = "package main\n\nimport \"os\"\n\nfunc main() {\n\tif _, err := os.ReadFile(\"data\"); err != nil {\n\t\tpanic(err)\n\t}\n}\n";
    let files = [("main.go", go, go), ("go.mod", "module m\n", "module m\n"), ("data", "1", "2")];
    let Some(lab) = project(&["go"], &files) else { return };
    let build = "--build 'CGO_ENABLED=0 go build -trimpath -buildvcs=false -o built/r .'";
    reads_its_own(&lab, &format!("{build} -- built/r"), "data");
}

/// Forks a child that asks to be traced, and fails where that is not possible.
const TRACED: &str = r#"#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>
int main(void) {
    int status;
    if (fork() == 0) _exit(ptrace(PTRACE_TRACEME, 0, 0, 0) != 0);
    wait(&status);
    return 0;
}
"#;

/// Would catch a measurement that fails, or hangs, because it could not be looked at.
#[test]
fn what_cannot_be_traced_is_said_and_measured() {
    let files = [("t.c", TRACED, TRACED), ("s.sh", "sleep 1000\n", "sleep  1000\n")];
    let Some(lab) = project(&["cc"], &files) else { return };
    let build = "--build 'mkdir -p built && cc -o built/t t.c'";
    let (facts, ended) = measured(&lab, &format!("{build} -- built/t"));
    has(facts["sides.untraced"].as_str().unwrap(), &["it traces processes by itself"]);
    let said =
        "Could not look at which files are read: command `built/t`: it traces processes by itself.";
    has(&joined(&ended.stdout), &[&joined(said)]);
    for (command, why) in [
        ("--timeout 0.2 -- sh s.sh", "took longer than it may when it was traced"),
        ("-- sh -c 'cat s.sh; exit 3'", "failed with exit code 3 when it was traced"),
        ("-- sh -c 'cat s.sh; kill -TERM $$'", "was ended by signal 15 when it was traced"),
    ] {
        ab(&lab, &format!("old -r 2 {command}")).expect(1);
        let facts = lab.record().of_type("header")[0]["context"].clone();
        has(facts["sides.untraced"].as_str().unwrap_or_default(), &[why]);
    }
    lab.assert_nothing_left();
}

/// Denies ptrace(2), as some containers do, and executes the rest of the words.
const DENIES: &str = r#"
import ctypes, os, platform, struct, sys
number = {"x86_64": 101, "aarch64": 117}[platform.machine()]
steps = [(0x20, 0, 0, 0), (0x15, 0, 1, number), (0x06, 0, 0, 0x00050001), (0x06, 0, 0, 0x7fff0000)]
steps = b"".join(struct.pack("HBBI", *step) for step in steps)
steps = ctypes.create_string_buffer(steps)
program = struct.pack("HxxxxxxP", 4, ctypes.addressof(steps))
libc = ctypes.CDLL(None, use_errno=True)
assert libc.prctl(38, 1, 0, 0, 0) == 0
assert libc.prctl(22, 2, ctypes.create_string_buffer(program), 0, 0) == 0
os.execvp(sys.argv[1], sys.argv[1:])
"#;

/// Would catch a measurement that needs what a container denies, and a command of neither side that passes there.
#[test]
fn without_the_right_to_trace_the_words_decide() {
    let Some(lab) = project(&["python3"], &[("s.sh", "true\n", ":\n")]) else { return };
    lab.write("denies.py", DENIES);
    let run = |words: &str| {
        let mut shell = lab.shell(&format!(
            "cd m && exec python3 ../denies.py \"$E\" ab old -r 2 --no-control -- {words}"
        ));
        shell.env("TMPDIR", lab.path("tmp"));
        Running::start(shell).end()
    };
    let said = run("sh s.sh").expect(0).stdout;
    has(
        &joined(&said),
        &[&joined("Could not look at which files are read"), "doesnotpermittracing"],
    );
    has(&joined(&run("ls").expect(2).stderr), &["thesameartefacttwice"]);
}

/// Would catch hooks that are left out around the traced execution, and one that is recorded.
#[test]
fn hooks_are_executed_around_it_and_it_is_not_recorded() {
    let files = [("s.sh", "cat made\n", "cat  made\n")];
    let Some(lab) = project(&[], &files) else { return };
    let log = lab.path("log");
    let log = log.display();
    let hooks =
        format!("--prepare 'echo 1 > made; echo p >> {log}' --conclude 'rm made; echo c >> {log}'");
    reads_its_own(&lab, &format!("--no-control {hooks} -- sh s.sh"), "s.sh");
    assert_eq!(lab.record().of_type("observation").len(), 2 * 2);
    // Both sides once, and twice in two blocks.
    assert_eq!(lab.read("log"), b"p\nc\n".repeat(2 + 4));
}

/// Would catch a command that can be executed once in a place and fails for the look, which nobody knows of.
#[test]
fn a_command_that_fails_the_second_time_is_told_of_the_first() {
    let Some(lab) = project(&[], &[("s.sh", "mkdir work\n", "mkdir  work\n")]) else { return };
    let said = ab(&lab, "old -r 2 --no-control -- sh s.sh").expect(1).stderr;
    has(&said, &["executed once before", "--prepare takes it away"]);
    let words = "--no-control --prepare 'rm -rf work' -- sh s.sh";
    reads_its_own(&lab, words, "s.sh");
}
