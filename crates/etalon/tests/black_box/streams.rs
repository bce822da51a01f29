//! What commands read and write: floods of output, standard input, the terminal.

use std::path::Path;

use crate::support::{
    Lab, Running, hand_written, has, joined, on_terminal, outcome, skip, with_peak,
};
use serde_json::json;

/// Far below what is written, far above what etalon needs.
const ROOM: u64 = 64 << 20;

/// Would catch output that is collected in memory, and a pipe nobody empties.
#[test]
fn gigabytes_of_output_cost_no_memory_and_block_nothing() {
    let lab = Lab::new();
    let flood = "head -c 300M /dev/zero";
    let both = format!("sh -c '{flood}; {flood} >&2'");
    for to in ["null", "pipe"] {
        let (ended, peak) = with_peak(&lab.etalon(["cmd", "-r", "1", "-N", "--stdout", to, &both]));
        ended.expect(0);
        assert!(peak < ROOM, "{peak} bytes with --stdout {to}");
    }
}

/// Would catch a flood on standard error that hides the last words, or is kept as a whole.
#[test]
fn the_last_words_after_a_flood_are_shown() {
    let lab = Lab::new();
    lab.script(
        "verbose",
        "yes 'noise noise noise' | head -c 20000000 >&2; printf '\\nlast words\\n' >&2; exit 3",
    );
    let (ended, peak) = with_peak(&lab.etalon(["cmd", "-r", "2", "./verbose"]));
    has(&ended.expect(1).stderr, &["| last words"]);
    let kept = lab.record().measured()[0]["stderr"].as_str().map(str::len);
    assert!(kept.is_some_and(|n| n <= 4096), "{kept:?}");
    assert!(peak < ROOM, "{peak} bytes");
}

/// Would catch commands that inherit etalon's standard input: the first would take all of it.
#[test]
fn standard_input_is_empty() {
    let lab = Lab::new();
    lab.write("typed", "not for you\n");
    let script = "$E cmd -N -r 3 \"sh -c 'cat >> got; echo end >> got'\" < typed";
    Running::start(lab.shell(script)).end().expect(0);
    assert_eq!(String::from_utf8_lossy(&lab.read("got")), "end\nend\nend\n");
}

/// Would catch an input file that is read by the first execution only, or by the hook.
#[test]
fn the_input_file_is_there_for_every_execution() {
    let lab = Lab::new();
    lab.write("input", "some content\n");
    lab.script("take", "cat >> got");
    lab.script("hook", "cat >> hooked");
    lab.done(["cmd", "-N", "-w", "1", "-r", "3", "--input", "input", "-p", "./hook", "./take"]);
    assert_eq!(String::from_utf8_lossy(&lab.read("got")), "some content\n".repeat(4));
    assert_eq!(lab.read("hooked"), b"");
    assert_eq!(lab.record().lines[0]["context"]["input"], "input");
}

/// Would catch an output file that grows from execution to execution, or holds the hook's output.
#[test]
fn the_output_file_holds_the_last_execution() {
    let lab = Lab::new();
    lab.done(["cmd", "-N", "-r", "3", "--stdout", "out", "-p", "echo hook", "echo command"]);
    assert_eq!(lab.read("out"), b"command\n");
}

/// Would catch output of commands mixed into the report.
#[test]
fn the_report_is_alone_on_standard_output() {
    let lab = Lab::new();
    for to in ["null", "pipe"] {
        let ended = lab
            .run(["cmd", "-r", "2", "--stdout", to, "sh -c 'echo loud; echo loud >&2'"])
            .expect(0);
        assert_eq!(ended.stdout, lab.done(["report", "@last"]));
        assert_eq!(ended.stderr.replace("saved; `etalon report @last` shows this again\n", ""), "");
    }
}

/// Would catch `--show-output` that shows nothing.
#[test]
fn shown_output_is_shown() {
    let lab = Lab::new();
    for show in [&["--show-output"][..], &["--stdout", "inherit"]] {
        let list = [&["cmd", "-N", "-r", "2"], show, &["sh -c 'echo out; echo err >&2'"]].concat();
        let ended = lab.run(list).expect(0);
        assert_eq!(ended.stdout.matches("out\n").count(), 2);
        assert_eq!(ended.stderr.matches("err\n").count(), 2);
    }
}

/// Would catch a command that waits for ever for a terminal it does not have, and a report that
/// does not say what to do.
#[test]
fn a_command_that_reads_the_terminal_is_ended_and_told_apart() {
    let lab = Lab::new();
    let arguments = ["cmd", "-r", "3", "sh -c 'read answer < /dev/tty'"];
    let Some((code, shown)) = on_terminal(lab.etalon(arguments), "yes\n") else {
        return skip("no pseudo-terminal: commands that read the terminal");
    };
    assert_eq!(code, Some(1), "{shown}");
    has(&joined(&shown), &["itwantedtheterminal", "SIGTTIN", "--show-outputgivesittoit"]);
    let record = lab.record();
    assert_eq!(record.measured().len(), 1);
    assert!(outcome(record.measured()[0]).is_some_and(|o| o.starts_with("{\"killed\":")));
    lab.assert_nothing_left();
}

/// Would catch `--show-output` that leaves the command in the background, where it is stopped, and
/// a terminal that is not taken back, which would stop etalon itself.
#[test]
fn with_its_output_shown_a_command_may_read_the_terminal() {
    let lab = Lab::new();
    let arguments = [
        "cmd",
        "-N",
        "-r",
        "2",
        "--show-output",
        "sh -c 'read a < /dev/tty; echo got $a >> answers'",
    ];
    let Some((code, shown)) = on_terminal(lab.etalon(arguments), "one\ntwo\n") else {
        return skip("no pseudo-terminal: reading the terminal with --show-output");
    };
    assert_eq!(code, Some(0), "{shown}");
    assert_eq!(String::from_utf8_lossy(&lab.read("answers")), "got one\ngot two\n");
}

