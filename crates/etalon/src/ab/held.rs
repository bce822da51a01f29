//! What has to hold before two sides are measured: both have what is executed, and where that is asked for, both print the
//! same. That each executes something of its own is found out by a trace ([`etalon_run::origins`]), of which this is what
//! it needs to know.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use etalon_core::dataset::{BASE, HEAD};
use etalon_core::model::Outcome;
use etalon_probe::untimed::{self, Program};
use etalon_record::BenchmarkLine;
use etalon_report::text::clean;
use etalon_run::origins::{Named, Pair};
use etalon_run::{CommandSetup, Experiment, Origins};

use super::made::{self, Made};
use crate::cli::commands::{self, Declared};
use crate::cli::{self, Control};
use crate::cmd::sides::{self, Copy};
use crate::failure::Failure;
use crate::progress::Watch;

/// The experiment, how its commands are executed, and what is to be found out of them; in words why the sides are not to
/// be compared.
///
/// # Errors
/// If a command cannot be executed, or prints something else each time.
pub(super) fn planned(
    options: &cli::Ab,
    declared: &[Declared],
    (made, copies): (&Made, &[Copy]),
    watch: &Watch<'_>,
) -> Result<Result<(Experiment, CommandSetup, Origins), String>, Failure> {
    let (planned, setup) = match sides::experiment(options, declared, copies) {
        Ok(planned) => planned,
        Err(error) => {
            let told = || with_remedy(&error, options, declared, copies);
            return Ok(Err(on_one_side(options, declared, copies).ok_or_else(told)?));
        }
    };
    let origins = match origins(&planned, (made, copies), watch) {
        Ok(origins) => origins,
        Err(one_sided) => return Ok(Err(one_sided)),
    };
    if options.same_output
        && let Some(differs) = same_output(&planned, copies, &options.control, watch)?
    {
        return Ok(Err(differs));
    }
    Ok(Ok((planned, setup, origins)))
}

/// What is to be found out of commands before they are measured; in words which command names files of one side only.
pub(crate) fn origins(
    experiment: &Experiment,
    (made, copies): (&Made, &[Copy]),
    watch: &Watch<'_>,
) -> Result<Origins, String> {
    let place = |side: &str| copies.iter().position(|copy| copy.side == side).unwrap_or_default();
    let [base, head] = [BASE, HEAD].map(place);
    let (mut pairs, mut others) = (Vec::new(), 0);
    for (number, lines) in experiment.benchmarks.chunks(copies.len()).enumerate() {
        // One that was built for this run, such as a test binary of Go.
        if lines.iter().all(|line| line.path.is_none()) {
            others += 1;
            continue;
        }
        let first = number * copies.len();
        let name = clean(&lines[0].name);
        let named = named(&name, lines, copies)?;
        let name = format!("command `{name}`");
        pairs.push(Pair { name, subjects: [first + base, first + head], named });
    }
    Ok(Origins { pairs, others, ..of_nothing((made, copies), watch) })
}

/// Where the sides and everything else of the project are, with no command yet.
pub(crate) fn of_nothing((made, copies): (&Made, &[Copy]), watch: &Watch<'_>) -> Origins {
    let root = |side: &str| {
        let copy = copies.iter().find(|copy| copy.side == side);
        copy.map(|copy| copy.root.clone()).unwrap_or_default()
    };
    let tree = made.room.as_ref().map(|room| room.top.clone());
    let interrupts = watch.interrupts();
    Origins {
        pairs: Vec::new(),
        roots: [BASE, HEAD].map(root),
        project: tree.as_ref().and_then(|top| top.file_name()).unwrap_or_default().to_owned(),
        elsewhere: copies.iter().map(|copy| copy.root.clone()).chain(tree).collect(),
        others: 0,
        interrupted: Box::new(move || interrupts.come()),
    }
}

