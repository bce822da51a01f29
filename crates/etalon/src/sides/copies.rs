//! The copies of both sides: made, or taken from an earlier build, and told what is theirs.
//!
//! Refuses to build: a command is executed by [`super::builds`], packages are built by their door.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{Path, PathBuf};

use etalon_core::model::{self, Context, Metric, SaidBy};
use etalon_core::model::{BASE, HEAD};
use etalon_core::run_set::ChecksFile;
use etalon_core::shell::copied;
use etalon_record::Text;
use etalon_run::nodes::protocol::SideCopy;
use etalon_run::sides::{
    self, BuildCache, Checkout, CheckoutSpec, Earlier, Recipe, Sides, SidesError,
};

use super::builds::{BeforeBuilding, Building};
use super::{Copy, failure, shown_text};
use crate::cli::{CopyArgs, Nodes, SideArgs};
use crate::compare::checks::declared;
use crate::compare::sides::facts;
use crate::failure::Failure;
use crate::progress::Watch;

/// How subjects say their side where names are etalon's: by a parameter.
pub(crate) const OF_PARAMETERS: model::Sides = model::Sides { said_by: SaidBy::Parameter };

/// A request for the copies of two sides.
pub(crate) struct SidesRequest<'a> {
    pub base: &'a OsStr,
    pub head: Option<&'a OsStr>,
    /// The option that names the base, if one does.
    pub option: Option<&'static str>,
    /// Whether both are directories that are ready.
    pub dir: bool,
    pub build: Build<'a>,
    pub copying: &'a CopyArgs,
    /// Variables for builds.
    pub env: &'a [(String, String)],
    /// Files below the current directory that each copy has as they are now.
    pub laid: &'a [PathBuf],
    /// The file of checks, which is read before anything is built.
    pub checks: Option<&'a Path>,
    /// The metrics that are going to be measured, where all of them are known: the file is about some of them.
    pub measured: Option<&'a [Metric]>,
    /// How subjects say their side.
    pub sides: model::Sides,
    /// The machines that execute what is in the copies, or that this one is, which was sent them then.
    pub nodes: &'a Nodes,
}

/// Who builds copies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Build<'a> {
    /// A command, if there is one.
    Command(Option<&'a OsStr>),
    /// The door, by this command, once there are copies.
    Door(&'a OsStr),
}

impl<'a> SidesRequest<'a> {
    /// A revision and the working tree, with these files of that in both.
    pub(crate) fn with_files(
        sides: &'a SideArgs,
        checks: Option<&'a Path>,
        laid: &'a [PathBuf],
        nodes: &'a Nodes,
    ) -> SidesRequest<'a> {
        SidesRequest {
            base: sides.base.as_deref().unwrap_or_default(),
            head: None,
            option: Some("--base"),
            dir: false,
            build: Build::Command(sides.build.as_deref()),
            copying: &sides.copying,
            env: &[],
            laid,
            checks,
            measured: None,
            sides: OF_PARAMETERS,
            nodes,
        }
    }
}

impl<'a> Build<'a> {
    fn command(self) -> Option<&'a OsStr> {
        match self {
            Build::Command(command) => command,
            Build::Door(command) => Some(command),
        }
    }
}

/// Copies of both sides, and facts about them for the record.
pub(super) struct Checkouts {
    pub(super) copies: Vec<Copy>,
    /// The copies are there as long as it is; nothing where they are the user's.
    pub(super) room: Option<Sides>,
    pub(super) facts: Context,
    /// The file of checks, where one is asked for.
    pub(super) checks: Option<ChecksFile>,
}

/// The copies, built where a command builds them.
///
/// # Errors
/// If there is no such revision or directory, the check says so, a side does not build, or one build changes what another
/// one made.
pub(super) fn checked_out(
    request: &SidesRequest<'_>,
    here: &Path,
    watch: &Watch<'_>,
    check: BeforeBuilding<'_>,
) -> Result<Checkouts, Failure> {
    let tree = || "the working tree".to_owned();
    let mut facts =
        described(&shown_text(request.base), &request.head.map_or_else(tree, shown_text));
    if request.dir {
        let copies = prepared(request, here)?;
        let read =
            |copy: &Copy| request.checks.and_then(|path| fs::read(copy.root.join(path)).ok());
        let text = |at: usize| copies.get(at).and_then(read);
        let checks = checks(request, [text(0), text(1)])?;
        return Ok(Checkouts { copies, room: None, facts, checks });
    }
    if request.copying.layouts.is_some() && request.build == Build::Command(None) {
        return Err(Failure::about(
            "--layouts",
            "places code while it is built: say with --build how",
        ));
    }
    let builds = number(request.copying);
    let variables = pairs(request.env);
    let mut sides = made(request, &variables, here, watch)?;
    let checks = checks(request, std::mem::take(&mut sides.read))?;
    let copies = copies(&sides, builds);
    let mut say = |key: &str, value: String| facts.insert(key.to_owned(), value);
    say(facts::BUILDS, builds.to_string());
    say(facts::BASE_REVISION, sides.base.revision.clone());
    say(facts::HEAD_REVISION, sides.head.revision.clone());
    let inside = copies.first().and_then(|it| it.directory.strip_prefix(&it.root).ok());
    say(facts::DIRECTORY, from_top(inside.unwrap_or(Path::new(""))));
    if let Build::Command(Some(command)) = request.build {
        let to_be_built =
            |copy: &Copy| Copy { is_to_be_built: copy.built.is_none(), ..copy.clone() };
        check(&copies.iter().map(to_be_built).collect::<Vec<_>>())?;
        let layouts = request.copying.layouts.is_some();
        let asked =
            Building { command, environment: &variables, layouts, laid: request.laid, here };
        for (key, value) in asked.all(&mut sides, &copies, watch, check)? {
            say(key, value);
        }
    }
    Ok(Checkouts { copies, room: Some(sides), facts, checks })
}

