//! Exports through the real binary: what is in them, that names survive, that a file is replaced whole or not at all, and
//! that what cannot work is said before anything is measured. `conversions` has those of `etalon convert`.

use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::Path;
use std::process::Command;

use serde_json::Value;

use crate::support::{Lab, Running, has, on_terminal, skip};

const ALL: [(&str, &str); 7] = [
    ("--html", "page.html"),
    ("--export-csv", "summary.csv"),
    ("--hyperfine-csv", "hyperfine.csv"),
    ("--export-json", "hyperfine.json"),
    ("--export-markdown", "table.md"),
    ("--export-asciidoc", "table.adoc"),
    ("--export-orgmode", "table.org"),
];

/// Names with what breaks careless writers.
const NAMES: [&str; 4] = ["a,\"b\"", "two\nlines | pipe", "`tick` größer \\", "--export 'x'"];

pub(crate) fn text(lab: &Lab, name: &str) -> String {
    String::from_utf8(lab.read(name)).expect("UTF-8")
}

pub(crate) fn rows(lab: &Lab, name: &str) -> Vec<Vec<String>> {
    let bytes = lab.read(name);
    let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(&bytes[..]);
    let row = |row: Result<csv::StringRecord, csv::Error>| {
        row.expect("a row as long as the header").iter().map(str::to_owned).collect()
    };
    reader.records().map(row).collect()
}

/// A name that hides what it is: bidirectional and invisible characters, an escape sequence.
const HIDING: &str = "a\u{202e}b\u{200b}\u{61c}\u{ad}\u{3164}\u{e0041}\u{1b}[31m";

/// Whether every character is seen.
fn is_visible(text: &str) -> bool {
    !text.chars().any(|c| HIDING.contains(c) && !c.is_ascii_graphic() && c != ' ')
}

/// Would catch characters that reorder a line or are not seen, in reports, and in JSON and CSV on a terminal. In a pipe CSV
/// holds the name as it is.
#[test]
fn names_that_hide_are_seen() {
    let lab = Lab::new();
    lab.done(["cmd", "-r", "2", "true", "-n", HIDING]);
    for form in [&["--json"][..], &["--full"], &["--format", "markdown"], &["--style", "bestguess"]]
    {
        let said = lab.done([&["report", "@last"], form].concat());
        assert!(is_visible(&said), "{form:?}: {said:?}");
    }
    assert_eq!(lab.json(["report", "@last", "--json"])["benchmarks"][0]["name"], HIDING);
    let compared = ["compare", "@last", "@last", "--format"];
    assert!(is_visible(&lab.done([&compared[..], &["json"]].concat())));
    assert!(is_visible(&lab.done(["runs", "--json"])));
    assert!(lab.done(["report", "@last", "--format", "csv"]).contains(HIDING));
    for arguments in
        [&["report", "@last", "--format", "csv"][..], &[&compared[..], &["csv"]].concat()]
    {
        let Some((code, shown)) = on_terminal(lab.etalon(arguments), "") else {
            return skip("no terminal: CSV on a terminal is not looked at");
        };
        assert_eq!(code, Some(0));
        assert!(is_visible(&shown) && shown.contains("a\\u{202e}b"), "{shown:?}");
    }
}

/// Would catch a benchmark called `=HYPERLINK(…)` that a spreadsheet executes when it opens the file.
#[test]
fn texts_are_no_formulas_for_spreadsheets_on_request() {
    let lab = Lab::new();
    let names = ["=1+1", "+x", "-x", "@x", "\tx", "plain"];
    let options = names.map(|name| format!("--name={name}"));
    let mut arguments = vec!["cmd", "-r", "2", "--export-csv", "a.csv"];
    options.iter().for_each(|name| arguments.extend(["true", name]));
    let texts = |lab: &Lab| -> Vec<String> {
        rows(lab, "a.csv")[1..].iter().map(|row| row.last().unwrap().clone()).collect()
    };
    lab.done(&arguments);
    assert_eq!(texts(&lab), names);
    lab.done([&arguments[..], &["--spreadsheet"]].concat());
    assert_eq!(texts(&lab), ["'=1+1", "'+x", "'-x", "'@x", "'\tx", "plain"]);
    assert_eq!(rows(&lab, "a.csv")[1][0], "true");
}