/// What the words of a command name in all copies; in words which side has none of its files.
fn named(name: &str, lines: &[BenchmarkLine], copies: &[Copy]) -> Result<Named, String> {
    let named: Vec<(Vec<PathBuf>, Vec<PathBuf>)> =
        lines.iter().zip(copies).map(|(line, copy)| files(line, copy)).collect();
    let has = |side: &str| {
        let mut all = named.iter().zip(copies).filter(|(_, copy)| copy.side == side);
        all.any(|((inside, _), _)| !inside.is_empty())
    };
    if let Some(said) = one_sided(name, has(BASE), has(HEAD)) {
        return Err(said);
    }
    let outside = named.iter().find(|(inside, _)| inside.is_empty());
    Ok(match outside {
        Some((_, outside)) => Named::Outside(outside.last().cloned().unwrap_or_default()),
        None => Named::Own,
    })
}

/// In words which command can be executed on one side only, where that is why there is no experiment.
fn on_one_side(options: &cli::Ab, declared: &[Declared], copies: &[Copy]) -> Option<String> {
    declared.iter().find_map(|command| {
        let has = |side: &str| {
            let of_side: Vec<Copy> =
                copies.iter().filter(|copy| copy.side == side).cloned().collect();
            sides::experiment(options, std::slice::from_ref(command), &of_side).is_ok()
        };
        let name = command.name.clone().unwrap_or_else(|| commands::shown(&command.text));
        one_sided(&clean(&name), has(BASE), has(HEAD))
    })
}

/// Why there is no experiment; where a program is in no copy, how it gets there.
fn with_remedy(
    error: &Failure,
    options: &cli::Ab,
    declared: &[Declared],
    copies: &[Copy],
) -> Failure {
    let program = |command: &Declared| {
        let word = command.text.split(u8::is_ascii_whitespace).find(|word| !word.is_empty())?;
        Some(PathBuf::from(OsStr::from_bytes(word)))
    };
    let is_missing = |path: &PathBuf| {
        path.components().count() > 1 && !copies.iter().any(|it| it.directory.join(path).exists())
    };
    let missing = declared.iter().filter_map(program).find(is_missing).filter(|_| !options.dir);
    let remedy = missing.map(|path| match options.build {
        None if path.exists() => format!(
            "; it is here, but the copies have only what git knows: --build CMD builds each of them, --copy {} takes it along",
            path.display()
        ),
        None => "; the copies have only what git knows: --build CMD builds each of them".to_owned(),
        Some(_) => "; --build did not make it in the copies".to_owned(),
    });
    Failure::new(format!("{}{}", error.message(), remedy.unwrap_or_default()))
}

fn one_sided(name: &str, base: bool, head: bool) -> Option<String> {
    let (has, lacks) = match (base, head) {
        (true, false) => (BASE, HEAD),
        (false, true) => (HEAD, BASE),
        _ => return None,
    };
    Some(format!(
        "etalon: `{name}`: on one side only: {has} has what it executes, {lacks} does not: nothing was measured"
    ))
}

/// The program and the files that are named behind it: those in the copy, and the others.
fn files(line: &BenchmarkLine, copy: &Copy) -> (Vec<PathBuf>, Vec<PathBuf>) {
    let program = line.path.iter().map(|path| PathBuf::from(OsStr::from_bytes(path.as_bytes())));
    let words = line.argv.iter().skip(1).flat_map(|word| {
        // Also those of a command in a word, as behind `sh -c`.
        let ends = |byte: &u8| byte.is_ascii_whitespace() || b";&|()<>'\"`".contains(byte);
        word.as_bytes().split(ends).map(<[u8]>::to_owned).collect::<Vec<_>>()
    });
    let named = words.filter(|word| !word.is_empty());
    let directory = directory(line, copy);
    let named = named.map(|word| directory.join(OsStr::from_bytes(&word)));
    let all: Vec<PathBuf> = program.chain(named.filter(|path| path.is_file())).collect();
    all.into_iter().partition(|path| is_inside(path, &copy.root))
}

