//! `--until decided` through the real binary: what stops it, what is recorded, and that later reports
//! say the same.

use etalon_core::stats::Looks;

use crate::support::{Lab, has, joined};

/// A command that touches more than twice the pages of the other, whatever else the machine does.
const LONG: &str = "sh -c 'sleep 0; sleep 0'";
const SHORT: &str = "true";

/// Would catch looks without their share, an analysis at the full alpha, and a report that forgets.
#[test]
fn a_clear_difference_stops_at_the_first_look_it_is_seen() {
    let lab = Lab::new();
    let rule = ["cmd", "--until", "decided", "--metric", "minflt", "-N", "-E"];
    let shown = lab.done([&rule[..], &[LONG, "-n", "long", SHORT, "-n", "short"]].concat());
    let record = lab.record();
    assert_eq!(record.stopped_by().as_deref(), Some("decided"));
    assert_eq!(record.of_type("plan")[0]["until"], "decided");
    assert_eq!(record.of_type("plan")[0]["budget"], 10.0);
    let looks = record.of_type("look");
    let mut taken = Looks::default();
    for (look, blocks) in looks.iter().zip([10, 12, 14, 17, 21, 25, 30, 36]) {
        taken.take(blocks);
        assert_eq!(
            (look["blocks"].as_u64(), look["alpha"].as_f64()),
            (Some(blocks.into()), Some(taken.level(0.05)))
        );
    }
    let blocks = looks.last().expect("a look")["blocks"].as_u64().expect("a number");
    assert_eq!(record.of(0).len() as u64, blocks);
    has(&joined(&shown), &["(untildecided;", "atthelast)"]);
    assert_eq!(shown, lab.done(["report", "-N", "-E", "@last"]));
    let json = lab.json(["report", "@last", "--json"]);
    assert_eq!(json["settings"]["alpha"], looks.last().expect("a look")["alpha"]);
    let level = 1.0 - json["settings"]["alpha"].as_f64().expect("a number");
    assert_eq!(json["comparisons"][0]["level"].as_f64(), Some(level));
    assert_eq!(json["executions"][0]["looks"].as_array().map(Vec::len), Some(looks.len()));
    has(&lab.run(["report", "@last", "--confidence", "90%"]).expect(2).stderr, &["choose --alpha"]);
    let strict = lab.json(["report", "@last", "--json", "--alpha", "0.01"]);
    assert_eq!(strict["settings"]["alpha"].as_f64(), Some(taken.level(0.01)));
}

/// Would catch an endless search, a verdict made up at the end, and a look at the same data twice.
#[test]
fn the_budget_ends_what_stays_open() {
    let lab = Lab::new();
    let list = ["cmd", "--until", "decided", "--budget", "300ms", "--margin", "0.0001%", "-N"];
    let shown =
        lab.done([&list[..], &["sleep 0.005", "-n", "a", "sleep 0.005", "-n", "b"]].concat());
    let record = lab.record();
    let Some("budget") = record.stopped_by().as_deref() else {
        // Two equal commands are called different in some percent of experiments; that is alpha.
        assert_eq!(record.stopped_by().as_deref(), Some("decided"));
        return;
    };
    has(&joined(&shown), &["(stoppedbythebudgetof0.3sacommand,notdecided;", "atthelast)"]);
    let looks: Vec<u64> =
        record.of_type("look").iter().filter_map(|l| l["blocks"].as_u64()).collect();
    assert!(looks.windows(2).all(|pair| pair[0] < pair[1]), "{looks:?}");
    assert_eq!(looks.last().copied(), Some(record.of(0).len() as u64));
}

/// Would catch looks at which no data could decide the whole family.
#[test]
fn the_first_look_is_where_the_family_could_be_decided() {
    let lab = Lab::new();
    let three = [LONG, "-n", "a", LONG, "-n", "b", SHORT, "-n", "c"];
    lab.done(
        [&["cmd", "--until", "decided", "--metric", "minflt", "--budget", "10ms"], &three[..]]
            .concat(),
    );
    assert_eq!(lab.record().of_type("plan")[0]["min_blocks"], 11);
    assert_eq!(lab.record().of_type("look")[0]["blocks"], 11);
    let with =
        ["cmd", "--until", "decided", "--metric", "minflt", "--budget", "10ms", "--reference", "c"];
    lab.done([&with[..], &three].concat());
    assert_eq!(lab.record().of_type("look")[0]["blocks"], 10);
}

/// Would catch a combination taken and ignored.
#[test]
fn what_cannot_be_decided_is_refused_first() {
    let cases: [(&[&str], &str); 6] = [
        (&["true"], "nothing to compare"),
        (&["--order", "sequential", "true", "ls"], "--order sequential has none"),
        (
            &["--setup", "true", "--setup", "ls", "true", "ls"],
            "--order blocks executes all setups first",
        ),
        (&["-r", "5", "true", "ls"], "cannot be used with"),
        (&["--precision", "1%", "true", "ls"], "--until decided with --precision: each says when"),
        (&["--confidence", "90%", "true", "ls"], "choose --alpha"),
    ];
    for (arguments, words) in cases {
        let lab = Lab::new();
        has(
            &lab.run([&["cmd", "--until", "decided"], arguments].concat()).expect(2).stderr,
            &[words],
        );
        assert!(lab.saved().is_empty());
    }
}
