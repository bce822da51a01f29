//! Habits from hyperfine and BestGuess: each of their options does the same here, or is refused with
//! what to write instead. The options are those their `--help` lists (`options/`).

use std::collections::BTreeSet;

use crate::support::{Ended, Lab, column, has};

const HYPERFINE: &str = include_str!("options/hyperfine.txt");
const BESTGUESS: &str = include_str!("options/bestguess.txt");

/// What a command line with such an option leaves behind.
type Seen = fn(&Lab, &Ended) -> bool;

/// Options, a command line with them, and how it can be seen that they did what they do there.
type Taken = (&'static [&'static str], &'static [&'static str], Seen);

/// Executions of the first command that were measured.
fn measured(lab: &Lab) -> usize {
    let record = lab.record();
    let of: Vec<_> = record.of(0).into_iter().filter(|o| o["phase"] != "warmup").collect();
    of.len()
}

fn traces(lab: &Lab) -> String {
    String::from_utf8(lab.read("traced")).expect("UTF-8")
}

fn written(lab: &Lab, file: &str, begins: &str) -> bool {
    lab.read(file).starts_with(begins.as_bytes())
}

/// What both programs have.
const SHARED: &[Taken] = &[
    (&["-w"], &["-w", "2", "-r", "3", "./trace x"], |lab, _| {
        traces(lab) == "x x x x x " && measured(lab) == 3
    }),
    (&["--warmup"], &["--warmup=1", "-r", "1", "./trace x"], |lab, _| traces(lab) == "x x "),
    (&["-r"], &["-r=4", "true"], |lab, _| measured(lab) == 4),
    (&["--runs"], &["--runs", "4", "true"], |lab, _| measured(lab) == 4),
    (&["-p"], &["-r", "2", "-p", "./trace p", "./trace x"], |lab, _| traces(lab) == "p x p x "),
    (&["--prepare"], &["-r", "1", "--prepare", "./trace p", "true"], |lab, _| traces(lab) == "p "),
    (&["-i"], &["-r", "2", "-i", "false"], |lab, _| measured(lab) == 2),
    (&["--ignore-failure"], &["-r", "2", "--ignore-failure", "false"], |lab, _| measured(lab) == 2),
    (&["--show-output"], &["-r", "1", "--show-output", "echo shown"], |_, ended| {
        ended.stdout.starts_with("shown\n")
    }),
    (&["-n"], &["-r", "1", "-n", "named", "true"], |lab, _| {
        lab.record().of_type("benchmark")[0]["name"] == "named"
    }),
    (&["-N"], &["-r", "2", "-N", "true", "sh -c :"], |_, ended| !ended.stdout.contains("Mode")),
    (&["-h"], &["-h"], |_, ended| ended.stdout.contains("etalon cmd")),
    (&["--help"], &["--help"], |_, ended| ended.stdout.contains("etalon cmd")),
];

