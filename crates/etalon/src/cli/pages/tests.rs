#![allow(clippy::unwrap_used, reason = "a failed step is a failed test")]

use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;

use clap::CommandFactory;

use super::*;
use crate::cli::Cli;

/// Every command with what it is called by.
fn all() -> Vec<(String, Command)> {
    let mut root = Cli::command();
    root.build();
    let mut all = vec![("etalon".to_owned(), root)];
    let mut next = 0;
    while let Some((path, command)) = all.get(next).cloned() {
        let below = command.get_subcommands();
        all.extend(below.map(|below| (format!("{path} {}", below.get_name()), below.clone())));
        next += 1;
    }
    all
}

/// Would catch a subcommand that is listed as doing something else than its page says.
#[test]
fn a_subcommand_says_the_same_of_itself_everywhere() {
    let listed = Cli::command();
    for (path, built) in all().into_iter().filter(|(path, _)| path.matches(' ').count() == 1) {
        let below = listed.get_subcommands().find(|below| below.get_name() == built.get_name());
        let said = below.unwrap().get_about().unwrap().to_string();
        assert_eq!(built.get_about().unwrap().to_string(), said, "{path}");
    }
}

/// Would catch a screen of the program that does not follow its definition.
#[test]
fn the_screen_of_the_program_says_what_its_definition_says() {
    let (path, command) = all().swap_remove(0);
    assert_eq!(Said::root(), Said::of(&command, &path));
}

/// Would catch a screen that scrolls its beginning away, or is torn.
#[test]
fn a_short_page_is_one_screen() {
    for (path, command) in all() {
        let page = short(&command, &path, 80).to_string();
        assert!(page.lines().count() <= 24, "{path}: {} lines\n{page}", page.lines().count());
        let widest = page.lines().max_by_key(|line| width(line)).unwrap();
        assert!(width(widest) <= 80, "{path}: {widest}");
        let more = page.lines().last().unwrap();
        assert!(more.starts_with(&format!("More: {path} --help")), "{path}: {more}");
    }
}

/// Would catch an option on a screen that was renamed, and one whose words need a second line.
#[test]
fn a_short_page_has_its_options_each_on_a_line() {
    for brief in brief::all() {
        let (_, command) = all().into_iter().find(|(path, _)| path == brief.path).unwrap();
        let page = short(&command, brief.path, 80).to_string();
        assert!(brief.options.len() <= 10, "{}", brief.path);
        let (_, listed) = page.split_once("Options:\n").unwrap_or_default();
        let listed = listed.lines().take_while(|line| !line.is_empty()).count();
        assert_eq!(listed, brief.options.len(), "{}\n{page}", brief.path);
    }
}

/// Would catch a subcommand without examples, an example that is torn, and one whose option was renamed.
#[test]
fn examples_parse() {
    for (path, command) in all() {
        let brief = brief::of(&path);
        // Actions on runs and on the history do one thing.
        let acts = ["etalon runs ", "etalon history "].iter().any(|of| path.starts_with(of));
        let fewest = match path.as_str() {
            // The screen is full of subcommands.
            "etalon" => 1,
            _ if acts => 1,
            _ => 3,
        };
        assert!((fewest..=3).contains(&brief.examples.len()), "{path}");
        let page = short(&command, &path, 80).to_string();
        for (line, does) in brief.examples {
            let begins = format!("  {line}  ");
            let shown = page.lines().find(|row| row.starts_with(&begins)).unwrap();
            assert_eq!(shown[begins.len()..].trim_start(), *does, "{path}");
            let words = etalon_run::words::split(line.as_bytes()).unwrap();
            let words = words.into_iter().map(OsString::from_vec);
            let words = crate::cli::go_flags::translated(words).unwrap();
            Cli::command().try_get_matches_from(words).map(drop).unwrap();
        }
    }
}

/// Would catch an option that no page lists though it is to be listed, and one that is listed though it is not.
#[test]
fn a_whole_page_has_every_option() {
    for (path, command) in all() {
        let page = whole(&command, &path, 80).to_string();
        for arg in command.get_arguments().filter(|arg| !is_of_help(arg)) {
            let lead = lead(arg);
            let has = page.lines().any(|line| {
                line.strip_prefix(&lead)
                    .is_some_and(|rest| rest.is_empty() || rest.starts_with("  "))
            });
            assert_eq!(has, !arg.is_hide_set(), "{path}: {lead}\n{page}");
        }
        let widest = page.lines().max_by_key(|line| width(line)).unwrap();
        assert!(width(widest) <= 80, "{path}: {widest}");
    }
}
