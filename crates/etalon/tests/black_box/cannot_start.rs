//! Commands that cannot be started, and command lines that make no sense: exit 2 with one clear
//! message, before anything is executed, leaving no record.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;

use crate::support::{Ended, Lab, has};

/// A laboratory with a command that leaves a trace of being executed.
fn lab() -> Lab {
    let lab = Lab::new();
    lab.script("witness", "echo executed >> trace");
    lab
}

/// Runs `cmd` with these arguments; nothing may have been executed, shown or saved.
#[track_caller]
fn refused<S: AsRef<OsStr>>(lab: &Lab, arguments: &[S], parts: &[&str]) -> Ended {
    let all = [OsStr::new("cmd")].into_iter().chain(arguments.iter().map(AsRef::as_ref));
    let ended = lab.run(all).expect(2);
    has(&ended.stderr, parts);
    assert!(ended.stderr.starts_with("etalon: "), "{}", ended.stderr);
    assert_eq!(ended.stdout, "");
    assert_eq!(lab.read("trace"), b"", "something was executed");
    assert!(lab.saved().is_empty(), "a record was left: {:?}", lab.saved());
    ended
}

/// Would catch words of one command that are taken for several without a word about quotes.
#[test]
fn words_of_one_command_are_to_be_quoted() {
    let lab = lab();
    for (words, line) in [
        (&["--", "sleep", "0.1"][..], "etalon cmd 'sleep 0.1'"),
        (&["-r", "2", "sleep", "0.1"], "etalon cmd 'sleep 0.1'"),
        (&["--", "sleep", "0.1", "-n", "3"], "etalon cmd 'sleep 0.1 -n 3'"),
    ] {
        refused(&lab, words, &["`0.1`", "not found in PATH", "in quotes", line]);
    }
    for words in [&["no-such-program", "sleep"][..], &["sleep 0", "no-such-program x"]] {
        let ended = refused(&lab, words, &["not found in PATH"]);
        assert!(!ended.stderr.contains("quotes"), "{}", ended.stderr);
    }
}

/// Would catch a missing program found out by executing, or timed as a success.
#[test]
fn a_missing_command() {
    let lab = lab();
    for ignored in [&[][..], &["-i"]] {
        refused(
            &lab,
            &[ignored, &["-r", "3", "no-such-program"]].concat(),
            &["no-such-program", "not found in PATH"],
        );
        refused(
            &lab,
            &[ignored, &["-r", "3", "./none/such x"]].concat(),
            &["./none/such", "no such file"],
        );
    }
}

/// Would catch EACCES met only when the measuring has begun.
#[test]
fn a_file_that_is_not_executable() {
    let lab = lab();
    lab.write("plain", "text");
    refused(&lab, &["./plain"], &["./plain", "not executable", "chmod +x"]);
}

/// Would catch a directory taken for a program.
#[test]
fn a_directory() {
    let lab = lab();
    let directory = lab.path(".").into_os_string();
    refused(&lab, &[directory], &["is a directory"]);
    refused(&lab, &["/"], &["is a directory"]);
}

/// Would catch the kernel's "exec format error" met only after the others were executed, or
/// execvp's fallback to a shell nobody asked for.
#[test]
fn a_script_without_an_interpreter_line() {
    let lab = lab();
    let script = lab.script("script", "");
    lab.write("script", "echo hello\n"); // keeps the mode
    assert!(script.exists());
    refused(&lab, &["-r", "3", "./witness", "./script"], &["./script", "#!"]);
}

/// Would catch an interpreter that is not there met only after the others were executed.
#[test]
fn a_script_whose_interpreter_is_missing() {
    let lab = lab();
    lab.script("script", "");
    lab.write("script", "#!/no/such/interpreter\n");
    refused(&lab, &["-r", "3", "./witness", "./script"], &["./script"]);
}