const TAKEN_OF_HYPERFINE: &[Taken] = &[
    (&["--setup"], &["-r", "2", "--setup", "./trace s", "./trace x"], |lab, _| {
        traces(lab) == "s x x "
    }),
    (&["--conclude"], &["-r", "2", "--conclude", "./trace c", "./trace x"], |lab, _| {
        traces(lab) == "x c x c "
    }),
    (&["--cleanup"], &["-r", "2", "--cleanup", "./trace c", "./trace x"], |lab, _| {
        traces(lab) == "x x c "
    }),
    (&["--env"], &["-r", "1", "--env", "X=1", "sh -c 'test \"$X\" = 1'"], |lab, _| {
        measured(lab) == 1
    }),
    (&["--reference"], &["-r", "2", "--reference", "true", "sh -c :"], |lab, _| {
        lab.record().of_type("benchmark").len() == 2
    }),
    (
        &["-P", "--parameter-step-size"],
        &[
            "-r",
            "1",
            "-P",
            "n",
            "1",
            "5",
            "--parameter-step-size",
            "2",
            "--order",
            "sequential",
            "./trace {n}",
        ],
        |lab, _| traces(lab) == "1 3 5 ",
    ),
    (
        &["--parameter-scan"],
        &["-r", "1", "--parameter-scan", "n", "1", "2", "--order", "sequential", "./trace {n}"],
        |lab, _| traces(lab) == "1 2 ",
    ),
    (&["-L"], &["-r", "1", "-L", "n", "a,b", "--order", "sequential", "./trace {n}"], |lab, _| {
        traces(lab) == "a b "
    }),
    (&["--parameter-list"], &["-r", "1", "--parameter-list", "n", "a", "./trace {n}"], |lab, _| {
        traces(lab) == "a "
    }),
    (&[], &["-r", "2", "-i=all-non-zero", "false"], |lab, _| measured(lab) == 2),
    (&[], &["-r", "2", "--ignore-failure=1,2", "false"], |lab, _| measured(lab) == 2),
    (&["-N"], &["-r", "1", "-N", "true"], |_, ended| ended.stderr.contains("-N: it leaves")),
    (
        &["--sort", "--export-markdown"],
        &["-r", "2", "--sort", "mean-time", "--export-markdown", "t", "sleep 0.05", "true"],
        |lab, _| {
            let table = String::from_utf8(lab.read("t")).expect("UTF-8");
            table.find("`true`") < table.find("`sleep 0.05`")
        },
    ),
    (
        &["--time-unit", "--export-asciidoc"],
        &["-r", "1", "--time-unit", "microsecond", "--export-asciidoc", "t", "true"],
        |lab, _| String::from_utf8_lossy(&lab.read("t")).contains("µs"),
    ),
    (&["--export-csv"], &["-r", "1", "--export-csv", "t", "true"], |lab, ended| {
        let whose = "--export-csv: in BestGuess's columns; hyperfine's are --export-hyperfine FILE";
        written(lab, "t", "Command,Shell,") && ended.stderr.contains(whose)
    }),
    (&["--export-json"], &["-r", "1", "--export-json", "t", "true"], |lab, _| {
        written(lab, "t", "{\n  \"schema_version\": 2")
    }),
    (&["--export-orgmode"], &["-r", "1", "--export-orgmode", "t", "true"], |lab, _| {
        written(lab, "t", "| Command")
    }),
    (&["--input"], &["-r", "1", "--input", "given", "./keep"], |lab, _| {
        lab.read("kept") == b"something\n"
    }),
    (&[], &["-r", "1", "--input", "null", "./keep"], |lab, _| lab.read("kept").is_empty()),
];

const TAKEN_OF_BESTGUESS: &[Taken] = &[
    (&["--pre"], &["-r", "1", "--pre", "./trace p", "true"], |lab, _| traces(lab) == "p "),
    (&["-s"], &["-r", "1", "-s", "/bin/sh -c", "./trace $((1 + 1))"], |lab, _| traces(lab) == "2 "),
    (&["--shell"], &["-r", "1", "--shell", "/bin/sh -c", "./trace a; ./trace b"], |lab, _| {
        traces(lab) == "a b "
    }),
    (&["--name"], &["-r", "1", "--name", "named", "true"], |lab, _| {
        lab.record().of_type("benchmark")[0]["name"] == "named"
    }),
    (&["-o"], &["-r", "1", "-o", "raw.csv", "true"], |lab, ended| {
        written(lab, "raw.csv", "Command,Shell,Name,Batch,") && !ended.stderr.contains("JSON Lines")
    }),
    (&["--output"], &["-r", "1", "--output", "raw", "true"], |lab, ended| {
        let told = "-o raw: JSON Lines; BestGuess's CSV goes to a name in .csv: -o raw.csv";
        written(lab, "raw", "{\"") && ended.stderr.contains(told)
    }),
    (&["--export-csv"], &["-r", "1", "--export-csv", "t", "true"], |lab, _| {
        written(lab, "t", "Command,Shell,Runs (ct),Failed (ct),Total mode (μs),Total min (μs)")
    }),
    (&["--hyperfine-csv"], &["-r", "1", "--hyperfine-csv", "t", "true"], |lab, _| {
        written(lab, "t", "command,mode,iqr,median,user,system,min,max\n")
    }),
    (&["-f"], &["-r", "1", "-f", "list"], |lab, _| traces(lab) == "listed "),
    (&["--file"], &["-r", "1", "--file", "list"], |lab, _| traces(lab) == "listed "),
    (&["-M", "-G"], &["-r", "3", "-MG", "true"], |_, ended| ended.stdout.contains(" max")),
    (&["--mini-stats"], &["-r", "3", "--mini-stats", "true"], |_, ended| {
        ended.stdout.contains("Wall clock") && !ended.stdout.contains("Max RSS")
    }),
    (&["--no-stats", "--graph"], &["-r", "3", "--no-stats", "--graph", "true"], |_, ended| {
        ended.stdout.contains(" max")
    }),
    (&["-B"], &["-r", "3", "-B", "true", "sh -c :"], |_, ended| ended.stdout.contains("legend")),
    (&["--boxplot"], &["-r", "3", "--boxplot", "true"], |_, ended| ended.stdout.contains("legend")),
    (
        &["-E", "-x"],
        &["-r", "9", "-E", "-x", "alpha=0.01,effect=700", "true", "sh -c :"],
        |_, ended| ended.stdout.contains("700") && ended.stdout.contains("0.01"),
    ),
    (&["--explain"], &["-r", "9", "--explain", "true", "sh -c :"], |_, ended| {
        ended.stdout.contains("Hodges")
    }),
    (&["-D"], &["-r", "9", "-D", "true"], |_, ended| ended.stdout.contains("kurtosis")),
    (&["--dist-stats"], &["-r", "9", "--dist-stats", "true"], |_, ended| {
        ended.stdout.contains("kurtosis")
    }),
    (&["-T"], &["-r", "9", "-T", "true"], |_, ended| ended.stdout.contains("p99")),
    (&["--tail-stats"], &["-r", "9", "--tail-stats", "true"], |_, ended| {
        ended.stdout.contains("p99")
    }),
];

