//! `--resume`: an interrupted run that is resumed is the same experiment: same seed, same
//! schedule, nothing of the old record lost, and nothing else can be slipped in.

use std::path::PathBuf;

use etalon_core::stats::Looks;

use crate::support::{Lab, Record, Running, has, held, signal, until};

/// A command that logs each of its executions with one byte, and can be held.
const LOGGED: &str = "./logged";

/// A laboratory with that command.
fn lab() -> Lab {
    let lab = Lab::new();
    lab.script("logged", &held("."));
    lab
}

fn completed(lab: &Lab) -> usize {
    lab.read("done").len()
}

/// Starts an experiment, ends it by a signal while some execution of a command that can be held is under way; the record.
fn stopped(lab: &Lab, with: i32, after: usize, arguments: &[&str]) -> (PathBuf, Record) {
    let last = completed(lab) + after;
    lab.write("hold", last.to_string());
    let running = Running::start(lab.etalon([&["cmd", "-N"], arguments].concat()));
    until("executions", || completed(lab) >= last);
    signal(running.pid(), with);
    running.end();
    lab.assert_nothing_left();
    std::fs::remove_file(lab.path("hold")).expect("removed");
    let path = lab.saved().pop().expect("a saved run");
    (path.clone(), Record::read(&path))
}

/// The record without header and end, as text, and without what has to differ.
fn body(record: &Record) -> Vec<String> {
    let inner = |line: &&serde_json::Value| line["type"] != "header" && line["type"] != "end";
    record.lines.iter().filter(inner).map(ToString::to_string).collect()
}

/// What an uninterrupted execution with that seed executes: `block:benchmark`.
fn schedule(arguments: &[&str]) -> Vec<String> {
    let lab = lab();
    lab.done([&["cmd", "-N"], arguments].concat());
    lab.record().order()
}

/// Would catch another seed, a block number used twice, blocks missing or too many, lines of the old
/// record lost or changed, and an old record touched.
#[test]
fn it_goes_on_where_it_stopped() {
    let arguments = ["-r", "60", "-w", "1", "--seed", "7", LOGGED, "-n", "a", LOGGED, "-n", "b"];
    // Between two blocks, and within one.
    let moments = [11, 12].into_iter().flat_map(|at| [(libc::SIGINT, at), (libc::SIGKILL, at)]);
    for (with, after) in moments {
        let lab = lab();
        let (path, old) = stopped(&lab, with, after, &arguments);
        let bytes = std::fs::read(&path).expect("the old record");
        let ended = lab.run(["cmd", "-N", "--resume", "@last", "-o", "raw.jsonl"]).expect(0);
        assert_eq!(std::fs::read(&path).expect("the old record"), bytes);
        let new = lab.record();
        assert_eq!(new.stopped_by().as_deref(), Some("runs"));
        let (old_body, new_body) = (body(&old), body(&new));
        assert_eq!(new_body[..old_body.len()], old_body);
        let id = old.lines[0]["id"].as_str().expect("an id");
        assert_eq!(new.lines[old_body.len() + 1]["text"], format!("resumed from {id}"));
        assert_ne!(new.lines[0]["id"], old.lines[0]["id"]);
        assert_eq!(new.lines[0]["argv"], old.lines[0]["argv"]);
        assert_eq!(new.lines[0]["started"], old.lines[0]["started"]);
        assert_eq!(Record::read(&lab.path("raw.jsonl")).lines, new.lines);

        // The schedule is that of one execution; the block that was cut off is left as it was.
        let order = new.order();
        let expected = schedule(&[&["-r", "61"], &arguments[2..]].concat());
        let cut = old.order().len() % 2;
        let mut expected: Vec<String> = expected[..order.len() + cut].to_vec();
        if cut == 1 {
            expected.remove(old.order().len());
        }
        assert_eq!(order, expected);
        let whole = order.iter().filter(|step| step.ends_with(":0")).count();
        assert!(whole == 60 || whole == 61, "{whole}");
        has(&ended.stdout, &["60 interleaved blocks", "seed 7", "resumed from"]);
        assert_eq!(ended.stdout, lab.done(["report", "-N", "@last"]));
        // Times go on: none is before one that came earlier.
        let at: Vec<u64> = new.measured().iter().filter_map(|o| o["at"].as_u64()).collect();
        assert!(at.is_sorted() && at.len() == order.len(), "{at:?}");
    }
}

