//! Reports: the same from the record as live, the same twice, and what they must say.

use crate::support::{Lab, column, hand_written, has, tame};
use serde_json::{Value, json};

/// The fields every consumer of `--json` may rely on, absent ones being null.
const COMPARISON: [&str; 17] = [
    "metric",
    "base",
    "candidate",
    "verdict",
    "ratio",
    "lo",
    "hi",
    "level",
    "p",
    "p_adjusted",
    "n",
    "paired",
    "margin",
    "reasons",
    "more_blocks",
    "difference",
    "superiority",
];

/// Would catch a live report that knows more, or says it otherwise, than the record does.
#[test]
fn a_report_from_the_record_is_the_live_one() {
    let lab = Lab::new();
    for view in [&[][..], &["-M"], &["-N"], &["-E"], &["-M", "-E"], &["--json"]] {
        for stopping in [&["-r", "7", "-w", "1"][..], &["--budget", "50ms"]] {
            let live = lab.done([&["cmd"], stopping, view, &["true", "sh -c :"]].concat());
            assert_eq!(live, lab.done([&["report", "@last"], view].concat()), "{view:?}");
            if view != ["--json"] {
                tame(&live);
            }
        }
    }
}

/// Would catch settings that are not saved with the data, or cannot be changed afterwards.
#[test]
fn settings_are_recorded_and_can_be_overruled() {
    let lab = Lab::new();
    let settings = [
        "--metric",
        "wall",
        "--margin",
        "5%",
        "--confidence",
        "90%",
        "--alpha",
        "0.01",
        "--correction",
        "bh",
        "--at-least",
        "20%",
        "--reference",
        "true",
    ];
    let live =
        lab.done([&["cmd", "-r", "8", "--json"], &settings[..], &["true", "sh -c :"]].concat());
    assert_eq!(live, lab.done(["report", "@last", "--json"]));
    let recorded = lab.json(["report", "@last", "--json"])["settings"].clone();
    let expected = json!({"metric": "wall", "reference": "true", "margin": {"relative": 0.05},
        "at_least": 0.2, "alpha": 0.01, "confidence": 0.9, "correction": "bh"});
    for (field, value) in expected.as_object().expect("an object") {
        assert_eq!(recorded[field], *value, "{field}");
    }
    let asked = lab.json([
        "report",
        "@last",
        "--json",
        "--metric",
        "cpu",
        "--margin",
        "200us",
        "--confidence",
        "0.99",
    ]);
    assert_eq!(asked["settings"]["metric"], "cpu");
    assert_eq!(asked["settings"]["margin"], json!({"absolute": 0.0002, "unit": "s"}));
    assert_eq!(asked["benchmarks"][0]["metrics"]["wall"]["level"], 0.99);
}

/// Would catch anything taken from the clock, or from the order of a hash table, in an analysis.
#[test]
fn the_same_report_twice_is_the_same_bytes() {
    let lab = Lab::new();
    lab.done(["cmd", "-N", "-r", "10", "true", "sh -c :", "sleep 0.001"]);
    for view in [&[][..], &["-E"], &["--json"]] {
        let report = [&["report", "@last"], view].concat();
        assert_eq!(lab.done(&report), lab.done(&report));
    }
}

/// The order executed with this seed.
fn order(seed: &str, order: &str) -> Vec<String> {
    let lab = Lab::new();
    let arguments = [
        "cmd", "-N", "-w", "2", "-r", "12", "--seed", seed, "--order", order, "true", "sh -c :",
        "echo",
    ];
    lab.done(arguments);
    let record = lab.record();
    assert_eq!(record.of_type("plan")[0]["seed"], seed);
    record.order()
}

/// Would catch AAAA then BBBB, an order that is not the seed's, or blocks without every command.
#[test]
fn blocks_are_randomised_by_the_seed() {
    let one = order("1", "blocks");
    assert_eq!(one, order("1", "blocks"));
    assert_ne!(one, order("2", "blocks"));
    let blocks: Vec<Vec<&str>> = one
        .chunks(3)
        .map(|block| block.iter().filter_map(|s| s.split(':').nth(1)).collect())
        .collect();
    assert!(blocks.iter().any(|block| *block != blocks[0]), "every block has one order");
    for (number, block) in blocks.iter().enumerate() {
        let mut sorted = block.clone();
        sorted.sort_unstable();
        assert_eq!(sorted, ["0", "1", "2"]);
        assert!(one[number * 3].starts_with(&format!("{number}:")), "{one:?}");
    }
    let sequential = order("1", "sequential");
    let steps: Vec<&str> = sequential.iter().filter_map(|s| s.split(':').nth(1)).collect();
    assert_eq!(steps, [vec!["0"; 12], vec!["1"; 12], vec!["2"; 12]].concat());
}

