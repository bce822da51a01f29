//! Files that the words of a command name, in a copy and in the working tree.
//!
//! Refuses to judge them.

use std::ffi::OsStr;
use std::fs::File;
use std::io::Read;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use etalon_record::BenchmarkLine;

use super::Copy;

/// Bytes of a file that are looked at. Because: a program has a zero byte among the first ones.
const LOOKED_AT: u64 = 4096;

/// Words behind the program, also those of a command in a word, as behind `sh -c`.
pub(super) fn words(line: &BenchmarkLine) -> impl Iterator<Item = Vec<u8>> {
    line.argv.iter().skip(1).flat_map(|word| shell_words(word.as_bytes()))
}

/// Words of a command of a shell.
pub(super) fn shell_words(text: &[u8]) -> Vec<Vec<u8>> {
    let ends = |byte: &u8| byte.is_ascii_whitespace() || b";&|()<>'\"`".contains(byte);
    text.split(ends).filter(|word| !word.is_empty()).map(<[u8]>::to_owned).collect()
}

/// Where a command is executed.
pub(super) fn directory(line: &BenchmarkLine, copy: &Copy) -> PathBuf {
    let own = line.cwd.as_ref().map(|cwd| PathBuf::from(OsStr::from_bytes(cwd.as_bytes())));
    own.unwrap_or_else(|| copy.directory.clone())
}

/// A file of a copy, named from where etalon was started, if it is there.
pub(super) fn place_here(path: &Path, copy: &Copy, here: &Path) -> Option<PathBuf> {
    let inside = copy.directory.strip_prefix(&copy.root).ok()?;
    let up: PathBuf = inside.components().map(|_| "..").collect();
    let named = path.strip_prefix(inside).map_or_else(|_| up.join(path), Path::to_owned);
    is_text(&here.join(&named)).then_some(named)
}

/// Whether it is a file of text, which somebody wrote.
pub(crate) fn is_text(file: &Path) -> bool {
    let mut first = Vec::new();
    let read = File::open(file).and_then(|file| file.take(LOOKED_AT).read_to_end(&mut first));
    file.is_file() && read.is_ok() && !first.contains(&0)
}