/// Would catch a second interruption losing the first sitting, or `@last` not being resumable twice.
#[test]
fn it_can_be_interrupted_again() {
    let lab = lab();
    stopped(&lab, libc::SIGINT, 10, &["-r", "80", LOGGED, "-n", "a", LOGGED, "-n", "b"]);
    stopped(&lab, libc::SIGKILL, 10, &["--resume", "@last"]);
    lab.done(["cmd", "-N", "--resume", "@last", "-o", "raw.csv"]);
    let record = lab.record();
    let blocks = |benchmark| -> std::collections::BTreeSet<u64> {
        record.of(benchmark).iter().filter_map(|o| o["block"].as_u64()).collect()
    };
    assert_eq!(blocks(0).intersection(&blocks(1)).count(), 80);
    assert_eq!(record.of(0).len(), blocks(0).len(), "a block number used twice");
    let resumed =
        |n: &&&serde_json::Value| n["text"].as_str().is_some_and(|t| t.starts_with("resumed"));
    assert_eq!(record.of_type("note").iter().filter(resumed).count(), 2);
    let rows = lab.read("raw.csv").iter().filter(|b| **b == b'\n').count();
    assert_eq!(rows, record.measured().len() + 1);
}

/// Would catch stages that are done executed again, a stage begun anew, and hooks left out.
#[test]
fn one_after_the_other_goes_on_in_its_stage() {
    let lab = lab();
    lab.script("log", "echo \"$1\" >> told");
    let around = ["--setup", "./log S", "--cleanup", "./log C"];
    let commands = ["true", "-n", "first", LOGGED, "-n", "second", "true", "-n", "third"];
    let arguments = [&["-r", "40", "--order", "sequential"], &around[..], &commands].concat();
    let (_, old) = stopped(&lab, libc::SIGINT, 5, &arguments);
    assert_eq!((old.of(0).len(), old.of(2).len()), (40, 0));
    assert_eq!(lab.read("told"), b"S\nC\nS\nC\n");
    lab.done(["cmd", "-N", "--resume", "@last"]);
    let new = lab.record();
    assert_eq!([0, 1, 2].map(|i| new.of(i).len()), [40, 40, 40]);
    let blocks: Vec<u64> = new.measured().iter().filter_map(|o| o["block"].as_u64()).collect();
    assert_eq!(blocks, (0..120).collect::<Vec<u64>>());
    assert_eq!(lab.read("told"), b"S\nC\nS\nC\nS\nC\nS\nC\n");
}

/// Would catch time spent in the first sitting forgotten, or looks taken twice.
#[test]
fn looks_and_budget_go_on() {
    // Half a microsecond of precision is never reached; the budget ends it.
    let lab = Lab::new();
    lab.script("slow", &format!("sleep 0.01; {}", held(".")));
    let list = ["--precision", "0.0001%", "--budget", "2s", "./slow"];
    let (_, old) = stopped(&lab, libc::SIGINT, 8, &list);
    lab.done(["cmd", "-N", "--resume", "@last"]);
    let new = lab.record();
    assert_eq!(new.stopped_by().as_deref(), Some("budget"));
    let looks: Vec<u64> = new.of_type("look").iter().filter_map(|l| l["blocks"].as_u64()).collect();
    assert!(looks.starts_with(&[10, 15]) || looks.starts_with(&[10]), "{looks:?}");
    assert!(looks.is_sorted() && looks.windows(2).all(|pair| pair[0] < pair[1]), "{looks:?}");
    assert!(new.of(0).len() > old.of(0).len());
    // Both sittings together: about 2 s of executions of at least 10 ms each.
    assert!(new.of(0).len() <= 201, "{}", new.of(0).len());
}