/// Would catch commands being resolved one by one while the experiment runs.
#[test]
fn one_bad_command_of_two_and_nothing_is_measured() {
    let lab = lab();
    refused(&lab, &["-r", "3", "./witness", "no-such-program"], &["no-such-program"]);
    refused(&lab, &["-r", "3", "-w", "2", "no-such-program", "./witness"], &["no-such-program"]);
    lab.write("list", "./witness\nno-such-program\n");
    refused(&lab, &["-r", "3", "-f", "list"], &["no-such-program"]);
}

/// Would catch hooks and shells that are looked for only when they are first needed.
#[test]
fn a_missing_prepare_or_shell() {
    let lab = lab();
    refused(&lab, &["-p", "no-such-hook", "./witness"], &["no-such-hook"]);
    refused(&lab, &["-s", "no-such-shell -c", "./witness"], &["no-such-shell"]);
    refused(&lab, &["-s", " ", "./witness"], &["shell is empty"]);
    refused(&lab, &["-p", "true", "-p", "true", "./witness"], &["2 --prepare for 1 commands"]);
}

/// Would catch an existing output file emptied although nothing could be measured.
#[test]
fn a_bad_command_leaves_the_output_file_alone() {
    let lab = lab();
    lab.write("old.jsonl", "precious\n");
    refused(&lab, &["--force", "-o", "old.jsonl", "no-such-program"], &["no-such-program"]);
    assert_eq!(lab.read("old.jsonl"), b"precious\n");
    refused(&lab, &["-o", "new.jsonl", "no-such-program"], &["no-such-program"]);
    assert!(!lab.path("new.jsonl").exists(), "an empty file was left");
}

/// Would catch the endless loop at a trailing backslash, and open quotes passed on to the program.
#[test]
fn words_that_do_not_close() {
    let lab = lab();
    for text in ["./witness \\", "./witness 'a", "./witness \"a", "\\"] {
        refused(&lab, &[text], &["a quote is not closed, or a backslash ends it"]);
    }
}

/// Would catch an empty command timed as something.
#[test]
fn an_empty_command_without_a_shell() {
    let lab = lab();
    refused(&lab, &[""], &["empty", "--shell"]);
    refused(&lab, &["  "], &["empty", "--shell"]);
    refused(&lab, &["''"], &["empty"]);
    refused::<&str>(&lab, &[], &["no command"]);
    for nothing in ["", "# nothing here\n\n"] {
        lab.write("list", nothing);
        refused(
            &lab,
            &["-f", "list"],
            &["-f list: there is no command in it", "a line is a command"],
        );
    }
}

/// Would catch a name that is silently dropped or given to the wrong command.
#[test]
fn names_that_fit_no_command() {
    let lab = lab();
    refused(&lab, &["-n", "a", "-n", "b", "./witness"], &["\"b\"", "more names than commands"]);
    refused(&lab, &["./witness", "-n", "a", "-n", "b"], &["\"b\"", "has a name already"]);
    refused(&lab, &["-n", "a", "./witness", "-n", "b"], &["\"b\"", "more names than commands"]);
    lab.write("list", "./witness\n-n a b\n");
    refused(&lab, &["-f", "list"], &["list", "line 2", "-n \"name\""]);
    lab.write("list", "./witness x\n\n-n a\n-n b\n");
    refused(&lab, &["-f", "list"], &["list: line 4: -n \"b\" names `./witness x`", "\"a\""]);
    lab.write("list", "-n a\n-n b\n./witness\n");
    refused(&lab, &["-f", "list"], &["list: line 2: -n \"b\" names no command"]);
}