pub(crate) fn document(lab: &Lab, name: &str) -> Value {
    serde_json::from_slice(&lab.read(name)).expect("JSON")
}

/// What is in the working directory; temporary files must not be.
fn listing(lab: &Lab) -> Vec<String> {
    let entries = std::fs::read_dir(lab.path(".")).expect("the directory");
    let name = |entry: std::io::Result<std::fs::DirEntry>| {
        entry.expect("an entry").file_name().to_string_lossy().into_owned()
    };
    let mut names: Vec<String> = entries.map(name).collect();
    names.sort();
    names
}

/// All export options, each with its file.
fn all() -> Vec<&'static str> {
    ALL.iter().flat_map(|(option, file)| [*option, *file]).collect()
}

/// Commands with hostile names.
fn hostile() -> Vec<String> {
    let named = |name: &&str| ["sh -c ':; :'".to_owned(), format!("--name={name}")];
    NAMES.iter().flat_map(named).collect()
}

/// Measures them.
pub(crate) fn measure_hostile(lab: &Lab, options: &[&str]) {
    let mut arguments = ["cmd", "-N", "--quiet"].map(str::to_owned).to_vec();
    arguments.extend(options.iter().map(|option| (*option).to_owned()));
    lab.done(arguments.into_iter().chain(hostile()));
}

/// Would catch a name that is lost, cut or changed, and a row that a CSV or JSON reader takes apart
/// otherwise than it was meant.
#[test]
fn hostile_names_through_every_export_and_back() {
    let lab = Lab::new();
    measure_hostile(&lab, &[&["-r", "10"][..], &all()].concat());
    let summary = rows(&lab, "summary.csv");
    assert_eq!(
        summary[0][..5],
        ["Command", "Shell", "Runs (ct)", "Failed (ct)", "Total mode (μs)"]
    );
    let name = summary[0].iter().position(|title| title == "Name").expect("the column");
    for (row, named) in summary[1..].iter().zip(NAMES) {
        assert_eq!([&row[0], &row[name]], ["sh -c ':; :'", named]);
        assert_eq!(row[2..4], ["10", "0"]);
    }
    let hyperfine = rows(&lab, "hyperfine.csv");
    assert_eq!(hyperfine[0].join(","), "command,mode,iqr,median,user,system,min,max");
    let named: Vec<&String> = hyperfine[1..].iter().map(|row| &row[0]).collect();
    assert_eq!(named, NAMES.iter().collect::<Vec<_>>());
    has(&text(&lab, "table.md"), &["| `two\\nlines \\| pipe` |", "| `` `tick` größer \\ `` |"]);
    has(&text(&lab, "table.adoc"), &["[cols=\"<,>,>,>,>\"]", "two&#92;nlines \\| pipe`"]);
    has(&text(&lab, "table.org"), &["two\\nlines \\vert{} pipe"]);
    // The export that etalon reads itself gives the same benchmarks again.
    let again = lab.json(["report", "hyperfine.json", "--json"]);
    let named: Vec<&str> = again["benchmarks"]
        .as_array()
        .expect("benchmarks")
        .iter()
        .map(|benchmark| benchmark["name"].as_str().expect("a name"))
        .collect();
    assert_eq!(named, NAMES);
    assert_eq!(listing(&lab).len(), ALL.len(), "{:?}", listing(&lab));
}

