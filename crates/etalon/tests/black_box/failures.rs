//! Commands that fail: killed, hanging, exiting non-zero at first or now and then, leaving
//! processes behind, failing hooks. What is recorded, counted and said, and the exit code.

use crate::support::{Lab, Record, column, has, joined, outcome, tame};
use serde_json::Value;

/// Succeeds, but for every third execution, which says something and exits 3.
const NOW_AND_THEN: &str = "echo x >> count
n=$(wc -l < count)
[ $((n % 3)) -ne 0 ] || { echo \"failing in $n\" >&2; exit 3; }";

/// A laboratory with `./flaky`, which has been executed as often as given.
fn flaky(executed: usize) -> Lab {
    let lab = Lab::new();
    lab.script("flaky", NOW_AND_THEN);
    lab.write("count", "x\n".repeat(executed));
    lab
}

fn outcomes(record: &Record, benchmark: usize) -> Vec<Option<String>> {
    record.of(benchmark).iter().map(|observation| outcome(observation)).collect()
}

fn counts(lab: &Lab, benchmark: usize) -> Value {
    lab.json(["report", "@last", "--json"])["benchmarks"][benchmark]["outcomes"].clone()
}

/// Would catch a killed command timed as a success, or going on after one in the first block.
#[test]
fn killed_in_the_first_block_stops() {
    let lab = Lab::new();
    let ended = lab.run(["cmd", "-r", "5", "--seed", "1", "true", "sh -c 'kill -9 $$'"]).expect(1);
    has(&ended.stderr, &["sh -c 'kill -9 $$'", "SIGKILL"]);
    let record = lab.record();
    assert_eq!(outcomes(&record, 1), [Some(r#"{"killed":9}"#.to_owned())]);
    assert!(record.of(0).len() <= 1, "it went on");
    assert_eq!(record.stopped_by().as_deref(), Some("failure"));
    assert_eq!(counts(&lab, 1)["killed"], 1);
}

/// Would catch `-i` turning a death by signal into a measured success, and one killed command
/// losing the experiment.
#[test]
fn killed_with_failures_ignored_goes_on_and_is_counted() {
    let lab = Lab::new();
    let ended = lab.run(["cmd", "-i", "-r", "4", "true", "sh -c 'kill -9 $$'"]).expect(1);
    has(&ended.stdout, &["4 of 4 executions ended by a signal"]);
    let record = lab.record();
    assert_eq!(record.stopped_by().as_deref(), Some("runs"));
    assert_eq!(record.of(0).len(), 4);
    let json = lab.json(["report", "@last", "--json"]);
    assert_eq!(json["benchmarks"][1]["outcomes"]["killed"], 4);
    assert_eq!(json["benchmarks"][1]["outcomes"]["ok"], 0);
    assert_eq!(json["benchmarks"][1]["metrics"].as_object().map(serde_json::Map::len), Some(0));
    assert_eq!(json["benchmarks"][0]["metrics"]["wall"]["n"], 4);
}

/// Would catch a hanging command holding up everything, and a timeout that ends the command but
/// not what it started, in its group or out of it.
#[test]
fn a_command_that_hangs_is_ended_with_all_it_started() {
    let lab = Lab::new();
    lab.run(["cmd", "-r", "3", "--timeout", "200ms", "sleep 1000"]).expect(1);
    assert_eq!(outcomes(&lab.record(), 0), [Some("timed_out".to_owned())]);
    lab.assert_nothing_left();
    let ended = lab.run(["cmd", "-i", "-r", "2", "--timeout", "50ms", "sleep 1000"]).expect(1);
    has(&ended.stdout, &["Nothing was measured (2 asked for)"]);

    lab.script("tree", "sleep 1000 & setsid sleep 1000 & (sleep 1000; true) & sleep 1000");
    // Long enough for `true` on a machine that does much else.
    let ended = lab.run(["cmd", "-i", "-r", "2", "--timeout", "2s", "./tree", "true"]).expect(1);
    has(&ended.stdout, &["2 of 2 executions timed out"]);
    let record = lab.record();
    assert_eq!(outcomes(&record, 0), vec![Some("timed_out".to_owned()); 2]);
    assert_eq!(outcomes(&record, 1), [None, None]);
    assert_eq!(counts(&lab, 0)["timed_out"], 2);
    assert!(lab.record().lines[0]["context"]["timeout_s"].is_string());
    lab.assert_nothing_left();
}

/// Would catch background processes that live on and disturb what is measured after them.
#[test]
fn children_left_behind_are_killed_and_counted() {
    let lab = Lab::new();
    lab.script("leaver", "sleep 1000 & setsid sleep 1000 & exit 0");
    let ended = lab.run(["cmd", "-r", "3", "./leaver", "true"]).expect(0);
    has(&ended.stdout, &["./leaver: 3 of 3 executions left processes running (6 in all)"]);
    lab.assert_nothing_left();
    let json = lab.json(["report", "@last", "--json"]);
    assert_eq!(json["benchmarks"][0]["orphans"], 6);
    assert_eq!(json["benchmarks"][1]["orphans"], 0);
    assert_eq!(column(&lab.record().of(0), "wall").len(), 3);
}

/// Would catch a non-zero exit in the first block that does not stop, is not recorded, or leaves
/// the user without what the command said; and escape sequences getting through from there.
#[test]
fn non_zero_in_the_first_block_stops_and_shows_why() {
    let lab = Lab::new();
    let said = "for i in $(seq 20); do echo \"line $i\" >&2; done\n\
                printf '\\033[31mred\\n' >&2; exit 7";
    lab.script("bad", said);
    let ended = lab.run(["cmd", "-r", "5", "--seed", "1", "./bad", "true"]).expect(1);
    has(&ended.stderr, &["./bad", "exited with code 7", "red", "-i"]);
    // The first eight lines and the last eight.
    has(&ended.stderr, &["| line 1\n", "| line 8\n  | … 5 lines …\n  | line 14\n", "| line 20\n"]);
    assert!(!ended.stderr.contains("line 9\n"), "all of it: {}", ended.stderr);
    assert!(!ended.stderr.contains("line 13\n"), "all of it: {}", ended.stderr);
    assert!(!ended.stderr.contains('\x1b'));
    let record = lab.record();
    assert_eq!(outcomes(&record, 0), [Some(r#"{"failed":7}"#.to_owned())]);
    has(record.of(0)[0]["stderr"].as_str().expect("kept"), &["line 1\n", "line 10\n", "line 20\n"]);
    assert_eq!(record.stopped_by().as_deref(), Some("failure"));
}

/// Would catch a block that is told of although only a part of it was executed.
#[test]
fn a_failure_within_the_first_block_says_what_was_measured() {
    let lab = Lab::new();
    let stopped = |order: &str| {
        let ended =
            lab.run(["cmd", "-r", "3", "--order", order, "true", "sh -c 'exit 3'"]).expect(1);
        joined(&ended.stdout)
    };
    let said = joined("stopped by a failure in the first block, with 1 of 2 commands measured");
    has(&stopped("abba"), &[&said]);
    has(&stopped("sequential"), &[&joined("stopped by a failure with 1 of 2 commands measured")]);
}

/// Would catch a code outside those that are accepted of which nobody says so, or how it would be.
#[test]
fn an_exit_code_that_is_not_accepted_is_told_with_those_that_are() {
    let lab = Lab::new();
    for (accepted, said) in [
        (&[][..], "use -i to count non-zero exits as measured, -i=3 for this code alone"),
        (&["-i=2"], "-i=2 accepts code 2 only: -i=2,3 accepts this one, too"),
        (&["-i=1,2"], "-i=1,2 accepts these codes only: -i=1,2,3 accepts this one, too"),
    ] {
        let ended =
            lab.run([&["cmd", "-r", "2"], accepted, &["sh -c 'exit 3'"]].concat()).expect(1);
        has(&ended.stderr, &["exited with code 3\n  ", said]);
    }
    lab.run(["cmd", "-r", "2", "-i=2,3", "sh -c 'exit 3'"]).expect(0);
}

/// Would catch a failure in warm-up that is not looked at, or is counted among the measured.
#[test]
fn non_zero_in_warm_up_stops_too() {
    let lab = flaky(1);
    let ended = lab.run(["cmd", "-w", "3", "-r", "5", "./flaky"]).expect(1);
    has(&ended.stderr, &["./flaky", "exited with code 3", "failing in 3"]);
    let record = lab.record();
    assert_eq!(record.warm_ups().len(), 2);
    assert_eq!(record.measured().len(), 0);
    assert_eq!(record.stopped_by().as_deref(), Some("failure"));
    let json = lab.json(["report", "@last", "--json"]);
    assert_eq!(json["benchmarks"][0]["warmup_outcomes"]["failed"], 1);
    assert_eq!(json["benchmarks"][0]["outcomes"]["failed"], 0);
}

/// Would catch a later failure that stops, is dropped, is paired as if it had succeeded, or does
/// not show in the exit code.
#[test]
fn non_zero_now_and_then_is_recorded_and_its_blocks_drop_out() {
    let lab = flaky(0);
    let ended = lab.run(["cmd", "-r", "12", "true", "./flaky"]).expect(1);
    tame(&ended.stdout);
    has(
        &ended.stdout,
        &[
            "12 interleaved blocks",
            "./flaky: 4 of 12 executions exited non-zero.",
            "./flaky against true: 4 blocks with a side missing dropped out.",
        ],
    );
    let record = lab.record();
    assert_eq!(record.measured().len(), 24);
    let failed = outcomes(&record, 1).into_iter().flatten().collect::<Vec<_>>();
    assert_eq!(failed, vec![r#"{"failed":3}"#; 4]);
    assert_eq!(record.stopped_by().as_deref(), Some("runs"));
    let json = lab.json(["report", "@last", "--json"]);
    let comparison = &json["comparisons"][0];
    assert_eq!(comparison["dropped_blocks"], 4);
    assert_eq!(comparison["n"], serde_json::json!([8, 8]));
    assert_eq!(comparison["paired"], true);
    assert_eq!(json["benchmarks"][1]["metrics"]["wall"]["n"], 8);
}

/// Would catch `-i` that does not measure what it accepts, or hides that it was not zero.
#[test]
fn non_zero_ignored_is_measured_and_still_counted() {
    let lab = flaky(2);
    let ended = lab.run(["cmd", "-i", "-r", "9", "true", "./flaky"]).expect(0);
    has(&ended.stdout, &["3 of 9 executions exited non-zero"]);
    assert!(!ended.stdout.contains("dropped out"));
    let json = lab.json(["report", "@last", "--json"]);
    assert_eq!(json["comparisons"][0]["n"], serde_json::json!([9, 9]));
    assert_eq!(json["benchmarks"][1]["metrics"]["wall"]["n"], 9);
    assert_eq!(lab.record().of_type("benchmark")[1]["accept"], "any");
}

/// Would catch a list of accepted codes that is taken for all or none of them.
#[test]
fn only_the_named_codes_are_ignored() {
    let lab = flaky(2);
    let ended = lab.run(["cmd", "-i=3,5", "-r", "9", "true", "./flaky"]).expect(0);
    has(&ended.stdout, &["3 of 9 executions exited non-zero"]);
    let json = lab.json(["report", "@last", "--json"]);
    assert_eq!(json["comparisons"][0]["n"], serde_json::json!([9, 9]));

    let lab = flaky(2);
    let ended = lab.run(["cmd", "-i=4", "-r", "9", "./flaky", "true"]).expect(1);
    has(&ended.stderr, &["exited with code 3", "failing in 3"]);
    assert_eq!(lab.record().stopped_by().as_deref(), Some("failure"));

    let lab = flaky(0);
    let ended = lab.run(["cmd", "-i=4", "-r", "9", "./flaky", "true"]).expect(1);
    has(&ended.stdout, &["3 blocks with a side missing dropped out"]);
}

/// Would catch a failing hook that is accepted and ignored, or measured after.
#[test]
fn a_failing_prepare_stops() {
    let lab = Lab::new();
    lab.script("setup", "echo 'no database' >&2; exit 9");
    lab.script("witness", "echo executed >> trace");
    let ended = lab.run(["cmd", "-i", "-r", "5", "-p", "./setup", "./witness"]).expect(1);
    has(&ended.stderr, &["--prepare", "./setup", "code 9", "no database"]);
    assert_eq!(lab.read("trace"), b"");
    assert_eq!(lab.record().measured().len(), 0);
    assert_eq!(lab.record().stopped_by().as_deref(), Some("failure"));
}

/// Would catch a hook executed once instead of before each execution, or for the wrong command.
#[test]
fn prepare_comes_before_each_execution_of_its_command() {
    let lab = Lab::new();
    lab.script("log", "echo $1 >> trace");
    let list =
        ["cmd", "-w", "1", "-r", "2", "--order", "sequential", "-p", "./log pa", "-p", "./log pb"];
    lab.done(list.iter().chain(&["./log a", "./log b"]));
    assert_eq!(
        String::from_utf8_lossy(&lab.read("trace")),
        "pa\na\n".repeat(3) + &"pb\nb\n".repeat(3)
    );
    let record = lab.record();
    assert_eq!(record.of_type("benchmark")[1]["prepare"], "./log pb");
    assert_eq!(record.measured().len(), 4, "hooks were recorded as executions");
}

/// Would catch a hook that hangs in spite of `--timeout`.
#[test]
fn a_hanging_prepare_is_ended() {
    let lab = Lab::new();
    let ended =
        lab.run(["cmd", "-r", "2", "--timeout", "200ms", "-p", "sleep 1000", "true"]).expect(1);
    has(&ended.stderr, &["--prepare", "sleep 1000", "--timeout"]);
    lab.assert_nothing_left();
}

/// Would catch a program that vanishes between two executions being timed as a success.
#[test]
fn a_program_that_is_gone_later_is_not_measured() {
    let lab = Lab::new();
    lab.script("once", "rm -f once");
    let ended = lab.run(["cmd", "-r", "4", "./once", "true"]);
    assert_eq!(ended.code, Some(1), "{}\n{}", ended.stdout, ended.stderr);
    has(&ended.stdout, &["3 of 4 executions not started"]);
    let record = lab.record();
    assert!(record.of(0)[3]["outcome"]["not_started"].is_string());
    assert_eq!(record.of(0)[3]["values"], serde_json::json!({}));
}
