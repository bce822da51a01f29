//! The copies of both sides, built.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::Instant;

use etalon_core::dataset::{BASE, HEAD};
use etalon_core::model::Context;
use etalon_probe::untimed::{self, Program};
use etalon_report::text::clean;
use etalon_run::sides::{Checkout, Sides, SidesError, Wanted};

use super::shown_text;
use crate::cmd::sides::{Copy, filled};
use crate::failure::Failure;
use crate::output;
use crate::progress::Watch;
use crate::sides::facts;

/// Lines of what a failed build said that are shown.
const SAID: usize = 12;

/// What was made, beside the copies.
pub(crate) struct Made {
    /// The copies are there as long as it is; nothing where they are the user's.
    pub room: Option<Sides>,
    /// Facts for the record.
    pub facts: Context,
}

/// What is asked of sides.
pub(crate) struct Asked<'a> {
    pub base: &'a OsStr,
    pub head: Option<&'a OsStr>,
    /// Whether both are directories that are ready.
    pub dir: bool,
    pub build: Option<&'a OsStr>,
    pub along: &'a [PathBuf],
    pub no_control: bool,
    /// Variables for builds.
    pub env: &'a [(String, String)],
}

/// The copies; in words why there are none, where a side does not build.
///
/// # Errors
/// If there is no such revision or directory, or one build changes what another one made.
pub(crate) fn of(
    options: &Asked<'_>,
    here: &Path,
    watch: &Watch<'_>,
) -> Result<Result<(Made, Vec<Copy>), String>, Failure> {
    let mut facts = Context::new();
    let mut say = |key: &str, value: String| facts.insert(key.to_owned(), value);
    say(facts::SIDES, format!("{BASE} {HEAD}"));
    say(facts::BASE_ASKED, shown_text(options.base));
    let tree = || "the working tree".to_owned();
    say(facts::HEAD_ASKED, options.head.map_or_else(tree, shown_text));
    if options.dir {
        let copies = prepared(options, here)?;
        return Ok(Ok((Made { room: None, facts }, copies)));
    }
    let builds = if options.no_control { 1 } else { 2 };
    say(facts::BUILDS, builds.to_string());
    let interrupts = watch.interrupts();
    let mut interrupted = || interrupts.come();
    let text = |name: &str, text: &OsStr| {
        text.to_str()
            .map(str::to_owned)
            .ok_or_else(|| Failure::about(name, "is no UTF-8, which no revision is"))
    };
    let base = text("BASE", options.base)?;
    let head = options.head.map(|head| text("HEAD", head)).transpose()?;
    let wanted =
        Wanted { base: &base, head: head.as_deref(), copies: builds, along: options.along };
    let temporary = std::env::temp_dir();
    let sides = Sides::check_out(&wanted, here, &temporary, &mut interrupted).map_err(failure)?;
    say(facts::BASE_REVISION, sides.base.revision.clone());
    say(facts::HEAD_REVISION, sides.head.revision.clone());
    let copies = copies(&sides, builds);
    if let Some(command) = options.build {
        if watch.is_attended() {
            output::remark(&format!("building {} copies: {}", copies.len(), shown_text(command)));
        }
        let began = Instant::now();
        if let Err(unbuilt) = built(options, command, &copies, &mut interrupted)? {
            return Ok(Err(unbuilt));
        }
        say(facts::BUILD_COMMAND, shown_text(command));
        say(facts::BUILD_SECONDS, format!("{:.1}", began.elapsed().as_secs_f64()));
    }
    Ok(Ok((Made { room: Some(sides), facts }, copies)))
}

/// Directories that the user has made ready.
fn prepared(options: &Asked<'_>, here: &Path) -> Result<Vec<Copy>, Failure> {
    let sides = [(BASE, Some(options.base)), (HEAD, options.head)];
    let sides = sides.into_iter().filter_map(|(side, path)| Some((side, path?)));
    let copy = |(side, path): (&'static str, &OsStr)| {
        let root = here.join(path);
        let root = root.canonicalize().map_err(|error| Failure::about(path.display(), error))?;
        if !root.is_dir() {
            return Err(Failure::about(path.display(), "is no directory, which --dir takes"));
        }
        Ok(Copy { side, build: None, directory: root.clone(), root })
    };
    let copies: Vec<Copy> = sides.map(copy).collect::<Result<_, Failure>>()?;
    if let [base, head] = &copies[..]
        && base.root == head.root
    {
        return Err(Failure::about("--dir", "both sides are the same directory"));
    }
    Ok(copies)
}

