//! Setup, prepare, conclude and cleanup through the real binary: exactly what is executed when, also
//! when something fails or somebody presses Ctrl-C; and the orders commands are executed in.

use crate::support::{Lab, Record, Running, has, signal, until};

/// A laboratory with `./log WORD`, which appends the word to the log.
fn lab() -> Lab {
    let lab = Lab::new();
    lab.script("log", "echo \"$1\" >> told");
    lab.script("fails", "echo \"$1\" >> told; echo \"$1: out of luck\" >&2; exit 3");
    lab
}

fn log(lab: &Lab) -> String {
    String::from_utf8(lab.read("told"))
        .expect("text")
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ")
}

/// Executes, and gives the log.
fn logged(arguments: &[&str]) -> String {
    let lab = lab();
    lab.run([&["cmd", "-N", "--quiet"], arguments].concat()).expect(0);
    log(&lab)
}

/// Would catch a hook executed too often, too late or not at all, or timed with the command.
#[test]
fn hooks_surround_what_they_belong_to() {
    let hooks =
        ["--setup", "./log S", "-p", "./log p", "--conclude", "./log c", "--cleanup", "./log C"];
    let one = [&["-r", "2", "-w", "1"], &hooks[..], &["./log x"]].concat();
    assert_eq!(logged(&one), "S p x c p x c p x c C");
    let abba = [&["-r", "2", "--order", "abba"], &hooks[..], &["./log x", "./log y"]].concat();
    assert_eq!(logged(&abba), "S p x c p y c p y c p x c C");
    let each =
        ["-r", "1", "--order", "sequential", "--conclude", "./log c", "--conclude", "./log d"];
    assert_eq!(logged(&[&each[..], &["./log x", "./log y"]].concat()), "x c y d");
}

/// Would catch a shared setup executed once per command, or two different ones merged.
#[test]
fn setups_that_differ_make_the_order_sequential_unless_it_is_asked_for() {
    let scan = [
        "-r",
        "2",
        "-L",
        "n",
        "1,2",
        "--setup",
        "./log S{n}",
        "--cleanup",
        "./log C{n}",
        "./log x{n}",
    ];
    assert_eq!(logged(&scan), "S1 x1 x1 C1 S2 x2 x2 C2");
    let abba = [&["--order", "abba"], &scan[..]].concat();
    assert_eq!(logged(&abba), "S1 S2 x1 x2 x2 x1 C1 C2");
    let shared = ["-r", "1", "--order", "sequential", "--setup", "./log S", "./log x", "./log y"];
    assert_eq!(logged(&shared), "S x S y");

    let lab = lab();
    let ended = lab.run([&["cmd"], &scan[..]].concat()).expect(0);
    let note = "setup or cleanup differ between commands";
    has(&ended.stderr, &[note, "--order blocks"]);
    let record = lab.record();
    assert_eq!(record.of_type("plan")[0]["order"], "sequential");
    assert_eq!(record.of_type("benchmark")[1]["setup"], "./log S2");
    assert_eq!(record.of_type("benchmark")[1]["cleanup"], "./log C2");
    assert!(
        record
            .of_type("note")
            .iter()
            .any(|n| n["text"].as_str().is_some_and(|t| t.starts_with(note)))
    );
    has(&lab.done(["report", "@last"]), &[note]);
    lab.run([&["cmd", "--order", "blocks"], &scan[..]].concat()).expect(0);
    assert_eq!(lab.record().of_type("plan")[0]["order"], "blocks");
    assert!(lab.record().of_type("note").iter().all(|note| note["about"] != "order"));
}

/// Would catch a failing hook passed over, its last words lost, a cleanup left out, or more executed
/// after it.
#[test]
fn a_failing_hook_stops_and_cleanups_are_executed_all_the_same() {
    let around = ["--setup", "./log S", "--cleanup", "./log C"];
    let cases: [(&[&str], &str, &str); 5] = [
        (&["--setup", "./fails S", "--cleanup", "./log C", "./log x"], "S C", "--setup"),
        (&[&around[..], &["-p", "./fails p", "./log x"]].concat(), "S p C", "--prepare"),
        (&[&around[..], &["--conclude", "./fails c", "./log x"]].concat(), "S x c C", "--conclude"),
        (&[&around[..], &["./fails x"]].concat(), "S x C", "command"),
        (&["--cleanup", "./fails C", "./log x"], "x x x C", "--cleanup"),
    ];
    for (arguments, expected, what) in cases {
        let lab = lab();
        let ended = lab.run([&["cmd", "-r", "3"], arguments].concat()).expect(1);
        assert_eq!(log(&lab), expected, "{what}");
        has(
            &ended.stderr,
            &[&format!("etalon: {what} `./fails"), "exited with code 3", "| ", ": out of luck"],
        );
        let complete = what == "--cleanup";
        let stopped_by = lab.record().stopped_by();
        assert_eq!(
            stopped_by.as_deref(),
            Some(if complete { "runs" } else { "failure" }),
            "{what}"
        );
        if what != "command" {
            has(&lab.done(["report", "@last"]), &[&format!("{what} exited with code 3")]);
        }
        lab.assert_nothing_left();
    }
    // A cleanup that fails between two stages: the next has no sound start.
    let lab = lab();
    let stages =
        ["-r", "1", "--order", "sequential", "--cleanup", "./fails C", "./log x", "./log y"];
    lab.run([&["cmd"], &stages[..]].concat()).expect(1);
    assert_eq!(log(&lab), "x C");
    assert_eq!(lab.record().stopped_by().as_deref(), Some("failure"));
}

