//! Messages about a command line that is not understood: which option or subcommand was meant.
//!
//! In this order: a habit of another program ([`super::habits`]), an option of another subcommand, a
//! misspelling. Refuses to guess further: what is far from everything gets no suggestion.

use std::ffi::OsString;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, Command, CommandFactory};
use etalon_core::shell::copied;

use super::{Cli, habits};

/// The mistake in `words`, the command line without the program's name, and what was meant; nothing
/// where clap's own message says it.
pub(crate) fn explain(error: &clap::Error, words: &[OsString]) -> Option<String> {
    let words: Vec<String> = words.iter().map(|word| word.to_string_lossy().into_owned()).collect();
    let mut root = Cli::command();
    root.build();
    let typed = Typed::of(&root, &words);
    match error.kind() {
        ErrorKind::UnknownArgument => {
            let unknown = text(error, ContextKind::InvalidArg)?;
            typed.unknown_option(&unknown)
        }
        ErrorKind::InvalidSubcommand => {
            let unknown = text(error, ContextKind::InvalidSubcommand)?;
            Some(typed.unknown_subcommand(&unknown))
        }
        ErrorKind::InvalidValue | ErrorKind::TooManyValues => typed.habit_of_value(error),
        ErrorKind::MissingRequiredArgument => typed.missing(error),
        _ => None,
    }
}

fn text(error: &clap::Error, kind: ContextKind) -> Option<String> {
    match error.get(kind)? {
        ContextValue::String(text) => Some(text.clone()),
        _ => None,
    }
}

/// A command line, as far as it is understood.
struct Typed<'a> {
    root: &'a Command,
    words: &'a [String],
    /// The subcommand; the root where none was named.
    command: &'a Command,
    /// Its name as typed, the program's included.
    path: String,
}

