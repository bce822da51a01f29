//! Which files are suites: those that are named, and in directories those called `*_bench.lua`.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use etalon_lua::Source;

use crate::cli;
use crate::failure::Failure;

/// What chunks of the command line are called together.
const CHUNKS: &str = "-e";

/// How deep directories are searched: deeper is a loop of links.
const DEEPEST: u32 = 40;

/// The suites asked for, by the name they are shown under: files in the order named, those of a
/// directory by path; then chunks. A file that is reached twice is measured once.
pub(super) fn wanted(options: &cli::Run) -> Result<Vec<(String, Source)>, Failure> {
    let mut files: Vec<PathBuf> = Vec::new();
    for path in &options.paths {
        let path = Path::new(path);
        let facts = fs::metadata(path).map_err(|error| {
            Failure::about(path.display(), format!("{error}; name a Lua file or a directory"))
        })?;
        if facts.is_dir() {
            let mut found = Vec::new();
            search(path, DEEPEST, &mut found)?;
            if found.is_empty() {
                return Err(Failure::about(
                    path.display(),
                    "no file in it is called *_bench.lua; files of other names have to be named",
                ));
            }
            found.sort();
            files.extend(found);
        } else {
            files.push(path.to_owned());
        }
    }
    let mut seen = Vec::new();
    files.retain(|file| {
        let real = fs::canonicalize(file).unwrap_or_else(|_| file.clone());
        let new = !seen.contains(&real);
        seen.push(real);
        new
    });
    let file = |path: PathBuf| (path.to_string_lossy().into_owned(), Source::File(path));
    let chunk = |code: &String| {
        (CHUNKS.to_owned(), Source::Chunk { code: code.clone(), name: code.clone() })
    };
    Ok(files.into_iter().map(file).chain(options.chunks.iter().map(chunk)).collect())
}

/// All suites below a directory, links followed.
fn search(directory: &Path, depth: u32, found: &mut Vec<PathBuf>) -> Result<(), Failure> {
    let cannot = |error| Failure::about(directory.display(), error);
    if depth == 0 {
        return Err(Failure::about(directory.display(), "nested too deeply: a loop of links?"));
    }
    for entry in fs::read_dir(directory).map_err(cannot)? {
        let path = entry.map_err(cannot)?.path();
        // A link that leads nowhere is nobody's suite, unless it is called like one.
        match fs::metadata(&path) {
            Ok(facts) if facts.is_dir() => search(&path, depth - 1, found)?,
            Ok(_) | Err(_) if is_suite(&path) => found.push(path),
            _ => {}
        }
    }
    Ok(())
}

fn is_suite(path: &Path) -> bool {
    path.file_name().and_then(OsStr::to_str).is_some_and(|name| name.ends_with("_bench.lua"))
}