/// Would catch sequential data called paired, and the drift it may hide called a difference
/// without a word.
#[test]
fn sequential_data_do_not_pair() {
    let lab = Lab::new();
    lab.done(["cmd", "-N", "-r", "8", "--order", "sequential", "true", "sh -c :"]);
    let json = lab.json(["report", "@last", "--json"]);
    assert_eq!(json["comparisons"][0]["paired"], false);
    has(&json["notes"].to_string(), &["executed one after the other"]);
}

/// Would catch a seed that is chosen and not told, or cannot be used again.
#[test]
fn a_seed_nobody_chose_is_told_and_works() {
    let lab = Lab::new();
    let shown = lab.done(["cmd", "-N", "-r", "12", "true", "echo", "sh -c :"]);
    let first = lab.record().order();
    let seed =
        lab.json(["report", "@last", "--json"])["seed"].as_str().expect("a string").to_owned();
    has(&shown, &[&format!("seed {seed}")]);
    lab.done(["cmd", "-N", "-r", "12", "--seed", &seed, "true", "echo", "sh -c :"]);
    assert_eq!(lab.record().order(), first);
}

/// Would catch warm-ups that are not executed, not recorded, or counted.
#[test]
fn warm_ups_are_recorded_and_not_counted() {
    let lab = Lab::new();
    lab.script("log", "echo x >> trace");
    let shown = lab.done(["cmd", "-N", "-w", "3", "-r", "4", "./log", "true"]);
    has(&shown, &["4 interleaved blocks", "3 warm-ups each"]);
    assert_eq!(lab.read("trace").len(), 2 * 7);
    let record = lab.record();
    assert_eq!((record.warm_ups().len(), record.measured().len()), (6, 8));
    let last_warm_up = record.lines.iter().rposition(|line| line["phase"] == "warmup");
    let first_measured =
        record.lines.iter().position(|l| l["type"] == "observation" && l.get("phase").is_none());
    assert!(last_warm_up < first_measured);
    let json = lab.json(["report", "@last", "--json"]);
    assert_eq!(json["benchmarks"][0]["metrics"]["wall"]["n"], 4);
    assert_eq!(json["benchmarks"][0]["outcomes"]["ok"], 4);
    assert_eq!(json["benchmarks"][0]["warmup_outcomes"]["ok"], 3);
}

/// Would catch a verdict from fewer blocks than any test could decide on, or no word on how many
/// there have to be.
#[test]
fn five_blocks_are_too_few_and_the_report_says_so() {
    let lab = Lab::new();
    let shown = lab.done(["cmd", "-r", "5", "true", "sleep 0.01"]);
    has(&shown, &["yet: needs at least 6 blocks", "wall clock"]);
    let json = lab.json(["report", "@last", "--json", "--metric", "wall"]);
    let comparison = &json["comparisons"][0];
    assert_eq!(comparison["verdict"], "unclear");
    assert_eq!(comparison["more_blocks"], 1);
    assert_eq!(comparison["lo"], Value::Null);
    // A sleep may take longer, and never less.
    assert!(json["benchmarks"][1]["metrics"]["wall"]["median"].as_f64() >= Some(0.01));

    let block = |i: i64| [(json!(1_000_000 + i), json!(900)), (json!(30_000_000 + i), json!(900))];
    let blocks: Vec<_> = (0..6).map(block).collect();
    let blocks: Vec<&[(Value, Value)]> = blocks.iter().map(<[_; 2]>::as_slice).collect();
    for (count, verdict) in [(5, "unclear"), (6, "slower")] {
        lab.write("data", hand_written(&blocks[..count]));
        let json = lab.json(["report", "data", "--json", "--metric", "wall"]);
        assert_eq!(json["comparisons"][0]["base_name"], "a", "the order by median");
        assert_eq!(json["comparisons"][0]["verdict"], verdict);
    }
}