impl<'a> Typed<'a> {
    fn of(root: &'a Command, words: &'a [String]) -> Typed<'a> {
        let (mut command, mut path) = (root, root.get_name().to_owned());
        for word in words.iter().filter(|word| !word.starts_with('-')) {
            match command.find_subcommand(word) {
                Some(below) => {
                    command = below;
                    path = format!("{path} {word}");
                }
                None => break,
            }
        }
        Typed { root, words, command, path }
    }

    fn is_root(&self) -> bool {
        std::ptr::eq(self.command, self.root)
    }

    /// The message about arguments that have to be given, too.
    fn missing(&self, error: &clap::Error) -> Option<String> {
        let Some(ContextValue::Strings(missing)) = error.get(ContextKind::InvalidArg) else {
            return None;
        };
        let missing: Vec<String> = missing.iter().map(|it| it.replace(['<', '>'], "")).collect();
        let path = &self.path;
        Some(format!("`{path}` needs {}: `{path} -h` has examples", enumerated(&missing, "and")))
    }

    /// An option that all that measure are to have, and one has.
    fn only_of_commands(&self, unknown: &str) -> Option<String> {
        let measures = self.command.get_name() == "noise";
        let path = &self.path;
        (unknown == "--on" && measures)
            .then(|| format!("--on: `{path}` does not measure on other machines yet: leave it out"))
    }

    fn unknown_option(&self, unknown: &str) -> Option<String> {
        if !unknown.starts_with('-') {
            return self.words_of_a_command(unknown); // a word too many: clap shows the usage
        }
        // `-M5` is a flag and an unknown one.
        let glued = |word: &&String| {
            let (letter, rest) = word.split_at_checked(2).unwrap_or_default();
            let number = rest.trim_start_matches('=');
            letter.starts_with('-')
                && rest.starts_with(&unknown[1..])
                && number.parse::<f64>().is_ok()
        };
        let flag = self.words.iter().find(glued).and_then(|word| word.get(..2));
        let path = &self.path;
        let said = match self.is_root() {
            true => format!("{unknown}: no option without a subcommand"),
            false => format!("{unknown}: `{path}` has no such option"),
        };
        if let Some(said) = self.only_of_commands(unknown) {
            return Some(said);
        }
        let having = self.others_with(unknown);
        if self.is_root() && having.iter().any(|other| other == "cmd") {
            let line: Vec<_> = self.words.iter().map(|word| copied(word)).collect();
            return Some(format!(
                "{unknown}: an option of `etalon cmd`: etalon cmd {}",
                line.join(" ")
            ));
        }
        if let Some(long) = self.long_with_one_dash(unknown) {
            return Some(format!("-{long}: long options have two dashes: --{long}"));
        }
        if let Some(hint) = flag.or(Some(unknown)).and_then(|typed| self.habit(typed)) {
            return Some(hint);
        }
        if let Some(meant) = self.value_with_a_dash(unknown) {
            return Some(format!("{said}; did you mean {meant}?"));
        }
        Some(self.misspelt(unknown, &said, &having))
    }

    /// What is close to an option that `said` says is none of this command, and which `having` have.
    fn misspelt(&self, unknown: &str, said: &str, having: &[String]) -> String {
        let options = long_options(self.command);
        if unknown == "--verbose" && options.iter().any(|option| option == "--full") {
            return format!("{said}; --full prints all there is, and `etalon -V` the version");
        }
        let begun = begun_by(unknown, &options);
        if !having.is_empty() && begun.is_empty() {
            let having: Vec<String> =
                having.iter().map(|name| format!("`etalon {name}`")).collect();
            return format!("{said}, but {}", has_it(&having));
        }
        let near = match begun.is_empty() {
            true => nearest(unknown, options).into_iter().collect(),
            false => begun,
        };
        if !near.is_empty() {
            return format!("{said}; did you mean {}?", enumerated(&near, "or"));
        }
        // A misspelt option of another program: that one's hint.
        let theirs = habits::long_options().map(str::to_owned);
        let theirs = nearest(unknown, theirs);
        if let Some(hint) = theirs.and_then(|meant| self.habit_of(&meant, unknown)) {
            return format!("{said}; {hint}");
        }
        format!("{said}: `{} --help` lists the options", self.path)
    }

    /// The line to type where the words of a command stand before `--`.
    fn words_of_a_command(&self, unknown: &str) -> Option<String> {
        let mut arguments = self.command.get_arguments();
        arguments.find(|it| it.is_last_set() && it.get_id().as_str() == "command")?;
        let at = self.words.iter().position(|word| word == unknown)?;
        if self.path == "etalon bisect"
            && let Some(why) = unsearched(unknown)
        {
            return Some(format!("{unknown}: {why}"));
        }
        let copied =
            |words: &[String]| words.iter().map(|word| copied(word)).collect::<Vec<_>>().join(" ");
        let (before, behind) = self.words.split_at(at);
        let is_own =
            |word: &String| has_option(self.command, word.split('=').next().unwrap_or(word));
        let line = match behind.iter().any(is_own) {
            // Which of them are whose, nobody can tell.
            true => format!("{} BASE [HEAD] [OPTIONS] -- {}", self.path, copied(&behind[..1])),
            false => {
                let behind: Vec<String> =
                    behind.iter().filter(|word| *word != "--").cloned().collect();
                format!("etalon {} -- {}", copied(before), copied(&behind))
            }
        };
        Some(format!("{unknown}: the command stands behind `--`: {line}"))
    }

    /// The long option that was typed with one dash, as Go's programs have them: `-col` begins with the unknown `-c`.
    fn long_with_one_dash(&self, unknown: &str) -> Option<&str> {
        let names =
            self.words.iter().filter(|word| word.starts_with(unknown) && !word.starts_with("--"));
        let mut names = names.filter_map(|word| word[1..].split('=').next());
        names.find(|name| name.len() > 1 && has_option(self.command, &format!("--{name}")))
    }

    /// The option whose value was typed as a part of its name: `--until-decided`.
    fn value_with_a_dash(&self, unknown: &str) -> Option<String> {
        self.command.get_arguments().find_map(|option| {
            let long = option.get_long()?;
            let value = unknown.strip_prefix("--")?.strip_prefix(long)?.strip_prefix('-')?;
            let is_one = option.get_possible_values().iter().any(|it| it.matches(value, false));
            is_one.then(|| format!("--{long} {value}"))
        })
    }

    /// The hint for another program's option, where it leads to an option that there is.
    fn habit(&self, typed: &str) -> Option<String> {
        self.habit_of(typed, typed)
    }

    /// The habit of another program for the option `meant`, of which a misspelling was typed.
    fn habit_of(&self, meant: &str, typed: &str) -> Option<String> {
        let hint = habits::hint(meant, self.value_of(typed))?;
        let text = format!("{meant}: {}", hint.instead);
        let of = if self.is_root() { self.root.find_subcommand("cmd")? } else { self.command };
        let leads_to = hint.to.is_none_or(|to| has_option(of, to));
        leads_to.then_some(text)
    }

    /// The value of an option as typed: glued to it, or the next word.
    fn value_of(&self, option: &str) -> Option<&str> {
        let at = self.words.iter().position(|word| word.starts_with(option))?;
        match self.words[at][option.len()..].trim_start_matches('=') {
            "" => self.words.get(at + 1).map(String::as_str),
            glued => Some(glued),
        }
    }

    /// Names of the other subcommands that have an option.
    fn others_with(&self, option: &str) -> Vec<String> {
        let others = self.root.get_subcommands().filter(|other| has_option(other, option));
        others.map(|other| other.get_name().to_owned()).collect()
    }

    /// A value that another program takes.
    fn habit_of_value(&self, error: &clap::Error) -> Option<String> {
        let argument = text(error, ContextKind::InvalidArg)?;
        let option = argument.split([' ', '[', '=']).next()?;
        let value = text(error, ContextKind::InvalidValue)?;
        let letter = self.find(option).and_then(Arg::get_short).map(|short| format!("-{short}"));
        let number = value.trim_start_matches('=').parse::<f64>().is_ok();
        self.habit(&format!("{option}={value}"))
            .or_else(|| letter.filter(|_| number).and_then(|letter| self.habit(&letter)))
    }

    fn find(&self, option: &str) -> Option<&Arg> {
        let long = option.strip_prefix("--")?;
        self.command.get_arguments().find(|argument| argument.get_long() == Some(long))
    }

    /// A first word that is no subcommand: one that is misspelt, or commands to be timed.
    fn unknown_subcommand(&self, unknown: &str) -> String {
        let names = self.command.get_subcommands().map(|sub| sub.get_name().to_owned());
        let near = nearest(unknown, names.filter(|name| name != "help"));
        let shown = copied(unknown);
        let of = if self.is_root() { String::new() } else { format!(" of `{}`", self.path) };
        if let Some(near) = &near {
            let at = self.words.iter().position(|word| word == unknown);
            let line = self.words.iter().enumerate();
            let line: Vec<_> = line
                .map(|(place, word)| if Some(place) == at { copied(near) } else { copied(word) })
                .collect();
            return format!(
                "{shown}: no subcommand{of}; did you mean `etalon {}`?",
                line.join(" ")
            );
        }
        if !self.is_root() {
            return format!("{shown}: no subcommand{of}: `{} --help` lists all", self.path);
        }
        format!("{shown}: no subcommand; {}", self.meant(unknown))
    }

    /// The likely meaning of a command line without a subcommand: another program's name, suites, data, else commands.
    fn meant(&self, first: &str) -> String {
        let line = |words: &[String]| -> Vec<String> {
            words.iter().map(|word| copied(word).into_owned()).collect()
        };
        let at = self.words.iter().position(|word| word == first).unwrap_or(0);
        let rest = line(&self.words[at + 1..]).join(" ");
        match first {
            "benchstat" => {
                return format!("as {first} does: etalon compare --style {first} {rest}");
            }
            "hyperfine" | "bestguess" => return format!("as {first} does: etalon cmd {rest}"),
            "bestreport" => return format!("as {first} does: etalon report {rest}"),
            "measure" => return format!("as {first} does: etalon run {rest}"),
            _ => {}
        }
        let files: Vec<&String> = self.words.iter().filter(|word| !word.starts_with('-')).collect();
        let all = line(self.words).join(" ");
        if files.iter().all(|file| is_suite(Path::new(file))) {
            return format!("to measure Lua suites: etalon run {all}");
        }
        match files.len() {
            _ if !files.iter().all(|file| is_data(Path::new(file))) => {
                format!("to time commands: etalon cmd {}", commands(self.words))
            }
            1 => format!("to report from data: etalon report {all}"),
            _ => format!("to compare data: etalon compare {all}"),
        }
    }
}