/// Would catch an export of other data, units or statistics than the report's.
#[test]
fn exports_agree_with_the_analysis() {
    let lab = Lab::new();
    lab.done(
        [&["cmd", "-N", "-r", "20", "--reference", "true"][..], &all(), &["sh -c :", "true"]]
            .concat(),
    );
    let analysis = lab.json(["report", "@last", "--json"]);
    let summary = rows(&lab, "summary.csv");
    let json = document(&lab, "hyperfine.json");
    let column = |title: &str| summary[0].iter().position(|t| t == title).expect("a column");
    for (at, benchmark) in analysis["benchmarks"].as_array().expect("benchmarks").iter().enumerate()
    {
        let metric =
            |metric: &str, of: &str| benchmark["metrics"][metric][of].as_f64().expect("a number");
        let cell = |title: &str| summary[at + 1][column(title)].parse::<f64>().expect("a number");
        let near = |a: f64, b: f64| assert!((a - b).abs() <= b.abs() * 1e-12, "{a} is not {b}");
        let nearest = |a: f64, b: f64| assert!((a - b).abs() <= 0.500_001, "{a} is not {b}");
        nearest(cell("Total median (μs)"), metric("cpu", "median") * 1e6);
        nearest(cell("Wall max (μs)"), metric("wall", "max") * 1e6);
        nearest(cell("Max RSS Q1 (bytes)"), metric("rss", "q1"));
        assert!(cell("Wall p95 (μs)") <= cell("Wall max (μs)"));
        assert_eq!(summary[at + 1][column("Wall p99 (μs)")], "", "20 runs have no p99");
        let result = &json["results"][at];
        let mean = |metric: &str| result["summary"][metric]["mean"].as_f64().expect("a mean");
        near(mean("time_wall_clock"), metric("wall", "mean"));
        near(mean("time_user"), metric("user", "mean"));
        near(mean("time_system"), metric("sys", "mean"));
        near(mean("time_cpu"), metric("cpu", "mean"));
        let runs = result["measurements"].as_array().expect("runs");
        assert_eq!(runs.len(), 20);
        for field in ["time_wall_clock", "time_cpu", "exit_code", "memory_peak_resident"] {
            assert!(runs.iter().all(|run| !run[field].is_null()), "{field}");
        }
    }
    // Relative is of wall clock against the reference, though the report ranks CPU time.
    let reference = "| `true` |";
    let table = text(&lab, "table.md");
    let line = table.lines().find(|line| line.starts_with(reference)).expect("its row");
    assert!(line.ends_with("| 1.00 |"), "{line}");
    has(&table, &["Mean [", "± "]);
}

#[test]
fn units_and_order_of_tables() {
    let lab = Lab::new();
    lab.done(["cmd", "-N", "-r", "6", "sleep 0.02", "true"]);
    let table = |options: &[&str]| {
        lab.done([&["report", "-N", "@last", "--export-markdown", "t.md"], options].concat());
        text(&lab, "t.md")
    };
    for (unit, symbol) in [("microsecond", "µs"), ("millisecond", "ms"), ("second", "s")] {
        has(&table(&["--time-unit", unit]), &[&format!("| Mean [{symbol}] | Min [{symbol}] |")]);
    }
    let first = |options: &[&str]| table(options).lines().nth(2).expect("a row").to_owned();
    for order in [&[][..], &["--sort", "auto"], &["--sort", "command"]] {
        has(&first(order), &["| `sleep 0.02` |"]);
    }
    has(&first(&["--sort", "mean-time"]), &["| `true` |"]);
    let ended = lab.run(["report", "@last", "--sort", "names"]).expect(2);
    has(&ended.stderr, &["--sort", "auto, command, mean-time, delta, name, p"]);
    let ended = lab.run(["report", "@last", "--sort", "name"]).expect(2);
    has(
        &ended.stderr,
        &["--sort delta, name and p: there is nothing to compare with", "compare BASE"],
    );
    let ended = lab.run(["report", "@last", "--time-unit", "hour"]).expect(2);
    has(&ended.stderr, &["--time-unit", "millisecond"]);
    let told =
        |options: &[&str]| lab.run([&["report", "@last"][..], options].concat()).expect(0).stderr;
    let only = "of exported tables only, and none was asked for (--export-markdown";
    has(&told(&["--time-unit", "second"]), &["--time-unit is", only]);
    has(
        &told(&["--sort", "mean-time", "--time-unit", "second"]),
        &["--time-unit and --sort are", only],
    );
    for silent in [
        &["--sort", "auto"][..],
        &["--sort", "command", "--export-orgmode", "t"],
        &["--sort", "command", "--quiet"],
    ] {
        assert_eq!(told(silent), "", "{silent:?}");
    }
}

