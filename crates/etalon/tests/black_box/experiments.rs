//! `etalon run FILE.toml`: experiment files, and what is shown of them. `experiment_suites` has those with suites.

use std::collections::BTreeSet;

use serde_json::json;

use crate::support::{Lab, Running, document, has, held, joined, signal, until, with_cells};

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
    assert_eq!(line("geom", "Work")[2..], ["25", "%", "100", "%", "-", "-"]);
    let size = ["two", "25", "%", "100", "%", "failed", "(4)", "not", "installed", "8", "a"];
    assert_eq!(line("two", "Size"), size);
    has(
        &flat,
        &[
            "failed(4):onebroken,twobroken;leftoutofthemean",
            "notinstalled:onenone,twonone;leftoutofthemean",
        ],
    );
    has(&flat, &["Lessisbetter.", "best:thebestmedian;sameandunclear:"]);

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

/// Would catch an option that nobody typed in place of the key that is meant.
#[test]
fn a_hook_that_fails_is_named_by_its_key() {
    let lab = lab();
    lab.write("words.toml", format!("setup = \"exit 3\"\n{FILE}"));
    let told = lab.run(["run", "words.toml"]).stderr;
    has(&told, &["etalon: setup (a key of words.toml) exited with code 3"]);
    assert!(!told.contains("--setup"), "{told}");
}

/// Would catch means that are medians: the last of ten readings is a long one.
#[test]
fn means_of_a_file_are_means() {
    let lab = Lab::new();
    lab.write("a", "");
    lab.write("b", "");
    lab.write(
        "print.sh",
        "n=$(wc -l < $1); echo >> $1; [ $1 = a ] && [ $n = 9 ] && s=1001 || s=1; echo x: $s B",
    );
    let file = r#"
[axes]
impl = ["a", "b"]
job = ["j"]
[[subject]]
command = "sh print.sh {impl}"
[metric.x]
unit = "B"
[measure]
runs = 10
[[table]]
metric = "x"
rows = "impl"
columns = "job"
view = "plain"
centre = "mean"
summary = "none"
"#;
    lab.write("mean.toml", file);
    let shown = lab.done(["run", "mean.toml"]);
    assert!(shown.lines().map(joined).any(|line| line.starts_with("a101")), "{shown}");
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
| one | `sh print.sh a 1` |
| two | `sh print.sh a 2` |

## Results

### Size
";
    assert!(ended.stdout.starts_with(expected), "{}", ended.stdout);
    has(&ended.stdout, &["| geometric mean |", "```\nmade here\netalon "]);
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
    (
        "command = ",
        "suite = \"x.lua\"\ncommand = ",
        ":12:9",
        "a package of Go or a `suite`: leave one",
    ),
    (
        "command = \"sh print.sh {impl} {job.count}\"",
        "",
        ":11:1",
        "write a `command`, a package of `go`, or a `suite`",
    ),
    (
        "[measure]",
        "[[subject]]\nsuite = \"x.lua\"\n[measure]",
        ":23:1",
        "commands and suites in one file",
    ),
    ("requires = ", "lua = \"lua5.1\"\nrequires = ", ":13:7", "is of suites"),
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
    lab.write("bad.toml", "title = \"x\"\n[subject]\ncommand = \"true\"\n");
    has(&lab.run(["run", "bad.toml"]).expect(2).stderr, &["bad.toml:2:1", "write [[subject]]"]);
    lab.write("bad.toml", "[[measure]]\nruns = 3\n");
    has(&lab.run(["run", "bad.toml"]).expect(2).stderr, &["bad.toml:1:1", "write [measure]"]);
    has(&lab.run(["run", "--lua", "lua5.1", "words.toml"]).expect(2).stderr, &["--lua", "suites"]);
    has(&lab.run(["run", "words.toml", "bad.toml"]).expect(2).stderr, &["alone"]);
}

