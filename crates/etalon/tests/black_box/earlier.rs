//! Comparisons of runs: earlier ones from the store and from `--history`, what `--between` says, runs that alternate.
//!
//! All data are written here, with the times at which they began.

use serde_json::{Value, json};

use crate::support::{Lab, has, joined};

/// A record of one command that began so many minutes after another one; its readings are `level` ns on average.
fn record(minute: u32, level: f64) -> (String, String) {
    waiting(minute, level, 0.0)
}

/// The same, whose executions waited for a CPU for a share of their time.
fn waiting(minute: u32, level: f64, share: f64) -> (String, String) {
    let began = format!("{:02}:{:02}", 3 + minute / 60, minute % 60);
    let id = format!("20261121T{}00.000000Z-bcdfghjk", began.replace(':', ""));
    let header = json!({"type": "header", "format": "etalon", "version": 1, "id": id,
        "started": format!("2026-11-21T{began}:00Z"), "context": {"machine.host": "here"}});
    let mut lines = vec![
        header,
        json!({"type": "metric", "name": "wall", "unit": "ns", "direction": "lower", "kind": "noisy"}),
        json!({"type": "metric", "name": "cpu_wait", "unit": "ns", "direction": "lower", "kind": "noisy"}),
        json!({"type": "benchmark", "name": "work", "command": "work"}),
        json!({"type": "plan", "warmup": 0, "order": "blocks", "seed": "1", "runs": 10}),
    ];
    for block in 0..10 {
        let wall = (level * (1.0 + 0.001 * f64::from(block * 3 % 10))).round();
        let mut values = json!({"wall": wall});
        if share > 0.0 {
            values["cpu_wait"] = json!((share * wall).round());
        }
        lines
            .push(json!({"type": "observation", "benchmark": 0, "block": block, "values": values}));
    }
    lines.push(
        json!({"type": "end", "stopped_by": "runs", "at": format!("2026-11-21T{began}:01Z")}),
    );
    (id, lines.iter().map(|line| format!("{line}\n")).collect())
}

/// Two sides a minute apart that differ by 8 %, after six earlier runs that scatter by 1 %.
fn lab() -> (Lab, Vec<String>) {
    let lab = Lab::new();
    for directory in ["earlier", "../home/runs"] {
        std::fs::create_dir_all(lab.path(directory)).unwrap();
    }
    lab.write("old.jsonl", record(60, 1e6).1);
    lab.write("new.jsonl", record(61, 1.08e6).1);
    // No two alike, nor like a side: those would be copies of one run.
    let level = |at: u32| 1e6 * (1.0 + 0.005 * f64::from(at * 3 % 5) + 1e-4 * f64::from(at + 1));
    let earlier = (0..6).map(|at| record(10 * at, level(at)));
    let names = earlier.map(|(id, text)| {
        lab.write(&format!("earlier/{id}.jsonl"), text);
        format!("{id}.jsonl")
    });
    let names = names.collect();
    (lab, names)
}

fn comparison(lab: &Lab, options: &[&str]) -> Value {
    let json = lab.json([&["compare", "--json"], options, &["old.jsonl", "new.jsonl"]].concat());
    json["tables"][0]["rows"][0]["cells"][1]["comparison"].clone()
}