/// Where a command is executed.
fn directory(line: &BenchmarkLine, copy: &Copy) -> PathBuf {
    let own = line.cwd.as_ref().map(|cwd| PathBuf::from(OsStr::from_bytes(cwd.as_bytes())));
    own.unwrap_or_else(|| copy.directory.clone())
}

/// Whether a file is the copy's own: a link to one elsewhere is not, but for the Python of a virtual environment.
fn is_inside(path: &Path, root: &Path) -> bool {
    let real = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let of_venv = || {
        let environment = path.parent().and_then(Path::parent);
        environment.is_some_and(|it| it.starts_with(root) && it.join("pyvenv.cfg").is_file())
    };
    real(path).starts_with(real(root)) || of_venv()
}

/// What one execution printed, and how it ended.
type Printed = (Outcome, Vec<u8>);

/// Executes each command on both sides, the base twice, with the variables and the input that it is measured with; in
/// words what differs.
///
/// # Errors
/// If the base differs from itself, or one cannot be executed.
fn same_output(
    experiment: &Experiment,
    copies: &[Copy],
    control: &Control,
    watch: &Watch<'_>,
) -> Result<Option<String>, Failure> {
    let interrupts = watch.interrupts();
    for lines in experiment.benchmarks.chunks(copies.len()) {
        let printed = |side: &str| {
            let at = copies.iter().position(|copy| copy.side == side).unwrap_or_default();
            execute(&lines[at], &copies[at], control, &mut || interrupts.come())
        };
        let (first, again, head) = (printed(BASE)?, printed(BASE)?, printed(HEAD)?);
        let name = clean(&lines[0].name);
        if first != again {
            return Err(Failure::about(
                format!("--same-output: `{name}`"),
                format!(
                    "the base differs from itself ({}): its output says nothing about the head's",
                    difference(&first, &again)
                ),
            ));
        }
        if first != head {
            return Ok(Some(format!(
                "etalon: `{name}`: the head prints something else than the base ({}): nothing was measured",
                difference(&first, &head)
            )));
        }
    }
    Ok(None)
}

fn execute(
    line: &BenchmarkLine,
    copy: &Copy,
    control: &Control,
    interrupted: &mut dyn FnMut() -> bool,
) -> Result<Printed, Failure> {
    let path = line.path.as_ref().map(|path| OsStr::from_bytes(path.as_bytes()).to_owned());
    let words: Vec<OsString> = line
        .argv
        .iter()
        .skip(1)
        .map(|word| OsStr::from_bytes(word.as_bytes()).to_owned())
        .collect();
    let path = path.unwrap_or_default();
    let environment = sides::variables(&made::variables(&control.env), &copy.root);
    let input = control.input.as_ref().map(|file| sides::filled(file.as_bytes(), &copy.root));
    let program = Program {
        program: &path,
        arguments: &words,
        environment: &environment,
        // The word that stands for no input, as where it is measured.
        input: input
            .as_deref()
            .filter(|file| *file != b"null")
            .map(|file| Path::new(OsStr::from_bytes(file))),
        directory: &directory(line, copy),
        inherits: None,
    };
    let executed = untimed::execute(&program, interrupted)
        .map_err(|error| Failure::about(path.display(), error))?
        .ok_or_else(|| Failure::interrupted("interrupted while outputs were compared"))?;
    Ok((executed.outcome, executed.stdout))
}

/// Where two outputs part.
fn difference(one: &Printed, two: &Printed) -> String {
    if one.0 != two.0 {
        return "another exit code".to_owned();
    }
    let lines = |printed: &Printed| -> Vec<Vec<u8>> {
        printed.1.split(|byte| *byte == b'\n').map(<[u8]>::to_vec).collect()
    };
    let (one, two) = (lines(one), lines(two));
    let same = one.iter().zip(&two).take_while(|(one, two)| one == two).count();
    format!("from line {} on", same + 1)
}
