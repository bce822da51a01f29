//! `etalon history check --confirm`: neighbours of suspected steps are measured against each other, for real, in a
//! repository of sixty commits; the points of the series are written by hand.

use std::fs;

use serde_json::Value;

use crate::support::{Ended, Lab, Record, Running, has, joined, signal, skip, until};

const COMMITS: usize = 60;
/// The commit from which on `codec` takes half as long again; in its points as well.
const AT: usize = 40;
/// The commit from which on `flat` is said to, although it does not.
const FALSELY: usize = 20;
/// Commits that nobody measured.
const UNMEASURED: [usize; 2] = [AT, AT + 1];

/// Results of two benchmarks, one of which takes as long as a file of the side says.
const BENCH: &str = r#"test -z "$HOLD" || { touch "$UP"; sleep 1000; }
printf '{"codec": {"latency": {"value": %s%02d}}, "flat": {"latency": {"value": 200%02d}}}\n' \
    "$(cat work)" $(($$ % 7)) $(($$ % 7))
"#;

/// The words that measure a commit.
const WORDS: &str = "--no-control --runs 8 --results bencher -- sh bench.sh";

/// A project and its commits, the oldest first.
struct Project {
    lab: Lab,
    commits: Vec<String>,
}

impl Project {
    fn new() -> Option<Project> {
        if std::process::Command::new("git").arg("--version").output().is_err() {
            skip("confirming steps: git is not installed");
            return None;
        }
        let lab = Lab::new();
        fs::create_dir_all(lab.path("m/sub")).unwrap();
        lab.write("m/bench.sh", BENCH);
        lab.write("m/work", "100");
        lab.write("m/sub/kept", "");
        let text = format!(
            "cd m && git init -q . && git checkout -q -b main && git add -A && for i in $(seq 1 {COMMITS}); do \
             test $i -le {AT} || echo 150 > work; \
             git -c user.name=n -c user.email=e commit -q -a --allow-empty -m $i; done; \
             git log --format=%H --reverse"
        );
        let ended = Running::start(lab.shell(&text)).end().expect(0);
        let commits: Vec<String> = ended.stdout.lines().map(str::to_owned).collect();
        assert_eq!(commits.len(), COMMITS);
        Some(Project { lab, commits })
    }

    /// A project whose series is there, with what `change` makes of every record.
    fn with_series(change: impl Fn(&mut Value)) -> Option<Project> {
        let project = Project::new()?;
        let Project { lab, commits } = &project;
        let first = format!("cd m && \"$E\" ab {} HEAD {WORDS}", commits[0]);
        Running::start(lab.shell(&first)).end().expect(0);
        let template = lab.saved().pop().unwrap();
        let record = Record::read(&template);
        fs::remove_file(&template).unwrap();
        let mut references = Vec::new();
        for (number, commit) in commits.iter().enumerate() {
            if UNMEASURED.contains(&number) {
                continue;
            }
            let id = record.lines[0]["id"].as_str().unwrap();
            let id = format!("{}abc{number:05}", &id[..id.len() - 8]);
            let lines = written(&record, &id, (number, commit), &change);
            fs::write(lab.home().join(format!("runs/{id}.jsonl")), lines).unwrap();
            references.push(format!("@{id}"));
        }
        let all = references.join(" ");
        let add = format!("cd m && \"$E\" history add {all} --series s --metric wall");
        Running::start(lab.shell(&add)).end().expect(0);
        Some(project)
    }

    fn check(&self, directory: &str, options: &str) -> Ended {
        let text = format!("cd {directory} && exec \"$E\" history check {options}");
        Running::start(self.lab.shell(&text)).end()
    }
}

/// A record as of another commit, in which the head takes what is said of that commit.
fn written(
    record: &Record,
    id: &str,
    (number, commit): (usize, &str),
    change: impl Fn(&mut Value),
) -> String {
    let benchmarks = record.of_type("benchmark");
    let mut lines = record.lines.clone();
    lines[0]["id"] = id.into();
    lines[0]["context"]["head.revision"] = commit.into();
    change(&mut lines[0]);
    for line in lines.iter_mut().filter(|line| line["type"] == "observation") {
        let of = usize::try_from(line["benchmark"].as_u64().unwrap()).unwrap();
        let head = benchmarks[of]["params"]["side"] == "head";
        let factor = match benchmarks[of]["name"].as_str().unwrap() {
            "codec" if head && number >= AT => 1.5,
            "flat" if head && number >= FALSELY => 1.3,
            "codec" | "flat" => 1.0,
            _ => continue,
        };
        let block = line["block"].as_f64().unwrap();
        let mixed = (number * 7919 + of * 104_729) * 2_654_435_761 % 4_294_967_296;
        #[allow(clippy::cast_precision_loss)]
        let noise = (mixed >> 16) as f64 / 65_536.0;
        let value = 10_000.0 * factor * (1.0 + 0.002 * noise + 0.0001 * block);
        line["values"]["wall"] = value.into();
        line["readings"]["wall"] = serde_json::json!([[value]]);
    }
    lines.iter().map(|line| format!("{line}\n")).collect()
}

/// The findings of a benchmark, as a document has them.
fn findings(project: &Project, benchmark: &str) -> Value {
    let ended = project.check("m", "--json");
    let document: Value = serde_json::from_str(&ended.stdout).unwrap();
    let series = document["history"]["series"].as_array().unwrap();
    let of = series.iter().find(|it| it["benchmark"] == benchmark).expect("the series");
    of["findings"].clone()
}