/// Would catch blocks that are executed again, cells that come back, and another order.
#[test]
fn an_interrupted_matrix_goes_on_where_it_stood() {
    let lab = lab();
    let slow = FILE.replace("sh print.sh", "sh slow.sh");
    lab.write("slow.sh", format!("{}; . ./print.sh", held(".")));
    lab.write("hold", "11");
    lab.write("words.toml", &slow);
    let running = Running::start(lab.etalon(["run", "--quiet", "words.toml"]));
    until("some blocks", || lab.read("done").len() > 10);
    signal(running.pid(), libc::SIGKILL);
    running.end();
    lab.assert_nothing_left();
    std::fs::remove_file(lab.path("hold")).unwrap();
    let cut = "unfinished record: there are fewer values than were asked for.";
    has(&lab.run(["report", "@last"]).stdout, &[&format!("Note: {cut}")]);
    let ended = lab.run(["run", "--resume", "@last"]).expect(1);
    assert!(!ended.stdout.contains(cut), "{}", ended.stdout);
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

/// Would catch a time that is of another file, of one block, or of cells that are not planned.
#[test]
fn the_time_it_takes_is_known_from_last_time() {
    let lab = Lab::new();
    let file = "[axes]\nseconds = [0, 0.5]\n[[subject]]\ncommand = \"sleep {seconds}\"\n[measure]\nruns = 1\n";
    lab.write("t.toml", file);
    lab.write("other.toml", file);
    has(&lab.done(["run", "--dry-run", "t.toml"]), &["2 executions; -r 1 measures one block"]);
    lab.run(["run", "t.toml"]).expect(0);
    has(&lab.done(["run", "--dry-run", "other.toml"]), &["2 executions; -r 1 measures one block"]);
    let seconds = |arguments: &[&str]| -> f64 {
        let told = lab.done([&["run", "--dry-run"], arguments, &["t.toml"]].concat());
        let (_, time) = told.split_once("; about ").expect("a time");
        let (time, _) = time.split_once(" s, as long as").expect("in seconds");
        time.parse().expect("a number")
    };
    let twenty = seconds(&["-r", "20"]);
    assert!(twenty >= 10.0, "{twenty}");
    assert!(seconds(&["-r", "40"]) >= 1.5 * twenty);
    let fast = lab.done(["run", "--dry-run", "-r", "20", "--filter", "/seconds:0", "t.toml"]);
    has(&fast, &["20 executions; about "]);
}

/// Would catch a table that says nothing but percents: of what, how much that is, and who is best.
#[test]
fn a_bare_table_is_an_answer() {
    let lab = lab();
    let bare = "[[table]]\nmetric = \"work\"\nrows = \"job\"\ncolumns = \"impl\"\n";
    let (head, _) = FILE.split_once("[[table]]").expect("tables");
    lab.write("bare.toml", format!("{head}{bare}"));
    let shown = lab.run(["run", "-r", "8", "bare.toml"]).expect(1).stdout;
    let of_table = "Cells are percent of the largest of their row, which is the raw value.";
    has(&joined(&shown), &[&joined(of_table), &joined("raw value, ns best")]);
    // What its author says is shown is all.
    lab.write("said.toml", format!("{head}{bare}view = \"of-max\"\n"));
    let shown = lab.run(["run", "-r", "2", "said.toml"]).expect(1).stdout;
    assert!(!shown.contains("raw value") && !shown.contains("Cells are"), "{shown}");
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

/// Would catch a setup that is executed for every stage, a cleanup before the last, one that is left out after a failure,
/// and a failure of either that nobody sees.
#[test]
fn what_surrounds_everything_is_executed_once() {
    let lab = Lab::new();
    let file = |setup: &str, cleanup: &str, subject: &str| {
        format!(
            "setup = \"{setup}\"\ncleanup = \"{cleanup}\"\n[axes]\njob = [1, 2]\nway = [\"a\", \"b\"]\n[[subject]]\n{subject}\n\
             [measure]\nruns = 1\n[[table]]\nmetric = \"wall\"\nrows = \"job\"\ncolumns = \"way\"\n"
        )
    };
    let log = || String::from_utf8(lab.read("log")).expect("words");
    let commands = "command = \"sh -c 'echo {job} >> log'\"\nsetup = \"echo cell >> log\"";
    let staged = |text: String| text.replace("runs = 1\n", "runs = 1\nstage = 2\n");
    lab.write("all.toml", staged(file("echo begin > log", "echo end >> log", commands)));
    has(&lab.done(["run", "--dry-run", "all.toml"]), &["2 stages"]);
    lab.run(["run", "all.toml"]).expect(0);
    let said = log();
    assert_eq!(said.lines().filter(|line| *line == "cell").count(), 2, "{said}");
    assert_eq!(said.lines().filter(|line| *line == "begin").count(), 1, "{said}");
    assert!(said.starts_with("begin\n") && said.ends_with("2\nend\n"), "{said}");
    // A command that fails, a setup that fails, a cleanup that fails.
    let failing = "command = \"sh -c 'exit 3'\"";
    lab.write("all.toml", file("echo begin > log", "echo end >> log", failing));
    lab.run(["run", "all.toml"]).expect(1);
    assert_eq!(log(), "begin\nend\n");
    lab.write("all.toml", file("echo begin > log; exit 4", "echo end >> log", commands));
    let ended = lab.run(["run", "all.toml"]).expect(1);
    has(&ended.stderr, &["code 4"]);
    assert_eq!(log(), "begin\nend\n");
    lab.write("all.toml", file("echo begin > log", "exit 5", commands));
    let ended = lab.run(["run", "all.toml"]).expect(1);
    has(&ended.stderr, &["code 5"]);
    has(&ended.stdout, &["wall"]);
    // Cases of suites in stages of their own, in one way and the other.
    lab.write(
        "s_bench.lua",
        "local measure = require('measure')\nfor _, name in ipairs({ 'x', 'y' }) do\n\
         measure.describe(name, { job = { 1, 2 } }):run(function() end)\nend\n",
    );
    let suite = "suite = \"s_bench.lua\"\njit = \"{way}\"\n[[exclude]]\nway = \"a\"";
    let text = file("echo begin >> log", "echo end >> log", suite)
        .replace("\"a\", \"b\"", "\"off\", \"on\"");
    let text = text
        .replace("way = \"a\"", "way = \"off\"")
        .replace("runs = 1\n", "runs = 1\nbudget = \"1s\"\n");
    lab.write("log", "");
    lab.write("all.toml", text);
    has(&lab.done(["run", "--dry-run", "all.toml"]), &["2 stages"]);
    lab.run(["run", "all.toml"]).expect(0);
    assert_eq!(log(), "begin\nend\n");
}

/// Would catch an axis with one value that nobody names, a command that cannot be copied because a place in it is empty, and
/// remarks on the machine that a page loses.
#[test]
fn an_axis_with_one_value_is_said_and_commands_can_be_copied() {
    let lab = Lab::new();
    lab.write(
        "one.toml",
        "title = \"one\"\n[axes]\nimpl = [\"a\", \"b\"]\nmode = [\"fast\"]\nsize = [\"1\", \"2\"]\n\
         [[subject]]\ncommand = \"sh -c true {impl} {mode} {size}\"\n[measure]\nruns = 2\nseed = 1\n\
         [[table]]\ntitle = \"Times\"\nmetric = \"wall\"\nrows = \"impl\"\ncolumns = \"size\"\n\
         labels = [\"command\"]\n\
         [[table]]\ntitle = \"Times, fast\"\nmetric = \"wall\"\nrows = \"impl\"\ncolumns = \"size\"\n",
    );
    let shown = lab.run(["run", "one.toml"]).expect(0).stdout;
    has(&shown, &["Times, mode fast", "sh -c true a fast 1", "sh -c true b fast 1"]);
    assert!(!shown.contains('<') && !shown.contains("Times, fast, mode"), "{shown}");
    let page = lab.done(["report", "@last", "--format", "markdown"]);
    has(&page, &["Times, mode fast"]);
}

/// Would catch a table nobody declared whose only column is an axis with one value: a number that is 100 % of itself below a
/// bare word.
#[test]
fn an_axis_with_one_value_makes_no_columns_by_itself() {
    let lab = Lab::new();
    let file = |axes: &str| {
        format!(
            "[axes]\n{axes}\n[[subject]]\ncommand = \"true {{size}} {{mode}}\"\n[measure]\nruns = 6\n"
        )
    };
    let shown = |axes: &str| {
        lab.write("e.toml", file(axes));
        let shown = lab.done(["run", "e.toml"]);
        shown
            .lines()
            .map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "))
            .collect::<Vec<_>>()
    };
    let last = shown("size = [10, 20]\nmode = [\"quick\"]");
    assert!(last[0].contains("mode quick"), "{last:?}");
    assert!(last.iter().any(|line| line.starts_with("20 ")), "{last:?}");
    let first = shown("mode = [\"quick\"]\nsize = [10, 20]");
    assert!(first[0].contains("mode quick"), "{first:?}");
    assert!(first.iter().any(|line| line.starts_with("20 ")), "{first:?}");
}

/// Would catch a document whose comparisons are not those of the tables (all pairs of all jobs, as one family), one that
/// differs between measuring and reporting, and a list that ranks cells which no table compares.
#[test]
fn documents_and_lists_have_the_comparisons_of_the_tables() {
    let lab = lab();
    let measured = lab.run(["run", "words.toml", "--json"]).expect(1).stdout;
    assert_eq!(lab.done(["report", "@last", "--json"]), measured);
    assert_eq!(lab.done(["report", "@last", "--format", "json"]), measured);
    let document = with_cells(document(&measured));
    assert_eq!(document["comparisons"].as_array().unwrap().len(), 4, "none beside those of tables");
    let tables = document["tables"].as_array().unwrap();
    let titles: Vec<&str> = tables.iter().map(|it| it["title"].as_str().unwrap()).collect();
    assert_eq!(titles, ["Work", "Size"]);
    for table in tables {
        assert_eq!(table["columns"], json!([{"/impl": "a"}, {"/impl": "b"}]));
        let rows = table["rows"].as_array().unwrap();
        for row in rows {
            assert_eq!(row["cells"][0]["comparison"], json!(null), "the first column is the base");
            let comparison = &row["cells"][1]["comparison"];
            let ratio = comparison["ratio"].as_f64().unwrap();
            assert!((ratio - 4.0).abs() < 1e-9, "{comparison}");
            let family = comparison["family"].as_u64();
            assert!(family.is_none_or(|family| family <= rows.len() as u64), "{comparison}");
        }
        let absent = table["absent"].as_array().unwrap();
        let why: BTreeSet<&str> = absent.iter().map(|it| it["why"].as_str().unwrap()).collect();
        assert_eq!(why, BTreeSet::from(["failed (4)", "not installed"]));
        assert_eq!(absent.len(), 4);
    }
    assert_eq!(tables[0]["rows"][0]["ranks"], json!(null), "the table does not say who is best");
    assert_eq!(tables[1]["rows"][0]["ranks"]["best"], 0);
    assert_eq!(tables[1]["rows"][0]["ranks"]["letters"], json!(["a", "b"]));
    assert_eq!(lab.json(["runs", "--json"])[0]["answer"], "2 tables");

    // Pairs of all rows are one family: 6 blocks are too few for two rows, 7 are enough.
    let bare = FILE.split("[[table]]").next().unwrap();
    for (runs, answer) in [("6", "none best in 2 rows"), ("7", "a best in 2 of 2 rows")] {
        lab.write("words.toml", bare.replace("runs = 6", &format!("runs = {runs}")));
        lab.run(["run", "words.toml"]).expect(1);
        assert_eq!(lab.json(["runs", "--json"])[0]["answer"], answer);
    }
}

/// Would catch an experiment of which no cell has a value and nobody says why.
#[test]
fn where_no_cell_has_a_value_it_is_said_what_failed() {
    let lab = Lab::new();
    let text = "[axes]\nn = [1, 2]\n[[subject]]\ncommand = \"sh -c 'echo oops {n} >&2; exit {n}'\"\n[measure]\nruns = 2\n";
    lab.write("fails.toml", text);
    for (arguments, code) in [(["run", "fails.toml"], 1), (["report", "@last"], 2)] {
        let ended = lab.run(arguments).expect(code);
        has(
            &ended.stderr,
            &["failed (exit status 1)", "oops 1", "failed (exit status 2)", "oops 2"],
        );
    }
}

/// Would catch combinations that are built before they are counted: 2²² of them take a minute and all memory.
#[test]
fn axes_that_make_too_many_cells_are_refused_before_any_is_made() {
    let lab = Lab::new();
    let file = |axes: usize, values: &str| {
        let axes: String = (0..axes).map(|axis| format!("a{axis} = [{values}]\n")).collect();
        let subject = "[[subject]]\nname = \"s\"\ncommand = \"true\"\n";
        lab.write("many.toml", format!("[axes]\n{axes}one = [\"x\"]\n\n{subject}"));
    };
    file(22, "\"x\", \"y\"");
    let (ended, peak) = crate::support::with_peak(&lab.etalon(["run", "many.toml"]));
    let said = ended.expect(2).stderr;
    has(
        &said,
        &[
            "many.toml:2:1: ",
            "a0 (2) × a1 (2)",
            "a21 (2) make 4,194,304 cells",
            "at most 100,000 cells",
        ],
    );
    assert!(!said.contains("one (1)"), "{said}");
    assert!(peak < 100 << 20, "{peak}");
    file(70, "\"x\", \"y\"");
    has(&lab.run(["run", "many.toml"]).expect(2).stderr, &["make more than 10¹⁹ cells"]);
    // So many on the command line are counted before as well.
    let scans: Vec<String> =
        (0..22).flat_map(|n| ["-L".to_owned(), format!("a{n}"), "x,y".to_owned()]).collect();
    let text: String = (0..22).map(|n| format!(" {{a{n}}}")).collect();
    let typed = ["cmd".to_owned()].into_iter().chain(scans).chain([format!("true{text}")]);
    has(&lab.run(typed).expect(2).stderr, &["{a0} × {a1}"]);
}

/// Would catch a file of an experiment that stays for ever after its etalon was killed, one that is refused then, and two
/// etalons of which one takes the other's away.
#[test]
fn a_generated_file_goes_with_the_last_who_uses_it() {
    let lab = Lab::new();
    lab.script("waits", "cat data.txt > there.new; mv there.new there; exec sleep 1000");
    let file = |name: &str, text: &str, command: &str| {
        let text = format!(
            "[measure]\nruns = 2\n[file.\"data.txt\"]\ntext = \"{text}\"\n[[subject]]\nname = \"x\"\ncommand = \"{command}\"\n"
        );
        lab.write(name, text);
    };
    let start = || {
        let _none = std::fs::remove_file(lab.path("there"));
        let running = Running::start(lab.etalon(["run", "waits.toml"]));
        until("an execution", || lab.path("there").exists());
        running
    };
    file("waits.toml", "one", "./waits");
    file("quick.toml", "one", "cat data.txt");
    file("other.toml", "two", "cat data.txt");
    // Another one uses it meanwhile, and ends first.
    let running = start();
    lab.done(["run", "quick.toml"]);
    assert_eq!(lab.read("data.txt"), b"one");
    let refused = lab.run(["run", "other.toml"]).expect(2);
    has(&refused.stderr, &["other.toml", "is in use by another etalon with another text"]);
    signal(running.pid(), libc::SIGINT);
    running.end().expect(130);
    assert!(!lab.path("data.txt").exists());
    // A killed one leaves it, and the next takes it away, whatever its text is by now.
    for next in ["quick.toml", "other.toml"] {
        let running = start();
        signal(running.pid(), libc::SIGKILL);
        running.end();
        lab.assert_nothing_left();
        assert_eq!(lab.read("data.txt"), b"one");
        lab.done(["run", next]);
        assert!(!lab.path("data.txt").exists(), "{next}");
    }
    // Somebody's own stays, whether it says the same or not.
    lab.write("data.txt", "one");
    lab.done(["run", "quick.toml"]);
    assert_eq!(lab.read("data.txt"), b"one");
    let refused = lab.run(["run", "other.toml"]).expect(2);
    has(&refused.stderr, &["is there and says something else"]);
    assert_eq!(lab.read("data.txt"), b"one");
}

/// A file whose 42 rows, in 7 tables, have exact values that grow; of one table each row differs between its columns.
fn many_rows() -> String {
    let rows: Vec<String> = (1..=6).map(|row| format!("\"r{row}\"")).collect();
    let parts: Vec<String> = (1..=7).map(|part| format!("\"p{part}\"")).collect();
    let (rows, parts) = (rows.join(", "), parts.join(", "));
    format!(
        "[axes]\npart = [{parts}]\nrow = [{rows}]\nway = [\"a\", \"b\"]\n[measure]\nruns = 1\n\
         [metric.n]\nunit = \"count\"\nkind = \"exact\"\npattern = '([0-9]+) n'\n\
         [[subject]]\nname = \"s\"\ncommand = \"sh say {{part}} {{way}} {{row}}\"\n\
         [[table]]\nmetric = \"n\"\nrows = \"row\"\ncolumns = \"way\"\n"
    )
}

/// Would catch tables of a file that fill several screens, the only rows that differ among those that are left out, means of
/// what happens to be shown, and rows that a page, a document or a list of everything lacks.
#[test]
fn a_screen_has_as_many_declared_rows_as_it_has_room_for() {
    let lab = Lab::new();
    lab.write("say", "if [ $1$2 = p6b ]; then echo 20 n; else echo 10 n; fi");
    lab.write("e.toml", many_rows());
    let screen = lab.done(["run", "e.toml", "--html", "e.html"]);
    let rows = |text: &str| text.lines().filter(|line| line.trim().starts_with("r")).count();
    assert_eq!(rows(&screen), 24, "{screen}");
    has(&screen, &["and 18 more, among them all of 3 tables: --full", "part p6", "part p1"]);
    assert!(screen.lines().count() < 50, "{screen}");
    let p6 = screen.split("part p6").nth(1).unwrap();
    let p6 = p6.split("part ").next().unwrap();
    assert_eq!(rows(p6), 6, "{screen}");
    for (whole, words) in [("report", &["--full"][..]), ("report", &["--format", "markdown"])] {
        let text = lab.done([&[whole, "@last"], words].concat());
        let rows =
            text.lines().filter(|line| line.trim_start_matches("| ").trim().starts_with('r'));
        assert_eq!(rows.count(), 42, "{text}");
        assert!(!text.contains("more: --full"), "{text}");
    }
    let page = String::from_utf8(lab.read("e.html")).unwrap();
    // Once in the tables, and as often in the pictures of each.
    let of_page = |row: i32| page.matches(&format!(">r{row}<")).count();
    assert!((1..=6).all(|row| of_page(row) >= 7 && of_page(row) % 7 == 0));
    let document = lab.json(["report", "@last", "--json"]);
    let tables = document["tables"].as_array().unwrap();
    let all = tables.iter().map(|table| table["rows"].as_array().unwrap().len());
    assert_eq!(all.sum::<usize>(), 42);
}

/// Would catch fourteen jobs of six programs that stand in six tables below each other, and a screen that is too narrow for
/// them.
#[test]
fn jobs_of_a_few_programs_are_rows_of_one_table() {
    let lab = Lab::new();
    let jobs: Vec<String> = (1..=14).map(|job| format!("\"job-{job}\"")).collect();
    let subject = |at: i32| {
        format!("[[subject]]\nname = \"program-{at}\"\ncommand = \"true {at} {{job}}\"\n")
    };
    let subjects: String = (1..=6).map(subject).collect();
    let measure = "[measure]\nruns = 1\n";
    lab.write("e.toml", format!("[axes]\njob = [{}]\n{measure}{subjects}", jobs.join(", ")));
    let screen = lab.done(["run", "e.toml"]);
    let rows =
        |job: i32| screen.lines().filter(|line| line.contains(&format!("job-{job} "))).count();
    assert!(!screen.contains("more: --full"), "{screen}");
    assert!(screen.lines().all(|line| line.chars().count() <= 80), "{screen}");
    assert!((1..=14).all(|job| (1..=2).contains(&rows(job))), "{screen}");
    assert!(screen.lines().count() <= 50, "{screen}");
}
