//! A repository that names a program wherever one may be named, and what etalon does with it: copies, facts, hints and
//! refusals, of which none executes any of these programs. What is executed leaves a file of its name.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::ab::{git, lab};
use crate::go::{left, snapshot};
use crate::support::{Ended, Lab, Running, has, joined, skip};

/// Settings of a repository, each with a program of its own: `@NAME@`.
const SETTINGS: &str = r#"
[core]
	repositoryformatversion = 1
	fsmonitor = @core.fsmonitor@
	sshCommand = @core.sshCommand@
	gitProxy = @core.gitProxy@
	askPass = @core.askPass@
	editor = @core.editor@
	pager = @core.pager@
	alternateRefsCommand = @core.alternateRefsCommand@
	attributesFile = ATTRIBUTES
[extensions]
	partialClone = ext
[protocol]
	allow = always
[protocol "ext"]
	allow = always
[remote "ext"]
	url = ext::@remote.ext@
	promisor = true
	partialclonefilter = blob:none
[remote "ssh"]
	url = ssh://nowhere.invalid/x
	promisor = true
[remote "git"]
	url = git://nowhere.invalid/x
	promisor = true
[remote "pack"]
	url = TOP
	uploadpack = @remote.uploadpack@
	receivepack = @remote.receivepack@
	promisor = true
[remote "vcs"]
	vcs = ext
	url = @remote.vcs@
	promisor = true
[remote "instead"]
	url = elsewhere://x
	promisor = true
[url "ext::@url.insteadOf@ "]
	insteadOf = elsewhere://
[filter "evil"]
	clean = @filter.clean@
	smudge = @filter.smudge@
[filter "long"]
	process = @filter.process@
[diff]
	external = @diff.external@
	tool = evil
[diff "evil"]
	textconv = @diff.textconv@
	command = @diff.command@
[merge "evil"]
	driver = @merge.driver@
[merge]
	tool = evil
[mergetool "evil"]
	cmd = @mergetool.cmd@
	path = @mergetool.path@
[difftool "evil"]
	cmd = @difftool.cmd@
	path = @difftool.path@
[gpg]
	program = @gpg.program@
[gpg "ssh"]
	program = @gpg.ssh.program@
	defaultKeyCommand = @gpg.ssh.defaultKeyCommand@
[gpg "x509"]
	program = @gpg.x509.program@
[log]
	showSignature = true
[credential]
	helper = !@credential.helper@
[credential "https://nowhere.invalid"]
	helper = @credential.url.helper@
[sequence]
	editor = @sequence.editor@
[interactive]
	diffFilter = @interactive.diffFilter@
[pager]
	rev-parse = @pager.rev-parse@
	ls-files = @pager.ls-files@
[alias]
	rev-parse = !@alias.rev-parse@
	evil = !@alias.evil@
[trailer "evil"]
	command = @trailer.command@
	cmd = @trailer.cmd@
[uploadpack]
	packObjectsHook = @uploadpack.packObjectsHook@
[submodule]
	recurse = true
[submodule "module"]
	update = !@submodule.update@
	url = ext::@submodule.url@
[tar "evil"]
	command = @tar.command@
[hook "evil"]
	event = post-index-change
	command = @hook.command@
[guitool "evil"]
	cmd = @guitool.cmd@
[man "evil"]
	cmd = @man.cmd@
[browser "evil"]
	cmd = @browser.cmd@
[instaweb]
	httpd = @instaweb.httpd@
[imap]
	tunnel = @imap.tunnel@
[sendemail]
	toCmd = @sendemail.toCmd@
	sendmailCmd = @sendemail.sendmailCmd@
[fetch]
	bundleURI = ext::@fetch.bundleURI@
[init]
	templateDir = TOP/.git
[include]
	path = INCLUDED
[includeIf "gitdir:**"]
	path = INCLUDED
"#;

/// What such a file may lead to.
const INCLUDED: &str =
    "[core]\n\tfsmonitor = @include.path@\n[filter \"evil\"]\n\tsmudge = @include.smudge@\n";