/// Would catch alpha spent anew by the second sitting, looks taken twice or not at all.
#[test]
fn looks_until_decided_go_on_spending() {
    // Equal commands that would have to differ by 90 %: only the budget ends it.
    let lab = Lab::new();
    lab.script("slow", &format!("sleep 0.001; {}", held(".")));
    let command = "./slow";
    let rule = ["--until", "decided", "--metric", "wall", "--budget", "1s", "--seed", "3"];
    let never = ["--margin", "0.0001%", "--at-least", "90%"];
    let commands = [command, "-n", "a", command, "-n", "b"];
    let list = [&rule[..], &never, &commands].concat();
    let (_, old) = stopped(&lab, libc::SIGINT, 24, &list);
    let taken = old.of_type("look").len();
    assert!(taken > 0, "24 executions are more than the 10 blocks of the first look");
    let ended = lab.run(["cmd", "-N", "--resume", "@last"]).expect(0);
    let new = lab.record();
    assert_eq!(new.stopped_by().as_deref(), Some("budget"), "{}", ended.stdout);
    let old_body = body(&old);
    assert_eq!(body(&new)[..old_body.len()], old_body);
    let looks = new.of_type("look");
    assert!(looks.len() > taken, "none in the second sitting");
    let mut expected = Looks::default();
    for look in &looks {
        let blocks = look["blocks"].as_u64().and_then(|blocks| u32::try_from(blocks).ok());
        assert!(blocks > Some(expected.last()), "{look}");
        expected.take(blocks.expect("a number"));
        assert_eq!(look["alpha"].as_f64(), Some(expected.level(0.05)));
    }
    // The half block that was interrupted is no look more.
    let alpha = lab.json(["report", "@last", "--json"])["settings"]["alpha"].as_f64();
    assert_eq!(alpha, Some(expected.level(0.05)));
}

/// Would catch a second sitting that does not stop at a verdict, or one resumed after it.
#[test]
fn until_decided_is_decided_in_the_second_sitting() {
    let lab = Lab::new();
    // One touches more than twice the pages of the other, whatever else the machine does.
    lab.script("long", &format!("sleep 0; sleep 0; {}", held(".")));
    lab.script("short", &held("."));
    let rule = ["--until", "decided", "--metric", "minflt"];
    let list = [&rule[..], &["./long", "-n", "long", "./short", "-n", "short"]].concat();
    let (_, old) = stopped(&lab, libc::SIGINT, 6, &list);
    assert_eq!(old.of_type("look").len(), 0, "interrupted before the first look");
    lab.done(["cmd", "-N", "--resume", "@last"]);
    let new = lab.record();
    assert_eq!(new.stopped_by().as_deref(), Some("decided"));
    let look = new.of_type("look").last().map(|look| look["blocks"].as_u64()).expect("a look");
    assert!(look >= Some(10), "{look:?}");
    // The short one ranks first, the long one is held against it.
    assert_eq!(lab.json(["report", "@last", "--json"])["comparisons"][0]["verdict"], "slower");
    refused(&lab, &["--resume", "@last"], &["it is finished", "every comparison had a verdict"]);
}

/// A record stopped by Ctrl-C, in a laboratory of its own.
fn interrupted() -> Lab {
    let lab = Lab::new();
    lab.script("program", &held("."));
    stopped(&lab, libc::SIGINT, 4, &["-r", "9", "./program", "-n", "a"]);
    lab
}

fn refused(lab: &Lab, arguments: &[&str], words: &[&str]) {
    let before = (lab.saved().len(), completed(lab));
    has(&lab.run([&["cmd"], arguments].concat()).expect(2).stderr, words);
    assert_eq!((lab.saved().len(), completed(lab)), before);
}