/// In the order in which they are built: both sides in turn.
fn copies(sides: &Sides, builds: usize) -> Vec<Copy> {
    let mut copies = Vec::new();
    for number in 0..builds {
        for (side, of) in [(BASE, &sides.base), (HEAD, &sides.head)] {
            let Some(Checkout { root, directory }) = of.copies.get(number) else { continue };
            let build = (builds > 1).then_some(number + 1);
            copies.push(Copy { side, build, root: root.clone(), directory: directory.clone() });
        }
    }
    copies
}

/// Builds every copy; in words what does not build.
fn built(
    options: &Asked<'_>,
    command: &OsStr,
    copies: &[Copy],
    interrupted: &mut dyn FnMut() -> bool,
) -> Result<Result<(), String>, Failure> {
    let environment = variables(options.env);
    let mut after: Vec<Listing> = Vec::new();
    for copy in copies {
        let text = OsString::from_vec(filled(command.as_bytes(), &copy.root));
        let program = Program {
            program: OsStr::new("/bin/sh"),
            arguments: &["-c".into(), text],
            environment: &environment,
            input: None,
            directory: &copy.directory,
        };
        let executed = untimed::execute(&program, interrupted)
            .map_err(|error| Failure::about(format!("--build {}", shown_text(command)), error))?
            .ok_or_else(|| Failure::interrupted("interrupted while the sides were built"))?;
        if !executed.is_ok() {
            let said = String::from_utf8_lossy(&executed.stderr);
            let printed = String::from_utf8_lossy(&executed.stdout);
            let said = if said.trim().is_empty() { printed } else { said };
            let lines: Vec<&str> = said.trim_end().lines().collect();
            let last = lines.iter().skip(lines.len().saturating_sub(SAID));
            let last: String = last.map(|line| format!("\n  | {}", clean(line))).collect();
            return Ok(Err(format!(
                "etalon: {} does not build: `{}`{last}",
                copy.side,
                shown_text(command)
            )));
        }
        after.push(listing(&copy.root));
    }
    for (copy, then) in copies.iter().zip(&after) {
        let now = listing(&copy.root);
        let changed = then.iter().find(|(path, about)| now.get(*path) != Some(*about));
        let added = || now.keys().find(|path| !then.contains_key(*path));
        if let Some(path) = changed.map(|(path, _)| path).or_else(added) {
            return Err(Failure::about(
                format!("--build {}", shown_text(command)),
                format!(
                    "the same artefact twice: {} in {} was changed by the build of another copy: let each copy build \
                     into itself",
                    path.display(),
                    copy.side
                ),
            ));
        }
    }
    Ok(Ok(()))
}

/// `--env`, as programs are given it.
pub(super) fn variables(env: &[(String, String)]) -> Vec<(OsString, OsString)> {
    env.iter().map(|(name, value)| (name.into(), value.into())).collect()
}

/// By path, size and time of change of every file.
type Listing = BTreeMap<PathBuf, (u64, i64, i64)>;

fn listing(root: &Path) -> Listing {
    fn walk(root: &Path, path: &Path, all: &mut Listing) {
        for entry in fs::read_dir(path).into_iter().flatten().flatten() {
            let path = entry.path();
            let Ok(about) = fs::symlink_metadata(&path) else { continue };
            if about.is_dir() {
                walk(root, &path, all);
            } else {
                let inside = path.strip_prefix(root).unwrap_or(&path).to_owned();
                all.insert(inside, (about.len(), about.mtime(), about.mtime_nsec()));
            }
        }
    }
    let mut all = Listing::new();
    walk(root, root, &mut all);
    all
}

fn failure(error: SidesError) -> Failure {
    match error {
        SidesError::Interrupted => Failure::interrupted(error),
        error => Failure::new(error),
    }
}