/// The file of checks as it is on both sides; what is wrong with it is told before anything is built.
fn checks(
    request: &SidesRequest<'_>,
    texts: [Option<Vec<u8>>; 2],
) -> Result<Option<ChecksFile>, Failure> {
    let Some(path) = request.checks else { return Ok(None) };
    let path = path.to_string_lossy().into_owned();
    let text = |text: Option<Vec<u8>>| {
        let text = text.map(String::from_utf8).transpose();
        text.map_err(|_| Failure::about(format!("--checks {path}"), declared::NOT_TEXT))
    };
    let [base, head] = texts;
    let file = ChecksFile { base: text(base)?, head: text(head)?, path: path.clone() };
    let head = request.head.map_or_else(|| "the working tree".to_owned(), shown_text);
    let declared = declared::parsed(&file, [&shown_text(request.base), &head])?;
    request.measured.map_or(Ok(()), |metrics| declared.refuse_unmeasured(metrics))?;
    Ok(Some(file))
}

/// A directory of a project, from its top.
pub(crate) fn from_top(inside: &Path) -> String {
    let is_top = inside.as_os_str().is_empty();
    if is_top { ".".to_owned() } else { inside.to_string_lossy().into_owned() }
}

/// Facts about sides of these names.
pub(super) fn described(base: &str, head: &str) -> Context {
    let sides = format!("{BASE} {HEAD}");
    let said = [(facts::SIDES, &*sides), (facts::BASE_ASKED, base), (facts::HEAD_ASKED, head)];
    said.into_iter().map(|(key, value)| (key.to_owned(), value.to_owned())).collect()
}

/// How often each side is built.
pub(super) fn number(copying: &CopyArgs) -> usize {
    copying.layouts.unwrap_or(if copying.no_control { 1 } else { 2 }) as usize
}

fn revision(name: &str, text: &OsStr) -> Result<String, Failure> {
    let text = text.to_str().map(str::to_owned);
    text.ok_or_else(|| Failure::about(name, "is no UTF-8, which no revision is"))
}

/// Refuses revisions that are not there, where nothing is copied.
///
/// # Errors
/// Which one, and where it looks like a command, where that stands.
pub(crate) fn check_revisions(
    base: &OsStr,
    head: Option<&OsStr>,
    here: &Path,
) -> Result<(), Failure> {
    let base = revision("BASE", base)?;
    let head = head.map(|head| revision("HEAD", head)).transpose()?;
    let environment: Vec<(OsString, OsString)> = std::env::vars_os().collect();
    let all: Vec<&str> = std::iter::once(&*base).chain(head.as_deref()).collect();
    let places = (here, &*std::env::temp_dir());
    Sides::find(&all, &environment, places, &mut || false).map_err(|error| match &error {
        SidesError::NoRevision { revision, .. } if here.join(revision).exists() => {
            let line = all.iter().filter(|it| *it != revision).map(|it| copied(it));
            let line = line.chain(["--".into(), copied(revision)]).collect::<Vec<_>>().join(" ");
            Failure::new(format!("{error}; a command stands behind `--`: etalon ab {line}"))
        }
        _ => failure(error),
    })
}