/// Would catch a suspicion that fails, a step that is not confirmed, a false one that is, a pair that is measured again,
/// a confirmation that becomes a point, and one that is forgotten.
#[test]
fn only_what_holds_when_it_is_measured_again_fails() {
    let Some(project) = Project::with_series(|_| ()) else { return };
    let Project { lab, commits } = &project;
    let suspected = project.check("m", "").expect(0).stdout;
    has(&joined(&suspected), &["2of2seriesseemtohavegotworse", "etalonhistorycheck--confirm"]);
    let (before, points) = (lab.saved().len(), lab.done(["history", "show", "codec"]));
    let ended = project.check("m", "--confirm").expect(1);
    assert_eq!(lab.saved().len(), before + 2);
    let line = format!("etalon ab {} {} {}", commits[AT - 1], commits[AT + 2], WORDS);
    has(&ended.stderr, &[&line]);
    let said = joined(&ended.stdout);
    for part in [
        "confirmed",
        "measured again",
        "not confirmed",
        "no such step",
        &format!("2 commits lie between {} and {}", &commits[AT - 1][..10], &commits[AT + 2][..10]),
        &line,
    ] {
        assert!(said.contains(&joined(part)), "no {part} in {}", ended.stdout);
    }
    let evidence = |benchmark: &str| {
        let all = findings(&project, benchmark);
        let [only] = &all.as_array().unwrap()[..] else { panic!("{all}") };
        let end = |at: usize| only["measured"][at].as_f64().unwrap();
        (only["evidence"].as_str().unwrap().to_owned(), end(0), end(1))
    };
    let (word, lo, hi) = evidence("s/codec");
    assert!(word == "confirmed" && 1.4 < lo && hi < 1.6, "{word} {lo} {hi}");
    let (word, lo, hi) = evidence("s/flat");
    assert!(word == "refuted" && 0.9 < lo && hi < 1.1, "{word} {lo} {hi}");
    let again = project.check("m", "--confirm").expect(1);
    assert!(!again.stderr.contains("etalon ab"), "{}", again.stderr);
    assert_eq!((lab.saved().len(), lab.done(["history", "show", "codec"])), (before + 2, points));
    // The run is a record like any other, and can be typed again.
    assert_eq!(lab.record().lines[0]["argv"][1], "ab");
    for name in ["history.sqlite", "history.sqlite-wal", "history.sqlite-shm"] {
        let _is_there_or_not = fs::remove_file(lab.home().join(name));
    }
    lab.done(["history", "rebuild"]);
    assert_eq!(
        (evidence("s/codec").0, evidence("s/flat").0),
        ("confirmed".into(), "refuted".into())
    );
    project.check("m", "--confirm --fail-on worse:60%").expect(0);
}

/// Would catch what is accepted and measured all the same, and time that is spent beyond what there is.
#[test]
fn what_is_accepted_or_has_no_time_is_not_measured() {
    let Some(project) = Project::with_series(|_| ()) else { return };
    let lab = &project.lab;
    let before = lab.saved().len();
    let ended = project.check("m", "--confirm --total-budget 0.000001s").expect(0);
    has(&joined(&ended.stdout), &["notmeasured:thetimewasover", "2of2seriesseem"]);
    project.check("m", "--total-budget 1s").expect(2);
    let waiver = |benchmark: &str| {
        format!(
            "[[waiver]]\nbenchmark = \"{benchmark}\"\nup-to = \"70%\"\nreason = \"safer\"\nexpires = 9998-12-31\n"
        )
    };
    lab.write("m/checks.toml", waiver("s/codec") + &waiver("s/flat"));
    let ended = project.check("m", "--confirm --checks checks.toml").expect(0);
    has(&joined(&ended.stdout), &["known", "waiveduntil9998-12-31"]);
    assert_eq!(lab.saved().len(), before);
}

/// Would catch a suspicion whose neighbours cannot be measured and that fails, is called fine or says no reason.
#[test]
fn what_cannot_be_measured_stays_suspected() {
    let Some(project) = Project::with_series(|_| ()) else { return };
    let said = |directory: &str, reason: &str| {
        let ended = project.check(directory, "--confirm").expect(0);
        has(
            &joined(&ended.stdout),
            &["2of2seriesseem", &joined(&format!("not measured: {reason}"))],
        );
    };
    said("m/sub", "its runs were started in");
    said(".", &project.commits[FALSELY]);
    let of_others = |header: &mut Value| header["context"]["cpu.model"] = "Another".into();
    let Some(other) = Project::with_series(of_others) else { return };
    let ended = other.check("m", "--confirm").expect(0);
    has(&joined(&ended.stdout), &["notmeasured:itsmachineisanother:Another"]);
    let of_cmd = |header: &mut Value| header["argv"] = serde_json::json!(["etalon", "cmd", "true"]);
    let Some(other) = Project::with_series(of_cmd) else { return };
    let ended = other.check("m", "--confirm").expect(0);
    has(&joined(&ended.stdout), &[&joined("not measured: its runs are of `etalon cmd`")]);
    for path in other.lab.saved() {
        fs::remove_file(path).unwrap();
    }
    let ended = other.check("m", "--confirm").expect(0);
    has(&joined(&ended.stdout), &["notmeasured:nosavedrunsayshow"]);
}

/// Would catch an interrupt that loses what is known, or goes on with the next pair.
#[test]
fn an_interrupt_ends_it_with_what_is_known() {
    let Some(project) = Project::with_series(|_| ()) else { return };
    let lab = &project.lab;
    let mut command = lab.shell("cd m && exec \"$E\" history check --confirm");
    command.env("HOLD", "yes").env("UP", lab.path("up"));
    let running = Running::start(command);
    until("a side that waits", || lab.path("up").exists());
    signal(running.pid(), libc::SIGINT);
    let ended = running.end().expect(130);
    has(&joined(&ended.stdout), &["2of2seriesseem", "notmeasured:interrupted"]);
    lab.assert_nothing_left();
    project.check("m", "--confirm").expect(1);
}