/// Would catch results that are lost because a later command failed.
#[test]
fn what_there_is_is_exported_after_a_failure() {
    let lab = Lab::new();
    let script = lab.script("third", "echo x >> count; [ $(wc -l < count) -lt 3 ]");
    drop(script);
    let command =
        ["cmd", "-N", "-r", "6", "--export-csv", "s.csv", "--export-json", "h.json", "./third"];
    lab.run(command).expect(1);
    let summary = rows(&lab, "s.csv");
    assert_eq!(summary[1][2..4], ["6", "4"]);
    assert_eq!(
        document(&lab, "h.json")["results"][0]["measurements"].as_array().map(Vec::len),
        Some(2)
    );
}

/// Would catch results that are lost to Ctrl-C.
#[test]
fn what_there_is_is_exported_after_an_interrupt() {
    let lab = Lab::new();
    lab.write("s.csv", "old");
    let command = ["cmd", "-N", "-r", "100000", "--export-csv", "s.csv", "sh -c 'echo >> ran'"];
    let running = Running::start(lab.etalon(command));
    crate::support::until("five runs", || lab.read("ran").len() >= 5);
    crate::support::signal(running.pid(), libc::SIGINT);
    running.end().expect(130);
    let runs: usize = rows(&lab, "s.csv")[1][2].parse().expect("a count");
    assert!((1..100_000).contains(&runs), "{runs}");
}

/// Would catch results of finished commands that wait for the end of all, and files half written:
/// etalon is killed while the second command runs.
#[test]
fn a_finished_command_is_exported_before_the_next_begins() {
    let lab = Lab::new();
    let second = "sh -c ': > began; sleep 1000'";
    let commands = ["sh -c :", "-n", "first", second, "-n", "second"];
    let options = ["cmd", "-N", "-r", "7", "--order", "sequential"];
    let running = Running::start(lab.etalon([&options[..], &all(), &commands].concat()));
    crate::support::until("the second command", || lab.path("began").exists());
    crate::support::signal(running.pid(), libc::SIGKILL);
    assert_eq!(running.end().signal, Some(libc::SIGKILL));
    lab.assert_nothing_left();
    let summary = rows(&lab, "summary.csv");
    assert_eq!([&summary[1][0], &summary[1][2], &summary[1][3]], ["sh -c :", "7", "0"]);
    assert_eq!(summary[2][2..6], ["0", "0", "", ""], "nothing is made up for the second");
    assert_eq!(rows(&lab, "hyperfine.csv")[1][0], "first");
    let runs = &document(&lab, "hyperfine.json")["results"][0]["measurements"];
    assert_eq!(runs.as_array().map(Vec::len), Some(7));
    for table in ["table.md", "table.adoc", "table.org"] {
        has(&text(&lab, table), &["first"]);
    }
    assert_eq!(listing(&lab).len(), ALL.len() + 1, "{:?}", listing(&lab)); // and `began`
    // They are what a report of the record says.
    let before = lab.read("summary.csv");
    lab.done(["report", "-N", "@last", "--export-csv", "summary.csv"]);
    assert_eq!(lab.read("summary.csv"), before);
}

/// Would catch an export that cannot be written told once per command, or one that stops what is
/// still to be measured.
#[test]
fn an_export_that_fails_between_commands_is_told_at_the_end() {
    let lab = Lab::new();
    std::fs::create_dir(lab.path("there")).expect("a directory");
    lab.script("away", "[ ! -d there ] || mv there gone");
    let command = ["cmd", "-N", "-r", "3", "--order", "sequential", "--export-csv", "there/s.csv"];
    let ended = lab.run([&command[..], &["./away", "true", "sh -c :"]].concat()).expect(2);
    assert_eq!(ended.stderr.matches("there/s.csv").count(), 1, "{}", ended.stderr);
    assert_eq!([0, 1, 2].map(|i| lab.record().of(i).len()), [3, 3, 3]);
    has(&ended.stdout, &["  against "]);
}

