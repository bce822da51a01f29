//! The copies of both sides: made, or taken from an earlier build; built by [`super::builds`].

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use etalon_core::dataset::{BASE, HEAD};
use etalon_core::model::Context;
use etalon_run::sides::{self, BuildCache, Checkout, CheckoutSpec, Earlier, Recipe, Sides};

use super::builds::Building;
use super::{Copy, facts, failure, shown_text};
use crate::cli::{BuildArgs, SideArgs};
use crate::failure::Failure;
use crate::progress::Watch;
use crate::tool;

/// The checkouts that copies are in, and how they came about.
pub(crate) struct Checkouts {
    /// The copies are there as long as it is; nothing where they are the user's.
    pub room: Option<Sides>,
    /// Facts for the record.
    pub facts: Context,
}

/// A request for the copies of two sides.
pub(crate) struct SidesRequest<'a> {
    pub base: &'a OsStr,
    pub head: Option<&'a OsStr>,
    /// Whether both are directories that are ready.
    pub dir: bool,
    pub build: Option<&'a OsStr>,
    pub along: &'a [PathBuf],
    pub no_control: bool,
    /// Variables for builds.
    pub env: &'a [(String, String)],
    /// Files below the current directory that each copy has as they are now.
    pub laid: &'a [PathBuf],
    pub builds: Builds,
}

/// The fate of builds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Builds {
    /// They are kept, and those from earlier used.
    Kept,
    /// They are kept, and those from earlier replaced.
    Rebuilt,
    /// They go with the copies.
    Gone,
}

impl Builds {
    /// As it was asked for.
    pub(crate) fn of(args: &BuildArgs) -> Builds {
        match (args.rebuild, args.no_cache) {
            (true, _) => Builds::Rebuilt,
            (_, true) => Builds::Gone,
            _ => Builds::Kept,
        }
    }
}

/// The copies, built.
///
/// # Errors
/// If there is no such revision or directory, a side does not build, or one build changes what another one made.
pub(crate) fn prepare(
    options: &SidesRequest<'_>,
    here: &Path,
    watch: &Watch<'_>,
) -> Result<(Checkouts, Vec<Copy>), Failure> {
    let mut facts = Context::new();
    let mut say = |key: &str, value: String| facts.insert(key.to_owned(), value);
    say(facts::SIDES, format!("{BASE} {HEAD}"));
    say(facts::BASE_ASKED, shown_text(options.base));
    let tree = || "the working tree".to_owned();
    say(facts::HEAD_ASKED, options.head.map_or_else(tree, shown_text));
    if options.dir {
        let copies = prepared(options, here)?;
        return Ok((Checkouts { room: None, facts }, copies));
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
    let variables = variables(options.env);
    let environment: Vec<(OsString, OsString)> = std::env::vars_os().collect();
    let home = used(options);
    let kept = options.build.zip(home.as_deref()).map(|(command, builds)| BuildCache {
        builds,
        recipe: Recipe { command, given: &variables, environment: &environment },
        earlier: match options.builds {
            Builds::Rebuilt => Earlier::Rebuilt,
            Builds::Kept | Builds::Gone => Earlier::Used,
        },
    });
    let wanted = CheckoutSpec {
        base: &base,
        head: head.as_deref(),
        copies: builds,
        along: options.along,
        laid: options.laid,
        kept,
        environment: &environment,
    };
    let temporary = std::env::temp_dir();
    let made = Sides::check_out(&wanted, here, &temporary, &mut interrupted);
    let mut sides = made.map_err(failure)?;
    say(facts::BASE_REVISION, sides.base.revision.clone());
    say(facts::HEAD_REVISION, sides.head.revision.clone());
    let copies = copies(&sides, builds);
    if let Some(command) = options.build {
        let asked = Building { command, environment: &variables, laid: options.laid, here };
        for (key, value) in asked.all(&mut sides, &copies, watch)? {
            say(key, value);
        }
    }
    Ok((Checkouts { room: Some(sides), facts }, copies))
}

/// Where this run keeps builds; where it keeps none, what killed runs have left there goes all the same.
fn used(options: &SidesRequest<'_>) -> Option<PathBuf> {
    if options.build.is_some() && options.builds != Builds::Gone {
        return kept_at(options.builds);
    }
    if let Some(builds) = kept_at(Builds::Kept) {
        sides::sweep_kept(&builds);
    }
    None
}

/// Where builds are kept, if they are.
pub(crate) fn kept_at(builds: Builds) -> Option<PathBuf> {
    let store = crate::saved::store().ok().filter(|_| builds != Builds::Gone)?;
    std::path::absolute(store.home().join("builds")).ok()
}

/// Directories that the user has made ready.
fn prepared(options: &SidesRequest<'_>, here: &Path) -> Result<Vec<Copy>, Failure> {
    let sides = [(BASE, Some(options.base)), (HEAD, options.head)];
    let sides = sides.into_iter().filter_map(|(side, path)| Some((side, path?)));
    let copy = |(side, path): (&'static str, &OsStr)| {
        let root = here.join(path);
        let root = root.canonicalize().map_err(|error| Failure::about(path.display(), error))?;
        if !root.is_dir() {
            return Err(Failure::about(path.display(), "is no directory, which --dir takes"));
        }
        Ok(Copy { side, build: None, directory: root.clone(), root, built: None })
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
            let Some(Checkout { root, directory, built }) = of.copies.get(number) else { continue };
            let build = (builds > 1).then_some(number + 1);
            let (root, directory) = (root.clone(), directory.clone());
            copies.push(Copy { side, build, root, directory, built: *built });
        }
    }
    copies
}

/// `--env`, as programs are given it.
fn variables(env: &[(String, String)]) -> Vec<(OsString, OsString)> {
    env.iter().map(|(name, value)| (name.into(), value.into())).collect()
}

/// Copies with files of the working tree in them.
pub(crate) struct Overlay {
    pub(crate) made: Checkouts,
    pub(crate) copies: Vec<Copy>,
}

/// The copies, built, with files below the directory that etalon was started in laid over each.
///
/// # Errors
/// If there is no such revision, a side does not build, or an executable or file cannot be had.
pub(crate) fn laid(
    sides: &SideArgs,
    laid: &[PathBuf],
    watch: &Watch<'_>,
) -> Result<Overlay, Failure> {
    let here = tool::here()?;
    let SideArgs { base, build, builds, along, no_control } = sides;
    let asked = SidesRequest {
        base: base.as_deref().unwrap_or_default(),
        head: None,
        dir: false,
        build: build.as_deref(),
        along,
        no_control: *no_control,
        env: &[],
        laid,
        builds: Builds::of(builds),
    };
    let (made, copies) = prepare(&asked, &here, watch)?;
    Ok(Overlay { made, copies })
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