/// Hooks that git executes for what etalon might ask of it.
const HOOKS: [&str; 8] = [
    "post-checkout",
    "post-index-change",
    "reference-transaction",
    "pre-commit",
    "post-merge",
    "pre-auto-gc",
    "fsmonitor-watchman",
    "post-rewrite",
];

/// Variables by which git is told to start a program, or to write a file.
const VARIABLES: [&str; 12] = [
    "GIT_SSH",
    "GIT_SSH_COMMAND",
    "GIT_PROXY_COMMAND",
    "GIT_ASKPASS",
    "SSH_ASKPASS",
    "GIT_EDITOR",
    "GIT_SEQUENCE_EDITOR",
    "GIT_PAGER",
    "GIT_EXTERNAL_DIFF",
    "GIT_TRACE",
    "GIT_TRACE_SETUP",
    "GIT_TRACE2",
];

/// Programs that etalon looks for in PATH.
const LOOKED_FOR: [&str; 6] = ["git", "cc", "c++", "rustc", "go", "sh"];

/// A commit that no repository has.
const UNKNOWN: &str = "1234567890123456789012345678901234567890";

/// Puts a program in the place of each `@NAME@` and gives the text with their paths. Each writes a file of its name.
fn armed(lab: &Lab, text: &str) -> String {
    let mut armed = String::new();
    for (number, part) in text.split('@').enumerate() {
        match number % 2 {
            0 => armed.push_str(part),
            _ => armed.push_str(&program(lab, part)),
        }
    }
    armed
}

/// A program that leaves a file of its name.
fn program(lab: &Lab, name: &str) -> String {
    let path = lab.path("evil").join(name);
    if !path.exists() {
        std::os::unix::fs::symlink(lab.path("evil.sh"), &path).unwrap();
    }
    path.display().to_string()
}

/// A laboratory with such a repository, and nothing executed so far.
fn hostile() -> Option<Lab> {
    let lab = lab()?;
    for directory in ["evil", "canaries", "home", "m/g"] {
        fs::create_dir(lab.path(directory)).unwrap();
    }
    let canaries = lab.path("canaries");
    lab.script("evil.sh", &format!("touch \"{}/$(basename \"$0\")\"\nexit 1", canaries.display()));
    lab.write("m/.gitattributes", "* filter=evil diff=evil merge=evil\n*.c filter=long\n");
    lab.write("m/go.mod", "module example.com/m\n\ngo 1.20\n");
    lab.write("m/g/m_test.go", "package m\n\nimport \"testing\"\n\nfunc BenchmarkOne(b *testing.B) {\n\tfor i := 0; i < b.N; i++ {\n\t}\n}\n");
    lab.write("m/p_bench.lua", "require('measure').describe('p'):run(function() return 1 end)\n");
    lab.write("m/e.toml", "[axes]\nn = [\"1\", \"2\"]\n[[subject]]\ncommand = \"sh s.sh {n}\"\n");
    lab.write("m/s.sh", "exit 0\n");
    lab.write(
        "m/rust-toolchain.toml",
        format!("[toolchain]\npath = \"{}\"\n", lab.path("m").display()),
    );
    // So that base has all of it, too.
    git(&lab, "add -A && git COMMIT three && git tag -f old");
    lab.write("m/bytes", "30000");
    git(&lab, "COMMIT -a four");
    lab.write("attributes", "* filter=evil\n");
    let included = armed(&lab, INCLUDED);
    lab.write("included", included);
    let settings = armed(&lab, SETTINGS)
        .replace("ATTRIBUTES", &lab.path("attributes").display().to_string())
        .replace("INCLUDED", &lab.path("included").display().to_string())
        .replace("TOP", &lab.path("m").display().to_string());
    // The user's own settings as well.
    lab.write("home/.gitconfig", &settings);
    lab.write("m/.git/config", &settings);
    for hook in HOOKS {
        let hook = (lab.path("m/.git/hooks").join(hook), program(&lab, &format!("hooks.{hook}")));
        let _sample = fs::create_dir_all(hook.0.parent().unwrap());
        std::os::unix::fs::symlink(hook.1, hook.0).unwrap();
    }
    Some(lab)
}

