//! Contents of the one screen of `-h`: three examples and the options people use, in the order in which they use
//! them.

mod history;

/// The screen of a command.
#[derive(Debug)]
pub(super) struct Brief {
    /// The command, from the program on.
    pub path: &'static str,
    /// Lines that can be pasted, and what each does.
    pub examples: &'static [(&'static str, &'static str)],
    /// Options by their ids.
    pub options: &'static [&'static str],
    /// Topics of `etalon help` that a reader may want next.
    pub topics: &'static [&'static str],
}

/// Texts of the program's own screen, as in its definition, word by word: a test compares the two.
pub(super) const ABOUT: &str =
    "Times commands and functions in randomised blocks, and gives verdicts";
pub(super) const CALL: &str = "etalon SUBCOMMAND";
pub(super) const SUBCOMMANDS: &[(&str, &str)] = &[
    ("cmd", "Time whole commands and rank them"),
    ("run", "Measure Lua functions, scripts, and experiments of a file"),
    ("go", "Measure benchmarks of Go packages, also against a revision"),
    ("ab", "Compare two revisions of a project, built first, interleaved"),
    ("bisect", "Find the commit that made a command slower or faster"),
    ("report", "Report from saved data of etalon, BestGuess, hyperfine or Go"),
    ("compare", "Compare the same benchmarks in two or more data sets"),
    ("convert", "Convert data from one known format into another"),
    ("lua", "Execute a script on the LuaJIT inside etalon"),
    ("init", "Write an experiment file to start from"),
    ("runs", "List, show, label and remove saved runs"),
    ("history", "Follow benchmarks from commit to commit"),
    ("doctor", "Say whether this machine is fit to measure on, and what to change"),
    ("noise", "Measure how much identical programs differ here"),
];

/// The screen of a command. Every command has one.
pub(super) fn of(path: &str) -> &'static Brief {
    all().find(|brief| brief.path == path).expect("a screen for every command")
}

/// All of them.
pub(super) fn all() -> impl Iterator<Item = &'static Brief> {
    ALL.iter().chain(history::ALL)
}

