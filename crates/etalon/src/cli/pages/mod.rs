//! The pages that `-h` and `--help` print: `-h` one screen with examples and the options people use, `--help` all
//! options in groups.
//!
//! Owns how pages look; [`brief`] says which options and examples stand on a screen. Every word about an option is
//! from its definition. Refuses to parse: clap decides which page was asked for.

mod brief;

use clap::builder::styling::Style;
use clap::builder::{StyledStr, Styles};
use clap::{Arg, Command};

use etalon_report::text::{hanging, width};

use brief::Brief;

/// The narrowest and the widest page, in columns: a page is made for 80, and longer lines are harder to read.
const NARROWEST: usize = 40;
const WIDEST: usize = 100;

/// Where the text beside an option begins on a page of all options. Because most options end before it, and 54 of 80
/// columns are left for the text.
const TEXT_AT: usize = 26;

/// A command with its pages in place of clap's own, and so those below it that `words` name: no other can be asked for.
pub(crate) fn with_pages(command: Command, columns: usize, words: &[String]) -> Command {
    paged(command, "etalon", columns.clamp(NARROWEST, WIDEST), words)
}

fn paged(mut command: Command, path: &str, columns: usize, words: &[String]) -> Command {
    // Defines its own options, and leaves those of other subcommands undefined, which `build` would not.
    let _usage = command.render_usage();
    let short = short(&command, path, columns);
    // Of all options only where it is asked for: the other one is a tenth of it.
    let asks_for_all = words.iter().any(|word| word == "--help");
    let whole = asks_for_all.then(|| whole(&command, path, columns));
    let names = command.get_subcommands().map(|below| below.get_name().to_owned());
    let named: Vec<String> = names.filter(|name| words.contains(name)).collect();
    let command = command.help_template("{before-help}").before_help(short);
    let command = whole.into_iter().fold(command, Command::before_long_help);
    named.into_iter().fold(command, |command, name| {
        let path = format!("{path} {name}");
        command.mut_subcommand(name, |below| paged(below, &path, columns, words))
    })
}

/// A command and all below it with their examples below clap's own help, as man pages have them.
#[allow(dead_code, reason = "man pages are made by an example that includes this module")]
pub(crate) fn with_examples(mut command: Command) -> Command {
    command.build();
    exemplified(command, "etalon")
}

fn exemplified(command: Command, path: &str) -> Command {
    let names: Vec<String> =
        command.get_subcommands().map(|below| below.get_name().to_owned()).collect();
    let examples = examples(brief::of(path), usize::MAX).join("\n");
    names.into_iter().fold(command.after_help(examples), |command, name| {
        let path = format!("{path} {name}");
        command.mut_subcommand(name, |below| exemplified(below, &path))
    })
}

/// How pages are styled: as clap's messages.
const STYLES: Styles = Styles::styled();

/// Texts of a screen about a command: what it does, how it is called, what is below it, and options with their texts.
#[derive(Debug, PartialEq, Eq)]
struct Said {
    about: String,
    call: String,
    subcommands: Vec<(String, String)>,
    options: Vec<(String, String)>,
}

impl Said {
    fn of(command: &Command, path: &str) -> Said {
        let about =
            |command: &Command| command.get_about().map(ToString::to_string).unwrap_or_default();
        let usage = command.clone().bin_name(path).render_usage().to_string();
        let usage = usage.replace(['<', '>'], "");
        let used = |id: &&str| command.get_arguments().find(|arg| arg.get_id().as_str() == *id);
        let text = |arg: &Arg| {
            let help = arg.get_help().map(ToString::to_string).unwrap_or_default();
            format!("{help}{}", few_values(arg))
        };
        let options = brief::of(path).options.iter().filter_map(used);
        Said {
            about: about(command),
            call: usage.trim_start_matches("Usage: ").to_owned(),
            subcommands: command
                .get_subcommands()
                .filter(|below| !below.is_hide_set())
                .map(|below| (below.get_name().to_owned(), about(below)))
                .collect(),
            options: options.map(|arg| (lead(arg), text(arg))).collect(),
        }
    }

    /// Of the program itself, without its definition.
    fn root() -> Said {
        let owned = |(lead, text): &(&str, &str)| ((*lead).to_owned(), (*text).to_owned());
        Said {
            about: brief::ABOUT.to_owned(),
            call: brief::CALL.to_owned(),
            subcommands: brief::SUBCOMMANDS.iter().map(owned).collect(),
            options: Vec::new(),
        }
    }
}