/// Would catch a Ctrl-C that leaves what a setup made, or counts as success.
#[test]
fn ctrl_c_executes_the_cleanup() {
    for with in [libc::SIGINT, libc::SIGTERM] {
        let lab = lab();
        let list = ["cmd", "-r", "100000", "--setup", "./log S", "--cleanup", "./log C", "./log x"];
        let running = Running::start(lab.etalon(list));
        until("executions", || lab.read("told").len() > 20);
        signal(running.pid(), with);
        let ended = running.end().expect(130);
        has(&ended.stdout, &["Interrupted after"]);
        lab.assert_nothing_left();
        let log = log(&lab);
        assert!(log.starts_with("S x") && log.ends_with("x C"), "{log}");
        assert_eq!(lab.record().stopped_by().as_deref(), Some("interrupt"));
    }
}

/// Would catch a cleanup that cannot be ended: the second Ctrl-C is meant for it.
#[test]
fn a_second_ctrl_c_ends_the_cleanup() {
    let lab = lab();
    lab.script("hangs", "echo C >> told; trap '' INT TERM; sleep 1000; sleep 1000");
    let list = ["cmd", "-r", "100000", "--cleanup", "./hangs", "./log x"];
    let running = Running::start(lab.etalon(list));
    until("executions", || lab.read("told").len() > 20);
    signal(running.pid(), libc::SIGINT);
    until("the cleanup", || lab.read("told").ends_with(b"C\n"));
    signal(running.pid(), libc::SIGINT);
    running.end().expect(130);
    lab.assert_nothing_left();
}

/// Would catch a hook looked for only when its turn comes.
#[test]
fn hooks_that_cannot_be_executed_are_found_out_first() {
    for hook in ["--setup", "--prepare", "--conclude", "--cleanup"] {
        let lab = lab();
        let ended = lab.run(["cmd", "-r", "1", hook, "no-such-hook", "./log x"]).expect(2);
        has(&ended.stderr, &[&format!("{hook} `no-such-hook`"), "not found"]);
        let three = ["cmd", hook, "true", hook, "true", "true", "true", "true"];
        has(&lab.run(three).expect(2).stderr, &[&format!("2 {hook} for 3 commands")]);
        assert_eq!((log(&lab).as_str(), lab.saved().len()), ("", 0));
    }
}

/// Would catch abba that is not what it says, or is not recorded and reported as it.
#[test]
fn abba_alternates_and_pairs_as_blocks() {
    let lab = lab();
    let shown = lab.done([
        "cmd", "-N", "-r", "3", "-w", "1", "--order", "abba", "./log a", "./log b", "./log c",
    ]);
    assert_eq!(log(&lab), "a b c a b c c b a a b c");
    assert_eq!(lab.record().of_type("plan")[0]["order"], "abba");
    has(&crate::support::joined(&shown), &["blocksalternatingbetweentheordergivenanditsreverse"]);
    let json = lab.json(["report", "@last", "--json"]);
    assert_eq!(json["comparisons"][0]["paired"], true);
}

/// Would catch padding that differs within a block, stays the same, is not recorded, or is there
/// without being asked for.
#[test]
fn the_environment_has_another_size_in_every_block() {
    let lab = lab();
    lab.script("size", "env | wc -c >> sizes");
    let command = ["-r", "12", "-w", "2", "./size a", "-n", "a", "./size b", "-n", "b"];
    lab.done([&["cmd", "--seed", "5", "--randomize-env"], &command[..]].concat());
    let sizes: Vec<u32> = String::from_utf8(lab.read("sizes"))
        .expect("text")
        .split_whitespace()
        .map(|size| size.parse().expect("a number"))
        .collect();
    assert_eq!(sizes.len(), 28);
    let blocks: Vec<u32> = sizes.chunks(2).map(|block| block[0]).collect();
    assert!(sizes.chunks(2).all(|block| block[0] == block[1]), "{sizes:?}");
    let distinct: std::collections::BTreeSet<&u32> = blocks.iter().collect();
    assert!(distinct.len() > 10, "{blocks:?}");
    let spread = blocks.iter().max().expect("one") - blocks.iter().min().expect("one");
    assert!(spread < 4096, "{blocks:?}");
    assert_eq!(lab.record().of_type("plan")[0]["padding"], 4096);
    let shown = lab.done(["report", "-N", "@last"]);
    has(&crate::support::joined(&shown), &["anothersizeineveryblock"]);

    std::fs::remove_file(lab.path("sizes")).expect("removed");
    lab.done([&["cmd"], &command[..]].concat());
    let text = String::from_utf8(lab.read("sizes")).expect("text");
    let distinct: std::collections::BTreeSet<&str> = text.split_whitespace().collect();
    assert_eq!(distinct.len(), 1);
    assert!(Record::read(&lab.saved()[1]).of_type("plan")[0].get("padding").is_none());
}
