//! The causes of a build as one name: two builds of one name are of the same files, made in the same way.
//!
//! Owns: what belongs to it. That is every file of the copy before it is built (its submodules and what was copied
//! along among them), the directory, the command, `--env`, the variables of etalon's own environment that compilers and
//! build tools look at or the command names, what compilers call themselves, and the programs that the command names.
//! Refuses: libraries and headers of the system, whatever a build fetches, and to execute a compiler of the copy: what
//! stands in the copy belongs to the name by its content. The name is no proof against somebody who makes two builds of
//! one name on purpose: their command could write into the kept builds as well.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::hash::Hasher;
use std::io::{self, Read};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::Path;

use etalon_probe::untimed::{self, Program};
use twox_hash::XxHash3_64;

use super::listing::walk;
use super::{Checkout, LAYOUT, SidesError};

/// How copies are built.
#[derive(Debug, Clone, Copy)]
pub struct Recipe<'a> {
    /// The command that is executed in each.
    pub command: &'a OsStr,
    /// Variables that it is given.
    pub given: &'a [(OsString, OsString)],
    /// etalon's own variables, which it sees too.
    pub environment: &'a [(OsString, OsString)],
}

/// Variables that build tools look at.
const NAMES: [&str; 22] = [
    "PATH",
    "CC",
    "CXX",
    "CPP",
    "LD",
    "AR",
    "AS",
    "FC",
    "NM",
    "CPATH",
    "C_INCLUDE_PATH",
    "CPLUS_INCLUDE_PATH",
    "LIBRARY_PATH",
    "LD_LIBRARY_PATH",
    "LD_PRELOAD",
    "SOURCE_DATE_EPOCH",
    "VIRTUAL_ENV",
    "JAVA_HOME",
    "HOME",
    "LANG",
    "LC_ALL",
    "SHELL",
];

/// The beginnings of others of them.
const BEGIN: [&str; 13] = [
    "CARGO",
    "RUST",
    "GO",
    "CGO_",
    "CMAKE",
    "MAKE",
    "PKG_CONFIG",
    "PYTHON",
    "PIP_",
    "NODE",
    "NPM_",
    "npm_",
    "LUA",
];

/// Compilers, and how each says its version.
const COMPILERS: [(&str, &str); 4] =
    [("cc", "--version"), ("c++", "--version"), ("rustc", "-vV"), ("go", "version")];

/// The name of what a build of this copy follows from, 16 hexadecimal digits.
///
/// # Errors
/// If a file cannot be read, or the user does not want to wait.
pub(super) fn key(
    copy: &Checkout,
    recipe: &Recipe<'_>,
    interrupted: &mut dyn FnMut() -> bool,
) -> Result<String, SidesError> {
    let mut hasher = Parts(XxHash3_64::new());
    let read = files(&copy.root, &mut hasher, interrupted);
    read.map_err(|error| match error.kind() {
        io::ErrorKind::Interrupted => SidesError::Interrupted,
        _ => SidesError::Io { path: copy.root.clone(), error },
    })?;
    hasher.part(
        copy.directory.strip_prefix(&copy.root).unwrap_or(&copy.directory).as_os_str().as_bytes(),
    );
    hasher.part(recipe.command.as_bytes());
    let given: BTreeMap<_, _> = recipe.given.iter().map(|(name, value)| (name, value)).collect();
    let named = words(recipe.command);
    let matters = |name: &OsStr| {
        let name = name.as_bytes();
        NAMES.iter().any(|known| known.as_bytes() == name)
            || BEGIN.iter().any(|begin| name.starts_with(begin.as_bytes()))
            || name.ends_with(b"FLAGS")
            || named.contains(&name)
    };
    let own = recipe.environment.iter().filter(|(name, _)| matters(name));
    let own: BTreeMap<_, _> = own.map(|(name, value)| (name, value)).collect();
    for (name, value) in given.iter().chain(&own) {
        hasher.part(name.as_bytes());
        hasher.part(value.as_bytes());
    }
    for said in versions(copy, recipe, interrupted)? {
        hasher.part(&said);
    }
    for word in named {
        hasher.part(&program(word, recipe).unwrap_or_default());
    }
    Ok(format!("{:016x}", hasher.0.finish()))
}