/// Would catch old results lost to an experiment that gave none.
#[test]
fn nothing_measured_replaces_nothing() {
    let lab = Lab::new();
    lab.write("s.csv", "old");
    lab.run(["cmd", "--export-csv", "s.csv", "false"]).expect(1);
    lab.run(["cmd", "--export-csv", "s.csv", "no-such-command"]).expect(2);
    lab.run(["report", "--export-csv", "s.csv", "--metric", "nonsense", "@last"]).expect(2);
    lab.run(["report", "--export-csv", "s.csv", "missing.csv"]).expect(2);
    assert_eq!(text(&lab, "s.csv"), "old");
    assert_eq!(listing(&lab), ["s.csv"]);
}

/// A file system of `size` at a path; unmounted when dropped.
struct Tiny(std::path::PathBuf);

impl Tiny {
    fn mount(at: std::path::PathBuf, size: &std::ffi::CStr) -> Option<Tiny> {
        std::fs::create_dir(&at).expect("a directory");
        let path = std::ffi::CString::new(at.to_str()?).ok()?;
        let tmpfs = c"tmpfs".as_ptr();
        // SAFETY: all strings are NUL-terminated and outlive the call.
        let done =
            unsafe { libc::mount(c"none".as_ptr(), path.as_ptr(), tmpfs, 0, size.as_ptr().cast()) };
        (done == 0).then_some(Tiny(at))
    }
}

impl Drop for Tiny {
    fn drop(&mut self) {
        if let Ok(path) = std::ffi::CString::new(self.0.to_string_lossy().as_bytes()) {
            // SAFETY: a NUL-terminated string that outlives the call.
            unsafe { libc::umount2(path.as_ptr(), libc::MNT_DETACH) };
        }
    }
}

/// Would catch the export that is truncated and then cannot be written: old results gone.
#[test]
fn a_full_disk_leaves_the_old_export() {
    let lab = Lab::new();
    lab.done(["cmd", "-N", "-r", "2000", "true"]);
    let Some(_mounted) = Tiny::mount(lab.path("small"), c"size=16k") else {
        return skip("mounting needs root: a full disk under an export");
    };
    lab.write("small/h.json", "old");
    let ended = lab.run(["report", "@last", "-N", "--export-json", "small/h.json"]).expect(2);
    has(&ended.stderr, &["--export-json small/h.json", "No space left on device", "untouched"]);
    has(&ended.stdout, &["2,000 executions"]);
    assert_eq!(text(&lab, "small/h.json"), "old");
    let ended = lab.run(["convert", "@last", "--to", "bestguess", "-o", "small/h.json", "--force"]);
    has(&ended.expect(2).stderr, &["-o small/h.json", "No space left on device"]);
    assert_eq!(text(&lab, "small/h.json"), "old");
    assert_eq!(std::fs::read_dir(lab.path("small")).expect("the directory").count(), 1);
}

/// The same where no root is needed; the other exports are written all the same.
#[test]
fn a_file_size_limit_leaves_the_old_export() {
    let lab = Lab::new();
    lab.done(["cmd", "-N", "-r", "2000", "true"]);
    lab.write("h.json", "old");
    let script = "ulimit -f 8; exec $E report @last -N --export-json h.json --export-csv s.csv";
    let ended = Running::start(lab.shell(script)).end().expect(2);
    has(&ended.stderr, &["--export-json h.json", "cannot be written", "File too large"]);
    assert_eq!(text(&lab, "h.json"), "old");
    assert_eq!(rows(&lab, "s.csv").len(), 2);
    assert_eq!(listing(&lab), ["h.json", "s.csv"]);
}