/// Data in which `b` is slower than `a`.
fn write_slower(lab: &Lab) {
    let row = |i: i64| [(json!(10_000 + i), json!(1000 + i)), (json!(20_000 + i), json!(2000 + i))];
    let blocks: Vec<_> = (0..8).map(row).collect();
    let blocks: Vec<&[_]> = blocks.iter().map(|rows| &rows[..]).collect();
    lab.write("data", hand_written(&blocks));
}

/// Would catch a report on a terminal that has no colours or more columns than the terminal, and
/// escapes that are counted as columns.
#[test]
fn on_a_terminal_verdicts_are_coloured_and_fit() {
    let lab = Lab::new();
    write_slower(&lab);
    let Some((code, shown)) = on_terminal(lab.etalon(["report", "data"]), "") else {
        return skip("no pseudo-terminal: the report on a terminal");
    };
    assert_eq!(code, Some(0), "{shown}");
    has(&shown, &["\x1b[31m", "slower\x1b[0m", "  against "]);
    let plain = shown
        .replace("\x1b[31m", "")
        .replace("\x1b[1m", "")
        .replace("\x1b[0m", "")
        .replace("\r\n", "\n");
    assert!(!plain.contains('\x1b'), "{plain:?}");
    let width = |line: &str| unicode_width::UnicodeWidthStr::width(line);
    assert!(plain.lines().map(width).max() <= Some(100), "{plain}");
}

/// Would catch colours in a pipe, and the variables for them being ignored.
#[test]
fn colours_are_where_they_were_asked_for() {
    let lab = Lab::new();
    write_slower(&lab);
    let report = |variables: &[(&str, &str)]| {
        let mut command = lab.etalon(["report", "data"]);
        command.envs(variables.iter().copied());
        command
    };
    let piped =
        |variables: &[(&str, &str)]| Running::start(report(variables)).end().expect(0).stdout;
    let plain = piped(&[]);
    assert!(!plain.contains('\x1b'));
    let coloured = piped(&[("CLICOLOR_FORCE", "1")]);
    has(&coloured, &["\x1b[31m", "slower\x1b[0m"]);
    assert_eq!(
        coloured.replace("\x1b[31m", "").replace("\x1b[1m", "").replace("\x1b[0m", ""),
        plain
    );
    assert_eq!(piped(&[("CLICOLOR_FORCE", "0")]), plain);
    assert_eq!(piped(&[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")]), plain);
    assert_eq!(piped(&[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "")]), coloured);
    match on_terminal(report(&[("NO_COLOR", "1")]), "") {
        Some((_, shown)) => assert!(!shown.contains('\x1b'), "{shown:?}"),
        None => skip("no pseudo-terminal: NO_COLOR on a terminal"),
    }
}

/// Would catch a command executed in etalon's directory, or a path of etalon's taken from there.
#[test]
fn commands_are_executed_where_they_were_asked_to_be() {
    let lab = Lab::new();
    std::fs::create_dir(lab.path("there")).expect("a directory");
    lab.script("there/here", "pwd -P > seen");
    lab.write("input", "x");
    lab.done([
        "cmd", "-N", "-r", "1", "--cwd", "there", "--input", "input", "--stdout", "out", "-o",
        "raw.csv", "./here",
    ]);
    let seen = String::from_utf8_lossy(&lab.read("there/seen")).trim_end().to_owned();
    assert_eq!(Path::new(&seen), lab.path("there").canonicalize().expect("a path"));
    assert!(lab.path("raw.csv").exists() && lab.path("out").exists());
    assert_eq!(lab.record().lines[0]["context"]["cwd"], "there");
}

/// Would catch signals ignored or blocked on behalf of commands: a program with SIGPIPE ignored
/// behaves differently.
#[test]
fn commands_get_the_signals_they_would_get_from_a_shell() {
    let lab = Lab::new();
    let look = "grep -E '^Sig(Blk|Ign)' /proc/self/status";
    // 32 and up are the threads library's own business.
    let signals = |status: &str| -> Vec<u64> {
        let mask = |line: &str| line.split_whitespace().nth(1).map(str::to_owned);
        let masks = status.lines().filter_map(mask);
        masks.map(|m| u64::from_str_radix(&m, 16).expect("a mask") & 0x7fff_ffff).collect()
    };
    let expected = signals(&Running::start(lab.shell(look)).end().expect(0).stdout);
    assert_eq!(expected.len(), 2);
    for options in [&["--timeout", "60s"][..], &["--show-output"]] {
        let hooked = format!("sh -c \"{look} > seen\"");
        lab.done([&["cmd", "-N", "-r", "1"], options, &[&hooked]].concat());
        assert_eq!(signals(&String::from_utf8_lossy(&lab.read("seen"))), expected);
    }
}

/// Would catch descriptors of etalon's (the record, the socket) open in commands.
#[test]
fn commands_get_no_descriptors_but_the_three() {
    let lab = Lab::new();
    for show in [&["--stdout", "pipe"][..], &["--show-output"], &["--input", "input"]] {
        lab.write("input", "x");
        let list = [
            &["cmd", "-N", "-r", "1", "-o", "raw.csv", "--force"],
            show,
            &["sh -c 'ls -1 /proc/self/fd | xargs > seen'"],
        ];
        lab.done(list.concat());
        // 3 is what `ls` itself opens to look.
        assert_eq!(String::from_utf8_lossy(&lab.read("seen")), "0 1 2 3\n", "{show:?}");
    }
}