/// Both sides, checked out.
fn made(
    request: &SidesRequest<'_>,
    variables: &[(OsString, OsString)],
    here: &Path,
    watch: &Watch<'_>,
) -> Result<Sides, Failure> {
    let interrupts = watch.interrupts();
    let base = revision("BASE", request.base)?;
    let head = request.head.map(|head| revision("HEAD", head)).transpose()?;
    let environment: Vec<(OsString, OsString)> = std::env::vars_os().collect();
    let home = used(request);
    let kept = request.build.command().zip(home.as_deref()).map(|(command, builds)| BuildCache {
        builds,
        recipe: Recipe { command, given: variables, environment: &environment },
        earlier: match request.copying.rebuild {
            true => Earlier::Rebuilt,
            false => Earlier::Used,
        },
    });
    let wanted = CheckoutSpec {
        base: &base,
        head: head.as_deref(),
        copies: number(request.copying),
        layouts: request.copying.layouts.is_some(),
        along: &request.copying.along,
        laid: request.laid,
        read: request.checks,
        kept,
        environment: &environment,
    };
    let temporary = std::env::temp_dir();
    let made = Sides::check_out(&wanted, here, &temporary, &mut || interrupts.come());
    made.map_err(|error| match (error, request.option) {
        (error @ SidesError::NoRevision { .. }, Some(option)) => {
            Failure::new(format!("{option} {error}"))
        }
        (error, _) => failure(error),
    })
}

/// Where this run keeps builds; where it keeps none, what killed runs have left there goes all the same.
fn used(request: &SidesRequest<'_>) -> Option<PathBuf> {
    if request.build.command().is_some() && !request.copying.no_cache {
        return kept_at();
    }
    sweep();
    None
}

/// Removes what killed runs have left where builds are kept.
pub(crate) fn sweep() {
    if let Some(builds) = kept_at() {
        sides::sweep_kept(&builds);
    }
}

/// Where builds are kept, if they are.
pub(crate) fn kept_at() -> Option<PathBuf> {
    let store = crate::saved::store().ok()?;
    std::path::absolute(store.home().join("builds")).ok()
}

/// The copies that a node was sent, below the directory that it works in. What is to be known of them was found out
/// where they were made.
pub(super) fn arrived(sent: &[SideCopy], here: &Path) -> Checkouts {
    let copy = |it: &SideCopy| {
        let below = |top: &Path, path: &Text| top.join(OsString::from(path.clone()));
        let side = if it.side == BASE { BASE } else { HEAD };
        let root = below(here, &it.root);
        let directory = below(&root, &it.directory);
        Copy { directory, ..Copy::in_directory((side, it.build), &root) }
    };
    let copies = sent.iter().map(copy).collect();
    Checkouts { copies, room: None, facts: Context::new(), checks: None }
}

/// Directories that the user has made ready.
fn prepared(request: &SidesRequest<'_>, here: &Path) -> Result<Vec<Copy>, Failure> {
    let sides = [(BASE, Some(request.base)), (HEAD, request.head)];
    let sides = sides.into_iter().filter_map(|(side, path)| Some((side, path?)));
    let copy = |(side, path): (&'static str, &OsStr)| {
        let root = here.join(path);
        let root = root.canonicalize().map_err(|error| Failure::about(path.display(), error))?;
        if !root.is_dir() {
            return Err(Failure::about(path.display(), "is no directory, which --dir takes"));
        }
        Ok(Copy::in_directory((side, None), &root))
    };
    let copies: Vec<Copy> = sides.map(copy).collect::<Result<_, Failure>>()?;
    if let [base, head] = &copies[..]
        && base.root == head.root
    {
        return Err(Failure::about("--dir", "both sides are the same directory"));
    }
    Ok(copies)
}

/// The sides of copies, and which builds these are, where each side is built so often: both sides in turn.
pub(super) fn in_turn(builds: usize) -> impl Iterator<Item = (&'static str, Option<usize>)> {
    (1..=builds).flat_map(move |number| {
        let build = (builds > 1).then_some(number);
        [(BASE, build), (HEAD, build)]
    })
}

/// In the order in which they are built.
fn copies(sides: &Sides, builds: usize) -> Vec<Copy> {
    let copy = |(side, build): (&'static str, Option<usize>)| {
        let of = if side == BASE { &sides.base } else { &sides.head };
        let Checkout { root, directory, built } = of.copies.get(build.unwrap_or(1) - 1)?.clone();
        Some(Copy { side, build, root, directory, built, is_to_be_built: false })
    };
    in_turn(builds).filter_map(copy).collect()
}

/// `--env`, as programs are given it.
pub(crate) fn pairs(env: &[(String, String)]) -> Vec<(OsString, OsString)> {
    env.iter().map(|(name, value)| (name.into(), value.into())).collect()
}

/// A file below the directory that etalon was started in, from there.
///
/// # Errors
/// If it lies elsewhere.
pub(crate) fn inside(path: &Path, here: &Path) -> Result<PathBuf, Failure> {
    let outside = |path: &Path| {
        let why = "lies outside the directory etalon was started in, of which --base makes two sides: start it further up";
        Failure::about(path.display(), why)
    };
    let absolute: PathBuf = here.join(path).components().collect();
    match absolute.strip_prefix(here) {
        Ok(inside) if !inside.components().any(|part| part.as_os_str() == "..") => {
            Ok(inside.to_owned())
        }
        _ => Err(outside(path)),
    }
}