/// Would catch a number that wraps, is clamped or becomes 0 without a word, and a message that
/// does not name the option.
#[test]
fn numbers_out_of_range() {
    let lab = lab();
    let cases = [
        ("-r", "0", "--runs"),
        ("-r", "-1", "--runs"),
        ("-r", "1e9", "--runs"),
        ("-r", "4294967297", "--runs"),
        ("-r", "", "--runs"),
        ("-w", "-1", "--warmup"),
        ("--timeout", "0", "--timeout"),
        ("--timeout", "-1s", "--timeout"),
        ("--timeout", "nan", "--timeout"),
        ("--timeout", "1e300", "--timeout"),
        ("--timeout", "5MB", "--timeout"),
        ("--budget", "0s", "--budget"),
        ("--margin", "500", "--margin"),
        ("--margin", "-1%", "--margin"),
        ("--margin", "5 parsecs", "--margin"),
        ("--precision", "2", "--precision"),
        ("--precision", "0", "--precision"),
        ("--confidence", "2", "--confidence"),
        ("--confidence", "100%", "--confidence"),
        ("--alpha", "0", "--alpha"),
        ("--alpha", "1", "--alpha"),
        ("--at-least", "inf", "--at-least"),
        ("--seed", "-1", "--seed"),
        ("--seed", "18446744073709551616", "--seed"),
        ("-i=0", "-r1", "--ignore-failure"),
        ("-i=1,x", "-r1", "--ignore-failure"),
        ("--env", "NOVALUE", "--env"),
        ("--correction", "magic", "--correction"),
        ("--metric", "speed", "--metric"),
        ("--order", "random", "--order"),
        ("--cwd", "/no/such/place", "--cwd"),
        ("--input", "/no/such/file", "--input"),
    ];
    for (option, value, named) in cases {
        let ended = refused(&lab, &[option, value, "./witness"], &[named]);
        let errors = ended.stderr.matches("etalon: ").count();
        assert_eq!(errors, 1, "{option} {value}: {}", ended.stderr);
    }
}

/// Would catch options that contradict each other resolved in silence.
#[test]
fn contradictions() {
    let lab = lab();
    refused(&lab, &["-M", "-N", "./witness"], &["--mini-stats", "--no-stats"]);
    refused(
        &lab,
        &["--show-output", "--stdout", "null", "./witness"],
        &["--show-output", "--stdout"],
    );
    refused(&lab, &["--no-such-option", "./witness"], &["--no-such-option"]);
}

/// Would catch `-o` making a file called `-`, or hyperfine's values taken for file names.
#[test]
fn output_names_of_other_tools() {
    let lab = lab();
    refused(&lab, &["-o", "-", "./witness"], &["-o -", "./-"]);
    for place in ["null", "inherit", "pipe"] {
        refused(&lab, &["-o", place, "./witness"], &["--stdout", place]);
        assert!(!lab.path(place).exists());
    }
}

/// Would catch an option file that is not there met late, or named without its name.
#[test]
fn a_command_file_that_cannot_be_read() {
    let lab = lab();
    refused(&lab, &["-f", "no-such-list", "./witness"], &["no-such-list"]);
    refused(&lab, &["-f", ".", "./witness"], &["."]);
}

/// Would catch bytes that break the message about a command that is not there.
#[test]
fn a_missing_command_with_hostile_bytes() {
    let lab = lab();
    let name = OsStr::from_bytes(b"no\xff\x1b[31mprogram");
    let ended = refused(&lab, &[name], &["no", "program"]);
    assert!(!ended.stderr.contains('\x1b'), "{:?}", ended.stderr);
}

/// Would catch hook or directory errors that only show when the launcher is set up.
#[test]
fn an_input_or_output_that_cannot_be_opened() {
    let lab = lab();
    refused(&lab, &["--input", ".", "./witness"], &["--input"]);
    refused(&lab, &["--stdout", "/no/such/place/file", "./witness"], &["/no/such/place/file"]);
    let nowhere: OsString = "/no/such/place/raw.csv".into();
    refused(&lab, &["-o".into(), nowhere, "./witness".into()], &["/no/such/place/raw.csv"]);
}

/// Would catch a stopping rule that is taken and ignored.
#[test]
fn a_number_of_runs_beside_a_stopping_rule() {
    let lab = lab();
    for (option, value) in [("--precision", "1%"), ("--budget", "5s")] {
        let ended = lab.run(["cmd", "-r", "20", option, value, "true"]).expect(2);
        let words = format!("-r 20 with {option}: each says when to stop; leave one of them out");
        has(&ended.stderr, &[&words]);
        assert_eq!((ended.stdout.as_str(), lab.saved().len()), ("", 0));
    }
}
