//! Misspelt options and subcommands, and commands without a subcommand: what was meant is told.

use crate::support::{Lab, has};

/// What was typed, and the option that was meant.
const OPTIONS: [(&str, &str, &str); 34] = [
    ("cmd", "--rums", "--runs"),
    ("cmd", "--run", "--runs"),
    ("cmd", "--warmpu", "--warmup"),
    ("cmd", "--warm-up", "--warmup"),
    ("cmd", "--prepair", "--prepare"),
    ("cmd", "--cleenup", "--cleanup"),
    ("cmd", "--conlude", "--conclude"),
    ("cmd", "--time-uint", "--time-unit"),
    ("cmd", "--export-jsn", "--export-json"),
    ("cmd", "--export-mardown", "--export-markdown"),
    ("cmd", "--ignore-failures", "--ignore-failure"),
    ("cmd", "--ignore", "--ignore-failure"),
    ("cmd", "--shel", "--shell"),
    ("cmd", "--refrence", "--reference"),
    ("cmd", "--metrik", "--metric"),
    ("cmd", "--marign", "--margin"),
    ("cmd", "--budegt", "--budget"),
    ("cmd", "--presicion", "--precision"),
    ("cmd", "--outptu", "--output"),
    ("cmd", "--no-stat", "--no-stats"),
    ("cmd", "--boxplots", "--boxplot"),
    ("cmd", "--explian", "--explain"),
    ("cmd", "--quite", "--quiet"),
    ("cmd", "--confidance", "--confidence"),
    ("cmd", "--corection", "--correction"),
    ("cmd", "--randomise-env", "--randomize-env"),
    ("cmd", "--paramter-scan", "--parameter-scan"),
    ("cmd", "--max-block", "--max-blocks"),
    ("run", "--exlude", "--exclude"),
    ("run", "--memory-limt", "--memory-limit"),
    ("report", "--fromat", "--format"),
    ("compare", "--fail-one", "--fail-on"),
    ("compare", "--requires", "--require"),
    ("convert", "--form", "--from"),
];

/// Would catch a suggestion that is missing, wrong, or no option.
#[test]
fn a_misspelt_option_gets_the_one_that_was_meant() {
    let lab = Lab::new();
    // What `--help` does not list stands in these.
    let topics = ["hyperfine", "bestguess", "lua-measure", "surroundings"];
    let topics = topics.map(|topic| lab.done(["help", topic])).concat();
    for (subcommand, typed, meant) in OPTIONS {
        let ended = lab.run([subcommand, typed, "x"]).expect(2);
        has(&ended.stderr, &[typed, &format!("did you mean {meant}?")]);
        let help = lab.done([subcommand, "--help"]) + &topics;
        let exists = help.split_whitespace().any(|word| word.trim_end_matches(',') == meant);
        assert!(exists || help.contains(&format!("{meant}[")), "{subcommand} {meant}");
    }
    let ended = lab.run(["run", "--until-decided", "x.lua"]).expect(2);
    has(&ended.stderr, &["did you mean --until decided?"]);
    // Another program's, misspelt or not; the suites' options too.
    for (subcommand, typed, meant) in [
        ("cmd", "--min-run=5", "--min-runs: hyperfine's option; write --min-blocks 5"),
        ("run", "--rciw=5", "--precision 2.5% for rciw = 5"),
        ("run", "--confidence-level=95", "write --confidence 95%"),
        ("run", "--gc_step=0", "write --gc-step 0"),
    ] {
        has(&lab.run([subcommand, typed, "x"]).expect(2).stderr, &[meant]);
    }
    // What is far from everything is not guessed.
    for typed in ["--zzzzzz", "--x", "-Z"] {
        let ended = lab.run(["cmd", typed, "true"]).expect(2);
        assert!(!ended.stderr.contains("did you mean"), "{}", ended.stderr);
        has(&ended.stderr, &["`etalon cmd --help` lists the options"]);
    }
}

/// Would catch an option that is known, but not where it was typed.
#[test]
fn an_option_of_another_subcommand_says_whose_it_is() {
    let lab = Lab::new();
    for (line, whose) in [
        (["cmd", "--fail-on", "worse"], "`etalon report` and `etalon compare` have it"),
        (["report", "--warmup", "3"], "`etalon cmd`, `etalon run` and `etalon ab` have it"),
        (
            ["compare", "--counters", "a"],
            "`etalon cmd`, `etalon ab`, `etalon bisect` and `etalon noise` have it",
        ),
        (["convert", "--json", "a"], "have it"),
        (["runs", "prune", "--bogus"], "`etalon runs prune --help` lists the options"),
        (["cmd", "--verbose", "true"], "--full prints all there is, and `etalon -V` the version"),
        (["go", "--verbose", "."], "--full prints all there is, and `etalon -V` the version"),
        (["convert", "--verbose", "x"], "`etalon convert --help` lists the options"),
    ] {
        let ended = lab.run(line).expect(2);
        let option = line.iter().find(|word| word.starts_with("--")).expect("an option");
        has(&ended.stderr, &[*option, "has no such option", whose]);
    }
}

