//! The user's texts that a command is executed with, and what is filled into them.
//!
//! The one place where `{VAR}` and `{side}` are replaced for commands. Every text of [`Texts`] is filled, because both
//! functions that go through them name every field; an option whose text is not among them is refused if it names
//! something that is filled in ([`refuse_elsewhere`]), because a file or a name is then one for all. So no placeholder is
//! ever left as text by accident. Refuses: to take braces that name nothing for a mistake, unless they nearly name
//! something (`{thread}` for `{threads}`): `{}` and `{print}` belong to find, awk and shells.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;

use clap::{ArgMatches, CommandFactory as _};
use etalon_report::text::clean;
use etalon_run::services::ServiceSpec;

use super::scan;
use crate::cli::commands::shown;
use crate::cli::values::StdoutArg;
use crate::cli::{self, Control};
use crate::failure::Failure;

/// Options and arguments whose texts are [`Texts`], by clap's names, of every subcommand.
const FILLED: [&str; 12] = [
    "commands", "command", "names", "shell", "setup", "prepare", "conclude", "cleanup", "env",
    "cwd", "input", "stdout",
];

/// Those that say themselves what a placeholder in them means: parameters are declared by them, a build has its copy, and
/// a reference is named by what was filled in.
const OWN: [&str; 5] = ["lists", "ranges", "steps", "build", "reference"];

/// More alike than this are a name and one that was probably meant: one letter of six may differ.
const ALIKE: f64 = 0.8;

/// Names shorter than this resemble too much.
const SHORTEST: usize = 3;

/// The texts of a command.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Texts {
    /// The command itself.
    pub(crate) command: Vec<u8>,
    /// Its display name, if it was given one.
    pub(crate) name: Option<String>,
    /// The shell that it is given to, if one was asked for.
    pub(crate) shell: Option<Vec<u8>>,
    /// The commands around it.
    pub(crate) hooks: Hooks,
    /// Variables of its environment beside etalon's own.
    pub(crate) env: Vec<(String, String)>,
    /// Where it is executed, from where etalon was started.
    pub(crate) cwd: Option<Vec<u8>>,
    /// Its standard input.
    pub(crate) input: Option<Vec<u8>>,
    /// The file that gets its output.
    pub(crate) stdout: Option<Vec<u8>>,
}

/// Commands around a command.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Hooks {
    /// Once before its first execution.
    pub(crate) setup: Option<Vec<u8>>,
    /// Before each.
    pub(crate) prepare: Option<Vec<u8>>,
    /// After each.
    pub(crate) conclude: Option<Vec<u8>>,
    /// Once after its last.
    pub(crate) cleanup: Option<Vec<u8>>,
}

impl Hooks {
    /// Whether one of them names this.
    pub(crate) fn uses(&self, name: &str) -> bool {
        let Hooks { setup, prepare, conclude, cleanup } = self;
        [setup, prepare, conclude, cleanup].into_iter().flatten().any(|it| scan::uses(it, name))
    }
}

impl Texts {
    /// Those that options give to all commands alike; the others are absent.
    pub(crate) fn of(control: &Control, shell: Option<&OsStr>) -> Texts {
        let bytes = |text: &OsStr| text.as_bytes().to_vec();
        let stdout = match &control.stdout {
            StdoutArg::File(file) => Some(bytes(file)),
            StdoutArg::Null | StdoutArg::Pipe | StdoutArg::Inherit => None,
        };
        Texts {
            shell: shell.map(bytes),
            env: control.env.clone(),
            cwd: control.cwd.as_deref().map(bytes),
            input: control.input.as_deref().map(bytes),
            stdout,
            ..Texts::default()
        }
    }

    /// All of them with something filled in.
    pub(crate) fn filled(&self, fill: &dyn Fn(&[u8]) -> Vec<u8>) -> Texts {
        let Texts { command, name, shell, hooks, env, cwd, input, stdout } = self;
        let Hooks { setup, prepare, conclude, cleanup } = hooks;
        let text = |text: &String| filled_text(text, fill);
        let each = |text: &Option<Vec<u8>>| text.as_ref().map(|text| fill(text));
        Texts {
            command: fill(command),
            name: name.as_ref().map(text),
            shell: each(shell),
            hooks: Hooks {
                setup: each(setup),
                prepare: each(prepare),
                conclude: each(conclude),
                cleanup: each(cleanup),
            },
            env: env.iter().map(|(name, value)| (text(name), text(value))).collect(),
            cwd: each(cwd),
            input: each(input),
            stdout: each(stdout),
        }
    }