/// Would catch measuring for an hour and finding out then that the export cannot be written.
#[test]
fn what_cannot_be_replaced_is_said_before_anything_is_measured() {
    let lab = Lab::new();
    std::fs::create_dir(lab.path("directory")).expect("a directory");
    std::os::unix::fs::symlink("nowhere", lab.path("dangling")).expect("a link");
    for (name, what) in [
        ("", &["needs the name of a file"][..]),
        ("-", &["replaced as a whole", "--json", "./-"]),
        ("/dev/stdout", &["replaced as a whole", "--json"]),
        ("/dev/fd/1", &["replaced as a whole"]),
        ("/dev/full", &["no regular file"]),
        ("/dev/null", &["no regular file"]),
        ("directory", &["is a directory"]),
        ("missing/x.csv", &["cannot be written", "No such file or directory"]),
        ("dangling", &["cannot be written", "No such file or directory"]),
    ] {
        for (option, _) in ALL {
            let ended = lab.run(["cmd", "-r", "1", option, name, "sh -c 'echo >> ran'"]).expect(2);
            has(&ended.stderr, &[option, name]);
            has(&ended.stderr, what);
        }
    }
    assert_eq!(lab.read("ran"), b"", "nothing was executed");
    assert_eq!(listing(&lab), ["dangling", "directory"]);
    let named_minus = lab.run(["cmd", "-N", "-r", "1", "--export-csv", "./-", "true"]);
    named_minus.expect(0);
    assert_eq!(rows(&lab, "-").len(), 2);
}

/// Would catch a directory or a file that its owner has protected being written to.
#[test]
fn permissions_are_respected_and_kept() {
    let lab = Lab::new();
    let mode = |name: &str, mode: u32| {
        std::fs::set_permissions(lab.path(name), std::fs::Permissions::from_mode(mode))
            .expect("a mode");
    };
    lab.write("s.csv", "old");
    mode("s.csv", 0o640);
    std::os::unix::fs::symlink("s.csv", lab.path("link.csv")).expect("a link");
    lab.done(["cmd", "-N", "-r", "1", "--export-csv", "link.csv", "true"]);
    assert_eq!(rows(&lab, "s.csv").len(), 2);
    let kept = lab.path("s.csv").metadata().expect("the file").mode() & 0o777;
    assert_eq!(kept, 0o640);
    assert!(lab.path("link.csv").is_symlink(), "the link is still one");
    mode("s.csv", 0o440);
    let report =
        |name| Running::start(protected(lab.etalon(["report", "@last", "--export-csv", name])));
    let ended = report("s.csv").end().expect(2);
    has(&ended.stderr, &["s.csv", "Permission denied"]);
    std::fs::create_dir(lab.path("closed")).expect("a directory");
    mode("closed", 0o555);
    let ended = report("closed/s.csv").end().expect(2);
    has(&ended.stderr, &["closed/s.csv", "Permission denied"]);
}

/// The command with permissions that hold: root may write everywhere unless it gives that up.
fn protected(command: Command) -> Command {
    // SAFETY: the call has no preconditions.
    if unsafe { libc::geteuid() } != 0 {
        return command;
    }
    let without = ["--bounding-set=-dac_override", "--inh-caps=-dac_override"];
    let mut wrapped = Command::new("setpriv");
    wrapped.args(without).arg(command.get_program()).args(command.get_args());
    wrapped.current_dir(command.get_current_dir().expect("a laboratory's directory"));
    for (name, value) in command.get_envs() {
        match value {
            Some(value) => wrapped.env(name, value),
            None => wrapped.env_remove(name),
        };
    }
    wrapped
}

