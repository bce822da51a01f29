//! `etalon ab` where something is not as it should be: broken and missing inputs to a check, hooks and settings of the user's
//! git, kills at any moment; and what it says of projects it knows, to GitHub, and in a pull request.

use std::fs;

use crate::ab::{ab, command, git, lab};
use crate::go::{left, snapshot};
use crate::support::{Lab, Running, has, joined, marked, signal, until};

/// Would catch a kind of project that is not known, and one that is named before a likelier one.
#[test]
fn a_project_alone_is_told_what_to_type() {
    let Some(lab) = lab() else { return };
    let kinds = [
        (
            "Cargo.toml",
            "[package]\nname = \"tool\"\n",
            "cargo build --release' -- {side}/target/release/tool",
        ),
        ("go.mod", "module example.org/m\n", "etalon go --base old ./..."),
        ("CMakeLists.txt", "", "cmake --build build' -- build/PROGRAM"),
        ("Makefile", "", "--build make -- ./PROGRAM"),
        ("package.json", "{}", "--build 'npm install' -- node SCRIPT.js"),
        ("pyproject.toml", "", ".venv/bin/pip install .' -- .venv/bin/python SCRIPT.py"),
        ("sum_bench.lua", "", "etalon run --base old sum_bench.lua"),
    ];
    let told =
        |directory: &str| Running::start(command(&lab, directory, "old")).end().expect(0).stdout;
    fs::create_dir(lab.path("all")).unwrap();
    repository(&lab, "all");
    for (number, (file, content, line)) in kinds.iter().enumerate() {
        let directory = format!("kind{number}");
        fs::create_dir(lab.path(&directory)).unwrap();
        repository(&lab, &directory);
        for directory in [&directory, "all"] {
            lab.write(&format!("{directory}/{file}"), content);
        }
        has(&told(&directory), &[line]);
    }
    let all = told("all");
    let places: Vec<usize> = kinds.iter().map(|(_, _, line)| all.find(line).unwrap()).collect();
    assert!(places.is_sorted(), "{all}");
    assert!(lab.saved().is_empty());
}

/// A repository with an empty commit that is called `old`.
fn repository(lab: &Lab, directory: &str) {
    let one = "git -c user.name=n -c user.email=n@example.org commit -q --allow-empty -m one";
    let made = lab.shell(&format!("cd {directory} && git init -q && {one} && git tag old"));
    Running::start(made).end().expect(0);
}

/// A project, as files, and the line that is to be typed.
const NAMED: [(&[(&str, &str)], &str); 10] = [
    (
        &[("Cargo.toml", "[package]\nname = \"lib\"\n[[bin]]\nname = \"tool\"\n")],
        "target/release/tool",
    ),
    (&[("Cargo.toml", "[package]\nname = \"$(reboot)\"\n")], "target/release/PROGRAM"),
    (
        &[("Cargo.toml", "[package]\nname = \"lib\"\n"), ("src/lib.rs", ""), ("src/bin/it.rs", "")],
        "target/release/it",
    ),
    (&[("go.mod", ""), ("main.go", "package main\n")], "'go build -o program .'"),
    (&[("go.mod", ""), ("cmd/it/it.go", "package main\n")], "'go build -o program ./cmd/it'"),
    (&[("CMakeLists.txt", "project(p)\nadd_executable(tool a.c)\n")], "-- build/tool"),
    (
        &[("package.json", "{\"bin\": {\"t\": \"t.js\"}}"), ("package-lock.json", "")],
        "--build 'npm ci' -- node t.js",
    ),
    (&[("package.json", "{\"main\": \"x; reboot\"}")], "--build 'npm install' -- node SCRIPT.js"),
    (&[("pyproject.toml", "[project.scripts]\ntool = \"m:f\"\n")], "-- .venv/bin/tool"),
    (&[("a b$(reboot)_bench.lua", "")], "etalon run --base old 'a b$(reboot)_bench.lua'"),
];