    /// All of them as they are.
    fn all(&self) -> impl Iterator<Item = &[u8]> {
        let Texts { command, name, shell, hooks, env, cwd, input, stdout } = self;
        let Hooks { setup, prepare, conclude, cleanup } = hooks;
        let absent = [shell, setup, prepare, conclude, cleanup, cwd, input, stdout];
        let texts = name.iter().chain(env.iter().flat_map(|(name, value)| [name, value]));
        let texts = texts.map(String::as_bytes);
        std::iter::once(&command[..])
            .chain(absent.into_iter().flatten().map(Vec::as_slice))
            .chain(texts)
    }

    /// Whether one of them names this.
    pub(crate) fn uses(&self, name: &str) -> bool {
        self.all().any(|text| scan::uses(text, name))
    }

    /// Refuses braces that nearly name something that is filled in.
    ///
    /// # Errors
    /// With both.
    pub(crate) fn check(&self, known: &[&str]) -> Result<(), Failure> {
        for text in self.all() {
            let Some((typed, meant)) = slip(text, known) else { continue };
            return Err(Failure::about(
                format!("`{}`", clean(&shown(text))),
                format!(
                    "nothing is filled in for {{{typed}}}: did you mean {{{meant}}}? Other names in braces stay as they are"
                ),
            ));
        }
        Ok(())
    }
}

/// A text with something filled in. What is no UTF-8 then is replaced, where names and variables are texts.
fn filled_text(text: &str, fill: &dyn Fn(&[u8]) -> Vec<u8>) -> String {
    let filled = fill(text.as_bytes());
    String::from_utf8(filled)
        .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned())
}

/// The first name in braces that is none of these but nearly one, and that one.
fn slip<'k>(text: &[u8], known: &[&'k str]) -> Option<(String, &'k str)> {
    let text = String::from_utf8_lossy(text);
    text.split('{').skip(1).find_map(|behind| {
        let (name, _) = behind.split_once('}')?;
        let is_name = name.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '-');
        if !is_name || name.len() < SHORTEST || known.contains(&name) {
            return None;
        }
        let alike = |known: &&str| {
            let (typed, known) = (name.to_lowercase(), known.to_lowercase());
            known.len() >= SHORTEST
                && strsim::normalized_damerau_levenshtein(&typed, &known) > ALIKE
        };
        known.iter().copied().find(|known| alike(known)).map(|known| (name.to_owned(), known))
    })
}

/// Refuses what is filled in for each command where something is given once for all of them.
///
/// # Errors
/// With the option.
pub(crate) fn refuse_elsewhere(matches: &ArgMatches, known: &[&str]) -> Result<(), Failure> {
    refuse_but(&[&FILLED[..], &OWN[..]].concat(), matches, known)
}

/// Refuses it in all options but these, by clap's names.
///
/// # Errors
/// With the option.
pub(crate) fn refuse_but(
    filled: &[&str],
    matches: &ArgMatches,
    known: &[&str],
) -> Result<(), Failure> {
    for id in matches.ids().map(clap::Id::as_str) {
        if filled.contains(&id) {
            continue;
        }
        let Ok(Some(values)) = matches.try_get_raw(id) else { continue };
        for value in values {
            let Some(name) = known.iter().find(|name| scan::uses(value.as_bytes(), name)) else {
                continue;
            };
            return Err(Failure::about(
                format!("{} `{}`", option_called(id), clean(&value.to_string_lossy())),
                format!(
                    "{{{name}}} is filled in for each command, and this is given once for all of them: write it without"
                ),
            ));
        }
    }
    Ok(())
}

/// Refuses it in services, which are there for all commands.
///
/// # Errors
/// With the service.
pub(crate) fn refuse_in_services(services: &[ServiceSpec], known: &[&str]) -> Result<(), Failure> {
    for service in services {
        let uses =
            |name: &&&str| service.texts().iter().any(|text| scan::uses(text.as_bytes(), name));
        let Some(name) = known.iter().find(uses) else { continue };
        return Err(Failure::about(
            format!("the service {}", service.name),
            format!(
                "{{{name}}} is filled in for each command, and a service is there for all of them: write it without"
            ),
        ));
    }
    Ok(())
}

/// An option as it is typed.
fn option_called(id: &str) -> String {
    let mut etalon = cli::Cli::command();
    etalon.build(); // subcommands get their arguments then
    let arguments = etalon.get_subcommands().flat_map(clap::Command::get_arguments);
    match arguments.filter(|it| it.get_id() == id).find_map(clap::Arg::get_long) {
        Some(long) => format!("--{long}"),
        None => id.to_uppercase(),
    }
}

#[cfg(test)]
mod tests {
    use std::ffi::OsString;

    use clap::{Arg, ArgAction, Args, Command, FromArgMatches as _};

    use super::*;
    use crate::doors::commands::subjects;