/// Would catch an option taken and ignored, or taken and obeyed.
#[test]
fn other_options_are_refused() {
    let lab = interrupted();
    let others: [&[&str]; 8] = [
        &["-r", "5"],
        &["--seed", "1"],
        &["-s", "/bin/sh -c"],
        &["--metric", "wall"],
        &["--setup", "true"],
        &["-L", "n", "1"],
        &["--until", "decided"],
        &["--cpu", "0"],
    ];
    for other in others {
        refused(&lab, &[&["--resume", "@last"], other].concat(), &["with --resume:"]);
    }
    refused(&lab, &["--resume", "@last", "true"], &["a command with --resume"]);
}

/// Would catch a finished execution begun anew under another name.
#[test]
fn what_is_finished_is_refused() {
    let ends: [(&[&str], &str); 3] = [
        (&["-r", "2"], "all blocks asked for"),
        (&["--precision", "0.0001%", "--budget", "1ms"], "its budget is spent"),
        (&["--precision", "100000%"], "the precision asked for was reached"),
    ];
    for (options, words) in ends {
        let lab = Lab::new();
        lab.done([&["cmd"], options, &["true"]].concat());
        refused(&lab, &["--resume", "@last"], &["it is finished", words]);
    }
}

/// Would catch an experiment resumed although what it measures has changed.
#[test]
fn what_changed_is_said() {
    let lab = interrupted();
    std::fs::rename(lab.path("program"), lab.path("elsewhere")).expect("renamed");
    refused(&lab, &["--resume", "@last"], &["./program", "no such file"]);
    std::fs::rename(lab.path("elsewhere"), lab.path("program")).expect("renamed");
    let mut elsewhere = lab.etalon(["cmd", "--resume", "@last"]);
    elsewhere.current_dir("/");
    has(
        &Running::start(elsewhere).end().expect(2).stderr,
        &["it was started in", "go there first"],
    );

    // Another program in its place.
    let was = std::fs::read(lab.path("program")).expect("read");
    std::fs::write(lab.path("program"), [&was[..], b"\n# rebuilt\n"].concat()).expect("written");
    refused(&lab, &["--resume", "@last"], &["is other code now", "program` was changed"]);
    std::fs::write(lab.path("program"), was).expect("written");

    let lab = self::lab();
    lab.write("commands.txt", format!("{LOGGED}\n-n one\n"));
    stopped(&lab, libc::SIGINT, 4, &["-r", "9", "-f", "commands.txt"]);
    lab.write("commands.txt", "sh -c 'printf y >> done'\n-n one\n");
    refused(&lab, &["--resume", "@last"], &["command `one` is not what it was", "printf y"]);
    lab.write("commands.txt", format!("{LOGGED}\n-n two\n"));
    refused(&lab, &["--resume", "@last"], &["its name was `one`, and is `two` now"]);
    lab.write("commands.txt", format!("{LOGGED}\n{LOGGED}\n"));
    refused(&lab, &["--resume", "@last"], &["it has 1 commands, and its command line 2"]);
}

/// Would catch a crash on what is not there, not a record, or damaged.
#[test]
fn what_cannot_be_gone_on_with() {
    let lab = interrupted();
    refused(&lab, &["--resume", "@nosuch"], &["nosuch"]);
    refused(&lab, &["--resume", "no-such-file"], &["no-such-file"]);
    lab.write("text", "hello\n");
    refused(&lab, &["--resume", "text"], &["--resume text"]);
    let path = lab.saved().pop().expect("a saved run");
    let damaged = std::fs::read_to_string(&path).expect("text").replacen(
        "\"benchmark\":0",
        "\"benchmark\":9",
        1,
    );
    lab.write("damaged.jsonl", damaged);
    refused(&lab, &["--resume", "damaged.jsonl"], &["damaged.jsonl", "benchmark 9"]);
}

/// Would catch a run that is told as finished although something failed in it, and nothing of that.
#[test]
fn what_failed_in_a_finished_run_is_told() {
    let lab = Lab::new();
    lab.script("flaky", "n=$(cat n 2>&-); echo x$n > n; [ \"$n\" != xxx ]");
    lab.run(["cmd", "-N", "-r", "6", "./flaky"]).expect(1);
    refused(&lab, &["--resume", "@last"], &["it is finished", "is not executed again"]);
}