/// Words that are to be timed, for a shell: commands as they are typed where one of them has a space
/// in it, else the words of one command.
fn commands(words: &[String]) -> String {
    let several = words.iter().any(|word| word.contains(' ')) || words.len() == 1;
    let line: Vec<_> = words.iter().map(|word| copied(word)).collect();
    if several { line.join(" ") } else { copied(&line.join(" ")).into_owned() }
}

/// Whether it is a file that `etalon run` takes.
fn is_suite(path: &Path) -> bool {
    path.is_file() && path.extension().is_some_and(|extension| extension == "lua")
}

/// Whether it is a file that nobody can execute.
fn is_data(path: &Path) -> bool {
    path.metadata().is_ok_and(|file| file.is_file() && file.permissions().mode() & 0o111 == 0)
}

/// Whether a command has an option of this spelling, `--long` or `-s`.
fn has_option(command: &Command, option: &str) -> bool {
    let mut arguments = command.get_arguments();
    match (option.strip_prefix("--"), option.strip_prefix('-')) {
        (Some(long), _) => arguments
            .any(|a| a.get_long_and_visible_aliases().is_some_and(|all| all.contains(&long))),
        (None, Some(short)) => {
            arguments.any(|a| a.get_short().is_some_and(|s| short == s.to_string()))
        }
        (None, None) => false,
    }
}