/// Would catch a suggestion that cannot be pasted, or does something else than what was typed.
#[test]
fn commands_without_a_subcommand_get_the_line_to_paste() {
    let lab = Lab::new();
    for (typed, meant) in [
        (&["sleep 1", "true"][..], "etalon cmd 'sleep 1' true"),
        (&["it's"], r"etalon cmd 'it'\''s'"),
        (&["sleep", "0.01"], "etalon cmd 'sleep 0.01'"),
        (&["-r", "5", "sleep 1"], "etalon cmd -r 5 'sleep 1'"),
        (&["--runs", "5", "true"], "etalon cmd --runs 5 true"),
        (&["comapre", "a b", "c"], "did you mean `etalon compare 'a b' c`?"),
        (&["rnu", "x.lua"], "did you mean `etalon run x.lua`?"),
        (&["reprot", "@last"], "did you mean `etalon report @last`?"),
        (&["covnert"], "did you mean `etalon convert`?"),
        (&["cdm", "true"], "did you mean `etalon cmd true`?"),
        (&["runs", "lst"], "did you mean `etalon runs list`?"),
        (&["runs", "nmae", "@last", "a"], "did you mean `etalon runs name @last a`?"),
    ] {
        let ended = lab.run(typed).expect(2);
        has(&ended.stderr, &[meant]);
        assert_eq!(ended.stderr.lines().count(), 1, "{}", ended.stderr);
    }
    // What is suggested does what was meant.
    let line = lab.run(["sh -c :", "true"]).expect(2).stderr;
    let (_, line) = line.trim().split_once(": etalon ").expect("a line to paste");
    lab.shell(&format!("$E {line} -r 1")).status().expect("the shell");
    assert_eq!(lab.record().of_type("benchmark")[0]["command"], "sh -c :");
}

/// Would catch Go's way to write an option being taken for a bundle of letters.
#[test]
fn a_long_option_with_one_dash_is_recognised() {
    let lab = Lab::new();
    for (typed, meant) in [("-col", "--col"), ("-alpha=0.01", "--alpha"), ("-filter", "--filter")] {
        let ended = lab.run(["compare", typed, ".file", "a.txt", "b.txt"]).expect(2);
        has(&ended.stderr, &[&format!("long options have two dashes: {meant}")]);
        assert_eq!(ended.stderr.lines().count(), 1, "{}", ended.stderr);
    }
}

/// Would catch data and suites, or what another program is given, being taken for commands.
#[test]
fn what_is_no_command_gets_the_subcommand_that_takes_it() {
    let lab = Lab::new();
    lab.write("old.txt", "");
    lab.write("new.txt", "");
    lab.write("x_bench.lua", "");
    lab.script("program", "");
    for (typed, meant) in [
        (&["old.txt"][..], "etalon report old.txt"),
        (&["old.txt", "new.txt"], "etalon compare old.txt new.txt"),
        (&["x_bench.lua"], "etalon run x_bench.lua"),
        (&["./program", "old.txt"], "etalon cmd './program old.txt'"),
        (&["benchstat", "old.txt", "new.txt"], "etalon compare --style benchstat old.txt new.txt"),
        (&["hyperfine", "sleep 1", "true"], "etalon cmd 'sleep 1' true"),
    ] {
        let ended = lab.run(typed).expect(2);
        assert!(ended.stderr.ends_with(&format!(": {meant}\n")), "{}", ended.stderr);
    }
}

/// Would catch an error that each subcommand words by itself.
#[test]
fn a_file_that_is_not_there_is_told_in_one_way() {
    let lab = Lab::new();
    let typed: [&[&str]; 5] = [
        &["report", "gone"],
        &["compare", "gone", "gone"],
        &["convert", "gone", "--to", "go"],
        &["cmd", "-f", "gone"],
        &["run", "gone"],
    ];
    for arguments in typed {
        let said = lab.run(arguments).expect(2).stderr;
        has(&said, &["etalon: cannot open gone: No such file or directory"]);
        assert!(!said.contains("os error"), "{said}");
    }
}

/// Would catch a list of arguments without a way on.
#[test]
fn what_is_missing_is_told_with_where_examples_are() {
    let lab = Lab::new();
    let said = lab.run(["runs", "bundle", "@last"]).expect(2).stderr;
    has(&said, &["`etalon runs bundle` needs --output FILE: `etalon runs bundle -h` has examples"]);
    let said = lab.run(["runs", "bundle"]).expect(2).stderr;
    has(&said, &["needs --output FILE and RUNS...: "]);
    has(&lab.run(["report"]).expect(2).stderr, &["`etalon report` needs DATA...: "]);
    // What everybody types for it.
    has(&lab.run(["runs", "rm", "@gone"]).expect(2).stderr, &["no saved run `@gone`"]);
    lab.run(["runs", "ls"]).expect(0);
}
