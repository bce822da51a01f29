//! `etalon history check`: what is suspected, accepted, gone, stale or too short, and with which code it ends.

use std::fs;

use serde_json::Value;

use crate::ab;
use crate::support::{Ended, Lab, Running, has};

const COMMITS: usize = 80;
/// The commit from which on `stepped` takes a tenth longer.
const AT: usize = 50;

fn commit(number: usize) -> String {
    format!("{number:08x}{}", "c".repeat(32))
}

/// A tenth of a percent, up and down, as if by chance.
fn noise(number: usize, benchmark: usize) -> f64 {
    let mixed = (number * 7919 + benchmark * 104_729 + 1) * 2_654_435_761 % 4_294_967_296;
    (mixed >> 16) as f64 / 65_536.0 - 0.5
}

/// So many commits of four benchmarks: one without a change, one with a step up, one with a step down, one with a single
/// spike; added as of `time`.
fn import(lab: &Lab, commits: usize, time: &str) {
    fs::create_dir(lab.path("all")).unwrap();
    for number in 0..commits {
        let behind = number >= AT;
        let changes = [
            ("flat", 1.0),
            ("stepped", if behind { 1.1 } else { 1.0 }),
            ("better", if behind { 0.9 } else { 1.0 }),
            ("spiked", if number == AT { 3.0 } else { 1.0 }),
        ];
        let benchmark = |(at, (name, factor)): (usize, (&str, f64))| {
            let value = (100.0 + noise(number, at)) * factor;
            format!(r#""{name}": {{"latency": {{"value": {value}}}}}"#)
        };
        let all: Vec<String> = changes.into_iter().enumerate().map(benchmark).collect();
        lab.write(&format!("all/{}.json", commit(number)), format!("{{{}}}", all.join(", ")));
    }
    lab.run(["history", "import", "all", "--project", "p", "--time", time]).expect(0);
}

/// Points of this moment: a series with older ones is stale some day.
fn now() -> String {
    jiff::Timestamp::now().to_string()
}

fn check(lab: &Lab, options: &[&str]) -> Ended {
    lab.run(["history", "check"].iter().chain(options))
}

/// The screen, as if it had no end on the right.
fn screen(ended: Ended, code: i32) -> String {
    ended.expect(code).stdout.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn lacks(text: &str, parts: &[&str]) {
    let found: Vec<&&str> = parts.iter().filter(|part| text.contains(**part)).collect();
    assert!(found.is_empty(), "{found:?} in {text}");
}

fn states(document: &Value) -> Vec<(&str, &str)> {
    let series = document["history"]["series"].as_array().unwrap();
    series
        .iter()
        .map(|it| (it["benchmark"].as_str().unwrap(), it["state"].as_str().unwrap()))
        .collect()
}

/// Would catch a finding that fails a check though nobody has measured it again, a spike that is called a step, and an
/// improvement that stands before what got worse.
#[test]
fn a_step_is_suspected_at_its_commit_and_never_fails() {
    let lab = Lab::new();
    import(&lab, COMMITS, &now());
    let shown = screen(check(&lab, &[]), 0);
    has(
        &shown,
        &[
            "1 of 4 series seems to have got worse",
            "suspected",
            &commit(AT)[..10],
            "2 series are fine",
        ],
    );
    lacks(&shown, &["spiked", "flat"]);
    has(&screen(check(&lab, &["--full"]), 0), &["spiked", "flat"]);
    let document = lab.json(["history", "check", "--json"]);
    assert_eq!(document["kind"], "history");
    let expected = [("stepped", "suspected"), ("better", "changed")];
    assert_eq!(states(&document)[..2], expected);
    assert!(states(&document)[2..].iter().all(|(_, state)| *state == "fine"), "{document}");
    let step = &document["history"]["series"][0]["findings"][0];
    assert_eq!(
        (&step["kind"], &step["at"], &step["way"]),
        (&"step".into(), &AT.into(), &"worse".into())
    );
    assert_eq!(step["commit"], *commit(AT));
    let end = |key: &str| step[key].as_f64().unwrap();
    assert!(1.09 < end("lo") && end("lo") < 1.1 && 1.1 < end("hi") && end("hi") < 1.11, "{step}");
    assert_eq!(document["check"]["passed"], true);
    let one = lab.json(["history", "check", "--series", "flat", "--json"]);
    assert_eq!(states(&one), [("flat", "fine")]);
    let of = |document: &Value| document["history"]["false_alarms"].clone();
    assert_eq!(of(&one), of(&document), "the rate is that of the project");
    check(&lab, &["--fail-on", "unclear"]).expect(3);
    has(&screen(check(&lab, &["--margin", "20%"]), 0), &["No step for the worse in 4 series"]);
}

/// Would catch a rate that is not shared among the series, and a promise beyond what was simulated.
#[test]
fn the_rate_of_false_alarms_decides_how_far_a_step_stands_out() {
    let lab = Lab::new();
    import(&lab, COMMITS, &now());
    let critical = |rate: &str| {
        let document = lab.json(["history", "check", "--false-alarms", rate, "--json"]);
        let alarms = &document["history"]["false_alarms"];
        assert_eq!(alarms["series"], 4);
        (alarms["critical"].as_f64().unwrap(), alarms["holds_for"].as_u64().unwrap())
    };
    let (month, year) = (critical("1/month"), critical("1/year"));
    assert!(month.0 < year.0 && year.1 == 4, "{month:?} {year:?}");
    let (most, holds) = critical("0.01/year");
    assert!(most > year.0 && holds < 4, "{most} {holds}");
    let shown = screen(check(&lab, &["--false-alarms", "0.01/year"]), 0);
    has(&shown, &["The calibration ends here", "not for 4"]);
    has(&check(&lab, &["--false-alarms", "often"]).expect(2).stderr, &["1/year"]);
}

/// Would catch a waiver that holds beyond its size or its day, and one that nobody is told of when it can go.
#[test]
fn waivers_of_the_project_accept_a_step() {
    let lab = Lab::new();
    import(&lab, COMMITS, &now());
    let waiver = |benchmark: &str, up_to: &str, year: u16| {
        format!(
            "[[waiver]]\nbenchmark = \"{benchmark}\"\nup-to = \"{up_to}\"\nreason = \"safer\"\nexpires = {year}-12-31\n"
        )
    };
    let state = |file: &str| {
        lab.write("checks.toml", file);
        let ended = screen(check(&lab, &["--checks", "checks.toml"]), 0);
        let document = lab.json(["history", "check", "--checks", "checks.toml", "--json"]);
        (states(&document)[0].1.to_owned(), ended)
    };
    let (known, shown) = state(&waiver("stepped", "12%", 9998));
    assert_eq!(known, "known");
    has(&shown, &["No step for the worse", "known", "waived until 9998-12-31", "safer"]);
    let (beyond, shown) = state(&waiver("stepped", "10%", 9998));
    assert_eq!(beyond, "suspected");
    has(&shown, &["the far end of the interval is beyond the waiver"]);
    let (expired, shown) = state(&waiver("stepped", "12%", 2020));
    assert_eq!(expired, "suspected");
    has(&shown, &["the waiver has expired"]);
    let (_, shown) = state(&waiver("flat", "12%", 9998));
    has(&shown, &["no longer found, so the waiver can go: flat: waived up to 12%"]);
}

/// Would catch a head that waives its own step.
#[test]
fn the_file_of_the_base_holds() {
    let Some(lab) = ab::lab() else { return };
    import(&lab, COMMITS, &now());
    let waiver = "[[waiver]]\nbenchmark = \"stepped\"\nup-to = \"12%\"\nreason = \"safer\"\nexpires = 9998-12-31\n";
    lab.write("m/checks.toml", "[[threshold]]\nat-most = \"5%\"\n");
    ab::git(&lab, "add -A && git COMMIT three && git tag base");
    lab.write("m/checks.toml", waiver);
    let at = |options: &str| {
        let text = format!("cd m && exec \"$E\" history check --checks checks.toml {options}");
        Running::start(lab.shell(&text)).end()
    };
    has(&screen(at(""), 0), &["known"]);
    let base = screen(at("--base base"), 0);
    has(&base, &["suspected", "the waiver is the head's alone, and waives nothing"]);
    has(&at("--base none").expect(2).stderr, &["--base", "none"]);
    lab.write("m/checks.toml", "");
    ab::git(
        &lab,
        "rm -q --cached checks.toml && rm checks.toml && git COMMIT four && git tag none-of-it",
    );
    has(
        &at("--base none-of-it").expect(2).stderr,
        &["neither none-of-it nor the working tree has this file"],
    );
}

/// Would catch a series that nothing can be said of and that is called fine.
#[test]
fn what_cannot_be_told_is_not_fine() {
    let stale = Lab::new();
    import(&stale, COMMITS, "2020-01-01");
    let shown = screen(check(&stale, &[]), 3);
    has(&shown, &["stale", "no recent point", "flat"]);
    has(&screen(check(&stale, &["--recent", "9999w"]), 0), &["2 series are fine"]);
    let short = Lab::new();
    import(&short, 10, &now());
    has(&screen(check(&short, &[]), 3), &["too short", "10 of 40 points"]);
    let empty = Lab::new();
    check(&empty, &[]).expect(3);
    has(
        &check(&short, &["--series", "nothing"]).expect(2).stderr,
        &["--series", "no series has these words"],
    );
}
