//! The one JSON document: every command that measures or reports prints it, and its schema allows it. (`Lab::json` holds
//! every other document of these tests against the schema, too.)

use serde_json::{Value, json};

use crate::ab::{self, ab};
use crate::support::{Ended, Lab, Running, document, has, held, referred, signal, until, valid};

/// The keys that every document has.
const KEYS: [&str; 15] = [
    "version",
    "kind",
    "headline",
    "context",
    "settings",
    "seed",
    "stopped_by",
    "executions",
    "notes",
    "benchmarks",
    "comparisons",
    "suites",
    "tables",
    "controls",
    "check",
];

/// Go's lines of a benchmark, which scatter by ± 1 % in a fixed way.
fn go(name: &str, ns: f64, rest: &str) -> String {
    let line = |i: i32| {
        let ns = ns * (1.0 + f64::from(i * 7 % 12) / 600.0);
        format!("Benchmark{name}-8\t100\t{ns:.1} ns/op{rest}\n")
    };
    (0..12).map(line).collect()
}

/// A document of that exit code, and of that kind.
#[track_caller]
fn of_kind(lab: &Lab, kind: &str, exit: i32, words: &[&str]) -> Value {
    let words = [words, &["--json"]].concat();
    printed(kind, &lab.run(words).expect(exit))
}

#[track_caller]
fn printed(kind: &str, ended: &Ended) -> Value {
    let document = document(&ended.stdout);
    let keys: Vec<&str> = document.as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(&keys[..KEYS.len()], KEYS);
    let of_kind: Vec<&str> = keys[KEYS.len()..].to_vec();
    let own = if ["noise", "plan"].contains(&kind) { vec![kind] } else { Vec::new() };
    assert_eq!((&document["kind"], of_kind), (&json!(kind), own));
    assert!(document["headline"].as_str().is_some_and(|it| !it.is_empty()), "{document:#}");
    document
}

/// As `jq '.comparisons[] | select(.verdict == VERDICT)'`: base and candidate by name.
fn with_verdict(document: &Value, verdict: &str) -> Vec<[String; 2]> {
    let comparisons = document["comparisons"].as_array().unwrap().iter();
    let found = comparisons.filter(|it| it["verdict"] == verdict).map(|it| {
        for side in ["base", "candidate"] {
            let benchmark = referred(&document["benchmarks"], &it[side]);
            assert_eq!(benchmark["label"], it[format!("{side}_name")]);
            assert!(benchmark["metrics"][it["metric"].as_str().unwrap()].is_object());
        }
        ["base_name", "candidate_name"].map(|name| it[name].as_str().unwrap().to_owned())
    });
    found.collect()
}

/// Would catch a command with a document of its own, and one whose comparisons do not say who they are of.
#[test]
fn one_question_is_asked_of_every_command() {
    let lab = Lab::new();
    // Whatever the verdict on a busy machine is: who is compared is the same.
    let pairs = |document: &Value| {
        let verdict = document["comparisons"][0]["verdict"].as_str().unwrap();
        with_verdict(document, verdict)
    };
    let expected = [["fast".to_owned(), "slow".to_owned()]];
    let commands = ["-r", "8", "-n", "fast", "-n", "slow", "true", "sleep 0.02"];
    let measured = of_kind(&lab, "ranking", 0, &[&["cmd"], &commands[..]].concat());
    assert_eq!(pairs(&measured), expected);
    assert_eq!(of_kind(&lab, "ranking", 0, &["report", "@last"]), measured);
    let explained = of_kind(&lab, "ranking", 0, &["report", "@last", "--explain-noise"]);
    assert!(explained["benchmarks"][0]["variation"].is_object());
    let tables = ["report", "@last", "--row", ".file", "--col", ".fullname@(fast slow)"];
    let tables = of_kind(&lab, "tables", 0, &[&tables[..], &["--filter", ".unit:sec/op"]].concat());
    let [[base, candidate]] = &pairs(&tables)[..] else { panic!("{tables:#}") };
    assert!(base.ends_with("(fast)") && candidate.ends_with("(slow)"), "{base}, {candidate}");

    let planned = of_kind(&lab, "plan", 0, &[&["cmd", "--plan"], &commands[2..]].concat());
    assert_eq!((&planned["seed"].is_string(), &planned["comparisons"]), (&true, &json!([])));
    let noise = ["noise", "--no-save", "--in-sequence", "2", "-r", "6", "true"];
    let noise = of_kind(&lab, "noise", 0, &noise);
    assert_eq!(noise["executions"].as_array().map(Vec::len), Some(3));
}

