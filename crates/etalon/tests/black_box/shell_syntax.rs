//! No shell unless asked for: what only a shell understands is refused in what is timed, before
//! anything is executed, and understood in what is not timed.

use crate::support::{Lab, has};

/// A laboratory with a command that leaves a trace of being executed.
fn lab() -> Lab {
    let lab = Lab::new();
    lab.script("witness", "echo executed >> trace");
    lab
}

/// Would catch shell syntax timed as plain words: `echo a > f` writes no file and says `a > f`.
#[test]
fn shell_syntax_in_a_timed_command_is_refused_with_both_ways_out() {
    let cases = [
        ("./witness a > f", "`>` at character 13 is an operator"),
        ("./witness | wc", "`|` at character 11"),
        ("./witness &", "`&` at character 11"),
        ("./witness && ./witness", "`&&` at character 11"),
        ("./witness; ./witness", "`;` at character 10"),
        ("(./witness)", "`(` at character 1"),
        ("./witness\n./witness", "the line break at character 10"),
        ("./witness $HOME", "`$` at character 11 would be replaced by a value"),
        ("./witness \"$HOME\"", "within double quotes as well"),
        ("./witness `ls`", "``` at character 11"),
        ("./witness *.c", "`*` at character 11 would be replaced by file names"),
        ("./witness a?", "`?` at character 12"),
        ("./witness [ab]", "`[` at character 11"),
        ("~/witness", "`~` at character 1 would be replaced by a home directory"),
        ("./witness # all", "`#` at character 11 would begin a comment"),
        ("A=1 ./witness", "`A=` at character 1 would set a variable"),
    ];
    for (command, what) in cases {
        let lab = lab();
        let ended = lab.run(["cmd", "-r", "1", "./witness", command]).expect(2);
        let ways = ["no shell is used", what, "sh -c 'COMMAND'", "quote it"];
        has(&ended.stderr, &ways);
        assert_eq!(lab.read("trace"), b"", "{command}: something was executed");
        assert!(lab.saved().is_empty(), "{command}: a record was left");
        // With a shell it is that shell's.
        lab.run(["cmd", "-N", "-i", "-r", "1", "-s", "/bin/sh -c", command]).expect(0);
    }
    let lab = lab();
    let ended = lab.run(["cmd", "A=1 ./witness"]).expect(2);
    has(&ended.stderr, &["--env"]);
}

/// Would catch lines of a file, values of a scan or a reference that are taken as they come.
#[test]
fn wherever_a_timed_command_comes_from() {
    let lab = lab();
    lab.write("list", "# sizes\n./witness\n./witness > x\n");
    let ended = lab.run(["cmd", "-f", "list"]).expect(2);
    has(&ended.stderr, &["list, line 3: command `./witness > x`", "`>` at character 11"]);
    let ended = lab.run(["cmd", "-L", "n", "1,2;3", "./witness {n}"]).expect(2);
    has(&ended.stderr, &["command `./witness 2;3`", "`;` at character 12"]);
    let ended = lab.run(["cmd", "--reference", "./witness | wc", "./witness"]).expect(2);
    has(&ended.stderr, &["`|`"]);
    // A file has keys, and no options for them.
    for (command, cure) in [("A=1 ./witness", "in a file `env`"), ("", "name a program")] {
        lab.write("f.toml", format!("[[subject]]\nname = \"a\"\ncommand = \"{command}\"\n"));
        let ended = lab.run(["run", "f.toml"]).expect(2);
        has(&ended.stderr, &["f.toml:3:11", cure]);
        assert!(!ended.stderr.contains("or use --shell"), "{}", ended.stderr);
    }
    assert_eq!(lab.read("trace"), b"", "something was executed");
    assert!(lab.saved().is_empty());
}

/// Would catch quoted characters, braces, brackets and dollars that mean nothing to a shell refused.
#[test]
fn what_a_shell_would_take_literally_passes() {
    let lab = Lab::new();
    lab.script("args", "printf '%s|' \"$@\" > args.txt");
    let cases = [
        (r"./args '$HOME' \> '*' \~ '#' 'a b'", "$HOME|>|*|~|#|a b|"),
        (r#"./args "a > b; c" "\$x" "5$""#, "a > b; c|$x|5$|"),
        ("./args {a,b} a#b x~ foo$ [ ] A=1", "{a,b}|a#b|x~|foo$|[|]|A=1|"),
    ];
    for (command, expected) in cases {
        lab.done(["cmd", "-N", "-r", "1", command]);
        assert_eq!(String::from_utf8_lossy(&lab.read("args.txt")), expected, "{command}");
    }
    lab.done(["cmd", "-N", "-r", "1", "-L", "n", "3", "-n", "a > {n} *", "./args {n}"]);
    assert_eq!(lab.read("args.txt"), b"3|");
}

/// Would catch a hook whose pattern or redirection is taken for a plain word: nothing is removed.
#[test]
fn hooks_are_given_to_a_shell() {
    let lab = Lab::new();
    std::fs::create_dir(lab.path("junk")).unwrap();
    for name in ["junk/a", "junk/b"] {
        lab.write(name, "");
    }
    lab.script("check", "ls junk > seen");
    let hooks = [
        ["--setup", "echo s$((1 + 1)) >> told; : > junk/c"],
        ["--prepare", "rm -f junk/*"],
        ["--conclude", "echo c >> told"],
        ["--cleanup", "echo C >> told && echo D >> told"],
    ];
    let arguments = [&["cmd", "-N", "-r", "1"], &hooks.concat()[..], &["./check"]].concat();
    lab.done(arguments);
    assert_eq!(lab.read("seen"), b"", "junk was there");
    assert_eq!(lab.read("told"), b"s2\nc\nC\nD\n");
    assert_eq!(lab.record().of_type("benchmark")[0]["prepare"], "rm -f junk/*");
    // A shell for the commands is not theirs.
    lab.script("shell", "exec /bin/sh -c \"$2\"");
    lab.done(["cmd", "-N", "-r", "1", "-s", "./shell -x", "-p", "echo p > given-to-hook", "true"]);
    assert_eq!(lab.read("given-to-hook"), b"p\n");
}

/// Would catch hyperfine's setup taken for a shell.
#[test]
fn a_shell_that_is_none_is_refused() {
    for (value, instead) in [
        (
            "make all",
            "-s 'make all': hyperfine's option; write --setup 'make all' (-s takes a shell",
        ),
        (
            "./witness",
            "-s ./witness: hyperfine's option; write --setup ./witness (-s takes a shell",
        ),
        ("bash", "-s bash: hyperfine's option; write -s 'bash -c'"),
        ("/bin/sh", "-s /bin/sh: hyperfine's option; write -s '/bin/sh -c'"),
        ("default", "write --shell '/bin/sh -c'"),
        ("none", "-s none: hyperfine's option; leave it out, because no shell is used"),
    ] {
        let lab = lab();
        let ended = lab.run(["cmd", "-r", "1", "-s", value, "./witness"]).expect(2);
        has(&ended.stderr, &[instead]);
        assert!(!ended.stderr.contains("  "), "{}", ended.stderr);
        assert_eq!(lab.read("trace"), b"", "{value}: something was executed");
        assert!(lab.saved().is_empty());
    }
}
