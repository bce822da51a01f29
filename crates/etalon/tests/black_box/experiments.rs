//! `etalon run FILE.toml`: experiment files, and what is shown of them.

use std::collections::BTreeSet;

use serde_json::json;

use crate::support::{Lab, Running, has, joined, signal, until};

/// Three programs of a line each: two print, one fails, one is not installed.
const FILE: &str = r#"
title = "words"

[axes]
job = [
    { name = "one", count = 1, about = "a word" },
    { name = "two", count = 2, about = "two words" },
]
impl = ["a", "b", "broken", "none"]

[[subject]]
command = "sh print.sh {impl} {job.count}"
requires = "test {impl} != none"
env = { SCALE = "{job.count}0" }

[metric.work]
unit = "ns"

[metric.size]
unit = "B"
kind = "exact"

[measure]
runs = 6
seed = 1

[[table]]
title = "Work"
metric = "work"
rows = "job"
columns = "impl"
raw = "raw value"
labels = ["about"]

[[table]]
title = "Size"
metric = "size"
rows = "job"
columns = "impl"
raw = true
fastest = true
legend = ["Less is better."]
"#;

const PRINT: &str = "
[ $1 = broken ] && { echo no luck >&2; exit 4; }
[ $1 = a ] && factor=1 || factor=4
echo work: $((factor * SCALE)) ns/op
echo size $((factor * $2)) B
";

fn lab() -> Lab {
    let lab = Lab::new();
    lab.write("words.toml", FILE);
    lab.write("print.sh", PRINT);
    lab
}

/// Would catch a number that is another cell's, a cell that is lost, a mean over cells that failed, and a report that
/// is not what was shown.
#[test]
fn a_matrix_is_measured_and_shown_as_its_tables() {
    let lab = lab();
    let ended = lab.run(["run", "words.toml"]).expect(1);
    let shown = ended.stdout.clone();
    let flat = joined(&shown);
    has(
        &flat,
        &[
            "Work",
            "onea word".replace(' ', "").as_str(),
            "25%",
            "100%",
            "failed(4)",
            "notinstalled",
        ],
    );
    let line = |start: &str, from: &str| {
        let from = shown.split(from).nth(1).expect("a table");
        let line = from.lines().find(|line| line.trim_start().starts_with(start)).expect("a row");
        line.split_whitespace().map(str::to_owned).collect::<Vec<_>>()
    };
    let work =
        ["one", "a", "word", "25", "%", "100", "%", "failed", "(4)", "not", "installed", "40"];
    assert_eq!(line("one", "Work"), work);
    assert_eq!(line("geo.", "Work"), ["geo.", "mean", "25", "%", "100", "%", "-", "-"]);
    let size = ["two", "25", "%", "100", "%", "failed", "(4)", "not", "installed", "8", "a"];
    assert_eq!(line("two", "Size"), size);
    has(&flat, &["2cellsfailed(4):innomean", "2cellsnotinstalled:innomean", "Lessisbetter."]);

    assert_eq!(lab.done(["report", "@last"]), shown, "the record holds the tables");
    let record = lab.record();
    for benchmark in 0..8 {
        let lines = record.of(benchmark);
        let expected = if [0, 1, 4, 5].contains(&benchmark) { 6 } else { 1 };
        assert_eq!(lines.len(), expected, "benchmark {benchmark}");
    }
    assert_eq!(record.of(3)[0]["outcome"], json!({"not_started": "not installed"}));
    assert_eq!(record.of(4)[0]["values"]["work"], json!(20));
    has(
        &lab.done(["report", "@last", "--row", "/impl", "--col", "/job", "--view", "plain"]),
        &["one"],
    );
}

