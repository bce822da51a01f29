//! Which files are suites: those that are named, and in directories those called `*_bench.lua`; and where
//! they are executed.

use std::collections::HashSet;
use std::ffi::OsString;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use etalon_lua::{Place, Source};
use etalon_record::ReadError;
use etalon_record::entries::entries;
use etalon_run::lua::SuiteSpec;

use crate::cli;
use crate::failure::Failure;

/// The options of chunks and of scripts: messages call them by these.
const CHUNKS: &str = "-e";
const SCRIPTS: &str = "--script";

/// The suites asked for, by the name they are shown under: files in the order named, those of a
/// directory by path; then chunks and scripts. A file that is reached twice is measured once.
pub(crate) fn wanted(options: &cli::Run) -> Result<Vec<SuiteSpec>, Failure> {
    let places = Places::of(options)?;
    let mut files: Vec<PathBuf> = Vec::new();
    for path in &options.paths {
        let path = Path::new(path);
        let facts = fs::metadata(path).map_err(|error| {
            Failure::new(format!(
                "{}; name a Lua file or a directory",
                ReadError::open(path, &error)
            ))
        })?;
        if facts.is_dir() {
            let mut search = Search::default();
            search.directory(path)?;
            let mut found = search.found;
            if found.is_empty() {
                return Err(Failure::about(
                    path.display(),
                    "no file in it is called *_bench.lua; files of other names have to be named",
                ));
            }
            found.sort();
            files.extend(found);
        } else if facts.is_file() {
            files.push(path.to_owned());
        } else {
            return Err(Failure::about(
                path.display(),
                "can be read only once, and every process of a case reads it: write it to a file",
            ));
        }
    }
    let mut seen = Vec::new();
    files.retain(|file| {
        let real = fs::canonicalize(file).unwrap_or_else(|_| file.clone());
        let new = !seen.contains(&real);
        seen.push(real);
        new
    });
    let file = |path: PathBuf| SuiteSpec {
        name: path.to_string_lossy().into_owned(),
        place: places.of_file(&path),
        source: Source::File(path),
    };
    let chunk = |code: &String| SuiteSpec {
        name: CHUNKS.to_owned(),
        place: places.of_chunk(),
        source: Source::Chunk { code: code.clone(), name: code.clone() },
    };
    let script = |path: &OsString| script(Path::new(path), &places);
    let scripts: Vec<_> = options.scripts.iter().map(script).collect::<Result<_, _>>()?;
    let files = files.into_iter().map(file).chain(options.chunks.iter().map(chunk));
    Ok(files.chain(scripts).collect())
}

/// A script, which is executed where etalon was started.
fn script(path: &Path, places: &Places) -> Result<SuiteSpec, Failure> {
    let about = format!("--script {}", path.display());
    match fs::metadata(path) {
        Err(error) => Err(Failure::about(about, ReadError::open(path, &error))),
        Ok(facts) if !facts.is_file() => {
            Err(Failure::about(about, "every block reads it: name a Lua file"))
        }
        Ok(_) => Ok(SuiteSpec {
            name: SCRIPTS.to_owned(),
            place: places.of_chunk(),
            source: Source::Script(path.to_owned()),
        }),
    }
}

/// Where suites are executed: each in its own directory, chunks where etalon was started; all in
/// `--cwd`, if that is given.
struct Places {
    caller: PathBuf,
    asked: Option<PathBuf>,
}

impl Places {
    fn of(options: &cli::Run) -> Result<Places, Failure> {
        let caller = std::env::current_dir().map_err(|error| {
            Failure::about("the working directory", format!("{error}; start etalon elsewhere"))
        })?;
        let asked = options.cwd.as_deref().map(|directory| {
            let path = caller.join(directory);
            let cannot = |why: String| Failure::about(format!("--cwd {}", path.display()), why);
            match fs::metadata(&path) {
                Ok(facts) if facts.is_dir() => Ok(path),
                Ok(_) => Err(cannot("is no directory; name one".to_owned())),
                Err(error) => Err(cannot(format!("{error}; name a directory"))),
            }
        });
        Ok(Places { asked: asked.transpose()?, caller })
    }

    fn of_file(&self, file: &Path) -> Place {
        let own = || self.caller.join(file).parent().map(Path::to_owned);
        self.at(self.asked.clone().or_else(own))
    }

    fn of_chunk(&self) -> Place {
        self.at(self.asked.clone())
    }

    fn at(&self, directory: Option<PathBuf>) -> Place {
        let directory = directory.unwrap_or_else(|| self.caller.clone());
        // Without the `.` of `./s.lua`.
        let directory = directory.components().collect();
        Place { directory, caller: self.caller.clone() }
    }
}

/// A search for suites, links followed.
#[derive(Default)]
struct Search {
    /// Directories seen, by what they really are: links can lead back to one.
    seen: HashSet<PathBuf>,
    found: Vec<PathBuf>,
}

impl Search {
    /// All suites below a directory: its own before those behind links, so that a directory reached
    /// twice is shown where it is.
    fn directory(&mut self, directory: &Path) -> Result<(), Failure> {
        let cannot = |error| Failure::about(directory.display(), error);
        if !self.seen.insert(fs::canonicalize(directory).map_err(cannot)?) {
            return Ok(());
        }
        let mut paths = Vec::new();
        for entry in entries(directory).map_err(cannot)? {
            paths.push(entry.map_err(cannot)?.path());
        }
        paths.sort_by_cached_key(|path| (path.is_symlink(), path.clone()));
        for path in paths {
            // A link that leads nowhere is nobody's suite, unless it is called like one.
            if path.is_dir() {
                self.directory(&path)?;
            } else if is_suite(&path) && (path.is_file() || path.is_symlink()) {
                self.found.push(path);
            }
        }
        Ok(())
    }
}

fn is_suite(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name.as_bytes().ends_with(b"_bench.lua"))
}