/// Those of commands that have few below them.
const ALL: &[Brief] = &[
    Brief {
        path: "etalon",
        examples: &[
            // The screen is full of subcommands.
            ("etalon cmd 'sleep 0.10' 'sleep 0.11'", "which of two commands is faster"),
        ],
        // The screen is full of subcommands; `--help` has them.
        options: &[],
        topics: &["verdicts", "orders", "metrics", "hyperfine"],
    },
    Brief {
        path: "etalon cmd",
        examples: &[
            ("etalon cmd 'sleep 0.1'", "how long one command takes"),
            ("etalon cmd -r 30 -w 3 'ls -l' 'ls -lR'", "which is faster, in 30 blocks"),
            ("etalon cmd -L to 1000,1000000 'seq {to}'", "a parameter, a row per value"),
        ],
        options: &[
            "runs",
            "warmup",
            "budget",
            "plan",
            "names",
            "shell",
            "ignore_failure",
            "prepare",
            "full",
            "output",
        ],
        topics: &["verdicts", "orders", "hyperfine"],
    },
    Brief {
        path: "etalon run",
        examples: &[
            ("etalon run examples/", "the suites of a directory"),
            ("etalon run my_bench.lua --filter json", "cases with json in their name"),
            ("etalon run experiment.toml", "jobs, implementations, tables"),
        ],
        options: &[
            "filter",
            "list",
            "chunks",
            "runs",
            "budget",
            "plan",
            "warmup",
            "reference",
            "full",
            "output",
        ],
        topics: &["experiments", "verdicts", "orders"],
    },
    Brief {
        path: "etalon go",
        examples: &[
            ("etalon go ./...", "all packages here, in 10 blocks"),
            ("etalon go --base main -bench Encode .", "against a revision, interleaved"),
            ("etalon go -r 20 . -- -integration", "a flag of the package's own"),
        ],
        options: &[
            "bench",
            "base",
            "runs",
            "plan",
            "benchtime",
            "services",
            "fail_on",
            "margin",
            "full",
            "output",
        ],
        topics: &["verdicts", "benchstat"],
    },
    Brief {
        path: "etalon init",
        examples: &[
            ("etalon init", "writes experiment.toml"),
            ("etalon init sorting.toml", "another name"),
            ("etalon init --schema", "the JSON Schema of such files"),
        ],
        options: &["file", "schema"],
        topics: &["experiments"],
    },
    Brief {
        path: "etalon ab",
        examples: &[
            ("etalon ab main --build make -- ./program x", "changes since main"),
            ("etalon ab v1 v2 --build make -- ./program", "two tags"),
            ("etalon ab main", "what to type for this project"),
        ],
        options: &[
            "build",
            "along",
            "no_control",
            "same_output",
            "runs",
            "plan",
            "fail_on",
            "margin",
            "full",
            "output",
        ],
        topics: &["verdicts", "orders"],
    },
    Brief {
        path: "etalon bisect",
        examples: &[
            ("etalon bisect v1 v2 --build make -- ./program x", "which commit did it"),
            ("etalon bisect v1 v2 --metric rss -- ./script", "by memory"),
            ("etalon bisect --resume @last", "go on where it stopped"),
        ],
        options: &[
            "build",
            "paths",
            "all_commits",
            "same_output",
            "no_control",
            "runs",
            "confidence",
            "total_budget",
            "metric",
            "resume",
        ],
        topics: &["verdicts"],
    },
    Brief {
        path: "etalon report",
        examples: &[
            ("etalon report @last --full", "the last run again, with every table"),
            ("etalon report @-2 -N -E", "every test behind the one before"),
            ("etalon report raw.csv --format markdown", "BestGuess's data as tables"),
        ],
        options: &[
            "full",
            "explain",
            "explain_noise",
            "metric",
            "reference",
            "margin",
            "filter",
            "style",
            "format",
            "html",
        ],
        topics: &["verdicts", "metrics", "statistics"],
    },
    Brief {
        path: "etalon compare",
        examples: &[
            ("etalon compare old.txt new.txt", "two outputs of go test -bench"),
            ("etalon compare @baseline @last --full", "two saved runs, every row"),
            ("etalon compare --fail-on worse old.txt new.txt", "a check: exit 1 if it fails"),
        ],
        options: &[
            "full", "filter", "row", "col", "fail_on", "margin", "between", "history", "style",
            "format",
        ],
        topics: &["verdicts", "benchstat"],
    },
    Brief {
        path: "etalon convert",
        examples: &[
            ("etalon convert @last --to go", "a saved run, for benchstat"),
            ("etalon convert raw.csv --to etalon -o raw.jsonl", "BestGuess's raw data"),
            ("etalon convert h.json --to bestguess -o raw.csv", "hyperfine's JSON"),
        ],
        options: &["to", "output", "force", "from", "strict", "quiet"],
        topics: &["formats"],
    },
    Brief {
        path: "etalon lua",
        examples: &[
            ("etalon lua script.lua 10 20", "a script and its arguments"),
            ("etalon lua --jit off script.lua", "without the JIT compiler"),
            ("etalon cmd 'etalon lua a.lua' 'luajit a.lua'", "as a command among others"),
        ],
        options: &["jit"],
        topics: &[],
    },
    Brief {
        path: "etalon runs",
        examples: &[
            ("etalon runs", "the newest, with their answers"),
            ("etalon runs list --since 2d lua", "of two days, with this word"),
            ("etalon runs name @last baseline", "from now on @baseline"),
        ],
        options: &[],
        topics: &["formats"],
    },
    Brief {
        path: "etalon doctor",
        examples: &[
            ("etalon doctor", "fit for what, and what is in the way"),
            ("etalon doctor --quick", "settings only, at once"),
            ("etalon doctor --fix", "changes settings; --restore puts them back"),
        ],
        options: &["quick", "spin", "full", "json", "fix", "yes", "restore"],
        topics: &["statistics"],
    },
    Brief {
        path: "etalon noise",
        examples: &[
            ("etalon noise 'gzip -k9c notes.txt'", "one command against itself"),
            ("etalon noise my_bench.lua", "the cases of a suite"),
            ("etalon noise", "a loop of sh, where nothing is named"),
        ],
        options: &[
            "in_sequence",
            "runs",
            "budget",
            "name",
            "shell",
            "filter",
            "metric",
            "no_save",
            "json",
        ],
        topics: &["scatter", "verdicts", "statistics"],
    },
    Brief {
        path: "etalon help",
        examples: &[
            ("etalon help", "subcommands and topics"),
            ("etalon help verdicts", "a topic"),
            ("etalon help runs prune", "all options of a subcommand"),
        ],
        options: &[],
        topics: &[],
    },
    Brief {
        path: "etalon runs list",
        examples: &[
            ("etalon runs list gzip", "those whose commands or labels say gzip"),
            ("etalon runs list -n 5", "the newest five"),
            ("etalon runs list --since 2d --json", "of two days, for programs"),
        ],
        options: &["number", "all", "since", "json"],
        topics: &[],
    },
    Brief {
        path: "etalon runs show",
        examples: &[
            ("etalon runs show @last", "the last run"),
            ("etalon runs show @-2", "the one before"),
            ("etalon runs show @baseline", "one with a name"),
        ],
        options: &[],
        topics: &[],
    },
    Brief {
        path: "etalon runs name",
        examples: &[
            ("etalon runs name @last baseline", "the last run is @baseline"),
            ("etalon runs name @-2 before", "the one before is @before"),
            ("etalon runs name @baseline v1.0", "a second name"),
        ],
        options: &[],
        topics: &[],
    },
    Brief {
        path: "etalon runs bundle",
        examples: &[
            ("etalon runs bundle @last -o last.jsonl", "a run as one file"),
            ("etalon runs bundle @old @new -o both.jsonl", "two in one file"),
            ("etalon compare last.jsonl @last", "a bundle is data like any other"),
        ],
        options: &["output", "force"],
        topics: &["formats"],
    },
    Brief {
        path: "etalon runs unname",
        examples: &[("etalon runs unname baseline", "no run is @baseline any more")],
        options: &[],
        topics: &[],
    },
    Brief {
        path: "etalon runs tag",
        examples: &[
            ("etalon runs tag @last nightly", "found by etalon runs list nightly"),
            ("etalon runs tag @-2 nightly arm64", "two tags"),
        ],
        options: &[],
        topics: &[],
    },
    Brief {
        path: "etalon runs untag",
        examples: &[("etalon runs untag @last nightly", "the run stays")],
        options: &[],
        topics: &[],
    },
    Brief {
        path: "etalon runs note",
        examples: &[
            ("etalon runs note @last 'on battery'", "shown by etalon runs show"),
            ("etalon runs note @last ''", "removes the note"),
        ],
        options: &[],
        topics: &[],
    },
    Brief {
        path: "etalon runs import",
        examples: &[
            ("etalon runs import both.jsonl", "the runs of a bundle, with their labels"),
            ("etalon runs import a.jsonl b.jsonl", "two records"),
        ],
        options: &[],
        topics: &["formats"],
    },
    Brief {
        path: "etalon runs pull",
        examples: &[
            ("etalon runs pull alpha", "what is saved there and not here"),
            ("etalon runs pull me@beta", "as another user"),
        ],
        options: &[],
        topics: &["nodes"],
    },
    Brief {
        path: "etalon runs remove",
        examples: &[
            ("etalon runs remove @last", "the last run"),
            ("etalon runs remove @-2 @old", "two runs"),
        ],
        options: &[],
        topics: &[],
    },
    Brief {
        path: "etalon runs prune",
        examples: &[
            ("etalon runs prune --older-than 90d", "what would be removed"),
            ("etalon runs prune --older-than 90d --yes", "removes it"),
            ("etalon runs prune --keep 50 --larger-than 10MB", "large ones but the newest"),
        ],
        options: &["older_than", "keep", "larger_than", "total", "labelled", "yes"],
        topics: &[],
    },
];