/// All long options of a command, with their dashes, in the order of its help.
fn long_options(command: &Command) -> Vec<String> {
    command.get_arguments().filter_map(|a| a.get_long().map(|long| format!("--{long}"))).collect()
}

/// The names that a word begins.
fn begun_by(typed: &str, names: &[String]) -> Vec<String> {
    names.iter().filter(|name| typed.len() > 3 && name.starts_with(typed)).cloned().collect()
}

/// The name that a misspelt one may mean, if it is near; of equally near ones the first.
pub(crate) fn nearest(typed: &str, names: impl IntoIterator<Item = String>) -> Option<String> {
    let letters = typed.trim_start_matches('-').chars().count();
    // Because two slips in eight letters are still the same word, and one in three is another.
    let most = (letters / 3).clamp(1, 3);
    let far = |name: &String| strsim::damerau_levenshtein(typed, name);
    let near = names.into_iter().min_by_key(far)?;
    (letters > 1 && far(&near) <= most).then_some(near)
}

/// Who has an option.
fn has_it(names: &[String]) -> String {
    format!("{} {}", enumerated(names, "and"), if names.len() == 1 { "has it" } else { "have it" })
}

/// `a`, `a and b`, `a, b and c`.
fn enumerated(names: &[String], and: &str) -> String {
    match names {
        [before @ .., last] if !before.is_empty() => format!("{} {and} {last}", before.join(", ")),
        names => names.concat(),
    }
}

/// Why a bisection has no packages and suites, and what it has in their place.
fn unsearched(word: &str) -> Option<&'static str> {
    let path = Path::new(word);
    let is_package = word.ends_with("...") || path.is_dir();
    let is_suite = word.ends_with("_bench.lua");
    is_package
        .then_some(
            "`etalon bisect` searches commands, no packages: --build 'go test -c -o t PACKAGE' -- ./t -test.run='^$' \
             -test.bench=NAME -test.benchtime=1000x, whose number of calls is fixed",
        )
        .or(is_suite.then_some(
            "`etalon bisect` searches commands, no suites: -- etalon lua FILE, a script that calls the function a fixed \
             number of times",
        ))
}