/// A page that is being written.
struct Page {
    lines: Vec<String>,
    columns: usize,
}

impl Page {
    /// Begins a page with what the command does and how it is called.
    fn of(said: &Said, columns: usize) -> Page {
        let mut page = Page { lines: hanging("", &said.about, columns), columns };
        page.lines.push(String::new());
        page.lines.push(format!("{} {}", styled("Usage:", STYLES.get_usage()), said.call));
        page
    }

    /// A heading with a blank line before it.
    fn heading(&mut self, heading: &str) {
        self.lines.push(String::new());
        self.lines.push(styled(&format!("{heading}:"), STYLES.get_header()));
    }

    /// An option, argument or subcommand and its text, which begins in a column of its own.
    fn entry(&mut self, lead: &str, text: &str, text_at: usize) {
        let padding = " ".repeat(text_at);
        let is_long = width(lead) + 2 > text_at;
        let hung = match is_long {
            true => hanging(&padding, text, self.columns),
            false => {
                let gap = " ".repeat(text_at - width(lead));
                hanging(&format!("{lead}{gap}"), text, self.columns)
            }
        };
        let lead_styled = styled(lead, STYLES.get_literal());
        if is_long {
            self.lines.push(lead_styled);
            self.lines.extend(hung);
        } else {
            let mut hung = hung.into_iter();
            self.lines.extend(hung.next().map(|line| line.replacen(lead, &lead_styled, 1)));
            self.lines.extend(hung);
        }
    }

    fn subcommands(&mut self, subcommands: &[(String, String)]) {
        let longest = subcommands.iter().map(|(name, _)| name.len()).max();
        let Some(longest) = longest else { return };
        self.heading("Subcommands");
        for (name, about) in subcommands {
            self.entry(&format!("  {name}"), about, longest + 4);
        }
    }

    fn examples(&mut self, brief: &Brief) {
        self.heading("Examples");
        self.lines.extend(examples(brief, self.columns));
    }

    /// Where the rest is.
    fn more(&mut self, path: &str, brief: &Brief, is_short: bool) {
        let topics = match brief.topics {
            [] => "etalon help TOPIC".to_owned(),
            topics => format!("etalon help TOPIC ({}, …)", topics.join(", ")),
        };
        let said = if is_short { format!("{path} --help, {topics}") } else { topics };
        self.lines.push(String::new());
        self.lines.extend(hanging("More: ", &said, self.columns));
    }

    fn text(self) -> StyledStr {
        StyledStr::from(self.lines.join("\n"))
    }
}

/// One screen: examples, the options people use, and where the rest is.
fn short(command: &Command, path: &str, columns: usize) -> StyledStr {
    screen(&Said::of(command, path), path, columns)
}

/// The screen of the program itself. Because its definition takes longer than all the rest of a start.
pub(crate) fn root(columns: usize) -> StyledStr {
    screen(&Said::root(), "etalon", columns.clamp(NARROWEST, WIDEST))
}

fn screen(said: &Said, path: &str, columns: usize) -> StyledStr {
    let brief = brief::of(path);
    let mut page = Page::of(said, columns);
    page.examples(brief);
    page.subcommands(&said.subcommands);
    let longest = said.options.iter().map(|(lead, _)| width(lead)).max();
    if let Some(longest) = longest {
        page.heading("Options");
        for (lead, text) in &said.options {
            page.entry(lead, text, longest + 2);
        }
    }
    page.more(path, brief, true);
    page.text()
}

/// Everything, in groups.
fn whole(command: &Command, path: &str, columns: usize) -> StyledStr {
    let said = Said::of(command, path);
    let mut page = Page::of(&said, columns);
    page.subcommands(&said.subcommands);
    let mut groups: Vec<(&str, Vec<&Arg>)> = Vec::new();
    for arg in command.get_arguments().filter(|arg| !arg.is_hide_set() && !is_of_help(arg)) {
        let heading = arg.get_help_heading().unwrap_or(match arg.is_positional() {
            true => "Arguments",
            false => "Options",
        });
        match groups.iter_mut().find(|(name, _)| *name == heading) {
            Some((_, args)) => args.push(arg),
            None => groups.push((heading, vec![arg])),
        }
    }
    for (heading, args) in groups {
        page.heading(heading);
        for arg in args {
            page.entry(&lead(arg), &text(arg), TEXT_AT);
            let values = explained_values(arg);
            let longest = values.iter().map(|(name, _)| width(name)).max().unwrap_or_default();
            for (name, help) in values {
                let lead = format!("{:TEXT_AT$}{name:longest$}  ", "");
                page.lines.extend(hanging(&lead, &help, columns));
            }
        }
    }
    let brief = brief::of(path);
    page.examples(brief);
    page.more(path, brief, false);
    page.text()
}

