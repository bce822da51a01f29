//! `etalon help`: topics that fit two screens and whose examples work, the help of subcommands, and suggestions.

use crate::support::{Lab, Running, has, tame};

/// The topics that the overview lists.
fn topics(lab: &Lab) -> Vec<String> {
    let overview = lab.done(["help"]);
    let (_, listed) = overview.split_once("Topics,").expect("a list of topics");
    let names = listed.lines().skip(1).filter_map(|line| line.split_whitespace().next());
    names.map(str::to_owned).collect()
}

/// Would catch a topic that nobody reads to its end, and one that no documentation continues.
#[test]
fn topics_fit_two_screens_and_say_where_more_is() {
    let lab = Lab::new();
    let topics = topics(&lab);
    assert!(topics.len() >= 6, "{topics:?}");
    for topic in topics {
        let text = lab.done(["help", &topic]);
        tame(&text);
        // What is looked up in a table of another program's options is found in it.
        let most = if ["hyperfine", "bestguess"].contains(&topic.as_str()) { 60 } else { 48 };
        assert!(text.lines().count() <= most, "{topic}: {} lines", text.lines().count());
        let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let words = text.split([' ', ',', '\n']).filter(|word| word.starts_with("docs/"));
        let pages: Vec<&str> = words.collect();
        assert!(!pages.is_empty(), "{topic} names no page");
        for page in pages {
            assert!(root.join(page).is_file(), "{topic}: {page}");
        }
    }
}

/// Would catch an example whose option was renamed, or that needs what nobody has.
#[test]
fn the_examples_of_topics_work() {
    let lab = Lab::new();
    for (file, encode) in [("old.txt", 100), ("new.txt", 130)] {
        let line = |i: i32| format!("BenchmarkEncode-8 1000 {} ns/op 64 B/op\n", encode + i % 3);
        lab.write(file, (0..10).map(line).collect::<String>());
    }
    let here = std::path::Path::new(env!("CARGO_BIN_EXE_etalon")).parent().expect("a directory");
    // Examples of `nodes` need other machines: `nodes::on` has them.
    for topic in topics(&lab).into_iter().filter(|topic| topic != "nodes") {
        let text = lab.done(["help", &topic]);
        let examples: Vec<&str> =
            text.lines().filter_map(|line| line.strip_prefix("  $ ")).collect();
        assert!(!examples.is_empty(), "{topic} has no example");
        for example in examples {
            let command = format!("PATH='{}':$PATH; {example}", here.display());
            Running::start(lab.shell(&command)).end().expect(0);
        }
    }
}

/// Would catch a screen of `-h` that clap words instead, that a pipe widens, or that names a topic that there is not.
#[test]
fn the_screen_of_a_subcommand_leads_on() {
    let lab = Lab::new();
    let topics = topics(&lab);
    for names in [&[][..], &["cmd"], &["run"], &["report"], &["compare"], &["convert"], &["runs"]] {
        let screen = lab.done([names, &["-h"]].concat());
        tame(&screen);
        assert!(screen.lines().count() <= 24, "{screen}");
        has(&screen, &["\nUsage: etalon", "\nExamples:\n  etalon "]);
        let (_, named) = screen.rsplit_once("etalon help TOPIC (").expect("topics");
        let named: Vec<&str> = named.split([',', ' ', ')', '\n', '…']).collect();
        for topic in named.into_iter().filter(|topic| !topic.is_empty()) {
            assert!(topics.iter().any(|known| known == topic), "{names:?}: {topic}");
        }
        let whole = lab.done([names, &["--help"]].concat());
        has(&whole, &["\nUsage: etalon", "\nExamples:\n  etalon "]);
    }
    // One after others, and among letters.
    let screen = lab.done(["cmd", "-h"]);
    assert_eq!(lab.done(["cmd", "-r", "3", "true", "-Eh"]), screen);
    // What is called without anything gets the same screen.
    let ended = lab.run([""; 0]).expect(2);
    has(&ended.stderr, &["\nExamples:\n  etalon cmd", "name a subcommand"]);
}

/// Would catch a help that is not that of the subcommand.
#[test]
fn the_help_of_a_subcommand_is_its_own() {
    let lab = Lab::new();
    for names in [&["cmd"][..], &["compare"], &["runs"], &["runs", "prune"]] {
        let helped = lab.done([&["help"], names].concat());
        let own = lab.done([names, &["--help"]].concat());
        assert_eq!(helped, own, "{names:?}");
    }
}

/// Would catch an error that leaves a user alone with a typing mistake.
#[test]
fn what_is_misspelt_gets_a_suggestion() {
    let lab = Lab::new();
    for (typed, meant) in [("metric", "metrics"), ("verdcits", "verdicts"), ("comapre", "compare")]
    {
        let ended = lab.run(["help", typed]).expect(2);
        has(&ended.stderr, &[&format!("did you mean `{meant}`?"), "`etalon help` lists them"]);
    }
    let ended = lab.run(["help", "quantum"]).expect(2);
    assert!(!ended.stderr.contains("did you mean"), "{}", ended.stderr);
    let nested = lab.run(["help", "runs", "prun"]).expect(2);
    has(&nested.stderr, &["`prune`"]);
}

/// Would catch a page that a terminal without UTF-8 shows as rubble.
#[test]
fn pages_are_ascii_where_the_locale_is() {
    let lab = Lab::new();
    for page in
        [&["-h"][..], &["cmd", "-h"], &["report", "--help"], &["help"], &["help", "statistics"]]
    {
        assert!(!lab.done(page).is_ascii(), "{page:?} has nothing to be spelt otherwise");
        let mut command = lab.etalon(page);
        command.env("LC_ALL", "C");
        let printed = Running::start(command).end().expect(0).stdout;
        assert!(printed.is_ascii(), "{page:?}: {printed}");
    }
}
