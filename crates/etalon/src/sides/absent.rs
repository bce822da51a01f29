//! Files that commands name and that a side will not have, found out before anything is built.
//!
//! Owns what no build can be expected to make: what a relative path names outside of the repository, and a script that
//! one side alone has. Refuses to miss a program that may be built.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use etalon_core::model::{BASE, HEAD};
use etalon_core::shell::copied;
use etalon_record::BenchmarkLine;
use etalon_report::text::clean;
use etalon_run::{Experiment, without_detours};

use super::Copy;
use super::named::{directory, is_text, place_here, words};
use super::origins::one_sided;
use crate::failure::Failure;
use crate::tool;

/// Refuses commands that name a file which is outside of the copies or that one side has alone.
///
/// # Errors
/// With the remedy.
pub(crate) fn refuse_absent(experiment: &Experiment, copies: &[Copy]) -> Result<(), Failure> {
    let here = tool::here()?;
    for lines in experiment.benchmarks.chunks(copies.len()) {
        let name = clean(&lines[0].name);
        for (line, copy) in lines.iter().zip(copies) {
            let all = words(line).map(|word| PathBuf::from(OsStr::from_bytes(&word)));
            let mut outside = all.filter_map(|word| outside(&word, (line, copy), &here));
            if let Some(why) = outside.next() {
                return Err(Failure::about(format!("command `{name}`"), why));
            }
        }
        if let Some(failure) = script_of_one_side(&name, lines, copies, &here) {
            return Err(failure);
        }
    }
    Ok(())
}

/// What is wrong with a path that leads out of a copy to nothing: to something from the working tree, or there to nothing,
/// too, which no build of a copy can be expected to change.
fn outside(word: &Path, (line, copy): (&BenchmarkLine, &Copy), here: &Path) -> Option<String> {
    let place = directory(line, copy);
    let file = without_detours(&place.join(word));
    if word.is_absolute() || file.starts_with(&copy.root) || place.join(word).exists() {
        return None;
    }
    let inside = place.strip_prefix(&copy.directory).unwrap_or(Path::new(""));
    leads_out(word, &here.join(inside)).or_else(|| {
        let word = clean(&word.to_string_lossy());
        let why = "leads out of the repository, and there is no such file: check the path, and write it from the root";
        Some(format!("{word} {why}"))
    })
}

/// The remedy for a relative path that leads out of the repository, if it leads to something from this directory.
pub(crate) fn leads_out(word: &Path, from: &Path) -> Option<String> {
    let there = from.join(word).canonicalize().ok()?;
    let there = copied(&there.to_string_lossy()).into_owned();
    let word = clean(&word.to_string_lossy());
    Some(format!(
        "{word} leads out of the repository, of which each side is a copy: write {there}, or put it into the repository \
         and have both sides execute the same with --copy PATH"
    ))
}

/// That one side alone has the script of a command. Where one side is built already and the other is not, it may be
/// something that is built.
fn script_of_one_side(
    name: &str,
    lines: &[BenchmarkLine],
    copies: &[Copy],
    here: &Path,
) -> Option<Failure> {
    let of_side = |side: &str| lines.iter().zip(copies).find(|(_, copy)| copy.side == side);
    let (base, head) = (of_side(BASE)?, of_side(HEAD)?);
    if base.1.built.is_some() != head.1.built.is_some() {
        return None;
    }
    let file = |(line, copy): (&BenchmarkLine, &Copy)| {
        let place = directory(line, copy);
        let file = without_detours(&place.join(script(line, copy)?));
        Some((file.is_file(), file.strip_prefix(&copy.root).ok()?.to_owned(), is_text(&file)))
    };
    let ((base, path, one), (head, _, other)) = (file(base)?, file(head)?);
    let copy = copies.first()?;
    let place = place_here(&path, copy, here);
    (one || other).then(|| one_sided(name, (base, head), place.as_deref()))?
}

/// The script that a command executes: itself, where it names a file of the side, else the first word behind it that is
/// no option.
fn script(line: &BenchmarkLine, copy: &Copy) -> Option<PathBuf> {
    let mut argv = line.argv.iter().map(|word| Path::new(OsStr::from_bytes(word.as_bytes())));
    let program = argv.next()?;
    let has_slash = program.as_os_str().as_bytes().contains(&b'/');
    if has_slash && without_detours(&directory(line, copy).join(program)).starts_with(&copy.root) {
        return Some(program.to_owned());
    }
    argv.find(|word| !word.as_os_str().as_bytes().starts_with(b"-")).map(Path::to_owned)
}