/// Whether an option only asks for a page, of which everybody knows.
fn is_of_help(arg: &Arg) -> bool {
    arg.get_id().as_str() == "help"
}

/// `  -r, --runs N`, `      --budget TIME`, `  COMMAND...`.
fn lead(arg: &Arg) -> String {
    let named = arg.to_string().replace(['<', '>'], "");
    match (arg.is_positional(), arg.get_short(), arg.get_long()) {
        (true, ..) => format!("  {}", named.trim_matches(['[', ']']).replace("]...", "...")),
        (false, Some(short), Some(_)) => format!("  -{short}, {named}"),
        (false, Some(_), None) => format!("  {named}"),
        (false, None, _) => format!("      {named}"),
    }
}

/// All that is said of an option, except what its values mean.
fn text(arg: &Arg) -> String {
    let mut help = arg.get_help().map(ToString::to_string).unwrap_or_default();
    if explained_values(arg).is_empty() {
        help += &named_values(arg);
    }
    let long = arg.get_long_help().map(ToString::to_string);
    let rest = long.as_deref().and_then(|long| long.split_once("\n\n")).map(|(_, rest)| rest);
    let mut text = match rest {
        Some(rest) if rest.starts_with('[') => format!("{help} {rest}"),
        Some(rest) => format!("{help}. {}", rest.trim_end_matches('.')),
        None => help,
    };
    let defaults = arg.get_default_values().iter().map(|value| value.to_string_lossy());
    let default: Vec<_> = defaults.collect();
    if !default.is_empty() && arg.get_action().takes_values() {
        text += &format!(" [default: {}]", default.join(" "));
    }
    text
}

/// `: a, b, c`, where an option takes one of a few values.
fn named_values(arg: &Arg) -> String {
    let values = values(arg);
    let names: Vec<&str> = values.iter().map(|(name, _)| name.as_str()).collect();
    if names.is_empty() { String::new() } else { format!(": {}", names.join(", ")) }
}

/// [`named_values`] for a screen: of many the first ones, the whole page has the others.
fn few_values(arg: &Arg) -> String {
    const MOST: usize = 6;
    const FIRST: usize = 3;
    let values = values(arg);
    if values.len() <= MOST {
        return named_values(arg);
    }
    let names: Vec<&str> = values.iter().take(FIRST).map(|(name, _)| name.as_str()).collect();
    format!(": {}, …", names.join(", "))
}

/// Values with what each means, where that is said.
fn explained_values(arg: &Arg) -> Vec<(String, String)> {
    values(arg).into_iter().filter_map(|(name, help)| Some((name, help?))).collect()
}

fn values(arg: &Arg) -> Vec<(String, Option<String>)> {
    if !arg.get_action().takes_values() {
        return Vec::new();
    }
    let values = arg.get_possible_values();
    let values = values.iter().filter(|value| !value.is_hide_set());
    values
        .map(|value| (value.get_name().to_owned(), value.get_help().map(ToString::to_string)))
        .collect()
}

/// Lines of examples, what each does beside it or, where there is no room, below it.
fn examples(brief: &Brief, columns: usize) -> Vec<String> {
    let longest = brief.examples.iter().map(|(line, _)| width(line)).max().unwrap_or_default();
    let room = columns.saturating_sub(longest + 4);
    let beside = brief.examples.iter().all(|(_, does)| width(does) <= room);
    let line = |(line, does): &(&str, &str)| match beside {
        true => format!("  {line:longest$}  {does}"),
        false => format!("  {line}"),
    };
    brief.examples.iter().map(line).collect()
}

fn styled(text: &str, style: &Style) -> String {
    let (indent, words) = text.split_at(text.len() - text.trim_start().len());
    format!("{indent}{}{words}{}", style.render(), style.render_reset())
}

#[cfg(test)]
mod tests;