/// The names of the programs that were executed.
fn executed(lab: &Lab) -> Vec<String> {
    let entries = fs::read_dir(lab.path("canaries")).unwrap();
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

/// etalon in the repository, with everything in its environment that may lead git elsewhere.
fn etalon(lab: &Lab, words: &str) -> Ended {
    let mut command = lab.shell(&format!("cd m && exec \"$E\" {words}"));
    for name in VARIABLES {
        command.env(name, program(lab, name));
    }
    let path = std::env::var("PATH").unwrap_or_default();
    command
        .env("TMPDIR", lab.path("tmp"))
        .env("HOME", lab.path("home"))
        .env("GOFLAGS", "-buildvcs=auto")
        .env("GOCACHE", lab.path("cache"))
        .env("GIT_CONFIG_COUNT", "1")
        .env("GIT_CONFIG_KEY_0", "core.fsmonitor")
        .env("GIT_CONFIG_VALUE_0", program(lab, "GIT_CONFIG_COUNT"))
        .env(
            "GIT_CONFIG_PARAMETERS",
            format!("'core.fsmonitor={}'", program(lab, "GIT_CONFIG_PARAMETERS")),
        )
        .env("GIT_EXEC_PATH", lab.path("evil"))
        .env("GIT_TEMPLATE_DIR", lab.path("m/.git"))
        .env("GIT_ALLOW_PROTOCOL", "ext:file:ssh:git")
        .env("GIT_NO_LAZY_FETCH", "0")
        .env("GIT_DIR", lab.path("nowhere"))
        .env("GIT_INDEX_FILE", lab.path("m/.git/written"))
        .env("PATH", format!(".:{path}"));
    Running::start(command).end()
}

/// Would catch a program that is executed because a repository, the user's settings or the environment name it: each
/// door in turn, with all of these settings at once.
#[test]
fn nothing_that_a_repository_names_is_executed() {
    let Some(lab) = hostile() else { return };
    let names = SETTINGS.matches('@').count() / 2;
    assert!(names >= 40, "{names} settings");
    let before = snapshot(&lab);
    let mut doors = vec![
        ("ab old HEAD --build make -r 1 -- ./p".to_owned(), 0),
        ("ab old --build make -r 1 -- ./p".to_owned(), 0),
        ("ab old --no-cache --build make -r 1 -- ./p".to_owned(), 0),
        ("ab old".to_owned(), 0),
        ("run --base old p_bench.lua -r 1 --budget .1s".to_owned(), 0),
        ("run p_bench.lua -r 1 --budget .1s".to_owned(), 0),
        ("run --base old e.toml -r 1".to_owned(), 0),
        ("run e.toml -r 1".to_owned(), 0),
        ("cmd -r 1 /bin/true".to_owned(), 0),
        ("report @last".to_owned(), 0),
        ("runs".to_owned(), 0),
    ];
    let mut unknown: Vec<String> =
        ["--build make -- ./p", "HEAD -- ./p"].map(|rest| format!("ab {UNKNOWN} {rest}")).into();
    unknown.extend([format!("ab {UNKNOWN}"), format!("ab old {UNKNOWN} -- ./p")]);
    unknown.extend(["p_bench.lua", "e.toml"].map(|file| format!("run --base {UNKNOWN} {file}")));
    if Command::new("go").arg("version").output().is_ok() {
        doors.push(("go --base old -bench One -benchtime 1x -r 1 ./g".to_owned(), 0));
        doors.push(("go -bench One -benchtime 1x -r 1 ./g".to_owned(), 0));
        unknown.push(format!("go --base {UNKNOWN} ."));
    } else {
        skip("a hostile repository of Go: Go is not installed");
    }
    doors.extend(unknown.into_iter().map(|words| (words, 2)));
    for (words, code) in doors {
        let ended = etalon(&lab, &words);
        assert_eq!(executed(&lab), [""; 0], "etalon {words}");
        if code == 2 {
            let said = joined(&ended.stderr);
            has(&said, &[&joined("no such revision"), &joined("this clone is partial")]);
        }
        ended.expect(code);
        assert_eq!(left(&lab), [""; 0], "etalon {words}");
    }
    assert!(snapshot(&lab) == before);
}

/// Would catch settings that are spelled so that they do nothing: git by itself executes programs of this repository.
#[test]
fn git_itself_executes_what_the_repository_names() {
    let Some(lab) = hostile() else { return };
    for words in [
        format!("rev-parse --verify --quiet {UNKNOWN}^{{commit}}"),
        "status".to_owned(),
        "diff old HEAD".to_owned(),
        "diff --no-ext-diff old HEAD".to_owned(),
        "checkout-index -f -a".to_owned(),
        "archive --format=evil HEAD".to_owned(),
    ] {
        let mut command = lab.shell(&format!("cd m && git {words} >/dev/null 2>&1"));
        command.env("GIT_TERMINAL_PROMPT", "0").env("HOME", lab.path("home"));
        Running::start(command).end();
    }
    let executed = executed(&lab);
    for name in [
        "remote.ext",
        "core.sshCommand",
        "core.gitProxy",
        "remote.uploadpack",
        "include.path",
        "include.smudge",
        "filter.process",
        "diff.command",
        "diff.textconv",
        "tar.command",
    ] {
        assert!(executed.iter().any(|it| it == name), "not {name}, but {executed:?}");
    }
}

/// Would catch a program of the repository that is executed in place of an installed one, where PATH has the current
/// directory first.
#[test]
fn no_program_of_the_repository_is_taken_for_an_installed_one() {
    let Some(lab) = hostile() else { return };
    for name in LOOKED_FOR {
        let path = lab.path("m").join(name);
        std::os::unix::fs::symlink(program(&lab, name), path).unwrap();
    }
    etalon(&lab, "ab old --build : -r 1 -- /usr/bin/env -C . /bin/true");
    assert_eq!(executed(&lab), [""; 0]);
}

/// Would catch a working tree that is taken from where a setting says: everything there would be copied.
#[test]
fn the_working_tree_is_where_it_was_found() {
    let Some(lab) = lab() else { return };
    lab.write("outside", "private");
    git(&lab, &format!("config core.worktree {}", lab.path(".").display()));
    let words =
        "ab old --build 'make && ls -a . >listed && ! test -e outside && ! test -e m' -r 1 -- ./p";
    let mut command = lab.shell(&format!("cd m && exec \"$E\" {words}"));
    command.env("TMPDIR", lab.path("tmp"));
    Running::start(command).end().expect(0);
}

/// Would catch references, settings and ignored files that git understands and etalon does not: upstreams, logs of
/// references, linked working trees, the user's file of what is ignored, and ends of lines.
#[test]
fn what_git_understands_stays_understood() {
    let Some(lab) = lab() else { return };
    fs::create_dir_all(lab.path("home/.config/git")).unwrap();
    lab.write("home/.config/git/ignore", "everywhere\n");
    lab.write("m/everywhere", "");
    Running::start(lab.shell("git clone -q m c && git clone -q m lines")).end().expect(0);
    lab.write("c/everywhere", "");
    let branch = "cd c && git checkout -q -b work \
                  && git branch -q -u $(git symbolic-ref --short refs/remotes/origin/HEAD) \
                  && git -c user.name=n -c user.email=e commit -q --allow-empty -m three \
                  && git worktree add -q ../linked old && touch ../linked/everywhere \
                  && git -C ../lines config core.autocrlf true";
    Running::start(lab.shell(branch)).end().expect(0);
    let made = "! test -e everywhere && make";
    // Written as git writes it here: with carriage returns.
    let of_lines = "grep -q \"$(printf \"\\r\")\" p.c && cc -DBYTES=9 -o p p.c";
    for (directory, sides, build) in [
        ("c", "@{upstream}", made),
        ("c", "@{u} HEAD", made),
        ("c", "HEAD@{1} HEAD~1", made),
        ("c", "'HEAD^{/two}'", made),
        ("c", "origin/HEAD", made),
        ("c/sub", "old", "cd .. && ! test -e everywhere && make"),
        ("linked", "HEAD work", made),
        ("linked", "work", made),
        ("lines", "old HEAD", of_lines),
    ] {
        let program = if directory == "c/sub" { "../p" } else { "./p" };
        let words = format!("{sides} --no-control --build '{build}' -r 1 -- {program}");
        let mut command = lab.shell(&format!("cd {directory} && exec \"$E\" ab {words}"));
        command.env("TMPDIR", lab.path("tmp")).env("HOME", lab.path("home"));
        command.env_remove("XDG_CONFIG_HOME");
        Running::start(command).end().expect(0);
    }
}

/// Would catch a partial clone whose missing files are fetched, or whose remedy nobody is told or does not help.
#[test]
fn a_partial_clone_is_told_what_it_lacks() {
    let Some(lab) = lab() else { return };
    let clone = "git -C m config uploadpack.allowFilter true && git clone -q --filter=blob:none \"file://$PWD/m\" part";
    Running::start(lab.shell(clone)).end().expect(0);
    let old = Running::start(lab.shell("git -C m rev-parse old")).end().expect(0).stdout;
    let old = old.trim();
    let ab = |words: &str| {
        let mut command =
            lab.shell(&format!("cd part && exec \"$E\" ab {words} --build make -r 1 -- ./p"));
        command.env("TMPDIR", lab.path("tmp"));
        Running::start(command).end()
    };
    let ended = ab("old").expect(2);
    let remedy = format!("git archive -o /dev/null {old}");
    let said = joined(&ended.stderr);
    has(&said, &[&joined("this clone is partial"), &joined(&remedy)]);
    let said = joined(&ab(UNKNOWN).expect(2).stderr);
    has(&said, &[&joined("no such revision"), &joined("this clone is partial")]);
    Running::start(lab.shell(&format!("cd part && {remedy}"))).end().expect(0);
    ab("old").expect(0);
}

/// What starts a program, in a file that is compiled into etalon.
const STARTS: [&str; 8] = [
    "process::Command",
    "process::{Child, ChildStdin, ChildStdout, Command",
    "process::{Child, Command",
    "process::{Command",
    "untimed::execute",
    "etalon_probe::printed_by",
    "libc::exec",
    "posix_spawn(",
];

/// Every file of the sources below a directory, without its tests.
fn sources(directory: &Path) -> Vec<(PathBuf, String)> {
    let mut all = Vec::new();
    for entry in fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if path.is_dir() {
            all.extend(sources(&path));
        } else if name.ends_with(".rs") && !name.ends_with("tests.rs") {
            let text = fs::read_to_string(&path).unwrap();
            let shipped = text.split("#[cfg(test)]").next().unwrap_or_default().to_owned();
            all.push((path, shipped));
        }
    }
    all
}

/// Would catch a program that is started without a word about what its environment and configuration may do, and a
/// second place that starts git.
#[test]
fn programs_are_started_where_the_table_says() {
    let top = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap();
    let table = fs::read_to_string(top.join("ARCHITECTURE.md")).unwrap();
    let mut starting = 0;
    for crates in fs::read_dir(top.join("crates")).unwrap() {
        for (path, text) in sources(&crates.unwrap().path().join("src")) {
            let path = path.strip_prefix(&top).unwrap().display().to_string();
            if STARTS.iter().any(|it| text.contains(it)) {
                starting += 1;
                assert!(table.contains(&format!("`{path}`")), "{path} is not in ARCHITECTURE.md");
            }
            let is_git = text.contains("\"git\"");
            assert!(!is_git || path.ends_with("sides/git.rs"), "{path} names git as a program");
        }
    }
    assert!(starting >= 12, "{starting} files");
}