/// Would catch a store that is not looked at, runs of it that are counted twice, and a side as its own history.
#[test]
fn earlier_runs_say_how_much_runs_scatter() {
    let (lab, names) = lab();
    let assumed = comparison(&lab, &[]);
    assert_eq!([&assumed["verdict"], &assumed["runs"]["scatter"]], ["unclear", "assumed"]);
    assert_eq!(assumed["runs"]["n"], json!([1, 1]));
    let found = comparison(&lab, &["--history", "earlier"]);
    assert_eq!([&found["verdict"], &found["runs"]["scatter"]], ["slower", "earlier"]);
    assert_eq!([&found["runs"]["earlier"], &found["runs"]["span"]], [&json!(6), &json!(3000.0)]);
    assert_eq!([&found["runs"]["occasions"], &found["runs"]["unused"]], [&json!(6), &Value::Null]);
    let shown = lab.done(["compare", "--history", "earlier", "old.jsonl", "new.jsonl"]);
    has(
        &joined(&shown),
        &["(scatterof6runsin6occasionsover50minutes:", "runsupto", "Interleaved:etaloncmdOLDNEW"],
    );
    // The sides are no earlier runs of themselves.
    for side in ["old.jsonl", "new.jsonl"] {
        lab.write(&format!("earlier/{side}"), lab.read(side));
    }
    assert_eq!(comparison(&lab, &["--history", "earlier"]), found);
    // Nor is a run both of the store and of a directory two.
    for name in &names {
        lab.write(&format!("../home/runs/{name}"), lab.read(&format!("earlier/{name}")));
    }
    assert_eq!(comparison(&lab, &[]), found);
    assert_eq!(comparison(&lab, &["--history", "earlier"]), found);
    // A report of both says the same.
    let report = lab.json(["report", "--json", "old.jsonl", "new.jsonl"]);
    assert_eq!(report["comparisons"][0]["runs"], found["runs"]);
    // Of one command there is nothing to interleave.
    has(&lab.done(["report", "old.jsonl", "new.jsonl"]), &["old: 10 executions; seed 1."]);
    let missing = lab.run(["compare", "--history", "nowhere", "old.jsonl", "new.jsonl"]).expect(2);
    has(&missing.stderr, &["nowhere: --history: "]);
}

/// Would catch runs of two occasions, each of another version, that are taken for the scatter of the time between them: 65 % of verdicts were
/// false, from the store and with `--history`.
#[test]
fn runs_of_two_occasions_do_not_say_how_occasions_differ() {
    let lab = Lab::new();
    std::fs::create_dir_all(lab.path("earlier")).unwrap();
    std::fs::create_dir_all(lab.path("../home/runs")).unwrap();
    let of = |commit: &str, minute: u32, level: f64| {
        let (id, text) = record(minute, level);
        let said = format!("\"machine.host\":\"here\",\"commit\":\"{commit}\"");
        (id, text.replace("\"machine.host\":\"here\"", &said))
    };
    lab.write("old.jsonl", of("a", 30, 1e6).1);
    lab.write("new.jsonl", of("b", 330, 1.08e6).1);
    for run in 0..6 {
        for (commit, from, level) in [("a", 0, 1e6), ("b", 300, 1.08e6)] {
            let own = level * (1.0 + 0.002 * f64::from(run * 3 % 5) + 1e-4 * f64::from(run + 1));
            let (id, text) = of(commit, from + 5 * run, own);
            lab.write(&format!("earlier/{id}.jsonl"), &text);
            lab.write(&format!("../home/runs/{id}.jsonl"), &text);
        }
    }
    for options in [&[][..], &["--history", "earlier"]] {
        let found = comparison(&lab, options);
        assert_eq!([&found["verdict"], &found["runs"]["scatter"]], ["unclear", "assumed"]);
        let unused = &found["runs"]["unused"];
        assert_eq!([&unused["code"], &unused["occasions"]], [&json!("few_occasions"), &json!(2)]);
    }
    let shown = lab.done(["compare", "--history", "earlier", "old.jsonl", "new.jsonl"]);
    has(&joined(&shown), &["(assumedscatter:12earlierrunsin2occasionsof2versionssaytoolittle"]);
}