/// Would catch a page without what was declared, or with what was not recorded.
#[test]
fn a_page_is_made_of_the_file_and_the_record() {
    let lab = lab();
    let page = "
[page]
title = \"A page\"
[[page.section]]
text = \"Prose with `code`.\"
[[page.section]]
title = \"Jobs\"
legend = \"job\"
[[page.section]]
commands = \"job\"
[[page.section]]
title = \"Results\"
tables = [\"Size\"]
[[page.section]]
output = \"echo made here; etalon --version\"
";
    lab.write("words.toml", format!("{FILE}{page}"));
    let ended = lab.run(["run", "--format", "markdown", "words.toml"]).expect(1);
    let expected = "# A page

Prose with `code`.

## Jobs

- `one`: a word
- `two`: two words

| job | command |
| --- | --- |
| one | `sh print.sh <impl> 1` |
| two | `sh print.sh <impl> 2` |

## Results

### Size
";
    assert!(ended.stdout.starts_with(expected), "{}", ended.stdout);
    has(&ended.stdout, &["| geo. mean |", "```\nmade here\netalon "]);
    assert!(!ended.stdout.contains("Work"), "{}", ended.stdout);
    lab.write("words.toml", "");
    assert_eq!(lab.done(["report", "@last", "--format", "markdown"]), ended.stdout);
}

/// What is changed in the file, where the error is to be, and what it says.
const MISTAKES: &[(&str, &str, &str, &str)] = &[
    ("runs = 6", "runz = 6", ":24:1", "unknown key `runz`: did you mean `runs`?"),
    ("runs = 6", "runs = \"six\"", ":24:8", "invalid type"),
    ("runs = 6", "runs = six", ":24:8", ""),
    (
        "{impl} {job.count}",
        "{imp} {job.count}",
        ":12:11",
        "no axis `imp` is declared: did you mean `impl`?",
    ),
    ("{impl} {job.count}", "{impl} {job.none}", ":12:11", "has no field `none`"),
    ("{impl} {job.count}", "{impl", ":12:11", "`{` stands alone"),
    ("sh print.sh", "nosuchprogram", ":12:11", "not found in PATH"),
    ("sh print.sh", "cat x | sh print.sh", ":12:11", "no shell"),
    ("[metric.size]", "[metric.wall]", ":19:9", "etalon measures a metric `wall` itself"),
    (
        "metric = \"work\"",
        "metric = \"works\"",
        ":29:10",
        "no metric `works`: did you mean `work`?",
    ),
    (
        "rows = \"job\"",
        "rows = \"jobs\"",
        ":30:8",
        "no axis `jobs` is declared: did you mean `job`?",
    ),
    (
        "impl = [\"a\", \"b\",",
        "impl = [\"a\", \"a\",",
        ":9:1",
        "has `a` twice: two cells would have one key",
    ),
    ("unit = \"ns\"", "unit = \"ns\"\npattern = \"(\"", ":18:11", ""),
    ("runs = 6", "runs = 6\ntimeout = \"soon\"", ":25:11", ""),
    (
        "[measure]",
        "[[subject]]\ncommand = \"true\"\n[measure]",
        ":24:11",
        "two subjects are called",
    ),
    ("[measure]", "[[exclude]]\njob = \"three\"\n[measure]", ":24:1", "has no value `three`"),
    ("runs = 6", "runs = 0", ":24:8", "write 1 or more"),
    ("runs = 6", "runs = 6\nmetric = \"siz\"", ":25:10", "no metric `siz`: did you mean `size`?"),
    ("labels = [\"about\"]", "labels = [\"imp.about\"]", ":33:11", "is of no axis of the rows"),
    (
        "[measure]",
        "[page]\n[[page.section]]\ntables = \"Wrk\"\n[measure]",
        ":25:10",
        "the page asks for a table \"Wrk\": did you mean `Work`?",
    ),
    (
        "[measure]",
        "[page]\n[[page.section]]\ntitle = \"x\"\n[measure]",
        ":24:1",
        "has to say one of",
    ),
];

/// Would catch a mistake that is measured, or told without its place and its remedy.
#[test]
fn mistakes_are_named_with_line_and_column() {
    let lab = lab();
    let good = FILE.to_owned();
    for (from, to, at, said) in MISTAKES {
        assert!(good.contains(from), "{from}");
        lab.write("words.toml", good.replacen(from, to, 1));
        let ended = lab.run(["run", "words.toml"]).expect(2);
        assert!(ended.stderr.contains(&format!("words.toml{at}")), "{to}: {}", ended.stderr);
        has(&ended.stderr, &[said]);
        assert!(ended.stderr.trim_end().lines().count() <= 6, "{}", ended.stderr);
    }
    assert_eq!(lab.saved(), Vec::<std::path::PathBuf>::new());
    lab.write(
        "words.toml",
        good.replace("[metric.size]", "[metric.weight]")
            .replace("metric = \"size\"", "metric = \"weight\""),
    );
    let ended = lab.run(["run", "words.toml"]).expect(2);
    has(&ended.stderr, &["words.toml:19:9", "no command printed `weight` in B"]);
    lab.write("bad.toml", "title = 3\n");
    has(&lab.run(["run", "bad.toml"]).expect(2).stderr, &["bad.toml:1:9"]);
    has(&lab.run(["run", "--lua", "lua5.1", "words.toml"]).expect(2).stderr, &["--lua", "suites"]);
    has(&lab.run(["run", "words.toml", "bad.toml"]).expect(2).stderr, &["alone"]);
}

/// Would catch blocks that are executed again, cells that come back, and another order.
#[test]
fn an_interrupted_matrix_goes_on_where_it_stood() {
    let lab = lab();
    let slow = FILE.replace("sh print.sh", "sh slow.sh");
    lab.write("slow.sh", "echo x >> log; sleep 0.05; . ./print.sh");
    lab.write("words.toml", &slow);
    let running = Running::start(lab.etalon(["run", "--quiet", "words.toml"]));
    let executed = || std::fs::read_to_string(lab.path("log")).unwrap_or_default().lines().count();
    until("some blocks", || executed() > 10);
    signal(running.pid(), libc::SIGKILL);
    running.end();
    lab.assert_nothing_left();
    let ended = lab.run(["run", "--resume", "@last"]).expect(1);
    has(&ended.stdout, &["Work", "failed (4)", "not installed"]);
    let record = lab.record();
    for benchmark in [0, 1, 4, 5] {
        let lines = record.of(benchmark);
        let blocks: BTreeSet<_> = lines.iter().map(|line| line["block"].as_u64()).collect();
        // One block may have been torn by the end of the first sitting.
        assert!((6..=7).contains(&blocks.len()), "benchmark {benchmark}: {blocks:?}");
        assert_eq!(blocks.len(), lines.len(), "benchmark {benchmark}");
    }
    assert_eq!((record.of(2).len(), record.of(3).len()), (1, 1));
}

/// Would catch a dry run that executes something, a filter that is ignored, and stages that tear a row apart.
#[test]
fn what_would_be_executed_is_told() {
    let lab = lab();
    let told = lab.done(["run", "--dry-run", "words.toml"]);
    has(
        &told,
        &["8 cells, 6 blocks", "48 executions; -r 1", "words [job=one, impl=a]: sh print.sh a 1"],
    );
    has(&told, &["the first block, with seed 1:"]);
    let listed =
        lab.done(["run", "--list", "--filter", "/job:two AND /impl:(a OR b)", "words.toml"]);
    assert_eq!(listed.lines().count(), 2, "{listed}");
    has(
        &lab.run(["run", "--filter", "/job:ten", "words.toml"]).expect(2).stderr,
        &["no cell left", "8 without"],
    );
    let staged = FILE.replace("runs = 6", "runs = 6\nstage = 5");
    lab.write("words.toml", &staged);
    let told = lab.done(["run", "--dry-run", "words.toml"]);
    has(&told, &["8 cells in 2 stages", "stage 1: 4 cells", "stage 2: 4 cells"]);
    assert_eq!(lab.saved(), Vec::<std::path::PathBuf>::new());
}

/// Would catch a cell that takes all the time there is, a budget that is ignored, and files that stay.
#[test]
fn time_is_limited_and_files_go() {
    let lab = lab();
    lab.write(
        "t.toml",
        "[axes]\nseconds = [0, 60]\n[[subject]]\ncommand = \"sh -c 'sleep {seconds}; cat data/x.txt'\"\n\
         [measure]\nruns = 3\ntimeout = \"200ms\"\n[file.\"data/x.txt\"]\ntext = \"n: 3\\n\"\n[metric.n]\nunit = \"count\"\n\
         [[table]]\nmetric = \"n\"\nrows = \"seconds\"\ncolumns = []\n",
    );
    let ended = lab.run(["run", "t.toml"]).expect(1);
    has(&ended.stdout, &["timed out"]);
    assert!(!lab.path("data/x.txt").exists(), "the file was taken away");
    std::fs::create_dir_all(lab.path("data")).expect("a directory");
    lab.write("data/x.txt", "mine");
    has(&lab.run(["run", "t.toml"]).expect(2).stderr, &["t.toml:8:7", "says something else"]);
    assert_eq!(lab.read("data/x.txt"), b"mine");
}

/// Would catch a file to start from that does not work as it is.
#[test]
fn there_is_a_file_to_start_from() {
    let lab = Lab::new();
    lab.run(["init"]).expect(0);
    has(&lab.run(["init"]).expect(2).stderr, &["experiment.toml", "is there"]);
    has(&lab.done(["run", "--dry-run", "experiment.toml"]), &["4 cells, 10 blocks"]);
    let ended = lab.run(["run", "-r", "3", "experiment.toml"]).expect(0);
    has(&joined(&ended.stdout), &["Wallclock", "Peakmemory", "smallathousandlines"]);
    assert!(!lab.path("small.txt").exists(), "its cleanup was executed");
    let schema: serde_json::Value =
        serde_json::from_str(&lab.done(["init", "--schema"])).expect("JSON");
    assert!(schema["properties"]["axes"].is_object());
}