/// The name of what the build of one of several layouts follows from, where builds without them have that name.
pub(super) fn with_layout(key: &str, number: usize) -> String {
    let mut hasher = Parts(XxHash3_64::new());
    hasher.part(key.as_bytes());
    hasher.part(LAYOUT.as_bytes());
    hasher.part(&number.to_le_bytes());
    format!("{:016x}", hasher.0.finish())
}

/// Parts that cannot be taken for others.
struct Parts(XxHash3_64);

impl Parts {
    fn part(&mut self, bytes: &[u8]) {
        self.0.write(&(bytes.len() as u64).to_le_bytes());
        self.0.write(bytes);
    }
}

/// Every file by path, content and whether it is executable; links by where they lead.
fn files(root: &Path, hasher: &mut Parts, interrupted: &mut dyn FnMut() -> bool) -> io::Result<()> {
    let mut buffer = vec![0; 256 << 10];
    walk(root, &mut |path, about| {
        hasher.part(path.strip_prefix(root).unwrap_or(path).as_os_str().as_bytes());
        let is_executable = about.permissions().mode() & 0o100 != 0;
        hasher.part(&[
            u8::from(about.is_dir()),
            u8::from(about.is_symlink()),
            u8::from(is_executable),
        ]);
        if about.is_symlink() {
            hasher.part(std::fs::read_link(path)?.as_os_str().as_bytes());
        } else if about.is_file() {
            hasher.part(&about.len().to_le_bytes());
            let mut file = File::open(path)?;
            loop {
                match file.read(&mut buffer)? {
                    0 => break,
                    read => hasher.0.write(&buffer[..read]),
                }
            }
        }
        match interrupted() {
            true => Err(io::ErrorKind::Interrupted.into()),
            false => Ok(()),
        }
    })
}

/// The words of a command that look like names.
fn words(command: &OsStr) -> Vec<&[u8]> {
    let ends = |byte: &u8| !byte.is_ascii_alphanumeric() && !b"_-+./".contains(byte);
    command.as_bytes().split(ends).filter(|word| !word.is_empty()).collect()
}

/// The versions of installed compilers, in their words. They are asked far from the copy, whose files could name a
/// compiler of its own; of the installed toolchains, the one that the copy chooses.
fn versions(
    copy: &Checkout,
    recipe: &Recipe<'_>,
    interrupted: &mut dyn FnMut() -> bool,
) -> Result<Vec<Vec<u8>>, SidesError> {
    let mut said = Vec::new();
    let own = || recipe.environment.iter().chain(recipe.given);
    let chosen = own().filter(|(name, _)| name == "CC" || name == "CXX");
    let chosen = chosen.map(|(_, value)| format!("{} --version", value.to_string_lossy()));
    let usual = COMPILERS.iter().map(|(name, how)| format!("{name} {how}"));
    let mut environment = recipe.given.to_vec();
    // Nothing is fetched because a version is asked for.
    environment.push(("RUSTUP_AUTO_INSTALL".into(), "0".into()));
    if let Some(channel) = channel(copy).filter(|_| own().all(|(name, _)| name != TOOLCHAIN)) {
        environment.push((TOOLCHAIN.into(), channel.into()));
    }
    for asked in usual.chain(chosen) {
        let mut words = asked.split_whitespace().map(OsString::from);
        let Some(program) = words.next() else { continue };
        let arguments: Vec<OsString> = words.collect();
        let asked = Program {
            program: &program,
            arguments: &arguments,
            environment: &environment,
            input: None,
            directory: Path::new("/"),
            inherits: None,
        };
        match untimed::execute(&asked, interrupted) {
            Ok(Some(executed)) => said.push(executed.stdout),
            Ok(None) => return Err(SidesError::Interrupted),
            // One that is not there compiles nothing.
            Err(_) => said.push(Vec::new()),
        }
    }
    Ok(said)
}

