//! `etalon help`: what there is, a subcommand's `--help`, and topics that are no option's.
//!
//! Owns the topics, one short text each (`help/`), which names the page of the documentation that says it in full.
//! Refuses to say anything that a page says better.

use clap::{Command, CommandFactory};

use etalon_report::view::Colour;

use crate::cli::habits::{Program, page};
use crate::cli::mistakes::nearest;
use crate::cli::pages::with_pages;
use crate::cli::{Cli, Help};
use crate::failure::{Exit, Failure};
use crate::output;

struct Topic {
    name: &'static str,
    about: &'static str,
    text: fn() -> String,
}

/// All of them, in the order in which they are listed.
const TOPICS: [Topic; 18] = [
    Topic {
        name: "experiments",
        about: "Jobs, implementations and tables from one file",
        text: || include_str!("help/experiments.txt").to_owned(),
    },
    Topic {
        name: "orders",
        about: "In which order executions follow each other",
        text: || include_str!("help/orders.txt").to_owned(),
    },
    Topic {
        name: "layouts",
        about: "Several builds of a side whose code is placed otherwise",
        text: || include_str!("help/layouts.txt").to_owned(),
    },
    Topic {
        name: "verdicts",
        about: "What a comparison may come to",
        text: || include_str!("help/verdicts.txt").to_owned(),
    },
    Topic {
        name: "checks",
        about: "Thresholds and waivers of a project, for CI",
        text: || include_str!("help/checks.txt").to_owned(),
    },
    Topic {
        name: "formats",
        about: "Files that are read and written",
        text: || include_str!("help/formats.txt").to_owned(),
    },
    Topic {
        name: "harnesses",
        about: "Commands that time benchmarks by themselves",
        text: || include_str!("help/harnesses.txt").to_owned(),
    },
    Topic {
        name: "metrics",
        about: "What is measured, and what is ranked",
        text: || include_str!("help/metrics.txt").to_owned(),
    },
    Topic {
        name: "statistics",
        about: "Where the numbers of a report come from",
        text: || include_str!("help/statistics.txt").to_owned(),
    },
    Topic {
        name: "scatter",
        about: "How much identical programs differ, and what is visible",
        text: || include_str!("help/scatter.txt").to_owned(),
    },
    Topic {
        name: "surroundings",
        about: "What commands and cases are executed under",
        text: || include_str!("help/surroundings.txt").to_owned(),
    },
    Topic {
        name: "nodes",
        about: "Measuring on other machines",
        text: || include_str!("help/nodes.txt").to_owned(),
    },
    Topic {
        name: "tables",
        about: "How tables of comparisons are shaped",
        text: || include_str!("help/tables.txt").to_owned(),
    },
    Topic {
        name: "benchstat",
        about: "From benchstat to etalon compare",
        text: || include_str!("help/benchstat.txt").to_owned(),
    },
    Topic {
        name: "go-test",
        about: "From go test to etalon go, flag by flag",
        text: || include_str!("help/go-test.txt").to_owned(),
    },
    Topic {
        name: "hyperfine",
        about: "From hyperfine to etalon cmd, option by option",
        text: || format!("{}{}", page(Program::Hyperfine), include_str!("help/hyperfine.txt")),
    },
    Topic {
        name: "bestguess",
        about: "From BestGuess to etalon cmd, option by option",
        text: || format!("{}{}", page(Program::BestGuess), include_str!("help/bestguess.txt")),
    },
    Topic {
        name: "lua-measure",
        about: "From lua-measure to etalon run, option by option",
        text: || format!("{}{}", page(Program::LuaMeasure), include_str!("help/lua-measure.txt")),
    },
];

/// Runs the subcommand.
pub(crate) fn run(asked: &Help) -> Result<Exit, Failure> {
    match &asked.about[..] {
        [] => print(&overview()),
        [name] if topic(name).is_some() => {
            print(&topic(name).map_or_else(String::new, |topic| (topic.text)()))
        }
        names => {
            check(names)?;
            let words = std::iter::once("etalon").chain(names.iter().map(String::as_str));
            let words: Vec<String> = words.chain(["--help"]).map(str::to_owned).collect();
            let command = with_pages(Cli::command(), output::width(), &words);
            match command.try_get_matches_from(words) {
                Err(help) => output::usage(&help),
                Ok(_) => Ok(Exit::Done), // --help never parses
            }
        }
    }
}

