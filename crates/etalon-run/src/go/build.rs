//! Packages, their test binaries, and the benchmarks in these.
//!
//! Owns: what `go list`, `go test -c` and `-test.list` are asked, and what their failures mean. Refuses: to execute a
//! benchmark.

use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use etalon_probe::untimed::{self, Executed, Program};
use serde::{Deserialize, Serialize};

use super::pattern::Alternative;

/// The beginning of every benchmark's name.
const PREFIX: &str = "Benchmark";

/// Why nothing can be measured.
#[derive(Debug, thiserror::Error)]
pub enum GoError {
    /// There is no Go.
    #[error(
        "go: not found in PATH: install it (https://go.dev/dl), or put the directory of `go` into PATH"
    )]
    NoGo,
    /// The packages cannot be listed.
    #[error("{packages}: {why}")]
    NoPackages {
        /// As they were asked for.
        packages: String,
        /// The words of go.
        why: String,
    },
    /// A program could not be executed.
    #[error("{program}: {error}")]
    Io {
        /// Which.
        program: String,
        /// Why not.
        error: io::Error,
    },
    /// A test binary is not built, or does not list its benchmarks: the words of Go, or of the binary.
    #[error("{0}")]
    Failed(String),
    /// The user did not want to wait.
    #[error("interrupted while Go was building")]
    Interrupted,
}

/// Where packages are, and how they are built.
#[derive(Debug, Clone, Copy)]
pub struct Source<'a> {
    /// The directory that packages are named from.
    pub directory: &'a Path,
    /// As they were asked for.
    pub packages: &'a [String],
    /// Flags for `go list` and `go test`.
    pub flags: &'a [OsString],
}

/// A package with tests.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Package {
    /// Its import path.
    pub path: String,
    /// Where it is.
    pub directory: PathBuf,
    /// Why it cannot be built, where that is known already.
    pub broken: Option<String>,
}

/// A test binary.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Binary {
    /// Where it is.
    pub path: PathBuf,
    /// Where it is executed: in its package.
    pub directory: PathBuf,
}

/// A top-level benchmark of a binary.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TopLevel {
    /// Its name, without `Benchmark`.
    pub name: String,
    /// The pattern that executes it, with that of its sub-benchmarks.
    pub pattern: String,
}

/// Go, asked one thing after the other.
pub struct GoBuild<'a> {
    /// Whether the user asked to stop since this was called last.
    pub interrupted: &'a mut dyn FnMut() -> bool,
    /// Where Go has its temporary files, which it leaves when it is ended; without it, where it usually has them.
    pub temporary: Option<&'a Path>,
}

/// A package as `go list` prints it.
#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Listed {
    import_path: String,
    #[serde(default)]
    dir: PathBuf,
    #[serde(default)]
    test_go_files: Vec<String>,
    #[serde(default, rename = "XTestGoFiles")]
    external_test_go_files: Vec<String>,
    error: Option<ListedError>,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct ListedError {
    #[serde(default)]
    pos: String,
    err: String,
}