/// Would catch a name that the project says and nobody uses, and one that a shell would execute.
#[test]
fn a_line_has_the_names_of_the_project() {
    let Some(lab) = lab() else { return };
    for (number, (files, line)) in NAMED.iter().enumerate() {
        let directory = format!("named{number}");
        for (name, content) in *files {
            let path = lab.path(&directory).join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, content).unwrap();
        }
        repository(&lab, &directory);
        let told = Running::start(command(&lab, &directory, "old")).end().expect(0).stdout;
        has(&told, &[line]);
    }
    // A library has no program, but benchmarks.
    fs::create_dir_all(lab.path("library/src")).unwrap();
    let manifest = "[package]\nname = \"sums\"\n[dev-dependencies]\ncriterion = \"0.5\"\n";
    lab.write("library/Cargo.toml", manifest);
    lab.write("library/src/lib.rs", "");
    repository(&lab, "library");
    let told = Running::start(command(&lab, "library", "old")).end().expect(0).stdout;
    assert!(told.contains("--results criterion") && !told.contains("target/release"), "{told}");
    let of_two =
        Running::start(command(&lab, "named3", "old 'old^{commit}'")).end().expect(0).stdout;
    has(&of_two, &["etalon ab old 'old^{commit}' --build 'go build"]);
    assert!(!of_two.contains("etalon go"), "{of_two}");
}

/// Would catch a line that does not work as it is printed.
#[test]
fn a_line_works_as_it_is_printed() {
    let Some(lab) = lab() else { return };
    lab.write("m/lib.lua", "return 1");
    lab.write("m/p_bench.lua", "require('measure').describe('p'):run(function() return 1 end)\n");
    git(&lab, "add -A && git COMMIT three");
    let told = ab(&lab, "old").expect(0).stdout;
    // The last one is for a Makefile that takes the usual variables, and needs lld.
    let (told, placed) = told.split_once("About the code wherever it is placed").expect(&told);
    has(placed, &["etalon ab old --layouts 4 --build 'make ", "$ETALON_LAYOUT"]);
    let lines: Vec<&str> = told.lines().filter_map(|line| line.strip_prefix("  etalon ")).collect();
    assert_eq!(lines.len(), 2, "{told}");
    for (line, rest) in lines.into_iter().zip(["", " --budget .1s"]) {
        let line = line.replace("PROGRAM", "p").replacen(' ', " -r 2 ", 1);
        let mut command = lab.shell(&format!("cd m && exec \"$E\" {line}{rest}"));
        command.env("TMPDIR", lab.path("tmp"));
        Running::start(command).end().expect(0);
    }
    assert_eq!(lab.saved().len(), 2);
}