/// Would catch the plain word "same" for what was merely not found to differ, and a difference that
/// is called one although it is smaller than was asked for.
#[test]
fn the_four_verdicts() {
    let lab = Lab::new();
    let write = |factor: f64, noise: i64| {
        let row = |i: i64| {
            let (wobble, cpu) = ((i * 7919) % 11 * noise, 1_000_000 + i * 10);
            #[allow(clippy::cast_possible_truncation, clippy::cast_precision_loss)]
            let other = (cpu as f64 * factor) as i64 + wobble;
            [(json!(2_000_000_000 + i), json!(cpu)), (json!(2_000_000_000 + i), json!(other))]
        };
        let rows: Vec<_> = (0..20).map(row).collect();
        let rows: Vec<&[_]> = rows.iter().map(|row| &row[..]).collect();
        lab.write("data", hand_written(&rows));
    };
    let verdict = |options: &[&str]| {
        lab.json([&["report", "data", "--metric", "cpu", "--json"], options].concat())["comparisons"][0]["verdict"]
            .clone()
    };
    write(1.5, 10);
    assert_eq!(verdict(&[]), "slower");
    assert_eq!(verdict(&["--reference", "b"]), "faster");
    assert_eq!(verdict(&["--at-least", "60%"]), "unclear");
    assert_eq!(verdict(&["--margin", "60%"]), "same");
    write(1.0001, 10);
    assert_eq!(verdict(&[]), "same");
    assert_eq!(verdict(&["--margin", "1us"]), "slower");
    write(0.985, 3000);
    assert_eq!(verdict(&["--margin", "0.1%"]), "unclear");
}

/// Would catch a reference that is ignored, taken by the wrong key, or silently not there.
#[test]
fn a_reference() {
    let lab = Lab::new();
    let bases = |reference: &str| {
        lab.done([
            "cmd",
            "-N",
            "-r",
            "6",
            "--reference",
            reference,
            "true",
            "-n",
            "T",
            "echo",
            "sh -c :",
        ]);
        let json = lab.json(["report", "@last", "--json"]);
        let name = |b: &Value| b["name"].as_str().expect("a name").to_owned();
        let names: Vec<String> =
            json["benchmarks"].as_array().expect("a list").iter().map(name).collect();
        let comparisons = json["comparisons"].as_array().expect("a list").clone();
        assert_eq!(comparisons.len(), names.len() - 1);
        let base = comparisons[0]["base_name"].as_str().expect("a name").to_owned();
        assert!(
            comparisons.iter().all(|c| c["base_name"] == base && c["family"] == comparisons.len())
        );
        (base, names)
    };
    assert_eq!(bases("T").0, "T");
    assert_eq!(bases("true").0, "T", "a command's text stands for the command");
    assert_eq!(bases("echo").0, "echo");
    let (base, names) = bases("sh -c true");
    assert_eq!(base, "sh -c true");
    assert_eq!(names, ["sh -c true", "T", "echo", "sh -c :"], "a new command is timed, first");

    let ended = lab.run(["report", "@last", "--reference", "nowhere"]).expect(2);
    has(&ended.stderr, &["\"nowhere\"", "\"T\"", "\"echo\"", "\"sh -c :\""]);
    assert_eq!(ended.stdout, "");
    let shown = lab.done(["report", "@last", "--reference", "sh -c :"]);
    has(&shown, &["against the reference"]);
    let named = ["true", "-n", "a", "true", "-n", "b"];
    let ended =
        lab.run([&["cmd", "-r", "6", "--reference", "true"][..], &named].concat()).expect(2);
    has(&ended.stderr, &["--reference", "more than one"]);
}

/// Would catch a document that is not one, NaN in it, or fields left out instead of null.
#[test]
fn json_is_one_document_with_explicit_nulls() {
    let lab = Lab::new();
    for runs in ["1", "5", "10"] {
        lab.done(["cmd", "-N", "-r", runs, "true", "echo"]);
        let json = lab.json(["report", "@last", "--json"]);
        for field in ["benchmarks", "comparisons", "notes", "context", "stopped_by", "seed"] {
            assert!(json.get(field).is_some(), "{field}");
        }
        for comparison in json["comparisons"].as_array().expect("a list") {
            for field in COMPARISON {
                assert!(comparison.get(field).is_some(), "{field}");
            }
        }
        let wall = &json["benchmarks"][0]["metrics"]["wall"];
        for field in
            ["unit", "n", "median", "lo", "hi", "level", "method", "mean", "stddev", "min", "max"]
        {
            assert!(wall.get(field).is_some(), "{field}");
        }
        assert_eq!(wall["unit"], "s");
        assert_eq!(json["benchmarks"][0]["metrics"]["rss"]["unit"], "B");
        assert_eq!(json["stopped_by"], "runs");
        assert_eq!(runs == "1", wall["stddev"].is_null());
        assert_eq!(runs != "10", wall["lo"].is_null());
    }
}