impl GoBuild<'_> {
    /// The packages that have tests, or cannot be read.
    ///
    /// # Errors
    /// If there is no Go, or no package of such a name.
    pub fn packages(&mut self, source: &Source<'_>) -> Result<Vec<Package>, GoError> {
        let mut words: Vec<OsString> =
            ["list", "-e", "-find", "-json=ImportPath,Dir,TestGoFiles,XTestGoFiles,Error"]
                .map(Into::into)
                .into();
        words.extend_from_slice(source.flags);
        words.push("--".into());
        words.extend(source.packages.iter().map(Into::into));
        let executed = self.go(&words, source.directory)?;
        let about = |why: String| GoError::NoPackages { packages: source.packages.join(" "), why };
        let listed = serde_json::Deserializer::from_slice(&executed.stdout).into_iter::<Listed>();
        let listed: Vec<Listed> = listed.filter_map(Result::ok).collect();
        if !executed.is_ok() || listed.is_empty() {
            return Err(about(said(&executed)));
        }
        let is_tested =
            |it: &Listed| !it.test_go_files.is_empty() || !it.external_test_go_files.is_empty();
        let tested = listed.into_iter().filter(|it| is_tested(it) || it.error.is_some());
        let packages: Vec<Package> = tested.map(package).collect();
        match packages.is_empty() {
            true => Err(about("no package of these has a test file (_test.go)".to_owned())),
            false => Ok(packages),
        }
    }

    /// Builds the test binary of a package into a file.
    ///
    /// # Errors
    /// If it does not build ([`GoError::Failed`]), or Go cannot be executed.
    pub fn build(
        &mut self,
        package: &Package,
        source: &Source<'_>,
        into: &Path,
    ) -> Result<Binary, GoError> {
        if let Some(why) = &package.broken {
            return Err(GoError::Failed(why.clone()));
        }
        let mut words: Vec<OsString> = vec!["test".into(), "-c".into(), "-o".into(), into.into()];
        words.extend_from_slice(source.flags);
        // Without `--`: what follows that is the test binary's, and the package would be the directory.
        words.push(OsString::from(&package.path));
        let executed = self.go(&words, source.directory)?;
        if !executed.is_ok() || !into.exists() {
            return Err(GoError::Failed(said(&executed)));
        }
        Ok(Binary { path: into.to_owned(), directory: package.directory.clone() })
    }

    /// Files that are compiled into the test binaries of packages, but for those of Go itself. Nothing where that
    /// cannot be listed.
    ///
    /// # Errors
    /// If there is no Go, or the user does not want to wait.
    pub fn compiled(&mut self, source: &Source<'_>) -> Result<BTreeSet<PathBuf>, GoError> {
        let files = ["GoFiles", "CgoFiles", "CFiles", "HFiles", "SFiles", "EmbedFiles"];
        let each = files.map(|files| {
            format!("{{{{range .{files}}}}}{{{{$.Dir}}}}/{{{{.}}}}{{{{\"\\n\"}}}}{{{{end}}}}")
        });
        let format = format!("-f={{{{if not .Standard}}}}{}{{{{end}}}}", each.concat());
        let mut words: Vec<OsString> = ["list", "-e", "-deps", "-test"].map(Into::into).into();
        words.push(format.into());
        words.extend_from_slice(source.flags);
        words.push("--".into());
        words.extend(source.packages.iter().map(Into::into));
        let executed = self.go(&words, source.directory)?;
        let lines = executed.stdout.split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
        Ok(lines.map(|line| PathBuf::from(OsStr::from_bytes(line))).collect())
    }

    /// The top-level benchmarks of a binary that match one of the alternatives, without `Benchmark`, in the order of
    /// the binary, each with its pattern.
    ///
    /// # Errors
    /// If it cannot list them ([`GoError::Failed`]) or cannot be executed.
    pub fn benchmarks(
        &mut self,
        binary: &Binary,
        wanted: &[Alternative],
        arguments: &[OsString],
    ) -> Result<Vec<TopLevel>, GoError> {
        let mut found: Vec<TopLevel> = Vec::new();
        for Alternative { top, below } in wanted {
            let mut words = vec![OsString::from(format!("-test.list={top}"))];
            words.extend_from_slice(arguments);
            let executed = self.execute(binary.path.as_os_str(), &words, &binary.directory)?;
            if !executed.is_ok() {
                return Err(GoError::Failed(said(&executed)));
            }
            for line in String::from_utf8_lossy(&executed.stdout).lines() {
                let Some(name) = line.strip_prefix(PREFIX) else { continue };
                if name.contains(char::is_whitespace) || name.starts_with(char::is_lowercase) {
                    continue; // printed by the package itself
                }
                let pattern = format!("^{PREFIX}{name}${below}");
                match found.iter_mut().find(|known| known.name == name) {
                    Some(known) => known.pattern = format!("{}|{pattern}", known.pattern),
                    None => found.push(TopLevel { name: name.to_owned(), pattern }),
                }
            }
        }
        Ok(found)
    }

    /// The version of Go.
    ///
    /// # Errors
    /// If there is none.
    pub fn version(&mut self, directory: &Path) -> Result<String, GoError> {
        let executed = self.go(&["env".into(), "GOVERSION".into()], directory)?;
        Ok(String::from_utf8_lossy(&executed.stdout).trim().to_owned())
    }

    fn go(&mut self, words: &[OsString], directory: &Path) -> Result<Executed, GoError> {
        self.execute(OsStr::new("go"), words, directory)
    }

    fn execute(
        &mut self,
        program: &OsStr,
        arguments: &[OsString],
        directory: &Path,
    ) -> Result<Executed, GoError> {
        let temporary = self.temporary.filter(|_| program == "go");
        let environment: Vec<(OsString, OsString)> =
            temporary.map(|path| ("GOTMPDIR".into(), path.into())).into_iter().collect();
        let asked = Program {
            program,
            arguments,
            environment: &environment,
            input: None,
            directory,
            inherits: None,
        };
        match untimed::execute(&asked, self.interrupted) {
            Ok(Some(executed)) => Ok(executed),
            Ok(None) => Err(GoError::Interrupted),
            Err(error) if error.kind() == io::ErrorKind::NotFound && program == "go" => {
                Err(GoError::NoGo)
            }
            Err(error) => {
                Err(GoError::Io { program: program.to_string_lossy().into_owned(), error })
            }
        }
    }
}

fn package(listed: Listed) -> Package {
    let broken = listed.error.map(|ListedError { pos, err }| match pos.is_empty() {
        true => err,
        false => format!("{pos}: {err}"),
    });
    Package { path: listed.import_path, directory: listed.dir, broken }
}

/// A program's words about its failure.
fn said(executed: &Executed) -> String {
    let said = String::from_utf8_lossy(&executed.stderr);
    let printed = String::from_utf8_lossy(&executed.stdout);
    let said = if said.trim().is_empty() { printed } else { said };
    match said.trim() {
        "" => "it failed without a word".to_owned(),
        said => said.to_owned(),
    }
}