fn print(text: &str) -> Result<Exit, Failure> {
    output::lines(&[output::charset().spell(text.trim_end())]).map(|()| Exit::Done)
}

fn topic(name: &str) -> Option<&'static Topic> {
    TOPICS.iter().find(|topic| topic.name == name)
}

/// The help of etalon itself, and the topics.
fn overview() -> String {
    let help = with_pages(Cli::command(), output::width(), &[]).render_help();
    let mut text = match output::colour() {
        Colour::Ansi => help.ansi().to_string(),
        Colour::Never => help.to_string(),
    };
    text.push_str("\nTopics, with `etalon help TOPIC`:\n");
    for Topic { name, about, .. } in &TOPICS {
        text.push_str(&format!("  {name:<14}{about}\n"));
    }
    text
}

/// Refuses names of no subcommand; those of a nested one follow each other, `runs prune`.
fn check(names: &[String]) -> Result<(), Failure> {
    let mut root = Cli::command();
    root.build();
    let mut found = &root;
    for (depth, name) in names.iter().enumerate() {
        found = found.find_subcommand(name).ok_or_else(|| unknown(found, name, depth))?;
    }
    Ok(())
}

/// The refusal of a name that is neither: which one was meant, if it is close, and where a list is.
fn unknown(among: &Command, name: &str, depth: usize) -> Failure {
    let topics = TOPICS.iter().map(|topic| topic.name).filter(|_| depth == 0);
    let known = among.get_subcommands().map(Command::get_name).chain(topics);
    let hint = match nearest(name, known.map(str::to_owned)) {
        Some(close) => format!("did you mean `{close}`? "),
        None => String::new(),
    };
    Failure::about(
        format!("help {name}"),
        format!("no such topic or subcommand: {hint}`etalon help` lists them"),
    )
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// The most that a reader of a page looks through, and that all pages together name. A later option of the design
    /// goes into [`RAISED`] by its name; nothing else raises a limit.
    const OF_CMD: usize = 45;
    const DISTINCT: usize = 95;
    /// Options that came since, each with the pages that list it.
    const RAISED: [&str; 1] = ["--results"];

    /// Every subcommand, its options defined.
    fn subcommands() -> Vec<Command> {
        let mut root = Cli::command();
        root.build();
        root.get_subcommands().cloned().collect()
    }

    /// The options of a page by their longest names, `--help` left out.
    fn options(command: &Command, is_hidden: bool) -> Vec<String> {
        let options = command.get_opts().filter(|it| it.is_hide_set() == is_hidden);
        let name = |it: &clap::Arg| match (it.get_long(), it.get_short()) {
            (Some(long), _) => format!("--{long}"),
            (None, short) => short.map(|it| format!("-{it}")).unwrap_or_default(),
        };
        options.map(name).filter(|it| it != "--help").collect()
    }

    /// Would catch pages that grow by an option nobody ordered.
    #[test]
    fn pages_list_few_options() {
        let commands = subcommands();
        let listed = |command: &Command| -> BTreeSet<String> {
            let listed = options(command, false).into_iter();
            listed.filter(|it| !RAISED.contains(&it.as_str())).collect()
        };
        let cmd = commands.iter().find(|it| it.get_name() == "cmd").map(listed).unwrap_or_default();
        assert!(cmd.len() <= OF_CMD, "{}: {cmd:?}", cmd.len());
        let all: BTreeSet<String> = commands.iter().flat_map(listed).collect();
        assert!(all.len() <= DISTINCT, "{}: {all:?}", all.len());
    }

    /// Would catch an option that is taken and that nothing tells of.
    #[test]
    fn what_no_page_lists_a_topic_does() {
        let topics: String = TOPICS.iter().map(|topic| (topic.text)()).collect();
        let named: BTreeSet<&str> =
            topics.split(|c: char| !c.is_ascii_alphanumeric() && c != '-').collect();
        for command in subcommands() {
            for option in options(&command, true) {
                // Known to cmd only to say where it belongs.
                let belongs_elsewhere = command.get_name() == "cmd" && option == "--by";
                let is_named = named.contains(option.as_str());
                assert!(is_named || belongs_elsewhere, "{} {option}", command.get_name());
            }
        }
    }
}