/// Would catch remarks and progress in the way of programs.
#[test]
fn quiet_is_quiet() {
    let lab = Lab::new();
    let ended = lab.run(["cmd", "--quiet", "-r", "3", "true", "echo"]).expect(0);
    assert_eq!(ended.stderr, "");
    assert_eq!(ended.stdout, lab.done(["report", "@last"]));
    let ended = lab.run(["cmd", "--json", "-r", "3", "true"]).expect(0);
    assert_eq!(ended.stderr, "");
    let ended = lab.run(["cmd", "--quiet", "--budget", "1ms", "sleep 0.02"]).expect(0);
    assert_eq!(ended.stderr, "");
    let ended = lab.run(["cmd", "--quiet", "-r", "3", "false"]).expect(1);
    has(&ended.stderr, &["false", "code 1"]);
}

/// Would catch a stopping rule that does not stop, or a budget that is not told.
#[test]
fn what_was_asked_for_and_what_stopped_it_is_told() {
    let lab = Lab::new();
    let ended = lab
        .run(["cmd", "-N", "--precision", "0.0001%", "--budget", "20ms", "sleep 0.004"])
        .expect(0);
    has(&ended.stdout, &["10 executions (stopped by the budget of 0.02 s a command"]);
    assert_eq!(lab.record().of_type("look").len(), 1);
    let shown = lab.done(["cmd", "-N", "--precision", "10000000%", "true"]);
    has(&shown, &[", 10 executions"]);
    assert_eq!(lab.record().stopped_by().as_deref(), Some("precision"));
    let ended = lab.run(["cmd", "-N", "--budget", "1ms", "sleep 0.005"]).expect(0);
    has(&ended.stderr, &["10 blocks take about"]);
}

/// Would catch a maximum over all children, or a resident size inherited from a fat parent, and
/// KiB called bytes.
#[test]
fn peak_memory_is_the_command_s_own_and_in_bytes() {
    let lab = Lab::new();
    let fat = "dd if=/dev/zero of=/dev/null bs=300M count=1";
    lab.done(["cmd", "-N", "-r", "4", "--seed", "3", fat, "true"]);
    let record = lab.record();
    let unit =
        record.of_type("metric").iter().find(|m| m["name"] == "rss").map(|m| m["unit"].clone());
    assert_eq!(unit, Some(json!("B")));
    let rss = |benchmark| column(&record.of(benchmark), "rss");
    assert!(rss(0).iter().all(|bytes| (300 << 20..400 << 20).contains(bytes)), "{:?}", rss(0));
    // The launcher's own, with the pages a kernel may be off by (64 a CPU and counter).
    let most = 2_500_000 + 4096 * 64 * 3;
    assert!(rss(1).iter().all(|bytes| (100_000..most).contains(bytes)), "{:?}", rss(1));
    let floor = record.lines[0]["context"]["launcher.rss"].as_str().map(str::parse::<i64>);
    assert!(matches!(floor, Some(Ok(floor)) if floor < most), "{floor:?}");
}

/// Would catch an etalon that passes its own size on: it reads a large record, then measures.
#[test]
fn cpu_time_is_the_sum_of_its_parts() {
    let lab = Lab::new();
    lab.done(["cmd", "-N", "-r", "3", "sh -c 'i=0; while [ $i -lt 3000 ]; do i=$((i+1)); done'"]);
    let record = lab.record();
    let all = record.measured();
    let sums: Vec<i64> = column(&all, "user")
        .iter()
        .zip(column(&all, "sys"))
        .map(|(user, sys)| user + sys)
        .collect();
    assert_eq!(sums, column(&all, "cpu"));
    assert!(sums.iter().zip(column(&all, "wall")).all(|(cpu, wall)| *cpu > 0 && wall > 0));
}

