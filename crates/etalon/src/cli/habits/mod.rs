//! Habits from hyperfine, BestGuess, lua-measure and earlier builds of etalon: what becomes of each of their options.
//!
//! Owns one table a program. Every hint about an option of theirs, the guide's section and `etalon help
//! hyperfine` come from it. An option that is taken for their sake only is listed there with its text, and not in
//! `--help`. Refuses to parse: [`super::mistakes`] asks for a hint once a command line was
//! not understood, `crate::commands` where a value means something else there.

use clap::{Arg, Command, CommandFactory};
use etalon_core::shell::copied;
use etalon_report::text::hanging;

use super::Cli;

mod bestguess;
mod former;
mod hyperfine;
mod lua_measure;

/// A program whose users come with habits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Program {
    /// hyperfine 2.0, and 1.x.
    Hyperfine,
    /// BestGuess 0.7.
    BestGuess,
    /// lua-measure: the names of its `measure.options`, which people try on the command line.
    LuaMeasure,
    /// etalon, before an option went.
    Former,
}

const PROGRAMS: [Program; 4] =
    [Program::Hyperfine, Program::BestGuess, Program::LuaMeasure, Program::Former];

/// An option of such a program.
#[derive(Debug)]
struct Habit {
    /// As it is listed, with its value: `-w, --warmup NUM`.
    shown: &'static str,
    /// Its spellings, with a value where only that value is meant: `--shell=none`.
    typed: &'static [&'static str],
    /// Its treatment here.
    here: Here,
}

/// The treatment of an option in `etalon cmd`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Here {
    /// It does the same.
    Same,
    /// It does nearly the same: what differs.
    Nearly(&'static str),
    /// Refused; what to write for it.
    Renamed(&'static str),
    /// Refused; what to do instead.
    Refused(&'static str),
}

impl Here {
    /// As a page has it.
    fn said(self) -> String {
        match self {
            Here::Same => "the same".to_owned(),
            Here::Nearly(differs) => format!("the same, but {differs}"),
            Here::Renamed(to) => to.to_owned(),
            Here::Refused(instead) => format!("none: {instead}"),
        }
    }
}

/// The option that takes what is typed by a habit.
fn argument<'a>(command: &'a Command, habit: &Habit) -> Option<&'a Arg> {
    let is_typed = |argument: &&Arg| {
        let long = argument.get_long().map(|long| format!("--{long}"));
        let short = argument.get_short().map(|short| format!("-{short}"));
        habit.typed.iter().any(|typed| [&long, &short].into_iter().flatten().any(|it| it == typed))
    };
    command.get_arguments().find(is_typed)
}

/// Its text in a line, as it stands in the middle of a sentence.
fn help(argument: &Arg) -> String {
    let help = argument.get_help().map(ToString::to_string).unwrap_or_default();
    let mut letters = help.chars();
    // A name begins with a capital letter wherever it stands.
    match letters.next() {
        Some(first) if !help.starts_with("BestGuess") => {
            first.to_lowercase().chain(letters).collect()
        }
        _ => help,
    }
}

const fn habit(shown: &'static str, typed: &'static [&'static str], here: Here) -> Habit {
    Habit { shown, typed, here }
}

/// Columns of the left half of a page, its gap included. Because the longest option,
/// `-D, --parameter-step-size DELTA`, needs 34.
const LEFT: usize = 36;

/// Columns of a page: the narrowest terminal that is laid out for.
const WIDTH: usize = 80;

impl Program {
    fn name(self) -> &'static str {
        match self {
            Program::Hyperfine => "hyperfine",
            Program::BestGuess => "BestGuess",
            Program::LuaMeasure => "lua-measure",
            Program::Former => "etalon",
        }
    }

    fn habits(self) -> &'static [Habit] {
        match self {
            Program::Hyperfine => hyperfine::HABITS,
            Program::BestGuess => bestguess::HABITS,
            Program::LuaMeasure => lua_measure::HABITS,
            Program::Former => former::HABITS,
        }
    }

    /// Whose option it is, to somebody who typed it.
    fn owner(self) -> String {
        match self {
            Program::Former => "no option any more".to_owned(),
            theirs => format!("{}'s option", theirs.name()),
        }
    }

    /// The subcommand that takes its options.
    fn subcommand(self) -> &'static str {
        match self {
            Program::LuaMeasure => "run",
            Program::Hyperfine | Program::BestGuess | Program::Former => "cmd",
        }
    }

    /// The text above them.
    fn opening(self) -> &'static str {
        match self {
            Program::Hyperfine => hyperfine::OPENING,
            Program::BestGuess => bestguess::OPENING,
            Program::LuaMeasure => lua_measure::OPENING,
            Program::Former => "",
        }
    }
}

/// The table of a program as a page of text, at most 80 columns wide.
pub(crate) fn page(program: Program) -> String {
    let subcommand = program.subcommand();
    let mut root = Cli::command();
    root.build();
    let command = root.find_subcommand(subcommand);
    let listed_here =
        |habit: &Habit| command.and_then(|it| argument(it, habit)).filter(|it| it.is_hide_set());
    let mut page = program.opening().to_owned();
    let same =
        program.habits().iter().filter(|it| it.here == Here::Same && listed_here(it).is_none());
    let same: Vec<&str> = same.map(|habit| habit.shown).collect();
    if !same.is_empty() {
        page += &format!("\nThe same:\n{}", same_as_there(&same));
    }
    page += &format!("\n{:LEFT$}etalon {subcommand}\n", format!("  {}", program.name()));
    for habit in program.habits() {
        let here = match (habit.here, listed_here(habit)) {
            (Here::Same, None) => continue,
            (Here::Same, Some(argument)) => format!("the same: {}", help(argument)),
            (here, _) => here.said(),
        };
        let lead = format!("{:LEFT$}", format!("  {}", habit.shown));
        for row in hanging(&lead, &here, WIDTH) {
            page += &format!("{row}\n");
        }
    }
    page
}

