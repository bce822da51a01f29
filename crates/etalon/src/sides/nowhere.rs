//! Paths that commands name and that no copy has although one of them is built, found out before the others are.
//!
//! Owns: which words look like such a path, and an execution in the copy that is built where there is one. A program may
//! make the file itself, or mean something else by the word; one that fails would fail everywhere. Refuses to judge a
//! command by its words alone, and to execute one that needs something around it which is not there yet.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use etalon_probe::launcher::protocol::Failure as Stopped;
use etalon_record::BenchmarkLine;
use etalon_report::text::clean;
use etalon_run::{CommandOutput, CommandSetup, Experiment, once, without_detours};

use super::Copy;
use super::named::{directory, shell_words, words};
use crate::failure::Failure;
use crate::progress::Watch;
use crate::stopped;

/// Refuses commands that name a path which no copy has, and that fail in the copy that is built, if others are still to
/// be.
///
/// # Errors
/// With the path, and what the command says.
pub(crate) fn refuse_nowhere(
    (experiment, setup): (&Experiment, &CommandSetup),
    copies: &[Copy],
    watch: &Watch<'_>,
) -> Result<(), Failure> {
    let built = copies.iter().position(|copy| !copy.is_to_be_built);
    let Some(built) = built.filter(|_| copies.iter().any(|copy| copy.is_to_be_built)) else {
        return Ok(());
    };
    for (number, lines) in experiment.benchmarks.chunks(copies.len()).enumerate() {
        let subject = number * copies.len() + built;
        let Some(path) = nowhere(&lines[built], copies, built) else { continue };
        let Some(alone) = setup.alone(subject).filter(|_| is_complete(setup, subject)) else {
            continue;
        };
        let interrupts = watch.interrupts();
        let tried = once::tried(&alone, &mut || interrupts.come()).map_err(Failure::new)?;
        match tried {
            CommandOutput::Ended(..) => {}
            CommandOutput::Interrupted => {
                return Err(Failure::interrupted("interrupted while the sides were built"));
            }
            CommandOutput::Stopped(stopped) => {
                let stopped = Stopped { command: subject, ..stopped };
                let stopped = stopped::describe(&stopped, experiment);
                let path = clean(&path.to_string_lossy());
                let side = copies[built].side;
                return Err(Failure::of_side(format!(
                    "{path} is on no side, and --build did not make it ({side} is built, nothing else): nothing was \
                     measured\n  {stopped}"
                )));
            }
        }
    }
    Ok(())
}

/// Whether an execution of a command alone has everything around it that it is measured with.
fn is_complete(setup: &CommandSetup, subject: usize) -> bool {
    let around = setup.hooks.get(subject);
    let of_stage = around.is_some_and(|hooks| hooks.setup.is_some() || hooks.requires.is_some());
    !of_stage && setup.around_all.setup.is_none()
}

/// The first word of a command or its hooks that looks like a path in the copy which is built, where no copy has such a
/// file.
fn nowhere(line: &BenchmarkLine, copies: &[Copy], built: usize) -> Option<PathBuf> {
    let hooks = [&line.prepare, &line.conclude].into_iter().flatten();
    let of_hooks = hooks.flat_map(|hook| shell_words(hook.as_bytes()));
    let copy = &copies[built];
    let place = directory(line, copy);
    words(line).chain(of_hooks).filter(|word| looks_like_path(word)).find_map(|word| {
        let word = Path::new(OsStr::from_bytes(&word)).to_owned();
        let file = without_detours(&place.join(&word));
        let inside = file.strip_prefix(&copy.root).ok()?;
        let is_there = copies.iter().any(|copy| copy.root.join(inside).exists());
        (!is_there && !inside.as_os_str().is_empty()).then_some(word)
    })
}

/// Whether a word may be a path: it has a slash or an extension, and nothing that a shell or a URL would have.
fn looks_like_path(word: &[u8]) -> bool {
    let is_plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"._-/+@%,".contains(byte);
    let path = Path::new(OsStr::from_bytes(word));
    let extension = path.extension().and_then(|it| it.as_bytes().first().copied());
    let has_extension = extension.is_some_and(|first| first.is_ascii_alphabetic());
    let is_name = word.iter().all(|byte| is_plain(byte) || !byte.is_ascii());
    is_name && !word.starts_with(b"-") && (word.contains(&b'/') || has_extension)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Would catch a path that is not looked for, and a word of a shell, an option or a number that is.
    #[test]
    fn paths_are_told_from_other_words() {
        for path in ["bench/x.js", "./x", "x.js", "a-b/c_d.e+f", "dürer/x", "../x", "/tmp/x.txt"] {
            assert!(looks_like_path(path.as_bytes()), "{path}");
        }
        for other in [
            "x",
            "-o",
            "--in=a/b",
            "1.5",
            "100",
            "a*/b",
            "$X/y",
            "http://x/y",
            "NAME=a/b",
            "",
            "{x}/y",
        ] {
            assert!(!looks_like_path(other.as_bytes()), "{other}");
        }
    }
}