/// The words of a check that cannot hold, the exit code, and words of the reason.
const BROKEN: [(&str, i32, &str); 38] = [
    ("nope CHECK -- ./p", 2, "nope: no such revision"),
    ("old nope CHECK -- ./p", 2, "nope: no such revision"),
    ("'' CHECK -- ./p", 2, "an empty word: no such revision"),
    ("HEAD:p.c CHECK -- ./p", 2, "HEAD:p.c: no such revision"),
    ("'HEAD^{tree}' CHECK -- ./p", 2, "no such revision"),
    ("old CHECK", 2, "--fail-on: no command"),
    ("old --require p", 2, "--require: no command"),
    ("old --build make", 2, "--build: no command"),
    ("old CHECK -f empty", 2, "-f empty: there is no command in it"),
    ("old -f empty", 2, "-f empty: there is no command in it"),
    ("old CHECK -f nothing", 2, "nothing: No such file"),
    ("old CHECK -f junk", 2, "junk, line 1"),
    ("old CHECK --build 'make nothing' -- ./p", 1, "base does not build"),
    ("old CHECK --build 'test ! -e new && make' -- ./p", 1, "head does not build"),
    ("old CHECK --build 'kill -9 $$' -- ./p", 1, "base does not build"),
    ("old CHECK --build nosuchprogram -- ./p", 1, "nosuchprogram"),
    (
        "old CHECK --build true -- ./p",
        2,
        "./p: no such file: check the path; --build did not make it",
    ),
    ("old CHECK -- ./p", 2, "only what git knows: --build CMD builds each of them"),
    ("old CHECK -- ./ignored", 2, "--copy ./ignored takes it along"),
    ("old CHECK --build make -- ''", 2, "the command is empty"),
    ("old CHECK --build make -- ./p.c", 2, "not executable"),
    ("old CHECK --build make -- sh -c './p; exit 1'", 1, "exited with code 1"),
    ("old CHECK --build make -- sh -c './p; test -e new'", 1, "exited with code 1"),
    ("old CHECK --build make -- sh -c './p; ! test -e new || kill -9 $$'", 1, "SIGKILL"),
    ("old CHECK -- true", 2, "the same artefact twice"),
    ("old CHECK -- sh new", 1, "on one side only: head"),
    ("old CHECK --copy nothing --build make -- ./p", 2, "--copy nothing"),
    ("old CHECK --copy /etc/passwd --build make -- ./p", 2, "outside the working tree"),
    ("--dir CHECK . ./nothing -- ./p", 2, "nothing: No such file"),
    ("--dir CHECK . -- ./p", 2, "HEAD"),
    ("--dir CHECK . . -- ./p", 2, "the same directory"),
    ("old --fail-on wors --build make -- ./p", 2, "wors"),
    ("old --fail-on nope/op:worse -r 6 --build make -- ./p", 2, "no such unit"),
    ("old CHECK --require nothing -r 6 --build make -- ./p", 2, "no such benchmark"),
    ("old CHECK -r 2 --build make -- ./p", 3, "needs at least 8 for 9 comparisons"),
    (
        "old CHECK --same-output --build make -- sh -c 'cat bytes; ./p'",
        1,
        "something else than the base",
    ),
    ("old CHECK --same-output --build make -- sh -c './p; date +%N'", 2, "differs from itself"),
    ("old CHECK --input nothing --build make -- ./p", 2, "--input nothing"),
];

/// Would catch a check that passes although nothing was compared.
#[test]
fn no_check_passes_on_what_is_broken_or_missing() {
    let Some(lab) = lab() else { return };
    lab.write("m/empty", "");
    lab.write("m/junk", [0, 1, b'j', b'\n']);
    lab.write("m/new", "exit 0\n");
    let before = snapshot(&lab);
    for (words, code, reason) in BROKEN {
        let ended = ab(&lab, &words.replace("CHECK", "--fail-on worse"));
        let said = joined(&format!("{}{}", ended.stdout, ended.stderr));
        ended.expect(code);
        assert!(said.contains(&joined(reason)), "{words}: no {reason} in {said}");
        assert_eq!(left(&lab), [""; 0], "{words}");
    }
    assert!(snapshot(&lab) == before);
}

/// Would catch an exit that depends on which build of which side happens to be executed first.
#[test]
fn a_side_that_fails_at_once_fails_in_any_order() {
    let Some(lab) = lab() else { return };
    lab.write("m/new", "exit 0\n");
    for seed in 1..=6 {
        let fails =
            format!("old --fail-on worse --seed {seed} --build make -- sh -c './p; test -e new'");
        has(&ab(&lab, &fails).expect(1).stderr, &["exited with code 1"]);
    }
}

/// Would catch a shallow clone, as CI has it, whose remedy nobody is told.
#[test]
fn a_clone_without_history_is_told() {
    let Some(lab) = lab() else { return };
    let clone = "git clone -q --depth 1 \"file://$PWD/m\" shallow";
    Running::start(lab.shell(clone)).end().expect(0);
    let ended = Running::start(command(&lab, "shallow", "HEAD~1 -- ./p")).end().expect(2);
    has(&ended.stderr, &["HEAD~1: no such revision", "`git fetch --unshallow`"]);
}