/// Would catch a summary over the raw data it was made from.
#[test]
fn raw_data_and_other_exports_are_never_replaced() {
    let lab = Lab::new();
    lab.done(["cmd", "-N", "-r", "3", "-o", "raw.csv", "true"]);
    let before = lab.read("raw.csv");
    for arguments in [
        &["report", "raw.csv", "--export-csv", "./raw.csv"][..],
        &["cmd", "-r", "1", "--force", "-o", "raw.csv", "--export-csv", "raw.csv", "true"],
    ] {
        has(&lab.run(arguments).expect(2).stderr, &["raw.csv", "would replace the raw data"]);
    }
    let same =
        lab.run(["report", "raw.csv", "--export-csv", "x", "--export-json", "./x"]).expect(2);
    has(&same.stderr, &["--export-json ./x: is also --export-csv x"]);
    let over =
        lab.run(["convert", "raw.csv", "--to", "hyperfine", "--force", "-o", "raw.csv"]).expect(2);
    has(&over.stderr, &["-o raw.csv", "is what is read"]);
    assert_eq!(lab.read("raw.csv"), before);
    assert_eq!(listing(&lab), ["raw.csv"]);
}

/// Tables need wall-clock times, `--hyperfine-csv` CPU times; hyperfine's files lack the latter.
#[test]
fn exports_that_the_data_cannot_fill() {
    let lab = Lab::new();
    let header = "Command,Shell,Name,Batch,Exit code,User time (us),System time (us)";
    lab.write("old.csv", format!("{header}\nls,,,1,0,10,20\nls,,,1,0,11,20\n"));
    lab.write("t.md", "old");
    let ended =
        lab.run(["report", "old.csv", "--export-markdown", "t.md", "--export-csv", "s.csv"]);
    has(&ended.expect(2).stderr, &["--export-markdown t.md", "no wall-clock times"]);
    assert_eq!(text(&lab, "t.md"), "old");
    assert_eq!(rows(&lab, "s.csv")[1][4..6], ["", "30"]);
    lab.write("h.json", r#"{"results": [{"command": "ls", "mean": 1.5, "times": [1.0, 2.0]}]}"#);
    let ended = lab.run(["report", "h.json", "--hyperfine-csv", "h.csv"]).expect(0);
    has(&ended.stderr, &["--hyperfine-csv h.csv", "no CPU times"]);
    assert_eq!(rows(&lab, "h.csv")[1], ["ls", "", "", "", "", "", "", ""]);
    assert!(Path::new(&lab.path("h.csv")).exists());
}

/// Would catch files of killed exports that stay for ever, and one taken from under its writer.
#[test]
fn what_killed_exports_left_is_swept() {
    let lab = Lab::new();
    lab.done(["cmd", "-N", "-r", "3", "true"]);
    lab.write(".etalon-4194303-0.tmp", "half an export");
    let held = lab.write(".etalon-4194303-1.tmp", "an export under way");
    let other = lab.write(".etalon-notes.txt", "none of etalon's");
    let writer = std::fs::File::open(&held).expect("a file");
    writer.lock().expect("a lock");
    lab.done(["report", "-N", "@last", "--export-csv", "summary.csv"]);
    assert!(!lab.path(".etalon-4194303-0.tmp").exists());
    assert!(held.exists() && other.exists());
}

/// Would catch failures that an export leaves out without a word, or that come back as another number of them.
#[test]
fn failures_are_kept_or_told_by_every_export() {
    let lab = Lab::new();
    // Ends well five times, then with 1, by a signal, and too late.
    lab.script(
        "flaky",
        "n=$(cat count 2>/dev/null || echo 0); echo $((n+1)) > count; \
         case $n in [0-4]) ;; 5|6) exit 1 ;; 7) kill -9 $$ ;; *) sleep 9 ;; esac",
    );
    let ended = lab
        .run([&["cmd", "-N", "-r", "9", "--timeout", "2s"][..], &all(), &["./flaky"]].concat())
        .expect(1);
    has(
        &ended.stderr,
        &[
            "--hyperfine-csv hyperfine.csv: has no column for failures",
            "./flaky: 4 of 9 executions",
        ],
    );
    let told = "\nRow 1: 4 of 9 executions did not end with exit code 0.\n";
    for table in ["table.md", "table.adoc", "table.org"] {
        has(&text(&lab, table), &[told]);
    }
    let summary = rows(&lab, "summary.csv");
    assert_eq!(summary[1][2..4], ["9", "4"]);
    let outcomes =
        |data: &str| lab.json(["report", data, "--json"])["benchmarks"][0]["outcomes"].clone();
    let expected = outcomes("@last");
    assert_eq!((&expected["ok"], &expected["failed"]), (&5.into(), &2.into()), "{expected}");
    assert_eq!(outcomes("hyperfine.json"), expected);
    for (to, file) in [
        ("hyperfine", "2.json"),
        ("hyperfine-1", "1.json"),
        ("bestguess", "b.csv"),
        ("etalon", "r.jsonl"),
    ] {
        lab.done(["convert", "--quiet", "@last", "--to", to, "-o", file]);
        assert_eq!(outcomes(file), expected, "{to}");
        let median = |data: &str| {
            lab.json(["report", data, "--json", "--metric", "wall"])["benchmarks"][0]["metrics"]["wall"]["n"].clone()
        };
        assert_eq!(median(file), 5, "{to}");
    }
    // bestreport takes whole numbers only.
    for row in &rows(&lab, "b.csv")[1..] {
        assert!(row[4..].iter().all(|cell| cell.parse::<u64>().is_ok()), "{row:?}");
    }
    has(
        &lab.run(["convert", "@last", "--to", "go"]).expect(0).stderr,
        &["2 exited with a non-zero code", "left out"],
    );
}

/// Would catch an export of a wall-clock answer that answers by CPU time when it is read, and one of CPU time by wall clock.
#[test]
fn an_export_ranks_as_it_did() {
    let lab = Lab::new();
    for (metric, named) in
        [("wall", "time_wall_clock"), ("cpu", "time_cpu"), ("rss", "memory_peak_resident")]
    {
        lab.done([
            "cmd",
            "-N",
            "-r",
            "6",
            "--metric",
            metric,
            "--export-json",
            "h.json",
            "sleep 0.05",
            "sleep 0.01",
        ]);
        assert_eq!(document(&lab, "h.json")["primary_metric"], named);
        assert_eq!(lab.json(["report", "h.json", "--json"])["settings"]["metric"], metric);
        lab.done([
            "convert",
            "--quiet",
            "--force",
            "h.json",
            "--to",
            "hyperfine-1",
            "-o",
            "old.json",
        ]);
        assert_eq!(lab.json(["report", "old.json", "--json"])["settings"]["metric"], "wall");
        lab.done(["convert", "--quiet", "--force", "h.json", "--to", "bestguess", "-o", "b.csv"]);
        assert_eq!(lab.json(["report", "b.csv", "--json"])["settings"]["metric"], "cpu");
    }
}

/// Would catch a number of observations that is true of one subject only.
#[test]
fn observations_are_counted_of_each_subject() {
    let lab = Lab::new();
    let times = |n: usize| vec!["0.1"; n].join(",");
    lab.write(
        "two.json",
        format!(
            r#"{{"results":[{{"command":"a","times":[{}]}},{{"command":"b","times":[{}]}}]}}"#,
            times(20),
            times(7)
        ),
    );
    let shown = lab.done(["report", "two.json", "--full"]);
    has(&shown, &["20 and 7 observations"]);
    assert!(!shown.contains("observations each"), "{shown}");
}

/// Would catch a file of an earlier report that is taken for this one's, where a failure came before everything.
#[test]
fn files_that_are_not_written_are_told() {
    let lab = Lab::new();
    lab.write("old.json", "old");
    let asked = ["--export-json", "old.json", "--html", "page.html"];
    let ended = lab.run([&["cmd", "-r", "3", "false"][..], &asked].concat()).expect(1);
    has(&ended.stderr, &["nothing was measured: no file of a report is written"]);
    assert_eq!(lab.read("old.json"), b"old");
    let ended = lab.run(["cmd", "-r", "3", "false"]).expect(1);
    assert!(!ended.stderr.contains("no file"), "{}", ended.stderr);
}