/// Would catch saved copies of one run, under names and ids of their own, that vouch for one another.
#[test]
fn copies_of_a_run_count_once() {
    let lab = Lab::new();
    let side = |name: &str, minutes: [u32; 3], level: f64| -> Vec<String> {
        let file = |minute: &u32| {
            lab.write(&format!("{minute}.jsonl"), record(*minute, level).1);
            format!("{name}={minute}.jsonl")
        };
        minutes.iter().map(file).collect()
    };
    let files = [side("old", [1, 3, 5], 1e6), side("new", [2, 4, 6], 1.03e6)].concat();
    let compare = [vec!["compare".to_owned()], files].concat();
    has(&joined(&lab.done(&compare)), &["time:1unclear", "Onerunaside:"]);
    let full = [compare, vec!["--full".to_owned()]].concat();
    has(
        &joined(&lab.done(&full)),
        &["2runsrepeatothers(theirids,startsorreadings):eachcountsonce"],
    );
    // Nor does one that is named several times.
    let twice = ["compare", "old=1.jsonl", "old=1.jsonl", "new=2.jsonl"];
    has(&joined(&lab.done(twice)), &["Onerunaside:"]);
}

/// Would catch alternation that is judged by mean ranks alone: of AAABBBAAA, 49 % of verdicts were false.
#[test]
fn a_stretch_counts_and_not_its_runs() {
    let lab = Lab::new();
    let shown = |order: &str| {
        let file = |(minute, side): (u32, char)| {
            let level = if side == 'a' { 1e6 } else { 1.03e6 };
            let own = level * (1.0 + 0.002 * f64::from(minute * 3 % 5) + 1e-4 * f64::from(minute));
            lab.write(&format!("{minute}.jsonl"), record(minute, own).1);
            format!("{side}={minute}.jsonl")
        };
        let mut files: Vec<String> = (1..).zip(order.chars()).map(file).collect();
        files.sort();
        joined(&lab.done(["compare".to_owned()].into_iter().chain(files)))
    };
    has(&shown("ababab"), &["time:1slower", "3runsaside,alternatingintime:"]);
    has(&shown("aababbab"), &["time:1slower", "4runsasidein3stretches,alternatingintime:"]);
    for order in ["aaabbbaaa", "aabbbbaa", "aabbaabb", "abbaab"] {
        has(&shown(order), &["time:1unclear", "notalternatingintime"]);
    }
}

/// Would catch an earlier run of another build: its time is of other code. One that does not say what it is of counts.
#[test]
fn earlier_runs_of_other_programs_do_not_count() {
    let (lab, names) = lab();
    let of_program = |file: &str, hash: &str| {
        let said = format!("\"command\":\"work\",\"hash\":\"{hash}\"");
        let text = String::from_utf8(lab.read(file)).unwrap();
        lab.write(file, text.replace("\"command\":\"work\"", &said));
    };
    let earlier = |lab: &Lab| comparison(lab, &["--history", "earlier"])["runs"]["earlier"].clone();
    of_program("old.jsonl", "a");
    of_program("new.jsonl", "b");
    assert_eq!(earlier(&lab), 6);
    of_program(&format!("earlier/{}", names[0]), "c");
    assert_eq!(earlier(&lab), 5);
}

/// Would catch a scatter that is said and not used, and one that makes no sense.
#[test]
fn the_scatter_may_be_said() {
    let (lab, _) = lab();
    let said = comparison(&lab, &["--between", "1%", "--history", "earlier"]);
    assert_eq!([&said["verdict"], &said["runs"]["scatter"]], ["slower", "said"]);
    assert_eq!(said["runs"]["sd"], 0.01);
    let none = comparison(&lab, &["--between", "0"]);
    assert_eq!([&none["verdict"], &none["runs"]], [&json!("slower"), &Value::Null]);
    for share in ["-1%", "many", "NaN"] {
        let refused = ["compare", "--between", share, "old.jsonl", "new.jsonl"];
        has(&lab.run(refused).expect(2).stderr, &["--between"]);
    }
}