    /// Parses a command line of these with one more option or argument, whose values name a placeholder; nothing where no
    /// such value is taken.
    fn typed<A: Args>(before: &[&str], argument: &Arg, value: &str) -> Option<ArgMatches> {
        let mut words: Vec<OsString> = before.iter().map(OsString::from).collect();
        let number = argument.get_num_args().map_or(1, |number| number.min_values().max(1));
        let values = vec![value; number];
        match (argument.get_long(), argument.is_require_equals_set()) {
            (Some(long), true) => words.push(format!("--{long}={value}").into()),
            (Some(long), false) => {
                words.push(format!("--{long}").into());
                words.extend(values.into_iter().map(OsString::from));
            }
            (None, _) => {
                words.extend(argument.get_short().map(|short| format!("-{short}").into()));
                words.extend(argument.is_last_set().then(|| "--".into()));
                words.extend(values.into_iter().map(OsString::from));
            }
        }
        let command = A::augment_args(Command::new("x").no_binary_name(true));
        command.try_get_matches_from(words).ok()
    }

    /// Options that take values, by clap's names; flags take none.
    fn arguments<A: Args>() -> Vec<Arg> {
        let command = A::augment_args(Command::new("x"));
        let takes =
            |argument: &&Arg| matches!(argument.get_action(), ArgAction::Set | ArgAction::Append);
        command.get_arguments().filter(takes).cloned().collect()
    }

    /// Would catch an option, also one that is new, in which a placeholder stays text: every option either refuses it or
    /// has it filled in.
    #[test]
    fn no_option_of_commands_leaves_a_placeholder_as_text() {
        let before = ["true", "-L", "n", "7,8"];
        let (mut filled, mut refused) = (Vec::new(), Vec::new());
        for argument in arguments::<cli::Cmd>() {
            let id = argument.get_id().as_str();
            if OWN.contains(&id) {
                continue;
            }
            let values = ["{n}x", "V={n}", "{n}", "x:{n}", "{n}=x"];
            for value in values {
                let Some(matches) = typed::<cli::Cmd>(&before, &argument, value) else { continue };
                let options = cli::Cmd::from_arg_matches(&matches).unwrap();
                let commands = options.commands.iter().map(|it| it.as_bytes().to_vec());
                let name = options.names.first().cloned();
                let declared = commands.map(|text| cli::commands::DeclaredCommand {
                    text,
                    name: name.clone(),
                    place: None,
                });
                match subjects::resolved(&options, &matches, declared.collect(), None) {
                    Ok(subjects) => {
                        let left = |text: &[u8]| scan::uses(text, "n");
                        let all = subjects.all.iter();
                        assert!(!all.clone().any(|it| it.texts.all().any(left)), "{id} {value}");
                        assert!(
                            all.clone().any(|it| !it.params.is_empty()),
                            "{id} {value}: not used"
                        );
                        filled.push(id.to_owned());
                    }
                    Err(failure) => {
                        let said = failure.to_string();
                        assert!(
                            said.contains("{n} is filled in for each command"),
                            "{id} {value}: {said}"
                        );
                        refused.push(id.to_owned());
                    }
                }
            }
        }
        filled.dedup();
        let mut expected: Vec<&str> = FILLED.to_vec();
        expected.retain(|id| *id != "command");
        filled.sort();
        expected.sort_unstable();
        assert_eq!(filled, expected);
        for id in ["output", "files", "services"] {
            assert!(refused.iter().any(|it| it == id), "{id}: {refused:?}");
        }
    }

    /// Would catch the same of sides.
    #[test]
    fn no_option_of_sides_leaves_a_placeholder_as_text() {
        for argument in arguments::<cli::Ab>() {
            let id = argument.get_id().as_str();
            for value in ["{side}/x", "V={side}", "{side}"] {
                let before = if argument.get_id() == "base" { &[][..] } else { &["base"][..] };
                let Some(matches) = typed::<cli::Ab>(before, &argument, value) else { continue };
                let refused = refuse_elsewhere(&matches, &["side"]).is_err();
                assert_eq!(refused, !FILLED.contains(&id) && !OWN.contains(&id), "{id} {value}");
            }
        }
    }

    /// Would catch braces of other languages that are refused, and a slip that stays text.
    #[test]
    fn only_what_nearly_names_a_parameter_is_a_slip() {
        let known = ["threads", "n", "side", "level"];
        let slip = |text: &str| slip(text.as_bytes(), &known).map(|(_, meant)| meant);
        for text in ["{thread}", "{Threads}", "a{b}{treads}", "{threads_}", "{{thread}}"] {
            assert_eq!(slip(text), Some("threads"), "{text}");
        }
        assert_eq!(slip("{SIDE}"), Some("side"));
        let others = [
            "{}",
            "{N}",
            "{m}",
            "{a,b}",
            "{1..9}",
            "{ thread }",
            "{print $1}",
            "{print}",
            "${thread:-1}",
            "{\"thread\":1}",
            "{size}",
            "{threads}",
            "{thread",
            "thread}",
            "{zebra}",
        ];
        for text in others {
            assert_eq!(slip(text), None, "{text}");
        }
    }
}