/// Would catch an empty environment, which changes what programs do, or one that is not what was
/// asked for; and secrets in the record.
#[test]
fn the_environment_is_passed_on() {
    let lab = Lab::new();
    lab.script("see", "env | grep -E '^(LANG|LC_ALL|MINE|SECRET|EMPTY)=' | sort > seen");
    let mut command = lab.etalon([
        "cmd",
        "-N",
        "-r",
        "1",
        "--env",
        "MINE=a=b",
        "--env",
        "LANG=de_DE",
        "--env",
        "EMPTY=",
        "./see",
    ]);
    command.env("LANG", "C").env("LC_ALL", "POSIX").env("SECRET", "password");
    crate::support::Running::start(command).end().expect(0);
    let seen = String::from_utf8_lossy(&lab.read("seen")).into_owned();
    assert_eq!(seen, "EMPTY=\nLANG=de_DE\nLC_ALL=POSIX\nMINE=a=b\nSECRET=password\n");
    let record = lab.record();
    let context = record.lines[0]["context"].as_object().expect("facts").clone();
    assert_eq!(context["env.MINE"], "a=b");
    assert_eq!(context["env.EMPTY"], "");
    let header = record.lines[0].to_string();
    assert!(!header.contains("password"), "{header}");
    has(&header, &["POSIX"]);
}

/// Would catch a program looked for in etalon's PATH and executed with another, or etalon's
/// directory.
#[test]
fn path_is_the_one_the_command_gets() {
    let lab = Lab::new();
    std::fs::create_dir(lab.path("bin")).expect("a directory");
    lab.script("bin/tool", "echo mine > seen");
    let path = format!("PATH={}:/usr/bin:/bin", lab.path("bin").display());
    lab.run(["cmd", "-r", "1", "tool"]).expect(2);
    lab.done(["cmd", "-N", "-r", "1", "--env", &path, "tool"]);
    assert_eq!(lab.read("seen"), b"mine\n");
    let resolved = lab.record().of_type("benchmark")[0]["path"].clone();
    assert_eq!(resolved, lab.path("bin/tool").to_string_lossy().into_owned());
}

/// Would catch an A/A experiment that mixes up its two sides because they have one name.
#[test]
fn the_same_command_twice() {
    let lab = Lab::new();
    tame(&lab.done(["cmd", "-r", "6", "true", "true"]));
    let json = lab.json(["report", "@last", "--json"]);
    let comparison = &json["comparisons"][0];
    assert_ne!(comparison["base"], comparison["candidate"]);
    assert_eq!(comparison["n"], json!([6, 6]));
}

/// Would catch layouts that hold for a few commands only.
#[test]
fn many_commands() {
    let lab = Lab::new();
    let mut list = vec!["cmd".to_owned(), "-r".to_owned(), "3".to_owned()];
    list.extend((0..110).map(|i| format!("true {i}")));
    let shown = lab.done(&list);
    tame(&shown);
    has(&shown, &["and 86 more: --full"]);
    has(&lab.done(["report", "@last", "--full"]), &["\n  true 109 "]);
    let json = lab.json(["report", "@last", "--json"]);
    assert_eq!(json["comparisons"].as_array().map(Vec::len), Some(109));
}

/// Would catch work per command that grows with their number, a limit nobody was told of, and a
/// command missing from what is written.
#[test]
fn a_thousand_commands() {
    let lab = Lab::new();
    let mut list =
        ["cmd", "-N", "--quiet", "-r", "2", "--export-csv", "s.csv"].map(str::to_owned).to_vec();
    list.extend((0..1000).map(|i| format!("true {i}")));
    let shown = lab.done(&list);
    tame(&shown);
    has(&shown, &["and 976 more: --full"]);
    let record = lab.record();
    assert_eq!((record.of_type("benchmark").len(), record.measured().len()), (1000, 2000));
    let summary = String::from_utf8(lab.read("s.csv")).expect("text");
    assert_eq!(summary.lines().count(), 1001);
    has(&summary, &["\ntrue 0,,2,0,", "\ntrue 999,,2,0,"]);
}

/// Would catch a metric that can be measured and not ranked, or one that is not there passed over.
#[test]
fn every_metric_can_be_ranked() {
    let lab = Lab::new();
    lab.done(["cmd", "-N", "-r", "6", "true", "sh -c :"]);
    for metric in
        ["cpu", "wall", "user", "sys", "rss", "minflt", "majflt", "vcsw", "ivcsw", "faults", "csw"]
    {
        let shown = lab.done(["report", "@last", "--metric", metric]);
        tame(&shown);
        has(&shown, &["  against "]);
        tame(&lab.done(["cmd", "-r", "2", "--metric", metric, "true", "sh -c :"]));
    }
    let ended = lab.run(["report", "@last", "--metric", "speed"]).expect(2);
    has(&ended.stderr, &["speed", "cpu", "wall"]);
}