/// A command line, and what is to be written instead.
type Refused = (&'static str, &'static [&'static str], &'static str);

const REFUSED_OF_HYPERFINE: &[Refused] = &[
    ("-m", &["-m", "5", "true"], "write --min-blocks 5"),
    ("", &["-m5", "true"], "write --min-blocks 5"),
    ("--min-runs", &["--min-runs", "5", "true"], "write --min-blocks 5"),
    ("-M", &["-M", "5", "true"], "-M 5: hyperfine's option; write --max-blocks 5"),
    ("", &["-M5", "true"], "-M: hyperfine's option; write --max-blocks 5"),
    ("", &["-M=5", "true"], "-M: hyperfine's option; write --max-blocks 5"),
    ("--max-runs", &["--max-runs=5", "true"], "write --max-blocks 5"),
    ("-s", &["-s", "make all", "true"], "write --setup 'make all'"),
    ("--reference-name", &["--reference-name", "a", "true"], "-n a behind it, and --reference a"),
    ("-C", &["-C", "true", "true"], "write --conclude true"),
    ("-c", &["-c", "rm junk", "true"], "write --cleanup 'rm junk'"),
    ("-D", &["-P", "n", "1", "2", "-D", "0.5", "true {n}"], "write --parameter-step-size 0.5"),
    ("", &["-P", "n", "1", "2", "-D0.5", "true {n}"], "write --parameter-step-size 0.5"),
    ("-S", &["-S", "bash", "true"], "write -s 'bash -c'"),
    ("", &["-S", "bash -c", "true"], "write -s 'bash -c'"),
    ("--shell", &["--shell", "bash", "true"], "write -s 'bash -c'"),
    ("", &["-S", "none", "true"], "-S: hyperfine's option; leave it out"),
    ("", &["-S", "default", "true"], "write --shell '/bin/sh -c'"),
    ("", &["-S", "echo a | wc -l"], "write --shell '/bin/sh -c'"),
    ("--metrics", &["--metrics", "time_cpu,instructions", "true"], "--metric wall, cpu,"),
    ("", &["--shell=none", "true"], "leave it out"),
    ("", &["--shell=default", "true"], "write --shell '/bin/sh -c'"),
    ("--style", &["--style", "basic", "true"], "NO_COLOR"),
    ("", &["--style=none", "true"], "--quiet"),
    ("-u", &["-u", "second", "true"], "write --time-unit second"),
    ("--output", &["--output", "inherit", "true"], "write --stdout inherit"),
    ("", &["--output=null", "true"], "write --stdout null"),
    ("--command-name", &["--command-name", "a", "true"], "write --name a"),
    ("-V", &["-V"], "write etalon --version"),
    ("--version", &["--version"], "write etalon --version"),
];

const REFUSED_OF_BESTGUESS: &[Refused] = &[
    ("--config", &["--config"], "-E shows the settings"),
    ("-A", &["-A", "report", "raw.csv"], "`etalon report` reports"),
    ("--action", &["--action=report", "raw.csv"], "`etalon report` reports"),
    ("-v", &["-v"], "write etalon --version"),
    ("--version", &["--version"], "write etalon --version"),
];

/// Options listed in a file of `options/`.
fn listed(file: &str) -> BTreeSet<&str> {
    file.lines().filter(|line| !line.starts_with('#')).flat_map(str::split_whitespace).collect()
}

fn lab() -> Lab {
    let lab = Lab::new();
    lab.script("trace", "printf '%s ' \"$1\" >> traced");
    lab.script("keep", "cat > kept");
    lab.write("given", "something\n");
    lab.write("list", "./trace listed\n");
    lab
}

/// Executes the command lines of a program; all its options have to be among them.
fn walk(listing: &str, taken: &[&[Taken]], refused: &[Refused]) {
    let mut walked = BTreeSet::new();
    for (options, arguments, seen) in taken.iter().copied().flatten() {
        let lab = lab();
        let ended = lab.run([&["cmd"], *arguments].concat()).expect(0);
        assert!(seen(&lab, &ended), "{arguments:?}: {ended:?}");
        walked.extend(options.iter().copied());
    }
    for (option, arguments, instead) in refused {
        let lab = lab();
        let ended = lab.run([&["cmd"], *arguments].concat()).expect(2);
        has(&ended.stderr, &[instead]);
        assert_eq!(ended.stderr.lines().count(), 1, "{}", ended.stderr);
        assert!(lab.saved().is_empty(), "{arguments:?} measured something");
        walked.extend(Some(*option).filter(|option| !option.is_empty()));
    }
    let listed = listed(listing);
    let left: Vec<_> = listed.difference(&walked).collect();
    assert!(left.is_empty(), "not walked through: {left:?}");
    assert!(walked.is_subset(&listed), "not theirs: {:?}", walked.difference(&listed));
}

/// Would catch an option of hyperfine's that is taken for something else, or refused without a word.
#[test]
fn every_option_of_hyperfine() {
    let shared: Vec<Taken> = SHARED.to_vec();
    walk(HYPERFINE, &[&shared, TAKEN_OF_HYPERFINE], REFUSED_OF_HYPERFINE);
}

/// Would catch an option of BestGuess's that is taken for something else, or refused without a word.
#[test]
fn every_option_of_bestguess() {
    walk(BESTGUESS, &[SHARED, TAKEN_OF_BESTGUESS], REFUSED_OF_BESTGUESS);
}

/// Would catch a page of the guide that leaves an option out.
#[test]
fn the_guide_names_every_option() {
    let pages = ["hyperfine.md", "bestguess.md"].map(|name| {
        std::fs::read_to_string(super::readme::root().join("docs").join(name)).unwrap()
    });
    let pages = pages.concat();
    let named: BTreeSet<&str> = pages.split([' ', ',', ';', '[', '\n']).collect();
    let listed: BTreeSet<&str> = listed(HYPERFINE).union(&listed(BESTGUESS)).copied().collect();
    assert!(listed.is_subset(&named), "{:?}", listed.difference(&named));
}

/// Would catch a page about a program that does not say which version of it, and one that is about another version than
/// the tests are.
#[test]
fn each_page_names_the_version_it_is_about() {
    let docs = super::readme::root().join("docs");
    for (page, version) in [
        ("hyperfine.md", "hyperfine 2.0.0"),
        ("bestguess.md", "BestGuess 0.7"),
        ("benchstat.md", "golang.org/x/perf"),
        ("lua-measure.md", "lua-measure 0.1.2"),
    ] {
        let text = std::fs::read_to_string(docs.join(page)).expect("a page");
        let opening: String = text.lines().take(12).collect::<Vec<_>>().join(" ");
        assert!(opening.contains(version), "{page} does not open with {version}");
    }
    assert!(HYPERFINE.starts_with("# Options of `hyperfine --help`, version 2.0.0"));
    assert!(BESTGUESS.contains("0.7"));
}

/// Would catch a program's name for the version that is not taken.
#[test]
fn the_version_is_told_by_every_spelling() {
    let lab = Lab::new();
    let version = format!("etalon {}\n", env!("CARGO_PKG_VERSION"));
    for spelling in ["-V", "-v", "--version"] {
        assert_eq!(lab.done([spelling]), version);
    }
}

/// Would catch limits that are not kept, or not told.
#[test]
fn blocks_have_limits() {
    let lab = Lab::new();
    let few = lab.done(["cmd", "--precision", "1%", "--max-blocks", "4", "true"]);
    has(&few, &["\n4 executions (the most asked for; ± 1\u{a0}% asked for)"]);
    assert_eq!(lab.json(["report", "@last", "--json"])["stopped_by"], "runs");
    lab.done(["cmd", "--precision", "1000%", "--budget", "1ms", "--min-blocks", "12", "true"]);
    assert_eq!(measured(&lab), 12);
    lab.done(["cmd", "--precision", "0.0001%", "--budget", "1ms", "--min-blocks", "12", "true"]);
    assert_eq!(measured(&lab), 12);
    let decided = ["cmd", "--until", "decided", "--max-blocks", "3", "true", "true"];
    has(&lab.done(decided), &["3 interleaved blocks (the most asked for, not decided"]);
    let ended = lab.run(["cmd", "--min-blocks", "3", "--max-blocks", "2", "true"]).expect(2);
    has(&ended.stderr, &["--min-blocks 3 with --max-blocks 2"]);
    lab.run(["cmd", "-r", "3", "--max-blocks", "2", "true"]).expect(2);
}

/// Would catch columns that are not hyperfine's, or figures of something else than wall clock.
#[test]
fn hyperfines_csv_has_its_columns() {
    let lab = Lab::new();
    let command = ["cmd", "-r", "5", "-L", "n", "1,2", "--export-hyperfine", "h.csv", "true {n}"];
    lab.done(command);
    let bytes = lab.read("h.csv");
    let mut reader = csv::Reader::from_reader(&bytes[..]);
    let header = "command,mean,stddev,median,user,system,min,max,parameter_n";
    assert_eq!(reader.headers().expect("a header").iter().collect::<Vec<_>>().join(","), header);
    let rows: Vec<_> = reader.records().map(|row| row.expect("a row")).collect();
    assert_eq!((rows.len(), &rows[1][8]), (2, "2"));
    let mut walls = column(&lab.record().of(0), "wall");
    walls.sort_unstable();
    let number = |at: usize| rows[0][at].parse::<f64>().expect("a number");
    let seconds = |ns: i64| ns as f64 / 1e9;
    let mean = walls.iter().sum::<i64>() as f64 / 5e9;
    assert!((number(1) - mean).abs() < 1e-12, "{} {mean}", number(1));
    assert_eq!(
        (number(3), number(6), number(7)),
        (seconds(walls[2]), seconds(walls[0]), seconds(walls[4]))
    );
}

/// Would catch a single command in BestGuess's words that looks as if its ranking were lost.
#[test]
fn one_command_has_no_ranking_and_says_so() {
    let lab = Lab::new();
    let alone = lab.done(["cmd", "-r", "3", "--style", "bestguess", "true"]);
    assert!(alone.contains("\nOnly one command.  No ranking to show.\n"), "{alone}");
    let two = lab.done(["cmd", "-r", "3", "--style", "bestguess", "true", "sh -c :"]);
    assert!(!two.contains("Only one command"), "{two}");
}

/// Would catch an option that went without a word of what to do in its place.
#[test]
fn options_that_went_say_what_to_do() {
    let lab = Lab::new();
    for (option, instead) in [
        (&["--png", "pictures"][..], "button PNG below each picture"),
        (&["--html", "page.html", "--open"], "xdg-open FILE"),
    ] {
        for command in [&["cmd", "true"][..], &["report", "@last"], &["compare", "@last"]] {
            let ended = lab.run([command, option].concat()).expect(2);
            has(&ended.stderr, &["no option any more", instead]);
            assert_eq!(ended.stderr.lines().count(), 1, "{}", ended.stderr);
        }
        // Commands without pages never had it.
        for command in [&["runs"][..], &["doctor"], &["convert", "@last"]] {
            let ended = lab.run([command, &option[option.len() - 1..]].concat()).expect(2);
            assert!(!ended.stderr.contains("--html FILE"), "{}", ended.stderr);
        }
    }
}