/// Would catch a hook, a filter or a watcher of the user's that is executed to make copies.
#[test]
fn nothing_that_the_repository_configures_is_executed() {
    let Some(lab) = lab() else { return };
    let mark = lab.path("executed");
    let touch = format!("#!/bin/sh\ntouch {}\ncat\n", mark.display());
    for hook in ["post-checkout", "post-index-change", "reference-transaction", "pre-commit"] {
        lab.script(&format!("m/.git/hooks/{hook}"), &touch);
    }
    lab.script("watcher", &touch);
    let watcher = lab.path("watcher");
    git(&lab, &format!("config core.fsmonitor {}", watcher.display()));
    git(&lab, &format!("config init.templateDir {}", lab.path("m/.git").display()));
    let _by_git_itself = fs::remove_file(&mark);
    let before = snapshot(&lab);
    for sides in ["old HEAD", "old"] {
        ab(&lab, &format!("{sides} --build make -r 1 -- ./p")).expect(0);
    }
    assert!(snapshot(&lab) == before);
    assert!(!mark.exists(), "something of the user's was executed");
}

/// Would catch a name that a runner takes for a command, or a reader of a comment for a heading, a link or a call.
#[test]
fn hostile_names_are_inert_in_annotations_and_comments() {
    let Some(lab) = lab() else { return };
    let name = "x | <img src=y> [l](http://e) @team ::error::z\\n# `b` %0A";
    lab.write("m/commands", format!("./p\n-n \"{name}\"\n./p word\n-n plain\n"));
    let of = |format: &str| {
        let words =
            format!("old HEAD --build make -f commands -r 12 --fail-on worse --format {format}");
        ab(&lab, &words).expect(1).stdout
    };
    let github = of("github");
    assert!(github.lines().all(|line| line.starts_with("::")), "{github}");
    assert!(github.lines().filter(|line| line.starts_with("::error")).count() >= 2, "{github}");
    assert!(!github.lines().any(|line| line.starts_with("::error::z")), "{github}");
    let comment = of("markdown");
    assert!(comment.starts_with("**Failed:**"), "{comment}");
    let unescaped =
        comment.replace("\\\\", "").replace("\\<", "").replace("\\[", "").replace("\\|", "");
    for live in ["<img", "[l]", "x |"] {
        assert!(!unescaped.contains(live), "{live} in {comment}");
    }
}

/// Would catch a repository that is changed, or copies that stay after the next start, whenever the kill comes.
#[test]
fn a_kill_at_any_moment_changes_nothing_and_is_swept() {
    let Some(lab) = lab() else { return };
    lab.write("m/untracked", "kept");
    let before = snapshot(&lab);
    for moment in 0..10 {
        let running = Running::start(command(&lab, "m", "old --build make -r 1000 -- ./p"));
        std::thread::sleep(std::time::Duration::from_millis(35 * moment));
        signal(running.pid(), libc::SIGKILL);
        running.end();
        ended(&lab);
        assert!(snapshot(&lab) == before, "after a kill at moment {moment}");
    }
    ab(&lab, "old --build make -r 1 -- ./p").expect(0);
    // What compilers leave is not etalon's.
    let of_etalon = left(&lab).into_iter().filter(|name| name.starts_with("etalon"));
    assert_eq!(of_etalon.collect::<Vec<_>>(), [""; 0]);
    assert!(snapshot(&lab) == before);
}

/// Ends builds that were under way: only their shell ends with etalon.
fn ended(lab: &Lab) {
    until("the end of what was under way", || {
        let left = marked(&lab.mark());
        left.iter().for_each(|pid| signal(*pid, libc::SIGKILL));
        left.is_empty()
    });
}