/// The variable that chooses a toolchain of Rust before any file does.
const TOOLCHAIN: &str = "RUSTUP_TOOLCHAIN";

/// The installed toolchain of Rust that the copy chooses by name. A path, which would be the copy's, is none.
fn channel(copy: &Checkout) -> Option<String> {
    let inside = copy.directory.ancestors().take_while(|it| it.starts_with(&copy.root));
    let files = inside.flat_map(|it| ["rust-toolchain", "rust-toolchain.toml"].map(|n| it.join(n)));
    let text = files.map(std::fs::read_to_string).find_map(Result::ok)?;
    let named = text.lines().find_map(|line| {
        let value = line.trim().strip_prefix("channel")?.trim_start().strip_prefix('=')?;
        Some(value.trim().trim_matches(['"', '\'']))
    });
    let is_in_name = |c: char| c.is_ascii_alphanumeric() || "-._".contains(c);
    let name = named.unwrap_or(text.trim());
    (!name.is_empty() && name.chars().all(is_in_name)).then(|| name.to_owned())
}

/// Which file a word is as a program, and whether it has changed.
fn program(word: &[u8], recipe: &Recipe<'_>) -> Option<Vec<u8>> {
    let word = Path::new(OsStr::from_bytes(word));
    let path = match word.components().count() {
        1 => {
            let variables = recipe.given.iter().chain(recipe.environment);
            let path = variables.clone().find(|(name, _)| name == "PATH").map(|(_, path)| path)?;
            std::env::split_paths(path).map(|it| it.join(word)).find(|it| it.is_file())?
        }
        _ if word.is_absolute() => word.to_owned(),
        _ => return None,
    };
    let path = path.canonicalize().ok()?;
    let about = path.metadata().ok().filter(std::fs::Metadata::is_file)?;
    let facts = format!("{} {} {}", about.len(), about.mtime(), about.mtime_nsec());
    Some([path.as_os_str().as_bytes(), facts.as_bytes()].join(&b' '))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Would catch a toolchain of the copy's that is executed to ask for its version, and a build by another
    /// toolchain of Rust that has the same name.
    #[test]
    fn only_an_installed_toolchain_is_asked() {
        let scratch = tempfile::tempdir().unwrap();
        let directory = scratch.path().join("sub");
        std::fs::create_dir(&directory).unwrap();
        let copy = Checkout { root: scratch.path().to_owned(), directory, built: None };
        let cases = [
            ("[toolchain]\nchannel = \"1.89\" \nprofile = 'x'\n", Some("1.89")),
            ("nightly-2026-01-01\n", Some("nightly-2026-01-01")),
            ("[toolchain]\npath = \"./evil\"\n", None),
            ("[toolchain]\nchannel = \"./evil\"\n", None),
            ("./evil\n", None),
            ("", None),
        ];
        for (text, expected) in cases {
            std::fs::write(scratch.path().join("rust-toolchain.toml"), text).unwrap();
            assert_eq!(channel(&copy).as_deref(), expected, "{text}");
        }
        let planted = |name: &str| {
            let path = scratch.path().join("sub").join(name);
            std::fs::write(&path, "#!/bin/sh\ntouch executed\necho planted\n").unwrap();
            std::fs::set_permissions(path, PermissionsExt::from_mode(0o755)).unwrap();
        };
        ["cc", "c++", "rustc", "go"].into_iter().for_each(planted);
        let environment: Vec<(OsString, OsString)> =
            [("CC", "./cc"), ("PATH", ".:/usr/bin")].map(|(a, b)| (a.into(), b.into())).into();
        let recipe = Recipe { command: OsStr::new("x"), given: &environment, environment: &[] };
        let said = versions(&copy, &recipe, &mut || false).unwrap();
        assert!(said.iter().all(|said| !said.starts_with(b"planted")), "{said:?}");
        assert!(!copy.directory.join("executed").exists());
    }
}