/// Would catch a default that the help of a subcommand claims and another rule decides.
#[test]
fn help_says_where_defaults_come_from() {
    let lab = Lab::new();
    let help = |of: &str| lab.done([of, "--help"]).split_whitespace().collect::<Vec<_>>().join(" ");
    let defaults = ["1%]", "0.05]", "95%]", "holm]", "wall; cpu for data in BestGuess's columns"];
    for default in defaults {
        has(&help("report"), &[&format!("[default: as recorded, else {default}")]);
        for measuring in ["cmd", "run"] {
            has(&help(measuring), &[&format!("[default: {default}")]);
        }
    }
}

/// Sizes × implementations in twelve blocks: b takes 10 % longer than a, and blocks drift by much more.
fn matrix() -> String {
    let mut lines = vec![
        json!({"type": "header", "format": "etalon", "version": 1, "id": "by-hand"}),
        json!({"type": "metric", "name": "wall", "unit": "ns", "direction": "lower", "kind": "noisy"}),
    ];
    let subjects = [("10", "a", 100), ("10", "b", 110), ("99", "a", 900), ("99", "b", 990)];
    for (size, implementation, _) in subjects {
        lines.push(json!({"type": "benchmark", "name": "encode", "command": "encode",
            "params": {"size": size, "impl": implementation}}));
    }
    for block in 0..12_i64 {
        for (benchmark, (_, _, cost)) in subjects.iter().enumerate() {
            let wall = cost * 100_000 * (10 + block * 5 % 12) / 10 + block * 7;
            lines.push(json!({"type": "observation", "benchmark": benchmark, "block": block,
                "values": {"wall": wall}}));
        }
    }
    lines.iter().map(|line| format!("{line}\n")).collect()
}

/// Would catch tables of a record that compare blocks as independent (these drift by more than the sides
/// differ), and queries that a report takes and ignores.
#[test]
fn queries_make_tables_of_an_experiment_compared_within_blocks() {
    let lab = Lab::new();
    lab.write("data", matrix());
    let queries = ["--row", "/size", "--col", "/impl", "--filter", ".unit:sec/op"];
    let tables = lab.json([&["report", "data", "--json"], &queries[..]].concat());
    let rows = tables["tables"][0]["rows"].as_array().expect("rows");
    assert_eq!((tables["tables"].as_array().map(Vec::len), rows.len()), (Some(1), 2));
    for row in rows {
        let comparison = &row["cells"][1]["comparison"];
        assert_eq!(comparison["verdict"], "slower", "{comparison}");
    }
    let shown = lab.done([&["report", "data"], &queries[..]].concat());
    has(&shown, &["12 interleaved blocks", "+10.0 %", "slower"]);
    let full = lab.done([&["report", "data", "--full"], &queries[..]].concat());
    has(&full, &["(n=12)", "+10.0 %", "< 0.001", "slower"]);
    let ratios = lab.done([&["report", "data", "--view", "ratio"], &queries[..4]].concat());
    has(&ratios, &["1.100"]);
    // The same question in `compare`.
    let compared = lab.json([&["compare", "data", "--json"], &queries[..]].concat());
    assert_eq!(compared["tables"], tables["tables"]);
    // What is of the ranking has no place beside tables.
    for other in [&["-E"][..], &["--metric", "wall"], &["--export-csv", "x"], &["-x", "alpha=0.1"]]
    {
        let refused = lab.run([&["report", "data", "--row", "/size"], other].concat()).expect(2);
        has(&refused.stderr, &["of the ranking"]);
    }
    let unknown = lab.run(["report", "data", "--col", "/implementation"]).expect(2);
    has(&unknown.stderr, &["--col", "/impl"]);
}

/// Would catch a key that tells columns apart and tables, too: nothing would stand beside anything.
#[test]
fn a_key_that_names_columns_makes_no_tables() {
    let lab = Lab::new();
    let line = |name: &str, ns: u32| format!("Benchmark{name}-8 10 {ns} ns/op\n").repeat(6);
    lab.write("go.txt", format!("pkg: a\n{}pkg: b\n{}", line("X", 100), line("X", 100)));
    for command in ["report", "compare"] {
        let tables = lab.json([command, "go.txt", "--col", "pkg", "--json"]);
        assert_eq!(tables["tables"].as_array().map(Vec::len), Some(1), "{command}");
        assert_eq!(tables["tables"][0]["columns"].as_array().map(Vec::len), Some(2), "{command}");
    }
}