/// Records of one label are runs of one side: in turn they speak for themselves, one side after the other they do not.
#[test]
fn runs_that_alternate_speak_for_themselves() {
    let (lab, _) = lab();
    let side = |name: &str, minutes: [u32; 3], scale: f64| -> Vec<String> {
        let file = |minute: &u32| {
            let level = 1e6 * scale * (1.0 + 0.002 * f64::from(minute % 5));
            lab.write(&format!("{minute}.jsonl"), record(*minute, level).1);
            format!("{name}={minute}.jsonl")
        };
        minutes.iter().map(file).collect()
    };
    let shown = |old: [u32; 3], new: [u32; 3]| {
        let files = [side("old", old, 1.0), side("new", new, 1.03)].concat();
        joined(&lab.done(["compare".to_owned()].into_iter().chain(files)))
    };
    has(&shown([1, 3, 5], [2, 4, 6]), &["time:1slower", "3runsaside,alternatingintime:"]);
    has(&shown([1, 2, 3], [4, 5, 6]), &["time:1unclear", "3runsaside,notalternatingintime:"]);
}

/// Would catch a busy machine that makes unchanged code slower, the reason for `unclear` left untold, and remarks on
/// quantities that the screen does not show.
#[test]
fn a_side_that_waited_for_a_cpu_is_not_called_slower() {
    let (lab, _) = lab();
    lab.write("new.jsonl", record(61, 2e6).1);
    let options = ["--history", "earlier"];
    assert_eq!(comparison(&lab, &options)["verdict"], "slower");
    lab.write("new.jsonl", waiting(61, 2e6, 0.5).1);
    let found = comparison(&lab, &options);
    assert_eq!(
        [&found["verdict"], &found["runs"]["waited"]],
        [&json!("unclear"), &json!([0.0, 0.5])]
    );
    let shown = joined(&lab.done(["compare", "--history", "earlier", "old.jsonl", "new.jsonl"]));
    has(&shown, &["work:waitedforaCPU50%ofitstime,thebase0%:theintervalholdsboth,"]);
    assert!(!shown.contains("cpu_wait"), "{shown}");
}

/// A record of two commands in blocks, whose executions waited for a share of their time that each block has.
fn beside(shares: impl Iterator<Item = f64>) -> String {
    let metric = |name: &str| json!({"type": "metric", "name": name, "unit": "ns", "direction": "lower", "kind": "noisy"});
    let benchmark = |name: &str| json!({"type": "benchmark", "name": name, "command": name});
    let mut lines = vec![
        json!({"type": "header", "format": "etalon", "version": 1, "id": "by-hand"}),
        metric("wall"),
        metric("cpu_wait"),
        benchmark("one"),
        benchmark("two"),
    ];
    for (block, share) in shares.enumerate() {
        for at in [0, 1] {
            let wall = 50_000_000 + 50_000 * (block * 3 % 10) + 25_000 * at;
            let wait = (share * wall as f64).round();
            lines.push(json!({"type": "observation", "benchmark": at, "block": block,
                "values": {"wall": wall, "cpu_wait": wait}}));
        }
    }
    lines.iter().map(|line| format!("{line}\n")).collect()
}

/// Would catch programs that come and go beside a run without a word, and a word where nothing runs, or the same all
/// the time.
#[test]
fn a_load_that_changes_during_a_run_is_told() {
    let lab = Lab::new();
    let told = |shares: &dyn Fn(usize) -> f64| {
        lab.write("r.jsonl", beside((0..60).map(shares)));
        let compared = ["compare", "--col", ".name", "--row", ".file", "r.jsonl"];
        [lab.done(["report", "r.jsonl"]), lab.done(compared)].map(|shown| joined(&shown))
    };
    let said = joined(
        "Note: load: waiting for a CPU came and went: tenth by tenth of the run, executions waited for between 0 and \
         60 % of their time, as beside programs that start and end; small differences may come from that.",
    );
    for shown in told(&|block| if block / 20 == 1 { 0.6 } else { 0.0 }) {
        has(&shown, &[&said]);
    }
    for constant in [0.0, 0.5] {
        for shown in told(&|_| constant) {
            assert!(!shown.contains("cameandwent"), "{constant}: {shown}");
        }
    }
    for shown in told(&|block| if block % 2 == 0 { 0.6 } else { 0.0 }) {
        assert!(!shown.contains("cameandwent"), "{shown}");
    }
}