/// Would catch a check that says why only in sentences, and a document of a command that failed.
#[test]
fn checks_say_where_they_failed() {
    let lab = Lab::new();
    lab.write("old.txt", go("A", 100.0, "") + &go("B", 100.0, "") + &go("Gone", 5.0, ""));
    lab.write("new.txt", go("A", 150.0, "\t3 spam") + &go("B", 101.0, "\t3 spam"));
    let asked = ["compare", "--between", "0", "--fail-on", "worse", "old.txt", "new.txt"];
    let failed = of_kind(&lab, "tables", 1, &asked);
    let check = &failed["check"];
    assert_eq!([&check["passed"], &check["exit"]], [&json!(false), &json!(1)]);
    let worse = &check["failed"][0];
    assert_eq!([&worse["code"], &worse["unit"]], ["check_worse", "sec/op"]);
    assert_eq!(worse["labels"], json!({".fullname": "A-8", ".file": "new.txt"}));
    let comparison = referred(&failed["comparisons"], &worse["comparison"]);
    assert_eq!(
        (&comparison["candidate"], &comparison["verdict"]),
        (&worse["benchmark"], &json!("slower"))
    );
    let failed_for = check["failed"].as_array().unwrap();
    let missing = failed_for.iter().find(|it| it["code"] == "missing").unwrap();
    assert_eq!(
        (&missing["benchmark"], &missing["labels"][".fullname"]),
        (&json!(null), &json!("Gone-8"))
    );
    let codes = |list: &Value| -> Vec<String> {
        let list = list.as_array().unwrap().iter();
        list.map(|it| it["code"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(codes(&check["unchecked"]), ["without_direction", "new"]);

    for (file, ns) in [("few.txt", 1000.0), ("other.txt", 1500.0)] {
        lab.write(
            file,
            go("A", ns, "").lines().take(2).map(|it| format!("{it}\n")).collect::<String>(),
        );
    }
    let asked = ["compare", "--between", "0", "--fail-on", "unclear", "few.txt", "other.txt"];
    let unclear = of_kind(&lab, "tables", 3, &asked);
    assert_eq!(unclear["check"]["exit"], 3);
    assert_eq!(codes(&unclear["check"]["failed"]), ["check_withheld"]);
    let unasked = of_kind(&lab, "tables", 0, &["compare", "--between", "0", "old.txt", "new.txt"]);
    assert_eq!(unasked["check"], Value::Null);
    assert!(!unasked["notes"].to_string().contains("no direction"));
}

/// Would catch controls of one package that pass for those of another, and sides whose document is not that of their record.
#[test]
fn sides_have_their_controls() {
    let Some(lab) = ab::lab() else { return };
    // Because: fewer blocks cannot show that builds differ, and controls are not checked.
    let check = "old HEAD --build make -r 12 --fail-on rss-B/op:worse --json -- ./p";
    let measured = printed("sides", &ab(&lab, check).expect(1));
    let controls = measured["controls"].as_array().unwrap();
    let of_rss = controls.iter().find(|it| it["unit"] == "rss-B/op").unwrap();
    let builds = of_rss["builds"].as_array().unwrap();
    let sides: Vec<&Value> = builds.iter().map(|it| &it["side"]).collect();
    assert_eq!(sides, ["base", "head"]);
    assert!(builds.iter().all(|it| it["labels"].is_object() && it["moved"] == false), "{of_rss:#}");
    let code =
        |code: &str| measured["notes"].as_array().unwrap().iter().any(|it| it["code"] == code);
    assert!(code("controls_agree") && code("sides_made"), "{:#}", measured["notes"]);
    assert_eq!(measured["settings"]["correction"], measured["comparisons"][0]["correction"]);
    let reported = of_kind(&lab, "sides", 0, &["report", "@last"]);
    for key in ["headline", "controls", "benchmarks", "stopped_by", "seed"] {
        assert_eq!(reported[key], measured[key], "{key}");
    }
}

/// Would catch an interrupted run without a document, one that does not say why it ended, and one that is resumed and has
/// another document than its record.
#[test]
fn interrupted_and_resumed_runs_have_documents() {
    let lab = Lab::new();
    lab.script("logged", &held("."));
    lab.write("hold", "9");
    let logged = "./logged";
    let words = ["cmd", "-N", "-r", "50", "--json", "-n", "a", logged, "-n", "b", logged];
    let running = Running::start(lab.etalon(words));
    until("executions", || std::fs::read(lab.path("done")).is_ok_and(|it| it.len() >= 9));
    signal(running.pid(), libc::SIGINT);
    let ended = printed("ranking", &running.end());
    std::fs::remove_file(lab.path("hold")).unwrap();
    assert_eq!(ended["stopped_by"], "interrupt");
    assert_eq!(of_kind(&lab, "ranking", 0, &["report", "@last"]), ended);
    let resumed = of_kind(&lab, "ranking", 0, &["cmd", "--resume", "@last"]);
    assert_eq!((&resumed["stopped_by"], &resumed["seed"]), (&json!("runs"), &ended["seed"]));
    let notes = resumed["notes"].as_array().unwrap();
    assert!(notes.iter().any(|it| it["code"] == "resumed"), "{notes:#?}");
    assert_eq!(of_kind(&lab, "ranking", 0, &["report", "@last"]), resumed);
}

/// Would catch two benchmarks of one name that a comparison does not tell apart, a note that does not say which
/// comparison it is about, and one that is said again for each unit.
#[test]
fn labels_and_notes_say_what_they_are_about() {
    let lab = Lab::new();
    let near = |name: &str, ns: f64| {
        let line = |i: i32| {
            let ns = ns + f64::from(i % 5) / 50.0;
            format!("Benchmark{name}-8\t100\t{ns:.2} ns/op\t16 B/op\n")
        };
        (0..12).map(line).collect::<String>()
    };
    let both = near("A", 100.0) + &near("B", 100.5);
    for file in ["old.txt", "new.txt"] {
        lab.write(file, format!("pkg: a\n{both}PASS\npkg: b\n{both}PASS\n"));
    }
    lab.write("one.txt", both);
    let one = of_kind(&lab, "ranking", 0, &["report", "--between", "0", "one.txt"]);
    let notes = one["notes"].as_array().unwrap();
    let note = notes.iter().find(|it| it["about"] == "B-8 against A-8").unwrap();
    assert_eq!((&note["code"], &note["comparison"]), (&json!("real_but_below_margin"), &json!(0)));

    let two = of_kind(&lab, "ranking", 0, &["report", "--between", "0", "old.txt", "new.txt"]);
    let label = |at: usize| two["benchmarks"][at]["label"].as_str().unwrap();
    assert_eq!([label(0), label(4)], ["A-8 [pkg=a] (old.txt)", "A-8 [pkg=a] (new.txt)"]);

    let varying = ["--table", ".config", "--row", ".name", "--col", "pkg", "old.txt", "new.txt"];
    let tables =
        of_kind(&lab, "tables", 0, &[&["compare", "--between", "0"], &varying[..]].concat());
    let notes = tables["notes"].as_array().unwrap();
    assert!(notes.iter().any(|it| it["code"] == "circumstances_vary"), "{notes:#?}");
    for (at, note) in notes.iter().enumerate() {
        assert!(!notes[..at].contains(note), "{note:#}");
    }
}

/// Would catch a document of nothing that lacks a part, and notes that name no kind.
#[test]
fn edges_have_every_key() {
    let lab = Lab::new();
    lab.write("a.txt", go("A", 100.0, "\t7.5 MB/s"));
    lab.write("b.txt", go("B", 100.0, ""));
    let nothing = of_kind(&lab, "tables", 2, &["compare", "a.txt", "b.txt"]);
    assert_eq!(nothing["comparisons"], json!([]));
    let foreign = of_kind(&lab, "tables", 0, &["compare", "a.txt"]);
    assert_eq!(foreign["benchmarks"][0]["metrics"]["B/s"]["unit"], "B/s");

    let on =
        |cpu: &str, ns: f64| format!("cpu: {cpu}\n{}{}", go("A", ns, ""), go("B", 2.0 * ns, ""));
    lab.write("machines.txt", on("One", 100.0) + &on("Two", 300.0));
    let machines = of_kind(&lab, "ranking", 0, &["report", "--between", "0", "machines.txt"]);
    let told: Vec<(&Value, &Value)> = machines["benchmarks"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| (&it["machine"]["cpu"], &it["letters"]))
        .collect();
    let [a, b] = [json!("a"), json!("b")];
    let [one, two] = [json!("One"), json!("Two")];
    assert_eq!(told, [(&one, &a), (&one, &b), (&two, &a), (&two, &b)]);
    assert!(
        machines["notes"].as_array().unwrap().iter().any(|it| it["code"] == "several_machines")
    );

    let failed = lab.run(["cmd", "-r", "3", "--json", "false", "true"]).expect(1);
    if !failed.stdout.is_empty() {
        assert_eq!(document(&failed.stdout)["stopped_by"], "failure");
    }
}

/// Would catch a schema that allows everything.
#[test]
fn the_schema_refuses_other_documents() {
    let lab = Lab::new();
    lab.write("old.txt", go("A", 100.0, ""));
    lab.write("new.txt", go("A", 150.0, ""));
    let document = of_kind(&lab, "tables", 0, &["compare", "old.txt", "new.txt"]);
    let refused = |change: &dyn Fn(&mut Value), why: &str| {
        let mut other = document.clone();
        change(&mut other);
        has(&valid(&other).expect_err(why), &[why]);
    };
    refused(&|it| it["version"] = json!(2), "version");
    refused(&|it| it["more"] = json!(1), "more");
    refused(&|it| drop(it.as_object_mut().unwrap().remove("check")), "check");
    refused(&|it| it["comparisons"][0]["verdict"] = json!("quicker"), "verdict");
    refused(&|it| it["comparisons"][0]["ratio"] = json!("1.5"), "ratio");
    refused(&|it| it["benchmarks"][0]["id"] = json!(null), "id");
    refused(&|it| it["tables"][0]["rows"][0]["cells"][1]["benchmark"] = json!(-1), "benchmark");
    refused(&|it| it["settings"]["margin"] = json!({"relative": 0.1, "unit": "s"}), "margin");
}