/// Options in lines that fit, each whole.
fn same_as_there(options: &[&str]) -> String {
    let mut lines = vec![String::new()];
    for option in options {
        let last = lines.last_mut().expect("there is a line");
        if !last.is_empty() && last.chars().count() + option.chars().count() + 6 > WIDTH {
            lines.push((*option).to_owned());
        } else {
            if !last.is_empty() {
                last.push_str("; ");
            }
            last.push_str(option);
        }
    }
    lines.iter().map(|line| format!("  {line}\n")).collect()
}

/// The long options of all these programs.
pub(crate) fn long_options() -> impl Iterator<Item = &'static str> {
    let habits = PROGRAMS.into_iter().flat_map(Program::habits);
    let typed = habits.flat_map(|habit| habit.typed).copied();
    typed.filter(|typed| typed.starts_with("--") && !typed.contains('='))
}

/// A hint about an option of another program.
pub(crate) struct Hint {
    /// The advice.
    pub instead: String,
    /// The option that there is for it, if there is one.
    pub to: Option<&'static str>,
}

/// A hint about an option, or one of its values, that is not taken here as it is there; `value` is what was
/// typed behind it, to be written behind what there is instead.
pub(crate) fn hint(typed: &str, value: Option<&str>) -> Option<Hint> {
    let (typed, value) = match (typed, value) {
        ("-S", Some("none")) => ("--shell=none", None),
        ("-S", Some("default")) => ("--shell=default", None),
        // hyperfine 2.0's -S takes no value: what stands behind it is a command.
        ("-S", Some(value)) if !is_shell(value) => ("--shell=default", None),
        _ => (typed, value),
    };
    PROGRAMS.into_iter().find_map(|program| {
        let own = |habit: &Habit| habit.typed.iter().find(|own| **own == typed).copied();
        let (habit, own) = program.habits().iter().find_map(|it| Some((it, own(it)?)))?;
        let owner = program.owner();
        let (text, to) = match habit.here {
            Here::Same => return None,
            Here::Nearly(differs) => (differs.to_owned(), own.split('=').next()),
            Here::Renamed(to) => {
                let option = to.split(' ').find(|word| word.starts_with('-'));
                let option = option.filter(|_| !to.starts_with("etalon "));
                (format!("{owner}; write {to}"), option)
            }
            // What etalon had itself leads to an option that not every command has.
            Here::Refused(instead) => {
                let is_former = matches!(program, Program::Former);
                (format!("{owner}; {instead}"), is_former.then_some("--html"))
            }
        };
        let instead = match value {
            Some(value) => habit.with(value, &text),
            None => text,
        };
        Some(Hint { instead, to })
    })
}

/// Whether a text names a shell, as hyperfine 1.x takes it behind -S.
fn is_shell(text: &str) -> bool {
    let program = text.split_whitespace().next().and_then(|word| word.rsplit('/').next());
    program.is_some_and(|name| name.ends_with("sh") || name == "nu")
}

impl Habit {
    /// A text about the option with what was typed in place of its value: `CMD` of `--setup CMD`.
    fn with(&self, value: &str, text: &str) -> String {
        match self.shown.rsplit(' ').next() {
            Some(named) if !named.starts_with('-') => {
                // Some write the option that takes a command themselves: `-S 'bash -c'`.
                let shell = format!("{} -c", value.strip_suffix(" -c").unwrap_or(value));
                let as_shell = text.replace(&format!("'{named} -c'"), &copied(&shell));
                as_shell.replace(named, &copied(value))
            }
            _ => text.to_owned(),
        }
    }
}

/// A hint about a value that is meant as another program takes it; `typed` is its row.
pub(crate) fn misread(option: &str, value: &str, typed: &str) -> String {
    let instead = hint(typed, Some(value)).map(|hint| hint.instead).unwrap_or_default();
    format!("{option} {}: {instead}", copied(value))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Would catch a page that is torn at 80 columns, and a guide that says something else.
    #[test]
    fn the_guide_prints_these_pages() {
        let docs = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs");
        for (program, name) in [
            (Program::Hyperfine, "hyperfine.md"),
            (Program::BestGuess, "bestguess.md"),
            (Program::LuaMeasure, "lua-measure.md"),
        ] {
            let page = page(program);
            let guide = std::fs::read_to_string(docs.join(name)).unwrap();
            assert!(page.lines().all(|line| line.chars().count() <= WIDTH), "{page}");
            assert!(
                guide.contains(&format!("```text\n{page}```\n")),
                "not in docs/{name}:\n{page}"
            );
        }
    }

    /// Would catch an option in two rows, of which a hint would be taken by chance.
    #[test]
    fn every_spelling_has_one_row() {
        for program in PROGRAMS {
            let mut all: Vec<&str> =
                program.habits().iter().flat_map(|habit| habit.typed).copied().collect();
            let before = all.len();
            all.sort_unstable();
            all.dedup();
            assert_eq!(all.len(), before, "{program:?}");
        }
    }
}
